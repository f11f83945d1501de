/* ledger_change.c -- the ledger across a change of the model
 *
 * The trees change. A tree of the new model takes over the accounts of the old trees whose first body it has:
 * quadratures and residuals are summed, so that earlier errors of the method stay visible. Where floating trees
 * become one, its momentum is compared with theirs before the impact, about the common centre of mass:
 *
 *   P = sum P_i,   L = sum (L_i + m_i (c_i - c) x (v_i - v))
 *
 * so that a join which did not conserve momentum would show as a residual. In all other cases (a tree that parts, or
 * one that is attached to the world) the balance starts again from the present motion, with the residuals so far. A
 * base that is locked or moved, and a loop to another tree or to the world, transmit an impulse at the impact: the
 * change of momentum of such a tree is recorded as that impulse. The energy lost in the change is part of `impacts`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ledger/conserve.h"
#include "math/vector3.h"
#include "model/record.inl"
#include "regroup/change.h"
#include "ledger/ledger.h"
#include "sim/flow.h"

/* A tree before the change. */
typedef struct account {
  fb_tree_local local;
  fb_accounts accounts;
  double z[FB_T_COUNT];
  double energy, linear[3], angular[3]; /* residuals */
  double centre[3];                     /* of mass, in the world */
  int body, floats, nbody;              /* its first; how many it has */
} account;

struct fb_ledger_carried {
  int ntree;
  account* trees;
  int* body_tree;   /* [nbody] */
  int* body_floats; /* [nbody] */
  double linear[3], angular[3];
  double sums[FB_Z_COUNT];
};

static account take(const fb_sim* s, const fb_data* d, int i) {
  const double* z = s->y + s->nq + s->nv + s->nx + s->tree.list[i].z_at;
  const fb_tree_local* local = &s->ledger.local[i];
  const fb_accounts* b = &s->ledger.accounts[i];
  int floats = s->tree.list[i].root >= 0;
  account a = {.local = *local, .accounts = *b, .body = s->tree.list[i].body, .floats = floats};
  fb_ledger_close(s, i, &a.accounts);
  memcpy(a.z, z, (size_t)(floats ? FB_T_COUNT : FB_T_ON_WORLD) * sizeof *z);
  a.energy = (local->kinetic + local->potential) - b->energy_0 - z[FB_T_WORK] - b->impacts;
  if (!floats) return a;
  fb_st3(a.centre, 0, fb_get3(fb_link(d, s->tree.list[i].link), FB_REC_P));
  for (int k = 0; k < 3; k++) {
    a.centre[k] += local->com[k];
    a.linear[k] = local->mass * local->drift[k] - b->linear_0[k] - z[FB_T_IMPULSE + k];
    a.angular[k] = local->angular[k] - b->angular_0[k] - z[FB_T_IMPULSE + 3 + k];
  }
  return a;
}

fb_ledger_carried* fb_ledger_carry(fb_sim* s) {
  int nbody = s->m->top.nbody;
  fb_ledger_carried* c = calloc(1, sizeof *c);
  if (c) c->trees = calloc((size_t)s->tree.count + 1, sizeof *c->trees);
  if (c) c->body_tree = calloc(2 * (size_t)nbody, sizeof *c->body_tree);
  if (!c || !c->trees || !c->body_tree) {
    fb_ledger_carry_free(c);
    return NULL;
  }
  fb_ledger now;
  fb_ledger_at(s, s->y, &now); /* measures */
  memcpy(c->linear, now.linear, sizeof c->linear);
  memcpy(c->angular, now.angular, sizeof c->angular);
  memcpy(c->sums, fb_y_z(s, s->y) + s->nv, sizeof c->sums);
  const fb_data* d = fb_sim_kinematics_at(s, s->y);
  c->ntree = s->tree.count;
  c->body_floats = c->body_tree + nbody;
  for (int i = 0; i < s->tree.count; i++) c->trees[i] = take(s, d, i);
  for (int b = 1; b < nbody; b++) {
    c->body_tree[b] = fb_tree_of(s, b);
    c->body_floats[b] = fb_sim_floats(s, b);
    if (c->body_tree[b] >= 0) c->trees[c->body_tree[b]].nbody++;
  }
  return c;
}

void fb_ledger_carry_free(fb_ledger_carried* c) {
  if (!c) return;
  free(c->trees);
  free(c->body_tree);
  free(c);
}

/* --- into the trees of the new model --- */

