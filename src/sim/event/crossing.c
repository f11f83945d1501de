/* crossing.c -- the first instant in a step at which a number of the simulation passes zero
 *
 * A sign that differs at the two ends of a step shows an odd number of crossings. Pairs are searched inside the step,
 * on the step's own solution (fb_stepper.eval).
 *
 *   1. The step is divided into pieces in which the body that carries the value turns by at most 2 rad: rotations
 *      are what makes a value oscillate within the polynomials that integrators give.
 *   2. On a piece [-1, 1] the value is sampled at the ends and at +-cos 72 deg. If it varies by less than a quarter
 *      of its distance from zero there, it does not reach zero.
 *   3. Otherwise a quintic goes through the six points cos(36 deg k), and two more samples at +-cos 54 deg, where it
 *      is least accurate, measure its error e. If it stays more than 3 e from zero, the value has no root. If e is
 *      more than a thousandth of the range, the piece is halved, at most 6 times.
 *   4. Otherwise the value is evaluated at those extrema of the quintic that are near zero or beyond it, and where it
 *      nearly reaches zero its true extremum is found by parabolas.
 *   5. Between two neighbouring points with different signs the root is bracketed by secants and bisection (Illinois).
 *
 * A value with a known bound v on how fast it changes may pass zero and come back where x(a) + x(b) < v (b - a), however
 * short that is: before steps 2 to 5 it is sampled where it could be furthest beyond zero, in the interval that could hide
 * most, a bounded number of times [Piyavskii 1972].
 *
 * Coordinates and rates of dopri5, cvode and arkode are polynomials of degree 5 at most inside a step: step 2 is left
 * out for them, and nothing is missed.
 *
 * Methods without dense output make a shorter step for every sample. There steps 2 to 4 wait until the cubic through
 * the values and slopes at both ends comes close to zero, with a margin of an eighth of its distance from its chord (crossing_slope.c).
 *
 * Cost: with dense output two states a step and value far from the level, six near it; a step that is one piece shares
 * them among all values. Otherwise one slope a step, which takes one evaluation of the flow for all values that depend
 * on more than t and q. */

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/quintic.h"
#include "sim/event/search.h"

enum { NODES = 8 };
static const double COS36 = 0.80901699437494745, COS54 = 0.58778525229247314, COS72 = 0.30901699437494745;
static const double TURN = 2; /* of a piece at most [rad] */

static fb_status sample(const fb_search* f, double t, fb_search_point* p) {
  fb_sim* s = f->s;
  *p = (fb_search_point){t, NAN};
  fb_status status = s->stepper.eval(s->stepper.self, s, t, s->probe.y_root, f->error);
  return status ? status : f->watch->value(s, f->watch->index, t, s->probe.y_root, &p->x, f->error);
}

/* Interpolation may move a value that rests on its level off it, by rounding. */
static void clean(const fb_search* f, fb_search_point* p) {
  if (fabs(p->x) <= 4 * DBL_EPSILON * f->watch->scale) p->x = 0;
}

static fb_status sample_clean(const fb_search* f, double t, fb_search_point* p) {
  fb_status status = sample(f, t, p);
  clean(f, p);
  return status;
}

/* The same at point i of a piece that is the whole step, where the state may be known from other values. */
static fb_status sample_shared(const fb_search* f, int i, double t, fb_search_point* p) {
  fb_sim* s = f->s;
  double* y = s->probe.inside + (size_t)(i - 1) * (size_t)s->ny;
  fb_status status = FB_OK;
  *p = (fb_search_point){t, NAN};
  if (!(s->probe.known.inside >> i & 1)) status = s->stepper.eval(s->stepper.self, s, t, y, f->error);
  if (status) return status;
  s->probe.known.inside |= 1u << i;
  status = f->watch->value(s, f->watch->index, t, y, &p->x, f->error);
  clean(f, p);
  return status;
}

/* ---- roots ---- */

