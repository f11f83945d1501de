/* run_output.c -- output files that appear whole or not at all: written beside their target, then renamed
 * over it. */
#define _XOPEN_SOURCE 700 /* realpath */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/run_part.h"
#include "io/run_store.h"

static fb_status fail_errno(const char* file, const char* doing, fb_error* error) {
  if (errno == ENOENT)
    return fb_run_fail_at(file, error, FB_ERR_IO, "the folder of this file does not exist; make it first");
  if (errno == EACCES || errno == EPERM || errno == EROFS)
    return fb_run_fail_at(file, error, FB_ERR_IO, "no permission to write this file or its folder");
  return fb_run_fail_at(file, error, FB_ERR_IO, "cannot %s: %s", doing, strerror(errno));
}

/* Makes an empty file of a name that nobody has, beside the target. */
static fb_status make_temporary(fb_run_output* output, fb_error* error) {
  size_t size = strlen(output->target) + 48;
  output->temporary = (char*)malloc(size);
  if (!output->temporary) return fb_run_no_memory(error);
  int descriptor = -1;
  for (int i = 0; i < 1000 && descriptor < 0; i++) {
    snprintf(output->temporary, size, "%s.%ld-%d.tmp", output->target, (long)getpid(), i);
    descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor < 0 && errno != EEXIST) break;
  }
  if (descriptor < 0) {
    free(output->temporary);
    output->temporary = NULL;
    return fail_errno(output->target, "make the file", error);
  }
  close(descriptor);
  return FB_OK;
}

static fb_status choose(const char* file, fb_run_output* output, fb_error* error) {
  struct stat old;
  int exists = stat(file, &old) == 0;
  if (exists && S_ISDIR(old.st_mode))
    return fb_run_fail_at(file, error, FB_ERR_IO, "this is a folder; give a file name");
  if (exists && access(file, W_OK) != 0)
    return fb_run_fail_at(file, error, FB_ERR_IO, "no permission to write this file");
  output->target = exists && S_ISREG(old.st_mode) ? realpath(file, NULL) : strdup(file);
  if (!output->target) return fb_run_no_memory(error);
  if (exists && !S_ISREG(old.st_mode)) return FB_OK;
  if (exists) output->mode = (unsigned)(old.st_mode & 07777);
  return make_temporary(output, error);
}

fb_status fb_run_output_open(const char* file, fb_run_output* output, fb_error* error) {
  memset(output, 0, sizeof *output);
  fb_status status = choose(file, output, error);
  if (status != FB_OK) free(output->target);
  return status;
}

const char* fb_run_output_name(const fb_run_output* output) {
  return output->temporary ? output->temporary : output->target;
}

fb_status fb_run_output_close(fb_run_output* output, fb_status status, fb_error* error) {
  if (output->temporary) {
    if (status == FB_OK && output->mode && chmod(output->temporary, (mode_t)output->mode) != 0)
      status = fail_errno(output->target, "keep the file's permissions", error);
    if (status == FB_OK && rename(output->temporary, output->target) != 0)
      status = fail_errno(output->target, "replace the file", error);
    if (status != FB_OK) unlink(output->temporary);
  }
  free(output->temporary);
  free(output->target);
  memset(output, 0, sizeof *output);
  return status;
}
