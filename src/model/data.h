/* data.h -- inside fb_data: every array once, with shape, unit and meaning.
 *
 * `width` is the number of doubles a value takes: 1, or more where lanes or complex numbers use the
 * same layout (kernel/real.h). */
#ifndef FB_MODEL_DATA_H
#define FB_MODEL_DATA_H

#include <freebody/data.h>

#include "model/parameters.h"
#include "model/record.h"
#include "model/topology.h"

/*       name     rows        cols unit        meaning; everything in world axes */
#define FB_DATA_FIELDS(X)                                                                              \
  X(rec, fb_links_in_blocks(top->nlink), FB_REC_COUNT* FB_VECTOR, "1", "records of links (record.h)")  \
  X(body, fb_links_in_blocks(top->nlink), 36, "kg", "articulated: rows A, [B | moment], [C | force]")  \
  X(sine, top->nq, 1, "1", "sine of every entry of q")                                                 \
  X(cosine, top->nq, 1, "1", "its cosine")                                                             \
  X(axes, top->nv, 3, "1", "axes of the place of spherical and free links, a coordinate each")         \
  X(com, top->nbody, 3, "m", "centre of mass of the subtree")                                          \
  X(com_v, top->nbody, 3, "m/s", "its velocity")                                                       \
  X(com_a, top->nbody, 3, "m/s^2", "its acceleration")                                                 \
  X(ext_l, top->nlink, 6, "N", "external moment and force at the link origin")                         \
  X(K, top->nv, 8, "1", "IA S over its pivot, where aba.inl says: angular, 0, linear, -u by the same") \
  X(D, top->nv, 1, "1/kg", "one over the pivot, S^T IA S and armature")                                \
  X(D_scale, top->nv, 1, "kg", "what the pivot is measured against; -1: prescribed")                   \
  X(u, top->nv, 1, "N", "of a response: push - S^T p")                                                 \
  X(F, 6, top->nv, "N", "moment and force of a unit acceleration of each slot")                        \
  X(total_tau, top->nv, 1, "N", "tau and passive forces")                                              \
  X(known_vdot, top->nv, 1, "m/s^2", "prescribed accelerations, zero elsewhere")

/* How far the last fb_kinematics went. */
typedef enum fb_level { FB_LEVEL_NONE, FB_LEVEL_POSE, FB_LEVEL_VELOCITY, FB_LEVEL_ACCELERATION } fb_level;

struct fb_data {
  const fb_model* model;    /* whose it is */
  const fb_parameters* par; /* in use: the model's own, or what fb_data_use was given */
  const double* armature;   /* [nv] that the last forward or mixed dynamics had, for fb_check_pivots */
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
