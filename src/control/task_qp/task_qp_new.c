/* task_qp_new.c -- making a task_qp law: copies of what it was given, the rows of its problem by priority, and scratch. */
#include "control/task_qp/task_qp_new.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/arena.h"
#include "math/vector3.h"

enum { POSE = 12 }; /* doubles of a frame's place and attitude */

/* --- freeing --- */

static void free_spline(const fb_spline* spline) {
  fb_spline_free((fb_spline*)(uintptr_t)spline); /* a copy */
}

void fb_qp_law_free(void* user) {
  fb_qp_law* law = (fb_qp_law*)user;
  if (!law) return;
  for (int i = 0; law->tasks && i < law->ntask; i++) {
    fb_frame_path_free(&law->tasks[i].given.path);
    fb_joint_gains_free(law->tasks[i].gains);
  }
  for (int i = 0; law->contacts && i < law->ncontact; i++) {
    free_spline(law->contacts[i].given.most);
    free_spline(law->contacts[i].given.force);
  }
  fb_pool_free(&law->pool);
  free(law->B);
  free(law);
}

/* --- copies --- */

static fb_status copy_task(const fb_model* m, fb_qp_law* law, int i, const fb_qp_task* given, int* memory,
                           fb_error* error) {
  fb_qp_task_row* task = &law->tasks[i];
  fb_qp_task copy = *given;
  task->memory_at = *memory;
  if (given->kind == FB_QP_TASK_POSTURE) {
    fb_status status =
        fb_joint_gains_new(m, "task_qp", law->name, given->joints, given->count, &task->gains, error);
    task->given = copy;
    memset(&task->given.path, 0, sizeof task->given.path);
    if (!status) *memory += task->gains->nmemory;
    return status;
  }
  fb_status status = fb_frame_path_check(law->name, &copy.path, error);
  if (!status) status = fb_frame_path_copy(law->name, &copy.path, error);
  if (!status) task->given = copy;
  *memory += POSE;
  return status;
}

/* Tangents: across the normal and the world axis that it is farthest from. */
static void fill_axes(fb_qp_contact_row* c) {
  double length = norm3(c->given.normal_w), (*axes)[3] = c->axes, least = INFINITY;
  int thin = 0;
  for (int i = 0; i < 3; i++) {
    axes[0][i] = c->given.normal_w[i] / length;
    if (fabs(axes[0][i]) < least) least = fabs(axes[0][i]), thin = i;
  }
  double across[3] = {thin == 0, thin == 1, thin == 2}, along = axes[0][thin];
  for (int i = 0; i < 3; i++) across[i] -= along * axes[0][i];
  length = norm3(across);
  for (int i = 0; i < 3; i++) axes[1][i] = across[i] / length;
  cross3(axes[0], axes[1], axes[2]);
}

static int copy_contact(fb_qp_contact_row* c, const fb_qp_contact* given) {
  c->given = *given;
  c->given.most = fb_spline_copy(given->most);
  c->given.force = fb_spline_copy(given->force);
  fill_axes(c);
  return !c->given.most == !given->most && !c->given.force == !given->force;
}

static void copy_coordinates(const fb_model* m, const fb_task_qp* given, fb_qp_law* law) {
  for (int k = 0; k < (given->coordinates ? given->ncoordinate : fb_model_nv(m)); k++)
    if (given->coordinates || !fb_body_floats(m, fb_coordinate_body(m, k)))
      law->coordinates[law->na++] = given->coordinates ? given->coordinates[k] : k;
  law->first_coordinates = law->coordinates + law->na;
  memcpy(law->first_coordinates, law->coordinates, (size_t)law->na * sizeof *law->coordinates);
}

/* --- rows by priority --- */

/* The smallest priority above p of all tasks and forces; INT32_MAX: none. */
static int next_priority(const fb_qp_law* law, int p) {
  int next = INT32_MAX;
  for (int i = 0; i < law->ntask; i++)
    if (law->tasks[i].given.priority > p && law->tasks[i].given.priority < next)
      next = law->tasks[i].given.priority;
  for (int i = 0; i < law->ncontact; i++) {
    const fb_qp_contact* c = &law->contacts[i].given;
    if (c->force && c->priority > p && c->priority < next) next = c->priority;
  }
  return next;
}

static void lay_rows(fb_qp_law* law) {
  law->nrow = 3 * law->ncontact;
  law->nlevel = 1;
  law->ends[0] = law->nrow;
  for (int i = 0; i < law->ncontact; i++) law->contacts[i].force_row = -1;
  for (int p = next_priority(law, -1); p < INT32_MAX; p = next_priority(law, p)) {
    for (int i = 0; i < law->ntask; i++) {
      if (law->tasks[i].given.priority != p) continue;
      law->tasks[i].row = law->nrow;
      law->nrow += law->tasks[i].rows = fb_qp_task_rows(&law->tasks[i].given);
    }
    for (int i = 0; i < law->ncontact; i++)
      if (law->contacts[i].given.force && law->contacts[i].given.priority == p)
        law->contacts[i].force_row = law->nrow++;
    law->ends[law->nlevel++] = law->nrow;
  }
  law->ends[law->nlevel++] = law->nrow += law->na;
  law->ends[law->nlevel++] = law->nrow += law->nx;
}

/* --- scratch --- */

static double* take(fb_arena* a, size_t count) {
  return fb_arena_take(a, count * sizeof(double));
}

