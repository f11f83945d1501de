/* probe.c -- the rate of a law that does not declare its gains (fb_block.gains), by differences
 *
 *   G_q = H^-1 d tau / d q,   G_v = H^-1 d tau / d v          of what the block adds, by wrenches too
 *   omega^2, decay: their largest eigenvalues, by power iteration       s^2 + decay s + omega^2 = 0:  |s| is the rate
 *
 * A product with G is a difference of two evaluations of the block, at a state and at a neighbouring one, and one
 * response of the recursion; no matrix is formed. Each is found at two distances: where the slope depends on the
 * distance the force jumps, as with a relay, and has no rate. Only fb_block.act is called; memory and states of the
 * block do not change. Some 20 to 80 evaluations of the block.
 *
 * Laws that compensate the dampers of joints are fast, and so are the dampers; both together are not. So they are
 * evaluated together. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/response.h>

#include "kernel/instances.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/sim.h"
#include "sim/flow.h"
#include "sim/event/event.h"
#include "sim/access.h"

typedef struct probe {
  fb_sim* s;
  int block;                 /* -1: all that `with` marks, and the passive forces of joints */
  const unsigned char* with; /* [nblock] */
  fb_data* d;                /* of the responses: blocks use that of the simulation */
  unsigned char* prescribed;
  double *y, *before, *after, *x, *part; /* [ny], [nv] ... */
  double* memory;
} probe;

int fb_probe_forces(fb_sim* s, int i, double t, const double* y, double* tau, double* vdot) {
  const fb_block* block = &s->block.list[i];
  if (block->ninput > 0 && fb_ports_fill(s, t, y, NULL)) return 0;
  fb_context context = fb_flow_context(s, t, y);
  fb_action action = {tau, vdot, s->motion.prescribed, s->wrench.list, 0, block->nwrench};
  memset(tau, 0, (size_t)s->nv * sizeof *tau);
  memset(vdot, 0, (size_t)s->nv * sizeof *vdot);
  memset(s->motion.prescribed, 0, (size_t)s->nv);
  context.inputs = s->block.in + s->block.in_offset[i];
  if (block->act(block->user, &context, s->block.memory + s->block.memory_offset[i],
                 y + s->nq + s->nv + s->block.state_offset[i], &action,
                 fb_y_x(s, s->y_probe) + s->block.state_offset[i], NULL))
    return 0;
  if (action.nwrench == 0) return 1;
  fb_kinematics(s->m, s->d, y, NULL, NULL);
  fb_wrench_forces(s->m, s->d, s->wrench.list, action.nwrench, s->ledger.push);
  for (int k = 0; k < s->nv; k++) tau[k] += s->ledger.push[k];
  return 1;
}

static double largest(const double* x, int n, int* at) {
  double most = 0;
  for (int k = 0; k < n; k++) {
    if (!(fabs(x[k]) > most)) continue;
    most = fabs(x[k]);
    *at = k;
  }
  return most;
}

/* The forces of joints and laws together at p->y. */
static int force_of_all(const probe* p, double* force) {
  fb_sim* s = p->s;
  fb_passive_forces(s->m, s->d, p->y, p->y + s->nq, s->loads.passive, force);
  for (int i = 0; i < s->block.count; i++) {
    if (!p->with[i] || !s->block.list[i].act) continue;
    if (!fb_probe_forces(s, i, s->head->t, p->y, p->part, s->vdot)) return 0;
    for (int k = 0; k < s->nv; k++) force[k] += p->part[k];
  }
  return 1;
}

/* Forces of the block at `distance` along x from the start; accelerations where it prescribes motion. */
static int force_neighbour(const probe* p, int turns, double distance, double* force) {
  fb_sim* s = p->s;
  memcpy(p->y, s->y, (size_t)s->ny * sizeof *p->y);
  if (turns)
    for (int k = 0; k < s->nv; k++) p->y[s->nq + k] += distance * p->x[k];
  else
    fb_integrate(s->m, s->y, p->x, distance, p->y);
  if (p->block < 0) return force_of_all(p, force);
  if (!fb_probe_forces(s, p->block, s->head->t, p->y, force, s->vdot)) return 0;
  if (s->block.list[p->block].moves) memcpy(force, s->vdot, (size_t)s->nv * sizeof *force);
  return 1;
}

