/* eval.c -- the public calls: an evaluation file read, checked or evaluated as a whole. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>

#include "base/cookie.h"
#include "document/document.h"
#include "eval/eval.h"

fb_eval_options fb_default_eval_options(void) {
  return (fb_eval_options){.indent = 1, .io = fb_default_io_options(), .cookie_ = FB_COOKIE};
}

/* The case as it was read, with its outputs at the end. */
static void write_case(fb_eval* eval, int index, const char* wanted, fb_json* json) {
  const fb_node* node = fb_node_item(eval->cases, index);
  fb_json_begin_map(json);
  for (int i = 0; i < fb_node_count(node); i++) {
    if (strcmp(fb_map_key(node, i), "outputs") == 0) continue;
    fb_json_key(json, fb_map_key(node, i));
    fb_json_node(json, fb_map_value(node, i));
  }
  fb_json_key(json, "outputs");
  fb_eval_write(eval, wanted, json);
  fb_json_end_map(json);
}

static fb_status write_cases(fb_eval* eval, const char* wanted, fb_json* json, fb_error* error) {
  unsigned needs = fb_eval_needs(eval->format, wanted);
  fb_json_begin_list(json);
  for (int i = 0; i < fb_node_count(eval->cases); i++) {
    fb_status status = fb_eval_read_case(eval, i, needs, error);
    if (status != FB_OK) return status;
    fb_eval_compute(eval, needs);
    write_case(eval, i, wanted, json);
  }
  fb_json_end_list(json);
  return FB_OK;
}

/* The file's own object; with `only` the model is left out. */
static fb_status write_reply(fb_eval* eval, const fb_node* root, const char* only, fb_json* json,
                             fb_error* error) {
  char wanted[FB_EVAL_MAX_OUTPUTS];
  fb_status status = fb_eval_select(eval->format, only, wanted, error);
  fb_json_begin_map(json);
  for (int i = 0; i < fb_node_count(root) && status == FB_OK; i++) {
    const char* key = fb_map_key(root, i);
    if (only && strcmp(key, "model") == 0) continue;
    fb_json_key(json, key);
    if (strcmp(key, "cases") == 0)
      status = write_cases(eval, wanted, json, error);
    else
      fb_json_node(json, fb_map_value(root, i));
  }
  fb_json_end_map(json);
  return status;
}

/* Into memory, so that there is no reply when a later case is bad. */
static fb_status evaluate(fb_eval* eval, const fb_node* root, const fb_eval_options* options, char** reply,
                          size_t* size, fb_error* error) {
  fb_json* json = fb_json_new(options->indent);
  fb_status status = json ? write_reply(eval, root, options->only, json, error)
                          : fb_fail(error, FB_ERR_MEMORY, "out of memory");
  if (status != FB_OK) {
    fb_json_free(json);
    return status;
  }
  *reply = fb_json_finish(json, size);
  if (*reply && !eval->pool.failed) return FB_OK;
  free(*reply);
  *reply = NULL;
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while writing the outputs; choose fewer with --only");
}

fb_status fb_eval_memory(const char* text, size_t text_size, const char* name, const fb_eval_options* given,
                         char** reply, size_t* size, fb_error* error) {
  fb_eval_options options = given ? *given : fb_default_eval_options();
  size_t unused;
  *reply = NULL;
  if (!size) size = &unused;
  *size = 0;
  if (fb_cookie_check(options.cookie_, "eval_options", error) ||
      fb_cookie_check(options.io.cookie_, "io_options", error))
    return FB_ERR_ARG;
  if (text[strspn(text, " \t\r\n")] == '<') {
    fb_fail(error, FB_ERR_CONTENT,
            "this is XML: a model, not an evaluation file; see freebody info. An evaluation file may name it "
            "as its `model`");
    fb_error_set_place(error, name, NULL, (fb_place){1, 1});
    return FB_ERR_CONTENT;
  }
  fb_doc* doc;
  fb_eval eval;
  fb_status status = fb_doc_parse(text, text_size, name, &doc, error);
  if (status != FB_OK) return status;
  status = fb_eval_open(&eval, doc, name, &options.io, error);
  if (status == FB_OK) status = evaluate(&eval, fb_doc_root(doc), &options, reply, size, error);
  fb_eval_close(&eval);
  fb_doc_free(doc);
  return status;
}

fb_status fb_eval_file(const char* file, const fb_eval_options* options, char** reply, size_t* size,
                       fb_error* error) {
  char* text;
  size_t text_size;
  *reply = NULL;
  fb_status status = fb_file_read(file, &text, &text_size, error);
  const char* name = strcmp(file, "-") == 0 ? "standard input" : file;
  if (status == FB_OK) status = fb_eval_memory(text, text_size, name, options, reply, size, error);
  free(text);
  return status;
}

fb_status fb_eval_detect(const char* text, size_t size, int* found, fb_error* error) {
  fb_doc* doc;
  *found = 0;
  /* A cheap look first: parsing twice would double the time of large models. */
  if (!strstr(text, "format")) return FB_OK;
  fb_status status = fb_doc_parse(text, size, "", &doc, error);
  if (status != FB_OK) return status == FB_ERR_MEMORY ? status : FB_OK;
  *found = fb_eval_is_document(doc);
  fb_doc_free(doc);
  return FB_OK;
}

fb_status fb_eval_check(const char* text, size_t size, const char* name, const fb_io_options* io,
                        fb_model** model, int* ncase, fb_error* error) {
  fb_doc* doc;
  fb_eval eval;
  *model = NULL;
  *ncase = 0;
  fb_status status = fb_doc_parse(text, size, name, &doc, error);
  if (status != FB_OK) return status;
  status = fb_eval_open(&eval, doc, name, io, error);
  int count = status == FB_OK ? fb_node_count(eval.cases) : 0;
  for (int i = 0; i < count && status == FB_OK; i++) status = fb_eval_read_case(&eval, i, FB_NEEDS_V, error);
  *ncase = count;
  *model = eval.model;
  eval.model = NULL;
  fb_eval_close(&eval);
  fb_doc_free(doc);
  return status;
}
