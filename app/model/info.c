/* info.c -- `freebody info`: the contents of a model: counts, tree, joints, frames, centre of mass. */
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>

#include "model/info.h"

enum { OPT_JSON, OPT_FULL, OPT_ASCII, OPT_SPACEDYN };

static const cmd_option OPTIONS[] = {
    {"json", NULL, "print everything as one JSON object"},
    {"full", NULL, "add centres of mass, inertias, joint placements and shapes"},
    {"ascii", NULL, "draw the tree with ASCII characters"},
    {"spacedyn", NULL, "add SpaceDyn's topology (B, S0, Se), and whether SpaceDyn can represent the model"},
    CMD_READING_OPTIONS,
    {NULL, NULL, NULL},
};

static void print_title(const cmd_info* info, const char* title) {
  printf("\n%s%s%s\n", cmd_style_on(info->app->color_out, FB_STYLE_BOLD), title,
         cmd_style_off(info->app->color_out));
}

static void ignore_advice(void* user, fb_place place, const char* text) {
  (void)user, (void)place, (void)text;
}

static void print_summary(const cmd_info* info) {
  const fb_model* m = info->model;
  char com_text[96], name[256];
  double com[3];
  fb_subtree_com(m, info->data, FB_WORLD, com, NULL, NULL);
  snprintf(name, sizeof name, "%s", fb_model_name(m)[0] ? fb_model_name(m) : "(no name)");
  printf("%s%s%s\n", cmd_style_on(info->app->color_out, FB_STYLE_BOLD), cmd_text_clean(name),
         cmd_style_off(info->app->color_out));
  cmd_table* table = cmd_table_new(2, NULL);
  cmd_table_cell(table, "file"),
      cmd_table_cell(table, "%s (%s)", cmd_shown_name(info->file), info->loaded->format);
  cmd_table_cell(table, "bodies"), cmd_table_cell(table, "%d", fb_model_nbody(m) - 1);
  cmd_table_cell(table, "trees"), cmd_table_cell(table, "%d", fb_model_ntree(m));
  cmd_table_cell(table, "degrees of freedom");
  cmd_table_cell(table, "%d (nq %d, nv %d)", fb_model_nv(m), fb_model_nq(m), fb_model_nv(m));
  cmd_table_cell(table, "frames"), cmd_table_cell(table, "%d", fb_model_nframe(m) - fb_model_nbody(m));
  if (fb_model_nloop(m)) cmd_table_cell(table, "loops"), cmd_table_cell(table, "%d", fb_model_nloop(m));
  cmd_table_cell(table, "mass"), cmd_table_cell(table, "%.9g kg", fb_model_mass(m));
  cmd_table_cell(table, "centre of mass");
  cmd_table_cell(table, "%s m (neutral configuration)", cmd_info_vector(com, 3, com_text, sizeof com_text));
  if (info->loaded->notes) {
    cmd_table_cell(table, "notes");
    cmd_table_cell(table, "%d: run freebody check", info->loaded->notes);
  }
  int advice = fb_model_advise(m, ignore_advice, NULL);
  if (advice) {
    cmd_table_cell(table, "advice");
    cmd_table_cell(table, "%d: run freebody check", advice);
  }
  cmd_table_print(table, stdout, 0);
  cmd_table_free(table);
}

static void print_text(const cmd_info* info) {
  print_summary(info);
  print_title(info, "Tree");
  cmd_info_print_tree(info);
  if (fb_model_nbody(info->model) > 1) {
    print_title(info, "Joints");
    cmd_info_print_joints(info);
  }
  if (info->full && fb_model_nbody(info->model) > 1) {
    print_title(info, "Bodies, and the places of their joints in the parent");
    cmd_info_print_bodies(info);
  }
  if (fb_model_nframe(info->model) > fb_model_nbody(info->model)) {
    print_title(info, "Frames, in the world at the neutral configuration");
    cmd_info_print_frames(info);
  }
  if (fb_model_nloop(info->model) > 0) {
    print_title(info, "Loops, and the relative motions that they take away");
    cmd_info_print_loops(info);
  }
  if (!info->spacedyn) return;
  cmd_info_spacedyn spacedyn;
  cmd_info_spacedyn_make(info->model, &spacedyn);
  print_title(info, spacedyn.n > 0 ? "SpaceDyn topology" : "SpaceDyn topology: the base alone, no links");
  cmd_info_print_spacedyn(info, &spacedyn);
  cmd_info_spacedyn_free(&spacedyn);
}

static fb_status print_info(cmd_info* info, int json, fb_error* error) {
  const fb_model* m = info->model;
  info->data = fb_data_new(m);
  if (!info->data) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the model's kinematics");
  double* q = cmd_take((size_t)fb_model_nq(m), sizeof(double));
  fb_neutral(m, q);
  fb_kinematics(m, info->data, q, NULL, NULL);
  fb_centre_of_mass(m, info->data);
  free(q);
  fb_status status = json ? cmd_info_print_json(info, error) : FB_OK;
  if (!json) print_text(info);
  fb_data_free(info->data);
  return status;
}

static int run_info(cmd_app* app, int argc, char** argv) {
  cmd_info info;
  memset(&info, 0, sizeof info);
  int json = 0;
  cmd_reading reading = {0};
  fb_io_options options = fb_default_io_options();
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    if (o == FB_OPTION_BAD) return FB_EXIT_USAGE;
    if (o == OPT_JSON) json = 1;
    if (o == OPT_FULL) info.full = 1;
    if (o == OPT_ASCII) info.ascii = 1;
    if (cmd_reading_take(&walk, o, &reading) < 0) return FB_EXIT_USAGE;
    if (o == OPT_SPACEDYN) info.spacedyn = 1;
    if (o != FB_OPTION_OPERAND) continue;
    if (info.file) return cmd_usage_error(app, "unexpected argument '%s'; one MODEL at a time", walk.value);
    info.file = walk.value;
  }
  if (!info.file) return cmd_usage_error(app, "which MODEL? ('-' is standard input)");
  fb_error error;
  memset(&error, 0, sizeof error);
  cmd_reading_apply(&reading, &options);
  cmd_loaded loaded;
  fb_status status = cmd_load(info.file, &options, &loaded, &error);
  if (status == FB_OK) {
    info.app = app;
    info.loaded = &loaded;
    info.model = loaded.model;
    info.def = loaded.def;
    status = print_info(&info, json, &error);
  }
  cmd_unload(&loaded);
  if (status == FB_OK) return FB_EXIT_OK;
  cmd_print_error(app, &error);
  return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
}

const cmd_command cmd_command_info = {
    "info",
    "print the tree, joints, frames, masses and degrees of freedom of a model",
    "[--json] [--full] [--ascii] [--spacedyn]\n                    " CMD_READING_USAGE " MODEL",
    "Prints the tree with joint types, axes and masses; the indices of each joint's coordinates in q\n"
    "and v, with limits and passive parameters if it has any; and the world pose of every named frame\n"
    "at the neutral configuration (all coordinates zero). MODEL may have any model format, or be an\n"
    "evaluation file, whose model is printed. " CMD_READING_ABOUT,
    OPTIONS,
    "  freebody info robot.urdf",
    run_info,
};
