/* load.c -- reads a model file of any format (or the model inside an evaluation file) and builds it. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "io/document.h"

void* fb_take(size_t count, size_t size) {
  void* memory = calloc(count ? count : 1, size ? size : 1);
  if (memory) return memory;
  fprintf(stderr, "freebody: out of memory\n");
  exit(FB_EXIT_FAILED);
}

/* An evaluation file with cases, by its format; NULL when it is something else. */
static const char* eval_in_words(const char* text, size_t size) {
  fb_doc* doc = NULL;
  fb_error ignored;
  const char* words = NULL;
  if (!strstr(text, "freebody-eval") && !strstr(text, "spacedyn-reference")) return NULL;
  if (fb_doc_parse(text, size, "", &doc, &ignored) != FB_OK) return NULL;
  const fb_node* root = fb_doc_root(doc);
  const char* format = fb_map_get(root, "format") ? fb_node_text(fb_map_get(root, "format")) : "";
  int inside = fb_map_get(root, "model") && fb_node_get_kind(fb_map_get(root, "model")) == FB_NODE_MAP;
  int cases = fb_map_get(root, "cases") ? fb_node_count(fb_map_get(root, "cases")) : 0;
  if (strcmp(format, "freebody-eval") == 0)
    words = inside ? "evaluation file, native model" : "evaluation file, model in another file";
  else if (strcmp(format, "spacedyn-reference") == 0 && cases > 0)
    words = "evaluation file, SpaceDyn model";
  fb_doc_free(doc);
  return words;
}

/* The format in words, from the text of a file that was read without error. */
static const char* format_in_words(const char* text, size_t size) {
  const char* c = text;
  const char* eval = eval_in_words(text, size);
  if (eval) return eval;
  if (strncmp(c, "\xef\xbb\xbf", 3) == 0) c += 3;
  c += strspn(c, " \t\r\n");
  if (*c == '<') return fb_format_name(FB_FORMAT_URDF);
  if (strstr(c, "num_q") && strstr(c, "J_type")) return fb_format_name(FB_FORMAT_SPACEDYN);
  return fb_format_name(*c == '{' ? FB_FORMAT_JSON : FB_FORMAT_YAML);
}

const char* fb_shown_name(const char* file) {
  return strcmp(file, "-") == 0 ? "standard input" : file;
}

int fb_note_is_minor(const char* text) {
  return strncmp(text, "minor: ", 7) == 0;
}

typedef struct note_counter {
  const fb_io_options* options; /* the caller's, or NULL */
  int count;
} note_counter;

static void count_note(void* user, const char* text) {
  note_counter* counter = (note_counter*)user;
  if (!fb_note_is_minor(text)) counter->count++;
  if (counter->options && counter->options->note) counter->options->note(counter->options->note_user, text);
}

fb_status fb_load_text(const char* text, size_t size, const char* file, const fb_io_options* options,
                       fb_loaded* out, fb_error* error) {
  memset(out, 0, sizeof *out);
  fb_model_def* def = NULL;
  note_counter counter = {options, 0};
  fb_io_options counting = options ? *options : fb_default_io_options();
  counting.note = count_note;
  counting.note_user = &counter;
  fb_status status = fb_model_def_parse(text, size, fb_shown_name(file), &counting, &def, error);
  if (status == FB_OK) status = fb_model_build(def, NULL, &out->model, error);
  fb_model_def_free(def);
  if (status != FB_OK) {
    fb_place unknown = {0, 0};
    if (!error->file[0]) fb_error_set_place(error, fb_shown_name(file), NULL, unknown);
    return status;
  }
  out->def = fb_model_definition(out->model);
  int told = options && options->format != FB_FORMAT_AUTO;
  out->format = told ? fb_format_name(options->format) : format_in_words(text, size);
  out->notes = counter.count;
  return FB_OK;
}

fb_status fb_load(const char* file, const fb_io_options* options, fb_loaded* out, fb_error* error) {
  memset(out, 0, sizeof *out);
  char* text = NULL;
  size_t size = 0;
  fb_status status = fb_read_file(file, &text, &size, error);
  if (status == FB_OK) status = fb_load_text(text, size, file, options, out, error);
  free(text);
  return status;
}

void fb_unload(fb_loaded* loaded) {
  fb_model_free(loaded->model);
  memset(loaded, 0, sizeof *loaded);
}
