/* output.c -- atomic output files: written under a temporary name in the folder of the target, then
 * renamed over it, so that a full disk or a killed program leaves the old file as it was. A link that the user names
 * stays a link, and what it points to is replaced. Devices and pipes are written straight.
 *
 * The temporary file is created exclusively, and everything is written through that one descriptor: a link put in the
 * place of the temporary name meanwhile does not lead our writes elsewhere. Permissions are set through the descriptor
 * as well. Before the rename, the file of that name is compared with the descriptor (device and inode) and refused if
 * it is another. Between this comparison and the rename a moment remains; who can use it may write in the folder of
 * the target, and could replace the target itself.
 *
 * HDF5 writes through the descriptor (run/export/hdf5_file.c), and gnuplot gets it as its standard output. ffmpeg
 * needs a name, because it opens an MP4 a second time to move the index to the front: it gets /proc/self/fd/N of the
 * descriptor that it inherits, which the kernel resolves to the open file itself and not by a path. Without /proc it
 * gets the temporary name, after the same comparison. */
#define _XOPEN_SOURCE 700 /* realpath */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/status.h>

#include "text/files.h"

static fb_status fail_errno(const fb_output* output, const char* doing, fb_error* error) {
  return fb_file_fail(output->shown, error, FB_ERR_IO, "cannot %s: %s", doing, strerror(errno));
}

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while a file was written");
}

/* Why no file can be made there, in words. */
static fb_status fail_create(const fb_output* output, fb_error* error) {
  const char* slash = strrchr(output->shown, '/');
  int length = slash ? (int)(slash - output->shown) : 1;
  const char* folder = slash ? output->shown : ".";
  if (errno == ENOENT)
    return fb_file_fail(output->shown, error, FB_ERR_IO, "the folder '%.*s' does not exist; make it first",
                        length, folder);
  if (errno == EACCES || errno == EPERM || errno == EROFS)
    return fb_file_fail(output->shown, error, FB_ERR_IO, "no permission to write in the folder '%.*s'",
                        length, folder);
  return fail_errno(output, "make the file", error);
}

static fb_status fail_replaced(const fb_output* output, fb_error* error) {
  return fb_file_fail(
      output->shown, error, FB_ERR_IO,
      "another program has replaced the temporary file while it was written; nothing was changed "
      "here. Choose a folder that only you can write in");
}

