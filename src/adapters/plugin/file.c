/* file.c -- checks that a file is a shared library, and otherwise says what to do. */
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/status.h>
#include <freebody/support/words.h>

#include "adapters/plugin/plugin.h"

enum { MOST_NAMES = 256, PATH_SIZE = 4096 };

static int exists(const char* path) {
  struct stat info;
  return stat(path, &info) == 0;
}

static int ends_with(const char* text, const char* end) {
  size_t n = strlen(text), k = strlen(end);
  return n > k && strcmp(text + n - k, end) == 0;
}

/* Shared libraries in a folder; returns how many names, each to be freed. */
static int list_libraries(const char* folder, char** names) {
  int count = 0;
  DIR* dir = opendir(folder);
  if (!dir) return 0;
  for (struct dirent* entry; count < MOST_NAMES && (entry = readdir(dir));) {
    if (!ends_with(entry->d_name, ".so") && !ends_with(entry->d_name, ".dylib")) continue;
    if (!(names[count] = strdup(entry->d_name))) break;
    count++;
  }
  closedir(dir);
  return count;
}

/* A library beside it with nearly its name: "; did you mean 'pid.so'?", or "". */
static void suggest(const char* folder, const char* base, char text[FB_SUGGESTION_SIZE]) {
  char* names[MOST_NAMES + 1] = {NULL};
  int count = list_libraries(folder, names);
  fb_suggestion(base, (const char* const*)names, text);
  for (int i = 0; i < count; i++) free(names[i]);
}

/* The same name with another ending, where there is such a file; else "". */
static void find_ending(const char* file, const char* ending, char path[PATH_SIZE]) {
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file, *dot = strrchr(base, '.');
  int stem = dot && dot > base ? (int)(dot - file) : (int)strlen(file);
  int n = snprintf(path, PATH_SIZE, "%.*s%s", stem, file, ending);
  if (n >= PATH_SIZE || strcmp(path, file) == 0 || !exists(path)) path[0] = 0;
}

static fb_status refuse_missing(const char* file, fb_error* error) {
  char path[PATH_SIZE], folder[PATH_SIZE] = ".", suggestion[FB_SUGGESTION_SIZE];
  find_ending(file, ".so", path);
  if (path[0]) return fb_fail(error, FB_ERR_IO, "there is no such file; did you mean '%.200s'?", path);
  find_ending(file, ".c", path);
  if (path[0])
    return fb_fail(error, FB_ERR_IO,
                   "there is no such file yet, but its source '%.200s' is there: build it, as with make, or "
                   "cc -shared -fPIC",
                   path);
  const char* slash = strrchr(file, '/');
  if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash - file) + 1, file);
  if (!exists(folder))
    return fb_fail(error, FB_ERR_IO, "there is no such file, nor its folder; correct the path");
  suggest(folder, slash ? slash + 1 : file, suggestion);
  return fb_fail(error, FB_ERR_IO, "there is no such file%s",
                 suggestion[0] ? suggestion : "; build it first, or correct the path");
}

/* Whether it begins as the shared libraries of this system do. */
static int is_library(const char* file) {
  static const unsigned char elf[4] = {0x7f, 'E', 'L', 'F'};
  unsigned char head[4] = {0};
  FILE* f = fopen(file, "rb");
  if (!f) return 1; /* the loader says why */
  size_t got = fread(head, 1, sizeof head, f);
  fclose(f);
#ifdef __ELF__
  return got == sizeof head && memcmp(head, elf, sizeof elf) == 0;
#else
  (void)elf;
  return got == sizeof head;
#endif
}

fb_status fb_plugin_check_file(const char* file, fb_error* error) {
  struct stat info;
  if (!file || !*file) return fb_fail(error, FB_ERR_ARG, "a plugin needs the name of its file");
  if (stat(file, &info) != 0)
    return errno == ENOENT || errno == ENOTDIR
               ? refuse_missing(file, error)
               : fb_fail(error, FB_ERR_IO, "it cannot be read: %s", strerror(errno));
  if (S_ISDIR(info.st_mode))
    return fb_fail(error, FB_ERR_IO, "this is a folder; name the shared library in it");
  if (!S_ISREG(info.st_mode))
    return fb_fail(error, FB_ERR_IO, "this is a device or a pipe, not a shared library");
  if (is_library(file)) return FB_OK;
  if (ends_with(file, ".c") || ends_with(file, ".cpp"))
    return fb_fail(error, FB_ERR_IO,
                   "this is source code; build it first, as with make, or cc -shared -fPIC, and name the "
                   "shared library");
  return fb_fail(error, FB_ERR_IO, "this is not a shared library; build one with cc -shared -fPIC");
}
