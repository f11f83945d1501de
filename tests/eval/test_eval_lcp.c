/* test_eval_lcp.c -- files of complementarity problems: those of the contact reference, whose solutions come from other
 * programs, and files that are wrong.
 *
 * data/contact/lcp_problems.json is the reference, unchanged; its `meta` says how to compare. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <freebody/eval.h>
#include <freebody/support/files.h>

#include "document/document.h"
#include "lcp_rig.h"

static fb_doc* read_document(const char* text, size_t size) {
  fb_doc* doc = NULL;
  fb_error error;
  assert_int_equal(fb_doc_parse(text, size, "lcp.json", &doc, &error), FB_OK);
  return doc;
}

static void numbers(const fb_node* map, const char* key, int n, double* out) {
  fb_error error;
  assert_int_equal(fb_node_numbers(fb_map_get(map, key), FB_Q_NONE, n, out, &error), FB_OK);
}

static const char* text_of(const fb_node* map, const char* key) {
  return fb_node_text(fb_map_get(map, key));
}

/* z or w, whichever is unique. The reference has residuals of up to 4e-12 of q, and matrices whose entries are 1e-6. */
static void compare_unique(const fb_node* asked, const lcp_problem* p) {
  const char* unique = text_of(asked, "unique");
  if (strcmp(unique, "none") == 0) return;
  double *want = lcp_numbers((size_t)p->n), *got = *unique == 'z' ? p->z : p->w;
  numbers(asked, unique, p->n, want);
  double difference = worst_difference(want, got, p->n), size = worse_of(1, worst_of(want, p->n));
  if (!(difference <= 1e-9 * size))
    fail_msg("problem %s: %s differs by %g", text_of(asked, "id"), unique, difference);
  free(want);
}

static void check_solution(const fb_node* asked, const fb_node* answer, int n) {
  fb_error error;
  lcp_problem p = lcp_problem_new(n);
  double residual, relative;
  assert_int_equal(fb_node_matrix(fb_map_get(asked, "M"), n, n, p.M, &error), FB_OK);
  numbers(asked, "q", n, p.q);
  numbers(answer, "z", n, p.z);
  numbers(answer, "w", n, p.w);
  assert_int_equal(fb_node_number(fb_map_get(answer, "residual"), FB_Q_NONE, &residual, &error), FB_OK);
  assert_int_equal(fb_node_number(fb_map_get(answer, "rel_residual"), FB_Q_NONE, &relative, &error), FB_OK);
  double found = lcp_error(&p), size = worse_of(1, worst_of(p.q, n));
  if (!(found <= 1e-10 && relative <= 1e-10 && fabs(residual - size * relative) <= 1e-15 * residual))
    fail_msg("problem %s: the residual is %g, printed %g and %g", text_of(asked, "id"), found, residual,
             relative);
  compare_unique(asked, &p);
  lcp_problem_free(&p);
}

/* 1 when it is solved. */
static int check_problem(const fb_node* asked, const fb_node* answer) {
  fb_error error;
  int n;
  const char *category = text_of(asked, "category"), *want = text_of(asked, "status"),
             *got = text_of(answer, "status");
  assert_string_equal(text_of(asked, "id"), text_of(answer, "id"));
  assert_int_equal(fb_node_int(fb_map_get(asked, "n"), &n, &error), FB_OK);
  if (strcmp(got, "solution") == 0)
    check_solution(asked, answer, n);
  else
    assert_int_equal(fb_node_get_kind(fb_map_get(answer, "z")), FB_NODE_NULL);
  int either = strcmp(category, "general_enumerated") == 0; /* another path may find a solution, or none */
  if (strcmp(got, want) != 0 && !(either && strcmp(got, "inexact") != 0))
    fail_msg("problem %s (%s): %s, but the reference has %s", text_of(asked, "id"), category, got, want);
  return strcmp(got, "solution") == 0;
}

