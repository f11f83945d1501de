/* row_forces.c -- forces along the rows of loops, and the response to them, J H^-1 J^T
 *
 * Forces act on both frames at the origin of b, exactly opposite. The responses of the rows of one loop come together from
 * one way inward along its path (path.inl), those of two loops from the coordinates that both paths share. A gear acts on
 * coordinates anywhere: its column is a response of the whole tree, and so are those of all rows where loops are many. */
#include <string.h>

#include "constraint/rows.h"
#include "dynamics/loads.h"
#include "kernel/instances.h"
#include "math/vector3.h"
#include "model/link_kind.h"

void fb_rows_wrench(const fb_model* m, const fb_data* d, int loop, const double* along, double force[3],
                    double torque[3]) {
  memset(force, 0, 3 * sizeof *force);
  memset(torque, 0, 3 * sizeof *torque);
  for (int row = m->top.loop_row[loop]; row < m->top.loop_row[loop + 1]; row++) {
    add_scaled3(force, along[row], d->row_direction + FB_ROW_DIRECTION * row + FB_ROW_DIRECTION_LINEAR);
    add_scaled3(torque, along[row], d->row_direction + FB_ROW_DIRECTION * row + FB_ROW_DIRECTION_ANGULAR);
  }
}

void fb_rows_opposite(const fb_data* d, int loop, const double on_b[6], double on_a[6]) {
  double moment[3];
  cross3(d->loop_arm + FB_ARM * loop + FB_ARM_R, on_b, moment);
  for (int i = 0; i < 3; i++) {
    on_a[i] = -on_b[i];
    on_a[3 + i] = -on_b[3 + i] - moment[i];
  }
}

/* Adds what a force and a torque on frame b, and the opposite on a, give the coordinates. */
static void push_frames(const fb_model* m, const fb_data* d, int loop, const double on_b[6], double* tau) {
  const int* site = m->top.loop_site + 2 * loop;
  double on_a[6];
  fb_rows_opposite(d, loop, on_b, on_a);
  m->kernels->frame_push(&m->top, d->par, d, site[1], on_b, tau);
  m->kernels->frame_push(&m->top, d->par, d, site[0], on_a, tau);
}

static void push_gear(const fb_model* m, const fb_data* d, int loop, double along, double* tau) {
  for (int k = m->top.loop_gear[loop]; k < m->top.loop_gear[loop + 1]; k++)
    tau[m->top.gear_v[k]] += d->par->gear_ratio[k] * along;
}

void fb_rows_push(const fb_model* m, const fb_data* d, const double* along, double* tau) {
  for (int loop = 0; loop < m->top.nloop; loop++) {
    double on_b[6];
    push_gear(m, d, loop, along[m->top.loop_row[loop]], tau);
    if (m->top.loop_type[loop] == FB_LOOP_GEAR) continue;
    fb_rows_wrench(m, d, loop, along, on_b, on_b + 3);
    push_frames(m, d, loop, on_b, tau);
  }
}

void fb_rows_jacobian(const fb_model* m, const fb_data* d, double* J) {
  for (int loop = 0; loop < m->top.nloop; loop++)
    for (int row = m->top.loop_row[loop]; row < m->top.loop_row[loop + 1]; row++) {
      double* values = J + (size_t)row * (size_t)m->top.nv;
      if (m->top.loop_type[loop] == FB_LOOP_GEAR)
        push_gear(m, d, loop, 1, values);
      else
        push_frames(m, d, loop, d->row_direction + FB_ROW_DIRECTION * row, values); /* linear, then angular */
    }
}

void fb_rows_respond(const fb_model* m, fb_data* d, const unsigned char* prescribed, const double* along,
                     double* x) {
  const fb_topology* t = &m->top;
  memset(d->known_vdot, 0, (size_t)t->nv * sizeof(double));
  fb_links_push_none(m, d);
  for (int loop = 0; loop < t->nloop; loop++) {
    double force[3], torque[3];
    const double* arm = d->loop_arm + FB_ARM * loop;
    push_gear(m, d, loop, along[t->loop_row[loop]], d->known_vdot);
    if (t->loop_type[loop] == FB_LOOP_GEAR) continue;
    fb_rows_wrench(m, d, loop, along, force, torque);
    fb_link_push(m, d, t->site_link[t->loop_site[2 * loop + 1]], arm + FB_ARM_B, force, torque);
    for (int i = 0; i < 3; i++) {
      force[i] = -force[i];
      torque[i] = -torque[i];
    }
    fb_link_push(m, d, t->site_link[t->loop_site[2 * loop]], arm + FB_ARM_A, force, torque);
  }
  m->kernels->response(t, d->par, d, 1, t->nlink, d->known_vdot, d->ext_l, prescribed, x);
}

/* --- the response along them: J H^-1 J^T --- */

