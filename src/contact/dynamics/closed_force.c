/* closed_force.c -- forces of closed contacts at an instant, for methods that locate events
 *
 *   stick   a_N = 0, a_T = 0                       three unknowns
 *   slip    a_N = 0, f_T = -mu f_N u_T / |u_T|     one
 *   a = A f + J v'_0 + J' v,   A = J H^-1 J^T
 *
 * seed 004, the acceleration level in its right form ([Hu 2015]; errata in docs/theory/contact.md). Which points stick and
 * which slip is given, and changes at events only, so that the right-hand side is smooth in between. J' v comes from
 * differences of the rates J v along q + t v, fourth order in a time in which bodies turn by 1e-3 rad, which leaves about 1e-12: so
 * any geometry will do that gives gaps and normals. What redundant points share: load_share.c. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>

#include "math/vector3.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static void find_meeting(const fb_sim* s, const fb_data* d, const fb_touch_point* p, fb_touch_meeting* at) {
  static const double REACH = 1e-2; /* [m] far beyond any drift */
  if (fb_is_of_pair(p, at->contact, at->a, at->b)) return;
  const fb_collider *a = fb_point_a(s, p), *b = fb_point_b(s, p);
  fb_placement place[2];
  at->contact = p->contact;
  at->a = p->a;
  at->b = p->b;
  fb_collider_place(s->m, d, a, &place[0]);
  fb_collider_place(s->m, d, b, &place[1]);
  at->n = fb_collide(a, &place[0], b, &place[1], REACH, at->touches, FB_MAX_TOUCHES);
}

static int is_known(const fb_touching* w, const fb_touch_meeting* at, int feature) {
  for (int i = 0; i < w->nanchor; i++) {
    const fb_touch_anchor* known = &w->anchors[i];
    if (known->contact == at->contact && known->a == at->a && known->b == at->b && known->feature == feature)
      return 1;
  }
  return 0;
}

/* The point with the feature of p, of several the nearest: parts of a shape may touch a mesh more than once. -1: there is none. */
static int find_feature(const fb_sim* s, const fb_data* d, const fb_touch_meeting* at,
                        const fb_touch_point* p) {
  int found = -1;
  for (int i = 0; i < at->n; i++)
    if (at->touches[i].feature == p->touch.feature &&
        (found < 0 ||
         fb_touch_moved(s, d, p, &at->touches[i]) < fb_touch_moved(s, d, p, &at->touches[found])))
      found = i;
  return found;
}

static int has_feature(const fb_touch_meeting* at, int feature) {
  for (int i = 0; i < at->n; i++)
    if (at->touches[i].feature == feature) return 1;
  return 0;
}

/* The nearest point of the meeting whose feature no other point has; -1: there is none. */
static int find_free(const fb_sim* s, const fb_data* d, const fb_touch_meeting* at, const fb_touch_point* p) {
  int found = -1;
  for (int i = 0; i < at->n; i++)
    if (!is_known(s->touch, at, at->touches[i].feature) &&
        (found < 0 ||
         fb_touch_moved(s, d, p, &at->touches[i]) < fb_touch_moved(s, d, p, &at->touches[found])))
      found = i;
  return found;
}

/* The point of the same pair nearest to p that is still found; NULL: none is. */
static const fb_touch_anchor* find_anchor(const fb_touching* w, const fb_touch_meeting* at,
                                          const fb_touch_point* p) {
  const fb_touch_anchor* nearest = NULL;
  double least = INFINITY;
  for (int i = 0; i < w->nanchor; i++) {
    const fb_touch_anchor* m = &w->anchors[i];
    double apart[3];
    if (!fb_is_of_pair(p, m->contact, m->a, m->b) || !has_feature(at, m->feature)) continue;
    for (int k = 0; k < 3; k++) apart[k] = m->own[k] - p->own[k];
    if (!(norm3(apart) < least)) continue;
    least = norm3(apart);
    nearest = m;
  }
  return nearest;
}

/* Faces and lines that lean by next to nothing meet at a point, and the others are not found. A face is flat: they are where they
 * were beside one that is, with its normal. */
