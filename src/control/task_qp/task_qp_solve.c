/* task_qp_solve.c -- joint forces and contact forces that come nearest to what tasks ask for
 *
 *   unknowns   x = (tau of the driven coordinates, normal and tangential forces of each contact)
 *   motion     v' = v'_0 + B x,  v'_0 the accelerations at x = 0, B those for unit forces, loops closed
 *   task       a = J v' + J' v = (J B) x + a_0  shall be  a* = path'' + kd (path' - velocity) + kp (path - position)
 *   bounds     |tau| <= effort;  0 <= f_n <= most;  f_t in a pyramid of k sides inside the cone:
 *              cos(s) f_1 + sin(s) f_2 <= mu cos(pi / k) f_n,  s = (2 i + 1) pi / k
 *
 * x = 0 with small normal forces is always inside the bounds, so that the problem always has a solution. Floating bases and
 * joints that are not driven have no x: the dynamics hold by construction. Coordinates that motions and locks move have
 * the accelerations that those say, in v'_0. Cost O(n) for each unknown and task, and the solution by priority
 * (math/qp.c). */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/rotation.h>

#include "control/task_qp/task_qp.h"
#include "model/parameters.h"

static const double PI = 3.14159265358979323846;
/* Of what was requested: a task that lacks less is met. */
static const double MET = 1e-7;

int fb_qp_task_rows(const fb_qp_task* task) {
  int rows = 0;
  for (int i = 0; i < 6; i++) rows += (task->axes >> i) & 1;
  return task->kind == FB_QP_TASK_POSTURE ? task->count : rows;
}

static double* column(const fb_qp_law* law, int k) {
  return law->B + (size_t)k * (size_t)fb_model_nv(law->m);
}

static double* row(const fb_qp_law* law, int i) {
  return law->A + (size_t)i * (size_t)law->nx;
}

/* --- what acts --- */

static void find_contacts(fb_qp_law* law, double t) {
  for (int i = 0; i < law->ncontact; i++) {
    fb_qp_contact_row* c = &law->contacts[i];
    c->most = INFINITY;
    if (c->given.most) fb_spline_eval(c->given.most, t, &c->most, NULL, NULL);
    c->is_on = c->most > 0;
  }
}

/* Largest force of driven coordinate j; 0: it drives nothing. */
static double effort_of(const fb_qp_law* law, const fb_context* context, int j) {
  int k = law->coordinates[j];
  if (k < 0 || fb_context_is_moved(context, k, NULL)) return 0;
  return isnan(law->effort) ? fmax(fb_context_parameters(context)->effort[k], 0) : law->effort;
}

/* Whether unknown k does anything. */
static int is_used(const fb_qp_law* law, const fb_context* context, int k) {
  if (k < law->na) return effort_of(law, context, k) > 0;
  const fb_qp_contact_row* c = &law->contacts[(k - law->na) / 3];
  return c->is_on && ((k - law->na) % 3 == 0 || c->given.friction > 0);
}

/* --- the accelerations --- */

static void find_moved(fb_qp_law* law, const fb_context* context, double* vdot) {
  for (int k = 0; k < fb_model_nv(law->m); k++) {
    vdot[k] = 0;
    law->moved[k] = (unsigned char)fb_context_is_moved(context, k, &vdot[k]);
  }
}

/* Column k of B: the response at rest, without gravity and springs, where nothing else accelerates. */
static void fill_column(fb_qp_law* law, const fb_context* context, int k) {
  size_t size = (size_t)fb_model_nv(law->m) * sizeof *law->tau;
  fb_loads loads = fb_default_loads();
  fb_wrench wrench = {0};
  loads.passive = 0;
  memset(column(law, k), 0, size);
  memset(law->tau, 0, size);
  if (!is_used(law, context, k)) return;
  if (k < law->na) {
    law->tau[law->coordinates[k]] = 1;
  } else {
    const fb_qp_contact_row* c = &law->contacts[(k - law->na) / 3];
    wrench.frame = c->given.frame;
    memcpy(wrench.force, c->axes[(k - law->na) % 3], sizeof wrench.force);
    loads.wrenches = &wrench;
    loads.nwrench = 1;
  }
  fb_constrained_dynamics(law->m, context->data, context->q, law->rest, law->moved, &loads, column(law, k),
                          law->tau);
}

static void fill_motion(fb_qp_law* law, const fb_context* context) {
  size_t size = (size_t)fb_model_nv(law->m) * sizeof *law->tau;
  fb_loads loads = fb_context_loads(context);
  memset(law->rest, 0, size);
  find_moved(law, context, law->vdot);
  for (int k = 0; k < law->nx; k++) fill_column(law, context, k);
  memset(law->tau, 0, size);
  fb_constrained_dynamics(law->m, context->data, context->q, context->v, law->moved, &loads, law->vdot,
                          law->tau);
}

/* --- tasks --- */

