/* selection.c -- names of signals, as people type them, to signals of a run. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "run/store/store.h"
#include "text/files.h"

/* Whether a name, of the given length, is the beginning of a signal's up to its end or a dot; star: up to anywhere. */
static int stands_for(const char* name, size_t length, int star, const char* signal) {
  if (strncmp(signal, name, length) != 0) return 0;
  return star || !signal[length] || signal[length] == '.';
}

/* The names and what they begin with up to their first and last dots, to suggest one of; those are cut from copies. */
static fb_status fail_unknown(const fb_store* run, const char* name, fb_error* error) {
  size_t n = (size_t)run->nsignal, count = 0;
  const char** words = calloc(3 * n + 1, sizeof *words);
  char** stems = calloc(2 * n + 1, sizeof *stems);
  fb_status status = words && stems ? FB_OK : fb_store_no_memory(error);
  for (size_t i = 0; i < 2 * n && status == FB_OK; i++) {
    const char* whole = run->signals[i / 2].name;
    const char* dot = i % 2 ? strrchr(whole, '.') : strchr(whole, '.');
    if (i % 2) words[count++] = whole;
    if (!dot) continue;
    stems[i] = strdup(whole);
    if (!stems[i]) {
      status = fb_store_no_memory(error);
      break;
    }
    stems[i][dot - whole] = '\0';
    words[count++] = stems[i];
  }
  char near[FB_SUGGESTION_SIZE];
  if (status == FB_OK) {
    fb_suggestion(name, words, near);
    status = fb_file_fail(run->path, error, FB_ERR_NAME, "the run has no signal '%.200s'%s", name,
                          near[0] ? near : "; 'freebody export RUN --list' shows those it has");
  }
  for (size_t i = 0; stems && i < 2 * n; i++) free(stems[i]);
  free(stems);
  free(words);
  return status;
}

/* Unless it is among the first `before`, which an earlier name has chosen: one name chooses each signal once. */
static void add_once(int signal, int before, int* signals, int* count) {
  for (int i = 0; i < before; i++)
    if (signals[i] == signal) return;
  signals[(*count)++] = signal;
}

fb_status fb_store_select(const fb_store* run, const char* name, int* signals, int* count, fb_error* error) {
  size_t length = strlen(name);
  int star = length > 0 && name[length - 1] == '*', matched = 0, before = *count;
  if (star) length--;
  int exact = fb_store_find(run, name);
  if (exact >= 0) {
    add_once(exact, before, signals, count);
    return FB_OK;
  }
  for (int i = 0; i < run->nsignal; i++) {
    if (!stands_for(name, length, star, run->signals[i].name)) continue;
    matched = 1;
    add_once(i, before, signals, count);
  }
  if (matched) return FB_OK;
  if (strcmp(name, "t") == 0)
    return fb_file_fail(run->path, error, FB_ERR_NAME,
                        "'t' is the time, which is always there; name signals");
  return fail_unknown(run, name, error);
}