static void put_beside(const fb_sim* s, const fb_data* d, const fb_touch_meeting* at,
                       const fb_touch_anchor* anchor, fb_touch_point* p) {
  fb_touch_point other = *p;
  other.touch.feature = anchor->feature;
  memcpy(other.own, anchor->own, sizeof other.own);
  const fb_touch* there = &at->touches[find_feature(s, d, at, &other)];
  double own[3], beside[3], x[3], apart[3];
  fb_touch_find_own(s, d, p, there->p_b, own);
  for (int i = 0; i < 3; i++) beside[i] = own[i] + p->own[i] - anchor->own[i];
  fb_touch_from_own(s, d, p, beside, x);
  for (int i = 0; i < 3; i++) apart[i] = x[i] - there->p_b[i];
  p->touch = *there;
  /* The surfaces as planes: of b through its point, of a as a body that leans over it. */
  double along = dot3(apart, there->normal);
  for (int i = 0; i < 3; i++) {
    p->touch.p_b[i] = x[i] - along * there->normal[i];
    p->touch.p_a[i] = x[i] + there->gap * there->normal[i];
  }
  p->touch.gap = there->gap + along;
}

/* Finds a point again: on the same feature, or else the nearest of its pair that is not another's, as where a face becomes an edge
 * that leans; or else beside another of its pair. The lowest point of a rim that passes the level is suddenly on its other side: one
 * that has gone so far is another, and the nearest takes its place too. `at`: found with the bodies at the same d, or of none. */
static int find_again(const fb_sim* s, const fb_data* d, fb_touch_meeting* at, fb_touch_point* p) {
  static const double FAR = 0.5;
  find_meeting(s, d, p, at);
  const fb_touch* touches = at->touches;
  int feature = p->touch.feature, n = at->n, found = find_feature(s, d, at, p);
  p->handed = 0;
  if (n == 0) return 0;
  const fb_touch_anchor* anchor = NULL;
  if (found < 0) {
    found = find_free(s, d, at, p);
    p->handed = found >= 0;
    if (found < 0) anchor = find_anchor(s->touch, at, p);
  } else if (n > 1 && fb_touch_moved(s, d, p, &touches[found]) > FAR * norm3(p->own)) {
    for (int i = 0; i < n; i++)
      if (fb_touch_moved(s, d, p, &touches[i]) < fb_touch_moved(s, d, p, &touches[found])) found = i;
  }
  if (anchor)
    put_beside(s, d, at, anchor, p);
  else
    p->touch = touches[found < 0 ? 0 : found];
  p->touch.feature = feature;
  return 1;
}

/* The way of slip of a point that is remembered. What creeps keeps its way, or has the one that it is about to take
 * (slip_direction.c): the true one turns ever faster, as friction over speed, and steps would not follow. So friction across that
 * way takes about a step to stop the slip across it. Until slip turns round its way stays the one it came from, and an event
 * ends it: slip against its way counts as slip along it, which leaves the part across it as it is. Of a slip that goes straight on
 * there is nothing across to stop, and friction across it, which is the stiffer the slower the slip, would only keep steps short:
 * a little of it is left, against rounding. */
static void find_way(fb_touch_point* p, const fb_touch_memory* m) {
  double share = fmax(0, 1 - hypot(p->rate[1], p->rate[2]) / (FB_CREEPS * m->creep)), way[2], along = 0;
  const double* aim = is_zero3(m->aim) ? m->way : m->aim;
  static const double LITTLE = 1e-3;
  double counts =
      fb_touch_goes_straight(m) ? LITTLE + (1 - LITTLE) * pow(1 - share, 4) : 1; /* of what is across */
  for (int i = 0; i < 2; i++) along += p->rate[1 + i] * dot3(p->tangent[i], m->way);
  for (int i = 0; i < 2; i++) {
    double own = dot3(p->tangent[i], m->way), across = p->rate[1 + i] - along * own;
    way[i] = fabs(along) * own + counts * across + m->creep * share * share * dot3(p->tangent[i], aim);
  }
  double size = hypot(way[0], way[1]);
  for (int k = 0; k < 3; k++)
    p->way[k] = size > 0 ? (way[0] * p->tangent[0][k] + way[1] * p->tangent[1][k]) / size : 0;
}

int fb_touch_is_same(const fb_touch_point* p, const fb_touch* other, double apart) {
  static const double NEAR = 1e-6; /* of the distance from the origin of its frame; and of normals [rad] */
  double turned[3];
  for (int k = 0; k < 3; k++) turned[k] = p->touch.normal[k] - other->normal[k];
  return apart < NEAR * norm3(p->own) && norm3(turned) < NEAR;
}

/* Whether another point of the pair is at the same place, with the same normal: their forces would be whatever rounding makes
 * them. */
static int is_doubled(const fb_touching* w, const fb_touch_point* p) {
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* other = &w->points[i];
    double apart[3];
    if (!fb_is_of_pair(p, other->contact, other->a, other->b)) continue;
    for (int k = 0; k < 3; k++) apart[k] = p->own[k] - other->own[k];
    if (fb_touch_is_same(p, &other->touch, norm3(apart))) return 1;
  }
  return 0;
}

