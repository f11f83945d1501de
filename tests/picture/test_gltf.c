/* test_gltf.c -- runs as binary glTF: the file's layout, motion that composes to the engine's own poses, shapes with
 * sound normals, and odd runs. Files are also held against the Khronos validator, by tests/browser/gltf.mjs. */
#include "gltf_rig.h"

#include "near.h"
#include "random_tree.h"

/* --- tests --- */

enum { BODIES = 24, SAMPLES = 40 };

/* Motion of a random forest: a walk that some joints do not take part in. */
static void random_motion(const maker* k, double (*q)[7 * BODIES]) {
  double v[6 * BODIES];
  fb_random_q(k->model, 3, q[0]);
  fb_random_v(k->model, 4, v);
  for (int body = 1; body < fb_model_nbody(k->model); body += 3)
    for (int i = 0; i < fb_joint_nv(k->model, body); i++) v[fb_joint_v_index(k->model, body) + i] = 0;
  for (int i = 1; i < SAMPLES; i++) fb_integrate(k->model, q[i - 1], v, 0.3, q[i]);
}

static void motion_composes_to_the_poses_of_the_engine(void** state) {
  (void)state;
  for (int seed = 0; seed < 6; seed++) {
    static double q[SAMPLES][7 * BODIES];
    fb_random r = {(uint64_t)seed + 1, 0};
    maker k = begin_run("run", random_forest(&r, BODIES, 0, 0), "walk");
    random_motion(&k, q);
    for (int i = 0; i < SAMPLES; i++) add_sample(&k, 0.1 * i, q[i]);
    fb_model* m = k.model;
    k.model = NULL;
    end_run(&k);
    glb g = write_glb("run", 0);
    fb_data* d = fb_data_new(m);
    for (int i = 0; i < SAMPLES; i += 13) {
      fb_kinematics(m, d, q[i], NULL, NULL);
      for (int body = 1; body < fb_model_nbody(m); body++) {
        double p[3], R[9], want_p[3], want_R[9];
        chain_pose(&g, m, body, i, p, R);
        fb_frame_pose(m, d, body, want_p, want_R);
        /* Single precision along a chain of at most 24 bodies. */
        assert_near("position", p, want_p, 3, 5e-6);
        assert_near("attitude", R, want_R, 9, 5e-6);
      }
    }
    free_glb(&g);
    fb_data_free(d);
    fb_model_free(m);
  }
}

/* A base that floats, and a link on a joint. */
static fb_model_def* pair(fb_joint_type type, const char* base_name) {
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  assert_non_null(def);
  fb_body_def base = fb_default_body_def();
  base.name = base_name;
  base.mass = 1;
  base.inertia[0] = base.inertia[1] = base.inertia[2] = 1;
  base.joint.type = FB_JOINT_FREE;
  fb_body_def link = base;
  link.name = "link";
  link.parent = base_name;
  link.joint = fb_default_joint_def();
  link.joint.type = type;
  link.joint.axis[0] = 1;
  link.joint.axis[2] = 0;
  link.joint.at[2] = 0.5;
  fb_frame_def tip = fb_default_frame_def();
  tip.name = "tip";
  tip.at[0] = 0.25;
  expect_ok(fb_model_def_add_body(def, &base, NULL, &error), &error);
  expect_ok(fb_model_def_add_body(def, &link, NULL, &error), &error);
  expect_ok(fb_model_def_add_frame(def, 2, &tip, &error), &error);
  return def;
}

static void only_what_changes_has_channels(void** state) {
  (void)state;
  maker k = begin_run("run", pair(FB_JOINT_REVOLUTE, "base"), "one joint");
  for (int i = 0; i < 5; i++) {
    const double q[8] = {1, 2, 3, 1, 0, 0, 0, 0.1 * i};
    add_sample(&k, i, q);
  }
  end_run(&k);
  glb g = write_glb("run", 0);
  int times;
  assert_int_equal(keys_of(&g, 1, "translation", &times), -1);
  assert_int_equal(keys_of(&g, 1, "rotation", &times), -1);
  assert_int_equal(keys_of(&g, 2, "translation", &times), -1);
  assert_true(keys_of(&g, 2, "rotation", &times) >= 0);
  double at[3];
  node_part(&g, 1, "translation", -1, 3, at);
  assert_near("where the base stays", at, (const double[]){1, 2, 3}, 3, 1e-15);
  free_glb(&g);
}