static void the_reference_problems_are_solved(void** unused) {
  (void)unused;
  char *text, *reply;
  size_t size, reply_size;
  fb_error error;
  int solved = 0;
  assert_int_equal(fb_file_read(FB_TEST_DATA "/contact/lcp_problems.json", &text, &size, &error), FB_OK);
  assert_int_equal(fb_eval_lcp(text, size, "lcp.json", 0, &reply, &reply_size, &error), FB_OK);
  fb_doc *asked = read_document(text, size), *answered = read_document(reply, reply_size);
  const fb_node* problems = fb_map_get(fb_doc_root(asked), "problems");
  const fb_node* answers = fb_map_get(fb_doc_root(answered), "problems");
  assert_int_equal(fb_node_count(problems), 246);
  assert_int_equal(fb_node_count(answers), 246);
  for (int i = 0; i < 246; i++) solved += check_problem(fb_node_item(problems, i), fb_node_item(answers, i));
  assert_true(solved >= 212); /* of them 13 of general_enumerated */
  fb_doc_free(asked);
  fb_doc_free(answered);
  free(text);
  free(reply);
}

/* What a problem is answered; z 0: no solution that a double can have, or none at all. */
static const struct {
  const char *M, *q, *status;
  double z[2];
} WIDE[] = {
    {"[[1e300, 0], [0, 1e-300]]", "[-1, -1]", "solution", {1e-300, 1e300}},
    {"[[1e-300, 0], [0, 1e300]]", "[-1, -3]", "solution", {1e300, 3e-300}},
    {"[[1e20, 0], [0, 1e-20]]", "[-1, -1]", "solution", {1e-20, 1e20}},
    {"[[1e300, 0], [0, 1e-300]]", "[-1, 1]", "solution", {1e-300, 0}},
    {"[[1e300, 1], [1, 1e-300]]", "[-1, -1]", "solution", {0, 0}}, /* not unique */
    {"[[1, 0], [0, 1e-320]]", "[-1, -1]", "inexact", {0, 0}},
    {"[[1, 0], [0, 1e-300]]", "[-1, -1e300]", "inexact", {0, 0}},
    {"[[1, 0], [0, -1e-300]]", "[-1, -1]", "ray", {0, 0}},
    {"[[1, 0], [-1e-300, 0]]", "[-1, -1]", "ray", {0, 0}},
};

static void small_numbers_are_not_taken_for_zero_and_no_ray_is_false(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof WIDE / sizeof WIDE[0]; i++) {
    char text[240], *reply;
    size_t size;
    double z[2] = {0, 0};
    fb_error error;
    snprintf(text, sizeof text, "{\"problems\": [{\"id\": 0, \"n\": 2, \"M\": %s, \"q\": %s}]}", WIDE[i].M,
             WIDE[i].q);
    assert_int_equal(fb_eval_lcp(text, strlen(text), "lcp.json", 0, &reply, &size, &error), FB_OK);
    fb_doc* answered = read_document(reply, size);
    const fb_node* answer = fb_node_item(fb_map_get(fb_doc_root(answered), "problems"), 0);
    if (strcmp(text_of(answer, "status"), WIDE[i].status) != 0)
      fail_msg("M = %s, q = %s: %s", WIDE[i].M, WIDE[i].q, text_of(answer, "status"));
    if (WIDE[i].z[0] > 0) numbers(answer, "z", 2, z);
    for (int k = 0; k < 2; k++)
      if (WIDE[i].z[0] > 0 && !(fabs(z[k] - WIDE[i].z[k]) <= 1e-14 * WIDE[i].z[k]))
        fail_msg("M = %s, q = %s: z_%d = %g", WIDE[i].M, WIDE[i].q, k, z[k]);
    fb_doc_free(answered);
    free(reply);
  }
}

