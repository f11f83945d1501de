/* frame_task.c -- the block of a frame that follows a path
 *
 * At the start it remembers where the frame is, and the joints that carry its base. Then, at every call, the
 * accelerations of frame_task_law.c are handed on as they are (by_motion), or as the forces that they take,
 *   tau = mixed dynamics, with loops closed, with the joints from the base to the frame prescribed, all others driven
 *   by force, but for those that motions and locks move,
 * each held within +- effort. kp and kd are parameters in memory. Outputs: how far the frame is
 * from its path, and how near the joints are to a singular pose. Cost O(n). */
#include "control/frame_task/frame_task.h"
#include "control/frame_task/frame_task_solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/status.h>

#include "base/arena.h"
#include "base/copy_text.h"
#include "block/coordinate.h"
#include "control/frame_task/frame_path.h"
#include "math/vector3.h"
#include "model/model.h"

static const char* const PARAMETERS[] = {"kp", "kd", NULL};
#define SINGULAR                    \
  {"singular_value", "1", "", 1}, { \
    "conditioning", "1", "", 1      \
  }
/* Of a position, and of a pose; then of laws that expect a wrench. */
static const fb_port OUTPUTS[] = {{"position_error", "m", "world", 3}, SINGULAR};
static const fb_port POSE_OUTPUTS[] = {
    {"position_error", "m", "world", 3}, {"attitude_error", "rad", "world", 3}, SINGULAR};
static const fb_port FORCE_OUTPUTS[] = {
    {"position_error", "m", "world", 3}, {"force", "N", "world", 3}, SINGULAR};
static const fb_port WRENCH_OUTPUTS[] = {{"position_error", "m", "world", 3},
                                         {"attitude_error", "rad", "world", 3},
                                         {"force", "N", "world", 3},
                                         {"torque", "N m", "world", 3},
                                         SINGULAR};
#undef SINGULAR

/* What the block is: the law for the present model, and what is to be known of it for others. */
typedef struct law {
  fb_task* task; /* NULL: after a join or parting it cannot continue, and does nothing */
  char* name;
  const fb_task_style* style;
  const fb_model* original; /* the model that it was made for: */
  fb_frame_task given;
  int base, n, carrier_nq;
  int* coordinates; /* [n] */
} law;

/* --- in motion --- */

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)state, (void)error;
  const fb_task* task = ((const law*)user)->task;
  const fb_topology* top = &task->m->top;
  double* q_carrier = memory + FB_TASK_Q_CARRIER;
  memory[FB_TASK_KP] = task->given.kp;
  memory[FB_TASK_KD] = task->given.kd;
  fb_frame_pose(task->m, fb_context_kinematics(context), task->given.frame, memory + FB_TASK_P_START,
                memory + FB_TASK_R_START);
  for (int i = 0; i < task->ncarrier; i++) {
    int nq = fb_task_link_nq(task->m, task->links[i]);
    memcpy(q_carrier, context->q + top->link_q[task->links[i]], (size_t)nq * sizeof *q_carrier);
    q_carrier += nq;
  }
  return FB_OK;
}

static fb_status move(const fb_task* task, fb_action* action, fb_error* error) {
  for (int j = 0; j < task->n; j++) {
    int k = task->coordinates[j];
    if (task->moved_elsewhere[j]) continue;
    if (action->moved[k])
      return fb_fail(error, FB_ERR_ARG, "joint \"%s\" is moved by another block too; let one of them do it",
                     fb_coordinate_joint_name(task->m, k));
    action->vdot[k] = task->y[j];
    action->moved[k] = 1;
  }
  return FB_OK;
}

static void push(fb_task* task, const fb_context* context, fb_action* action) {
  double effort = task->given.effort;
  memset(task->tau, 0, (size_t)task->m->top.nv * sizeof *task->tau);
  fb_task_known(task, context);
  for (int j = 0; j < task->n; j++) task->vdot[task->coordinates[j]] = task->y[j];
  fb_loads loads = fb_task_loads(task, context);
  fb_constrained_dynamics(task->m, context->data, context->q, context->v, task->prescribed, &loads,
                          task->vdot, task->tau);
  for (int j = 0; j < task->n; j++) {
    int k = task->coordinates[j];
    if (task->moved_elsewhere[j]) continue;
    action->tau[k] += task->tau[k] > effort ? effort : task->tau[k] < -effort ? -effort : task->tau[k];
  }
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  fb_task* task = ((law*)user)->task;
  if (!task) return FB_OK;
  fb_status status = fb_task_accelerate(task, context, memory, state, error);
  if (status) return status;
  if (task->style->rate) task->style->rate(task, context, state_rate);
  if (task->given.by_motion) return move(task, action, error);
  push(task, context, action);
  return FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)error;
  fb_task* task = ((law*)user)->task;
  if (!task) return FB_OK;
  const fb_data* d = fb_context_kinematics(context);
  fb_wrench expected = {0};
  fb_frame_target target;
  fb_task_error(task, d, context->t, memory, &target, outputs);
  outputs += task->given.rows;
  if (task->style->expect) {
    task->style->expect(task, d, context->t, memory, state, &expected);
    for (int i = 0; i < task->given.rows; i++)
      outputs[i] = -(i < 3 ? expected.force[i] : expected.torque[i - 3]);
    outputs += task->given.rows;
  }
  fb_task_singular(task, context, memory, &outputs[0], &outputs[1]);
  return FB_OK;
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  const law* l = (const law*)user;
  double next = fb_frame_path_next_knot(&l->given.path, t);
  return l->style->next_edge ? fmin(next, l->style->next_edge(l->style, t)) : next;
}

