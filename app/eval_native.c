/* eval_native.c -- the freebody-eval format: its inputs, and its table of outputs (docs/eval-format.md).
 * Everything is in world axes; matrices are lists of rows. */
#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>

#include "eval.h"
#include "io/model_of_eval.h"

/* ---- outputs of a body: item 0 is body 1, the world is not listed ---- */

static void body_name(fb_eval* e, int item, fb_json* json) {
  fb_json_string(json, fb_body_name(e->model, item + 1));
}

static void write_position(fb_eval* e, int frame, fb_json* json) {
  double p[3];
  fb_frame_pose(e->model, e->data, frame, p, NULL);
  fb_json_numbers(json, p, 3);
}

static void write_rotation(fb_eval* e, int frame, fb_json* json) {
  double R[9];
  fb_frame_pose(e->model, e->data, frame, NULL, R);
  fb_json_matrix(json, R, 3, 3);
}

static void body_p(fb_eval* e, int item, fb_json* json) {
  write_position(e, item + 1, json);
}

static void body_R(fb_eval* e, int item, fb_json* json) {
  write_rotation(e, item + 1, json);
}

static void body_com(fb_eval* e, int item, fb_json* json) {
  write_position(e, fb_model_com_frame(e->model, item + 1), json);
}

static void body_v(fb_eval* e, int item, fb_json* json) {
  double v[3];
  fb_frame_velocity(e->model, e->data, item + 1, v, NULL);
  fb_json_numbers(json, v, 3);
}

static void body_w(fb_eval* e, int item, fb_json* json) {
  double w[3];
  fb_frame_velocity(e->model, e->data, item + 1, NULL, w);
  fb_json_numbers(json, w, 3);
}

static void body_a(fb_eval* e, int item, fb_json* json) {
  double a[3];
  fb_frame_acceleration(e->model, e->data, item + 1, a, NULL);
  fb_json_numbers(json, a, 3);
}

static void body_wdot(fb_eval* e, int item, fb_json* json) {
  double wdot[3];
  fb_frame_acceleration(e->model, e->data, item + 1, NULL, wdot);
  fb_json_numbers(json, wdot, 3);
}

/* ---- outputs of a named frame: item 0 is the first after the bodies' own ---- */

static int named_frame(const fb_eval* e, int item) {
  return fb_model_nbody(e->model) + item;
}

static void frame_name(fb_eval* e, int item, fb_json* json) {
  fb_json_string(json, fb_frame_name(e->model, named_frame(e, item)));
}

static void frame_p(fb_eval* e, int item, fb_json* json) {
  write_position(e, named_frame(e, item), json);
}

static void frame_R(fb_eval* e, int item, fb_json* json) {
  write_rotation(e, named_frame(e, item), json);
}

static void frame_J(fb_eval* e, int item, fb_json* json) {
  fb_json_matrix(json, fb_eval_jacobian(e, named_frame(e, item), 0), 6, fb_model_nv(e->model));
}

static void frame_Jdot(fb_eval* e, int item, fb_json* json) {
  fb_json_matrix(json, fb_eval_jacobian(e, named_frame(e, item), 1), 6, fb_model_nv(e->model));
}

static void frame_Jdot_v(fb_eval* e, int item, fb_json* json) {
  double a[6];
  fb_frame_bias_acceleration(e->model, e->data, e->v, named_frame(e, item), a);
  fb_json_numbers(json, a, 6);
}

/* Base part and joint part; J is overwritten, so what it held is forgotten. */
static void write_parts(fb_eval* e, int item, int rate, int base, fb_json* json) {
  double Jb[36];
  int frame = named_frame(e, item);
  e->J_of = -1;
  if (rate)
    fb_frame_jacobian_parts_rate(e->model, e->data, frame, Jb, e->J);
  else
    fb_frame_jacobian_parts(e->model, e->data, frame, Jb, e->J);
  fb_json_matrix(json, base ? Jb : e->J, 6, base ? 6 : fb_model_nv(e->model));
}

static void frame_Jb(fb_eval* e, int item, fb_json* json) {
  write_parts(e, item, 0, 1, json);
}

static void frame_Jm(fb_eval* e, int item, fb_json* json) {
  write_parts(e, item, 0, 0, json);
}

static void frame_Jb_dot(fb_eval* e, int item, fb_json* json) {
  write_parts(e, item, 1, 1, json);
}

static void frame_Jm_dot(fb_eval* e, int item, fb_json* json) {
  write_parts(e, item, 1, 0, json);
}

/* ---- outputs of the whole scene ---- */

static void scene_mass(fb_eval* e, int item, fb_json* json) {
  (void)item;
  fb_json_number(json, fb_model_mass(e->model));
}

static void scene_com(fb_eval* e, int item, fb_json* json) {
  (void)item;
  double com[3];
  fb_subtree_com(e->model, e->data, FB_WORLD, com, NULL, NULL);
  fb_json_numbers(json, com, 3);
}

static const char BODIES[] = "bodies";
static const char FRAMES[] = "frames";

