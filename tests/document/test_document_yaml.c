/* test_document_yaml.c -- the syntax of documents: every mistake has its place and advice, valid JSON is read, and what
 * programs read differently is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>

#include "document_rig.h"

typedef struct mistake {
  const char* text;
  int line, column;
  const char* part; /* of the message */
} mistake;

static const mistake MISTAKES[] = {
    /* colons and columns */
    {"a: 1\nmass 3\nb: 2\n", 2, 1, "this key has no ': ' after it; is a colon missing"},
    {"mass 3\nb: 2\n", 2, 2, "keys of one map begin in the same column; is a colon missing"},
    {"a: 1\n b: 2\n", 2, 3, "keys of one map begin in the same column"},
    {"a: b: c\n", 1, 5, "a second ': ' on one line is not allowed; a value with ': ' in it needs quotes"},
    {"\xc3\xa9\xc3\xa9: b: c\n", 1, 6, "a second ': ' on one line"},
    {"{a:[1]}", 1, 3, "this ':' needs a space after it"},
    {" a: 1\nb: 2\n", 2, 1, "this line indented less than the first?"},
    {"- 1\nb: 2\n", 2, 1, "items begin with '- ' in the same column"},
    {"a: 1\n- b\n", 2, 1, "a key is expected here; keys of one map begin in the same column"},
    {"a: - 1\n", 1, 4, "begin the list on a line of its own, or write [a, b]"},
    {"a: ? 1\n", 1, 4, "begin the map on a line of its own, or write {key: value}"},
    {": 1\n", 1, 1, "a key is expected here"},
    /* quotes and brackets */
    {"a: \"b\nc: 2\n", 1, 4, "this quote is never closed; is the closing quote missing?"},
    {"a: 'b\n---\nc'\n", 1, 4, "the text in quotes has a line that begins with --- or ..."},
    {"a: \"x\" y\n", 1, 8, "quotes go around a whole value (the map begins in line 1, column 1)"},
    {"a: [1\nb: 2\n", 2, 2,
     "a comma or the closing bracket ']' is missing (the list begins in line 1, column 4)"},
    {"{\"a\": 1\n \"b\": 2}", 2, 5,
     "a comma or the closing brace '}' is missing (the map begins in line 1, column 1)"},
    {"{\"a\"\n: 1}", 2, 1, "a key and its ':' belong on one line"},
    {"a: [1, 2\n\n", 1, 9,
     "the file ends inside the list that begins in line 1, column 4; is its closing ']' missing?"},
    {"{\"a\": ", 1, 7,
     "the file ends inside the map that begins in line 1, column 1; is its closing '}' missing?"},
    {"a: [1]]\n", 1, 7, "no open bracket belongs to this ']'; leave it out"},
    {"{\"a\": 1}}", 1, 9, "no open bracket belongs to this '}'; leave it out"},
    {"[1,, 2]", 1, 4, "is a value missing, or a comma too many?"},
    {"[?a]", 1, 3, "in brackets a text that begins with '?' needs quotes"},
    {"{?a: 1}", 1, 3, "in brackets a text that begins with '?' needs quotes"},
    /* characters with a meaning */
    {"a:\n\tb: 1\n", 2, 1, "a tab character is not allowed here; indent with spaces"},
    {"a: 1\n\t\nb: 2\n", 2, 1, "a tab character is not allowed here; indent with spaces"},
    {"a:\n\t", 2, 1, "a tab character is not allowed here; indent with spaces"},
    {"a: @b\n", 1, 4, "a value cannot begin with '@'; put the value in quotes"},
    {"a: %b\n", 1, 4, "a value cannot begin with '%'; put the value in quotes"},
    {"a: & b\n", 1, 4, "a value cannot begin with '&'; put the value in quotes"},
    {"a: * b\n", 1, 4, "a value cannot begin with '*'; put the value in quotes"},
    {"a: *b\n", 1, 4, "the alias *b has no anchor &b before it"},
    {"a: !b c\n", 1, 4, "tags (words that begin with !) are not used here"},
    {"a: !b!c d\n", 1, 4, "tags (words that begin with !) are not used here"},
    {"a: !<b c\n", 1, 4, "tags (words that begin with !) are not used here"},
    {"%b\n---\na: 1\n", 1, 1, "a line that begins with % is a directive of YAML"},
    {"%YAML 2.0\n---\na: 1\n", 1, 1, "a line that begins with % is a directive of YAML"},
    {"%YAML 1.2\n%TAG b\n---\na: 1\n", 2, 1, "this line declares a tag, and tags are not used here"},
    {"a: |0\n  b\n", 1, 5, "the digit after | or > is how far its lines are indented"},
    {"a: |b\n", 1, 5, "a value that begins with | or > needs quotes"},
    /* escapes */
    {"a: \"b\\q\"\n", 1, 6, "there is no such escape; in double quotes a backslash is written \\\\"},
    {"a: \"\\u12\"\n", 1, 7, "hexadecimal digits are expected here: 2 after \\x, 4 after \\u, 8 after \\U"},
    {"a: \"\\ud83d\"\n", 1, 7, "this escape is no character, or half of a pair"},
    {"a: \"\\\\ud83d\\ude00\"\n", 1, 14, "this escape is no character, or half of a pair"},
    {"a: [\"\\ue800\", \"\\ud83d\\ude00\"]\n", 1, 18, "this escape is no character, or half of a pair"},
    {"a: \"\\0\"\n", 1, 4, "the text contains an escaped zero character; remove it"},
    /* characters that programs read differently */
    {"a: 1\nb: \"\xc2\x85\"\n", 2, 5, "the character U+0085 is read differently"},
    {"a: x\xe2\x80\xa8y\n", 1, 5, "leave it out, or write \\u2028 in double quotes"},
    {"a: x\xef\xbb\xbfy\n", 1, 5, "the character U+FEFF"},
    {"a: \"\xef\xbf\xbe\"\n", 1, 5, "the character U+FFFE"},
    {"a: \"\xc2\x90\"\n", 1, 5, "the character U+0090"},
    /* documents */
    {"a: 1\n---\nb: 2\n", 2, 1, "a second document begins here (---)"},
    {"a: 1\n...\nb: 2\n", 3, 1, "the document is complete before this place"},
    {"\xef\xbb\xbf# \xc3\xa9 \x01\n", 1, 5, "the byte 0x01 is a control character"},
};

