/* files.h -- reading and writing whole files, and atomic output files (libfreebody_support; POSIX). */
#ifndef FREEBODY_SUPPORT_FILES_H
#define FREEBODY_SUPPORT_FILES_H

#include <stddef.h>
#include <stdio.h>

#include <freebody/export.h>
#include <freebody/status.h>

/* A file that is written under a temporary name in the folder of its target and replaces the target when complete. */
typedef struct fb_output {
  char* shown;     /* the name given to fb_output_open */
  char* target;    /* the same with links resolved */
  char* temporary; /* in the same folder; NULL for a device or pipe, which is written directly */
  unsigned mode;   /* permissions of the file that is replaced; 0: there is none */
  int descriptor;  /* of the temporary file, for reading and writing, or of the device or pipe, for writing */
} fb_output;

FB_BEGIN_DECLS

/* Reads a whole file ("-": standard input) of at most 64 MiB into zero-terminated memory; free it with fb_free.
 * FB_ERR_IO for a larger file, and for a device or pipe. */
FB_API fb_status fb_file_read(const char* file, char** text, size_t* size, fb_error* error);
/* Writes a whole file ("-": standard output) atomically, as fb_output does: on failure the old file is unchanged. */
FB_API fb_status fb_file_write(const char* file, const char* text, size_t size, fb_error* error);
/* FB_ERR_IO when the file is a link, which files that Freebody names itself, as in a run folder, must not be. The message
 * names the target and says to
 * remove the link; `instead` is an alternative to append, such as ", or choose another folder", or "". */
FB_API fb_status fb_file_refuse_link(const char* file, const char* instead, fb_error* error);

/* Opens an empty temporary file for the one named, or the device or pipe itself; links are followed. */
FB_API fb_status fb_output_open(const char* file, fb_output* output, fb_error* error);
/* A stream on a duplicate of the descriptor; fclose() it before fb_output_close. NULL on failure, with errno set. */
FB_API FILE* fb_output_stream(const fb_output* output);
/* A name by which a child process that inherits the descriptor as number `theirs` can open the file; free it with
 * fb_free. */
FB_API fb_status fb_output_child_name(const fb_output* output, int theirs, char** name, fb_error* error);
/* Closes the output: if status is FB_OK it replaces the target, otherwise it is removed. Returns status, or the error
 * of closing. An output that could not be opened, or is closed already, is left as it is. */
FB_API fb_status fb_output_close(fb_output* output, fb_status status, fb_error* error);

FB_END_DECLS

#endif
