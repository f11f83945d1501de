/* step_error.c -- what the steps of moreau leave: an estimate by step doubling, on a sample of the steps
 *
 * One step in EVERY, and steps with impacts, are made a second time as two halves. Where contacts do not change, the whole step is off
 * by 4/3 of the difference; where they change, by about the difference. A sample stands for the n steps since the last one, an
 * impact for itself.
 * Errors of velocities become errors of positions with time, but those around an impact, which need only be an instant that is off:
 *
 *   E_v += n e_v,    E_q += n (e_q + h E_v)
 *
 * relative to the size of the tree for lengths, to a radian for angles, and to either in a second for velocities. Both fade
 * within a second: that
 * is the error that a second leaves, not what a motion makes of it afterwards, which may be nothing where a law controls it, and
 * anything where it is chaotic. Errors that alternate count as if they added up. Cost: an eighth of a step. */
#include <math.h>

#include <freebody/configuration.h>

#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"

enum { EVERY = 16, IMPACTS = 4 };

static double* kept_of(const fb_sim* s) {
  return s->touch->solver < 0 ? NULL : s->memory + s->block_memory[s->touch->solver];
}

static double steps_since(const fb_sim* s, int last) {
  return (double)s->head->steps - kept_of(s)[last];
}

int fb_touch_any_hits(const fb_touching* w) {
  for (int c = 0; c < w->ncontact; c++)
    if (w->happened[c] >> FB_CONTACT_HITS & 1) return 1;
  return 0;
}

int fb_touch_is_sampled(const fb_sim* s) {
  return kept_of(s) && steps_since(s, FB_SOLVER_SAMPLED) >= EVERY;
}

int fb_touch_is_worth_a_sample(const fb_sim* s) {
  return kept_of(s) && steps_since(s, FB_SOLVER_SAMPLED_HIT) >= IMPACTS && fb_touch_any_hits(s->touch);
}

/* Takes from dv what rows of points that hold would take: every step makes their rates anew, so that errors of these do not add up. */
static void take_away_held(fb_sim* s, double* dv) {
  fb_touching* w = s->touch;
  const double* y = w->mean;
  fb_touch_kinematics(s, y, y + s->nq);
  fb_touch_pose_held(s);
  if (w->nrow == 0) return;
  fb_touch_rates(s, y, dv, w->P);
  fb_touch_responses(s, y);
  fb_touch_solve_equal(s, w->A, w->nrow, w->P);
  fb_touch_respond(s, w->P, w->around);
  for (int k = 0; k < s->nv; k++) dv[k] -= w->around[k];
}

void fb_touch_note_sample(fb_sim* s, const double* y, const double* halves, int hits) {
  static const double PART = 4.0 / 3;
  fb_touching* w = s->touch;
  double worst[2] = {0, 0};
  fb_difference(s->m, halves, y, w->x);
  for (int k = 0; k < s->nv; k++) w->v[k] = y[s->nq + k] - halves[s->nq + k];
  take_away_held(s, w->v);
  for (int k = 0; k < s->nv; k++) {
    double size = s->chart.is_length[k] ? s->trees[s->v_tree[k]].size : 1;
    worst[0] = fmax(worst[0], fabs(w->x[k]) / size);
    worst[1] = fmax(worst[1], fabs(w->v[k]) / size);
  }
  for (int i = 0; i < 2; i++) w->sample[i] = PART * worst[i];
  if (hits) w->sample[1] = 0;
  w->sampled = hits ? 2 : 1;
}

void fb_touch_keep_sample(fb_sim* s) {
  static const double FADES = 1; /* [s] */
  fb_touching* w = s->touch;
  double* kept = kept_of(s);
  if (!kept || !w->sampled) return;
  int hits = w->sampled == 2, last = hits ? FB_SOLVER_SAMPLED_HIT : FB_SOLVER_SAMPLED;
  double n = hits ? 1 : steps_since(s, last), left = hits ? 1 : exp(-n * w->h / FADES);
  kept[FB_SOLVER_ERROR_V] = left * kept[FB_SOLVER_ERROR_V] + n * w->sample[1];
  kept[FB_SOLVER_ERROR_Q] =
      left * kept[FB_SOLVER_ERROR_Q] + n * (w->sample[0] + w->h * kept[FB_SOLVER_ERROR_V]);
  kept[FB_SOLVER_ERROR] = fmax(kept[FB_SOLVER_ERROR], kept[FB_SOLVER_ERROR_Q]);
  kept[last] = (double)s->head->steps;
}