/* A file, and what is printed, or the message. */
static const struct {
  const char *text, *reply, *message;
} FILES[] = {
    {"{\"problems\": []}", "{\"problems\": []}", NULL},
    {"{\"problems\": [{\"id\": \"a\", \"n\": 1, \"M\": [[2]], \"q\": [-1], \"why\": {}}], \"meta\": 1}",
     "{\"problems\": [{\"id\": \"a\", \"status\": \"solution\", \"z\": [0.5], \"w\": [0], \"residual\": 0, "
     "\"rel_residual\": 0}]}",
     NULL},
    {"{\"problems\": [{\"id\": 7, \"n\": 0, \"M\": [], \"q\": []}]}",
     "{\"problems\": [{\"id\": 7, \"status\": \"solution\", \"z\": [], \"w\": [], \"residual\": 0, "
     "\"rel_residual\": 0}]}",
     NULL},
    {"{\"problems\": [{\"id\": 7, \"n\": 1, \"M\": [[0]], \"q\": [-3]}]}",
     "{\"problems\": [{\"id\": 7, \"status\": \"ray\", \"z\": null, \"w\": null, \"residual\": null, "
     "\"rel_residual\": null}]}",
     NULL},
    {"[]", NULL, "an object {\"problems\": [..]}"},
    {"", NULL, "lcp.json"},
    {"{\"problems\": [", NULL, "lcp.json"},
    {"{}", NULL, "the key 'problems' is missing"},
    {"{\"problems\": 3}", NULL, "`problems` must be a list"},
    {"{\"problems\": [3]}", NULL, "a problem is an object"},
    {"{\"problems\": [{\"n\": 1, \"M\": [[1]], \"q\": [1]}]}", NULL, "the key 'id' is missing"},
    {"{\"problems\": [{\"id\": [1], \"n\": 1, \"M\": [[1]], \"q\": [1]}]}", NULL,
     "`id` must be a number or a text"},
    {"{\"problems\": [{\"id\": 1, \"M\": [[1]], \"q\": [1]}]}", NULL, "the key 'n' is missing"},
    {"{\"problems\": [{\"id\": 1, \"n\": 1, \"q\": [1]}]}", NULL, "the key 'M' is missing"},
    {"{\"problems\": [{\"id\": 1, \"n\": 1, \"M\": [[1]]}]}", NULL, "the key 'q' is missing"},
    {"{\"problems\": [{\"id\": 1, \"n\": 1.5, \"M\": [[1]], \"q\": [1]}]}", NULL, "a whole number"},
    {"{\"problems\": [{\"id\": 1, \"n\": -1, \"M\": [], \"q\": []}]}", NULL, "`n` is -1"},
    {"{\"problems\": [{\"id\": 1, \"n\": 2000000000, \"M\": [[1]], \"q\": [1]}]}", NULL,
     "`q` must be a list of n ="},
    {"{\"problems\": [{\"id\": 1, \"n\": 2, \"M\": [[1, 0]], \"q\": [1, 1]}]}", NULL, "a list of n = 2 rows"},
    {"{\"problems\": [{\"id\": 1, \"n\": 2, \"M\": [[1, 0], [1]], \"q\": [1, 1]}]}", NULL,
     "a row of `M` must be"},
    {"{\"problems\": [{\"id\": 1, \"n\": 2, \"M\": [1, 0], \"q\": [1, 1]}]}", NULL, "a row of `M` must be"},
    {"{\"problems\": [{\"id\": 1, \"n\": 1, \"M\": [[\"x\"]], \"q\": [1]}]}", NULL, "problems[0].M[0][0]"},
    {"{\"problems\": [{\"id\": 1, \"n\": 1, \"M\": [[NaN]], \"q\": [1]}]}", NULL, "problems[0].M[0][0]"},
    {"{\"problems\": [{\"id\": 1, \"n\": 1, \"M\": [[1]], \"q\": [1e999]}]}", NULL, "problems[0].q[0]"},
};

static void files_give_these_replies_and_messages(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
    char *reply, shown[1400];
    fb_error error;
    fb_status status = fb_eval_lcp(FILES[i].text, strlen(FILES[i].text), "lcp.json", 0, &reply, NULL, &error);
    if (FILES[i].reply) {
      assert_int_equal(status, FB_OK);
      assert_string_equal(reply, FILES[i].reply);
    } else {
      assert_int_not_equal(status, FB_OK);
      assert_null(reply);
      fb_error_format(&error, shown, sizeof shown);
      if (!strstr(shown, FILES[i].message)) fail_msg("%s: %s", FILES[i].text, shown);
    }
    free(reply);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_reference_problems_are_solved),
      cmocka_unit_test(small_numbers_are_not_taken_for_zero_and_no_ray_is_false),
      cmocka_unit_test(files_give_these_replies_and_messages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
