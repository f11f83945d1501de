/* numbers.c -- the numbers of two summaries, side by side: steps, ledger. summary.json exists when a run has ended, and
 * nothing is missed where it does not, or where it is not what Freebody writes. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <freebody/support/files.h>

#include "document/document.h"
#include "run/compare/compare.h"
#include "run/store/store.h"
#include "text/path.h"

/* Links, and what is no file, are passed over; what cannot be looked at may be there. */
static int has_summary(const char* file) {
  struct stat info;
  if (lstat(file, &info) != 0) return errno != ENOENT && errno != ENOTDIR;
  return S_ISREG(info.st_mode);
}

/* *doc is NULL where there is none, or one that is no summary. */
static fb_status read_summary(const fb_store* run, fb_doc** doc, fb_error* error) {
  char *file = fb_path_beside(run->path, "summary.json"), *text = NULL;
  size_t size;
  *doc = NULL;
  fb_status status = file ? FB_OK : fb_store_no_memory(error);
  if (status == FB_OK && has_summary(file)) status = fb_file_read(file, &text, &size, error);
  if (text) status = fb_doc_parse(text, size, file, doc, error);
  if (text && status != FB_ERR_MEMORY) status = FB_OK;
  free(text);
  free(file);
  return status;
}

/* The number under keys of a summary, or NAN. */
static double number_at(const fb_node* map, const char* key, const char* inner) {
  const fb_node* node = map ? fb_map_get(map, key) : NULL;
  double x;
  if (node && inner) node = fb_map_get(node, inner);
  return node && fb_node_number(node, FB_Q_NONE, &x, NULL) == FB_OK ? x : NAN;
}

/* What a run was, but for its clock. */
static const struct {
  const char *key, *inner;
} NUMBERS[] = {
    {"duration", NULL},
    {"t", NULL},
    {"steps", NULL},
    {"rejected", NULL},
    {"evaluations", NULL},
    {"samples", NULL},
    {"event_count", NULL},
    {"energy", "start"},
    {"energy", "end"},
    {"energy", "work"},
    {"energy", "external"},
    {"energy", "dissipated"},
    {"energy", "impacts"},
    {"energy", "normal"},
    {"energy", "friction"},
    {"energy", "projection"},
    {"energy", "loops"},
    {"energy", "residual"},
    {"energy", "relative"},
    {"energy", "worst_relative"},
    {"momentum", "linear_residual"},
    {"momentum", "linear_relative"},
    {"momentum", "angular_residual"},
    {"momentum", "angular_relative"},
    {"momentum", "worst_relative"},
};
enum { COUNT = sizeof NUMBERS / sizeof *NUMBERS };

static fb_status put(fb_comparison* c, fb_doc* const docs[2], fb_error* error) {
  const fb_node* roots[2] = {docs[0] ? fb_doc_root(docs[0]) : NULL, docs[1] ? fb_doc_root(docs[1]) : NULL};
  c->numbers = fb_comparison_take(c, COUNT, sizeof *c->numbers);
  if (!c->numbers) return fb_store_no_memory(error);
  for (size_t i = 0; i < COUNT; i++) {
    char name[64];
    const char *key = NUMBERS[i].key, *inner = NUMBERS[i].inner;
    double a = number_at(roots[0], key, inner), b = number_at(roots[1], key, inner);
    if (isnan(a) && isnan(b)) continue;
    snprintf(name, sizeof name, "%s%s%s", key, inner ? "." : "", inner ? inner : "");
    const char* copy = fb_comparison_text(c, name);
    if (!copy) return fb_store_no_memory(error);
    c->numbers[c->nnumber++] = (fb_compared_number){copy, a, b};
  }
  return FB_OK;
}

fb_status fb_compare_numbers(fb_compare_work* work, fb_error* error) {
  fb_doc* docs[2] = {NULL, NULL};
  fb_status status = FB_OK;
  for (int k = 0; k < 2 && status == FB_OK; k++) status = read_summary(work->runs[k], &docs[k], error);
  if (status == FB_OK) status = put(work->out, docs, error);
  for (int k = 0; k < 2; k++) fb_doc_free(docs[k]);
  return status;
}
