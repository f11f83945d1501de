/* meeting.c -- bodies with compliant contacts that meet within a step
 *
 * A method sees forces at the stages of a step only. Bodies that meet between two stages, and part again or pass
 * through each other before the next one, leave no trace in its error. So with error control the first instant at
 * which two colliders touch that were apart when the step began ends the step, as with hard contacts (crossing.c). The
 * next step is at most half as long as they would then overlap if nothing pushed them: its stages are within the
 * contact, and its error is that of the forces.
 *
 * Nothing is sought where the gaps at both ends of a step are together more than the sides can have moved (gap_rate.c).
 * What is found at the end of a step is kept for the start of the next one, so that a step costs one gap for each pair
 * of colliders that is near.
 *
 * Fixed steps are the user's choice, and are not cut: sides that passed through each other, or whose force changed sides,
 * are recorded, for the warning at the end. Only those that move by more than a quarter of their thickness within a step
 * are looked at. */
#include <math.h>
#include <string.h>

#include "contact/dynamics/step_contact.h"
#include "contact/law/compliant.h"
#include "contact/sides.h"
#include "sim/event/crossing.h"
#include "sim/flow.h"

static const fb_contact_block* block_of(const fb_sim* s, const fb_meeting* m) {
  return (const fb_contact_block*)s->block.list[m->block].user;
}

static const fb_data* kinematics(fb_sim* s, const fb_meeting* m, double t, const double* y) {
  double origin[3];
  fb_context context = fb_flow_context(s, t, y);
  return fb_contact_kinematics(&context, block_of(s, m), origin);
}

/* ---- gaps at an instant ---- */

/* The least gaps at an instant. */
typedef struct fb_gap_probe {
  const fb_sim* s;
  const fb_meeting* m;
  const fb_data* d;
  unsigned char* closed; /* NULL, or which pairs touch, to be filled in */
  double gap;  /* the least of the pairs that were apart at the start of the step, at most the reach */
  double open; /* the least of those that are apart now, likewise; with `closed` */
} fb_gap_probe;

static void probe_pair(void* into, int a, int b) {
  fb_gap_probe* p = (fb_gap_probe*)into;
  const fb_contact_block* c = block_of(p->s, p->m);
  size_t pair = (size_t)a * (size_t)c->how.nb + (size_t)b;
  int apart = !p->m->closed[pair];
  double most = p->closed ? fmax(p->gap, p->open) : p->gap;
  if (!apart && !p->closed) return;
  double gap = fb_contact_pair_gap(p->s->m, p->d, c, a, b, most);
  if (apart) p->gap = fmin(p->gap, gap);
  if (!p->closed) return;
  p->closed[pair] = gap <= 0;
  if (gap > 0) p->open = fmin(p->open, gap);
}

static fb_gap_probe probe(fb_sim* s, const fb_meeting* m, double t, const double* y, unsigned char* closed) {
  const fb_contact_block* c = block_of(s, m);
  fb_gap_probe all = {s, m, kinematics(s, m, t, y), closed, m->reach, m->reach};
  if (closed) memset(closed, 0, (size_t)c->how.na * (size_t)c->how.nb);
  fb_contact_visit_pairs(s->m, all.d, c, m->reach, probe_pair, &all);
  return all;
}

/* Of meeting i, for the search. */
static fb_status gap_at(fb_sim* s, int i, double t, const double* y, double* x, fb_error* error) {
  (void)error;
  *x = probe(s, &s->contact.meetings[i], t, y, NULL).gap;
  return FB_OK;
}

/* ---- what can have happened within a step ---- */

/* A bound on the rates of the gaps at an instant. */
static double pace_at(fb_sim* s, const fb_meeting* m, double t, const double* y) {
  return fb_contact_pace(s->m, kinematics(s, m, t, y), block_of(s, m));
}

/* m->reach: a bound on the way of the gap within the step to t1. */
static void find_reach(fb_sim* s, fb_meeting* m, double t1) {
  static const double SPARE = 1.1; /* speeds change within a step */
  if (m->epoch != s->step.epoch) m->pace_t = m->gap_t = -INFINITY;
  m->epoch = s->step.epoch;
  double before = m->pace_t == s->step.t0 ? m->pace : pace_at(s, m, s->step.t0, s->y0);
  m->pace = pace_at(s, m, t1, s->y1);
  m->pace_t = t1;
  m->reach = SPARE * fmax(before, m->pace) * (t1 - s->step.t0);
}

static void find_start(fb_sim* s, fb_meeting* m) {
  if (m->gap_t == s->step.t0) return;
  const fb_contact_block* c = block_of(s, m);
  memset(m->closed, 0, (size_t)c->how.na * (size_t)c->how.nb);
  m->gap = probe(s, m, s->step.t0, s->y0, m->closed).open;
}

/* The end of a step, unless it is cut, is the start of the next one. */
static void keep_end(fb_meeting* m, double t1, double gap) {
  unsigned char* ended = m->closed_next;
  m->closed_next = m->closed;
  m->closed = ended;
  m->gap_t = t1;
  m->gap = gap;
}

/* The first instant up to t1 at which the gap of what was apart at the start of the step closes; INFINITY: none. */
static fb_status search(fb_sim* s, const fb_meeting* m, double t1, double* root, fb_error* error) {
  static const double NARROW =
      2e-3; /* of the thickness: less deep excursions are sought by interpolation only */
  double width = fb_contact_width(block_of(s, m), FB_MESH_SHELL);
  fb_watch gap = {.value = gap_at,
                  .index = (int)(m - s->contact.meetings),
                  .side = +1,
                  .direction = -1,
                  .body = FB_ALL_BODIES};
  if (isfinite(m->reach) && isfinite(width)) {
    gap.fastest = m->reach / (t1 - s->step.t0);
    gap.narrow = NARROW * width;
  }
  return fb_crossing_find(s, &gap, t1, root, error);
}

