/* fmu.c -- `freebody fmu` and `freebody sfunction`: a scenario's plant as a co-simulation unit, or as an S-function. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/fmu.h>

#include "command.h"

typedef struct fmu_args {
  const char *scenario, *output, *name;
  const char **inputs, **signals, **set; /* NULL-ended */
  char* words;                           /* what the first two point into */
  size_t used;
  int version, list, force;
  fb_plant_control control;
  double duration;
  cmd_reading reading;
} fmu_args;

/* --- what was asked --- */

/* Splits "a,b" at its commas; the pieces are added to a list, and live as long as the arguments. */
static void add_words(fmu_args* args, const char** list, const char* text) {
  char* copy = args->words + args->used;
  int n = 0;
  while (list[n]) n++;
  strcpy(copy, text);
  args->used += strlen(text) + 1;
  for (char* word = copy; word;) {
    char* comma = strchr(word, ',');
    if (comma) *comma = '\0';
    if (*word) list[n++] = word;
    word = comma ? comma + 1 : NULL;
  }
}

static int read_words(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  fmu_args* args = (fmu_args*)member;
  (void)app;
  add_words(args, strcmp(option->name, "inputs") == 0 ? args->inputs : args->signals, text);
  return 1;
}

static int read_control(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  static const char* const words[] = {"keep", "drop", NULL};
  int word = cmd_option_word(app, option, text, words);
  *(fb_plant_control*)member = word == 0 ? FB_PLANT_KEEP : FB_PLANT_DROP;
  return word >= 0;
}

static int read_version(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  return cmd_option_int(app, option->name, text, 2, 3, (int*)member);
}

#define AT(member) offsetof(fmu_args, member)
#define COMMON_OPTIONS                                                                                       \
  {"inputs", "A,B,C",                                                                                        \
   "joints (elbow, tau.elbow) and frames (hand, wrench.hand) that are driven from outside; "                 \
   "may be repeated",                                                                                        \
   read_words, 0},                                                                                           \
      {"signals", "A,B,C", "the outputs, as 'freebody export' names them; default: those that the log has",  \
       read_words, 0},                                                                                       \
      {"control", "keep|drop", "the scenario's control laws; default: kept if it has a block of type input", \
       read_control, AT(control)},                                                                           \
      {"name", "NAME", "name of the model; default: the scenario's", NULL, AT(name)},                        \
      {"set", "KEY=VALUE", "override a value of the scenario; may be repeated", cmd_read_set, AT(set)},      \
      {"duration", "TIME", "override the simulated time", cmd_read_duration, AT(duration)},                  \
      {"list", NULL, "list the variables and write nothing", NULL, AT(list)}, {                              \
    "force", NULL, "replace what is there", NULL, AT(force)                                                  \
  }

