/* task_qp_singular.c -- how near the driven joints are to a pose in which they cannot move a frame of a task along some direction
 *
 * The singular values of the rows of its Jacobian that the task uses, taken over the driven coordinates, each task for itself; those
 * that vanish in every pose do not count. The worst of the tasks is what the law gives. */
#include <math.h>
#include <stdlib.h>

#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "control/task_qp/task_qp_new.h"
#include "math/svd.h"

enum { MOST_ROWS = 6 };

size_t fb_qp_singular_room(int na, int nv) {
  size_t n = (size_t)na;
  return MOST_ROWS * ((size_t)nv + n + MOST_ROWS + n) + fb_svd_work(MOST_ROWS, na);
}

/* Singular values of a task at the pose in d, largest first; their number. */
static int find_values(fb_qp_law* law, const fb_qp_task* task, const fb_data* d, double s[MOST_ROWS]) {
  int nv = fb_model_nv(law->m), rows = 0;
  double *J = law->pose, *A = J + MOST_ROWS * nv, *U = A + MOST_ROWS * law->na;
  fb_frame_jacobian(law->m, d, task->frame, J);
  for (int i = 0; i < MOST_ROWS; i++) {
    if (!((task->axes >> i) & 1)) continue;
    for (int j = 0; j < law->na; j++) {
      int k = law->coordinates[j];
      double x = k < 0 ? 0 : J[i * nv + k];
      if (!isfinite(x)) return 0;
      A[rows * law->na + j] = x;
    }
    rows++;
  }
  double *V = U + MOST_ROWS * MOST_ROWS, *work = V + MOST_ROWS * law->na;
  fb_svd(A, rows, law->na, s, U, V, work);
  return rows < law->na ? rows : law->na;
}

fb_status fb_qp_find_ranks(fb_qp_law* law, fb_error* error) {
  static const double NONE = 1e-9; /* of the largest */
  fb_data* find_singular = fb_data_new(law->m);
  double* q = malloc(((size_t)fb_model_nq(law->m) + 1) * sizeof *q);
  for (int i = 0; find_singular && q && i < law->ntask; i++) {
    fb_qp_task_row* task = &law->tasks[i];
    double s[MOST_ROWS];
    if (task->given.kind != FB_QP_TASK_FRAME) continue;
    fb_random_q(law->m, 1, q);
    fb_kinematics(law->m, find_singular, q, NULL, NULL);
    int count = find_values(law, &task->given, find_singular, s);
    while (task->rank < count && s[task->rank] > NONE * s[0]) task->rank++;
  }
  int good = find_singular && q;
  fb_data_free(find_singular);
  free(q);
  return good ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", law->name);
}

void fb_qp_singular(fb_qp_law* law, const fb_context* context, double* smallest, double* part) {
  double s[MOST_ROWS];
  *smallest = *part = NAN; /* no frame is moved, or the state is not finite */
  fb_kinematics(law->m, context->data, context->q, context->v, NULL);
  for (int i = 0; i < law->ntask; i++) {
    int rank = law->tasks[i].rank;
    if (rank == 0 || find_values(law, &law->tasks[i].given, context->data, s) < rank) continue;
    double value = s[rank - 1], of_largest = s[0] > 0 ? value / s[0] : 0;
    if (*part <= of_largest) continue;
    *smallest = value;
    *part = of_largest;
  }
}
