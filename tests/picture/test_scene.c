/* test_scene.c -- the scene of a run: the model's shapes, or what inertia, joints and frames tell. */
#include "run_command.h"

#include <math.h>

#include <freebody/io.h>
#include <freebody/rotation.h>
#include <freebody/signal.h>

#include "picture/scene/scene.h"
#include "picture/scene/parts.h"
#include "keep_nan.h"
#include "math/sym3.h"

/* --- runs of models --- */

static char notes[4096]; /* all that the scene told, one a line */

static void keep_note(void* user, const char* text) {
  (void)user;
  size_t n = strlen(notes);
  snprintf(notes + n, sizeof notes - n, "%s\n", text);
}

static fb_model_def* read_def(const char* text) {
  fb_error error;
  fb_model_def* def = NULL;
  if (fb_model_def_parse(text, strlen(text), "model", NULL, &def, &error)) fail_msg("%s", error.text);
  return def;
}

/* A run of the model with the signals that `log` stands for ("" for none), two samples, the second 0.5 more. */
static void make_run(const fb_model_def* def, const char* log) {
  fb_error error;
  fb_store* run = NULL;
  fb_model* model = NULL;
  char* text = NULL;
  size_t size;
  int count = 0;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_JSON;
  if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", error.text);
  if (fb_model_def_print(def, &options, &text, &size, &error)) fail_msg("%s", error.text);
  if (log[0] && fb_signal_find(model, log, NULL, 0, &count, &error)) fail_msg("%s", error.text);
  fb_signal* signals = (fb_signal*)calloc((size_t)count + 1, sizeof *signals);
  fb_store_signal* rows = (fb_store_signal*)calloc((size_t)count + 1, sizeof *rows);
  char(*names)[FB_SIGNAL_NAME_SIZE] = (char(*)[FB_SIGNAL_NAME_SIZE])calloc((size_t)count + 1, sizeof *names);
  double* values = (double*)calloc((size_t)count + 1, sizeof *values);
  assert_true(signals && rows && names && values);
  if (count) assert_int_equal(fb_signal_find(model, log, signals, count, &count, &error), FB_OK);
  for (int i = 0; i < count; i++) {
    /* The other way round, so that order does not tell them. */
    fb_signal_name(model, signals[count - 1 - i], names[i]);
    rows[i] = (fb_store_signal){names[i], "rad", "joint", ""};
  }
  if (fb_store_create("r", rows, count, 1, &run, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_store_set_text(run, "model", text, &error), FB_OK);
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < count; i++) values[i] = count - 1 - i + 0.5 * k;
    assert_int_equal(fb_store_append(run, k, values, &error), FB_OK);
  }
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  free(signals);
  free(rows);
  free(names);
  free(values);
  free(text);
  fb_model_free(model);
}

static fb_scene* scene_of(fb_store** run) {
  fb_error error;
  fb_scene* scene = NULL;
  notes[0] = 0;
  if (fb_store_open("r", run, &error)) fail_msg("%s", error.text);
  if (fb_scene_of_run(*run, keep_note, NULL, &scene, &error)) fail_msg("%s", error.text);
  return scene;
}

static void let_go(fb_scene* scene, fb_store* run) {
  fb_scene_free(scene);
  fb_store_close(run, NULL);
}

/* The scene of a model in YAML, its coordinates all logged. */
static fb_scene* scene_of_text(const char* text, fb_store** run) {
  fb_model_def* def = read_def(text);
  make_run(def, "q");
  fb_model_def_free(def);
  return scene_of(run);
}

static const fb_scene_shape* shape_of(const fb_scene* scene, int body, int index) {
  if (index >= scene->bodies[body].nshape)
    fail_msg("body %d has %d shapes", body, scene->bodies[body].nshape);
  return &scene->shapes[scene->bodies[body].first_shape + index];
}

static void near(const char* what, double found, double wanted, double tolerance) {
  if (!(fabs(found - wanted) <= tolerance)) fail_msg("%s is %.17g, expected %.17g", what, found, wanted);
}

/* --- inertia --- */

