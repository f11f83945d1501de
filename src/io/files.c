/* files.c -- whole files in and out. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/grow.h"
#include "io/document.h"
#include "io/output.h"

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

static fb_status write_to(const char* name, const char* file, const char* text, size_t size,
                          fb_error* error) {
  int descriptor = open(name, O_WRONLY | O_CLOEXEC);
  if (descriptor < 0) return fail_errno(error, file, "open the file for writing");
  fb_status status = write_all(descriptor, file, text, size, error);
  if (close(descriptor) != 0 && !status) status = fail_errno(error, file, "write the file");
  return status;
}

fb_status fb_write_file(const char* file, const char* text, size_t size, fb_error* error) {
  if (strcmp(file, "-") == 0) {
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0) return FB_OK;
    return fail_errno(error, "standard output", "write");
  }
  fb_output output;
  fb_status status = fb_output_open(file, &output, error);
  if (status) return status;
  status = write_to(fb_output_name(&output), file, text, size, error);
  return fb_output_close(&output, status, error);
}
