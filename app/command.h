/* command.h -- what the subcommands of `freebody` share: the table's row, options, output, memory. */
#ifndef FB_APP_COMMAND_H
#define FB_APP_COMMAND_H

#include <stddef.h>
#include <stdio.h>

#include <freebody/io.h>
#include <freebody/model.h>
#include <freebody/status.h>

/* Exit codes: all well; it failed (disk, memory, a run, foreign code); wrong usage or bad input. */
enum { FB_EXIT_OK = 0, FB_EXIT_FAILED = 1, FB_EXIT_USAGE = 2 };

/* One option of a subcommand. Lists end with a NULL name. */
typedef struct cmd_option {
  const char* name;  /* without the dashes */
  const char* value; /* what its value is called in the help; NULL: a switch; "[N]": may be left out */
  const char* help;
} cmd_option;

typedef struct cmd_app cmd_app;

/* One subcommand: a row of the table in main.c. */
typedef struct cmd_command {
  const char* name;
  const char* summary; /* one line, for the list */
  const char* usage;   /* what follows the name */
  const char* about;   /* the help's text */
  const cmd_option* options;
  const char* example;
  int (*run)(cmd_app* app, int argc, char** argv); /* argv without the subcommand's name */
} cmd_command;

struct cmd_app {
  const cmd_command* command; /* the one that runs, or NULL */
  int color_out;              /* escapes may be written to standard output */
  int color_err;
};

extern const cmd_command cmd_command_run, cmd_command_view;
extern const cmd_command cmd_command_info, cmd_command_check, cmd_command_convert, cmd_command_eval,
    cmd_command_bench, cmd_command_new, cmd_command_schema, cmd_command_export, cmd_command_plot,
    cmd_command_compare, cmd_command_lcp, cmd_command_fmu, cmd_command_sfunction;

/* ---- options.c ---- */

/* What cmd_option_next returns besides an index into the subcommand's options. */
enum { FB_OPTION_END = -1, FB_OPTION_OPERAND = -2, FB_OPTION_BAD = -3 };

typedef struct cmd_option_walk {
  cmd_app* app;
  int argc;
  char** argv;
  int at;
  int operands_only; /* after "--" */
  const char* value; /* of the option or operand last returned */
} cmd_option_walk;

cmd_option_walk cmd_option_start(cmd_app* app, int argc, char** argv);
/* The next option or operand; FB_OPTION_BAD after it has printed what is wrong. */
int cmd_option_next(cmd_option_walk* walk);
/* Prints "freebody NAME: text" and a pointer to the help; returns FB_EXIT_USAGE. */
int cmd_usage_error(const cmd_app* app, const char* format, ...) FB_PRINTF(2, 3);
/* A whole number from lo to hi, else 0 and a usage error has been printed. */
int cmd_option_int(const cmd_app* app, const char* option, const char* text, int lo, int hi, int* out);
/* A time in seconds, with or without its unit: 20, 20s, 5min; else 0 and a usage error has been printed. */
int cmd_option_time(const cmd_app* app, const char* option, const char* text, double* out);
/* Options that commands on scenarios share: FB_EXIT_OK, or FB_EXIT_USAGE and the error has been printed. `set` ends with NULL,
 * and has room for one more. */
int cmd_read_duration(const cmd_app* app, const char* text, double* out);
int cmd_read_set(const cmd_app* app, const char* text, const char** set);
/* --color before or after the subcommand: 1, or 0 and a usage error has been printed. */
int cmd_option_color(cmd_app* app, const char* when);
#define FB_OPTION_NO_PLUGINS \
  { "no-plugins", NULL, "reject plugins and models that need xacro: both run code with your rights" }
/* ---- terminal.c ---- */

typedef enum cmd_style {
  FB_STYLE_PLAIN,
  FB_STYLE_BOLD,
  FB_STYLE_DIM,
  FB_STYLE_RED,
  FB_STYLE_YELLOW
} cmd_style;

