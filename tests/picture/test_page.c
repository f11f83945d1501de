/* test_page.c -- the report page, read back: every number bit for bit, every text as text. */
#include "page_parse.h"
#include "run_command.h"

#include <math.h>
#include <sys/stat.h>

#include <freebody/picture.h>

#include "document/document.h"
#include "picture/page/parts.h"

/* --- runs --- */

enum { LONG_NAME = 10000, SIGNALS = 5 };

static const char ODD[] = "</script><script>alert(\"1\")</script><!-- & 'x' \xf0\x9f\x9b\xb0 \\ \t";
static const char MODEL[] =
    "{\"freebody\": 1, \"name\": \"</SCRIPT>\", \"bodies\": [{\"name\": \"a<b\", \"joint\": {\"type\": "
    "\"free\"}, "
    "\"mass\": 2, \"inertia\": [1, 2, 2.5, 0, 0, 0], \"com\": [0, 0, 0.5], \"frames\": [{\"name\": \"tip\", "
    "\"at\": [0, 0, 3]}], \"shapes\": [{\"kind\": \"mesh\", \"file\": \"a.obj\"}]}, {\"name\": \"b\", "
    "\"parent\": "
    "\"a<b\", \"joint\": {\"name\": \"elbow\", \"type\": \"revolute\", \"axis\": [0, 3, 4], \"at\": [1, 0, "
    "0]}, "
    "\"mass\": 1, \"inertia\": [1, 1, 1, 0, 0, 0]}]}";
static const char TRIANGLE[] = "v 0 0 0\nv 1 0 0\nv 0 1 0.1\nf 1 2 3\n";

static char long_name[LONG_NAME + 1];

/* Whatever a double can hold. */
static double odd_value(int signal, long long i) {
  static const uint64_t words[] = {0,
                                   UINT64_C(0x8000000000000000),
                                   UINT64_C(0x7ff0000000000000),
                                   UINT64_C(0xfff0000000000000),
                                   UINT64_C(0x7ff8000000000000),
                                   UINT64_C(0xfff80000deadbeef),
                                   1,
                                   UINT64_C(0x7fefffffffffffff)};
  double x;
  if (signal == 0) return sin(1e-3 * (double)i);
  if (signal == 1) return i / 64 % 3 == 1 ? NAN : -2.0 - (double)(i % 7); /* buckets without a number */
  if (signal == 2) return 3;
  uint64_t word = signal == 3 ? words[i % 8] : (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15);
  memcpy(&x, &word, sizeof x);
  return x;
}

