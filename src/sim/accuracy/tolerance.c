/* tolerance.c -- the norm of error control
 *
 *   |x| = max |x_j| / w_j
 *
 * With rtol and atol, w_j = atol + rtol max(|y_0j|, |y_1j|), attitudes counting as one radian. With an accuracy
 * instead, w_j = tau s_j, tau a tenth of it or less, because errors of steps add up over a run. s_j are
 * characteristic sizes:
 *
 *   angles, attitudes      1 rad
 *   lengths                the size of the tree, or how far the joint has slid where that is more
 *   angular velocities     1 rad/s, or the square root of the velocity where that is more
 *   linear velocities      the size of the tree in a second, or the velocity of a joint, of the tree about its centre of mass
 *   works of contacts      their own value, at least that of trees that move by their size in a second
 *   other states of blocks their own value, at least a thousandth
 *
 * None of them depends on the position or velocity of the observer, except by the rounding of large numbers. */
#include <float.h>
#include <math.h>

#include "contact/pair.h"
#include "sim/accuracy/error_control.h"
#include "ledger/ledger.h"

static const double SHARE = 0.1; /* of the accuracy, for a step at most */
static const double HIDDEN =
    0.02; /* the same where forces may jump unannounced: the error of a step shows little of that, and its growth is
           * not estimated (growth.c) */
static const double STATE = 1e-3;  /* the least size of a state of a block */
static const double ROUNDING = 64; /* in units of the last place */

static double larger(double a, double b) {
  return a > b ? a : b;
}

static double either(const double* y0, const double* y1, int at) {
  return larger(fabs(y0[at]), fabs(y1[at]));
}

/* Whether rtol and atol are the norm. Methods of fixed steps do not know them. */
static int is_given(const fb_sim* s) {
  return s->options.rtol > 0 && !s->stepper.traits.time_stepping;
}

/* Bounds of the error of a step, in the units of each entry. */
static double of_value(const fb_sim* s, double value) {
  return s->options.atol + s->options.rtol * value;
}

/* Speed of the parts of a tree about its centre of mass; of one on the world, of all of it. */
static double inner_speed(const fb_sim* s, int tree) {
  return s->ledger.local[tree].mass > 0
             ? sqrt(2 * s->ledger.accounts[tree].kinetic / s->ledger.local[tree].mass)
             : 0;
}

static double of_position(const fb_sim* s, int k, double value) {
  if (is_given(s)) return of_value(s, value);
  double size = s->chart.is_length[k] ? s->tree.list[s->m->top.coordinate_tree[k]].size : 1;
  if (s->chart.is_length[k] && !s->chart.is_free[k]) size = larger(size, value);
  return s->error.tolerance * size + ROUNDING * DBL_EPSILON * value;
}

static double of_velocity(const fb_sim* s, int k, double value) {
  if (is_given(s)) return of_value(s, value);
  double size = 1;
  if (!s->chart.is_length[k])
    size = value > 1 ? sqrt(value) : 1;
  else
    size = larger(s->tree.list[s->m->top.coordinate_tree[k]].size,
                  s->chart.is_free[k] ? inner_speed(s, s->m->top.coordinate_tree[k]) : value);
  return s->error.tolerance * size + ROUNDING * DBL_EPSILON * value;
}

static double of_state(const fb_sim* s, double value) {
  return is_given(s) ? of_value(s, value) : s->error.tolerance * larger(STATE, value);
}

/* Of trees that move by their size in a second. */
static double energy_of(const fb_sim* s) {
  double sum = 0;
  for (int i = 0; i < s->tree.count; i++)
    sum += s->ledger.local[i].mass * s->tree.list[i].size * s->tree.list[i].size;
  return fabs(sum);
}

/* Works grow with the masses, and so do their errors where a force jumps. */
static double of_work(const fb_sim* s, double value) {
  double size = larger(energy_of(s), value);
  return s->options.rtol > 0 ? of_value(s, size) : s->error.tolerance * size + DBL_MIN;
}

