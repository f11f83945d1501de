/* test_inputs.c -- files that a stranger's model, scenario or script names: what is not an ordinary file is not read,
 * what is too large is not read to its end, what is no mesh is not stored, and what is printed does not steer a
 * terminal. */
#include <sys/stat.h>

#include <freebody/lua.h>

#include "run_command.h"

#define PIPE "this is a pipe, not a regular file; to read what another program prints, give '-'"
#define DEVICE "this is a device, not a regular file"
#define BODY(shapes)                                                                                 \
  "freebody: 1\nbodies:\n- {name: cube, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: free}, " \
  "shapes: [" shapes "]}\n"
#define MESH(file) "{kind: mesh, file: '" file "'}"

static int set_up(void** state) {
  if (scratch_open(state) || mkfifo("pipe", 0600) || symlink("secret", "link.stl")) return -1;
  spill("m.yaml", BODY(""));
  spill("secret", "root:x:0:0:secret-of-root:/root:/bin/sh\n");
  return 0;
}

/* --- kinds and sizes --- */

static void only_ordinary_files_are_read_by_name(void** state) {
  (void)state;
  spill("model.yaml", "scenario: 1\nmodel: pipe\nduration: 1\n");
  spill("zero.yaml", "scenario: 1\nmodel: /dev/zero\nduration: 1\n");
  spill("plugin.yaml", "scenario: 1\nmodel: m.yaml\nduration: 1\ncontrol: [{type: plugin, file: pipe}]\n");
  spill("script.yaml", "scenario: 1\nmodel: m.yaml\nduration: 1\ncontrol: [{type: lua, file: /dev/zero}]\n");
  spill("e.json", "{\"format\": \"freebody-eval\", \"version\": 1, \"model\": \"pipe\", \"cases\": []}");
  static const shell_case cases[] = {
      {"timeout 20 $FB info pipe", 2, "", "pipe: " PIPE},
      {"timeout 20 $FB info /dev/zero", 2, "", "/dev/zero: " DEVICE},
      {"timeout 20 $FB check pipe", 2, "", PIPE},
      {"timeout 20 $FB run pipe", 2, "", PIPE},
      {"timeout 20 $FB run /dev/zero", 2, "", DEVICE},
      {"timeout 20 $FB eval pipe", 2, "", PIPE},
      {"timeout 20 $FB eval e.json", 2, "", "the model file 'pipe' cannot be read: this is a pipe"},
      {"timeout 20 $FB convert pipe out.urdf", 2, "", PIPE},
      {"timeout 20 $FB bench --seconds 0 pipe", 2, "", PIPE},
      {"timeout 20 $FB run model.yaml", 2, "",
       "model.yaml:2:8: model: the model file 'pipe' cannot be read: this is a"},
      {"timeout 20 $FB run zero.yaml", 2, "", "the model file '/dev/zero' cannot be read: " DEVICE},
      {"timeout 20 $FB check plugin.yaml", 2, "", "the plugin 'pipe' cannot be read: this is a pipe"},
      {"timeout 20 $FB check script.yaml", 2, "", "the script '/dev/zero' cannot be read: " DEVICE},
      {"cat m.yaml | timeout 20 $FB info /dev/fd/0", 2, "", "/dev/fd/0: " PIPE},
      {"cat m.yaml | timeout 20 $FB info -", 0, "cube", ""},
      {"timeout 20 $FB info /dev/stdin <m.yaml", 0, "cube", ""},
      {"timeout 20 $FB info - <pipe & cat m.yaml >pipe; wait $!", 0, "cube", ""},
      {"$FB run m.yaml --quiet --duration 0.1 -o r && FREEBODY_VIEWER=pipe timeout 20 $FB view r", 1, "",
       "pipe: " PIPE},
  };
  CHECK_CASES(cases);
}

static void what_is_too_large_is_not_read_to_its_end(void** state) {
  (void)state;
  spill("large.yaml", "scenario: 1\nmodel: huge\nduration: 1\n");
  static const shell_case cases[] = {
      {"truncate -s 65M huge; timeout 20 $FB info huge", 2, "",
       "huge: this is larger than 64 MiB, the most that is read here"},
      {"timeout 20 $FB check large.yaml", 2, "",
       "the model file 'huge' cannot be read: this is larger than 64 MiB"},
      {"timeout 20 $FB info - </dev/zero", 2, "", "standard input: this is larger than 64 MiB"},
  };
  CHECK_CASES(cases);
}

/* --- meshes --- */

