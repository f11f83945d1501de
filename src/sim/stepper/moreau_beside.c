/* moreau_beside.c -- the motion beside a run of moreau: where the true one may be, by the errors made so far
 *
 *   z_0 = y_0 + e_0,   z_1 = S(z_0),   e_1 = z_1 - y_1 + n l
 *
 * S is the step of the method, and l its error in a step, estimated at y (moreau_error.c) for each n steps without impacts.
 * Elsewhere e is carried by the difference to a neighbouring state that is as near as rounding allows (growth.c). Here z is as
 * far away as the errors are: where bodies meet, S is not smooth. An impact may be one step later in z, or be missed, and
 * then z shows what follows. So z is a whole motion, with blocks' states and memory, and with points of contact of its own that
 * are remembered. Differences of S from step to step add up only, where a difference divided by a small sigma would make them large.
 *
 * A step of z with impacts is repeated in PARTS: their instants, and which points take part, are those of short
 * steps, so that z is nearer to the true motion, and impacts count with their error. In the long run one step in PARTS can be
 * repeated so, after BESIDE_ROOM / PARTS at once.
 *
 * Where nothing moves and z does not either, one step in EVERY is made. Once e is as large as the bodies nothing
 * more is computed. Cost: one more step. */
#include <math.h>
#include <string.h>

#include "contact/dynamics/hard_problem.h"
#include "sim/accuracy/growth.h"
#include "sim/flow.h"
#include "sim/stepper/moreau.h"

enum {
  PARTS = 8,
  MOST_PARTS = 4 * PARTS,
  EVERY = 16,
  CALM = 16,
  SAMPLED = 32,
  SAMPLED_AT_REST = 128,
  TRIED = 8
};

/* Whether neither motion does anything: nothing was hit lately, and rates are below a thousandth of the sizes in a second. */
static int is_at_rest(const fb_sim* s, const double* y0) {
  static const double SLOW = 1e-3;
  if (s->contact.head->calm < CALM) return 0;
  for (int k = 0; k < s->nv; k++) {
    const double size = s->chart.is_length[k] ? s->tree.list[s->m->top.coordinate_tree[k]].size : 1;
    const double e = fabs(s->error.off[k]) + fabs(s->error.off[s->nv + k]);
    if (!(fabs(y0[s->nq + k]) + e < SLOW * size)) return 0;
  }
  return 1;
}

/* One step of z, after which its points are remembered; *h becomes shorter where bodies meet in it. */
static fb_status step_once(fb_sim* s, double t, const double* from, double* h, double* to) {
  static const double LEAST = 1e-3;
  fb_hard_contacts* w = s->contact.hard;
  fb_error none;
  fb_status status = fb_moreau_step(s, t, from, *h, to, &none);
  if (!status && w->cut < *h && w->cut > LEAST * *h) {
    *h = w->cut;
    status = fb_moreau_step(s, t, from, *h, to, &none);
  }
  if (status) return status;
  if (!w->aside.hit) w->aside.hit = fb_hard_first_hit(s);
  fb_hard_remember(s);
  s->head->jumped = 0;
  return FB_OK;
}

/* Steps of h / parts, or less, from (t, y_neighbour) to y_neighbour_1. The first of PARTS is shorter: none then begins,
 * ends or has its middle where the step of the run has its middle, from which that extrapolates to its impacts. */
static fb_status step_in(fb_sim* s, double t, double h, int parts) {
  static const double UNEVEN = 0.618, NOTHING = 1e-9;
  const int jumped = s->head->jumped;
  double *from = s->error.y_neighbour, *to = s->error.y_neighbour_1, at = 0;
  fb_status status = FB_OK;
  for (int i = 0; i < MOST_PARTS && !status && at < h; i++) {
    const double usual = (i == 0 && parts == PARTS ? UNEVEN : 1) * h / parts;
    double part = i < MOST_PARTS - 1 ? fmin(usual, h - at) : h - at;
    if (at > 0) memcpy(from, to, (size_t)s->ny * sizeof *from);
    status = step_once(s, t + at, from, &part, to);
    at = h - at - part < NOTHING * h ? h : at + part;
  }
  s->head->jumped = jumped;
  return status;
}

