/* hard_project.c -- out of penetration: the least displacement, in the sense of the kinetic energy
 *
 *   min |dq|_H  subject to  N dq >= -gap:   0 <= P _|_ N H^-1 N^T P + gap >= 0,   q <- q + H^-1 N^T P
 *
 * taken over contacts and limits together, again while something is left. Redundant feet are no obstacle, and nothing is
 * pulled that parts. Where that would move something far, friction takes part (find_way_out). Energy that this takes or gives is booked as
 * that of projections. */
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "ledger/conserve.h"
#include "limit/limit.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"
#include "sim/flow.h"

/* What is deeper than this is moved [m]. */
static const double DEEP = 1e-12;
/* Points take part that are a few depths away, so that what turns out of one does not turn into another; where all is shallow,
 * from the second time on only. */
static const double AROUND = 10, SHALLOW = 1e-6;
static const double WORSE = 2; /* times the best depth so far: rounds that lead there are of no use either */
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

/* Nothing responds to a force along this row: its response is of rounding, or hard_contact.c has put another in its place. */
static int is_idle(const fb_sim* s, int row) {
  const fb_touching* w = s->touch;
  const double* column = w->X + (size_t)row * (size_t)s->nv;
  if (w->A[(size_t)row * ((size_t)w->nrow + 1)] <= fb_touch_no_response(s)) return 1;
  for (int k = 0; k < s->nv; k++)
    if (column[k] != 0) return 0;
  return 1;
}

/* Points without friction of which no motion changes the gap, as where a wheel turns on the axle of another, are left alone:
 * no force comes of them. Returns the depth of the others. */
static double leave_out_idle(fb_sim* s) {
  fb_touching* w = s->touch;
  double deepest = 0;
  for (int i = 0; i < w->nrow; i++) {
    int idle =
        i < w->npoint && !(fb_touch_contact(s, w->points[i].contact)->how.friction > 0) && is_idle(s, i);
    if (idle) w->points[i].touch.gap = w->c[i] = 0;
    deepest = fmax(deepest, -w->c[i]);
  }
  return deepest;
}

/* How far a displacement moves something: lengths, and angles at the size of the tree. */
static double way_of(const fb_sim* s, const double* x) {
  double most = 0;
  for (int k = 0; k < s->nv; k++)
    most = fmax(most, fabs(x[k]) * (s->chart.is_length[k] ? 1 : s->trees[s->v_tree[k]].size));
  return most;
}

/* A displacement by which something moves a thousand times as far as is needed, or turns by half a turn, is that of points
 * that do not give way: forces along them have next to no effect. */
static int is_sensible(const fb_sim* s, const double* x, double deepest) {
  static const double FAR = 1e3, TURN = 3.2;
  for (int k = 0; k < s->nv; k++)
    if (!(fabs(x[k]) <= (s->chart.is_length[k] ? FAR * deepest : TURN))) return 0;
  return 1;
}

static int any_rubs(const fb_sim* s) {
  for (int i = 0; i < s->touch->npoint; i++)
    if (fb_touch_rubs(s, &s->touch->points[i])) return 1;
  return 0;
}

/* The same problem with friction: impulses in cones, against slip. */
static void pose_friction(fb_sim* s, const double* y) {
  fb_touching* w = s->touch;
  int points = w->nrow - w->npoint; /* rows of limits, whose gaps are kept in w->soon */
  memcpy(w->soon, w->c + w->npoint, (size_t)points * sizeof *w->c);
  memcpy(w->ints, w->limit_of + w->npoint, (size_t)points * sizeof *w->ints);
  fb_touch_pose(s, 0);
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    memset(w->c + row, 0, (size_t)fb_cone_rows(&w->cones[i]) * sizeof *w->c);
    w->c[row] = w->points[i].touch.gap;
  }
  for (int i = 0; i < points; i++) {
    const fb_limit* limit = &s->limits[w->ints[i]];
    fb_touch_pose_coordinate(s, limit->coordinate, -limit->side, (fb_cone){FB_CONE_NORMAL, 0, 0, 0},
                             w->ints[i]);
    w->c[w->nrow - 1] = w->soon[i];
  }
  fb_touch_responses(s, y);
}

