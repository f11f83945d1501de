/* conserve.c -- the momenta of what floats, kept to rounding whatever the method
 *
 * A method that combines forces and velocities of several instants leaves the momenta of a floating tree wrong by the error of
 * its order. Newton's laws for the whole tree say what they must be: with the force F and the moment N about the centre of
 * mass c that the step applied from outside, at its middle,
 *
 *   P_1 = P_0 + h F,   c_1 = c_0 + h (P_0 + P_1) / (2 M),   L_1 = L_0 + h N
 *
 * At the end of the step the tree is moved as a rigid body, by the translation and the velocities that are missing:
 *
 *   dv_c = (P_1 - P) / M,   dw = J^-1 (L_1 - L)               J: its inertia about c, at its pose
 *
 * Joints, and what moves or limits them, do not notice; loops stay closed where all trees that they connect are moved
 * together: these form a group, with one c, P and L. A correction is as large as the local error, so the order is kept.
 *
 * c_m = (c_0 + c_1) / 2 is not where the centre of mass was when the forces were found, but d away from it. Forces between
 * trees cancel only if all their moments are about points of one scene: theirs are taken about c_m, so that
 * momentum about any fixed point is conserved. Forces from outside keep the arms that they had: uniform gravity turns
 * nothing. Their moment about the origin is then that at a point shifted by d, and is booked so.
 *
 * Of a step made twice (stepper/doubling.c), what both ways end with is extrapolated as the ledger is: the centre of mass c, the
 * velocity u, and the angular momentum about a fixed point, which is L + c x M u; so L_1 = L_h + dL - 4 dc x M du, where d is a
 * third of the difference.
 *
 * Groups that a loop connects with the world, and bases that are moved or locked, are left alone: what holds them takes
 * what is missing. Cost O(n): the centre of mass at three instants, the inertia at one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "dynamics/loads.h"
#include "math/vector3.h"
#include "ledger/conserve.h"
#include "ledger/ledger.h"

/* ---- which trees loops connect ---- */

static int tree_of_site(const fb_sim* s, int site) {
  return s->link_tree[s->m->top.site_link[site]];
}

static int is_floating(const fb_sim* s, int tree) {
  return tree >= 0 && s->trees[tree].root >= 0;
}

/* Trees of group b join group a; FB_NOT_KEPT spreads. */
static void unite(fb_sim* s, int a, int b) {
  int lead = a < b ? a : b;
  for (int i = 0; i < s->ntree; i++)
    if (s->group[i] == a || s->group[i] == b) s->group[i] = lead;
}

void fb_conserve_start(fb_sim* s) {
  const fb_topology* t = &s->m->top;
  for (int i = 0; i < s->ntree; i++) s->group[i] = is_floating(s, i) ? i : FB_NOT_KEPT;
  for (int loop = 0; loop < t->nloop; loop++) {
    if (t->loop_type[loop] == FB_LOOP_GEAR) continue; /* acts on joints, within trees */
    int a = tree_of_site(s, t->loop_site[2 * loop]), b = tree_of_site(s, t->loop_site[2 * loop + 1]);
    int from = is_floating(s, a) ? s->group[a] : FB_NOT_KEPT,
        to = is_floating(s, b) ? s->group[b] : FB_NOT_KEPT;
    if (from != to) unite(s, from, to);
  }
}

void fb_conserve_unite(fb_sim* s, int a, int b) {
  int trees[2] = {tree_of_site(s, a), tree_of_site(s, b)}, group[2];
  for (int i = 0; i < 2; i++) group[i] = is_floating(s, trees[i]) ? s->group[trees[i]] : FB_NOT_KEPT;
  if (group[0] == group[1]) return;
  unite(s, group[0], group[1]);
  s->y_noted[0] = NAN; /* what was noted is of other groups */
}

/* ---- where a group is, and how it moves ---- */

/* Positions are relative to the base of its first tree. */
typedef struct group_motion {
  double mass, com[3], drift[3], angular[3];
} group_motion;

