/* attitude.c -- the attitude of a floating base, by thrusters or reaction wheels
 *
 *   T = kp e + kd (w_wanted - w),   exp(e~) = R_wanted R^T,   R_wanted = exp(angle(t) axis~) R_start
 *
 * all in world axes; e is the shortest turn to the wanted attitude, at most pi. Thrusters sit on the base: T in body axes,
 * each component within +- effort; wheels share it (attitude_wheels.c), each within +- effort. What is beyond is cut part
 * by part, or all parts are scaled by one factor. kp, kd and effort are parameters in memory; R_start follows them there.
 * Outputs: T, body axes, before it is cut; the room of each wheel below its speed limit. The law knows nothing of inertias:
 * about an axis with the moment of
 * inertia I small errors obey  I e'' + kd e' + kp e = 0.  Cost O(wheels). */
#include <freebody/control.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

#include "base/cookie.h"
#include "base/pool.h"
#include "block/coordinate.h"
#include "control/attitude_wheels.h"
#include "control/frame_task/frame_path.h"
#include "math/vector3.h"
#include "model/model.h"
#include "model/pose.h"

enum { KP, KD, EFFORT, START, MEMORY = START + 9 };
static const char* const PARAMETERS[] = {"kp", "kd", "effort", NULL};

typedef struct attitude {
  fb_pool pool; /* names, scratch and outputs */
  const char* name;
  double kp, kd, effort; /* as given */
  fb_frame_path path;    /* of which only the turn is used */
  double R_wj[9];        /* axes of the base's joint, in which its velocity and torque are */
  /* in q and v; -1: the base no longer floats, or a wheel has gone, and the law does nothing */
  int quat_at, w_at;
  const fb_model* original; /* the model that it was made for, */
  int first_at;             /* and the first coordinate of the base's joint there */
  fb_saturation saturate;
  fb_wheels wheels; /* none: thrusters */
  double* tau;      /* [wheels] scratch of act */
  fb_port* ports;   /* [1 + wheels] its outputs: T in body axes; "room.JOINT" of each wheel */
} attitude;

fb_attitude_task fb_default_attitude_task(void) {
  return (fb_attitude_task){.body = -1, .kp = 1, .kd = 2, .effort = INFINITY, .cookie_ = FB_COOKIE};
}

/* Holds the parts of a torque within +- bound. Not by fmin and fmax: a NaN must not become a torque. */
static void hold_within(fb_saturation how, double bound, double* x, int count) {
  double largest = 0;
  bound = fmax(bound, 0); /* an event may have set anything */
  for (int i = 0; i < count; i++) {
    if (how == FB_SATURATION_AXIS) x[i] = x[i] > bound ? bound : x[i] < -bound ? -bound : x[i];
    if (fabs(x[i]) > largest) largest = fabs(x[i]);
  }
  for (int i = 0; i < count && largest > bound; i++) x[i] *= bound / largest;
}

static void base_attitude(const attitude* a, const double* q, double R_wb[9]) {
  fb_rot_from_quat(q + a->quat_at, R_wb);
  fb_rot_multiply(a->R_wj, R_wb, R_wb);
}

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)state;
  const attitude* a = (const attitude*)user;
  memory[KP] = a->kp;
  memory[KD] = a->kd;
  memory[EFFORT] = a->effort;
  base_attitude(a, context->q, memory + START);
  return fb_wheels_check_speeds(context->model, a->name, &a->wheels, fb_context_parameters(context)->speed,
                                error);
}

/* The torque wanted, world axes. */
static void find_torque(const attitude* a, const fb_context* context, const double* memory,
                        const double R_wb[9], double T_w[3]) {
  static const double ORIGIN[3] = {0, 0, 0};
  fb_frame_target target;
  double e[3], w[3];
  fb_frame_path_at(&a->path, ORIGIN, memory + START, context->t, &target);
  fb_rot_difference(target.R, R_wb, e);
  fb_rot_apply(a->R_wj, context->v + a->w_at, w);
  for (int i = 0; i < 3; i++) T_w[i] = memory[KP] * e[i] + memory[KD] * (target.w[i] - w[i]);
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)state, (void)state_rate, (void)error;
  const attitude* a = (const attitude*)user;
  const fb_wheels* wheels = &a->wheels;
  double R_wb[9], T[3];
  if (a->w_at < 0) return FB_OK;
  base_attitude(a, context->q, R_wb);
  find_torque(a, context, memory, R_wb, T);
  fb_rot_apply_transpose(R_wb, T, T); /* body axes */
  if (wheels->count > 0) {
    fb_wheels_share(wheels, T, a->tau);
    hold_within(a->saturate, memory[EFFORT], a->tau, wheels->count);
    fb_wheels_keep_speeds(wheels, fb_context_parameters(context)->speed, context->v, a->tau);
    hold_within(a->saturate, memory[EFFORT], a->tau, wheels->count);
    for (int i = 0; i < wheels->count; i++) action->tau[wheels->v_at[i]] += a->tau[i];
  } else {
    hold_within(a->saturate, memory[EFFORT], T, 3);
    fb_rot_apply(R_wb, T, T);
    fb_rot_apply_transpose(a->R_wj, T, T); /* the joint's */
    for (int i = 0; i < 3; i++) action->tau[a->w_at + i] += T[i];
  }
  return FB_OK;
}

