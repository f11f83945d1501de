/* names.c -- names of a run, in messages and for the shell. */
#include <string.h>

#include <freebody/support/text.h>

#include "run/run.h"

char* cmd_job_path(const char* folder, const char* name) {
  size_t n = strlen(folder), size = n + strlen(name) + 2;
  char* path = cmd_take(size, 1);
  snprintf(path, size, "%s%s%s", folder, n > 0 && folder[n - 1] == '/' ? "" : "/", name);
  return path;
}

/* Between single quotes a shell searches for nothing but the closing one; one inside ends them, stands escaped, and
 * begins them again. */
char* cmd_job_shell_name(const char* folder) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+,:@%-";
  fb_text text = {0};
  int quoted = folder[strspn(folder, plain)] != '\0';
  if (quoted) fb_text_add(&text, "'");
  if (folder[0] == '-') fb_text_add(&text, "./"); /* no option */
  for (const char* c = folder; *c; c++)
    if (*c == '\'')
      fb_text_add(&text, "'\\''");
    else
      fb_text_add_bytes(&text, c, 1);
  if (quoted) fb_text_add(&text, "'");
  char* name = fb_text_take(&text, NULL);
  if (!name) cmd_out_of_memory();
  return cmd_text_clean(name);
}

char* cmd_job_worth_plotting(const fb_run* run) {
  const fb_store* store = fb_run_store(run);
  for (int i = 0; i < fb_store_nsignal(store); i++)
    if (strncmp(fb_store_get_signal(store, i).name, "energy.", 7) == 0) return cmd_job_shell_name("energy");
  const char* first = fb_store_get_signal(store, 0).name;
  return cmd_job_shell_name(first[0] ? first : "ledger.residual");
}
