/* record.c -- records which plugin is running, and in which function
 *
 * A plugin that crashes takes its process with it. The command runs it in a child, and gives the library a record in
 * memory that both processes see; what stands there when the child is gone says where it was. A call costs two stores,
 * and two short copies when another plugin was at work before. */
#include <math.h>
#include <stdio.h>

#include <freebody/status.h>

#include "adapters/plugin/plugin.h"

static fb_plugin_record* record;

void fb_plugin_record_use(fb_plugin_record* to) {
  record = to;
  if (record) record->stage = FB_PLUGIN_DONE;
}

fb_status fb_plugin_permit(fb_error* error) {
  if (record && record->forbid)
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "a plugin is code that runs with your rights, and --no-plugins was given; leave that out "
                   "if you trust this one");
  if (!record || !record->refuse) return FB_OK;
  record->refused = 1;
  return fb_fail(error, FB_ERR_UNSUPPORTED, "plugins are not loaded in this process");
}

void fb_plugin_enter(const void* who, const char* file, const char* block, fb_plugin_stage stage, double t) {
  if (!record) return;
  if (record->who != who) {
    record->who = who;
    snprintf(record->file, sizeof record->file, "%s", file ? file : "");
    snprintf(record->block, sizeof record->block, "%s", block ? block : "");
  }
  if (!isnan(t)) record->t = t;
  record->stage = stage;
}

void fb_plugin_leave(void) {
  if (record) record->stage = FB_PLUGIN_DONE;
}

void fb_plugin_forget(const void* who) {
  if (record && record->who == who) record->who = NULL;
}

const char* fb_plugin_stage_name(fb_plugin_stage stage) {
  static const char* const where[] = {"while it was loaded",      "in fb_plugin_block",
                                      "in the block's start",     "in the block's tick",
                                      "in the block's act",       "in the block's output",
                                      "in the block's next_edge", "in the block's rebind",
                                      "in the block's free",      ""};
  return where[stage];
}
