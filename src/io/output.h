/* output.h -- an output file that appears whole or not at all. */
#ifndef FB_IO_OUTPUT_H
#define FB_IO_OUTPUT_H

#include <freebody/status.h>

typedef struct fb_output {
  const char* shown; /* what the user named; the caller's */
  char* target;      /* the same with links followed */
  char* temporary;   /* beside it; NULL for a device or pipe, written straight */
  unsigned mode;     /* permissions of the file that is replaced; 0: none */
} fb_output;

/* Chooses the name to write to, fb_output_name, and makes an empty file of it. */
fb_status fb_output_open(const char* file, fb_output* output, fb_error* error);
const char* fb_output_name(const fb_output* output);
/* Ends it: with FB_OK the file takes its place, otherwise it is removed. Returns status, or what went wrong. */
fb_status fb_output_close(fb_output* output, fb_status status, fb_error* error);

#endif
