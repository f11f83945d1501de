/* impulse.c -- impulses of contacts, solved simultaneously
 *
 *   Newton    u_N+ >= -e u_N-,  complementary to P_N;  Coulomb's cone on the velocity after the impact. Friction can do
 *             positive work where the slip reverses: it is counted.
 *   Poisson   compression to u_N >= 0 gives P_c; expansion follows with P_N = e P_c + y, 0 <= y _|_ u_N >= 0. No energy is
 *             gained.
 *
 * Moreau 1988; Anitescu and Potra 1997; Glocker and Pfeiffer 1995. Rates before are `before`, and finite forces add
 * `gained` (a step of moreau; zero in an event-driven impact), half of it and `more` before the impact: a bounce
 * within a step returns e times the rate at the impact, followed by free motion for the rest of the step. The work of
 * a point is P . (u- + u+) / 2.
 * */
#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"

/* What a force of point i takes from the rate of a row in a step. */
static double taken_by(const fb_hard_contacts* w, int row, int i, const double force[3]) {
  const fb_hard_point* p = &w->points[i];
  const int at = w->cone_row[i];
  double rate = fb_hard_response(w, row, at) * w->h * dot3(force, p->point.normal);
  for (int k = 1; k < fb_cone_rows(&w->cones[i]); k++)
    rate += fb_hard_response(w, row, at + k) * w->h * dot3(force, p->tangent[k - 1]);
  return -rate;
}

/* The island of a row. Those of its cones that are points come first. */
static const fb_island* island_of(const fb_hard_contacts* w, int row) {
  return &w->islands[w->island_of[row]];
}

double fb_hard_most_gained(const fb_hard_contacts* w) {
  double most = 0;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++]))
    most = fmax(most, fabs(w->gained[row]));
  return most;
}

/* The slowest rebound: slower ones are returned by forces within a step. Loads of other lasting contacts are
 * included, since a body on a resting one does not fall with it. With these, steps are not divided (moreau.c), and a
 * displacement out of penetration lifts the bodies above: rebounds must be larger than its effect. Impulses of the last step
 * count as far as finite forces could be their reason. */
static double slowest_rebound(const fb_hard_contacts* w, int row, const fb_hard_point* p) {
  static const double AMONG_OTHERS = 4;
  double loads = 0, impulses = 0, by = 1;
  const fb_island* in = island_of(w, row);
  for (int at = 0; p && at < in->ncone && in->cones[at] < w->npoint; at++) {
    const int i = in->cones[at];
    const fb_hard_point* other = &w->points[i];
    if (fb_is_of_pair(p, other->contact, other->a, other->b) || is_zero3(other->force) || other->leaves)
      continue;
    by = AMONG_OTHERS;
    loads += taken_by(w, row, i, other->load);
    impulses += taken_by(w, row, i, other->force);
  }
  impulses = fmin(impulses, fb_hard_most_gained(w));
  return by * (fmax(loads, impulses) - w->gained[row]);
}

/* The coefficient of limit or contact of a normal row. */
static double coefficient(const fb_sim* s, int row, const fb_hard_point* p) {
  const fb_hard_contacts* w = s->contact.hard;
  if (p) return fb_hard_block_memory(s, p->contact)[FB_HARD_RESTITUTION];
  return w->limit_of[row] >= 0 ? s->limit.list[w->limit_of[row]].restitution : 0;
}

/* Whether a rebound of row i, which approaches, drives the body between it and row j, which separates, against j, with
 * impacts at both in turn without end:
 *   (1 + e_i) (1 + e_j) A_ij^2 / (A_ii A_jj) >= (sqrt e_i + sqrt e_j)^2,
 * the condition that one impact at each in turn has real eigenvalues, which leave nothing in the limit; or with a
 * gain of energy: P_i (1 - e_i) u_i + P_j u_j > 0. In both cases there is no rebound. */
