/* path.c -- names of files. See text/path.h. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "text/path.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/support/text.h>

char* fb_path_join(const char* folder, const char* name, size_t length) {
  fb_text text = {0};
  fb_text_add(&text, folder);
  fb_text_add(&text, "/");
  fb_text_add_bytes(&text, name, length);
  return fb_text_take(&text, NULL);
}

/* Takes "." and ".." and empty steps out of an absolute path, in place. */
static void clean(char* path) {
  char* out = path;
  for (const char* step = path; *step;) {
    step += strspn(step, "/");
    size_t n = strcspn(step, "/");
    if (n == 0) break;
    if (n == 2 && step[0] == '.' && step[1] == '.') {
      while (out > path && *--out != '/') continue;
    } else if (n != 1 || step[0] != '.') {
      *out++ = '/';
      memmove(out, step, n);
      out += n;
    }
    step += n;
  }
  if (out == path) *out++ = '/';
  *out = '\0';
}

char* fb_path_absolute(const char* path) {
  char* here = path[0] == '/' ? NULL : getcwd(NULL, 0);
  if (path[0] != '/' && !here) return NULL;
  char* whole = fb_path_join(here ? here : "", path, strlen(path));
  free(here);
  if (whole) clean(whole);
  return whole;
}

char* fb_path_folder(const char* file) {
  const char* slash = strrchr(file, '/');
  fb_text text = {0};
  fb_text_add_bytes(&text, slash ? file : "./", slash ? (size_t)(slash - file) + 1 : 2);
  char* folder = fb_text_take(&text, NULL);
  if (!folder) return NULL;
  char* real = realpath(folder, NULL);
  free(folder);
  return real || errno == ENOMEM ? real : calloc(1, 1);
}

char* fb_path_from(const char* folder, const char* file) {
  fb_text text = {0};
  size_t same = 0, i = 0; /* what both begin with, to the end of a step */
  if (strcmp(folder, "/") == 0) folder = "";
  for (; folder[i] && folder[i] == file[i]; i++)
    if (file[i] == '/') same = i;
  if (!folder[i] && file[i] == '/') same = i;
  if (same == 0) {
    fb_text_add(&text, file);
    return fb_text_take(&text, NULL);
  }
  for (const char* rest = folder + same; (rest = strchr(rest, '/')) != NULL; rest++)
    fb_text_add(&text, "../");
  fb_text_add(&text, file + same + 1);
  return fb_text_take(&text, NULL);
}

int fb_path_is_relative(const char* path) {
  return path[0] != '/' && !strstr(path, "://");
}

char* fb_path_beside(const char* file, const char* name) {
  const char* slash = name[0] == '/' ? NULL : strrchr(file, '/');
  size_t folder = slash ? (size_t)(slash + 1 - file) : 0, length = strlen(name) + 1;
  char* path = malloc(folder + length);
  if (!path) return NULL;
  memcpy(path, file, folder);
  memcpy(path + folder, name, length);
  return path;
}

int fb_path_ends_with(const char* path, const char* end) {
  size_t n = strlen(path), k = strlen(end);
  if (n < k) return 0;
  for (size_t i = 0; i < k; i++) {
    char c = path[n - k + i];
    if (c >= 'A' && c <= 'Z') c = (char)(c - 'A' + 'a');
    if (c != end[i]) return 0;
  }
  return 1;
}