static void add_anchor(fb_touching* w, int contact, int a, int b, int feature, const double own[3]) {
  fb_touch_anchor* x = &w->anchors[w->nanchor++];
  *x = (fb_touch_anchor){.contact = contact, .a = a, .b = b, .feature = feature};
  memcpy(x->own, own, sizeof x->own);
}

static void anchor_at_memory(fb_sim* s) {
  s->touch->nanchor = 0;
  for (int i = 0; i < s->head->ntouch; i++) {
    const fb_touch_memory* m = &s->touched[i];
    add_anchor(s->touch, m->contact, m->a, m->b, m->feature, m->own);
  }
}

static void anchor_at_points(fb_touching* w) {
  w->nanchor = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    add_anchor(w, p->contact, p->a, p->b, p->touch.feature, p->own);
  }
}

/* How far a closed point may be off at the end of a step: not farther than it moves in its time. What goes over to another feature does
 * so at a gap of zero; what its normal or its curvature then change shows as a rate (hard_locate.c, drift_at). */
static double most_off(const fb_sim* s, const fb_touch_point* p, double slack, double time) {
  static const double SLACKS = 20;
  double most = SLACKS * slack + time * norm3(p->rate);
  return p->handed && isfinite(fb_touch_drift(s)) ? fmin(most, FB_TOUCH_HANDED) : most;
}

/* Of balls about the joint between them no motion changes the depth: such a point is not lost. */
static int is_at_rest(const fb_touch_point* p) {
  return !p->handed && fabs(p->rate[0]) <= FB_TOUCH_SLOW;
}

/* time: since the start of the step, or INFINITY: wherever they are. Returns how many were lost, being farther off. */
static int find_points(fb_sim* s, const double* q, const double* v, double time) {
  fb_touching* w = s->touch;
  int lost = 0;
  double slack = fb_touch_slack(s, q);
  anchor_at_memory(s);
  const fb_data* d = fb_touch_kinematics(s, q, v);
  fb_touch_meeting at;
  at.contact = -1;
  w->npoint = 0;
  for (int i = 0; i < s->head->ntouch; i++) {
    const fb_touch_memory* m = &s->touched[i];
    fb_touch_point* p = &w->points[w->npoint];
    *p = (fb_touch_point){m->contact, m->a, m->b, m->state, .touch = {.feature = m->feature}};
    memcpy(p->force, m->force, sizeof p->force);
    memcpy(p->own, m->own, sizeof p->own);
    if (!find_again(s, d, &at, p)) {
      lost++;
      continue;
    }
    memcpy(p->origin, w->origin, sizeof p->origin);
    fb_touch_meet(s, p);
    fb_touch_find_own(s, d, p, p->touch.p_b, p->own);
    if (is_doubled(w, p)) continue;
    fb_touch_find_tangents(p->touch.normal, p->tangent);
    fb_touch_find_rates(s, d, p);
    if (isfinite(time) && !(fabs(p->touch.gap) <= most_off(s, p, slack, time))) {
      lost += !is_at_rest(p);
      continue;
    }
    find_way(p, m);
    w->npoint++;
  }
  return lost;
}

void fb_touch_find_closed(fb_sim* s, const double* q, const double* v) {
  find_points(s, q, v, INFINITY);
}

int fb_touch_find_kept(fb_sim* s, const double* y, double time) {
  return find_points(s, y, y + s->nq, fmax(0, time));
}

/* ---- J' v ---- */

static double longest_time(const fb_sim* s, const double* v) {
  static const double TURN = 1e-3;
  double fastest = 0;
  for (int k = 0; k < s->nv; k++)
    if (!s->chart.is_length[k]) fastest = fmax(fastest, fabs(v[k]));
  return TURN / fmax(1, fastest);
}

/* What is left to chance of the rates' rates [m/s^2]. */
double fb_touch_noise(const fb_sim* s, const double* y) {
  double most = 0, turn = 0, far = 0;
  const double *q = s->touch->near_q, *v = s->touch->near_v;
  fb_touch_go_near(s, y, y + s->nq);
  for (int k = 0; k < s->nv; k++) {
    most = fmax(most, fabs(v[k]));
    if (!s->chart.is_length[k]) turn = fmax(turn, fabs(v[k]));
  }
  for (int k = 0; k < s->nq; k++) far = fmax(far, fabs(q[k]));
  return 16 * DBL_EPSILON * (most + far * turn) / longest_time(s, v);
}

