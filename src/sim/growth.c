/* growth.c -- how far a run has gone from the true motion: errors of steps, carried along with the motion
 *
 *   e_1 = (S(y_0 + sigma e_0) - S(y_0)) / sigma + l            S a step of the method, l its error
 *
 * Error control bounds the error of each step. What becomes of it depends on the motion: a brake forgets it, in free
 * flight it grows with time, and arms that swing freely may multiply it by ten in every half second, whatever the method
 * is. e is an estimate of the difference to the true motion, to first order: [nv] positions, attitudes as rotation vectors in
 * the axes of the joint's place, [nv] velocities, [nx] states and [nmemory] memory of the blocks. sigma makes it so
 * small that S is linear, and so large that rounding does not matter.
 *
 * l is found by making a sample of the steps a second time, as two halves: with the order p of the solution that goes on,
 *
 *   l = 2^p / (2^p - 1) (S_h(y_0) - S_h/2(S_h/2(y_0)))
 *
 * One step in two to eight is sampled, more often where the samples differ: l has peaks of a few steps. It stands for the steps since
 * the last one, in proportion to h times the error of the embedded solution of lower order, which is of the order of l. That
 * error alone will not do: it alternates along an oscillation, while that of the solution which goes on drifts one way. Steps
 * of which twice as much is expected as of the last sample, those that were rejected at first, and those in which a compliant
 * contact begins or ends, are sampled too, each for itself: their errors may be far larger than those of others. Where a step
 * is cut by an event, e is that of
 * the part that was made, and l the error of the interpolant that gave its end.
 *
 * Where an event is located, at the zero of g, the motion beside gets there later by dt, and velocities may jump by dv(y), which is
 * given along the coordinates that bounce or stop:
 *
 *   dt = -(dg/dy e) / g',   e* = e + f- dt,   e*_v += (dv(y + sigma e*) - dv(y)) / sigma,   e+ = e* - f+ dt
 *
 * f are the rates before and after. dv depends on the pose too: an impact that turns a base by much turns it elsewhere beside.
 *
 * Errors of bristles of compliant contacts are bounded by what friction can stretch them to.
 * After a join or a parting all coordinates have what the worst had before. Laws that tick see
 * the motion beside too, if they may be asked twice (fb_block.tick_aside_); with others, with hard contacts, with contacts
 * whose force jumps, and where rtol and atol are given, nothing is estimated.
 * Cost: about a step more for each, without the ledger. The estimate is part of the state, so that a resumed run ends with the same
 * verdict. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

#include "contact/law/compliant.h"
#include "contact/pair.h"
#include "math/two_sum.h"
#include "sim/error_control.h"
#include "contact/dynamics/hard_contact.h"
#include "sim/flow.h"

enum { MOST = 8, LEAST = 2 };      /* steps from one sample to the next */
static const double SURE = 0.5;    /* of what is promised: the estimate may be less than the truth by that */
static const double BESIDE = 1e-6; /* how far the motion beside is, in units of the sizes of the motion */

static int noff(const fb_sim* s) {
  return 2 * s->nv + s->nx + s->nmemory;
}

/* Errors as large as the motion itself are not followed any further. */
int fb_growth_follows(const fb_sim* s) {
  return s->follows && !s->head->error_lost && s->head->error < 1;
}

/* A law that may be asked once only, or a contact whose force jumps where it begins: then the motion beside, which meets it
 * elsewhere, says nothing. */
static int hides(const fb_block* block) {
  if (fb_is_contact(block)) {
    const fb_contact* how = &((const fb_contact_block*)block->user)->how;
    return how->law == FB_CONTACT_SPRING && how->damping > 0;
  }
  return block->tick && !block->tick_aside_;
}

void fb_growth_begin(fb_sim* s) {
  s->follows = s->options.rtol == 0 && s->stepper.traits.adaptive && s->growth.order > 0 && !s->touch;
  for (int i = 0; i < s->nblock; i++)
    if (hides(&s->blocks[i])) s->follows = 0;
  s->head->error_t = INFINITY;
  s->head->sampled = 0;
  s->head->unsampled = s->head->expected = s->head->found = 0;
  s->head->every = 1;
  s->head->pushes = 0;
}

/* ---- between e and states ---- */

