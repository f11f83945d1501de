/* original.c -- the joints of a simulation's first model in the present one
 *
 * Signals, events and limits refer to the model that the simulation was made with. A joint that continues is read from its
 * coordinates, wherever they are now. One whose coordinates have gone is read from the bodies that it joined:
 *
 *   T_jb = (T_wp P)^-1 T_wb O^-1      p, b: its parent and its body; P, O: where it stands in each; all of the first model
 *
 * of which free and spherical joints have position and attitude, with rates in the axes of the joint; others have no
 * value, since the bodies may be anywhere. The sign of a quaternion is that next to the one at the end of the last
 * step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "base/fill_nan.h"
#include "math/vector3.h"
#include "model/joint_kind.h"
#include "model/pose.h"
#include "regroup/change.h"

/* ---- what continues ---- */

static int continues(const fb_model* first, const fb_first* f, int body) {
  return !f->v || fb_joint_nv(first, body) == 0 || f->v[fb_joint_v_at(first, body)] >= 0;
}

int fb_first_continues(const fb_sim* s, int body) {
  return continues(s->first_m, &s->first, body);
}

static int has_attitude(const fb_model* m, int body) {
  return fb_joint_type_quat_at(fb_joint_type_of(m, body)) >= 0;
}

int fb_first_find(const fb_model* first, const fb_model* now, fb_first* f) {
  int nbody = first->top.nbody, nv = first->top.nv;
  *f = (fb_first){.body = malloc((size_t)nbody * sizeof *f->body),
                  .v = malloc(((size_t)nv + 1) * sizeof *f->v),
                  .gone = malloc((size_t)nbody * sizeof *f->gone)};
  if (!f->body || !f->v || !f->gone) {
    fb_first_free(f);
    return 0;
  }
  for (int k = 0; k < nv; k++) f->v[k] = fb_model_coordinate_from(now, first, k);
  f->body[0] = -1;
  for (int b = 1; b < nbody; b++) {
    int at = fb_model_find_joint(now, fb_joint_name(first, b));
    f->body[b] = at > 0 && fb_joint_type_of(now, at) == fb_joint_type_of(first, b) ? at : -1;
    if (has_attitude(first, b) && !continues(first, f, b)) f->gone[f->ngone++] = b;
  }
  return 1;
}

void fb_first_free(fb_first* f) {
  free(f->body);
  free(f->v);
  free(f->gone);
  *f = (fb_first){.body = NULL};
}

int fb_sim_coordinate_now(const fb_sim* s, int k) {
  if (k < 0 || k >= s->first_m->top.nv) return -1;
  return s->first.v ? s->first.v[k] : k;
}

/* ---- joints that have gone ---- */

/* A joint of the first model, where its bodies are now. */
typedef struct seen {
  fb_pose parent, joint, link; /* in the world: its parent, the joint frame on it, the joint frame moved */
} seen;

static fb_pose frame_pose(const fb_sim* s, const fb_data* d, int frame) {
  fb_pose x;
  fb_frame_pose(s->m, d, frame, x.p, x.R);
  return x;
}

static seen look(const fb_sim* s, const fb_data* d, int body) {
  const fb_model* m = s->first_m;
  int parent = fb_body_parent(m, body);
  fb_pose on_link = fb_pose_load(m->par.site_pose, parent), back, place, child;
  fb_pose joint = fb_pose_load(m->par.site_pose, fb_joint_site(&m->top, body));
  seen x = {.parent = frame_pose(s, d, parent)};
  fb_pose_inverse(&on_link, &back);
  fb_pose_multiply(&back, &joint, &place);
  fb_pose_multiply(&x.parent, &place, &x.joint);
  on_link = fb_pose_load(m->par.site_pose, body);
  fb_pose_inverse(&on_link, &back);
  child = frame_pose(s, d, body);
  fb_pose_multiply(&child, &back, &x.link);
  return x;
}

/* Whether a joint that has gone still has values: free ones always, spherical ones that were turned round. */
static int has_values(const fb_sim* s, int body) {
  return has_attitude(s->first_m, body) &&
         (fb_joint_kinds[fb_joint_type_of(s->first_m, body)].is_free || s->first.body[body] >= 0);
}

static void attitude_of(const seen* x, double quat[4]) {
  double R[9];
  fb_rot_transpose(x->joint.R, R);
  fb_rot_multiply(R, x->link.R, R);
  fb_rot_to_quat(R, quat);
}

/* The one of q and -q that is next to what was kept. */
static void go_on(const fb_sim* s, int body, double quat[4]) {
  for (int i = 0; i < s->first.ngone; i++) {
    const double* last = s->kept_quat + 4 * (size_t)i;
    if (s->first.gone[i] != body) continue;
    double along = quat[0] * last[0] + quat[1] * last[1] + quat[2] * last[2] + quat[3] * last[3];
    for (int k = 0; along < 0 && k < 4; k++) quat[k] = -quat[k];
  }
}