int fb_touch_look_ahead(const fb_sim* s, const fb_data* d, const fb_touch_point* p, fb_touch_meeting* at,
                        double u[3], double n[3]) {
  fb_touch_point there = *p;
  if (find_again(s, d, at, &there)) fb_touch_meet(s, &there);
  fb_touch_velocity(s->m, d, fb_point_a(s, p), fb_point_b(s, p), &there.touch, u);
  memcpy(n, there.touch.normal, sizeof there.touch.normal);
  for (int i = 0; i < at->n; i++)
    if (at->touches[i].feature == p->touch.feature) return 1;
  return 0;
}

/* Rates along three rows of every point, the velocities staying: at the times -2, -1, 1, 2 times `time`, into samples[4][nrow]. The rate
 * of n . u counts for the normal; tangents are looked at where u is zero, or not at all. */
static void sample(fb_sim* s, const double* q, const double* v, double time, double* samples) {
  static const double AT[] = {-2, -1, 1, 2};
  const fb_touching* w = s->touch;
  fb_touch_go_near(s, q, v);
  for (int side = 0; side < 4; side++) {
    double* x = samples + (size_t)side * (size_t)w->nrow;
    fb_integrate(s->m, w->near_q, w->near_v, AT[side] * time, w->q);
    const fb_data* d = fb_touch_near_at(s, w->q);
    fb_touch_meeting at;
    at.contact = -1;
    for (int i = 0; i < w->npoint; i++) {
      const fb_touch_point* p = &w->points[i];
      double u[3], n[3];
      fb_touch_look_ahead(s, d, p, &at, u, n);
      x[3 * i] = dot3(n, u);
      for (int k = 0; k < 2; k++) x[3 * i + 1 + k] = dot3(p->tangent[k], u);
    }
  }
}

/* How fast a rate changes: by samples on both sides, of fourth order and of second; after and before the instant, of second. */
typedef struct slopes {
  double central, rough, after, before;
} slopes;

static slopes slopes_of(const double* x, int n, double x0, double time) {
  double a = x[0], b = x[n], c = x[2 * n], d = x[3 * n];
  return (slopes){(a - 8 * b + 8 * c - d) / (12 * time), (c - b) / (2 * time),
                  (4 * c - 3 * x0 - d) / (2 * time), (3 * x0 - 4 * b + a) / (2 * time)};
}

static int is_close(double x, double y) {
  static const double CLOSE = 1e-3, NOISE = 1e-3; /* [m/s^2] */
  return fabs(x - y) <= CLOSE * fabs(x) + NOISE;
}

/* Of the three rows of a point, `now` over a shorter time than `last`. Across an edge or the end of a rim slopes jump, and differences
 * over both sides are a mean, however short. There they are those after the instant, which is what forces have to hold, or those
 * before it where the edge is still to come. 0: none is good yet: those over the longest time stay, which a jump of the rates
 * themselves changes
 * least. */
static int take_slopes(const slopes now[3], const slopes last[3], int first, double* bias) {
  int central = 1, after = !first, before = !first;
  for (int k = 0; k < 3; k++) {
    central &= is_close(now[k].central, now[k].rough) && is_close(now[k].after, now[k].before);
    after &= is_close(now[k].after, last[k].after);
    before &= is_close(now[k].before, last[k].before);
  }
  int good = central || after || before;
  for (int k = 0; (good || first) && k < 3; k++)
    bias[k] = central || !good ? now[k].central : after ? now[k].after : now[k].before;
  return good;
}

void fb_touch_bias(fb_sim* s, const double* q, const double* v, double* bias) {
  enum { MOST = 5 };
  static const double SHORTER = 0.125;
  fb_touching* w = s->touch;
  double time = longest_time(s, v);
  anchor_at_points(w);
  int left = w->npoint, *done = w->ints + w->room_rows;
  memset(done, 0, (size_t)w->npoint * sizeof *done);
  for (int round = 0; round < MOST && left > 0; round++, time *= SHORTER) {
    double *samples = w->samples[round % 2], *last = w->samples[(round + 1) % 2];
    sample(s, q, v, time, samples);
    for (int i = 0; i < w->npoint; i++) {
      slopes now[3], was[3];
      if (done[i]) continue;
      for (int k = 0; k < 3; k++) {
        now[k] = slopes_of(samples + 3 * i + k, w->nrow, w->points[i].rate[k], time);
        was[k] = slopes_of(last + 3 * i + k, w->nrow, w->points[i].rate[k], time / SHORTER);
      }
      done[i] = take_slopes(now, was, round == 0, bias + 3 * i);
      left -= done[i];
    }
  }
}

/* ---- forces ---- */