static int collapses(const fb_hard_contacts* w, int i, int j, double ei, double ej) {
  const double ui = w->before[i], uj = w->before[j], both = sqrt(ei) + sqrt(ej);
  const double a = fb_hard_response(w, i, i), b = fb_hard_response(w, i, j), d = fb_hard_response(w, j, j),
               free = a * d - b * b;
  if (!(a > 0 && d > 0 && b < 0 && a * uj - b * (1 + ei) * ui < 0)) return 0;
  if ((1 + ei) * (1 + ej) * b * b >= both * both * a * d) return 1;
  const double Pi = (b * uj - d * (1 + ei) * ui) / free, Pj = (b * (1 + ei) * ui - a * uj) / free;
  return Pi * (1 - ei) * ui + Pj * uj > 0;
}

static int collapses_with_any(const fb_sim* s, int row, double e, double slow) {
  const fb_hard_contacts* w = s->contact.hard;
  const fb_island* in = island_of(w, row);
  for (int k = 0; k < in->ncone; k++) {
    const int i = in->cones[k], at = w->cone_row[i];
    const fb_hard_point* p = i < w->npoint ? &w->points[i] : NULL;
    if (at == row || w->cones[i].kind == FB_CONE_BOX) continue;
    if (!(w->before[at] > fmax(slow, fabs(w->gained[at])))) continue;
    if (collapses(w, row, at, e, coefficient(s, at, p))) return 1;
  }
  return 0;
}

/* The restitution of the limit or contact of row i: its coefficient, 0 when it is too slow, so that it rests. The row
 * is a normal one. */
static double restitution(const fb_sim* s, int row, const fb_hard_point* p, double slow) {
  const fb_hard_contacts* w = s->contact.hard;
  static const double ROUNDING = 1e-9; /* of the rate gained from forces in a step */
  const double e = coefficient(s, row, p), approach = -w->before[row];
  return e > 0 && !(p && fb_hard_lasts(s, p)) && approach > fmax(slow, ROUNDING * fabs(w->gained[row])) &&
                 e * approach > slowest_rebound(w, row, p) && !collapses_with_any(s, row, e, slow)
             ? e
             : 0;
}

static int is_poisson(const fb_sim* s, const fb_hard_point* p) {
  return p && (s->contact.hard->all_poisson ||
               fb_hard_contact(s, p->contact)->how.restitution_law == FB_RESTITUTION_POISSON);
}

/* The point of cone i, in the order of fb_hard_pose; NULL: of a coordinate. */
static const fb_hard_point* point_of(const fb_hard_contacts* w, int cone) {
  return cone < w->npoint ? &w->points[cone] : NULL;
}

/* The part of the rates from finite forces that follows after the impact. */
static double late(const fb_hard_contacts* w, int row) {
  return 0.5 * w->gained[row] - w->more[row];
}

/* The rates before compression. Where points last, forces act after it, so that a point at rest does not rebound by
 * its weight. */
static void pose_compression(fb_hard_contacts* w, const fb_island* in) {
  for (int k = 0; k < in->n; k++) {
    const int i = in->rows[k];
    w->c[i] = w->before[i] + (fb_hard_is_divided(w) ? w->gained[i] - late(w, i) : 0);
  }
}

/* Whether other contacts carry loads of what a point touches, which finite forces alone would move. */
static int is_carried(const fb_hard_contacts* w, int row, int rows) {
  const fb_island* in = island_of(w, row);
  for (int c = 0; c < in->ncone && in->cones[c] < w->npoint; c++) {
    const int i = in->cones[c], at = w->cone_row[i];
    if (at == row || is_zero3(w->points[i].load)) continue;
    for (int k = 0; k < rows; k++)
      for (int j = 0; j < fb_cone_rows(&w->cones[i]); j++)
        if (fb_hard_response(w, row + k, at + j) != 0) return 1;
  }
  return 0;
}

/* A point that rebounds: its rate at the end of the step is that returned by the impact plus the contribution of
 * finite forces until then; its slip likewise, unless other contacts carry the body: a point that sticks in an impact
 * would have friction against the slip that forces alone would give. */