/* What the run has, while steps are made beside it. */
typedef struct kept {
  fb_hard_memory* points;
  double* memory;
  fb_rank_watch ranks;
  int count, closed;
} kept;

/* Steps that follow have points of their own: at first those of z, or of the run. */
static kept go_aside(fb_sim* s, int own) {
  fb_hard_contacts* w = s->contact.hard;
  fb_contacts_head* head = s->contact.head;
  const kept run = {s->contact.remembered, s->block.memory, s->loop.ranks, head->nremembered, head->nclosed};
  own = own && head->nbeside >= 0;
  head->nremembered = own ? head->nbeside : run.count;
  memcpy(w->beside, own ? s->contact.beside : run.points, (size_t)head->nremembered * sizeof *w->beside);
  s->contact.remembered = w->beside;
  w->aside.hit = w->sought = 0;
  return run;
}

static void come_back(fb_sim* s, const kept* run) {
  fb_contacts_head* head = s->contact.head;
  s->contact.hard->aside.npoint = head->nremembered;
  s->contact.hard->sought = 0;
  s->contact.remembered = run->points;
  s->block.memory = run->memory;
  s->loop.ranks = run->ranks;
  head->nremembered = run->count;
  head->nclosed = run->closed;
}

/* The step of z, with its points and its memory. */
static fb_status step_beside(fb_sim* s, double t, const double* y0, double h, int parts) {
  fb_growth_displace(s, y0, 1, s->error.y_neighbour);
  const kept run = go_aside(s, 1);
  s->block.memory = s->error.memory_neighbour;
  fb_status status = step_in(s, t, h, parts);
  come_back(s, &run);
  return status;
}

/* Two steps from y0, each in so many parts, to ends[0] and ends[1]; 0: with an impact or another number of points, or not at
 * all. */
static int make_two(fb_sim* s, double t, const double* y0, double h, int parts, double* ends[2]) {
  const kept run = go_aside(s, 0);
  fb_status status = FB_OK;
  int lasts = 1;
  for (int i = 0; i < 2 && !status && lasts; i++) {
    memcpy(s->error.y_neighbour, i == 0 ? y0 : ends[0], (size_t)s->ny * sizeof *y0);
    status = step_in(s, t + i * h, h, parts);
    memcpy(ends[i], s->error.y_neighbour_1, (size_t)s->ny * sizeof *y0);
    lasts = s->contact.head->nremembered == run.count;
  }
  const int smooth = !status && lasts && !s->contact.hard->aside.hit;
  come_back(s, &run);
  return smooth;
}

/* l, as z counts, into off_other; *n: the steps that it represents. */
static void find_local(fb_sim* s, double t, const double* y0, double h, int rests) {
  static const double PART = 4.0 / 3;
  double *whole[] = {s->contact.hard->halves, s->contact.hard->halves + s->ny}, *l = s->error.off_other;
  double* halves[] = {s->y_probe, s->error.off_state};
  const long long since = s->head->steps - s->error.head->sampled;
  if (since < (rests ? SAMPLED_AT_REST : SAMPLED) || s->head->steps % TRIED != 0 ||
      !make_two(s, t, y0, h, 1, whole) || !make_two(s, t, y0, h, 2, halves))
    return;
  memset(l, 0, (size_t)(2 * s->nv + s->nx) * sizeof *l);
  fb_growth_add_difference(s, halves[1], whole[1], PART, l);
  fb_growth_add_difference(s, halves[0], whole[0], -PART, l);
  s->contact.hard->aside.n = since < SAMPLED_AT_REST ? (double)since : SAMPLED_AT_REST;
}

/* The whole step; w->aside.reaches: contacts begin or end in it; or it may pass over an impact, since points are sought in
 * its middle only, or take it for a contact that lasts. */
static fb_status step_whole(fb_sim* s, double t, const double* y0, double h) {
  static const double HALF = 0.6; /* of a step, and a little more */
  fb_hard_contacts* w = s->contact.hard;
  const int before = s->contact.head->nbeside < 0 ? s->contact.head->nremembered : s->contact.head->nbeside;
  w->aside.pace = 0;
  w->aside.reach_time = HALF * h;
  w->aside.reaches = 0;
  for (int c = 0; c < w->ncontact; c++)
    if (fb_block_acts(s, w->block[c])) w->aside.pace = fmax(w->aside.pace, fb_hard_pace(s, c, y0));
  fb_status status = step_beside(s, t, y0, h, 1);
  w->aside.reach_time = 0;
  w->aside.reaches |= w->aside.npoint != before;
  return status;
}

