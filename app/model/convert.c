/* convert.c -- `freebody convert`: a model from one format to another, or what MJCF has beyond a model as a scenario, with a
 * list of what was lost. */
#include <string.h>
#include <sys/stat.h>

#include <freebody/support/files.h>
#include <freebody/support/words.h>

#include "command.h"

typedef struct convert_args {
  const char *in, *out; /* one after the other */
  fb_format from, to;
  cmd_reading reading;
  int force;
  int scenario, contacts;
} convert_args;

/* Those that are read; the first ones are written too. */
static int read_format(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  fb_format* out = (fb_format*)member;
  static const char *const all[] = {"yaml", "json", "urdf", "mjcf", "spacedyn", "sdf", "def", NULL},
                           *const these[] = {"yaml", "json", "urdf", "mjcf", "spacedyn", "scenario", NULL};
  static const fb_format formats[] = {FB_FORMAT_YAML,        FB_FORMAT_JSON,     FB_FORMAT_URDF,
                                      FB_FORMAT_MJCF,        FB_FORMAT_SPACEDYN, FB_FORMAT_SDF,
                                      FB_FORMAT_SPACEDYN_DEF};
  const char* const* names = strcmp(option->name, "to") == 0 ? these : all;
  for (int i = 0; names[i] && strcmp(names[i], "scenario") != 0; i++)
    if (strcmp(text, names[i]) == 0) {
      *out = formats[i];
      return 1;
    }
  char near[FB_SUGGESTION_SIZE];
  return cmd_refuse(app, "there is no format '%s'%s", text,
                    fb_suggestion_or_list(text, names, "there are", near));
}

static int read_to(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  convert_args* args = (convert_args*)member;
  args->scenario = strcmp(text, "scenario") == 0;
  return args->scenario || read_format(app, option, text, &args->to);
}

#define AT(member) offsetof(convert_args, member)
static const cmd_option OPTIONS[] = {
    {"from", "FORMAT", "yaml, json, urdf, mjcf, spacedyn, sdf or def; by default recognized from the content",
     read_format, AT(from)},
    {"to", "FORMAT",
     "yaml, json, urdf, mjcf or spacedyn; by default recognized from OUT's name; or scenario, from MJCF",
     read_to, 0},
    {"contacts", NULL, "with --to scenario: what touches what, as surfaces and contacts", NULL, AT(contacts)},
    {"force", NULL, "overwrite OUT if it exists", NULL, AT(force)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

static int read_args(cmd_app* app, int argc, char** argv, convert_args* args) {
  static const cmd_operands OPERANDS = {.at = AT(in), .most = 2, .too_many = "give one IN and one OUT"};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, args);
  if (code != FB_EXIT_OK) return code;
  if (!args->in || !args->out)
    return cmd_usage_error(app, "give IN and OUT ('-' is standard input or output)");
  if (args->contacts && !args->scenario)
    return cmd_usage_error(app, "models have no contacts; --contacts goes with --to scenario");
  if (strcmp(args->out, "-") == 0 && args->to == FB_FORMAT_AUTO && !args->scenario)
    return cmd_usage_error(
        app,
        "standard output has no extension to select the format; add --to yaml, json, urdf, mjcf or spacedyn");
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
  cmd_message("%s (%s) -> %s: %d bod%s, %d degree%s of freedom, %s%s", cmd_shown_name(args->in),
              loaded->format, strcmp(args->out, "-") == 0 ? "standard output" : args->out, nbody,
              nbody == 1 ? "y" : "ies", nv, nv == 1 ? "" : "s", lost, noted);
}

static int convert(const cmd_app* app, const convert_args* args) {
  fb_error error = {0};
  note_list notes = {app, 0, 0};
  fb_io_options options = fb_default_io_options();
  options.format = args->from;
  options.note = print_note;
  options.note_user = &notes;
  cmd_reading_apply(&args->reading, &options);
  cmd_loaded loaded;
  fb_status status = cmd_load(args->in, &options, &loaded, &error);
  if (status != FB_OK) return cmd_input_code(app, status, &error);
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
  fb_error error = {0};
  note_list notes = {app, 0, 0};
  fb_io_options options = fb_default_io_options();
  options.note = print_note;
  options.note_user = &notes;
  cmd_reading_apply(&args->reading, &options);
  char* text = NULL;
  size_t size = 0;
  fb_status status =
      fb_model_file_print_scenario(args->in, args->out, args->contacts, &options, &text, &size, &error);
  int code = status == FB_OK ? FB_EXIT_OK : status == FB_ERR_MEMORY ? FB_EXIT_FAILED : FB_EXIT_USAGE;
  if (!status && fb_file_write(args->out, text, size, &error)) code = FB_EXIT_FAILED;
  fb_free(text);
  if (code != FB_EXIT_OK) {
    cmd_print_error(app, &error);
    return code;
  }
  cmd_message("%s (MJCF) -> %s: a scenario, %d thing%s lost", cmd_shown_name(args->in),
              strcmp(args->out, "-") == 0 ? "standard output" : args->out, notes.lost,
              notes.lost == 1 ? "" : "s");
  return FB_EXIT_OK;
}

static int run_convert(cmd_app* app, int argc, char** argv) {
  convert_args args = {0};
  int code = read_args(app, argc, argv, &args);
  if (code != FB_EXIT_OK) return code;
  struct stat found;
  int exists = strcmp(args.out, "-") != 0 && stat(args.out, &found) == 0 && S_ISREG(found.st_mode);
  if (exists && !args.force) {
    cmd_message("freebody convert: %s exists already; add --force to overwrite it", args.out);
    return FB_EXIT_USAGE;
  }
  return args.scenario ? write_scenario(app, &args) : convert(app, &args);
}

const cmd_command cmd_command_convert = {
    "convert",
    "convert a model to another format and list what that format cannot represent",
    "[--from FORMAT] [--to FORMAT] [--contacts] [--force]\n                    " CMD_READING_USAGE " IN OUT",
    "Reads the model IN and writes it to OUT as native YAML (.yaml, .yml), native JSON (.json), URDF "
    "(.urdf), MJCF (.xml) or SpaceDyn JSON (.spacedyn.json). IN may have any of these formats, or be SDF "
    "(.sdf) or SpaceDyn's .def. What was ignored in IN and what OUT's format cannot represent is listed on "
    "standard error, one line each, 'lost: ...'. An existing OUT is overwritten only with --force. Relative "
    "names of mesh files are changed so that they lead from OUT to the same files; on standard output they "
    "stay. With --to scenario, OUT is a scenario that names IN, a file of MJCF, and has what it says beyond "
    "the model: start, laws for actuators, springs of tendons, forces that carry weight and, with "
    "--contacts, surfaces and contacts. " CMD_READING_ABOUT,
    OPTIONS,
    "  freebody convert robot.urdf robot.yaml\n"
    "  freebody convert robot.urdf robot.xml                  for MuJoCo\n"
    "  freebody convert --to urdf robot.yaml - | less\n"
    "  freebody convert --to scenario robot.xml reach.yaml && freebody run reach.yaml",
    run_convert,
};
