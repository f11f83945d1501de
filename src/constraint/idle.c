/* idle.c -- rows of loops to which no joint responds, or only by rounding
 *
 *   a row is idle when |u_k| <= 3e-5 (lever_k |force| + |torque|) of every joint k between its frames
 *
 * In a stretched mechanism a force along it finds no lever anywhere; in a plane one, a force across the plane. Such a row
 * is small by itself, unlike one that repeats others, and a factor scaled by its diagonal would make rounding large.
 * Its size is compared with what it could be, not with other rows, so that masses do not matter. u_k is what a unit force
 * along the row leaves at joint k (path.inl). Joints further in respond to what those further out leave, also where they
 * have no lever themselves, so the longest lever so far counts; those on both ways respond to what these leave. */
#include <math.h>
#include <string.h>

#include "constraint/rows.h"
#include "math/vector3.h"
#include "model/record.inl"

/* A lever shorter than this part of what it could be is none; one shorter than this part of the longest arm is rounding.
 * Closer to such a pose than LEVER, errors of 1e-16 that a loop is open by are accelerations of some 1e-16 / LEVER^3; the
 * time that it takes to pass it, LEVER over the speed, is one in which the mechanism is free. Both are small for this. */
static const double LEVER = 3e-5, SHORTEST = 1e-6;

/* The way in from a or from b: the arm to b's origin from the link that it has come to, and the longest lever so far. */
typedef struct inward_path {
  double arm[3], lever;
} inward_path;

static inward_path inward_path_from(const fb_data* d, int loop, int arm_at) {
  inward_path w = {.lever = 0};
  memcpy(w.arm, d->loop_arm + FB_ARM * loop + arm_at, sizeof w.arm);
  return w;
}

static void go_in(const fb_data* d, int link, inward_path* w) {
  double more[3];
  fb_st3(more, 0, fb_get3(fb_link(d, link), FB_REC_ARM));
  add_scaled3(w->arm, 1, more);
}

/* The lever of a link for a force at b's origin, in the direction in which it is longest. */
static double lever_of(const fb_model* m, const fb_data* d, int link, const double arm[3]) {
  double axis[3], lever[3];
  int kind = m->top.link_kind[link];
  if (kind != FB_LINK_REVOLUTE && kind != FB_LINK_HELICAL) return length3(arm);
  fb_st3(axis, 0, fb_get3(fb_link(d, link), FB_REC_Z));
  cross3(axis, arm, lever);
  return length3(lever);
}

/* The rows of a loop that are still idle, and the sizes of their forces and torques. */
typedef struct idle_rows {
  double *idle, force[FB_LOOP_MAX_ROWS], torque[FB_LOOP_MAX_ROWS]; /* idle: row_scale */
  int count, left;
} idle_rows;

static idle_rows all_idle(const fb_model* m, fb_data* d, int loop) {
  int first = m->top.loop_row[loop];
  idle_rows r = {.idle = d->row_scale + first};
  r.count = r.left = m->top.loop_row[loop + 1] - first;
  for (int i = 0; i < r.count; i++) {
    const double* direction = d->row_direction + FB_ROW_DIRECTION * (first + i);
    r.idle[i] = 0;
    r.force[i] = length3(direction + FB_ROW_DIRECTION_LINEAR);
    r.torque[i] = length3(direction + FB_ROW_DIRECTION_ANGULAR);
  }
  return r;
}

/* One coordinate: what the rows leave there, and its lever. */
static void compare(idle_rows* r, const double* u, int slides, double lever) {
  for (int i = 0; i < r->count; i++) {
    double most = slides ? r->force[i] : r->force[i] * lever + r->torque[i];
    if (r->idle[i] != 0 || !(fabs(u[i]) > LEVER * most)) continue;
    r->idle[i] = 1;
    r->left--;
  }
}

void fb_rows_find_idle(const fb_model* m, fb_data* d, int loop) {
  const fb_topology* t = &m->top;
  inward_path ways[2] = {inward_path_from(d, loop, FB_ARM_A), inward_path_from(d, loop, FB_ARM_B)};
  idle_rows rows = all_idle(m, d, loop);
  double longest = length3(ways[0].arm) + length3(ways[1].arm);
  const double* u = d->path_u + FB_COLUMNS * t->loop_u[loop];
  for (int at = t->loop_path[loop]; at < t->loop_path[loop + 1] && rows.left > 0; at++) {
    int link = t->path_link[at], kind = t->link_kind[link];
    if (t->path_end[at] == FB_PATH_BOTH) break;
    inward_path* w = &ways[t->path_end[at] == FB_PATH_FROM_B];
    longest = fmax(longest, length3(w->arm));
    w->lever = fmax(w->lever, lever_of(m, d, link, w->arm) + SHORTEST * longest);
    for (int k = 0; k < t->link_nv[link]; k++, u += FB_COLUMNS)
      compare(&rows, u, kind == FB_LINK_PRISMATIC || (kind == FB_LINK_FREE && k < 3), w->lever);
    go_in(d, link, w);
  }
}
