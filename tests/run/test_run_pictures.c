/* test_run_pictures.c -- a run keeps what its pictures need: the meshes of its models under the names that its model has
 * for them, where a mesh that is not there is told and does no harm, how they shall look, and the motion. */
#include "run_command.h"

#include <sqlite3.h>
#include <sys/stat.h>

#include "run/store/store.h"

#define BODY(name, files)                                         \
  "freebody: 1\nbodies:\n- {name: " name                          \
  ", mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: free}, " \
  "shapes: [" files "]}\n"
#define MESH(file, use) "{kind: mesh, file: '" file "', use: " use "}"
/* Meshes of one triangle, told apart by what stands in their first line. */
#define STL(name)                                                                         \
  "solid " name                                                                           \
  "\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n" \
  "endfacet\nendsolid\n"
#define OBJ "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"
#define SCENARIO(models) "scenario: 1\n" models "duration: 0.1 s\n"

/* What the run in `folder` has under a name; NULL: nothing. */
static void check_mesh(const char* folder, const char* name, const char* expected) {
  fb_error error;
  fb_store* run;
  void* data;
  size_t size;
  if (fb_store_open(folder, &run, &error)) fail_msg("%s", error.text);
  /* The name is the one that stands in the model. */
  if (expected && !strstr(fb_store_get_text(run, "model"), name)) fail_msg("'%s' is not in the model", name);
  if (fb_store_read_mesh(run, name, &data, &size, &error)) fail_msg("%s", error.text);
  if (expected) {
    if (!data) fail_msg("the run has no mesh '%s'", name);
    assert_int_equal(size, strlen(expected));
    assert_memory_equal(data, expected, size);
  } else if (data) {
    fail_msg("the run has a mesh '%s'", name);
  }
  free(data);
  fb_store_close(run, &error);
}

static int files_open(void** state) {
  if (scratch_open(state) || mkdir("a", 0777) || mkdir("b", 0777) || mkdir("a/parts", 0777)) return -1;
  spill("a/parts/box.stl", STL("a"));
  spill("b/box.stl", STL("b"));
  spill("box.stl", STL("here"));
  spill("touch.obj", OBJ);
  spill("a/model.yaml", BODY("cube", MESH("parts/box.stl", "visual")));
  spill("b/model.yaml", BODY("cube", MESH("box.stl", "both") ", " MESH("../touch.obj", "contact")));
  spill("model.yaml", BODY("cube", MESH("box.stl", "visual") ", " MESH("box.stl", "contact")));
  return 0;
}

static void meshes_lie_beside_the_model_whatever_reads_it(void** state) {
  (void)state;
  spill("one.yaml", SCENARIO("model: a/model.yaml\n"));
  spill("inline.yaml", SCENARIO("model: {bodies: [{name: cube, mass: 1, inertia: [1, 1, 1, 0, 0, 0], "
                                "shapes: [{kind: mesh, file: box.stl}], joint: {type: free}}]}\n"));
  spill("b/robot.urdf",
        "<robot name='r'><link name='l'><inertial><mass value='1'/><inertia ixx='1' ixy='0' ixz='0' iyy='1' "
        "iyz='0' izz='1'/></inertial><visual><geometry><mesh filename='box.stl'/></geometry></visual></link>"
        "</robot>");
  const shell_case cases[] = {
      {"$FB run one.yaml -o one && $FB run inline.yaml -o inline && $FB run b/robot.urdf -o urdf", 0,
       "robot: finished", ""},
      {"$FB run --duration 0.1 model.yaml -o bare", 0, "finished", ""},
      {"cd a && $FB run ../b/model.yaml --duration 0.1 -o ../other", 0, "finished", ""},
      {"$FB check --strict one.yaml inline.yaml", 0, "one.yaml: ok", ""},
  };
  CHECK_CASES(cases);
  check_mesh("one", "parts/box.stl", STL("a"));
  check_mesh("one", "box.stl", NULL);
  check_mesh("inline", "box.stl", STL("here"));
  check_mesh("urdf", "box.stl", STL("b"));
  check_mesh("bare", "box.stl", STL("here"));
  check_mesh("other", "box.stl", STL("b"));
  check_mesh("other", "../touch.obj", OBJ);
}

