/* centre_of_mass.c -- centre of mass of every subtree, with velocity and acceleration
 *
 *   m_sub c_sub = sum over the subtree of m_i c_i         (inward over the bodies)
 *
 * and the same for the rates. Row 0 is the whole scene. Reads the links' motion as far as fb_kinematics
 * went.  Writes com, com_v, com_a.  Cost O(n). */
#include <freebody/kinematics.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include "model/data.h"
#include "model/model.h"

/* Of a frame: fb_frame_pose, fb_frame_velocity or fb_frame_acceleration. */
typedef void (*read_fn)(const fb_model* m, const fb_data* d, int frame, double* linear, double* angular);

static void mean_over_subtrees(const fb_model* m, const fb_data* d, read_fn read, double* mean) {
  const fb_topology* t = &m->top;
  memset(mean, 0, 3 * (size_t)t->nbody * sizeof *mean);
  for (int i = t->nbody - 1; i >= 1; i--) {
    int b = t->body_order[i], parent = t->body_parent[b];
    double x[3];
    read(m, d, fb_model_com_frame(m, b), x, NULL);
    for (int k = 0; k < 3; k++) {
      mean[3 * b + k] += d->par->body_mass[b] * x[k];
      mean[3 * parent + k] += mean[3 * b + k];
    }
  }
  for (int b = 0; b < t->nbody; b++) {
    double mass = d->par->subtree_mass[b];
    if (mass != 0)
      for (int k = 0; k < 3; k++) mean[3 * b + k] /= mass;
    else
      read(m, d, b, mean + 3 * b, NULL);
  }
}

void fb_centre_of_mass(const fb_model* m, fb_data* d) {
  assert(fb_data_fits(d, m));
  if (d->level >= FB_LEVEL_POSE) mean_over_subtrees(m, d, fb_frame_pose, d->com);
  if (d->level >= FB_LEVEL_VELOCITY) mean_over_subtrees(m, d, fb_frame_velocity, d->com_v);
  if (d->level >= FB_LEVEL_ACCELERATION) mean_over_subtrees(m, d, fb_frame_acceleration, d->com_a);
  d->com_level = d->level;
}

static void copy_row(const double* rows, int body, int known, double* out) {
  for (int k = 0; out && k < 3; k++) out[k] = known ? rows[3 * body + k] : NAN;
}

double fb_subtree_com(const fb_model* m, const fb_data* d, int body, double com_w[3], double v_w[3],
                      double a_w[3]) {
  assert(fb_data_fits(d, m));
  int exists = body >= 0 && body < m->top.nbody;
  copy_row(d->com, body, exists && d->com_level >= FB_LEVEL_POSE, com_w);
  copy_row(d->com_v, body, exists && d->com_level >= FB_LEVEL_VELOCITY, v_w);
  copy_row(d->com_a, body, exists && d->com_level >= FB_LEVEL_ACCELERATION, a_w);
  return exists ? d->par->subtree_mass[body] : NAN;
}