/* From the base of the first tree of its group to the centre of mass of tree i, world axes. */
static void place_tree(const fb_sim* s, int i, const double* q, const double com[3], double arm[3]) {
  const fb_float_root *root = &s->roots[s->trees[i].root], *first = &s->roots[s->trees[s->group[i]].root];
  double p[3], p_first[3];
  memcpy(arm, com, 3 * sizeof *arm);
  if (root == first) return;
  fb_rot_apply(root->R_wj, q + root->q_at, p);
  fb_rot_apply(first->R_wj, q + first->q_at, p_first);
  for (int k = 0; k < 3; k++) arm[k] += (p[k] - p_first[k]) + (root->p_wj[k] - first->p_wj[k]);
}

/* Sums over the trees of group `lead`, of what s->own has at q. */
static group_motion sum_group(const fb_sim* s, int lead, const double* q) {
  group_motion g = {0};
  double arm[3], orbit[3], away[3], u[3];
  for (int i = lead; i < s->ntree; i++) {
    if (s->group[i] != lead) continue;
    const fb_own* own = &s->own[i];
    place_tree(s, i, q, own->com, arm);
    g.mass += own->mass;
    add_scaled3(g.com, own->mass, arm);
    add_scaled3(g.drift, own->mass, own->drift);
  }
  for (int k = 0; k < 3; k++) {
    g.com[k] /= g.mass;
    g.drift[k] /= g.mass;
  }
  for (int i = lead; i < s->ntree; i++) {
    if (s->group[i] != lead) continue;
    const fb_own* own = &s->own[i];
    place_tree(s, i, q, own->com, arm);
    for (int k = 0; k < 3; k++) {
      away[k] = arm[k] - g.com[k];
      u[k] = own->drift[k] - g.drift[k];
    }
    cross3(away, u, orbit);
    for (int k = 0; k < 3; k++) g.angular[k] += own->angular[k] + own->mass * orbit[k];
  }
  return g;
}

void fb_conserve_note(fb_sim* s, const double* y) {
  memcpy(s->y_noted, y, (size_t)(s->nq + s->nv) * sizeof *y);
  for (int i = 0; i < s->ntree; i++) {
    if (s->group[i] != i) continue;
    group_motion g = sum_group(s, i, y);
    fb_conserved* c = &s->conserved[i];
    memcpy(c->com, g.com, sizeof c->com);
    memcpy(c->drift, g.drift, sizeof c->drift);
    memcpy(c->angular, g.angular, sizeof c->angular);
  }
}

void fb_conserve_begin(fb_sim* s, const double* y0) {
  if (s->nfloat == 0 || memcmp(y0, s->y_noted, (size_t)(s->nq + s->nv) * sizeof *y0) == 0) return;
  fb_trees_measure(s, fb_sim_kinematics_at(s, y0), y0);
  fb_conserve_note(s, y0);
}

/* ---- what acts on it ---- */

static void add_force(fb_sim* s, const fb_wrench* wrench) {
  int tree = tree_of_site(s, wrench->frame);
  double force[3], torque[3];
  if (tree < 0 || s->group[tree] == FB_NOT_KEPT) return;
  fb_wrench_in_world(s->m, s->d, wrench, force, torque);
  add_scaled3(s->conserved[s->group[tree]].between, 1, force);
}

/* Whether wrenches act on more than one group: forces between them. */
static int is_between(const fb_sim* s, const fb_wrench* first, int count) {
  int group = FB_NOT_KEPT;
  for (int i = 0; i < count; i++) {
    int tree = tree_of_site(s, first[i].frame), at = tree < 0 ? FB_NOT_KEPT : s->group[tree];
    if (at == FB_NOT_KEPT) continue;
    if (group != FB_NOT_KEPT && at != group) return 1;
    group = at;
  }
  return 0;
}