/* Whether the only root between a and b is after the last relevant instant. */
static fb_status is_late(const fb_search* f, fb_search_point a, fb_search_point b, int* late) {
  const fb_watch* w = f->watch;
  double x = 0;
  *late = 0;
  if (!w->y_until || !(w->until > a.t && w->until < b.t)) return FB_OK;
  fb_status status = w->value(f->s, w->index, w->until, w->y_until, &x, f->error);
  *late = fb_sign(x) == -fb_sign(b.x);
  return status;
}

/* Whether the near end of a bracket is taken: the value jumps between its ends, and the step that ends beyond the jump has
 * stages there, which spoil its end. At the very start of a step that is too short to matter. */
static int ends_before(const fb_search* f, double near, double beyond) {
  static const double SHORT = 1e-9; /* [s] far longer than a bracket */
  return f->watch->jump > 0 && !f->dense && fabs(beyond) > f->watch->jump && near > f->s->step.t0 + SHORT;
}

/* The far end of a bracket of the root between a and b, where the value has the sign of b. */
static fb_status find_root(fb_search* f, fb_search_point a, fb_search_point b) {
  int sign = fb_sign(b.x), kept = 0, late; /* kept: which end has stayed: -1 a, +1 b */
  double beyond = b.x;
  fb_status checked = is_late(f, a, b, &late);
  if (checked || late) {
    f->root = late ? b.t : INFINITY;
    return checked;
  }
  if (fb_sign(a.x) != -sign) a.x = -sign * DBL_MIN; /* a is on the level */
  for (int i = 0; i < 200 && b.t - a.t > fmax(4 * DBL_EPSILON * fabs(b.t), 1e-12); i++) {
    double t = b.t - b.x * (b.t - a.t) / (b.x - a.x);
    /* Every third time halve, so that the bracket shrinks whatever the value does. */
    if (i % 3 == 2 || !(t > a.t && t < b.t)) t = a.t + 0.5 * (b.t - a.t);
    fb_search_point p;
    fb_status status = sample(f, t, &p);
    if (status) return status;
    if (fb_sign(p.x) == sign) {
      b = p;
      beyond = p.x;
      if (kept == -1) a.x *= 0.5;
      kept = -1;
    } else {
      a = (fb_search_point){p.t, p.x == 0 ? -sign * DBL_MIN : p.x};
      if (kept == 1) b.x *= 0.5;
      kept = 1;
    }
  }
  f->root = ends_before(f, a.t, beyond) ? a.t : b.t;
  return FB_OK;
}

/* Continues from a to b; between them the value changes sides once or not at all. */
static fb_status walk(fb_search* f, const fb_search_point* a, const fb_search_point* b) {
  int now = fb_sign(b->x);
  if (now == 0 || now == f->side) return FB_OK;
  f->side = now;
  if (f->watch->direction == 0 || f->watch->direction == now) return find_root(f, *a, *b);
  return FB_OK;
}

static int found(const fb_search* f) {
  return f->root < INFINITY;
}

/* ---- pieces ---- */

static double largest(const fb_search_point* p, const int* which, int count, int sign) {
  double most = -INFINITY;
  for (int i = 0; i < count; i++) most = fmax(most, sign * p[which[i]].x);
  return most;
}

/* Whether points on the present side are far from zero compared with their variation. */
static int is_far(const fb_search* f, const fb_search_point p[NODES]) {
  static const int FOUR[] = {0, 3, 4, 7};
  double nearest = -largest(p, FOUR, 4, -f->side), range = largest(p, FOUR, 4, f->side) - nearest;
  return f->side != 0 && nearest > 4 * range;
}

static fb_status sample_piece(const fb_search* f, fb_search_point p[NODES], const int* which, int count) {
  static const double PLACES[NODES] = {-1, -COS36, -COS54, -COS72, COS72, COS54, COS36, 1};
  fb_status status = FB_OK;
  double middle = 0.5 * (p[0].t + p[7].t), half = 0.5 * (p[7].t - p[0].t);
  int whole = p[0].t == f->s->step.t0 && p[7].t == f->s->probe.known.t1;
  for (int k = 0; k < count && !status; k++) {
    int i = which[k];
    double t = middle + half * PLACES[i];
    status = whole ? sample_shared(f, i, t, &p[i]) : sample_clean(f, t, &p[i]);
  }
  return status;
}

