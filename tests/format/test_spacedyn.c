/* test_spacedyn.c -- SpaceDyn JSON: both layouts read, written and read again, refused with a reason. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/freebody.h>
#include <freebody/support/json.h>

#include "document/document.h"
#include "format/spacedyn/spacedyn.h"
#include "near.h"
#include "same_def.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof((a)[0])))

enum { NOTES = 4096 };

/* Notes, one on each line. */
static void keep_note(void* user, const char* text) {
  char* notes = (char*)user;
  strncat(notes, text, NOTES - strlen(notes) - 1);
  strncat(notes, "\n", NOTES - strlen(notes) - 1);
}

static fb_io_options noting(char notes[NOTES]) {
  fb_io_options options = fb_default_io_options();
  notes[0] = '\0';
  options.note = keep_note;
  options.note_user = notes;
  return options;
}

static fb_status parse(const char* text, size_t size, const char* name, const fb_io_options* options,
                       fb_model_def** def, fb_error* error) {
  fb_doc* doc;
  *def = NULL;
  fb_status status = fb_doc_parse(text, size, name, &doc, error);
  if (status) return status;
  status = fb_spacedyn_read(fb_doc_root(doc), options, def, error);
  fb_doc_free(doc);
  return status;
}

static fb_model_def* parse_ok(const char* text, size_t size, const char* name) {
  fb_error error;
  fb_model_def* def;
  if (parse(text, size, name, NULL, &def, &error)) {
    char line[1400];
    fail_msg("%s", fb_error_format(&error, line, sizeof line));
  }
  return def;
}

static fb_model_def* read_ok(const char* file) {
  char path[600], *text;
  size_t size;
  snprintf(path, sizeof path, "%s/%s", FB_TEST_DATA, file);
  assert_int_equal(fb_file_read(path, &text, &size, NULL), FB_OK);
  fb_model_def* def = parse_ok(text, size, file);
  free(text);
  return def;
}

static char* print_ok(const fb_model_def* def, const fb_io_options* options, size_t* size) {
  fb_error error;
  fb_json* json = fb_json_new(1);
  assert_non_null(json);
  if (fb_spacedyn_write(def, options, json, &error)) fail_msg("%s", error.text);
  char* text = fb_json_finish(json, size);
  assert_non_null(text);
  return text;
}

/* --- the layout by links --- */

static void reference_model_reads_as_its_numbers_say(void** state) {
  (void)state;
  fb_model_def* def = read_ok("reference/spacedyn/m2_planar_2link.json");
  assert_string_equal(fb_model_def_name(def), "planar_2link");
  assert_int_equal(fb_model_def_nbody(def), 4);
  const fb_body_def *base = fb_model_def_body(def, 1), *one = fb_model_def_body(def, 2),
                    *two = fb_model_def_body(def, 3);
  assert_string_equal(base->name, "base");
  assert_string_equal(one->name, "link1");
  assert_string_equal(two->name, "link2");
  assert_null(base->parent);
  assert_string_equal(one->parent, "base");
  assert_string_equal(two->parent, "link1");
  assert_string_equal(two->joint.name, "joint2");
  assert_int_equal(base->joint.type, FB_JOINT_FREE);
  assert_int_equal(two->joint.type, FB_JOINT_REVOLUTE);
  assert_near("base mass", &base->mass, NUMBERS(100), 1, 0);
  assert_near("base inertia", base->inertia, NUMBERS(10, 10, 16, 0, 0, 0), 6, 0);
  assert_near("joint 1", one->joint.at, NUMBERS(0.5, 0, 0), 3, 0);
  assert_near("joint 2", two->joint.at, NUMBERS(1, 0, 0), 3, 0);
  assert_near("com 1", one->com, NUMBERS(0.5, 0, 0), 3, 0);
  assert_near("com 2", two->com, NUMBERS(0.375, 0, 0), 3, 0);
  assert_near("axis", two->joint.axis, NUMBERS(0, 0, 1), 3, 0);
  assert_int_equal(fb_model_def_nframe(def, 2), 0);
  assert_int_equal(fb_model_def_nframe(def, 3), 1);
  assert_string_equal(fb_model_def_frame(def, 3, 0)->name, "end2");
  assert_near("end 2", fb_model_def_frame(def, 3, 0)->at, NUMBERS(0.75, 0, 0), 3, 0);
  fb_model_def_free(def);
}

