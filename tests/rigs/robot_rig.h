/* robot_rig.h -- the planar robot of the contact references: three links on a floating base, whose tip touches y = 0
 *
 * Reads tests/data/contact/robot_*.json: model, start, samples and events; and makes the input of the file as a block,
 * feedback or piecewise cubics. Include after cmocka.h. */
#ifndef FB_TESTS_ROBOT_RIG_H
#define FB_TESTS_ROBOT_RIG_H

#include <freebody/support/files.h>

#include "document/document.h"
#include "sim_rig.h"

enum { ROBOT_NV = 6, ROBOT_STEPS = 8 };

/* Columns of a sample of robot_A_feedback* and robot_B_openloop. Others have t, q and v in the same places. */
enum {
  ROBOT_T,
  ROBOT_Q,
  ROBOT_V = ROBOT_Q + ROBOT_NV,
  ROBOT_U = ROBOT_V + ROBOT_NV,
  ROBOT_NORMAL = ROBOT_U + ROBOT_NV,
  ROBOT_TANGENTIAL,
  ROBOT_GAP,
  ROBOT_TIP_X
};

typedef struct robot {
  fb_model* m;
  int tip; /* frame */
  double q0[ROBOT_NV], v0[ROBOT_NV], duration;
  double friction, restitution;
  int nsample, ncolumn;
  double* samples; /* [nsample][ncolumn] */
  fb_doc* doc;     /* the whole file */
} robot;

/* ---- reading ---- */

static inline const fb_node* robot_key(const fb_node* map, const char* key) {
  const fb_node* node;
  fb_error error;
  if (fb_map_need(map, key, &node, &error)) fail_msg("%s", error.text);
  return node;
}

static inline double robot_number(const fb_node* map, const char* key) {
  double x;
  fb_error error;
  if (fb_node_number(robot_key(map, key), FB_Q_NONE, &x, &error)) fail_msg("%s", error.text);
  return x;
}

static inline void robot_list(const fb_node* list, int count, double* out) {
  fb_error error;
  if (fb_node_numbers(list, FB_Q_NONE, count, out, &error)) fail_msg("%s", error.text);
}

static inline void robot_numbers(const fb_node* map, const char* key, int count, double* out) {
  robot_list(robot_key(map, key), count, out);
}

/* A list of lists of three; their number. */
static inline int robot_triples(const fb_node* map, const char* key, double out[ROBOT_STEPS][3]) {
  const fb_node* list = robot_key(map, key);
  int count = fb_node_count(list);
  assert_true(count <= ROBOT_STEPS);
  for (int i = 0; i < count; i++) robot_list(fb_node_item(list, i), 3, out[i]);
  return count;
}

static inline fb_doc* robot_parse(const char* name) {
  char file[512], *text;
  size_t size;
  fb_doc* doc;
  fb_error error;
  snprintf(file, sizeof file, "%s/contact/%s.json", FB_TEST_DATA, name);
  if (fb_file_read(file, &text, &size, &error)) fail_msg("%s", error.text);
  if (fb_doc_parse(text, size, name, &doc, &error)) fail_msg("%s", error.text);
  fb_free(text);
  return doc;
}

/* The last column may be the mode, a text. */
static inline void robot_read_samples(robot* r, const fb_node* list) {
  const fb_node* first = fb_node_item(list, 0);
  fb_error error;
  r->nsample = fb_node_count(list);
  r->ncolumn = fb_node_count(first);
  r->ncolumn -= fb_node_scalar_kind(fb_node_item(first, r->ncolumn - 1)) == FB_SCALAR_TEXT;
  r->samples = numbers_new(r->nsample * r->ncolumn);
  for (int i = 0; i < r->nsample; i++)
    for (int k = 0; k < r->ncolumn; k++)
      if (fb_node_number(fb_node_item(fb_node_item(list, i), k), FB_Q_NONE, &r->samples[i * r->ncolumn + k],
                         &error))
        fail_msg("%s", error.text);
}