static void models_of_a_scene_that_call_different_files_alike_keep_them_apart(void** state) {
  (void)state;
  char folder[600], text[2000];
  snprintf(folder, sizeof folder, "%s/b", scratch_folder);
  snprintf(text, sizeof text,
           SCENARIO("models:\n- {name: a, model: model.yaml}\n- {name: b, model: b/model.yaml}\n"
                    "- {name: c, model: '%s/model.yaml'}\n"),
           folder);
  spill("two.yaml", text);
  const shell_case cases[] = {
      {"$FB run two.yaml -o two", 0, "finished", ""},
      {"$FB run --resume two", 0, NULL, NULL},
  };
  CHECK_CASES(cases);
  check_mesh("two", "box.stl", STL("here"));
  check_mesh("two", "b/box.stl", STL("b"));
  check_mesh("two", "b/../touch.obj", OBJ);
  snprintf(text, sizeof text, "%s/box.stl", folder);
  check_mesh("two", text, STL("b"));
}

static void a_mesh_that_cannot_be_read_is_told_and_does_no_harm(void** state) {
  (void)state;
  spill("lost.yaml", BODY("cube", MESH("gone.stl", "visual") ", " MESH("a", "visual") ", " MESH(
                                      "box.stl", "visual") ", " MESH("package://p/x.stl", "visual")));
  spill("scene.yaml", SCENARIO("models: [{name: n, model: lost.yaml}]\n"));
  spill("huge.yaml", BODY("cube", MESH("huge.stl", "visual")));
  const shell_case cases[] = {
      {"$FB run lost.yaml --duration 0.1 -o lost", 0, "finished",
       "freebody run: mesh 'gone.stl' of body 'cube' is not there; the run does without it, and the viewer "
       "will draw the body from its inertia\n"
       "freebody run: mesh 'a' of body 'cube' is no file; the run does without it, and the viewer will draw "
       "the body from its inertia\n"
       "freebody run: mesh 'package://p/x.stl' of body 'cube' is not there; "},
      {"$FB run --quiet lost.yaml --duration 0.1 -o quiet", 0, "",
       "mesh 'gone.stl' of body 'cube' is not there"},
      {"$FB run scene.yaml -o scene", 0, "finished", "mesh 'gone.stl' of body 'n_cube' is not there"},
      {"truncate -s 257M huge.stl && $FB run huge.yaml --duration 0.1 -o huge", 0, "finished",
       "mesh 'huge.stl' of body 'cube' is larger than 256 MiB"},
      {"$FB check scene.yaml", 0, "3 pieces of advice",
       "scene.yaml:2:9: advice: the mesh 'gone.stl' of body 'n_cube' is not there: gone.stl; pictures"},
      {"$FB check --strict scene.yaml", 2, "not accepted", "advice"},
  };
  CHECK_CASES(cases);
  check_mesh("lost", "box.stl", STL("here"));
  check_mesh("lost", "gone.stl", NULL);
  check_mesh("huge", "huge.stl", NULL);
}

static void a_resumed_run_has_its_meshes_without_the_files(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run --quiet b/model.yaml --duration 0.1 -o run && rm -r b run/summary.json", 0, "", ""},
      {"$FB run --resume run", 0, "finished", ""},
  };
  CHECK_CASES(cases);
  check_mesh("run", "box.stl", STL("b"));
}

/* --- looks and motion --- */

static void how_pictures_shall_look_is_among_the_texts(void** state) {
  (void)state;
  spill("looks.yaml",
        SCENARIO(
            "model: model.yaml\ngravity: [0, 0, -3.7]\nview: {ground: -1, trails: [cube], follow: cube}\n"));
  const shell_case cases[] = {
      {"$FB run --quiet looks.yaml -o run && $FB run --quiet --resume run", 0, "", NULL},
      {"$FB run --quiet model.yaml --duration 0.1 -o bare", 0, "", ""},
  };
  CHECK_CASES(cases);
  static const char* const want[][2] = {
      {"run", "{\"gravity\": [0, 0, -3.7], \"ground\": -1, \"follow\": \"cube\", \"trails\": [\"cube\"]}"},
      {"bare", "{\"gravity\": [0, 0, 0]}"}};
  for (int i = 0; i < 2; i++) {
    fb_store* run;
    fb_error error;
    if (fb_store_open(want[i][0], &run, &error)) fail_msg("%s", error.text);
    assert_string_equal(fb_store_get_text(run, "view"), want[i][1]);
    fb_store_close(run, &error);
  }
}