static void tree_with_prismatic_joint_and_gravity_reads_right(void** state) {
  (void)state;
  fb_model_def* def = read_ok("reference/spacedyn/m7_gravity_tree_7.json");
  static const char* const parents[] = {"base", "base", "link2", "link2", "link2", "link4", "link1"};
  double g[3];
  for (int i = 0; i < 7; i++) assert_string_equal(fb_model_def_body(def, i + 2)->parent, parents[i]);
  assert_int_equal(fb_model_def_body(def, 6)->joint.type, FB_JOINT_PRISMATIC);
  assert_int_equal(fb_model_def_body(def, 7)->joint.type, FB_JOINT_REVOLUTE);
  assert_near("joint 7", fb_model_def_body(def, 8)->joint.at,
              NUMBERS(-0.02810302065525494 - 0.258671464568362, 0.3867087686081506 - 0.10397503938027419,
                      0.269604375816216 + 0.3692521671831923),
              3, 1e-15);
  double R[9];
  fb_rot_from_euler_xyz(NUMBERS(1.2953925579518355, -0.6536264327789776, -1.7949260388856052), R);
  assert_near("turn 7", fb_model_def_body(def, 8)->joint.R, R, 9, 0);
  fb_model_def_gravity(def, g);
  assert_near("gravity", g, NUMBERS(0, 0, -9.81), 3, 0);
  fb_model_def_free(def);
}

static const char* const REFERENCES[] = {
    "m1_single_body",     "m2_planar_2link", "m3_ets7_6dof",
    "m4_dual_arm_paddle", "m5_chain_rp",     "m6_random_tree_12",
    "m7_gravity_tree_7",  "m8_gravity_ets7", "m9_gravity_single_body",
    "m10_one_prismatic",
};

static void reference_models_survive_writing(void** state) {
  (void)state;
  for (int i = 0; i < COUNT(REFERENCES); i++) {
    char file[100], notes[NOTES];
    size_t size;
    snprintf(file, sizeof file, "reference/spacedyn/%s.json", REFERENCES[i]);
    fb_model_def* def = read_ok(file);
    fb_io_options options = noting(notes);
    char* text = print_ok(def, &options, &size);
    fb_model_def* again = parse_ok(text, size, "again");
    assert_same_def(again, def, 1e-12);
    assert_string_equal(fb_model_def_name(again), fb_model_def_name(def));
    assert_string_equal(notes, "");
    free(text);
    fb_model_def_free(again);
    fb_model_def_free(def);
  }
}

/* --- the layout of jsonencode(LP) --- */

static void jsonencode_samples_load_as_their_twins_by_links(void** state) {
  (void)state;
  static const int ns[] = {0, 1, 3, 6};
  for (int i = 0; i < COUNT(ns); i++) {
    char lp[60], links[60];
    snprintf(lp, sizeof lp, "spacedyn_lp/lp%d.json", ns[i]);
    snprintf(links, sizeof links, "spacedyn_lp/links%d.json", ns[i]);
    fb_model_def *a = read_ok(lp), *b = read_ok(links);
    assert_int_equal(fb_model_def_nbody(a), ns[i] + 2);
    assert_same_def(a, b, 1e-15);
    fb_model_def_free(a);
    fb_model_def_free(b);
  }
}

