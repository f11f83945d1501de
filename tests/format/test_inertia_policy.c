/* test_inertia_policy.c -- masses and inertias that no body can have: what each policy makes of them in each format, the
 * notes, and that what is kept survives writing and reading. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/io.h>
#include <freebody/spatial.h>

#include "near.h"

typedef enum language { URDF, NATIVE } language;

/* A model of one link, with this mass and this inertia: xx yy zz xy xz yz. */
typedef struct policy_case {
  const char* name;
  const char *mass, *inertia[6];
  const char* refused; /* by strict; NULL: it is possible */
  const char* note;    /* of repair; NULL: none */
  double moments[3];   /* repaired */
  int floats;          /* 0: it is on a hinge */
} policy_case;

#define DIAGONAL(xx, yy, zz) \
  { xx, yy, zz, "0", "0", "0" }
#define SIX(x) \
  { x, x, x, x, x, x }
#define NEAREST(was, is) \
  "line 2: body 'a': no body has the principal moments " was " kg m^2; the nearest possible are taken: " is
#define ALONE(least)                                                                                       \
  "line 2: body 'a' floats alone and could not turn about an axis without inertia; its principal moments " \
  "are "                                                                                                   \
  "taken as at least " least " kg m^2"
static const policy_case CASES[] = {
    {"a ball", "1", DIAGONAL("2", "2", "2"), NULL, NULL, {2, 2, 2}, 0},
    {"a point", "1", DIAGONAL("0", "0", "0"), NULL, NULL, {0, 0, 0}, 0},
    {"massless", "0", DIAGONAL("0", "0", "0"), NULL, NULL, {0, 0, 0}, 0},
    {"a rotor", "0", DIAGONAL("1", "1", "1"), NULL, NULL, {1, 1, 1}, 0},
    {"a rod", "1", DIAGONAL("0", "1", "1"), NULL, NULL, {0, 1, 1}, 0},
    {"rounding off a plate", "1", DIAGONAL("1", "1", "2.0000000001"), NULL, NULL, {1, 1, 2.0000000001}, 0},
    {"six equal entries",
     "1e-6",
     SIX("1e-6"),
     "0 + 0 < 3e-06",
     NEAREST("0, 0, 3e-06", "1e-06, 1e-06, 2e-06"),
     {1e-6, 1e-6, 2e-6},
     0},
    {"five per cent off",
     "1",
     DIAGONAL("1", "1", "2.1"),
     "triangle inequality",
     NEAREST("1, 1, 2.1", "1.033, 1.033, 2.067"),
     {1 + 1 / 30., 1 + 1 / 30., 2 + 1 / 15.},
     0},
    {"a negative moment",
     "1",
     DIAGONAL("-1", "4", "4"),
     "not positive",
     NEAREST("-1, 4, 4", "0, 4, 4"),
     {0, 4, 4},
     0},
    {"products too large",
     "1",
     {"1", "1", "1", "2", "0", "0"},
     "not positive",
     NEAREST("-1, 1, 3", "0, 2, 2"),
     {0, 2, 2},
     0},
    {"all negative",
     "1",
     DIAGONAL("-1", "-2", "-3"),
     "not positive",
     NEAREST("-3, -2, -1", "0, 0, 0"),
     {0, 0, 0},
     0},
    {"massless and impossible",
     "0",
     DIAGONAL("1", "1", "5"),
     "triangle inequality",
     NEAREST("1, 1, 5", "2, 2, 4"),
     {2, 2, 4},
     0},
    {"a negative mass",
     "-2",
     DIAGONAL("1", "1", "1"),
     "mass is -2 kg",
     "line 2: body 'a': mass -2 kg is negative; it is taken as 0",
     {1, 1, 1},
     0},
};

