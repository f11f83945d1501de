/* model.h -- inside fb_model: topology (integers), parameters (numbers) and kernels, apart, so that a simulation, a
 * lane or a device thread may have parameters of its own. */
#ifndef FB_MODEL_MODEL_H
#define FB_MODEL_MODEL_H

#include <stdint.h>

#include <freebody/model.h>

#include "model/parameters.h"
#include "model/topology.h"

typedef struct fb_name {
  const char* text; /* owned by the definition */
  int id;
} fb_name;

struct fb_kernels;

struct fb_model {
  fb_topology top;
  fb_parameters par; /* the model's own; calls with an fb_data read those that it uses */
  const struct fb_kernels* kernels;
  fb_model_def* def;    /* for names, and to hand it back; nothing else reads it once the model is built */
  int merge_fixed;      /* of the fb_build_options it was built with */
  int keeps_inertia;    /* masses and inertias may be impossible: fb_model_def_set_keeps_inertia */
  fb_name* frame_names; /* [nframe] sorted by name */
  fb_name* joint_names; /* [nbody - 1] sorted by name */
  fb_name* loop_names;  /* [nloop] sorted by name */
  void* memory;         /* one block behind all arrays above */
  void* path_memory;    /* behind the paths of loops, which are known only when the links are */
};

/* Whether coordinate k of v is a length, and not an angle. */
static inline int fb_coordinate_is_length(const fb_model* m, int k) {
  int body = m->top.coordinate_body[k];
  return fb_joint_type_is_length((fb_joint_type)m->top.joint_type[body], k - m->top.body_v[body]);
}

static inline int fb_frame_exists(const fb_model* m, int frame) {
  return frame >= 0 && frame < m->top.nsite;
}

/* fb_random_q within the limits of these parameters; joints of which some coordinate is not movable (nv) keep those of rest. */
void fb_random_q_of(const fb_model* m, const fb_parameters* par, uint64_t seed, const unsigned char* movable,
                    const double* rest, double* q);

/* Bodies that were read with FB_INERTIA_REPAIR: a scenario holds their joints where these have nothing to move
 * (scenario/build/idle.c). */
FB_API void fb_model_def_set_repaired(fb_model_def* def, int body);
FB_API int fb_model_def_is_repaired(const fb_model_def* def, int body);

/* A direction from the axes of a body to those of the frame that its joint moves; they differ only after a capture. */
void fb_joint_turn_tail(const fb_model* m, int body, double x[3]);

/* Hangs a body on another; NULL: on the world. Its joint stays as it is. */
FB_API fb_status fb_model_def_set_parent(fb_model_def* def, int body, const char* parent, fb_error* error);

/* The name of the joint that coordinate k of v belongs to. */
static inline const char* fb_coordinate_joint_name(const fb_model* m, int k) {
  return fb_joint_name(m, fb_coordinate_body(m, k));
}

#endif