/* Translations of floating bases are moved by no less than rounding: with what it leaves of them. */
static void move_bases(const fb_sim* s, const double* y, const double* e, double part, double* moved) {
  double* rest = fb_y_rest(s, moved);
  for (int j = 0; j < s->nrest; j++) {
    const fb_float_root* root = &s->roots[j / 3];
    double* x = moved + root->q_at + j % 3;
    *x = y[root->q_at + j % 3];
    rest[j] += part * e[root->v_at + j % 3];
    fb_add_with_rest(x, &rest[j]);
  }
}

/* y moved by part e, of positions and velocities. */
static void move(const fb_sim* s, const double* y, const double* e, double part, double* moved) {
  memcpy(moved, y, (size_t)s->ny * sizeof *y);
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0) moved[at] += part * e[k];
    moved[s->nq + k] += part * e[s->nv + k];
  }
  move_bases(s, y, e, part, moved);
  for (int r = 0; r < s->chart.nquat; r++) {
    const double* turn = e + s->chart.quat_v[r];
    const double x[3] = {part * turn[0], part * turn[1], part * turn[2]};
    double by[4], *quat = moved + s->chart.quat_q[r];
    fb_quat_from_rotvec(x, by);
    fb_quat_multiply(by, y + s->chart.quat_q[r], quat);
    fb_quat_normalise(quat);
  }
}

/* The state beside: all that belongs to y moved by sigma e. */
static void displace(const fb_sim* s, const double* y, double sigma, double* beside) {
  const double* e = s->off + 2 * s->nv;
  move(s, y, s->off, sigma, beside);
  for (int i = 0; i < s->nx; i++) beside[s->nq + s->nv + i] += sigma * e[i];
  for (int i = 0; i < s->nmemory; i++) s->memory_beside[i] = s->memory[i] + sigma * e[s->nx + i];
}

/* e += part (a - b), of positions, velocities and states. */
static void add_difference(const fb_sim* s, const double* a, const double* b, double part, double* e) {
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0) e[k] += part * (a[at] - b[at]);
    e[s->nv + k] += part * (a[s->nq + k] - b[s->nq + k]);
  }
  for (int j = 0, at = s->ny - s->nrest; j < s->nrest; j++)
    e[s->roots[j / 3].v_at + j % 3] += part * (a[at + j] - b[at + j]);
  for (int r = 0; r < s->chart.nquat; r++) {
    const double* quat = b + s->chart.quat_q[r];
    const double back[4] = {quat[0], -quat[1], -quat[2], -quat[3]};
    double turn[4], *x = e + s->chart.quat_v[r];
    fb_quat_multiply(a + s->chart.quat_q[r], back, turn);
    for (int j = 0; j < 3; j++) x[j] += (turn[0] < 0 ? -2 : 2) * turn[1 + j] * part;
  }
  for (int i = 0; i < s->nx; i++) e[2 * s->nv + i] += part * (a[s->nq + s->nv + i] - b[s->nq + s->nv + i]);
}

/* sigma for the present e, 0 where there is none. */
static double scale_of(const fb_sim* s, const double* y) {
  double size = fb_weigh_off(s, s->off, y, 0);
  return size > 0 && isfinite(size) ? BESIDE / size : 0;
}

static void lose(fb_sim* s) {
  s->head->error_lost = 1;
  if (s->head->t < s->head->error_t) s->head->error_t = s->head->t;
  memset(s->off, 0, (size_t)noff(s) * sizeof *s->off);
}

static void keep_worst(fb_sim* s, double t, const double* y) {
  double error = fb_weigh_off(s, s->off, y, 1);
  if (!isfinite(error)) lose(s);
  if (error > s->head->error) s->head->error = error;
  if (error > SURE * FB_PROMISED * s->options.accuracy && t < s->head->error_t) s->head->error_t = t;
}

/* ---- steps ---- */

/* Calls a map in memory of its own, without the ledger. */
static int make_aside(fb_sim* s, const fb_growth_map* map, double t, double h, const double* y0,
                      double* memory, double* y1) {
  double *stages = s->stages, *kept = s->memory;
  fb_error none;
  fb_rank_watch ranks = s->ranks;
  s->stages = s->stages_beside;
  s->memory = memory;
  s->aside = 1;
  fb_status status = map->step(map->self, s, t, y0, h, y1, &none);
  s->aside = 0;
  s->memory = kept;
  s->stages = stages;
  s->ranks = ranks;
  return !status;
}

