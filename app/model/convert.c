/* convert.c -- `freebody convert`: a model from one format to another, or what MJCF has beyond a model as a scenario, with a
 * list of what was lost. */
#include <string.h>
#include <sys/stat.h>

#include <freebody/files.h>
#include <freebody/words.h>

#include "command.h"

enum { OPT_FROM, OPT_TO, OPT_CONTACTS, OPT_FORCE };

static const cmd_option OPTIONS[] = {
    {"from", "FORMAT",
     "yaml, json, urdf, mjcf, spacedyn, sdf or def; by default recognized from the content"},
    {"to", "FORMAT",
     "yaml, json, urdf, mjcf or spacedyn; by default recognized from OUT's name; or scenario, from MJCF"},
    {"contacts", NULL, "with --to scenario: what touches what, as surfaces and contacts"},
    {"force", NULL, "overwrite OUT if it exists"},
    CMD_READING_OPTIONS,
    {NULL, NULL, NULL},
};

typedef struct convert_args {
  const char *in, *out;
  fb_format from, to;
  cmd_reading reading;
  int force;
  int scenario, contacts;
} convert_args;

/* Those that are read; the first ones are written too. */
static int read_format(const cmd_app* app, const char* text, int written, fb_format* out) {
  static const char *const all[] = {"yaml", "json", "urdf", "mjcf", "spacedyn", "sdf", "def", NULL},
                           *const these[] = {"yaml", "json", "urdf", "mjcf", "spacedyn", "scenario", NULL};
  static const fb_format formats[] = {FB_FORMAT_YAML,        FB_FORMAT_JSON,     FB_FORMAT_URDF,
                                      FB_FORMAT_MJCF,        FB_FORMAT_SPACEDYN, FB_FORMAT_SDF,
                                      FB_FORMAT_SPACEDYN_DEF};
  const char* const* names = written ? these : all;
  for (int i = 0; names[i] && strcmp(names[i], "scenario") != 0; i++)
    if (strcmp(text, names[i]) == 0) {
      *out = formats[i];
      return FB_EXIT_OK;
    }
  char near[FB_SUGGESTION_SIZE];
  return cmd_usage_error(app, "there is no format '%s'%s", text,
                         fb_suggestion_or_list(text, names, "there are", near));
}

static int add_operand(const cmd_app* app, convert_args* args, const char* text) {
  if (!args->in)
    args->in = text;
  else if (!args->out)
    args->out = text;
  else
    return cmd_usage_error(app, "unexpected argument '%s'; give one IN and one OUT", text);
  return FB_EXIT_OK;
}

static int read_option(const cmd_option_walk* walk, int option, convert_args* args) {
  int taken = cmd_reading_take(walk, option, &args->reading);
  if (taken) return taken > 0 ? FB_EXIT_OK : FB_EXIT_USAGE;
  switch (option) {
    case OPT_FROM:
      return read_format(walk->app, walk->value, 0, &args->from);
    case OPT_TO:
      args->scenario = strcmp(walk->value, "scenario") == 0;
      if (args->scenario) return FB_EXIT_OK;
      return read_format(walk->app, walk->value, 1, &args->to);
    case OPT_CONTACTS:
      args->contacts = 1;
      return FB_EXIT_OK;
    case OPT_FORCE:
      args->force = 1;
      return FB_EXIT_OK;
    case FB_OPTION_OPERAND:
      return add_operand(walk->app, args, walk->value);
    default:
      return FB_EXIT_USAGE;
  }
}

static int read_args(cmd_app* app, int argc, char** argv, convert_args* args) {
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    int code = read_option(&walk, o, args);
    if (code != FB_EXIT_OK) return code;
  }
  if (!args->in || !args->out)
    return cmd_usage_error(app, "give IN and OUT ('-' is standard input or output)");
  if (args->contacts && !args->scenario)
    return cmd_usage_error(app, "models have no contacts; --contacts goes with --to scenario");
  if (strcmp(args->out, "-") == 0 && args->to == FB_FORMAT_AUTO && !args->scenario)
    return cmd_usage_error(
        app,
        "standard output has no extension to select the format; add --to yaml, json, urdf, "
        "mjcf or spacedyn");
  return FB_EXIT_OK;
}

/* Notes of the readers and writers: "lost: ..." is what could not be carried over, the others say what
 * was read or written in another way. */
typedef struct note_list {
  const cmd_app* app;
  int lost, noted;
} note_list;

static void print_note(void* user, const char* text) {
  note_list* notes = (note_list*)user;
  int lost = strncmp(text, "lost: ", 6) == 0;
  int color = notes->app->color_err;
  char shown[600];
  snprintf(shown, sizeof shown, "%s", lost ? text + 6 : cmd_note_is_minor(text) ? text + 7 : text);
  fprintf(stderr, "%s%s:%s %s\n", cmd_style_on(color, FB_STYLE_YELLOW), lost ? "lost" : "note",
          cmd_style_off(color), cmd_text_clean(shown));
  if (lost)
    notes->lost++;
  else
    notes->noted++;
}

