/* native.c -- the freebody-eval format: its inputs, and its table of outputs (docs/eval-format.md).
 * Everything is in world axes; matrices are lists of rows. */
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/momentum.h>

#include "eval/eval.h"
#include "eval/dynamics.h"
#include "format/model_of_eval.h"

/* The name of an item of any list. */
enum { BODY_NAME, FRAME_NAME, JOINT_NAME, LOOP_NAME };
static void item_name(fb_eval* e, int item, int what, fb_json* json) {
  const fb_model* m = e->model;
  fb_json_string(json, what == BODY_NAME    ? fb_body_name(m, item + 1)
                       : what == FRAME_NAME ? fb_frame_name(m, fb_model_nbody(m) + item)
                       : what == JOINT_NAME ? fb_joint_name(m, item + 1)
                                            : fb_loop_name(m, item));
}

/* ---- outputs of a body: item 0 is body 1, the world is not listed ---- */

static void body_quantity(fb_eval* e, int item, int what, fb_json* json) {
  fb_eval_write_quantity(e, item + 1, (fb_eval_quantity)what, json);
}

static void body_com(fb_eval* e, int item, int what, fb_json* json) {
  fb_eval_write_quantity(e, fb_model_com_frame(e->model, item + 1), (fb_eval_quantity)what, json);
}

/* ---- outputs of a named frame: item 0 is the first after the bodies' own ---- */

static int named_frame(const fb_eval* e, int item) {
  return fb_model_nbody(e->model) + item;
}

static void frame_quantity(fb_eval* e, int item, int what, fb_json* json) {
  fb_eval_write_quantity(e, named_frame(e, item), (fb_eval_quantity)what, json);
}

static void frame_jacobian(fb_eval* e, int item, int rate, fb_json* json) {
  fb_json_matrix(json, fb_eval_jacobian(e, named_frame(e, item), rate), 6, fb_model_nv(e->model));
}

static void frame_bias(fb_eval* e, int item, int what, fb_json* json) {
  (void)what;
  double a[6];
  fb_frame_bias_acceleration(e->model, e->data, e->v, named_frame(e, item), a);
  fb_json_numbers(json, a, 6);
}

/* Base part and joint part; J is overwritten, so what it held is forgotten. */
enum { BASE_PART = 1, RATE = 2 };
static void frame_part(fb_eval* e, int item, int what, fb_json* json) {
  double Jb[36];
  int frame = named_frame(e, item), base = what & BASE_PART;
  e->J_of = -1;
  if (what & RATE)
    fb_frame_jacobian_parts_rate(e->model, e->data, frame, Jb, e->J);
  else
    fb_frame_jacobian_parts(e->model, e->data, frame, Jb, e->J);
  fb_json_matrix(json, base ? Jb : e->J, 6, base ? 6 : fb_model_nv(e->model));
}

/* ---- outputs of a joint: item 0 is the joint of body 1 ---- */

static void joint_quantity(fb_eval* e, int item, int what, fb_json* json) {
  fb_eval_write_quantity(e, fb_model_joint_frame(e->model, item + 1), (fb_eval_quantity)what, json);
}

enum { FORCE = 0, TORQUE = 3, EFFORT = 6 };
static void joint_reaction(fb_eval* e, int item, int what, fb_json* json) {
  const double* reactions = fb_eval_reactions(e);
  if (reactions) fb_json_numbers(json, reactions + 6 * (item + 1) + what, 3);
}

/* ---- outputs of a loop ---- */

static void loop_error(fb_eval* e, int item, int what, fb_json* json) {
  (void)what;
  fb_json_number(json, fb_eval_loop_error(e, item));
}

static void loop_force(fb_eval* e, int item, int what, fb_json* json) {
  const double* loops = fb_eval_loops(e);
  if (loops && what == EFFORT) fb_json_number(json, loops[FB_EVAL_LOOP * item + EFFORT]);
  if (loops && what != EFFORT) fb_json_numbers(json, loops + FB_EVAL_LOOP * item + what, 3);
}