/* n = 3 makes every 3 x n matrix square: a transposed reading would go unseen by shape alone. */
static void square_matrices_are_read_by_columns(void** state) {
  (void)state;
  const char* text =
      "{\"num_q\":3,\"BB\":[0,1,2],\"J_type\":\"RRR\",\"c0\":[[1,0,0],[2,0,0],[3,0,0]],"
      "\"cc\":[[[11,12,0],[0,22,23],[0,0,33]],[[0,0,0],[0,0,0],[0,0,0]],[[0,0,0],[0,0,0],[0,0,0]]],"
      "\"m0\":1,\"inertia0\":[[1,0,0],[0,1,0],[0,0,1]],\"m\":[1,2,3],"
      "\"inertia\":[[1,0,0,2,0,0,3,0.1,0],[0,1,0,0,2,0,0.1,3,0],[0,0,1,0,0,2,0,0,3]],"
      "\"Qi\":[[0.1,0,0],[0.2,0,0],[0.3,0,0]]}";
  fb_model_def* def = parse_ok(text, strlen(text), "text");
  double R[9];
  assert_near("joint 1", fb_model_def_body(def, 2)->joint.at, NUMBERS(1, 2, 3), 3, 0);
  assert_near("joint 2", fb_model_def_body(def, 3)->joint.at, NUMBERS(1, 0, 0), 3, 0);
  assert_near("joint 3", fb_model_def_body(def, 4)->joint.at, NUMBERS(1, 0, 0), 3, 0);
  assert_near("com 3", fb_model_def_body(def, 4)->com, NUMBERS(-33, 0, 0), 3, 0);
  assert_near("inertia 3", fb_model_def_body(def, 4)->inertia, NUMBERS(3, 3, 3, 0.1, 0, 0), 6, 0);
  fb_rot_from_euler_xyz(NUMBERS(0.1, 0.2, 0.3), R);
  assert_near("turn 1", fb_model_def_body(def, 2)->joint.R, R, 9, 0);
  fb_model_def_free(def);
}

#define ONE_TAIL "\"m0\":1,\"inertia0\":[[1,0,0],[0,1,0],[0,0,1]],\"Gravity\":[0,0,-1]"

static void one_link_reads_alike_however_its_singletons_are_written(void** state) {
  (void)state;
  static const char* const texts[] = {
      "{\"num_q\":1,\"BB\":0,\"SS\":-1,\"S0\":1,\"SE\":1,\"J_type\":\"R\",\"c0\":[1,2,3],\"cc\":[4,5,6],"
      "\"ce\":[7,8,9],\"m\":2,\"inertia\":[[1,0,0],[0,1,0],[0,0,1]],\"Qi\":[0.1,0.2,0.3],\"Qe\":[0,0,1]"
      "," ONE_TAIL "}",
      "{\"num_q\":1,\"BB\":[0],\"SS\":[[-1]],\"S0\":[1],\"SE\":true,\"J_type\":\"r\",\"c0\":[[1],[2],[3]],"
      "\"cc\":[[[4]],[[5]],[[6]]],\"ce\":[[7],[8],[9]],\"m\":[2],\"inertia\":[[1,0,0],[0,1,0],[0,0,1]],"
      "\"Qi\":[[0.1],[0.2],[0.3]],\"Qe\":[[0],[0],[1]]," ONE_TAIL "}",
      "{\"num_q\":1,\"BB\":[0],\"J_type\":[\"R\"],\"c0\":[1,2,3],\"cc\":[[4],[5],[6]],\"ce\":[7,8,9],\"m\":2,"
      "\"inertia\":[[1,0,0],[0,1,0],[0,0,1]],\"Qi\":[0.1,0.2,0.3],\"Qe\":[0,0,1]," ONE_TAIL "}",
      "{\"num_q\":1,\"BB\":[0],\"J_type\":[\"R\"],\"c0\":[[1,2,3]],\"cc\":[[[4,5,6]]],\"ce\":[[7,8,9]],\"m\":"
      "[2],"
      "\"inertia\":[[[1,0,0],[0,1,0],[0,0,1]]],\"Qi\":[[0.1,0.2,0.3]],\"Qe\":[[0,0,1]]," ONE_TAIL "}",
      "{\"LP\":{\"BB\":0,\"J_type\":\"R\",\"c0\":[1,2,3],\"cc\":[4,5,6],\"ce\":[7,8,9],\"m\":2,"
      "\"inertia\":[[1,0,0],[0,1,0],[0,0,1]],\"Qi\":[0.1,0.2,0.3],\"Qe\":[0,0,1]," ONE_TAIL "}}",
  };
  fb_model_def* first = parse_ok(texts[0], strlen(texts[0]), "first");
  assert_int_equal(fb_model_def_nframe(first, 2), 1);
  assert_near("end", fb_model_def_frame(first, 2, 0)->at, NUMBERS(3, 3, 3), 3, 0);
  for (int i = 1; i < COUNT(texts); i++) {
    fb_model_def* def = parse_ok(texts[i], strlen(texts[i]), "text");
    assert_same_def(def, first, 0);
    fb_model_def_free(def);
  }
  fb_model_def_free(first);
}

