/* closed_force.c -- forces of closed contacts at an instant, for methods that locate events
 *
 *   stick   a_N = 0, a_T = 0                       three unknowns
 *   slip    a_N = 0, f_T = -mu f_N u_T / |u_T|     one
 *   a = A f + J v'_0 + J' v,   A = J H^-1 J^T
 *
 * The acceleration level in its correct form ([Hu 2015]; errata in docs/theory/contact.md). Which points stick and
 * which slip is given, and changes at events only, so that the right-hand side is smooth in between. J' v comes from
 * differences of the rates J v along q + t v, of fourth order over a time in which bodies turn by 1e-3 rad, with an
 * error of about 1e-12: so gaps and normals of the geometry are sufficient. Loads of redundant points: load_share.c. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>

#include "math/vector3.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static void find_meeting(const fb_sim* s, const fb_data* d, const fb_hard_point* p, fb_hard_meeting* at) {
  static const double SEARCH_DISTANCE = 1e-2; /* [m] far beyond any drift */
  if (fb_is_of_pair(p, at->contact, at->a, at->b)) return;
  const fb_collider *a = fb_point_a(s, p), *b = fb_point_b(s, p);
  fb_placement place[2];
  at->contact = p->contact;
  at->a = p->a;
  at->b = p->b;
  fb_collider_place(s->m, d, a, &place[0]);
  fb_collider_place(s->m, d, b, &place[1]);
  at->n = fb_collider_contact_points(a, &place[0], b, &place[1], SEARCH_DISTANCE, at->points,
                                     FB_MAX_CONTACT_POINTS);
}

static int is_known(const fb_hard_contacts* w, const fb_hard_meeting* at, int feature) {
  for (int i = 0; i < w->nanchor; i++) {
    const fb_hard_anchor* known = &w->anchors[i];
    if (known->contact == at->contact && known->a == at->a && known->b == at->b && known->feature == feature)
      return 1;
  }
  return 0;
}

/* The point with the feature of p, of several the nearest: a part of a shape may have several points on a mesh. -1:
 * there is none. */
static int find_feature(const fb_sim* s, const fb_data* d, const fb_hard_meeting* at,
                        const fb_hard_point* p) {
  int found = -1;
  for (int i = 0; i < at->n; i++)
    if (at->points[i].feature == p->point.feature &&
        (found < 0 || fb_hard_moved(s, d, p, &at->points[i]) < fb_hard_moved(s, d, p, &at->points[found])))
      found = i;
  return found;
}

static int has_feature(const fb_hard_meeting* at, int feature) {
  for (int i = 0; i < at->n; i++)
    if (at->points[i].feature == feature) return 1;
  return 0;
}

/* The nearest point of the pair whose feature no other point has; -1: there is none. */
static int find_free(const fb_sim* s, const fb_data* d, const fb_hard_meeting* at, const fb_hard_point* p) {
  int found = -1;
  for (int i = 0; i < at->n; i++)
    if (!is_known(s->contact.hard, at, at->points[i].feature) &&
        (found < 0 || fb_hard_moved(s, d, p, &at->points[i]) < fb_hard_moved(s, d, p, &at->points[found])))
      found = i;
  return found;
}

/* The point of the same pair nearest to p that is still found; NULL: none is. */
static const fb_hard_anchor* find_anchor(const fb_hard_contacts* w, const fb_hard_meeting* at,
                                         const fb_hard_point* p) {
  const fb_hard_anchor* nearest = NULL;
  double least = INFINITY;
  for (int i = 0; i < w->nanchor; i++) {
    const fb_hard_anchor* m = &w->anchors[i];
    double apart[3];
    if (!fb_is_of_pair(p, m->contact, m->a, m->b) || !has_feature(at, m->feature)) continue;
    for (int k = 0; k < 3; k++) apart[k] = m->local[k] - p->local[k];
    if (!(norm3(apart) < least)) continue;
    least = norm3(apart);
    nearest = m;
  }
  return nearest;
}

/* Faces and lines with a negligible inclination give one point only. Since a face is flat, the others are at their
 * former places beside it, with its normal. */
