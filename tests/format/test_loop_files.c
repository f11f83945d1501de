/* test_loop_files.c -- loops in model files: what is read and written of them, what is refused and where, and what `info`
 * lists. */
#include "run_command.h"

#include <math.h>

#include <freebody/io.h>
#include <freebody/model.h>

#include "near.h"
#include "same_def.h"

#define EVERY_LOOP FB_TEST_DATA "/models/loops.yaml"

static fb_model_def* read_def(const char* file) {
  fb_model_def* def = NULL;
  fb_error error;
  if (fb_model_def_read(file, NULL, &def, &error)) fail_msg("%s: %s", file, error.text);
  return def;
}

static const fb_loop_def* find_loop(const fb_model_def* def, const char* name) {
  for (int i = 0; i < fb_model_def_nloop(def); i++)
    if (strcmp(fb_model_def_loop(def, i)->name, name) == 0) return fb_model_def_loop(def, i);
  fail_msg("no loop '%s'", name);
  return NULL;
}

/* --- the native format --- */

static void keys_of_every_type_are_read_with_their_defaults_and_units(void** state) {
  (void)state;
  fb_model_def* def = read_def(EVERY_LOOP);
  assert_int_equal(fb_model_def_nloop(def), 13);
  const fb_loop_def* loop = find_loop(def, "hinge");
  assert_int_equal(loop->type, FB_LOOP_REVOLUTE);
  assert_string_equal(loop->a, "left");
  assert_string_equal(loop->b, "foot");
  assert_near("axis", loop->axis, NUMBERS(0, 2, 0), 3, 0);
  assert_int_equal(loop->place.line, 27);
  assert_near("z", find_loop(def, "hinge_z")->axis, NUMBERS(0, 0, 1), 3, 0);
  assert_near("x", find_loop(def, "cross_xy")->axis, NUMBERS(1, 0, 0), 3, 0);
  assert_near("y", find_loop(def, "cross_xy")->axis2, NUMBERS(0, 1, 0), 3, 0);
  assert_near("length", &find_loop(def, "rod")->length, NUMBERS(0.4), 1, 1e-15);
  assert_true(isnan(find_loop(def, "rope")->length));
  loop = find_loop(def, "belt");
  assert_null(loop->b);
  assert_int_equal(loop->njoint, 1);
  assert_string_equal(loop->joints[0], "hip");
  assert_near("angle", &loop->offset, NUMBERS(0.52359877559829882), 1, 1e-15);
  loop = find_loop(def, "pinion");
  assert_near("ratios", loop->ratios, NUMBERS(0.1, -0.05), 2, 0);
  assert_near("length", &loop->offset, NUMBERS(0.02), 1, 1e-15);
  assert_near("1 by default", find_loop(def, "even")->ratios, NUMBERS(1), 1, 0);
  fb_model_def_free(def);
}

static void assert_survives(const fb_model_def* def, fb_format format, double tol) {
  fb_io_options options = fb_default_io_options();
  fb_model_def* back = NULL;
  fb_error error;
  char* text = NULL;
  size_t size;
  options.format = format;
  if (fb_model_def_print(def, &options, &text, &size, &error)) fail_msg("%s", error.text);
  if (fb_model_def_parse(text, size, "written", NULL, &back, &error)) fail_msg("%s\n%s", error.text, text);
  assert_same_def(def, back, tol);
  fb_model_def_free(back);
  free(text);
}

static void loops_survive_native_files_exactly(void** state) {
  (void)state;
  fb_model_def* def = read_def(EVERY_LOOP);
  assert_survives(def, FB_FORMAT_YAML, 0);
  assert_survives(def, FB_FORMAT_JSON, 0);
  fb_model_def_free(def);
}

