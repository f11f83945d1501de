/* plugin_guard.h -- work of the command that may load plugins: in a child process when it does. */
#ifndef FB_APP_RUN_PLUGIN_GUARD_H
#define FB_APP_RUN_PLUGIN_GUARD_H

#include <freebody/plugin.h>

#include "guard.h"

/* A record for the call below; it is shared with the child, and so is what follows it up to a size. */
fb_plugin_record* cmd_plugin_guard_new(size_t size);
/* Calls work, which returns an exit code, without leave to load plugins. When one was asked for (record->refused), so that
 * the work must have failed without a word and given back what it took, calls it again in a child, which may load them.
 * 1: the work came to its end, and end->code is its code; 0: it did not, or there was no process. */
int cmd_plugin_guard(const cmd_app* app, fb_plugin_record* record, int (*work)(void* user), void* user,
                     cmd_guard_end* end);
/* Which plugin was at work when the child died, where in it, how, and what to do; `at` comes first. */
void cmd_plugin_fate(const fb_plugin_record* record, const cmd_guard_end* end, const char* at,
                     fb_error* error);

#endif