/* The largest of the errors of the states, x, in units of their tolerance between y0 and y1. */
static double weigh_states(const fb_sim* s, const double* x, const double* y0, const double* y1) {
  double worst = 0;
  for (int i = 0; i < s->block.count; i++) {
    int works = fb_block_is_contact(&s->block.list[i]) ? FB_CONTACT_X_COUNT : 0;
    for (int j = 0, at = s->block.state_offset[i]; j < s->block.list[i].nstate; j++, at++) {
      double value = either(y0, y1, at);
      worst = fb_worse(worst, fabs(x[at]) / (j < works ? of_work(s, value) : of_state(s, value)));
    }
  }
  return worst;
}

/* Smaller as the estimated error approaches the accuracy: in an oscillation it grows with the square of time, and
 * earlier errors stay small. Where the accuracy is already exceeded nothing can be gained. */
static double part_for(const fb_sim* s) {
  static const double SOON = 0.05;
  double error = s->head ? s->error.head->error / s->options.accuracy : 0;
  return error > SOON && error < FB_PROMISED ? SOON / error : 1;
}

static double share_of(const fb_sim* s) {
  for (int i = 0; i < s->block.count; i++)
    if (s->block.list[i].longest_step > 0 || fb_jumps_at_contact(&s->block.list[i])) return HIDDEN;
  return SHARE;
}

void fb_tolerance_begin(fb_sim* s) {
  s->error.tolerance =
      s->options.rtol > 0 ? s->options.rtol : share_of(s) * s->options.accuracy * part_for(s);
}

double fb_weigh(const fb_sim* s, const double* x, const double* y0, const double* y1) {
  double worst = 0;
  for (int k = 0; k < s->nv; k++) {
    if (s->motion.of[k] != FB_MOTION_FORCE) continue;
    int at = s->m->top.coordinate_q[k], v_at = s->nq + k;
    worst = fb_worse(worst, fabs(x[v_at]) / of_velocity(s, k, either(y0, y1, v_at)));
    if (at >= 0) worst = fb_worse(worst, fabs(x[at]) / of_position(s, k, either(y0, y1, at)));
  }
  for (int r = 0; r < s->chart.nquat; r++)
    for (int j = 0; j < 3; j++)
      worst = fb_worse(worst, fabs(x[s->chart.quat_q[r] + j]) / of_position(s, s->chart.quat_v[r], 1));
  int states = s->nq + s->nv;
  return fb_worse(worst, weigh_states(s, x + states, y0 + states, y1 + states));
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
  return worst * s->error.tolerance;
}

/* The least scale of the ledger's errors: motions by a thousandth of a tree's size in a second; by its whole size
 * where velocities jump within the step, as for the motion itself: the error of a jump is proportional to the step,
 * and so is the amount exchanged by a body at rest, with which it would be compared. [1/s] */
static double least_rate(int jumps) {
  return jumps ? 1 : 1e-3;
}

static double least_energy(const fb_sim* s, double rate) {
  double sum = 0;
  for (int i = 0; i < s->tree.count; i++)
    sum += s->ledger.local[i].mass * s->tree.list[i].size * s->tree.list[i].size;
  return rate * rate * s->error.tolerance * fabs(sum) + DBL_MIN;
}

static void raise_momenta(fb_sim* s, double rate) {
  for (int i = 0; i < s->tree.count; i++) {
    double size = s->tree.list[i].size, linear = fabs(s->ledger.local[i].mass) * rate * size;
    double* z = s->ledger.z_size + s->tree.list[i].z_at + FB_T_IMPULSE;
    for (int k = 0; s->tree.list[i].root >= 0 && k < 3; k++) {
      z[k] = larger(z[k], linear);
      z[3 + k] = larger(z[3 + k], linear * size);
    }
  }
}

double fb_weigh_ledger(fb_sim* s, const double* x, const double* y0, const double* y1, int jumps) {
  double rate = least_rate(jumps), worst = 0;
  double atol = s->options.rtol > 0 ? s->options.atol : least_energy(s, rate);
  int at = s->nq + s->nv + s->nx;
  fb_ledger_sizes(s, y0 + at, y1 + at, s->ledger.z_size);
  if (!(s->options.rtol > 0)) raise_momenta(s, rate);
  for (int i = 0; i < s->nz; i++)
    if (s->ledger.z_size[i] >= 0)
      worst = fb_worse(worst, fabs(x[at + i]) / (atol + s->error.tolerance * s->ledger.z_size[i]));
  return worst;
}
