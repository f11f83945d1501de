/* ledger.c -- the balance of energy and momentum of a run
 *
 * Each tree is balanced in its own frame (tree.c): about its centre of mass when its base floats, else in the world's.
 *
 *   energy     (K + V) - (K_0 + V_0) - W - impacts      K, V from positions and velocities, W integrated from forces
 *   linear     M v_c - (M v_c)_0 - impulse
 *   angular    L_c - L_c0 - impulse of the moments about the centre of mass
 *
 * Whatever is left was made or lost by the method. Each residual is compared with what could have been lost: energy
 * against the largest of the energy exchanged, the peak of K and that of |V - V_0|; momenta against the impulse
 * exchanged and the bound by the peak of K, sqrt(2 M K) and sqrt(2 J K) with J = sum m r^2, which bound the sums of m
 * |v| and of |m r x v| over all points (Cauchy, Schwarz). None of these depends on where the observer stands or how
 * fast he goes. Peaks and the worst residual are taken at the end of every step and after jumps, so they do not depend
 * on the log either. The numbers in the world's frame (energies, work, momentum) are kept beside. */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/momentum.h>
#include <freebody/rotation.h>

#include "math/vector3.h"
#include "model/record.inl"
#include "ledger/conserve.h"
#include "sim/diagnosis.h"
#include "sim/sim.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "ledger/ledger.h"
#include "sim/flow.h"

/* Floors of the scales, for what has no motion of its own to compare with: a hull that coasts, or is pushed through its
 * centre of mass; a mass at rest on a spring. They lie some 1e6 above rounding and as far below any motion of interest.
 *   SPEED     rounding moves the parts of a body that goes at v by 1e-16 v; a motion inside slower than 1e-9 v is not told
 *             from it (energies go with the square)
 *   MOMENTUM  M v of such a body is itself known to 1e-16 M v, and each step rounds it anew
 *   STORED    V - V_0 is known to 1e-16 of what was summed for V
 *   SIZES     loops that are put back leave a tree at rest with rates of rounding, and so do springs and laws: it counts as
 *             if it moved by its own size in a second [1/s]
 *   STILL     motions by less than this part of its size in a second have no energy to speak of [1/s] */
static const double SPEED = 1e-9, MOMENTUM = 1e-8, STORED = 1e-10, SIZES = 1, STILL = 1e-6;
/* A residual is compared with what had been exchanged when it arose, or with this part of the later amount, if larger:
 * the first moments of a motion from rest are exact to atol, not to rtol. */
static const double EARLY = 1e-3;

typedef struct fb_judged {
  double residual, scale;
} fb_judged;

typedef struct fb_verdict {
  fb_judged energy, linear, angular;
} fb_verdict;

/* fmax is a call, and these run every step. */
static double larger(double a, double b) {
  return a > b ? a : b;
}

static double largest(double a, double b, double c) {
  return larger(a, larger(b, c));
}

static double ratio(double residual, double scale) {
  return residual == 0 ? 0 : residual / scale;
}

/* ---- one tree ---- */

static const fb_data* measure(fb_sim* s, const double* y) {
  const fb_data* d = fb_sim_kinematics_at(s, y);
  fb_trees_measure(s, d, y);
  return d;
}

static void keep_peaks(fb_sim* s, int i) {
  const fb_own* own = &s->own[i];
  fb_books* b = &s->books[i];
  b->kinetic = larger(b->kinetic, own->kinetic);
  b->potential_change = larger(b->potential_change, fabs(own->potential - b->potential_0));
  b->potential_size = larger(b->potential_size, own->potential_size);
  b->spread = larger(b->spread, own->spread);
  b->speed = larger(b->speed, length3(own->drift));
}

/* What kinetic energy, peaks and floors amount to as momenta: sqrt(M e) linear, sqrt(J e) angular. */
static double twice_kinetic(const fb_sim* s, int i, double speed) {
  return larger(2 * s->books[i].kinetic, s->own[i].mass * MOMENTUM * speed * MOMENTUM * speed);
}

