/* test_surfaces.c -- the surfaces of contacts in the scene of a run: shapes of the world or of bodies, planes, terrain. */
#include "run_command.h"

#include <math.h>

#include <freebody/io.h>

#include "near.h"
#include "picture/scene/scene.h"

static char notes[4096]; /* all notes of the scene, one a line */

static void keep_note(void* user, const char* text) {
  (void)user;
  size_t n = strlen(notes);
  snprintf(notes + n, sizeof notes - n, "%s\n", text);
}

/* A cart with a frame on it, turned by 90 degrees about z. */
static const char MODEL[] =
    "{\"freebody\": 1, \"bodies\": [{\"name\": \"cart\", \"mass\": 1, \"inertia\": [1, 1, 1, 0, 0, 0],"
    "\"joint\": {\"type\": \"free\"}, \"shapes\": [{\"kind\": \"box\", \"size\": [1, 1, 1]}],"
    "\"frames\": [{\"name\": \"deck\", \"at\": [0, 0, 2], \"rpy\": [0, 0, 1.5707963267948966]}]}]}";

/* The scene of a run with these surfaces. */
static fb_scene* scene_with(const char* surfaces, fb_store** run) {
  static const char TETRAHEDRON[] =
      "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
  fb_error error;
  fb_scene* scene = NULL;
  char view[2000];
  snprintf(view, sizeof view, "{\"gravity\": [0, 0, -9.81], \"surfaces\": %s}", surfaces);
  if (fb_store_create("r", NULL, 0, 1, run, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_store_set_text(*run, "model", MODEL, &error), FB_OK);
  assert_int_equal(fb_store_set_text(*run, "view", view, &error), FB_OK);
  assert_int_equal(fb_store_add_mesh(*run, "surface:rock", TETRAHEDRON, sizeof TETRAHEDRON - 1, &error),
                   FB_OK);
  assert_int_equal(fb_store_close(*run, &error), FB_OK);
  notes[0] = 0;
  if (fb_store_open("r", run, &error)) fail_msg("%s", error.text);
  if (fb_scene_of_run(*run, keep_note, NULL, &scene, &error)) fail_msg("%s", error.text);
  return scene;
}

static void let_go(fb_scene* scene, fb_store* run) {
  fb_scene_free(scene);
  fb_store_close(run, NULL);
}

#define HERE "\"at\": [1, 2, 3], \"quat\": [1, 0, 0, 0]"

static void surfaces_are_shapes_of_the_world_with_their_colours(void** unused) {
  (void)unused;
  static const fb_shape_kind KINDS[] = {FB_SHAPE_SPHERE, FB_SHAPE_ELLIPSOID, FB_SHAPE_BOX, FB_SHAPE_MESH};
  fb_store* run;
  fb_scene* scene = scene_with(
      "[{\"name\": \"a\", \"kind\": \"sphere\", \"size\": [4], \"color\": \"#ff0080\", " HERE
      "},"
      "{\"name\": \"b\", \"kind\": \"ellipsoid\", \"size\": [1, 2, 3], " HERE
      "},"
      "{\"name\": \"c\", \"kind\": \"box\", \"size\": [1, 2, 3], " HERE
      "},"
      "{\"name\": \"d\", \"kind\": \"mesh\", \"size\": [1, 1, -1], \"mesh\": \"surface:rock\", " HERE
      "},"
      "{\"name\": \"e\", \"kind\": \"plane\", " HERE "}]",
      &run);
  assert_null(strstr(notes, "surface"));
  assert_int_equal(scene->bodies[0].nshape, 4);
  for (int i = 0; i < 4; i++) {
    const fb_scene_shape* shape = &scene->shapes[scene->bodies[0].first_shape + i];
    assert_int_equal(shape->kind, KINDS[i]);
    assert_near("place", shape->at, (double[]){1, 2, 3}, 3, 0);
  }
  assert_near("colour", scene->shapes[0].color, (double[]){1, 0, 128 / 255.0, 1}, 4, 1e-15);
  assert_int_equal(scene->meshes[scene->shapes[3].mesh].ntriangle, 4);
  assert_near("scale", scene->shapes[3].size, (double[]){1, 1, -1}, 3, 0);
  assert_int_equal(scene->nsurface, 5);
  assert_true(scene->surfaces[4].plane && scene->surfaces[4].body == 0);
  let_go(scene, run);
}

static void what_a_body_or_frame_carries_is_a_shape_of_the_body(void** unused) {
  (void)unused;
  fb_store* run;
  fb_scene* scene =
      scene_with("[{\"name\": \"a\", \"kind\": \"sphere\", \"size\": [4], \"body\": \"cart\", " HERE
                 "},"
                 "{\"name\": \"b\", \"kind\": \"sphere\", \"size\": [4], \"body\": \"deck\", " HERE
                 "},"
                 "{\"name\": \"c\", \"kind\": \"plane\", \"body\": \"deck\", " HERE "}]",
                 &run);
  assert_null(strstr(notes, "surface"));
  assert_int_equal(scene->bodies[0].nshape, 0);
  assert_int_equal(scene->bodies[1].nshape, 3);
  const fb_scene_shape* shapes = scene->shapes + scene->bodies[1].first_shape;
  const double on_deck[3] = {-2, 1, 5}, quarter[4] = {sqrt(0.5), 0, 0, sqrt(0.5)};
  assert_near("on the cart", shapes[1].at, (double[]){1, 2, 3}, 3, 0);
  assert_near("on its deck", shapes[2].at, on_deck, 3, 1e-12);
  assert_near("turned", shapes[2].quat, quarter, 4, 1e-12);
  assert_int_equal(scene->surfaces[2].body, 1);
  assert_near("plane", scene->surfaces[2].shape.at, on_deck, 3, 1e-12);
  let_go(scene, run);
}

static void a_height_field_is_a_mesh_of_its_triangles(void** unused) {
  (void)unused;
  static const float VERTICES[6][3] = {{0, 0, 1}, {0.5f, 0, 2}, {1, 0, 3},
                                       {0, 2, 4}, {0.5f, 2, 5}, {1, 2, 6}};
  fb_store* run;
  fb_scene* scene = scene_with(
      "[{\"name\": \"a\", \"kind\": \"heightfield\", \"spacing\": [0.5, 2], \"heights\": [[1, 2, 3], [4, 5, "
      "6]], " HERE "}]",
      &run);
  assert_int_equal(scene->nmesh, 1);
  const fb_mesh* mesh = &scene->meshes[scene->shapes[0].mesh];
  assert_true(mesh->nvertex == 6 && mesh->ntriangle == 4);
  assert_memory_equal(mesh->position, VERTICES, sizeof VERTICES);
  for (int i = 0; i < 4; i++) { /* seen from above, counter-clockwise */
    const float *a = VERTICES[mesh->triangle[3 * i]], *b = VERTICES[mesh->triangle[3 * i + 1]],
                *c = VERTICES[mesh->triangle[3 * i + 2]];
    assert_true((b[0] - a[0]) * (c[1] - a[1]) > (b[1] - a[1]) * (c[0] - a[0]));
  }
  let_go(scene, run);
}

/* A run may come from a stranger. */
static void what_cannot_be_drawn_is_noted_and_the_rest_is_drawn(void** unused) {
  (void)unused;
  static const struct {
    const char *surface, *says;
  } ROWS[] = {
      {"7", "kind"},
      {"{}", "kind"},
      {"{\"kind\": \"torus\", " HERE "}", "torus"},
      {"{\"kind\": \"box\", \"size\": [1, 2], " HERE "}", "3 numbers"},
      {"{\"kind\": \"box\", \"size\": [1, 2, 3], \"at\": [0, 0, 0], \"quat\": [0, 0, 0, 0]}", "quaternion"},
      {"{\"kind\": \"sphere\", \"size\": [1], \"body\": \"gone\", " HERE "}", "gone"},
      {"{\"kind\": \"mesh\", \"size\": [1, 1, 1], \"mesh\": \"surface:gone\", " HERE "}", "surface:gone"},
      {"{\"kind\": \"heightfield\", \"spacing\": [1, 1], \"heights\": [[1, 2], [3]], " HERE "}", "2 numbers"},
      {"{\"kind\": \"heightfield\", \"spacing\": [1, 1], \"heights\": [[1]], " HERE "}", "1 rows of 1"},
      {"{\"kind\": \"heightfield\", \"spacing\": [1, 1], \"heights\": [1, 2], " HERE "}", "2 rows of 0"},
  };
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    char list[600];
    fb_store* run;
    snprintf(list, sizeof list, "[%s, {\"kind\": \"sphere\", \"size\": [1], " HERE "}]", ROWS[i].surface);
    fb_scene* scene = scene_with(list, &run);
    if (!strstr(notes, ROWS[i].says)) fail_msg("row %zu: %s", i, notes);
    assert_int_equal(scene->bodies[0].nshape, 1);
    let_go(scene, run);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(surfaces_are_shapes_of_the_world_with_their_colours),
      cmocka_unit_test(what_a_body_or_frame_carries_is_a_shape_of_the_body),
      cmocka_unit_test(a_height_field_is_a_mesh_of_its_triangles),
      cmocka_unit_test(what_cannot_be_drawn_is_noted_and_the_rest_is_drawn),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
