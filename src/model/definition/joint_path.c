/* joint_path.c -- joints from parent to body, their motion, and the coordinates nearest to a given motion. */
#include "model/definition/joint_path.h"

#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "math/ldl.h"
#include "math/vector3.h"
#include "model/pose.h"

/* --- the path --- */

static void number_links(fb_joint_path* path) {
  int q = 0, v = 0;
  for (int i = 0; i < path->nlink; i++) {
    path->link[i].q = q;
    path->link[i].v = v;
    q += fb_link_rows[path->link[i].kind].nq;
    v += fb_link_rows[path->link[i].kind].nv;
  }
}

static void reverse(fb_joint_path* path) {
  fb_joint_path was = *path;
  fb_pose_inverse(&was.tail, &path->place);
  fb_pose_inverse(&was.place, &path->tail);
  path->has_tail = 1;
  for (int i = 0; i < path->nlink; i++) {
    fb_path_link* link = &path->link[i];
    *link = was.link[path->nlink - 1 - i];
    for (int k = 0; k < 3; k++) link->axis[k] = 0 - link->axis[k]; /* no negative zeros */
  }
}

fb_joint_path fb_joint_path_of(const fb_joint_def* joint) {
  const fb_joint_kind* kind = &fb_joint_kinds[joint->type];
  fb_joint_path path = {.pitch = joint->pitch, .nlink = kind->nlink};
  path.place = fb_pose_of(joint->R, joint->at);
  path.tail = fb_pose_of(joint->child_R, joint->child_at);
  path.has_tail = !is_zero3(joint->child_at) || !is_identity3x3(joint->child_R);
  for (int i = 0; i < kind->nlink; i++) {
    path.link[i].kind = kind->chain[i].kind;
    path.link[i].source = kind->chain[i].axis;
    if (!fb_joint_link_axis(joint, kind->chain[i], path.link[i].axis))
      memset(path.link[i].axis, 0, sizeof path.link[i].axis);
  }
  number_links(&path);
  if (joint->reversed) reverse(&path);
  return path;
}

/* --- its motion --- */

static int turns(const fb_path_link* link) {
  return link->kind == FB_LINK_REVOLUTE || link->kind == FB_LINK_HELICAL;
}

static int has_quat(const fb_path_link* link) {
  return fb_link_rows[link->kind].quats > 0;
}

/* How far a coordinate moves the link along its axis. */
static double slide_of(const fb_joint_path* path, const fb_path_link* link) {
  return link->kind == FB_LINK_PRISMATIC ? 1 : link->kind == FB_LINK_HELICAL ? path->pitch : 0;
}

static fb_pose motion_of(const fb_joint_path* path, const fb_path_link* link, const double* q) {
  fb_pose M = fb_pose_identity();
  if (has_quat(link)) {
    const fb_link_row* row = &fb_link_rows[link->kind];
    if (row->lengths > 0) memcpy(M.p, q + link->q, sizeof M.p);
    fb_rot_from_quat(q + link->q + row->quat_at, M.R);
    return M;
  }
  if (fb_link_rows[link->kind].nv == 0) return M;
  double slide = slide_of(path, link) * q[link->q], turn[3];
  for (int k = 0; k < 3; k++) {
    M.p[k] = slide * link->axis[k];
    turn[k] = turns(link) ? q[link->q] * link->axis[k] : 0;
  }
  if (turns(link)) fb_rot_from_rotvec(turn, M.R);
  return M;
}

void fb_joint_path_motion(const fb_joint_path* path, const double* q, fb_pose* M) {
  *M = fb_pose_identity();
  for (int i = 0; i < path->nlink; i++) {
    fb_pose link = motion_of(path, &path->link[i], q), before = *M;
    fb_pose_multiply(&before, &link, M);
  }
}

/* --- coordinates of a pose --- */

/* The angle of the part of R that turns about an axis, in (-pi, pi]; 0 where R turns the axis over and there is none. */
static double twist(const double R[9], const double axis[3]) {
  static const double PI = 3.14159265358979323846, NONE = 1e-7;
  double quat[4];
  fb_rot_to_quat(R, quat);
  double along = dot3(quat + 1, axis);
  if (hypot(along, quat[0]) < NONE) return 0;
  double angle = 2 * atan2(along, quat[0]);
  return angle > PI ? angle - 2 * PI : angle <= -PI ? angle + 2 * PI : angle;
}

