/* ledger_change.c -- the ledger across a change of the model
 *
 * The trees are other ones afterwards. A tree of the new model takes over the accounts of the old trees whose first body
 * it has: quadratures and residuals are summed, so that what the method had lost by then stays visible. Where floating
 * trees become one, its momentum is compared with what theirs was, about the common centre of mass, before the impact:
 *
 *   P = sum P_i,   L = sum (L_i + m_i (c_i - c) x (v_i - v))
 *
 * so that a join which did not conserve momentum would show as a residual. In all other cases (a tree that parts, or one
 * that comes to stand on the world) the balance begins anew from the present motion, with the residuals so far. A base
 * that is locked or moved, and a loop to another tree or to the world, pass an impulse on at the impact: what the
 * momentum of such a tree changes by is booked as that impulse. The energy that the change took is booked as impacts. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vector3.h"
#include "model/record.inl"
#include "regroup/change.h"
#include "ledger/ledger.h"
#include "sim/flow.h"

/* A tree before the change. */
typedef struct account {
  fb_own own;
  fb_books books;
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

static int tree_of(const fb_sim* s, int body) {
  return s->link_tree[s->m->top.body_link[body]];
}

static account take(const fb_sim* s, const fb_data* d, int i) {
  const double* z = s->y + s->nq + s->nv + s->nx + s->trees[i].z_at;
  const fb_own* own = &s->own[i];
  const fb_books* b = &s->books[i];
  int floats = s->trees[i].root >= 0;
  account a = {.own = *own, .books = *b, .body = s->trees[i].body, .floats = floats};
  fb_ledger_close(s, i, &a.books);
  memcpy(a.z, z, (size_t)(floats ? FB_T_COUNT : FB_T_ON_WORLD) * sizeof *z);
  a.energy = (own->kinetic + own->potential) - b->energy_0 - z[FB_T_WORK] - b->impacts;
  if (!floats) return a;
  fb_st3(a.centre, 0, fb_get3(fb_link(d, s->trees[i].link), FB_REC_P));
  for (int k = 0; k < 3; k++) {
    a.centre[k] += own->com[k];
    a.linear[k] = own->mass * own->drift[k] - b->linear_0[k] - z[FB_T_IMPULSE + k];
    a.angular[k] = own->angular[k] - b->angular_0[k] - z[FB_T_IMPULSE + 3 + k];
  }
  return a;
}

fb_ledger_carried* fb_ledger_carry(fb_sim* s) {
  int nbody = s->m->top.nbody;
  fb_ledger_carried* c = calloc(1, sizeof *c);
  if (c) c->trees = calloc((size_t)s->ntree + 1, sizeof *c->trees);
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
  c->ntree = s->ntree;
  c->body_floats = c->body_tree + nbody;
  for (int i = 0; i < s->ntree; i++) c->trees[i] = take(s, d, i);
  for (int b = 1; b < nbody; b++) {
    c->body_tree[b] = tree_of(s, b);
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
  int own = 0, parts = 0;
  for (int b = 1; b < s->m->top.nbody; b++) own += tree_of(s, b) == i;
  for (int j = 0; j < c->ntree; j++) {
    if (tree_of(s, c->trees[j].body) != i) continue;
    if (!c->trees[j].floats) return 0;
    parts += c->trees[j].nbody;
  }
  return s->trees[i].root >= 0 && own == parts;
}

static void take_worse(fb_worst* worst, const fb_worst* other) {
  if (other->residual * worst->scale > worst->residual * other->scale || worst->residual == 0)
    *worst = *other;
}

/* Peaks and worst residuals are those of the part that has the larger. */
static void merge_books(fb_books* b, const fb_books* part) {
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
    if (tree_of(s, a->body) != i) continue;
    if (!base) base = a;
    mass += a->own.mass;
    for (int k = 0; k < 3; k++) {
      centre[k] += a->own.mass * (a->centre[k] - base->centre[k]);
      linear[k] += a->own.mass * a->own.drift[k];
    }
  }
  for (int j = 0; base && j < c->ntree; j++) {
    const account* a = &c->trees[j];
    if (tree_of(s, a->body) != i) continue;
    double arm[3], u[3], orbit[3];
    for (int k = 0; k < 3; k++) {
      arm[k] = a->centre[k] - base->centre[k] - centre[k] / mass;
      u[k] = a->own.drift[k] - linear[k] / mass;
    }
    cross3(arm, u, orbit);
    for (int k = 0; k < 3; k++) angular[k] += a->own.angular[k] + a->own.mass * orbit[k];
  }
}

/* Whether the impact pushes floating tree i from outside: by its base, or by a loop that leaves it. */
static int is_pushed(const fb_sim* s, const unsigned char* prescribed, int i) {
  const fb_topology* t = &s->m->top;
  int base = s->roots[s->trees[i].root].v_at;
  for (int k = base; prescribed && k < base + 6; k++)
    if (prescribed[k]) return 1;
  for (int loop = 0; loop < t->nloop; loop++) {
    const int* site = t->loop_site + 2 * loop;
    if (t->loop_type[loop] == FB_LOOP_GEAR) continue; /* acts on joints within trees */
    if ((s->link_tree[t->site_link[site[0]]] == i) != (s->link_tree[t->site_link[site[1]]] == i)) return 1;
  }
  return 0;
}

/* Books what changed the momentum of tree i from the one given as an impulse from outside. */
static void book_push(fb_sim* s, int i, const double linear[3], const double angular[3]) {
  const fb_own* own = &s->own[i];
  double *z = fb_y_z(s, s->y) + s->trees[i].z_at, *sums = fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE;
  double push[3], turn[3], centre[3], moment[3];
  fb_st3(centre, 0, fb_get3(fb_link(fb_sim_kinematics_at(s, s->y), s->trees[i].link), FB_REC_P));
  for (int k = 0; k < 3; k++) {
    push[k] = own->mass * own->drift[k] - linear[k];
    turn[k] = own->angular[k] - angular[k];
    centre[k] += own->com[k];
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

/* Where the balance of momentum of floating tree i begins, with the residuals so far. */
static void open_momentum(fb_sim* s, const fb_ledger_carried* c, int i, const unsigned char* prescribed,
                          const double gone[3], const double turned[3]) {
  const fb_own* own = &s->own[i];
  fb_books* b = &s->books[i];
  const double* z = fb_y_z(s, s->y) + s->trees[i].z_at;
  double linear[3], angular[3], before[6];
  int whole = is_union(s, c, i);
  if (whole) momentum_before(s, c, i, linear, angular);
  for (int k = 0; k < 3; k++) {
    if (!whole) linear[k] = own->mass * own->drift[k];
    if (!whole) angular[k] = own->angular[k];
    before[k] = z[FB_T_IMPULSE + k];
    before[3 + k] = z[FB_T_IMPULSE + 3 + k];
  }
  if (whole && is_pushed(s, prescribed, i)) book_push(s, i, linear, angular);
  for (int k = 0; k < 3; k++) {
    b->linear_0[k] = linear[k] - before[k] - gone[k];
    b->angular_0[k] = angular[k] - before[3 + k] - turned[k];
  }
}

/* The sums of the parts, and their residuals; where the balance of tree i begins follows. After fb_trees_measure. */
static void open_tree(fb_sim* s, const fb_ledger_carried* c, int i, const unsigned char* prescribed) {
  const fb_own* own = &s->own[i];
  fb_books* b = &s->books[i];
  double *z = fb_y_z(s, s->y) + s->trees[i].z_at, left = 0, change = 0, before = 0;
  double gone[3] = {0, 0, 0}, turned[3] = {0, 0, 0};
  int floats = s->trees[i].root >= 0;
  *b = (fb_books){.energy_0 = 0};
  for (int j = 0; j < c->ntree; j++) {
    const account* a = &c->trees[j];
    if (tree_of(s, a->body) != i) continue;
    merge_books(b, &a->books);
    left += a->energy;
    change += a->own.potential - a->books.potential_0;
    before += a->own.kinetic + a->own.potential;
    for (int k = 0; k < (floats ? FB_T_COUNT : FB_T_ON_WORLD); k++) z[k] += a->z[k];
    for (int k = 0; k < 3; k++) {
      gone[k] += a->linear[k];
      turned[k] += a->angular[k];
    }
  }
  double energy = own->kinetic + own->potential;
  b->impacts += energy - before;
  b->energy_0 = energy - z[FB_T_WORK] - b->impacts - left;
  b->potential_0 = own->potential - change;
  if (floats) open_momentum(s, c, i, prescribed, gone, turned);
}

/* Bodies that come to stand on the world take their momentum out of the balance, and bring it back when they part; what
 * was booked as an impulse on others is no part of that. */
static void move_start(fb_sim* s, const fb_ledger_carried* c) {
  const double *sums = fb_y_z(s, s->y) + s->nv + FB_Z_IMPULSE, *before = c->sums + FB_Z_IMPULSE;
  int changed = 0;
  fb_ledger now;
  for (int b = 1; b < s->m->top.nbody; b++) changed |= c->body_floats[b] != fb_sim_floats(s, b);
  if (!changed) return;
  fb_ledger_at(s, s->y, &now);
  for (int k = 0; k < 3; k++) {
    s->head->linear_0[k] += now.linear[k] - c->linear[k] - (sums[k] - before[k]);
    s->head->angular_0[k] += now.angular[k] - c->angular[k] - (sums[3 + k] - before[3 + k]);
  }
}

void fb_ledger_take_up(fb_sim* s, const fb_ledger_carried* c, const fb_next* next) {
  memcpy(fb_y_z(s, s->y) + s->nv, c->sums, sizeof c->sums);
  fb_trees_measure(s, fb_sim_kinematics_at(s, s->y), s->y);
  for (int i = 0; i < s->ntree; i++) open_tree(s, c, i, next->prescribed);
  s->head->impacts -= next->lost;
  s->head->jumped = 1;
  move_start(s, c);
  fb_ledger_step(s);
}
