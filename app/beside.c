/* beside.c -- files that are installed with the command: where they are, seen from where it is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"

/* The folder in which the program that runs lies; NULL when it is unknown. */
static char* program_folder(void) {
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

char* cmd_beside_command(const char* variable, const char* path) {
  const char* named = getenv(variable);
  if (named && named[0]) return cmd_copy(named);
  char* folder = program_folder();
  if (!folder) return NULL;
  size_t size = strlen(folder) + strlen(path) + 1;
  char* file = cmd_take(size, 1);
  snprintf(file, size, "%s%s", folder, path);
  free(folder);
  return file;
}