static void make_run(const char* folder, long long nsample) {
  memset(long_name, 'x', LONG_NAME);
  fb_store_signal rows[SIGNALS] = {{"q.elbow", "rad", "joint", "coordinate of a joint"},
                                   {ODD, "m", "world", ODD},
                                   {"three", "1", "", ""},
                                   {long_name, "N", "", ""},
                                   {"noise", "", "", ""}};
  const char* texts[][2] = {
      {"name", ODD},           {"model", MODEL},
      {"status", "finished"},  {"version", "9.9"},
      {"integrator", "rk4"},   {"duration", "12.5"},
      {"file", "<f>"},         {"overrides", "[\"a=<\"]"},
      {"scenario", long_name}, {"view", "{\"gravity\": [0, 0, -1.5], \"follow\": \"</script>\"}"}};
  fb_error error;
  fb_store* run = NULL;
  if (fb_store_create(folder, rows, SIGNALS, 1, &run, &error)) fail_msg("%s", error.text);
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
    assert_int_equal(fb_store_set_text(run, texts[i][0], texts[i][1], &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(run, "a.obj", TRIANGLE, strlen(TRIANGLE), &error), FB_OK);
  assert_int_equal(fb_store_add_event(run, 0.5, ODD, "it <b>happened</b>", &error), FB_OK);
  for (long long i = 0; i < nsample; i++) {
    double values[SIGNALS];
    for (int k = 0; k < SIGNALS; k++) values[k] = odd_value(k, i);
    if (fb_store_append(run, 1e-3 * (double)i, values, &error)) fail_msg("%s", error.text);
  }
  if (fb_store_close(run, &error)) fail_msg("%s", error.text);
  char path[64];
  snprintf(path, sizeof path, "%s/summary.json", folder);
  spill(path, "{\"events\": [], \"wall\": {\"seconds\": 1.5}, \"name\": \"</script>\"}");
}

static fb_picture_options page_options(void) {
  fb_picture_options options = fb_default_picture_options();
  options.page_template = "template.html";
  return options;
}

static void write_page(const char* folder, const char* file, const fb_picture_options* options) {
  fb_error error;
  fb_store* run = NULL;
  if (fb_store_open(folder, &run, &error)) fail_msg("%s", error.text);
  if (fb_store_write_page(run, file, options, &error)) fail_msg("%s: %s", error.file, error.text);
  fb_store_close(run, NULL);
}

/* The page of a run in the folder r with so many samples, malloc'd. */
static char* page_of(long long nsample) {
  fb_picture_options options = page_options();
  make_run("r", nsample);
  write_page("r", "p.html", &options);
  return slurp("p.html");
}

static fb_doc* header_of(const char* page, const char* id) {
  size_t size;
  const char* text = page_element(page, id, &size);
  fb_error error;
  fb_doc* doc = NULL;
  assert_non_null(text);
  if (memchr(text, '<', size)) fail_msg("the header holds a '<'");
  if (fb_doc_parse(text, size, id, &doc, &error)) fail_msg("%s", error.text);
  return doc;
}

static double number_at(const fb_node* map, const char* key) {
  fb_error error;
  double x = 0;
  if (fb_node_number(fb_map_get(map, key), FB_Q_NONE, &x, &error)) fail_msg("%s: %s", key, error.text);
  return x;
}

static void text_is(const fb_node* map, const char* key, const char* want) {
  const fb_node* node = fb_map_get(map, key);
  if (!node || strcmp(fb_node_text(node), want) != 0)
    fail_msg("%s is '%.100s', expected '%.100s'", key, node ? fb_node_text(node) : "missing", want);
}

/* --- numbers --- */

static void same_words(const char* what, int column, long long first, const uint64_t* words,
                       long long count) {
  for (long long i = 0; i < count; i++) {
    uint64_t want;
    double x = column == 0 ? 1e-3 * (double)(first + i) : odd_value(column - 1, first + i);
    memcpy(&want, &x, sizeof want);
    if (words[i] != want)
      fail_msg("%s: column %d, sample %lld is %016llx, expected %016llx", what, column, first + i,
               (unsigned long long)words[i], (unsigned long long)want);
  }
}

/* The pyramid by the plainest of means. */
static void check_pyramid(int column, const uint64_t* words, long long nsample) {
  long long nbucket = (nsample + FB_PAGE_BUCKET - 1) / FB_PAGE_BUCKET;
  for (long long b = 0; b < nbucket; b++) {
    double least = INFINITY, greatest = -INFINITY, found[2];
    int any = 0;
    for (long long i = b * FB_PAGE_BUCKET; i < nsample && i < (b + 1) * FB_PAGE_BUCKET; i++) {
      double x = column == 0 ? 1e-3 * (double)i : odd_value(column - 1, i);
      if (isnan(x)) continue;
      any = 1;
      least = x < least ? x : least;
      greatest = x > greatest ? x : greatest;
    }
    memcpy(&found[0], &words[b], sizeof(double));
    memcpy(&found[1], &words[nbucket + b], sizeof(double));
    if (any ? found[0] != least || found[1] != greatest : !isnan(found[0]) || !isnan(found[1]))
      fail_msg("column %d, bucket %lld is %g .. %g, expected %g .. %g", column, b, found[0], found[1], least,
               greatest);
  }
}

static void check_column(const char* page, int column, long long nsample) {
  char id[32];
  size_t size, length;
  snprintf(id, sizeof id, "freebody-0-%d", column);
  const char *text = page_element(page, id, &size), *line;
  assert_non_null(text);
  long long nblock = (nsample + FB_PAGE_BLOCK - 1) / FB_PAGE_BLOCK;
  line = page_line(text, size, 0, &length);
  if (nblock > 1) {
    size_t count = 2 * (size_t)((nsample + FB_PAGE_BUCKET - 1) / FB_PAGE_BUCKET);
    uint64_t* words = page_words(line, length, count);
    check_pyramid(column, words, nsample);
    free(words);
  } else {
    assert_int_equal(length, 0);
  }
  for (long long b = 0; b < nblock; b++) {
    long long left = nsample - b * FB_PAGE_BLOCK, count = left < FB_PAGE_BLOCK ? left : FB_PAGE_BLOCK;
    line = page_line(text, size, (int)b + 1, &length);
    assert_non_null(line);
    uint64_t* words = page_words(line, length, (size_t)count);
    same_words(id, column, b * FB_PAGE_BLOCK, words, count);
    free(words);
  }
  assert_null(page_line(text, size, (int)nblock + 1, &length));
}

static void every_number_comes_back_bit_for_bit(void** state) {
  (void)state;
  static const long long lengths[] = {0, 1, 2, 63, 64, 65, 4095, 4096, 4097, 8192, 10001};
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    char* page = page_of(lengths[i]);
    fb_doc* header = header_of(page, "freebody-0");
    assert_true(number_at(fb_doc_root(header), "samples") == (double)lengths[i]);
    assert_true(number_at(fb_doc_root(header), "block") == FB_PAGE_BLOCK);
    assert_true(number_at(fb_doc_root(header), "bucket") == FB_PAGE_BUCKET);
    for (int column = 0; column <= SIGNALS; column++) check_column(page, column, lengths[i]);
    assert_null(strstr(page, "id=\"freebody-0-6\""));
    fb_doc_free(header);
    free(page);
  }
}

