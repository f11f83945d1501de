/* urdf.c -- harness: URDF. */
#include <stdlib.h>

#include <freebody/io.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_model_def* def = NULL;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_URDF;
  char* text = fuzz_text(data, size);
  fb_status status = fb_model_def_parse(text, size, "input", &options, &def, &error);
  fuzz_check(fuzz_ok(status, &error) == (def != NULL), "a definition and a status that do not fit");
  if (def) fuzz_model(def);
  fb_model_def_free(def);
  free(text);
  return 0;
}
