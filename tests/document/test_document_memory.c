/* test_document_memory.c -- memory that runs out while a document is read: each allocation fails in turn, alone or with
 * all that follow. Parsing then says so, or gives the tree it always gives; nothing leaks. The linker routes
 * the allocation functions through those here (tests/CMakeLists.txt), libyaml's too where there is a libyaml.a. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document/document.h"

/* --- allocations that fail --- */

static int counting, count, live;
static int fail_from = -1, fail_to = -1; /* these allocations fail */

void* __real_malloc(size_t size);
void* __real_calloc(size_t number, size_t size);
void* __real_realloc(void* old, size_t size);
char* __real_strdup(const char* text);
void __real_free(void* memory);
void* __wrap_malloc(size_t size);
void* __wrap_calloc(size_t number, size_t size);
void* __wrap_realloc(void* old, size_t size);
char* __wrap_strdup(const char* text);
void __wrap_free(void* memory);

static int fails(void) {
  if (!counting) return 0;
  int now = count++;
  return now >= fail_from && now < fail_to;
}

static void* counted(void* memory) {
  live += counting && memory;
  return memory;
}

void* __wrap_malloc(size_t size) {
  return fails() ? NULL : counted(__real_malloc(size));
}
void* __wrap_calloc(size_t number, size_t size) {
  return fails() ? NULL : counted(__real_calloc(number, size));
}
void* __wrap_realloc(void* old, size_t size) {
  if (fails()) return NULL;
  return old ? __real_realloc(old, size) : counted(__real_realloc(NULL, size));
}
char* __wrap_strdup(const char* text) {
  return fails() ? NULL : (char*)counted(__real_strdup(text));
}
void __wrap_free(void* memory) {
  live -= counting && memory;
  __real_free(memory);
}

/* --- what is compared --- */

typedef struct result {
  fb_status status;
  char text[8192]; /* the tree, or the message */
  size_t size;
} result;

static void put(result* r, const char* format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(r->text + r->size, sizeof r->text - r->size, format, args);
  va_end(args);
  r->size += (size_t)n;
  assert_true(r->size < sizeof r->text);
}

static void put_scalar(result* r, const fb_node* node) {
  fb_place place = fb_node_place(node);
  put(r, "(%d %d '%s' %d:%d)", fb_node_get_kind(node), fb_node_is_quoted(node), fb_node_text(node),
      place.line, place.column);
}

/* Two levels of lists and maps, and counts below. */
static void put_tree(result* r, const fb_node* root) {
  put_scalar(r, root);
  for (int i = 0; i < fb_node_count(root); i++) {
    const fb_node* node = fb_node_item(root, i);
    put(r, "\n%s ", fb_map_key(root, i));
    put_scalar(r, node);
    for (int k = 0; k < fb_node_count(node); k++) {
      put(r, " %s", fb_map_key(node, k));
      put_scalar(r, fb_node_item(node, k));
      put(r, "%d", fb_node_count(fb_node_item(node, k)));
    }
  }
}

typedef struct document {
  const char *text, *set; /* set: an assignment, or NULL */
} document;

static void read_document(const document* d, result* r) {
  fb_doc* doc = NULL;
  fb_error error;
  r->size = 0;
  r->text[0] = '\0';
  count = live = 0;
  counting = 1;
  r->status = fb_doc_parse(d->text, strlen(d->text), "test.yaml", &doc, &error);
  if (!r->status && d->set) r->status = fb_doc_set(doc, d->set, &error);
  counting = 0;
  if (r->status)
    fb_error_format(&error, r->text, sizeof r->text);
  else
    put_tree(r, fb_doc_root(doc));
  counting = 1;
  fb_doc_free(doc);
  counting = 0;
}

static const document DOCUMENTS[] = {
    {"name: ''\nlimits: [\"\", null, ~, '', ]\nother:\nlast: \"\"\n", NULL},
    {"{\"a\": [1, 2.5, \"x y\"], \"b\": {\"c\": null, \"d\": {}}, \"e\": [], \"f\": \"\\ud83d\\ude00\\n\"}",
     NULL},
    {"text: |\n  one\n  two\nfolded: >-\n  a\n  b\nplain: several words\n  on two lines\nanchor: &x [1, 2]\n",
     NULL},
    {"a: 1\nb: 2\nc: 3\nd: 4\ne: 5\nf: 6\ng: 7\nh: 8\ni: 9\nj: 10\nk: 11\nl: 12\nm: 13\nn: 14\n", NULL},
    {"%YAML 1.2\n---\n? a\n: [b, {c: d}, [e, [f]], g: h]\n...\n", NULL},
    {"\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\\\"\": ''''''''''''''''''''''''''\n", NULL},
    {"control: {arm: {kp: 1}}\ngravity: [0, 0, -9.81]\n", "control.arm.kd={a: [1, 2], b: ''}"},
    {"control: {arm: {kp: 1}}\ngravity: [0, 0, -9.81]\n", "gravity[2]=''"},
    {"control: {arm: {kp: 1, ki: 2}}\n", "control.arm.ki=null"},
    {"a: 1\na: 2\n", NULL},
    {"a: [1, 2\n", NULL},
    {"a: \"never closed\n", NULL},
    {"a: *x\n", NULL},
    {"- &x {a: &y [1, {b: 2}], c: 3}\n- {<<: [*x, {d: *y}], c: 4}\n- *x\n- {<<: 1}\n", NULL},
    {"- &x {a: &y [1, {b: 2}], c: 3}\n- {<<: [*x, {d: *y}], c: 4}\n- *x\n", NULL},
    {"a: !tag 1\n", NULL},
};
enum { DOCUMENT_COUNT = sizeof DOCUMENTS / sizeof *DOCUMENTS };

static int sweep(int all_that_follow) {
  static result want, got;
  int tried = 0;
  for (int i = 0; i < DOCUMENT_COUNT; i++) {
    fail_from = fail_to = -1;
    read_document(&DOCUMENTS[i], &want);
    assert_int_not_equal(want.status, FB_ERR_MEMORY);
    int allocations = count;
    for (int k = 0; k < allocations; k++, tried++) {
      fail_from = k;
      fail_to = all_that_follow ? INT32_MAX : k + 1;
      read_document(&DOCUMENTS[i], &got);
      if (live != 0) fail_msg("document %d, allocation %d: %d blocks leaked", i, k, live);
      if (got.status == FB_ERR_MEMORY) continue;
      if (got.status != want.status || strcmp(got.text, want.text) != 0)
        fail_msg("document %d, allocation %d: %s\ninstead of %s", i, k, got.text, want.text);
    }
  }
  return tried;
}

static void test_one_failed_allocation_is_told_or_changes_nothing(void** state) {
  (void)state;
  int tried = sweep(0);
  print_message("%d allocations failed\n", tried);
  assert_true(tried > 10 * DOCUMENT_COUNT); /* the wrappers are in use */
}

static void test_memory_that_stays_away_is_told(void** state) {
  (void)state;
  assert_true(sweep(1) > 10 * DOCUMENT_COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_failed_allocation_is_told_or_changes_nothing),
                                     cmocka_unit_test(test_memory_that_stays_away_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