#define MODEL                                                                                             \
  "freebody: 1\nbodies:\n"                                                                                \
  "  - {name: p, joint: {name: jp, type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, 0, "  \
  "0]}\n"                                                                                                 \
  "  - {name: q, joint: {name: jq, type: prismatic, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, 0, " \
  "0]}\n"                                                                                                 \
  "  - {name: s, joint: {name: js, type: spherical}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"

/* Of a list of loops after MODEL, whose lines count from 6. */
static const struct {
  const char* loops;
  int line, column;
  const char* text;
} REFUSED[] = {
    {"loops: {}", 6, 8, "expected a list of loops, but found"},
    {"loops: [weld]", 6, 9, "expected a loop, which is a map of keys and values"},
    {"loops:\n  - {type: weld, a: p, b: q}", 7, 5, "a weld loop needs the key 'name'"},
    {"loops:\n  - {name: l, a: p, b: q}", 7, 5, "a loop needs the key 'type'"},
    {"loops:\n  - {name: l, type: wled, a: p, b: q}", 7, 21,
     "'wled' is not a type of a loop; did you mean 'weld'?"},
    {"loops:\n  - {name: l, type: weld, b: q}", 7, 5, "a weld loop needs the key 'a'"},
    {"loops:\n  - {name: l, type: gear, a: jp}", 7, 5, "a gear loop needs the key 'b'"},
    {"loops:\n  - {name: l, type: weld, a: p, b: q, ax: 1}", 7, 39, "a loop has no key 'ax'"},
    {"loops:\n  - {name: l, type: point, a: p, b: q, axis: [0, 0, 1]}", 7, 46,
     "a point loop cannot have 'axis'; it belongs to revolute, universal, prismatic"},
    {"loops:\n  - {name: l, type: revolute, a: p, b: q, axis2: [0, 0, 1]}", 7, 50, "it belongs to universal"},
    {"loops:\n  - {name: l, type: weld, a: p, b: q, length: 1}", 7, 47, "it belongs to distance"},
    {"loops:\n  - {name: l, type: weld, a: p, b: q, ratio: 1}", 7, 46, "it belongs to gear"},
    {"loops:\n  - {name: l, type: distance, a: p, b: q, offset: 1}", 7, 51, "it belongs to gear"},
    {"loops:\n  - {name: l, type: revolute, a: p, b: q, axis: [0, 0, 0]}", 7, 49, "'axis' is zero"},
    {"loops:\n  - {name: l, type: distance, a: p, b: q, length: 0}", 7, 51,
     "'length' is 0, but must be more than 0"},
    {"loops:\n  - {name: l, type: distance, a: p, b: q, length: .nan}", 7, 51, "not finite"},
    {"loops:\n  - {name: l, type: distance, a: p, b: q, length: 1 deg}", 7, 51, "a length is expected"},
    {"loops:\n  - {name: l, type: weld, a: p, b: [q]}", 7, 36,
     "a weld loop joins one frame 'b', but found a list of 1; only a gear takes several"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: []}", 7, 37, "'b' is an empty list"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: ['']}", 7, 38, "'b' is empty"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: [jq, 1]}", 7, 42, "put it in quotes"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: jq, ratio: [1, 2]}", 7, 48,
     "'b' names 1 joint, so a number is expected, but found a list of 2"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: [jq, js], ratio: 1}", 7, 54,
     "'b' names 2 joints, so a list of as many ratios is expected, but found the number '1'"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: jq, ratio: .inf}", 7, 48, "not finite"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: jq, offset: 1 m}", 7, 49, "an angle is expected"},
    {"loops:\n  - {name: l, type: gear, a: jq, b: jp, offset: 1 deg}", 7, 49, "a length is expected"},
    /* when the model is built */
    {"loops:\n  - {name: l, type: weld, a: p, b: r}", 7, 5, "there is no frame or body 'r'"},
    {"loops:\n  - {name: l, type: weld, a: p, b: p}", 7, 5, "on one rigid body"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: p}", 7, 5, "there is no joint 'p'"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: js}", 7, 5, "js' is spherical and has 3 coordinates"},
    {"loops:\n  - {name: l, type: gear, a: jp, b: jq, ratio: 0}", 7, 5, "the ratio of 'jq' is 0"},
    {"loops:\n  - {name: l, type: weld, a: p, b: q}\n  - {name: l, type: point, a: p, b: q}", 8, 5,
     "the name \"l\" is given to two loops"},
};

