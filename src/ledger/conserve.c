/* conserve.c -- the momenta of floating trees, conserved to rounding with every method
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
 * Joints, and what moves or limits them, are not affected; loops stay closed if all trees that they connect are moved
 * together: these form a group, with one c, P and L. A correction is as large as the local error, so the order is
 * kept.
 *
 * c_m = (c_0 + c_1) / 2 is not where the centre of mass was when the forces were found, but d away from it. Forces
 * between trees cancel only if all their moments are about points of one scene: theirs are taken about c_m, so that
 * momentum about any fixed point is conserved. External forces keep their arms: uniform gravity has no moment. Their
 * moment about the origin is then that at a point shifted by d, and enters the ledger as such.
 *
 * Of an extrapolated step (sim/stepper/extrapolation.c) the ends are combined with the weights w_n of the ledger: the centre
 * of mass c, its velocity u, and the angular momentum about a fixed point, L + c x M u. With the differences d_n of end n
 * from the last one,
 *
 *   L_1 = L + sum w_n (dL_n + dc_n x M du_n) - (sum w_n dc_n) x M (sum w_n du_n)
 *
 * Groups that a loop connects with the world, and groups whose base is moved or locked, are not corrected: their
 * support transmits any impulse. Cost O(n): the centre of mass at three instants, the inertia at one. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "dynamics/loads.h"
#include "math/vector3.h"
#include "ledger/conserve.h"
#include "ledger/ledger.h"

/* ---- which trees loops connect ---- */

static int is_floating(const fb_sim* s, int tree) {
  return tree >= 0 && s->tree.list[tree].root >= 0;
}

/* Trees of group b join group a; FB_NOT_KEPT spreads. */
static void unite(fb_sim* s, int a, int b) {
  int lead = a < b ? a : b;
  for (int i = 0; i < s->tree.count; i++)
    if (s->tree.group[i] == a || s->tree.group[i] == b) s->tree.group[i] = lead;
}

void fb_conserve_start(fb_sim* s) {
  const fb_topology* t = &s->m->top;
  for (int i = 0; i < s->tree.count; i++) s->tree.group[i] = is_floating(s, i) ? i : FB_NOT_KEPT;
  for (int loop = 0; loop < t->nloop; loop++) {
    if (t->loop_type[loop] == FB_LOOP_GEAR) continue; /* acts on joints, within trees */
    int a = fb_tree_of(s, t->loop_site[2 * loop]), b = fb_tree_of(s, t->loop_site[2 * loop + 1]);
    int from = is_floating(s, a) ? s->tree.group[a] : FB_NOT_KEPT,
        to = is_floating(s, b) ? s->tree.group[b] : FB_NOT_KEPT;
    if (from != to) unite(s, from, to);
  }
}

void fb_conserve_unite(fb_sim* s, int a, int b) {
  int trees[2] = {fb_tree_of(s, a), fb_tree_of(s, b)}, group[2];
  for (int i = 0; i < 2; i++) group[i] = is_floating(s, trees[i]) ? s->tree.group[trees[i]] : FB_NOT_KEPT;
  if (group[0] == group[1]) return;
  unite(s, group[0], group[1]);
  s->ledger.y_noted[0] = NAN; /* the recorded values are of other groups */
}

/* ---- pose and motion of a group ---- */

/* Positions are relative to the base of its first tree. */
typedef struct group_motion {
  double mass, com[3], drift[3], angular[3];
} group_motion;

/* From the base of the first tree of its group to the centre of mass of tree i, world axes. */
static void place_tree(const fb_sim* s, int i, const double* q, const double com[3], double arm[3]) {
  const fb_float_root *root = &s->tree.roots[s->tree.list[i].root],
                      *first = &s->tree.roots[s->tree.list[s->tree.group[i]].root];
  double p[3], p_first[3];
  memcpy(arm, com, 3 * sizeof *arm);
  if (root == first) return;
  fb_rot_apply(root->R_wj, q + root->q_at, p);
  fb_rot_apply(first->R_wj, q + first->q_at, p_first);
  for (int k = 0; k < 3; k++) arm[k] += (p[k] - p_first[k]) + (root->p_wj[k] - first->p_wj[k]);
}

