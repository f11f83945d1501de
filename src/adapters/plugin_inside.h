/* plugin_inside.h -- plugins, inside: what is asked for, opening a library, trying it in a child process. */
#ifndef FB_ADAPTERS_PLUGIN_INSIDE_H
#define FB_ADAPTERS_PLUGIN_INSIDE_H

#include <freebody/plugin.h>

typedef struct fb_plugin_request {
  const fb_model* m;
  const char* name; /* of the block */
  const char* file;
  const fb_parameter* parameters;
  int count;
} fb_plugin_request;

/* What a plugin is doing. */
typedef enum fb_plugin_stage {
  FB_PLUGIN_LOADS,
  FB_PLUGIN_FILLS,
  FB_PLUGIN_STARTS,
  FB_PLUGIN_TICKS,
  FB_PLUGIN_ACTS,
  FB_PLUGIN_LOOKS_AHEAD,
  FB_PLUGIN_FREES,
  FB_PLUGIN_DONE
} fb_plugin_stage;

/* ---- plugin_open.c ---- */

/* Opens the library, checks it, and lets it fill the block as it likes; `told` (may be NULL) is called before each
 * stage. On failure nothing is left open. */
fb_status fb_plugin_open(const fb_plugin_request* request, void (*told)(void* to, fb_plugin_stage stage),
                         void* to, void** library, fb_block* block, fb_error* error);
/* Puts the plugin's file before an error's text; returns its status. Places are left to who knows the scenario. */
fb_status fb_plugin_blame(const char* file, fb_error* error);

/* ---- plugin_file.c ---- */

/* FB_OK when the file may be a shared library; else what to do about it. */
fb_status fb_plugin_check_file(const char* file, fb_error* error);

/* ---- plugin_trial.c ---- */

/* Opens the plugin and calls each of its functions once, in a child process: FB_OK when it comes back within a time
 * and says that it can be used. */
fb_status fb_plugin_try(const fb_plugin_request* request, double seconds, fb_error* error);

/* ---- plugin.c ---- */

/* fb_plugin_load with a time for the trial. */
fb_status fb_plugin_load_within(const fb_plugin_request* request, double seconds, fb_block* block,
                                fb_error* error);

#endif