static void pose_rebound(fb_hard_contacts* w, int row, int rows, double e) {
  double met = w->before[row] + w->gained[row] - late(w, row), rate = late(w, row) - e * met;
  if (!(rate > 0)) return;
  w->c[row] -= rate;
  for (int k = 1; k < rows && !is_carried(w, row, rows); k++) w->c[row + k] -= late(w, row + k);
  memset(w->closing + row, 0,
         (size_t)rows * sizeof *w->closing); /* it has separated by the end of the step */
}

/* c for Newton's law, and whether Poisson's law applies to any row. */
static int pose_newton(fb_sim* s, const fb_island* in, double slow) {
  fb_hard_contacts* w = s->contact.hard;
  int expands = 0;
  for (int at = 0; at < in->ncone; at++) {
    const int i = in->cones[at], row = w->cone_row[i];
    const fb_hard_point* p = point_of(w, i);
    double e = w->cones[i].kind == FB_CONE_BOX ? 0 : restitution(s, row, p, slow);
    expands |= e > 0 && is_poisson(s, p);
    for (int k = 0; k < fb_cone_rows(&w->cones[i]); k++) w->c[row + k] = w->before[row + k];
    if (e > 0 && !is_poisson(s, p)) pose_rebound(w, row, fb_cone_rows(&w->cones[i]), e);
  }
  return expands;
}

/* Compression is in w->P: adds it to the sum, with the expansion that follows from it, and sets up the problem of the
 * remaining expansion. */
static void pose_expansion(fb_sim* s, const fb_island* in, double slow) {
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < in->n; i++) w->sum[in->rows[i]] = w->P[in->rows[i]];
  for (int at = 0; at < in->ncone; at++) {
    const int i = in->cones[at], row = w->cone_row[i];
    const fb_hard_point* p = point_of(w, i);
    double more = is_poisson(s, p) ? restitution(s, row, p, slow) * fmax(0, w->P[row]) : 0;
    if (w->cones[i].kind == FB_CONE_COULOMB) w->cones[i].lo = more;
    w->sum[row] += more;
  }
  pose_compression(w, in);
  fb_island_add_response(s, in, w->sum, w->c);
  for (int i = 0; i < in->n; i++) w->P[in->rows[i]] = 0;
}

/* And then of finite forces. */
static void pose_forces(const fb_sim* s, const fb_island* in) {
  fb_hard_contacts* w = s->contact.hard;
  for (int k = 0; k < in->n; k++) {
    const int i = in->rows[k];
    w->sum[i] += w->P[i];
    w->c[i] = w->before[i] + w->gained[i] + w->closing[i];
    w->P[i] = 0;
  }
  for (int i = 0; i < in->ncone; i++)
    if (w->cones[in->cones[i]].kind == FB_CONE_COULOMB) w->cones[in->cones[i]].lo = 0;
  fb_island_add_response(s, in, w->sum, w->c);
}

/* Of the rates around the impact. */
static double mean_rate(const fb_hard_contacts* w, int row) {
  return 0.5 * (w->before[row] + w->u[row]) + w->more[row];
}

/* Works of all points. How that of an impact divides into normal and friction depends on the path from one velocity
 * to the other: on the straight one it is P . (u- + u+) / 2 row by row, and that of friction may be positive. If all
 * normal impulses came first it would be P_T . u_T+ - P_T . A P_T / 2, which is negative. So positive work of
 * friction is counted as normal work, except with Newton's restitution, which does gain energy where slip reverses. */
static void enter_work(fb_sim* s, const fb_island* in, double slow) {
  fb_hard_contacts* w = s->contact.hard;
  for (int at = 0; at < in->ncone && in->cones[at] < w->npoint; at++) {
    const int i = in->cones[at], row = w->cone_row[i];
    const fb_hard_point* p = &w->points[i];
    double normal = w->P[row] * mean_rate(w, row), friction = 0, rates = 0;
    int bounces = !is_poisson(s, p) && restitution(s, row, p, slow) > 0;
    for (int k = 1; k < fb_cone_rows(&w->cones[i]); k++) friction += w->P[row + k] * mean_rate(w, row + k);
    for (int k = 0; k < fb_cone_rows(&w->cones[i]); k++)
      rates += fabs(w->before[row + k]) + fabs(w->gained[row + k]) + fabs(w->u[row + k]);
    if (!bounces && friction > 0) {
      normal += friction;
      friction = 0;
    }
    w->works[2 * p->contact] += normal;
    w->works[2 * p->contact + 1] += friction;
    if (!(friction > 1e-9 * fabs(w->P[row]) * rates)) continue;
    w->gains++;
    w->rubbed[p->contact] += friction;
  }
}

