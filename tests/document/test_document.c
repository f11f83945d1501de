/* test_document.c -- documents: parsing, places, typed reads, units, words, files. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/support/text.h>
#include <freebody/support/words.h>

#include "document/document.h"

static fb_doc* parse(const char* text) {
  fb_doc* doc = NULL;
  fb_error error;
  if (fb_doc_parse(text, strlen(text), "test.yaml", &doc, &error)) fail_msg("%s", error.text);
  return doc;
}

/* --- structure --- */

static void test_json_and_yaml_give_the_same_tree(void** state) {
  (void)state;
  const char* texts[] = {"{\"a\": [1, 2.5, \"x y\"], \"b\": {\"c\": null}}", "a: [1, 2.5, x y]\nb:\n  c:\n",
                         "# comment\n---\na:\n- 1\n- 2.5\n- 'x y'\nb: {c: ~}\n",
                         "\357\273\277a: [1, 2.5, x y]\nb: {c: }"};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    fb_doc* doc = parse(texts[i]);
    const fb_node* root = fb_doc_root(doc);
    assert_int_equal(fb_node_get_kind(root), FB_NODE_MAP);
    assert_int_equal(fb_node_count(root), 2);
    assert_string_equal(fb_map_key(root, 1), "b");
    const fb_node* a = fb_map_get(root, "a");
    assert_ptr_equal(a, fb_map_value(root, 0));
    assert_int_equal(fb_node_get_kind(a), FB_NODE_LIST);
    assert_int_equal(fb_node_count(a), 3);
    assert_string_equal(fb_node_text(fb_node_item(a, 2)), "x y");
    assert_null(fb_node_item(a, 3));
    assert_null(fb_map_get(a, "a"));
    assert_null(fb_map_get(root, "c"));
    assert_int_equal(fb_node_get_kind(fb_map_get(fb_map_get(root, "b"), "c")), FB_NODE_NULL);
    fb_doc_free(doc);
  }
}

static void test_strings_are_unescaped_utf8(void** state) {
  (void)state;
  fb_doc* doc = parse("{\"a\": \"\\u00e9 \\ud83d\\ude00 \\\"\\\\\\/\\n\", \"b\": 'it''s', \"c\": \"\"}");
  assert_string_equal(fb_node_text(fb_map_get(fb_doc_root(doc), "a")), "\xc3\xa9 \xf0\x9f\x98\x80 \"\\/\n");
  assert_string_equal(fb_node_text(fb_map_get(fb_doc_root(doc), "b")), "it's");
  assert_true(fb_node_is_quoted(fb_map_get(fb_doc_root(doc), "b")));
  assert_int_equal(fb_node_get_kind(fb_map_get(fb_doc_root(doc), "c")), FB_NODE_SCALAR);
  fb_doc_free(doc);
}

static void test_places_count_from_one_and_point_to_the_quote(void** state) {
  (void)state;
  fb_doc* doc = parse("name: \"x\"\nlist:\n  - a\n  - {k: [1,\n     2]}\n");
  const fb_node* root = fb_doc_root(doc);
  const fb_node* map = fb_node_item(fb_map_get(root, "list"), 1);
  const struct {
    fb_place place;
    int line, column;
  } rows[] = {
      {fb_node_place(root), 1, 1},       {fb_node_place(fb_map_get(root, "name")), 1, 7},
      {fb_map_key_place(root, 1), 2, 1}, {fb_node_place(map), 4, 5},
      {fb_map_key_place(map, 0), 4, 6},  {fb_node_place(fb_node_item(fb_map_get(map, "k"), 1)), 5, 6}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assert_int_equal(rows[i].place.line, rows[i].line);
    assert_int_equal(rows[i].place.column, rows[i].column);
  }
  fb_doc_free(doc);
}

