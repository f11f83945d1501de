/* template.c -- finds the template of the page. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "view/view.h"

static const char BESIDE[] = "/../share/freebody/viewer.html"; /* seen from the folder of the command */

/* The folder in which the program that runs lies; NULL when it is unknown. */
static char* own_folder(void) {
  for (size_t room = 256; room <= 65536; room *= 2) {
    char* path = cmd_take(room, 1);
    ssize_t n = readlink("/proc/self/exe", path, room);
    if (n > 0 && (size_t)n < room) {
      path[n] = '\0';
      char* slash = strrchr(path, '/');
      if (slash) {
        *slash = '\0';
        return path;
      }
    }
    free(path);
    if (n <= 0) break;
  }
  return NULL;
}

static char* beside_command(void) {
  char* folder = own_folder();
  if (!folder) return NULL;
  size_t n = strlen(folder);
  char* file = cmd_take(n + sizeof BESIDE, 1);
  memcpy(file, folder, n);
  memcpy(file + n, BESIDE, sizeof BESIDE);
  free(folder);
  return file;
}

static void say_missing(const cmd_app* app, const char* file, int named) {
  char shown[400];
  snprintf(shown, sizeof shown, "%s", file ? file : "share/freebody/viewer.html");
  fprintf(stderr, "freebody %s: the viewer's page is not at %s: %s\n", app->command->name,
          cmd_text_clean(shown), strerror(errno));
  if (named)
    fprintf(stderr, "FREEBODY_VIEWER names it; unset it, or let it name the viewer.html of this version.\n");
  else
    fprintf(stderr,
            "It is built with npm (Debian: npm, nodejs), and then copied by 'make': in Freebody's folder "
            "run\n'scripts/viewer' and 'make'. FREEBODY_VIEWER=FILE names one that lies elsewhere.\n");
}

char* cmd_view_template(const cmd_app* app) {
  const char* named = getenv("FREEBODY_VIEWER");
  int given = named && named[0];
  char* file = NULL;
  if (given) {
    file = cmd_take(strlen(named) + 1, 1);
    strcpy(file, named);
  } else {
    file = beside_command();
  }
  errno = ENOENT;
  if (file && access(file, R_OK) == 0) return file;
  say_missing(app, file, given);
  free(file);
  return NULL;
}