/* The difference of the motion beside after a step, over sigma, into `to`; y1: the end of the same map from y0. 0: there is none. */
static int difference(fb_sim* s, double t, double h, const double* y0, const double* y1, double sigma,
                      double* to) {
  displace(s, y0, sigma, s->y_beside);
  if (!make_aside(s, &s->growth.followed, t, h, s->y_beside, s->memory_beside, s->y_beside_1)) return 0;
  memset(to, 0, (size_t)(2 * s->nv + s->nx) * sizeof *to);
  add_difference(s, s->y_beside_1, y1, 1 / sigma, to);
  return 1;
}

/* e after the step. Where it has grown much, the motion on the other side is asked too: one of them may have met something
 * that the motion has not, as a contact whose force jumps, and the other is nearer to the truth. */
static int step_beside(fb_sim* s, double t, double h, const double* y0, const double* y1, double sigma) {
  static const double MUCH = 2, ALIKE = 0.5;
  size_t motion = (size_t)(2 * s->nv + s->nx);
  if (!difference(s, t, h, y0, y1, sigma, s->off_next)) return 0;
  double before = BESIDE / sigma, after = fb_weigh_off(s, s->off_next, y1, 0);
  if (after <= MUCH * before) return 1;
  double other =
      difference(s, t, h, y0, y1, -sigma, s->off_other) ? fb_weigh_off(s, s->off_other, y1, 0) : after;
  if (other < ALIKE * after) memcpy(s->off_next, s->off_other, motion * sizeof *s->off_next);
  return 1;
}

/* Wrenches of compliant contacts at the state that was evaluated last. */
static int count_pushes(const fb_sim* s) {
  int count = 0;
  for (int i = 0; i < s->nblock; i++)
    if (fb_is_contact(&s->blocks[i])) count += s->block_wrenches[2 * i + 1];
  return count;
}

/* What to expect of l, but for a factor: both are of order h^(p+1). err is what controls the step, in units of the tolerance. [s] */
static double expect(const fb_sim* s, double h, double err) {
  static const double NOTHING = 1e-4;
  return h * s->tolerance * fmax(err, NOTHING);
}

/* Whether this step is a sample. One that is due stands for all steps since the last; where little is expected of it, which would say
 * little of the others, the next one is taken. */
static fb_sample_kind choose_sample(const fb_sim* s, double expected, int rough) {
  static const double LITTLE = 0.5, MORE = 2;
  double since = (double)(s->head->steps + 1 - s->head->sampled), all = s->head->unsampled + expected;
  int every = s->head->every, due = since >= every && since * expected >= LITTLE * all;
  if (rough) return FB_SAMPLE_ALONE;
  if (due || since >= 2 * every) return FB_SAMPLE_OF_ALL;
  return expected > MORE * s->head->expected ? FB_SAMPLE_ALONE : FB_SAMPLE_NONE;
}

/* The error of the step to y1, made once more in halves. */
static void find_local(fb_sim* s, double t, double h, const double* y0, const double* y1) {
  const fb_growth_map* map = &s->growth.sampled;
  double whole = ldexp(1, s->growth.order), *middle = s->y_beside, *end = s->y_beside_1;
  if (!make_aside(s, map, t, 0.5 * h, y0, s->memory, middle)) return;
  if (!make_aside(s, map, t + 0.5 * h, 0.5 * h, middle, s->memory, end)) return;
  add_difference(s, y1, end, whole / (whole - 1), s->off_local);
}

/* How many times l stands for what the steps since the last sample were expected to lose: more or less per expectation, as the two
 * samples had, their geometric mean. */
static double weight_of(const fb_sim* s) {
  static const double MOST_TIMES = 2;
  const fb_sample* x = &s->sample;
  if (x->kind != FB_SAMPLE_OF_ALL) return 1;
  double before = s->head->found, now = x->error / x->expected;
  double more = before > 0 && now > 0 ? sqrt(before / now) : 1;
  more = fmin(MOST_TIMES, fmax(1 / MOST_TIMES, more));
  return 1 + more * fmin(s->head->unsampled / x->expected, MOST_TIMES * 2 * MOST);
}

static void sample(fb_sim* s, double t, double h, const double* y0, const double* y1, double expected,
                   int rough) {
  s->sample = (fb_sample){.kind = choose_sample(s, expected, rough), .expected = expected};
  memset(s->off_local, 0, (size_t)noff(s) * sizeof *s->off);
  if (s->sample.kind == FB_SAMPLE_NONE) return;
  find_local(s, t, h, y0, y1);
  s->sample.error = fb_weigh_off(s, s->off_local, y1, 0);
  double weight = weight_of(s);
  for (int i = 0; i < noff(s); i++) s->off_local[i] *= weight;
}

