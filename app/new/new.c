/* new.c -- `freebody new`: creates a starting point: a scenario (a pendulum, its model, a short guide), one with a contact
 * (new_contact.c), or a control law in C (new_plugin.c). */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/support/files.h>
#include <freebody/support/text.h>

#include "command.h"
#include "new/new.h"
#include "run/run.h"

static const cmd_new_file SCENARIO[] = {
    {"pendulum.yaml",
     "# A pendulum of two rods, let go at 60 degrees. Run it: freebody run pendulum.yaml\n"
     "scenario: 1\n"
     "name: pendulum\n"
     "model: rods.yaml               # a file in this folder: native, URDF or SpaceDyn JSON\n"
     "gravity: [0, 0, -9.81]         # m/s^2, in world axes; or none\n"
     "start:\n"
     "  joints: {shoulder: 60 deg}   # the others begin at 0\n"
     "  rates: {elbow: 30 deg/s}\n"
     "control:\n"
     "  - {name: hold, type: joint_pd, joints: [elbow], kp: 2, kd: 0.2, target: {elbow: 45 deg}}\n"
     "forces:\n"
     "  - {name: push, frame: tip, force: [3, 0, 0], from: 4 s, to: 4.2 s}\n"
     "events:\n"
     "  - {name: over, when: p.tip.z, crosses: 0, direction: rising}\n"
     "integrator: {method: rk4, step: 5 ms}\n"
     "duration: 10 s\n"
     "log:\n"
     "  period: 20 ms\n"
     "  signals: [q, v, tau, p.tip, energy, ledger]\n"
     "checkpoint: 1 s                # an interrupted run goes on from here\n"},
    {"rods.yaml",
     "freebody: 1\n"
     "name: rods\n"
     "bodies:\n"
     "  - name: upper\n"
     "    joint: {name: shoulder, type: revolute, axis: [0, 1, 0], damping: 0.02}\n"
     "    mass: 1\n"
     "    com: [0, 0, -0.25]\n"
     "    inertia: [0.021, 0.021, 0.0004, 0, 0, 0]\n"
     "    shapes: [{kind: capsule, radius: 0.02, length: 0.5, at: [0, 0, -0.25]}]\n"
     "  - name: lower\n"
     "    parent: upper\n"
     "    joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0, 0, -0.5], limits: [-150 deg, 150 "
     "deg],\n"
     "            effort: 5 N m}\n"
     "    mass: 0.5\n"
     "    com: [0, 0, -0.2]\n"
     "    inertia: [0.007, 0.007, 0.0001, 0, 0, 0]\n"
     "    frames: [{name: tip, at: [0, 0, -0.4]}]\n"
     "    shapes: [{kind: capsule, radius: 0.015, length: 0.4, at: [0, 0, -0.2], color: \"#c9b037\"}]\n"},
    {"README.md",
     "# A pendulum to start from\n"
     "\n"
     "`rods.yaml` is the model, `pendulum.yaml` says how it starts, what acts on it and for how long.\n"
     "\n"
     "    freebody check pendulum.yaml     explains what will happen\n"
     "    freebody run pendulum.yaml       runs it\n"
     "    freebody schema scenario         every key a scenario can have\n"
     "\n"
     "Change a number for one run: `freebody run pendulum.yaml --set start.joints.shoulder=\"10 deg\"`.\n"},
    {NULL, NULL},
};

static void path_of(fb_text* path, const char* folder, const char* name) {
  path->size = 0;
  fb_text_printf(path, "%s/%s", folder, name);
  if (path->failed) cmd_out_of_memory();
}

static int fail(const cmd_app* app, const char* file, const char* text) {
  fb_error error;
  fb_fail(&error, FB_ERR_IO, "%s", text);
  fb_error_set_place(&error, file, NULL, (fb_place){0, 0});
  cmd_print_error(app, &error);
  return FB_EXIT_FAILED;
}

