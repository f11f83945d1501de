/* momentum_frame.c -- floating trees in the frame of their centre of mass
 *
 * Its coordinates are the centre of mass x_c, the base's attitude and the joints. With m the tree's mass, F the outer
 * force on it, r the arm from the base's origin to x_c:
 *
 *   x_c1 = x_c0 + h v_c,   v_c = (P_0 + h/2 F) / m,   P_1 = P_0 + h F        exact under constant F
 *   base: x = x_c - r(q),  u = u* + v_c                                       u*: velocity at zero linear momentum
 *   attitude and joints:   f - (dr/dq)^T F = f - H (F/m, 0, 0)                a uniform field that cancels F
 *
 * So drift and uniform gravity do not affect attitude and joints. In that frame the linear momentum is zero and the
 * momentum of the base's attitude is L about x_c, which only the moment of outer forces about x_c changes. Kept from
 * step to step: p, with P in the place of the base's zero linear momentum; then per root x_c, and the rounding errors
 * of x_c and P, so that equal steps do not add up to a bias. A base with moved coordinates acts against the world,
 * and its tree stays in the world frame. Derivation: docs/theory/momentum_method.md. All in the axes of the base's
 * joint. Cost: one pass over the links for r; one `momenta` where F is not zero. */
#include <freebody/rotation.h>

#include "kernel/instances.h"
#include "math/two_sum.h"
#include "math/vector3.h"
#include "model/record.inl"
#include "sim/stepper/momentum_method.h"

enum { COM_SIZE = 9 }; /* position, and the rounding errors of it and of P */

size_t fb_momentum_kept_size(const fb_sim* s) {
  return (size_t)(s->nv + COM_SIZE * s->tree.nroot) * sizeof(double);
}

void fb_momentum_frame_set_up(fb_momentum_method* o, const fb_sim* s) {
  const fb_topology* top = &s->m->top;
  for (int i = 0; i < top->nlink; i++) o->link_mass[i] = *fb_link_parameter(s->d->par, i, FB_PAR_MASS);
  for (int i = top->nlink - 1; i > 0; i--) o->link_mass[top->link_parent[i]] += o->link_mass[i];
  for (int i = 0; i < s->tree.nroot; i++) {
    const fb_float_root* root = &s->tree.roots[i];
    fb_momentum_tree* t = &o->trees[i];
    t->q_at = root->q_at;
    t->v_at = root->v_at;
    t->link = top->body_link[root->body];
    t->mass = o->link_mass[t->link];
    fb_rot_apply_transpose(root->R_wj, s->loads.environment.gravity_w, t->gravity);
  }
}

/* Motions may have changed since the last step. */
static void find_floating(fb_momentum_method* o, const fb_sim* s) {
  int count = 0;
  for (int i = 0; i < s->tree.nroot; i++) {
    fb_momentum_tree* t = &o->trees[i];
    t->floats = 1;
    for (int k = t->v_at; k < t->v_at + 6; k++) t->floats &= s->motion.of[k] == FB_MOTION_FORCE;
    count += t->floats;
  }
  o->all_float = count == s->m->top.ntree;
}

/* Arms of all trees at the poses in s->d; summed from link to link, so that nothing is lost far out. */
static void find_arms(fb_momentum_method* o, const fb_sim* s) {
  const fb_topology* top = &s->m->top;
  const fb_data* d = s->d;
  memset(o->link_moment, 0, 3 * (size_t)top->nlink * sizeof(double));
  for (int i = top->nlink - 1; i > 0; i--) {
    double local[3], arm[3], *moment = o->link_moment + 3 * i,
                             *parent = o->link_moment + 3 * top->link_parent[i];
    const double* link = fb_link(d, i);
    fb_st3(local, 0, fb_m3_apply_par(fb_get_axes(link), fb_par3_of(fb_link_par(d->par, i), FB_PAR_H)));
    fb_st3(arm, 0, fb_get3(link, FB_REC_ARM));
    for (int j = 0; j < 3; j++) {
      moment[j] += local[j];
      parent[j] += moment[j] + o->link_mass[i] * arm[j];
    }
  }
  for (int i = 0; i < s->tree.nroot; i++) {
    fb_momentum_tree* t = &o->trees[i];
    fb_rot_apply_transpose(s->tree.roots[i].R_wj, o->link_moment + 3 * t->link, t->arm);
    for (int j = 0; j < 3 && t->mass != 0; j++) t->arm[j] /= t->mass;
  }
}

/* From the momenta with bases at rest: u* does not depend on how fast trees drift, not even by rounding. */
void fb_momentum_leave_drift(fb_momentum_method* o, fb_sim* s, const double* q, double* v, double* p_rest) {
  for (int i = 0; i < s->tree.nroot; i++)
    if (o->trees[i].floats) memset(v + o->trees[i].v_at, 0, 3 * sizeof *v);
  s->m->kernels->momenta(&s->m->top, s->d->par, s->d, q, v, p_rest, NULL);
  for (int i = 0; i < s->tree.nroot; i++) {
    const fb_momentum_tree* t = &o->trees[i];
    if (!t->floats) continue;
    for (int k = t->v_at; k < t->v_at + 3; k++) v[k] = -p_rest[k] / t->mass;
  }
}