/* Sums over the trees of group `lead`, of what s->ledger.local has at q. */
static group_motion sum_group(const fb_sim* s, int lead, const double* q) {
  group_motion g = {0};
  double arm[3], orbit[3], away[3], u[3];
  for (int i = lead; i < s->tree.count; i++) {
    if (s->tree.group[i] != lead) continue;
    const fb_tree_local* local = &s->ledger.local[i];
    place_tree(s, i, q, local->com, arm);
    g.mass += local->mass;
    add_scaled3(g.com, local->mass, arm);
    add_scaled3(g.drift, local->mass, local->drift);
  }
  for (int k = 0; k < 3; k++) {
    g.com[k] /= g.mass;
    g.drift[k] /= g.mass;
  }
  for (int i = lead; i < s->tree.count; i++) {
    if (s->tree.group[i] != lead) continue;
    const fb_tree_local* local = &s->ledger.local[i];
    place_tree(s, i, q, local->com, arm);
    for (int k = 0; k < 3; k++) {
      away[k] = arm[k] - g.com[k];
      u[k] = local->drift[k] - g.drift[k];
    }
    cross3(away, u, orbit);
    for (int k = 0; k < 3; k++) g.angular[k] += local->angular[k] + local->mass * orbit[k];
  }
  return g;
}

void fb_conserve_note(fb_sim* s, const double* y) {
  memcpy(s->ledger.y_noted, y, (size_t)s->ny * sizeof *y);
  for (int i = 0; i < s->tree.count; i++) {
    if (s->tree.group[i] != i) continue;
    group_motion g = sum_group(s, i, y);
    fb_conserved* c = &s->ledger.conserved[i];
    memcpy(c->com, g.com, sizeof c->com);
    memcpy(c->drift, g.drift, sizeof c->drift);
    memcpy(c->angular, g.angular, sizeof c->angular);
  }
}

void fb_conserve_begin(fb_sim* s, const double* y0) {
  if (s->tree.nfloat == 0 || memcmp(y0, s->ledger.y_noted, (size_t)(s->nq + s->nv) * sizeof *y0) == 0) return;
  fb_trees_measure(s, fb_sim_kinematics_at(s, y0), y0);
  fb_conserve_note(s, y0);
}

/* ---- forces on a group ---- */

static void add_force(fb_sim* s, const fb_wrench* wrench) {
  int tree = fb_tree_of(s, wrench->frame);
  double force[3], torque[3];
  if (tree < 0 || s->tree.group[tree] == FB_NOT_KEPT) return;
  fb_wrench_in_world(s->m, s->d, wrench, force, torque);
  add_scaled3(s->ledger.conserved[s->tree.group[tree]].between, 1, force);
}

/* Whether wrenches act on more than one group: forces between them. */
static int is_between(const fb_sim* s, const fb_wrench* first, int count) {
  int group = FB_NOT_KEPT;
  for (int i = 0; i < count; i++) {
    int tree = fb_tree_of(s, first[i].frame), at = tree < 0 ? FB_NOT_KEPT : s->tree.group[tree];
    if (at == FB_NOT_KEPT) continue;
    if (group != FB_NOT_KEPT && at != group) return 1;
    group = at;
  }
  return 0;
}

/* Forces of elements and contacts, and of blocks that act on several groups. */
static void find_between(fb_sim* s) {
  for (int i = s->wrench.nexternal; i < s->wrench.count; i++) add_force(s, &s->wrench.list[i]);
  for (int i = 0; s->wrench.nexternal > 1 && i < s->block.count; i++) {
    const fb_wrench* first = s->wrench.list + s->block.wrenches[2 * i];
    int count = s->block.wrenches[2 * i + 1];
    for (int w = 0; count > 1 && is_between(s, first, count) && w < count; w++) add_force(s, &first[w]);
  }
}