static void write_model(const policy_case* c, language l, const char* key, char text[1000]) {
  const char* const* i = c->inertia;
  if (l == URDF)
    snprintf(
        text, 1000,
        "<robot name='r'>\n<link name='a'><inertial><mass value='%s'/><inertia ixx='%s' iyy='%s' izz='%s' "
        "ixy='%s' ixz='%s' iyz='%s'/></inertial></link>\n%s</robot>",
        c->mass, i[0], i[1], i[2], i[3], i[4], i[5],
        c->floats ? ""
                  : "<link name='world'/><joint name='j' type='continuous'><parent link='world'/>"
                    "<child link='a'/><axis xyz='0 0 1'/></joint>\n");
  else
    snprintf(text, 1000,
             "{freebody: 1, %s bodies: [\n{name: a, mass: %s, inertia: [%s, %s, %s, %s, %s, %s]%s}]}", key,
             c->mass, i[0], i[1], i[2], i[3], i[4], i[5],
             c->floats ? "" : ", joint: {type: revolute, axis: [0, 0, 1]}");
}

static void keep_notes(void* user, const char* text) {
  char* notes = (char*)user;
  size_t used = strlen(notes);
  snprintf(notes + used, 1000 - used, "%s\n", text);
}

static fb_status load(const char* text, int policy, char notes[1000], fb_model** m, fb_error* error) {
  fb_io_options options = fb_default_io_options();
  fb_model_def* def;
  notes[0] = '\0';
  options.inertia = (fb_inertia_policy)policy;
  options.note = keep_notes;
  options.note_user = notes;
  *m = NULL;
  fb_status status = fb_model_def_parse(text, strlen(text), "file", &options, &def, error);
  if (!status) status = fb_model_build(def, NULL, m, error);
  fb_model_def_free(def);
  return status;
}

static void check(const policy_case* c, const char* text, int policy, int wanted) {
  char notes[1000], note[300] = "";
  fb_model* m;
  fb_error error;
  fb_status status = load(text, policy, notes, &m, &error);
  if (wanted == FB_INERTIA_STRICT && c->refused) {
    const char* negative = "'mass' is -2, but must not be negative"; /* the native reader's own words */
    if ((status != FB_ERR_INERTIA || !strstr(error.text, c->refused)) && !strstr(error.text, negative))
      fail_msg("%s: %s", c->name, error.text);
    if (error.place.line != 2) fail_msg("%s: %s", c->name, error.text);
    return;
  }
  if (status) fail_msg("%s: %s", c->name, error.text);
  if (wanted == FB_INERTIA_REPAIR && c->note) snprintf(note, sizeof note, "%s\n", c->note);
  assert_string_equal(notes, note);
  const fb_body_def* body = fb_model_def_body(fb_model_definition(m), 1);
  double moments[3], mass = atof(c->mass);
  fb_inertia_moments(body->inertia, moments);
  if (wanted == FB_INERTIA_REPAIR) {
    assert_near_of(1e-9, c->name, moments, c->moments, 3, 1e-14);
    assert_true(body->mass == fmax(0, mass));
    assert_true(fb_inertia_is_possible(body->inertia));
  } else {
    for (int i = 0; i < 6; i++) assert_true(body->inertia[i] == atof(c->inertia[i]));
    assert_true(body->mass == mass);
  }
  fb_model_free(m);
}

static void each_policy_does_what_it_says_in_each_format(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (language l = URDF; l <= NATIVE; l++) {
      char text[1000];
      write_model(&CASES[i], l, "", text);
      check(&CASES[i], text, FB_INERTIA_BY_FORMAT, l == URDF ? FB_INERTIA_REPAIR : FB_INERTIA_STRICT);
      for (int policy = FB_INERTIA_STRICT; policy <= FB_INERTIA_KEEP; policy++)
        check(&CASES[i], text, policy, policy);
    }
}

/* A native model says it itself; the caller goes before it. */
static void a_native_model_has_a_policy_of_its_own(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (int own = FB_INERTIA_STRICT; own <= FB_INERTIA_KEEP; own++) {
      char text[1000], key[40];
      snprintf(key, sizeof key, "inertia: %s,", fb_inertia_policy_name((fb_inertia_policy)own));
      write_model(&CASES[i], NATIVE, key, text);
      for (int policy = FB_INERTIA_BY_FORMAT; policy <= FB_INERTIA_KEEP; policy++)
        check(&CASES[i], text, policy, policy ? policy : own);
    }
}