static void put_beside(const fb_sim* s, const fb_data* d, const fb_hard_meeting* at,
                       const fb_hard_anchor* anchor, fb_hard_point* p) {
  fb_hard_point other = *p;
  other.point.feature = anchor->feature;
  memcpy(other.local, anchor->local, sizeof other.local);
  const fb_contact_point* there = &at->points[find_feature(s, d, at, &other)];
  double local[3], beside[3], x[3], apart[3];
  fb_hard_find_local(s, d, p, there->p_b, local);
  for (int i = 0; i < 3; i++) beside[i] = local[i] + p->local[i] - anchor->local[i];
  fb_hard_from_local(s, d, p, beside, x);
  for (int i = 0; i < 3; i++) apart[i] = x[i] - there->p_b[i];
  p->point = *there;
  /* The surfaces as planes: that of b through its point, that of a inclined to it. */
  double along = dot3(apart, there->normal);
  for (int i = 0; i < 3; i++) {
    p->point.p_b[i] = x[i] - along * there->normal[i];
    p->point.p_a[i] = x[i] + there->gap * there->normal[i];
  }
  p->point.gap = there->gap + along;
}

/* Finds a point again: on the same feature, or else the nearest of its pair that belongs to no other, as where
 * contact passes from a face to an edge; or else beside another of its pair. The lowest point of a rim jumps to its
 * other side as the rim passes the level: a point so far away is a different one, and is replaced by the nearest too.
 * `at`: found with the bodies at the same d, or none. */
static int find_again(const fb_sim* s, const fb_data* d, fb_hard_meeting* at, fb_hard_point* p) {
  static const double FAR = 0.5;
  find_meeting(s, d, p, at);
  const fb_contact_point* points = at->points;
  int feature = p->point.feature, n = at->n, found = find_feature(s, d, at, p);
  p->handed = 0;
  if (n == 0) return 0;
  const fb_hard_anchor* anchor = NULL;
  if (found < 0) {
    found = find_free(s, d, at, p);
    p->handed = found >= 0;
    if (found < 0) anchor = find_anchor(s->contact.hard, at, p);
  } else if (n > 1 && fb_hard_moved(s, d, p, &points[found]) > FAR * norm3(p->local)) {
    for (int i = 0; i < n; i++)
      if (fb_hard_moved(s, d, p, &points[i]) < fb_hard_moved(s, d, p, &points[found])) found = i;
  }
  if (anchor)
    put_beside(s, d, at, anchor, p);
  else
    p->point = points[found < 0 ? 0 : found];
  p->point.feature = feature;
  return 1;
}

/* The slip direction of a closed point. A slow slip keeps its direction, or has the predicted one (slip_direction.c):
 * the true one turns at the rate of friction over speed, which steps cannot follow. So friction across that direction
 * stops the slip across it within about a step. Until slip reverses it keeps its direction, and an event ends it:
 * slip against the direction counts as slip along it, which does not change the part across it. A straight slip has
 * no part across it, and friction across, which is the stiffer the slower the slip, would only keep steps short: a
 * small part of it is kept, against rounding. */
static void find_slip_direction(fb_hard_point* p, const fb_hard_memory* m) {
  double share = fmax(0, 1 - norm2(p->rate[1], p->rate[2]) / (FB_SLIP_TOLERANCES * m->slip_tolerance)),
         slip_direction[2], along = 0;
  const double* predicted_direction =
      is_zero3(m->predicted_direction) ? m->slip_direction : m->predicted_direction;
  static const double LITTLE = 1e-3;
  double counts =
      fb_hard_goes_straight(m) ? LITTLE + (1 - LITTLE) * pow(1 - share, 4) : 1; /* of the part across */
  for (int i = 0; i < 2; i++) along += p->rate[1 + i] * dot3(p->tangent[i], m->slip_direction);
  for (int i = 0; i < 2; i++) {
    double local = dot3(p->tangent[i], m->slip_direction), across = p->rate[1 + i] - along * local;
    slip_direction[i] = fabs(along) * local + counts * across +
                        m->slip_tolerance * share * share * dot3(p->tangent[i], predicted_direction);
  }
  double size = norm2(slip_direction[0], slip_direction[1]);
  for (int k = 0; k < 3; k++)
    p->slip_direction[k] =
        size > 0 ? (slip_direction[0] * p->tangent[0][k] + slip_direction[1] * p->tangent[1][k]) / size : 0;
}