static inline const double* robot_sample(const robot* r, int i) {
  return r->samples + i * r->ncolumn;
}

/* "STICK", "SLIP+", "OPEN" ... at a sample. */
static inline const char* robot_mode(const robot* r, int i) {
  const fb_node* samples = robot_key(fb_doc_root(r->doc), "samples");
  return fb_node_text(fb_node_item(fb_node_item(samples, i), r->ncolumn));
}

/* ---- the model ---- */

/* A base and three thin rods in the x-y plane; link k hangs along -y of the one before it, whose length is l[k - 1]. */
static inline fb_model* robot_model(const double m[4], const double l[4], double base_inertia) {
  static const char* const names[] = {"base", "link1", "link2", "link3"};
  fb_model_def* def = fb_model_def_new();
  fb_frame_def tip = fb_default_frame_def();
  fb_error error;
  int id = 0;
  for (int k = 0; k < 4; k++) {
    fb_body_def body = fb_default_body_def();
    double inertia = k ? m[k] * l[k] * l[k] / 12 : base_inertia;
    body.name = names[k];
    body.parent = k ? names[k - 1] : NULL;
    body.joint.type = k ? FB_JOINT_REVOLUTE : FB_JOINT_PLANAR;
    body.joint.axis[0] = 0;
    body.joint.axis[2] = 1;
    body.joint.at[1] = k ? -l[k - 1] : 0;
    body.mass = m[k];
    body.com[1] = k ? -l[k] / 2 : 0;
    body.inertia[0] = body.inertia[2] = inertia;
    body.inertia[1] = k ? 0 : inertia;
    if (fb_model_def_add_body(def, &body, &id, &error)) fail_msg("%s", error.text);
  }
  tip.name = "tip";
  tip.at[1] = -l[3];
  if (fb_model_def_add_frame(def, id, &tip, &error)) fail_msg("%s", error.text);
  fb_model* model = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return model;
}

/* The robot of a file: "robot_A_feedback". */
static inline robot robot_read(const char* name) {
  robot r = {.doc = robot_parse(name)};
  const fb_node *root = fb_doc_root(r.doc), *params = robot_key(root, "params");
  double m[4], l[4];
  robot_numbers(params, "m", 4, m);
  robot_numbers(params, "l", 4, l);
  r.m = robot_model(m, l, robot_number(params, "J0"));
  r.tip = fb_model_find_frame(r.m, "tip");
  r.friction = robot_number(params, "mu");
  r.restitution = fb_map_get(params, "restitution") ? robot_number(params, "restitution") : 0;
  r.duration = robot_number(root, "T");
  robot_numbers(root, "q0", ROBOT_NV, r.q0);
  robot_numbers(root, "v0", ROBOT_NV, r.v0);
  robot_read_samples(&r, robot_key(root, "samples"));
  return r;
}

static inline void robot_free(robot* r) {
  fb_model_free(r->m);
  fb_doc_free(r->doc);
  free(r->samples);
  *r = (robot){0};
}