static void test_every_mistake_has_its_place_and_advice(void** state) {
  (void)state;
  int wrong = 0;
  for (size_t i = 0; i < sizeof MISTAKES / sizeof *MISTAKES; i++) {
    const mistake* m = &MISTAKES[i];
    fb_doc* doc = NULL;
    fb_error error;
    char message[1400] = "accepted";
    fb_status status = fb_doc_parse(m->text, strlen(m->text), "f", &doc, &error);
    if (status) fb_error_format(&error, message, sizeof message);
    if (status != FB_ERR_SYNTAX || error.place.line != m->line || error.place.column != m->column ||
        !strstr(error.text, m->part)) {
      print_error("%s\n  expected %d:%d '%s', got %s\n", m->text, m->line, m->column, m->part, message);
      wrong++;
    }
    fb_doc_free(doc);
  }
  assert_int_equal(wrong, 0);
}

/* The first value of the root, which is a map or a list. */
static const fb_node* first_of(const fb_doc* doc) {
  return fb_node_item(fb_doc_root(doc), 0);
}

static void test_valid_texts_are_read(void** state) {
  (void)state;
  const struct {
    const char *text, *value;
    int line, column;
  } rows[] = {
      {"\t\n {\"a\": \"x\"}\n\t\n", "x", 2, 8},
      {"{\n\t\"a\"\t:\t\"x\"\t,\n\t\"b\": [\n\t\t1]\n}", "x", 2, 8},
      {"{\"a\":\"x\\/y\"}", "x/y", 1, 6},
      {"{\"\xc3\xa9\":\"x\"}", "x", 1, 6},
      {"[\"\\u00e9\\ud83d\\ude00\\ud83d\\ude01z\"]", "\xc3\xa9\xf0\x9f\x98\x80\xf0\x9f\x98\x81z", 1, 2},
      {"[\"\\\\\\ud83d\\ude00\"]", "\\\xf0\x9f\x98\x80", 1, 2},
      {"[\"\\u2028\\ufeff\"]", "\xe2\x80\xa8\xef\xbb\xbf", 1, 2},
      {"[ '\\ud83d\\ude00', \"\\ud83d\\ude00\" ]", "\\ud83d\\ude00", 1, 3},
      {"- \\uD83D\\uDE00 # \"\\ud83d\\ude00\"", "\\uD83D\\uDE00", 1, 3},
      {"[\xee\xa0\x80]", "\xee\xa0\x80", 1, 2},
      {"[a:b]", "a:b", 1, 2},
      {"a: b\r\nc: d\r\n", "b", 1, 4},
      {"a: b\tc\t# d\n", "b\tc", 1, 4},
      {"a: b\n  c\n\n  d\n", "b c\nd", 1, 4},
      {"a: |\n  b\n  c\nd: 1\n", "b\nc\n", 1, 4},
      {"a: b#c #d\n", "b#c", 1, 4},
      {"%YAML 1.2\n---\na: b\n", "b", 3, 4},
      {"? a\n: b\n", "b", 2, 3},
      {"key: \"a\\\n  b\"\n", "ab", 1, 6},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_doc* doc = parse(rows[i].text);
    assert_string_equal(fb_node_text(first_of(doc)), rows[i].value);
    assert_int_equal(fb_node_place(first_of(doc)).line, rows[i].line);
    assert_int_equal(fb_node_place(first_of(doc)).column, rows[i].column);
    fb_doc_free(doc);
  }
}

