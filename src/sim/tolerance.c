/* tolerance.c -- how large an error is: the norm of error control
 *
 *   |x| = max |x_j| / w_j
 *
 * With rtol and atol, w_j = atol + rtol max(|y_0j|, |y_1j|), attitudes counting as one radian. With an accuracy instead,
 * w_j = tau s_j, tau a tenth of it or less, because errors of steps add up over a run. s_j are sizes that people would name:
 *
 *   angles, attitudes      1 rad
 *   lengths                the size of the tree, or how far the joint has slid where that is more
 *   angular velocities     1 rad/s, or the square root of the velocity where that is more
 *   linear velocities      the size of the tree in a second, or the velocity of a joint, of the tree about its centre of mass
 *   states of blocks       their own value, at least a thousandth
 *
 * None of them depends on where the observer stands or how fast he goes, but for what rounding leaves of large numbers. */
#include <float.h>
#include <math.h>

#include "sim/error_control.h"
#include "ledger/ledger.h"

static const double SHARE = 0.1; /* of the accuracy, for a step at most */
static const double HIDDEN =
    0.02; /* the same where forces may jump without announcing it: the error of a step shows little of that */
static const double STATE = 1e-3;  /* the least size of a state of a block */
static const double ROUNDING = 64; /* in units of the last place */

static double larger(double a, double b) {
  return a > b ? a : b;
}

static double either(const double* y0, const double* y1, int at) {
  return larger(fabs(y0[at]), fabs(y1[at]));
}

/* Bounds of the error of a step, in the units of each entry. */
static double of_value(const fb_sim* s, double value) {
  return s->options.atol + s->options.rtol * value;
}

/* Speed of the parts of a tree about its centre of mass; of one on the world, of all of it. */
static double inner_speed(const fb_sim* s, int tree) {
  return s->own[tree].mass > 0 ? sqrt(2 * s->books[tree].kinetic / s->own[tree].mass) : 0;
}

static double of_position(const fb_sim* s, int k, double value) {
  if (s->options.rtol > 0) return of_value(s, value);
  double size = s->chart.is_length[k] ? s->trees[s->v_tree[k]].size : 1;
  if (s->chart.is_length[k] && !s->chart.is_free[k]) size = larger(size, value);
  return s->tolerance * size + ROUNDING * DBL_EPSILON * value;
}

static double of_velocity(const fb_sim* s, int k, double value) {
  if (s->options.rtol > 0) return of_value(s, value);
  double size = 1;
  if (!s->chart.is_length[k])
    size = value > 1 ? sqrt(value) : 1;
  else
    size = larger(s->trees[s->v_tree[k]].size, s->chart.is_free[k] ? inner_speed(s, s->v_tree[k]) : value);
  return s->tolerance * size + ROUNDING * DBL_EPSILON * value;
}

static double of_state(const fb_sim* s, double value) {
  return s->options.rtol > 0 ? of_value(s, value) : s->tolerance * larger(STATE, value);
}

/* Smaller as the estimated error comes near to what is promised: of an oscillation it grows with the square of time, and what
 * was lost before stays small. Where the promise is broken already there is nothing to be gained. */
static double part_for(const fb_sim* s) {
  static const double SOON = 0.05;
  double error = s->head ? s->head->error / s->options.accuracy : 0;
  return error > SOON && error < FB_PROMISED ? SOON / error : 1;
}

static double share_of(const fb_sim* s) {
  for (int i = 0; i < s->nblock; i++)
    if (s->blocks[i].longest_step > 0) return HIDDEN;
  return SHARE;
}

void fb_tolerance_begin(fb_sim* s) {
  s->tolerance = s->options.rtol > 0 ? s->options.rtol : share_of(s) * s->options.accuracy * part_for(s);
}

double fb_weigh(const fb_sim* s, const double* x, const double* y0, const double* y1) {
  double worst = 0;
  for (int k = 0; k < s->nv; k++) {
    if (s->motion[k] != FB_MOVE_BY_FORCE) continue;
    int at = s->m->top.coordinate_q[k], v_at = s->nq + k;
    worst = fb_worse(worst, fabs(x[v_at]) / of_velocity(s, k, either(y0, y1, v_at)));
    if (at >= 0) worst = fb_worse(worst, fabs(x[at]) / of_position(s, k, either(y0, y1, at)));
  }
  for (int r = 0; r < s->chart.nquat; r++)
    for (int j = 0; j < 3; j++)
      worst = fb_worse(worst, fabs(x[s->chart.quat_q[r] + j]) / of_position(s, s->chart.quat_v[r], 1));
  for (int i = s->nq + s->nv; i < s->nq + s->nv + s->nx; i++)
    worst = fb_worse(worst, fabs(x[i]) / of_state(s, either(y0, y1, i)));
  return worst;
}

double fb_weigh_off(const fb_sim* s, const double* off, const double* y, int positions_only) {
  double worst = 0;
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    worst = fb_worse(worst, fabs(off[k]) / of_position(s, k, at >= 0 ? fabs(y[at]) : 1));
    if (!positions_only)
      worst = fb_worse(worst, fabs(off[s->nv + k]) / of_velocity(s, k, fabs(y[s->nq + k])));
  }
  for (int i = 0; !positions_only && i < s->nx; i++)
    worst = fb_worse(worst, fabs(off[2 * s->nv + i]) / of_state(s, fabs(y[s->nq + s->nv + i])));
  return worst * s->tolerance;
}

/* What no ledger needs to be more exact than: motions by a thousandth of a tree's size in a second. Where something jumps within
 * the step, by all of it, which is what the motion itself is held to: what a jump leaves goes with the step, and so does
 * what a body at rest has exchanged, to which it would be compared. [1/s] */
static double least_rate(int jumps) {
  return jumps ? 1 : 1e-3;
}

static double least_energy(const fb_sim* s, double rate) {
  double sum = 0;
  for (int i = 0; i < s->ntree; i++) sum += s->own[i].mass * s->trees[i].size * s->trees[i].size;
  return rate * rate * s->tolerance * fabs(sum) + DBL_MIN;
}

static void raise_momenta(fb_sim* s, double rate) {
  for (int i = 0; i < s->ntree; i++) {
    double size = s->trees[i].size, linear = fabs(s->own[i].mass) * rate * size;
    double* z = s->z_size + s->trees[i].z_at + FB_T_IMPULSE;
    for (int k = 0; s->trees[i].root >= 0 && k < 3; k++) {
      z[k] = larger(z[k], linear);
      z[3 + k] = larger(z[3 + k], linear * size);
    }
  }
}

double fb_weigh_ledger(fb_sim* s, const double* x, const double* y0, const double* y1, int jumps) {
  double rate = least_rate(jumps), worst = 0;
  double atol = s->options.rtol > 0 ? s->options.atol : least_energy(s, rate);
  int at = s->nq + s->nv + s->nx;
  fb_ledger_sizes(s, y0 + at, y1 + at, s->z_size);
  if (!(s->options.rtol > 0)) raise_momenta(s, rate);
  for (int i = 0; i < s->nz; i++)
    if (s->z_size[i] >= 0) worst = fb_worse(worst, fabs(x[at + i]) / (atol + s->tolerance * s->z_size[i]));
  return worst;
}
