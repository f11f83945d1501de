/* frame_task_law.c -- accelerations of joints that let a frame follow its path
 *
 *   wanted     a = path'' + kd (path' - velocity) + kp (path - position)
 *              attitude: w' = w_path' + kd (w_path - w) + kp e,  R_path = exp(e~) R, world axes
 *   the frame  a = A y + b,  y the accelerations of the joints on the way to it, b what it has at y = 0
 *   so         y = -kd v_c + A^+ (a - b + kd A v_c)
 * with the damped pseudo-inverse: A y = a - b where that can be, and joint motion that does not show at the frame dies
 * out at the rate kd. (Luh, Walker, Paul 1980; of a floating base Umetani, Yoshida 1989.)
 *
 * A base that floats or stands on joints: b from mixed dynamics with y = 0, all else driven by force (what passive
 * forces, velocities and gravity do), A = J_c + J_b G with G the answer of the base (dynamics/base_response.c); without
 * other joints it is J*. A base that does not move, or is believed not to: A = J_c, b = J' v.
 * Coordinates that motions and locks move have known accelerations, which are in b. Of the law's own joints among them A
 * has no column where enough others are left; else the law asks of them what it would, and they do not answer.
 * keep_base adds rows: of a floating base  w' = -kd w, the attitude rows of G; of a body that is named all six,
 *   a_b = a_b at v_c = 0 and y = 0, the acceleration that it would have with these joints frozen
 * so that springs on which it stands feel nothing of the motion (reaction null space of a flexible base: Nenchev,
 * Yoshida, Vichitkulsawat, Uchiyama 1999). Their rank is at most the number of coordinates that carry it; the
 * pseudo-inverse leaves out the rest. Cost O(n) and the solution of the small system. */
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "control/frame_task/frame_path.h"
#include "control/frame_task/frame_task.h"
#include "control/frame_task/frame_task_solve.h"
#include "dynamics/base_response.h"

/* Of the largest singular value, where joints are taken from the law. */
static const double LAME_FLOOR = 0.03;

void fb_task_error(const fb_task* task, const fb_data* d, double t, const double* memory,
                   fb_frame_target* target, double* off) {
  double p[3], R[9];
  fb_frame_path_at(&task->given.path, memory + FB_TASK_P_START, memory + FB_TASK_R_START, t, target);
  fb_frame_pose(task->m, d, task->given.frame, p, R);
  for (int i = 0; i < 3; i++) off[i] = target->p[i] - p[i];
  if (task->given.rows == 6) fb_rot_difference(target->R, R, off + 3);
}

/* What the law asks of the frame, less `bias`, for the rows that it has: x. Needs kinematics with v. */
static void fill_wanted(fb_task* task, const fb_data* d, double t, const double* memory,
                        const double bias[6]) {
  double v[6], off[6] = {0}, a[6];
  fb_frame_target target;
  fb_task_error(task, d, t, memory, &target, off);
  fb_frame_velocity(task->m, d, task->given.frame, v, v + 3);
  task->style->accelerate(task, d, &target, off, v, memory, a);
  for (int i = 0; i < task->given.rows; i++) task->x[i] = a[i] - bias[i];
}

fb_loads fb_task_loads(const fb_task* task, const fb_context* context) {
  fb_loads loads = fb_context_loads(context);
  if (task->style->expect) {
    loads.wrenches = &task->expected;
    loads.nwrench = 1;
  }
  return loads;
}

void fb_task_known(fb_task* task, const fb_context* context) {
  for (int k = 0; k < task->m->top.nv; k++) {
    task->vdot[k] = 0;
    task->prescribed[k] = fb_context_is_moved(context, k, &task->vdot[k]) || task->in_task[k];
  }
  for (int j = 0; j < task->n; j++)
    task->moved_elsewhere[j] = (unsigned char)fb_context_is_moved(context, task->coordinates[j], &task->y[j]);
}

/* A: the frame's rows of the joints' columns of J. */
static void fill_joint_part(fb_task* task, const fb_data* d) {
  fb_frame_jacobian(task->m, d, task->given.frame, task->J);
  for (int row = 0; row < task->given.rows; row++)
    for (int j = 0; j < task->n; j++)
      task->A[row * task->n + j] = task->J[row * task->m->top.nv + task->coordinates[j]];
}

