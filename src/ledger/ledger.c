/* ledger.c -- the balance of energy and momentum of a run
 *
 * Each tree is balanced in its own frame (tree.c): about its centre of mass when its base floats, else in the world's.
 *
 *   energy     (K + V) - (K_0 + V_0) - W - impacts      K, V from positions and velocities, W integrated from forces
 *   linear     M v_c - (M v_c)_0 - impulse
 *   angular    L_c - L_c0 - impulse of the moments about the centre of mass
 *
 * The remainder is the error of the method. Each residual is compared with the amounts involved: energy against the
 * largest of the energy exchanged, the peak of K and that of |V - V_0|; momenta against the impulse exchanged and the
 * bound by the peak of K, sqrt(2 M K) and sqrt(2 J K) with J = sum m r^2, which bound the sums of m |v| and of |m r x
 * v| over all points (Cauchy, Schwarz); in the first, K counts links as points, because the spin of wheels has no
 * linear momentum. None of these depends on the position or velocity of the observer. Peaks and the worst residual
 * are taken at the end of every step and after jumps, so they do not depend on the log either. The values in the
 * world frame (energies, work, momentum) are computed in addition. */
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/momentum.h>

#include "math/vector3.h"
#include "model/record.inl"
#include "ledger/conserve.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/sim.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"
#include "sim/flow.h"
#include "sim/part.h"

/* Lower bounds of the scales, for trees without internal motion to compare with: a body that coasts, or is pushed
 * through its centre of mass; a mass at rest on a spring. They are about 1e6 times rounding, and as far below any
 * motion of interest.
 *   SPEED     rounding moves the parts of a body with velocity v by 1e-16 v; internal motion slower than 1e-9 v cannot be
 *             distinguished from it (energies are quadratic)
 *   MOMENTUM  M v of such a body is itself known to 1e-16 M v, and each step rounds it again
 *   STORED    V - V_0 is known to 1e-16 of what was summed for V
 *   SIZES     loops that are put back leave a tree at rest with rates of rounding, and so do springs and laws: it counts as
 *             if it moved by its own size in a second [1/s]
 *   STILL     motions by less than this part of its size in a second have no energy to speak of [1/s] */
static const double SPEED = 1e-9, MOMENTUM = 1e-8, STORED = 1e-10, SIZES = 1, STILL = 1e-6;
/* A residual is compared with what had been exchanged when it arose, or with this part of the later amount, if
 * larger: the beginning of a motion from rest is accurate to atol, not to rtol. */
static const double EARLY = 1e-3;

typedef struct fb_residual {
  double residual, scale;
} fb_residual;

typedef struct fb_verdict {
  fb_residual energy, linear, angular;
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
  const fb_tree_local* local = &s->ledger.local[i];
  fb_accounts* b = &s->ledger.accounts[i];
  b->kinetic = larger(b->kinetic, local->kinetic);
  b->carried = larger(b->carried, local->carried);
  b->potential_change = larger(b->potential_change, fabs(local->potential - b->potential_0));
  b->potential_size = larger(b->potential_size, local->potential_size);
  b->spread = larger(b->spread, local->spread);
  b->speed = larger(b->speed, length3(local->drift));
}

/* Kinetic energy, peaks and lower bounds as momenta: sqrt(M e) linear, sqrt(J e) angular. */
static double twice_kinetic(const fb_sim* s, int i, double speed) {
  return larger(2 * s->ledger.accounts[i].kinetic,
                s->ledger.local[i].mass * MOMENTUM * speed * MOMENTUM * speed);
}

/* The same for linear momentum, to which the rotation of links about their own centres of mass, as of fast wheels,
 * does not contribute: its energy counts only up to a motion by the tree's size in a second. */
static double twice_carried(const fb_sim* s, int i, double speed) {
  double slow = SIZES * s->tree.list[i].size, mass = fabs(s->ledger.local[i].mass);
  double carried = largest(2 * s->ledger.accounts[i].carried, mass * slow * slow, 0);
  double kinetic = twice_kinetic(s, i, speed);
  return kinetic < carried ? kinetic : carried;
}

/* Loops, elements and contacts transmit rounding from moving trees to resting ones: the energy of that. */
static double passed_on(const fb_sim* s) {
  static const double SHARE = 1e-12;
  return s->m->top.nloop + s->element.count + s->contact.count > 0 ? SHARE * s->ledger.head->peak_kinetic : 0;
}

