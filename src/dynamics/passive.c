/* passive.c -- passive joint forces: springs, dampers, friction
 *
 *   tau = -stiffness (q - rest) - damping v - friction tanh(v / friction_speed)
 *
 * per velocity coordinate; springs act where a coordinate is a number of its own (not on quaternions). */
#include <freebody/dynamics.h>

#include <assert.h>
#include <math.h>

#include "model/data.h"
#include "model/model.h"

void fb_passive_forces(const fb_model* m, const fb_data* d, const double* q, const double* v, int kinds,
                       double* tau) {
  assert(fb_data_fits(d, m));
  const fb_parameters* p = d->par;
  for (int k = 0; k < m->top.nv; k++) {
    tau[k] = 0;
    if (kinds & FB_PASSIVE_DAMPERS) tau[k] -= p->damping[k] * v[k];
    if ((kinds & FB_PASSIVE_FRICTION) && p->friction[k] != 0)
      tau[k] -= p->friction[k] * tanh(v[k] / p->friction_speed[k]);
    if ((kinds & FB_PASSIVE_SPRINGS) && m->top.coordinate_q[k] >= 0)
      tau[k] -= p->stiffness[k] * (q[m->top.coordinate_q[k]] - p->rest[k]);
  }
}