/* The plane y = 0, outwards along +y. */
static inline fb_collider robot_plane(void) {
  static const double R[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
  fb_collider plane = fb_default_collider();
  plane.kind = FB_COLLIDER_PLANE;
  memcpy(plane.R, R, sizeof R);
  return plane;
}

/* The tip, a point. */
static inline fb_collider robot_tip(const robot* r) {
  fb_collider tip = fb_default_collider();
  tip.frame = r->tip;
  return tip;
}

/* ---- the feedback of A: u = M J^-1 r + h - J_N f_N ---- */

typedef struct robot_feedback {
  int tip;
  double KB, DB, Kx, Dx, Ky, Dy, Kphi, Dphi, x0, F0, F2, wF, phi, base0[3], base_amp[3], base_T;
  double bumps[ROBOT_STEPS][3], steps[ROBOT_STEPS][3];
  int nbump, nstep;
} robot_feedback;

/* Path of the tip along x: place, rate, acceleration. */
static inline void robot_path(const robot_feedback* f, double t, double x[3]) {
  x[0] = f->x0;
  x[1] = x[2] = 0;
  for (int i = 0; i < f->nstep; i++) {
    double a = f->steps[i][0], w = f->steps[i][2], h = tanh((t - f->steps[i][1]) / w), s = 1 - h * h;
    x[0] += a / 2 * (1 + h);
    x[1] += a / 2 * s / w;
    x[2] -= a * h * s / (w * w);
  }
}

static inline double robot_push(const robot_feedback* f, double t) {
  double push = f->F0 + f->F2 * sin(f->wF * t);
  for (int i = 0; i < f->nbump; i++) {
    double s = (t - f->bumps[i][1]) / f->bumps[i][2];
    push -= f->bumps[i][0] * exp(-s * s);
  }
  return push;
}

/* Solves A x = b, 3 x 3, by Cramer's rule. */
static inline void robot_solve(const double A[9], const double b[3], double x[3]) {
  double det = 0, inverse[9];
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, c = (k + 2) % 3, d = (i + 1) % 3, e = (i + 2) % 3;
      inverse[3 * i + k] = A[3 * a + d] * A[3 * c + e] - A[3 * a + e] * A[3 * c + d];
    }
  for (int k = 0; k < 3; k++) det += A[k] * inverse[3 * k];
  for (int i = 0; i < 3; i++)
    x[i] = (inverse[3 * i] * b[0] + inverse[3 * i + 1] * b[1] + inverse[3 * i + 2] * b[2]) / det;
}

/* The accelerations wanted, of the base and of tip x, tip y, attitude of the last link. */
static inline void robot_wanted(const robot_feedback* f, const fb_context* c, double t, double r[6]) {
  double p[3], v[3], bias[6], path[3], phi = 0, rate = 0;
  fb_frame_pose(c->model, c->data, f->tip, p, NULL);
  fb_frame_velocity(c->model, c->data, f->tip, v, NULL);
  fb_frame_bias_acceleration(c->model, c->data, c->v, f->tip, bias);
  robot_path(f, t, path);
  for (int i = 2; i < 6; i++) {
    phi += c->q[i];
    rate += c->v[i];
  }
  for (int i = 0; i < 3; i++) {
    double base = f->base0[i] + f->base_amp[i] * (1 - cos(2 * acos(-1.0) * t / f->base_T)) / 2;
    r[i] = -f->KB * (c->q[i] - base) - f->DB * c->v[i];
  }
  r[3] = path[2] + f->Kx * (path[0] - p[0]) + f->Dx * (path[1] - v[0]) - bias[0];
  r[4] = -f->Ky * p[1] - f->Dy * v[1] - bias[1];
  r[5] = f->Kphi * (f->phi - phi) - f->Dphi * rate;
}

static inline fb_status robot_feedback_act(void* user, const fb_context* c, const double* memory,
                                           const double* state, fb_action* action, double* state_rate,
                                           fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  const robot_feedback* f = (const robot_feedback*)user;
  double J[6 * ROBOT_NV], r[6], A[9], vdot[ROBOT_NV], u[ROBOT_NV];
  fb_kinematics(c->model, c->data, c->q, c->v, NULL);
  fb_frame_jacobian(c->model, c->data, f->tip, J);
  robot_wanted(f, c, c->t, r);
  for (int i = 0; i < 3; i++) {
    const double* row = J + ROBOT_NV * i; /* the attitude's row is (0, 0, 1, 1, 1, 1) */
    for (int k = 0; k < 3; k++) {
      vdot[k] = r[k];
      A[3 * i + k] = i < 2 ? row[3 + k] : 1;
      r[3 + i] -= (i < 2 ? row[k] : k == 2) * r[k];
    }
  }
  robot_solve(A, r + 3, vdot + 3);
  fb_inverse_dynamics(c->model, c->data, c->q, c->v, vdot, NULL, u);
  for (int k = 0; k < ROBOT_NV; k++) action->tau[k] += u[k] - J[ROBOT_NV + k] * robot_push(f, c->t);
  return FB_OK;
}

