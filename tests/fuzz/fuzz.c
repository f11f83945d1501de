/* fuzz.c -- failing, copies of inputs, and files in memory: what the harnesses share. */
#include "fuzz.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

long fuzz_accepted;

void fuzz_accept(void) {
  fuzz_accepted++;
}

void fuzz_fail(const char* format, ...) {
  va_list args;
  va_start(args, format);
  fputs("fuzz: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  abort();
}

char* fuzz_text(const uint8_t* data, size_t size) {
  char* text = (char*)malloc(size + 1);
  if (!text) fuzz_fail("out of memory");
  if (size > 0) memcpy(text, data, size);
  text[size] = '\0';
  return text;
}

int fuzz_ok(fb_status status, const fb_error* error) {
  if (status == FB_OK) return 1;
  fuzz_check((unsigned)status < FB_STATUS_COUNT, "there is no status %d", (int)status);
  fuzz_check(error->status == status, "the status is %d, that of the error %d", (int)status,
             (int)error->status);
  fuzz_check(error->text[0] && strlen(error->text) < sizeof error->text, "the error has no text");
  return 0;
}

/* --- files --- */

static char folder[256];

/* Removes the files in a folder, those of folders in it first. */
static void remove_folder(const char* path, int depth) {
  DIR* dir = depth < 4 ? opendir(path) : NULL;
  for (struct dirent* entry; dir && (entry = readdir(dir));) {
    char name[1024];
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    snprintf(name, sizeof name, "%.700s/%.255s", path, entry->d_name);
    if (unlink(name) != 0) remove_folder(name, depth + 1);
  }
  if (dir) closedir(dir);
  rmdir(path);
}

static void remove_own_folder(void) {
  remove_folder(folder, 0);
}

const char* fuzz_folder(void) {
  const char* places[] = {"/dev/shm", getenv("TMPDIR"), "/tmp"};
  for (size_t i = 0; i < sizeof places / sizeof *places && !folder[0]; i++) {
    if (!places[i]) continue;
    snprintf(folder, sizeof folder, "%.200s/freebody-fuzz-XXXXXX", places[i]);
    if (!mkdtemp(folder)) folder[0] = '\0';
    if (folder[0]) atexit(remove_own_folder);
  }
  fuzz_check(folder[0], "no folder can be made in /dev/shm, TMPDIR or /tmp");
  return folder;
}

const char* fuzz_path(const char* name) {
  static char path[512];
  snprintf(path, sizeof path, "%s/%s", fuzz_folder(), name);
  return path;
}

void fuzz_write(const char* path, const void* data, size_t size) {
  FILE* file = fopen(path, "wb");
  int good = file && (size == 0 || fwrite(data, 1, size, file) == size);
  if (file) good = fclose(file) == 0 && good;
  fuzz_check(good, "%s cannot be written", path);
}

void* fuzz_read(const char* path, size_t* size) {
  FILE* file = fopen(path, "rb");
  struct stat info;
  fuzz_check(file && fstat(fileno(file), &info) == 0, "%s cannot be opened", path);
  *size = (size_t)info.st_size;
  void* data = malloc(*size + 1);
  fuzz_check(data && fread(data, 1, *size, file) == *size, "%s cannot be read", path);
  fclose(file);
  return data;
}