static void other_fields_of_LP_are_noted(void** state) {
  (void)state;
  const char* text = "{\"num_q\":0,\n\"mass\":12,\"m0\":12,\"inertia0\":[[1,0,0],[0,1,0],[0,0,1]]}";
  char notes[NOTES];
  fb_io_options options = noting(notes);
  fb_model_def* def;
  assert_int_equal(parse(text, strlen(text), "text", &options, &def, NULL), FB_OK);
  assert_string_equal(notes, "lost: line 2: 'mass' is not read\n");
  fb_model_def_free(def);
}

/* --- refusals --- */

/* A good model of two links by links, with one part replaced. */
typedef struct bad_case {
  const char* name;
  const char *key, *value; /* NULL: the key is left out */
  const char* message;     /* part of the message */
  const char* path;        /* where */
} bad_case;

static const char* const GOOD[][2] = {
    {"num_q", "2"},
    {"BB", "[0, 1]"},
    {"SS", "[[-1, 1], [0, -1]]"},
    {"S0", "[1, 0]"},
    {"SE", "[0, 1]"},
    {"J_type", "[\"R\", \"P\"]"},
    {"c0", "[[1, 0, 0], [0, 0, 0]]"},
    {"cc", "[[[1, 0, 0], [2, 0, 0]], [[0, 0, 0], [3, 0, 0]]]"},
    {"ce", "[[0, 0, 0], [1, 0, 0]]"},
    {"m0", "10"},
    {"inertia0", "[[1, 0, 0], [0, 1, 0], [0, 0, 1]]"},
    {"m", "[1, 2]"},
    {"inertia", "[[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 0, 0], [0, 1, 0], [0, 0, 1]]]"},
    {"Qi", "[[0, 0, 0], [0, 0, 0]]"},
    {"Qe", "[[0, 0, 0], [0, 0, 0]]"},
    {"Gravity", "[0, 0, 0]"},
};

static const bad_case BAD[] = {
    {"too few in BB", "BB", "[0]", "num_q is 2, but BB has 1 entry", "BB"},
    {"num_q a fraction", "num_q", "1.5", "must be a whole number", "num_q"},
    {"num_q beyond all", "num_q", "1e9", "num_q is 1000000000, but at most 33554431 joints are read",
     "num_q"},
    {"num_q negative", "num_q", "-2", "must be a whole number", "num_q"},
    {"BB out of range", "BB", "[0, 3]", "BB(2) is 3, but must be a whole number from 0 to 2", "BB"},
    {"BB itself", "BB", "[0, 2]", "link 2 would hang on itself", "BB"},
    {"SS against BB", "SS", "[[-1, 0], [0, -1]]", "SS(1,2) is 0, but BB(2) = 1 makes it 1", "SS[0][1]"},
    {"SS of wrong shape", "SS", "[[-1, 1]]", "must be a list of 2 here", "SS"},
    {"S0 against BB", "S0", "[1, 1]", "S0(2) is 1, but BB(2) = 1 makes it 0", "S0"},
    {"SE not a flag", "SE", "[0, 2]", "SE(2) is 2", "SE"},
    {"joint type", "J_type", "[\"R\", \"X\"]", "J_type(2) is neither 'R'", "J_type[1]"},
    {"joint types as text", "J_type", "\"RP\"", "inertia is nested three deep", "inertia"},
    {"c0 of wrong shape", "c0", "[[1, 0], [0, 0, 0]]", "must be a list of 3 here", "c0[0]"},
    {"c0 by axes", "c0", "[[1, 0], [0, 0], [0, 0]]", "must be a list of 2 here", "c0"},
    {"cc of wrong shape", "cc", "[[[1, 0, 0], [2, 0, 0]], [[3, 0, 0]]]", "must be a list of 2 here", "cc[1]"},
    {"cc not a number", "cc", "[[[1, 0, 0], [2, \"a\", 0]], [[0, 0, 0], [3, 0, 0]]]", "", "cc[0][1][1]"},
    {"null for NaN", "m", "[1, null]", "", "m[1]"},
    {"m missing", "m", NULL, "m", ""},
    {"m0 missing", "m0", NULL, "m0", ""},
    {"inertia0 missing", "inertia0", NULL, "inertia0", ""},
    {"inertia missing", "inertia", NULL, "inertia", ""},
    {"Qi missing", "Qi", NULL, "Qi", ""},
    {"ce missing", "ce", NULL, "ce", ""},
    {"J_type missing", "J_type", NULL, "J_type", ""},
    {"inertia flat", "inertia", "[1, 2, 3]", "3 rows of 6 numbers", "inertia"},
    {"inertia short", "inertia", "[[[1, 0, 0], [0, 1, 0], [0, 0, 1]]]", "must be a list of 2 here",
     "inertia"},
    {"inertia asymmetric", "inertia",
     "[[[1, 0, 0], [0, 1, 0], [0, 0, 1]], [[1, 0.5, 0], [0, 1, 0], [0, 0, 1]]]",
     "the inertia of link 2 is not symmetric: element (1,2) is 0.5 and (2,1) is 0", "inertia[1]"},
    {"inertia0 asymmetric", "inertia0", "[[1, 0, 0], [0, 1, 2], [0, 0, 1]]", "inertia0 is not symmetric",
     "inertia0"},
    {"gravity of two", "Gravity", "[0, 1]", "Gravity needs 3 numbers, but has 2", "Gravity"},
};