/* --- a base that stands still, or is believed to --- */

/* The joints that carry the base as they were at the start, and at rest. */
static void believe(fb_task* task, const fb_context* context, const double* q_carrier) {
  const fb_topology* t = &task->m->top;
  memcpy(task->q, context->q, (size_t)t->nq * sizeof *task->q);
  memcpy(task->v, context->v, (size_t)t->nv * sizeof *task->v);
  for (int i = 0; i < task->ncarrier; i++) {
    int link = task->links[i], nq = fb_task_link_nq(task->m, link), nv = fb_task_link_nv(task->m, link);
    memcpy(task->q + t->link_q[link], q_carrier, (size_t)nq * sizeof *task->q);
    memset(task->v + t->link_v[link], 0, (size_t)nv * sizeof *task->v);
    q_carrier += nq;
  }
}

static void fill_still(fb_task* task, const fb_context* context, const double* memory) {
  const fb_model* m = task->m;
  double bias[6];
  const double* v = context->v;
  const fb_data* d = context->data;
  if (task->carrier_nv) {
    believe(task, context, memory + FB_TASK_Q_CARRIER);
    v = task->v;
    fb_kinematics(m, context->data, task->q, v, NULL);
  } else {
    d = fb_context_kinematics(context);
  }
  fb_frame_bias_acceleration(m, d, v, task->given.frame, bias);
  fill_joint_part(task, d);
  fb_task_known(task, context);
  for (int j = 0; j < task->n; j++)
    for (int row = 0; row < task->given.rows && task->moved_elsewhere[j]; row++)
      bias[row] += task->A[row * task->n + j] * task->y[j];
  fill_wanted(task, d, context->t, memory, bias);
}

/* --- a base that moves --- */

/* A += J_b G, J_b = [E, -r~; 0, E], r from the base to the frame; and the rows of the base. */
static void add_base_part(fb_task* task, const fb_data* d) {
  int n = task->n;
  double p[3], p0[3], r[3];
  fb_frame_pose(task->m, d, task->given.frame, p, NULL);
  fb_frame_pose(task->m, d, task->base, p0, NULL);
  for (int i = 0; i < 3; i++) r[i] = p[i] - p0[i];
  for (int j = 0; j < n; j++) {
    double g[6];
    for (int i = 0; i < 6; i++) g[i] = task->G[i * n + j];
    const double moved[6] = {g[0] + g[4] * r[2] - g[5] * r[1],
                             g[1] + g[5] * r[0] - g[3] * r[2],
                             g[2] + g[3] * r[1] - g[4] * r[0],
                             g[3],
                             g[4],
                             g[5]};
    for (int i = 0; i < task->given.rows; i++) task->A[i * n + j] += moved[i];
    for (int i = task->given.rows; i < task->rows; i++) task->A[i * n + j] = g[6 - task->rows + i];
  }
}

/* Accelerations of all coordinates when those that the law moves have none: vdot. */
static void coast(fb_task* task, const fb_context* context, const double* v) {
  memset(task->tau, 0, (size_t)task->m->top.nv * sizeof *task->tau);
  fb_task_known(task, context);
  fb_loads loads = fb_task_loads(task, context);
  fb_mixed_dynamics(task->m, context->data, context->q, v, task->prescribed, &loads, task->vdot, task->tau);
}

/* The acceleration that the base would have if the joints that are moved were frozen. */
static void freeze(fb_task* task, const fb_context* context, double a[6]) {
  memcpy(task->v, context->v, (size_t)task->m->top.nv * sizeof *task->v);
  for (int j = 0; j < task->n; j++)
    if (!fb_context_is_moved(context, task->coordinates[j], NULL)) task->v[task->coordinates[j]] = 0;
  coast(task, context, task->v);
  fb_kinematics(task->m, context->data, context->q, task->v, task->vdot);
  fb_frame_acceleration(task->m, context->data, task->base, a, a + 3);
}

