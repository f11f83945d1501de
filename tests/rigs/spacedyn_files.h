/* spacedyn_files.h -- SpaceDyn's reference files as documents. Include after cmocka.h. */
#ifndef FB_TESTS_SPACEDYN_FILES_H
#define FB_TESTS_SPACEDYN_FILES_H

#include <stdio.h>
#include <stdlib.h>

#include <freebody/support/files.h>

#include "document/document.h"

/* A file of tests/data/reference/spacedyn, or the test fails with the reader's message. */
static inline fb_doc* read_document(const char* name) {
  char file[512], *text;
  size_t size;
  fb_error error;
  fb_doc* doc = NULL;
  snprintf(file, sizeof file, "%s/reference/spacedyn/%s", FB_TEST_DATA, name);
  if (fb_file_read(file, &text, &size, &error) || fb_doc_parse(text, size, name, &doc, &error))
    fail_msg("%s", error.text);
  free(text);
  return doc;
}

#endif
