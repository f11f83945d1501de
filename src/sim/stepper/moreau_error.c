/* moreau_error.c -- error estimate for steps of moreau, by step doubling on a sample of the steps
 *
 * One step in EVERY, and steps with impacts, are made a second time as two halves. Where contacts do not change, the
 * whole step is off by 4/3 of the difference; where they change, by about the difference. A sample represents the n
 * steps since the last one, an impact itself only. Errors of velocities become errors of positions with time, except
 * around an impact, which may only be an error of its instant:
 *
 *   E_v += n e_v,    E_q += n (e_q + h E_v)
 *
 * relative to the size of the tree for lengths, to a radian for angles, and to either in a second for velocities.
 * Both fade within a second: so this is the error accumulated in a second, without its later growth, which may be
 * zero under a control law and arbitrary in a chaotic motion. Errors that alternate count as if they added up. Cost:
 * an eighth of a step. Of impacts one in IMPACTS steps is a sample, but BURST that follow one another all are.
 *
 * Halves of a step in which bodies turn fast find the instant of an impact from the same state as the whole step, and show
 * little of its error. So the gap that is left at that instant is measured, at every impact: over its rate it is the
 * time by which the instant is off, dt. With w, how fast the bodies turn relative to each other, velocities that jump by J are
 * off by w dt J.
 *
 * Compliant contacts between the same bodies may last a few steps only: the FIRST ones after one has begun are all made
 * a second time, and represent themselves. */
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>

#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "sim/accuracy/growth.h"
#include "sim/flow.h"

enum { EVERY = 16, IMPACTS = 4, BURST = 4, FIRST = 12 };

static double* kept_of(const fb_sim* s) {
  return s->contact.hard->solver < 0 ? NULL
                                     : s->block.memory + s->block.memory_offset[s->contact.hard->solver];
}

static double steps_since(const fb_sim* s, int last) {
  return (double)s->head->steps - kept_of(s)[last];
}

int fb_hard_first_hit(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int c = 0; c < w->ncontact; c++)
    if (w->happened[c] >> FB_CONTACT_HITS & 1) return c + 1;
  return fb_hard_any_stop_is_hit(s) ? -1 : 0;
}

int fb_hard_any_hits(const fb_sim* s) {
  return fb_hard_first_hit(s) != 0;
}

/* Points of compliant contacts with a force in the step last made. */
static int count_pushes(const fb_sim* s) {
  int count = 0;
  for (int i = 0; i < s->contact.ncompliant; i++) {
    int block = s->contact.meetings[i].block;
    if (fb_block_acts(s, block)) count += ((const fb_contact_block*)s->block.list[block].user)->pushing;
  }
  return count;
}

/* Whether a compliant contact has begun lately. */
static int is_young(const fb_sim* s) {
  return kept_of(s)[FB_SOLVER_PUSHES] > 0 && steps_since(s, FB_SOLVER_PUSHES_FROM) < FIRST;
}

int fb_hard_is_sampled(const fb_sim* s) {
  return kept_of(s) && (steps_since(s, FB_SOLVER_SAMPLED) >= EVERY || is_young(s));
}

int fb_hard_is_worth_a_sample(const fb_sim* s) {
  const double* kept = kept_of(s);
  if (!kept) return 0;
  return count_pushes(s) > kept[FB_SOLVER_PUSHES] ||
         (steps_since(s, FB_SOLVER_SAMPLED_HIT) >= -(BURST - 1) * IMPACTS && fb_hard_any_hits(s));
}

/* Removes from dv the part along held rows: every step determines their rates again, so that their errors do not add
 * up. */
static void take_away_held(fb_sim* s, double* dv) {
  fb_hard_contacts* w = s->contact.hard;
  const double* y = w->mean;
  fb_hard_kinematics(s, y, y + s->nq);
  fb_hard_pose_held(s);
  if (w->nrow == 0) return;
  fb_hard_rates(s, y, dv, w->P);
  fb_hard_responses(s, y);
  if (w->crowded) return;
  fb_islands_move(s, w->P, w->around);
  for (int k = 0; k < s->nv; k++) dv[k] -= w->around[k];
}

/* The size of the tree for lengths, a radian for angles. */
static double size_of(const fb_sim* s, int k) {
  return s->chart.is_length[k] ? s->tree.list[s->m->top.coordinate_tree[k]].size : 1;
}

void fb_hard_note_sample(fb_sim* s, const double* y, const double* halves, int hits) {
  static const double PART = 4.0 / 3;
  fb_hard_contacts* w = s->contact.hard;
  double worst[2] = {0, 0};
  fb_difference(s->m, halves, y, w->x);
  for (int k = 0; k < s->nv; k++) w->v[k] = y[s->nq + k] - halves[s->nq + k];
  take_away_held(s, w->v);
  for (int k = 0; k < s->nv; k++) {
    worst[0] = fmax(worst[0], fabs(w->x[k]) / size_of(s, k));
    worst[1] = fmax(worst[1], fabs(w->v[k]) / size_of(s, k));
  }
  for (int i = 0; i < 2; i++) w->sample[i] = PART * worst[i];
  if (hits) w->sample[1] = 0;
  w->sampled = hits ? 2 : 1;
  if (!s->error.follows) return;
  double* local = s->error.off_local;
  memset(local, 0, (size_t)(2 * s->nv + s->nx) * sizeof *local);
  fb_growth_add_difference(s, halves, y, hits ? 1 : PART, local);
  for (int k = 0; k < s->nv && !hits; k++) local[s->nv + k] = -PART * w->v[k];
}

/* The error of velocities after impacts at which bodies have turned by too much, or too little: that angle times the jumps,
 * relative. */
static double error_of_impacts(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  double jump = 0;
  if (!(w->astray > 0) || !fb_hard_any_hits(s)) return 0;
  for (int k = 0; k < s->nv; k++) jump = fmax(jump, fabs(s->y[s->nq + k] - s->y0[s->nq + k]) / size_of(s, k));
  return w->astray * jump;
}

int fb_hard_keep_sample(fb_sim* s) {
  static const double FADES = 1; /* [s] */
  fb_hard_contacts* w = s->contact.hard;
  double* kept = kept_of(s);
  int pushes = kept ? count_pushes(s) : 0, begins = kept && pushes > kept[FB_SOLVER_PUSHES];
  if (begins) kept[FB_SOLVER_PUSHES_FROM] = (double)s->head->steps;
  if (kept) kept[FB_SOLVER_PUSHES] = pushes;
  if (kept) kept[FB_SOLVER_ERROR_V] += error_of_impacts(s);
  if (!kept || !w->sampled) return 0;
  int hits = w->sampled == 2, last = hits ? FB_SOLVER_SAMPLED_HIT : FB_SOLVER_SAMPLED;
  double n = hits || is_young(s) ? 1 : steps_since(s, last), left = hits ? 1 : exp(-n * w->h / FADES);
  kept[FB_SOLVER_ERROR_V] = left * kept[FB_SOLVER_ERROR_V] + n * w->sample[1];
  kept[FB_SOLVER_ERROR_Q] =
      left * kept[FB_SOLVER_ERROR_Q] + n * (w->sample[0] + w->h * kept[FB_SOLVER_ERROR_V]);
  kept[FB_SOLVER_ERROR] = fmax(kept[FB_SOLVER_ERROR], kept[FB_SOLVER_ERROR_Q]);
  kept[last] = hits ? fmax(kept[last], (double)s->head->steps) + IMPACTS : (double)s->head->steps;
  return !hits && is_young(s);
}
