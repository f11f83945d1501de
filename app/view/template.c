/* template.c -- finds the template of the page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/view.h"

static const char BESIDE[] = "/../share/freebody/viewer.html"; /* seen from the folder of the command */

static void say_missing(const cmd_app* app, const char* file) {
  const char* named = getenv("FREEBODY_VIEWER");
  char shown[400];
  snprintf(shown, sizeof shown, "%s", file ? file : "share/freebody/viewer.html");
  fprintf(stderr, "freebody %s: the viewer's page is not at %s: %s\n", app->command->name,
          cmd_text_clean(shown), strerror(errno));
  if (named && named[0])
    fprintf(stderr, "FREEBODY_VIEWER names it; unset it, or let it name the viewer.html of this version.\n");
  else
    fprintf(stderr,
            "It is built with npm (Debian: npm, nodejs), and then copied by 'make': in Freebody's folder "
            "run\n'scripts/viewer' and 'make'. FREEBODY_VIEWER=FILE names one that lies elsewhere.\n");
}

char* cmd_view_template(const cmd_app* app) {
  char* file = cmd_beside_command("FREEBODY_VIEWER", BESIDE);
  errno = ENOENT;
  if (file && access(file, R_OK) == 0) return file;
  say_missing(app, file);
  free(file);
  return NULL;
}
