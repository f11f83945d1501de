/* test_urdf_refuse.c -- URDF that is refused: with the place, the reason and what to do. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>

#include "urdf_files.h"

typedef struct bad_file {
  const char* file;
  int line, column;
  fb_status status;
  const char* message;
} bad_file;

static const bad_file BAD_FILES[] = {
    {"bad_cycle.urdf", 2, 3, FB_ERR_TREE, "go round in a ring (from link 'a' on)"},
    {"bad_ring_beside.urdf", 3, 3, FB_ERR_TREE, "link 'a' leads to no root"},
    {"bad_unknown_link.urdf", 6, 5, FB_ERR_NAME, "there is no link 'foreram'; did you mean 'forearm'?"},
    {"bad_xacro.urdf", 2, 3, FB_ERR_UNSUPPORTED, "Run xacro first"},
    {"bad_xacro_number.urdf", 4, 7, FB_ERR_UNSUPPORTED, "value=\"${heavy}\" is a xacro expression"},
    {"bad_dtd.urdf", 2, 17, FB_ERR_UNSUPPORTED, "a document type (<!DOCTYPE ...>) is refused"},
    {"bad_truncated.urdf", 3, 15, FB_ERR_SYNTAX, "not well-formed XML: unclosed token"},
    {"bad_twins.urdf", 4, 3, FB_ERR_NAME, "two links are named 'a'; the first is at line 2"},
    {"bad_number.urdf", 4, 7, FB_ERR_CONTENT, "'value' of <mass> is '1,5', which is not a number"},
};

static void bad_files_are_refused_at_their_line(void** state) {
  (void)state;
  for (int i = 0; i < COUNT(BAD_FILES); i++) {
    const bad_file* bad = &BAD_FILES[i];
    fb_error error;
    fb_model_def* def;
    size_t size;
    char* text = urdf_text(bad->file, &size);
    fb_status status = fb_urdf_read(text, size, bad->file, NULL, &def, &error);
    free(text);
    assert_null(def);
    if (status != bad->status || !strstr(error.text, bad->message) || error.place.line != bad->line ||
        error.place.column != bad->column || strcmp(error.file, bad->file) != 0)
      fail_msg("%s: %s at %d:%d: %s", bad->file, fb_status_name(status), error.place.line, error.place.column,
               error.text);
  }
}

/* A robot of two links with one thing wrong. */
typedef struct bad_text {
  const char *link, *joint; /* inside <link name="a"> and <joint ...> */
  const char *message, *path;
} bad_text;

#define INERTIA "<inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/>"

static const bad_text BAD_TEXTS[] = {
    {"<inertial><mass value='nan'/>" INERTIA "</inertial>", "", "is 'nan', which is not a number",
     "link[a].inertial.mass"},
    {"<inertial><mass value='1e999'/>" INERTIA "</inertial>", "", "too large for a double",
     "link[a].inertial.mass"},
    {"<inertial><mass value='0x10'/>" INERTIA "</inertial>", "", "not a number", "link[a].inertial.mass"},
    {"<inertial><origin xyz='1 2'/><mass value='1'/>" INERTIA "</inertial>", "",
     "'xyz' of <origin> needs 3 numbers, but has 2", "link[a].inertial.origin"},
    {"<inertial><origin quat_xyzw='0 0 0 0'/><mass value='1'/>" INERTIA "</inertial>", "",
     "quat_xyzw is zero", "link[a].inertial.origin"},
    {"<inertial><origin rpy='0 0 0' quat_xyzw='0 0 0 1'/><mass value='1'/>" INERTIA "</inertial>", "",
     "rpy and quat_xyzw are both given", "link[a].inertial.origin"},
    {"<visual><geometry><sphere radius='1'/></geometry><freebody kind='torus'/></visual>", "",
     "kind=\"torus\" is not known", "link[a].visual.freebody"},
    {"<visual><geometry><sphere radius='1'/></geometry><freebody use='visual'/></visual>", "",
     "use=\"visual\" is not known", "link[a].visual.freebody"},
    {"<freebody><frame xyz='0 0 0'/></freebody>", "", "<frame> needs the attribute name",
     "link[a].freebody.frame"},
    {"<freebody><frame name='f' xzy='0 0 0'/></freebody>", "", "no attribute 'xzy'; did you mean 'xyz'?",
     "link[a].freebody.frame[f]"},
    {"<freebody><spring/></freebody>", "", "not <spring>", "link[a].freebody.spring"},
    {"", "<dynamics damping='x'/>", "is 'x', which is not a number", "joint[j].dynamics"},
    {"", "<freebody type='sphericl'/>", "did you mean 'spherical'?", "joint[j].freebody"},
    {"", "<freebody type='helical'/>", "needs the attribute pitch", "joint[j].freebody"},
    {"", "<freebody type='universal'/>", "needs the attribute axis2", "joint[j].freebody"},
    {"", "<freebody type='universal' axis2='0 0 0'/>", "second axis of joint 'j' is zero",
     "joint[j].freebody"},
    {"", "<freebody stiffness='1 2'/>", "needs 1 number, but has 2", "joint[j].freebody"},
    {"", "<freebody stifness='1'/>", "did you mean 'stiffness'?", "joint[j].freebody"},
};

