/* tree.c -- the trees of a simulation, each in its own frame
 *
 * A tree is a set of links connected without passing the world. If its first joint is free, it is measured about its
 * own centre of mass, which moves by Newton's second law whatever the tree does inside:
 *
 *   r_i, u_i   position and velocity of link i relative to the origin of the base, world axes
 *   P_i = m u + w x h,  L_i = I w + h x u + r x P_i
 *   M c = sum (m r + h),  M u_c = sum P
 *   K   = sum 1/2 (w . (I w + h x u) + u . P) - 1/2 M u_c^2,  L = sum L_i - c x M u_c
 *
 * r and u are sums of arms, of w x arm and of sliding along the joints. The position and velocity of the base never
 * enter, so that a tree far out and fast gives the same numbers, bit for bit, as one at rest at the origin. All other
 * trees are measured in the frame of the world, gravity's potential included.
 * Reads axes, ARM and W of the records, as forward dynamics or fb_kinematics leave them.  Cost O(n). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "environment/environment.h"
#include "kinematics/kinematics.inl"
#include "math/vector3.h"
#include "ledger/conserve.h"
#include "sim/sim.h"
#include "limit/stops.h"
#include "ledger/ledger.h"

/* ---- set-up ---- */

/* The body on the free joint of a link; others on that link are fixed to it. */
static int body_on(const fb_model* m, int link) {
  int b = 1;
  while (m->top.body_link[b] != link || fb_joint_nv(m, b) == 0) b++;
  return b;
}

static void add_root(fb_sim* s, int link, int body) {
  fb_float_root* root = &s->roots[s->nfloat++];
  root->body = body;
  root->link = link;
  root->q_at = fb_joint_q_at(s->m, body);
  root->v_at = fb_joint_v_at(s->m, body);
  fb_frame_pose(s->m, s->d, fb_model_joint_frame(s->m, body), root->p_wj, root->R_wj);
}

/* Floating bases whose joint hangs on the world come first, then those on bodies that are fixed to it. */
static void find_roots(fb_sim* s) {
  for (int on_body = 0; on_body < 2; on_body++) {
    for (int i = 0; i < s->ntree; i++) {
      int link = s->trees[i].link;
      if (s->m->top.link_kind[link] != FB_LINK_FREE) continue;
      int body = body_on(s->m, link);
      if ((fb_body_parent(s->m, body) != FB_WORLD) != on_body) continue;
      s->trees[i].root = s->nfloat;
      add_root(s, link, body);
    }
    if (!on_body) s->nroot = s->nfloat;
  }
}

/* The tree of every link; those fixed to the world have none. */
static void find_trees(fb_sim* s) {
  const fb_topology* t = &s->m->top;
  s->link_tree[0] = -1;
  for (int i = 1; i < t->nlink; i++) {
    s->link_tree[i] = s->link_tree[t->link_parent[i]];
    if (s->link_tree[i] >= 0 || t->link_kind[i] == FB_LINK_FIXED) continue;
    s->link_tree[i] = s->ntree;
    s->trees[s->ntree++] = (fb_sim_tree){.link = i, .root = -1};
  }
  find_roots(s);
  for (int i = 0; i < s->ntree; i++) {
    s->trees[i].z_at = s->nv + FB_Z_COUNT + s->nz_trees;
    s->nz_trees += s->trees[i].root >= 0 ? FB_T_COUNT : FB_T_ON_WORLD;
  }
}

/* The first body of each tree, and the tree of every coordinate. */
static void name_trees(fb_sim* s) {
  const fb_topology* t = &s->m->top;
  for (int i = t->nbody - 1; i > 0; i--) {
    int b = t->body_order[i], tree = s->link_tree[t->body_link[b]];
    if (tree >= 0) s->trees[tree].body = b;
  }
  for (int i = 1; i < t->nlink; i++)
    for (int k = 0; k < fb_k_link_nv(t->link_kind[i]); k++) s->v_tree[t->link_v[i] + k] = s->link_tree[i];
}

/* How far the mass of each tree reaches from its first joint, or the mean radius of a link where that is more. The poses
 * at the neutral configuration are known. */