/* The arm at which contact forces may act; 0 where there are none. Forces through the centre of mass, as on a ball
 * between two plates, have no moment to compare their rounding with. */
static double contact_arm(const fb_sim* s, int i) {
  return s->contact.count > 0 && s->ledger.local[i].mass > 0
             ? sqrt(s->ledger.accounts[i].spread / s->ledger.local[i].mass)
             : 0;
}

/* Residuals at y, after measure, and their scales. */
static fb_verdict check_tree(const fb_sim* s, int i, const double* y) {
  const fb_tree_local* local = &s->ledger.local[i];
  const fb_accounts* b = &s->ledger.accounts[i];
  const double* z = y + s->nq + s->nv + s->nx + s->tree.list[i].z_at;
  fb_verdict x = {{0, 0}, {0, 0}, {0, 0}};
  int floats = s->tree.list[i].root >= 0;
  double speed = b->speed;
  if (floats && local->mass > 0 && z[FB_T_PUSHED] > local->mass * speed) speed = z[FB_T_PUSHED] / local->mass;
  double size = s->tree.list[i].size;
  if (local->mass > 0) speed = larger(speed, SIZES * size);
  double floor = 0.5 * local->mass * (SPEED * SPEED * speed * speed + STILL * STILL * size * size) +
                 STORED * b->potential_size + passed_on(s);
  double moved = largest(b->kinetic, local->kinetic, b->potential_change);
  x.energy.residual = (local->kinetic + local->potential) - b->energy_0 - z[FB_T_WORK] - b->impacts;
  x.energy.scale = largest(z[FB_T_GROSS], moved, floor);
  if (!floats) return x;
  double linear[3], angular[3], passed = passed_on(s), e = larger(twice_kinetic(s, i, speed), passed);
  for (int k = 0; k < 3; k++) {
    linear[k] = local->mass * local->drift[k] - b->linear_0[k] - z[FB_T_IMPULSE + k];
    angular[k] = local->angular[k] - b->angular_0[k] - z[FB_T_IMPULSE + 3 + k];
  }
  x.linear = (fb_residual){
      length3(linear),
      larger(z[FB_T_PUSHED], sqrt(fabs(local->mass * larger(twice_carried(s, i, speed), passed))))};
  double turned = larger(z[FB_T_TURNED], contact_arm(s, i) * z[FB_T_PUSHED]);
  x.angular = (fb_residual){length3(angular), larger(turned, sqrt(fabs(b->spread * e)))};
  return x;
}

/* The worst ratio, with the scale that has grown to this. */
static double worst_ratio(const fb_worst* worst, double scale) {
  return ratio(worst->residual, larger(worst->scale, EARLY * scale));
}

static void keep_worst(fb_worst* worst, fb_residual now, double t) {
  double residual = fabs(now.residual);
  /* residual / scale > worst_ratio, without divisions */
  if (residual * larger(worst->scale, EARLY * now.scale) > worst->residual * now.scale ||
      worst->residual == 0)
    *worst = (fb_worst){residual, now.scale, residual > 0 ? t : 0};
}

void fb_ledger_close(const fb_sim* s, int i, fb_accounts* b) {
  fb_verdict x = check_tree(s, i, s->y);
  b->energy.scale = larger(b->energy.scale, EARLY * x.energy.scale);
  b->linear.scale = larger(b->linear.scale, EARLY * x.linear.scale);
  b->angular.scale = larger(b->angular.scale, EARLY * x.angular.scale);
}

/* ---- all trees ---- */

static double potential_in_world(const fb_sim* s, const fb_data* d, const double* q) {
  double energy = fb_potential_energy(s->m, d, q, &s->loads);
  fb_parts_add_energy(s, d, q, &energy);
  return energy;
}
/* 1/2 M v_c^2, and K about it. */
static double kinetic_in_world(const fb_sim* s) {
  double sum = 0;
  for (int i = 0; i < s->tree.count; i++)
    sum += s->ledger.local[i].kinetic +
           0.5 * s->ledger.local[i].mass * dot3(s->ledger.local[i].drift, s->ledger.local[i].drift);
  return sum;
}