int fb_hard_is_same(const fb_hard_point* p, const fb_contact_point* other, double apart) {
  static const double NEAR = 1e-6; /* of the distance from the origin of its frame; and of normals [rad] */
  double turned[3];
  for (int k = 0; k < 3; k++) turned[k] = p->point.normal[k] - other->normal[k];
  return apart < NEAR * norm3(p->local) && norm3(turned) < NEAR;
}

/* Whether another point of the pair is at the same place, with the same normal: the division of force between them
 * would be rounding. */
static int is_doubled(const fb_hard_contacts* w, const fb_hard_point* p) {
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* other = &w->points[i];
    double apart[3];
    if (!fb_is_of_pair(p, other->contact, other->a, other->b)) continue;
    for (int k = 0; k < 3; k++) apart[k] = p->local[k] - other->local[k];
    if (fb_hard_is_same(p, &other->point, norm3(apart))) return 1;
  }
  return 0;
}

static void add_anchor(fb_hard_contacts* w, int contact, int a, int b, int feature, const double local[3]) {
  fb_hard_anchor* x = &w->anchors[w->nanchor++];
  *x = (fb_hard_anchor){.contact = contact, .a = a, .b = b, .feature = feature};
  memcpy(x->local, local, sizeof x->local);
}

static void anchor_at_memory(fb_sim* s) {
  s->contact.hard->nanchor = 0;
  for (int i = 0; i < s->contact.head->nremembered; i++) {
    const fb_hard_memory* m = &s->contact.remembered[i];
    add_anchor(s->contact.hard, m->contact, m->a, m->b, m->feature, m->local);
  }
}

static void anchor_at_points(fb_hard_contacts* w) {
  w->nanchor = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    add_anchor(w, p->contact, p->a, p->b, p->point.feature, p->local);
  }
}

/* The largest gap of a closed point at the end of a step: not more than it moves in its time. A change of feature
 * happens at a gap of zero; a change of normal or curvature then shows as a rate (hard_locate.c, drift_at). */
static double most_off(const fb_sim* s, const fb_hard_point* p, double slack, double time) {
  static const double SLACKS = 20;
  double most = SLACKS * slack + time * norm3(p->rate);
  return p->handed && isfinite(fb_hard_drift(s)) ? fmin(most, FB_HARD_HANDED) : most;
}

/* No motion changes the depth of balls centred on the joint between them: such a point is not lost. */
static int is_at_rest(const fb_hard_point* p) {
  return !p->handed && fabs(p->rate[0]) <= FB_HARD_SLOW;
}

/* time: since the start of the step, or INFINITY: at any distance. Returns how many were lost because they are
 * farther off. */
static int find_points(fb_sim* s, const double* q, const double* v, double time) {
  fb_hard_contacts* w = s->contact.hard;
  int lost = 0;
  double slack = fb_hard_slack(s, q);
  anchor_at_memory(s);
  const fb_data* d = fb_hard_kinematics(s, q, v);
  fb_hard_meeting at;
  at.contact = -1;
  w->npoint = 0;
  for (int i = 0; i < s->contact.head->nremembered; i++) {
    const fb_hard_memory* m = &s->contact.remembered[i];
    fb_hard_point* p = &w->points[w->npoint];
    *p = (fb_hard_point){m->contact, m->a, m->b, m->state, .point = {.feature = m->feature}};
    memcpy(p->force, m->force, sizeof p->force);
    memcpy(p->local, m->local, sizeof p->local);
    if (!find_again(s, d, &at, p)) {
      lost++;
      continue;
    }
    memcpy(p->origin, w->origin, sizeof p->origin);
    fb_hard_meet(s, p);
    fb_hard_find_local(s, d, p, p->point.p_b, p->local);
    if (is_doubled(w, p)) continue;
    fb_hard_find_tangents(p->point.normal, p->tangent);
    fb_hard_find_rates(s, d, p);
    if (isfinite(time) && !(fabs(p->point.gap) <= most_off(s, p, slack, time))) {
      lost += !is_at_rest(p);
      continue;
    }
    find_slip_direction(p, m);
    w->npoint++;
  }
  return lost;
}

void fb_hard_find_closed(fb_sim* s, const double* q, const double* v) {
  find_points(s, q, v, INFINITY);
}