void fb_momentum_measure(fb_momentum_method* o, fb_sim* s, double* kept) {
  const double* v = s->y + s->nq;
  double* p_rest = o->p1;
  find_floating(o, s);
  memcpy(o->v, v, (size_t)s->nv * sizeof *v);
  fb_momentum_leave_drift(o, s, s->y, o->v, p_rest);
  s->m->kernels->momenta(&s->m->top, s->d->par, s->d, s->y, o->v, kept, NULL);
  find_arms(o, s);
  memset(kept + s->nv, 0, COM_SIZE * (size_t)s->tree.nroot * sizeof *kept);
  for (int i = 0; i < s->tree.nroot; i++) {
    const fb_momentum_tree* t = &o->trees[i];
    double* com = kept + s->nv + COM_SIZE * i;
    if (!t->floats) continue;
    for (int j = 0, k = t->v_at; j < 3; j++, k++) {
      kept[k] = t->mass * v[k] + p_rest[k];
      com[j] = s->y[t->q_at + j];
      com[3 + j] += t->arm[j];
      fb_add_with_rest(&com[j], &com[3 + j]);
    }
  }
}

void fb_momentum_enter(fb_momentum_method* o, const fb_sim* s, const double* kept) {
  size_t coordinates = (size_t)s->nv * sizeof *kept;
  find_floating(o, s);
  o->from = kept;
  memcpy(o->p0, kept, coordinates);
  memset(o->com_a, 0, coordinates);
  for (int i = 0; i < s->tree.nroot; i++)
    if (o->trees[i].floats) memset(o->p0 + o->trees[i].v_at, 0, 3 * sizeof *kept);
}

/* F / m along axis j. */
static double acceleration(const fb_momentum_method* o, const fb_momentum_tree* t, int j) {
  return o->com_a[t->v_at + j] + (o->all_float ? t->gravity[j] : 0);
}

static void find_drift(const fb_momentum_method* o, double h, fb_momentum_tree* t) {
  for (int j = 0; j < 3; j++) t->com_v[j] = o->from[t->v_at + j] / t->mass + 0.5 * h * acceleration(o, t, j);
}

void fb_momentum_place_middle(fb_momentum_method* o, const fb_sim* s, double h, int placed) {
  if (s->tree.nroot > 0 && placed) find_arms(o, s);
  for (int i = 0; i < s->tree.nroot; i++) {
    fb_momentum_tree* t = &o->trees[i];
    const double* com = o->from + s->nv + COM_SIZE * i;
    double *x = o->y_mid + t->q_at, *u = fb_y_v(s, o->y_mid) + t->v_at;
    if (!t->floats) continue;
    find_drift(o, h, t);
    for (int j = 0; j < 3; j++) u[j] += t->com_v[j];
    for (int j = 0; j < 3 && placed; j++) x[j] = com[j] + (com[3 + j] + 0.5 * h * t->com_v[j] - t->arm[j]);
  }
}

void fb_momentum_split_force(fb_momentum_method* o, fb_sim* s) {
  int pushed = 0;
  memcpy(o->com_a_before, o->com_a, (size_t)s->nv * sizeof *o->com_a);
  for (int i = 0; i < s->tree.nroot; i++) {
    const fb_momentum_tree* t = &o->trees[i];
    if (!t->floats) continue;
    for (int k = t->v_at; k < t->v_at + 3; k++) {
      o->com_a[k] = o->force[k] / t->mass;
      pushed |= o->com_a[k] != 0;
    }
  }
  if (!pushed) return;
  /* H (F/m, 0, 0) are the momenta at that velocity. */
  s->m->kernels->momenta(&s->m->top, s->d->par, s->d, o->y_mid, o->com_a, o->mu, NULL);
  for (int k = 0; k < s->nv; k++) o->force[k] -= o->mu[k];
  for (int i = 0; i < s->tree.nroot; i++)
    if (o->trees[i].floats) memset(o->force + o->trees[i].v_at, 0, 3 * sizeof *o->force);
}

void fb_momentum_push_bases(fb_momentum_method* o, const fb_sim* s, double h) {
  for (int i = 0; i < s->tree.nroot; i++) {
    const fb_momentum_tree* t = &o->trees[i];
    if (!t->floats) continue;
    for (int k = t->v_at + 3; k < t->v_at + 6; k++) o->p1[k] = o->p0[k] + h * o->force[k];
  }
}

void fb_momentum_place_end(fb_momentum_method* o, const fb_sim* s, double h, double* y1, double* kept_end) {
  memcpy(kept_end, o->p1, (size_t)s->nv * sizeof *kept_end);
  if (s->tree.nroot == 0) return;
  memcpy(kept_end + s->nv, o->from + s->nv, COM_SIZE * (size_t)s->tree.nroot * sizeof *kept_end);
  find_arms(o, s);
  for (int i = 0; i < s->tree.nroot; i++) {
    fb_momentum_tree* t = &o->trees[i];
    double *com = kept_end + s->nv + COM_SIZE * i, *x = y1 + t->q_at, *v = fb_y_v(s, y1);
    if (!t->floats) continue;
    find_drift(o, h, t);
    memcpy(kept_end + t->v_at, o->from + t->v_at, 3 * sizeof *kept_end);
    for (int j = 0, k = t->v_at; j < 3; j++, k++) {
      com[6 + j] += h * (t->mass * acceleration(o, t, j));
      fb_add_with_rest(&kept_end[k], &com[6 + j]);
      com[3 + j] += h * t->com_v[j];
      fb_add_with_rest(&com[j], &com[3 + j]);
      x[j] = com[j] + (com[3 + j] - t->arm[j]);
      v[k] += kept_end[k] / t->mass;
    }
  }
}