static void lay_out(fb_qp_law* law, int rows, fb_arena* a) {
  size_t nx = (size_t)law->nx, nbound = (size_t)law->nbound;
  law->A = take(a, (size_t)law->nrow * nx + 1);
  law->b = take(a, (size_t)law->nrow);
  law->C = take(a, nbound * nx);
  law->d = take(a, nbound);
  law->x = take(a, nx);
  law->missed = take(a, (size_t)law->nlevel);
  law->work = take(a, fb_qp_work_size(law->nx, law->nbound, rows));
  law->ints = fb_arena_take(a, fb_qp_int_size(law->nx, law->nbound, rows) * sizeof(int));
  law->levels = fb_arena_take(a, (size_t)law->nlevel * sizeof *law->levels);
}

static int take_scratch(fb_qp_law* law) {
  fb_arena arena = {0};
  int rows = 0, from = 0;
  law->nbound = 2 * law->na;
  for (int i = 0; i < law->ncontact; i++) law->nbound += law->contacts[i].given.sides + 2;
  for (int i = 0; i < law->nlevel; from = law->ends[i++])
    if (law->ends[i] - from > rows) rows = law->ends[i] - from;
  lay_out(law, rows, &arena);
  arena = (fb_arena){fb_pool_take(&law->pool, 1, arena.used), 0};
  if (!arena.base) return 0;
  lay_out(law, rows, &arena);
  from = 0;
  for (int i = 0; i < law->nlevel; from = law->ends[i++])
    law->levels[i] =
        (fb_qp_level){law->ends[i] - from, law->A + (size_t)from * (size_t)law->nx, law->b + from};
  return 1;
}

int fb_qp_law_resize(fb_qp_law* law, const fb_model* m) {
  size_t nv = (size_t)fb_model_nv(m),
         count = nv * (size_t)law->nx + 3 * nv + fb_qp_singular_room(law->na, (int)nv);
  double* B = calloc(count * sizeof *B + nv + 1, 1);
  if (!B) return 0;
  free(law->B);
  law->B = B;
  law->vdot = B + nv * (size_t)law->nx;
  law->tau = law->vdot + nv;
  law->rest = law->tau + nv;
  law->pose = law->rest + nv;
  law->moved = (unsigned char*)(law->B + count);
  law->m = m;
  return 1;
}

/* --- all of it --- */

int fb_qp_law_memory(const fb_qp_law* law) {
  const fb_qp_task_row* last = &law->tasks[law->ntask - 1];
  return last->memory_at + (last->gains ? last->gains->nmemory : POSE);
}

/* "force.FRAME" of each contact, "missed", "status", "singular_value", "conditioning". */
static int make_ports(const fb_model* m, fb_qp_law* law) {
  law->outputs = fb_pool_take(&law->pool, (size_t)law->ncontact + 4, sizeof *law->outputs);
  if (!law->outputs) return 0;
  for (int i = 0; i < law->ncontact; i++) {
    const char* frame = fb_frame_name(m, law->contacts[i].given.frame);
    law->outputs[i] = (fb_port){fb_pool_print(&law->pool, "force.%s", frame), "N", "world", 3};
  }
  law->outputs[law->ncontact] = (fb_port){"missed", "1", "", law->nlevel - 2};
  law->outputs[law->ncontact + 1] = (fb_port){"status", "1", "", 1};
  law->outputs[law->ncontact + 2] = (fb_port){"singular_value", "1", "", 1};
  law->outputs[law->ncontact + 3] = (fb_port){"conditioning", "1", "", 1};
  return !law->pool.failed;
}

/* Memory for what is copied: no more than its counts say. */
static fb_qp_law* law_alloc(const fb_model* m, const char* name, const fb_task_qp* given) {
  size_t most = (size_t)(given->coordinates ? given->ncoordinate : fb_model_nv(m));
  size_t ntask = (size_t)given->ntask, ncontact = (size_t)given->ncontact;
  fb_qp_law* law = calloc(1, sizeof *law);
  if (!law) return NULL;
  law->original = m;
  law->name = fb_pool_text(&law->pool, name);
  law->tasks = fb_pool_take(&law->pool, ntask, sizeof *law->tasks);
  law->contacts = fb_pool_take(&law->pool, ncontact, sizeof *law->contacts);
  law->coordinates = fb_pool_take(&law->pool, 2 * most, sizeof *law->coordinates);
  law->ends = fb_pool_take(&law->pool, ntask + ncontact + 3, sizeof *law->ends);
  if (!law->pool.failed) return law;
  fb_qp_law_free(law);
  return NULL;
}

static fb_status fill(const fb_model* m, const fb_task_qp* given, fb_qp_law* law, fb_error* error) {
  int memory = FB_QP_MEMORY, good = 1;
  fb_status status = FB_OK;
  law->effort = given->effort;
  law->decay = given->decay;
  copy_coordinates(m, given, law);
  law->nx = law->na + 3 * given->ncontact;
  for (; law->ntask < given->ntask && !status; law->ntask++)
    status = copy_task(m, law, law->ntask, &given->tasks[law->ntask], &memory, error);
  if (status) return status;
  for (; law->ncontact < given->ncontact; law->ncontact++)
    good = copy_contact(&law->contacts[law->ncontact], &given->contacts[law->ncontact]) && good;
  lay_rows(law);
  good = good && take_scratch(law) && fb_qp_law_resize(law, m) && make_ports(m, law);
  return good ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", law->name);
}

fb_status fb_qp_law_new(const fb_model* m, const char* name, const fb_task_qp* given, fb_qp_law** out,
                        fb_error* error) {
  fb_status status = fb_task_qp_check(m, name, given, error);
  if (status) return status;
  fb_qp_law* law = law_alloc(m, name, given);
  if (!law) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  status = fill(m, given, law, error);
  if (!status && law->na == 0)
    status = fb_fail(error, FB_ERR_ARG, "block \"%s\": no coordinate is driven; name joints", name);
  if (!status) status = fb_qp_find_ranks(law, error);
  if (status)
    fb_qp_law_free(law);
  else
    *out = law;
  return status;
}