static void bad_elements_are_refused_with_their_path(void** state) {
  (void)state;
  for (int i = 0; i < COUNT(BAD_TEXTS); i++) {
    const bad_text* bad = &BAD_TEXTS[i];
    char text[1200];
    fb_error error;
    fb_model_def* def;
    snprintf(text, sizeof text,
             "<robot name='r'>\n<link name='a'>%s</link>\n<link name='b'/>\n<joint name='j' type='revolute'>"
             "<parent link='a'/><child link='b'/>%s</joint>\n</robot>",
             bad->link, bad->joint);
    if (!fb_urdf_read(text, strlen(text), "text", NULL, &def, &error)) fail_msg("not refused: %s", text);
    if (!strstr(error.text, bad->message) || strcmp(error.path, bad->path) != 0)
      fail_msg("'%s' at '%s', wanted '%s' at '%s'", error.text, error.path, bad->message, bad->path);
    assert_int_equal(error.place.line, bad->link[0] ? 2 : 4);
  }
}

static void other_documents_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "no element found"},
      {"<robot>", "no element found"},
      {"<robot name='r'/>", "<robot> has no <link>"},
      {"<robot name='r'><link/></robot>", "<link> needs the attribute name"},
      {"<robot name='r'><link name=''/></robot>", "empty name"},
      {"<robot name='r'><link name='a'></robot>", "mismatched tag"},
      {"<sdf><model/></sdf>", "This is SDF"},
      {"<mujoco/>", "This is MJCF"},
      {"<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='revolut'><parent "
       "link='a'/><child "
       "link='b'/></joint></robot>",
       "did you mean 'revolute'?"},
      {"<robot name='r'><link name='a'/><link name='b'/><joint name='j' type='fixed'><child "
       "link='b'/></joint></robot>",
       "<joint> needs the element <parent>"},
      {"<robot name='r'><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child "
       "link='a'/></joint></robot>",
       "as parent and as child"},
      {"<robot name='r'><freebody order='size'/><link name='a'/></robot>", "order=\"size\" is not known"},
      {"<robot name='r'><link name='a'/>&boom;</robot>", "undefined entity"},
      {"<robot name='r\x01'/>", "not well-formed"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    fb_error error;
    fb_model_def* def;
    if (!fb_urdf_read(cases[i].text, strlen(cases[i].text), "text", NULL, &def, &error))
      fail_msg("not refused: %s", cases[i].text);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s', wanted '%s'", error.text, cases[i].message);
    assert_int_equal(error.place.line, 1);
  }
}

/* 9000 defaults of attributes, which each of 3000 elements would get: 180 kB that became 2 GB. */
static void a_document_type_is_refused_before_its_attributes_in_every_format(void** state) {
  (void)state;
  static const char* const roots[] = {"robot", "mujoco", "sdf"};
  for (int i = 0; i < COUNT(roots); i++) {
    char* text = (char*)malloc(400000);
    fb_error error;
    fb_model_def* def;
    assert_non_null(text);
    int n = sprintf(text, "<?xml version='1.0'?>\n<!DOCTYPE %s [<!ATTLIST link\n", roots[i]);
    for (int k = 0; k < 9000; k++) n += sprintf(text + n, "a%d CDATA 'xxxx'\n", k);
    n += sprintf(text + n, ">]>\n<%s name='r'>\n", roots[i]);
    for (int k = 0; k < 3000; k++) n += sprintf(text + n, "<link name='l%d'/>\n", k);
    n += sprintf(text + n, "</%s>\n", roots[i]);
    assert_int_equal(fb_model_def_parse(text, (size_t)n, "text", NULL, &def, &error), FB_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, "a document type (<!DOCTYPE ...>) is refused"));
    assert_string_equal(error.file, "text");
    assert_int_equal(error.place.line, 2);
    free(text);
  }
}

/* Some programs write their strings with the zero at the end. */
static void zeros_after_the_end_are_left_out_and_others_refused(void** state) {
  (void)state;
  static const char good[] = "<robot name='r'><link name='a'/></robot>\n\0\n\0";
  static const char bad[] = "<robot name='r'>\0<link name='a'/></robot>";
  fb_error error;
  fb_model_def* def;
  if (fb_urdf_read(good, sizeof good - 1, "text", NULL, &def, &error)) fail_msg("%s", error.text);
  fb_model_def_free(def);
  assert_int_equal(fb_urdf_read(bad, sizeof bad - 1, "text", NULL, &def, &error), FB_ERR_SYNTAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bad_files_are_refused_at_their_line),
      cmocka_unit_test(bad_elements_are_refused_with_their_path),
      cmocka_unit_test(other_documents_are_refused),
      cmocka_unit_test(a_document_type_is_refused_before_its_attributes_in_every_format),
      cmocka_unit_test(zeros_after_the_end_are_left_out_and_others_refused),
  };
  return cmocka_run_group_tests_name("urdf_refuse", tests, NULL, NULL);
}
