/* plugin.h -- control laws in C, loaded at run time (libfreebody_io).
 *
 * A plugin is a shared library that exports two things:
 *
 *   const int fb_plugin_version = FB_PLUGIN_VERSION;
 *   fb_status fb_plugin_block(const fb_model* m, const char* name, const fb_parameter* parameters, int count,
 *                             fb_block* block, fb_error* error);
 *
 * The block that it fills declares its memory and state, as every block does, so that runs resume exactly. Inside it may
 * call all of libfreebody: what it needs is found in the program that loads it. */
#ifndef FREEBODY_PLUGIN_H
#define FREEBODY_PLUGIN_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/status.h>

/* Counts up when fb_block, fb_view, fb_drive or what they mean changes. */
#define FB_PLUGIN_VERSION 1

/* A number that the scenario gives by name: parameters: {gain: 3}. */
typedef struct fb_parameter {
  const char* name;
  double value;
} fb_parameter;

typedef fb_status (*fb_plugin_block_fn)(const fb_model* m, const char* name, const fb_parameter* parameters,
                                        int count, fb_block* block, fb_error* error);

FB_BEGIN_DECLS

/* Loads `file`, tries its block in a child process first (a plugin that crashes or hangs there is told apart), and
 * fills the block, which unloads the library when it is freed. */
FB_API fb_status fb_plugin_load(const fb_model* m, const char* name, const char* file,
                                const fb_parameter* parameters, int count, fb_block* block, fb_error* error);

FB_END_DECLS

#endif