static void test_errors_carry_file_place_and_path(void** state) {
  (void)state;
  fb_doc* doc = parse("bodies:\n  - joint:\n      axis: [0, 0, x]\n");
  const fb_node* axis =
      fb_map_get(fb_map_get(fb_node_item(fb_map_get(fb_doc_root(doc), "bodies"), 0), "joint"), "axis");
  fb_error error;
  double x[3];
  char text[600];
  assert_int_equal(fb_node_numbers(axis, FB_Q_NONE, 3, x, &error), FB_ERR_CONTENT);
  assert_string_equal(fb_error_format(&error, text, sizeof text),
                      "test.yaml:3:20: bodies[0].joint.axis[2]: expected a number, but found the text 'x'");
  assert_int_equal(fb_node_numbers(axis, FB_Q_NONE, 4, x, NULL), FB_ERR_CONTENT);
  fb_doc_free(doc);
}

static void test_large_maps_find_every_key_and_twins(void** state) {
  (void)state;
  enum { COUNT = 5000 };
  char* text = (char*)malloc(COUNT * 20 + 32);
  assert_non_null(text);
  size_t n = 0;
  for (int i = 0; i < COUNT; i++) n += (size_t)sprintf(text + n, "key%d: %d\n", i * 7919 % COUNT, i);
  fb_doc* doc = parse(text);
  for (int i = 0; i < COUNT; i++) {
    char key[20];
    int value;
    snprintf(key, sizeof key, "key%d", i * 7919 % COUNT);
    const fb_node* node = fb_map_get(fb_doc_root(doc), key);
    assert_non_null(node);
    assert_int_equal(fb_node_int(node, &value, NULL), FB_OK);
    assert_int_equal(value, i);
    assert_string_equal(fb_map_key(fb_doc_root(doc), i), key);
  }
  assert_null(fb_map_get(fb_doc_root(doc), "key5000"));
  fb_doc_free(doc);
  strcpy(text + n, "key77: 0\n");
  fb_error error;
  assert_int_equal(fb_doc_parse(text, strlen(text), "t", &doc, &error), FB_ERR_SYNTAX);
  assert_null(doc);
  assert_non_null(strstr(error.text, "'key77'"));
  assert_int_equal(error.place.line, COUNT + 1);
  free(text);
}

static void test_ten_thousand_bodies_parse_quickly(void** state) {
  (void)state;
  enum { COUNT = 10000 };
  char* text = (char*)malloc(COUNT * 260 + 100);
  assert_non_null(text);
  size_t n = (size_t)sprintf(text, "{\"freebody\": 1, \"bodies\": [");
  for (int i = 0; i < COUNT; i++)
    n += (size_t)sprintf(
        text + n,
        "%s{\"name\": \"b%d\", \"parent\": \"b%d\", \"joint\": {\"type\": \"revolute\", \"axis\": [0.1, 0.2, "
        "0.3], \"at\": [0.5, 0.1, 0.123456], \"rpy\": [0.1, 0.2, 0.3]}, \"mass\": 1.5, \"com\": [0.1, 0.2, "
        "0.3], \"inertia\": [1.1, 1.2, 1.3, 0.01, 0.02, 0.03]}",
        i ? ", " : "", i, i - 1);
  strcpy(text + n, "]}");
  clock_t before = clock();
  fb_doc* doc = parse(text);
  double seconds = (double)(clock() - before) / CLOCKS_PER_SEC;
  assert_int_equal(fb_node_count(fb_map_get(fb_doc_root(doc), "bodies")), COUNT);
  assert_true(seconds < 10); /* 0.15 s on a plain build; sanitizers and valgrind are slower */
  fb_doc_free(doc);
  free(text);
}

/* --- numbers and units --- */

typedef struct number_case {
  const char* text;
  fb_quantity quantity;
  double want;
} number_case;