/* The inertia, xx yy zz xy xz yz, of moments about turned axes. */
static void turn_inertia(const double moments[3], const double quat[4], double out[6]) {
  static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
  double R[9];
  fb_rot_from_quat(quat, R);
  for (int k = 0; k < 6; k++) {
    out[k] = 0;
    for (int i = 0; i < 3; i++) out[k] += R[3 * row[k] + i] * moments[i] * R[3 * column[k] + i];
  }
}

/* The ellipsoid's own inertia is the body's: I_i = m (r_j^2 + r_k^2) / 5. */
static void check_ellipsoid(const fb_body_def* body, const fb_scene_body* looks) {
  const double* r = looks->ellipsoid_radii;
  double moments[3], inertia[6], norm = 0;
  for (int i = 0; i < 3; i++)
    moments[i] = body->mass * (r[(i + 1) % 3] * r[(i + 1) % 3] + r[(i + 2) % 3] * r[(i + 2) % 3]) / 5;
  turn_inertia(moments, looks->ellipsoid_quat, inertia);
  for (int i = 0; i < 4; i++) norm += looks->ellipsoid_quat[i] * looks->ellipsoid_quat[i];
  near("norm of a quaternion", norm, 1, 1e-12);
  double scale = fabs(body->inertia[0]) + fabs(body->inertia[1]) + fabs(body->inertia[2]);
  /* Rounding of a few sweeps; a flat body's thickness is the difference of large numbers. */
  for (int i = 0; i < 6; i++) near(body->name, inertia[i], body->inertia[i], 1e-8 * scale);
  for (int i = 0; i < 3; i++) near("centre", looks->ellipsoid_at[i], body->com[i], 0);
}

static void shipped_models_have_shapes_and_ellipsoids_of_their_inertia(void** state) {
  (void)state;
  static const char* const files[] = {"ets7/ets7.urdf", "inspector/inspector.yaml", "snake/chain.yaml",
                                      "tumbler/handle.yaml", "flexible_base/jemrms.yaml"};
  for (size_t f = 0; f < sizeof files / sizeof files[0]; f++) {
    char path[512];
    fb_error error;
    fb_model_def* def = NULL;
    fb_store* run;
    snprintf(path, sizeof path, "%s/scenarios/%s", FB_SOURCE_DIR, files[f]);
    if (fb_model_def_read(path, NULL, &def, &error)) fail_msg("%s", error.text);
    make_run(def, "q");
    fb_scene* scene = scene_of(&run);
    assert_string_equal(notes, "");
    assert_int_equal(scene->nbody, fb_model_def_nbody(def));
    for (int i = 1; i < scene->nbody; i++) {
      if (scene->bodies[i].nshape < 1) fail_msg("%s: body %d has no shape", files[f], i);
      check_ellipsoid(fb_model_def_body(def, i), &scene->bodies[i]);
      assert_int_equal(scene->bodies[i].parent, fb_body_parent(scene->model, i));
    }
    fb_model_def_free(def);
    let_go(scene, run);
  }
}

static void a_box_comes_back_from_its_inertia(void** state) {
  (void)state;
  static const double boxes[][3] = {{1, 2, 3},          {3, 1, 2},     {0.5, 0.5, 4},
                                    {1e-3, 2e-3, 3e-3}, {1000, 1, 10}, {2, 2, 2}};
  static const double turns[][3] = {{0, 0, 0}, {0.3, -1.1, 2}, {1.5707963267948966, 0, 0}, {3, 3, 3}};
  for (size_t b = 0; b < sizeof boxes / sizeof boxes[0]; b++)
    for (size_t t = 0; t < sizeof turns / sizeof turns[0]; t++) {
      const double *e = boxes[b], mass = 7;
      double moments[3], quat[4], R[9], inertia[6], back[6], half[3];
      for (int i = 0; i < 3; i++)
        moments[i] = mass / 12 * (e[(i + 1) % 3] * e[(i + 1) % 3] + e[(i + 2) % 3] * e[(i + 2) % 3]);
      fb_rot_from_rpy(turns[t], R);
      fb_rot_to_quat(R, quat);
      turn_inertia(moments, quat, inertia);
      fb_sym3_axes(inertia, moments, R);
      fb_equal_box(mass, moments, half);
      /* The same edges in some order, and the same inertia; a thin edge is the difference of large numbers. */
      near("product", 8 * half[0] * half[1] * half[2] / (e[0] * e[1] * e[2]), 1, 1e-6);
      double longest = worse_of(e[0], worse_of(e[1], e[2]));
      near("longest", 2 * worse_of(half[0], worse_of(half[1], half[2])) / longest, 1, 1e-12);
      fb_rot_to_quat(R, quat);
      turn_inertia(moments, quat, back);
      for (int i = 0; i < 6; i++) near("inertia", back[i], inertia[i], 1e-12 * mass * longest * longest);
      if (t == 0)
        for (int i = 0; i < 3; i++) near("edge in its place", 2 * half[i] / e[i], 1, 1e-6);
    }
}

