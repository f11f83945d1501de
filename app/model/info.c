/* info.c -- `freebody info`: the contents of a model: counts, tree, joints, frames, centre of mass. */
#include <stdlib.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>

#include "model/info.h"

typedef struct info_args {
  cmd_info info;
  int json;
  cmd_reading reading;
} info_args;

#define AT(member) offsetof(info_args, member)
static const cmd_option OPTIONS[] = {
    {"json", NULL, "print everything as one JSON object", NULL, AT(json)},
    {"full", NULL, "add centres of mass, inertias, joint placements and shapes", NULL, AT(info.full)},
    {"ascii", NULL, "draw the tree with ASCII characters", NULL, AT(info.ascii)},
    {"spacedyn", NULL, "add SpaceDyn's topology (B, S0, Se), and whether SpaceDyn can represent the model",
     NULL, AT(info.spacedyn)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

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
  cmd_table_cells(table, "file\t%s (%s)", cmd_shown_name(info->file), info->loaded->format);
  cmd_table_cells(table, "bodies\t%d", fb_model_nbody(m) - 1);
  cmd_table_cells(table, "trees\t%d", fb_model_ntree(m));
  cmd_table_cells(table, "degrees of freedom\t%d (nq %d, nv %d)", fb_model_nv(m), fb_model_nq(m),
                  fb_model_nv(m));
  cmd_table_cells(table, "frames\t%d", fb_model_nframe(m) - fb_model_nbody(m));
  if (fb_model_nloop(m)) cmd_table_cells(table, "loops\t%d", fb_model_nloop(m));
  cmd_table_cells(table, "mass\t%.9g kg", fb_model_mass(m));
  cmd_table_cells(table, "centre of mass\t%s m (neutral configuration)",
                  cmd_info_vector(com, 3, com_text, sizeof com_text));
  if (info->loaded->notes) cmd_table_cells(table, "notes\t%d: run freebody check", info->loaded->notes);
  int advice = fb_model_advise(m, ignore_advice, NULL);
  if (advice) cmd_table_cells(table, "advice\t%d: run freebody check", advice);
  cmd_table_end(table, stdout, 0);
}

static void print_text(const cmd_info* info) {
  print_summary(info);
  cmd_print_title(info->app, "Tree");
  cmd_info_print_tree(info);
  if (fb_model_nbody(info->model) > 1) {
    cmd_print_title(info->app, "Joints");
    cmd_info_print_joints(info);
  }
  if (info->full && fb_model_nbody(info->model) > 1) {
    cmd_print_title(info->app, "Bodies, and the places of their joints in the parent");
    cmd_info_print_bodies(info);
  }
  if (fb_model_nframe(info->model) > fb_model_nbody(info->model)) {
    cmd_print_title(info->app, "Frames, in the world at the neutral configuration");
    cmd_info_print_frames(info);
  }
  if (fb_model_nloop(info->model) > 0) {
    cmd_print_title(info->app, "Loops, and the relative motions that they take away");
    cmd_info_print_loops(info);
  }
  if (!info->spacedyn) return;
  cmd_info_spacedyn spacedyn;
  cmd_info_spacedyn_make(info->model, &spacedyn);
  cmd_print_title(info->app,
                  spacedyn.n > 0 ? "SpaceDyn topology" : "SpaceDyn topology: the base alone, no links");
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
  static const cmd_operands OPERANDS = {AT(info.file), 1, "one MODEL at a time",
                                        "which MODEL? ('-' is standard input)"};
  info_args args = {.json = 0};
  cmd_info* info = &args.info;
  fb_io_options options = fb_default_io_options();
  int code = cmd_options_read(app, argc, argv, &OPERANDS, &args);
  if (code != FB_EXIT_OK) return code;
  fb_error error = {0};
  cmd_reading_apply(&args.reading, &options);
  cmd_loaded loaded;
  fb_status status = cmd_load(info->file, &options, &loaded, &error);
  if (status == FB_OK) {
    info->app = app;
    info->loaded = &loaded;
    info->model = loaded.model;
    info->def = loaded.def;
    status = print_info(info, args.json, &error);
  }
  cmd_unload(&loaded);
  return cmd_input_code(app, status, &error);
}

const cmd_command cmd_command_info = {
    "info",
    "print the tree, joints, frames, masses and degrees of freedom of a model",
    "[--json] [--full] [--ascii] [--spacedyn]\n                    " CMD_READING_USAGE " MODEL",
    "Prints the tree with joint types, axes and masses; the indices of each joint's coordinates in q and v, "
    "with limits and passive parameters if it has any; and the world pose of every named frame at the "
    "neutral configuration (all coordinates zero). MODEL may have any model format, or be an evaluation "
    "file, whose model is printed. " CMD_READING_ABOUT,
    OPTIONS,
    "  freebody info robot.urdf",
    run_info,
};