/* The file of that name, and not another in its place. A link is another file, unless it is followed. */
static int is_same_file(int descriptor, const char* name, int follow) {
  struct stat ours, named;
  if (fstat(descriptor, &ours) != 0 || (follow ? stat(name, &named) : lstat(name, &named)) != 0) return 0;
  return ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

/* --- opening --- */

/* Opens above the standard streams: where one of them is closed, what is printed to it must not reach the file. */
static int open_above(const char* name, int flags) {
  enum { ABOVE = 3 };
  int descriptor = open(name, flags | O_CLOEXEC, 0666);
  if (descriptor < 0 || descriptor >= ABOVE) return descriptor;
  int above = fcntl(descriptor, F_DUPFD_CLOEXEC, ABOVE), reason = errno;
  close(descriptor);
  errno = reason;
  return above;
}

/* Makes an empty file of a name that nobody has, beside the target. */
static fb_status make_temporary(fb_output* output, fb_error* error) {
  size_t size = strlen(output->target) + 48;
  output->temporary = malloc(size);
  if (!output->temporary) return no_memory(error);
  for (int i = 0; i < 1000 && output->descriptor < 0; i++) {
    snprintf(output->temporary, size, "%s.%ld-%d.tmp", output->target, (long)getpid(), i);
    output->descriptor = open_above(output->temporary, O_RDWR | O_CREAT | O_EXCL);
    if (output->descriptor < 0 && errno != EEXIST) break;
  }
  if (output->descriptor >= 0) return FB_OK;
  free(output->temporary);
  output->temporary = NULL;
  return fail_create(output, error);
}

/* A device or a pipe. */
static fb_status open_straight(fb_output* output, fb_error* error) {
  output->descriptor = open_above(output->target, O_WRONLY | O_NOCTTY);
  return output->descriptor >= 0 ? FB_OK : fail_errno(output, "open the file for writing", error);
}

static fb_status choose(fb_output* output, int regular_only, fb_error* error) {
  struct stat old;
  const char* file = output->shown;
  int exists = (regular_only ? lstat(file, &old) : stat(file, &old)) == 0,
      ordinary = exists && S_ISREG(old.st_mode);
  if (exists && S_ISDIR(old.st_mode))
    return fb_file_fail(output->shown, error, FB_ERR_IO, "this is a folder; give a file name");
  if (exists && regular_only && !ordinary)
    return fb_file_fail(output->shown, error, FB_ERR_IO, "this is not an ordinary file; remove it");
  if (exists && access(file, W_OK) != 0)
    return fb_file_fail(output->shown, error, FB_ERR_IO, "no permission to write this file");
  output->target = ordinary && !regular_only ? realpath(file, NULL) : strdup(file);
  if (!output->target) return no_memory(error);
  if (exists && !ordinary) return open_straight(output, error);
  if (exists) output->mode = (unsigned)(old.st_mode & 07777);
  return make_temporary(output, error);
}

static fb_status open_output(const char* file, int regular_only, fb_output* output, fb_error* error) {
  memset(output, 0, sizeof *output);
  output->shown = strdup(file);
  output->descriptor = -1;
  fb_status status = output->shown ? choose(output, regular_only, error) : no_memory(error);
  if (status == FB_OK) return FB_OK;
  free(output->target);
  free(output->shown);
  memset(output, 0, sizeof *output);
  return status;
}

fb_status fb_output_open(const char* file, fb_output* output, fb_error* error) {
  return open_output(file, 0, output, error);
}

/* rename() replaces a link and does not follow it, so one that appears after the check does no harm either. */
fb_status fb_output_open_regular(const char* file, fb_output* output, fb_error* error) {
  fb_status status = fb_file_refuse_link(file, "", error);
  return status == FB_OK ? open_output(file, 1, output, error) : status;
}

fb_status fb_file_refuse_link(const char* file, const char* instead, fb_error* error) {
  char to[256];
  ssize_t n = readlink(file, to, sizeof to - 1);
  if (n < 0) return FB_OK; /* not a link; what else may be wrong is found when it is opened */
  to[n] = '\0';
  return fb_file_fail(file, error, FB_ERR_IO,
                      "this is a link to '%s', and links in this folder are not followed; remove the link%s",
                      to, instead);
}

/* --- writing --- */

FILE* fb_output_stream(const fb_output* output) {
  int copy = fcntl(output->descriptor, F_DUPFD_CLOEXEC, 0);
  FILE* stream = copy >= 0 ? fdopen(copy, "wb") : NULL;
  if (copy >= 0 && !stream) close(copy);
  return stream;
}

fb_status fb_output_child_name(const fb_output* output, int theirs, char** name, fb_error* error) {
  char ours[64];
  snprintf(ours, sizeof ours, "/proc/self/fd/%d", output->descriptor);
  const char* path = output->temporary ? output->temporary : output->target;
  size_t size = strlen(path) + sizeof ours;
  *name = malloc(size);
  if (!*name) return no_memory(error);
  if (is_same_file(output->descriptor, ours, 1)) {
    snprintf(*name, size, "/proc/self/fd/%d", theirs);
    return FB_OK;
  }
  snprintf(*name, size, "%s", path);
  if (is_same_file(output->descriptor, path, !output->temporary)) return FB_OK;
  free(*name);
  *name = NULL;
  return fail_replaced(output, error);
}

/* --- closing --- */

static fb_status settle(const fb_output* output, fb_error* error) {
  if (!is_same_file(output->descriptor, output->temporary, 0)) return fail_replaced(output, error);
  if (output->mode && fchmod(output->descriptor, (mode_t)output->mode) != 0)
    return fail_errno(output, "keep the file's permissions", error);
  return FB_OK;
}

fb_status fb_output_close(fb_output* output, fb_status status, fb_error* error) {
  if (!output->shown) return status; /* not open */
  int ours = output->temporary && is_same_file(output->descriptor, output->temporary, 0);
  if (output->temporary && status == FB_OK) status = settle(output, error);
  if (close(output->descriptor) != 0 && status == FB_OK) status = fail_errno(output, "write the file", error);
  if (output->temporary && status == FB_OK && rename(output->temporary, output->target) != 0)
    status = fail_errno(output, "replace the file", error);
  if (ours && status != FB_OK) unlink(output->temporary);
  free(output->temporary);
  free(output->target);
  free(output->shown);
  memset(output, 0, sizeof *output);
  return status;
}
