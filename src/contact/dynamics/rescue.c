/* rescue.c -- accumulating changes of contacts: a few steps of moreau inside an event-driven run
 *
 * Methods that locate events make no progress where infinitely many occur in a finite time, where contact states
 * alternate without motion (hard_locate.c, check_progress), or where contact forces grow without bound and error
 * control only shortens its steps. Time stepping handles these cases. So four steps of moreau are made, a quarter of
 * a usual step each, and all contacts are resolved again. These steps are of first order: they are counted, with the
 * first time, and the summary of the run warns of them. After MOST of them the run ends with an error. Compliant
 * contacts are explicit in these steps, and would gain energy: steps are shorter and more numerous where these are
 * stiff, h rate <= 0.1 by the rate of compliant_rate.c, or a tenth as long where a law has none. */
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/response.h>

#include "contact/law/compliant.h"
#include "contact/dynamics/hard_problem.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

enum { STEPS = 4, MOST = 200, MANY = 2000 };

/* A usual step divided into so many parts [s]. */
static double usual_step(const fb_sim* s) {
  static const double USUAL = 1e-3; /* where none is given */
  int adaptive = (s->contact.by_rescue ? s->contact.event_stepper : s->stepper).traits.adaptive;
  return (s->options.step > 0 && !adaptive ? s->options.step : USUAL) / STEPS;
}

/* The same, shorter where compliant contacts are stiff. */
static double step_of(fb_sim* s) {
  static const double PART = 0.1;
  double step = usual_step(s), most = step;
  int begun = 0;
  for (int i = 0; i < s->block.count; i++) {
    if (!fb_block_is(&s->block.list[i], &FB_BLOCK_COMPLIANT_CONTACT) || !fb_block_acts(s, i)) continue;
    const fb_contact* how = &((const fb_contact_block*)s->block.list[i].user)->how;
    if (!begun++) {
      fb_kinematics(s->m, s->d, s->y, s->y + s->nq, NULL);
      fb_response_begin(s->m, s->d, s->y, NULL);
    }
    double rate = fb_contact_rate(s->m, s->d, NULL, how);
    step = fmin(step, rate > 0 ? PART / rate : PART * most);
  }
  return step;
}

int fb_rescue_request(fb_sim* s) {
  fb_contacts_head* h = s->contact.head;
  if (h->rescues >= MOST || h->rescue_steps > 0) return 0;
  if (h->rescues++ == 0) h->rescued_t = s->head->t;
  h->rescue_steps = (int)fmin(MANY, ceil(STEPS * usual_step(s) / step_of(s) * (1 - 1e-12)));
  for (int i = 0; i < FB_CRAWL_WINDOWS; i++) {
    h->crawl_from[i] = s->head->t;
    h->crawl_steps[i] = 0;
  }
  return 1;
}

/* Forces that grow without bound, as where friction wedges a body, stop a slip instantly: no step under error control
 * is short enough; steps with impulses are. */
int fb_rescue_is_stuck(const fb_sim* s) {
  return s->contact.hard && s->contact.head->nclosed > 0 && s->stepper.traits.adaptive &&
         !s->contact.by_rescue;
}

fb_status fb_rescue_say_stuck(fb_sim* s, fb_error* error) {
  char names[FB_HARD_NAMES_SIZE];
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s no step is short enough for error control: forces of %s grow without bound, "
                 "or jump; use method: moreau, or a compliant law",
                 s->head->t, fb_hard_names(s, names));
}

double fb_rescue_limit(fb_sim* s, double limit) {
  return fmin(limit, s->head->t + step_of(s));
}

void fb_rescue_begin(fb_sim* s) {
  fb_stops_let_go(s);
  s->contact.head->nclosed = 0;
  s->contact.event_stepper = s->stepper;
  s->stepper = fb_stepper_for_steps(&s->options);
}

void fb_rescue_end(fb_sim* s) {
  s->stepper = s->contact.event_stepper;
  fb_hard_leave_steps(s->contact.hard);
  s->contact.head->rescue_steps--;
  s->limit.due = 1;
  fb_sim_forget(s);
}

void fb_rescue_at(const fb_sim* s, double t, double* y) {
  double h = s->head->t - s->step.t0, part = (t - s->step.t0) / h;
  for (int i = 0; i < s->ny; i++) y[i] = s->y0[i] + part * (s->y[i] - s->y0[i]);
  fb_difference(s->m, s->y0, s->y, s->vdot);
  fb_integrate(s->m, s->y0, s->vdot, part, y);
}