/* Loops, elements and contacts pass rounding on from trees that move to trees that do not: the energy that this may be. */
static double passed_on(const fb_sim* s) {
  static const double SHARE = 1e-12;
  return s->m->top.nloop + s->npair + s->ncontact > 0 ? SHARE * s->head->peak_kinetic : 0;
}

/* The arm at which forces of contacts may act; 0 where there are none. Those that pass through the centre of mass, as of
 * a ball between two plates, have no moment to compare with what is rounded of them. */
static double contact_arm(const fb_sim* s, int i) {
  return s->ncontact > 0 && s->own[i].mass > 0 ? sqrt(s->books[i].spread / s->own[i].mass) : 0;
}

/* Residuals at y, after measure, and their scales. */
static fb_verdict judge(const fb_sim* s, int i, const double* y) {
  const fb_own* own = &s->own[i];
  const fb_books* b = &s->books[i];
  const double* z = y + s->nq + s->nv + s->nx + s->trees[i].z_at;
  fb_verdict x = {{0, 0}, {0, 0}, {0, 0}};
  int floats = s->trees[i].root >= 0;
  double speed = b->speed;
  if (floats && own->mass > 0 && z[FB_T_PUSHED] > own->mass * speed) speed = z[FB_T_PUSHED] / own->mass;
  double size = s->trees[i].size;
  if (own->mass > 0) speed = larger(speed, SIZES * size);
  double floor = 0.5 * own->mass * (SPEED * SPEED * speed * speed + STILL * STILL * size * size) +
                 STORED * b->potential_size + passed_on(s);
  double moved = largest(b->kinetic, own->kinetic, b->potential_change);
  x.energy.residual = (own->kinetic + own->potential) - b->energy_0 - z[FB_T_WORK] - b->impacts;
  x.energy.scale = largest(z[FB_T_GROSS], moved, floor);
  if (!floats) return x;
  double linear[3], angular[3], e = larger(twice_kinetic(s, i, speed), passed_on(s));
  for (int k = 0; k < 3; k++) {
    linear[k] = own->mass * own->drift[k] - b->linear_0[k] - z[FB_T_IMPULSE + k];
    angular[k] = own->angular[k] - b->angular_0[k] - z[FB_T_IMPULSE + 3 + k];
  }
  x.linear = (fb_judged){length3(linear), larger(z[FB_T_PUSHED], sqrt(fabs(own->mass * e)))};
  double turned = larger(z[FB_T_TURNED], contact_arm(s, i) * z[FB_T_PUSHED]);
  x.angular = (fb_judged){length3(angular), larger(turned, sqrt(fabs(b->spread * e)))};
  return x;
}

/* How bad the worst was, now that the scale has grown to this. */
static double worst_ratio(const fb_worst* worst, double scale) {
  return ratio(worst->residual, larger(worst->scale, EARLY * scale));
}

static void keep_worst(fb_worst* worst, fb_judged now, double t) {
  double residual = fabs(now.residual);
  /* residual / scale > worst_ratio, without divisions */
  if (residual * larger(worst->scale, EARLY * now.scale) > worst->residual * now.scale ||
      worst->residual == 0)
    *worst = (fb_worst){residual, now.scale, residual > 0 ? t : 0};
}

void fb_ledger_close(const fb_sim* s, int i, fb_books* b) {
  fb_verdict x = judge(s, i, s->y);
  b->energy.scale = larger(b->energy.scale, EARLY * x.energy.scale);
  b->linear.scale = larger(b->linear.scale, EARLY * x.linear.scale);
  b->angular.scale = larger(b->angular.scale, EARLY * x.angular.scale);
}

/* ---- all trees ---- */