/* Finds the extremum near c, which does not reach zero, between l and r, by parabolas, until a point crosses zero or
 * none can. */
static fb_status pursue(const fb_search* f, fb_search_point l, fb_search_point* c, fb_search_point r) {
  int sign = fb_sign(c->x);
  if (fb_sign(l.x) != sign || fb_sign(r.x) != sign) return FB_OK;
  for (int i = 0; i < 12 && sign != 0 && fb_sign(c->x) == sign; i++) {
    double a = (c->x - l.x) / (c->t - l.t), b = (r.x - c->x) / (r.t - c->t), bend = (b - a) / (r.t - l.t);
    double slope = a + bend * (c->t - l.t), step = -slope / (2 * bend);
    double gain = -0.5 * sign * slope * step; /* how much nearer to zero the parabola comes than c */
    if (!(sign * bend > 0 && gain > 0.1 * fabs(c->x))) return FB_OK;
    fb_search_point p;
    double t = c->t + step;
    if (!(t > l.t && t < r.t) || t == c->t) return FB_OK;
    fb_status status = sample_clean(f, t, &p);
    if (status) return status;
    if (sign * p.x < sign * c->x) {
      *(p.t < c->t ? &r : &l) = *c;
      *c = p;
    } else {
      *(p.t < c->t ? &l : &r) = p;
    }
  }
  return FB_OK;
}

/* Through the points of a piece and the relevant extrema of its quintic. */
static fb_status walk_piece(fb_search* f, const fb_search_point p[NODES], const double c[6],
                            const double* extrema, int count, double e) {
  double middle = 0.5 * (p[0].t + p[7].t), half = 0.5 * (p[7].t - p[0].t);
  fb_search_point last = p[0];
  fb_status status = FB_OK;
  for (int i = 0, k = 0; i < NODES - 1; i++) {
    for (; k < count && middle + half * extrema[k] < p[i + 1].t; k++) {
      double x = fb_quintic_at(c, extrema[k]), t = middle + half * extrema[k];
      if (!(t > last.t)) continue;
      int sign = fb_sign(x), alike = sign == fb_sign(last.x) && sign == fb_sign(p[i + 1].x);
      if (alike && fabs(x) > 3 * e) continue;
      fb_search_point top;
      status = sample_clean(f, t, &top);
      if (!status) status = pursue(f, last, &top, p[i + 1]);
      if (!status) status = walk(f, &last, &top);
      if (status || found(f)) return status;
      last = top;
    }
    status = walk(f, &last, &p[i + 1]);
    if (status || found(f)) return status;
    last = p[i + 1];
  }
  return FB_OK;
}

/* Searches the piece between a and b; *halve is set when it must be halved first. */
static fb_status search_piece(fb_search* f, const fb_search_point* a, const fb_search_point* b, int may_halve,
                              int* halve) {
  static const int INNER[] = {3, 4}, OUTER[] = {1, 2, 5, 6}, ALL[] = {0, 1, 2, 3, 4, 5, 6, 7};
  fb_search_point p[NODES] = {[0] = *a, [7] = *b};
  *halve = 0;
  fb_status status = sample_piece(f, p, INNER, 2);
  if (status || (!f->watch->polynomial && is_far(f, p))) return status;
  status = sample_piece(f, p, OUTER, 4);
  if (status) return status;
  double c[6], extrema[4];
  const double six[6] = {p[0].x, p[1].x, p[3].x, p[4].x, p[6].x, p[7].x};
  fb_quintic_fit(six, c);
  double e = fmax(fabs(fb_quintic_at(c, -COS54) - p[2].x), fabs(fb_quintic_at(c, COS54) - p[5].x));
  double bound = 3 * e;
  for (int i = 1; i < 6; i++) bound += fabs(c[i]);
  if (f->side * c[0] > bound) return FB_OK; /* in [-1, 1] it stays on its side */
  int count = fb_quintic_extrema(c, extrema);
  double low = -largest(p, ALL, NODES, -1), high = largest(p, ALL, NODES, 1), range = high - low;
  for (int i = 0; i < count; i++) {
    double x = fb_quintic_at(c, extrema[i]);
    low = fmin(low, x);
    high = fmax(high, x);
  }
  if ((f->side > 0 && low > 3 * e) || (f->side < 0 && high < -3 * e)) return FB_OK;
  *halve = may_halve && e > 1e-3 * range;
  return *halve ? FB_OK : walk_piece(f, p, c, extrema, count, e);
}