static void what_is_wrong_with_a_loop_is_refused_at_its_place(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    char text[1200];
    fb_model_def* def = NULL;
    fb_model* model = NULL;
    fb_error error = {0};
    snprintf(text, sizeof text, MODEL "%s\n", REFUSED[i].loops);
    fb_status status = fb_model_def_parse(text, strlen(text), "t", NULL, &def, &error);
    if (!status) status = fb_model_build(def, NULL, &model, &error);
    if (!status || !strstr(error.text, REFUSED[i].text))
      fail_msg("%s: \"%s\" does not say \"%s\"", REFUSED[i].loops, error.text, REFUSED[i].text);
    if (error.place.line != REFUSED[i].line || error.place.column != REFUSED[i].column)
      fail_msg("%s: \"%s\" at %d:%d, not %d:%d", REFUSED[i].loops, error.text, error.place.line,
               error.place.column, REFUSED[i].line, REFUSED[i].column);
    fb_model_def_free(def);
  }
}

static void check_lists_the_errors_of_all_loops(void** state) {
  (void)state;
  spill("bad.yaml", MODEL
        "loops:\n  - {name: l, type: gear, a: jp, b: jq, ratio: [1, 2]}\n  - {name: m, type: point, a: p, b: "
        "q, "
        "axis: [1, 0, 0]}\n  - {name: n, type: weld, a: p, b: [q]}\n");
  const shell_case rows[] = {
      {"$FB check bad.yaml", 2, NULL, "bad.yaml:7:48: loops[0].ratio: 'b' names 1 joint"},
      {"$FB check bad.yaml", 2, NULL, "bad.yaml:8:46: loops[1].axis: a point loop cannot have 'axis'"},
      {"$FB check bad.yaml", 2, NULL, "bad.yaml:9:36: loops[2].b: a weld loop joins one frame"},
  };
  check_cases(rows, sizeof rows / sizeof *rows);
}

/* --- other formats, and info --- */

static void info_lists_loops_with_their_rows(void** state) {
  (void)state;
  const shell_case rows[] = {
      {"$FB info " EVERY_LOOP, 0, "loops               13", NULL},
      {"$FB info " EVERY_LOOP " | tr -s ' '", 0, "\n hinge revolute 5 left foot", NULL},
      {"$FB info " EVERY_LOOP " | tr -s ' '", 0, "\n belt gear 1 bend -2 hip + 0.523599", NULL},
      {"$FB info " EVERY_LOOP " | tr -s ' '", 0, "\n pinion gear 1 slide 0.1 hip + -0.05 bend + 0.02", NULL},
      {"$FB info --json " EVERY_LOOP " | tr -d ' \n'", 0,
       "{\"name\":\"rod\",\"type\":\"distance\",\"rows\":1,\"a\":\"left\",\"b\":\"knee\"}", NULL},
      {"$FB info --json " EVERY_LOOP " | tr -d ' \n'", 0,
       "\"a\":\"slide\",\"b\":[\"hip\",\"bend\"],\"ratio\":[0.1,-0.05],\"offset\":0.02}", NULL},
      {"$FB info --spacedyn " EVERY_LOOP, 0, "and: it has 13 loops; SpaceDyn's mechanisms are trees", NULL},
  };
  check_cases(rows, sizeof rows / sizeof *rows);
}

