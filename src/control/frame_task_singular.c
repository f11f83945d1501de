/* frame_task_singular.c -- how near the joints of a frame's task are to a pose in which they cannot move it along some direction
 *
 * The singular values of the matrix A of frame_task_law.c, of the frame's own rows: what the law divides by. Those that vanish in
 * every pose, as of an arm that has more joints in a plane than the plane has motions, do not count. Cost as of the law. */
#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>

#include <math.h>
#include <string.h>

#include "control/frame_task.h"
#include "math/svd.h"
#include "model/data.h"

/* Of task->A, largest first, into s (room for the smaller of rows and n). */
static int find_values(fb_task* task, double* s) {
  int rows = task->given.rows, k = rows < task->n ? rows : task->n;
  double *U = task->work, *V = U + (size_t)rows * (size_t)k;
  for (int i = 0; i < rows * task->n; i++)
    if (!(task->A[i] * 0 == 0)) return 0;
  fb_svd(task->A, rows, task->n, s, U, V, V + (size_t)task->n * (size_t)k);
  return k;
}

void fb_task_find_rank(fb_task* task) {
  static const double NONE = 1e-9; /* of the largest */
  int nv = task->m->top.nv;
  double s[6];
  fb_random_q(task->m, 1, task->q);
  fb_kinematics(task->m, task->look, task->q, NULL, NULL);
  fb_frame_jacobian(task->m, task->look, task->given.frame, task->J);
  for (int row = 0; row < task->given.rows; row++)
    for (int j = 0; j < task->n; j++) task->A[row * task->n + j] = task->J[row * nv + task->coordinates[j]];
  int k = find_values(task, s);
  task->rank = 0;
  while (task->rank < k && s[task->rank] > NONE * s[0]) task->rank++;
}

/* With data of its own: that of the context may hold what others still need. */
void fb_task_singular(fb_task* task, const fb_context* context, const double* memory, double* smallest,
                      double* part) {
  fb_context own = *context;
  const fb_data* d = context->data;
  double s[6];
  *smallest = *part = NAN; /* the state is not finite, or the base has no response */
  own.data = task->look;
  task->look->par = d->par;
  task->look->moved = d->moved;
  task->look->moved_vdot = d->moved_vdot;
  if (task->m->top.nloop > 0)
    memcpy(task->look->loop_length, d->loop_length, (size_t)task->m->top.nloop * sizeof(double));
  if (fb_task_fill(task, &own, memory, NULL) || find_values(task, s) < task->rank || task->rank == 0) return;
  *smallest = s[task->rank - 1];
  *part = s[0] > 0 ? *smallest / s[0] : 0;
}
