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

/* The format in words, from the text of a file that was read without error. */
static const char* format_in_words(const char* text) {
  const char* c = text;
  if (strncmp(c, "\xef\xbb\xbf", 3) == 0) c += 3;
  c += strspn(c, " \t\r\n");
  if (*c == '<') return fb_format_name(FB_FORMAT_URDF);
  if (strstr(c, "num_q") && strstr(c, "J_type")) return fb_format_name(FB_FORMAT_SPACEDYN);
  return fb_format_name(*c == '{' ? FB_FORMAT_JSON : FB_FORMAT_YAML);
}

const char* fb_shown_name(const char* file) {
  return strcmp(file, "-") == 0 ? "standard input" : file;
}

fb_status fb_load_text(const char* text, size_t size, const char* file, const fb_io_options* options,
                       fb_loaded* out, fb_error* error) {
  memset(out, 0, sizeof *out);
  fb_model_def* def = NULL;
  fb_status status = fb_model_def_parse(text, size, fb_shown_name(file), options, &def, error);
  if (status == FB_OK) status = fb_model_build(def, NULL, &out->model, error);
  fb_model_def_free(def);
  if (status != FB_OK) {
    fb_place unknown = {0, 0};
    if (!error->file[0]) fb_error_set_place(error, fb_shown_name(file), NULL, unknown);
    return status;
  }
  out->def = fb_model_definition(out->model);
  int told = options && options->format != FB_FORMAT_AUTO;
  out->format = told ? fb_format_name(options->format) : format_in_words(text);
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