static int solve(fb_sim* s) {
  fb_touching* w = s->touch;
  memset(w->P, 0, (size_t)w->nrow * sizeof *w->P);
  if (fb_touch_solve(s) == FB_CONES_NONE) return 0;
  fb_touch_respond(s, w->P, w->x);
  return 1;
}

/* The displacement into w->x; 0 where there is none. A light body under a heavy one that leans by a little would be squeezed out
 * like a wedge, far more easily than the heavy one is lifted: friction prevents that as it does in the motion. Without
 * it the way is bounded, and taken in several steps of the method. */
static int find_way_out(fb_sim* s, const double* y, double deepest) {
  static const double FEW = 10;
  fb_touching* w = s->touch;
  if (!solve(s)) return 0;
  if (way_of(s, w->x) > FEW * deepest && any_rubs(s)) {
    pose_friction(s, y);
    if (!solve(s)) return 0;
  }
  if (!is_sensible(s, w->x, deepest)) return 0;
  double way = way_of(s, w->x);
  if (!(w->h > 0)) return 1; /* a start may be anywhere */
  double left = fmax(0, FEW * w->depth - w->gone);
  for (int k = 0; way > left && k < s->nv; k++) w->x[k] *= left / way;
  w->gone += fmin(way, left);
  return left > 0;
}

/* Nothing gives way: which of the points in w->points is deepest. */
static void note_blocked(fb_touching* w) {
  w->blocked = (fb_touch_point){.contact = -1};
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].touch.gap < w->blocked.touch.gap) w->blocked = w->points[i];
}

/* A displacement leaves momentum and centre of mass of those alone that push each other and nothing else: velocities as they
 * are would give others, since arms and inertias have changed. They are moved on as one rigid body (conserve.c). */
static void begin_move(fb_sim* s, const double* y) {
  memcpy(s->touch->from, y, (size_t)(s->nq + s->nv) * sizeof *y);
  fb_conserve_start(s);
}

static void unite_pushed(fb_sim* s) {
  const fb_touching* w = s->touch;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++]))
    if (w->P[row] != 0)
      fb_conserve_unite(s, fb_point_a(s, &w->points[i])->frame, fb_point_b(s, &w->points[i])->frame);
}

static void end_move(fb_sim* s, double* y) {
  fb_touching* w = s->touch;
  fb_scene_totals before;
  s->y_noted[0] = NAN; /* what was noted may be of other groups */
  fb_conserve_begin(s, w->from);
  fb_conserve_end(s, 0, w->from, y);
  fb_ledger_move_begin(s, w->from, 1, &before);
  double energy = fb_ledger_move_end(s, y, &before);
  if (w->solver >= 0) fb_y_x(s, y)[s->block_state[w->solver]] += energy;
}

/* What is left of the deepest penetration that was found last. */
static void note_left(fb_touching* w, double depth) {
  w->left = depth > DEEP ? depth : 0;
  w->left_at = -1;
  double deepest = 0;
  for (int i = 0; i < w->npoint; i++) {
    if (!(-w->points[i].touch.gap > deepest)) continue;
    deepest = -w->points[i].touch.gap;
    w->left_at = w->points[i].contact;
  }
}

/* Rounds of displacements, until nothing is deep any more or they are of no use. The best of all states is kept: a round that makes things
 * worse is undone unless those after it make up for it. Returns whether y moved. */
