/* loops.c -- loops within a floating tree: the joint rates that keep them closed
 *
 *   J_l v_m = 0,   v_m = N u,   J_l v_m' = -J_l' v,   v_m' = N u' - J_l^+ J_l' v
 *
 * Rows of a loop whose frames are both on the tree do not change when the base moves: the motion of the base, and so the
 * momentum, does not enter, and whatever is known of the tree holds for these rates too. Two arms of one satellite that hold
 * a payload are such a loop. One that leads to the world or to another tree exchanges momentum, and is refused. */
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "base/fill_nan.h"
#include "constraint/rows.h"
#include "floating/floating.h"
#include "math/array.h"
#include "math/svd.h"

static const double REPEATED = 1e-10; /* of the largest entry: rows that repeat others */

/* How many of the ends of a loop are on the tree, of how many. */
static int count_ends(const fb_floating* f, int loop, int* ends) {
  const fb_topology* t = &f->m->top;
  int on_tree = 0;
  *ends = 2;
  if (t->loop_type[loop] == FB_LOOP_GEAR) {
    *ends = t->loop_gear[loop + 1] - t->loop_gear[loop];
    for (int k = t->loop_gear[loop]; k < t->loop_gear[loop + 1]; k++)
      on_tree += t->body_base[fb_coordinate_body(f->m, t->gear_v[k])] == f->base;
  } else {
    for (int end = 0; end < 2; end++)
      on_tree += t->body_base[t->site_body[t->loop_site[2 * loop + end]]] == f->base;
  }
  return on_tree;
}

fb_status fb_floating_count_rows(fb_floating* f, fb_error* error) {
  const fb_topology* t = &f->m->top;
  f->nrow = 0;
  for (int loop = 0; loop < t->nloop; loop++) {
    int ends, on_tree = count_ends(f, loop, &ends);
    if (on_tree == ends) f->nrow += t->loop_row[loop + 1] - t->loop_row[loop];
    if (on_tree == 0 || on_tree == ends) continue;
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "the tree of \"%s\" does not float freely: loop \"%s\" ties it to the world or to another "
                   "tree, with which it exchanges momentum; leave the loop out, or join the trees",
                   fb_body_name(f->m, f->base), fb_loop_name(f->m, loop));
  }
  return FB_OK;
}

void fb_floating_list_rows(fb_floating* f) {
  const fb_topology* t = &f->m->top;
  int n = 0, ends;
  if (f->nrow == 0) return;
  memset(f->given, 1, (size_t)t->nv);
  for (int loop = 0; loop < t->nloop; loop++)
    for (int r = t->loop_row[loop]; r < t->loop_row[loop + 1] && count_ends(f, loop, &ends) > 0; r++)
      f->rows[n++] = r;
}

/* J_l, and where rates are known J_l' v in row_rate of the data, by the accelerations of all links at v' = 0. */
static void find_rows(fb_floating* f, const double* q, const double* v) {
  const fb_model* m = f->m;
  size_t nv = (size_t)m->top.nv;
  memset(f->rest, 0, nv * sizeof(double));
  memset(f->tau, 0, nv * sizeof(double));
  if (v) fb_mixed_dynamics(m, f->d, q, v, f->given, NULL, f->rest, f->tau);
  fb_rows_place(m, f->d, q);
  if (v) fb_rows_accelerations(m, f->d, v, f->rest, f->d->row_rate);
  memset(f->J_all, 0, (size_t)m->top.nrow * nv * sizeof(double));
  fb_rows_jacobian(m, f->d, f->J_all);
  for (int r = 0; r < f->nrow; r++)
    for (int j = 0; j < f->nj; j++)
      f->J_rows[r * f->nj + j] = f->J_all[(size_t)f->rows[r] * nv + (size_t)f->joints[j]];
  if (v) fb_kinematics(m, f->d, q, v, NULL); /* as the other functions expect it */
}

void fb_floating_update_loops(fb_floating* f, const double* q, const double* v) {
  int k = f->nrow < f->nj ? f->nrow : f->nj, rank = 0;
  find_rows(f, q, v);
  double largest = fb_array_largest(f->J_rows, f->nrow * f->nj);
  if (k > 0) fb_svd(f->J_rows, f->nrow, f->nj, f->row_s, f->row_U, f->row_V, f->row_work);
  while (rank < k && f->row_s[rank] > REPEATED * largest) rank++;
  memset(f->held, 0, (size_t)f->nj * sizeof(double));
  for (int c = 0; c < rank; c++) {
    double along = 0;
    for (int r = 0; r < f->nrow; r++) along += f->row_U[r * k + c] * f->d->row_rate[f->rows[r]];
    for (int j = 0; j < f->nj; j++) f->held[j] -= f->row_V[j * k + c] * along / f->row_s[c];
  }
  if (!v) fb_fill_nan(f->held, f->nj);
  fb_orthogonal_complement(f->row_V, k, f->nj, rank, f->free_motions, f->nj, f->row_work);
  f->nfree = f->nj - rank;
}

void fb_floating_restrict(const fb_floating* f, double* A, int rows) {
  if (f->nrow == 0) return;
  for (int row = 0; row < rows; row++) {
    double* x = A + row * f->nj;
    memset(f->rest, 0, (size_t)f->nj * sizeof(double));
    for (int c = 0; c < f->nfree; c++) {
      double along = 0;
      for (int j = 0; j < f->nj; j++) along += x[j] * f->free_motions[j * f->nj + c];
      for (int j = 0; j < f->nj; j++) f->rest[j] += along * f->free_motions[j * f->nj + c];
    }
    memcpy(x, f->rest, (size_t)f->nj * sizeof(double));
  }
}

int fb_floating_loop_motions(const fb_floating* f, double* basis) {
  size_t size = (size_t)f->nj * (size_t)f->nj * sizeof(double);
  if (f->nrow > 0) {
    memcpy(basis, f->free_motions, size);
    return f->nfree;
  }
  memset(basis, 0, size);
  for (int j = 0; j < f->nj; j++) basis[j * f->nj + j] = 1;
  return f->nj;
}
