/* browser.h -- Chromium without a window, driven over a pair of pipes: what the files of pictures share. */
#ifndef FB_APP_VIEW_BROWSER_H
#define FB_APP_VIEW_BROWSER_H

#include <sys/types.h>

#include "view/view.h"

/* ---- app/view/browser_child.c: programs started beside us ---- */

/* A descriptor of ours, and its number in the child. */
typedef struct cmd_child_end {
  int ours, theirs;
} cmd_child_end;

/* Starts argv[0], found in PATH, in a process group of its own, so that Ctrl-C comes to us alone; of our open files it
 * gets the ends and nothing else. What it leaves behind it leaves in `folder`; NULL: where it likes. Returns 0 or the
 * reason, an errno. */
int cmd_child_start(char* const argv[], const cmd_child_end* ends, int nend, const char* folder, pid_t* pid);
/* A pipe with descriptors above those that children are given, closed in them: ends[0] reads. 0, or an errno. */
int cmd_child_pipe(int ends[2]);
/* Waits for at most so many seconds [s]; 1 when it has ended, and then *code is as waitpid gives it. */
int cmd_child_wait(pid_t pid, double seconds, int* code);
/* Ends it and all that it started, after giving it some time to end by itself [s]. */
void cmd_child_kill(pid_t pid, double seconds);
/* The last words of a log, on one line; "" where it has none. Returns text. */
char* cmd_child_words(int log, char* text, size_t size);
/* Writes all of it; 0, or an errno. */
int cmd_child_write(int descriptor, const void* data, size_t size);

/* ---- app/view/browser_json.c: replies of the browser ---- */

/* A JSON value in somebody's memory; at is NULL where there is none. */
typedef struct cmd_reply {
  const char *at, *end;
} cmd_reply;

/* The value at a path of keys, "result/value". */
cmd_reply cmd_reply_find(cmd_reply value, const char* path);
/* The value as an id; -1 where it is none. */
long cmd_reply_id(cmd_reply value);
/* Whether the value is this text, without escapes. */
int cmd_reply_is(cmd_reply value, const char* text);
/* The text of a string (malloc'd), "" for other values; NULL when out of memory. */
char* cmd_reply_text(cmd_reply value, size_t* size);
/* Base64, decoded where it stands. Returns the size, or -1 where it is none. */
long long cmd_base64_decode(char* text, size_t size);

/* ---- app/view/browser_start.c ---- */

/* Chromium as a process. */
typedef struct cmd_browser_process {
  pid_t pid;        /* 0: not started */
  int to, from;     /* our ends of its pipes; -1: none */
  int log;          /* what it writes to its standard error; -1: none */
  char folder[128]; /* its temporary folder; "" none */
} cmd_browser_process;

/* To be ended also when it could not be started. */
fb_status cmd_browser_start(cmd_browser_process* process, fb_error* error);
/* Ends it and all that it started, and removes its folder. */
void cmd_browser_end(cmd_browser_process* process);
/* Sets an error with the browser's last words. */
fb_status cmd_browser_fail_with_log(cmd_browser_process* process, fb_error* error, const char* what);

/* ---- app/view/browser.c ---- */

typedef struct cmd_browser cmd_browser;

/* Starts Chromium. Everything that waits gives up after FREEBODY_VIEW_TIMEOUT seconds (60), and on Ctrl-C. */
fb_status cmd_browser_open(cmd_browser** browser, fb_error* error);
/* Ends it, and removes its temporary folder. browser may be NULL. */
void cmd_browser_close(cmd_browser* browser);
/* Opens a page from disk, in a window of this size, and waits until it says that it is ready. */
fb_status cmd_browser_load(cmd_browser* browser, const char* file, int width, int height, fb_error* error);
/* The value of an expression, when a promise of what becomes of it; *text malloc'd, "" where it is no string. text may
 * be NULL. */
fb_status cmd_browser_evaluate(cmd_browser* browser, const char* expression, char** text, size_t* size,
                               fb_error* error);
/* What the window shows, as base64 of a PNG. */
fb_status cmd_browser_capture(cmd_browser* browser, char** text, size_t* size, fb_error* error);

/* ---- app/view/still.c ---- */

/* Refuses names that no page knows. */
fb_status cmd_shot_check(const cmd_shot* shot, fb_error* error);
/* Opens the page of a shot with its camera, overlays and so on. */
fb_status cmd_shot_open(const cmd_shot* shot, cmd_browser** browser, fb_error* error);
/* One picture of the 3-D view: *png malloc'd. */
fb_status cmd_shot_take(cmd_browser* browser, double t, int width, int height, char** png, size_t* size,
                        fb_error* error);
/* Prints an error; returns the exit code for it. */
int cmd_shot_fail(const cmd_app* app, const fb_error* error);

#endif