/* The angle about an axis that takes b to the plane of the axis and R b: the first of two turns. */
static double first_turn(const double R[9], const double axis[3], const double b[3]) {
  double to[3], side[3];
  fb_rot_apply(R, b, to);
  cross3(axis, b, side);
  double flat[3]; /* b without its part along the axis */
  cross3(side, axis, flat);
  return atan2(dot3(to, side), dot3(to, flat));
}

/* The next link that turns about another axis, or NULL. */
static const fb_path_link* other_turn(const fb_joint_path* path, int i) {
  for (int k = i + 1; k < path->nlink; k++)
    if (turns(&path->link[k]) && path->link[k].source != path->link[i].source) return &path->link[k];
  return NULL;
}

static void fit_link(const fb_joint_path* path, int i, const fb_pose* X, double* q) {
  const fb_path_link *link = &path->link[i], *next = other_turn(path, i);
  const fb_link_row* row = &fb_link_rows[link->kind];
  if (has_quat(link)) {
    if (row->lengths > 0) memcpy(q + link->q, X->p, sizeof X->p);
    fb_rot_to_quat(X->R, q + link->q + row->quat_at);
  } else if (turns(link)) {
    q[link->q] = next ? first_turn(X->R, link->axis, next->axis) : twist(X->R, link->axis);
  } else if (row->nv > 0) {
    q[link->q] = dot3(X->p, link->axis);
  }
}

/* T_pb = place X tail; each link takes its part of X, and the rest is left to the next. */
void fb_joint_path_fit(const fb_joint_path* path, const fb_pose* T_pb, double* q) {
  fb_pose back, X, whole;
  fb_pose_inverse(&path->place, &back);
  fb_pose_multiply(&back, T_pb, &whole);
  fb_pose_inverse(&path->tail, &back);
  fb_pose_multiply(&whole, &back, &X);
  for (int i = 0; i < path->nlink; i++) {
    fit_link(path, i, &X, q);
    fb_pose M = motion_of(path, &path->link[i], q), rest;
    fb_pose_inverse(&M, &back);
    fb_pose_multiply(&back, &X, &rest);
    X = rest;
  }
}

/* --- rates of a motion --- */

enum { MOST = FB_JOINT_MAX_NV };

/* The columns of a link of one coordinate, angular then linear, at the point r from where the link turns. */
static void column_of(const fb_joint_path* path, const fb_path_link* link, const double axis[3],
                      const double r[3], double S[6]) {
  double sweep[3];
  cross3(axis, r, sweep);
  for (int k = 0; k < 3; k++) {
    S[k] = turns(link) ? axis[k] : 0;
    S[3 + k] = slide_of(path, link) * axis[k] + (turns(link) ? sweep[k] : 0);
  }
}

/* A quaternion's link is the only one of its joint. */
int fb_joint_path_columns(const fb_joint_path* path, const double* q, double S[MOST][6]) {
  fb_pose before = fb_pose_identity(), end;
  int nv = 0;
  fb_joint_path_motion(path, q, &end);
  memset(S, 0, MOST * sizeof S[0]);
  for (int i = 0; i < path->nlink; i++) {
    const fb_path_link* link = &path->link[i];
    const fb_link_row* row = &fb_link_rows[link->kind];
    double axis[3], r[3];
    fb_rot_apply(before.R, link->axis, axis);
    for (int k = 0; k < 3; k++) r[k] = end.p[k] - before.p[k];
    for (int k = 0; k < row->nv && has_quat(link); k++)
      S[link->v + k][k < row->lengths ? 3 + k : k - row->lengths] = 1;
    if (row->nv == 1) column_of(path, link, axis, r, S[link->v]);
    fb_pose M = motion_of(path, link, q), was = before;
    fb_pose_multiply(&was, &M, &before);
    nv += row->nv;
  }
  return nv;
}

/* Least squares of radians and metres alike: S^T S x = S^T (w, v). */
void fb_joint_path_fit_rates(const fb_joint_path* path, const double* q, const double w[3], const double v[3],
                             double* rates) {
  double S[MOST][6], A[MOST * MOST], x[MOST];
  int n = fb_joint_path_columns(path, q, S);
  for (int i = 0; i < n; i++) {
    x[i] = dot3(S[i], w) + dot3(S[i] + 3, v);
    for (int k = 0; k < n; k++) A[i * n + k] = dot3(S[i], S[k]) + dot3(S[i] + 3, S[k] + 3);
  }
  if (fb_ldl_factor(A, n) == 0)
    fb_ldl_solve(A, n, x);
  else
    memset(x, 0, sizeof x); /* axes that coincide allow no fit */
  memcpy(rates, x, (size_t)n * sizeof *rates);
}