static void quaternions_never_jump_to_the_other_sign(void** state) {
  (void)state;
  maker k = begin_run("run", pair(FB_JOINT_REVOLUTE, "base"), "turns");
  for (int i = 0; i < 200; i++) {
    const double q[8] = {0, 0, 0, cos(0.1 * i), 0, sin(0.1 * i), 0, 0.3 * i};
    add_sample(&k, 0.1 * i, q);
  }
  end_run(&k);
  glb g = write_glb("run", 0);
  for (int body = 1; body <= 2; body++) {
    int times, count;
    const unsigned char* at = accessor(&g, keys_of(&g, body, "rotation", &times), &count);
    assert_int_equal(count, 200);
    for (int i = 1; i < count; i++) {
      float dot = 0;
      for (int n = 0; n < 4; n++) dot += real(at + 16 * i + 4 * n) * real(at + 16 * (i - 1) + 4 * n);
      assert_true(dot > 0.9f);
    }
  }
  assert_int_equal(nnote, 0);
  free_glb(&g);
}

/* Sample times, and the keys that they must make. */
typedef struct time_case {
  const char* what;
  double first, step;
  int samples;
  double rate;
  int keys;
} time_case;

static void times_rise_in_single_precision_and_no_faster_than_asked(void** state) {
  (void)state;
  static const time_case cases[] = {
      {"every sample of a slow log", 0, 0.1, 50, 0, 50},
      {"at most 60 a second", 0, 0.001, 1001, 0, 60 + 1},
      {"ten a second, and the last", 0, 0.01, 106, 10, 11 + 1},
      {"more than there are", 0, 0.1, 50, 1000, 50},
      {"a step that is not exact in binary", 0, 0.02, 501, 50, 501},
      {"far beyond 2^24 steps", 3e7, 0.1, 2000, 0, 101},
      {"time before zero begins at zero", -5, 0.5, 21, 0, 21},
      {"a single sample stands still", 7, 1, 1, 0, 0},
  };
  for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
    maker k = begin_run("run", pair(FB_JOINT_REVOLUTE, "base"), cases[c].what);
    for (int i = 0; i < cases[c].samples; i++) {
      const double q[8] = {0, 0, 0, 1, 0, 0, 0, 0.001 * i};
      add_sample(&k, cases[c].first + cases[c].step * i, q);
    }
    end_run(&k);
    glb g = write_glb("run", cases[c].rate);
    int times = -1, count = 0;
    if (keys_of(&g, 2, "rotation", &times) < 0) {
      assert_int_equal(cases[c].keys, 0);
      free_glb(&g);
      continue;
    }
    const unsigned char* at = accessor(&g, times, &count);
    if (count != cases[c].keys) fail_msg("%s: %d keys, expected %d", cases[c].what, count, cases[c].keys);
    double end = cases[c].first + cases[c].step * (cases[c].samples - 1) - fmin(cases[c].first, 0);
    assert_true(real(at) >= 0);
    assert_true(fabs((double)real(at + 4 * (count - 1)) - end) <= 2 + 1e-7 * end || cases[c].first < 1e7);
    for (int i = 1; i < count; i++) assert_true(real(at + 4 * i) > real(at + 4 * (i - 1)));
    free_glb(&g);
  }
}

static void samples_that_are_not_finite_are_left_out(void** state) {
  (void)state;
  maker k = begin_run("run", pair(FB_JOINT_PRISMATIC, "base"), "broken");
  for (int i = 0; i < 6; i++) {
    const double q[8] = {0, 0, 0, 1, 0, 0, 0, i == 3 ? NAN : i == 4 ? 1e300 : 0.5 * i};
    add_sample(&k, i, q);
  }
  end_run(&k);
  glb g = write_glb("run", 0);
  int times, count;
  const unsigned char* at = accessor(&g, keys_of(&g, 2, "translation", &times), &count);
  assert_int_equal(count, 4);
  for (int i = 0; i < 3 * count; i++) assert_true(isfinite(real(at + 4 * i)));
  free_glb(&g);
}

static void a_wheel_too_fast_for_its_keys_is_told_of(void** state) {
  (void)state;
  maker k = begin_run("run", pair(FB_JOINT_REVOLUTE, "base"), "wheel");
  for (int i = 0; i < 5; i++) {
    const double q[8] = {0, 0, 0, 1, 0, 0, 0, 3.0 * i};
    add_sample(&k, i, q);
  }
  end_run(&k);
  glb g = write_glb("run", 0);
  assert_int_equal(nnote, 1);
  assert_non_null(strstr(last_note, "'link' turns by more than 150 degrees"));
  free_glb(&g);
}