/* Whether colour may be written to the stream when nobody said: a terminal, and NO_COLOR is unset. */
int cmd_terminal_color(FILE* stream);
const char* cmd_style_on(int color, cmd_style style); /* the escape, or "" */
const char* cmd_style_off(int color);
/* Makes text harmless for a terminal, in place: control characters and what is not UTF-8 become '?'. */
char* cmd_text_clean(char* text);
/* The same, but tabs and line ends stay. */
char* cmd_text_clean_lines(char* text);
/* A line on standard error, cleaned as a whole; the line end is added. Cut after some 4000 bytes. */
void cmd_tell(const char* format, ...) FB_PRINTF(1, 2);
/* The same of a text whose tabs and line ends stay. */
void cmd_tell_lines(const char* text);
/* "RUN -> FILE: 1.2 MB" and more, which begins with its own punctuation, on standard error. */
void cmd_tell_written(const char* run, const char* file, const char* more);
/* Columns that UTF-8 text takes, one a code point. */
int cmd_text_width(const char* text);
/* Prints text on standard output, with a line end at its end. */
void cmd_print_text(const char* text, size_t size);
/* Prints "file:line:column: path: text" on standard error. */
void cmd_print_error(const cmd_app* app, const fb_error* error);
/* Flushes standard output; returns code, or FB_EXIT_FAILED with a message when it could not. */
int cmd_finish_output(const cmd_app* app, int code);

/* ---- table.c: aligned columns; columns without any text are left out ---- */

typedef struct cmd_table cmd_table;

cmd_table* cmd_table_new(int columns, const char* const* headers);
void cmd_table_cell(cmd_table* table, const char* format, ...) FB_PRINTF(2, 3);
void cmd_table_print(const cmd_table* table, FILE* stream, int color);
void cmd_table_free(cmd_table* table);

/* ---- model/reading.c: how models are read, in every command that reads one ---- */

/* Rows of a command's options. */
#define CMD_READING_OPTIONS                                                                               \
  {"base", "free|fixed", "joint of a URDF's base; default: free, unless the root link is named world"},   \
      {"inertia", "strict|repair|keep",                                                                   \
       "impossible inertias are refused, replaced by the nearest possible, or kept; default: repair for " \
       "URDF"},                                                                                           \
      {"mimic", "free|fixed|coupled",                                                                     \
       "joints of a URDF with <mimic> move independently, are fixed, or follow their joint (default)"},   \
  {                                                                                                       \
    "package", "NAME=DIR", "folder of package://NAME/.. in a URDF; may be repeated; see above"            \
  }
/* Their part of a command's usage, without a line end. */
#define CMD_READING_USAGE                                         \
  "[--base free|fixed] [--inertia strict|repair|keep]\n         " \
  "           [--mimic free|fixed|coupled] [--package NAME=DIR]..."
/* What a command's help says of them. */
#define CMD_READING_ABOUT                                                                                \
  "Packages that --package does not name are searched in the folders of ROS_PACKAGE_PATH, then in the\n" \
  "folders above the URDF: one with a package.xml, or one of that name."

enum { CMD_MAX_PACKAGES = 64 };

typedef struct cmd_reading {
  int base, inertia, mimic; /* an fb_base, an fb_inertia_policy, an fb_mimic; 0: not said */
  const char* packages[CMD_MAX_PACKAGES + 1];
  int npackage;
} cmd_reading;

/* Takes the option that cmd_option_next returned if it is one of these: 1; 0 when it is another, -1 after a usage error. */
int cmd_reading_take(const cmd_option_walk* walk, int option, cmd_reading* reading);
/* `reading` must outlive io. */
void cmd_reading_apply(const cmd_reading* reading, fb_io_options* io);
/* Whether any of them was given. */
int cmd_reading_is_given(const cmd_reading* reading);

/* ---- beside.c ---- */

/* The file at a path that begins with '/', seen from the folder of the command; NULL when that is unknown. free() it. */
char* cmd_beside_command(const char* path);

/* ---- load.c ---- */

/* Memory for the command's own use; ends the program with a message when there is none. */
void* cmd_take(size_t count, size_t size);
/* Room for one more element of `size` bytes in an array that grows: `array` is the address of its pointer, NULL at
 * first, *room how many it has room for. Ends the program likewise. */
void cmd_grow(void* array, size_t count, size_t* room, size_t size);
/* Ends the program with a message. */
_Noreturn void cmd_out_of_memory(void);

/* A model of any format, or the one inside an evaluation file, read and checked. */
typedef struct cmd_loaded {
  fb_model* model;
  const fb_model_def* def; /* the model's own */
  const char* format;      /* in words */
  int notes;               /* what the reader passed over or read in another way, minor things left out */
} cmd_loaded;

/* options->note is called too, when there is one. */
fb_status cmd_load(const char* file, const fb_io_options* options, cmd_loaded* out, fb_error* error);
/* The same from text already read. */
fb_status cmd_load_text(const char* text, size_t size, const char* file, const fb_io_options* options,
                        cmd_loaded* out, fb_error* error);
void cmd_unload(cmd_loaded* loaded);
/* Whether a note is about something that changes neither the motion nor the picture. */
int cmd_note_is_minor(const char* text);
/* The file as messages name it: "standard input" for "-". */
const char* cmd_shown_name(const char* file);

#endif