static void spacedyn_cannot_contain_loops_and_convert_lists_them(void** state) {
  (void)state;
  spill("arm.yaml",
        "freebody: 1\nbodies:\n  - {name: base, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n  - {name: link, "
        "parent: "
        "base, joint: {type: revolute, axis: [0, 0, 1]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\nloops:\n  - "
        "{name: "
        "rope, type: distance, a: base, b: link}\n  - {name: tie, type: point, a: link, b: world}\n");
  const shell_case rows[] = {{"$FB convert arm.yaml arm.spacedyn.json", 0, NULL,
                              "lost: 2 loops: 'rope', 'tie'; SpaceDyn's mechanisms are trees"}};
  check_cases(rows, 1);
}

static void pages_list_loops_and_evaluation_files_may_have_them(void** state) {
  (void)state;
  spill("states.json", "{\"format\": \"freebody-eval\", \"model\": \"" EVERY_LOOP "\", \"cases\": []}");
  const shell_case rows[] = {
      {"$FB view " EVERY_LOOP " -o page.html && grep -o '\"loops\": *\\[{[^}]*}' page.html", 0,
       "\"name\": \"weld\", \"type\": \"weld\", \"a\": \"plate\", \"b\": \"rack\"}", NULL},
      {"grep -o '\"a\": \"slide\", \"b\": *\\[[^]]*\\]' page.html", 0, "[\"hip\", \"bend\"]", NULL},
      {"$FB eval states.json", 0, "cases", NULL},
      {"$FB convert states.json model.yaml && grep -c 'type: gear' model.yaml", 0, "3", "nothing lost"},
  };
  check_cases(rows, sizeof rows / sizeof *rows);
}

/* --- URDF --- */

#define INERTIAL \
  "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
#define JOINT(name, type, child, more)                                              \
  "<joint name='" name "' type='" type "'><parent link='base'/><child link='" child \
  "'/><axis xyz='0 0 1'/>"                                                          \
  "<limit lower='-1' upper='1' effort='1' velocity='1'/>" more "</joint>\n"
#define ROBOT(loops, mimic_r, mimic_s)                                                         \
  "<robot name='r'>\n" loops "\n<link name='base'>" INERTIAL "</link><link name='p'>" INERTIAL \
  "</link><link name='r'>" INERTIAL "</link><link name='s'>" INERTIAL                          \
  "</link>\n" JOINT("jp", "revolute", "p", "") JOINT("jr", "revolute", "r", mimic_r)           \
      JOINT("js", "prismatic", "s", mimic_s) "</robot>\n"
#define LOOPS(text) ROBOT("<freebody>" text "</freebody>", "", "")

static fb_model_def* parse_text(const char* text, const fb_io_options* options) {
  fb_model_def* def = NULL;
  fb_error error;
  if (fb_model_def_parse(text, strlen(text), "t", options, &def, &error))
    fail_msg("%s\n%s", error.text, text);
  return def;
}

/* The definition as a URDF; its text is left in *text. */
static void assert_survives_urdf(const fb_model_def* def, char** text) {
  fb_io_options options = fb_default_io_options();
  fb_error error;
  size_t size;
  options.format = FB_FORMAT_URDF;
  if (fb_model_def_print(def, &options, text, &size, &error)) fail_msg("%s", error.text);
  fb_model_def* back = parse_text(*text, NULL);
  assert_same_def(def, back, 1e-15); /* rotations are written as angles */
  fb_model_def_free(back);
}

