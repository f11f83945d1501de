/* element_law.c -- the forces of springs, tethers and bushings as functions of the motion of two frames
 *
 *   spring    d = |r|, r = p_b - p_a:   tension k (d - L) + c d' along r
 *   bushing   x = R_a^T r, phi = log(R_a^T R_b):   g = k x + c x',  h = kappa phi + c phi'
 *             force on b = -R_a g,   torque on b = -R_a J(phi)^-T h,   with w = J phi' the angular velocity of b in a
 *
 * J^-T makes the torque the exact gradient of kappa phi^2 / 2. The reaction on a is -force, and -torque - r x force, at
 * a's origin: equal and opposite about one point. The power of the pair is then -energy' - loss, whatever moves.
 * docs/theory/elements.md derives this. */
#include <math.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "math/vector3.h"
#include "element/element.h"
#include "limit/stops.h"

enum { ROWS = FB_BUSHING_AXES };

int fb_pair_phase(const fb_pair* e, const fb_pair_push* push) {
  if (!e->slack) return FB_STOP_PUSHES;
  if (!(push->excess > 0)) return FB_STOP_CLEAR;
  return push->pull > 0 ? FB_STOP_PUSHES : FB_STOP_SLACK;
}

/* The velocity of b's origin relative to a's, world axes. */
static void relative_velocity(const fb_model* m, const fb_data* d, const fb_pair* e, double v[3]) {
  double v_a[3];
  fb_frame_velocity(m, d, e->a, v_a, NULL);
  fb_frame_velocity(m, d, e->b, v, NULL);
  for (int i = 0; i < 3; i++) v[i] -= v_a[i];
}

static void push_spring(const fb_model* m, const fb_data* d, const fb_pair* e, const double* memory,
                        int phase, fb_pair_push* push) {
  double n[3], v[3], k = memory[FB_SPRING_STIFFNESS], c = memory[FB_SPRING_DAMPING];
  push->length = norm3(push->arm);
  push->excess = push->length - memory[FB_SPRING_LENGTH];
  for (int i = 0; i < 3; i++) n[i] = push->length > 0 ? push->arm[i] / push->length : 0;
  relative_velocity(m, d, e, v);
  double rate = dot3(n, v), x = push->excess;
  push->pull = k * x + c * rate;
  if (phase < 0) phase = fb_pair_phase(e, push);
  push->tension = phase == FB_STOP_PUSHES ? push->pull : 0;
  push->energy = e->slack && !(x > 0) ? 0 : 0.5 * k * x * x;
  push->loss = phase == FB_STOP_PUSHES ? c * rate * rate : phase == FB_STOP_SLACK ? -k * x * rate : 0;
  for (int i = 0; i < 3; i++) push->force[i] = -push->tension * n[i];
}

/* Displacements and rates along the six axes, and the axes of a. */
typedef struct six {
  double x[ROWS], rate[ROWS], R_a[9];
} six;

static void find_six(const fb_model* m, const fb_data* d, const fb_pair* e, const double arm[3], six* o) {
  double R_b[9], Rt[9], v[3], w_a[3], w_b[3], carried[3];
  fb_frame_pose(m, d, e->a, NULL, o->R_a);
  fb_frame_pose(m, d, e->b, NULL, R_b);
  fb_frame_velocity(m, d, e->a, NULL, w_a);
  fb_frame_velocity(m, d, e->b, NULL, w_b);
  relative_velocity(m, d, e, v);
  cross3(w_a, arm, carried);
  for (int i = 0; i < 3; i++) {
    v[i] -= carried[i];
    w_b[i] -= w_a[i];
  }
  fb_rot_apply_transpose(o->R_a, arm, o->x);
  fb_rot_apply_transpose(o->R_a, v, o->rate);
  fb_rot_transpose(o->R_a, Rt);
  fb_rot_multiply(Rt, R_b, R_b);
  fb_rot_to_rotvec(R_b, o->x + 3);
  fb_rot_apply_transpose(o->R_a, w_b, w_b);
  fb_rotvec_rate(o->x + 3, w_b, o->rate + 3);
}

static void push_bushing(const fb_model* m, const fb_data* d, const fb_pair* e, const double* memory,
                         fb_pair_push* push) {
  const double *k = memory, *c = memory + ROWS;
  double g[ROWS], back[3];
  six o;
  find_six(m, d, e, push->arm, &o);
  for (int i = 0; i < ROWS; i++) {
    g[i] = -(k[i] * o.x[i] + c[i] * o.rate[i]);
    push->energy += 0.5 * k[i] * o.x[i] * o.x[i];
    push->loss += c[i] * o.rate[i] * o.rate[i];
  }
  for (int i = 0; i < 3; i++) back[i] = -o.x[3 + i];
  fb_rotvec_rate(back, g + 3, g + 3); /* J(phi)^-T = J(-phi)^-1 */
  fb_rot_apply(o.R_a, g, push->force);
  fb_rot_apply(o.R_a, g + 3, push->torque);
}

