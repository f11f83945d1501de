/* neighbour_motion.c -- the neighbouring motion: a state moved by a small part of the estimated error, and a step from
 * there
 *
 * Positions move along coordinates, attitudes by rotation vectors, translations of floating bases with their rounding
 * errors. Used by growth.c. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "sim/accuracy/growth.h"

/* Translations of floating bases include their rounding errors. */
static void move_bases(const fb_sim* s, const double* y, const double* e, double part, double* moved) {
  for (int j = 0; j < s->nrest; j++) {
    const fb_float_root* root = &s->tree.roots[j / 3];
    moved[root->q_at + j % 3] = y[root->q_at + j % 3];
    fb_y_move_base(s, moved, j, part * e[root->v_at + j % 3]);
  }
}

void fb_growth_move(const fb_sim* s, const double* y, const double* e, double part, double* moved) {
  memcpy(moved, y, (size_t)s->ny * sizeof *y);
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0) moved[at] += part * e[k];
    moved[s->nq + k] += part * e[s->nv + k];
  }
  move_bases(s, y, e, part, moved);
  for (int r = 0; r < s->chart.nquat; r++) {
    const double* turn = e + s->chart.quat_v[r];
    const double x[3] = {part * turn[0], part * turn[1], part * turn[2]};
    double by[4], *quat = moved + s->chart.quat_q[r];
    fb_quat_from_rotvec(x, by);
    fb_quat_multiply(by, y + s->chart.quat_q[r], quat);
    fb_quat_normalise(quat);
  }
}

void fb_growth_displace(const fb_sim* s, const double* y, double sigma, double* neighbour) {
  const double* e = s->error.off + 2 * s->nv;
  fb_growth_move(s, y, s->error.off, sigma, neighbour);
  for (int i = 0; i < s->nx; i++) neighbour[s->nq + s->nv + i] += sigma * e[i];
  for (int i = 0; i < s->block.nmemory; i++)
    s->error.memory_neighbour[i] = s->block.memory[i] + sigma * e[s->nx + i];
}

void fb_growth_add_difference(const fb_sim* s, const double* a, const double* b, double part, double* e) {
  for (int k = 0; k < s->nv; k++) {
    int at = s->m->top.coordinate_q[k];
    if (at >= 0) e[k] += part * (a[at] - b[at]);
    e[s->nv + k] += part * (a[s->nq + k] - b[s->nq + k]);
  }
  for (int j = 0, at = s->ny - s->nrest; j < s->nrest; j++)
    e[s->tree.roots[j / 3].v_at + j % 3] += part * (a[at + j] - b[at + j]);
  for (int r = 0; r < s->chart.nquat; r++) {
    const double* quat = b + s->chart.quat_q[r];
    const double back[4] = {quat[0], -quat[1], -quat[2], -quat[3]};
    double turn[4], *x = e + s->chart.quat_v[r];
    fb_quat_multiply(a + s->chart.quat_q[r], back, turn);
    for (int j = 0; j < 3; j++) x[j] += (turn[0] < 0 ? -2 : 2) * turn[1 + j] * part;
  }
  for (int i = 0; i < s->nx; i++) e[2 * s->nv + i] += part * (a[s->nq + s->nv + i] - b[s->nq + s->nv + i]);
}

double fb_growth_scale(const fb_sim* s, const double* y) {
  double size = fb_weigh_off(s, s->error.off, y, 0);
  if (!(size > 0 && isfinite(size))) return 0;
  return s->stepper.traits.time_stepping ? 1 : FB_GROWTH_NEIGHBOUR / size; /* moreau_beside.c */
}

int fb_growth_make_aside(fb_sim* s, const fb_growth_map* map, double t, double h, const double* y0,
                         double* memory, double* y1) {
  double *stages = s->stages, *kept = s->block.memory;
  fb_error none;
  fb_rank_watch ranks = s->loop.ranks;
  s->stages = s->error.stages_neighbour;
  s->error.of_motion = stages;
  s->block.memory = memory;
  s->error.aside = 1;
  fb_status status = map->step(map->self, s, t, y0, h, y1, &none);
  s->error.aside = 0;
  s->block.memory = kept;
  s->stages = stages;
  s->loop.ranks = ranks;
  return !status;
}

/* The difference of the neighbouring motion after a step, divided by sigma, into `to`; y1: the end of the same map
 * from y0. 0: there is none. */
static int difference(fb_sim* s, const fb_growth_map* map, double t, double h, const double* y0,
                      const double* y1, double sigma, double* to) {
  fb_growth_displace(s, y0, sigma, s->error.y_neighbour);
  if (!fb_growth_make_aside(s, map, t, h, s->error.y_neighbour, s->error.memory_neighbour,
                            s->error.y_neighbour_1))
    return 0;
  memset(to, 0, (size_t)(2 * s->nv + s->nx) * sizeof *to);
  fb_growth_add_difference(s, s->error.y_neighbour_1, y1, 1 / sigma, to);
  return 1;
}

int fb_growth_step_neighbour(fb_sim* s, const fb_growth_map* map, double t, double h, const double* y0,
                             const double* y1, double sigma) {
  static const double MUCH = 2, ALIKE = 0.5;
  size_t motion = (size_t)(2 * s->nv + s->nx);
  if (!difference(s, map, t, h, y0, y1, sigma, s->error.off_next)) return 0;
  double before = FB_GROWTH_NEIGHBOUR / sigma, after = fb_weigh_off(s, s->error.off_next, y1, 0);
  if (after <= MUCH * before) return 1;
  double other = difference(s, map, t, h, y0, y1, -sigma, s->error.off_other)
                     ? fb_weigh_off(s, s->error.off_other, y1, 0)
                     : after;
  if (other < ALIKE * after)
    memcpy(s->error.off_next, s->error.off_other, motion * sizeof *s->error.off_next);
  return 1;
}