int fb_growth_step(fb_sim* s, double t, double h, const double* y0, const double* y_map, const double* y1,
                   double err, int rejected) {
  if (!fb_growth_follows(s)) return 0;
  s->pushes = count_pushes(s);
  double sigma = scale_of(s, y0);
  sample(s, t, h, y0, y1, expect(s, h, err), rejected || s->pushes != s->head->pushes);
  memcpy(s->off_next, s->off, (size_t)noff(s) * sizeof *s->off);
  if (sigma > 0 && !step_beside(s, t, h, y0, y_map, sigma)) {
    lose(s);
    return 0;
  }
  for (int i = 0; i < noff(s); i++) s->off_next[i] += s->off_local[i];
  return sigma > 0;
}

/* The same for the part of the step up to t1, which ends at s->y1. */
static void cut_step(fb_sim* s, double t1) {
  double h = t1 - s->t0, sigma = scale_of(s, s->y0), *end = s->off_state;
  memcpy(s->off_next, s->off, (size_t)noff(s) * sizeof *s->off);
  s->sample.kind = FB_SAMPLE_CUT;
  if (!make_aside(s, &s->growth.followed, s->t0, h, s->y0, s->memory, end)) return;
  if (sigma > 0 && !step_beside(s, s->t0, h, s->y0, end, sigma)) lose(s);
  if (s->growth.followed.step == s->growth.sampled.step) add_difference(s, s->y1, end, 1, s->off_next);
}

/* Bristles are as stiff as their slip is fast, beyond the stability of steps that error control finds long enough: the motion beside
 * would drift away, while the true one is bounded. */
static void bound_contacts(fb_sim* s, double t) {
  fb_context context = fb_flow_context(s, t, s->y1);
  for (int i = 0; i < s->nblock; i++)
    if (s->blocks[i].contact_ == 3 && fb_block_acts(s, i))
      fb_contact_bound_errors(s->blocks[i].user, &context, s->memory + s->block_memory[i],
                              fb_y_x(s, s->y1) + s->block_state[i], t - s->t0,
                              s->off + 2 * s->nv + s->block_state[i]);
}

/* Samples come more often where they differ, and at once where one that was taken alone is far larger. */
static int next_interval(int every, double before, double now, int alone) {
  static const double ALIKE = 1.5, OTHER = 3;
  double most = fmax(before, now), least = fmin(before, now);
  if (alone) return now > OTHER * before ? LEAST : every;
  if (most > OTHER * least) return every / 2 > LEAST ? every / 2 : LEAST;
  return most > ALIKE * least ? every : 2 * every < MOST ? 2 * every : MOST;
}

/* The step stands, with its sample. */
static void count_sample(fb_sim* s) {
  const fb_sample* x = &s->sample;
  fb_sim_head* head = s->head;
  if (x->kind == FB_SAMPLE_CUT) return;
  if (x->kind == FB_SAMPLE_NONE) {
    head->unsampled += x->expected;
    return;
  }
  int alone = x->kind == FB_SAMPLE_ALONE;
  double found = x->error / x->expected;
  head->every = next_interval(head->every, head->found, found, alone);
  head->expected = alone ? fmax(head->expected, x->expected) : x->expected;
  if (alone) return;
  head->sampled = head->steps + 1;
  head->unsampled = 0;
  head->found = found;
}

void fb_growth_accept(fb_sim* s, double t1, int cut) {
  if (!fb_growth_follows(s)) return;
  if (cut) cut_step(s, t1);
  if (s->head->error_lost) return;
  memcpy(s->off, s->off_next, (size_t)noff(s) * sizeof *s->off);
  bound_contacts(s, t1);
  count_sample(s);
  s->head->pushes = s->pushes;
  keep_worst(s, t1, s->y1);
}

/* ---- events ---- */

/* Rates of e at s->y into s->off_local; 0: there are none. */
static int find_rates(fb_sim* s) {
  fb_error none;
  double *rate = s->off_local, *ydot = s->off_state;
  if (fb_flow(s, s->head->t, s->y, ydot, &none)) return 0;
  memcpy(rate, s->y + s->nq, (size_t)s->nv * sizeof *rate);
  memcpy(rate + s->nv, s->vdot, (size_t)s->nv * sizeof *rate);
  memcpy(rate + 2 * s->nv, ydot + s->nq + s->nv, (size_t)s->nx * sizeof *rate);
  return 1;
}