/* Whether tree i of the new model is made of whole floating trees. */
static int is_union(const fb_sim* s, const fb_ledger_carried* c, int i) {
  int local = 0, parts = 0;
  for (int b = 1; b < s->m->top.nbody; b++) local += fb_tree_of(s, b) == i;
  for (int j = 0; j < c->ntree; j++) {
    if (fb_tree_of(s, c->trees[j].body) != i) continue;
    if (!c->trees[j].floats) return 0;
    parts += c->trees[j].nbody;
  }
  return s->tree.list[i].root >= 0 && local == parts;
}

static void take_worse(fb_worst* worst, const fb_worst* other) {
  if (other->residual * worst->scale > worst->residual * other->scale || worst->residual == 0)
    *worst = *other;
}

/* Peaks and worst residuals: the larger of those of the parts. */
static void merge_accounts(fb_accounts* b, const fb_accounts* part) {
  b->impacts += part->impacts;
  b->kinetic = fmax(b->kinetic, part->kinetic);
  b->potential_change = fmax(b->potential_change, part->potential_change);
  b->potential_size = fmax(b->potential_size, part->potential_size);
  b->spread = fmax(b->spread, part->spread);
  b->speed = fmax(b->speed, part->speed);
  take_worse(&b->energy, &part->energy);
  take_worse(&b->linear, &part->linear);
  take_worse(&b->angular, &part->angular);
}

/* Momentum of the parts of tree i before the change: linear, and about their common centre of mass. */
static void momentum_before(const fb_sim* s, const fb_ledger_carried* c, int i, double linear[3],
                            double angular[3]) {
  double mass = 0, centre[3] = {0, 0, 0};
  memset(linear, 0, 3 * sizeof *linear);
  memset(angular, 0, 3 * sizeof *angular);
  const account* base = NULL; /* positions count from its centre: differences stay exact far out */
  for (int j = 0; j < c->ntree; j++) {
    const account* a = &c->trees[j];
    if (fb_tree_of(s, a->body) != i) continue;
    if (!base) base = a;
    mass += a->local.mass;
    for (int k = 0; k < 3; k++) {
      centre[k] += a->local.mass * (a->centre[k] - base->centre[k]);
      linear[k] += a->local.mass * a->local.drift[k];
    }
  }
  for (int j = 0; base && j < c->ntree; j++) {
    const account* a = &c->trees[j];
    if (fb_tree_of(s, a->body) != i) continue;
    double arm[3], u[3], orbit[3];
    for (int k = 0; k < 3; k++) {
      arm[k] = a->centre[k] - base->centre[k] - centre[k] / mass;
      u[k] = a->local.drift[k] - linear[k] / mass;
    }
    cross3(arm, u, orbit);
    for (int k = 0; k < 3; k++) angular[k] += a->local.angular[k] + a->local.mass * orbit[k];
  }
}

/* Whether an external impulse acts on floating tree i: through its base, or through a loop to another tree. */
static int is_pushed(const fb_sim* s, const unsigned char* prescribed, int i) {
  const fb_topology* t = &s->m->top;
  int base = s->tree.roots[s->tree.list[i].root].v_at;
  for (int k = base; prescribed && k < base + 6; k++)
    if (prescribed[k]) return 1;
  for (int loop = 0; loop < t->nloop; loop++) {
    const int* site = t->loop_site + 2 * loop;
    if (t->loop_type[loop] == FB_LOOP_GEAR) continue; /* acts on joints within trees */
    if ((fb_tree_of(s, site[0]) == i) != (fb_tree_of(s, site[1]) == i)) return 1;
  }
  return 0;
}

/* Records the change of momentum of tree i from the one given as an external impulse. */
static void enter_push(fb_sim* s, int i, const double linear[3], const double angular[3]) {
  const fb_tree_local* local = &s->ledger.local[i];
  double *z = fb_y_z(s, s->y) + s->tree.list[i].z_at, *sums = fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE;
  double push[3], turn[3], centre[3], moment[3];
  fb_st3(centre, 0, fb_get3(fb_link(fb_sim_kinematics_at(s, s->y), s->tree.list[i].link), FB_REC_P));
  for (int k = 0; k < 3; k++) {
    push[k] = local->mass * local->drift[k] - linear[k];
    turn[k] = local->angular[k] - angular[k];
    centre[k] += local->com[k];
  }
  cross3(centre, push, moment);
  for (int k = 0; k < 3; k++) {
    z[FB_T_IMPULSE + k] += push[k];
    z[FB_T_IMPULSE + 3 + k] += turn[k];
    sums[k] += push[k];
    sums[3 + k] += turn[k] + moment[k];
  }
  z[FB_T_PUSHED] += norm3(push);
  z[FB_T_TURNED] += norm3(turn);
}

