/* files.h -- whole files read and written, with bounds and without half-written results. */
#ifndef FB_TEXT_FILES_H
#define FB_TEXT_FILES_H

#include <stddef.h>

#include <freebody/status.h>

/* The most bytes that are read: of models, scenarios and other texts; of meshes and plugins. */
enum { FB_MOST_TEXT = 64 << 20, FB_MOST_BINARY = 256 << 20 };

/* Reads a whole file ("-" standard input) of at most FB_MOST_TEXT bytes into malloc'd memory ended with a zero.
 * FB_ERR_IO for what is larger, and for what is not an ordinary file: a device, a pipe. */
fb_status fb_read_file(const char* file, char** text, size_t* size, fb_error* error);
/* The same of at most `most` bytes. */
fb_status fb_read_file_most(const char* file, size_t most, char** text, size_t* size, fb_error* error);
/* Writes beside the file and then puts the new one in its place: a failure leaves the old file as it was. "-" is
 * standard output. */
fb_status fb_write_file(const char* file, const char* text, size_t size, fb_error* error);
/* The same for a name inside a run folder that Freebody chose itself: a link is refused instead of followed. */
fb_status fb_write_own_file(const char* file, const char* text, size_t size, fb_error* error);

#endif
