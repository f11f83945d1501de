/* test_mjcf_mesh.c -- masses of meshes as MuJoCo 3 computes them, by closed forms, and geoms that are fitted to a mesh. */
#include "run_command.h"

#include <math.h>
#include <stdlib.h>

#include <freebody/io.h>
#include <freebody/rotation.h>
#include <freebody/support/text.h>

#include "near.h"

static const double PI = 3.14159265358979323846;

static char notes[4000];

static void keep_note(void* user, const char* text) {
  (void)user;
  size_t used = strlen(notes);
  snprintf(notes + used, sizeof notes - used, "%s\n", text);
}

static fb_model_def* parsed(const char* text) {
  fb_model_def* def = NULL;
  fb_error error;
  char line[1500];
  fb_io_options options = fb_default_io_options();
  options.note = keep_note;
  notes[0] = '\0';
  if (fb_model_def_parse(text, strlen(text), "robot.xml", &options, &def, &error))
    fail_msg("%s\n%s", fb_error_format(&error, line, sizeof line), text);
  return def;
}

/* --- meshes of boxes --- */

typedef struct block {
  double low[3], high[3];
} block;

static void add_block(const block* b, int first, fb_text* vertices, fb_text* faces) {
  static const int corner[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                    {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  for (int i = 0; i < 8; i++)
    fb_text_printf(vertices, "%.17g %.17g %.17g ", i & 1 ? b->high[0] : b->low[0],
                   i & 2 ? b->high[1] : b->low[1], i & 4 ? b->high[2] : b->low[2]);
  for (int i = 0; i < 12; i++)
    fb_text_printf(faces, "%d %d %d ", first + corner[i][0], first + corner[i][1], first + corner[i][2]);
}

/* A body of density 1 with one mesh of these blocks, attributes of the mesh and of the geom. */
static fb_model_def* body_of_blocks(const block* blocks, int count, const char* mesh, const char* geom) {
  fb_text vertices = {0}, faces = {0}, text = {0};
  for (int i = 0; i < count; i++) add_block(&blocks[i], 8 * i, &vertices, &faces);
  fb_text_printf(
      &text,
      "<mujoco><compiler angle=\"radian\"/><asset><mesh name=\"m\" vertex=\"%s\" face=\"%s\" %s/></asset>"
      "<worldbody><body name=\"a\"><joint/><geom type=\"mesh\" density=\"1\" mesh=\"m\" %s/></body>"
      "</worldbody></mujoco>",
      vertices.data, strstr(mesh, "hull") ? "" : faces.data, strstr(mesh, "hull") ? "" : mesh, geom);
  if (strstr(mesh, "hull")) { /* no faces at all */
    char* at = strstr(text.data, "face=\"\"");
    memset(at, ' ', strlen("face=\"\""));
  }
  fb_model_def* def = parsed(text.data);
  free(vertices.data);
  free(faces.data);
  free(text.data);
  return def;
}

/* --- the closed form: pyramids over the six faces of each block, each counted positive --- */

typedef struct sum {
  double volume, moment[3];
} sum;

static sum pyramids(const block* blocks, int count, const double top[3]) {
  sum s = {0};
  for (int b = 0; b < count; b++)
    for (int f = 0; f < 6; f++) {
      int i = f / 2, j = (i + 1) % 3, k = (i + 2) % 3;
      double plane = f % 2 ? blocks[b].high[i] : blocks[b].low[i], middle[3];
      double area = (blocks[b].high[j] - blocks[b].low[j]) * (blocks[b].high[k] - blocks[b].low[k]);
      double V = fabs(plane - top[i]) * area / 3;
      for (int c = 0; c < 3; c++) middle[c] = (blocks[b].low[c] + blocks[b].high[c]) / 2;
      middle[i] = plane;
      s.volume += V;
      for (int c = 0; c < 3; c++) s.moment[c] += V * (0.75 * middle[c] + 0.25 * top[c]);
    }
  return s;
}

static const block TWO[] = {{{0, 0, 0}, {2, 2, 2}}, {{4, 0, 0}, {5, 1, 1}}};

static void the_mass_of_a_mesh_is_that_of_pyramids_about_the_centre_that_follows(void** state) {
  (void)state;
  double surface[3] = {(24 * 1 + 6 * 4.5) / 30, (24 + 6 * 0.5) / 30, (24 + 6 * 0.5) / 30}, com[3];
  sum first = pyramids(TWO, 2, surface);
  for (int i = 0; i < 3; i++) com[i] = first.moment[i] / first.volume;
  sum second = pyramids(TWO, 2, com);
  assert_true(fabs(first.volume - second.volume) > 1e-3); /* they are told apart */
  fb_model_def* def = body_of_blocks(TWO, 2, "", "");
  const fb_body_def* body = fb_model_def_body(def, 1);
  assert_near_of(1, "mass", &body->mass, &second.volume, 1, 1e-13 * second.volume);
  assert_non_null(strstr(notes, "lost: line 1: the shape of a mesh without a file"));
  assert_near_of(1, "centre", body->com, com, 3, 1e-13);
  fb_model_def_free(def);
}

/* Moments about the centre of blocks, for a density of 1. */
static void exact_moments(const block* blocks, int count, double* mass, double com[3], double I[3]) {
  *mass = 0;
  memset(com, 0, 3 * sizeof *com);
  memset(I, 0, 3 * sizeof *I);
  for (int pass = 0; pass < 2; pass++)
    for (int b = 0; b < count; b++) {
      double e[3], c[3];
      for (int i = 0; i < 3; i++) {
        e[i] = blocks[b].high[i] - blocks[b].low[i];
        c[i] = (blocks[b].low[i] + blocks[b].high[i]) / 2;
      }
      double m = e[0] * e[1] * e[2];
      if (pass == 0) *mass += m;
      for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        if (pass == 0) com[i] += m * c[i];
        if (pass == 1)
          I[i] += m * ((e[j] * e[j] + e[k] * e[k]) / 12 + (c[j] - com[j] / *mass) * (c[j] - com[j] / *mass) +
                       (c[k] - com[k] / *mass) * (c[k] - com[k] / *mass));
      }
    }
  for (int i = 0; i < 3; i++) com[i] /= *mass;
}

static void exact_meshes_have_their_own_volume_in_a_mirror_too(void** state) {
  (void)state;
  double mass, com[3], I[3], mirror[3];
  exact_moments(TWO, 2, &mass, com, I);
  memcpy(mirror, com, sizeof mirror);
  mirror[0] *= -1;
  for (int m = 0; m < 2; m++) {
    fb_model_def* def =
        body_of_blocks(TWO, 2, m ? "inertia=\"exact\" scale=\"-1 1 1\"" : "inertia=\"exact\"", "");
    const fb_body_def* body = fb_model_def_body(def, 1);
    assert_near_of(1, "mass", &body->mass, &mass, 1, 1e-13 * mass);
    assert_near_of(1, "centre", body->com, m ? mirror : com, 3, 1e-13);
    assert_near_of(1, "moments", body->inertia, I, 3, 1e-12 * I[1]);
    fb_model_def_free(def);
  }
}

static void hulls_are_taken_where_they_are_asked_for_or_faces_are_missing(void** state) {
  (void)state;

  static const block tower[] = {{{-1, -1, 0}, {1, 1, 1}}, {{-0.5, -0.5, 2}, {0.5, 0.5, 3}}};
  double hull = 4 + 2.0 / 3 * (4 + 2 + 1); /* the lower block, and a frustum up to the top of the upper one */
  fb_model_def* convex = body_of_blocks(tower, 2, "inertia=\"convex\"", "");
  fb_model_def* plain = body_of_blocks(tower, 2, "hull", "");
  assert_near_of(1, "mass", &fb_model_def_body(convex, 1)->mass, &hull, 1, 1e-12);
  assert_near_of(1, "mass", &fb_model_def_body(plain, 1)->mass, &hull, 1, 1e-12);
  fb_model_def_free(convex);
  fb_model_def_free(plain);
}

static void shells_have_the_mass_of_their_surface(void** state) {
  (void)state;
  static const block one[] = {{{-1, -2, -3}, {1, 2, 3}}};
  double area = 2 * (2 * 4 + 4 * 6 + 6 * 2);
  fb_model_def* def = body_of_blocks(one, 1, "inertia=\"shell\"", "");
  fb_model_def* box = parsed(
      "<mujoco><worldbody><body name=\"a\"><joint/><geom type=\"box\" size=\"1 2 3\" density=\"1\" "
      "shellinertia=\"true\"/></body></worldbody></mujoco>");
  const fb_body_def *mesh = fb_model_def_body(def, 1), *plain = fb_model_def_body(box, 1);
  assert_near_of(1, "mass", &mesh->mass, &area, 1, 1e-12);
  assert_near_of(1, "mass", &plain->mass, &area, 1, 1e-12);
  assert_near_of(1, "moments", plain->inertia, mesh->inertia, 6, 1e-11);
  fb_model_def_free(def);
  fb_model_def_free(box);
}

typedef struct round_case {
  const char* geom;
  double mass, moments[3];
} round_case;

static void shells_of_round_geoms_follow_the_usual_formulas(void** state) {
  (void)state;
  double r = 0.5, h = 1; /* half length */
  double A = 2 * PI * r * 2 * h, disk = PI * r * r, ball = 4 * PI * r * r;
  /* A half sphere: its centre is r/2 from its face, 2/3 m r^2 about the centre of the sphere. */
  double half = ball / 2 * (2 * r * r / 3 + h * h + 2 * h * r / 2);
  double tube = A * (r * r / 2 + h * h / 3), ends = disk * (r * r / 4 + h * h);
  round_case cases[] = {
      {"type=\"sphere\" size=\"0.5\"",
       ball,
       {2 * ball * r * r / 3, 2 * ball * r * r / 3, 2 * ball * r * r / 3}},
      {"type=\"cylinder\" size=\"0.5 1\"",
       A + 2 * disk,
       {tube + 2 * ends, tube + 2 * ends, A * r * r + disk * r * r}},
      {"type=\"capsule\" size=\"0.5 1\"",
       A + ball,
       {tube + 2 * half, tube + 2 * half, A * r * r + 2 * ball * r * r / 3}},
      /* A sphere as an ellipsoid: MuJoCo's difference of two solids is good to its thickness, 1e-6 of a metre. */
      {"type=\"ellipsoid\" size=\"0.5 0.5 0.5\"",
       ball,
       {2 * ball * r * r / 3, 2 * ball * r * r / 3, 2 * ball * r * r / 3}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(
        text, sizeof text,
        "<mujoco><worldbody><body name=\"a\"><joint/><geom %s density=\"1\" shellinertia=\"true\"/></body>"
        "</worldbody></mujoco>",
        cases[i].geom);
    fb_model_def* def = parsed(text);
    const fb_body_def* body = fb_model_def_body(def, 1);
    assert_near_of(1, "mass", &body->mass, &cases[i].mass, 1, 1e-13);
    assert_near_of(1, "moments", body->inertia, cases[i].moments, 3, i == 3 ? 1e-5 : 1e-13);
    fb_model_def_free(def);
  }
}

/* --- fitted geoms --- */

typedef struct fit_case {
  const char* geom;
  const char* compiler;
  double mass;
  fb_shape_kind kind;
  double size[3];
} fit_case;

/* The mesh is a box of 2 x 4 x 6, away from the origin and with its longest side along x, so that the fitted z is x. */
static void geoms_fitted_to_a_mesh_have_its_size_and_the_mass_of_their_own(void** state) {
  (void)state;
  static const block one[] = {{{-1, 0, 1}, {5, 4, 3}}};
  fb_text vertices = {0}, faces = {0};
  add_block(&one[0], 0, &vertices, &faces);
  double ball = 4.0 / 3 * PI;
  fit_case cases[] = {
      {"type=\"box\"", "", 48, FB_SHAPE_BOX, {2, 4, 6}},
      {"type=\"box\"", "fitaabb=\"true\"", 48, FB_SHAPE_BOX, {2, 4, 6}},
      {"type=\"box\" fitscale=\"0.5\"", "", 6, FB_SHAPE_BOX, {1, 2, 3}},
      {"type=\"ellipsoid\"", "", ball * 6, FB_SHAPE_ELLIPSOID, {1, 2, 3}},
      {"type=\"sphere\"", "", ball * 8, FB_SHAPE_SPHERE, {2, 0, 0}},
      {"type=\"sphere\"", "fitaabb=\"true\"", ball * 27, FB_SHAPE_SPHERE, {3, 0, 0}},
      {"type=\"cylinder\"", "", PI * 2.25 * 6, FB_SHAPE_CYLINDER, {1.5, 6, 0}},
      {"type=\"cylinder\"", "fitaabb=\"true\"", PI * 4 * 6, FB_SHAPE_CYLINDER, {2, 6, 0}},
      {"type=\"capsule\"", "", PI * 2.25 * 4.5 + ball * 3.375, FB_SHAPE_CAPSULE, {1.5, 4.5, 0}},
      {"type=\"capsule\"", "fitaabb=\"true\"", PI * 4 * 2 + ball * 8, FB_SHAPE_CAPSULE, {2, 2, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_text text = {0};
    fb_text_printf(
        &text,
        "<mujoco><compiler %s/><asset><mesh name=\"m\" vertex=\"%s\" face=\"%s\"/></asset><worldbody>"
        "<body name=\"a\"><joint/><geom %s density=\"1\" mesh=\"m\"/></body></worldbody></mujoco>",
        cases[i].compiler, vertices.data, faces.data, cases[i].geom);
    fb_model_def* def = parsed(text.data);
    const fb_body_def* body = fb_model_def_body(def, 1);
    double centre[3] = {2, 2, 2};
    assert_near_of((int)i, "mass", &body->mass, &cases[i].mass, 1, 1e-12 * cases[i].mass);
    assert_near_of((int)i, "centre", body->com, centre, 3, 1e-12);
    assert_int_equal(fb_model_def_nshape(def, 1), 1);
    const fb_shape_def* shape = fb_model_def_shape(def, 1, 0);
    assert_int_equal(shape->kind, cases[i].kind);
    assert_near_of((int)i, "size", shape->size, cases[i].size, shape->kind == FB_SHAPE_SPHERE ? 1 : 2, 1e-12);
    assert_near_of((int)i, "at", shape->at, centre, 3, 1e-12);
    double along = fabs(shape->R[2]), one_ = 1; /* z of the shape is x of the mesh */
    assert_near_of((int)i, "axis", &along, &one_, 1, 1e-12);
    fb_model_def_free(def);
    free(text.data);
  }
  free(vertices.data);
  free(faces.data);
}

/* --- what is wrong --- */

typedef struct wrong_case {
  const char *mesh, *message;
} wrong_case;

static void wrong_vertices_are_refused(void** state) {
  (void)state;
  static const wrong_case cases[] = {
      {"vertex=\"0 0 0 1 0 0 0 1 0\"", "vertex has 9 numbers"},
      {"vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1\"", "face has 2 numbers"},
      {"vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 4\"", "face names vertex 4, and there are 4"},
      {"vertex=\"0 0 0 1 0 0 0 1 0 0 0 1\" face=\"0 1 -1\"", "face names vertex -1"},
      {"vertex=\"0 0 0 1 0 0 0 1 0 0 0 x\"", "not a number"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[500];
    fb_model_def* def = NULL;
    fb_error error;
    snprintf(text, sizeof text,
             "<mujoco><asset>\n<mesh name=\"m\" %s/></asset><worldbody><body name=\"a\"><joint/>"
             "<geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>",
             cases[i].mesh);
    assert_int_not_equal(fb_model_def_parse(text, strlen(text), "robot.xml", NULL, &def, &error), FB_OK);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' for '%s'", error.text, cases[i].message);
    assert_int_equal(error.place.line, 2);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_mass_of_a_mesh_is_that_of_pyramids_about_the_centre_that_follows),
      cmocka_unit_test(exact_meshes_have_their_own_volume_in_a_mirror_too),
      cmocka_unit_test(hulls_are_taken_where_they_are_asked_for_or_faces_are_missing),
      cmocka_unit_test(shells_have_the_mass_of_their_surface),
      cmocka_unit_test(shells_of_round_geoms_follow_the_usual_formulas),
      cmocka_unit_test(geoms_fitted_to_a_mesh_have_its_size_and_the_mass_of_their_own),
      cmocka_unit_test(wrong_vertices_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
