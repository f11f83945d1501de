/* data.h -- inside fb_data: every array once, with shape, unit and meaning.
 *
 * `width` is the number of doubles a value takes: 1, or more where lanes or complex numbers use the
 * same layout (kernel/real.h). */
#ifndef FB_MODEL_DATA_H
#define FB_MODEL_DATA_H

#include <freebody/data.h>

#include "model/parameters.h"
#include "model/topology.h"

/*       name     rows        cols unit        meaning; everything in world axes */
#define FB_DATA_FIELDS(X)                                                                      \
  X(R_wl, top->nlink, 9, "1", "link axes to world axes, row major")                            \
  X(p_wl, top->nlink, 3, "m", "link origin")                                                   \
  X(arm_l, top->nlink, 3, "m", "from the parent link's origin")                                \
  X(w_l, top->nlink, 3, "rad/s", "angular velocity of the link")                               \
  X(v_l, top->nlink, 3, "m/s", "velocity of the link origin")                                  \
  X(wdot_l, top->nlink, 3, "rad/s^2", "angular acceleration of the link")                      \
  X(a_l, top->nlink, 3, "m/s^2", "acceleration of the link origin")                            \
  X(sine, top->nq, 1, "1", "sine of every entry of q")                                         \
  X(cosine, top->nq, 1, "1", "its cosine")                                                     \
  X(axes, top->nv, 3, "1", "axes of the place of spherical and free links, a coordinate each") \
  X(com, top->nbody, 3, "m", "centre of mass of the subtree")                                  \
  X(com_v, top->nbody, 3, "m/s", "its velocity")                                               \
  X(com_a, top->nbody, 3, "m/s^2", "its acceleration")                                         \
  X(known_wdot, top->nlink, 3, "rad/s^2", "angular acceleration by what is known")             \
  X(known_a, top->nlink, 3, "m/s^2", "linear acceleration by what is known, less gravity")     \
  X(W_l, top->nlink, 9, "1/s^2", "wdot~ + w~ w~")                                              \
  X(f_l, top->nlink, 6, "N", "moment and force at the link origin")                            \
  X(ext_l, top->nlink, 6, "N", "external moment and force at the link origin")                 \
  X(I_l, top->nlink, 9, "kg", "the link alone: I (6), h (3), world axes")                      \
  X(IA, top->nlink, 21, "kg", "what its children add: A (6), B (9), C (6)")                    \
  X(U, top->nv, 6, "kg", "IA S")                                                               \
  X(D, top->nv, 1, "1/kg", "one over the pivot, S^T IA S and armature")                        \
  X(D_scale, top->nv, 1, "kg", "what the pivot is measured against")                           \
  X(u, top->nv, 1, "N", "tau - S^T p, or the known force")                                     \
  X(da_l, top->nlink, 6, "m/s^2", "angular, linear acceleration by what was unknown")          \
  X(Ic, top->nlink, 10, "kg", "what children add to the composite: mass, h (3), I (6)")        \
  X(F, 6, top->nv, "N", "moment and force of a unit acceleration of each slot")                \
  X(total_tau, top->nv, 1, "N", "tau and passive forces")                                      \
  X(known_vdot, top->nv, 1, "m/s^2", "prescribed accelerations, zero elsewhere")

/* How far the last fb_kinematics went. */
typedef enum fb_level { FB_LEVEL_NONE, FB_LEVEL_POSE, FB_LEVEL_VELOCITY, FB_LEVEL_ACCELERATION } fb_level;

struct fb_data {
  const fb_model* model;    /* whose it is */
  const fb_parameters* par; /* in use: the model's own, or what fb_data_use was given */
  int width;
  fb_level level;     /* of links and frames */
  fb_level com_level; /* of centres of mass */
  /* A simulation's own: the coordinates that motions and locks move now, 1 each, and their accelerations [nv]; NULL
   * where there are none. Blocks ask by fb_context_moved. */
  const unsigned char* moved;
  const double* moved_vdot;
#define X(name, rows, cols, unit, meaning) double* name;
  FB_DATA_FIELDS(X)
#undef X
};

/* For the asserts of functions that trust their arguments. */
static inline int fb_data_fits(const fb_data* d, const fb_model* m) {
  return d->model == m && d->width == 1;
}

size_t fb_data_size_width(const fb_model* m, int width);
fb_status fb_data_place_width(const fb_model* m, int width, void* memory, size_t size, fb_data** data);

#endif
