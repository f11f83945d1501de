/* passing.c -- bodies with hard contacts that pass through each other within a step of moreau, which does not search inside
 * steps
 *
 * Where the sides of a contact move by more than their thickness (gap_rate.c), the gap is sampled along the mean motion of
 * the step: at most every quarter of the thickness, but no more often than 256 times. */
#include <math.h>

#include <freebody/configuration.h>

#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static const double SPARE = 1.1; /* speeds change within a step */

double fb_hard_pace(fb_sim* s, int contact, const double* y) {
  return fb_contact_pace(s->m, fb_hard_kinematics(s, y, y + s->nq), fb_hard_contact(s, contact));
}

/* The gap of a contact in the step last made, `part` of the way from its start to its end. w->x: the mean velocities. */
static double gap_inside(fb_sim* s, int contact, double h, double part) {
  fb_integrate(s->m, s->y0, s->contact.hard->x, part * h, s->y_probe);
  const fb_data* d = fb_hard_kinematics(s, s->y_probe, s->y + s->nq);
  return fb_contact_least_gap(s->m, d, fb_hard_contact(s, contact));
}

/* Whether sides of a contact, `width` thick together, passed through each other as they moved by `way`. Where they
 * are apart, nothing can happen before they have moved by the gap. */
static int went_through(fb_sim* s, int contact, double h, double displacement, double width) {
  /* of the width: between two samples; beyond a resting contact */
  static const double SHARE = 0.25, DEEP = 0.1;
  enum { MOST = 256 };
  fb_hard_contacts* w = s->contact.hard;
  double least = fmax(SHARE * width / displacement, 1.0 / MOST);
  for (int k = 0; k < s->nv; k++) w->x[k] = 0.5 * (s->y0[s->nq + k] + s->y[s->nq + k]);
  for (double part = 0; part < 1;) {
    double gap = gap_inside(s, contact, h, part);
    if (part > 0 && gap < -DEEP * width) return 1;
    part += fmax(gap / displacement, least);
  }
  return 0;
}

/* How far two surfaces may move against each other in the step last made, at most. */
static double farthest(fb_sim* s, double h) {
  const fb_near_pairs* near = s->contact.hard->near;
  const double before = fb_near_pairs_speed(near, s->m, fb_hard_kinematics(s, s->y0, s->y0 + s->nq)),
               after = fb_near_pairs_speed(near, s->m, fb_hard_kinematics(s, s->y, s->y + s->nq));
  return SPARE * h * 2 * fmax(before, after);
}

void fb_hard_note_passing(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  double *kept = w->solver < 0 ? NULL : s->block.memory + s->block.memory_offset[w->solver],
         h = s->head->t - s->step.t0;
  const double most = kept && kept[FB_SOLVER_PASSED] == 0 && w->ncontact > 0 ? farthest(s, h) : 0;
  for (int c = 0; kept && kept[FB_SOLVER_PASSED] == 0 && c < w->ncontact; c++) {
    const double width = w->width[c];
    if (isinf(width) || !fb_block_acts(s, w->block[c])) continue;
    if (most <= width && !fb_contact_has_moving_ground(w->sides[c])) continue;
    double displacement = SPARE * h * fmax(fb_hard_pace(s, c, s->y0), fb_hard_pace(s, c, s->y));
    if (!(displacement > width) || isinf(displacement) || !went_through(s, c, h, displacement, width))
      continue;
    kept[FB_SOLVER_PASSED] = 1 + c;
    kept[FB_SOLVER_PASSED_T] = s->head->t;
  }
}
