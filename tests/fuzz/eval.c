/* eval.c -- harness: evaluation files, evaluated with every output that they have. */
#include <stdlib.h>
#include <string.h>

#include "eval/eval.h"
#include "fuzz.h"

#define FILE_NAME FB_TEST_DATA "/models/input.json" /* models that it names lie there */

/* One case with the outputs that are flagged. */
static fb_status evaluate_case(fb_eval* eval, int index, const char* wanted, fb_json* json, fb_error* error) {
  unsigned needs = fb_eval_needs(eval->format, wanted);
  fb_status status = fb_eval_read_case(eval, index, needs, error);
  if (status != FB_OK) return status;
  fb_eval_compute(eval, needs);
  fb_eval_write(eval, wanted, json);
  fuzz_accept();
  return FB_OK;
}

/* Each case with the outputs that are printed unasked, and then with all of them. */
static fb_status evaluate(fb_eval* eval, const fb_doc* doc, fb_json* json, fb_error* error) {
  char wanted[FB_EVAL_MAX_OUTPUTS], all[FB_EVAL_MAX_OUTPUTS];
  fb_status status = fb_eval_open(eval, doc, FILE_NAME, NULL, error);
  if (status == FB_OK) status = fb_eval_select(eval->format, NULL, wanted, error);
  if (status != FB_OK) return status;
  memset(all, 1, sizeof all);
  fb_json_begin_list(json);
  for (int i = 0; i < fb_node_count(eval->cases) && status == FB_OK; i++) {
    status = evaluate_case(eval, i, wanted, json, error);
    if (status == FB_OK) evaluate_case(eval, i, all, json, error);
  }
  fb_json_end_list(json);
  return status;
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fb_doc* doc = NULL;
  fb_eval eval;
  fb_error error;
  char* text = fuzz_text(data, size);
  memset(&eval, 0, sizeof eval);
  fb_json* json = fb_json_new(1);
  fb_status status = fb_doc_parse(text, size, FILE_NAME, &doc, &error);
  if (status == FB_OK) status = evaluate(&eval, doc, json, &error);
  char* printed = NULL;
  if (fuzz_ok(status, &error)) {
    size_t printed_size;
    printed = fb_json_finish(json, &printed_size);
    fuzz_check(printed && strlen(printed) == printed_size, "outputs that are no text");
  } else {
    fb_json_free(json);
  }
  free(printed);
  fb_eval_close(&eval);
  fb_doc_free(doc);
  free(text);
  return 0;
}