static void runs_without_samples_or_bodies_are_files_too(void** state) {
  (void)state;
  maker k = begin_run("run", pair(FB_JOINT_REVOLUTE, "base"), "still");
  end_run(&k);
  glb g = write_glb("run", 0);
  assert_null(fb_map_get(g.root, "animations"));
  const fb_node* nodes = fb_map_get(g.root, "nodes");
  double at[3];
  node_part(&g, 2, "translation", -1, 3, at);
  assert_near("where the link stands", at, (const double[]){0, 0, 0.5}, 3, 1e-15);
  const fb_node* tip = fb_node_item(nodes, fb_node_count(nodes) - 1);
  assert_string_equal(fb_node_text(fb_map_get(tip, "name")), "tip");
  free_glb(&g);
  k = begin_run("run", fb_model_def_new(), "nothing");
  for (int i = 0; i < 3; i++) add_sample(&k, i, k.values);
  end_run(&k);
  g = write_glb("run", 0);
  assert_int_equal(fb_node_count(fb_map_get(g.root, "nodes")), 1);
  assert_null(g.numbers);
  free_glb(&g);
}

static void names_are_any_text(void** state) {
  (void)state;
  static const char name[] = "a \"quoted\" </script> \\ \xf0\x9f\x9b\xb0 \xc3\xa9";
  maker k = begin_run("run", pair(FB_JOINT_FIXED, name), name);
  end_run(&k);
  glb g = write_glb("run", 0);
  const fb_node* node = fb_node_item(fb_map_get(g.root, "nodes"), 1);
  assert_string_equal(fb_node_text(fb_map_get(node, "name")), name);
  const fb_node* extras = fb_map_get(fb_map_get(g.root, "asset"), "extras");
  assert_string_equal(fb_node_text(fb_map_get(extras, "run")), name);
  free_glb(&g);
}

static void a_thousand_bodies_share_their_geometry(void** state) {
  (void)state;
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  char name[16], before[16] = "";
  for (int i = 0; i < 1000; i++) {
    fb_body_def body = fb_default_body_def();
    snprintf(name, sizeof name, "b%d", i);
    body.name = name;
    body.parent = i ? before : NULL;
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    body.joint.type = i ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    body.joint.axis[2] = i ? 1 : 0;
    fb_shape_def box = fb_default_shape_def();
    box.kind = i % 2 ? FB_SHAPE_SPHERE : FB_SHAPE_ELLIPSOID;
    for (int n = 0; n < 3; n++) box.size[n] = 0.1 * (1 + n) + 0.001 * i;
    expect_ok(fb_model_def_add_body(def, &body, NULL, &error), &error);
    expect_ok(fb_model_def_add_shape(def, i + 1, &box, &error), &error);
    memcpy(before, name, sizeof before);
  }
  maker k = begin_run("run", def, "snake");
  int nq = fb_model_nq(k.model);
  for (int i = 0; i < 4; i++) {
    fb_neutral(k.model, k.values);
    for (int n = 7; n < nq; n++) k.values[n] = 0.01 * i;
    add_sample(&k, i, k.values);
  }
  end_run(&k);
  glb g = write_glb("run", 0);
  assert_int_equal(fb_node_count(fb_map_get(g.root, "nodes")), 1 + 2 * 1000);
  /* One sphere, times, and a rotation for each joint. */
  assert_int_equal(fb_node_count(fb_map_get(g.root, "accessors")), 3 + 1 + 999);
  free_glb(&g);
}

/* A mesh with a square in two triangles, one across it, and two without area. */
static const char MESH[] =
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 1\n"
    "f 1 2 3\nf 1 3 4\nf 1 5 2\nf 1 1 2\nf 2 2 2\n";

static void add_shape(fb_model_def* def, fb_shape_kind kind, const double size[3], const char* file,
                      const char* color) {
  fb_error error;
  fb_shape_def shape = fb_default_shape_def();
  shape.kind = kind;
  memcpy(shape.size, size, sizeof shape.size);
  shape.file = file;
  shape.color = color;
  expect_ok(fb_model_def_add_shape(def, 1, &shape, &error), &error);
}

