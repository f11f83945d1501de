/* tree.c -- the trees of a simulation, each in its own frame
 *
 * What is measured, and how, is in dynamics/trees.inl; soft stops and fields, which are the simulation's, are added
 * here. */
#include <math.h>
#include <stdlib.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "environment/environment.h"
#include "kernel/instances.h"
#include "model/record.inl"
#include "math/vector3.h"
#include "ledger/conserve.h"
#include "sim/sim.h"
#include "limit/stops.h"
#include "ledger/ledger.h"
#include "sim/accuracy/turning.h"

static void add_root(fb_sim* s, int link, int body) {
  fb_float_root* root = &s->tree.roots[s->tree.nfloat++];
  root->body = body;
  root->link = link;
  root->q_at = fb_joint_q_index(s->m, body);
  root->v_at = fb_joint_v_index(s->m, body);
  fb_frame_pose(s->m, s->d, fb_model_joint_frame(s->m, body), root->p_wj, root->R_wj);
}

/* Floating bases whose joint hangs on the world come first, then those on bodies that are fixed to it. */
static void find_roots(fb_sim* s) {
  for (int on_body = 0; on_body < 2; on_body++) {
    for (int i = 0; i < s->tree.count; i++) {
      int link = s->tree.list[i].link;
      if (s->m->top.link_kind[link] != FB_LINK_FREE) continue;
      int body =
          s->m->top.coordinate_body[s->m->top.link_v[link]]; /* on the free joint; others are fixed to it */
      if ((fb_body_parent(s->m, body) != FB_WORLD) != on_body) continue;
      s->tree.list[i].root = s->tree.nfloat;
      add_root(s, link, body);
    }
    if (!on_body) s->tree.nroot = s->tree.nfloat;
  }
}

static void list_trees(fb_sim* s) {
  const fb_topology* t = &s->m->top;
  s->tree.count = t->nmoving;
  for (int i = 0; i < t->nmoving; i++) s->tree.list[i] = (fb_sim_tree){.link = t->tree_link[i], .root = -1};
  find_roots(s);
  for (int i = 0; i < s->tree.count; i++) {
    s->tree.list[i].z_at = s->nv + FB_Z_COUNT + s->ledger.nz_trees;
    s->ledger.nz_trees += s->tree.list[i].root >= 0 ? FB_T_COUNT : FB_T_ON_WORLD;
  }
}

/* The first body of each tree. */
static void name_trees(fb_sim* s) {
  const fb_topology* t = &s->m->top;
  for (int i = t->nbody - 1; i > 0; i--) {
    int b = t->body_order[i], tree = t->link_tree[t->body_link[b]];
    if (tree >= 0) s->tree.list[tree].body = b;
  }
}

/* The largest distance of the mass of each tree from its first joint, or the mean radius of a link if larger. The
 * poses at the neutral configuration are known. */
static void measure_trees(fb_sim* s) {
  static const double SMALLEST = 1e-6;
  for (int i = 0; i < s->tree.count; i++) s->tree.list[i].size = SMALLEST;
  for (int i = 1; i < s->m->top.nlink; i++) {
    if (s->m->top.link_tree[i] < 0) continue;
    fb_sim_tree* tree = &s->tree.list[s->m->top.link_tree[i]];
    const double* P = fb_link_par(s->d->par, i);
    fb_par6 I = fb_par6_of(P, FB_PAR_I);
    double mass = fb_par1(P, FB_PAR_MASS);
    fb_v3 r = fb_v3_sub(fb_get3(fb_link(s->d, i), FB_REC_P), fb_get3(fb_link(s->d, tree->link), FB_REC_P));
    double square = fb_v3_dot(r, r) + (mass > 0 ? 0.5 * fabs(I.xx + I.yy + I.zz) / mass : 0);
    tree->size = fmax(tree->size, sqrt(square));
  }
}