int fb_hard_find_kept(fb_sim* s, const double* y, double time) {
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

/* Accelerations below this [m/s^2] are zero: they move nothing by a rounding within a century, and equations in numbers
 * near the smallest that there are have no meaning. */
static const double NOTHING = 1e-30;

/* The rounding of the differences of rates [m/s^2]. */
double fb_hard_noise(const fb_sim* s, const double* y) {
  double most = 0, turn = 0, far = 0;
  const double *q = s->contact.hard->local_q, *v = s->contact.hard->local_v;
  fb_hard_go_local(s, y, y + s->nq);
  for (int k = 0; k < s->nv; k++) {
    most = fmax(most, fabs(v[k]));
    if (!s->chart.is_length[k]) turn = fmax(turn, fabs(v[k]));
  }
  for (int k = 0; k < s->nq; k++) far = fmax(far, fabs(q[k]));
  return 16 * DBL_EPSILON * (most + far * turn) / longest_time(s, v) + NOTHING;
}

int fb_hard_probe_ahead(const fb_sim* s, const fb_data* d, const fb_hard_point* p, fb_hard_meeting* at,
                        double u[3], double n[3]) {
  fb_hard_point there = *p;
  if (find_again(s, d, at, &there)) fb_hard_meet(s, &there);
  fb_contact_point_velocity(s->m, d, fb_point_a(s, p), fb_point_b(s, p), &there.point, u);
  memcpy(n, there.point.normal, sizeof there.point.normal);
  for (int i = 0; i < at->n; i++)
    if (at->points[i].feature == p->point.feature) return 1;
  return 0;
}

/* Rates along three rows of every point, the velocities staying: at the times -2, -1, 1, 2 times `time`, into
 * samples[4][nrow]. The rate of n . u counts for the normal; tangents are used only where u is zero. */
static void sample(fb_sim* s, const double* q, const double* v, double time, double* samples) {
  static const double AT[] = {-2, -1, 1, 2};
  const fb_hard_contacts* w = s->contact.hard;
  fb_hard_go_local(s, q, v);
  for (int side = 0; side < 4; side++) {
    double* x = samples + (size_t)side * (size_t)w->nrow;
    fb_integrate(s->m, w->local_q, w->local_v, AT[side] * time, w->q);
    const fb_data* d = fb_hard_local_kinematics(s, w->q);
    fb_hard_meeting at;
    at.contact = -1;
    for (int i = 0; i < w->npoint; i++) {
      const fb_hard_point* p = &w->points[i];
      double u[3], n[3];
      fb_hard_probe_ahead(s, d, p, &at, u, n);
      x[3 * i] = dot3(n, u);
      for (int k = 0; k < 2; k++) x[3 * i + 1 + k] = dot3(p->tangent[k], u);
    }
  }
}

/* The rate of change of a rate: from samples on both sides, of fourth order and of second; after and before the
 * instant, of second. */
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

/* Of the three rows of a point, `now` over a shorter time than `last`. Across an edge or the end of a rim slopes
 * jump, and differences over both sides are a mean, however short. There those after the instant are used, which
 * forces have to balance, or those before it where the edge is still ahead. 0: none has converged: those over the
 * longest time are kept, which a jump of the rates themselves changes least. */
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

void fb_hard_bias(fb_sim* s, const double* q, const double* v, double* bias) {
  enum { MOST = 5 };
  static const double SHORTER = 0.125;
  fb_hard_contacts* w = s->contact.hard;
  double time = longest_time(s, v);
  anchor_at_points(w);
  int left = w->npoint, *done = w->ints + w->room_rows;
  memset(done, 0, (size_t)w->npoint * sizeof *done);
  for (int round = 0; round < MOST && left > 0; round++, time *= SHORTER) {
    size_t half = 4 * (size_t)w->room_rows;
    double *samples = w->samples + half * (size_t)(round % 2),
           *last = w->samples + half * (size_t)((round + 1) % 2);
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

void fb_hard_row_accelerations(fb_sim* s, const double* y, double* a) {
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_rates(s, y, s->vdot, a);
  for (int i = 0; i < w->nrow; i++) a[i] = fabs(a[i] + w->gained[i]) > NOTHING ? a[i] + w->gained[i] : 0;
}

/* ---- forces ---- */

/* The equations of the modes: the active rows and columns of A, with friction of slip in the columns. The unknowns of
 * point i begin at first[i]. */
static int pose_modes(fb_sim* s, const double* a, double* K, double* rhs) {
  fb_hard_contacts* w = s->contact.hard;
  int count = 0, *at = w->ints;
  for (int i = 0; i < w->npoint; i++)
    for (int k = 0; k < (w->points[i].state == FB_CONTACT_STICKS ? 3 : 1); k++) at[count++] = 3 * i + k;
  for (int r = 0; r < count; r++) {
    rhs[r] = -a[at[r]];
    for (int c = 0; c < count; c++) {
      const fb_hard_point* p = &w->points[at[c] / 3];
      double k = fb_hard_response(w, at[r], at[c]);
      if (p->state == FB_CONTACT_SLIPS) {
        double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
        for (int t = 0; t < 2; t++)
          k -= mu * dot3(p->slip_direction, p->tangent[t]) * fb_hard_response(w, at[r], at[c] + 1 + t);
      }
      K[r * count + c] = k;
    }
  }
  return count;
}

/* Unknowns of the modes as forces along all rows: P [3 npoint]. */
static void spread(const fb_sim* s, const double* f, double* P) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < w->npoint; i++, P += 3) {
    const fb_hard_point* p = &w->points[i];
    double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
    int sticks = p->state == FB_CONTACT_STICKS;
    P[0] = f[0];
    for (int t = 0; t < 2; t++)
      P[1 + t] = sticks ? f[1 + t] : -mu * P[0] * dot3(p->slip_direction, p->tangent[t]);
    f += sticks ? 3 : 1;
  }
}

/* Powers of the forces, into the rates of the contacts' states. */
static void add_powers(fb_sim* s, double* xdot) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    double* rate = xdot + s->block.state_offset[w->block[p->contact]];
    rate[FB_CONTACT_X_NORMAL] += dot3(p->force, p->point.normal) * p->rate[0];
    if (p->state == FB_CONTACT_STICKS) continue; /* rates that are rounding */
    for (int t = 0; t < 2; t++) rate[FB_CONTACT_X_FRICTION] += dot3(p->force, p->tangent[t]) * p->rate[1 + t];
  }
}