/* ---- outputs of the whole scene ---- */

static void scene_vector(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  fb_json_numbers(json, fb_eval_vector(e, (fb_eval_vector_kind)what), fb_model_nv(e->model));
}

static void scene_mixed(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  int nv = fb_model_nv(e->model);
  fb_eval_mixed(e);
  fb_json_begin_map(json);
  fb_json_put_numbers(json, "vdot", e->x, nv);
  fb_json_put_numbers(json, "tau", e->y, nv);
  fb_json_end_map(json);
}

static void scene_momentum(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  double com[3], momentum[6];
  fb_subtree_com(e->model, e->data, FB_WORLD, com, NULL, NULL);
  fb_momentum(e->model, e->data, com, momentum, momentum + 3);
  fb_json_numbers(json, momentum, 6);
}

static const char BODIES[] = "bodies";
static const char FRAMES[] = "frames";
static const char JOINTS[] = "joints";
static const char REACTIONS[] = "reactions";
static const char LOOPS[] = "loops";
enum { V = FB_NEEDS_V, A = FB_NEEDS_VDOT, T = FB_NEEDS_TAU | FB_NEEDS_V, COM = FB_NEEDS_COM };

static const fb_eval_output OUTPUTS[] = {
    {BODIES, "name", 0, FB_NAME, item_name, BODY_NAME},
    {BODIES, "p", 0, FB_PRINT, body_quantity, FB_POSITION},
    {BODIES, "R", 0, FB_PRINT, body_quantity, FB_ROTATION},
    {BODIES, "com", 0, FB_PRINT, body_com, FB_POSITION},
    {BODIES, "v", V, FB_PRINT, body_quantity, FB_VELOCITY},
    {BODIES, "w", V, FB_PRINT, body_quantity, FB_TURNING},
    {BODIES, "a", A, FB_PRINT, body_quantity, FB_ACCELERATION},
    {BODIES, "wdot", A, FB_PRINT, body_quantity, FB_TURNING_RATE},
    {FRAMES, "name", 0, FB_NAME, item_name, FRAME_NAME},
    {FRAMES, "p", 0, FB_PRINT, frame_quantity, FB_POSITION},
    {FRAMES, "R", 0, FB_PRINT, frame_quantity, FB_ROTATION},
    {FRAMES, "J", 0, FB_PRINT, frame_jacobian, 0},
    {FRAMES, "Jdot_v", V, FB_PRINT, frame_bias, 0},
    {FRAMES, "Jdot", V, FB_REQUEST, frame_jacobian, 1},
    {FRAMES, "Jb", 0, FB_REQUEST, frame_part, BASE_PART},
    {FRAMES, "Jm", 0, FB_REQUEST, frame_part, 0},
    {FRAMES, "Jb_dot", V, FB_REQUEST, frame_part, BASE_PART | RATE},
    {FRAMES, "Jm_dot", V, FB_REQUEST, frame_part, RATE},
    {JOINTS, "name", 0, FB_NAME, item_name, JOINT_NAME},
    {JOINTS, "p", 0, FB_LISTED, joint_quantity, FB_POSITION},
    {JOINTS, "R", 0, FB_LISTED, joint_quantity, FB_ROTATION},
    {REACTIONS, "name", 0, FB_NAME, item_name, JOINT_NAME},
    {REACTIONS, "force", A, FB_LISTED, joint_reaction, FORCE},
    {REACTIONS, "torque", A, FB_LISTED, joint_reaction, TORQUE},
    {LOOPS, "name", 0, FB_NAME, item_name, LOOP_NAME},
    {LOOPS, "error", 0, FB_PRINT, loop_error, 0},
    {LOOPS, "force", V | T, FB_PRINT, loop_force, FORCE},
    {LOOPS, "torque", V | T, FB_PRINT, loop_force, TORQUE},
    {LOOPS, "effort", V | T, FB_PRINT, loop_force, EFFORT},
    {NULL, "H", 0, FB_PRINT, fb_eval_write_inertia, 0},
    {NULL, "bias", V, FB_PRINT, scene_vector, FB_VECTOR_BIAS},
    {NULL, "passive", V, FB_PRINT, scene_vector, FB_VECTOR_PASSIVE},
    {NULL, "inverse", A, FB_PRINT, scene_vector, FB_VECTOR_INVERSE},
    {NULL, "forward", T, FB_PRINT, scene_vector, FB_VECTOR_FORWARD},
    {NULL, "mixed", A | T, FB_PRINT, scene_mixed, 0},
    {NULL, "mass", 0, FB_PRINT, fb_eval_write_mass, 0},
    {NULL, "com", COM, FB_PRINT, fb_eval_write_com, 0},
    {NULL, "momentum", V | COM, FB_PRINT, scene_momentum, 0},
    {NULL, "kinetic", V, FB_PRINT, fb_eval_write_energy, FB_ENERGY_KINETIC},
    {NULL, "potential", 0, FB_PRINT, fb_eval_write_energy, FB_ENERGY_POTENTIAL},
    {NULL, NULL, 0, FB_PRINT, NULL, 0},
};

