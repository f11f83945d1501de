/* output.c -- output files that appear whole or not at all: written under a temporary name beside their target, then
 * renamed over it, so that a full disk or a killed program leaves the old file as it was. A link stays a link; what it
 * points to is replaced. Devices and pipes are written straight. */
#define _XOPEN_SOURCE 700 /* realpath */
#include "io/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"

static fb_status fail(const fb_output* output, const char* text, fb_error* error) {
  fb_fail(error, FB_ERR_IO, "%s", text);
  fb_error_set_place(error, output->shown, NULL, (fb_place){0, 0});
  return FB_ERR_IO;
}

static fb_status fail_errno(const fb_output* output, const char* doing, fb_error* error) {
  char text[256];
  snprintf(text, sizeof text, "cannot %s: %s", doing, strerror(errno));
  return fail(output, text, error);
}

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while a file was written");
}

/* Why no file can be made there, in words. */
static fb_status fail_create(const fb_output* output, fb_error* error) {
  const char* slash = strrchr(output->shown, '/');
  int length = slash ? (int)(slash - output->shown) : 1;
  const char* folder = slash ? output->shown : ".";
  char text[400];
  if (errno == ENOENT)
    snprintf(text, sizeof text, "the folder '%.*s' does not exist; make it first", length, folder);
  else if (errno == EACCES || errno == EPERM || errno == EROFS)
    snprintf(text, sizeof text, "no permission to write in the folder '%.*s'", length, folder);
  else
    return fail_errno(output, "make the file", error);
  return fail(output, text, error);
}

/* Makes an empty file of a name that nobody has, beside the target. */
static fb_status make_temporary(fb_output* output, fb_error* error) {
  size_t size = strlen(output->target) + 48;
  output->temporary = (char*)malloc(size);
  if (!output->temporary) return no_memory(error);
  int descriptor = -1;
  for (int i = 0; i < 1000 && descriptor < 0; i++) {
    snprintf(output->temporary, size, "%s.%ld-%d.tmp", output->target, (long)getpid(), i);
    descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  if (descriptor < 0) {
    free(output->temporary);
    output->temporary = NULL;
    return fail_create(output, error);
  }
  close(descriptor);
  return FB_OK;
}

static fb_status choose(fb_output* output, fb_error* error) {
  struct stat old;
  const char* file = output->shown;
  int exists = stat(file, &old) == 0;
  if (exists && S_ISDIR(old.st_mode)) return fail(output, "this is a folder; give a file name", error);
  if (exists && access(file, W_OK) != 0) return fail(output, "no permission to write this file", error);
  output->target = exists && S_ISREG(old.st_mode) ? realpath(file, NULL) : strdup(file);
  if (!output->target) return no_memory(error);
  if (exists && !S_ISREG(old.st_mode)) return FB_OK;
  if (exists) output->mode = (unsigned)(old.st_mode & 07777);
  return make_temporary(output, error);
}

fb_status fb_output_open(const char* file, fb_output* output, fb_error* error) {
  memset(output, 0, sizeof *output);
  output->shown = file;
  fb_status status = choose(output, error);
  if (status != FB_OK) free(output->target);
  return status;
}

const char* fb_output_name(const fb_output* output) {
  return output->temporary ? output->temporary : output->target;
}

fb_status fb_output_close(fb_output* output, fb_status status, fb_error* error) {
  if (output->temporary) {
    if (status == FB_OK && output->mode && chmod(output->temporary, (mode_t)output->mode) != 0)
      status = fail_errno(output, "keep the file's permissions", error);
    if (status == FB_OK && rename(output->temporary, output->target) != 0)
      status = fail_errno(output, "replace the file", error);
    if (status != FB_OK) unlink(output->temporary);
  }
  free(output->temporary);
  free(output->target);
  memset(output, 0, sizeof *output);
  return status;
}
