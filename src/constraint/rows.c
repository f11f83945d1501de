/* rows.c -- what the loops of a model take away: errors, rates and accelerations along rows
 *
 * With r from a's origin to b's, e_i three axes fixed in a (e_3 the loop's own), n the loop's axis fixed in b:
 *   origins      g_i = e_i . r              J v = e_i . (v_b - v_a - w_a x r)
 *   attitudes    g = log(R_a^T R_b)         J v = e_i . w
 *   parallel     g_i = e_i . n, i = 1, 2    J v = (n x e_i) . w
 *   right angle  g = e_3 . n                J v = (n x e_3) . w
 *   distance     g = |r| - length           J v = (r / |r|) . (v_b - v_a)
 *   gear         g = q_a - sum ratio q_b - offset
 * with w = w_b - w_a. Axes stand still in a, so these are exact rates, and with u = v_b - v_a - w_a x r, which a sees,
 *   (J v)' = e_i . (a_b - a_a - w'_a x r - w_a x (w_a x r) - 2 w_a x u)
 *   of axes z that turn:  z . w' + z' . w;   of a distance:  (r / |r|) . (a_b - a_a) + (|v|^2 - (J v)^2) / |r|,  v = v_b - v_a
 * r is added up along the path of the loop, so that it is exact however far out both frames are. */
#include "constraint/rows.h"

#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "dynamics/loads.h"
#include "math/vector3.h"
#include "model/record.inl"

/* Which origins, and how attitudes are bound, by the type of a loop. */
typedef enum turning { TURNS_FREELY, TURNS_PARALLEL, TURNS_SQUARE, TURNS_NOT } turning;
static const struct {
  unsigned origin; /* bit i: along axis i */
  turning turns;
} BINDS[] = {
    [FB_LOOP_WELD] = {7, TURNS_NOT},          [FB_LOOP_POINT] = {7, TURNS_FREELY},
    [FB_LOOP_REVOLUTE] = {7, TURNS_PARALLEL}, [FB_LOOP_UNIVERSAL] = {7, TURNS_SQUARE},
    [FB_LOOP_PRISMATIC] = {3, TURNS_NOT},     [FB_LOOP_PLANAR] = {4, TURNS_PARALLEL},
};

/* --- where they are --- */

/* Adds x to a sum of which `rest` is what its rounding has left out. [Knuth 1969] section 4.2.2 */
static void add_exactly(double sum[3], double rest[3], double by, const double x[3]) {
  for (int i = 0; i < 3; i++) {
    double before = sum[i], more = by * x[i];
    sum[i] = before + more;
    double added = sum[i] - before;
    rest[i] += (before - (sum[i] - added)) + (more - added);
  }
}

/* r, and the arms from the links' origins to b's. Arms from one far place to another cancel: sums that keep their rounding
 * leave as much error as there is in small mechanisms. */
static void find_arms(const fb_model* m, fb_data* d, int loop) {
  const fb_topology* t = &m->top;
  const int* site = t->loop_site + 2 * loop;
  double *arm = d->loop_arm + FB_ARM * loop, r[3] = {0, 0, 0}, rest[3] = {0, 0, 0}, link_arm[3];
  for (int at = t->loop_path[loop]; at < t->loop_path[loop + 1]; at++) {
    if (t->path_end[at] == FB_PATH_BOTH) break;
    fb_st3(link_arm, 0, fb_get3(fb_link(d, t->path_link[at]), FB_REC_ARM));
    add_exactly(r, rest, t->path_end[at] == FB_PATH_FROM_B ? 1 : -1, link_arm);
  }
  fb_link_arm(m, d, site[0], arm + FB_ARM_A);
  fb_link_arm(m, d, site[1], arm + FB_ARM_B);
  add_exactly(r, rest, 1, arm + FB_ARM_B);
  add_exactly(r, rest, -1, arm + FB_ARM_A);
  for (int i = 0; i < 3; i++) {
    r[i] += rest[i];
    arm[FB_ARM_A + i] += r[i];
    arm[FB_ARM_R + i] = r[i];
  }
}

double fb_rows_distance(const fb_model* m, fb_data* d, int loop) {
  find_arms(m, d, loop);
  return norm3(d->loop_arm + FB_ARM * loop + FB_ARM_R);
}