#define PI 3.14159265358979323846
static const number_case NUMBERS[] = {
    {"0", FB_Q_NONE, 0},
    {"-0.0", FB_Q_NONE, -0.0},
    {"+3", FB_Q_NONE, 3},
    {"007", FB_Q_NONE, 7},
    {".5", FB_Q_NONE, 0.5},
    {"5.", FB_Q_NONE, 5},
    {"1e3", FB_Q_NONE, 1000},
    {"-2.5E-3", FB_Q_NONE, -2.5e-3},
    {"0.1", FB_Q_NONE, 0.1},
    {"0.30000000000000004", FB_Q_NONE, 0.30000000000000004},
    {"1.7976931348623157e308", FB_Q_NONE, 1.7976931348623157e308},
    {"5e-324", FB_Q_NONE, 5e-324},
    {"1e-400", FB_Q_NONE, 0},
    {"123456789012345678901234567890", FB_Q_NONE, 123456789012345678901234567890.0},
    {"3.141592653589793238462643383279", FB_Q_NONE, 3.141592653589793},
    {"2", FB_Q_MASS, 2},
    {"35 kg", FB_Q_MASS, 35},
    {"\"35 kg\"", FB_Q_MASS, 35},
    {"35kg", FB_Q_MASS, 35},
    {"250 g", FB_Q_MASS, 0.25},
    {"35 cm", FB_Q_LENGTH, 0.35},
    {"12 \xc2\xb5m", FB_Q_LENGTH, 12e-6},
    {"180 deg", FB_Q_ANGLE, PI},
    {"45 deg", FB_Q_ANGLE, PI / 4},
    {"10 ms", FB_Q_TIME, 0.01},
    {"1.5 min", FB_Q_TIME, 90},
    {"3 rpm", FB_Q_RATE, PI / 10},
    {"36 km/h", FB_Q_SPEED, 10},
    {"2.5 N m", FB_Q_TORQUE, 2.5},
    {"2.5 N*m", FB_Q_TORQUE, 2.5},
    {"2.5 Nm", FB_Q_TORQUE, 2.5},
    {"2.5 N\xc2\xb7m", FB_Q_TORQUE, 2.5},
    {"7 mN", FB_Q_FORCE, 0.007},
    {"4 kg m^2", FB_Q_INERTIA, 4},
    {"4 kg m\xc2\xb2", FB_Q_INERTIA, 4},
    {"4 g cm^2", FB_Q_INERTIA, 4e-7},
    {"9.81 m/s^2", FB_Q_ACCELERATION, 9.81},
    {"2 mm/rev", FB_Q_LENGTH_PER_ANGLE, 0.001 / PI},
    {"3 N/mm", FB_Q_STIFFNESS, 3000},
    {"1 N m/deg", FB_Q_ANGULAR_STIFFNESS, 180 / PI},
    {"2 N s/m", FB_Q_DAMPING, 2},
    {"2 N m s/rad", FB_Q_ANGULAR_DAMPING, 2},
};

static void check_numbers(void) {
  for (size_t i = 0; i < sizeof NUMBERS / sizeof *NUMBERS; i++) {
    fb_doc* doc = parse(NUMBERS[i].text);
    double x = NAN;
    fb_error error;
    if (fb_node_number(fb_doc_root(doc), NUMBERS[i].quantity, &x, &error)) fail_msg("%s", error.text);
    double slack = NUMBERS[i].quantity == FB_Q_NONE ? 0 : 4e-16 * fabs(NUMBERS[i].want);
    if (!(fabs(x - NUMBERS[i].want) <= slack)) fail_msg("%s read as %.17g", NUMBERS[i].text, x);
    fb_doc_free(doc);
  }
}

static void test_numbers_and_units_read_exactly(void** state) {
  (void)state;
  check_numbers();
}

static void test_decimal_commas_of_the_locale_change_nothing(void** state) {
  (void)state;
  const char* names[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    setlocale(LC_ALL, names[i]); /* where the system lacks it, the test repeats the plain case */
    char buffer[32];
    check_numbers();
    assert_string_equal(fb_number_format(0.5, buffer), "0.5");
  }
  setlocale(LC_ALL, "C");
}