/* Position, velocity and acceleration of a task's frame, or centre of mass; kinematics are in d. */
typedef struct motion {
  double p[3], R[9], v[6], a[6];
} motion;

static void read_motion(const fb_qp_law* law, const fb_data* d, const fb_qp_task* task, motion* out) {
  memset(out, 0, sizeof *out);
  if (task->kind == FB_QP_TASK_CENTRE_OF_MASS) {
    fb_subtree_com(law->m, d, task->frame, out->p, out->v, out->a);
    return;
  }
  fb_frame_pose(law->m, d, task->frame, out->p, out->R);
  fb_frame_velocity(law->m, d, task->frame, out->v, out->v + 3);
  fb_frame_acceleration(law->m, d, task->frame, out->a, out->a + 3);
}

/* b of a task along a path: what it asks for, less what there is at x = 0. */
static void fill_path(const fb_qp_law* law, const fb_context* context, const fb_qp_task_row* task,
                      const double* memory) {
  double off[6] = {0}, weight = sqrt(task->given.weight), *b = law->b + task->row;
  const double* start = memory + task->memory_at;
  fb_frame_target target;
  motion at;
  read_motion(law, context->data, &task->given, &at);
  fb_frame_path_at(&task->given.path, start, start + 3, context->t, &target);
  for (int i = 0; i < 3; i++) off[i] = target.p[i] - at.p[i];
  if (task->given.axes >> 3) fb_rot_difference(target.R, at.R, off + 3);
  for (int i = 0; i < 6; i++) {
    if (!((task->given.axes >> i) & 1)) continue;
    double rate = i < 3 ? target.v[i] : target.w[i - 3], forward = i < 3 ? target.a[i] : target.wdot[i - 3];
    *b++ = weight * (forward + task->given.kd * (rate - at.v[i]) + task->given.kp * off[i] - at.a[i]);
  }
}

static void fill_posture(const fb_qp_law* law, const fb_context* context, const fb_qp_task_row* task,
                         const double* memory) {
  double weight = sqrt(task->given.weight);
  for (int i = 0; i < task->rows; i++) {
    const fb_gain_coordinate* c = &task->gains->coordinates[i];
    const double *task_memory = memory + task->memory_at, *gain = task_memory + c->memory_at;
    int k = c->given.coordinate, at = task->row + i;
    memset(row(law, at), 0, (size_t)law->nx * sizeof(double));
    law->b[at] = 0;
    if (k < 0) continue; /* its joint has gone */
    fb_gain_error e = fb_joint_gains_error(c, context, task_memory);
    law->b[at] =
        weight * (e.acceleration + gain[FB_GAIN_KD] * e.rate + gain[FB_GAIN_KP] * e.place - law->vdot[k]);
    for (int j = 0; j < law->nx; j++) row(law, at)[j] = weight * column(law, j)[k];
  }
}

/* Column k of A, of tasks along paths and of stance; kinematics of that column are in d. */
static void fill_task_column(const fb_qp_law* law, const fb_data* d, int k) {
  for (int i = 0; i < law->ntask; i++) {
    const fb_qp_task_row* task = &law->tasks[i];
    int at = task->row;
    motion response;
    if (task->gains) continue;
    read_motion(law, d, &task->given, &response);
    for (int j = 0; j < 6; j++)
      if ((task->given.axes >> j) & 1) row(law, at++)[k] = sqrt(task->given.weight) * response.a[j];
  }
  for (int i = 0; i < law->ncontact; i++) {
    const fb_qp_contact_row* c = &law->contacts[i];
    double a[3];
    fb_frame_acceleration(law->m, d, c->given.frame, a, NULL);
    for (int j = 0; j < 3; j++) row(law, 3 * i + j)[k] = c->is_on && c->given.stance ? a[j] : 0;
  }
}

static void fill_contact(const fb_qp_law* law, const fb_context* context, int i) {
  const fb_qp_contact_row* c = &law->contacts[i];
  double v[3], a[3], weight = c->is_on ? sqrt(c->given.weight) : 0;
  fb_frame_velocity(law->m, context->data, c->given.frame, v, NULL);
  fb_frame_acceleration(law->m, context->data, c->given.frame, a, NULL);
  for (int j = 0; j < 3; j++)
    law->b[3 * i + j] = c->is_on && c->given.stance ? -c->given.kd * v[j] - a[j] : 0;
  if (c->force_row < 0) return;
  memset(row(law, c->force_row), 0, (size_t)law->nx * sizeof(double));
  fb_spline_eval(c->given.force, context->t, &law->b[c->force_row], NULL, NULL);
  law->b[c->force_row] *= weight;
  row(law, c->force_row)[law->na + 3 * i] = weight;
}