static void many_signals_are_read_in_parts(void** state) {
  (void)state;
  enum { MANY = 600 };
  fb_store_signal* rows = (fb_store_signal*)calloc(MANY, sizeof *rows);
  double* values = (double*)calloc(MANY, sizeof *values);
  char(*names)[16] = (char(*)[16])calloc(MANY, sizeof *names);
  assert_true(rows && values && names);
  fb_error error;
  fb_store* run = NULL;
  for (int i = 0; i < MANY; i++) {
    snprintf(names[i], sizeof names[i], "s%d", i);
    rows[i] = (fb_store_signal){names[i], "1", "", ""};
  }
  assert_int_equal(fb_store_create("many", rows, MANY, 1, &run, &error), FB_OK);
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < MANY; i++) values[i] = 10 * i + k;
    assert_int_equal(fb_store_append(run, k, values, &error), FB_OK);
  }
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  fb_picture_options options = page_options();
  write_page("many", "p.html", &options);
  char* page = slurp("p.html");
  for (int i = 0; i < MANY; i += 37) {
    char id[32];
    size_t size, length;
    double x[3];
    snprintf(id, sizeof id, "freebody-0-%d", i + 1);
    const char* text = page_element(page, id, &size);
    const char* line = page_line(text, size, 1, &length);
    uint64_t* words = page_words(line, length, 3);
    memcpy(x, words, sizeof x);
    for (int k = 0; k < 3; k++) assert_true(x[k] == 10 * i + k);
    free(words);
  }
  free(page);
  free(rows);
  free(values);
  free(names);
}

/* --- texts --- */

