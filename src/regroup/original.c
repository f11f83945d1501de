/* original.c -- the joints of a simulation's first model in the present one
 *
 * Signals, events and limits refer to the model that the simulation was made with. A joint that continues is read
 * from its coordinates, wherever they are now. One whose coordinates no longer exist is read from the bodies that it
 * joined:
 *
 *   T_jb = (T_wp P)^-1 T_wb O^-1      p, b: its parent and its body; P, O: where it stands in each; all of the first model
 *
 * of which free and spherical joints have position and attitude, with rates in the axes of the joint; others have no
 * value, since the bodies may be anywhere. The sign of a quaternion is that nearest to the one at the end of the last
 * step. */
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

static int continues(const fb_model* first, const fb_original_joints* f, int body) {
  return !f->v || fb_joint_nv(first, body) == 0 || f->v[fb_joint_v_index(first, body)] >= 0;
}

int fb_original_continues(const fb_sim* s, int body) {
  return continues(s->regroup.original, &s->regroup.joints, body);
}

static int has_attitude(const fb_model* m, int body) {
  return fb_joint_type_quat_index(fb_joint_type_of(m, body)) >= 0;
}

int fb_original_joints_find(const fb_model* first, const fb_model* now, fb_original_joints* f) {
  int nbody = first->top.nbody, nv = first->top.nv;
  *f = (fb_original_joints){.body = malloc((size_t)nbody * sizeof *f->body),
                            .v = malloc(((size_t)nv + 1) * sizeof *f->v),
                            .removed = malloc((size_t)nbody * sizeof *f->removed)};
  if (!f->body || !f->v || !f->removed) {
    fb_original_joints_free(f);
    return 0;
  }
  for (int k = 0; k < nv; k++) f->v[k] = fb_model_coordinate_from(now, first, k);
  f->body[0] = -1;
  for (int b = 1; b < nbody; b++) {
    int at = fb_model_find_joint(now, fb_joint_name(first, b));
    f->body[b] = at > 0 && fb_joint_type_of(now, at) == fb_joint_type_of(first, b) ? at : -1;
    if (has_attitude(first, b) && !continues(first, f, b)) f->removed[f->nremoved++] = b;
  }
  return 1;
}

void fb_original_joints_free(fb_original_joints* f) {
  free(f->body);
  free(f->v);
  free(f->removed);
  *f = (fb_original_joints){.body = NULL};
}

int fb_sim_coordinate_now(const fb_sim* s, int k) {
  if (k < 0 || k >= s->regroup.original->top.nv) return -1;
  return s->regroup.joints.v ? s->regroup.joints.v[k] : k;
}

/* ---- removed joints ---- */

/* A joint of the first model, where its bodies are now. */
typedef struct seen {
  fb_pose parent, joint, link; /* in the world: its parent, the joint frame on it, the joint frame moved */
} seen;

static fb_pose frame_pose(const fb_sim* s, const fb_data* d, int frame) {
  fb_pose x;
  fb_frame_pose(s->m, d, frame, x.p, x.R);
  return x;
}

