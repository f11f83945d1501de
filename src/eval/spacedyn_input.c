/* spacedyn_input.c -- reads SpaceDyn's state and loads into the coordinates of the model:
 * q = (R0, quaternion of A0, q), v = (v0, w0, qd), vdot = (vd0, wd0, qdd). */
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/rotation.h>

#include "eval/eval.h"

/* How far A0 may be from orthonormal; the same as for matrices in model files. */
static const double ROTATION_SLACK = 1e-6;

static fb_status read_attitude(fb_eval* e, const fb_node* inputs, fb_error* error) {
  const fb_node* node = NULL;
  double A0[9], R[9];
  fb_status status = fb_map_need(inputs, "A0", &node, error);
  if (status == FB_OK) status = fb_node_matrix(node, 3, 3, A0, error);
  if (status != FB_OK) return status;
  double off = fb_rot_nearest(A0, R);
  if (off < 0)
    return fb_node_fail(node, error, FB_ERR_STATE,
                        "A0 is not a rotation: its determinant is not positive; its columns must be the base "
                        "axes in the inertial frame, right-handed");
  if (off > ROTATION_SLACK)
    return fb_node_fail(node, error, FB_ERR_STATE,
                        "A0 is not a rotation: A0 A0' differs from the identity by %.3g (at most %g is "
                        "taken); give it with more digits",
                        off, ROTATION_SLACK);
  fb_rot_to_quat(R, e->q + 3);
  return FB_OK;
}

static fb_status read_positions(fb_eval* e, const fb_node* inputs, fb_error* error) {
  int n = fb_model_nv(e->model) - 6;
  fb_status status = fb_eval_numbers(inputs, "R0", 3, "coordinates", e->q, error);
  if (status == FB_OK) status = read_attitude(e, inputs, error);
  if (status == FB_OK && (n > 0 || fb_map_get(inputs, "q")))
    status = fb_eval_numbers(inputs, "q", n, "joints (num_q)", e->q + 7, error);
  return status;
}

/* A generalized vector in three parts, all there or all absent; *given says which. */
static fb_status read_parts(const fb_eval* e, const fb_node* inputs, const char* const keys[3], int required,
                            double* out, int* given, fb_error* error) {
  int n = fb_model_nv(e->model) - 6;
  *given = required;
  for (int i = 0; i < 3; i++) *given |= fb_map_get(inputs, keys[i]) != NULL;
  if (!*given) return FB_OK;
  fb_status status = fb_eval_numbers(inputs, keys[0], 3, "coordinates", out, error);
  if (status == FB_OK) status = fb_eval_numbers(inputs, keys[1], 3, "coordinates", out + 3, error);
  if (status == FB_OK && (n > 0 || fb_map_get(inputs, keys[2])))
    status = fb_eval_numbers(inputs, keys[2], n, "joints (num_q)", out + 6, error);
  return status;
}

/* Row `link` of Fe or Te, zero where it is not given. */
static fb_status read_end_load(const fb_node* inputs, const char* key, int n, int link, double out[3],
                               fb_error* error) {
  const fb_node* node = fb_map_get(inputs, key);
  memset(out, 0, 3 * sizeof *out);
  if (!node) return FB_OK;
  if (fb_node_get_kind(node) != FB_NODE_LIST || fb_node_count(node) != n)
    return fb_node_fail(node, error, FB_ERR_STATE, "%s must be a list of %d vectors, one a link", key, n);
  return fb_eval_node_numbers(fb_node_item(node, link), FB_Q_NONE, 3, out, error);
}

/* Fe, Te: loads on the end-points; on links without one they do not count. */
static fb_status read_end_loads(fb_eval* e, const fb_node* inputs, fb_error* error) {
  int n = fb_model_nv(e->model) - 6, nbody = fb_model_nbody(e->model), frame = nbody;
  for (int link = 0; link < n; link++) {
    double force[3], torque[3];
    fb_status status = read_end_load(inputs, "Fe", n, link, force, error);
    if (status == FB_OK) status = read_end_load(inputs, "Te", n, link, torque, error);
    if (status != FB_OK) return status;
    if (frame < fb_model_nframe(e->model) && fb_frame_body(e->model, frame) == link + 2)
      status = fb_eval_add_wrench(e, frame++, force, torque, error);
    if (status != FB_OK) return status;
  }
  return FB_OK;
}

/* F0, T0 and tau: together the generalized force; any that is missing is zero. */
static fb_status read_forces(fb_eval* e, const fb_node* inputs, fb_error* error) {
  static const char* const keys[3] = {"F0", "T0", "tau"};
  int n = fb_model_nv(e->model) - 6;
  fb_status status = FB_OK;
  memset(e->tau, 0, (size_t)(n + 6) * sizeof *e->tau);
  e->has_tau = n == 0;
  for (int i = 0; i < 3 && status == FB_OK; i++) {
    if (!fb_map_get(inputs, keys[i])) continue;
    e->has_tau = 1;
    status = fb_eval_numbers(inputs, keys[i], i < 2 ? 3 : n, i < 2 ? "coordinates" : "joints (num_q)",
                             e->tau + 3 * i, error);
  }
  return status;
}

static fb_status read_prescribed(fb_eval* e, const fb_node* inputs, fb_error* error) {
  const fb_node* list = fb_map_get(inputs, "prescribed_joints");
  if (!list) return FB_OK;
  if (fb_node_get_kind(list) != FB_NODE_LIST)
    return fb_node_fail(list, error, FB_ERR_CONTENT, "prescribed_joints must be a list of joint numbers");
  int n = fb_model_nv(e->model) - 6;
  for (int i = 0; i < fb_node_count(list); i++) {
    const fb_node* item = fb_node_item(list, i);
    int joint = 0;
    fb_status status = fb_node_int(item, &joint, error);
    if (status != FB_OK) return status;
    if (joint < 1 || joint > n)
      return fb_node_fail(item, error, FB_ERR_STATE,
                          "there is no joint %d to prescribe; the model has 1 to %d", joint, n);
    e->prescribed[6 + joint - 1] = 1;
  }
  return FB_OK;
}

fb_status fb_eval_spacedyn_inputs(fb_eval* e, const fb_node* inputs, unsigned needs, fb_error* error) {
  static const char* const keys[] = {"R0",  "A0",  "v0",  "w0",  "q",
                                     "qd",  "F0",  "T0",  "Fe",  "Te",
                                     "tau", "vd0", "wd0", "qdd", "prescribed_joints",
                                     NULL};
  static const char* const velocity[3] = {"v0", "w0", "qd"};
  static const char* const acceleration[3] = {"vd0", "wd0", "qdd"};
  int needs_v = (needs & (FB_NEEDS_V | FB_NEEDS_VDOT)) != 0;
  fb_status status = fb_map_check_keys(inputs, keys, error);
  if (status == FB_OK) status = read_positions(e, inputs, error);
  if (status == FB_OK) status = read_parts(e, inputs, velocity, needs_v, e->v, &e->has_v, error);
  if (status == FB_OK) status = read_parts(e, inputs, acceleration, 0, e->vdot, &e->has_vdot, error);
  if (status == FB_OK) status = read_forces(e, inputs, error);
  if (status == FB_OK) status = read_end_loads(e, inputs, error);
  if (status == FB_OK) status = read_prescribed(e, inputs, error);
  if (status != FB_OK) return status;
  fb_error state;
  status = fb_model_check_state(e->model, e->q, e->has_v ? e->v : NULL, &state);
  return status == FB_OK ? FB_OK : fb_node_fail(inputs, error, status, "%s", state.text);
}
