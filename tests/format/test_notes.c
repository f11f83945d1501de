/* test_notes.c -- what a reader passes over is told with its line, by check as advice, by info as a count, by
 * convert as a loss; and how a URDF's base stands when the caller says it. */
#include "run_command.h"

#include <freebody/io.h>

#include "urdf_files.h"

/* Slips of the pen, one each. */
static const char SLIPS[] =
    "<robot name=\"slips\" xmlns:x=\"http://x\">\n"
    "  <material name=\"gold\"><color rgba=\"1 0.8 0 1\"/></material>\n"
    "  <link name=\"base\"><inertial><mass value=\"1\"/>\n"
    "    <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial>\n"
    "    <visual><geometry><box size=\"1 1 1\"/><sphere radius=\"2\"/></geometry><material "
    "name=\"gold\"/></visual>\n"
    "    <visual><geometry><mesh filename=\"bus.wrl\"/></geometry></visual></link>\n"
    "  <link name=\"arm\"><inertial><mass value=\"1\"/>\n"
    "    <inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n"
    "  <joint name=\"j\" type=\"revolute\"><parent link=\"base\"/><child link=\"arm\"/>\n"
    "    <orgin xyz=\"1 0 0\"/>\n"
    "    <origin xzy=\"0 0 1\"/>\n"
    "    <dynamics dampng=\"3\"/>\n"
    "    <limit lower=\"-1\" upper=\"1\" effort=\"1\" velocity=\"1\"/>\n"
    "    <freebody damping=\"1\"><wheel/></freebody>\n"
    "  </joint>\n"
    "  <plugin><orgin/></plugin>\n"
    "</robot>\n";

static const char* const SLIPS_TOLD[] = {
    "lost: line 5: <sphere> is not read\n",
    "lost: line 6: mesh 'bus.wrl' is left out, because meshes are STL, OBJ or COLLADA",
    "lost: line 10: <orgin> is not read; did you mean 'origin'?\n",
    "lost: line 11: <origin> has no attribute 'xzy'; did you mean 'xyz'?",
    "lost: line 12: <dynamics> has no attribute 'dampng'; did you mean 'damping'?",
    "lost: line 14: <wheel> is not read",
    "lost: line 16: <plugin> is not read\n",
    "minor: the material name of 1 shape is not kept",
};

static int open_with_slips(void** state) {
  if (scratch_open(state)) return -1;
  spill("slips.urdf", SLIPS);
  spill("lp.json", "{\"num_q\":0, \"m0\":12, \"inertia0\":[[1,0,0],[0,1,0],[0,0,1]],\n \"gravity\":[0,0,1]}");
  spill("good.yaml", "freebody: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n");
  return 0;
}

static fb_model_def* parse_noting(const char* text, fb_base base, char notes[NOTES]) {
  fb_io_options options = noting(notes);
  options.base = base;
  fb_model_def* def = NULL;
  fb_error error;
  char line[1400];
  if (fb_model_def_parse(text, strlen(text), "made", &options, &def, &error))
    fail_msg("%s", fb_error_format(&error, line, sizeof line));
  return def;
}

static void every_slip_in_a_urdf_is_told_once(void** state) {
  (void)state;
  char notes[NOTES];
  int lines = 0;
  fb_model_def_free(parse_noting(SLIPS, FB_BASE_AS_FILE, notes));
  for (int i = 0; i < COUNT(SLIPS_TOLD); i++)
    if (!strstr(notes, SLIPS_TOLD[i])) fail_msg("no note '%s' in:\n%s", SLIPS_TOLD[i], notes);
  for (const char* c = notes; *c; c++) lines += *c == '\n';
  if (lines != COUNT(SLIPS_TOLD)) fail_msg("%d notes:\n%s", lines, notes);
}

static void names_beyond_the_table_are_counted(void** state) {
  (void)state;
  char text[4096] = "<robot name=\"r\">", notes[NOTES];
  for (int i = 0; i < 108; i++) {
    size_t used = strlen(text);
    snprintf(text + used, sizeof text - used, "<foreign%d/>", i);
  }
  strncat(text, "<link name=\"a\"/></robot>", sizeof text - strlen(text) - 1);
  fb_model_def_free(parse_noting(text, FB_BASE_AS_FILE, notes));
  assert_non_null(strstr(notes, "<foreign99>"));
  assert_non_null(strstr(notes, "lost: 8 further things are not read"));
}

static void colours_beyond_their_range_are_told(void** state) {
  (void)state;
  char notes[NOTES];
  fb_model_def_free(parse_noting(
      "<robot name=\"r\"><link name=\"a\"><visual><geometry><sphere radius=\"1\"/></geometry>"
      "<material name=\"\"><color rgba=\"0.123456789 0 255 1\"/></material></visual></link></robot>",
      FB_BASE_AS_FILE, notes));
  assert_string_equal(
      notes, "line 1: the colour rgba=\"0.123456789 0 255 1\" is brought into the range from 0 to 1\n");
}

static void xacro_is_told_before_what_it_leaves_out(void** state) {
  (void)state;
  static const char text[] = "<robot xmlns:xacro=\"x\"><link/><xacro:include filename=\"a\"/></robot>";
  fb_model_def* def = NULL;
  fb_error error;
  assert_int_equal(fb_model_def_parse(text, strlen(text), "made", NULL, &def, &error), FB_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "Run xacro first"));
}

