/* files.c -- reads and writes whole files.
 *
 * By name only ordinary files are read: a device has no end, and a pipe may never have a beginning. Whether it is one
 * is asked before it is opened, so that no device notices, and of the open descriptor again, which nobody can
 * exchange. */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/status.h>

#include "base/grow.h"
#include "text/files.h"

fb_status fb_file_fail(const char* file, fb_error* error, fb_status status, const char* format, ...) {
  char text[sizeof error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fb_fail(error, status, "%s", text);
  fb_error_set_place(error, file, NULL, (fb_place){0, 0});
  return status;
}

static fb_status fail_errno(fb_error* error, const char* file, const char* doing) {
  return fb_file_fail(file, error, errno == ENOMEM ? FB_ERR_MEMORY : FB_ERR_IO, "cannot %s: %s", doing,
                      strerror(errno));
}

/* --- reading --- */

static fb_status fail_size(fb_error* error, const char* file, size_t most) {
  return fb_file_fail(file, error, FB_ERR_IO, "this is larger than %zu MiB, the most that is read here",
                      most >> 20);
}

static fb_status read_all(FILE* stream, const char* file, size_t most, char** text, size_t* size,
                          fb_error* error) {
  enum { CHUNK = 1 << 16 };
  size_t room = 0, n = 0;
  char* data = NULL;
  int fits;
  while ((fits = fb_grow(&data, n, CHUNK, &room, 1))) {
    n += fread(data + n, 1, room - n - 1, stream);
    if (n < room - 1 || n > most) break;
  }
  if (!fits) {
    free(data);
    return fb_file_fail(file, error, FB_ERR_MEMORY, "out of memory while the file was read");
  }
  if (ferror(stream) || n > most) {
    free(data);
    return ferror(stream) ? fail_errno(error, file, "read the file") : fail_size(error, file, most);
  }
  data[n] = '\0';
  *text = data;
  *size = n;
  return FB_OK;
}

static fb_status check_kind(const struct stat* info, const char* file, size_t most, fb_error* error) {
  if (S_ISDIR(info->st_mode)) return fb_file_fail(file, error, FB_ERR_IO, "this is a folder; give a file");
  if (S_ISFIFO(info->st_mode) || S_ISSOCK(info->st_mode))
    return fb_file_fail(
        file, error, FB_ERR_IO,
        "this is a pipe, not a regular file; to read what another program prints, give '-' as "
        "the file of a command and send it to standard input");
  if (!S_ISREG(info->st_mode))
    return fb_file_fail(file, error, FB_ERR_IO, "this is a device, not a regular file; give a file");
  return info->st_size > (off_t)most ? fail_size(error, file, most) : FB_OK;
}

static fb_status fail_open(const char* file, fb_error* error) {
  return errno == ENOENT || errno == ENOTDIR ? fb_file_fail(file, error, FB_ERR_IO, "there is no such file")
                                             : fail_errno(error, file, "open the file");
}

/* O_NONBLOCK: should a pipe have taken the place of the file that was asked about, the call does not wait for its other end. */
static fb_status open_ordinary(const char* file, size_t most, FILE** stream, fb_error* error) {
  struct stat info;
  *stream = NULL;
  if (stat(file, &info) != 0) return fail_open(file, error);
  fb_status status = check_kind(&info, file, most, error);
  if (status != FB_OK) return status;
  int descriptor = open(file, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor < 0) return fail_open(file, error);
  status = fstat(descriptor, &info) == 0 ? check_kind(&info, file, most, error)
                                         : fail_errno(error, file, "look at the file");
  if (status == FB_OK && !(*stream = fdopen(descriptor, "rb")))
    status = fail_errno(error, file, "open the file");
  if (status != FB_OK) close(descriptor);
  return status;
}

fb_status fb_file_read_most(const char* file, size_t most, char** text, size_t* size, fb_error* error) {
  *text = NULL;
  *size = 0;
  if (strcmp(file, "-") == 0) return read_all(stdin, "standard input", most, text, size, error);
  FILE* stream;
  fb_status status = open_ordinary(file, most, &stream, error);
  if (status != FB_OK) return status;
  status = read_all(stream, file, most, text, size, error);
  fclose(stream);
  return status;
}

fb_status fb_file_read(const char* file, char** text, size_t* size, fb_error* error) {
  return fb_file_read_most(file, FB_MOST_TEXT, text, size, error);
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

static fb_status write_output(fb_output* output, const char* text, size_t size, fb_error* error) {
  fb_status status = write_all(output->descriptor, output->shown, text, size, error);
  return fb_output_close(output, status, error);
}

fb_status fb_file_write(const char* file, const char* text, size_t size, fb_error* error) {
  if (strcmp(file, "-") == 0) {
    if (fwrite(text, 1, size, stdout) == size && fflush(stdout) == 0) return FB_OK;
    return fail_errno(error, "standard output", "write");
  }
  fb_output output;
  fb_status status = fb_output_open(file, &output, error);
  return status == FB_OK ? write_output(&output, text, size, error) : status;
}

fb_status fb_file_write_regular(const char* file, const char* text, size_t size, fb_error* error) {
  fb_output output;
  fb_status status = fb_output_open_regular(file, &output, error);
  return status == FB_OK ? write_output(&output, text, size, error) : status;
}
