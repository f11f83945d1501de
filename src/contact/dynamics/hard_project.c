/* hard_project.c -- out of penetration: the least displacement, in the sense of the kinetic energy
 *
 *   min |dq|_H  subject to  N dq >= -gap:   0 <= P _|_ N H^-1 N^T P + gap >= 0,   q <- q + H^-1 N^T P
 *
 * taken over contacts and limits together, and repeated while penetration remains. Redundant feet are allowed, and
 * separating points are not pulled. Where bodies would move far, friction is included (project_with_friction). The
 * energy is that of projections in the ledger. */
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "ledger/conserve.h"
#include "limit/limit.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"
#include "sim/flow.h"

/* Deeper points are moved [m]. */
static const double DEEP = 1e-12;
/* Points within a few depths are included, so that a body that turns out of one does not turn into another; where all
 * are shallow, from the second round on only. */
static const double AROUND = 10, SHALLOW = 1e-6;
static const double WORSE = 2;    /* times the best depth so far: rounds that lead there do not help either */
static const double ENOUGH = 0.9; /* of the depth before: a round that leaves more does not help */

/* Rows of all points within reach at y; *deepest: the largest penetration. Returns their number, 0 where there is no
 * penetration. */
static int pose(fb_sim* s, double* y, double max_gap, double* deepest) {
  fb_hard_contacts* w = s->contact.hard;
  const fb_cone normal = {FB_CONE_NORMAL, 0, 0, 0};
  fb_hard_find(s, y, y + s->nq, max_gap);
  fb_hard_pose_normals(s);
  *deepest = 0;
  for (int i = 0; i < w->npoint; i++) *deepest = fmax(*deepest, -w->c[i]);
  for (int i = 0; i < s->limit.count; i++) {
    if (!fb_limit_is_within(s, i, y, max_gap)) continue;
    double gap = fb_limit_gap(s, i, y);
    fb_hard_pose_coordinate(s, s->limit.list[i].coordinate, -s->limit.list[i].side, normal, i);
    w->c[w->nrow - 1] = gap;
    *deepest = fmax(*deepest, -gap);
  }
  return *deepest > DEEP ? w->nrow : 0;
}

/* This row has no response: only rounding, or the replacement of hard_row.c. */
static int is_idle(const fb_sim* s, int row) {
  const fb_hard_contacts* w = s->contact.hard;
  const fb_island* in = &w->islands[w->island_of[row]];
  if (in->of_bodies) return 0;
  const double* column = in->X + (size_t)w->local[row] * (size_t)in->nv;
  if (fb_hard_response(w, row, row) <= fb_hard_no_response(s)) return 1;
  for (int k = 0; k < in->nv; k++)
    if (column[k] != 0) return 0;
  return 1;
}

/* Points without friction of which no motion changes the gap, as where a wheel turns on the axle of another, are
 * ignored: they have no force. Returns the depth of the others. */
static double leave_out_idle(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  double deepest = 0;
  for (int i = 0; i < w->nrow; i++) {
    int idle =
        i < w->npoint && !(fb_hard_contact(s, w->points[i].contact)->how.friction > 0) && is_idle(s, i);
    if (idle) w->points[i].point.gap = w->c[i] = 0;
    deepest = fmax(deepest, -w->c[i]);
  }
  return deepest;
}

/* The size of a displacement: lengths, and angles at the size of the tree. */
static double displacement_of(const fb_sim* s, const double* x) {
  double most = 0;
  for (int k = 0; k < s->nv; k++)
    most = fmax(most,
                fabs(x[k]) * (s->chart.is_length[k] ? 1 : s->tree.list[s->m->top.coordinate_tree[k]].size));
  return most;
}

/* A displacement of a thousand times the depth, or of half a turn, is that of points without a response: forces along
 * them have almost no effect. */
static int is_sensible(const fb_sim* s, const double* x, double deepest) {
  static const double FAR = 1e3, TURN = 3.2;
  for (int k = 0; k < s->nv; k++)
    if (!(fabs(x[k]) <= (s->chart.is_length[k] ? FAR * deepest : TURN))) return 0;
  return 1;
}

static int any_rubs(const fb_sim* s) {
  for (int i = 0; i < s->contact.hard->npoint; i++)
    if (fb_hard_rubs(s, &s->contact.hard->points[i])) return 1;
  return 0;
}