static int count_items(const fb_eval* e, const char* list) {
  int nloop = fb_model_nloop(e->model);
  if (list == LOOPS) return nloop > 0 ? nloop : -1;
  return list == FRAMES ? fb_model_nframe(e->model) - fb_model_nbody(e->model) : fb_model_nbody(e->model) - 1;
}

/* ---- inputs ---- */

static fb_status read_wrench(fb_eval* e, const fb_node* node, fb_error* error) {
  static const char* const keys[] = {"frame", "force", "torque", NULL};
  if (fb_node_get_kind(node) != FB_NODE_MAP)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "a wrench is an object with `frame` and `force`, `torque` or both");
  fb_status status = fb_map_check_keys(node, keys, error);
  if (status != FB_OK) return status;
  const fb_node* frame = NULL;
  const char* name = NULL;
  if ((status = fb_map_need(node, "frame", &frame, error)) != FB_OK) return status;
  if ((status = fb_node_string(frame, &name, error)) != FB_OK) return status;
  if (fb_model_find_frame(e->model, name) < 0)
    return fb_node_fail(frame, error, FB_ERR_NAME,
                        "the model has no frame or body called '%s' for this wrench to act on", name);
  const fb_node* force = fb_map_get(node, "force");
  const fb_node* torque = fb_map_get(node, "torque");
  if (!force && !torque)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "this wrench has neither `force` nor `torque`; give one or both, 3 numbers each");
  double f[3] = {0, 0, 0}, t[3] = {0, 0, 0};
  if (force && (status = fb_eval_node_numbers(force, FB_Q_FORCE, 3, f, error)) != FB_OK) return status;
  if (torque && (status = fb_eval_node_numbers(torque, FB_Q_TORQUE, 3, t, error)) != FB_OK) return status;
  return fb_eval_add_wrench(e, fb_model_find_frame(e->model, name), f, t, error);
}

/* Marks the coordinates of a joint; `verb` says what for. */
static fb_status mark_joint(const fb_eval* e, const fb_node* node, const char* verb, unsigned char* marks,
                            fb_error* error) {
  const char* name = NULL;
  fb_status status = fb_node_string(node, &name, error);
  if (status != FB_OK) return status;
  int joint = fb_model_find_joint(e->model, name);
  if (joint < 0)
    return fb_node_fail(node, error, FB_ERR_NAME, "the model has no joint called '%s' to %s", name, verb);
  if (fb_joint_nv(e->model, joint) == 0)
    return fb_node_fail(node, error, FB_ERR_STATE,
                        "joint '%s' is fixed: it has no coordinates to %s; take it off the list", name, verb);
  memset(marks + fb_joint_v_index(e->model, joint), 1, (size_t)fb_joint_nv(e->model, joint));
  return FB_OK;
}