/* What a loop's rows are made of, world axes. */
typedef struct place {
  double R_a[9], R_b[9], e[3][3], n[3], w_a[3], w_b[3], *r;
} place;

static place find_place(const fb_model* m, fb_data* d, int loop) {
  const int* site = m->top.loop_site + 2 * loop;
  place p = {.r = d->loop_arm + FB_ARM * loop + FB_ARM_R};
  find_arms(m, d, loop);
  fb_frame_pose(m, d, site[0], NULL, p.R_a);
  fb_frame_pose(m, d, site[1], NULL, p.R_b);
  for (int i = 0; i < 3; i++) fb_rot_apply(p.R_a, d->par->loop_axes + 9 * loop + 3 * i, p.e[i]);
  fb_rot_apply(p.R_b, d->par->loop_normal + 3 * loop, p.n);
  fb_st3(p.w_a, 0, fb_get3(fb_link(d, m->top.site_link[site[0]]), FB_REC_W));
  fb_st3(p.w_b, 0, fb_get3(fb_link(d, m->top.site_link[site[1]]), FB_REC_W));
  return p;
}

static void set_row(fb_data* d, int row, double error, const double* linear, const double* angular) {
  double* direction = d->row_direction + FB_ROW_DIRECTION * row;
  memset(direction, 0, FB_ROW_DIRECTION * sizeof *direction);
  if (linear) memcpy(direction + FB_ROW_DIRECTION_LINEAR, linear, 3 * sizeof *direction);
  if (angular) memcpy(direction + FB_ROW_DIRECTION_ANGULAR, angular, 3 * sizeof *direction);
  d->row_error[row] = error;
}

/* n x e, and its rate; error is that of n . e. */
static void set_turning_row(fb_data* d, int row, const place* p, const double e[3], double error) {
  double direction[3], n_rate[3], e_rate[3], one[3], other[3],
      *rate = d->row_direction + FB_ROW_DIRECTION * row + FB_ROW_DIRECTION_ANGULAR_RATE;
  cross3(p->n, e, direction);
  set_row(d, row, error, NULL, direction);
  cross3(p->w_b, p->n, n_rate);
  cross3(p->w_a, e, e_rate);
  cross3(n_rate, e, one);
  cross3(p->n, e_rate, other);
  for (int i = 0; i < 3; i++) rate[i] = one[i] + other[i];
}

/* Axes that are far from parallel: the sine is small also where they point against each other. */
static double angle_over_sine(const place* p) {
  double cosine = dot3(p->e[2], p->n), sine = norm2(dot3(p->e[0], p->n), dot3(p->e[1], p->n));
  return sine > 0 ? atan2(sine, cosine) / sine : 1;
}

static int place_turning(fb_data* d, int row, turning turns, const place* p) {
  double error[3], by, axis_rate[3];
  switch (turns) {
    case TURNS_FREELY:
      break;
    case TURNS_PARALLEL:
      by = angle_over_sine(p);
      for (int i = 0; i < 2; i++) set_turning_row(d, row++, p, p->e[i], by * dot3(p->e[i], p->n));
      if (dot3(p->e[2], p->n) < -0.999) d->row_error[row - 2] = 3; /* the wrong way round */
      break;
    case TURNS_SQUARE:
      set_turning_row(d, row++, p, p->e[2], dot3(p->e[2], p->n));
      break;
    case TURNS_NOT:
      fb_rot_difference(p->R_b, p->R_a, error); /* from a to b, as w turns it */
      for (int i = 0; i < 3; i++, row++) {
        set_row(d, row, dot3(p->e[i], error), NULL, p->e[i]);
        cross3(p->w_a, p->e[i], axis_rate);
        memcpy(d->row_direction + FB_ROW_DIRECTION * row + FB_ROW_DIRECTION_ANGULAR_RATE, axis_rate,
               sizeof axis_rate);
      }
  }
  return row;
}

static void place_distance(fb_data* d, int loop, int row, const place* p) {
  double far = norm3(p->r), along[3];
  for (int i = 0; i < 3; i++) along[i] = far > 0 ? p->r[i] / far : p->e[2][i];
  set_row(d, row, far - d->loop_length[loop], along, NULL);
}

static void place_gear(const fb_model* m, fb_data* d, int loop, int row, const double* q) {
  double error = -d->par->loop_length[loop];
  for (int k = m->top.loop_gear[loop]; k < m->top.loop_gear[loop + 1]; k++)
    error += d->par->gear_ratio[k] * q[m->top.coordinate_q[m->top.gear_v[k]]];
  set_row(d, row, error, NULL, NULL);
}

