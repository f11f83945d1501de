/* fuzz_main.c -- feeds a harness with files, in builds without libFuzzer:
 *
 *   fuzz_NAME FILE|FOLDER...     each file, and each file of each folder; folders that are not there count as empty
 *
 * Fails when no file was accepted by the reader: inputs that are all refused test nothing. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz.h"

int LLVMFuzzerInitialize(int* argc, char*** argv) __attribute__((weak));

static int compare_names(const void* a, const void* b) {
  return strcmp(*(char* const*)a, *(char* const*)b);
}

static void feed_file(const char* path, long* count) {
  size_t size;
  uint8_t* data = (uint8_t*)fuzz_read(path, &size);
  printf("%s\n", path);
  fflush(stdout); /* the last line names the input that ends us */
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  ++*count;
}

/* In the order of their names. */
static void feed_folder(const char* path, long* count) {
  enum { MOST = 10000 };
  static char* names[MOST];
  size_t n = 0;
  DIR* dir = opendir(path);
  for (struct dirent* entry; dir && n < MOST && (entry = readdir(dir));)
    if (entry->d_name[0] != '.') names[n++] = strdup(entry->d_name);
  if (dir) closedir(dir);
  qsort(names, n, sizeof *names, compare_names);
  for (size_t i = 0; i < n; i++) {
    char file[1024];
    snprintf(file, sizeof file, "%s/%s", path, names[i]);
    feed_file(file, count);
    free(names[i]);
  }
}

int main(int argc, char** argv) {
  long count = 0;
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  for (int i = 1; i < argc; i++) {
    struct stat info;
    if (stat(argv[i], &info) == 0 && S_ISREG(info.st_mode))
      feed_file(argv[i], &count);
    else
      feed_folder(argv[i], &count);
  }
  printf("%ld inputs, %ld accepted\n", count, fuzz_accepted);
  if (count > 0 && fuzz_accepted > 0) return 0;
  fputs("fuzz: no input was accepted by the reader, so nothing behind it was tested\n", stderr);
  return 1;
}