/* As if the run had been begun with other options, or by a Freebody that logs other signals. */
static void pretend_text(const char* file, const char* key, const char* text) {
  sqlite3* db;
  sqlite3_stmt* update;
  fb_error error;
  assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
  assert_int_equal(
      sqlite3_prepare_v2(db, "UPDATE meta SET text = ?2, sum = ?3 WHERE key = ?1", -1, &update, NULL),
      SQLITE_OK);
  fb_store_row row = fb_store_row_begin(update);
  fb_store_row_text(&row, key);
  fb_store_row_text(&row, text);
  assert_int_equal(fb_store_row_write(NULL, &row, NULL, 0, "pretend", &error), FB_OK);
  sqlite3_finalize(update);
  sqlite3_close(db);
}

static void a_run_with_other_signals_is_not_resumed(void** state) {
  (void)state;
  spill("s.yaml", SCENARIO("model: model.yaml\nlog: {signals: [t, vel.cube]}\n"));
  const shell_case begin[] = {
      {"$FB run --quiet s.yaml --set log.motion=false -o less && $FB run --quiet s.yaml -o more", 0, "", ""},
      {"rm less/summary.json more/summary.json", 0, "", ""},
  };
  CHECK_CASES(begin);
  pretend_text("less/run.db", "overrides", "[]");
  pretend_text("more/run.db", "overrides", "[\"log.motion=false\"]");
  const shell_case cases[] = {
      {"$FB run --resume less", 2, "", "less: this run logs other signals than this Freebody would log"},
      {"$FB run --resume more", 2, "", "more: this run logs other signals than this Freebody would log"},
  };
  CHECK_CASES(cases);
}

/* As if another Freebody, whose simulations are laid out otherwise, had written the last checkpoint. */
static void pretend_snapshot(const char* file) {
  sqlite3* db;
  sqlite3_stmt *select, *insert;
  fb_error error;
  assert_int_equal(sqlite3_open(file, &db), SQLITE_OK);
  assert_int_equal(
      sqlite3_prepare_v2(db, "SELECT id, t, samples, events FROM checkpoint ORDER BY id DESC LIMIT 1", -1,
                         &select, NULL),
      SQLITE_OK);
  assert_int_equal(sqlite3_step(select), SQLITE_ROW);
  assert_int_equal(
      sqlite3_prepare_v2(db,
                         "INSERT OR REPLACE INTO checkpoint(id, t, samples, events, epoch, data_sum, sum,"
                         " data) VALUES(?, ?, ?, ?, ?, ?, ?, ?)",
                         -1, &insert, NULL),
      SQLITE_OK);
  fb_store_row row = fb_store_row_begin(insert);
  fb_store_row_int(&row, sqlite3_column_int64(select, 0));
  fb_store_row_real(&row, sqlite3_column_double(select, 1));
  fb_store_row_int(&row, sqlite3_column_int64(select, 2));
  fb_store_row_int(&row, sqlite3_column_int64(select, 3));
  fb_store_row_int(&row, 0);
  fb_store_row_int(&row, fb_store_sum("x", 1));
  sqlite3_finalize(select);
  assert_int_equal(fb_store_row_write(NULL, &row, "x", 1, "pretend", &error), FB_OK);
  sqlite3_finalize(insert);
  sqlite3_close(db);
}

/* It dropped the samples after the checkpoint, and the summary. */
static void a_resume_that_is_refused_changes_nothing(void** state) {
  (void)state;
  spill("s.yaml", SCENARIO("model: model.yaml\ncheckpoint: 0.7\n"));
  const shell_case begin = {"$FB run --quiet s.yaml -o part --duration 1", 0, "", ""};
  check_cases(&begin, 1);
  pretend_text("part/run.db", "status", "interrupted");
  pretend_snapshot("part/run.db");
  const shell_case cases[] = {
      {"$FB export part -o before.csv && cp part/summary.json before.json", 0, "", "to 1 s"},
      {"$FB run --resume part", 2, "", "this snapshot (1 bytes) is of another simulation"},
      {"$FB export part -o after.csv && cmp before.csv after.csv", 0, "", "to 1 s"},
      {"cmp before.json part/summary.json", 0, "", ""},
  };
  CHECK_CASES(cases);
}

#define T(name) cmocka_unit_test_setup_teardown(name, files_open, scratch_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(meshes_lie_beside_the_model_whatever_reads_it),
      T(models_of_a_scene_that_call_different_files_alike_keep_them_apart),
      T(a_mesh_that_cannot_be_read_is_told_and_does_no_harm),
      T(a_resumed_run_has_its_meshes_without_the_files),
      T(how_pictures_shall_look_is_among_the_texts),
      T(a_run_with_other_signals_is_not_resumed),
      T(a_resume_that_is_refused_changes_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