/* e += part rates */
static void shift(fb_sim* s, double part) {
  for (int i = 0; i < 2 * s->nv + s->nx; i++) s->off[i] += part * s->off_local[i];
}

/* By how much what ended the step happens later beside, with the rates in s->off_local. [s] */
static double find_delay(fb_sim* s) {
  static const double LONG = 1e-4, SHORT = 1e-9, ROUNDING = 1e-12;
  const fb_zero* zero = &s->zero;
  double x, beside, later, sigma = scale_of(s, s->y), time = fmax(LONG * (s->head->t - s->t0), SHORT);
  fb_error none;
  if (!(sigma > 0)) return 0;
  move(s, s->y, s->off, sigma, s->y_beside);
  move(s, s->y, s->off_local, time, s->y_beside_1);
  if (zero->value(s, zero->index, s->head->t, s->y, &x, &none)) return 0;
  if (zero->value(s, zero->index, s->head->t, s->y_beside, &beside, &none)) return 0;
  if (zero->value(s, zero->index, s->head->t + time, s->y_beside_1, &later, &none)) return 0;
  double speed = (later - x) / time;
  return fabs(later - x) > ROUNDING * fabs(x) && speed != 0 ? -(beside - x) / sigma / speed : 0;
}

void fb_growth_event_begin(fb_sim* s) {
  s->delay = 0;
  if (!s->zero.value || !fb_growth_follows(s) || !find_rates(s)) return;
  s->delay = find_delay(s);
  if (!find_rates(s)) return; /* the value may have evaluated the flow elsewhere */
  shift(s, s->delay);
}

void fb_growth_event_end(fb_sim* s) {
  s->zero.value = NULL;
  if (s->delay == 0 || !fb_growth_follows(s)) return;
  if (find_rates(s)) shift(s, -s->delay);
  s->delay = 0;
}

/* Rates that are thrown back change in proportion to themselves; others are given. */
double fb_growth_jump_begin(fb_sim* s, const unsigned char* prescribed, const double* dv, double* beside) {
  double sigma = fb_growth_follows(s) ? scale_of(s, s->y) : 0;
  if (!(sigma > 0)) return 0;
  move(s, s->y, s->off, sigma, s->y_beside);
  for (int k = 0; k < s->nv; k++) {
    double v = s->y[s->nq + k], back = v != 0 ? -dv[k] / v : 1;
    if (!(back >= 0 && back <= 2)) back = 1;
    beside[k] = prescribed[k] && dv[k] != 0 ? dv[k] - back * sigma * s->off[s->nv + k] : dv[k];
  }
  return sigma;
}

void fb_growth_jump_end(fb_sim* s, double sigma, const double* dv, const double* beside) {
  for (int k = 0; sigma > 0 && k < s->nv; k++) s->off[s->nv + k] += (beside[k] - dv[k]) / sigma;
}

/* ---- ticks ---- */

double fb_growth_tick_begin(fb_sim* s) {
  double sigma = fb_growth_follows(s) ? scale_of(s, s->y) : 0;
  if (sigma > 0) displace(s, s->y, sigma, s->y_beside);
  return sigma;
}

void fb_growth_tick_end(fb_sim* s, double sigma, fb_status status) {
  if (!(sigma > 0)) return;
  if (status) {
    lose(s);
    return;
  }
  double* e = s->off + 2 * s->nv;
  for (int i = 0; i < s->nx; i++) e[i] = (s->y_beside[s->nq + s->nv + i] - s->y[s->nq + s->nv + i]) / sigma;
  for (int i = 0; i < s->nmemory; i++) /* some of it may be infinite: times that never come */
    e[s->nx + i] = s->memory_beside[i] == s->memory[i] ? 0 : (s->memory_beside[i] - s->memory[i]) / sigma;
}

/* ---- joins and partings ---- */

void fb_growth_carry(fb_sim* s, const fb_sim* old) {
  if (!fb_growth_follows(old)) return;
  double position = fb_weigh_off(old, old->off, old->y, 1), rate = fb_weigh_off(old, old->off, old->y, 0);
  for (int k = 0; k < s->nv; k++) {
    double size = s->chart.is_length[k] ? s->trees[s->v_tree[k]].size : 1;
    s->off[k] = position * size;
    s->off[s->nv + k] = fmax(position, rate) * size;
  }
}

double fb_sim_error_estimate(const fb_sim* s, double* since) {
  int follows = s->started && s->follows;
  if (since) *since = follows ? s->head->error_t : INFINITY;
  return follows && !s->head->error_lost ? s->head->error : NAN;
}
