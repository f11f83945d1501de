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

typedef struct cmd_app cmd_app;
typedef struct cmd_option cmd_option;

/* Reads what was given with an option into a member of the arguments: 1, or 0 after a usage error. text is NULL of a switch, and
 * where the value was left out. */
typedef int cmd_reader(const cmd_app* app, const cmd_option* option, const char* text, void* member);

/* One option of a subcommand. Lists end with a NULL name. */
struct cmd_option {
  const char* name;  /* without the dashes */
  const char* value; /* what its value is called in the help; NULL: a switch; "[N]": may be left out */
  const char* help;
  cmd_reader* read; /* NULL: the member is the text, a const char*, or of a switch an int, which becomes 1 */
  size_t at;        /* offset of the member */
};

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
  unsigned given; /* options, a bit each, in the order of the command's table */
};

extern const cmd_command cmd_command_run, cmd_command_view;
extern const cmd_command cmd_command_info, cmd_command_check, cmd_command_convert, cmd_command_eval,
    cmd_command_bench, cmd_command_new, cmd_command_schema, cmd_command_export, cmd_command_plot,
    cmd_command_compare, cmd_command_lcp, cmd_command_fmu, cmd_command_sfunction;

/* ---- options.c ---- */

/* What stands on the command line besides options: `most` of them in an array of const char* at this offset, or where most is 0
 * any number of them in the list, ended by NULL, to which the const char** there points. */
typedef struct cmd_operands {
  size_t at;
  int most;
  const char* too_many; /* "one FILE at a time" */
  const char* which;    /* what is asked where there is none, "which FILE?"; NULL: that is no error */
} cmd_operands;

/* Reads the command line into `args`, by the table of the command: FB_EXIT_OK, or FB_EXIT_USAGE after a message. */
int cmd_options_read(cmd_app* app, int argc, char** argv, const cmd_operands* operands, void* args);
/* Whether an option was given. */
int cmd_option_is_given(const cmd_app* app, const char* name);
/* Prints "freebody NAME: text" and a pointer to the help; returns FB_EXIT_USAGE. */
int cmd_usage_error(const cmd_app* app, const char* format, ...) FB_PRINTF(2, 3);
#define cmd_refuse(...) (cmd_usage_error(__VA_ARGS__), 0) /* the same where 0 means that a value is refused */
/* A whole number from lo to hi, else 0 and a usage error has been printed. */
int cmd_option_int(const cmd_app* app, const char* option, const char* text, int lo, int hi, int* out);
/* The index of the word in a list that ends with NULL, else -1 and a usage error has been printed. */
int cmd_option_word(const cmd_app* app, const cmd_option* option, const char* text, const char* const* words);

/* A time in seconds, with or without its unit: 20, 20s, 5min; else 0 and a usage error has been printed. */
int cmd_option_time(const cmd_app* app, const char* option, const char* text, double* out);
/* Readers: a double of seconds; one of more than 0; an int from 0 to 8; a text or KEY=VALUE, to a list ended by NULL that has the
 * room, a const char**. */
cmd_reader cmd_read_time, cmd_read_duration, cmd_read_indent, cmd_read_text, cmd_read_set;
/* --color before or after the subcommand: 1, or 0 and a usage error has been printed. */
int cmd_option_color(cmd_app* app, const char* when);
#define FB_NO_PLUGINS_HELP "reject plugins and models that need xacro: both run code with your rights"
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
void cmd_message(const char* format, ...) FB_PRINTF(1, 2);
/* The same of a text whose tabs and line ends stay. */
void cmd_message_lines(const char* text);
/* "RUN -> FILE: 1.2 MB" and more, which begins with its own punctuation, on standard error. */
void cmd_message_written(const char* run, const char* file, const char* more);
/* Columns that UTF-8 text takes, one a code point. */
int cmd_text_width(const char* text);
/* A heading on standard output, after an empty line. */
void cmd_print_title(const cmd_app* app, const char* title);

/* Prints text on standard output, with a line end at its end. */
void cmd_print_text(const char* text, size_t size);
/* Whether the name of a file ends so, in capitals or not, and has something before it. */
int cmd_ends_in(const char* file, const char* ending);

/* Prints "file:line:column: path: text" on standard error. */
void cmd_print_error(const cmd_app* app, const fb_error* error);
/* The exit code for input that was read with this status; prints the error, if any. Memory that runs out is not bad input. */
int cmd_input_code(const cmd_app* app, fb_status status, const fb_error* error);
/* Flushes standard output; returns code, or FB_EXIT_FAILED with a message when it could not. */
int cmd_finish_output(const cmd_app* app, int code);

/* ---- table.c: aligned columns; columns without any text are left out ---- */

typedef struct cmd_table cmd_table;

cmd_table* cmd_table_new(int columns, const char* const* headers);
void cmd_table_cells(cmd_table* table, const char* format, ...)
    FB_PRINTF(2, 3);                                           /* any number; tabs between them */
void cmd_table_end(cmd_table* table, FILE* stream, int color); /* prints and frees it */

/* ---- model/reading.c: how models are read, in every command that reads one ---- */

/* Rows of a command's options; at: offset of a cmd_reading. */
#define CMD_READING_OPTIONS(at)                                                                           \
  {"base", "free|fixed", "joint of a URDF's base; default: free, unless the root link is named world",    \
   cmd_read_base, (at)},                                                                                  \
      {"inertia", "strict|repair|keep",                                                                   \
       "impossible inertias are refused, replaced by the nearest possible, or kept; default: repair for " \
       "URDF",                                                                                            \
       cmd_read_inertia, (at)},                                                                           \
      {"mimic", "free|fixed|coupled",                                                                     \
       "joints of a URDF with <mimic> move independently, are fixed, or follow their joint (default)",    \
       cmd_read_mimic, (at)},                                                                             \
  {                                                                                                       \
    "package", "NAME=DIR", "folder of package://NAME/.. in a URDF; may be repeated; see above",           \
        cmd_read_package, (at)                                                                            \
  }
/* Their part of a command's usage, without a line end. */
#define CMD_READING_USAGE                                         \
  "[--base free|fixed] [--inertia strict|repair|keep]\n         " \
  "           [--mimic free|fixed|coupled] [--package NAME=DIR]..."
/* What a command's help says of them. */
#define CMD_READING_ABOUT                                                                               \
  "Packages that --package does not name are searched in the folders of ROS_PACKAGE_PATH, then in the " \
  "folders above the URDF: one with a package.xml, or one of that name."

enum { CMD_MAX_PACKAGES = 64 };

typedef struct cmd_reading {
  fb_base base; /* each 0 when not said */
  fb_inertia_policy inertia;
  fb_mimic mimic;
  const char* packages[CMD_MAX_PACKAGES + 1];
  int npackage;
} cmd_reading;

cmd_reader cmd_read_base, cmd_read_inertia, cmd_read_mimic, cmd_read_package;
/* `reading` must outlive io. */
void cmd_reading_apply(const cmd_reading* reading, fb_io_options* io);
/* Whether any of them was given. */
int cmd_reading_is_given(const cmd_reading* reading);

/* ---- beside.c ---- */

/* The file that an environment variable names; else the one at a path that begins with '/', seen from the folder of the
 * command, and NULL when that is unknown. free() it. */
char* cmd_beside_command(const char* variable, const char* path);

/* ---- load.c ---- */

/* Memory for the command's own use; ends the program with a message when there is none. */
void* cmd_take(size_t count, size_t size);
/* A copy of a text, to be freed. */
char* cmd_copy(const char* text);

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
