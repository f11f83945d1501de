/* bench_earlier.c -- reads the figures of an earlier run from its JSON (docs/benchmarks.md). */
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "bench_earlier.h"
#include "bench_json_read.h"

/* ---- values ------------------------------------------------------------------------------------------ */

typedef struct text_member {
  const char* path;
  size_t at, size;
} text_member;

static const text_member TEXTS[] = {
    {"version", offsetof(bench_earlier, version), sizeof((bench_earlier*)0)->version},
    {"date", offsetof(bench_earlier, date), sizeof((bench_earlier*)0)->date},
    {"machine.cpu", offsetof(bench_earlier, cpu), sizeof((bench_earlier*)0)->cpu},
    {"machine.compiler", offsetof(bench_earlier, compiler), sizeof((bench_earlier*)0)->compiler},
    {"machine.optimised", offsetof(bench_earlier, optimised), sizeof((bench_earlier*)0)->optimised},
};

static void take_text(bench_earlier* e, const bench_json* j) {
  for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++)
    if (strcmp(j->path, TEXTS[i].path) == 0)
      snprintf((char*)e + TEXTS[i].at, TEXTS[i].size, "%.*s", (int)TEXTS[i].size - 1, j->text);
}

static void add_unknown(bench_earlier* e, const char* key) {
  size_t used = strlen(e->unknown);
  if (!strstr(e->unknown, key))
    snprintf(e->unknown + used, sizeof e->unknown - used, "%s%s", used ? ", " : "", key);
}

static void take_time(bench_earlier* e, bench_earlier_model* model, const char* key, const char* text) {
  for (int i = 0; i < BENCH_QUANTITIES; i++)
    if (strcmp(key, bench_quantity_key((bench_quantity)i)) == 0) {
      double ns = strtod(text, NULL);
      if (isfinite(ns) && ns > 0) model->ns[i] = ns;
      return;
    }
  add_unknown(e, key);
}

static bench_earlier_model* model_at(bench_earlier* e, int index) {
  if (index < 0 || index >= BENCH_MAX_MODELS) return NULL;
  for (; e->nmodel <= index; e->nmodel++)
    for (int i = 0; i < BENCH_QUANTITIES; i++) e->model[e->nmodel].ns[i] = NAN;
  return &e->model[index];
}

/* A value inside "models"; the first of a model's results is Freebody's. NULL, or what is wrong. */
static const char* take_model(bench_earlier* e, int index, const char* rest, const char* text) {
  static const char times[] = "results.0.ns.";
  bench_earlier_model* model = model_at(e, index);
  if (!model) return "it has too many models";
  if (strcmp(rest, "name") == 0) snprintf(model->name, sizeof model->name, "%.63s", text);
  if (strcmp(rest, "isa") == 0) snprintf(model->isa, sizeof model->isa, "%.15s", text);
  if (strcmp(rest, "results.0.runner") == 0 && strcmp(text, "Freebody") != 0)
    return "the first results of a model are not Freebody's";
  if (strncmp(rest, times, strlen(times)) == 0) take_time(e, model, rest + strlen(times), text);
  return NULL;
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static fb_status refuse(fb_error* error, fb_status status, const char* file, int line, const char* what,
                        const char* detail) {
  fb_fail(error, status, "%s%s; write one with: freebody bench --json > before.json", what, detail);
  fb_error_set_place(error, file, NULL, (fb_place){line, 0});
  return status;
}

fb_status bench_earlier_parse(bench_earlier* e, const char* text, const char* file, fb_error* error) {
  bench_json j = {.at = text, .line = 1};
  const char* wrong = NULL;
  int is_bench = 0;
  memset(e, 0, sizeof *e);
  e->file = file;
  while (!wrong && bench_json_next(&j)) {
    static const char models[] = "models.";
    char* rest = NULL;
    if (strcmp(j.path, "format") == 0) is_bench = strcmp(j.text, "freebody-bench") == 0;
    take_text(e, &j);
    if (strncmp(j.path, models, strlen(models)) != 0) continue;
    long index = strtol(j.path + strlen(models), &rest, 10);
    if (*rest == '.') wrong = take_model(e, index < BENCH_MAX_MODELS ? (int)index : -1, rest + 1, j.text);
  }
  if (j.problem) return refuse(error, FB_ERR_SYNTAX, file, j.line, "not JSON: ", j.problem);
  if (!wrong && !is_bench) wrong = "it has no \"format\": \"freebody-bench\"";
  if (!wrong && e->nmodel == 0) wrong = "it has no models";
  return wrong ? refuse(error, FB_ERR_CONTENT, file, 0, "not the JSON of a benchmark: ", wrong) : FB_OK;
}

enum { LARGEST_FILE = 4 << 20 };

/* The whole file, zero-terminated, to be freed; NULL and an error. */
static char* read_text(const char* file, fb_error* error) {
  FILE* in = fopen(file, "rb");
  char* text = in ? (char*)malloc(LARGEST_FILE + 1) : NULL;
  if (text) {
    size_t size = fread(text, 1, LARGEST_FILE, in);
    text[size] = 0;
    if (feof(in)) {
      fclose(in);
      return text;
    }
  }
  if (!in || (text && ferror(in)))
    refuse(error, FB_ERR_IO, file, 0, "cannot be read: ", strerror(errno));
  else if (text)
    refuse(error, FB_ERR_CONTENT, file, 0, "not the JSON of a benchmark: ", "it is too large");
  else
    fb_fail(error, FB_ERR_MEMORY, "out of memory for %s", file);
  if (in) fclose(in);
  free(text);
  return NULL;
}

fb_status bench_earlier_read(bench_earlier* e, const char* file, fb_error* error) {
  char* text = read_text(file, error);
  if (!text) return error->status;
  fb_status status = bench_earlier_parse(e, text, file, error);
  free(text);
  return status;
}

const bench_earlier_model* bench_earlier_find(const bench_report* report, int index) {
  const bench_earlier* e = report->earlier;
  const char* name = report->model[index].name;
  int before = 0;
  for (int i = 0; i < index; i++) before += strcmp(report->model[i].name, name) == 0;
  for (int i = 0; i < e->nmodel; i++)
    if (strcmp(e->model[i].name, name) == 0 && before-- == 0) return &e->model[i];
  return NULL;
}
