/* test_bench_against.c -- `freebody bench --against FILE` puts the figures of an earlier run beside the new ones, says
 * what one side lacks, and refuses files that are no such figures. */
#define _XOPEN_SOURCE 700
#include "run_command.h"

#include <math.h>

#include "bench_earlier.h"
#include "document/document.h"

static const char EARLIER[] =
    "{\"format\": \"freebody-bench\", \"version\": \"0.0.9\", \"date\": \"2026-01-02T03:04:05Z\",\n"
    " \"machine\": {\"cpu\": \"An abacus\", \"compiler\": \"cc 1.0\", \"optimised\": false},\n"
    " \"runners\": [{\"name\": \"Freebody\"}, {\"name\": \"MuJoCo\"}],\n"
    " \"models\": [\n"
    "  {\"name\": \"fix7\", \"isa\": \"v9\", \"results\": [\n"
    "   {\"runner\": \"Freebody\", \"ns\": {\"forward_dynamics\": 1000, \"poses\": 50.5, \"leaps\": 3}},\n"
    "   {\"runner\": \"MuJoCo\", \"ns\": {\"forward_dynamics\": 7}}]},\n"
    "  {\"name\": \"arm9\", \"results\": [{\"runner\": \"Freebody\", \"ns\": {\"poses\": 1}}]}]}\n";