/* Whether a contact with friction rebounds by Newton's law. */
static int any_rubs_and_rebounds(const fb_sim* s, const fb_island* in, double slow) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int at = 0; at < in->ncone && in->cones[at] < w->npoint; at++) {
    const int i = in->cones[at];
    const fb_hard_point* p = &w->points[i];
    if (w->cones[i].mu > 0 && !is_poisson(s, p) && restitution(s, w->cone_row[i], p, slow) > 0) return 1;
  }
  return 0;
}

/* Whether a new impact is met by a point with friction. */
static int any_rubs_and_meets(const fb_sim* s, const fb_island* in) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int at = 0; at < in->ncone && in->cones[at] < w->npoint; at++) {
    const int i = in->cones[at];
    if (w->cones[i].mu > 0 && w->before[w->cone_row[i]] < -FB_HARD_SLOW && !fb_hard_lasts(s, &w->points[i]))
      return 1;
  }
  return 0;
}

/* The normals of an island of free bodies, those in `rows`; or A of them, into w->K. */
static const fb_cone_bodies* take_normals(fb_hard_contacts* w, const fb_island* in, const int* rows, int n,
                                          fb_cone_bodies* normals) {
  if (!in->of_bodies) {
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        w->K[(size_t)i * (size_t)n + (size_t)j] = fb_hard_response(w, rows[i], rows[j]);
    return NULL;
  }
  *normals = in->bodies;
  for (int i = 0; i < n; i++) {
    const int at = w->local[rows[i]];
    memcpy(w->normal_J + 12 * i, in->bodies.J + 12 * at, 12 * sizeof *w->normal_J);
    memcpy(w->normal_ends + 2 * i, in->bodies.ends + 2 * at, 2 * sizeof *w->normal_ends);
  }
  normals->J = w->normal_J;
  normals->ends = w->normal_ends;
  return normals;
}

/* The least impulses without friction, into w->P; 0 where there are none. */
static int solve_without_friction(fb_sim* s, const fb_island* in) {
  fb_hard_contacts* w = s->contact.hard;
  int n = 0, *at = w->ints;
  for (int i = 0; i < in->ncone; i++)
    if (w->cones[in->cones[i]].kind != FB_CONE_BOX) at[n++] = w->cone_row[in->cones[i]];
  for (int i = 0; i < n; i++) {
    w->normals[i] = (fb_cone){FB_CONE_NORMAL, 0, 0, 0};
    w->samples[i] = w->c[at[i]];
    w->soon[i] = 0;
  }
  fb_cone_bodies normals;
  const fb_cones_problem problem = {.ncone = n,
                                    .n = n,
                                    .cones = w->normals,
                                    .A = w->K,
                                    .bodies = take_normals(w, in, at, n, &normals),
                                    .c = w->samples};
  if (fb_cones_solve(&problem, w->soon, w->work, w->ints + w->room_rows).status != FB_CONES_SOLVED) return 0;
  for (int i = 0; i < in->n; i++) w->P[in->rows[i]] = 0;
  for (int i = 0; i < n; i++) w->P[at[i]] = w->soon[i];
  return 1;
}

/* With friction an impact may have several solutions: flush faces may jam, by friction that no slip requires. The guess becomes
 * the solution which continues that without friction, where Newton's method arrives at it; else it stays as it is. */
static void guess_without_friction(fb_sim* s, const fb_island* in) {
  enum { STEPS = 10 };
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < in->n; i++) w->u[in->rows[i]] = w->P[in->rows[i]];
  if (solve_without_friction(s, in) && fb_island_improve(s, in, STEPS)) return;
  for (int i = 0; i < in->n; i++) w->P[in->rows[i]] = w->u[in->rows[i]];
}