static int move_out(fb_sim* s, double t, double* y) {
  enum { MOST = 8 };
  fb_touching* w = s->touch;
  size_t size = (size_t)(s->nq + s->nv) * sizeof *y;
  double slack = fb_touch_slack(s, y), deepest = 0, last = INFINITY, best = INFINITY;
  int moved = 0, at = 0, best_at = 0;
  for (int i = 0;; i++) {
    int rows = pose(s, y, slack + AROUND * deepest, &deepest);
    if (i == 0 && deepest > SHALLOW) rows = pose(s, y, slack + AROUND * deepest, &deepest);
    if (i == 0) w->depth = deepest;
    if (i == 0) w->gone = 0;
    if (deepest < best) {
      best = deepest;
      best_at = at = moved;
      memcpy(w->best, y, size);
    } else {
      at = -1;
    }
    if (rows == 0 || i == MOST) break;
    if (moved == 0) begin_move(s, y);
    fb_touch_responses(s, y);
    if (!((deepest = leave_out_idle(s)) > DEEP)) break;
    if ((i > 1 && deepest > ENOUGH * last) || deepest > WORSE * best || !find_way_out(s, y, deepest)) {
      note_blocked(w);
      break;
    }
    last = deepest;
    unite_pushed(s);
    fb_integrate(s->m, y, w->x, 1, y);
    fb_flow_close(s, t, y);
    moved++;
  }
  note_left(w, best);
  if (at < 0) memcpy(y, w->best, size);
  return best_at > 0;
}

int fb_touch_project(fb_sim* s, double t, double* y) {
  fb_touching* w = s->touch;
  fb_touch_point* points = w->points;
  int npoint = w->npoint;
  fb_cones_result result = w->result;
  double off = w->off; /* what is left of a penetration is judged by itself */
  w->points = w->spare;
  w->blocked = (fb_touch_point){.contact = -1};
  int moved = move_out(s, t, y);
  if (moved) end_move(s, y);
  w->points = points;
  w->npoint = npoint;
  w->result = result;
  w->off = off;
  return moved;
}

fb_status fb_touch_check_depth(const fb_sim* s, double t, fb_error* error) {
  static const double PART = 0.5;
  const fb_touching* w = s->touch;
  if (w->left_at < 0 || !(w->left > PART * fb_touch_size(s, w->left_at))) return FB_OK;
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the sides of contact \"%.60s\" are %.3g m deep in each other, more than half "
                 "the size of the "
                 "shapes, and nothing moves them apart; take a shorter step, or a compliant law for contacts "
                 "between very "
                 "different masses",
                 t, fb_touch_contact(s, w->left_at)->how.name, w->left);
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

/* ---- closed points at the end of a step and at events, of methods that locate them ---- */

/* x: [nrow] of what is to be made zero; moves by the least response that does. */
static void respond_to(fb_sim* s, double* x) {
  fb_touching* w = s->touch;
  fb_touch_solve_equal(s, w->A, w->nrow, x);
  fb_touch_respond(s, x, w->x);
}

/* Those that closed points connect keep their momentum together while gaps are closed: as for any displacement, the same
 * velocities would give another. */
static void begin_closing(fb_sim* s, const double* y) {
  const fb_touching* w = s->touch;
  if (s->nfloat == 0) return;
  fb_conserve_start(s);
  for (int i = 0; i < w->npoint; i++)
    fb_conserve_unite(s, fb_point_a(s, &w->points[i])->frame, fb_point_b(s, &w->points[i])->frame);
  s->y_noted[0] = NAN; /* what was noted may be of other groups */
  fb_conserve_begin(s, y);
}

/* The largest gap of the points that touch, into w->c; time: as for fb_touch_find_kept. */
static double find_gaps(fb_sim* s, const double* y, double time) {
  fb_touching* w = s->touch;
  double worst = 0;
  fb_touch_find_kept(s, y, time);
  fb_touch_pose_normals(s);
  for (int i = 0; i < w->nrow; i++) worst = fmax(worst, fabs(w->c[i]));
  return worst;
}