void fb_rows_place(const fb_model* m, fb_data* d, const double* q) {
  for (int loop = 0; loop < m->top.nloop; loop++) {
    int type = m->top.loop_type[loop], row = m->top.loop_row[loop];
    if (type == FB_LOOP_GEAR) {
      place_gear(m, d, loop, row, q);
      continue;
    }
    place p = find_place(m, d, loop);
    if (type == FB_LOOP_DISTANCE) {
      place_distance(d, loop, row, &p);
      continue;
    }
    for (int i = 0; i < 3; i++)
      if (BINDS[type].origin >> i & 1) set_row(d, row++, dot3(p.e[i], p.r), p.e[i], NULL);
    place_turning(d, row, BINDS[type].turns, &p);
  }
}

/* --- how they move --- */

static double gear_rate(const fb_model* m, const fb_data* d, int loop, const double* v) {
  double rate = 0;
  for (int k = m->top.loop_gear[loop]; k < m->top.loop_gear[loop + 1]; k++)
    rate += d->par->gear_ratio[k] * v[m->top.gear_v[k]];
  return rate;
}

/* The motion of b relative to a, at b's origin, where links turn and move as those vectors of their records say. */
static void relative_motion(const fb_model* m, const fb_data* d, int loop, int turn_at, int move_at,
                            double turn[3], double move[3]) {
  const double* arm = d->loop_arm + FB_ARM * loop;
  memset(turn, 0, 3 * sizeof *turn);
  memset(move, 0, 3 * sizeof *move);
  for (int end = 0; end < 2; end++) {
    const double* link = fb_link(d, m->top.site_link[m->top.loop_site[2 * loop + end]]);
    double w[3], v[3], carried[3], by = end ? 1 : -1;
    fb_st3(w, 0, fb_get3(link, turn_at));
    fb_st3(v, 0, fb_get3(link, move_at));
    cross3(w, arm + (end ? FB_ARM_B : FB_ARM_A), carried);
    add_scaled3(turn, by, w);
    add_scaled3(move, by, v);
    add_scaled3(move, by, carried);
  }
}

void fb_rows_loop_rates(const fb_model* m, const fb_data* d, int loop, int turn_at, int move_at,
                        const double* v, double* rate) {
  double turn[3], move[3];
  if (m->top.loop_type[loop] == FB_LOOP_GEAR) {
    rate[m->top.loop_row[loop]] = gear_rate(m, d, loop, v);
    return;
  }
  relative_motion(m, d, loop, turn_at, move_at, turn, move);
  for (int row = m->top.loop_row[loop]; row < m->top.loop_row[loop + 1]; row++) {
    const double* direction = d->row_direction + FB_ROW_DIRECTION * row;
    rate[row] =
        dot3(direction + FB_ROW_DIRECTION_LINEAR, move) + dot3(direction + FB_ROW_DIRECTION_ANGULAR, turn);
  }
}

void fb_rows_rates(const fb_model* m, const fb_data* d, const double* v, double* rate) {
  for (int loop = 0; loop < m->top.nloop; loop++) fb_rows_loop_rates(m, d, loop, FB_REC_W, FB_REC_V, v, rate);
}

/* Adds what turning at w gives a point at arm: w x (w x arm). */
static void add_centripetal(double* a, double by, const double w[3], const double arm[3]) {
  double carried[3], inward[3];
  cross3(w, arm, carried);
  cross3(w, carried, inward);
  add_scaled3(a, by, inward);
}

/* How fast the origin of link i moves relative to its parent's, but for the parent's turning. */
static void sliding(const fb_model* m, const fb_data* d, int i, const double* v, double out[3]) {
  int at = m->top.link_v[i];
  memset(out, 0, 3 * sizeof *out);
  if (m->top.link_kind[i] == FB_LINK_FREE) {
    for (int k = at; k < at + 3; k++) add_scaled3(out, v[k], d->axes + 3 * k);
  } else if (fb_link_is_axial(m->top.link_kind[i])) {
    fb_st3(out, 0, fb_get3(fb_link(d, i), FB_REC_Z));
    double by = *fb_link_parameter(d->par, i, FB_PAR_SLIDE) * v[at];
    for (int k = 0; k < 3; k++) out[k] *= by;
  }
}