/* The impulses P of each contact of an island by its law. */
static void solve_by_laws(fb_sim* s, fb_island* in, double slow) {
  fb_hard_contacts* w = s->contact.hard;
  w->met = 0;
  int expands = pose_newton(s, in, slow), iterations = 0;
  for (int i = 0; i < in->n; i++) w->sum[in->rows[i]] = 0;
  if (expands) {
    pose_compression(w, in);
    if (any_rubs_and_meets(s, in)) guess_without_friction(s, in);
    if (fb_island_solve(s, in) == FB_CONES_NONE) return;
    iterations = w->result.iterations;
    for (int k = 0; k < in->n; k++)
      w->met = fmax(w->met, fabs(w->before[in->rows[k]]) + fabs(w->gained[in->rows[k]]));
    pose_expansion(s, in, slow);
    if (fb_island_solve(s, in) == FB_CONES_NONE) return;
    iterations += w->result.iterations;
    pose_forces(s, in);
  } else {
    for (int k = 0; k < in->n; k++) w->c[in->rows[k]] += w->gained[in->rows[k]] + w->closing[in->rows[k]];
    if (any_rubs_and_meets(s, in)) guess_without_friction(s, in);
  }
  for (int i = 0; i < in->n; i++) w->soon[in->rows[i]] = w->P[in->rows[i]];
  if (fb_island_solve(s, in) == FB_CONES_SOLVED && w->h > 0 && !any_rubs_and_meets(s, in))
    fb_hard_share_impulses(s, in, w->soon);
  in->used = w->result.iterations += iterations;
}

/* Where friction on a slip that reverses takes more of the rebound than the normal impulse gives, whatever its size, Newton's law
 * has no solution: a link on a hinge that swings into the ground, with mu above its height over its length. Then Poisson's
 * acts, for all contacts of the island. */
static void solve_island(fb_sim* s, fb_island* in, double slow) {
  static const double OFF = 1e-6; /* as of a step that is said to be inexact */
  fb_hard_contacts* w = s->contact.hard;
  const double off = w->off;
  solve_by_laws(s, in, slow);
  if (w->result.status == FB_CONES_INEXACT && w->result.residual > OFF &&
      any_rubs_and_rebounds(s, in, slow)) {
    w->off = off;
    w->all_poisson = 1;
    for (int i = 0; i < in->n; i++) w->P[in->rows[i]] = 0;
    solve_by_laws(s, in, slow);
  }
  for (int k = 0; k < in->n; k++) {
    const int i = in->rows[k];
    w->P[i] += w->sum[i];
    w->u[i] = w->before[i] + w->gained[i];
  }
  fb_island_add_response(s, in, w->P, w->u);
  enter_work(s, in, slow);
  w->all_poisson = 0;
  w->met = 0;
}

fb_cones_status fb_hard_impulses(fb_sim* s, double slow) {
  fb_hard_contacts* w = s->contact.hard;
  fb_cones_result worst = {FB_CONES_SOLVED, FB_CONES_AUTO, 0, 0};
  for (fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    solve_island(s, in, slow);
    fb_hard_worse_result(&worst, &w->result);
  }
  w->result = worst;
  return worst.status;
}

/* The active rows are the same for both, so that impulses are linear in the rates gained. */
fb_cones_status fb_hard_jam(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  fb_cones_status status = FB_CONES_SOLVED;
  for (int times = 2; times > 0; times--) {
    memcpy(w->sum, w->P, (size_t)w->nrow * sizeof *w->P);
    for (int i = 0; i < w->nrow; i++) w->c[i] = w->before[i] + times * w->gained[i];
    status = fb_hard_solve(s);
    if (status == FB_CONES_NONE) return status;
  }
  for (int i = 0; i < w->nrow; i++) {
    w->P[i] = 2 * w->P[i] - w->sum[i];
    w->u[i] = w->before[i];
    w->gained[i] = 0;
  }
  for (const fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    fb_island_add_response(s, in, w->P, w->u);
    enter_work(s, in, INFINITY);
  }
  return status;
}
