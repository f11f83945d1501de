/* input.c -- opens an evaluation file: its format, its model, and the frame of each case. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "base/grow.h"
#include "eval/eval.h"
#include "model/definition/check.h"

static const fb_eval_format* const FORMATS[] = {&fb_eval_native, &fb_eval_spacedyn};
enum { FORMAT_COUNT = sizeof FORMATS / sizeof FORMATS[0] };

static const fb_eval_format* find_format(const fb_node* node) {
  for (int i = 0; node && i < FORMAT_COUNT; i++)
    if (strcmp(fb_node_text(node), FORMATS[i]->name) == 0) return FORMATS[i];
  return NULL;
}

int fb_eval_is_document(const fb_doc* doc) {
  return find_format(fb_map_get(fb_doc_root(doc), "format")) != NULL;
}

static int is_model(const fb_node* root) {
  static const char* const keys[] = {"freebody", "bodies", "num_q", "BB", "LP"};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    if (fb_map_get(root, keys[i])) return 1;
  return 0;
}

static fb_status read_format(fb_eval* eval, const fb_node* root, fb_error* error) {
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

static fb_status build_model(fb_eval* eval, const fb_node* root, const char* file,
                             const fb_io_options* options, fb_error* error) {
  fb_model_def* def = NULL;
  fb_status status = eval->format->read_model(root, options, &def, error);
  if (status == FB_OK) status = fb_model_build(def, NULL, &eval->model, error);
  fb_model_def_free(def);
  if (status != FB_OK && error && !error->file[0]) fb_error_set_place(error, file, NULL, (fb_place){0, 0});
  return status;
}

/* One block for all vectors. */
static fb_status make_room(fb_eval* eval, fb_error* error) {
  size_t nq = (size_t)fb_model_nq(eval->model), nv = (size_t)fb_model_nv(eval->model);
  eval->data = fb_data_new(eval->model);
  eval->dynamics = fb_data_new(eval->model);
  eval->q = fb_pool_take(&eval->pool, nq + 13 * nv + 6, sizeof *eval->q);
  eval->prescribed = fb_pool_take(&eval->pool, 2 * nv, 1);
  eval->path = fb_pool_take(&eval->pool, nv, sizeof *eval->path);
  if (!eval->data || !eval->dynamics || eval->pool.failed)
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for a model of %zu coordinates", nv);
  eval->actuated = eval->prescribed + nv;
  eval->v = eval->q + nq;
  eval->vdot = eval->v + nv;
  eval->tau = eval->vdot + nv;
  eval->x = eval->tau + nv;
  eval->y = eval->x + nv;
  eval->J = eval->y + nv;
  eval->row = eval->J + 6 * nv;
  return FB_OK;
}

fb_status fb_eval_open(fb_eval* eval, const fb_doc* doc, const char* file, const fb_io_options* options,
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
  eval->loads = fb_default_loads();
  eval->loads.passive = FB_PASSIVE_SPRINGS | FB_PASSIVE_DAMPERS;
  fb_model_def_gravity(fb_model_definition(eval->model), eval->loads.environment.gravity_w);
  return make_room(eval, error);
}

void fb_eval_close(fb_eval* eval) {
  fb_pool_free(&eval->pool);
  free(eval->wrenches);
  fb_data_free(eval->dynamics);
  fb_floating_free(eval->floating);
  fb_data_free(eval->data);
  fb_model_free(eval->model);
  memset(eval, 0, sizeof *eval);
}

fb_status fb_eval_read_case(fb_eval* eval, int index, unsigned needs, fb_error* error) {
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
  eval->has_actuated = 0;
  memset(eval->prescribed, 0, 2 * (size_t)fb_model_nv(eval->model)); /* and actuated */
  return eval->format->read_inputs(eval, inputs, needs, error);
}

fb_status fb_eval_add_wrench(fb_eval* eval, int frame, const double force[3], const double torque[3],
                             fb_error* error) {
  int n = eval->loads.nwrench;
  if (!fb_grow(&eval->wrenches, (size_t)n, 1, &eval->wrench_room, sizeof *eval->wrenches))
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for %d wrenches", n + 1);
  fb_wrench wrench = {.frame = frame};
  memcpy(wrench.force, force, sizeof wrench.force);
  memcpy(wrench.torque, torque, sizeof wrench.torque);
  eval->wrenches[n] = wrench;
  eval->loads.wrenches = eval->wrenches;
  eval->loads.nwrench = n + 1;
  return FB_OK;
}

fb_status fb_eval_numbers(const fb_node* inputs, const char* key, int count, const char* what, double* out,
                          fb_error* error) {
  static const char* const velocities[] = {"v", "v0", "w0", "qd"};
  const fb_node* node = fb_map_get(inputs, key);
  for (size_t i = 0; !node && i < sizeof velocities / sizeof velocities[0]; i++)
    if (strcmp(key, velocities[i]) == 0)
      return fb_node_fail(
          inputs, error, FB_ERR_CONTENT,
          "the key '%s' is missing; add it, or choose outputs that need no velocities with --only", key);
  fb_status status = fb_map_need(inputs, key, &node, error);
  if (status != FB_OK) return status;
  if (fb_node_get_kind(node) != FB_NODE_LIST)
    return fb_node_fail(node, error, FB_ERR_STATE, "`%s` must be a list of %d numbers", key, count);
  if (fb_node_count(node) != count)
    return fb_node_fail(node, error, FB_ERR_STATE, "`%s` has %d numbers; it needs %d, one for each of the %s",
                        key, fb_node_count(node), count, what);
  return fb_eval_node_numbers(node, FB_Q_NONE, count, out, error);
}

fb_status fb_eval_node_numbers(const fb_node* node, fb_quantity quantity, int count, double* out,
                               fb_error* error) {
  fb_status status = fb_node_numbers(node, quantity, count, out, error);
  for (int i = 0; i < count && status == FB_OK; i++)
    if (fabs(out[i]) > FB_HUGE_NUMBER)
      status = fb_node_fail(fb_node_item(node, i), error, FB_ERR_STATE,
                            "%g is beyond %g; numbers are in SI units", out[i], FB_HUGE_NUMBER);
  return status;
}