/* --- set-up --- */

int fb_task_link_nv(const fb_model* m, int link) {
  return m->top.link_nv[link];
}

int fb_task_link_nq(const fb_model* m, int link) {
  return fb_link_rows[m->top.link_kind[link]].nq;
}

/* The body from which the joints are moved, and the links that carry it. */
static void find_base(fb_task* task) {
  const fb_topology* t = &task->m->top;
  int root = fb_body_base(task->m, t->site_body[task->given.frame]);
  task->base = task->given.from ? task->given.from : fb_body_floats(task->m, root) ? root : 0;
  task->ncarrier = task->carrier_nq = task->carrier_nv = 0;
  for (int i = t->body_link[task->base]; i > 0; i = t->link_parent[i]) {
    task->ncarrier++;
    task->carrier_nq += fb_task_link_nq(task->m, i);
    task->carrier_nv += fb_task_link_nv(task->m, i);
  }
}

/* The links on the way to the frame, root first, and their coordinates; counts them when there is no memory yet. */
static void find_path(fb_task* task) {
  const fb_topology* t = &task->m->top;
  int at = 0;
  find_base(task);
  task->nlink = 0;
  task->n = -task->carrier_nv;
  for (int i = t->site_link[task->given.frame]; i > 0; i = t->link_parent[i]) {
    task->nlink++;
    task->n += fb_task_link_nv(task->m, i);
  }
  for (int i = t->site_link[task->given.frame]; i > 0 && task->links; i = t->link_parent[i])
    task->links[task->nlink - ++at] = i;
  task->rows = task->given.rows + (!task->given.keep_base ? 0 : task->given.from ? 6 : 3);
  at = 0;
  for (int i = task->ncarrier; i < task->nlink && task->links; i++)
    for (int k = 0; k < fb_task_link_nv(task->m, task->links[i]); k++) {
      task->coordinates[at] = t->link_v[task->links[i]] + k;
      task->in_task[task->coordinates[at++]] = 1;
    }
}

static fb_status check_path(const fb_task* task, const char* name, fb_error* error) {
  const fb_model* m = task->m;
  if (task->n == 0)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": no joint lies between frame \"%s\" and %s \"%s\", so nothing can move it; "
                   "choose a frame on an arm",
                   name, fb_task_frame_name(m, task->given.frame),
                   task->given.from ? "body"
                   : task->base     ? "its floating base"
                                    : "the body it is fixed to",
                   fb_body_name(m, task->base));
  if (task->given.keep_base && task->carrier_nv == 0)
    return fb_fail(
        error, FB_ERR_ARG,
        "block \"%s\": keep_base is for a base that floats or is mounted on joints, but \"%s\" %s", name,
        fb_body_name(m, task->given.from ? task->base : fb_body_base(m, m->top.site_body[task->given.frame])),
        task->given.from ? "does not move" : "does not float; name such a body with from");
  return FB_OK;
}

static void lay_out(fb_task* task, fb_arena* scratch) {
  fb_task* to = task;
  size_t nv = (size_t)task->m->top.nv, n = (size_t)task->n;
  fb_arena_take(scratch, sizeof *task);
  FB_TASK_FIELDS(FB_FIELD_IN_SCRATCH)
}

/* A copy of the draft with memory of its own; NULL when there is none. */
static fb_task* task_new(fb_task draft) {
  fb_arena arena = {0};
  lay_out(&draft, &arena);
  arena = (fb_arena){calloc(1, arena.used), 0};
  if (!arena.base) return NULL;
  lay_out(&draft, &arena);
  find_path(&draft);
  fb_task* task = (fb_task*)(void*)arena.base;
  *task = draft;
  task->probe_data = fb_data_new(task->m);
  if (!task->probe_data) {
    free(task);
    return NULL;
  }
  fb_task_find_rank(task);
  return task;
}

static void task_free(fb_task* task) {
  if (task) fb_data_free(task->probe_data);
  free(task);
}

static void style_free(const fb_task_style* style) {
  if (style->free) style->free(style);
}

static void law_free(void* user) {
  law* l = (law*)user;
  if (!l) return;
  style_free(l->style);
  fb_frame_path_free(&l->given.path);
  task_free(l->task);
  free(l->coordinates);
  free(l->name);
  free(l);
}