/* Unit forces along the rows of a loop, as wrenches at the origins of its links: [2][6][FB_COLUMNS]. */
static void unit_wrenches(const fb_model* m, const fb_data* d, int loop, double* wrench) {
  const double* arm = d->loop_arm + FB_ARM * loop;
  memset(wrench, 0, 12 * FB_COLUMNS * sizeof *wrench);
  for (int row = m->top.loop_row[loop], c = 0; row < m->top.loop_row[loop + 1]; row++, c++) {
    const double* direction = d->row_direction + FB_ROW_DIRECTION * row;
    for (int end = 0; end < 2; end++) {
      double moment[3], by = end ? 1 : -1, *on = wrench + 6 * FB_COLUMNS * end + c;
      cross3(arm + (end ? FB_ARM_B : FB_ARM_A), direction + FB_ROW_DIRECTION_LINEAR, moment);
      for (int i = 0; i < 3; i++) {
        on[FB_COLUMNS * i] = by * (direction[FB_ROW_DIRECTION_ANGULAR + i] + moment[i]);
        on[FB_COLUMNS * (3 + i)] = by * direction[FB_ROW_DIRECTION_LINEAR + i];
      }
    }
  }
}

static void add_block(const fb_model* m, fb_data* d, int one, int other, const double* gram) {
  int n = m->top.nrow;
  for (int r = m->top.loop_row[one], i = 0; r < m->top.loop_row[one + 1]; r++, i++)
    for (int c = m->top.loop_row[other], j = 0; c < m->top.loop_row[other + 1]; c++, j++)
      d->row_A[n * r + c] = d->row_A[n * c + r] = gram[FB_COLUMNS * i + j];
}

/* Of two loops: the sum over the coordinates that are on both paths. */
static void relate(const fb_model* m, fb_data* d, int one, int other) {
  const fb_topology* t = &m->top;
  double gram[FB_COLUMNS * FB_COLUMNS] = {0};
  const double *u = d->path_u + FB_COLUMNS * t->loop_u[one], *w = d->path_u + FB_COLUMNS * t->loop_u[other];
  int i = t->loop_path[one], j = t->loop_path[other], common = 0;
  int rows = t->loop_row[one + 1] - t->loop_row[one], columns = t->loop_row[other + 1] - t->loop_row[other];
  while (i < t->loop_path[one + 1] && j < t->loop_path[other + 1]) {
    int link = t->path_link[i], nv = t->link_nv[link];
    if (link < t->path_link[j]) {
      w += FB_COLUMNS * t->link_nv[t->path_link[j++]];
      continue;
    }
    if (link == t->path_link[j]) {
      for (int k = 0; k < nv; k++)
        for (int r = 0; r < rows; r++)
          for (int c = 0; c < columns; c++)
            gram[FB_COLUMNS * r + c] +=
                u[FB_COLUMNS * k + r] * d->D[t->link_v[link] + k] * w[FB_COLUMNS * k + c];
      w += FB_COLUMNS * nv;
      j++;
      common = 1;
    }
    u += FB_COLUMNS * nv;
    i++;
  }
  if (common) add_block(m, d, one, other, gram);
}

/* The column of a row: a unit force along it, and how all rows move then. */
static void respond_to_row(const fb_model* m, fb_data* d, int row, const unsigned char* prescribed) {
  int n = m->top.nrow;
  double* unit = d->row_L; /* not made yet */
  memset(unit, 0, (size_t)n * sizeof *unit);
  unit[row] = 1;
  fb_rows_respond(m, d, prescribed, unit, d->total_tau);
  for (int loop = 0; loop < m->top.nloop; loop++)
    fb_rows_loop_rates(m, d, loop, FB_REC_DA_W, FB_REC_DA_V, d->total_tau, d->row_work);
  for (int i = 0; i < n; i++) d->row_A[n * i + row] = d->row_A[n * row + i] = d->row_work[i];
}

/* Whether there are so many loops that comparing their paths takes longer than a response to each row. */
static int are_many(const fb_topology* t) {
  static const double LINK_OVER_STEP = 15; /* a response, for each link, over a step along two paths */
  return (double)t->nloop * t->npath > LINK_OVER_STEP * t->nrow * t->nlink;
}

void fb_rows_find_responses(const fb_model* m, fb_data* d, const unsigned char* prescribed) {
  const fb_topology* t = &m->top;
  int many = are_many(t);
  memset(d->row_A, 0, (size_t)t->nrow * (size_t)t->nrow * sizeof(double));
  for (int loop = 0; loop < t->nloop; loop++) {
    double wrench[12 * FB_COLUMNS], gram[FB_COLUMNS * FB_COLUMNS];
    d->row_scale[t->loop_row[loop]] = 1;
    if (t->loop_type[loop] == FB_LOOP_GEAR) continue;
    unit_wrenches(m, d, loop, wrench);
    m->kernels->path(t, d->par, d, loop, wrench, prescribed, gram);
    fb_rows_find_idle(m, d, loop);
    add_block(m, d, loop, loop, gram);
    for (int before = 0; before < loop && !many; before++)
      if (t->loop_type[before] != FB_LOOP_GEAR) relate(m, d, before, loop);
  }
  for (int loop = 0; loop < t->nloop; loop++)
    for (int row = t->loop_row[loop]; row < t->loop_row[loop + 1]; row++)
      if (many || t->loop_type[loop] == FB_LOOP_GEAR) respond_to_row(m, d, row, prescribed);
}