/* Momentum of all floating trees, or of those that are not in groups by themselves, in the world and about its origin. */
static void sum_momentum(const fb_sim* s, const fb_data* d, int only_outside, double linear[3],
                         double angular[3]) {
  memset(linear, 0, 3 * sizeof *linear);
  memset(angular, 0, 3 * sizeof *angular);
  for (int i = 0; i < s->tree.count; i++) {
    if (s->tree.list[i].root < 0 || (only_outside && s->tree.group[i] != FB_NOT_KEPT)) continue;
    double base[3], c[3], P[3], orbit[3];
    fb_st3(base, 0, fb_get3(fb_link(d, s->tree.roots[s->tree.list[i].root].link), FB_REC_P));
    for (int k = 0; k < 3; k++) {
      c[k] = base[k] + s->ledger.local[i].com[k];
      P[k] = s->ledger.local[i].mass * s->ledger.local[i].drift[k];
    }
    cross3(c, P, orbit);
    for (int k = 0; k < 3; k++) {
      linear[k] += P[k];
      angular[k] += s->ledger.local[i].angular[k] + orbit[k];
    }
  }
}

/* After measure at s->y. */
static void keep(fb_sim* s) {
  for (int i = 0; i < s->tree.count; i++) {
    fb_accounts* b = &s->ledger.accounts[i];
    keep_peaks(s, i);
    fb_verdict x = check_tree(s, i, s->y);
    keep_worst(&b->energy, x.energy, s->head->t);
    keep_worst(&b->linear, x.linear, s->head->t);
    keep_worst(&b->angular, x.angular, s->head->t);
  }
  s->ledger.head->peak_kinetic = larger(s->ledger.head->peak_kinetic, kinetic_in_world(s));
}

void fb_ledger_begin(fb_sim* s) {
  fb_ledger_head* h = s->ledger.head;
  const fb_data* d = measure(s, s->y);
  for (int i = 0; i < s->tree.count; i++) {
    const fb_tree_local* local = &s->ledger.local[i];
    fb_accounts* b = &s->ledger.accounts[i];
    *b = (fb_accounts){.energy_0 = local->kinetic + local->potential, .potential_0 = local->potential};
    for (int k = 0; k < 3; k++) b->linear_0[k] = local->mass * local->drift[k];
    memcpy(b->angular_0, local->angular, sizeof b->angular_0);
  }
  h->kinetic_0 = kinetic_in_world(s);
  h->potential_0 = potential_in_world(s, d, s->y);
  sum_momentum(s, d, 0, h->linear_0, h->angular_0);
  h->impacts = h->peak_kinetic = 0;
  h->stored_0 = fb_contacts_stored(s);
  keep(s);
}

/* Whether a residual has just become the worst so far, and exceeds that of a trustworthy motion. */
static int is_new_worst(const fb_sim* s, const fb_worst* worst) {
  static const double MOST = 1e-3;
  return worst->t == s->head->t && worst->residual > MOST * worst->scale;
}

void fb_ledger_step(fb_sim* s) {
  measure(s, s->y);
  if (s->stepper.traits.takes_slopes && s->tree.nfloat > 0) fb_conserve_note(s, s->y);
  keep(s);
  for (int i = 0; i < s->tree.count; i++) {
    const fb_accounts* b = &s->ledger.accounts[i];
    if (!is_new_worst(s, &b->energy) && !is_new_worst(s, &b->linear) && !is_new_worst(s, &b->angular))
      continue;
    fb_singular_note(s);
    break;
  }
}

double fb_ledger_off(fb_sim* s, const double* y) {
  double worst = 0;
  measure(s, y);
  for (int i = 0; i < s->tree.count; i++) {
    fb_verdict x = check_tree(s, i, y);
    worst = larger(
        worst, largest(ratio(fabs(x.energy.residual), x.energy.scale),
                       ratio(x.linear.residual, x.linear.scale), ratio(x.angular.residual, x.angular.scale)));
  }
  return worst;
}

/* ---- jumps ---- */

void fb_ledger_jump_begin(fb_sim* s) {
  measure(s, s->y);
  for (int i = 0; i < s->tree.count; i++) {
    s->ledger.kinetic_before[i] = s->ledger.local[i].kinetic;
    memcpy(s->ledger.drift_before + 3 * (size_t)i, s->ledger.local[i].drift, sizeof s->ledger.local[i].drift);
  }
}

static void push_trees(fb_sim* s, const double* impulse) {
  for (int i = 0; i < s->tree.count; i++)
    if (s->tree.list[i].root >= 0)
      fb_tree_push(s, i, impulse + s->tree.roots[s->tree.list[i].root].v_at, fb_y_z(s, s->y));
}

void fb_ledger_push(fb_sim* s, const double* impulse) {
  fb_flow_base_push(s, s->y, impulse, fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE);
  push_trees(s, impulse);
}

