/* scenario.c -- harness: scenarios, and bare models that run as one. */
#include <stdlib.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char* text = fuzz_text(data, size);
  fb_scenario* s = fuzz_scenario(text, size, NULL);
  if (s) fuzz_simulate(s);
  fb_scenario_free(s);
  free(text);
  return 0;
}