static void write_good(const bad_case* c, char* text, size_t size) {
  size_t used = (size_t)snprintf(text, size, "{");
  for (int k = 0; k < COUNT(GOOD); k++) {
    int changed = c && strcmp(GOOD[k][0], c->key) == 0;
    const char* value = changed ? c->value : GOOD[k][1];
    if (!value) continue;
    used += (size_t)snprintf(text + used, size - used, "%s\"%s\": %s", used > 1 ? ",\n" : "\n", GOOD[k][0],
                             value);
  }
  snprintf(text + used, size - used, "\n}\n");
}

static void bad_files_are_refused_with_place_and_path(void** state) {
  (void)state;
  char text[2000];
  write_good(NULL, text, sizeof text);
  fb_model_def_free(parse_ok(text, strlen(text), "good"));
  for (int i = 0; i < COUNT(BAD); i++) {
    fb_error error;
    fb_model_def* def;
    write_good(&BAD[i], text, sizeof text);
    fb_status status = parse(text, strlen(text), "bad.json", NULL, &def, &error);
    if (!status) fail_msg("%s: was not refused", BAD[i].name);
    assert_null(def);
    if (!strstr(error.text, BAD[i].message) || strcmp(error.path, BAD[i].path) != 0)
      fail_msg("%s: '%s' at '%s', wanted '%s' at '%s'", BAD[i].name, error.text, error.path, BAD[i].message,
               BAD[i].path);
    assert_string_equal(error.file, "bad.json");
    assert_true(error.place.line > 0);
  }
}

/* --- writing other models --- */

