/* step_stop.c -- rigid limits in a step of moreau: which were hit, which carry their coordinate, and what they took
 *
 * Limits are rows of the problem of a step (moreau.c). A limit is hit where its coordinate was free before the step, and comes
 * faster than finite forces change its rate in a step; it carries its coordinate where the rate after the step is zero. Their work
 * is that of impacts, as with methods that locate them: the ledger of the step has it among the losses of joints, and it is moved
 * from there. While a step is made all of it is scratch; it counts when the step is accepted. */
#include <math.h>
#include <string.h>

#include "limit/limit.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"

enum { CARRIES = 1, HIT = 2 }; /* fb_touching.stops */

/* Rates below this are rounding, or what the solver leaves; approaches slower than SLOW are no impacts. [m/s or rad/s] */
static const double REST = 1e-9, LEFT = 1e-7, SLOW = 1e-6;

void fb_touch_leave_steps(fb_touching* w) {
  memset(w->more, 0, (size_t)w->room_rows * sizeof *w->more);
  w->h = w->early = w->stop_work = 0;
}

void fb_touch_note_stops(fb_sim* s) {
  fb_touching* w = s->touch;
  if (s->nlimit == 0) return;
  memset(w->stops, 0, (size_t)s->nlimit);
  for (int row = 0; row < w->nrow; row++) {
    int i = w->limit_of[row];
    if (i < 0) continue;
    double finite = fabs(w->gained[row]), rest = REST + LEFT * (fabs(w->before[row]) + finite);
    int pushes = w->P[row] > 0;
    if (w->u[row] <= rest && (pushes || s->resting[i])) w->stops[i] |= CARRIES;
    if (pushes && !s->resting[i] && w->before[row] < -fmax(SLOW, finite)) w->stops[i] |= HIT;
  }
}

double fb_touch_stop_work(const fb_sim* s, const double* v) {
  const fb_touching* w = s->touch;
  double work = 0;
  for (int row = 0; row < w->nrow; row++)
    if (w->limit_of[row] >= 0) work += w->sign[row] * w->P[row] * v[w->rows[row].coordinate];
  return work;
}

void fb_touch_keep_stops(fb_sim* s) {
  fb_touching* w = s->touch;
  s->head->impacts += w->stop_work;
  for (int i = 0; i < s->nlimit; i++) {
    int carries = w->stops[i] & CARRIES;
    if (fb_limit_is_soft(&s->limits[i])) continue; /* soft_stop.c */
    if (w->stops[i] & HIT) s->phases[i] |= 1 << FB_LIMIT_HIT;
    if (carries != s->resting[i])
      s->phases[i] |= (unsigned char)(1 << (carries ? FB_LIMIT_RESTS : FB_LIMIT_LEAVES));
    s->resting[i] = carries;
  }
}