void fb_ledger_push_loops(fb_sim* s) {
  if (s->m->top.nloop == 0) return;
  fb_loop_forces(s->m, s->d, s->loop.force);
  fb_flow_loop_push(s, fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE);
  push_trees(s, s->loop.force);
}

/* 1/2 M (v_1^2 - v_0^2) as M (v_1 - v_0).(v_1 + v_0) / 2: of a fast tree the difference of squares would be rounding. */
void fb_ledger_jump_end(fb_sim* s) {
  measure(s, s->y);
  s->head->jumped = 1;
  for (int i = 0; i < s->tree.count; i++) {
    const double *before = s->ledger.drift_before + 3 * (size_t)i, *after = s->ledger.local[i].drift;
    double change = s->ledger.local[i].kinetic - s->ledger.kinetic_before[i];
    s->ledger.accounts[i].impacts += change;
    for (int k = 0; k < 3; k++)
      change += 0.5 * s->ledger.local[i].mass * (after[k] - before[k]) * (after[k] + before[k]);
    s->ledger.head->impacts += change;
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
  for (int i = 0; i < s->tree.count; i++) {
    s->ledger.kinetic_before[i] = s->ledger.local[i].kinetic + s->ledger.local[i].potential;
    memcpy(s->ledger.drift_before + 3 * (size_t)i, s->ledger.local[i].drift, sizeof s->ledger.local[i].drift);
    memcpy(s->ledger.angular_before + 3 * (size_t)i, s->ledger.local[i].angular,
           sizeof s->ledger.local[i].angular);
  }
}

double fb_ledger_move_end(fb_sim* s, double* y, const fb_scene_totals* before) {
  double* sums = fb_y_z(s, y);
  fb_scene_totals after = {.only_outside = before->only_outside};
  scene_at(s, y, &after);
  for (int i = 0; i < s->tree.count; i++) {
    const fb_tree_local* local = &s->ledger.local[i];
    double change = local->kinetic + local->potential - s->ledger.kinetic_before[i],
           *z = sums + s->tree.list[i].z_at;
    z[FB_T_WORK] += change;
    z[FB_T_GROSS] += fabs(change);
    for (int k = 0; s->tree.list[i].root >= 0 && k < 3; k++) {
      z[FB_T_IMPULSE + k] += local->mass * (local->drift[k] - s->ledger.drift_before[3 * i + k]);
      z[FB_T_IMPULSE + 3 + k] += local->angular[k] - s->ledger.angular_before[3 * i + k];
    }
  }
  for (int k = 0; k < 6; k++) sums[s->nv + FB_Z_IMPULSE + k] += after.momentum[k] - before->momentum[k];
  return after.energy - before->energy;
}

/* ---- reading ---- */

/* Takes the result of a tree when it is worse than those before. */
static void take_worse(const fb_sim* s, int i, const fb_verdict* x, fb_ledger* out) {
  const fb_accounts* b = &s->ledger.accounts[i];
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
    out->worst_body = s->tree.list[i].body;
  }
  if (out->momentum_body == 0 || larger(linear, angular) > out->momentum_worst) {
    out->momentum_worst = larger(linear, angular);
    out->momentum_worst_t = linear > angular ? b->linear.t : b->angular.t;
    out->momentum_body = s->tree.list[i].root < 0 ? 0 : s->tree.list[i].body;
  }
}

/* Residual and scale of the tree whose part of it is largest. */
static void take_momentum(fb_residual now, double* residual, double* scale) {
  if (*scale > 0 && ratio(now.residual, now.scale) <= ratio(*residual, *scale)) return;
  *residual = now.residual;
  *scale = now.scale;
}

/* Forces on a body that does not rotate, as on a bouncing ball, do no work in its own frame, so errors in them do not
 * show there; in the world frame they do. */
static double balance_in_world(const fb_ledger* l) {
  double gained = (l->kinetic - l->kinetic_0) + (l->potential - l->potential_0);
  return gained - l->work - l->external + l->dissipated - l->impacts - l->normal - l->friction -
         l->projection - l->loops;
}

/* Closing the gaps of contacts displaces floating trees, which does not change their energy about the centre of mass,
 * but does in the world: with contacts it is part of the residual, so that the rows add up. Amounts below the
 * accuracy of the work in the world, as of bodies in orbit, are left out. */