static fb_status read_prescribed(fb_eval* e, const fb_node* node, fb_error* error) {
  return mark_joint(e, node, "prescribe", e->prescribed, error);
}

static fb_status read_actuated(fb_eval* e, const fb_node* node, fb_error* error) {
  return mark_joint(e, node, "actuate", e->actuated, error);
}

/* Runs `read` over the items of an optional list. */
static fb_status read_list(fb_eval* e, const fb_node* inputs, const char* key,
                           fb_status (*read)(fb_eval*, const fb_node*, fb_error*), fb_error* error) {
  const fb_node* list = fb_map_get(inputs, key);
  if (!list) return FB_OK;
  if (fb_node_get_kind(list) != FB_NODE_LIST)
    return fb_node_fail(list, error, FB_ERR_CONTENT, "`%s` must be a list", key);
  for (int i = 0; i < fb_node_count(list); i++) {
    fb_status status = read(e, fb_node_item(list, i), error);
    if (status != FB_OK) return status;
  }
  return FB_OK;
}

/* Positions, then velocities and accelerations where given. */
static fb_status read_motion(fb_eval* e, const fb_node* inputs, unsigned needs, fb_error* error) {
  int nq = fb_model_nq(e->model), nv = fb_model_nv(e->model);
  fb_status status = FB_OK;
  if (nq > 0 || fb_map_get(inputs, "q"))
    status = fb_eval_numbers(inputs, "q", nq, "position coordinates (nq)", e->q, error);
  e->has_v = fb_map_get(inputs, "v") || nv == 0 || (needs & (FB_NEEDS_V | FB_NEEDS_VDOT));
  if (status == FB_OK && e->has_v && (nv > 0 || fb_map_get(inputs, "v")))
    status = fb_eval_numbers(inputs, "v", nv, "velocity coordinates (nv)", e->v, error);
  e->has_vdot = fb_map_get(inputs, "vdot") != NULL;
  if (status == FB_OK && e->has_vdot)
    status = fb_eval_numbers(inputs, "vdot", nv, "velocity coordinates (nv)", e->vdot, error);
  e->has_tau = fb_map_get(inputs, "tau") != NULL;
  if (status == FB_OK && e->has_tau)
    status = fb_eval_numbers(inputs, "tau", nv, "velocity coordinates (nv)", e->tau, error);
  return status;
}

static fb_status read_inputs(fb_eval* e, const fb_node* inputs, unsigned needs, fb_error* error) {
  static const char* const keys[] = {"q", "v", "tau", "vdot", "wrenches", "prescribed", "actuated", NULL};
  fb_status status = fb_map_check_keys(inputs, keys, error);
  if (status == FB_OK) status = read_motion(e, inputs, needs, error);
  if (status == FB_OK) status = read_list(e, inputs, "wrenches", read_wrench, error);
  if (status == FB_OK) status = read_list(e, inputs, "prescribed", read_prescribed, error);
  if (status == FB_OK) status = read_list(e, inputs, "actuated", read_actuated, error);
  e->has_actuated = fb_map_get(inputs, "actuated") != NULL;
  if (status != FB_OK) return status;
  fb_error state;
  status = fb_model_check_state(e->model, e->q, e->has_v ? e->v : NULL, &state);
  if (status != FB_OK) return fb_node_fail(fb_map_get(inputs, "q"), error, status, "%s", state.text);
  fb_normalise(e->model, e->q);
  return FB_OK;
}

static const char* const KEYS[] = {"format",  "version", "name",  "description",
                                   "gravity", "model",   "cases", NULL};

const fb_eval_format fb_eval_native = {"freebody-eval",  KEYS,       OUTPUTS, count_items,
                                       fb_model_of_eval, read_inputs};