/* The forces for the modes of all points; after fb_hard_find_closed. Returns the number of unknowns. */
static int find_forces(fb_sim* s, const double* y) {
  fb_hard_contacts* w = s->contact.hard;
  const double* v = y + s->nq;
  fb_hard_pose_all(s);
  fb_hard_bias(s, y, v, w->gained);
  fb_hard_row_accelerations(s, y, w->u);
  fb_hard_responses(s, y);
  fb_hard_note_responses(w);
  int n = pose_modes(s, w->u, w->K, w->before);
  memcpy(w->P, w->before, (size_t)n * sizeof *w->P);
  fb_hard_solve_modes(s, w->K, n, w->P);
  fb_hard_share(s, w->K, w->before, n, w->P);
  spread(s, w->P, w->sum);
  for (int i = 0; i < w->npoint; i++) fb_hard_take_force(&w->points[i], w->sum + 3 * i, 1);
  return n;
}

/* Removes from s->vdot the rounding of large forces that nearly cancel, in accelerations that must be zero. n
 * unknowns. */
static void correct(fb_sim* s, const double* y, int n) {
  fb_hard_contacts* w = s->contact.hard;
  const int* at = w->ints;
  fb_hard_row_accelerations(s, y, w->u);
  for (int r = 0; r < n; r++) w->P[r] = -w->u[at[r]];
  fb_hard_solve_modes(s, w->K, n, w->P);
  spread(s, w->P, w->sum);
  fb_hard_respond(s, w->sum, w->x);
  for (int k = 0; k < s->nv; k++) s->vdot[k] += w->x[k];
}

void fb_hard_flow(fb_sim* s, const double* y, double* xdot) {
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_find_closed(s, y, y + s->nq);
  if (w->npoint == 0) return;
  int unknowns = fb_hard_by_steps(s) ? 0 : find_forces(s, y); /* else those of the last step */
  add_powers(s, xdot);
  fb_hard_push(s, fb_hard_kinematics(s, y, y + s->nq));
  fb_flow_accelerate(s, y, NULL);
  if (unknowns > 0) correct(s, y, unknowns);
}