static void what_is_kept_survives_writing_and_reading(void** unused) {
  (void)unused;
  static const fb_format formats[] = {FB_FORMAT_YAML, FB_FORMAT_JSON, FB_FORMAT_URDF};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (int f = 0; f < 3; f++) {
      char text[1000], notes[1000] = "", *written;
      fb_model *m, *again;
      fb_error error;
      fb_io_options options = fb_default_io_options();
      write_model(&CASES[i], URDF, "", text);
      assert_int_equal(load(text, FB_INERTIA_KEEP, notes, &m, &error), FB_OK);
      options.format = formats[f];
      options.note = keep_notes;
      options.note_user = notes;
      assert_int_equal(fb_model_def_print(fb_model_definition(m), &options, &written, NULL, &error), FB_OK);
      int says = f == 2 && CASES[i].refused != NULL;
      if (!strstr(notes, "read the file with --inertia keep") != !says)
        fail_msg("%s: %s", CASES[i].name, notes);
      if (load(written, f == 2 ? FB_INERTIA_KEEP : FB_INERTIA_BY_FORMAT, notes, &again, &error))
        fail_msg("%s: %s", CASES[i].name, error.text);
      const fb_body_def *one = fb_model_def_body(fb_model_definition(m), 1),
                        *two = fb_model_def_body(fb_model_definition(again), 1);
      assert_memory_equal(one->inertia, two->inertia, sizeof one->inertia);
      assert_true(one->mass == two->mass);
      free(written);
      fb_model_free(again);
      fb_model_free(m);
    }
}

/* No policy takes what is not a number. */
static void what_is_no_number_is_refused_by_all(void** unused) {
  (void)unused;
  static const policy_case bad[] = {
      {"nan", "nan", DIAGONAL("1", "1", "1"), NULL, NULL, {0}, 0},
      {"inf", "inf", DIAGONAL("1", "1", "1"), NULL, NULL, {0}, 0},
      {"beyond", "1e200", DIAGONAL("1", "1", "1"), NULL, NULL, {0}, 0},
      {"nan inertia", "1", DIAGONAL("1", "nan", "1"), NULL, NULL, {0}, 0},
      {"inertia beyond", "1", DIAGONAL("1e200", "1", "1"), NULL, NULL, {0}, 0},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    for (int policy = FB_INERTIA_BY_FORMAT; policy <= FB_INERTIA_KEEP; policy++) {
      char text[1000], notes[1000];
      fb_model* m;
      fb_error error;
      write_model(&bad[i], URDF, "", text);
      if (!load(text, policy, notes, &m, &error)) fail_msg("%s is taken", bad[i].name);
    }
}

static void policies_are_found_by_name(void** unused) {
  (void)unused;
  for (int policy = FB_INERTIA_STRICT; policy <= FB_INERTIA_KEEP; policy++)
    assert_int_equal(fb_inertia_policy_find(fb_inertia_policy_name((fb_inertia_policy)policy)), policy);
  assert_int_equal(fb_inertia_policy_find("?"), -1);
  assert_int_equal(fb_inertia_policy_find("loose"), -1);
  assert_string_equal(fb_inertia_policy_name(FB_INERTIA_BY_FORMAT), "?");
}

/* From calls, without a file. */
static void a_definition_is_repaired_by_a_call(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "a";
  body.joint.type = FB_JOINT_SPHERICAL;
  body.mass = 1;
  body.inertia[2] = 3;
  fb_model_def_add_body(def, &body, NULL, NULL);
  assert_int_equal(fb_model_def_repair(def, NULL, NULL), 1);
  assert_near("inertia", fb_model_def_body(def, 1)->inertia, ((const double[]){1, 1, 2, 0, 0, 0}), 6, 1e-15);
  assert_int_equal(fb_model_def_repair(def, NULL, NULL), 0);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_policy_does_what_it_says_in_each_format),
      cmocka_unit_test(a_native_model_has_a_policy_of_its_own),
      cmocka_unit_test(what_is_kept_survives_writing_and_reading),
      cmocka_unit_test(what_is_no_number_is_refused_by_all),
      cmocka_unit_test(policies_are_found_by_name),
      cmocka_unit_test(a_definition_is_repaired_by_a_call),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