static void no_mass_has_no_ellipsoid(void** state) {
  (void)state;
  static const double none[3] = {0, 0, 0}, flat[3] = {1, 2, 3}, odd[3] = {1, 1, 3};
  double radii[3];
  fb_equal_ellipsoid(0, flat, radii);
  assert_true(radii[0] == 0 && radii[1] == 0 && radii[2] == 0);
  fb_equal_ellipsoid(2, none, radii);
  assert_true(radii[0] == 0 && radii[1] == 0 && radii[2] == 0);
  fb_equal_ellipsoid(2, flat, radii); /* a plate: 1 + 2 = 3 */
  assert_true(radii[0] > 0 && radii[1] > 0 && radii[2] == 0);
  fb_equal_ellipsoid(2, odd, radii); /* beyond what a body can have, by rounding for instance */
  assert_true(radii[2] == 0);
}

/* --- the model's own shapes --- */

#define HEAD "freebody: 1\nname: m\nbodies:\n"
#define FREE "joint: {type: free}\n  mass: 1\n  inertia: [1, 1, 1, 0, 0, 0]\n"
#define FIXED_TO_A "parent: a\n  joint: {type: fixed}\n  mass: 1\n  inertia: [1, 1, 1, 0, 0, 0]\n"

static void visual_shapes_are_taken_as_they_are(void** state) {
  (void)state;
  fb_store* run;
  fb_scene* scene =
      scene_of_text(HEAD "- " FREE
                         "  name: a\n  shapes:\n"
                         "  - {kind: box, size: [1, 2, 3], at: [4, 5, 6], rpy: [0, 0, 1.5707963267948966],\n"
                         "     color: \"#ff800040\"}\n"
                         "  - {kind: sphere, radius: 9, use: contact}\n"
                         "  - {kind: capsule, radius: 0.1, length: 2, use: visual}\n"
                         "- " FIXED_TO_A
                         "  name: b\n  shapes:\n"
                         "  - {kind: cylinder, radius: 0.5, length: 4, use: contact}\n",
                    &run);
  assert_string_equal(notes, "");
  assert_int_equal(scene->bodies[1].nshape, 2);
  const fb_scene_shape *box = shape_of(scene, 1, 0), *capsule = shape_of(scene, 1, 1);
  assert_true(box->kind == FB_SHAPE_BOX && box->size[2] == 3 && box->at[1] == 5 && !box->guessed &&
              box->mesh == -1);
  near("quaternion", box->quat[0] * box->quat[3], 0.5, 1e-12);
  near("red", box->color[0], 1, 0);
  near("green", box->color[1], 128 / 255.0, 1e-15);
  near("opacity", box->color[3], 64 / 255.0, 1e-15);
  assert_true(capsule->kind == FB_SHAPE_CAPSULE && capsule->size[1] == 2 && capsule->color[3] == 1);
  /* The second body has one of contact alone, better than a guess. */
  assert_int_equal(scene->bodies[2].nshape, 1);
  assert_true(shape_of(scene, 2, 0)->kind == FB_SHAPE_CYLINDER && !shape_of(scene, 2, 0)->guessed);
  let_go(scene, run);
}

static const char WITH_MESHES[] =
    HEAD "- " FREE
         "  name: a\n  shapes:\n"
         "  - {kind: mesh, file: good.obj, scale: [1, 2, 3]}\n"
         "  - {kind: mesh, file: good.obj, at: [1, 0, 0]}\n"
         "- " FIXED_TO_A
         "  name: b\n  shapes:\n  - {kind: mesh, file: damaged.stl}\n"
         "- " FIXED_TO_A "  name: c\n  shapes:\n  - {kind: mesh, file: gone.stl}\n";

