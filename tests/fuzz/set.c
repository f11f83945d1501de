/* set.c -- harness: values of --set, one a line, applied to a scenario that has everything. */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

enum { MOST = 8 };

/* Cuts a text into its lines; the list ends with NULL. */
static void cut(char* text, const char* lines[MOST + 1]) {
  int n = 0;
  for (char *line = text, *end; n < MOST && *line; line = end) {
    end = line + strcspn(line, "\n");
    if (*end) *end++ = '\0';
    lines[n++] = line;
  }
  lines[n] = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static char* base;
  static size_t base_size;
  const char* lines[MOST + 1];
  if (!base) {
    base = (char*)fuzz_read(FB_TEST_DATA "/scenario/full.yaml", &base_size);
    base[base_size] = '\0';
  }
  char* text = fuzz_text(data, size);
  cut(text, lines);
  fb_scenario* s = fuzz_scenario(base, base_size, lines);
  if (s) fuzz_simulate(s);
  fb_scenario_free(s);
  free(text);
  return 0;
}