static seen observe(const fb_sim* s, const fb_data* d, int body) {
  const fb_model* m = s->regroup.original;
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

/* Whether a removed joint still has values: free ones always, spherical ones that were reversed. */
static int has_values(const fb_sim* s, int body) {
  return has_attitude(s->regroup.original, body) &&
         (fb_joint_kinds[fb_joint_type_of(s->regroup.original, body)].is_free ||
          s->regroup.joints.body[body] >= 0);
}

static void attitude_of(const seen* x, double quat[4]) {
  double R[9];
  fb_rot_transpose(x->joint.R, R);
  fb_rot_multiply(R, x->link.R, R);
  fb_rot_to_quat(R, quat);
}

/* The one of q and -q that is nearest to the stored one. */
static void go_on(const fb_sim* s, int body, double quat[4]) {
  for (int i = 0; i < s->regroup.joints.nremoved; i++) {
    const double* last = s->regroup.kept_quat + 4 * (size_t)i;
    if (s->regroup.joints.removed[i] != body) continue;
    double along = quat[0] * last[0] + quat[1] * last[1] + quat[2] * last[2] + quat[3] * last[3];
    for (int k = 0; along < 0 && k < 4; k++) quat[k] = -quat[k];
  }
}

void fb_original_q(const fb_sim* s, const fb_data* d, int body, double* q) {
  fb_joint_type type = fb_joint_type_of(s->regroup.original, body);
  int quat = fb_joint_type_quat_index(type);
  fb_fill_nan(q, fb_joint_nq(s->regroup.original, body));
  if (!has_values(s, body)) return;
  seen x = observe(s, d, body);
  attitude_of(&x, q + quat);
  go_on(s, body, q + quat);
  if (!fb_joint_kinds[type].is_free) return;
  for (int k = 0; k < 3; k++) q[k] = x.link.p[k] - x.joint.p[k];
  fb_rot_apply_transpose(x.joint.R, q, q);
}

/* How the link moves relative to the parent of the joint, world axes. */
typedef struct relative {
  double turn[3], arm[3];       /* the parent's angular velocity; from its origin to the link */
  double linear[3], angular[3]; /* velocity of the link relative to the parent */
} relative;

static void see_velocity(const fb_sim* s, const fb_data* d, int body, const seen* x, relative* r) {
  double at[3], swept[3];
  fb_frame_velocity(s->m, d, body, r->linear, r->angular);
  fb_frame_velocity(s->m, d, fb_body_parent(s->regroup.original, body), at, r->turn);
  for (int k = 0; k < 3; k++) r->arm[k] = x->link.p[k] - x->parent.p[k];
  cross3(r->turn, r->arm, swept);
  for (int k = 0; k < 3; k++) {
    r->linear[k] -= at[k] + swept[k];
    r->angular[k] -= r->turn[k];
  }
}

/* In the axes of the joint, which are fixed in the parent. */
static void write_rates(const fb_sim* s, int body, const seen* x, const double linear[3],
                        const double angular[3], double* out) {
  fb_joint_type type = fb_joint_type_of(s->regroup.original, body);
  fb_rot_apply_transpose(x->joint.R, angular, out + fb_joint_type_quat_index(type));
  if (fb_joint_kinds[type].is_free) fb_rot_apply_transpose(x->joint.R, linear, out);
}

void fb_original_v(const fb_sim* s, const fb_data* d, int body, double* v) {
  relative r;
  fb_fill_nan(v, fb_joint_nv(s->regroup.original, body));
  if (!has_values(s, body)) return;
  seen x = observe(s, d, body);
  see_velocity(s, d, body, &x, &r);
  write_rates(s, body, &x, r.linear, r.angular, v);
}

/* Relative to the parent: less its own acceleration, Euler's, the centrifugal one and Coriolis'. */
void fb_original_a(const fb_sim* s, const fb_data* d, int body, double* a) {
  relative r;
  double linear[3], angular[3], at[3], spun[3], euler[3], swept[3], inward[3], coriolis[3], turned[3];
  fb_fill_nan(a, fb_joint_nv(s->regroup.original, body));
  if (!has_values(s, body)) return;
  seen x = observe(s, d, body);
  see_velocity(s, d, body, &x, &r);
  fb_frame_acceleration(s->m, d, body, linear, angular);
  fb_frame_acceleration(s->m, d, fb_body_parent(s->regroup.original, body), at, spun);
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

void fb_original_origin(const fb_sim* s, const fb_data* d, int body, double p[3]) {
  seen x = observe(s, d, body);
  memcpy(p, x.joint.p, sizeof x.joint.p);
}

/* A joint that was reversed transmits the opposite wrench, on its other body. */
void fb_original_wrench(const fb_sim* s, const fb_data* d, int body, const double* wrenches, double out[6]) {
  int now = fb_original_body(s, body);
  if (now < 0) {
    fb_fill_nan(out, 6);
    return;
  }
  const double *force = wrenches + 6 * (size_t)now, *torque = force + 3;
  double here[3], there[3], arm[3], moment[3], sign = now == body ? 1 : -1;
  fb_original_origin(s, d, body, here);
  fb_frame_pose(s->m, d, fb_model_joint_frame(s->m, now), there, NULL);
  for (int k = 0; k < 3; k++) arm[k] = there[k] - here[k];
  cross3(arm, force, moment);
  for (int k = 0; k < 3; k++) {
    out[k] = sign * force[k];
    out[3 + k] = sign * (torque[k] + moment[k]);
  }
}

void fb_original_follow(fb_sim* s) {
  if (s->regroup.joints.nremoved == 0) return;
  const fb_data* d = fb_sim_kinematics_at(s, s->y);
  for (int i = 0; i < s->regroup.joints.nremoved; i++) {
    int body = s->regroup.joints.removed[i];
    if (!has_values(s, body)) continue;
    double quat[4];
    seen x = observe(s, d, body);
    attitude_of(&x, quat);
    go_on(s, body, quat);
    memcpy(s->regroup.kept_quat + 4 * (size_t)i, quat, sizeof quat);
  }
}