static void texts_are_texts_whatever_they_hold(void** state) {
  (void)state;
  char* page = page_of(3);
  fb_doc* doc = header_of(page, "freebody-0");
  const fb_node* header = fb_doc_root(doc);
  text_is(header, "format", "freebody-page");
  text_is(header, "name", ODD);
  text_is(header, "model", "</SCRIPT>");
  text_is(header, "freebody", "9.9");
  text_is(header, "status", "finished");
  text_is(header, "integrator", "rk4");
  text_is(header, "file", "<f>");
  text_is(header, "scenario", long_name);
  assert_true(number_at(header, "duration") == 12.5 && number_at(header, "version") == 1);
  text_is(fb_map_get(header, "summary"), "name", "</script>");
  assert_true(number_at(fb_map_get(fb_map_get(header, "summary"), "wall"), "seconds") == 1.5);
  text_is(fb_map_get(header, "view"), "follow", "</script>");
  assert_string_equal(fb_node_text(fb_node_item(fb_map_get(header, "overrides"), 0)), "a=<");
  const fb_node* signals = fb_map_get(header, "signals");
  assert_int_equal(fb_node_count(signals), SIGNALS);
  text_is(fb_node_item(signals, 1), "name", ODD);
  text_is(fb_node_item(signals, 1), "meaning", ODD);
  text_is(fb_node_item(signals, 3), "name", long_name);
  const fb_node* event = fb_node_item(fb_map_get(header, "events"), 0);
  text_is(event, "name", ODD);
  text_is(event, "text", "it <b>happened</b>");
  assert_true(number_at(event, "t") == 0.5);
  fb_doc_free(doc);
  /* Nothing that the run holds begins or ends an element: as many as we wrote, and each is closed. */
  int opened = 0, closed = 0;
  for (const char* p = page; (p = strstr(p, "<script")) != NULL; p++) opened++;
  for (const char* p = page; (p = strstr(p, "</script>")) != NULL; p++) closed++;
  assert_int_equal(opened, 1 + 1 + SIGNALS + 1 + 1); /* header, time, signals, mesh, check sums */
  assert_int_equal(closed, opened);
  assert_null(strstr(page, "<!--"));
  assert_null(strstr(page, "</SCRIPT"));
  assert_true(strncmp(page, "<p>before\n", 10) == 0);
  assert_string_equal(page + strlen(page) - 7, "\nafter\n");
  free(page);
}

static void bodies_are_as_the_model_has_them(void** state) {
  (void)state;
  char* page = page_of(1);
  fb_doc* doc = header_of(page, "freebody-0");
  const fb_node* bodies = fb_map_get(fb_doc_root(doc), "bodies");
  assert_int_equal(fb_node_count(bodies), 2);
  const fb_node *a = fb_node_item(bodies, 0), *b = fb_node_item(bodies, 1);
  text_is(a, "name", "a<b");
  assert_true(number_at(a, "parent") == -1 && number_at(b, "parent") == 0 && number_at(a, "mass") == 2);
  text_is(fb_map_get(a, "joint"), "type", "free");
  assert_int_equal(fb_node_count(fb_map_get(fb_map_get(a, "joint"), "q")), 7);
  const fb_node* elbow = fb_map_get(b, "joint");
  fb_error error;
  double axis[3];
  const fb_node* link = fb_node_item(fb_map_get(elbow, "links"), 0);
  text_is(link, "kind", "revolute");
  assert_int_equal(fb_node_numbers(fb_map_get(link, "axis"), FB_Q_NONE, 3, axis, &error), FB_OK);
  assert_true(fabs(axis[1] - 0.6) < 1e-15 && fabs(axis[2] - 0.8) < 1e-15);
  assert_string_equal(fb_node_text(fb_node_item(fb_map_get(elbow, "q"), 0)), "0"); /* q.elbow is signal 0 */
  text_is(fb_node_item(fb_map_get(a, "frames"), 0), "name", "tip");
  const fb_node* shape = fb_node_item(fb_map_get(a, "shapes"), 0);
  text_is(shape, "kind", "mesh");
  text_is(shape, "guessed", "false");
  assert_true(number_at(shape, "mesh") == 0 && number_at(shape, "opacity") == 1);
  text_is(fb_node_item(fb_map_get(b, "shapes"), 0), "guessed", "true");
  assert_int_equal(fb_node_count(fb_map_get(fb_doc_root(doc), "notes")), 1); /* the base was not logged */
  fb_doc_free(doc);
  free(page);
}

