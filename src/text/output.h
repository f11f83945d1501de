/* output.h -- an output file that appears whole or not at all. */
#ifndef FB_TEXT_OUTPUT_H
#define FB_TEXT_OUTPUT_H

#include <stdio.h>

#include <freebody/status.h>

typedef struct fb_output {
  const char* shown; /* what the user named; the caller's */
  char* target;      /* the same with links followed */
  char* temporary;   /* beside it; NULL for a device or pipe, written straight */
  unsigned mode;     /* permissions of the file that is replaced; 0: none */
  int descriptor;    /* of the temporary file, to read and write, or of the device or pipe, to write */
} fb_output;

/* Opens an empty file beside the one that the user named, or the device or pipe itself; a link is followed. */
fb_status fb_output_open(const char* file, fb_output* output, fb_error* error);
/* The same for a name inside a run folder that Freebody chose itself: a link, a device or a pipe is refused. */
fb_status fb_output_open_own(const char* file, fb_output* output, fb_error* error);
/* FB_ERR_IO when the file is a link, with where it points; `instead` is what one may do other than remove it, or "". */
fb_status fb_refuse_link(const char* file, const char* instead, fb_error* error);

/* A stream on a copy of the descriptor, which is closed apart from it; NULL, and errno says why. */
FILE* fb_output_stream(const fb_output* output);
/* A name for a child process that opens the file by name, and inherits the descriptor as `theirs`; free() it. */
fb_status fb_output_child_name(const fb_output* output, int theirs, char** name, fb_error* error);

/* Ends it: with FB_OK the file takes its place, otherwise it is removed. Returns status, or what went wrong. */
fb_status fb_output_close(fb_output* output, fb_status status, fb_error* error);

#endif