/* ---- rotation in a step ---- */

static double joint_turning(const fb_sim* s, const double* v, int body) {
  int at = fb_joint_v_index(s->m, body), end = at + fb_joint_nv(s->m, body);
  double sum = 0;
  for (int k = at; k < end; k++)
    if (!s->chart.is_length[k]) sum += fabs(v[k]);
  return sum;
}

/* A bound on the angular velocity of a body: the sum of those of the joints that carry it. */
static double turning(const fb_sim* s, const double* v, int body) {
  double sum = 0;
  for (int b = body; b != FB_WORLD; b = fb_body_parent(s->m, b)) sum += joint_turning(s, v, b);
  return sum;
}

static double fastest_turning(const fb_sim* s, const double* y, int body) {
  const double* v = y + s->nq;
  if (body != FB_ALL_BODIES) return turning(s, v, body);
  double* sums = s->probe.turning;
  double most = 0;
  sums[FB_WORLD] = 0;
  for (int b = 1; b < s->m->top.nbody; b++) { /* parents come first */
    sums[b] = sums[fb_body_parent(s->m, b)] + joint_turning(s, v, b);
    most = fmax(most, sums[b]);
  }
  return most;
}

/* How many pieces the step needs. */
static fb_status count_pieces(const fb_search* f, double t1, int* pieces) {
  const int most = f->dense ? 100000 : 16;
  fb_sim* s = f->s;
  int body = f->watch->body;
  *pieces = 1;
  if (body == FB_WORLD && !(f->watch->longest > 0)) return FB_OK;
  double rate = fmax(fastest_turning(s, s->y0, body), fastest_turning(s, s->y1, body));
  if (f->dense) {
    fb_status status =
        s->stepper.eval(s->stepper.self, s, 0.5 * (s->step.t0 + t1), s->probe.y_root, f->error);
    if (status) return status;
    rate = fmax(rate, fastest_turning(s, s->probe.y_root, body));
  }
  double need = ceil((t1 - s->step.t0) * rate / TURN);
  if (f->dense && f->watch->longest > 0) need = fmax(need, ceil((t1 - s->step.t0) / f->watch->longest));
  *pieces = need >= most ? most : need > 1 ? (int)need : 1;
  return FB_OK;
}

/* ---- values with a bound on how fast they change ---- */

/* How far beyond zero the value may come between two points on the present side. */
static double hides(const fb_search* f, const fb_search_point* a, const fb_search_point* b) {
  return 0.5 * (f->watch->fastest * (b->t - a->t) - f->side * (a->x + b->x));
}

static fb_status search_bounded(fb_search* f, const fb_search_point* a, const fb_search_point* b) {
  enum { MOST = 64 };
  fb_search_point p[MOST + 2] = {*a, *b};
  for (int count = 2; count < MOST + 2; count++) {
    int at = 0;
    for (int i = 1; i + 1 < count; i++)
      if (hides(f, &p[i], &p[i + 1]) > hides(f, &p[at], &p[at + 1])) at = i;
    const fb_search_point *l = &p[at], *r = l + 1;
    if (!(hides(f, l, r) > f->watch->narrow)) return FB_OK;
    double t = 0.5 * (l->t + r->t) + 0.5 * f->side * (l->x - r->x) / f->watch->fastest;
    if (!(t > l->t && t < r->t)) return FB_OK;
    memmove(&p[at + 2], r, (size_t)(count - at - 1) * sizeof *p);
    fb_status status = sample_clean(f, t, &p[at + 1]);
    if (status) return status;
    if (fb_sign(p[at + 1].x) == -f->side) return walk(f, &p[at], &p[at + 1]);
  }
  return FB_OK;
}

