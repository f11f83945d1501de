/* run_select.c -- names of signals, as people type them, to signals of a run. */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "io/run_part.h"
#include "io/run_store.h"

/* Whether a name, of the given length, stands for a signal; star: a "*" followed it. */
static int stands_for(const char* name, size_t length, int star, const char* signal) {
  if (strncmp(signal, name, length) != 0) return 0;
  if (star || !signal[length]) return 1;
  return signal[length] == '.' && !strchr(signal + length + 1, '.');
}

/* The names and their stems, to suggest one of; the stems are cut from copies. */
static fb_status fail_unknown(const fb_run* run, const char* name, fb_error* error) {
  size_t n = (size_t)run->nsignal, count = 0;
  const char** words = (const char**)calloc(2 * n + 1, sizeof *words);
  char** stems = (char**)calloc(n + 1, sizeof *stems);
  fb_status status = words && stems ? FB_OK : fb_run_no_memory(error);
  for (size_t i = 0; i < n && status == FB_OK; i++) {
    words[count++] = run->signals[i].name;
    char* dot = strrchr(run->signals[i].name, '.');
    stems[i] = strdup(run->signals[i].name);
    if (!stems[i]) status = fb_run_no_memory(error);
    if (!dot || !stems[i]) continue;
    stems[i][dot - run->signals[i].name] = '\0';
    words[count++] = stems[i];
  }
  char near[FB_SUGGESTION_SIZE];
  if (status == FB_OK) {
    fb_suggestion(name, words, near);
    status = fb_run_fail_at(run->path, error, FB_ERR_NAME, "the run has no signal '%.200s'%s", name,
                            near[0] ? near : "; 'freebody export RUN --list' shows those it has");
  }
  for (size_t i = 0; stems && i < n; i++) free(stems[i]);
  free(stems);
  free(words);
  return status;
}

fb_status fb_run_select(const fb_run* run, const char* name, int* signals, int* count, fb_error* error) {
  size_t length = strlen(name);
  int star = length > 0 && name[length - 1] == '*', matched = 0;
  if (star) length--;
  for (int i = 0; i < run->nsignal; i++) {
    if (!stands_for(name, length, star, run->signals[i].name)) continue;
    matched = 1;
    int known = 0;
    for (int j = 0; j < *count && !known; j++) known = signals[j] == i;
    if (!known) signals[(*count)++] = i;
  }
  if (matched) return FB_OK;
  if (strcmp(name, "t") == 0)
    return fb_run_fail_at(run->path, error, FB_ERR_NAME,
                          "'t' is the time, which is always there; name signals");
  return fail_unknown(run, name, error);
}
