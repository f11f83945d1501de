/* document_rig.h -- documents from texts. Include after cmocka.h. */
#ifndef FB_TESTS_DOCUMENT_RIG_H
#define FB_TESTS_DOCUMENT_RIG_H

#include <string.h>

#include "document/document.h"

static inline fb_doc* parse(const char* text) {
  fb_doc* doc = NULL;
  fb_error error;
  char message[1400];
  if (fb_doc_parse(text, strlen(text), "test.yaml", &doc, &error))
    fail_msg("%s: %s", text, fb_error_format(&error, message, sizeof message));
  return doc;
}

#endif