static int open_scratch(void** state) {
  if (scratch_open(state)) return -1;
  spill("earlier.json", EARLIER);
  spill("model.yaml", "freebody: 1\nbodies: []\n");
  spill("other.json", "{\"format\": \"freebody-run\", \"models\": [{\"name\": \"a\"}]}");
  spill("empty.json", "");
  spill("cut.json", "{\"format\": \"freebody-bench\",\n \"models\": [{\"name\": \"fix7\"");
  spill("bare.json", "{\"format\": \"freebody-bench\"}");
  spill("peers.json",
        "{\"format\": \"freebody-bench\", \"models\": [{\"name\": \"a\", \"results\": [{\"runner\": "
        "\"X\"}]}]}");
  return 0;
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static bench_earlier earlier;

static void figures_of_an_earlier_run_are_read(void** state) {
  (void)state;
  fb_error error;
  assert_int_equal(bench_earlier_parse(&earlier, EARLIER, "earlier.json", &error), FB_OK);
  assert_int_equal(earlier.nmodel, 2);
  assert_string_equal(earlier.version, "0.0.9");
  assert_string_equal(earlier.cpu, "An abacus");
  assert_string_equal(earlier.unknown, "leaps");
  assert_string_equal(earlier.model[0].name, "fix7");
  assert_string_equal(earlier.model[0].isa, "v9");
  assert_true(earlier.model[0].ns[BENCH_FORWARD] == 1000); /* Freebody's, not the peer's 7 */
  assert_true(earlier.model[0].ns[BENCH_POSES] == 50.5);
  assert_true(isnan(earlier.model[0].ns[BENCH_INVERSE]));
}

static void models_of_one_name_are_matched_in_their_order(void** state) {
  (void)state;
  static bench_report report;
  fb_error error;
  static const char text[] =
      "{\"format\": \"freebody-bench\", \"models\": [{\"name\": \"a\"}, {\"name\": \"b\"}, {\"name\": "
      "\"a\"}]}";
  assert_int_equal(bench_earlier_parse(&earlier, text, "f", &error), FB_OK);
  report.earlier = &earlier;
  report.nmodel = 3;
  for (int i = 0; i < 3; i++) snprintf(report.model[i].name, sizeof report.model[i].name, "a");
  assert_ptr_equal(bench_earlier_find(&report, 0), &earlier.model[0]);
  assert_ptr_equal(bench_earlier_find(&report, 1), &earlier.model[2]);
  assert_null(bench_earlier_find(&report, 2));
}

typedef struct text_case {
  const char *text, *problem;
} text_case;

static void text_that_is_not_json_is_refused_with_its_fault(void** state) {
  (void)state;
  static const text_case cases[] = {
      {"", "the text ends too early"},        {"[1 2]", "a comma is missing"},
      {"{\"a\" 1}", "a colon is missing"},    {"{1: 2}", "a text in quotes is missing"},
      {"[\"a", "a text is not closed"},       {"[\"\\q\"]", "a backslash is followed by none of"},
      {"[\"\\u12g4\"]", "four hex digits"},   {"[nul]", "neither a text nor a number"},
      {"[1] 2", "something follows the end"}, {"[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "nested too deeply"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error;
    assert_int_equal(bench_earlier_parse(&earlier, cases[i].text, "f.json", &error), FB_ERR_SYNTAX);
    if (!strstr(error.text, cases[i].problem)) fail_msg("%s: %s", cases[i].text, error.text);
    assert_int_equal(error.place.line, 1);
  }
}

/* ---- the command ------------------------------------------------------------------------------------- */

static void the_table_has_both_runs_and_says_what_one_lacks(void** state) {
  (void)state;
#define LINE "$FB bench --seconds 0 --against earlier.json fix7 arm6"
  static const shell_case cases[] = {
      {LINE, 0, "in earlier.json (Freebody 0.0.9, 2026-01-02T03:04:05Z); ratio: now over earlier", ""},
      {LINE, 0, "another processor, An abacus", ""},
      {LINE, 0, "compiled by cc 1.0", ""},
      {LINE, 0, "one for debugging", ""},
      {LINE, 0, "used the kernels v9", ""},
      {LINE, 0, "fix7         7 now ", ""},
      {LINE, 0, "               earlier       1000          -", ""},
      {LINE, 0, "only now: arm6\n", ""},
      {LINE, 0, "only earlier: arm9\n", ""},
      {LINE, 0, "Quantities measured only now: inverse_dynamics, inertia_matrix", ""},
      {LINE, 0, "Quantities measured only earlier: leaps\n", ""},
  };
#undef LINE
  CHECK_CASES(cases);
}

static void files_that_are_no_figures_are_refused_with_what_to_do(void** state) {
  (void)state;
#define REMEDY "write one with: freebody bench --json > before.json"
  static const shell_case cases[] = {
      {"$FB bench --against none.json", 2, "",
       "none.json: cannot be read: No such file or directory; " REMEDY},
      {"$FB bench --against .", 2, "", ".: cannot be read: Is a directory; " REMEDY},
      {"$FB bench --against empty.json", 2, "", "empty.json:1: not JSON: the text ends too early; " REMEDY},
      {"$FB bench --against cut.json", 2, "", "cut.json:2: not JSON: the text ends too early; " REMEDY},
      {"$FB bench --against model.yaml", 2, "", "model.yaml:1: not JSON: "},
      {"$FB bench --against other.json", 2, "", "not the JSON of a benchmark: it has no \"format\""},
      {"$FB bench --against bare.json", 2, "", "it has no models; " REMEDY},
      {"$FB bench --against peers.json", 2, "", "the first results of a model are not Freebody's; " REMEDY},
      {"$FB bench --against", 2, "", "--against"},
  };
#undef REMEDY
  CHECK_CASES(cases);
}

static double number(const fb_node* map, const char* key) {
  const fb_node* node = fb_map_get(map, key);
  if (!node) fail_msg("no '%s' in what bench printed", key);
  return strtod(fb_node_text(node), NULL);
}

static void json_has_the_earlier_times_and_the_ratios(void** state) {
  (void)state;
  outcome o = run("$FB bench --seconds 0 --json --against earlier.json fix7 arm6");
  assert_int_equal(o.code, 0);
  fb_doc* doc = NULL;
  fb_error error;
  assert_int_equal(fb_doc_parse(o.out, strlen(o.out), "bench", &doc, &error), FB_OK);
  const fb_node* against = fb_map_get(fb_doc_root(doc), "against");
  assert_non_null(against);
  assert_string_equal(fb_node_text(fb_map_get(against, "file")), "earlier.json");
  assert_string_equal(fb_node_text(fb_node_item(fb_map_get(against, "models_only_now"), 0)), "arm6");
  assert_string_equal(fb_node_text(fb_node_item(fb_map_get(against, "models_only_earlier"), 0)), "arm9");
  const fb_node* models = fb_map_get(fb_doc_root(doc), "models");
  const fb_node* fix7 = fb_node_item(fb_map_get(fb_node_item(models, 0), "results"), 0);
  double ns = number(fb_map_get(fix7, "ns"), "forward_dynamics");
  double ratio = number(fb_map_get(fix7, "ratio_to_earlier"), "forward_dynamics");
  assert_true(number(fb_map_get(fix7, "earlier"), "forward_dynamics") == 1000);
  assert_true(fabs(ratio - ns / 1000) < 2e-4); /* printed with four digits after the point, ns with one */
  const fb_node* arm6 = fb_node_item(fb_map_get(fb_node_item(models, 1), "results"), 0);
  assert_null(fb_map_get(arm6, "earlier"));
  fb_doc_free(doc);
  outcome_free(&o);
}

static void what_the_command_writes_can_be_compared_with(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB bench --seconds 0 --json fix7 >before.json", 0, "", ""},
      {"$FB bench --seconds 0 --against before.json --json fix7 >after.json", 0, "", ""},
      {"$FB bench --seconds 0 --against after.json fix7", 0, "in after.json", ""},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(figures_of_an_earlier_run_are_read),
      cmocka_unit_test(models_of_one_name_are_matched_in_their_order),
      cmocka_unit_test(text_that_is_not_json_is_refused_with_its_fault),
      cmocka_unit_test(the_table_has_both_runs_and_says_what_one_lacks),
      cmocka_unit_test(files_that_are_no_figures_are_refused_with_what_to_do),
      cmocka_unit_test(json_has_the_earlier_times_and_the_ratios),
      cmocka_unit_test(what_the_command_writes_can_be_compared_with),
  };
  return cmocka_run_group_tests(tests, open_scratch, scratch_close);
}