static void print_summary(const convert_args* args, const cmd_loaded* loaded, const note_list* notes) {
  char lost[64] = "nothing lost", noted[32] = "";
  int nbody = fb_model_nbody(loaded->model) - 1, nv = fb_model_nv(loaded->model);
  if (notes->lost) snprintf(lost, sizeof lost, "%d thing%s lost", notes->lost, notes->lost == 1 ? "" : "s");
  if (notes->noted) snprintf(noted, sizeof noted, ", %d note%s", notes->noted, notes->noted == 1 ? "" : "s");
  cmd_tell("%s (%s) -> %s: %d bod%s, %d degree%s of freedom, %s%s", cmd_shown_name(args->in), loaded->format,
           strcmp(args->out, "-") == 0 ? "standard output" : args->out, nbody, nbody == 1 ? "y" : "ies", nv,
           nv == 1 ? "" : "s", lost, noted);
}

static int convert(const cmd_app* app, const convert_args* args) {
  fb_error error;
  memset(&error, 0, sizeof error);
  note_list notes = {app, 0, 0};
  fb_io_options options = fb_default_io_options();
  options.format = args->from;
  options.note = print_note;
  options.note_user = &notes;
  cmd_reading_apply(&args->reading, &options);
  cmd_loaded loaded;
  fb_status status = cmd_load(args->in, &options, &loaded, &error);
  if (status != FB_OK) {
    cmd_print_error(app, &error);
    return status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
  }
  options.format = args->to;
  status = fb_model_def_write(loaded.def, args->out, &options, &error);
  if (status != FB_OK)
    cmd_print_error(app, &error);
  else
    print_summary(args, &loaded, &notes);
  cmd_unload(&loaded);
  if (status == FB_OK) return FB_EXIT_OK;
  return status == FB_ERR_ARG ? FB_EXIT_USAGE : FB_EXIT_FAILED;
}

/* What the file says beyond the model, as a scenario that names it. */
static int write_scenario(const cmd_app* app, const convert_args* args) {
  fb_error error;
  memset(&error, 0, sizeof error);
  note_list notes = {app, 0, 0};
  fb_io_options options = fb_default_io_options();
  options.note = print_note;
  options.note_user = &notes;
  cmd_reading_apply(&args->reading, &options);
  char* text = NULL;
  size_t size = 0;
  fb_status status =
      fb_model_scenario_print(args->in, args->out, args->contacts, &options, &text, &size, &error);
  int code = status == FB_OK ? FB_EXIT_OK : status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
  if (!status && fb_file_write(args->out, text, size, &error)) code = FB_EXIT_FAILED;
  fb_free(text);
  if (code != FB_EXIT_OK) {
    cmd_print_error(app, &error);
    return code;
  }
  cmd_tell("%s (MJCF) -> %s: a scenario, %d thing%s lost", cmd_shown_name(args->in),
           strcmp(args->out, "-") == 0 ? "standard output" : args->out, notes.lost,
           notes.lost == 1 ? "" : "s");
  return FB_EXIT_OK;
}

static int run_convert(cmd_app* app, int argc, char** argv) {
  convert_args args;
  memset(&args, 0, sizeof args);
  int code = read_args(app, argc, argv, &args);
  if (code != FB_EXIT_OK) return code;
  struct stat found;
  int exists = strcmp(args.out, "-") != 0 && stat(args.out, &found) == 0 && S_ISREG(found.st_mode);
  if (exists && !args.force) {
    cmd_tell("freebody convert: %s exists already; add --force to overwrite it", args.out);
    return FB_EXIT_USAGE;
  }
  return args.scenario ? write_scenario(app, &args) : convert(app, &args);
}

const cmd_command cmd_command_convert = {
    "convert",
    "convert a model to another format and list what that format cannot represent",
    "[--from FORMAT] [--to FORMAT] [--contacts] [--force]\n                    " CMD_READING_USAGE " IN OUT",
    "Reads the model IN, in one of these formats, SDF (.sdf) or SpaceDyn's .def, and writes it to OUT, "
    "native YAML (.yaml, .yml), native JSON (.json), URDF\n"
    "(.urdf), MJCF (.xml) or SpaceDyn JSON (.spacedyn.json). What was ignored in IN and what OUT's format\n"
    "cannot represent is listed on standard error, one line each, 'lost: ...'. An existing OUT is\n"
    "overwritten only with --force. Relative names of mesh files are changed so that they lead from OUT\n"
    "to the same files; on standard output they stay. With --to scenario, OUT is a scenario that names IN,\n"
    "a file of MJCF, and has what it says beyond the model: start, laws for actuators, springs of tendons,\n"
    "forces that carry weight and, with --contacts, surfaces and contacts. " CMD_READING_ABOUT,
    OPTIONS,
    "  freebody convert robot.urdf robot.yaml\n"
    "  freebody convert robot.urdf robot.xml                  for MuJoCo\n"
    "  freebody convert --to urdf robot.yaml - | less\n"
    "  freebody convert --to scenario robot.xml reach.yaml && freebody run reach.yaml",
    run_convert,
};
