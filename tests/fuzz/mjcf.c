/* mjcf.c -- harness: MJCF. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_model_text(data, size, FB_FORMAT_MJCF);
  return 0;
}