/* Restarts the balance of momentum of floating tree i, with the residuals so far. */
static void open_momentum(fb_sim* s, const fb_ledger_carried* c, int i, const unsigned char* prescribed,
                          const double removed[3], const double turned[3]) {
  const fb_tree_local* local = &s->ledger.local[i];
  fb_accounts* b = &s->ledger.accounts[i];
  const double* z = fb_y_z(s, s->y) + s->tree.list[i].z_at;
  double linear[3], angular[3], before[6];
  int whole = is_union(s, c, i);
  if (whole) momentum_before(s, c, i, linear, angular);
  for (int k = 0; k < 3; k++) {
    if (!whole) linear[k] = local->mass * local->drift[k];
    if (!whole) angular[k] = local->angular[k];
    before[k] = z[FB_T_IMPULSE + k];
    before[3 + k] = z[FB_T_IMPULSE + 3 + k];
  }
  if (whole && is_pushed(s, prescribed, i)) enter_push(s, i, linear, angular);
  for (int k = 0; k < 3; k++) {
    b->linear_0[k] = linear[k] - before[k] - removed[k];
    b->angular_0[k] = angular[k] - before[3 + k] - turned[k];
  }
}

/* The sums of the parts, and their residuals; the start of tree i's balance follows. After fb_trees_measure. */
static void open_tree(fb_sim* s, const fb_ledger_carried* c, int i, const unsigned char* prescribed) {
  const fb_tree_local* local = &s->ledger.local[i];
  fb_accounts* b = &s->ledger.accounts[i];
  double *z = fb_y_z(s, s->y) + s->tree.list[i].z_at, left = 0, change = 0, before = 0;
  double removed[3] = {0, 0, 0}, turned[3] = {0, 0, 0};
  int floats = s->tree.list[i].root >= 0;
  *b = (fb_accounts){.energy_0 = 0};
  for (int j = 0; j < c->ntree; j++) {
    const account* a = &c->trees[j];
    if (fb_tree_of(s, a->body) != i) continue;
    merge_accounts(b, &a->accounts);
    left += a->energy;
    change += a->local.potential - a->accounts.potential_0;
    before += a->local.kinetic + a->local.potential;
    for (int k = 0; k < (floats ? FB_T_COUNT : FB_T_ON_WORLD); k++) z[k] += a->z[k];
    for (int k = 0; k < 3; k++) {
      removed[k] += a->linear[k];
      turned[k] += a->angular[k];
    }
  }
  double energy = local->kinetic + local->potential;
  b->impacts += energy - before;
  b->energy_0 = energy - z[FB_T_WORK] - b->impacts - left;
  b->potential_0 = local->potential - change;
  if (floats) open_momentum(s, c, i, prescribed, removed, turned);
}

/* Bodies that are attached to the world leave the balance of momentum, and re-enter it when they part; impulses
 * already recorded on others are excluded. */
static void move_start(fb_sim* s, const fb_ledger_carried* c) {
  const double *sums = fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE, *before = c->sums + FB_Z_IMPULSE;
  int changed = 0;
  fb_ledger now;
  for (int b = 1; b < s->m->top.nbody; b++) changed |= c->body_floats[b] != fb_sim_floats(s, b);
  if (!changed) return;
  fb_ledger_at(s, s->y, &now);
  for (int k = 0; k < 3; k++) {
    s->ledger.head->linear_0[k] += now.linear[k] - c->linear[k] - (sums[k] - before[k]);
    s->ledger.head->angular_0[k] += now.angular[k] - c->angular[k] - (sums[3 + k] - before[3 + k]);
  }
}

void fb_ledger_take_up(fb_sim* s, const fb_ledger_carried* c, const fb_next* next) {
  memcpy(fb_y_z(s, s->y) + s->nv, c->sums, sizeof c->sums);
  fb_trees_measure(s, fb_sim_kinematics_at(s, s->y), s->y);
  for (int i = 0; i < s->tree.count; i++) open_tree(s, c, i, next->prescribed);
  s->ledger.head->impacts -= next->lost;
  s->head->jumped = 1;
  move_start(s, c);
  fb_ledger_step(s);
}