/* A primitive: indices in range, none repeated in a triangle, normals of length 1 on the side that the triangles turn
 * to, and bounds as told. Returns the triangles. */
static int check_primitive(const glb* g, const fb_node* primitive) {
  int nvertex, nnormal, nindex, position = number_in(fb_map_get(primitive, "attributes"), "POSITION", -1);
  const unsigned char* p = accessor(g, position, &nvertex);
  const unsigned char* n =
      accessor(g, number_in(fb_map_get(primitive, "attributes"), "NORMAL", -1), &nnormal);
  const unsigned char* index = accessor(g, number_in(primitive, "indices", -1), &nindex);
  assert_int_equal(nvertex, nnormal);
  double low[3] = {1e9, 1e9, 1e9}, high[3] = {-1e9, -1e9, -1e9}, min[3], max[3];
  for (int i = 0; i < nvertex; i++) {
    double length = 0;
    for (int k = 0; k < 3; k++) {
      double x = (double)real(n + 12 * i + 4 * k), at = (double)real(p + 12 * i + 4 * k);
      length += x * x;
      low[k] = lesser_of(low[k], at);
      high[k] = worse_of(high[k], at);
    }
    assert_true(fabs(length - 1) < 1e-6);
  }
  for (int t = 0; t < nindex / 3; t++) {
    double corner[3][3], side = 0;
    int v[3];
    for (int i = 0; i < 3; i++) {
      v[i] = index[6 * t + 2 * i] | index[6 * t + 2 * i + 1] << 8;
      assert_true(v[i] < nvertex);
      for (int k = 0; k < 3; k++) corner[i][k] = (double)real(p + 12 * v[i] + 4 * k);
    }
    assert_true(v[0] != v[1] && v[1] != v[2] && v[2] != v[0]);
    for (int k = 0; k < 3; k++) {
      int a = (k + 1) % 3, b = (k + 2) % 3;
      double area = (corner[1][a] - corner[0][a]) * (corner[2][b] - corner[0][b]) -
                    (corner[1][b] - corner[0][b]) * (corner[2][a] - corner[0][a]);
      side += area * (double)real(n + 12 * v[0] + 4 * k);
    }
    assert_true(side > 0);
  }
  fb_error error;
  const fb_node* a = fb_node_item(fb_map_get(g->root, "accessors"), position);
  expect_ok(fb_node_numbers(fb_map_get(a, "min"), FB_Q_NONE, 3, min, &error), &error);
  expect_ok(fb_node_numbers(fb_map_get(a, "max"), FB_Q_NONE, 3, max, &error), &error);
  assert_near("min", min, low, 3, 0);
  assert_near("max", max, high, 3, 0);
  return nindex / 3;
}