static void too_many_links_for_spacedyn_are_refused(void** state) {
  (void)state;
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i <= 2001; i++) {
    char name[24], parent[24];
    fb_body_def body = fb_default_body_def();
    snprintf(name, sizeof name, "b%d", i);
    snprintf(parent, sizeof parent, "b%d", i - 1);
    body.name = name;
    body.parent = i ? parent : NULL;
    body.joint.type = i ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    body.joint.axis[2] = 1;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_SPACEDYN;
  char* text = NULL;
  fb_error error;
  assert_int_equal(fb_model_def_print(def, &options, &text, NULL, &error), FB_ERR_UNSUPPORTED);
  assert_non_null(strstr(error.text, "the model has 2001 links"));
  fb_model_def_free(def);
}

static void unread_keys_of_spacedyn_are_told(void** state) {
  (void)state;
  char notes[NOTES];
  fb_model_def_free(parse_noting(
      "{\"note\": 1,\n\"LP\": {\"num_q\":0, \"m0\":1, \"inertia0\":[[1,0,0],[0,1,0],[0,0,1]],\n\"Qj\": 1}}",
      FB_BASE_AS_FILE, notes));
  assert_string_equal(
      notes, "lost: line 3: 'Qj' is not read; did you mean 'Qi'?\nlost: line 1: 'note' is not read\n");
}

static void the_command_tells_what_was_passed_over(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB check slips.urdf", 0,
       "slips.urdf: ok (slips: 2 bodies, 7 degrees of freedom, 7 pieces of advice)", NULL},
      {"$FB check slips.urdf", 0, NULL, "slips.urdf:10: advice: <orgin> is not read; did you mean 'origin'?"},
      {"$FB check --strict slips.urdf", 2, "not accepted", NULL},
      {"$FB check --strict " FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf", 0, "ok", NULL},
      {"$FB check lp.json", 0, "1 piece of advice",
       "lp.json:2: advice: 'gravity' is not read; did you mean 'Gravity'?"},
      {"$FB info slips.urdf", 0, "7: run freebody check", NULL},
      {"$FB info --json slips.urdf", 0, "\"notes\": 7", NULL},
      {"$FB convert slips.urdf a.yaml", 0, NULL, "lost: line 6: mesh 'bus.wrl' is left out"},
      {"$FB convert slips.urdf b.yaml", 0, NULL, "7 things lost, 1 note\n"},
      {"$FB convert slips.urdf c.yaml", 0, NULL, "note: the material name of 1 shape is not kept"},
  };
  CHECK_CASES(cases);
}

#define LINK(name)                                                                    \
  "<link name=\"" name                                                                \
  "\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" " \
  "ixz=\"0\" iyz=\"0\"/></inertial></link>"
#define ON_WORLD(type, more)                                                                       \
  "<robot name=\"r\"><link name=\"world\"/>" LINK(                                                 \
      "a") "<joint name=\"j\" type=\"" type                                                        \
           "\"><parent link=\"world\"/><child link=\"a\"/><origin xyz=\"1 2 3\"/><axis xyz=\"0 0 " \
           "1\"/>" more "</joint></robot>"

static void the_base_stands_as_the_caller_says(void** state) {
  (void)state;
  static const struct {
    const char* text;
    fb_base base;
    const char* want;
  } rows[] = {
      {"<robot name=\"r\">" LINK("a") "</robot>", FB_BASE_AS_FILE, "a(world free a) "},
      {"<robot name=\"r\">" LINK("a") "</robot>", FB_BASE_FREE, "a(world free a) "},
      {"<robot name=\"r\">" LINK("a") "</robot>", FB_BASE_FIXED, "a(world fixed a) "},
      {ON_WORLD("fixed", ""), FB_BASE_AS_FILE, "a(world fixed j) "},
      {ON_WORLD("fixed", ""), FB_BASE_FREE, "a(world free j) "},
      {ON_WORLD("floating", ""), FB_BASE_AS_FILE, "a(world free j) "},
      {ON_WORLD("floating", ""), FB_BASE_FIXED, "a(world fixed j) "},
      {ON_WORLD("prismatic", "<limit lower=\"-1\" upper=\"1\"/>"), FB_BASE_FREE, "a(world prismatic j) "},
      {ON_WORLD("prismatic", "<limit lower=\"-1\" upper=\"1\"/>"), FB_BASE_FIXED, "a(world prismatic j) "},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char notes[NOTES], text[200];
    fb_model_def* def = parse_noting(rows[i].text, rows[i].base, notes);
    assert_string_equal(describe(def, text, sizeof text), rows[i].want);
    if (strstr(rows[i].text, "world")) assert_true(fb_model_def_body(def, 1)->joint.at[2] == 3);
    assert_string_equal(notes, "");
    fb_model_def_free(def);
  }
}

static void base_is_an_option_of_the_command(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB info --base fixed slips.urdf", 0, "1 (nq 1, nv 1)", NULL},
      {"$FB check --base=fixed slips.urdf", 0, "2 bodies, 1 degree of freedom", NULL},
      {"$FB convert --base fixed --to yaml slips.urdf -", 0, "type: fixed", "1 degree of freedom"},
      {"$FB check --base fixed good.yaml", 0, "6 degrees of freedom, 1 piece of advice",
       "only a URDF does not specify"},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_slip_in_a_urdf_is_told_once),
      cmocka_unit_test(names_beyond_the_table_are_counted),
      cmocka_unit_test(colours_beyond_their_range_are_told),
      cmocka_unit_test(xacro_is_told_before_what_it_leaves_out),
      cmocka_unit_test(too_many_links_for_spacedyn_are_refused),
      cmocka_unit_test(unread_keys_of_spacedyn_are_told),
      cmocka_unit_test(the_command_tells_what_was_passed_over),
      cmocka_unit_test(the_base_stands_as_the_caller_says),
      cmocka_unit_test(base_is_an_option_of_the_command),
  };
  return cmocka_run_group_tests(tests, open_with_slips, scratch_close);
}