/* The same problem with friction: impulses in cones, against slip. */
static void pose_friction(fb_sim* s, const double* y) {
  fb_hard_contacts* w = s->contact.hard;
  int points = w->nrow - w->npoint; /* rows of limits, whose gaps are kept in w->soon */
  memcpy(w->soon, w->c + w->npoint, (size_t)points * sizeof *w->c);
  memcpy(w->ints, w->limit_of + w->npoint, (size_t)points * sizeof *w->ints);
  fb_hard_pose(s, 0);
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    memset(w->c + row, 0, (size_t)fb_cone_rows(&w->cones[i]) * sizeof *w->c);
    w->c[row] = w->points[i].point.gap;
  }
  for (int i = 0; i < points; i++) {
    const fb_limit* limit = &s->limit.list[w->ints[i]];
    fb_hard_pose_coordinate(s, limit->coordinate, -limit->side, (fb_cone){FB_CONE_NORMAL, 0, 0, 0},
                            w->ints[i]);
    w->c[w->nrow - 1] = w->soon[i];
  }
  fb_hard_responses(s, y);
}

static int solve(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  memset(w->P, 0, (size_t)w->nrow * sizeof *w->P);
  if (fb_hard_solve(s) == FB_CONES_NONE) return 0;
  fb_hard_respond(s, w->P, w->x);
  return 1;
}

/* The displacement into w->x; 0 where there is none. A light body under a slightly inclined heavy one would be
 * squeezed out like a wedge, far more easily than the heavy one is lifted: friction prevents that as it does in the
 * motion. Without it the displacement is bounded, and distributed over several steps of the method. */
static int project_with_friction(fb_sim* s, const double* y, double deepest) {
  static const double FEW = 10;
  fb_hard_contacts* w = s->contact.hard;
  if (!solve(s)) return 0;
  if (displacement_of(s, w->x) > FEW * deepest && any_rubs(s)) {
    pose_friction(s, y);
    if (w->crowded || !solve(s)) return 0;
  }
  if (!is_sensible(s, w->x, deepest)) return 0;
  double displacement = displacement_of(s, w->x);
  if (!(w->h > 0)) return 1; /* a start may be anywhere */
  double left = fmax(0, FEW * w->depth - w->shifted);
  for (int k = 0; displacement > left && k < s->nv; k++) w->x[k] *= left / displacement;
  w->shifted += fmin(displacement, left);
  return left > 0;
}

/* There is no response: records the deepest point in w->points. */
static void note_blocked(fb_hard_contacts* w) {
  w->blocked = (fb_hard_point){.contact = -1};
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].point.gap < w->blocked.point.gap) w->blocked = w->points[i];
}

/* A displacement must not change momentum and centre of mass of trees that only push each other, but at the same
 * velocities it would, since arms and inertias change. They are corrected as one rigid body (conserve.c). */
static void begin_move(fb_sim* s, const double* y) {
  memcpy(s->contact.hard->from, y, (size_t)s->ny * sizeof *y);
  fb_conserve_start(s);
}

static void unite_pushed(fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++]))
    if (w->P[row] != 0)
      fb_conserve_unite(s, fb_point_a(s, &w->points[i])->frame, fb_point_b(s, &w->points[i])->frame);
}

static void end_move(fb_sim* s, double* y) {
  fb_hard_contacts* w = s->contact.hard;
  fb_scene_totals before;
  s->ledger.y_noted[0] = NAN; /* the recorded values may be of other groups */
  fb_conserve_begin(s, w->from);
  fb_conserve_end(s, 0, w->from, y);
  fb_ledger_move_begin(s, w->from, 1, &before);
  double energy = fb_ledger_move_end(s, y, &before);
  if (w->solver >= 0) fb_y_x(s, y)[s->block.state_offset[w->solver]] += energy;
}

/* The remaining part of the deepest penetration of the last search. */
static void note_left(fb_hard_contacts* w, double depth) {
  w->left = depth > DEEP ? depth : 0;
  w->left_at = -1;
  double deepest = 0;
  for (int i = 0; i < w->npoint; i++) {
    if (!(-w->points[i].point.gap > deepest)) continue;
    deepest = -w->points[i].point.gap;
    w->left_at = w->points[i].contact;
  }
}

/* Repeats displacements until no penetration remains or they do not help. The best of all states is kept: a round
 * that increases penetration is undone unless later ones compensate. Returns whether y moved. */