static void measure_trees(fb_sim* s) {
  static const double SMALLEST = 1e-6;
  for (int i = 0; i < s->ntree; i++) s->trees[i].size = SMALLEST;
  for (int i = 1; i < s->m->top.nlink; i++) {
    if (s->link_tree[i] < 0) continue;
    fb_sim_tree* tree = &s->trees[s->link_tree[i]];
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
  s->roots = calloc(nlink, sizeof *s->roots);
  s->trees = calloc(nlink, sizeof *s->trees);
  s->link_tree = calloc(nlink, sizeof *s->link_tree);
  s->v_tree = calloc((size_t)s->nv + 1, sizeof *s->v_tree);
  s->group = calloc(nlink, sizeof *s->group);
  int made = q && s->roots && s->trees && s->link_tree && s->v_tree && s->group;
  if (made) {
    fb_neutral(s->m, q);
    fb_kinematics(s->m, s->d, q, NULL, NULL);
    find_trees(s);
    name_trees(s);
    measure_trees(s);
    fb_conserve_start(s);
    for (int k = 0; k < s->nv; k++) s->has_rotors |= s->d->par->armature[k] != 0;
  }
  free(q);
  return made;
}

void fb_trees_free(fb_sim* s) {
  free(s->roots);
  free(s->trees);
  free(s->link_tree);
  free(s->v_tree);
  free(s->group);
}

/* ---- where the links are, and how they move ---- */

/* Where a link is and how it moves: r, u, its axes and angular velocity; mass times centre of mass from its own
 * origin, world axes; its momentum. */
typedef struct link_motion {
  fb_v3 r, u, w, h, P;
  fb_m3 R;
} link_motion;

/* The part of x (q, or v) that slides link i along its joint. */
FB_K fb_v3 sliding(const fb_sim* s, const fb_data* d, int i, const double* x, int at) {
  int kind = s->m->top.link_kind[i], v = s->m->top.link_v[i];
  if (kind == FB_LINK_PRISMATIC || kind == FB_LINK_HELICAL)
    return fb_v3_scale(fb_par1(fb_link_par(d->par, i), FB_PAR_SLIDE) * x[at],
                       fb_get3(fb_link(d, i), FB_REC_Z));
  fb_v3 sum = fb_v3_zero();
  for (int k = 0; kind == FB_LINK_FREE && k < 3; k++)
    sum = fb_v3_axpy(sum, x[at + k], fb_ld3(d->axes, v + k));
  return sum;
}

/* r and u of link i. Parents come first: theirs are in s->link_own. */
FB_K void move_link(const fb_sim* s, const fb_data* d, int i, const double* y, link_motion* x) {
  const fb_topology* t = &s->m->top;
  int parent = t->link_parent[i], first = s->link_tree[parent] < 0;
  x->r = x->u = fb_v3_zero();
  if (first) {
    if (t->link_kind[i] == FB_LINK_FREE) return; /* it is the base */
    x->r = sliding(s, d, i, y, t->link_q[i]);
  } else {
    fb_v3 arm = fb_get3(fb_link(d, i), FB_REC_ARM);
    x->r = fb_v3_add(fb_ld3(s->link_own, 2 * parent), arm);
    x->u = fb_v3_add(fb_ld3(s->link_own, 2 * parent + 1),
                     fb_v3_cross(fb_get3(fb_link(d, parent), FB_REC_W), arm));
  }
  if (t->link_kind[i] != FB_LINK_REVOLUTE) x->u = fb_v3_add(x->u, sliding(s, d, i, y + s->nq, t->link_v[i]));
}

static void add3(double* sum, fb_v3 x) {
  sum[0] += x.x;
  sum[1] += x.y;
  sum[2] += x.z;
}

/* Adds link i to the sums of its tree: about the base's origin. */
FB_K void add_energies(const fb_sim* s, const fb_data* d, int i, const link_motion* x, int floats,
                       fb_own* own) {
  const double* P = fb_link_par(d->par, i);
  fb_par6 I = fb_par6_of(P, FB_PAR_I);
  double mass = fb_par1(P, FB_PAR_MASS);
  fb_v3 spin = fb_m3_apply(x->R, fb_s3_apply_par(I, fb_m3_apply_transpose(x->R, x->w)));
  fb_v3 L = fb_v3_add(spin, fb_v3_cross(x->h, x->u));
  own->kinetic += 0.5 * (fb_v3_dot(x->w, L) + fb_v3_dot(x->u, x->P));
  if (floats) {
    add3(own->angular, fb_v3_add(L, fb_v3_cross(x->r, x->P)));
    own->spread += 0.5 * (I.xx + I.yy + I.zz) + 2 * fb_v3_dot(x->r, x->h) + mass * fb_v3_dot(x->r, x->r);
    return;
  }
  fb_v3 g = fb_ld3(s->loads.environment.gravity_w, 0), moment = fb_v3_axpy(x->h, mass, x->r);
  double potential = fb_v3_dot(g, moment);
  own->potential -= potential;
  /* Loops leave rates of rounding, at which a level arm at height 0 falls too. */
  own->potential_size +=
      s->m->top.nloop == 0 ? fabs(potential) : sqrt(fb_v3_dot(g, g) * fb_v3_dot(moment, moment));
}

/* The same of momentum and inertia alone. */
FB_K void add_momentum(const fb_data* d, int i, const link_motion* x, fb_own* own) {
  const double* P = fb_link_par(d->par, i);
  double mass = fb_par1(P, FB_PAR_MASS);
  fb_s3 I = fb_s3_rotate_par(x->R, fb_par6_of(P, FB_PAR_I));
  fb_v3 L = fb_v3_add(fb_s3_apply(I, x->w), fb_v3_cross(x->h, x->u)), r = x->r;
  fb_v3 b = fb_v3_axpy(x->h, 0.5 * mass, r); /* I + 2 r.b - r b^T - b r^T about the base's origin */
  double both = 2 * fb_v3_dot(r, b), *J = own->inertia;
  add3(own->angular, fb_v3_add(L, fb_v3_cross(r, x->P)));
  J[0] += I.xx + both - 2 * r.x * b.x;
  J[1] += I.yy + both - 2 * r.y * b.y;
  J[2] += I.zz + both - 2 * r.z * b.z;
  J[3] += I.xy - (r.x * b.y + r.y * b.x);
  J[4] += I.xz - (r.x * b.z + r.z * b.x);
  J[5] += I.yz - (r.y * b.z + r.z * b.y);
}

/* A sum that is positive but for rounding, unless impossible inertias are kept as given. */
static double at_least_zero(double x, int keeps) {
  return keeps ? x : fmax(0, x);
}

void fb_inertia_shift(double mass, const double r[3], double J[6]) {
  double square = dot3(r, r);
  for (int k = 0; k < 3; k++) J[k] += mass * (square - r[k] * r[k]);
  J[3] -= mass * r[0] * r[1];
  J[4] -= mass * r[0] * r[2];
  J[5] -= mass * r[1] * r[2];
}

/* What is summed: centres of mass alone, energies and momenta, or momenta and inertias. */
typedef enum sums { PLACES, ENERGIES, MOMENTA } sums;

/* From the base's origin to the centre of mass: Koenig and Steiner. */
static void to_centre(fb_own* own, sums what, int keeps) {
  double mass = own->mass, moment[3];
  for (int k = 0; k < 3; k++) {
    own->com[k] /= mass;
    own->com_v[k] /= mass;
  }
  if (what == PLACES) return;
  cross3(own->com, own->com_v, moment);
  for (int k = 0; k < 3; k++) own->angular[k] -= mass * moment[k];
  if (what == MOMENTA) {
    fb_inertia_shift(-mass, own->com, own->inertia);
    return;
  }
  own->kinetic = at_least_zero(own->kinetic - 0.5 * mass * dot3(own->com_v, own->com_v), keeps);
  own->spread = at_least_zero(own->spread - mass * dot3(own->com, own->com), keeps);
}

FB_K void sum_links(fb_sim* s, const fb_data* d, const double* y, sums what) {
  const fb_topology* t = &s->m->top;
  memset(s->own, 0, (size_t)s->ntree * sizeof *s->own);
  for (int i = 1; i < t->nlink; i++) {
    int tree = s->link_tree[i];
    if (tree < 0) continue;
    int floats = s->trees[tree].root >= 0;
    fb_own* own = &s->own[tree];
    const double *link = fb_link(d, i), *P = fb_link_par(d->par, i);
    double mass = fb_par1(P, FB_PAR_MASS);
    link_motion x = {.w = fb_get3(link, FB_REC_W), .R = fb_get_axes(link)};
    move_link(s, d, i, y, &x);
    x.h = fb_m3_apply_par(x.R, fb_par3_of(P, FB_PAR_H));
    x.P = fb_v3_axpy(fb_v3_cross(x.w, x.h), mass, x.u);
    if (what == ENERGIES) add_energies(s, d, i, &x, floats, own);
    if (what == MOMENTA && floats) add_momentum(d, i, &x, own);
    own->mass += mass;
    fb_st3(s->link_own, 2 * i, x.r);
    fb_st3(s->link_own, 2 * i + 1, x.u);
    if (!floats) continue;
    add3(own->com, fb_v3_axpy(x.h, mass, x.r));
    add3(own->com_v, x.P);
  }
  for (int i = 0; i < s->ntree; i++)
    if (s->trees[i].root >= 0 && s->own[i].mass != 0) to_centre(&s->own[i], what, s->m->keeps_inertia);
}

void fb_trees_locate(fb_sim* s, const fb_data* d, const double* y) {
  sum_links(s, d, y, PLACES);
}

/* ---- energy and momentum ---- */

static void find_drift(fb_sim* s, const double* v) {
  for (int i = 0; i < s->ntree; i++) {
    if (s->trees[i].root < 0) continue;
    const fb_float_root* root = &s->roots[s->trees[i].root];
    fb_own* own = &s->own[i];
    fb_rot_apply(root->R_wj, v + root->v_at, own->drift);
    for (int k = 0; k < 3; k++) own->drift[k] += own->com_v[k];
  }
}

static void add_springs(fb_sim* s, const fb_data* d, const double* q) {
  const fb_parameters* par = d->par;
  if (par->has_passive[0] == 0 || !(s->loads.passive & FB_PASSIVE_SPRINGS)) return;
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (par->stiffness[k] == 0 || at < 0) continue; /* attitudes have no springs */
    double stretch = q[at] - par->rest[k], energy = 0.5 * par->stiffness[k] * stretch * stretch;
    s->own[s->v_tree[k]].potential += energy;
    s->own[s->v_tree[k]].potential_size += fabs(energy);
  }
}