static void meshes_come_back(void** state) {
  (void)state;
  static const float want[9] = {0, 0, 0, 1, 0, 0, 0, 1, 0.1f};
  static const uint32_t corners[3] = {0, 1, 2};
  char* page = page_of(1);
  size_t size, length;
  const char* text = page_element(page, "freebody-0-mesh-0", &size);
  assert_non_null(text);
  const char* line = page_line(text, size, 0, &length);
  unsigned char* bytes = page_unpack(line, length, sizeof want);
  assert_memory_equal(bytes, want, sizeof want);
  free(bytes);
  line = page_line(text, size, 1, &length);
  bytes = page_unpack(line, length, sizeof corners);
  assert_memory_equal(bytes, corners, sizeof corners);
  free(bytes);
  assert_null(page_line(text, size, 2, &length));
  free(page);
}

/* All elements but that of the sums, and no others: `count` of them. */
static void check_sums(const char* page, int count) {
  fb_doc* doc = header_of(page, "freebody-sums");
  const fb_node* sums = fb_doc_root(doc);
  assert_int_equal(fb_node_count(sums), count);
  for (int i = 0; i < count; i++) {
    char want[16];
    size_t size;
    const char *id = fb_map_key(sums, i), *text = page_element(page, id, &size);
    assert_non_null(text);
    snprintf(want, sizeof want, "%08lx", crc32(0, (const unsigned char*)text, (unsigned)size));
    text_is(sums, id, want);
  }
  fb_doc_free(doc);
}

static void every_element_has_its_check_sum(void** state) {
  (void)state;
  fb_picture_options options = page_options();
  fb_error error;
  make_run("r", 5000);
  make_run("s", 0);
  fb_store* other = NULL;
  assert_int_equal(fb_store_open("s", &other, &error), FB_OK);
  options.others = &other;
  options.nother = 1;
  write_page("r", "p.html", &options);
  fb_store_close(other, NULL);
  char* page = slurp("p.html");
  check_sums(page, 2 * (1 + 1 + SIGNALS + 1));
  free(page);
}