static int move_out(fb_sim* s, double t, double* y) {
  enum { MOST = 8 };
  fb_hard_contacts* w = s->contact.hard;
  size_t size = (size_t)(s->nq + s->nv) * sizeof *y;
  double slack = fb_hard_slack(s, y), deepest = 0, last = INFINITY, best = INFINITY;
  int moved = 0, at = 0, best_at = 0;
  for (int i = 0;; i++) {
    int rows = pose(s, y, slack + AROUND * deepest, &deepest);
    if (i == 0 && deepest > SHALLOW) rows = pose(s, y, slack + AROUND * deepest, &deepest);
    if (i == 0) w->depth = deepest;
    if (i == 0) w->shifted = 0;
    if (deepest < best) {
      best = deepest;
      best_at = at = moved;
      memcpy(w->best, y, size);
    } else {
      at = -1;
    }
    if (rows == 0 || i == MOST) break;
    if (moved == 0) begin_move(s, y);
    fb_hard_responses(s, y);
    if (w->crowded || !((deepest = leave_out_idle(s)) > DEEP)) break;
    if ((i > 1 && deepest > ENOUGH * last) || deepest > WORSE * best ||
        !project_with_friction(s, y, deepest)) {
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

int fb_hard_project(fb_sim* s, double t, double* y) {
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_point* points = w->points;
  int npoint = w->npoint;
  fb_cones_result result = w->result;
  double off = w->off; /* the remaining penetration is checked separately */
  w->points = w->spare;
  w->blocked = (fb_hard_point){.contact = -1};
  int moved = move_out(s, t, y);
  if (moved) end_move(s, y);
  w->points = points;
  w->npoint = npoint;
  w->result = result;
  w->off = off;
  return moved;
}

fb_status fb_hard_check_depth(const fb_sim* s, double t, fb_error* error) {
  static const double PART = 0.5;
  const fb_hard_contacts* w = s->contact.hard;
  if (w->left_at < 0 || !(w->left > PART * fb_contact_size(fb_hard_contact(s, w->left_at)))) return FB_OK;
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the sides of contact \"%.60s\" are %.3g m deep in each other, more than half "
                 "the size of the shapes, and nothing moves them apart; take a shorter step, or a compliant "
                 "law for contacts between very different masses",
                 t, fb_hard_contact(s, w->left_at)->how.name, w->left);
}

fb_status fb_hard_check_overlap(const fb_sim* s, fb_error* error) {
  static const double DEPTH = 1e-4; /* [m] less is harmless, and removed later */
  const fb_hard_point* p = &s->contact.hard->blocked;
  if (p->contact < 0 || p->point.gap > -DEPTH) return FB_OK;
  const char* a = fb_body_name(s->m, fb_frame_body(s->m, fb_point_a(s, p)->frame));
  const char* b = fb_body_name(s->m, fb_frame_body(s->m, fb_point_b(s, p)->frame));
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "contact \"%.60s\": \"%.60s\" and \"%.60s\" overlap by %.3g m at the start, and no motion "
                 "of the joints separates them; leave the pair out of the contacts, as links that overlap at "
                 "the joint between them should be, or change the shapes or the start",
                 fb_hard_contact(s, p->contact)->how.name, a, b, -p->point.gap);
}

/* ---- closed points at the end of a step and at events, of methods that locate them ---- */

/* x: [nrow] deviations; moves by the least response that makes them zero. */
static void respond_to(fb_sim* s, double* x) {
  fb_hard_contacts* w = s->contact.hard;
  fb_islands_move(s, x, w->x);
}

/* Trees connected by closed points keep their common momentum while gaps are closed: as with any displacement, the
 * same velocities would give another. */
static void begin_closing(fb_sim* s, const double* y) {
  const fb_hard_contacts* w = s->contact.hard;
  if (s->tree.nfloat == 0) return;
  fb_conserve_start(s);
  for (int i = 0; i < w->npoint; i++)
    fb_conserve_unite(s, fb_point_a(s, &w->points[i])->frame, fb_point_b(s, &w->points[i])->frame);
  s->ledger.y_noted[0] = NAN; /* the recorded values may be of other groups */
  fb_conserve_begin(s, y);
}

/* The largest gap of the points that touch, into w->c; time: as for fb_hard_find_kept. */
static double find_gaps(fb_sim* s, const double* y, double time) {
  fb_hard_contacts* w = s->contact.hard;
  double worst = 0;
  fb_hard_find_kept(s, y, time);
  fb_hard_pose_normals(s);
  for (int i = 0; i < w->nrow; i++) worst = fmax(worst, fabs(w->c[i]));
  return worst;
}

/* Closes the gaps of closed points; where that does not reduce them, the state is unchanged. */
static void close_gaps(fb_sim* s, double* y, double time) {
  enum { MOST = 3 };
  static const double CLOSED = 1e-14; /* [m] */
  fb_hard_contacts* w = s->contact.hard;
  size_t size = (size_t)s->nq * sizeof *y;
  double first = find_gaps(s, y, time), worst = first;
  int points = w->npoint;
  if (!(first > CLOSED)) return;
  begin_closing(s, y);
  memcpy(w->from, y, size);
  for (int round = 0; round < MOST && worst > CLOSED; round++) {
    for (int i = 0; i < w->nrow; i++) w->P[i] = -w->c[i];
    fb_hard_responses(s, y);
    respond_to(s, w->P);
    fb_integrate(s->m, y, w->x, 1, y);
    worst = find_gaps(s, y, time);
  }
  if (w->npoint < points || worst > first) memcpy(y, w->from, size);
  fb_conserve_end(s, 0, s->ledger.y_noted, y);
}

/* The largest held rate of the points that touch, whose rates are in w->P. */
static double find_strayed(fb_sim* s, double* y, double time) {
  fb_hard_contacts* w = s->contact.hard;
  double strayed = 0;
  fb_hard_find_kept(s, y, time);
  fb_hard_pose_held(s);
  fb_hard_rates(s, y, fb_y_v(s, y), w->P);
  for (int i = 0; i < w->nrow; i++) strayed = fmax(strayed, fabs(w->P[i]));
  return strayed;
}

/* Sets the rates of find_strayed to zero. */
static void end_rates(fb_sim* s, double* y) {
  fb_hard_contacts* w = s->contact.hard;
  double* v = fb_y_v(s, y);
  if (w->nrow == 0) return;
  fb_hard_responses(s, y);
  for (int i = 0; i < w->nrow; i++) w->P[i] = -w->P[i];
  respond_to(s, w->P);
  for (int k = 0; k < s->nv; k++) v[k] += w->x[k];
}

/* Where a normal has turned within the step, held rates stay: an event (hard_locate.c). */
void fb_hard_close(fb_sim* s, double t, double* y) {
  const double time = t - s->step.t0;
  close_gaps(s, y, time);
  if (find_strayed(s, y, time) <= fb_hard_drift(s)) end_rates(s, y);
}

static void enter(fb_sim* s, const fb_scene_totals* before) {
  const fb_hard_contacts* w = s->contact.hard;
  double energy = fb_ledger_move_end(s, s->y, before);
  if (w->solver >= 0) fb_y_x(s, s->y)[s->block.state_offset[w->solver]] += energy;
}

/* A gap stays where closing it would lead to another feature, such as from the top of a cylinder to its side: held rates
 * would be those along another normal, and making them zero would be an impact. */
void fb_hard_close_at_event(fb_sim* s) {
  static const double TURNED = 1e-5; /* [m/s] more than closed points have (hard_settle.c, find_closed) */
  fb_hard_contacts* w = s->contact.hard;
  size_t size = (size_t)(s->nq + s->nv) * sizeof *s->y;
  fb_scene_totals before;
  if (s->contact.head->nclosed == 0) return;
  fb_ledger_move_begin(s, s->y, 0, &before);
  memcpy(w->best, s->y, size);
  close_gaps(s, s->y, 0);
  if (find_strayed(s, s->y, 0) > TURNED) {
    memcpy(s->y, w->best, size);
    find_strayed(s, s->y, 0);
  }
  end_rates(s, s->y);
  enter(s, &before);
}

/* The largest slip of points that stick. */
static double largest_slip(const fb_hard_contacts* w) {
  double most = 0;
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].state == FB_CONTACT_STICKS)
      most = fmax(most, fmax(fabs(w->points[i].rate[1]), fabs(w->points[i].rate[2])));
  return most;
}

/* Held rows, and the required change of their rates: into w->P minus the slip of points that stick, zero along
 * normals. */
static void pose_slips(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_pose_held(s);
  for (int i = 0, row = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    w->P[row++] = 0;
    for (int k = 1; p->state == FB_CONTACT_STICKS && k < 3; k++) w->P[row++] = -p->rate[k];
  }
}

int fb_hard_end_slips(fb_sim* s) {
  static const double ROUNDING = 1e-14; /* [m/s] */
  fb_hard_contacts* w = s->contact.hard;
  double* v = fb_y_v(s, s->y);
  fb_scene_totals before;
  if (!(largest_slip(w) > ROUNDING)) return 0;
  fb_ledger_move_begin(s, s->y, 0, &before);
  pose_slips(s);
  fb_hard_responses(s, s->y);
  respond_to(s, w->P);
  for (int k = 0; k < s->nv; k++) v[k] += w->x[k];
  enter(s, &before);
  const fb_data* d = fb_hard_kinematics(s, s->y, v);
  for (int i = 0; i < w->npoint; i++) fb_hard_find_rates(s, d, &w->points[i]);
  return 1;
}