static double potential_in_world(const fb_sim* s, const fb_data* d, const double* q) {
  return fb_potential_energy(s->m, d, q, &s->loads) + fb_soft_stops_energy(s, q) + fb_pairs_energy(s, d);
}
/* 1/2 M v_c^2, and K about it. */
static double kinetic_in_world(const fb_sim* s) {
  double sum = 0;
  for (int i = 0; i < s->ntree; i++)
    sum += s->own[i].kinetic + 0.5 * s->own[i].mass * dot3(s->own[i].drift, s->own[i].drift);
  return sum;
}

/* Momentum of all floating trees, or of those that are not in groups by themselves, in the world and about its origin. */
static void sum_momentum(const fb_sim* s, const fb_data* d, int only_outside, double linear[3],
                         double angular[3]) {
  memset(linear, 0, 3 * sizeof *linear);
  memset(angular, 0, 3 * sizeof *angular);
  for (int i = 0; i < s->ntree; i++) {
    if (s->trees[i].root < 0 || (only_outside && s->group[i] != FB_NOT_KEPT)) continue;
    double base[3], c[3], P[3], orbit[3];
    fb_st3(base, 0, fb_get3(fb_link(d, s->roots[s->trees[i].root].link), FB_REC_P));
    for (int k = 0; k < 3; k++) {
      c[k] = base[k] + s->own[i].com[k];
      P[k] = s->own[i].mass * s->own[i].drift[k];
    }
    cross3(c, P, orbit);
    for (int k = 0; k < 3; k++) {
      linear[k] += P[k];
      angular[k] += s->own[i].angular[k] + orbit[k];
    }
  }
}

static void momentum_in_world(const fb_sim* s, const fb_data* d, double linear[3], double angular[3]) {
  sum_momentum(s, d, 0, linear, angular);
}

/* After measure at s->y. */
static void keep(fb_sim* s) {
  for (int i = 0; i < s->ntree; i++) {
    fb_books* b = &s->books[i];
    keep_peaks(s, i);
    fb_verdict x = judge(s, i, s->y);
    keep_worst(&b->energy, x.energy, s->head->t);
    keep_worst(&b->linear, x.linear, s->head->t);
    keep_worst(&b->angular, x.angular, s->head->t);
  }
  s->head->peak_kinetic = larger(s->head->peak_kinetic, kinetic_in_world(s));
}

void fb_ledger_begin(fb_sim* s) {
  fb_sim_head* h = s->head;
  const fb_data* d = measure(s, s->y);
  for (int i = 0; i < s->ntree; i++) {
    const fb_own* own = &s->own[i];
    fb_books* b = &s->books[i];
    *b = (fb_books){.energy_0 = own->kinetic + own->potential, .potential_0 = own->potential};
    for (int k = 0; k < 3; k++) b->linear_0[k] = own->mass * own->drift[k];
    memcpy(b->angular_0, own->angular, sizeof b->angular_0);
  }
  h->kinetic_0 = kinetic_in_world(s);
  h->potential_0 = potential_in_world(s, d, s->y);
  momentum_in_world(s, d, h->linear_0, h->angular_0);
  h->impacts = h->peak_kinetic = 0;
  h->stored_0 = fb_contacts_stored(s);
  keep(s);
}

/* Whether a residual has just become the worst so far, and more than a motion to be trusted has. */
static int is_new_worst(const fb_sim* s, const fb_worst* worst) {
  static const double MOST = 1e-3;
  return worst->t == s->head->t && worst->residual > MOST * worst->scale;
}

void fb_ledger_step(fb_sim* s) {
  measure(s, s->y);
  if (s->stepper.traits.takes_slopes && s->nfloat > 0) fb_conserve_note(s, s->y);
  keep(s);
  for (int i = 0; i < s->ntree; i++) {
    const fb_books* b = &s->books[i];
    if (!is_new_worst(s, &b->energy) && !is_new_worst(s, &b->linear) && !is_new_worst(s, &b->angular))
      continue;
    fb_singular_note(s);
    break;
  }
}

