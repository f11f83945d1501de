/* files.h -- whole files read and written, and output files that appear whole or not at all (libfreebody_io; POSIX). */
#ifndef FREEBODY_FILES_H
#define FREEBODY_FILES_H

#include <stddef.h>
#include <stdio.h>

#include <freebody/export.h>
#include <freebody/status.h>

/* A file that is being written under a temporary name beside its target. */
typedef struct fb_output {
  char* shown;     /* the name given to fb_output_open */
  char* target;    /* the same with links followed */
  char* temporary; /* beside it; NULL for a device or pipe, which is written directly */
  unsigned mode;   /* permissions of the file that is replaced; 0: none */
  int descriptor;  /* of the temporary file, to read and write, or of the device or pipe, to write */
} fb_output;

FB_BEGIN_DECLS

/* Reads a whole file ("-": standard input) of at most 64 MiB into memory that ends with a zero; fb_free it. FB_ERR_IO for
 * a larger file, and for one that is not an ordinary file: a device, a pipe. */
FB_API fb_status fb_file_read(const char* file, char** text, size_t* size, fb_error* error);
/* Writes a whole file ("-": standard output) as fb_output does: a failure leaves the old file as it was. */
FB_API fb_status fb_file_write(const char* file, const char* text, size_t size, fb_error* error);
/* FB_ERR_IO when the file is a link: files of a run folder must not be. The message names the target and says to remove
 * the link; `instead` adds an alternative, ", or choose another folder", or is "". */
FB_API fb_status fb_file_refuse_link(const char* file, const char* instead, fb_error* error);

/* Opens an empty file beside the one named, or the device or pipe itself; a link is followed. */
FB_API fb_status fb_output_open(const char* file, fb_output* output, fb_error* error);
/* A stream on a duplicate of the descriptor; fclose() it before fb_output_close. NULL, and errno says why. */
FB_API FILE* fb_output_stream(const fb_output* output);
/* A name for a child process that opens the file by name, and inherits the descriptor as `theirs`; fb_free it. */
FB_API fb_status fb_output_child_name(const fb_output* output, int theirs, char** name, fb_error* error);
/* Closes the output: with FB_OK it replaces the target, otherwise it is removed. Returns status, or what went wrong.
 * One that could not be opened, or is closed already, stays so. */
FB_API fb_status fb_output_close(fb_output* output, fb_status status, fb_error* error);

FB_END_DECLS

#endif
