/* touch_project.c -- out of penetration: the least displacement, in the sense of the kinetic energy
 *
 *   min |dq|_H  subject to  N dq >= -gap:   0 <= P _|_ N H^-1 N^T P + gap >= 0,   q <- q + H^-1 N^T P
 *
 * taken over contacts and limits together, again while something is left. Redundant feet are no obstacle, and nothing is
 * pulled that parts. Energy that this takes or gives is booked as that of projections. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "sim/limit.h"
#include "sim/touch.h"

/* What is deeper than this is moved [m]. */
static const double DEEP = 1e-12;
/* From the second time on points take part that are a few depths away, so that what turns out of one does not turn into
 * another. */
static const double AROUND = 4;
static const double ENOUGH = 0.9; /* of the depth before: a round that leaves more is of no use */

/* Rows of all within reach at y; *deepest: of what penetrates. Their number, 0 where nothing is deep. */
static int pose(fb_sim* s, double* y, double reach, double* deepest) {
  fb_touching* w = s->touch;
  const fb_cone normal = {FB_CONE_NORMAL, 0, 0, 0};
  fb_touch_find(s, y, y + s->nq, reach);
  fb_touch_pose_normals(s);
  *deepest = 0;
  for (int i = 0; i < w->npoint; i++) *deepest = fmax(*deepest, -w->c[i]);
  for (int i = 0; i < s->nlimit; i++) {
    if (!fb_limit_is_within(s, i, y, reach)) continue;
    double gap = fb_limit_gap(s, i, y);
    fb_touch_pose_coordinate(s, s->limits[i].coordinate, -s->limits[i].side, normal, i);
    w->c[w->nrow - 1] = gap;
    *deepest = fmax(*deepest, -gap);
  }
  return *deepest > DEEP ? w->nrow : 0;
}

/* Points without friction of which no motion changes the gap, as where a wheel turns on the axle of another, are left alone:
 * no force comes of them. Forces along them have no effect: less than 1e-9 of that on the scene as one mass. Returns the
 * depth of the others. */
static double leave_out_idle(fb_sim* s) {
  fb_touching* w = s->touch;
  double least = 1e-9 / fmax(fb_model_mass(s->m), DBL_MIN), deepest = 0;
  for (int i = 0; i < w->nrow; i++) {
    int idle = i < w->npoint && !(fb_touch_contact(s, w->points[i].contact)->how.friction > 0) &&
               w->A[(size_t)i * ((size_t)w->nrow + 1)] <= least;
    if (idle) w->points[i].touch.gap = w->c[i] = 0;
    deepest = fmax(deepest, -w->c[i]);
  }
  return deepest;
}

/* A displacement by which something moves a thousand times as far as is needed, or turns by half a turn, is that of points
 * that do not give way: forces along them have next to no effect. */
static int is_sensible(const fb_sim* s, const double* x, double deepest) {
  static const double FAR = 1e3, TURN = 3.2;
  for (int k = 0; k < s->nv; k++)
    if (!(fabs(x[k]) <= (s->chart.is_length[k] ? FAR * deepest : TURN))) return 0;
  return 1;
}

/* The displacement into w->x; 0 where there is none. */
static int find_way_out(fb_sim* s, double deepest) {
  fb_touching* w = s->touch;
  memset(w->P, 0, (size_t)w->nrow * sizeof *w->P);
  if (fb_touch_solve(s) == FB_CONES_NONE) return 0;
  fb_touch_respond(s, w->P, w->x);
  return is_sensible(s, w->x, deepest);
}

/* Nothing gives way: which of the points in w->points is deepest. */
static void note_blocked(fb_touching* w) {
  w->blocked = (fb_touch_point){.contact = -1};
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].touch.gap < w->blocked.touch.gap) w->blocked = w->points[i];
}