/* Sums of the forces and moments on the trees of group `lead`, about its centre of mass. */
static void sum_pushes(const fb_sim* s, int lead, const double* y, const double* zdot, fb_conserved* c) {
  const fb_float_root* root = &s->tree.roots[s->tree.list[lead].root];
  group_motion g = sum_group(s, lead, y); /* of which only the place is read */
  memcpy(c->middle, g.com, sizeof c->middle);
  memcpy(c->at_middle, y + root->q_at, sizeof c->at_middle);
  for (int i = lead; i < s->tree.count; i++) {
    if (s->tree.group[i] != lead) continue;
    const double* push = zdot + s->tree.list[i].z_at + FB_T_IMPULSE;
    double arm[3], moment[3];
    place_tree(s, i, y, s->ledger.local[i].com, arm);
    add_scaled3(arm, -1, g.com);
    cross3(arm, push, moment);
    for (int k = 0; k < 3; k++) {
      c->force[k] += push[k];
      c->moment[k] += push[3 + k] + moment[k];
    }
  }
}

static int any_pushed(const fb_sim* s, const double* zdot) {
  for (int i = 0; i < s->tree.count; i++)
    for (int k = 0; s->tree.list[i].root >= 0 && k < 6; k++)
      if (zdot[s->tree.list[i].z_at + FB_T_IMPULSE + k] != 0) return 1;
  return 0;
}

/* Where forces act, fb_flow_ledger has located the trees. */
void fb_conserve_middle(fb_sim* s, const double* y, const double* zdot) {
  if (s->tree.nfloat == 0) return;
  for (int i = 0; i < s->tree.count; i++) {
    fb_conserved* c = &s->ledger.conserved[i];
    memset(c->force, 0, sizeof c->force);
    memset(c->between, 0, sizeof c->between);
    memset(c->moment, 0, sizeof c->moment);
  }
  if (!any_pushed(s, zdot)) return;
  find_between(s);
  for (int i = 0; i < s->tree.count; i++)
    if (s->tree.group[i] == i) sum_pushes(s, i, y, zdot, &s->ledger.conserved[i]);
}

/* All by the same displacement, that of the common centre of mass: forces between groups then still cancel. */
void fb_conserve_move_middle(fb_sim* s, double time) {
  double mass = 0, displacement[3] = {0, 0, 0}, x[3];
  for (int i = 0; i < s->tree.count; i++) {
    if (s->tree.group[i] == FB_NOT_KEPT) continue;
    mass += s->ledger.local[i].mass;
    add_scaled3(displacement, s->ledger.local[i].mass, s->ledger.conserved[s->tree.group[i]].drift);
  }
  for (int k = 0; k < 3; k++) displacement[k] = mass > 0 ? time * displacement[k] / mass : 0;
  for (int i = 0; i < s->tree.count; i++) {
    if (s->tree.group[i] != i) continue;
    fb_rot_apply_transpose(s->tree.roots[s->tree.list[i].root].R_wj, displacement, x);
    add_scaled3(s->ledger.conserved[i].at_middle, 1, x);
  }
}

/* ---- the correction ---- */