static void what_is_no_mesh_is_not_stored(void** state) {
  (void)state;
  spill("look.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nsecret-of-root\n");
  spill("none.obj", "# secret-of-root\nv 0 0 0\n");
  spill("good.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  spill("takes.yaml",
        BODY(MESH("secret") ", " MESH("./a/../secret") ", " MESH("link.stl") ", " MESH("look.obj") ", " MESH(
            "none.obj") ", " MESH("pipe") ", " MESH("/dev/zero") ", " MESH("good.obj")));
  spill("s.yaml", "scenario: 1\nmodel: takes.yaml\nduration: 0.1\n");
#define REFUSED "; the run does without it, and the viewer will draw the body from its inertia\n"
  static const shell_case cases[] = {
      {"mkdir a; timeout 20 $FB run s.yaml -o kept", 0, "finished",
       "freebody run: mesh 'secret' of body 'cube' is not a mesh (line 1: this line is no statement of OBJ; "
       "meshes are "
       "STL (binary or text), OBJ or COLLADA)" REFUSED
       "freebody run: mesh './a/../secret' of body 'cube' is not a mesh (line 1: "},
      {"timeout 20 $FB run s.yaml -o kept --force 2>&1 >/dev/null | grep -c 'is not a mesh .* does without "
       "it'",
       0, "5\n", ""},
      {"timeout 20 $FB run s.yaml -o kept --force 2>&1 | grep 'look.obj'", 0, "is not a mesh (line 5: ", ""},
      {"timeout 20 $FB run s.yaml -o kept --force 2>&1 | grep 'none.obj'", 0,
       "is not a mesh (no triangles in it", ""},
      {"timeout 20 $FB run s.yaml -o kept --force 2>&1 | grep -c 'is no file; the run does without it'", 0,
       "2\n", ""},
      {"grep -c -a secret-of-root kept/run.db", 1, "0\n", ""},
      {"grep -c -a 'v 1 0 0' kept/run.db", 0, "1\n", ""},
      {"timeout 20 $FB check s.yaml", 0, "7 pieces of advice",
       "advice: the mesh 'secret' of body 'cube' is not a mesh (line 1: "},
  };
  CHECK_CASES(cases);
}

/* --- the terminal --- */

static void what_is_printed_does_not_steer_a_terminal(void** state) {
  (void)state;
  spill("name.yaml",
        "scenario: 1\nname: \"a\\eb\"\nmodel: m.yaml\nduration: 0.1\n"
        "events: [{name: \"x\\e[2Jy\\u009bz\", at: 0.05}]\n");
  spill("mesh.yaml", BODY("{kind: mesh, file: \"\\e]0;owned\\a\"}"));
  spill("talk.yaml",
        "scenario: 1\nmodel: m.yaml\nduration: 0.1\n"
        "control: [{type: lua, text: \"print('a\\\\27[2Jb\\\\155c\\\\194\\\\155d\\\\127e', 'f\\\\ng')\\n"
        "function act(t, q, v) end\"}]\n");
  spill("fails.yaml",
        "scenario: 1\nmodel: m.yaml\nduration: 0.1\n"
        "control: [{type: lua, text: \"function act(t, q, v) error('a\\\\27[2Jb\\\\155c') end\"}]\n");
  static const shell_case cases[] = {
      {"$FB check name.yaml", 0, "x?[2Jy??z", ""},
      {"$FB run name.yaml -o n", 0, "a?b: finished", ""},
      {"$FB run mesh.yaml -o m --duration 0.1", 0, "finished", "mesh '?]0;owned?' of body"},
      {"cp m.yaml \"$(printf 'm\\033[2J.yaml')\"; $FB check m?*J.yaml", 0, "m?[2J.yaml: ok", ""},
      {"$FB convert m?*J.yaml x.urdf", 0, "", "m?[2J.yaml (native YAML) -> x.urdf"},
      {"mv n \"$(printf 'n\\033[2J')\"; $FB view n?*J -o n.glb", 0, "", "n?[2J -> n.glb"},
  };
  static const shell_case scripts[] = {
      {"$FB run talk.yaml -o t", 0, "finished", "a?[2Jb?c??d?e\tf\ng\n"},
      {"$FB run fails.yaml -o f", 2, "", "a [2Jb?c"},
  };
  CHECK_CASES(cases);
  if (fb_lua_available()) CHECK_CASES(scripts);
  static const shell_case none = {
      "for f in name mesh talk fails; do $FB check $f.yaml; $FB run $f.yaml -o z --force; $FB run --resume "
      "z; done "
      ">all 2>&1; LC_ALL=C grep -c -P '[\\x00-\\x08\\x0b-\\x1f\\x7f-\\x9f]' all",
      1, "0\n", ""};
  check_cases(&none, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_ordinary_files_are_read_by_name),
      cmocka_unit_test(what_is_too_large_is_not_read_to_its_end),
      cmocka_unit_test(what_is_no_mesh_is_not_stored),
      cmocka_unit_test(what_is_printed_does_not_steer_a_terminal),
  };
  return cmocka_run_group_tests(tests, set_up, scratch_close);
}
