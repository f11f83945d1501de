/* moreau_stop.c -- rigid limits in a step of moreau: which were hit, which carry their coordinate, and their work
 *
 * Limits are rows of the problem of a step (moreau.c). A limit is hit where its coordinate was free before the step,
 * and approaches faster than finite forces change its rate in a step; it carries its coordinate where the rate after
 * the step is zero. Their work is that of impacts, as with methods that locate them: in the ledger of the step it is
 * among the losses of joints, from which it is moved. During a step all of it is scratch; it counts when the step is
 * accepted. */
#include <math.h>
#include <string.h>

#include "limit/limit.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"

enum { CARRIES = 1, HIT = 2 }; /* fb_hard_contacts.stops */

/* Rates below this are rounding, or errors of the solver; approaches slower than SLOW are no impacts. [m/s or rad/s] */
static const double REST = 1e-9, LEFT = 1e-7, SLOW = 1e-6;

void fb_hard_leave_steps(fb_hard_contacts* w) {
  memset(w->more, 0, (size_t)w->room_rows * sizeof *w->more);
  w->h = w->early = w->stop_work = 0;
}

void fb_hard_note_stops(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  if (s->limit.count == 0) return;
  memset(w->stops, 0, (size_t)s->limit.count);
  for (int row = 0; row < w->nrow; row++) {
    int i = w->limit_of[row];
    if (i < 0) continue;
    double finite = fabs(w->gained[row]), rest = REST + LEFT * (fabs(w->before[row]) + finite);
    int pushes = w->P[row] > 0;
    if (w->u[row] <= rest && (pushes || s->limit.resting[i])) w->stops[i] |= CARRIES;
    if (pushes && !s->limit.resting[i] && w->before[row] < -fmax(SLOW, finite)) w->stops[i] |= HIT;
  }
}

int fb_hard_any_stop_is_hit(const fb_sim* s) {
  for (int i = 0; i < s->limit.count; i++)
    if (s->contact.hard->stops[i] & HIT) return 1;
  return 0;
}

double fb_hard_stop_work(const fb_sim* s, const double* v) {
  const fb_hard_contacts* w = s->contact.hard;
  double work = 0;
  for (int row = 0; row < w->nrow; row++)
    if (w->limit_of[row] >= 0) work += w->sign[row] * w->P[row] * v[w->rows[row].coordinate];
  return work;
}

void fb_hard_keep_stops(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  s->ledger.head->impacts += w->stop_work;
  for (int i = 0; i < s->limit.count; i++) {
    int carries = w->stops[i] & CARRIES;
    if (fb_limit_is_soft(&s->limit.list[i])) continue; /* soft_stop.c */
    if (w->stops[i] & HIT) s->limit.phases[i] |= 1 << FB_LIMIT_HIT;
    if (carries != s->limit.resting[i])
      s->limit.phases[i] |= (unsigned char)(1 << (carries ? FB_LIMIT_RESTS : FB_LIMIT_LEAVES));
    s->limit.resting[i] = carries;
  }
}