/* Forces of elements and contacts, and of blocks that act on several groups. */
static void find_between(fb_sim* s) {
  for (int i = s->nexternal; i < s->nwrench; i++) add_force(s, &s->wrenches[i]);
  for (int i = 0; s->nexternal > 1 && i < s->nblock; i++) {
    const fb_wrench* first = s->wrenches + s->block_wrenches[2 * i];
    int count = s->block_wrenches[2 * i + 1];
    for (int w = 0; count > 1 && is_between(s, first, count) && w < count; w++) add_force(s, &first[w]);
  }
}

/* Sums of the pushes on the trees of group `lead`, about its centre of mass. */
static void sum_pushes(const fb_sim* s, int lead, const double* y, const double* zdot, fb_conserved* c) {
  const fb_float_root* root = &s->roots[s->trees[lead].root];
  group_motion g = sum_group(s, lead, y); /* of which only the place is read */
  memcpy(c->middle, g.com, sizeof c->middle);
  memcpy(c->at_middle, y + root->q_at, sizeof c->at_middle);
  for (int i = lead; i < s->ntree; i++) {
    if (s->group[i] != lead) continue;
    const double* push = zdot + s->trees[i].z_at + FB_T_IMPULSE;
    double arm[3], moment[3];
    place_tree(s, i, y, s->own[i].com, arm);
    add_scaled3(arm, -1, g.com);
    cross3(arm, push, moment);
    for (int k = 0; k < 3; k++) {
      c->force[k] += push[k];
      c->moment[k] += push[3 + k] + moment[k];
    }
  }
}

static int any_pushed(const fb_sim* s, const double* zdot) {
  for (int i = 0; i < s->ntree; i++)
    for (int k = 0; s->trees[i].root >= 0 && k < 6; k++)
      if (zdot[s->trees[i].z_at + FB_T_IMPULSE + k] != 0) return 1;
  return 0;
}

/* Where something pushes, fb_flow_ledger has located the trees. */
void fb_conserve_middle(fb_sim* s, const double* y, const double* zdot) {
  if (s->nfloat == 0) return;
  for (int i = 0; i < s->ntree; i++) {
    fb_conserved* c = &s->conserved[i];
    memset(c->force, 0, sizeof c->force);
    memset(c->between, 0, sizeof c->between);
    memset(c->moment, 0, sizeof c->moment);
  }
  if (!any_pushed(s, zdot)) return;
  find_between(s);
  for (int i = 0; i < s->ntree; i++)
    if (s->group[i] == i) sum_pushes(s, i, y, zdot, &s->conserved[i]);
}

/* All by the same way, that of the common centre of mass: forces between groups then still cancel. */
void fb_conserve_move_middle(fb_sim* s, double time) {
  double mass = 0, way[3] = {0, 0, 0}, x[3];
  for (int i = 0; i < s->ntree; i++) {
    if (s->group[i] == FB_NOT_KEPT) continue;
    mass += s->own[i].mass;
    add_scaled3(way, s->own[i].mass, s->conserved[s->group[i]].drift);
  }
  for (int k = 0; k < 3; k++) way[k] = mass > 0 ? time * way[k] / mass : 0;
  for (int i = 0; i < s->ntree; i++) {
    if (s->group[i] != i) continue;
    fb_rot_apply_transpose(s->roots[s->trees[i].root].R_wj, way, x);
    add_scaled3(s->conserved[i].at_middle, 1, x);
  }
}

/* ---- the correction ---- */

/* Of a group about its centre of mass, world axes: xx, yy, zz, xy, xz, yz. */
static void find_inertia(const fb_sim* s, int lead, const double* y, const double com[3], double J[6]) {
  memset(J, 0, 6 * sizeof *J);
  for (int i = lead; i < s->ntree; i++) {
    double r[3];
    if (s->group[i] != lead) continue;
    place_tree(s, i, y, s->own[i].com, r);
    add_scaled3(r, -1, com);
    for (int k = 0; k < 6; k++) J[k] += s->own[i].inertia[k];
    fb_inertia_shift(s->own[i].mass, r, J);
  }
}