static inline fb_block robot_feedback_block(const robot* r) {
  robot_feedback* f = (robot_feedback*)malloc(sizeof *f);
  const fb_node* g = robot_key(robot_key(fb_doc_root(r->doc), "input"), "gains");
  assert_non_null(f);
  *f = (robot_feedback){.tip = r->tip,
                        .KB = robot_number(g, "KB"),
                        .DB = robot_number(g, "DB"),
                        .Kx = robot_number(g, "Kx"),
                        .Dx = robot_number(g, "Dx"),
                        .Ky = robot_number(g, "Ky"),
                        .Dy = robot_number(g, "Dy"),
                        .Kphi = robot_number(g, "Kphi"),
                        .Dphi = robot_number(g, "Dphi"),
                        .x0 = robot_number(g, "x0"),
                        .F0 = robot_number(g, "F0"),
                        .F2 = robot_number(g, "F2"),
                        .wF = robot_number(g, "wF"),
                        .phi = robot_number(g, "phi_d"),
                        .base_T = robot_number(g, "base_T")};
  robot_numbers(g, "base0", 3, f->base0);
  robot_numbers(g, "base_amp", 3, f->base_amp);
  f->nbump = robot_triples(g, "bumps", f->bumps);
  f->nstep = robot_triples(g, "x_steps", f->steps);
  fb_block block = fb_default_block();
  block.name = "feedback";
  block.user = f;
  block.act = robot_feedback_act;
  block.free = free;
  return block;
}

/* ---- the cubics of B ---- */

typedef struct robot_cubics {
  int count;
  double step;
  double* c; /* [count][ROBOT_NV][4], highest power first */
} robot_cubics;

static inline fb_status robot_cubics_act(void* user, const fb_context* c, const double* memory,
                                         const double* state, fb_action* action, double* state_rate,
                                         fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  const robot_cubics* cubics = (const robot_cubics*)user;
  int at = (int)floor(c->t / cubics->step + 1e-9);
  if (at < 0) at = 0;
  if (at >= cubics->count) at = cubics->count - 1;
  double s = c->t - at * cubics->step;
  for (int k = 0; k < ROBOT_NV; k++) {
    const double* p = cubics->c + 4 * (ROBOT_NV * at + k);
    action->tau[k] += ((p[0] * s + p[1]) * s + p[2]) * s + p[3];
  }
  return FB_OK;
}

static inline void robot_cubics_free(void* user) {
  free(((robot_cubics*)user)->c);
  free(user);
}

static inline fb_block robot_cubics_block(const robot* r) {
  const fb_node *input = robot_key(fb_doc_root(r->doc), "input"), *list = robot_key(input, "coef");
  robot_cubics* cubics = (robot_cubics*)malloc(sizeof *cubics);
  assert_non_null(cubics);
  *cubics = (robot_cubics){fb_node_count(list), robot_number(input, "knot_dt"), NULL};
  cubics->c = numbers_new(cubics->count * ROBOT_NV * 4);
  for (int i = 0; i < cubics->count; i++)
    for (int k = 0; k < ROBOT_NV; k++)
      robot_list(fb_node_item(fb_node_item(list, i), k), 4, cubics->c + 4 * (ROBOT_NV * i + k));
  fb_block block = fb_default_block();
  block.name = "cubics";
  block.user = cubics;
  block.act = robot_cubics_act;
  block.free = robot_cubics_free;
  return block;
}

/* The input of the robot's file. */
static inline fb_block robot_input_block(const robot* r) {
  const fb_node* input = robot_key(fb_doc_root(r->doc), "input");
  return fb_map_get(input, "coef") ? robot_cubics_block(r) : robot_feedback_block(r);
}

#endif