double fb_ledger_off(fb_sim* s, const double* y) {
  double worst = 0;
  measure(s, y);
  for (int i = 0; i < s->ntree; i++) {
    fb_verdict x = judge(s, i, y);
    worst = larger(
        worst, largest(ratio(fabs(x.energy.residual), x.energy.scale),
                       ratio(x.linear.residual, x.linear.scale), ratio(x.angular.residual, x.angular.scale)));
  }
  return worst;
}

/* ---- jumps ---- */

void fb_ledger_jump_begin(fb_sim* s) {
  measure(s, s->y);
  for (int i = 0; i < s->ntree; i++) {
    s->kinetic_before[i] = s->own[i].kinetic;
    memcpy(s->drift_before + 3 * (size_t)i, s->own[i].drift, sizeof s->own[i].drift);
  }
}

static void push_trees(fb_sim* s, const double* impulse) {
  for (int i = 0; i < s->ntree; i++)
    if (s->trees[i].root >= 0) fb_tree_push(s, i, impulse + s->roots[s->trees[i].root].v_at, fb_y_z(s, s->y));
}

void fb_ledger_push(fb_sim* s, const double* impulse) {
  fb_flow_base_push(s, s->y, impulse, fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE);
  push_trees(s, impulse);
}

void fb_ledger_push_loops(fb_sim* s) {
  if (s->m->top.nloop == 0) return;
  fb_loop_forces(s->m, s->d, s->loop_force);
  fb_flow_loop_push(s, fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE);
  push_trees(s, s->loop_force);
}

/* 1/2 M (v_1^2 - v_0^2) as M (v_1 - v_0).(v_1 + v_0) / 2: of a fast tree the difference of squares would be rounding. */
void fb_ledger_jump_end(fb_sim* s) {
  measure(s, s->y);
  s->head->jumped = 1;
  for (int i = 0; i < s->ntree; i++) {
    const double *before = s->drift_before + 3 * (size_t)i, *after = s->own[i].drift;
    double change = s->own[i].kinetic - s->kinetic_before[i];
    s->books[i].impacts += change;
    for (int k = 0; k < 3; k++)
      change += 0.5 * s->own[i].mass * (after[k] - before[k]) * (after[k] + before[k]);
    s->head->impacts += change;
  }
  keep(s);
}

/* ---- displacements ---- */

static void scene_at(fb_sim* s, const double* y, fb_scene_totals* scene) {
  const fb_data* d = measure(s, y);
  scene->energy = kinetic_in_world(s) + potential_in_world(s, d, y);
  sum_momentum(s, d, scene->only_outside, scene->momentum, scene->momentum + 3);
}

void fb_ledger_move_begin(fb_sim* s, const double* y, int only_outside, fb_scene_totals* before) {
  before->only_outside = only_outside;
  scene_at(s, y, before);
  for (int i = 0; i < s->ntree; i++) {
    s->kinetic_before[i] = s->own[i].kinetic + s->own[i].potential;
    memcpy(s->drift_before + 3 * (size_t)i, s->own[i].drift, sizeof s->own[i].drift);
    memcpy(s->angular_before + 3 * (size_t)i, s->own[i].angular, sizeof s->own[i].angular);
  }
}

double fb_ledger_move_end(fb_sim* s, double* y, const fb_scene_totals* before) {
  double* sums = fb_y_z(s, y);
  fb_scene_totals after = {.only_outside = before->only_outside};
  scene_at(s, y, &after);
  for (int i = 0; i < s->ntree; i++) {
    const fb_own* own = &s->own[i];
    double change = own->kinetic + own->potential - s->kinetic_before[i], *z = sums + s->trees[i].z_at;
    z[FB_T_WORK] += change;
    z[FB_T_GROSS] += fabs(change);
    for (int k = 0; s->trees[i].root >= 0 && k < 3; k++) {
      z[FB_T_IMPULSE + k] += own->mass * (own->drift[k] - s->drift_before[3 * i + k]);
      z[FB_T_IMPULSE + 3 + k] += own->angular[k] - s->angular_before[3 * i + k];
    }
  }
  for (int k = 0; k < 6; k++) sums[s->nv + FB_Z_IMPULSE + k] += after.momentum[k] - before->momentum[k];
  return after.energy - before->energy;
}