const fb_data* fb_pair_kinematics(const fb_context* context, const fb_pair* e) {
  double origin[3];
  int floats = fb_context_floats(context, e->a) && fb_context_floats(context, e->b);
  return floats ? fb_context_local_kinematics(context, origin) : fb_context_kinematics(context);
}

void fb_pair_push_at(const fb_model* m, const fb_data* d, const fb_pair* e, const double* memory, int phase,
                     fb_pair_push* push) {
  double p_a[3];
  *push = (fb_pair_push){.energy = 0};
  fb_frame_pose(m, d, e->a, p_a, NULL);
  fb_frame_pose(m, d, e->b, push->arm, NULL);
  for (int i = 0; i < 3; i++) push->arm[i] -= p_a[i];
  if (e->is_bushing)
    push_bushing(m, d, e, memory, push);
  else
    push_spring(m, d, e, memory, phase, push);
}

void fb_pair_reaction(const fb_pair_push* push, double force[3], double torque[3]) {
  cross3(push->force, push->arm, torque);
  for (int i = 0; i < 3; i++) {
    force[i] = -push->force[i];
    torque[i] -= push->torque[i];
  }
}

/* The motions that it resists: one along a spring, six of a bushing. */
static int find_rows(const fb_model* m, const fb_data* d, const fb_pair* e, fb_row* rows) {
  double p_a[3], p_b[3], p_body[3], R_a[9];
  fb_row row = {.coordinate = -1, .body = {fb_frame_body(m, e->a), fb_frame_body(m, e->b)}};
  fb_frame_pose(m, d, e->a, p_a, R_a);
  fb_frame_pose(m, d, e->b, p_b, NULL);
  for (int end = 0; end < 2; end++) {
    const double* point = end == 0 && !e->is_bushing ? p_a : p_b; /* a bushing's a reaches to b */
    fb_frame_pose(m, d, row.body[end], p_body, NULL);
    for (int i = 0; i < 3; i++) row.arm_w[end][i] = point[i] - p_body[i];
  }
  for (int axis = 0; axis < ROWS; axis++) {
    rows[axis] = row;
    for (int i = 0; i < 3; i++)
      (axis < 3 ? rows[axis].linear : rows[axis].angular)[i] = R_a[3 * i + axis % 3];
  }
  if (e->is_bushing) return ROWS;
  double length = 0;
  for (int i = 0; i < 3; i++) length = norm2(length, p_b[i] - p_a[i]);
  for (int i = 0; i < 3 && length > 0; i++) rows[0].linear[i] = (p_b[i] - p_a[i]) / length;
  return 1;
}

/* A rate this large is refused as a step that is too short, and does not overflow on the way. */
static const double HUGEST = 1e200;

/* The largest eigenvalue of A diag(c), by power iteration: A is symmetric, and neither is negative. */
static double largest_eigenvalue(const double* A, const double* c, int n) {
  double x[ROWS], y[ROWS], value = 0;
  for (int i = 0; i < n; i++) x[i] = 1 + 0.3 * sin(1 + 2.4 * i);
  for (int round = 0; round < 60; round++) {
    double size = 0;
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < n; j++) y[i] += A[i * n + j] * c[j] * x[j];
    }
    for (int i = 0; i < n; i++) size += c[i] * y[i] * y[i];
    size = sqrt(size);
    if (isinf(size)) return HUGEST;
    if (!(size > 0)) return 0;
    value = size;
    for (int i = 0; i < n; i++) x[i] = y[i] / size;
  }
  return value;
}

double fb_pair_rate(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_pair* e,
                    const double* memory, double* x, int* coordinate) {
  fb_row rows[ROWS];
  double A[ROWS * ROWS];
  int n = find_rows(m, d, e, rows);
  const double *k = memory, *c = memory + n;
  fb_response_matrix(m, d, prescribed, rows, n, A);
  fb_response_row(m, d, prescribed, &rows[0], x);
  *coordinate = 0;
  for (int i = 1; i < fb_model_nv(m); i++)
    if (fabs(x[i]) > fabs(x[*coordinate])) *coordinate = i;
  return fmax(sqrt(largest_eigenvalue(A, k, n)), largest_eigenvalue(A, c, n));
}