static const fb_eval_output OUTPUTS[] = {
    {BODIES, "name", 0, FB_NAME, body_name},
    {BODIES, "p", 0, FB_PRINT, body_p},
    {BODIES, "R", 0, FB_PRINT, body_R},
    {BODIES, "com", 0, FB_PRINT, body_com},
    {BODIES, "v", FB_NEEDS_V, FB_PRINT, body_v},
    {BODIES, "w", FB_NEEDS_V, FB_PRINT, body_w},
    {BODIES, "a", FB_NEEDS_VDOT, FB_PRINT, body_a},
    {BODIES, "wdot", FB_NEEDS_VDOT, FB_PRINT, body_wdot},
    {FRAMES, "name", 0, FB_NAME, frame_name},
    {FRAMES, "p", 0, FB_PRINT, frame_p},
    {FRAMES, "R", 0, FB_PRINT, frame_R},
    {FRAMES, "J", 0, FB_PRINT, frame_J},
    {FRAMES, "Jdot_v", FB_NEEDS_V, FB_PRINT, frame_Jdot_v},
    {FRAMES, "Jdot", FB_NEEDS_V, FB_REQUEST, frame_Jdot},
    {FRAMES, "Jb", 0, FB_REQUEST, frame_Jb},
    {FRAMES, "Jm", 0, FB_REQUEST, frame_Jm},
    {FRAMES, "Jb_dot", FB_NEEDS_V, FB_REQUEST, frame_Jb_dot},
    {FRAMES, "Jm_dot", FB_NEEDS_V, FB_REQUEST, frame_Jm_dot},
    {NULL, "mass", 0, FB_PRINT, scene_mass},
    {NULL, "com", FB_NEEDS_COM, FB_PRINT, scene_com},
    {NULL, NULL, 0, FB_PRINT, NULL},
};

static int count_items(const fb_eval* e, const char* list) {
  return list == BODIES ? fb_model_nbody(e->model) - 1 : fb_model_nframe(e->model) - fb_model_nbody(e->model);
}

/* ---- inputs ---- */

static fb_status read_model(const fb_node* root, const fb_io_options* options, fb_model_def** def,
                            fb_error* error) {
  const fb_node* node = fb_map_get(root, "gravity");
  double g[3];
  if (node) {
    fb_status status = fb_node_numbers(node, FB_Q_ACCELERATION, 3, g, error);
    if (status != FB_OK) return status;
  }
  return fb_model_of_eval(root, options, def, error);
}

static fb_status check_wrench(const fb_eval* e, const fb_node* node, fb_error* error) {
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
  double x[3];
  if (force && (status = fb_node_numbers(force, FB_Q_FORCE, 3, x, error)) != FB_OK) return status;
  return torque ? fb_node_numbers(torque, FB_Q_TORQUE, 3, x, error) : FB_OK;
}

static fb_status check_prescribed(const fb_eval* e, const fb_node* node, fb_error* error) {
  const char* name = NULL;
  fb_status status = fb_node_string(node, &name, error);
  if (status != FB_OK) return status;
  int joint = fb_model_find_joint(e->model, name);
  if (joint < 0)
    return fb_node_fail(node, error, FB_ERR_NAME, "the model has no joint called '%s' to prescribe", name);
  if (fb_joint_nv(e->model, joint) == 0)
    return fb_node_fail(node, error, FB_ERR_STATE,
                        "joint '%s' is fixed: it has no coordinates to prescribe; take it off the list",
                        name);
  return FB_OK;
}

/* Runs `check` over the items of an optional list. */
static fb_status check_list(const fb_eval* e, const fb_node* inputs, const char* key,
                            fb_status (*check)(const fb_eval*, const fb_node*, fb_error*), fb_error* error) {
  const fb_node* list = fb_map_get(inputs, key);
  if (!list) return FB_OK;
  if (fb_node_get_kind(list) != FB_NODE_LIST)
    return fb_node_fail(list, error, FB_ERR_CONTENT, "`%s` must be a list", key);
  for (int i = 0; i < fb_node_count(list); i++) {
    fb_status status = check(e, fb_node_item(list, i), error);
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
  if (status == FB_OK && fb_map_get(inputs, "tau"))
    status = fb_eval_numbers(inputs, "tau", nv, "velocity coordinates (nv)", e->row, error);
  return status;
}

static fb_status read_inputs(fb_eval* e, const fb_node* inputs, unsigned needs, fb_error* error) {
  static const char* const keys[] = {"q", "v", "tau", "vdot", "wrenches", "prescribed", NULL};
  fb_status status = fb_map_check_keys(inputs, keys, error);
  if (status == FB_OK) status = read_motion(e, inputs, needs, error);
  if (status == FB_OK) status = check_list(e, inputs, "wrenches", check_wrench, error);
  if (status == FB_OK) status = check_list(e, inputs, "prescribed", check_prescribed, error);
  if (status != FB_OK) return status;
  fb_error state;
  status = fb_check_state(e->model, e->q, e->has_v ? e->v : NULL, &state);
  if (status != FB_OK) return fb_node_fail(fb_map_get(inputs, "q"), error, status, "%s", state.text);
  fb_normalise(e->model, e->q);
  return FB_OK;
}

static const char* const KEYS[] = {"format",  "version", "name",  "description",
                                   "gravity", "model",   "cases", NULL};

const fb_eval_format fb_eval_native = {"freebody-eval", KEYS, OUTPUTS, count_items, read_model, read_inputs};