/* x = J^-1 b by the adjugate; zero where J is singular. */
static void solve3(const double J[6], const double b[3], double x[3]) {
  const double M[9] = {J[0], J[3], J[4], J[3], J[1], J[5], J[4], J[5], J[2]};
  double rows[9], det = det3x3(M), size = J[0] + J[1] + J[2];
  cross3(M + 3, M + 6, rows);
  cross3(M + 6, M, rows + 3);
  cross3(M, M + 3, rows + 6);
  int regular = fabs(det) > 1e-14 * size * size * size;
  for (int k = 0; k < 3; k++) x[k] = regular ? dot3(rows + 3 * k, b) / det : 0;
}

/* Whether something holds the base of a tree of this group. */
static int is_held(const fb_sim* s, int lead) {
  for (int i = lead; s->head->nmoved + s->nmoving > 0 && i < s->ntree; i++) {
    if (s->group[i] != lead) continue;
    int base = s->roots[s->trees[i].root].v_at;
    for (int k = base; k < base + 6; k++)
      if (s->motion[k] != FB_MOVE_BY_FORCE || (s->nmoving > 0 && s->prescribed[k])) return 1;
  }
  return 0;
}

/* Moves tree i by `shift`, and adds the velocities dv of the centre of mass and dw about it. */
static void move_tree(const fb_sim* s, int i, const double com[3], const double shift[3], const double dv[3],
                      const double dw[3], double* y) {
  const fb_float_root* root = &s->roots[s->trees[i].root];
  double base[3], u[3], x[3], *q = y + root->q_at, *v = y + s->nq + root->v_at;
  const double origin[3] = {0, 0, 0};
  place_tree(s, i, y, origin, base);
  add_scaled3(base, -1, com);
  cross3(dw, base, u);
  add_scaled3(u, 1, dv);
  fb_rot_apply_transpose(root->R_wj, u, x);
  add_scaled3(v, 1, x);
  fb_rot_apply_transpose(root->R_wj, dw, x);
  add_scaled3(v + 3, 1, x);
  fb_rot_apply_transpose(root->R_wj, shift, x);
  add_scaled3(q, 1, x);
}

/* How far the base of the first tree has gone from q0 to q, world axes. */
static void find_way(const fb_float_root* root, const double q0[3], const double q[3], double way[3]) {
  double x[3];
  for (int k = 0; k < 3; k++) x[k] = q[k] - q0[k];
  fb_rot_apply(root->R_wj, x, way);
}

/* d x (forces from outside) is booked as their moment about the origin, d x (those between groups) as taken from the moments
 * about the centre of mass. */
static void book(fb_sim* s, int lead, double h, const double d[3], double* z) {
  const fb_conserved* c = &s->conserved[lead];
  double outside[3], moment[3], less[3], *sums = z + s->nv + FB_Z_IMPULSE;
  for (int k = 0; k < 3; k++) outside[k] = c->force[k] - c->between[k];
  cross3(d, outside, moment);
  cross3(d, c->between, less);
  add_scaled3(sums + 3, h, moment);
  add_scaled3(z + s->trees[lead].z_at + FB_T_IMPULSE + 3, -h, less);
}

/* Moves the group g as a rigid body: by shift and dv, and by the rates of turn that change its angular momentum by dL. */
static void move_group(fb_sim* s, int lead, const group_motion* g, const double shift[3], const double dv[3],
                       const double dL[3], double* y) {
  double J[6], dw[3];
  find_inertia(s, lead, y, g->com, J);
  solve3(J, dL, dw);
  for (int i = s->ntree - 1; i >= lead; i--) /* the first, from which positions count, is the last to move */
    if (s->group[i] == lead) move_tree(s, i, g->com, shift, dv, dw, y);
}

