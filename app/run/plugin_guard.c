/* plugin_guard.c -- plugins are called in a child process, so that one that crashes or calls exit ends that and not the
 * command.
 *
 * Whether there are plugins is known when one is to be loaded. So the work is begun in this process without leave to load
 * any; when one was requested, all is given back and begun again in the child. Work without plugins has no child. */
#include "guard.h"

fb_plugin_record* cmd_plugin_guard_new(size_t size) {
  fb_plugin_record* record = (fb_plugin_record*)cmd_guard_share(size);
  fb_plugin_record_use(record);
  return record;
}

int cmd_plugin_guard(const cmd_app* app, fb_plugin_record* record, int (*work)(void* user), void* user,
                     cmd_guard_end* end) {
  *end = (cmd_guard_end){.in_order = 1};
  record->refused = 0;
  record->refuse = 1;
  end->code = work(user);
  if (!record->refused) return 1;
  record->refused = record->refuse = 0;
  return cmd_guard(app, work, user, end) && end->in_order;
}

void cmd_plugin_fate(const fb_plugin_record* p, const cmd_guard_end* end, const char* at, fb_error* error) {
  char words[96];
  cmd_guard_words(end, words);
  if (p->stage == FB_PLUGIN_DONE)
    fb_fail(error, FB_ERR_CONTENT,
            "%sthe process that runs the plugins %s, while no function of one was called; the last was of "
            "plugin '%s', block \"%s\". Has it overwritten memory, or started threads?",
            at, words, p->file, p->block);
  else
    fb_fail(error, FB_ERR_CONTENT, "%splugin '%s', block \"%s\": %s it %s. %s", at, p->file, p->block,
            fb_plugin_stage_name(p->stage), words,
            end->signal ? "Build it with -g -fsanitize=address, or look at it with a debugger"
                        : "A plugin returns a status and never calls exit");
}