int fb_touch_project(fb_sim* s, double t, double* y) {
  enum { MOST = 8 };
  fb_touching* w = s->touch;
  fb_touch_point* points = w->points;
  int moved = 0, npoint = w->npoint;
  double slack = fb_touch_slack(s, y), energy = 0, deepest = 0;
  fb_scene before;
  fb_cones_result result = w->result;
  double off = w->off; /* what is left of a penetration shows by itself */
  w->points = w->spare;
  w->blocked = (fb_touch_point){.contact = -1};
  double last = INFINITY;
  for (int i = 0; i < MOST && pose(s, y, slack + AROUND * deepest, &deepest) > 0; i++) {
    if (moved == 0) fb_ledger_move_begin(s, y, &before);
    fb_touch_responses(s, y);
    if (!((deepest = leave_out_idle(s)) > DEEP)) break;
    if ((i > 1 && deepest > ENOUGH * last) || !find_way_out(s, deepest)) {
      note_blocked(w);
      break;
    }
    last = deepest;
    fb_integrate(s->m, y, w->x, 1, y);
    fb_flow_close(s, t, y);
    moved = 1;
  }
  if (moved) energy = fb_ledger_move_end(s, y, &before);
  if (moved && w->solver >= 0) fb_y_x(s, y)[s->block_state[w->solver]] += energy;
  w->points = points;
  w->npoint = npoint;
  w->result = result;
  w->off = off;
  return moved;
}

fb_status fb_touch_check_overlap(const fb_sim* s, fb_error* error) {
  static const double DEPTH = 1e-4; /* [m] less does no harm, and is moved out later */
  const fb_touch_point* p = &s->touch->blocked;
  if (p->contact < 0 || p->touch.gap > -DEPTH) return FB_OK;
  const char* a = fb_body_name(s->m, fb_frame_body(s->m, fb_point_a(s, p)->frame));
  const char* b = fb_body_name(s->m, fb_frame_body(s->m, fb_point_b(s, p)->frame));
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "contact \"%.60s\": \"%.60s\" and \"%.60s\" overlap by %.3g m at the start, and no motion of the "
      "joints "
      "separates them; leave the pair out of the contacts, as links that overlap at the joint between them "
      "should be, or change the shapes or the start",
      fb_touch_contact(s, p->contact)->how.name, a, b, -p->touch.gap);
}

void fb_touch_close_at_event(fb_sim* s) {
  fb_touching* w = s->touch;
  fb_scene before;
  if (s->head->nclosed == 0) return;
  fb_ledger_move_begin(s, s->y, &before);
  fb_touch_close(s, s->y);
  double energy = fb_ledger_move_end(s, s->y, &before);
  if (w->solver >= 0) fb_y_x(s, s->y)[s->block_state[w->solver]] += energy;
}

/* ---- closed points at the end of a step, of methods that locate events ---- */

/* x: [nrow] of what is to be made zero; moves by the least response that does. */
static void respond_to(fb_sim* s, double* x) {
  fb_touching* w = s->touch;
  fb_touch_solve_equal(s, w->A, w->nrow, x);
  fb_touch_respond(s, x, w->x);
}

void fb_touch_close(fb_sim* s, double* y) {
  enum { MOST = 3 };
  fb_touching* w = s->touch;
  double* v = fb_y_v(s, y);
  for (int round = 0; round < MOST; round++) {
    double worst = 0;
    fb_touch_find_closed(s, y, v);
    fb_touch_pose_normals(s);
    for (int i = 0; i < w->nrow; i++) {
      worst = fmax(worst, fabs(w->c[i]));
      w->P[i] = -w->c[i];
    }
    if (!(worst > 1e-14)) break;
    fb_touch_responses(s, y);
    respond_to(s, w->P);
    fb_integrate(s->m, y, w->x, 1, y);
  }
  fb_touch_find_closed(s, y, v);
  fb_touch_pose_held(s);
  if (w->nrow == 0) return;
  fb_touch_rates(s, y, v, w->P);
  fb_touch_responses(s, y);
  for (int i = 0; i < w->nrow; i++) w->P[i] = -w->P[i];
  respond_to(s, w->P);
  for (int k = 0; k < s->nv; k++) v[k] += w->x[k];
}