static void keep_group(fb_sim* s, int lead, double h, const double* y0, double* y1) {
  const fb_conserved* c = &s->conserved[lead];
  const fb_float_root* root = &s->roots[s->trees[lead].root];
  group_motion g = sum_group(s, lead, y1);
  double dv[3], dL[3], shift[3], d[3], moment[3], way[3], half[3];
  if (!(g.mass > 0)) return;
  find_way(root, y0 + root->q_at, y1 + root->q_at,
           way); /* without forces, where the middle was does not matter */
  find_way(root, y0 + root->q_at, c->at_middle, half);
  for (int k = 0; k < 3; k++) {
    double drift = c->drift[k] + h * c->force[k] / g.mass, sum = c->drift[k] + drift;
    dv[k] = drift - g.drift[k];
    shift[k] = h * sum / 2 - (way[k] + (g.com[k] - c->com[k]));
    d[k] = h * sum / 4 - (half[k] + (c->middle[k] - c->com[k]));
  }
  cross3(d, c->between, moment);
  for (int k = 0; k < 3; k++) dL[k] = c->angular[k] + h * (c->moment[k] - moment[k]) - g.angular[k];
  move_group(s, lead, &g, shift, dv, dL, y1);
  book(s, lead, h, d, fb_y_z(s, y1));
}

void fb_conserve_end(fb_sim* s, double h, const double* y0, double* y1) {
  int known = 0;
  for (int lead = 0; s->nfloat > 0 && lead < s->ntree; lead++) {
    if (s->group[lead] != lead || is_held(s, lead)) continue;
    if (!known++) fb_trees_momenta(s, fb_sim_kinematics_at(s, y1), y1);
    keep_group(s, lead, h, y0, y1);
  }
}

/* ---- steps made twice ---- */

/* Keeps the motions of all groups at `whole` in s->conserved, then those of `halves` and a third of the difference. */
static void extrapolate_groups(fb_sim* s, const double* whole, const double* halves) {
  static const double PART = 1.0 / 3;
  double dc[3], du[3], turn[3];
  s->y_noted[0] = NAN;
  fb_trees_momenta(s, fb_sim_kinematics_at(s, whole), whole);
  fb_conserve_note(s, whole);
  fb_trees_momenta(s, fb_sim_kinematics_at(s, halves), halves);
  for (int lead = 0; lead < s->ntree; lead++) {
    if (s->group[lead] != lead) continue;
    const fb_float_root* root = &s->roots[s->trees[lead].root];
    fb_conserved* c = &s->conserved[lead];
    group_motion g = sum_group(s, lead, halves);
    find_way(root, whole + root->q_at, halves + root->q_at, dc);
    for (int k = 0; k < 3; k++) {
      dc[k] = PART * (dc[k] + g.com[k] - c->com[k]);
      du[k] = PART * (g.drift[k] - c->drift[k]);
    }
    cross3(dc, du, turn);
    for (int k = 0; k < 3; k++) {
      c->com[k] = g.com[k] + dc[k];
      c->drift[k] = g.drift[k] + du[k];
      c->angular[k] = g.angular[k] + PART * (g.angular[k] - c->angular[k]) - 4 * g.mass * turn[k];
    }
  }
  s->y_noted[0] = NAN;
}

void fb_conserve_extrapolate(fb_sim* s, const double* whole, const double* halves, double* y) {
  double shift[3], dv[3], dL[3];
  if (s->nfloat == 0) return;
  extrapolate_groups(s, whole, halves);
  fb_trees_momenta(s, fb_sim_kinematics_at(s, y), y);
  for (int lead = 0; lead < s->ntree; lead++) {
    if (s->group[lead] != lead || is_held(s, lead)) continue;
    const fb_float_root* root = &s->roots[s->trees[lead].root];
    const fb_conserved* c = &s->conserved[lead];
    group_motion g = sum_group(s, lead, y);
    if (!(g.mass > 0)) continue;
    find_way(root, y + root->q_at, halves + root->q_at, shift);
    for (int k = 0; k < 3; k++) {
      shift[k] += c->com[k] - g.com[k];
      dv[k] = c->drift[k] - g.drift[k];
      dL[k] = c->angular[k] - g.angular[k];
    }
    move_group(s, lead, &g, shift, dv, dL, y);
  }
}
