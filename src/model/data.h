/* data.h -- inside fb_data: every array once, with shape, unit and meaning.
 *
 * `width` is the number of doubles a value takes: 1, or more where lanes or complex numbers use the
 * same layout (kernel/real.h). */
#ifndef FB_MODEL_DATA_H
#define FB_MODEL_DATA_H

#include <freebody/data.h>

#include "model/model.h"

/*       name     rows        cols unit        meaning; everything in world axes */
#define FB_DATA_FIELDS(X)                                                                        \
  X(R_wl, m->top.nlink, 9, "1", "link axes to world axes, row major")                            \
  X(p_wl, m->top.nlink, 3, "m", "link origin")                                                   \
  X(arm_l, m->top.nlink, 3, "m", "from the parent link's origin")                                \
  X(w_l, m->top.nlink, 3, "rad/s", "angular velocity of the link")                               \
  X(v_l, m->top.nlink, 3, "m/s", "velocity of the link origin")                                  \
  X(wdot_l, m->top.nlink, 3, "rad/s^2", "angular acceleration of the link")                      \
  X(a_l, m->top.nlink, 3, "m/s^2", "acceleration of the link origin")                            \
  X(sine, m->top.nq, 1, "1", "sine of every entry of q")                                         \
  X(cosine, m->top.nq, 1, "1", "its cosine")                                                     \
  X(axes, m->top.nv, 3, "1", "axes of the place of spherical and free links, a coordinate each") \
  X(com, m->top.nbody, 3, "m", "centre of mass of the subtree")                                  \
  X(com_v, m->top.nbody, 3, "m/s", "its velocity")                                               \
  X(com_a, m->top.nbody, 3, "m/s^2", "its acceleration")                                         \
  X(known_wdot, m->top.nlink, 3, "rad/s^2", "angular acceleration by what is known")             \
  X(known_a, m->top.nlink, 3, "m/s^2", "linear acceleration by what is known, less gravity")     \
  X(W_l, m->top.nlink, 9, "1/s^2", "wdot~ + w~ w~")                                              \
  X(f_l, m->top.nlink, 6, "N", "moment and force at the link origin")                            \
  X(ext_l, m->top.nlink, 6, "N", "external moment and force at the link origin")                 \
  X(I_l, m->top.nlink, 9, "kg", "the link alone: I (6), h (3), world axes")                      \
  X(IA, m->top.nlink, 21, "kg", "what its children add: A (6), B (9), C (6)")                    \
  X(U, m->top.nv, 6, "kg", "IA S")                                                               \
  X(D, m->top.nv, 1, "1/kg", "one over the pivot, S^T IA S and armature")                        \
  X(D_scale, m->top.nv, 1, "kg", "what the pivot is measured against")                           \
  X(u, m->top.nv, 1, "N", "tau - S^T p, or the known force")                                     \
  X(da_l, m->top.nlink, 6, "m/s^2", "angular, linear acceleration by what was unknown")          \
  X(Ic, m->top.nlink, 10, "kg", "what children add to the composite: mass, h (3), I (6)")        \
  X(F, 6, m->top.nv, "N", "moment and force of a unit acceleration of each slot")                \
  X(total_tau, m->top.nv, 1, "N", "tau and passive forces")                                      \
  X(known_vdot, m->top.nv, 1, "m/s^2", "prescribed accelerations, zero elsewhere")

/* How far the last fb_kinematics went. */
typedef enum fb_level { FB_LEVEL_NONE, FB_LEVEL_POSE, FB_LEVEL_VELOCITY, FB_LEVEL_ACCELERATION } fb_level;

struct fb_data {
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

size_t fb_data_size_width(const fb_model* m, int width);
fb_status fb_data_place_width(const fb_model* m, int width, void* memory, size_t size, fb_data** data);

#endif
