/* mechanism_rig.h -- mechanisms with closed loops, built by calls. Include after cmocka.h.
 *
 * tests/data/mechanisms/README.md describes the published ones and where their numbers come from. */
#ifndef FB_TESTS_MECHANISM_RIG_H
#define FB_TESTS_MECHANISM_RIG_H

#include "sim_rig.h"

static const double AXIS_X[3] = {1, 0, 0}, AXIS_Y[3] = {0, 1, 0}, AXIS_Z[3] = {0, 0, 1};

static inline void put_frame(fb_model_def* def, int body, const char* name, double x, double y, double z) {
  fb_frame_def frame = fb_default_frame_def();
  fb_error error;
  frame.name = name;
  frame.at[0] = x, frame.at[1] = y, frame.at[2] = z;
  if (fb_model_def_add_frame(def, body, &frame, &error)) fail_msg("%s", error.text);
}

/* A frame on the world, by a body of its own. */
static inline void put_world_frame(fb_model_def* def, const char* body, const char* name, double x, double y,
                                   double z) {
  fb_body_def fixed = fb_default_body_def();
  fb_error error;
  int id = 0;
  fixed.name = body;
  if (fb_model_def_add_body(def, &fixed, &id, &error)) fail_msg("%s", error.text);
  put_frame(def, id, name, x, y, z);
}

static inline void put_loop(fb_model_def* def, fb_loop_type type, const char* name, const char* a,
                            const char* b, const double axis[3]) {
  fb_loop_def loop = fb_default_loop_def(type);
  fb_error error;
  loop.name = name;
  loop.a = a;
  loop.b = b;
  if (axis) memcpy(loop.axis, axis, sizeof loop.axis);
  if (fb_model_def_add_loop(def, &loop, &error)) fail_msg("%s", error.text);
}

/* A body on a joint with one axis; its id. */
static inline int put_body(fb_model_def* def, const char* name, const char* parent, fb_joint_type type,
                           const double axis[3], const double at[3], double mass, const double com[3],
                           const double moments[3]) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  int id = 0;
  body.name = name;
  body.parent = parent;
  body.joint.type = type;
  memcpy(body.joint.axis, axis, sizeof body.joint.axis);
  memcpy(body.joint.at, at, sizeof body.joint.at);
  memcpy(body.com, com, sizeof body.com);
  memcpy(body.inertia, moments, 3 * sizeof *moments);
  body.mass = mass;
  if (fb_model_def_add_body(def, &body, &id, &error)) fail_msg("%s", error.text);
  return id;
}

/* A thin rod of 1 m and 1 kg along `way`, one of the axes or its opposite, with a frame NAME_tip at its end. */
static inline int put_rod(fb_model_def* def, const char* name, const char* parent, const double axis[3],
                          const double at[3], const double way[3]) {
  double com[3], moments[3];
  char tip[40];
  for (int i = 0; i < 3; i++) {
    com[i] = way[i] / 2;
    moments[i] = (1 - way[i] * way[i]) / 12;
  }
  int id = put_body(def, name, parent, FB_JOINT_REVOLUTE, axis, at, 1, com, moments);
  snprintf(tip, sizeof tip, "%s_tip", name);
  put_frame(def, id, tip, way[0], way[1], way[2]);
  return id;
}

