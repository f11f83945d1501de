/* writer.h -- what the parts of the MJCF writer share. */
#ifndef FB_FORMAT_MJCF_WRITER_H
#define FB_FORMAT_MJCF_WRITER_H

#include <freebody/io.h>
#include <freebody/model_def.h>
#include <freebody/spatial.h>
#include <freebody/support/text.h>

#include "format/name_set.h"
#include "model/definition/forest.h"

/* Mass and moments of bodies that have none but move: above 1e-15, which MuJoCo refuses. The reader takes it for zero. */
#define FB_MJCF_LEAST 2e-15
/* Ranges of MuJoCo have two ends; this one stands for none. */
#define FB_MJCF_FAR 1e10

typedef struct fb_mjcf_writer {
  const fb_model_def* def;
  const fb_io_options* options;
  fb_forest tree;
  fb_text text; /* the whole file; then the parts that come after the bodies */
  fb_text meshes, tendons, equalities, actuators;
  const char* bad;           /* a text that XML cannot hold, or NULL */
  fb_name_set joints, geoms; /* names given, to keep them apart */
  int nmesh;
  const char* folder; /* that mesh files are named from, to examine them; NULL: they are not examined */
  int stiff;          /* equalities are to be exact: helical joints */
  int friction;       /* some joint has friction */
  /* What is lost, counted. */
  int efforts, speeds, friction_speeds, fixed_names, meshes_lost, colors, raised, limits;
} fb_mjcf_writer;

/* A line at a depth, and what it begins with. */
void fb_mjcf_begin(fb_text* text, int depth, const char* begin);
void fb_mjcf_attribute(fb_mjcf_writer* w, fb_text* text, const char* name, const char* value);
void fb_mjcf_number(fb_text* text, const char* name, double x);
/* pos="" and quat="" where they are not zero. */
void fb_mjcf_add_pose(fb_text* text, const double at[3], const double R[9]);

/* The pose of the body at zero coordinates, in its parent: MuJoCo's body frame. */
void fb_mjcf_body_pose(const fb_joint_def* joint, fb_pose* pose);
/* Whether the joint needs a body of its own before that of the model (write_joint.c). */
int fb_mjcf_needs_carrier(const fb_joint_def* joint);
fb_status fb_mjcf_write_joint(fb_mjcf_writer* w, int body, int depth, fb_error* error);
fb_status fb_mjcf_write_inertial(fb_mjcf_writer* w, int body, int depth, fb_error* error);
fb_status fb_mjcf_write_shapes(fb_mjcf_writer* w, int body, int depth, fb_error* error);
void fb_mjcf_write_loops(fb_mjcf_writer* w);

#endif
