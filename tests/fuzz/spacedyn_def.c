/* spacedyn_def.c -- harness: the model files of SpaceDyn's C++ library. */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_model_text(data, size, FB_FORMAT_SPACEDYN_DEF);
  return 0;
}
