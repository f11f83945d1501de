/* test_spacedyn_def.c -- the model files of SpaceDyn's C++ library, and .xacro files, which a program makes into URDF. */
#include "run_command.h"

#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/io.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "near.h"

/* --- .def --- */

/* From the definitions of SpaceDyn: centroid and joint of a link from those of the one below, turned by A. */
static void link_numbers_mean_what_spacedyn_says(void** state) {
  (void)state;
  fb_model* m = NULL;
  fb_error error;
  char line[1000];
  if (fb_model_load(FB_TEST_DATA "/models/two_arms.def", &m, &error))
    fail_msg("%s", fb_error_format(&error, line, sizeof line));
  double q[10] = {1, 2, 3, 1, 0, 0, 0, 0.4, 0.6, -0.2}, deg = acos(-1.0) / 180; /* base, then the joints */
  double R1[9], R2[9], T[9], e1[3] = {30 * deg, 20 * deg, 10 * deg}, e2[3] = {-90 * deg, 0, 45 * deg};
  double j1[3] = {1.5, 2.1, 3.2}, to[3], c1[3], j2[3], c2[3], slide[3] = {0, 0, 0.6};
  fb_rot_from_euler_xyz(e1, R1);
  fb_rot_z(0.4, T);
  fb_rot_multiply(R1, T, R1);
  fb_rot_apply(R1, (double[3]){0, 0.3, 0.1}, to);
  for (int i = 0; i < 3; i++) c1[i] = j1[i] + to[i];
  fb_rot_apply(R1, (double[3]){0, 0.25, 0.05}, to);
  for (int i = 0; i < 3; i++) j2[i] = c1[i] + to[i];
  fb_rot_from_euler_xyz(e2, T);
  fb_rot_multiply(R1, T, R2);
  slide[2] = 0.6 + 0.4;
  slide[0] = 0.1;
  fb_rot_apply(R2, slide, to);
  for (int i = 0; i < 3; i++) c2[i] = j2[i] + to[i];
  fb_data* d = fb_data_new(m);
  double p[3], R[9];
  fb_kinematics(m, d, q, NULL, NULL);
  fb_frame_pose(m, d, fb_model_com_frame(m, fb_model_find_body(m, "link2")), p, R);
  assert_near_of(1, "centroid of link 2", p, c2, 3, 1e-14);
  assert_near_of(1, "axes of link 2", R, R2, 9, 1e-14);
  fb_rot_apply(R2, (double[3]){0, 0, 0.3}, to);
  for (int i = 0; i < 3; i++) c2[i] += to[i];
  fb_frame_pose(m, d, fb_model_find_frame(m, "end2"), p, R);
  assert_near_of(1, "end-point of link 2", p, c2, 3, 1e-14);
  assert_int_equal(fb_joint_type_of(m, fb_model_find_body(m, "link2")), FB_JOINT_PRISMATIC);
  assert_true(fabs(fb_model_mass(m) - 112) < 1e-12);
  fb_data_free(d);
  fb_model_free(m);
}

static char* text_of_def(void) {
  char* text = slurp(FB_TEST_DATA "/models/two_arms.def");
  assert_non_null(text);
  return text;
}

/* The text with a part of it replaced. */
static char* changed(const char* from, const char* to) {
  char *text = text_of_def(), *at = strstr(text, from);
  assert_non_null(at);
  char* out = malloc(strlen(text) + strlen(to) + 1);
  assert_non_null(out);
  sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
  free(text);
  return out;
}