/* The largest eigenvalue of G_q, or of G_v (turns); *at: the coordinate that moves most. 0 where there is none. */
static double eigenvalue(const probe* p, int turns, double distance, int* at) {
  enum { MOST = 40, LAST = 6 };
  static const double CLOSE = 1e-3;
  fb_sim* s = p->s;
  double value = 0, sum = 0;
  int moves = p->block >= 0 && s->block.list[p->block].moves;
  for (int k = 0; k < s->nv; k++) {
    double ease = p->d->D[k];
    p->x[k] =
        (1 + 0.3 * sin(1 + 2.4 * k)) * (ease > 0 && isfinite(ease) && !p->prescribed[k] ? sqrt(ease) : 0);
  }
  for (int i = 0; i < MOST; i++) {
    double size = largest(p->x, s->nv, at), last = value;
    if (!(size > 0) || !isfinite(size)) return 0;
    for (int k = 0; k < s->nv; k++) p->x[k] /= size;
    if (!force_neighbour(p, turns, distance, p->after)) return 0;
    for (int k = 0; k < s->nv; k++) p->after[k] = (p->after[k] - p->before[k]) / distance;
    if (moves)
      memcpy(p->x, p->after, (size_t)s->nv * sizeof *p->x);
    else
      s->m->kernels->response(&s->m->top, p->d->par, p->d, 1, s->m->top.nlink, p->after, NULL, p->prescribed,
                              p->x);
    value = largest(p->x, s->nv, at);
    if (!isfinite(value)) return 0;
    if (i >= MOST - LAST) sum += value > 0 ? log(value) : -INFINITY; /* complex ones go round */
    if (i > 3 && fabs(value - last) <= CLOSE * value) return value;
  }
  return exp(sum / LAST);
}

/* The faster root of s^2 + decay s + omega2 = 0, by its magnitude. */
static double rate_at(const probe* p, double distance, int* at) {
  int other = 0;
  double omega2 = eigenvalue(p, 0, distance, at), decay = eigenvalue(p, 1, distance, &other);
  double square = decay * decay / 4 - omega2;
  if (decay * decay > omega2) *at = other;
  return square > 0 ? decay / 2 + sqrt(square) : sqrt(omega2);
}

static int make(probe* p) {
  fb_sim* s = p->s;
  size_t nv = (size_t)s->nv, ny = (size_t)s->ny;
  p->d = fb_data_new(s->m);
  p->prescribed = calloc(nv + 1, 1);
  p->memory = calloc(ny + 4 * nv + 1, sizeof *p->memory);
  if (!p->d || !p->prescribed || !p->memory) return 0;
  p->y = p->memory;
  p->before = p->y + ny;
  p->after = p->before + nv;
  p->x = p->after + nv;
  p->part = p->x + nv;
  for (int k = 0; k < s->nv; k++) p->prescribed[k] = s->motion.of[k] != FB_MOTION_FORCE;
  if (s->parameters) fb_data_use(p->d, s->parameters);
  fb_response_begin(s->m, p->d, s->y, p->prescribed);
  return 1;
}

/* NAN where the force jumps, or the block cannot be evaluated. */
static double find_rate(probe* p, int* coordinate) {
  static const double NEAR = 1e-6, FAR = 1e-4,
                      JUMP =
                          4; /* rad or m, and a second; the rate of a jump goes with 1/distance or its root */
  double rate = NAN;
  *coordinate = 0;
  if (p->s->nv > 0 && make(p) && force_neighbour(p, 1, 0, p->before)) {
    int ignored = 0;
    rate = rate_at(p, NEAR, coordinate);
    if (rate > JUMP * rate_at(p, FAR, &ignored)) rate = NAN;
  }
  fb_data_free(p->d);
  free(p->prescribed);
  free(p->memory);
  return rate;
}

double fb_sim_probe_rate(fb_sim* s, int block, int* coordinate) {
  probe p = {.s = s, .block = block};
  *coordinate = 0;
  if (!s->started || !s->block.list[block].act) return 0;
  double rate = find_rate(&p, coordinate);
  return isfinite(rate) ? rate : 0;
}

double fb_sim_probe_whole(fb_sim* s, const unsigned char* with) {
  probe p = {.s = s, .block = -1, .with = with};
  int ignored;
  return s->started ? find_rate(&p, &ignored) : NAN;
}
