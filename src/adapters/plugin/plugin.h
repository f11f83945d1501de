/* plugin.h -- internals of plugins: the request, opening a library, trying it in a child process. */
#ifndef FB_ADAPTERS_PLUGIN_PLUGIN_H
#define FB_ADAPTERS_PLUGIN_PLUGIN_H

#include <freebody/plugin.h>

typedef struct fb_plugin_request {
  const fb_model* m;
  const char* name; /* of the block */
  const char* file;
  const fb_plugin_parameter* parameters;
  int count;
} fb_plugin_request;

/* ---- adapters/plugin/open.c ---- */

/* Opens the library, checks it, and lets it fill in the block; `told` (may be NULL) is called before each
 * stage. On failure nothing is left open. */
fb_status fb_plugin_open(const fb_plugin_request* request, void (*report)(void* to, fb_plugin_stage stage),
                         void* to, void** library, fb_block* block, fb_error* error);
/* Puts the plugin's file before an error's text; returns its status. Places are left to who knows the scenario. */
fb_status fb_plugin_blame(const char* file, fb_error* error);

/* ---- adapters/plugin/file.c ---- */

/* FB_OK when the file may be a shared library; else what to do about it. */
fb_status fb_plugin_check_file(const char* file, fb_error* error);

/* ---- adapters/plugin/trial.c ---- */

/* Opens the plugin and calls each of its functions once, in a child process: FB_OK when it comes back within a time
 * and says that it can be used. */
fb_status fb_plugin_try(const fb_plugin_request* request, double seconds, fb_error* error);

/* ---- adapters/plugin/action.c ---- */

/* Index of the first number that is not finite, or -1. */
int fb_plugin_first_bad(const double* x, int count);
/* Whether act has used of action what its block declares, and no more: wrenches from `before` to `room`; of a block
 * that does not move coordinates vdot and moved, zero before, stay so (and are made so). */
fb_status fb_plugin_check_use(const fb_model* m, const fb_block* block, const fb_action* action, int before,
                              int room, fb_error* error);
/* Whether what it has put there is finite. */
fb_status fb_plugin_check_drive(const fb_model* m, const fb_block* block, const fb_action* action, int before,
                                fb_error* error);

/* ---- adapters/plugin/record.c: which plugin is at work, for who wants to know it after its process has died ---- */

/* Whether plugins may be loaded: FB_OK. */
fb_status fb_plugin_permit(fb_error* error);
/* Between these a function of a plugin runs; t may be NAN: not known. */
void fb_plugin_enter(const void* who, const char* file, const char* block, fb_plugin_stage stage, double t);
void fb_plugin_leave(void);
/* The plugin goes; another one may be in its place later. */
void fb_plugin_forget(const void* who);

/* ---- plugin.c ---- */

/* fb_block_load_plugin with a time for the trial. */
fb_status fb_plugin_load_within(const fb_plugin_request* request, double seconds, fb_block* block,
                                fb_error* error);

#endif