/* A base with its centre of mass off the origin, joints about odd axes, a fixed body in between. */
static fb_model_def* make_odd(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = fb_default_body_def(), arm = base, plate = base, slide = base;
  fb_frame_def tool = fb_default_frame_def();
  base.name = "hub";
  base.joint.type = FB_JOINT_FREE;
  base.mass = 50;
  memcpy(base.com, NUMBERS(0.1, -0.2, 0.3), sizeof base.com);
  memcpy(base.inertia, NUMBERS(5, 6, 7, 0.1, 0.2, 0.3), sizeof base.inertia);
  arm.name = "arm";
  arm.parent = "hub";
  arm.joint.type = FB_JOINT_REVOLUTE;
  memcpy(arm.joint.axis, NUMBERS(1, 2, -2), sizeof arm.joint.axis);
  memcpy(arm.joint.at, NUMBERS(0.5, 0.1, 0.2), sizeof arm.joint.at);
  fb_rot_from_rpy(NUMBERS(0.3, -0.4, 0.5), arm.joint.R);
  arm.joint.lower[0] = -1;
  arm.joint.damping[0] = 0.1;
  arm.mass = 3;
  memcpy(arm.com, NUMBERS(0.2, 0.1, 0), sizeof arm.com);
  memcpy(arm.inertia, NUMBERS(0.3, 0.4, 0.5, 0.01, 0.02, 0.03), sizeof arm.inertia);
  plate.name = "plate";
  plate.parent = "arm";
  memcpy(plate.joint.at, NUMBERS(0.4, 0, 0.1), sizeof plate.joint.at);
  fb_rot_from_rpy(NUMBERS(-0.7, 0.2, 0.1), plate.joint.R);
  plate.mass = 1.5;
  memcpy(plate.com, NUMBERS(0, 0, 0.2), sizeof plate.com);
  memcpy(plate.inertia, NUMBERS(0.1, 0.1, 0.05, 0, 0, 0), sizeof plate.inertia);
  slide.name = "slide";
  slide.parent = "plate";
  slide.joint.type = FB_JOINT_PRISMATIC;
  memcpy(slide.joint.axis, NUMBERS(0, 0, -1), sizeof slide.joint.axis);
  memcpy(slide.joint.at, NUMBERS(0.1, 0.2, 0.3), sizeof slide.joint.at);
  fb_rot_from_rpy(NUMBERS(1.1, 0.3, -2), slide.joint.R);
  slide.mass = 2;
  memcpy(slide.inertia, NUMBERS(0.2, 0.2, 0.2, 0, 0, 0), sizeof slide.inertia);
  assert_int_equal(fb_model_def_add_body(def, &base, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &arm, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &plate, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &slide, NULL, NULL), FB_OK);
  tool.name = "tool";
  memcpy(tool.at, NUMBERS(0.3, 0.2, 0.1), sizeof tool.at);
  fb_rot_from_rpy(NUMBERS(0.1, 0.9, 0.4), tool.R);
  assert_int_equal(fb_model_def_add_frame(def, 4, &tool, NULL), FB_OK);
  tool.name = "eye";
  assert_int_equal(fb_model_def_add_frame(def, 1, &tool, NULL), FB_OK);
  return def;
}

/* A frame's pose with the base frame of `def` at the world's, shifted by `base`. */
static void pose_of(const fb_model_def* def, const char* frame, const double base[3], const double q[2],
                    double p[3], double R[9], double com[3]) {
  fb_model* model;
  fb_error error;
  if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", error.text);
  fb_data* data = fb_data_new(model);
  double state[9] = {base[0], base[1], base[2], 1, 0, 0, 0, q[0], q[1]};
  assert_int_equal(fb_model_nq(model), 9);
  fb_kinematics(model, data, state, NULL, NULL);
  fb_frame_pose(model, data, fb_model_find_frame(model, frame), p, R);
  fb_centre_of_mass(model, data);
  fb_subtree_com(model, data, FB_WORLD, com, NULL, NULL);
  fb_data_free(data);
  fb_model_free(model);
}

static void odd_axes_fixed_bodies_and_base_centroid_keep_their_poses(void** state) {
  (void)state;
  static const double origin[3] = {0, 0, 0}, q[][2] = {{0, 0}, {0.7, -0.3}, {-2.5, 1.2}};
  fb_model_def* def = make_odd();
  char notes[NOTES];
  size_t size;
  fb_io_options options = noting(notes);
  char* text = print_ok(def, &options, &size);
  fb_model_def* written = parse_ok(text, size, "written");
  assert_int_equal(fb_model_def_nbody(written), 4);
  assert_near("hub com", fb_model_def_body(written, 1)->com, origin, 3, 0);
  assert_near("mass", &fb_model_def_body(written, 2)->mass, NUMBERS(4.5), 1, 1e-15);
  for (int i = 0; i < COUNT(q); i++) {
    double p[3], R[9], com[3], p2[3], R2[9], com2[3];
    pose_of(def, "tool", origin, q[i], p, R, com);
    pose_of(written, "end2", fb_model_def_body(def, 1)->com, q[i], p2, R2, com2);
    assert_near("p", p2, p, 3, 1e-14);
    assert_near("R", R2, R, 9, 1e-14);
    assert_near("com", com2, com, 3, 1e-14);
  }
  assert_non_null(strstr(notes, "base frame moves to the base's centroid"));
  assert_non_null(strstr(notes, "1 body on fixed joints became part"));
  assert_non_null(strstr(notes, "lost: the names"));
  assert_non_null(strstr(notes, "lost: 1 frame;"));
  assert_non_null(strstr(notes, "lost: limits of 1 joint"));
  assert_non_null(strstr(notes, "lost: damping of 1 joint"));
  free(text);
  fb_model_def_free(written);
  fb_model_def_free(def);
}