static inline fb_model* built(fb_model_def* def) {
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* n parallelograms in a row: cranks 1 m apart on the world and couplers between their tips, all in the x-z plane. */
static inline fb_model* n_four_bar(int n, fb_loop_type type) {
  fb_model_def* def = fb_model_def_new();
  char crank[16], coupler[16], before[16], name[16], a[24], b[24];
  for (int i = 0; i <= n; i++) {
    snprintf(crank, sizeof crank, "crank%d", i);
    put_rod(def, crank, NULL, AXIS_Y, (double[3]){i, 0, 0}, AXIS_X);
  }
  for (int i = 1; i <= n; i++) {
    snprintf(coupler, sizeof coupler, "coupler%d", i);
    snprintf(before, sizeof before, "crank%d", i - 1);
    put_rod(def, coupler, before, AXIS_Y, AXIS_X, AXIS_X);
    snprintf(name, sizeof name, "close%d", i);
    snprintf(a, sizeof a, "crank%d_tip", i);
    snprintf(b, sizeof b, "coupler%d_tip", i);
    put_loop(def, type, name, a, b, AXIS_Y);
  }
  return built(def);
}

/* Cranks at `angle` above the x axis, their tips moving at `speed` towards where the angle falls. */
static inline void n_four_bar_start(const fb_model* m, double angle, double speed, double* q, double* v) {
  int n = (fb_model_nbody(m) - 2) / 2;
  for (int k = 0; k < fb_model_nv(m); k++) {
    q[k] = k <= n ? -angle : angle;
    v[k] = k <= n ? speed : -speed;
  }
}

/* Five of the six edges of a cube that form Bricard's mechanism, the sixth being the world. */
static inline fb_model* bricard(void) {
  static const double ORIGIN[3] = {0, 0, 0};
  static const double WAY[5][3] = {{1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {-1, 0, 0}, {0, 1, 0}};
  static const char* const NAMES[5] = {"rod1", "rod2", "rod3", "rod4", "rod5"};
  const double* axes[5] = {AXIS_Y, AXIS_Z, AXIS_X, AXIS_Y, AXIS_Z};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 5; i++)
    put_rod(def, NAMES[i], i ? NAMES[i - 1] : NULL, axes[i], i ? WAY[i - 1] : ORIGIN, WAY[i]);
  put_world_frame(def, "world_hinge", "wall", 0, 0, 1);
  put_loop(def, FB_LOOP_REVOLUTE, "hinge6", "wall", "rod5_tip", AXIS_X);
  return built(def);
}

/* Andrews' squeezer in the x-y plane. Joints, in this order: beta, theta, gamma, delta, phi, epsilon, omega. */
static inline fb_model* squeezer(fb_loop_type type) {
  static const struct {
    const char *name, *parent;
    double at[2], mass, com[2], inertia, tip[2];
  } BODIES[] = {
      {"k1", NULL, {0, 0}, 0.04325, {0.00092, 0}, 2.194e-6, {0.007, 0}},
      {"k2", "k1", {0.007, 0}, 0.00365, {-0.0115, 0}, 4.410e-7, {-0.028, 0}},
      {"k3", NULL, {-0.03635, 0.03273}, 0.02373, {0.01043, -0.01874}, 5.255e-6, {0, -0.035}},
      {"k5", NULL, {-0.06934, -0.00227}, 0.07050, {0.02308, 0.00916}, 1.169e-5, {0.04, 0}},
      {"k4", "k5", {0.04, 0}, 0.00706, {0, -0.00579}, 5.667e-7, {0, -0.02}},
      {"k7", NULL, {-0.06934, -0.00227}, 0.05498, {0.00449, -0.01228}, 1.912e-5, {0, -0.04}},
      {"k6", "k7", {0, -0.04}, 0.00706, {0.00579, 0}, 5.667e-7, {0.02, 0}},
  };
  fb_model_def* def = fb_model_def_new();
  for (size_t i = 0; i < sizeof BODIES / sizeof BODIES[0]; i++) {
    char tip[16];
    int id = put_body(def, BODIES[i].name, BODIES[i].parent, FB_JOINT_REVOLUTE, AXIS_Z,
                      (double[3]){BODIES[i].at[0], BODIES[i].at[1], 0}, BODIES[i].mass,
                      (double[3]){BODIES[i].com[0], BODIES[i].com[1], 0},
                      (double[3]){BODIES[i].inertia, BODIES[i].inertia, BODIES[i].inertia});
    snprintf(tip, sizeof tip, "%s_tip", BODIES[i].name);
    put_frame(def, id, tip, BODIES[i].tip[0], BODIES[i].tip[1], 0);
    if (i == 2) put_frame(def, id, "spring_end", 0.02, -0.018, 0);
  }
  put_world_frame(def, "bracket", "spring_root", 0.014, 0.072, 0);
  put_loop(def, type, "close3", "k3_tip", "k2_tip", AXIS_Z);
  put_loop(def, type, "close4", "k4_tip", "k2_tip", AXIS_Z);
  put_loop(def, type, "close6", "k6_tip", "k2_tip", AXIS_Z);
  return built(def);
}

/* The flyball governor: shaft, slider and two arms with balls, whose coupler rods are two stiff springs. */
static inline fb_model* governor(void) {
  static const double ORIGIN[3] = {0, 0, 0};
  double rod = 0.3, ball = 5, all = rod + ball, com = (rod * 0.5 + ball) / all, thin = rod * 2e-4 / 12,
         wide = rod * (1 + 1e-4) / 12 + rod * (com - 0.5) * (com - 0.5) + ball * (1 - com) * (1 - com),
         cube = 3 * 0.02 / 12, shaft = rod * (1 + 1e-4) / 12;
  fb_model_def* def = fb_model_def_new();
  put_body(def, "shaft", NULL, FB_JOINT_REVOLUTE, AXIS_Z, ORIGIN, rod, (double[3]){0, 0, 0.5},
           (double[3]){shaft, shaft, thin});
  int slider = put_body(def, "slider", "shaft", FB_JOINT_PRISMATIC, AXIS_Z, ORIGIN, 3, ORIGIN,
                        (double[3]){cube, cube, cube});
  int right = put_body(def, "right", "shaft", FB_JOINT_REVOLUTE, AXIS_Y, (double[3]){0.05, 0, 1}, all,
                       (double[3]){com, 0, 0}, (double[3]){thin, wide, wide});
  int left = put_body(def, "left", "shaft", FB_JOINT_REVOLUTE, AXIS_Y, (double[3]){-0.05, 0, 1}, all,
                      (double[3]){-com, 0, 0}, (double[3]){thin, wide, wide});
  put_frame(def, slider, "slider_right", 0.05, 0, 0);
  put_frame(def, slider, "slider_left", -0.05, 0, 0);
  put_frame(def, right, "arm_right", 0.5, 0, 0);
  put_frame(def, left, "arm_left", -0.5, 0, 0);
  return built(def);
}

/* How far the loops are open in a simulation, the worst of them. */
static inline double worst_opening(const fb_model* m, fb_data* d, const double* q) {
  double error[64];
  assert_true(fb_model_nloop(m) <= 64);
  fb_loop_errors(m, d, q, error);
  return worst_of(error, fb_model_nloop(m));
}

static inline double energy_of(fb_sim* sim) {
  fb_ledger ledger;
  fb_sim_ledger(sim, &ledger);
  return ledger.kinetic + ledger.potential;
}

/* The ends of the links of a spring, as a block. */
typedef struct test_spring {
  int a, b;
  double stiffness, damping, length;
} test_spring;

static inline fb_status act_of_spring(void* user, const fb_context* c, const double* memory,
                                      const double* state, fb_action* action, double* rate, fb_error* error) {
  (void)memory, (void)state, (void)rate, (void)error;
  const test_spring* s = (const test_spring*)user;
  const fb_data* d = fb_context_kinematics(c);
  double p[2][3], v[2][3], far = 0, speed = 0;
  fb_frame_pose(c->model, d, s->a, p[0], NULL);
  fb_frame_pose(c->model, d, s->b, p[1], NULL);
  fb_frame_velocity(c->model, d, s->a, v[0], NULL);
  fb_frame_velocity(c->model, d, s->b, v[1], NULL);
  for (int i = 0; i < 3; i++) far += (p[1][i] - p[0][i]) * (p[1][i] - p[0][i]);
  far = sqrt(far);
  for (int i = 0; i < 3; i++) speed += (p[1][i] - p[0][i]) * (v[1][i] - v[0][i]) / far;
  double tension = s->stiffness * (far - s->length) + s->damping * speed;
  for (int end = 0; end < 2; end++) {
    fb_wrench* w = fb_action_wrench(action);
    w->frame = end ? s->b : s->a;
    for (int i = 0; i < 3; i++) w->force[i] = (end ? -1 : 1) * tension * (p[1][i] - p[0][i]) / far;
  }
  return FB_OK;
}

static inline void put_spring(fb_sim* sim, const char* name, test_spring* s) {
  fb_block block = fb_default_block();
  block.name = name;
  block.user = s;
  block.nwrench = 2;
  block.act = act_of_spring;
  block_or_fail(sim, &block);
}

#endif
