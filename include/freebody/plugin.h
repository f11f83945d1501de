/* plugin.h -- control laws in C, loaded at run time (libfreebody_io).
 *
 * A plugin is a shared library that exports two symbols:
 *
 *   const int fb_plugin_version = FB_PLUGIN_VERSION;
 *   fb_status fb_plugin_block(const fb_model* m, const char* name, const fb_plugin_parameter* parameters, int count,
 *                             fb_block* block, fb_error* error) { ... }
 *
 * both declared below. The block is initialised by fb_default_block. The plugin fills it in and declares its memory
 * and state, as every block does, so that runs resume exactly; the block's name comes from the scenario. On failure
 * the plugin describes the error in error->text. It may call any function of libfreebody; the symbols are resolved
 * from the program that loads it (docs/plugins.md). */
#ifndef FREEBODY_PLUGIN_H
#define FREEBODY_PLUGIN_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/status.h>

/* Incremented when fb_block, fb_context, fb_action or their meaning changes. */
#define FB_PLUGIN_VERSION 8

/* A named number from the scenario: parameters: {gain: 3}. */
typedef struct fb_plugin_parameter {
  const char* name;
  double value;
} fb_plugin_parameter;

typedef fb_status (*fb_plugin_block_fn)(const fb_model* m, const char* name,
                                        const fb_plugin_parameter* parameters, int count, fb_block* block,
                                        fb_error* error);

/* Which function of a plugin is running. */
typedef enum fb_plugin_stage {
  FB_PLUGIN_LOADS,
  FB_PLUGIN_FILLS,
  FB_PLUGIN_STARTS,
  FB_PLUGIN_TICKS,
  FB_PLUGIN_ACTS,
  FB_PLUGIN_TELLS,
  FB_PLUGIN_LOOKS_AHEAD,
  FB_PLUGIN_REBINDS,
  FB_PLUGIN_FREES,
  FB_PLUGIN_DONE
} fb_plugin_stage;

/* A record of the running plugin, for reporting after its process has died. */
typedef struct fb_plugin_record {
  int forbid;            /* set by the caller: plugins may not be loaded at all, */
  int refuse;            /* or not in this process ... */
  int refused;           /* ... and the library sets this when one was requested */
  fb_plugin_stage stage; /* FB_PLUGIN_DONE: no function of a plugin is running */
  double t;              /* simulated time of the running function, or the last known time [s] */
  const void* who;       /* identifies the plugin; its names follow, truncated when long: */
  char file[256], block[64];
} fb_plugin_record;

FB_BEGIN_DECLS

/* To be defined by a plugin; libfreebody does not define them. */
FB_API extern const int fb_plugin_version;
FB_API fb_status fb_plugin_block(const fb_model* m, const char* name, const fb_plugin_parameter* parameters,
                                 int count, fb_block* block, fb_error* error);

/* Loads `file` (a path, relative to the current folder), tries its block in a child process first, for at most 5 s
 * (a plugin that crashes or hangs there is rejected), and fills in the block, which unloads the library when it is
 * freed. Non-finite numbers from the block end the run. Once loaded, a plugin is code in your process: if it crashes or
 * exits, the process ends. The freebody command runs plugins in a child process. */
FB_API fb_status fb_block_load_plugin(const fb_model* m, const char* name, const char* file,
                                      const fb_plugin_parameter* parameters, int count, fb_block* block,
                                      fb_error* error);

/* From now on loading and calling plugins is noted in the record, which may be in memory shared with another process;
 * NULL stops this. For a program that calls plugins from one thread, in a child process. */
FB_API void fb_plugin_record_use(fb_plugin_record* record);
/* "in the block's act" */
FB_API const char* fb_plugin_stage_name(fb_plugin_stage stage);

FB_END_DECLS

#endif
