/* mjcf.c -- harness: MJCF, as a model and as a scenario, which is a document that can be read. */
#include <stdlib.h>
#include <string.h>

#include "document/document.h"
#include "format/mjcf/mjcf.h"
#include "fuzz.h"

static void check_scenario(const char* text, size_t size, int contacts) {
  fb_io_options options = fb_default_io_options();
  fb_error error = {0};
  fb_doc* doc = NULL;
  char* scenario = NULL;
  size_t length = 0;
  fb_status status =
      fb_mjcf_scenario(text, size, "input", "input.xml", contacts, &options, &scenario, &length, &error);
  fuzz_check(!status == (scenario != NULL), "a scenario and a status that do not agree");
  fuzz_check(!status || error.text[0], "status %d without a text", (int)status);
  if (!status && fb_doc_parse(scenario, length, "scenario", &doc, &error))
    fuzz_fail("the scenario cannot be read: %s\n%s", error.text, scenario);
  fb_doc_free(doc);
  free(scenario);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz_model_text(data, size, FB_FORMAT_MJCF);
  char* text = malloc(size + 1);
  if (!text) return 0;
  if (size) memcpy(text, data, size);
  text[size] = '\0';
  for (int contacts = 0; contacts < 2; contacts++) check_scenario(text, size, contacts);
  free(text);
  return 0;
}