/* The equations of the modes: rows and columns of A that count, friction of slip in the columns. The unknowns of point i begin
 * at first[i]. */
static int pose_modes(fb_sim* s, const double* a, double* K, double* rhs) {
  fb_touching* w = s->touch;
  size_t n = (size_t)w->nrow;
  int count = 0, *at = w->ints;
  for (int i = 0; i < w->npoint; i++)
    for (int k = 0; k < (w->points[i].state == FB_CONTACT_STICKS ? 3 : 1); k++) at[count++] = 3 * i + k;
  for (int r = 0; r < count; r++) {
    rhs[r] = -a[at[r]];
    for (int c = 0; c < count; c++) {
      const fb_touch_point* p = &w->points[at[c] / 3];
      const double* row = w->A + (size_t)at[r] * n;
      double k = row[at[c]];
      if (p->state == FB_CONTACT_SLIPS) {
        double mu = fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
        for (int t = 0; t < 2; t++) k -= mu * dot3(p->way, p->tangent[t]) * row[at[c] + 1 + t];
      }
      K[r * count + c] = k;
    }
  }
  return count;
}

/* Unknowns of the modes as forces along all rows: P [3 npoint]. */
static void spread(const fb_sim* s, const double* f, double* P) {
  const fb_touching* w = s->touch;
  for (int i = 0; i < w->npoint; i++, P += 3) {
    const fb_touch_point* p = &w->points[i];
    double mu = fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
    int sticks = p->state == FB_CONTACT_STICKS;
    P[0] = f[0];
    for (int t = 0; t < 2; t++) P[1 + t] = sticks ? f[1 + t] : -mu * P[0] * dot3(p->way, p->tangent[t]);
    f += sticks ? 3 : 1;
  }
}

/* Powers of the forces, into the rates of the contacts' states. */
static void add_powers(fb_sim* s, double* xdot) {
  const fb_touching* w = s->touch;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    double* rate = xdot + s->block_state[w->block[p->contact]];
    rate[FB_CONTACT_X_NORMAL] += dot3(p->force, p->touch.normal) * p->rate[0];
    if (p->state == FB_CONTACT_STICKS) continue; /* rates that are rounding */
    for (int t = 0; t < 2; t++) rate[FB_CONTACT_X_FRICTION] += dot3(p->force, p->tangent[t]) * p->rate[1 + t];
  }
}

/* The forces that keep the modes of all points; after fb_touch_find_closed. The number of unknowns. */
static int find_forces(fb_sim* s, const double* y) {
  fb_touching* w = s->touch;
  const double* v = y + s->nq;
  fb_touch_pose_all(s);
  fb_touch_bias(s, y, v, w->gained);
  fb_touch_rates(s, y, s->vdot, w->u);
  for (int i = 0; i < w->nrow; i++) w->u[i] += w->gained[i];
  fb_touch_responses(s, y);
  fb_touch_note_responses(w);
  int n = pose_modes(s, w->u, w->K, w->before);
  memcpy(w->P, w->before, (size_t)n * sizeof *w->P);
  fb_touch_solve_modes(s, w->K, n, w->P);
  fb_touch_share(s, w->K, w->before, n, w->P);
  spread(s, w->P, w->sum);
  for (int i = 0; i < w->npoint; i++) fb_touch_take_force(&w->points[i], w->sum + 3 * i, 1);
  return n;
}

/* Great forces that nearly cancel leave their rounding in accelerations that must be zero: s->vdot without it. n unknowns. */
static void correct(fb_sim* s, const double* y, int n) {
  fb_touching* w = s->touch;
  const int* at = w->ints;
  fb_touch_rates(s, y, s->vdot, w->u);
  for (int r = 0; r < n; r++) w->P[r] = -w->u[at[r]] - w->gained[at[r]];
  fb_touch_solve_modes(s, w->K, n, w->P);
  spread(s, w->P, w->sum);
  fb_touch_respond(s, w->sum, w->x);
  for (int k = 0; k < s->nv; k++) s->vdot[k] += w->x[k];
}

void fb_touch_flow(fb_sim* s, const double* y, double* xdot) {
  fb_touching* w = s->touch;
  fb_touch_find_closed(s, y, y + s->nq);
  if (w->npoint == 0) return;
  int unknowns = fb_touch_by_steps(s) ? 0 : find_forces(s, y); /* else those of the last step */
  add_powers(s, xdot);
  fb_touch_push(s, fb_touch_kinematics(s, y, y + s->nq));
  fb_flow_accelerate(s, y, NULL);
  if (unknowns > 0) correct(s, y, unknowns);
}