void fb_first_q(const fb_sim* s, const fb_data* d, int body, double* q) {
  fb_joint_type type = fb_joint_type_of(s->first_m, body);
  int quat = fb_joint_type_quat_at(type);
  fb_fill_nan(q, fb_joint_nq(s->first_m, body));
  if (!has_values(s, body)) return;
  seen x = look(s, d, body);
  attitude_of(&x, q + quat);
  go_on(s, body, q + quat);
  if (!fb_joint_kinds[type].is_free) return;
  for (int k = 0; k < 3; k++) q[k] = x.link.p[k] - x.joint.p[k];
  fb_rot_apply_transpose(x.joint.R, q, q);
}

/* How the link moves relative to the parent of the joint, world axes. */
typedef struct relative {
  double turn[3], arm[3];       /* the parent's angular velocity; from its origin to the link */
  double linear[3], angular[3]; /* velocity of the link as the parent sees it */
} relative;

static void see_velocity(const fb_sim* s, const fb_data* d, int body, const seen* x, relative* r) {
  double at[3], swept[3];
  fb_frame_velocity(s->m, d, body, r->linear, r->angular);
  fb_frame_velocity(s->m, d, fb_body_parent(s->first_m, body), at, r->turn);
  for (int k = 0; k < 3; k++) r->arm[k] = x->link.p[k] - x->parent.p[k];
  cross3(r->turn, r->arm, swept);
  for (int k = 0; k < 3; k++) {
    r->linear[k] -= at[k] + swept[k];
    r->angular[k] -= r->turn[k];
  }
}

/* In the axes of the joint, which the parent carries with it. */
static void write_rates(const fb_sim* s, int body, const seen* x, const double linear[3],
                        const double angular[3], double* out) {
  fb_joint_type type = fb_joint_type_of(s->first_m, body);
  fb_rot_apply_transpose(x->joint.R, angular, out + fb_joint_type_quat_at(type));
  if (fb_joint_kinds[type].is_free) fb_rot_apply_transpose(x->joint.R, linear, out);
}

void fb_first_v(const fb_sim* s, const fb_data* d, int body, double* v) {
  relative r;
  fb_fill_nan(v, fb_joint_nv(s->first_m, body));
  if (!has_values(s, body)) return;
  seen x = look(s, d, body);
  see_velocity(s, d, body, &x, &r);
  write_rates(s, body, &x, r.linear, r.angular, v);
}

/* What the parent sees: less its own acceleration, Euler's, the centrifugal one and Coriolis'. */
void fb_first_a(const fb_sim* s, const fb_data* d, int body, double* a) {
  relative r;
  double linear[3], angular[3], at[3], spun[3], euler[3], swept[3], inward[3], coriolis[3], turned[3];
  fb_fill_nan(a, fb_joint_nv(s->first_m, body));
  if (!has_values(s, body)) return;
  seen x = look(s, d, body);
  see_velocity(s, d, body, &x, &r);
  fb_frame_acceleration(s->m, d, body, linear, angular);
  fb_frame_acceleration(s->m, d, fb_body_parent(s->first_m, body), at, spun);
  cross3(spun, r.arm, euler);
  cross3(r.turn, r.arm, swept);
  cross3(r.turn, swept, inward);
  cross3(r.turn, r.linear, coriolis);
  cross3(r.turn, r.angular, turned);
  for (int k = 0; k < 3; k++) {
    linear[k] -= at[k] + euler[k] + inward[k] + 2 * coriolis[k];
    angular[k] -= spun[k] + turned[k];
  }
  write_rates(s, body, &x, linear, angular, a);
}

void fb_first_origin(const fb_sim* s, const fb_data* d, int body, double p[3]) {
  seen x = look(s, d, body);
  memcpy(p, x.joint.p, sizeof x.joint.p);
}

/* A joint that was turned round carries the opposite, on its other body. */
void fb_first_wrench(const fb_sim* s, const fb_data* d, int body, const double* wrenches, double out[6]) {
  int now = fb_first_body(s, body);
  if (now < 0) {
    fb_fill_nan(out, 6);
    return;
  }
  const double *force = wrenches + 6 * (size_t)now, *torque = force + 3;
  double here[3], there[3], arm[3], moment[3], sign = now == body ? 1 : -1;
  fb_first_origin(s, d, body, here);
  fb_frame_pose(s->m, d, fb_model_joint_frame(s->m, now), there, NULL);
  for (int k = 0; k < 3; k++) arm[k] = there[k] - here[k];
  cross3(arm, force, moment);
  for (int k = 0; k < 3; k++) {
    out[k] = sign * force[k];
    out[3 + k] = sign * (torque[k] + moment[k]);
  }
}

void fb_first_follow(fb_sim* s) {
  if (s->first.ngone == 0) return;
  const fb_data* d = fb_sim_kinematics_at(s, s->y);
  for (int i = 0; i < s->first.ngone; i++) {
    int body = s->first.gone[i];
    if (!has_values(s, body)) continue;
    double quat[4];
    seen x = look(s, d, body);
    attitude_of(&x, quat);
    go_on(s, body, quat);
    memcpy(s->kept_quat + 4 * (size_t)i, quat, sizeof quat);
  }
}