static void wrong_def_files_are_refused_with_their_line(void** state) {
  (void)state;
  static const struct {
    const char *from, *to;
    int line;
    const char* message;
  } cases[] = {
      {"LINK_NUMBER 4", "LINK_NUMBER four", 3, "the number of links"},
      {"LINK_NUMBER 4", "LINK_NUMBER 1e9", 3, "from 1 to 100000"},
      {"BB[ 0 1 0 ]", "BB[ 0 2 0 ]", 6, "parents that come before"},
      {"BB[ 0 1 0 ]", "BB[ 0 1 ]", 6, "BB[ ] with a number for each joint"},
      {"BB[ 0 1 0 ]", "BC[ 0 1 0 ]", 6, "BB[ ]"},
      {"J_type[ 0 1 0 ]", "J_type[ 0 2 0 ]", 9, "0 (rotational) or 1 (prismatic)"},
      {"EE[ 0 1 2 ]", "EE[ 0 1 nan ]", 12, "EE[ ]"},
      {"rpy2[ -90 0 45 ]", "rpy2[ -90 0 ]", 16, "three angles"},
      {"I22= 12", "I23= 12", 47, "I22="},
      {"mass[ 100 5 4 3 ]", "mass[ 100 5 4 ]", 38, "mass[ ]"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char* text = changed(cases[i].from, cases[i].to);
    fb_model_def* def = NULL;
    fb_error error = {0};
    if (!fb_model_def_parse(text, strlen(text), "arms.def", NULL, &def, &error))
      fail_msg("not refused: %s", cases[i].to);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
    assert_int_equal(error.place.line, cases[i].line);
    free(text);
  }
}

static void a_file_that_ends_early_is_refused(void** state) {
  (void)state;
  char* text = text_of_def();
  size_t size = strlen(text);
  fb_model_def* def = NULL;
  fb_error error;
  for (size_t n = 100; n + 1 < size; n += 7)
    assert_int_not_equal(fb_model_def_parse(text, n, "arms.def", NULL, &def, &error), FB_OK);
  free(text);
}

/* --- xacro --- */

/* A stand-in for the program: it shows that it is run with the file as its argument and nothing else. */
static void make_program(const char* body) {
  char text[600];
  mkdir("bin", 0777);
  snprintf(text, sizeof text, "#!/bin/sh\n%s\n", body);
  spill("bin/xacro", text);
  assert_int_equal(chmod("bin/xacro", 0755), 0);
}

static void xacro_makes_urdf_of_a_xacro_file(void** state) {
  (void)state;
  spill("arm$(id).urdf.xacro", "<robot name='r' xmlns:xacro='x'><xacro:a/></robot>");
  make_program(
      "[ $# -eq 1 ] && [ \"$1\" = 'arm$(id).urdf.xacro' ] || exit 9\n"
      "echo '<robot name=\"made\"><link name=\"base\"/></robot>'");
  static const shell_case cases[] = {
      {"PATH=$PWD/bin:$PATH \"$FB\" info 'arm$(id).urdf.xacro'", 0, "made", NULL},
      {"PATH=$PWD/bin:$PATH \"$FB\" check 'arm$(id).urdf.xacro'", 0, NULL, NULL},
      {"printf 'scenario: 1\\nmodel: arm$(id).urdf.xacro\\nduration: 0.1 s\\n' > s.yaml; "
       "PATH=$PWD/bin:$PATH \"$FB\" check s.yaml",
       0, NULL, NULL},
  };
  CHECK_CASES(cases);
  make_program("echo 'line one' >&2; echo 'undefined name m' >&2; exit 2");
  static const shell_case failing[] = {
      {"PATH=$PWD/bin:$PATH \"$FB\" info 'arm$(id).urdf.xacro'", 2, "", "xacro failed: undefined name m"}};
  CHECK_CASES(failing);
  static const shell_case missing[] = {{"mkdir -p empty; PATH=$PWD/empty \"$FB\" info 'arm$(id).urdf.xacro'",
                                        2, "", "xacro, which is not installed here"}};
  CHECK_CASES(missing);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(link_numbers_mean_what_spacedyn_says),
      cmocka_unit_test(wrong_def_files_are_refused_with_their_line),
      cmocka_unit_test(a_file_that_ends_early_is_refused),
      cmocka_unit_test(xacro_makes_urdf_of_a_xacro_file),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