/* What is asked of the base, less what it has at y = 0. Needs kinematics with v and the vdot of coast. */
static void fill_kept(fb_task* task, const fb_data* d, double kd, const double frozen[6]) {
  double a[6], w[3], *x = task->x + task->given.rows;
  fb_frame_acceleration(task->m, d, task->base, a, a + 3);
  fb_frame_velocity(task->m, d, task->base, NULL, w);
  for (int i = 0; task->given.from && i < 6; i++) x[i] = frozen[i] - a[i];
  for (int i = 0; !task->given.from && i < 3; i++) x[i] = -kd * w[i] - a[3 + i];
}

static fb_status fill_moving(fb_task* task, const fb_context* context, const double* memory,
                             fb_error* error) {
  const fb_model* m = task->m;
  double bias[6], frozen[6] = {0};
  if (task->given.keep_base && task->given.from) freeze(task, context, frozen);
  coast(task, context, context->v);
  if (!fb_base_response(m, context->data, task->links, task->ncarrier, task->nlink, task->base,
                        task->prescribed, task->n, task->G) &&
      fb_model_check_state(m, context->q, context->v, NULL) == FB_OK) /* not a trial step gone wrong */
    return fb_fail(
        error, FB_ERR_NO_SOLUTION,
        "the base \"%s\", with all that hangs on it, has no inertia about some axis, or one of the joints "
        "that carry it has none, so its response to the joints is not known; give it inertia",
        fb_body_name(m, task->base));
  fill_joint_part(task, context->data);
  add_base_part(task, context->data);
  fb_kinematics(m, context->data, context->q, context->v, task->vdot);
  fb_frame_acceleration(m, context->data, task->given.frame, bias, bias + 3);
  fill_wanted(task, context->data, context->t, memory, bias);
  if (task->given.keep_base) fill_kept(task, context->data, memory[FB_TASK_KD], frozen);
  return FB_OK;
}

/* --- the joints --- */

/* Where motions or locks have taken joints from the law and as many are left as there are rows, these do it all: the
 * columns of the others go, and 1 is returned. */
static int leave_out_locked(fb_task* task) {
  int left = task->n;
  for (int j = 0; j < task->n; j++) left -= task->moved_elsewhere[j];
  if (left == task->n || left < task->rows) return 0;
  for (int j = 0; j < task->n; j++)
    for (int row = 0; row < task->rows && task->moved_elsewhere[j]; row++) task->A[row * task->n + j] = 0;
  return 1;
}

/* y from A and x, with the motion that does not show at the frame slowed down. */
static void resolve(fb_task* task, const fb_context* context, double kd) {
  const double *v = context->v, damping = task->given.damping;
  int lame = leave_out_locked(task);
  for (int row = 0; row < task->rows; row++)
    for (int j = 0; j < task->n; j++)
      task->x[row] += kd * task->A[row * task->n + j] * v[task->coordinates[j]];
  if (lame) /* poses that nobody chose: some are singular */
    fb_floored_solve(task->A, task->rows, task->n, task->x, damping, LAME_FLOOR, task->y, task->work);
  else
    fb_damped_solve(task->A, task->rows, task->n, task->x, damping, task->y, task->work);
  for (int j = 0; j < task->n; j++)
    if (!fb_context_is_moved(context, task->coordinates[j], &task->y[j]))
      task->y[j] -= kd * v[task->coordinates[j]];
}

fb_status fb_task_fill(fb_task* task, const fb_context* context, const double* memory, fb_error* error) {
  if (task->carrier_nv && !task->given.assume_still) return fill_moving(task, context, memory, error);
  fill_still(task, context, memory);
  return FB_OK;
}

fb_status fb_task_accelerate(fb_task* task, const fb_context* context, const double* memory,
                             const double* state, fb_error* error) {
  if (task->style->expect) {
    task->expected = (fb_wrench){.frame = task->given.frame};
    task->style->expect(task, fb_context_kinematics(context), context->t, memory, state, &task->expected);
  }
  fb_status status = fb_task_fill(task, context, memory, error);
  if (!status) resolve(task, context, memory[FB_TASK_KD]);
  return status;
}