/* The last two levels: joint motion decays; forces are small. */
static void fill_rest(const fb_qp_law* law, const fb_context* context, double decay) {
  int at = law->nrow - law->na - law->nx;
  for (int i = 0; i < law->na; i++, at++) {
    int k = law->coordinates[i];
    law->b[at] = k < 0 ? 0 : -decay * context->v[k] - law->vdot[k];
    for (int j = 0; j < law->nx; j++) row(law, at)[j] = k < 0 ? 0 : column(law, j)[k];
  }
  for (int i = 0; i < law->nx; i++, at++) {
    memset(row(law, at), 0, (size_t)law->nx * sizeof(double));
    row(law, at)[i] = 1;
    law->b[at] = 0;
  }
}

/* Poses, velocities and accelerations for the tasks. */
static void move(const fb_qp_law* law, const fb_context* context, const double* v, const double* vdot) {
  int com = 0;
  for (int i = 0; i < law->ntask; i++) com |= law->tasks[i].given.kind == FB_QP_TASK_CENTRE_OF_MASS;
  fb_kinematics(law->m, context->data, context->q, v, vdot);
  if (com) fb_centre_of_mass(law->m, context->data);
}

static void fill_levels(fb_qp_law* law, const fb_context* context, const double* memory) {
  for (int k = 0; k < law->nx; k++) {
    move(law, context, law->rest, column(law, k));
    fill_task_column(law, context->data, k);
  }
  move(law, context, context->v, law->vdot);
  for (int i = 0; i < law->ncontact; i++) fill_contact(law, context, i);
  for (int i = 0; i < law->ntask; i++) {
    if (law->tasks[i].gains)
      fill_posture(law, context, &law->tasks[i], memory);
    else
      fill_path(law, context, &law->tasks[i], memory);
  }
  fill_rest(law, context, memory[FB_QP_DECAY]);
}

/* --- bounds --- */

static double* add_bound(fb_qp_law* law, int* count, double most) {
  double* at = law->C + (size_t)*count * (size_t)law->nx;
  memset(at, 0, (size_t)law->nx * sizeof *at);
  law->d[(*count)++] = most;
  return at;
}

static void bound_contact(fb_qp_law* law, const fb_qp_contact_row* c, int normal, int* count) {
  int sides = c->given.friction > 0 ? c->given.sides : 0;
  for (int i = 0; i < sides; i++) {
    double angle = (2 * i + 1) * PI / sides, *at = add_bound(law, count, 0);
    at[normal] = -c->given.friction * cos(PI / sides);
    at[normal + 1] = cos(angle);
    at[normal + 2] = sin(angle);
  }
  if (sides == 0) add_bound(law, count, 0)[normal] = -1;
  if (c->most < INFINITY) add_bound(law, count, c->most)[normal] = 1;
}

/* The bounds at this instant, how many there are, and a point inside of them. */
static int fill_bounds(fb_qp_law* law, const fb_context* context) {
  int count = 0;
  memset(law->x, 0, (size_t)law->nx * sizeof *law->x);
  for (int j = 0; j < law->na; j++) {
    double effort = effort_of(law, context, j);
    if (!(effort > 0) || isinf(effort)) continue;
    add_bound(law, &count, effort)[j] = 1;
    add_bound(law, &count, effort)[j] = -1;
  }
  for (int i = 0; i < law->ncontact; i++) {
    const fb_qp_contact_row* c = &law->contacts[i];
    if (!c->is_on) continue;
    bound_contact(law, c, law->na + 3 * i, &count);
    law->x[law->na + 3 * i] = fmin(1, c->most / 2);
  }
  return count;
}

/* --- all of it --- */

/* What each level lacks, and whether that is more than rounding. */
static void find_missed(fb_qp_law* law, int solved) {
  law->status = solved ? 0 : 2;
  for (int level = 0; level < law->nlevel - 2; level++) {
    const fb_qp_level* l = &law->levels[level];
    double lack = 0, wanted = 1;
    for (int i = 0; i < l->rows; i++) {
      double off = l->b[i];
      for (int j = 0; j < law->nx; j++) off -= l->A[(size_t)i * (size_t)law->nx + (size_t)j] * law->x[j];
      lack += off * off;
      wanted = fmax(wanted, fabs(l->b[i]));
    }
    law->missed[level] = sqrt(lack);
    if (law->status == 0 && !(law->missed[level] <= MET * wanted)) law->status = 1;
  }
}

void fb_qp_law_solve(fb_qp_law* law, const fb_context* context, const double* memory) {
  find_contacts(law, context->t);
  fill_motion(law, context);
  fill_levels(law, context, memory);
  int nbound = fill_bounds(law, context);
  const fb_qp problem = {law->nx, law->nlevel, nbound, law->levels, law->C, law->d};
  fb_qp_result result = fb_qp_solve(&problem, law->x, law->work, law->ints);
  int is_finite = result.solved || result.iterations > 0;
  for (int k = 0; k < law->nx; k++) /* unknowns that do nothing have rounding errors */
    if (!is_finite || !is_used(law, context, k)) law->x[k] = 0;
  find_missed(law, result.solved);
}
