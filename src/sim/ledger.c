/* ledger.c -- what a run may be trusted with
 *
 *   residual = (K + V) - (K_0 + V_0) - work - outside + dissipated - jumped
 *
 * and, for trees whose base floats, momentum less what came from outside. The integrals are part of y and are
 * integrated with the motion (flow.c); a residual that is not small says that the step is too long. */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/momentum.h>
#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "math/vector3.h"
#include "sim/sim.h"

typedef struct fb_momenta {
  double linear[3], angular[3];
  double linear_scale, angular_scale; /* sums of magnitudes over the bodies */
} fb_momenta;

/* Angular momentum of one body about the world's origin: I w + c x m c'. */
static void body_momentum(const fb_sim* s, int body, double linear[3], double angular[3]) {
  const fb_body_def* def = fb_model_def_body(fb_model_definition(s->m), body);
  double c[3], v[3], w[3], R[9], w_b[3], spin[3], orbit[3];
  int com = fb_model_com_frame(s->m, body);
  fb_frame_pose(s->m, s->d, com, c, R);
  fb_frame_velocity(s->m, s->d, com, v, w);
  fb_rot_apply_transpose(R, w, w_b);
  const double* I = def->inertia;
  spin[0] = I[0] * w_b[0] + I[3] * w_b[1] + I[4] * w_b[2];
  spin[1] = I[3] * w_b[0] + I[1] * w_b[1] + I[5] * w_b[2];
  spin[2] = I[4] * w_b[0] + I[5] * w_b[1] + I[2] * w_b[2];
  fb_rot_apply(R, spin, spin);
  for (int i = 0; i < 3; i++) linear[i] = def->mass * v[i];
  cross3(c, linear, orbit);
  for (int i = 0; i < 3; i++) angular[i] = spin[i] + orbit[i];
}

/* After fb_kinematics with v. */
static fb_momenta floating_momenta(const fb_sim* s) {
  fb_momenta sum = {{0}, {0}, 0, 0};
  for (int b = 1; s->nroot > 0 && b < s->m->top.nbody; b++) {
    if (!fb_sim_floats(s, b)) continue;
    double linear[3], angular[3];
    body_momentum(s, b, linear, angular);
    for (int i = 0; i < 3; i++) {
      sum.linear[i] += linear[i];
      sum.angular[i] += angular[i];
    }
    sum.linear_scale += norm3(linear);
    sum.angular_scale += norm3(angular);
  }
  return sum;
}

void fb_ledger_begin(fb_sim* s) {
  fb_sim_head* h = s->head;
  fb_kinematics(s->m, s->d, s->y, s->y + s->nq, NULL);
  h->kinetic_0 = fb_kinetic_energy(s->m, s->d, s->y + s->nq);
  h->potential_0 = fb_potential_energy(s->m, s->d, s->y, &s->loads);
  fb_momenta sum = floating_momenta(s);
  memcpy(h->linear_0, sum.linear, sizeof h->linear_0);
  memcpy(h->angular_0, sum.angular, sizeof h->angular_0);
  h->jumped = h->peak_kinetic = h->linear_scale = h->angular_scale = 0;
}

static void keep_peaks(fb_sim_head* h, double kinetic, const fb_momenta* sum) {
  h->peak_kinetic = fmax(h->peak_kinetic, kinetic);
  h->linear_scale = fmax(h->linear_scale, sum->linear_scale);
  h->angular_scale = fmax(h->angular_scale, sum->angular_scale);
}

static double residual3(const double now[3], const double start[3], const double impulse[3]) {
  double left[3];
  for (int i = 0; i < 3; i++) left[i] = now[i] - start[i] - impulse[i];
  return norm3(left);
}

void fb_ledger_at(fb_sim* s, const double* y, fb_ledger* out) {
  const double *work = y + s->nq + s->nv + s->nx, *sums = work + s->nv;
  fb_sim_head* h = s->head;
  fb_kinematics(s->m, s->d, y, y + s->nq, NULL);
  fb_momenta sum = floating_momenta(s);
  *out = (fb_ledger){.kinetic = fb_kinetic_energy(s->m, s->d, y + s->nq),
                     .potential = fb_potential_energy(s->m, s->d, y, &s->loads),
                     .kinetic_0 = h->kinetic_0,
                     .potential_0 = h->potential_0,
                     .outside = sums[FB_Z_OUTSIDE],
                     .dissipated = sums[FB_Z_DISSIPATED],
                     .jumped = h->jumped,
                     .exchanged = sums[FB_Z_EXCHANGED]};
  if (!s->probing) keep_peaks(h, out->kinetic, &sum);
  for (int k = 0; k < s->nv; k++) out->work += work[k];
  out->residual = (out->kinetic - out->kinetic_0) + (out->potential - out->potential_0) - out->work -
                  out->outside + out->dissipated - out->jumped;
  out->peak_kinetic = h->peak_kinetic;
  double scale = fmax(out->exchanged, out->peak_kinetic);
  out->relative = scale > 0 ? fabs(out->residual) / scale : fabs(out->residual);

  memcpy(out->linear, sum.linear, sizeof out->linear);
  memcpy(out->angular, sum.angular, sizeof out->angular);
  memcpy(out->linear_0, h->linear_0, sizeof out->linear_0);
  memcpy(out->angular_0, h->angular_0, sizeof out->angular_0);
  memcpy(out->impulse, sums + FB_Z_IMPULSE, sizeof out->impulse);
  out->linear_residual = residual3(out->linear, out->linear_0, out->impulse);
  out->angular_residual = residual3(out->angular, out->angular_0, out->impulse + 3);
  out->linear_scale = h->linear_scale;
  out->angular_scale = h->angular_scale;
}

void fb_sim_ledger(fb_sim* s, fb_ledger* ledger) {
  fb_ledger_at(s, s->y, ledger);
}

const double* fb_sim_work(const fb_sim* s) {
  return fb_y_z(s, s->y);
}
