/* model_of_eval.c -- the model of a freebody-eval file: inline, or in a file that it names. */
#include "format/model_of_eval.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/native/native.h"
#include "model/definition/check.h"
#include "text/path.h"

static int is_eval(const char* text, size_t size, const char* file) {
  fb_doc* doc = NULL;
  fb_error ignored;
  if (!strstr(text, "freebody-eval") || fb_doc_parse(text, size, file, &doc, &ignored) != FB_OK) return 0;
  const fb_node* format = fb_map_get(fb_doc_root(doc), "format");
  int found = format && strcmp(fb_node_text(format), "freebody-eval") == 0;
  fb_doc_free(doc);
  return found;
}

/* A model file that an evaluation file names. It may not name another in turn, so nothing goes round. */
static fb_status read_named(const fb_node* name, const char* file, const fb_io_options* options,
                            fb_model_def** def, fb_error* error) {
  char* text;
  size_t size;
  fb_error reason;
  fb_status status = fb_model_file_read(file, options, &text, &size, &reason);
  if (status)
    return fb_node_fail(name, error, status, "the model file '%.200s' cannot be read: %s", file, reason.text);
  if (is_eval(text, size, file)) {
    free(text);
    return fb_node_fail(name, error, FB_ERR_CONTENT,
                        "'%.200s' is an evaluation file itself; name a model file here", file);
  }
  fb_io_options any = options ? *options : fb_default_io_options();
  any.format = FB_FORMAT_AUTO;
  status = fb_model_def_parse(text, size, file, &any, def, error);
  free(text);
  return status;
}

static fb_status read_model(const fb_node* root, const fb_io_options* options, fb_model_def** def,
                            fb_error* error) {
  const fb_node* model;
  fb_status status = fb_map_need(root, "model", &model, error);
  if (status) return status;
  if (fb_node_get_kind(model) != FB_NODE_SCALAR) return fb_native_read(model, options, def, error);
  const char* text;
  status = fb_node_string(model, &text, error);
  if (status) return status;
  if (!text[0] || strcmp(text, "-") == 0)
    return fb_node_fail(model, error, FB_ERR_CONTENT,
                        "`model` is a native model as an object, or the name of a model file");
  /* Beside the evaluation file, unless the name begins at the root. */
  char* file = fb_path_beside(fb_node_file(root), text);
  if (!file) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was read");
  status = read_named(model, file, options, def, error);
  free(file);
  return status;
}

fb_status fb_model_of_eval(const fb_node* root, const fb_io_options* options, fb_model_def** def,
                           fb_error* error) {
  const fb_node* node = fb_map_get(root, "gravity");
  double gravity_w[3];
  *def = NULL;
  fb_status status = node ? fb_node_numbers(node, FB_Q_ACCELERATION, 3, gravity_w, error) : FB_OK;
  for (int i = 0; i < 3 && node && !status; i++)
    if (fabs(gravity_w[i]) > FB_HUGE_NUMBER)
      status =
          fb_node_fail(fb_node_item(node, i), error, FB_ERR_CONTENT,
                       "gravity is %g, beyond %g; numbers are in SI units", gravity_w[i], FB_HUGE_NUMBER);
  if (!status) status = read_model(root, options, def, error);
  if (!status && node) fb_model_def_set_gravity(*def, gravity_w);
  return status;
}

int fb_eval_names_model(const fb_node* root) {
  const fb_node* model = fb_map_get(root, "model");
  return model && fb_node_get_kind(model) == FB_NODE_SCALAR;
}
