/* lcp.c -- harness: files of linear complementarity problems, solved. */
#include <stdlib.h>
#include <string.h>

#include <freebody/eval.h>

#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  char *text = fuzz_text(data, size), *reply = NULL;
  size_t reply_size = 0;
  fb_error error;
  fb_status status = fb_eval_lcp(text, size, "input.json", 1, &reply, &reply_size, &error);
  if (fuzz_ok(status, &error)) {
    fuzz_check(reply && strlen(reply) == reply_size, "solutions that are no text");
    fuzz_accept();
  } else {
    fuzz_check(!reply, "a reply with an error");
  }
  free(reply);
  free(text);
  return 0;
}