static void loops_survive_a_urdf_with_their_names_and_order(void** state) {
  (void)state;
  static const struct {
    const char *loops, *mimic_r, *mimic_s, *written, *not_written;
  } rows[] = {
      {"", "<mimic joint='jp' multiplier='-2' offset='0.5'/>", "<mimic joint='jr' multiplier='0.1'/>",
       "<mimic joint=\"jp\" multiplier=\"-2\" offset=\"0.5\"/>", "<freebody"},
      {"<freebody><loop name='js' mimic='js'/><loop name='jr' mimic='jr'/></freebody>", "<mimic joint='jp'/>",
       "<mimic joint='jp'/>", "<loop name=\"js\" mimic=\"js\"/>", "type=\"gear\""},
      {"<freebody><loop name='belt' mimic='jr'/></freebody>", "<mimic joint='jp'/>", "",
       "<loop name=\"belt\" mimic=\"jr\"/>", "type=\"gear\""},
      {"<freebody><loop name='w' type='weld' a='p' b='world'/><loop name='x' mimic='js'/></freebody>",
       "<mimic joint='jp'/>", "<mimic joint='jp'/>", "<loop name=\"w\" type=\"weld\" a=\"p\" b=\"world\"/>",
       "gear"},
      {"<freebody><loop name='h' type='revolute' a='p' b='r' axis='0 3 0'/><loop name='u' type='universal' "
       "a='p' "
       "b='r' axis='0 0 1' axis2='1 0 0'/><loop name='s' type='prismatic' a='p' b='r'/></freebody>",
       "", "", "axis2=\"1 0 0\"", "<mimic"},
      {"<freebody gravity='0 0 -1'><loop name='d' type='distance' a='p' b='r' length='2'/></freebody>"
       "<freebody><loop name='e' type='distance' a='p' b='r'/><loop name='f' type='planar' a='p' "
       "b='world'/></freebody>",
       "", "", "<freebody gravity=\"0 0 -1\">", "<mimic"},
      {"<freebody><loop name='g' type='gear' a='js' offset='0.1'><b joint='jp' ratio='0.5'/><b "
       "joint='jr'/></loop>"
       "</freebody>",
       "", "", "<b joint=\"jp\" ratio=\"0.5\"/>", "<mimic"},
      /* of two gears of one joint, and of gears in a ring, one is <mimic> */
      {"<freebody><loop name='g' type='gear' a='jr' b='jp' ratio='2'/><loop name='h' type='gear' a='jr' "
       "b='js'/>"
       "<loop name='i' type='gear' a='jp' b='jr' ratio='0.5'/></freebody>",
       "", "", "<mimic joint=\"jr\" multiplier=\"0.5\" offset=\"0\"/>", "a=\"jp\" b=\"jr\""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[4000], *written = NULL;
    snprintf(text, sizeof text, ROBOT("%s", "%s", "%s"), rows[i].loops, rows[i].mimic_r, rows[i].mimic_s);
    fb_model_def* def = parse_text(text, NULL);
    assert_survives_urdf(def, &written);
    fb_model_def_set_gravity(def, NUMBERS(0, 0, 0)); /* native models have none */
    assert_survives(def, FB_FORMAT_YAML, 0);
    if (!strstr(written, rows[i].written)) fail_msg("no %s in\n%s", rows[i].written, written);
    if (strstr(written, rows[i].not_written)) fail_msg("%s in\n%s", rows[i].not_written, written);
    fb_model_def_free(def);
    free(written);
  }
}

static void a_loop_for_a_mimic_means_nothing_when_it_is_not_coupled(void** state) {
  (void)state;
  static const fb_mimic ways[] = {FB_MIMIC_FREE, FB_MIMIC_FIXED, FB_MIMIC_COUPLED};
  for (int i = 0; i < 3; i++) {
    fb_io_options options = fb_default_io_options();
    options.mimic = ways[i];
    fb_model_def* def = parse_text(
        ROBOT("<freebody><loop name='belt' mimic='jr'/></freebody>", "<mimic joint='jp'/>", ""), &options);
    assert_int_equal(fb_model_def_nloop(def), ways[i] == FB_MIMIC_COUPLED);
    fb_model_def_free(def);
  }
}

static void loops_of_a_urdf_that_cannot_be_read_are_refused_at_their_line(void** state) {
  (void)state;
  static const struct {
    const char *text, *why;
  } rows[] = {
      {LOOPS("<lop/>"), "<freebody> of a robot may contain <loop"},
      {LOOPS("<loop name='l' a='p' b='r'/>"), "needs the attribute type="},
      {LOOPS("<loop name='l' type='wled' a='p' b='r'/>"),
       "'wled' is not a type of a loop; did you mean 'weld'?"},
      {LOOPS("<loop type='weld' a='p' b='r'/>"), "needs the attribute name="},
      {LOOPS("<loop name='l' type='weld' a='p'/>"), "needs the attribute b="},
      {LOOPS("<loop name='l' type='point' a='p' b='r' axis='0 0 1'/>"), "axis"},
      {LOOPS("<loop name='l' type='weld' a='p' b='r' mimic='jr'/>"), "'type'"},
      {LOOPS("<loop name='l' mimic='jr'/>"), "there is no joint 'jr' with <mimic>"},
      {LOOPS("<loop name='l' type='revolute' a='p' b='r' axis='0 0 0'/>"), "no direction"},
      {LOOPS("<loop name='l' type='distance' a='p' b='r' length='-1'/>"), "length is -1 m"},
      {LOOPS("<loop name='l' type='distance' a='p' b='r' length='nan'/>"), "nan"},
      {LOOPS("<loop name='l' type='weld' a='p' b='here'/>"), "there is no frame or body 'here'"},
      {LOOPS("<loop name='l' type='gear' a='jp'/>"), "needs the attribute b="},
      {LOOPS("<loop name='l' type='gear' a='jp' b='jr'><b joint='js'/></loop>"),
       "a gear has the attribute b"},
      {LOOPS("<loop name='l' type='gear' a='jp'><c/></loop>"), "a gear has the attribute b"},
      {LOOPS("<loop name='l' type='gear' a='jp'><b joint='jr' ratio='1' x='2'/></loop>"), "'x'"},
      {LOOPS("<loop name='l' type='gear' a='jp'><b/></loop>"), "needs the attribute joint="},
      {LOOPS("<loop name='l' type='gear' a='jp' b='jr' ratio='0'/>"), "the ratio of 'jr' is 0"},
      {LOOPS("<loop name='' type='weld' a='p' b='r'/>"), "has no name"},
      {ROBOT("<freebody><loop name='l' mimic='jr'/><loop name='k' mimic='jr'/></freebody>",
             "<mimic joint='jp'/>", ""),
       "the <mimic> of joint 'jr' has a <loop> already"},
      {ROBOT("<freebody><loop name='jr' type='weld' a='p' b='r'/></freebody>", "<mimic joint='jp'/>", ""),
       "the name \"jr\" is given to two loops"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_model_def* def = NULL;
    fb_model* model = NULL;
    fb_error error = {0};
    fb_status status = fb_model_def_parse(rows[i].text, strlen(rows[i].text), "t", NULL, &def, &error);
    if (!status) status = fb_model_build(def, NULL, &model, &error);
    if (!status || !strstr(error.text, rows[i].why) || error.place.line != 2)
      fail_msg("row %zu: line %d: \"%s\" does not say \"%s\"", i, error.place.line, error.text, rows[i].why);
    fb_model_def_free(def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(keys_of_every_type_are_read_with_their_defaults_and_units),
      cmocka_unit_test(loops_survive_native_files_exactly),
      cmocka_unit_test(what_is_wrong_with_a_loop_is_refused_at_its_place),
      cmocka_unit_test(check_lists_the_errors_of_all_loops),
      cmocka_unit_test(info_lists_loops_with_their_rows),
      cmocka_unit_test(spacedyn_cannot_contain_loops_and_convert_lists_them),
      cmocka_unit_test(pages_list_loops_and_evaluation_files_may_have_them),
      cmocka_unit_test(loops_survive_a_urdf_with_their_names_and_order),
      cmocka_unit_test(a_loop_for_a_mimic_means_nothing_when_it_is_not_coupled),
      cmocka_unit_test(loops_of_a_urdf_that_cannot_be_read_are_refused_at_their_line),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