static void children_before_parents_are_numbered_anew(void** state) {
  (void)state;
  fb_model_def* def = fb_model_def_new();
  fb_body_def tip = fb_default_body_def(), base = tip;
  tip.name = "tip";
  tip.parent = "hub";
  tip.joint.type = FB_JOINT_REVOLUTE;
  tip.joint.axis[0] = 1;
  tip.mass = 1;
  base.name = "hub";
  base.joint.type = FB_JOINT_FREE;
  base.mass = 2;
  fb_body_def end = tip;
  end.name = "end";
  end.parent = "tip";
  assert_int_equal(fb_model_def_add_body(def, &end, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &tip, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_body(def, &base, NULL, NULL), FB_OK);
  char notes[NOTES];
  size_t size;
  fb_io_options options = noting(notes);
  char* text = print_ok(def, &options, &size);
  fb_model_def* written = parse_ok(text, size, "written");
  assert_near("base", &fb_model_def_body(written, 1)->mass, NUMBERS(2), 1, 0);
  assert_string_equal(fb_model_def_body(written, 3)->parent, "link1");
  assert_non_null(strstr(notes, "renumbered, parents first"));
  free(text);
  fb_model_def_free(written);
  fb_model_def_free(def);
}

static void models_beyond_SpaceDyn_are_refused(void** state) {
  (void)state;
  static const struct {
    fb_joint_type base, arm;
    const char* second_parent;
    const char* message;
  } cases[] = {
      {FB_JOINT_FIXED, FB_JOINT_REVOLUTE, "hub", "the base 'hub' of this model is on a fixed joint"},
      {FB_JOINT_FREE, FB_JOINT_SPHERICAL, "hub", "joint 'arm' is spherical"},
      {FB_JOINT_FREE, FB_JOINT_FREE, NULL, "this model has 2 trees"},
  };
  for (int i = 0; i < COUNT(cases); i++) {
    fb_error error;
    fb_model_def* def = fb_model_def_new();
    fb_body_def hub = fb_default_body_def(), arm = hub;
    hub.name = "hub";
    hub.joint.type = cases[i].base;
    arm.name = "arm";
    arm.parent = cases[i].second_parent;
    arm.joint.type = cases[i].arm;
    arm.joint.axis[2] = 1;
    assert_int_equal(fb_model_def_add_body(def, &hub, NULL, NULL), FB_OK);
    assert_int_equal(fb_model_def_add_body(def, &arm, NULL, NULL), FB_OK);
    fb_json* json = fb_json_new(0);
    assert_int_equal(fb_spacedyn_write(def, NULL, json, &error), FB_ERR_UNSUPPORTED);
    assert_non_null(strstr(error.text, cases[i].message));
    fb_json_free(json);
    fb_model_def_free(def);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(reference_model_reads_as_its_numbers_say),
      cmocka_unit_test(tree_with_prismatic_joint_and_gravity_reads_right),
      cmocka_unit_test(reference_models_survive_writing),
      cmocka_unit_test(jsonencode_samples_load_as_their_twins_by_links),
      cmocka_unit_test(square_matrices_are_read_by_columns),
      cmocka_unit_test(one_link_reads_alike_however_its_singletons_are_written),
      cmocka_unit_test(other_fields_of_LP_are_noted),
      cmocka_unit_test(bad_files_are_refused_with_place_and_path),
      cmocka_unit_test(odd_axes_fixed_bodies_and_base_centroid_keep_their_poses),
      cmocka_unit_test(children_before_parents_are_numbered_anew),
      cmocka_unit_test(models_beyond_SpaceDyn_are_refused),
  };
  return cmocka_run_group_tests_name("spacedyn", tests, NULL, NULL);
}