/* ---- the step ---- */

/* A piece and its halves, from left to right. */
static fb_status search_halves(fb_search* f, const fb_search_point* a, const fb_search_point* b) {
  enum { DEEPEST = 6 };
  fb_search_point ends[DEEPEST + 1] = {*b}, from = *a;
  int depths[DEEPEST + 1] = {0}, count = 1, deepest = f->dense ? DEEPEST : 3;
  while (count > 0) {
    int depth = depths[count - 1], halve;
    fb_search_point* to = &ends[count - 1];
    fb_status status = search_piece(f, &from, to, depth < deepest, &halve);
    if (status || found(f)) return status;
    if (!halve) {
      from = *to;
      count--;
      continue;
    }
    depths[count - 1] = depths[count] = depth + 1;
    status = sample_clean(f, 0.5 * (from.t + to->t), &ends[count]);
    if (status) return status;
    count++;
  }
  return FB_OK;
}

static fb_status search_step(fb_search* f, const fb_search_point* a, const fb_search_point* b) {
  int pieces, plain = 0;
  if (a->x == 0 && b->x == 0) return FB_OK; /* it rests on its level */
  if (b->t - a->t <= 16 * fb_time_slack(b->t)) return walk(f, a, b);
  fb_status status = FB_OK;
  if (f->watch->fastest > 0 && f->side != 0 && fb_sign(a->x) == f->side && fb_sign(b->x) == f->side)
    status = search_bounded(f, a, b);
  if (status || found(f)) return status;
  status = count_pieces(f, b->t, &pieces);
  if (!status && !f->dense && pieces == 1) status = fb_search_is_plain(f, a, b, &plain);
  if (status) return status;
  if (plain) return walk(f, a, b);
  fb_search_point from = *a, to;
  for (int i = 1; i <= pieces && !status && !found(f); i++, from = to) {
    to = *b;
    if (i < pieces) status = sample_clean(f, a->t + (b->t - a->t) * i / pieces, &to);
    if (!status) status = search_halves(f, &from, &to);
  }
  return status;
}

/* The value at the start of the step, and its slope there, as far as known from the last step. */
static fb_status find_start(fb_search* f, fb_search_point* a) {
  fb_sim* s = f->s;
  const fb_watch_end* end = f->watch->end;
  a->t = s->step.t0;
  if (!end || end->epoch != s->step.epoch || end->t != a->t)
    return f->watch->value(s, f->watch->index, a->t, s->y0, &a->x, f->error);
  a->x = end->x;
  /* The solutions of euler and semi_implicit have kinks between steps. */
  if (s->stepper.traits.order > 1) f->slopes[0] = end->slope;
  return FB_OK;
}

fb_status fb_crossing_find(fb_sim* s, const fb_watch* watch, double t1, double* root, fb_error* error) {
  int dense = fb_crossing_is_dense(s);
  if (s->probe.known.step != s->head->steps || s->probe.known.epoch != s->step.epoch ||
      s->probe.known.t1 != t1) /* the first value of a step */
    s->probe.known = (fb_probe_known){.step = s->head->steps, .epoch = s->step.epoch, .t1 = t1};
  fb_search f = {s, watch, dense, watch->side, INFINITY, {NAN, NAN}, error};
  fb_search_point a, b = {.t = t1};
  fb_status status = find_start(&f, &a);
  if (!status) status = watch->value(s, watch->index, b.t, s->y1, &b.x, error);
  if (!status) status = search_step(&f, &a, &b);
  if (watch->end && !status) *watch->end = (fb_watch_end){s->step.epoch, b.t, b.x, f.slopes[1]};
  *root = status ? INFINITY : f.root;
  return status;
}