void fb_beside_step(fb_sim* s, double t, const double* y0, double h) {
  fb_hard_contacts* w = s->contact.hard;
  w->aside.made = FB_BESIDE_NONE;
  w->aside.n = 0;
  if (!fb_growth_follows(s)) return;
  const int rests = is_at_rest(s, y0);
  find_local(s, t, y0, h, rests);
  if (rests && s->head->steps % EVERY != 0) return;
  fb_status status = step_whole(s, t, y0, h);
  w->aside.made = status ? FB_BESIDE_FAILED : FB_BESIDE_WHOLE;
  if (status || !(w->aside.hit || w->aside.reaches) || s->contact.head->room < PARTS) return;
  status = step_beside(s, t, y0, h, PARTS);
  w->aside.made = status ? FB_BESIDE_FAILED : FB_BESIDE_PARTS;
}

void fb_beside_compare(fb_sim* s, const double* y1) {
  const fb_beside_kind kind = s->contact.hard->aside.made;
  if (kind == FB_BESIDE_NONE || kind == FB_BESIDE_FAILED) return;
  memset(s->error.off_next, 0, (size_t)(2 * s->nv + s->nx) * sizeof *s->error.off_next);
  fb_growth_add_difference(s, s->error.y_neighbour_1, y1, 1, s->error.off_next);
}

/* At which impact the error has grown most, while it was not yet too large. */
static void note_growth(fb_sim* s, int contact, double before, double after) {
  static const double MUCH = 2, LITTLE = 1e-2;
  fb_errors_head* head = s->error.head;
  if (contact <= 0 || !(after > MUCH * before && after > LITTLE * fb_growth_promise(s))) return;
  if (isfinite(head->error_t) || !(after > head->amplified * before)) return;
  head->amplifier = contact;
  head->amplified = before > 0 ? after / before : 1;
  head->amplified_t = s->head->t;
}

/* Adds the errors of the steps: of smooth ones n l; of impacts, where z was not made in parts, and of steps in which compliant contacts
 * are young, those of moreau_error.c. */
static void add_local(fb_sim* s, int rough) {
  const fb_hard_contacts* w = s->contact.hard;
  const double by = w->sampled == 2 ? w->aside.made != FB_BESIDE_PARTS : rough;
  const int length = 2 * s->nv + s->nx;
  for (int i = 0; i < length && by > 0; i++) s->error.off[i] += s->error.off_local[i];
  for (int i = 0; i < length && w->aside.n > 0 && !(by > 0); i++)
    s->error.off[i] += w->aside.n * s->error.off_other[i];
  if (w->aside.n > 0) s->error.head->sampled = s->head->steps;
}

void fb_beside_keep(fb_sim* s, int rough) {
  fb_hard_contacts* w = s->contact.hard;
  fb_contacts_head* head = s->contact.head;
  if (!fb_growth_follows(s)) return;
  if (w->aside.made == FB_BESIDE_FAILED) {
    fb_growth_lose(s);
    return;
  }
  const int made = w->aside.made != FB_BESIDE_NONE, own = fb_hard_first_hit(s),
            hit = own || !made ? own : w->aside.hit;
  const double before = hit ? fb_weigh_off(s, s->error.off, s->y, 0) : 0;
  if (made) memcpy(s->error.off, s->error.off_next, (size_t)(2 * s->nv + s->nx) * sizeof *s->error.off);
  add_local(s, rough);
  head->nbeside = made ? w->aside.npoint : -1;
  if (made) memcpy(s->contact.beside, w->beside, (size_t)w->aside.npoint * sizeof *w->beside);
  head->calm = hit ? 0 : head->calm < CALM ? head->calm + 1 : CALM;
  if (w->aside.made == FB_BESIDE_PARTS)
    head->room -= PARTS;
  else if (head->room < FB_BESIDE_ROOM)
    head->room++;
  if (hit) note_growth(s, hit, before, fb_weigh_off(s, s->error.off, s->y, 0));
  fb_growth_keep_worst(s, s->head->t, s->y);
}