static void test_wrong_numbers_say_why(void** state) {
  (void)state;
  const struct {
    const char* text;
    fb_quantity quantity;
    fb_status status;
    const char* part;
  } rows[] = {
      {".nan", FB_Q_NONE, FB_ERR_NOT_FINITE, "not finite"},
      {"-.INF", FB_Q_NONE, FB_ERR_NOT_FINITE, "not finite"},
      {"NaN", FB_Q_MASS, FB_ERR_NOT_FINITE, "not finite"},
      {"-Infinity", FB_Q_MASS, FB_ERR_NOT_FINITE, "not finite"},
      {"1e999", FB_Q_NONE, FB_ERR_NOT_FINITE, "too large"},
      {"1e308 km", FB_Q_LENGTH, FB_ERR_NOT_FINITE, "too large"},
      {"'3'", FB_Q_NONE, FB_ERR_CONTENT, "quotes"},
      {"true", FB_Q_NONE, FB_ERR_CONTENT, "truth value"},
      {"~", FB_Q_NONE, FB_ERR_CONTENT, "nothing"},
      {"''", FB_Q_NONE, FB_ERR_CONTENT, "the text ''"},
      {"[1]", FB_Q_NONE, FB_ERR_CONTENT, "a list of 1"},
      {"{a: 1}", FB_Q_NONE, FB_ERR_CONTENT, "a map of 1 key"},
      {"0x10", FB_Q_NONE, FB_ERR_CONTENT, "without 'x10'"},
      {"1_000", FB_Q_NONE, FB_ERR_CONTENT, "'1_000'"},
      {"1.2.3", FB_Q_NONE, FB_ERR_CONTENT, "'1.2.3'"},
      {"1,5", FB_Q_LENGTH, FB_ERR_CONTENT, "'1,5'"},
      {"--1", FB_Q_NONE, FB_ERR_CONTENT, "'--1'"},
      {"3 m", FB_Q_MASS, FB_ERR_CONTENT,
       "'3 m' is a length, but a mass is expected; its units are kg, t, g, mg"},
      {"3 kg", FB_Q_NONE, FB_ERR_CONTENT, "without 'kg'"},
      {"3 furlongs", FB_Q_LENGTH, FB_ERR_CONTENT, "'furlongs' is not a unit of a length; those are m, km"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_doc* doc = parse(rows[i].text);
    fb_error error;
    double x;
    assert_int_equal(fb_node_number(fb_doc_root(doc), rows[i].quantity, &x, &error), rows[i].status);
    if (!strstr(error.text, rows[i].part)) fail_msg("%s: %s", rows[i].text, error.text);
    fb_doc_free(doc);
  }
}

static void test_every_quantity_has_a_name_and_units(void** state) {
  (void)state;
  char units[200];
  for (int q = FB_Q_NONE + 1; q < FB_Q_COUNT; q++) {
    assert_true(strlen(fb_quantity_name((fb_quantity)q)) > 3);
    fb_quantity_units((fb_quantity)q, units, sizeof units);
    units[strcspn(units, ",")] = '\0';
    double x = 7;
    assert_true(fb_unit_apply((fb_quantity)q, units, &x));
    assert_true(x == 7); /* the first unit is the SI unit */
    assert_int_equal(fb_unit_quantity(units), q);
  }
  assert_string_equal(fb_quantity_name(FB_Q_NONE), "");
  assert_int_equal(fb_unit_quantity("parsec"), FB_Q_NONE);
}

/* --- other reads --- */

static void test_integers_are_whole_and_in_range(void** state) {
  (void)state;
  fb_doc* doc = parse("[7, -3, 2.0, 1e3, 2147483647, 2.5, 3000000000, x, '4', .nan]");
  const int want[] = {7, -3, 2, 1000, INT_MAX};
  for (int i = 0; i < 10; i++) {
    int x = 0;
    fb_status status = fb_node_int(fb_node_item(fb_doc_root(doc), i), &x, NULL);
    assert_int_equal(status, i < 5 ? FB_OK : FB_ERR_CONTENT);
    if (i < 5) assert_int_equal(x, want[i]);
  }
  fb_doc_free(doc);
}

static void test_strings_refuse_what_is_not_text(void** state) {
  (void)state;
  fb_doc* doc = parse("[abc, 'true', \"3\", yes, 3, true, ~, [a], {a: 1}, .inf]");
  for (int i = 0; i < 10; i++) {
    const char* text = NULL;
    fb_error error;
    fb_status status = fb_node_string(fb_node_item(fb_doc_root(doc), i), &text, &error);
    assert_int_equal(status, i < 4 ? FB_OK : FB_ERR_CONTENT);
    if (i >= 4) assert_non_null(strstr(error.text, "expected text"));
  }
  fb_doc_free(doc);
}

static void test_matrices_are_lists_of_rows(void** state) {
  (void)state;
  double x[6];
  fb_doc* doc = parse("[[1, 2, 3], [4, 5, 6]]");
  assert_int_equal(fb_node_matrix(fb_doc_root(doc), 2, 3, x, NULL), FB_OK);
  for (int i = 0; i < 6; i++) assert_true(x[i] == i + 1);
  fb_error error;
  assert_int_equal(fb_node_matrix(fb_doc_root(doc), 3, 2, x, &error), FB_ERR_CONTENT);
  assert_non_null(strstr(error.text, "expected a list of 3 rows of 2 numbers, but found a list of 2"));
  fb_doc_free(doc);
}

static void test_keys_are_checked_and_needed(void** state) {
  (void)state;
  static const char* const known[] = {"mass", "inertia", "friction_speed", NULL};
  const struct {
    const char *text, *part;
  } rows[] = {{"mass: 1\nmas: 2", "did you mean 'mass'?"},
              {"Inertia: 1", "did you mean 'inertia'?"},
              {"friction-speed: 1", "did you mean 'friction_speed'?"},
              {"colour: 1", "the keys are: mass, inertia, friction_speed"},
              {"[mass]", "expected a map of keys and values, but found a list of 1"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_doc* doc = parse(rows[i].text);
    fb_error error;
    assert_int_equal(fb_map_check_keys(fb_doc_root(doc), known, &error), FB_ERR_CONTENT);
    if (!strstr(error.text, rows[i].part)) fail_msg("%s: %s", rows[i].text, error.text);
    fb_doc_free(doc);
  }
  fb_doc* doc = parse("mass: 1");
  const fb_node* node;
  fb_error error;
  assert_int_equal(fb_map_check_keys(fb_doc_root(doc), known, &error), FB_OK);
  assert_int_equal(fb_map_need(fb_doc_root(doc), "mass", &node, &error), FB_OK);
  assert_int_equal(fb_map_need(fb_doc_root(doc), "inertia", &node, &error), FB_ERR_CONTENT);
  assert_non_null(strstr(error.text, "'inertia' is missing"));
  fb_doc_free(doc);
}

static void test_nearest_word_is_near(void** state) {
  (void)state;
  static const char* const words[] = {"revolute", "prismatic", "free", "at", "rpy", NULL};
  const struct {
    const char *word, *want;
  } rows[] = {{"revolut", "revolute"},
              {"REVOLUTE", "revolute"},
              {"rveolute", "revolute"},
              {"fre", "free"},
              {"prismatik", "prismatic"},
              {"rpt", "rpy"},
              {"banana", NULL},
              {"", NULL},
              {"x", NULL},
              {"a word much too long to be near any of these words at all", NULL}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const char* found = fb_nearest_word(rows[i].word, words);
    if (!rows[i].want)
      assert_null(found);
    else
      assert_string_equal(found ? found : "(none)", rows[i].want);
  }
}

static void test_words_are_joined_and_suggested(void** state) {
  (void)state;
  static const char* const words[] = {"at", "rpy", "quat", NULL};
  static const char* const none[] = {NULL};
  char joined[32], near[FB_SUGGESTION_SIZE];
  assert_string_equal(fb_words_join(words, "", joined, sizeof joined), "at, rpy, quat");
  assert_string_equal(fb_words_join(words, "'", joined, sizeof joined), "'at', 'rpy', 'quat'");
  assert_string_equal(fb_words_join(none, "", joined, sizeof joined), "");
  assert_string_equal(fb_words_join(words, "", joined, 14), "at, rpy, quat");
  assert_string_equal(fb_words_join(words, "", joined, 13), "at, rpy, ...");
  assert_string_equal(fb_words_join(words, "", joined, 12), "at, ...");
  assert_string_equal(fb_suggestion("rpt", words, near), "; did you mean 'rpy'?");
  assert_string_equal(fb_suggestion("banana", words, near), "");
  assert_string_equal(fb_suggestion_or_list("quta", words, "it is one of", near), "; did you mean 'quat'?");
  assert_string_equal(fb_suggestion_or_list("banana", words, "it is one of", near),
                      "; it is one of at, rpy, quat");
}

/* --- files --- */

static char folder[600];

static int make_folder(void** state) {
  (void)state;
  snprintf(folder, sizeof folder, "%s/document-XXXXXX", FB_BINARY_DIR);
  return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void** state) {
  (void)state;
  return rmdir(folder); /* fails when a test left something behind */
}

static void test_files_are_written_and_read_back(void** state) {
  (void)state;
  char file[700], link[700];
  snprintf(file, sizeof file, "%s/a.txt", folder);
  snprintf(link, sizeof link, "%s/link.txt", folder);
  fb_error error;
  char* text;
  size_t size;
  assert_int_equal(fb_file_write(file, "one", 3, &error), FB_OK);
  assert_int_equal(chmod(file, 0640), 0);
  assert_int_equal(symlink(file, link), 0);
  assert_int_equal(fb_file_write(link, "two\0two", 7, &error), FB_OK);
  assert_int_equal(fb_file_read(file, &text, &size, &error), FB_OK);
  assert_int_equal(size, 7);
  assert_memory_equal(text, "two\0two", 8);
  free(text);
  struct stat info;
  assert_int_equal(stat(file, &info), 0);
  assert_int_equal(info.st_mode & 0777, 0640); /* permissions are kept */
  assert_int_equal(lstat(link, &info), 0);
  assert_true(S_ISLNK(info.st_mode)); /* and a link stays a link */
  assert_int_equal(unlink(file) | unlink(link), 0);
  assert_int_equal(fb_file_write("/dev/null", "x", 1, &error), FB_OK);
}

static void test_file_errors_say_what_is_wrong(void** state) {
  (void)state;
  char file[700];
  char* text;
  size_t size;
  fb_error error;
  assert_int_equal(fb_file_read(folder, &text, &size, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "folder"));
  assert_int_equal(fb_file_write(folder, "x", 1, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "folder"));
  snprintf(file, sizeof file, "%s/none/a.txt", folder);
  assert_int_equal(fb_file_read(file, &text, &size, &error), FB_ERR_IO);
  assert_null(text);
  assert_string_equal(error.text, "there is no such file");
  assert_string_equal(error.file, strlen(file) < sizeof error.file ? file : error.file);
  assert_int_equal(fb_file_write(file, "x", 1, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "/none' does not exist; make it first"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_json_and_yaml_give_the_same_tree),
      cmocka_unit_test(test_strings_are_unescaped_utf8),
      cmocka_unit_test(test_places_count_from_one_and_point_to_the_quote),
      cmocka_unit_test(test_errors_carry_file_place_and_path),
      cmocka_unit_test(test_large_maps_find_every_key_and_twins),
      cmocka_unit_test(test_ten_thousand_bodies_parse_quickly),
      cmocka_unit_test(test_numbers_and_units_read_exactly),
      cmocka_unit_test(test_decimal_commas_of_the_locale_change_nothing),
      cmocka_unit_test(test_wrong_numbers_say_why),
      cmocka_unit_test(test_every_quantity_has_a_name_and_units),
      cmocka_unit_test(test_integers_are_whole_and_in_range),
      cmocka_unit_test(test_strings_refuse_what_is_not_text),
      cmocka_unit_test(test_matrices_are_lists_of_rows),
      cmocka_unit_test(test_keys_are_checked_and_needed),
      cmocka_unit_test(test_nearest_word_is_near),
      cmocka_unit_test(test_words_are_joined_and_suggested),
      cmocka_unit_test(test_files_are_written_and_read_back),
      cmocka_unit_test(test_file_errors_say_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