static void meshes_are_read_once_and_missing_ones_are_told_and_guessed(void** state) {
  (void)state;
  static const char good[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", bad[] = "solid\nfacet";
  fb_model_def* def = read_def(WITH_MESHES);
  make_run(def, "q");
  fb_model_def_free(def);
  fb_error error;
  fb_store* run = NULL;
  double t;
  void* snapshot;
  size_t size;
  assert_int_equal(fb_store_resume("r", &t, &snapshot, &size, &run, &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(run, "good.obj", good, strlen(good), &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(run, "damaged.stl", bad, strlen(bad), &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  free(snapshot);
  fb_scene* scene = scene_of(&run);
  assert_int_equal(scene->nmesh, 1);
  assert_int_equal(scene->meshes[0].ntriangle, 1);
  assert_int_equal(scene->bodies[1].nshape, 2);
  for (int i = 0; i < 2; i++)
    assert_true(shape_of(scene, 1, i)->mesh == 0 && !shape_of(scene, 1, i)->guessed);
  assert_true(shape_of(scene, 1, 0)->size[2] == 3 && shape_of(scene, 1, 1)->size[2] == 1);
  for (int body = 2; body < 4; body++)
    for (int i = 0; i < scene->bodies[body].nshape; i++) assert_true(shape_of(scene, body, i)->guessed);
  assert_true(scene->bodies[2].nshape > 0 && scene->bodies[3].nshape > 0);
  if (!strstr(notes, "damaged.stl:2: the file ends") || !strstr(notes, "the mesh 'gone.stl'"))
    fail_msg("%s", notes);
  let_go(scene, run);
}

/* --- guesses --- */

static int count_kind(const fb_scene* scene, int body, fb_shape_kind kind) {
  int count = 0;
  for (int i = 0; i < scene->bodies[body].nshape; i++) count += shape_of(scene, body, i)->kind == kind;
  return count;
}

static void bodies_without_shapes_get_links_boxes_and_joints(void** state) {
  (void)state;
  fb_store* run;
  fb_scene* scene = scene_of_text(
      HEAD
      "- {name: base, joint: {type: free}, mass: 12, inertia: [5, 10, 13, 0, 0, 0], com: [0.1, 0, 0]}\n"
      "- {name: upper, parent: base, joint: {type: revolute, axis: [0, 0, 2], at: [0, 0, 1]},\n"
      "   mass: 1, inertia: [1e-4, 0.1, 0.1, 0, 0, 0], com: [0.5, 0, 0]}\n"
      "- {name: lower, parent: upper, joint: {type: revolute, axis: [0, 1, 0], at: [1, 0, 0]},\n"
      "   mass: 1, inertia: [0, 0, 0, 0, 0, 0], com: [0, 0, -0.5],\n"
      "   frames: [{name: hand, at: [0, 0, -1]}, {name: eye, at: [0, 0, -1]}]}\n"
      "- {name: dot, parent: base, joint: {type: fixed}, mass: 0}\n",
      &run);
  /* Links have 4 % of 1 m. The base: a link to the shoulder, and the box of 2 x 3 ... metres where its mass is. */
  assert_int_equal(count_kind(scene, 1, FB_SHAPE_CAPSULE), 1);
  assert_int_equal(count_kind(scene, 1, FB_SHAPE_BOX), 1);
  const fb_scene_shape* link = shape_of(scene, 1, 0);
  near("radius", link->size[0], 0.04, 1e-15);
  near("length", link->size[1], 1, 1e-15);
  near("middle", link->at[2], 0.5, 1e-15);
  const fb_scene_shape* box = shape_of(scene, 1, 1);
  near("x", box->size[0], sqrt(6.0 * (10 + 13 - 5) / 12), 1e-12);
  near("y", box->size[1], sqrt(6.0 * (5 + 13 - 10) / 12), 1e-12);
  near("z", box->size[2], sqrt(6.0 * (5 + 10 - 13) / 12), 1e-12);
  near("at", box->at[0], 0.1, 0);
  /* A rod is its link; a mass in a point is a ball; two frames at one place are one link. */
  assert_int_equal(scene->bodies[2].nshape, 2);
  assert_int_equal(count_kind(scene, 2, FB_SHAPE_CAPSULE), 1);
  const fb_scene_shape* joint = shape_of(scene, 2, 1);
  assert_true(joint->kind == FB_SHAPE_CYLINDER && joint->quat[0] == 1);
  assert_int_equal(count_kind(scene, 3, FB_SHAPE_CAPSULE), 1);
  assert_int_equal(count_kind(scene, 3, FB_SHAPE_SPHERE), 1);
  near("down", shape_of(scene, 3, 0)->at[2], -0.5, 1e-15);
  const double z[3] = {0, 0, 1};
  double R[9], along[3];
  fb_rot_from_quat(shape_of(scene, 3, 2)->quat, R);
  fb_rot_apply(R, z, along);
  near("axis of the elbow", along[1], 1, 1e-12);
  assert_int_equal(scene->bodies[4].nshape, 1);
  assert_int_equal(shape_of(scene, 4, 0)->kind, FB_SHAPE_SPHERE);
  let_go(scene, run);
}

/* As URDF files have them: 1e-6 kg with 1e-6 kg m^2 would be a box of metres. */
static void an_inertia_that_was_made_up_is_no_box(void** state) {
  (void)state;
  fb_store* run;
  fb_scene* scene = scene_of_text(
      HEAD
      "- {name: base, joint: {type: free}, mass: 1e-6, inertia: [1e-6, 1e-6, 2e-6, 0, 0, 0]}\n"
      "- {name: trunk, parent: base, joint: {type: fixed}, mass: 17, inertia: [0.2, 0.6, 0.6, 0, 0, 0]}\n"
      "- {name: leg, parent: base, joint: {type: revolute, axis: [1, 0, 0], at: [0.3, 0.1, 0]},\n"
      "   mass: 0.1, inertia: [1e-3, 1e-3, 1e-3, 0, 0, 0], com: [0, 0, -0.3]}\n",
      &run);
  assert_int_equal(count_kind(scene, 1, FB_SHAPE_BOX), 0);
  assert_int_equal(count_kind(scene, 1, FB_SHAPE_CAPSULE), 1);
  assert_int_equal(count_kind(scene, 2, FB_SHAPE_BOX), 1);
  assert_int_equal(count_kind(scene, 3, FB_SHAPE_BOX), 1); /* light, but of the size of its links */
  let_go(scene, run);
}

static void colours_are_those_of_the_place_in_the_tree(void** state) {
  (void)state;
  double base[4], first[4], second[4], third[4];
  fb_store* run;
  fb_scene* scene = scene_of_text(HEAD "- " FREE "  name: a\n- " FIXED_TO_A "  name: b\n- " FIXED_TO_A
                                       "  name: c\n- " FIXED_TO_A "  name: d\n",
                                  &run);
  fb_scene_body_color(scene->model, 1, base);
  fb_scene_body_color(scene->model, 2, first);
  fb_scene_body_color(scene->model, 3, second);
  fb_scene_body_color(scene->model, 4, third);
  assert_memory_equal(first, third, sizeof first);
  assert_memory_not_equal(first, second, sizeof first);
  assert_memory_not_equal(base, second, sizeof base);
  let_go(scene, run);
}

static void long_chains_and_wide_bases_are_quick(void** state) {
  (void)state;
  enum { BODIES = 4000 };
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2 * BODIES; i++) { /* a chain, and a comb on its first body */
    char name[24], parent[24];
    fb_body_def body = fb_default_body_def();
    snprintf(name, sizeof name, "b%d", i);
    snprintf(parent, sizeof parent, "b%d", i < BODIES ? i - 1 : 0);
    body.name = name;
    body.parent = i ? parent : NULL;
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
    body.joint.type = FB_JOINT_REVOLUTE;
    body.joint.axis[2] = 1;
    body.joint.at[0] = 1 + 1e-3 * i;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
  }
  fb_store* run;
  make_run(def, "q");
  fb_scene* scene = scene_of(&run);
  assert_true(scene->bodies[1].nshape < 100); /* not a link to each of thousands */
  assert_int_equal(scene->q_signal[0], 2 * BODIES - 1);
  fb_model_def_free(def);
  let_go(scene, run);
}

/* --- coordinates --- */

static const char FLYING[] =
    HEAD "- " FREE
         "  name: a\n"
         "- {name: ball, parent: a, joint: {type: spherical}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
         "- {name: arm, parent: ball, joint: {name: elbow, type: revolute, axis: [1, 0, 0]}, mass: 1,\n"
         "   inertia: [1, 1, 1, 0, 0, 0]}\n";

static void coordinates_are_found_by_name(void** state) {
  (void)state;
  fb_store* run;
  fb_scene* scene = scene_of_text(FLYING, &run);
  for (int i = 0; i < 12; i++) assert_int_equal(scene->q_signal[i], 11 - i);
  let_go(scene, run);
}

static void coordinates_not_logged_are_told(void** state) {
  (void)state;
  fb_model_def* def = read_def(FLYING);
  make_run(def, "q.elbow");
  fb_model_def_free(def);
  fb_store* run;
  fb_scene* scene = scene_of(&run);
  for (int i = 0; i < 12; i++) assert_int_equal(scene->q_signal[i], i < 11 ? -1 : 0);
  assert_non_null(strstr(notes, "11 of the 12 coordinates were not logged"));
  let_go(scene, run);
}

/* Joints that are alike as far as a signal's name goes, and one whose name reads as another's coordinate. */
static void coordinates_of_hard_names_are_told_apart(void** state) {
  (void)state;
  char text[2000], same[301];
  memset(same, 'x', 300);
  same[300] = '\0';
  snprintf(text, sizeof text,
           HEAD
           "- {name: %s1, joint: {type: spherical}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
           "- {name: %s2, joint: {type: spherical}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
           "- {name: a, joint: {type: spherical}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
           "- {name: a.1, joint: {type: revolute, axis: [1, 0, 0]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n",
           same, same);
  fb_store* run;
  fb_scene* scene = scene_of_text(text, &run);
  for (int i = 0; i < 13; i++) assert_int_equal(scene->q_signal[i], 12 - i);
  let_go(scene, run);
}

static void a_run_without_a_model_is_an_empty_scene(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  fb_store_signal x = {"x", "m", "", ""};
  assert_int_equal(fb_store_create("r", &x, 1, 1, &run, &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  fb_scene* scene = scene_of(&run);
  assert_int_equal(scene->nbody, 1);
  assert_non_null(strstr(notes, "keeps no model"));
  let_go(scene, run);
}

static void a_damaged_model_is_an_error(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  fb_scene* scene = NULL;
  fb_store_signal x = {"x", "m", "", ""};
  assert_int_equal(fb_store_create("r", &x, 1, 1, &run, &error), FB_OK);
  assert_int_equal(fb_store_set_text(run, "model", "{\"freebody\": 1", &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  assert_int_equal(fb_store_open("r", &run, &error), FB_OK);
  assert_int_not_equal(fb_scene_of_run(run, NULL, NULL, &scene, &error), FB_OK);
  assert_null(scene);
  assert_string_equal(error.file, "model of the run");
  fb_store_close(run, NULL);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(shipped_models_have_shapes_and_ellipsoids_of_their_inertia),
      cmocka_unit_test(a_box_comes_back_from_its_inertia),
      cmocka_unit_test(no_mass_has_no_ellipsoid),
      cmocka_unit_test(visual_shapes_are_taken_as_they_are),
      cmocka_unit_test(meshes_are_read_once_and_missing_ones_are_told_and_guessed),
      cmocka_unit_test(bodies_without_shapes_get_links_boxes_and_joints),
      cmocka_unit_test(an_inertia_that_was_made_up_is_no_box),
      cmocka_unit_test(colours_are_those_of_the_place_in_the_tree),
      cmocka_unit_test(long_chains_and_wide_bases_are_quick),
      cmocka_unit_test(coordinates_are_found_by_name),
      cmocka_unit_test(coordinates_not_logged_are_told),
      cmocka_unit_test(coordinates_of_hard_names_are_told_apart),
      cmocka_unit_test(a_run_without_a_model_is_an_empty_scene),
      cmocka_unit_test(a_damaged_model_is_an_error),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