/* The torque before it is held within its bounds, and how far each wheel may still speed up. */
static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)state, (void)error;
  const attitude* a = (const attitude*)user;
  double R_wb[9];
  if (a->w_at < 0) return FB_OK;
  base_attitude(a, context->q, R_wb);
  find_torque(a, context, memory, R_wb, outputs);
  fb_rot_apply_transpose(R_wb, outputs, outputs);
  for (int i = 0; i < a->wheels.count; i++)
    outputs[3 + i] = fb_wheels_room(&a->wheels, i, fb_context_parameters(context)->speed, context->v);
  return FB_OK;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  attitude* a = (attitude*)user;
  int before = a->w_at, at = fb_coordinate_in(a->original, a->first_at, m);
  int wheel = fb_wheels_rebind(&a->wheels, a->original, m),
      removed = at < 0 || wheel < 0 ? a->first_at : wheel;
  if (wheel >= 0) at = -1;
  a->w_at = at < 0 ? -1 : at + 3;
  a->quat_at = at < 0 ? -1 : fb_joint_q_index(m, fb_coordinate_body(m, at)) + 3;
  return at < 0 && before >= 0 ? fb_coordinate_note_removed(a->original, removed, error) : FB_OK;
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  return fb_frame_path_next_knot(&((const attitude*)user)->path, t);
}

/* --- set-up --- */

static fb_status check_base(const fb_model* m, const char* name, int body, fb_error* error) {
  if (body <= FB_WORLD || body >= fb_model_nbody(m))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": body %d does not exist; the model has 1 to %d", name,
                   body, fb_model_nbody(m) - 1);
  if (!fb_body_floats(m, body))
    return fb_fail(error, FB_ERR_JOINT,
                   "block \"%s\": body \"%s\" is no floating base: it is on a %s joint, on \"%s\"; choose "
                   "one that a free joint joins to the world",
                   name, fb_body_name(m, body), fb_joint_type_name(fb_joint_type_of(m, body)),
                   fb_body_name(m, fb_body_parent(m, body)));
  return FB_OK;
}

static fb_status check(const fb_model* m, const char* name, const fb_attitude_task* task, fb_error* error) {
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "an attitude block needs a name");
  if (fb_cookie_check_of_block(name, task->cookie_, "attitude_task", error)) return FB_ERR_ARG;
  if (!isfinite(task->kp) || !isfinite(task->kd))
    return fb_fail(error, FB_ERR_NOT_FINITE, "block \"%s\": kp %g and kd %g must be finite", name, task->kp,
                   task->kd);
  if (!(task->effort >= 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": effort is %g; give the largest torque as a number that is not negative, "
                   "INFINITY for no bound",
                   name, task->effort);
  if (task->saturate != FB_SATURATION_AXIS && task->saturate != FB_SATURATION_DIRECTION)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": saturate is %d; use FB_SATURATION_AXIS or FB_SATURATION_DIRECTION", name,
                   (int)task->saturate);
  return check_base(m, name, task->body, error);
}

static void attitude_free(void* user) {
  attitude* a = (attitude*)user;
  if (!a) return;
  fb_wheels_free(&a->wheels);
  fb_frame_path_free(&a->path);
  fb_pool_free(&a->pool);
  free(a);
}

static attitude* attitude_new(const fb_model* m, const char* name, const fb_attitude_task* task) {
  attitude* a = calloc(1, sizeof *a);
  size_t nwheel = (size_t)(task->nwheel > 0 ? task->nwheel : 0);
  if (!a) return NULL;
  a->name = fb_pool_text(&a->pool, name);
  a->tau = fb_pool_take(&a->pool, nwheel, sizeof *a->tau);
  a->ports = fb_pool_take(&a->pool, nwheel + 1, sizeof *a->ports);
  if (a->pool.failed) {
    attitude_free(a);
    return NULL;
  }
  a->kp = task->kp;
  a->kd = task->kd;
  a->effort = task->effort;
  a->saturate = task->saturate;
  memcpy(a->path.axis_w, task->axis_w, sizeof task->axis_w);
  fb_pose joint = fb_pose_load(m->par.site_pose, fb_joint_site(&m->top, task->body));
  memcpy(a->R_wj, joint.R, sizeof a->R_wj);
  a->quat_at = fb_joint_q_index(m, task->body) + 3;
  a->w_at = fb_joint_v_index(m, task->body) + 3;
  a->original = m;
  a->first_at = fb_joint_v_index(m, task->body);
  return a;
}

/* Once the wheels are known. */
static fb_status make_ports(const fb_model* m, int body, attitude* a, fb_error* error) {
  a->ports[0] = (fb_port){.name = "torque", .unit = "N m", .axes = fb_body_name(m, body), .count = 3};
  for (int i = 0; i < a->wheels.count; i++) {
    const char* joint = fb_coordinate_joint_name(m, a->wheels.v_at[i]);
    a->ports[1 + i] = (fb_port){fb_pool_print(&a->pool, "room.%s", joint), "1", "", 1};
  }
  return a->pool.failed ? fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", a->name) : FB_OK;
}

fb_status fb_block_new_attitude(const fb_model* m, const char* name, const fb_attitude_task* task,
                                fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_status status = check(m, name, task, error);
  if (status) return status;
  attitude* a = attitude_new(m, name, task);
  if (!a) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  a->path.turn = task->turn;
  status = fb_frame_path_copy(name, &a->path, error);
  if (!status) status = fb_frame_path_check(name, &a->path, error);
  if (!status && task->wheels)
    status = fb_wheels_init(m, name, task->body, task->wheels, task->nwheel, &a->wheels, error);
  if (!status) status = make_ports(m, task->body, a, error);
  if (status) {
    attitude_free(a);
    return status;
  }
  block->name = a->name;
  block->user = a;
  block->nmemory = MEMORY;
  block->parameters = PARAMETERS;
  block->start = start;
  block->act = act;
  block->outputs = a->ports;
  block->noutput = 1 + a->wheels.count;
  block->output = output;
  block->next_edge = next_edge;
  block->rebind = rebind;
  block->free = attitude_free;
  return FB_OK;
}
