/* xacro.h -- xacro, the macro language of URDF, run as a program of its own where it is installed. */
#ifndef FB_FORMAT_XACRO_H
#define FB_FORMAT_XACRO_H

#include <stddef.h>

#include <freebody/io.h>

/* Replaces the text of a file whose name ends in .xacro by what `xacro FILE` makes of it; others, and those that have no
 * xacro in them, are left alone. Where options->no_programs, by what a copy in options->expanded has of it. *text is malloc'd;
 * on failure it stays as it is. */
fb_status fb_xacro_expand(const char* file, const fb_io_options* options, char** text, size_t* size,
                          fb_error* error);

#endif