int fb_trees_make(fb_sim* s) {
  size_t nlink = (size_t)s->m->top.nlink;
  double* q = malloc(((size_t)s->nq + 1) * sizeof *q);
  s->tree.roots = calloc(nlink, sizeof *s->tree.roots);
  s->tree.list = calloc(nlink, sizeof *s->tree.list);
  s->tree.group = calloc(nlink, sizeof *s->tree.group);
  int made = q && s->tree.roots && s->tree.list && s->tree.group;
  if (made) {
    fb_neutral(s->m, q);
    fb_kinematics(s->m, s->d, q, NULL, NULL);
    list_trees(s);
    name_trees(s);
    measure_trees(s);
    made = fb_turning_make(s);
    fb_conserve_start(s);
  }
  free(q);
  return made;
}

void fb_trees_free(fb_sim* s) {
  free(s->tree.roots);
  free(s->tree.list);
  free(s->tree.group);
  free(s->tree.uneven);
}

void fb_inertia_shift(double mass, const double r[3], double J[6]) {
  double square = dot3(r, r);
  for (int k = 0; k < 3; k++) J[k] += mass * (square - r[k] * r[k]);
  J[3] -= mass * r[0] * r[1];
  J[4] -= mass * r[0] * r[2];
  J[5] -= mass * r[1] * r[2];
}

static void add_soft_stops(fb_sim* s, const double* q) {
  for (int i = 0; i < s->limit.count; i++) {
    if (s->limit.list[i].coordinate < 0) continue;
    fb_tree_local* local = &s->ledger.local[s->m->top.coordinate_tree[s->limit.list[i].coordinate]];
    double energy = fb_soft_stop_energy(s, i, q);
    local->potential += energy;
    local->potential_size += energy;
  }
}

/* Potential energy in a field, of trees on the world; for floating ones it counts as work (flow.c). */
static void add_field(fb_sim* s, const fb_data* d) {
  const fb_environment rest = fb_environment_rest(&s->loads.environment);
  for (int b = 1; b < s->m->top.nbody; b++) {
    int tree = fb_tree_of(s, b);
    if (tree < 0 || s->tree.list[tree].root >= 0) continue;
    double p[3];
    fb_frame_pose(s->m, d, fb_model_com_frame(s->m, b), p, NULL);
    double energy = d->par->body_mass[b] * fb_environment_potential(&rest, b, p);
    s->ledger.local[tree].potential += energy;
    s->ledger.local[tree].potential_size += fabs(energy);
  }
}

static void measure(fb_sim* s, const fb_data* d, fb_tree_sums sums, const double* y) {
  s->m->kernels->trees(&s->m->top, d->par, d, sums, s->m->keeps_inertia, s->loads.passive,
                       s->loads.environment.gravity_w, y, y + s->nq, s->ledger.link_local,
                       (double*)s->ledger.local);
}

void fb_trees_locate(fb_sim* s, const fb_data* d, const double* y) {
  measure(s, d, FB_TREES_PLACES, y);
}

void fb_trees_measure(fb_sim* s, const fb_data* d, const double* y) {
  measure(s, d, FB_TREES_ENERGIES, y);
  if (s->limit.nsoft > 0) add_soft_stops(s, y);
  if (s->has_field) add_field(s, d);
}

void fb_trees_momenta(fb_sim* s, const fb_data* d, const double* y) {
  measure(s, d, FB_TREES_MOMENTA, y);
}

void fb_tree_push(const fb_sim* s, int tree, const double base[6], double* z) {
  const double* R_wj = s->tree.roots[s->tree.list[tree].root].R_wj;
  double force[3], moment[3], arm[3], *local = z + s->tree.list[tree].z_at;
  fb_rot_apply(R_wj, base, force);
  fb_rot_apply(R_wj, base + 3, moment);
  cross3(s->ledger.local[tree].com, force, arm);
  for (int k = 0; k < 3; k++) {
    moment[k] -= arm[k];
    local[FB_T_IMPULSE + k] += force[k];
    local[FB_T_IMPULSE + 3 + k] += moment[k];
  }
  local[FB_T_PUSHED] += norm3(force);
  local[FB_T_TURNED] += norm3(moment);
}
