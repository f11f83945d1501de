/* plugin.h -- control laws in C, loaded at run time (libfreebody_io).
 *
 * A plugin is a shared library that exports two things:
 *
 *   const int fb_plugin_version = FB_PLUGIN_VERSION;
 *   fb_status fb_plugin_block(const fb_model* m, const char* name, const fb_parameter* parameters, int count,
 *                             fb_block* block, fb_error* error) { ... }
 *
 * both declared below. The block comes as fb_default_block made it. What the plugin fills in declares its memory and
 * state, as every block does, so that runs resume exactly; the block's name is the scenario's. On failure it writes into
 * error->text what is wrong. Inside it may call all of libfreebody: what it needs is found in the program that loads
 * it (docs/plugins.md). */
#ifndef FREEBODY_PLUGIN_H
#define FREEBODY_PLUGIN_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/status.h>

/* Counts up when fb_block, fb_context, fb_action or what they mean changes. */
#define FB_PLUGIN_VERSION 2

/* A number that the scenario gives by name: parameters: {gain: 3}. */
typedef struct fb_parameter {
  const char* name;
  double value;
} fb_parameter;

typedef fb_status (*fb_plugin_block_fn)(const fb_model* m, const char* name, const fb_parameter* parameters,
                                        int count, fb_block* block, fb_error* error);

/* What a plugin is doing. */
typedef enum fb_plugin_stage {
  FB_PLUGIN_LOADS,
  FB_PLUGIN_FILLS,
  FB_PLUGIN_STARTS,
  FB_PLUGIN_TICKS,
  FB_PLUGIN_ACTS,
  FB_PLUGIN_TELLS,
  FB_PLUGIN_LOOKS_AHEAD,
  FB_PLUGIN_FREES,
  FB_PLUGIN_DONE
} fb_plugin_stage;

/* Which plugin is at work, for who wants to know it after its process has died. */
typedef struct fb_plugin_record {
  int forbid;            /* filled by the caller: no plugin may be loaded at all, */
  int refuse;            /* or not in this process, ... */
  int refused;           /* ... and one was asked for */
  fb_plugin_stage stage; /* FB_PLUGIN_DONE: no function of a plugin runs */
  double t;              /* simulated time of the function that runs, or of the last that knew it [s] */
  const void* who;       /* the plugin whose names these are, shortened where they are long: */
  char file[256], block[64];
} fb_plugin_record;

FB_BEGIN_DECLS

/* What a plugin defines; nothing of the kind is in libfreebody. */
FB_API extern const int fb_plugin_version;
FB_API fb_status fb_plugin_block(const fb_model* m, const char* name, const fb_parameter* parameters,
                                 int count, fb_block* block, fb_error* error);

/* Loads `file` (a path, from the current folder when it is relative), tries its block in a child process first, 5 s at
 * most (a plugin that crashes or hangs there is refused), and fills the block, which unloads the library when it is
 * freed. Numbers that are not finite, when the block gives them, end the run. After loading a plugin is code in your
 * process: a crash or an exit of it ends the process. The freebody command runs plugins in a child process. */
FB_API fb_status fb_plugin_load(const fb_model* m, const char* name, const char* file,
                                const fb_parameter* parameters, int count, fb_block* block, fb_error* error);

/* From now on loading and calling plugins is noted in the record, which may be in memory shared with another process;
 * NULL: nowhere. For a program that calls plugins from one thread, in a child process. */
FB_API void fb_plugin_set_record(fb_plugin_record* record);
/* "in the block's act" */
FB_API const char* fb_plugin_where(fb_plugin_stage stage);

FB_END_DECLS

#endif
