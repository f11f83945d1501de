/* native.c -- harness: models in the native format, YAML and JSON. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_model_text(data, size, FB_FORMAT_YAML);
  return 0;
}
