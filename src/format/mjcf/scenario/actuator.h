/* actuator.h -- actuators and tendons of MJCF as numbers: what force acts on what. */
#ifndef FB_FORMAT_MJCF_ACTUATOR_H
#define FB_FORMAT_MJCF_ACTUATOR_H

#include "format/mjcf/reader.h"

typedef enum fb_mjcf_target {
  FB_MJCF_NO_TARGET,
  FB_MJCF_ON_JOINT,
  FB_MJCF_ON_TENDON,
  FB_MJCF_ON_SITE
} fb_mjcf_target;

/* force = gain ctrl + bias[0] + bias[1] l + bias[2] l', within its range, where l is gear times the coordinate of the joint,
 * or the length of the tendon; gear times this force acts. */
typedef struct fb_mjcf_drive {
  int node;
  fb_mjcf_target on;
  const char* target; /* its name in the file */
  const char* unlike; /* what no law here does; NULL when there is nothing of the kind */
  double gear[6];     /* of a site: force and torque in its axes */
  double gain, bias[3];
  double ratio; /* of the damping to the critical one, instead of bias[2]; 0: none */
  int filtered; /* the control goes through a filter or an integrator */
  double ctrl[2], force[2];
  int ctrl_limited, force_limited;
} fb_mjcf_drive;

/* An actuator by itself and its default classes. */
fb_status fb_mjcf_read_drive(fb_mjcf_reader* r, int node, fb_mjcf_drive* out);
/* The largest efforts of joints that have one actuator with a range and no effort of their own. */
fb_status fb_mjcf_add_efforts(fb_mjcf_reader* r);

/* A tendon: l = sum of coefficients times coordinates of joints, or the distance of two sites; its spring pulls it to
 * between rest[0] and rest[1]. */
typedef struct fb_mjcf_tendon {
  int node, first; /* first: its first <joint> or <site> */
  int fixed;       /* of joints */
  int count;       /* of them */
  const fb_mjcf_site* site[2];
  double stiffness, damping, rest[2];
} fb_mjcf_tendon;

/* The node of a tendon by its name; FB_MJCF_NONE. */
int fb_mjcf_find_tendon(const fb_mjcf_reader* r, const char* name);
/* *unlike: what no element here does, such as passing over a surface; NULL when there is nothing of the kind. */
fb_status fb_mjcf_read_tendon(fb_mjcf_reader* r, int node, fb_mjcf_tendon* out, const char** unlike);
/* Joint i of a fixed tendon and its coefficient. */
fb_status fb_mjcf_tendon_joint(const fb_mjcf_reader* r, const fb_mjcf_tendon* tendon, int i,
                               const fb_mjcf_joint** joint, double* coef);

#endif