static void add_soft_stops(fb_sim* s, const double* q) {
  for (int i = 0; i < s->nlimit; i++) {
    if (s->limits[i].coordinate < 0) continue;
    fb_own* own = &s->own[s->v_tree[s->limits[i].coordinate]];
    double energy = fb_soft_stop_energy(s, i, q);
    own->potential += energy;
    own->potential_size += energy;
  }
}

/* What is stored in a field, of trees on the world; that of floating ones counts as work (flow.c). */
static void add_field(fb_sim* s, const fb_data* d) {
  const fb_environment rest = fb_environment_rest(&s->loads.environment);
  for (int b = 1; b < s->m->top.nbody; b++) {
    int tree = s->link_tree[s->m->top.body_link[b]];
    if (tree < 0 || s->trees[tree].root >= 0) continue;
    double p[3];
    fb_frame_pose(s->m, d, fb_model_com_frame(s->m, b), p, NULL);
    double energy = d->par->body_mass[b] * fb_environment_potential(&rest, b, p);
    s->own[tree].potential += energy;
    s->own[tree].potential_size += fabs(energy);
  }
}

void fb_trees_measure(fb_sim* s, const fb_data* d, const double* y) {
  const double* v = y + s->nq;
  sum_links(s, d, y, ENERGIES);
  for (int k = 0; s->has_rotors && k < s->nv; k++)
    if (d->par->armature[k] != 0) s->own[s->v_tree[k]].kinetic += 0.5 * d->par->armature[k] * v[k] * v[k];
  add_springs(s, d, y);
  if (s->nsoft > 0) add_soft_stops(s, y);
  if (s->has_field) add_field(s, d);
  find_drift(s, v);
}

void fb_trees_momenta(fb_sim* s, const fb_data* d, const double* y) {
  sum_links(s, d, y, MOMENTA);
  find_drift(s, y + s->nq);
}

void fb_tree_push(const fb_sim* s, int tree, const double base[6], double* z) {
  const double* R_wj = s->roots[s->trees[tree].root].R_wj;
  double force[3], moment[3], arm[3], *own = z + s->trees[tree].z_at;
  fb_rot_apply(R_wj, base, force);
  fb_rot_apply(R_wj, base + 3, moment);
  cross3(s->own[tree].com, force, arm);
  for (int k = 0; k < 3; k++) {
    moment[k] -= arm[k];
    own[FB_T_IMPULSE + k] += force[k];
    own[FB_T_IMPULSE + 3 + k] += moment[k];
  }
  own[FB_T_PUSHED] += norm3(force);
  own[FB_T_TURNED] += norm3(moment);
}