/* Closes the gaps of points that touch; where that does not lead nearer, all stays as it is. */
static void close_gaps(fb_sim* s, double* y, double time) {
  enum { MOST = 3 };
  static const double CLOSED = 1e-14; /* [m] */
  fb_touching* w = s->touch;
  size_t size = (size_t)s->nq * sizeof *y;
  double first = find_gaps(s, y, time), worst = first;
  int points = w->npoint;
  if (!(first > CLOSED)) return;
  begin_closing(s, y);
  memcpy(w->from, y, size);
  for (int round = 0; round < MOST && worst > CLOSED; round++) {
    for (int i = 0; i < w->nrow; i++) w->P[i] = -w->c[i];
    fb_touch_responses(s, y);
    respond_to(s, w->P);
    fb_integrate(s->m, y, w->x, 1, y);
    worst = find_gaps(s, y, time);
  }
  if (w->npoint < points || worst > first) memcpy(y, w->from, size);
  fb_conserve_end(s, 0, s->y_noted, y);
}

/* time: since the start of the step; most: rates that are held are put back to zero below this. */
static void close_points(fb_sim* s, double* y, double time, double most) {
  fb_touching* w = s->touch;
  double *v = fb_y_v(s, y), strayed = 0;
  close_gaps(s, y, time);
  fb_touch_find_kept(s, y, time);
  fb_touch_pose_held(s);
  if (w->nrow == 0) return;
  fb_touch_rates(s, y, v, w->P);
  for (int i = 0; i < w->nrow; i++) strayed = fmax(strayed, fabs(w->P[i]));
  if (strayed > most) return; /* a normal has turned within the step: an event (hard_locate.c) */
  fb_touch_responses(s, y);
  for (int i = 0; i < w->nrow; i++) w->P[i] = -w->P[i];
  respond_to(s, w->P);
  for (int k = 0; k < s->nv; k++) v[k] += w->x[k];
}

void fb_touch_close(fb_sim* s, double t, double* y) {
  close_points(s, y, t - s->t0, fb_touch_drift(s));
}

static void book(fb_sim* s, const fb_scene_totals* before) {
  const fb_touching* w = s->touch;
  double energy = fb_ledger_move_end(s, s->y, before);
  if (w->solver >= 0) fb_y_x(s, s->y)[s->block_state[w->solver]] += energy;
}

void fb_touch_close_at_event(fb_sim* s) {
  fb_scene_totals before;
  if (s->head->nclosed == 0) return;
  fb_ledger_move_begin(s, s->y, 0, &before);
  close_points(s, s->y, 0, INFINITY);
  book(s, &before);
}

/* The largest slip of points that stick. */
static double largest_slip(const fb_touching* w) {
  double most = 0;
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].state == FB_CONTACT_STICKS)
      most = fmax(most, fmax(fabs(w->points[i].rate[1]), fabs(w->points[i].rate[2])));
  return most;
}

/* Rows that are held, and by what their rates shall change: into w->P minus the slip of points that stick, zero along normals. */
static void pose_slips(fb_sim* s) {
  fb_touching* w = s->touch;
  fb_touch_pose_held(s);
  for (int i = 0, row = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    w->P[row++] = 0;
    for (int k = 1; p->state == FB_CONTACT_STICKS && k < 3; k++) w->P[row++] = -p->rate[k];
  }
}

int fb_touch_end_slips(fb_sim* s) {
  static const double ROUNDING = 1e-14; /* [m/s] */
  fb_touching* w = s->touch;
  double* v = fb_y_v(s, s->y);
  fb_scene_totals before;
  if (!(largest_slip(w) > ROUNDING)) return 0;
  fb_ledger_move_begin(s, s->y, 0, &before);
  pose_slips(s);
  fb_touch_responses(s, s->y);
  respond_to(s, w->P);
  for (int k = 0; k < s->nv; k++) v[k] += w->x[k];
  book(s, &before);
  const fb_data* d = fb_touch_kinematics(s, s->y, v);
  for (int i = 0; i < w->npoint; i++) fb_touch_find_rates(s, d, &w->points[i]);
  return 1;
}
