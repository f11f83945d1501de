/* rates.c -- the fastest motions that springs and dampers cause: which step an explicit method would need
 *
 *   D x = decay H x,   K x = omega^2 H x          the largest of each, by power iteration with x <- H^-1 C x
 *   s^2 + decay_x s + omega_x^2 = 0               of the modes x so found: |s| is the rate
 *
 * H^-1 is applied by the recursion's responses, O(n) each, and never formed; responses of closed loops are included. The
 * quotient of the energies of two iterates is a lower bound that grows, so a few dozen iterations are sufficient. */
#include <freebody/dynamics.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include <freebody/response.h>

#include "constraint/rows.h"
#include "dynamics/pivots.h"
#include "kernel/instances.h"
#include "math/definite.h"
#include "model/data.h"
#include "model/model.h"

typedef struct problem {
  const fb_model* m;
  fb_data* d;
  const unsigned char* prescribed;
  const double *stiffness, *damping; /* what is given beside the model's own, or NULL */
} problem;

/* C_k of the model and of what is given; 0 where it cannot act. */
static double slope(const problem* p, int turns, int k) {
  const fb_parameters* par = p->d->par;
  const double* more = turns ? p->damping : p->stiffness;
  if (p->prescribed && p->prescribed[k]) return 0;
  double modelled =
      turns ? par->damping[k] + par->friction[k] / par->friction_speed[k] : fmax(0, par->stiffness[k]);
  return modelled + (more ? fmax(0, more[k]) : 0);
}

static double energy(const problem* p, int turns, const double* x) {
  double sum = 0;
  for (int k = 0; k < p->m->top.nv; k++) sum += slope(p, turns, k) * x[k] * x[k];
  return sum;
}

/* The coordinate with the largest part of the mode x. */
static int largest_part(const problem* p, int turns, const double* x) {
  int at = -1;
  double most = 0;
  for (int k = 0; k < p->m->top.nv; k++) {
    double part = slope(p, turns, k) * x[k] * x[k];
    if (part > most) at = k;
    most = fmax(most, part);
  }
  return at;
}

/* x less what the loops take away. */
static void keep_closed(const problem* p, double* x) {
  double* away = p->d->loop_nv;
  fb_rows_take_away(p->m, p->d, p->prescribed, x, away);
  for (int k = 0; k < p->m->top.nv; k++) x[k] -= away[k];
}

/* The largest eigenvalue of H^-1 C; its mode is left in d->total_tau. 0 when there is none. */
static double largest_eigenvalue(const problem* p, int turns) {
  enum { MOST = 200 };
  static const double CLOSE = 1e-5;
  const fb_topology* top = &p->m->top;
  double *x = p->d->total_tau, *force = p->d->known_vdot, value = 0;
  /* Of no symmetry that a model could share. Each coordinate begins with the energy that it has by its own rate, so that a
   * light wrist counts beside a heavy arm; the iteration finds the rest. */
  for (int k = 0; k < top->nv; k++) {
    double ease = p->d->D[k];
    x[k] = (1 + 0.3 * sin(1 + 2.4 * k)) * (ease > 0 && isfinite(ease) ? sqrt(ease) : 0);
  }
  for (int i = 0; i < MOST; i++) {
    double before = energy(p, turns, x), last = value;
    if (!(before > 0)) return 0;
    for (int k = 0; k < top->nv; k++) force[k] = slope(p, turns, k) * x[k] / sqrt(before);
    p->m->kernels->response(top, p->d->par, p->d, 1, top->nlink, force, NULL, p->prescribed, x);
    if (top->nloop > 0) keep_closed(p, x);
    value = sqrt(energy(p, turns, x));
    if (!isfinite(value)) return 0;
    if (i > 4 && fabs(value - last) < CLOSE * value) break;
  }
  return value;
}

/* The faster root of s^2 + decay s + omega2 = 0, by its magnitude. */
static double faster_root(double decay, double omega2) {
  double square = decay * decay / 4 - omega2;
  return square > 0 ? decay / 2 + sqrt(square) : sqrt(omega2);
}

/* A joint that moves no inertia but has a damper: infinitely fast. What has neither is not for us to judge. The outermost
 * comes first: its vanishing pivot spoils those of the joints that carry it. */
static int find_weightless(const problem* p, fb_stiffness* rates) {
  const fb_topology* top = &p->m->top;
  for (int i = top->nbody - 1; i > 0; i--) {
    int first = top->body_v[top->body_order[i]], end = first + fb_joint_nv(p->m, top->body_order[i]);
    for (int k = first; k < end; k++) {
      double pivot = 1 / p->d->D[k];
      if ((isfinite(pivot) && pivot > FB_ROUNDING * p->d->D_scale[k]) || !(slope(p, 1, k) > 0)) continue;
      *rates = (fb_stiffness){.fastest = INFINITY, .coordinate = k, .decay = INFINITY};
      return 1;
    }
  }
  return 0;
}

/* A joint whose pivot vanishes because the joints beyond it yield, as a massless base that carries a body by joints for
 * all its motions: these joints move nothing inwards, and where they have dampers they are as fast. */
static int find_inward(const problem* p, fb_stiffness* rates) {
  double pivot;
  int idle = fb_pivots_find_idle(p->m, p->d, &pivot), found = -1;
  if (idle == FB_WORLD) return 0;
  const fb_topology* top = &p->m->top;
  int link = top->body_link[idle], start = top->body_v[idle], end = start + fb_joint_nv(p->m, idle);
  for (int k = start; k < end && found < 0; k++)
    if (slope(p, 1, k) > 0) found = k;
  for (int s = top->link_slot[link]; s < top->link_slot_end[link]; s++)
    if (slope(p, 1, top->slot_v[s]) > 0 && (found < 0 || top->slot_v[s] < found)) found = top->slot_v[s];
  if (found < 0) return 0;
  *rates = (fb_stiffness){.fastest = INFINITY, .coordinate = found, .decay = INFINITY};
  return 1;
}

static void keep_faster(fb_stiffness* rates, double rate, int coordinate) {
  if (!(rate > rates->fastest)) return;
  rates->fastest = rate;
  rates->coordinate = coordinate;
}

void fb_model_stiffness(const fb_model* m, fb_data* d, const double* q, const unsigned char* prescribed,
                        const double* stiffness, const double* damping, fb_stiffness* rates) {
  assert(fb_data_fits(d, m));
  const problem p = {m, d, prescribed, stiffness, damping};
  *rates = (fb_stiffness){.coordinate = -1};
  fb_response_begin(m, d, q, prescribed);
  if (find_weightless(&p, rates) || find_inward(&p, rates)) return;
  if (m->top.nloop > 0) {
    fb_rows_place(m, d, q);
    fb_rows_factor(m, d, prescribed);
  }

  double decay = largest_eigenvalue(&p, 1);
  if (decay > 0) {
    const double* x = d->total_tau;
    rates->decay = decay;
    keep_faster(rates, faster_root(decay, decay * energy(&p, 0, x) / energy(&p, 1, x)),
                largest_part(&p, 1, x));
  }
  double omega2 = largest_eigenvalue(&p, 0);
  if (omega2 > 0) {
    const double* x = d->total_tau;
    double damped = omega2 * energy(&p, 1, x) / energy(&p, 0, x);
    rates->vibration = damped * damped < 4 * omega2 ? sqrt(omega2) : 0;
    keep_faster(rates, faster_root(damped, omega2), largest_part(&p, 0, x));
  }
}