static void take_displacements(fb_ledger* out) {
  static const double EXACT = 1e-9; /* of the energies in the world */
  double more = out->world_residual - out->residual;
  double size = largest(out->gross, out->peak_kinetic, fabs(out->potential - out->potential_0));
  if (out->contacts && fabs(more) > EXACT * size) out->residual = out->world_residual;
}

void fb_ledger_at(fb_sim* s, const double* y, fb_ledger* out) {
  const double *work = y + s->nq + s->nv + s->nx, *sums = work + s->nv;
  const fb_ledger_head* h = s->ledger.head;
  const fb_data* d = measure(s, y);
  *out = (fb_ledger){.kinetic = kinetic_in_world(s),
                     .potential = potential_in_world(s, d, y),
                     .kinetic_0 = h->kinetic_0,
                     .potential_0 = h->potential_0,
                     .stored_0 = h->stored_0,
                     .external = sums[FB_Z_EXTERNAL],
                     .dissipated = sums[FB_Z_DISSIPATED],
                     .impacts = h->impacts - s->contact.head->impacts,
                     .gross = sums[FB_Z_GROSS],
                     .peak_kinetic = h->peak_kinetic};
  for (int k = 0; k < s->nv; k++) out->work += work[k];
  fb_contacts_work(s, y, out);
  for (int k = 0; s->regroup.joints.v && k <= s->regroup.original->top.nv; k++)
    out->work += s->regroup.kept_work[k];
  if (s->m->top.nloop > 0) out->loops = work[s->nz - FB_Z_LOOPS_COUNT];
  out->world_residual = balance_in_world(out);
  sum_momentum(s, d, 0, out->linear, out->angular);
  memcpy(out->linear_0, h->linear_0, sizeof out->linear_0);
  memcpy(out->angular_0, h->angular_0, sizeof out->angular_0);
  memcpy(out->impulse, sums + FB_Z_IMPULSE, sizeof out->impulse);
  for (int i = 0; i < s->tree.count; i++) {
    fb_verdict x = check_tree(s, i, y);
    take_worse(s, i, &x, out);
    if (s->tree.list[i].root < 0) continue;
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

/* The scale of a tree's energies is the energy of its motion, or what was exchanged in this step if larger, or their
 * own size; not all that was ever exchanged, which grows without bound. Integrals of magnitudes have kinks and only
 * serve as scales. The impulse in the world's frame and the work of loops follow from those of the trees. */
static void size_tree(const fb_sim* s, int i, const double* z0, const double* z1, double* size) {
  const fb_accounts* b = &s->ledger.accounts[i];
  int at = s->tree.list[i].z_at;
  double energy = largest(b->kinetic, b->potential_change, z1[at + FB_T_GROSS] - z0[at + FB_T_GROSS]);
  size[at + FB_T_WORK] = larger(energy, most_of(z0, z1, at + FB_T_WORK));
  size[at + FB_T_GROSS] = -1;
  s->ledger.power[i] = energy;
  if (s->tree.list[i].root < 0) return;
  double e = twice_kinetic(s, i, 0);
  double pushed = z1[at + FB_T_PUSHED] - z0[at + FB_T_PUSHED];
  double linear = larger(sqrt(fabs(s->ledger.local[i].mass * e)), pushed);
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
  double energy = larger(s->ledger.head->peak_kinetic, z1[at + FB_Z_GROSS] - z0[at + FB_Z_GROSS]);
  for (int i = 0; i < s->tree.count; i++) {
    size_tree(s, i, z0, z1, size);
    energy = larger(energy, s->ledger.accounts[i].potential_change);
  }
  for (int k = 0; k < s->nv; k++)
    size[k] = larger(s->ledger.power[s->m->top.coordinate_tree[k]], most_of(z0, z1, k));
  for (int k = 0; k < FB_Z_COUNT; k++)
    size[at + k] = k == FB_Z_DISSIPATED || k == FB_Z_EXTERNAL ? larger(energy, most_of(z0, z1, at + k)) : -1;
  if (s->m->top.nloop > 0) *fb_z_loops(s, size) = -1;
  for (int i = 0; i < s->tree.nfloat; i++) /* their work is that in the world frame */
    for (int k = s->tree.roots[i].v_at; k < s->tree.roots[i].v_at + 3; k++)
      size[k] = larger(energy, most_of(z0, z1, k));
}

void fb_sim_ledger_sizes(const fb_sim* s, const double* y, double* size) {
  const double* z = y + fb_sim_ny_motion(s);
  fb_ledger_sizes(s, z, z, size);
}