/* The velocity of b's origin that a sees, by angular velocities along the path. */
static void relative_velocity(const fb_model* m, const fb_data* d, int loop, const double* v, double u[3]) {
  const fb_topology* t = &m->top;
  const double* arm = d->loop_arm + FB_ARM * loop;
  double w[3], link_arm[3], carried[3], slide[3];
  memset(u, 0, 3 * sizeof *u);
  for (int at = t->loop_path[loop]; at < t->loop_path[loop + 1] && t->path_end[at] != FB_PATH_BOTH; at++) {
    int i = t->path_link[at];
    double by = t->path_end[at] == FB_PATH_FROM_B ? 1 : -1;
    fb_st3(w, 0, fb_get3(fb_link(d, t->link_parent[i]), FB_REC_W));
    fb_st3(link_arm, 0, fb_get3(fb_link(d, i), FB_REC_ARM));
    cross3(w, link_arm, carried);
    add_scaled3(u, by, carried);
    sliding(m, d, i, v, slide);
    add_scaled3(u, by, slide);
  }
  for (int end = 0; end < 2; end++) {
    fb_st3(w, 0, fb_get3(fb_link(d, t->site_link[t->loop_site[2 * loop + end]]), FB_REC_W));
    cross3(w, arm + (end ? FB_ARM_B : FB_ARM_A), carried);
    add_scaled3(u, end ? 1 : -1, carried);
  }
}

/* The acceleration of b's origin as a sees it; wdot and w are the relative ones of turning, u the velocity that a sees. What
 * links do is in two parts, as forward dynamics leaves it: by what was known before it, and by what was not. */
static void relative_acceleration(const fb_model* m, const fb_data* d, int loop, const double* v, double a[3],
                                  double wdot[3], double w[3], double u[3]) {
  const int* site = m->top.loop_site + 2 * loop;
  const double* arm = d->loop_arm + FB_ARM * loop;
  double w_a[3], w_b[3], turned[3], more[3], more_a[3];
  relative_motion(m, d, loop, FB_REC_WDOT, FB_REC_A, wdot, a);
  relative_motion(m, d, loop, FB_REC_DA_W, FB_REC_DA_V, more, more_a);
  add_scaled3(wdot, 1, more);
  add_scaled3(a, 1, more_a);
  fb_st3(w_a, 0, fb_get3(fb_link(d, m->top.site_link[site[0]]), FB_REC_W));
  fb_st3(w_b, 0, fb_get3(fb_link(d, m->top.site_link[site[1]]), FB_REC_W));
  for (int i = 0; i < 3; i++) w[i] = w_b[i] - w_a[i];
  relative_velocity(m, d, loop, v, u);
  add_centripetal(a, 1, w_b, arm + FB_ARM_B);
  add_centripetal(a, -1, w_a, arm + FB_ARM_A);
  cross3(w_a, u, turned);
  add_scaled3(a, -2, turned);
}

void fb_rows_accelerations(const fb_model* m, const fb_data* d, const double* v, const double* vdot,
                           double* acceleration) {
  for (int loop = 0; loop < m->top.nloop; loop++) {
    int first = m->top.loop_row[loop];
    double a[3], wdot[3], w[3], u[3];
    if (m->top.loop_type[loop] == FB_LOOP_GEAR) {
      acceleration[first] = gear_rate(m, d, loop, vdot);
      continue;
    }
    relative_acceleration(m, d, loop, v, a, wdot, w, u);
    for (int row = first; row < m->top.loop_row[loop + 1]; row++) {
      const double* direction = d->row_direction + FB_ROW_DIRECTION * row;
      acceleration[row] = dot3(direction + FB_ROW_DIRECTION_LINEAR, a) +
                          dot3(direction + FB_ROW_DIRECTION_ANGULAR, wdot) +
                          dot3(direction + FB_ROW_DIRECTION_ANGULAR_RATE, w);
    }
    if (m->top.loop_type[loop] != FB_LOOP_DISTANCE) continue;
    double far = norm3(d->loop_arm + FB_ARM * loop + FB_ARM_R),
           along = dot3(d->row_direction + FB_ROW_DIRECTION * first + FB_ROW_DIRECTION_LINEAR, u);
    if (far > 0) acceleration[first] += (dot3(u, u) - along * along) / far;
  }
}
