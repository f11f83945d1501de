/* files.c -- whole files in and out.
 *
 * A file is written under a temporary name beside its target, then renamed over it, so that a full disk or a
 * killed program leaves the old file as it was. Devices and pipes are written straight. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "io/document.h"

static fb_status fail_file(fb_error* error, const char* file, const char* text) {
  fb_fail(error, FB_ERR_IO, "%s", text);
  fb_error_set_place(error, file, NULL, (fb_place){0, 0});
  return FB_ERR_IO;
}

static fb_status fail_errno(fb_error* error, const char* file, const char* doing) {
  char text[256];
  snprintf(text, sizeof text, "cannot %s: %s", doing, strerror(errno));
  return fail_file(error, file, text);
}

/* --- reading --- */

static fb_status read_all(FILE* stream, const char* file, char** text, size_t* size, fb_error* error) {
  enum { CHUNK = 1 << 16 };
  size_t room = 0, n = 0;
  char* data = NULL;
  int fits;
  while ((fits = fb_grow(&data, n, CHUNK, &room, 1))) {
    n += fread(data + n, 1, room - n - 1, stream);
    if (n < room - 1) break;
  }
  if (!fits) {
    free(data);
    fb_fail(error, FB_ERR_MEMORY, "out of memory while the file was read");
    fb_error_set_place(error, file, NULL, (fb_place){0, 0});
    return FB_ERR_MEMORY;
  }
  if (ferror(stream)) {
    free(data);
    return fail_errno(error, file, "read the file");
  }
  data[n] = '\0';
  *text = data;
  *size = n;
  return FB_OK;
}

fb_status fb_read_file(const char* file, char** text, size_t* size, fb_error* error) {
  *text = NULL;
  *size = 0;
  if (strcmp(file, "-") == 0) return read_all(stdin, "standard input", text, size, error);
  struct stat info;
  if (stat(file, &info) == 0 && S_ISDIR(info.st_mode))
    return fail_file(error, file, "this is a folder; give a file");
  FILE* stream = fopen(file, "rb");
  if (!stream)
    return errno == ENOENT ? fail_file(error, file, "there is no such file")
                           : fail_errno(error, file, "open the file");
  fb_status status = read_all(stream, file, text, size, error);
  fclose(stream);
  return status;
}

/* --- writing --- */

static fb_status write_all(int descriptor, const char* file, const char* text, size_t size, fb_error* error) {
  while (size > 0) {
    ssize_t n = write(descriptor, text, size);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return fail_errno(error, file, "write the file");
    text += n;
    size -= (size_t)n;
  }
  return FB_OK;
}

static fb_status write_straight(const char* file, const char* text, size_t size, fb_error* error) {
  int descriptor = open(file, O_WRONLY);
  if (descriptor < 0) return fail_errno(error, file, "open the file for writing");
  fb_status status = write_all(descriptor, file, text, size, error);
  if (close(descriptor) != 0 && !status) status = fail_errno(error, file, "write the file");
  return status;
}

/* Why no file can be made there, in words. */
static fb_status fail_create(const char* file, fb_error* error) {
  const char* slash = strrchr(file, '/');
  int length = slash ? (int)(slash - file) : 1;
  const char* folder = slash ? file : ".";
  char text[400];
  if (errno == ENOENT)
    snprintf(text, sizeof text, "the folder '%.*s' does not exist; make it first", length, folder);
  else if (errno == EACCES || errno == EPERM || errno == EROFS)
    snprintf(text, sizeof text, "no permission to write in the folder '%.*s'", length, folder);
  else
    return fail_errno(error, file, "make the file");
  return fail_file(error, file, text);
}

/* Opens a new file beside `file`; its name goes into temporary[size]. */
static int open_temporary(const char* file, char* temporary, size_t size) {
  for (int i = 0; i < 1000; i++) {
    if (snprintf(temporary, size, "%s.%ld-%d.tmp", file, (long)getpid(), i) >= (int)size) {
      errno = ENAMETOOLONG;
      return -1;
    }
    int descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (descriptor >= 0 || errno != EEXIST) return descriptor;
  }
  return -1;
}

static fb_status write_beside(const char* file, const struct stat* old, const char* text, size_t size,
                              fb_error* error) {
  char temporary[4096];
  int descriptor = open_temporary(file, temporary, sizeof temporary);
  if (descriptor < 0) return fail_create(file, error);
  fb_status status = write_all(descriptor, file, text, size, error);
  if (!status && old && fchmod(descriptor, old->st_mode & 07777) != 0)
    status = fail_errno(error, file, "keep the file's permissions");
  if (close(descriptor) != 0 && !status) status = fail_errno(error, file, "write the file");
  if (!status && rename(temporary, file) != 0) status = fail_errno(error, file, "replace the file");
  if (status) unlink(temporary);
  return status;
}

fb_status fb_write_file(const char* file, const char* text, size_t size, fb_error* error) {
  if (strcmp(file, "-") == 0) {
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0) return FB_OK;
    return fail_errno(error, "standard output", "write");
  }
  struct stat old;
  if (stat(file, &old) != 0) return write_beside(file, NULL, text, size, error);
  if (S_ISDIR(old.st_mode)) return fail_file(error, file, "this is a folder; give a file name");
  if (!S_ISREG(old.st_mode)) return write_straight(file, text, size, error);
  if (access(file, W_OK) != 0) return fail_file(error, file, "no permission to write this file");
  char* target = realpath(file, NULL); /* a link stays a link; what it points to is replaced */
  fb_status status = write_beside(target ? target : file, &old, text, size, error);
  if (status && error) fb_error_set_place(error, file, NULL, (fb_place){0, 0});
  free(target);
  return status;
}