static const cmd_option FMU_OPTIONS[] = {
    {"output", "FILE.fmu", "the file to write (also -o); default: NAME.fmu", NULL, AT(output)},
    COMMON_OPTIONS,
    {"fmi", "2|3", "version of FMI; default: 3", read_version, AT(version)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

static const cmd_option SFUNCTION_OPTIONS[] = {
    {"output", "DIR", "the folder to write (also -o); default: NAME_sfun", NULL, AT(output)},
    COMMON_OPTIONS,
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

static int read_args(cmd_app* app, int argc, char** argv, fmu_args* args) {
  static const cmd_operands OPERANDS = {AT(scenario), 1, "one SCENARIO at a time",
                                        "which SCENARIO or MODEL? ('-' is standard input)"};
  size_t room = 1;
  for (int i = 0; i < argc; i++) room += strlen(argv[i]) + 1;
  *args = (fmu_args){.version = 3, .duration = -1};
  args->inputs = cmd_take(room, sizeof *args->inputs);
  args->signals = cmd_take(room, sizeof *args->signals);
  args->set = cmd_take(room, sizeof *args->set);
  args->words = cmd_take(room, 1);
  return cmd_options_read(app, argc, argv, &OPERANDS, args);
}

/* --- the plant --- */

static void print_note(void* user, const char* text) {
  const cmd_app* app = (const cmd_app*)user;
  if (cmd_note_is_minor(text)) return;
  cmd_message("%snote:%s %s", cmd_style_on(app->color_err, FB_STYLE_YELLOW), cmd_style_off(app->color_err),
              text);
}

static fb_plant* read_plant(cmd_app* app, const fmu_args* args, int* code) {
  fb_error error = {0};
  fb_plant* plant = NULL;
  fb_plant_options options = fb_default_plant_options();
  options.control = args->control;
  options.inputs = args->inputs[0] ? args->inputs : NULL;
  options.outputs = args->signals[0] ? args->signals : NULL;
  options.scenario.set = args->set;
  options.scenario.duration = args->duration;
  options.scenario.io.note = print_note;
  options.scenario.io.note_user = app;
  cmd_reading_apply(&args->reading, &options.scenario.io);
  fb_status status = fb_plant_read(args->scenario, &options, &plant, &error);
  *code = cmd_input_code(app, status, &error);
  return status == FB_OK ? plant : NULL;
}

static int print_list(const cmd_app* app, const fb_plant* plant) {
  static const char* const HEADERS[] = {"variable", "role", "unit", "axes", "start", "meaning"};
  static const char* const ROLES[] = {"input", "output", "parameter", "start value"};
  cmd_table* table = cmd_table_new(6, HEADERS);
  for (int i = 0; i < fb_plant_nvariable(plant); i++) {
    fb_plant_variable v;
    if (fb_plant_get_variable(plant, i, &v, NULL)) continue;
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%.6g\t%s", v.name, ROLES[v.role], v.unit, v.axes, v.start,
                    v.meaning);
  }
  cmd_table_end(table, stdout, app->color_out);
  return FB_EXIT_OK;
}

static void say_written(const fb_plant* plant, const fmu_args* args, const char* to, const char* what) {
  int count[4] = {0, 0, 0, 0};
  for (int i = 0; i < fb_plant_nvariable(plant); i++) {
    fb_plant_variable v;
    if (!fb_plant_get_variable(plant, i, &v, NULL)) count[v.role]++;
  }
  cmd_message("%s -> %s: %s, %d input%s, %d output%s, %d parameter%s; %s", cmd_shown_name(args->scenario), to,
              what, count[FB_PLANT_INPUT], count[FB_PLANT_INPUT] == 1 ? "" : "s", count[FB_PLANT_OUTPUT],
              count[FB_PLANT_OUTPUT] == 1 ? "" : "s", count[FB_PLANT_PARAMETER] + count[FB_PLANT_START],
              count[FB_PLANT_PARAMETER] + count[FB_PLANT_START] == 1 ? "" : "s",
              fb_plant_controlled(plant) ? "with the scenario's control laws" : "without control laws");
}

/* --- the commands --- */

/* The scenario's name with an ending, where nothing is given; slashes in it would be folders. */
static char* output_of(const fb_plant* plant, const fmu_args* args, const char* end) {
  const char* name = args->output ? args->output : args->name ? args->name : NULL;
  if (!name) name = fb_scenario_name(fb_plant_scenario(plant));
  char* file = cmd_take(strlen(name) + strlen(end) + 1, 1);
  strcpy(file, name);
  for (char* p = file; *p && !args->output; p++)
    if (*p == '/') *p = '_';
  if (!args->output) strcat(file, end);
  return file;
}

static int refuse_existing(const cmd_app* app, const char* file) {
  cmd_message("freebody %s: %s exists already; add --force to replace it", app->command->name, file);
  return FB_EXIT_USAGE;
}

/* The library that units are made of; NULL after it was said that it is missing. */
static char* find_library(const cmd_app* app) {
  char* file = cmd_beside_command("FREEBODY_FMU", FB_UNIT_LIBRARY);
  if (file && access(file, R_OK) == 0) return file;
  cmd_message(
      "freebody %s: the library of co-simulation units is not at %s: %s. It is built and installed with the "
      "command; FREEBODY_FMU=FILE names one that lies elsewhere.",
      app->command->name, file ? file : "libfreebody_fmu.so", strerror(errno));
  free(file);
  return NULL;
}

/* The file of licences beside the library; NULL when there is none. 0 after it was said that it cannot be looked at. */
static int find_notices(const cmd_app* app, const char* library, char** file) {
  static const char NAME[] = "licenses.txt";
  const char* slash = strrchr(library, '/');
  size_t folder = slash ? (size_t)(slash + 1 - library) : 0;
  *file = cmd_take(folder + sizeof NAME, 1);
  memcpy(*file, library, folder);
  memcpy(*file + folder, NAME, sizeof NAME);
  if (access(*file, R_OK) == 0) return 1;
  int is_missing = errno == ENOENT;
  if (!is_missing) cmd_message("freebody %s: %s: %s", app->command->name, *file, strerror(errno));
  free(*file);
  *file = NULL;
  return is_missing;
}

static int write_unit(cmd_app* app, const fmu_args* args, const fb_plant* plant, const char* file) {
  fb_error error = {0};
  struct stat found;
  char what[16];
  if (!args->force && lstat(file, &found) == 0) return refuse_existing(app, file);
  fb_fmu_options options = fb_default_fmu_options();
  char *library = find_library(app), *notices = NULL;
  if (!library || !find_notices(app, library, &notices)) {
    free(library);
    return FB_EXIT_FAILED;
  }
  options.version = args->version;
  options.name = args->name;
  options.library = library;
  options.notices = notices;
  fb_status status = fb_plant_write_fmu(plant, file, &options, &error);
  free(library);
  free(notices);
  snprintf(what, sizeof what, "FMI %d.0", args->version);
  if (status)
    cmd_print_error(app, &error);
  else
    say_written(plant, args, file, what);
  return status ? FB_EXIT_FAILED : FB_EXIT_OK;
}

static int write_sfunction(cmd_app* app, const fmu_args* args, const fb_plant* plant, const char* folder) {
  fb_error error = {0};
  struct stat found;
  if (!args->force && lstat(folder, &found) == 0) return refuse_existing(app, folder);
  fb_status status = fb_plant_write_sfunction(plant, folder, args->name, &error);
  if (status)
    cmd_print_error(app, &error);
  else
    say_written(plant, args, folder, "S-function");
  return status ? FB_EXIT_FAILED : FB_EXIT_OK;
}

static int run(cmd_app* app, int argc, char** argv) {
  fmu_args args;
  int is_fmu = app->command == &cmd_command_fmu;
  int code = read_args(app, argc, argv, &args);
  fb_plant* plant = code == FB_EXIT_OK ? read_plant(app, &args, &code) : NULL;
  if (plant && args.list) {
    code = print_list(app, plant);
  } else if (plant) {
    char* to = output_of(plant, &args, is_fmu ? ".fmu" : "_sfun");
    code = is_fmu ? write_unit(app, &args, plant, to) : write_sfunction(app, &args, plant, to);
    free(to);
  }
  fb_plant_free(plant);
  free((void*)args.inputs);
  free((void*)args.signals);
  free((void*)args.set);
  free(args.words);
  return code;
}

#define COMMON_USAGE                                                                     \
  "[--inputs A,B] [--signals A,B]\n                [--control keep|drop] [--name NAME] " \
  "[--set KEY=VALUE]... [--duration TIME]\n                [--list] [--force] "
#define COMMON_ABOUT                                                                                     \
  "Inputs are the blocks of type input of the scenario; with --inputs further ones are added, and a "    \
  "scenario without any gets the forces of all its joints. Control laws are left out then, so that the " \
  "plant alone is exported, unless --control keep says otherwise. Outputs are signals; parameters are "  \
  "those that events can set, and the joints' coordinates and rates at the start."

const cmd_command cmd_command_fmu = {
    "fmu",
    "export a scenario's plant as a co-simulation unit of FMI 3.0 or 2.0",
    "[-o FILE.fmu] [--fmi 2|3] " COMMON_USAGE CMD_READING_USAGE " SCENARIO",
    "Writes a unit for other simulators: a zip archive with the library, the scenario and all files that it "
    "needs, so that it runs where Freebody is not installed. " COMMON_ABOUT,
    FMU_OPTIONS,
    "  freebody fmu --list arm.yaml\n"
    "  freebody fmu -o arm.fmu --inputs tau.elbow --signals q,v,p.hand arm.yaml",
    run,
};

const cmd_command cmd_command_sfunction = {
    "sfunction",
    "export a scenario's plant as a C MEX S-function for Simulink",
    "[-o DIR] " COMMON_USAGE CMD_READING_USAGE " SCENARIO",
    "Writes a folder with the source of a level-2 S-function, a README that says how it is compiled with "
    "libfreebody_io, and the files of the plant. " COMMON_ABOUT,
    SFUNCTION_OPTIONS,
    "  freebody sfunction -o arm_sfun arm.yaml",
    run,
};