/* Makes the folder unless it is there. */
static int make_folder(const cmd_app* app, const char* folder) {
  struct stat info;
  if (mkdir(folder, 0777) == 0) return FB_EXIT_OK;
  int reason = errno;
  if (stat(folder, &info) == 0 && S_ISDIR(info.st_mode)) return FB_EXIT_OK;
  if (reason == EEXIST) return fail(app, folder, "there is a file of this name; choose another");
  return fail(
      app, folder,
      reason == ENOENT ? "the folder to make it in does not exist; make that first" : strerror(reason));
}

/* Nothing is written unless all files can be. */
static int check_free(const cmd_app* app, const cmd_new_file* files, const char* folder, fb_text* path) {
  struct stat info;
  for (int i = 0; files[i].name; i++) {
    path_of(path, folder, files[i].name);
    if (lstat(path->data, &info) == 0)
      return fail(app, path->data, "this file is there already; nothing was written. --force writes over it");
  }
  return FB_EXIT_OK;
}

static int write_files(const cmd_app* app, const cmd_new_file* files, const char* folder, fb_text* path) {
  for (int i = 0; files[i].name; i++) {
    fb_error error;
    path_of(path, folder, files[i].name);
    if (fb_file_refuse_link(path->data, "", &error) == FB_OK &&
        fb_file_write(path->data, files[i].text, strlen(files[i].text), &error) == FB_OK)
      continue;
    cmd_print_error(app, &error);
    return FB_EXIT_FAILED;
  }
  path_of(path, folder, files[0].name);
  char *place = cmd_job_shell_name(folder), *first = cmd_job_shell_name(path->data);
  if (files == cmd_new_plugin)
    printf("%s is ready; look at %s, and build it with: make -C %s\n", place, first, place);
  else
    printf("%s is ready; see what it does with: freebody check %s\n", place, first);
  free(place);
  free(first);
  return FB_EXIT_OK;
}

typedef struct new_args {
  const char* folder;
  const cmd_new_file* files;
  int force;
} new_args;

static int read_files(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  const cmd_new_file** files = (const cmd_new_file**)member;
  (void)text;
  if (*files != SCENARIO)
    cmd_usage_error(app, "--contact and --plugin create different files; give one of them, once");
  if (*files != SCENARIO) return 0;
  *files = strcmp(option->name, "contact") == 0 ? cmd_new_contact : cmd_new_plugin;
  return 1;
}

static const cmd_option OPTIONS[] = {
    {"contact", NULL, "create a scenario with a contact: a ball that is thrown onto the ground", read_files,
     offsetof(new_args, files)},
    {"plugin", NULL, "create a control law in C instead, with a Makefile", read_files,
     offsetof(new_args, files)},
    {"force", NULL, "overwrite existing files", NULL, offsetof(new_args, force)},
    {NULL, NULL, NULL, NULL, 0},
};

static int run_new(cmd_app* app, int argc, char** argv) {
  static const cmd_operands OPERANDS = {offsetof(new_args, folder), 1, "one folder at a time", "which DIR?"};
  new_args args = {.files = SCENARIO};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, &args);
  if (code != FB_EXIT_OK) return code;
  fb_text path = {0};
  code = make_folder(app, args.folder);
  if (code == FB_EXIT_OK && !args.force) code = check_free(app, args.files, args.folder, &path);
  if (code == FB_EXIT_OK) code = write_files(app, args.files, args.folder, &path);
  free(fb_text_take(&path, NULL));
  return code;
}

const cmd_command cmd_command_new = {
    "new",
    "create a scenario to start from, or a control law in C",
    "[--contact | --plugin] [--force] DIR",
    "Creates DIR if necessary and writes pendulum.yaml, a scenario of 20 lines, its model rods.yaml\n"
    "and README.md into it; with --contact instead drop.yaml, a ball that is thrown onto the ground,\n"
    "and ball.yaml; with --plugin plugin.c, a PID law, and its Makefile. If one of the files exists,\n"
    "nothing is written, unless --force is given.",
    OPTIONS,
    "  freebody new swing && freebody check swing/pendulum.yaml",
    run_new,
};
