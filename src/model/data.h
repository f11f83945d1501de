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
#define FB_DATA_FIELDS(X)                                                                                 \
  X(rec, fb_links_in_blocks(top->nlink), FB_REC_COUNT* FB_VECTOR, "1", "records of links (record.h)")     \
  X(body, top->link_block[fb_links_in_blocks(top->nlink)], 1, "kg",                                       \
    "articulated: rows A, [B | moment], [C | force]")                                                     \
  X(sine, top->nq, 1, "1", "sine of every entry of q")                                                    \
  X(cosine, top->nq, 1, "1", "its cosine")                                                                \
  X(axes, top->nv, 3, "1", "axes of the place of spherical and free links, a coordinate each")            \
  X(com, top->nbody, 3, "m", "centre of mass of the subtree")                                             \
  X(com_v, top->nbody, 3, "m/s", "its velocity")                                                          \
  X(com_a, top->nbody, 3, "m/s^2", "its acceleration")                                                    \
  X(ext_l, top->link_ext[top->nlink], 1, "N", "external moment and force at the link origin")             \
  X(K, top->nv, 8, "1", "IA S over its pivot, where aba.inl says: angular, 0, linear, -u by the same")    \
  X(D, top->nv, 1, "1/kg", "one over the pivot, S^T IA S and armature")                                   \
  X(D_scale, top->nv, 1, "kg", "what the pivot is measured against; -1: prescribed")                      \
  X(u, top->nv, 1, "N", "of a response: push - S^T p")                                                    \
  X(F, 6, top->nv, "N", "moment and force of a unit acceleration of each slot")                           \
  X(carried, top->nlink, 5, "kg", "that a link carries: turning, mass, first moment (dynamics/pivots.c)") \
  X(total_tau, top->nv, 1, "N", "tau and passive forces")                                                 \
  X(known_vdot, top->nv, 1, "m/s^2", "prescribed accelerations, zero elsewhere")                          \
  X(row_direction, top->nrow, 9, "1",                                                                     \
    "of a row of a loop: linear, angular, rate of angular (constraint/rows.h)")                           \
  X(row_error, top->nrow, 1, "m", "or rad: how far the loop is open along the row")                       \
  X(row_rate, top->nrow, 1, "m/s", "or rad/s: how fast that grows, or J v' and J' v")                     \
  X(row_force, top->nrow, 1, "N", "or N m: along the row")                                                \
  X(row_A, top->nrow, top->nrow, "1/kg", "J H^-1 J^T")                                                    \
  X(row_L, top->nrow, top->nrow, "1", "its factor, rows in the order of row_order")                       \
  X(row_scale, top->nrow, 1, "1", "one over the root of the diagonal of row_A")                           \
  X(row_order, top->nrow, 1, "1", "rows, the independent ones first")                                     \
  X(row_work, top->nrow, 1, "1", "scratch")                                                               \
  X(loop_arm, top->nloop, 9, "m",                                                                         \
    "from the origins of the links of a and b to b's, and from a's origin to it")                         \
  X(loop_length, top->nloop, 1, "m", "of distances: the model's, or what fb_loops_measure found")         \
  X(loop_nv, top->nloop ? 2 * top->nv : 0, 1, "1", "scratch")                                             \
  X(path_u, top->nu, FB_COLUMNS, "N", "what reaches the coordinates on the paths of loops (path.inl)")

/* How far the last fb_kinematics went. */
typedef enum fb_level { FB_LEVEL_NONE, FB_LEVEL_POSE, FB_LEVEL_VELOCITY, FB_LEVEL_ACCELERATION } fb_level;

struct fb_data {
  const fb_model* model;    /* whose it is */
  const fb_parameters* par; /* in use: the model's own, or what fb_data_use was given */
  const double* armature;   /* [nv] that the last forward or mixed dynamics had, for fb_model_check_pivots */
  int width;
  int rank;    /* independent rows of loops, when row_L was last made; they are first in row_order, */
  int counted; /* up to here there are those that repeat them, then those that do not count */
  int forces_are_least; /* row_force has the least of all forces with the same effect */
  fb_level level;       /* of links and frames */
  fb_level com_level;   /* of centres of mass */
  /* A simulation's own: the coordinates that motions and locks move now, 1 each, and their accelerations [nv]; NULL
   * where there are none. Blocks ask by fb_context_is_moved. */
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