static void test_surrogate_pairs_may_be_keys(void** state) {
  (void)state;
  fb_doc* doc = parse("{\"\\uD83D\\uDE00\": 1}");
  assert_string_equal(fb_map_key(fb_doc_root(doc), 0), "\xf0\x9f\x98\x80");
  fb_doc_free(doc);
}

static void test_missing_values_are_placed_at_their_key(void** state) {
  (void)state;
  fb_doc* doc = parse("a: 1\nb:\nc: [{d}]\n");
  const fb_node* b = fb_map_get(fb_doc_root(doc), "b");
  const fb_node* d = fb_node_item(fb_node_item(fb_map_get(fb_doc_root(doc), "c"), 0), 0);
  assert_int_equal(fb_node_get_kind(b), FB_NODE_NULL);
  assert_int_equal(fb_node_place(b).line, 2);
  assert_int_equal(fb_node_place(b).column, 1);
  assert_int_equal(fb_node_get_kind(d), FB_NODE_NULL);
  assert_int_equal(fb_node_place(d).column, 6);
  fb_doc_free(doc);
}

/* Names come from URDF and from scripts too, so writers must write what the reader takes back. */
static void test_what_is_refused_raw_is_written_as_an_escape(void** state) {
  (void)state;
  static const char name[] =
      "a\xc2\x85"
      "b\xe2\x80\xa8\xe2\x80\xa9\xef\xbb\xbf\xef\xbf\xbe\xef\xbf\xbf\xc2\x9f\xc2\xa0\xee\xa0\x80\xf0\x9f\x98"
      "\x80";
  for (int yaml = 0; yaml < 2; yaml++) {
    fb_json* json = yaml ? fb_json_new_yaml() : fb_json_new(0);
    fb_json_begin_list(json);
    fb_json_string(json, name);
    fb_json_end_list(json);
    char* text = fb_json_finish(json, NULL);
    assert_non_null(strstr(text, "a\\u0085b\\u2028\\u2029\\ufeff\\ufffe\\uffff\\u009f\xc2\xa0"));
    fb_doc* doc = parse(text);
    assert_string_equal(fb_node_text(first_of(doc)), name);
    fb_doc_free(doc);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_every_mistake_has_its_place_and_advice),
                                     cmocka_unit_test(test_valid_texts_are_read),
                                     cmocka_unit_test(test_surrogate_pairs_may_be_keys),
                                     cmocka_unit_test(test_missing_values_are_placed_at_their_key),
                                     cmocka_unit_test(test_what_is_refused_raw_is_written_as_an_escape)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