/* Takes over the paths of the draft and the style, also on failure. */
static law* law_new(const char* name, fb_task draft, const fb_task_style* style) {
  law* l = calloc(1, sizeof *l);
  if (!l) {
    fb_frame_path_free(&draft.given.path);
    style_free(style);
    return NULL;
  }
  *l = (law){.original = draft.m, .given = draft.given, .base = draft.base, .n = draft.n};
  l->carrier_nq = draft.carrier_nq;
  l->style = style;
  l->name = fb_copy_text(name);
  l->task = task_new(draft);
  l->coordinates = calloc((size_t)l->n, sizeof *l->coordinates);
  if (!l->name || !l->task || !l->coordinates) {
    law_free(l);
    return NULL;
  }
  memcpy(l->coordinates, l->task->coordinates, (size_t)l->n * sizeof *l->coordinates);
  return l;
}

/* --- another model --- */

/* Whether a task moves the joints that the law was made for, and finds in memory what it needs. */
static int goes_on(const law* l, const fb_task* task) {
  if (task->n != l->n || (l->given.assume_still && task->carrier_nq != l->carrier_nq)) return 0;
  for (int j = 0; j < l->n; j++)
    if (!task->in_task[fb_coordinate_in(l->original, l->coordinates[j], task->m)]) return 0;
  return 1;
}

/* Whether all joints of the law are there. */
static int has_joints(const law* l, const fb_model* m) {
  for (int j = 0; j < l->n; j++)
    if (fb_coordinate_in(l->original, l->coordinates[j], m) < 0) return 0;
  return 1;
}

/* The joints are moved from the same body as before, also where that has become part of another tree. */
static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  law* l = (law*)user;
  fb_task draft = {.m = m, .style = l->style, .given = l->given}, *next = NULL;
  int was = l->task != NULL, root = fb_body_base(m, m->top.site_body[l->given.frame]);
  if (!l->given.from && l->base && root != l->base) draft.given.from = l->base;
  int can = has_joints(l, m) && !fb_task_check_from(m, l->name, &draft.given, NULL);
  if (can) find_path(&draft);
  if (can && !check_path(&draft, l->name, NULL)) {
    next = task_new(draft);
    if (!next) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
    if (!goes_on(l, next)) {
      task_free(next);
      next = NULL;
    }
  }
  task_free(l->task);
  l->task = next;
  if (next || !was) return FB_OK;
  return fb_fail(
      error, FB_OK,
      "the joints from body \"%s\" to its frame have changed, so it does nothing until they are back",
      fb_body_name(m, l->base));
}

static fb_status make_draft(const fb_model* m, const char* name, fb_task* draft, fb_error* error) {
  fb_status status = fb_task_check(m, name, &draft->given, error);
  if (!status) status = fb_frame_path_check(name, &draft->given.path, error);
  if (status) return status;
  find_path(draft);
  status = check_path(draft, name, error);
  return status ? status : fb_frame_path_copy(name, &draft->given.path, error);
}

fb_status fb_task_block(const fb_model* m, const char* name, const fb_frame_task* given,
                        const fb_task_style* style, fb_block* block, fb_error* error) {
  fb_task draft = {.m = m, .style = style, .given = *given};
  int halves = given->rows / 3;
  *block = fb_default_block();
  fb_status status = make_draft(m, name, &draft, error);
  if (status) {
    style_free(style);
    return status;
  }
  law* made = law_new(name, draft, style);
  if (!made) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  block->name = made->name;
  block->user = made;
  block->nmemory = FB_TASK_Q_CARRIER + made->carrier_nq;
  block->nstate = style->nstate;
  block->parameters = style->parameters;
  block->inputs = style->inputs;
  block->ninput = style->ninput;
  block->outputs =
      style->expect ? (halves == 1 ? FORCE_OUTPUTS : WRENCH_OUTPUTS) : (halves == 1 ? OUTPUTS : POSE_OUTPUTS);
  block->noutput = (style->expect ? 2 * halves : halves) + 2;
  block->moves = given->by_motion != 0;
  block->start = start;
  block->act = act;
  block->output = output;
  block->next_edge = next_edge;
  block->rebind = rebind;
  block->free = law_free;
  return FB_OK;
}

/* --- the law that follows its path --- */

void fb_task_follow(const fb_task* task, const fb_data* d, const fb_frame_target* target, const double off[6],
                    const double v[6], const double* memory, double a[6]) {
  (void)task, (void)d;
  for (int i = 0; i < 6; i++) {
    double rate = i < 3 ? target->v[i] : target->w[i - 3],
           forward = i < 3 ? target->a[i] : target->wdot[i - 3];
    a[i] = forward + memory[FB_TASK_KD] * (rate - v[i]) + memory[FB_TASK_KP] * off[i];
  }
}

fb_status fb_block_new_frame_task(const fb_model* m, const char* name, const fb_frame_task* given,
                                  fb_block* block, fb_error* error) {
  static const fb_task_style style = {.parameters = PARAMETERS, .accelerate = fb_task_follow};
  return fb_task_block(m, name, given, &style, block, error);
}