/* The first instant up to t1 at which sides meet that were apart, after find_reach; INFINITY: none. */
static fb_status find_meeting(fb_sim* s, fb_meeting* m, double t1, double* root, fb_error* error) {
  *root = INFINITY;
  find_start(s, m);
  fb_gap_probe end = probe(s, m, t1, s->y1, m->closed_next);
  fb_status status = m->gap + end.gap < m->reach ? search(s, m, t1, root, error) : FB_OK;
  if (isinf(*root)) keep_end(m, t1, end.open);
  return status;
}

/* ---- steps with error control ---- */

/* How long after the instant t they would still overlap, up to t1. */
static fb_status find_overlap(fb_sim* s, const fb_meeting* m, double t, double t1, double* time,
                              fb_error* error) {
  fb_status status = FB_OK;
  double gap = 1;
  for (*time = 2 * (t1 - t); !status && gap > 0 && *time > 8 * fb_time_slack(t);) {
    *time *= 0.5;
    status = s->stepper.eval(s->stepper.self, s, t + *time, s->probe.y_root, error);
    if (!status) gap = probe(s, m, t + *time, s->probe.y_root, NULL).gap;
  }
  return status;
}

static fb_status end_at_meeting(fb_sim* s, double* t1, fb_error* error) {
  const double end = *t1;
  double first = INFINITY, root, next = INFINITY;
  fb_status status = FB_OK;
  for (int i = 0; i < s->contact.ncompliant && !status; i++) {
    fb_meeting* m = &s->contact.meetings[i];
    if (!fb_block_acts(s, m->block)) continue;
    find_reach(s, m, end);
    status = find_meeting(s, m, end, &root, error);
    if (status || !(root < first)) continue;
    first = root;
    if (first < end) status = find_overlap(s, m, first, end, &next, error);
  }
  if (status || !(first < end)) return status;
  *t1 = s->contact.head->met_t = first;
  s->error.head->step_next = fmin(s->error.head->step_next, 0.5 * next);
  return s->stepper.eval(s->stepper.self, s, first, s->y1, error);
}

/* ---- forces that change sides ---- */

static int changes_sides(fb_sim* s, const fb_meeting* m, int count, const double* t, const double* const* y) {
  fb_contact_sides sides = {.count = 0};
  for (int i = 0; i < count && !sides.changed; i++)
    fb_contact_follow_sides(s->m, kinematics(s, m, t[i], y[i]), block_of(s, m), &sides);
  return sides.changed;
}

int fb_meetings_change_sides(fb_sim* s, int block, int count, const double* t, const double* const* y) {
  for (int i = 0; i < s->contact.ncompliant; i++) {
    const fb_meeting* m = &s->contact.meetings[i];
    if (m->block == block)
      return isfinite(fb_contact_width(block_of(s, m), FB_MESH_SHELL)) && changes_sides(s, m, count, t, y);
  }
  return 0;
}

/* ---- fixed steps ---- */

/* Whether sides of a contact move so far in a step that they may pass through each other. */
static int is_far(const fb_sim* s, const fb_meeting* m) {
  static const double SHARE = 0.25; /* of their thickness */
  return isfinite(m->reach) && m->reach > SHARE * fb_contact_width(block_of(s, m), FB_MESH_SHELL);
}

/* Whether sides of a contact that are apart at both ends of the step met in between. */
static int passed(fb_sim* s, fb_meeting* m, double t1) {
  double root;
  fb_error none;
  return find_meeting(s, m, t1, &root, &none) == FB_OK && root <= t1 && probe(s, m, t1, s->y1, NULL).gap > 0;
}

static void note_passing(fb_sim* s, double t1) {
  fb_contacts_head* head = s->contact.head;
  const double times[] = {s->step.t0, t1};
  const double* const ends[] = {s->y0, s->y1};
  for (int i = 0; head->passed == 0 && i < s->contact.ncompliant; i++) {
    fb_meeting* m = &s->contact.meetings[i];
    if (!fb_block_acts(s, m->block)) continue;
    find_reach(s, m, t1);
    if (!is_far(s, m)) continue;
    const int inside = changes_sides(s, m, 2, times, ends);
    if (!inside && !passed(s, m, t1)) continue;
    head->passed = 1 + m->block;
    head->passed_t = t1;
    head->passed_inside = inside;
  }
}

fb_status fb_meetings_locate(fb_sim* s, double* t1, fb_error* error) {
  if (s->stepper.traits.adaptive) return end_at_meeting(s, t1, error);
  note_passing(s, *t1);
  return FB_OK;
}

/* ---- memory ---- */

void fb_meetings_place(fb_sim* s) {
  size_t at = 0;
  for (int i = 0, n = 0; i < s->block.count && s->contact.meetings; i++) {
    if (!fb_block_is(&s->block.list[i], &FB_BLOCK_COMPLIANT_CONTACT)) continue;
    fb_meeting* m = &s->contact.meetings[n++];
    m->block = i;
    m->pace_t = m->gap_t = -INFINITY;
    m->closed = s->contact.closed_pairs + at;
    m->closed_next = m->closed + s->contact.npair;
    at += (size_t)block_of(s, m)->how.na * (size_t)block_of(s, m)->how.nb;
  }
}