static void shapes_have_sound_triangles_and_no_negative_scales(void** state) {
  (void)state;
  fb_model_def* def = pair(FB_JOINT_FIXED, "base");
  add_shape(def, FB_SHAPE_BOX, (const double[]){1, 2, 3}, NULL, "#ff8000");
  add_shape(def, FB_SHAPE_BOX, (const double[]){3, 2, 1}, NULL, "#ff8000"); /* the same mesh */
  add_shape(def, FB_SHAPE_SPHERE, (const double[]){1, 0, 0}, NULL, "#ff800080");
  add_shape(def, FB_SHAPE_ELLIPSOID, (const double[]){1, 2, 3}, NULL, "#ff8000");
  add_shape(def, FB_SHAPE_CYLINDER, (const double[]){1, 2, 0}, NULL, "#ff8000");
  add_shape(def, FB_SHAPE_CAPSULE, (const double[]){0.5, 2, 0}, NULL, "#ff8000");
  add_shape(def, FB_SHAPE_CAPSULE, (const double[]){1, 4, 0}, NULL, "#ff8000"); /* as long, so the same */
  add_shape(def, FB_SHAPE_MESH, (const double[]){1, 1, 1}, "part.obj", "#ff8000");
  add_shape(def, FB_SHAPE_MESH, (const double[]){2, -1, 1}, "part.obj", "#ff8000");
  add_shape(def, FB_SHAPE_CAPSULE, (const double[]){1e-300, 1, 0}, NULL, NULL); /* beyond single precision */
  maker k = begin_run("run", def, "shapes");
  fb_error error;
  expect_ok(fb_store_add_mesh(k.run, "part.obj", MESH, strlen(MESH), &error), &error);
  end_run(&k);
  glb g = write_glb("run", 0);
  assert_int_equal(nnote, 0);
  /* The link, which has no shapes of its own, has made-up ones after these. */
  static const int triangles[] = {12, 2 * 32 * 15, 2 * 32 * 15, 4 * 32, 2 * 32 * 16, 3, 3};
  const fb_node* meshes = fb_map_get(g.root, "meshes");
  for (int i = 0; i < fb_node_count(meshes); i++) {
    int n = check_primitive(&g, fb_node_item(fb_map_get(fb_node_item(meshes, i), "primitives"), 0));
    if (i < 7 && n != triangles[i]) fail_msg("mesh %d has %d triangles, expected %d", i, n, triangles[i]);
  }
  const fb_node* nodes = fb_map_get(g.root, "nodes");
  for (int i = 0; i < fb_node_count(nodes); i++) {
    double scale[3] = {1, 1, 1};
    const fb_node* node = fb_map_get(fb_node_item(nodes, i), "scale");
    if (node) expect_ok(fb_node_numbers(node, FB_Q_NONE, 3, scale, &error), &error);
    assert_true(i > 2 || !node);
    assert_true(scale[0] > 0 && scale[1] > 0 && scale[2] > 0);
  }
  const fb_node* material = fb_node_item(fb_map_get(g.root, "materials"), 0);
  double color[4];
  expect_ok(fb_node_numbers(fb_map_get(fb_map_get(material, "pbrMetallicRoughness"), "baseColorFactor"),
                            FB_Q_NONE, 4, color, &error),
            &error);
  assert_near("orange in linear light", color, (const double[]){1, 0.215861, 0, 1}, 4, 1e-6);
  material = fb_node_item(fb_map_get(g.root, "materials"), 1);
  assert_string_equal(fb_node_text(fb_map_get(material, "alphaMode")), "BLEND");
  free_glb(&g);
}

static void the_same_run_gives_the_same_bytes(void** state) {
  (void)state;
  static double q[SAMPLES][7 * BODIES];
  fb_random r = {77, 0};
  maker k = begin_run("run", random_forest(&r, BODIES, 0, 0), "twice");
  random_motion(&k, q);
  for (int i = 0; i < SAMPLES; i++) add_sample(&k, 0.1 * i, q[i]);
  end_run(&k);
  glb first = write_glb("run", 0), second = write_glb("run", 0);
  assert_int_equal(first.size, second.size);
  assert_memory_equal(first.data, second.data, first.size);
  free_glb(&first);
  free_glb(&second);
}

static void bad_arguments_and_places_are_refused(void** state) {
  (void)state;
  fb_error error;
  maker k = begin_run("run", pair(FB_JOINT_FIXED, "base"), "refused");
  end_run(&k);
  fb_store* run;
  expect_ok(fb_store_open("run", &run, &error), &error);
  fb_picture_options options;
  memset(&options, 0, sizeof options);
  assert_int_equal(fb_store_write_gltf(run, "x.glb", &options, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_write_gltf(run, "x.glb", NULL, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  assert_int_equal(write_to("run", "x.glb", -1, &error), FB_ERR_ARG);
  assert_int_equal(write_to("run", "x.glb", NAN, &error), FB_ERR_ARG);
  assert_int_equal(write_to("run", "nowhere/x.glb", 0, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "does not exist"));
  assert_int_equal(access("x.glb", F_OK), -1);
  /* A full disk: the file cannot be written to its end. */
  if (access("/dev/full", W_OK) == 0) assert_int_equal(write_to("run", "/dev/full", 0, &error), FB_ERR_IO);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(motion_composes_to_the_poses_of_the_engine),
      cmocka_unit_test(only_what_changes_has_channels),
      cmocka_unit_test(quaternions_never_jump_to_the_other_sign),
      cmocka_unit_test(times_rise_in_single_precision_and_no_faster_than_asked),
      cmocka_unit_test(samples_that_are_not_finite_are_left_out),
      cmocka_unit_test(a_wheel_too_fast_for_its_keys_is_told_of),
      cmocka_unit_test(runs_without_samples_or_bodies_are_files_too),
      cmocka_unit_test(names_are_any_text),
      cmocka_unit_test(a_thousand_bodies_share_their_geometry),
      cmocka_unit_test(shapes_have_sound_triangles_and_no_negative_scales),
      cmocka_unit_test(the_same_run_gives_the_same_bytes),
      cmocka_unit_test(bad_arguments_and_places_are_refused),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
