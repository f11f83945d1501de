/* dae.c -- harness: meshes, from seeds of COLLADA. */
#include "fuzz_mesh.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_mesh(data, size);
  return 0;
}