static void what_a_run_lacks_is_empty(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  fb_store_signal x = {"x", "m", "", ""};
  assert_int_equal(fb_store_create("bare", &x, 1, 1, &run, &error), FB_OK);
  assert_int_equal(fb_store_set_text(run, "view", "[1, 2", &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  fb_picture_options options = page_options();
  write_page("bare", "p.html", &options);
  char* page = slurp("p.html");
  fb_doc* doc = header_of(page, "freebody-0");
  const fb_node* header = fb_doc_root(doc);
  text_is(header, "name", "");
  assert_int_equal(fb_node_get_kind(fb_map_get(header, "summary")), FB_NODE_NULL);
  assert_int_equal(fb_node_count(fb_map_get(fb_map_get(header, "view"), "gravity")), 3);
  assert_int_equal(fb_node_count(fb_map_get(header, "bodies")), 0);
  fb_doc_free(doc);
  free(page);
}

/* --- the page as a whole --- */

static void the_same_run_gives_the_same_bytes(void** state) {
  (void)state;
  fb_picture_options options = page_options();
  char* first = page_of(5000);
  write_page("r", "again.html", &options);
  char* second = slurp("again.html");
  assert_string_equal(first, second);
  free(first);
  free(second);
}

static void runs_to_compare_with_follow_the_first(void** state) {
  (void)state;
  enum { OTHERS = 3 };
  static const char* const folders[OTHERS] = {"r2", "r3", "r4"};
  fb_error error;
  fb_picture_options options = page_options();
  fb_store* others[OTHERS];
  make_run("r", 4);
  for (int i = 0; i < OTHERS; i++) {
    make_run(folders[i], 9 + i);
    assert_int_equal(fb_store_open(folders[i], &others[i], &error), FB_OK);
  }
  options.others = others;
  options.nother = OTHERS;
  write_page("r", "p.html", &options);
  char* page = slurp("p.html");
  for (int i = 0; i <= OTHERS; i++) {
    char id[32];
    size_t size;
    snprintf(id, sizeof id, "freebody-%d", i);
    fb_doc* doc = header_of(page, id);
    assert_true(number_at(fb_doc_root(doc), "samples") == (i == 0 ? 4 : 8 + i));
    fb_doc_free(doc);
    snprintf(id, sizeof id, "freebody-%d-5", i);
    assert_non_null(page_element(page, id, &size));
    snprintf(id, sizeof id, "freebody-%d-mesh-0", i);
    assert_non_null(page_element(page, id, &size));
  }
  free(page);
  for (int i = 0; i < OTHERS; i++) fb_store_close(others[i], NULL);
}

static void a_page_of_a_model_has_its_coordinates_and_limits(void** state) {
  (void)state;
  static const char text[] =
      "{freebody: 1, name: lamp, bodies: [{name: foot, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: "
      "fixed}},"
      " {name: arm, parent: foot, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {name: hinge, type: revolute, "
      "axis: [0, 0, 1], limits: [-1, null]},"
      "  shapes: [{kind: mesh, file: nowhere.stl}]},"
      " {name: ball, parent: arm, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {name: socket, type: "
      "spherical}}]}";
  fb_error error;
  fb_model_def* def;
  fb_model* model;
  if (fb_model_def_parse(text, strlen(text), "lamp.yaml", NULL, &def, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_build(def, NULL, &model, &error), FB_OK);
  fb_picture_options options = page_options();
  assert_int_equal(fb_model_write_page(NULL, "p.html", &options, &error), FB_ERR_ARG);
  assert_int_equal(fb_model_write_page(model, "p.html", &options, &error), FB_OK);
  char* page = slurp("p.html");
  fb_doc* doc = header_of(page, "freebody-0");
  const fb_node* header = fb_doc_root(doc);
  text_is(header, "mode", "pose");
  text_is(header, "name", "lamp");
  assert_int_equal(fb_node_count(fb_map_get(header, "signals")), 1 + 4);
  text_is(fb_node_item(fb_map_get(header, "signals"), 0), "name", "q.hinge");
  const fb_node* hinge = fb_map_get(fb_node_item(fb_map_get(header, "bodies"), 1), "joint");
  const fb_node* limits = fb_node_item(fb_map_get(hinge, "limits"), 0);
  assert_string_equal(fb_node_text(fb_node_item(limits, 0)), "-1");
  assert_int_equal(fb_node_get_kind(fb_node_item(limits, 1)), FB_NODE_NULL);
  assert_int_equal(fb_node_count(fb_map_get(header, "notes")), 1); /* the mesh that is not there */
  check_sums(page, 1);
  fb_doc_free(doc);
  free(page);
  fb_model_free(model);
  fb_model_def_free(def);
}

static void a_live_page_has_all_but_samples(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  char* page = NULL;
  size_t size;
  fb_picture_options options = page_options();
  make_run("r", 100);
  assert_int_equal(fb_store_open("r", &run, &error), FB_OK);
  if (fb_store_print_live_page(run, "/live?<x>", &options, &page, &size, &error)) fail_msg("%s", error.text);
  assert_int_equal(strlen(page), size);
  fb_doc* doc = header_of(page, "freebody-0");
  text_is(fb_map_get(fb_doc_root(doc), "live"), "path", "/live?<x>");
  assert_true(number_at(fb_doc_root(doc), "samples") == 0);
  assert_non_null(page_element(page, "freebody-0-mesh-0", &size));
  assert_null(page_element(page, "freebody-0-0", &size));
  fb_doc_free(doc);
  free(page);
  fb_store_close(run, NULL);
}

static void bad_templates_and_places_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *file, *error;
    fb_status status;
  } cases[] = {
      {"<html></html>", "out.html", "the marker <!--freebody-data--> is missing", FB_ERR_CONTENT},
      {"<!--freebody-data--> <!--freebody-data-->", "out.html", "occurs more than once", FB_ERR_CONTENT},
      {"<!--freebody-data-->", "no/such/folder/out.html", "the folder 'no/such/folder' does not exist",
       FB_ERR_IO},
      {NULL, "out.html", "bad.html", FB_ERR_IO},
  };
  fb_error error;
  fb_store* run = NULL;
  fb_picture_options options = page_options();
  make_run("r", 1);
  options.page_template = "bad.html";
  assert_int_equal(fb_store_open("r", &run, &error), FB_OK);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char text[1200];
    if (cases[i].text)
      spill("bad.html", cases[i].text);
    else
      remove("bad.html");
    assert_int_equal(fb_store_write_page(run, cases[i].file, &options, &error), cases[i].status);
    fb_error_format(&error, text, sizeof text);
    if (!strstr(text, cases[i].error)) fail_msg("'%s', expected '%s'", text, cases[i].error);
    assert_int_not_equal(access("out.html", F_OK), 0);
  }
  memset(&options, 0, sizeof options);
  assert_int_equal(fb_store_write_page(run, "out.html", &options, &error), FB_ERR_ARG);
  options = fb_default_picture_options();
  assert_int_equal(fb_store_write_page(run, "out.html", &options, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_write_page(run, NULL, &options, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_write_page(NULL, "out.html", &options, &error), FB_ERR_ARG);
  fb_store_close(run, NULL);
}

static void a_summary_that_is_none_or_a_link_is_told(void** state) {
  (void)state;
  static const struct {
    const char *line, *words;
  } rows[] = {
      {"rm r/summary.json && mkdir r/summary.json", "folder"},
      {"rmdir r/summary.json && echo '{\"mine\": 1}' >mine.json && ln -s ../mine.json r/summary.json",
       "link"},
      {"rm r/summary.json && echo 'no JSON: [' >r/summary.json", "not a summary"},
      {"echo '[1, 2]' >r/summary.json", "not a summary"},
  };
  make_run("r", 1);
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_error error;
    fb_store* run = NULL;
    fb_picture_options options = page_options();
    assert_int_equal(system(rows[i].line), 0);
    assert_int_equal(fb_store_open("r", &run, &error), FB_OK);
    assert_int_not_equal(fb_store_write_page(run, "out.html", &options, &error), FB_OK);
    if (!strstr(error.file, "summary.json") || !strstr(error.text, rows[i].words))
      fail_msg("%s: %s", error.file, error.text);
    fb_store_close(run, NULL);
  }
  assert_int_equal(remove("r/summary.json"), 0);
}

static void a_full_disk_is_told(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  fb_picture_options options = page_options();
  make_run("r", 20000);
  assert_int_equal(fb_store_open("r", &run, &error), FB_OK);
  assert_int_equal(fb_store_write_page(run, "/dev/full", &options, &error), FB_ERR_IO);
  if (!strstr(error.text, "cannot write the page: ")) fail_msg("%s", error.text);
  fb_store_close(run, NULL);
}

static int open_scratch_with_template(void** state) {
  int failed = scratch_open(state);
  if (!failed) spill("template.html", "<p>before\n<!--freebody-data-->\nafter\n");
  return failed;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_number_comes_back_bit_for_bit),
      cmocka_unit_test(many_signals_are_read_in_parts),
      cmocka_unit_test(texts_are_texts_whatever_they_hold),
      cmocka_unit_test(bodies_are_as_the_model_has_them),
      cmocka_unit_test(meshes_come_back),
      cmocka_unit_test(every_element_has_its_check_sum),
      cmocka_unit_test(what_a_run_lacks_is_empty),
      cmocka_unit_test(the_same_run_gives_the_same_bytes),
      cmocka_unit_test(runs_to_compare_with_follow_the_first),
      cmocka_unit_test(a_page_of_a_model_has_its_coordinates_and_limits),
      cmocka_unit_test(a_live_page_has_all_but_samples),
      cmocka_unit_test(bad_templates_and_places_are_refused),
      cmocka_unit_test(a_summary_that_is_none_or_a_link_is_told),
      cmocka_unit_test(a_full_disk_is_told),
  };
  return cmocka_run_group_tests(tests, open_scratch_with_template, scratch_close);
}