/* ---- reading ---- */

/* Takes a tree's verdict when it is worse than those before. */
static void take_worse(const fb_sim* s, int i, const fb_verdict* x, fb_ledger* out) {
  const fb_books* b = &s->books[i];
  double energy = ratio(fabs(x->energy.residual), x->energy.scale),
         worst = worst_ratio(&b->energy, x->energy.scale);
  double linear = worst_ratio(&b->linear, x->linear.scale),
         angular = worst_ratio(&b->angular, x->angular.scale);
  out->residual += x->energy.residual;
  if (i == 0 || energy > out->relative) {
    out->relative = energy;
    out->scale = x->energy.scale;
  }
  if (i == 0 || worst > out->worst) {
    out->worst = worst;
    out->worst_t = b->energy.t;
    out->worst_body = s->trees[i].body;
  }
  if (out->momentum_body == 0 || larger(linear, angular) > out->momentum_worst) {
    out->momentum_worst = larger(linear, angular);
    out->momentum_worst_t = linear > angular ? b->linear.t : b->angular.t;
    out->momentum_body = s->trees[i].root < 0 ? 0 : s->trees[i].body;
  }
}

/* Residual and scale of the tree whose part of it is largest. */
static void take_momentum(fb_judged now, double* residual, double* scale) {
  if (*scale > 0 && ratio(now.residual, now.scale) <= ratio(*residual, *scale)) return;
  *residual = now.residual;
  *scale = now.scale;
}

/* Forces on a body that turns about nothing, as of a ball that bounces, do no work in its own frame, whatever the method
 * makes of them; here they do. */
static double balance_in_world(const fb_ledger* l) {
  double gained = (l->kinetic - l->kinetic_0) + (l->potential - l->potential_0);
  return gained - l->work - l->external + l->dissipated - l->impacts - l->normal - l->friction -
         l->projection - l->loops;
}

/* Closing the gaps of contacts displaces floating trees, which does not change their energy about the centre of mass, but does in the
 * world: with contacts the residual has that too, so that the rows add up. What is less than the work in the world is exact to, as of
 * bodies in orbit, is left out. */
static void take_displacements(fb_ledger* out) {
  static const double EXACT = 1e-9; /* of the energies in the world */
  double more = out->world_residual - out->residual;
  double size = largest(out->gross, out->peak_kinetic, fabs(out->potential - out->potential_0));
  if (out->contacts && fabs(more) > EXACT * size) out->residual = out->world_residual;
}

void fb_ledger_at(fb_sim* s, const double* y, fb_ledger* out) {
  const double *work = y + s->nq + s->nv + s->nx, *sums = work + s->nv;
  const fb_sim_head* h = s->head;
  const fb_data* d = measure(s, y);
  *out = (fb_ledger){.kinetic = kinetic_in_world(s),
                     .potential = potential_in_world(s, d, y),
                     .kinetic_0 = h->kinetic_0,
                     .potential_0 = h->potential_0,
                     .stored_0 = h->stored_0,
                     .external = sums[FB_Z_EXTERNAL],
                     .dissipated = sums[FB_Z_DISSIPATED],
                     .impacts = h->impacts - h->contact_impacts,
                     .gross = sums[FB_Z_GROSS],
                     .peak_kinetic = h->peak_kinetic};
  for (int k = 0; k < s->nv; k++) out->work += work[k];
  fb_contacts_work(s, y, out);
  for (int k = 0; s->first.v && k <= s->first_m->top.nv; k++) out->work += s->kept_work[k];
  if (s->m->top.nloop > 0) out->loops = work[s->nz - FB_Z_LOOPS_COUNT];
  out->world_residual = balance_in_world(out);
  momentum_in_world(s, d, out->linear, out->angular);
  memcpy(out->linear_0, h->linear_0, sizeof out->linear_0);
  memcpy(out->angular_0, h->angular_0, sizeof out->angular_0);
  memcpy(out->impulse, sums + FB_Z_IMPULSE, sizeof out->impulse);
  for (int i = 0; i < s->ntree; i++) {
    fb_verdict x = judge(s, i, y);
    take_worse(s, i, &x, out);
    if (s->trees[i].root < 0) continue;
    take_momentum(x.linear, &out->linear_residual, &out->linear_scale);
    take_momentum(x.angular, &out->angular_residual, &out->angular_scale);
  }
  take_displacements(out);
}