/* Of a group about its centre of mass, world axes: xx, yy, zz, xy, xz, yz. */
static void find_inertia(const fb_sim* s, int lead, const double* y, const double com[3], double J[6]) {
  memset(J, 0, 6 * sizeof *J);
  for (int i = lead; i < s->tree.count; i++) {
    double r[3];
    if (s->tree.group[i] != lead) continue;
    place_tree(s, i, y, s->ledger.local[i].com, r);
    add_scaled3(r, -1, com);
    for (int k = 0; k < 6; k++) J[k] += s->ledger.local[i].inertia[k];
    fb_inertia_shift(s->ledger.local[i].mass, r, J);
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

/* Whether the base of a tree of this group is moved or locked. */
static int is_held(const fb_sim* s, int lead) {
  for (int i = lead; fb_sim_moves_any(s) && i < s->tree.count; i++) {
    if (s->tree.group[i] != lead) continue;
    int base = s->tree.roots[s->tree.list[i].root].v_at;
    for (int k = base; k < base + 6; k++)
      if (s->motion.of[k] != FB_MOTION_FORCE || (s->block.nmoving > 0 && s->motion.prescribed[k])) return 1;
  }
  return 0;
}

/* Moves tree i by `shift`, and adds the velocities dv of the centre of mass and dw about it. */
static void move_tree(const fb_sim* s, int i, const double com[3], const double shift[3], const double dv[3],
                      const double dw[3], double* y) {
  const int r = s->tree.list[i].root;
  const fb_float_root* root = &s->tree.roots[r];
  double base[3], u[3], x[3], *v = y + s->nq + root->v_at;
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
  for (int k = 0; k < 3; k++) fb_y_move_base(s, y, 3 * r + k, x[k]);
}

/* The displacement of the base of a tree from y0 to y, with what rounding left, world axes. */
static void find_displacement(const fb_sim* s, int tree, const double* y0, const double* y,
                              double displacement[3]) {
  const int r = s->tree.list[tree].root, rest = s->ny - s->nrest + 3 * r;
  const fb_float_root* root = &s->tree.roots[r];
  double x[3];
  for (int k = 0; k < 3; k++) x[k] = (y[root->q_at + k] - y0[root->q_at + k]) + (y[rest + k] - y0[rest + k]);
  fb_rot_apply(root->R_wj, x, displacement);
}

/* d x (external forces) is added to their moment about the origin, d x (forces between groups) is subtracted from the
 * moments about the centre of mass. */
static void enter(fb_sim* s, int lead, double h, const double d[3], double* z) {
  const fb_conserved* c = &s->ledger.conserved[lead];
  double outside[3], moment[3], less[3], *sums = z + s->nv + FB_Z_IMPULSE;
  for (int k = 0; k < 3; k++) outside[k] = c->force[k] - c->between[k];
  cross3(d, outside, moment);
  cross3(d, c->between, less);
  add_scaled3(sums + 3, h, moment);
  add_scaled3(z + s->tree.list[lead].z_at + FB_T_IMPULSE + 3, -h, less);
}

/* Moves the group g as a rigid body: by shift and dv, and by the rates of turn that change its angular momentum by dL. */
static void move_group(fb_sim* s, int lead, const group_motion* g, const double shift[3], const double dv[3],
                       const double dL[3], double* y) {
  double J[6], dw[3];
  find_inertia(s, lead, y, g->com, J);
  solve3(J, dL, dw);
  for (int i = s->tree.count - 1; i >= lead;
       i--) /* the first, from which positions count, is the last to move */
    if (s->tree.group[i] == lead) move_tree(s, i, g->com, shift, dv, dw, y);
}

static void keep_group(fb_sim* s, int lead, double h, const double* y0, double* y1) {
  const fb_conserved* c = &s->ledger.conserved[lead];
  const fb_float_root* root = &s->tree.roots[s->tree.list[lead].root];
  group_motion g = sum_group(s, lead, y1);
  double dv[3], dL[3], shift[3], d[3], moment[3], displacement[3], half[3], x[3];
  if (!(g.mass > 0)) return;
  find_displacement(s, lead, y0, y1, displacement); /* without forces, where the middle was does not matter */
  for (int k = 0; k < 3; k++) x[k] = c->at_middle[k] - y0[root->q_at + k];
  fb_rot_apply(root->R_wj, x, half);
  for (int k = 0; k < 3; k++) {
    double drift = c->drift[k] + h * c->force[k] / g.mass, sum = c->drift[k] + drift;
    dv[k] = drift - g.drift[k];
    shift[k] = h * sum / 2 - (displacement[k] + (g.com[k] - c->com[k]));
    d[k] = h * sum / 4 - (half[k] + (c->middle[k] - c->com[k]));
  }
  cross3(d, c->between, moment);
  for (int k = 0; k < 3; k++) dL[k] = c->angular[k] + h * (c->moment[k] - moment[k]) - g.angular[k];
  move_group(s, lead, &g, shift, dv, dL, y1);
  enter(s, lead, h, d, fb_y_z(s, y1));
}

void fb_conserve_end(fb_sim* s, double h, const double* y0, double* y1) {
  int known = 0;
  for (int lead = 0; s->tree.nfloat > 0 && lead < s->tree.count; lead++) {
    if (s->tree.group[lead] != lead || is_held(s, lead)) continue;
    if (!known++) fb_trees_momenta(s, fb_sim_kinematics_at(s, y1), y1);
    keep_group(s, lead, h, y0, y1);
  }
}

/* ---- extrapolated steps ---- */

/* Adds the motion of a group at one of the ends, less that at the last, c. Only angular momentum about one fixed
 * point can be summed: about the centre of mass, products of the summands would be missing. */
static void add_end(const fb_sim* s, int lead, const double* end, const double* last, double weight,
                    const fb_conserved* c, fb_conserved* sum) {
  group_motion g = sum_group(s, lead, end);
  double dc[3], du[3], turn[3];
  find_displacement(s, lead, last, end, dc);
  for (int k = 0; k < 3; k++) {
    dc[k] += g.com[k] - c->com[k];
    du[k] = g.drift[k] - c->drift[k];
  }
  cross3(dc, du, turn);
  for (int k = 0; k < 3; k++) {
    sum->com[k] += weight * dc[k];
    sum->drift[k] += weight * du[k];
    sum->angular[k] += weight * (g.angular[k] - c->angular[k] + g.mass * turn[k]);
  }
}

/* Keeps the motions of all groups, extrapolated, in s->ledger.conserved. */
static void extrapolate_groups(fb_sim* s, const double* const* ends, const double* weights, int levels) {
  const double* last = ends[levels - 1];
  s->ledger.y_noted[0] = NAN;
  fb_trees_momenta(s, fb_sim_kinematics_at(s, last), last);
  fb_conserve_note(s, last);
  for (int lead = 0; lead < s->tree.count; lead++)
    if (s->tree.group[lead] == lead) memset(&s->ledger.extrapolated[lead], 0, sizeof *s->ledger.extrapolated);
  for (int n = 0; n < levels - 1; n++) {
    fb_trees_momenta(s, fb_sim_kinematics_at(s, ends[n]), ends[n]);
    for (int lead = 0; lead < s->tree.count; lead++)
      if (s->tree.group[lead] == lead)
        add_end(s, lead, ends[n], last, weights[n], &s->ledger.conserved[lead],
                &s->ledger.extrapolated[lead]);
  }
  for (int lead = 0; lead < s->tree.count; lead++) {
    if (s->tree.group[lead] != lead) continue;
    fb_conserved *c = &s->ledger.conserved[lead], *sum = &s->ledger.extrapolated[lead];
    double turn[3], mass = sum_group(s, lead, last).mass;
    cross3(sum->com, sum->drift, turn);
    for (int k = 0; k < 3; k++) {
      c->com[k] += sum->com[k];
      c->drift[k] += sum->drift[k];
      c->angular[k] += sum->angular[k] - mass * turn[k];
    }
  }
  s->ledger.y_noted[0] = NAN;
}

void fb_conserve_extrapolate(fb_sim* s, const double* const* ends, const double* weights, int levels,
                             double* y) {
  double shift[3], dv[3], dL[3];
  if (s->tree.nfloat == 0) return;
  extrapolate_groups(s, ends, weights, levels);
  fb_trees_momenta(s, fb_sim_kinematics_at(s, y), y);
  for (int lead = 0; lead < s->tree.count; lead++) {
    if (s->tree.group[lead] != lead || is_held(s, lead)) continue;
    const fb_conserved* c = &s->ledger.conserved[lead];
    group_motion g = sum_group(s, lead, y);
    if (!(g.mass > 0)) continue;
    find_displacement(s, lead, y, ends[levels - 1], shift);
    for (int k = 0; k < 3; k++) {
      shift[k] += c->com[k] - g.com[k];
      dv[k] = c->drift[k] - g.drift[k];
      dL[k] = c->angular[k] - g.angular[k];
    }
    move_group(s, lead, &g, shift, dv, dL, y);
  }
}
