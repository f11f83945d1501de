/* frame_task_singular.c -- how near the joints of a frame's task are to a pose in which they cannot move it along some direction
 *
 * The singular values of the matrix A of frame_task_law.c, the rows of a base that is kept among them: what the law divides by.
 * Those that vanish in every pose, as of an arm that has more joints in a plane than the plane has motions, do not count. Cost as of
 * the law. */
#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "control/frame_task/frame_task.h"
#include "math/svd.h"
#include "model/data.h"

/* The rows of a base that is kept, as large together as those of the frame: how heavy the base is says nothing of the pose. */
static void scale_base(fb_task* task) {
  int frame_size = task->given.rows * task->n, all = task->rows * task->n;
  double frame = 0, base = 0;
  for (int i = 0; i < all; i++) *(i < frame_size ? &frame : &base) += task->A[i] * task->A[i];
  for (int i = frame_size; base > 0 && i < all; i++) task->A[i] *= sqrt(frame / base);
}

/* Of task->A, largest first, into s (room for the smaller of rows and n). */
static int find_values(fb_task* task, double* s) {
  int rows = task->rows, k = rows < task->n ? rows : task->n;
  double *U = task->work, *V = U + (size_t)rows * (size_t)k;
  for (int i = 0; i < rows * task->n; i++)
    if (!(task->A[i] * 0 == 0)) return 0;
  scale_base(task);
  fb_svd(task->A, rows, task->n, s, U, V, V + (size_t)task->n * (size_t)k);
  return k;
}

/* A at task->q by the joints alone. */
static void fill_by_joints(fb_task* task) {
  int nv = task->m->top.nv;
  fb_kinematics(task->m, task->probe_data, task->q, NULL, NULL);
  fb_frame_jacobian(task->m, task->probe_data, task->given.frame, task->J);
  for (int row = 0; row < task->given.rows; row++)
    for (int j = 0; j < task->n; j++) task->A[row * task->n + j] = task->J[row * nv + task->coordinates[j]];
}

/* A at task->q with the rows of the base; 0: there is none. */
static int fill_with_base(fb_task* task) {
  size_t count = (size_t)(FB_TASK_Q_CARRIER + task->carrier_nq + task->m->top.nv);
  double* memory = calloc(count, sizeof *memory);
  if (!memory) return 0;
  const fb_context context = {.model = task->m,
                              .data = task->probe_data,
                              .q = task->q,
                              .v = memory + FB_TASK_Q_CARRIER + task->carrier_nq};
  fb_status status = fb_task_fill(task, &context, memory, NULL);
  free(memory);
  return !status;
}

void fb_task_find_rank(fb_task* task) {
  static const double NONE = 1e-9; /* of the largest */
  double s[FB_TASK_MOST_ROWS];
  int known = 1;
  task->rank = 0;
  fb_random_q(task->m, 1, task->q);
  if (task->rows > task->given.rows)
    known = fill_with_base(task);
  else
    fill_by_joints(task);
  int k = known ? find_values(task, s) : 0;
  while (task->rank < k && s[task->rank] > NONE * s[0]) task->rank++;
}

/* With data of its own: that of the context may hold what others still need. */
void fb_task_singular(fb_task* task, const fb_context* context, const double* memory, double* smallest,
                      double* part) {
  fb_context frame_size = *context;
  const fb_data* d = context->data;
  double s[FB_TASK_MOST_ROWS];
  *smallest = *part = NAN; /* the state is not finite, or the base has no response */
  frame_size.data = task->probe_data;
  task->probe_data->par = d->par;
  task->probe_data->moved = d->moved;
  task->probe_data->moved_vdot = d->moved_vdot;
  if (task->m->top.nloop > 0)
    memcpy(task->probe_data->loop_length, d->loop_length, (size_t)task->m->top.nloop * sizeof(double));
  if (fb_task_fill(task, &frame_size, memory, NULL) || find_values(task, s) < task->rank || task->rank == 0)
    return;
  *smallest = s[task->rank - 1];
  *part = s[0] > 0 ? *smallest / s[0] : 0;
}