void fb_sim_ledger(fb_sim* s, fb_ledger* ledger) {
  fb_ledger_at(s, s->y, ledger);
}

const double* fb_sim_work(const fb_sim* s) {
  return fb_y_z(s, s->y);
}

/* ---- error control ---- */

static double most_of(const double* z0, const double* z1, int k) {
  return larger(fabs(z0[k]), fabs(z1[k]));
}

/* Energies of a tree count by the energy in its motion, by what was exchanged in this step where that is more, and by
 * their own size; not by all that was ever exchanged, which grows without bound. Integrals of magnitudes have kinks and
 * only serve as scales. The impulse in the world's frame and the work of loops follow from those of the trees. */
static void size_tree(const fb_sim* s, int i, const double* z0, const double* z1, double* size) {
  const fb_books* b = &s->books[i];
  int at = s->trees[i].z_at;
  double energy = largest(b->kinetic, b->potential_change, z1[at + FB_T_GROSS] - z0[at + FB_T_GROSS]);
  size[at + FB_T_WORK] = larger(energy, most_of(z0, z1, at + FB_T_WORK));
  size[at + FB_T_GROSS] = -1;
  s->power[i] = energy;
  if (s->trees[i].root < 0) return;
  double e = twice_kinetic(s, i, 0);
  double pushed = z1[at + FB_T_PUSHED] - z0[at + FB_T_PUSHED];
  double linear = larger(sqrt(fabs(s->own[i].mass * e)), pushed);
  double turned = larger(z1[at + FB_T_TURNED] - z0[at + FB_T_TURNED], contact_arm(s, i) * pushed);
  double angular = larger(sqrt(fabs(b->spread * e)), turned);
  size[at + FB_T_PUSHED] = size[at + FB_T_TURNED] = -1;
  for (int k = 0; k < 3; k++) {
    size[at + FB_T_IMPULSE + k] = larger(linear, most_of(z0, z1, at + FB_T_IMPULSE + k));
    size[at + FB_T_IMPULSE + 3 + k] = larger(angular, most_of(z0, z1, at + FB_T_IMPULSE + 3 + k));
  }
}

void fb_ledger_sizes(const fb_sim* s, const double* z0, const double* z1, double* size) {
  int at = s->nv;
  double energy = larger(s->head->peak_kinetic, z1[at + FB_Z_GROSS] - z0[at + FB_Z_GROSS]);
  for (int i = 0; i < s->ntree; i++) {
    size_tree(s, i, z0, z1, size);
    energy = larger(energy, s->books[i].potential_change);
  }
  for (int k = 0; k < s->nv; k++) size[k] = larger(s->power[s->v_tree[k]], most_of(z0, z1, k));
  for (int k = 0; k < FB_Z_COUNT; k++)
    size[at + k] = k == FB_Z_DISSIPATED || k == FB_Z_EXTERNAL ? larger(energy, most_of(z0, z1, at + k)) : -1;
  if (s->m->top.nloop > 0) *fb_z_loops(s, size) = -1;
  for (int i = 0; i < s->nfloat; i++) /* their work is seen from the world */
    for (int k = s->roots[i].v_at; k < s->roots[i].v_at + 3; k++)
      size[k] = larger(energy, most_of(z0, z1, k));
}

void fb_sim_ledger_sizes(const fb_sim* s, const double* y, double* size) {
  const double* z = y + fb_sim_ny_motion(s);
  fb_ledger_sizes(s, z, z, size);
}
