/* moreau_jump.c -- a step of moreau in which velocities jump: accelerations and reactions before and after the jump, weighted, and
 * their work. */
#include <string.h>

#include <freebody/kinematics.h>

#include "sim/flow.h"
#include "sim/stepper/moreau.h"

void fb_moreau_respond_later(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_respond(s, w->P, w->later);
  for (int k = 0; k < s->nv; k++) w->later[k] *= 0.5 - w->early;
}

static const double* accelerate_at(fb_sim* s, double* y, const double* v) {
  memcpy(y + s->nq, v, (size_t)s->nv * sizeof *v);
  fb_flow_accelerate(s, y, NULL);
  return s->vdot;
}

static void find_losses(fb_sim* s, const double* y, const double* v, double* losses) {
  fb_passive_forces(s->m, s->d, y, v, s->loads.passive & (FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION), losses);
}

void fb_moreau_take_reactions(const fb_sim* s, double* x) {
  size_t size = (size_t)s->nv * sizeof *x;
  memcpy(x, s->tau, size);
  if (s->m->top.nloop == 0) return;
  memcpy(x + s->nv, s->loop.force, size);
  memcpy(x + 2 * s->nv, s->d->row_force, (size_t)s->m->top.nrow * sizeof *x);
}

void fb_moreau_complete_reactions(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  const double* x = w->reaction_more;
  fb_moreau_take_reactions(s, w->passed);
  for (int i = 0; i < w->nreaction; i++) w->passed[i] -= w->reactions[i];
  for (int k = 0; k < s->nv; k++) s->tau[k] += x[k];
  for (int k = 0; s->m->top.nloop > 0 && k < s->nv; k++) s->loop.force[k] += x[s->nv + k];
  for (int i = 0; i < s->m->top.nrow; i++) s->d->row_force[i] += x[2 * s->nv + i];
}

/* The same weights as for accelerations: of forces before and after impacts, and the excess of their mean over that
 * at the mean of the velocities. */
static void weigh_reactions(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < w->nreaction; i++) {
    w->reaction_change[i] -= w->reaction_more[i];
    w->reaction_more[i] += (1 - w->early) * w->reaction_change[i] - w->reactions[i];
  }
}

void fb_moreau_weigh_accelerations(fb_sim* s, double h, double* y, const double* v0, const double* v1) {
  fb_hard_contacts* w = s->contact.hard;
  size_t size = (size_t)s->nv * sizeof *y;
  memcpy(w->v, y + s->nq, size);
  memcpy(w->dv, s->vdot, size);
  memcpy(w->around, accelerate_at(s, y, v0), size);
  fb_moreau_take_reactions(s, w->reaction_more);
  accelerate_at(s, y, v1);
  fb_moreau_take_reactions(s, w->reaction_change);
  weigh_reactions(s);
  for (int k = 0; k < s->nv; k++) {
    double early = w->early * w->around[k], late = (1 - w->early) * s->vdot[k];
    s->vdot[k] = early + late;
    w->dv[k] = s->vdot[k] - w->dv[k];
    w->around[k] = 0.5 * h * (early - late);
  }
  memcpy(y + s->nq, w->v, size);
  find_losses(s, y, v0, w->loss);
  find_losses(s, y, v1, w->loss_change);
  for (int k = 0; k < s->nv; k++) {
    w->loss_change[k] -= w->loss[k];
    w->loss[k] += (1 - w->early) * w->loss_change[k];
  }
}

/* Powers at the velocities in y. */
static void enter_reactions(fb_sim* s, const double* x, const double* y, double* zdot) {
  const double* v = y + s->nq;
  for (int k = 0; k < s->nv; k++) {
    zdot[k] += x[k] * v[k];
    zdot[s->nv + FB_Z_GROSS] += fabs(x[k] * v[k]);
  }
  fb_flow_ledger_forces(s, x, y, zdot);
  if (s->m->top.nloop > 0) *fb_z_loops(s, zdot) += fb_flow_ledger_forces(s, x + s->nv, y, zdot);
}

static void enter_losses(fb_sim* s, const double* losses, const double* y, double* zdot) {
  double power = fb_flow_ledger_forces(s, losses, y, zdot);
  zdot[s->nv + FB_Z_DISSIPATED] -= power;
  zdot[s->nv + FB_Z_GROSS] += fabs(power);
}

void fb_moreau_enter_impacts(fb_sim* s, double* y, double* zdot) {
  fb_hard_contacts* w = s->contact.hard;
  double by = w->early * (1 - w->early);
  for (int k = 0; k < s->nv; k++) y[s->nq + k] = w->around[k] - w->later[k];
  fb_kinematics(s->m, s->d, y, y + s->nq, NULL);
  fb_wrench_forces(s->m, s->d, s->wrench.list + w->first, s->wrench.count - w->first, s->ledger.push);
  fb_flow_ledger_forces(s, s->ledger.push, y, zdot);
  enter_reactions(s, w->passed, y, zdot);
  if (w->pushed) enter_losses(s, s->limit.friction, y, zdot);
  w->stop_work += fb_hard_stop_work(s, y + s->nq);
  fb_hard_respond(s, w->P, w->x);
  for (int k = 0; k < s->nv; k++) y[s->nq + k] = by * w->x[k];
  fb_kinematics(s->m, s->d, y, y + s->nq, NULL);
  enter_losses(s, w->loss_change, y, zdot);
  enter_reactions(s, w->reaction_change, y, zdot);
}
