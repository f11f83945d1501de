/* input.c -- opens an evaluation file: its format, its model, and the frame of each case. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "base/words.h"
#include "command.h"
#include "eval/eval.h"
#include "model/check.h"

static const cmd_eval_format* const FORMATS[] = {&cmd_eval_native, &cmd_eval_spacedyn};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

static const cmd_eval_format* find_format(const fb_node* node) {
  for (int i = 0; node && i < FORMAT_COUNT; i++)
    if (strcmp(fb_node_text(node), FORMATS[i]->name) == 0) return FORMATS[i];
  return NULL;
}

int cmd_eval_is(const fb_doc* doc) {
  const fb_node* root = fb_doc_root(doc);
  return find_format(fb_map_get(root, "format")) != NULL;
}

static int is_model(const fb_node* root) {
  static const char* const keys[] = {"freebody", "bodies", "num_q", "BB", "LP"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (fb_map_get(root, keys[i])) return 1;
  return 0;
}

static fb_status read_format(cmd_eval* eval, const fb_node* root, fb_error* error) {
  if (fb_node_get_kind(root) != FB_NODE_MAP)
    return fb_node_fail(root, error, FB_ERR_CONTENT,
                        "an evaluation file is an object with `format`, `model` and `cases`");
  const fb_node* node = fb_map_get(root, "format");
  if (!node && is_model(root))
    return fb_node_fail(root, error, FB_ERR_CONTENT,
                        "this is a model, not an evaluation file; see freebody info. An evaluation file has "
                        "`format`, `model` and `cases`, and may name this file as its `model`");
  if (!node)
    return fb_node_fail(root, error, FB_ERR_CONTENT,
                        "`format` is missing: eval reads files whose format is \"%s\" or \"%s\" (for a model "
                        "alone use 'freebody info')",
                        FORMATS[0]->name, FORMATS[1]->name);
  eval->format = find_format(node);
  if (!eval->format) {
    const char* const names[] = {FORMATS[0]->name, FORMATS[1]->name, NULL};
    char near[FB_SUGGESTION_SIZE];
    return fb_node_fail(node, error, FB_ERR_CONTENT, "the format '%s' is unknown%s", fb_node_text(node),
                        fb_suggestion_or_list(fb_node_text(node), names, "eval reads", near));
  }
  fb_status status = fb_map_check_keys(root, eval->format->keys, error);
  const fb_node* version = fb_map_get(root, "version");
  if (status != FB_OK || !version) return status;
  int number = 0;
  status = fb_node_int(version, &number, error);
  if (status != FB_OK || number == 1) return status;
  return fb_node_fail(version, error, FB_ERR_UNSUPPORTED,
                      "version %d of %s is not known; this program reads 1", number, eval->format->name);
}

static fb_status build_model(cmd_eval* eval, const fb_node* root, const char* file,
                             const fb_io_options* options, fb_error* error) {
  fb_model_def* def = NULL;
  fb_status status = eval->format->read_model(root, options, &def, error);
  if (status == FB_OK) status = fb_model_build(def, NULL, &eval->model, error);
  fb_model_def_free(def);
  fb_place unknown = {0, 0};
  if (status != FB_OK && !error->file[0]) fb_error_set_place(error, file, NULL, unknown);
  return status;
}

fb_status cmd_eval_open(cmd_eval* eval, const fb_doc* doc, const char* file, const fb_io_options* options,
                        fb_error* error) {
  memset(eval, 0, sizeof *eval);
  const fb_node* root = fb_doc_root(doc);
  fb_status status = read_format(eval, root, error);
  if (status == FB_OK) status = fb_map_need(root, "cases", &eval->cases, error);
  if (status == FB_OK && fb_node_get_kind(eval->cases) != FB_NODE_LIST)
    status = fb_node_fail(eval->cases, error, FB_ERR_CONTENT,
                          "`cases` must be a list of objects {\"label\": .., \"inputs\": {..}}");
  if (status == FB_OK) status = build_model(eval, root, file, options, error);
  if (status != FB_OK) return status;
  size_t nq = (size_t)fb_model_nq(eval->model), nv = (size_t)fb_model_nv(eval->model);
  eval->data = fb_data_new(eval->model);
  eval->dynamics = fb_data_new(eval->model);
  if (!eval->data || !eval->dynamics)
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for a model of %zu coordinates", nv);
  eval->q = (double*)cmd_take(nq, sizeof(double));
  eval->v = (double*)cmd_take(nv, sizeof(double));
  eval->vdot = (double*)cmd_take(nv, sizeof(double));
  eval->tau = (double*)cmd_take(nv, sizeof(double));
  eval->x = (double*)cmd_take(nv, sizeof(double));
  eval->y = (double*)cmd_take(nv, sizeof(double));
  eval->prescribed = (unsigned char*)cmd_take(nv, 1);
  eval->loads = fb_default_loads();
  eval->loads.passive = FB_PASSIVE_SPRINGS | FB_PASSIVE_DAMPERS;
  fb_model_def_gravity(fb_model_definition(eval->model), eval->loads.gravity_w);
  eval->J = (double*)cmd_take(6 * nv, sizeof(double));
  eval->path = (int*)cmd_take(nv, sizeof(int));
  eval->row = (double*)cmd_take(2 * nv + 6, sizeof(double));
  return FB_OK;
}

void cmd_eval_close(cmd_eval* eval) {
  free(eval->q);
  free(eval->v);
  free(eval->vdot);
  free(eval->tau);
  free(eval->prescribed);
  free(eval->wrenches);
  free(eval->H);
  free(eval->GJ);
  free(eval->x);
  free(eval->y);
  fb_data_free(eval->dynamics);
  fb_floating_free(eval->floating);
  free(eval->J);
  free(eval->path);
  free(eval->row);
  fb_data_free(eval->data);
  fb_model_free(eval->model);
  memset(eval, 0, sizeof *eval);
}

fb_status cmd_eval_read_case(cmd_eval* eval, int index, unsigned needs, fb_error* error) {
  static const char* const keys[] = {"label", "inputs", "outputs", NULL};
  const fb_node* node = fb_node_item(eval->cases, index);
  if (fb_node_get_kind(node) != FB_NODE_MAP)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "a case is an object {\"label\": .., \"inputs\": {..}}");
  const fb_node* inputs = NULL;
  fb_status status = fb_map_check_keys(node, keys, error);
  if (status == FB_OK) status = fb_map_need(node, "inputs", &inputs, error);
  if (status != FB_OK) return status;
  if (fb_node_get_kind(inputs) != FB_NODE_MAP)
    return fb_node_fail(inputs, error, FB_ERR_CONTENT, "`inputs` must be an object");
  eval->loads.nwrench = 0;
  memset(eval->prescribed, 0, (size_t)fb_model_nv(eval->model));
  return eval->format->read_inputs(eval, inputs, needs, error);
}

void cmd_eval_add_wrench(cmd_eval* eval, int frame, const double force[3], const double torque[3]) {
  int n = eval->loads.nwrench;
  if (!fb_grow(&eval->wrenches, (size_t)n, 1, &eval->wrench_room, sizeof *eval->wrenches))
    cmd_out_of_memory();
  fb_wrench wrench = {.frame = frame};
  memcpy(wrench.force, force, sizeof wrench.force);
  memcpy(wrench.torque, torque, sizeof wrench.torque);
  eval->wrenches[n] = wrench;
  eval->loads.wrenches = eval->wrenches;
  eval->loads.nwrench = n + 1;
}

fb_status cmd_eval_numbers(const fb_node* inputs, const char* key, int count, const char* what, double* out,
                           fb_error* error) {
  static const char* const velocities[] = {"v", "v0", "w0", "qd"};
  const fb_node* node = fb_map_get(inputs, key);
  for (size_t i = 0; !node && i < sizeof velocities / sizeof velocities[0]; i++)
    if (strcmp(key, velocities[i]) == 0)
      return fb_node_fail(inputs, error, FB_ERR_CONTENT,
                          "the key '%s' is missing; add it, or choose outputs that need no velocities with "
                          "--only",
                          key);
  fb_status status = fb_map_need(inputs, key, &node, error);
  if (status != FB_OK) return status;
  if (fb_node_get_kind(node) != FB_NODE_LIST)
    return fb_node_fail(node, error, FB_ERR_STATE, "`%s` must be a list of %d numbers", key, count);
  if (fb_node_count(node) != count)
    return fb_node_fail(node, error, FB_ERR_STATE, "`%s` has %d numbers; it needs %d, one for each of the %s",
                        key, fb_node_count(node), count, what);
  return cmd_eval_node_numbers(node, FB_Q_NONE, count, out, error);
}

fb_status cmd_eval_node_numbers(const fb_node* node, fb_quantity quantity, int count, double* out,
                                fb_error* error) {
  fb_status status = fb_node_numbers(node, quantity, count, out, error);
  for (int i = 0; i < count && status == FB_OK; i++)
    if (fabs(out[i]) > FB_HUGE_NUMBER)
      status = fb_node_fail(fb_node_item(node, i), error, FB_ERR_STATE,
                            "%g is beyond %g; numbers are in SI units", out[i], FB_HUGE_NUMBER);
  return status;
}
