/* guard.h -- runs a part of the command in a child process, so that the command survives crashes of foreign code.
 *
 * The child shares terminal and standard streams with its parent. Signals that ask for the end (Ctrl-C, SIGTERM,
 * SIGHUP) count once, whether they were sent to the parent, to both or to the whole group: the parent receives them for
 * both. SIGTSTP stops both. When the parent dies, so does the child (on Linux). Cost: one fork. */
#ifndef FB_APP_GUARD_H
#define FB_APP_GUARD_H

#include <freebody/plugin.h>

#include "command.h"

/* How a child ended. */
typedef struct cmd_guard_end {
  long child;       /* its process id */
  int in_order;     /* the work came back; code is what it returned */
  int code;         /* exit code, also where the work did not come back: something inside has called exit */
  int signal;       /* the one that ended it; 0: none */
  int requested_by; /* the signal by which the user had it ended at once; 0: none */
} cmd_guard_end;

/* Calls work in a child, writes out what it printed, and waits for its end; to be called before any thread is started.
 * Returns 0 when no process could be made; that has been said. */
int cmd_guard(const cmd_app* app, int (*work)(void* user), void* user, cmd_guard_end* end);
/* Whether somebody wanted its end, by a signal. */
int cmd_guard_ended_on_request(const cmd_guard_end* end);
/* The exit code of the command. When somebody wanted the end of the child, the command dies of the same signal, so that
 * a shell sees what it would see without a child. */
int cmd_guard_code(const cmd_guard_end* end);
/* "crashed: signal 11, Segmentation fault", "ended its process with exit code 3": into text. */
const char* cmd_guard_words(const cmd_guard_end* end, char text[96]);

/* Memory that parent and child share, zeroed; ends the program with a message when there is none. */
void* cmd_guard_share(size_t size);
/* Ends the process with a code as if the work had returned it: for what ends the command by our own will. */
_Noreturn void cmd_guard_exit(int code);

/* In a child: from now on the first signal that asks for the end only asks (on = 1), or ends it at once, as at first
 * (on = 0). Returns 0 in a process that is no child, which has signals of its own. */
int cmd_guard_listen(int on);
int cmd_guard_end_requested(void);

/* A record for the call below; it is shared with the child, and so is what follows it up to a size. */
fb_plugin_record* cmd_plugin_guard_new(size_t size);
/* Calls work, which returns an exit code, without leave to load plugins. When one was requested (record->refused), so that
 * the work must have failed without a word and given back what it took, calls it again in a child, which may load them.
 * 1: the work came to its end, and end->code is its code; 0: it did not, or there was no process. */
int cmd_plugin_guard(const cmd_app* app, fb_plugin_record* record, int (*work)(void* user), void* user,
                     cmd_guard_end* end);
/* Which plugin was at work when the child died, where in it, how, and what to do; `at` comes first. */
void cmd_plugin_fate(const fb_plugin_record* record, const cmd_guard_end* end, const char* at,
                     fb_error* error);

#endif
