/* files.h -- what the library itself needs beyond <freebody/files.h>: other bounds, and files of its own choice. */
#ifndef FB_TEXT_FILES_H
#define FB_TEXT_FILES_H

#include <freebody/files.h>

/* The most bytes that are read: of models, scenarios and other texts; of meshes and plugins. */
enum { FB_MOST_TEXT = 64 << 20, FB_MOST_BINARY = 256 << 20 };

/* fb_file_read of at most `most` bytes. */
fb_status fb_file_read_most(const char* file, size_t most, char** text, size_t* size, fb_error* error);
/* fb_file_write and fb_output_open for a name inside a folder that Freebody chose itself: a link, a device or a
 * pipe is refused. */
fb_status fb_file_write_own(const char* file, const char* text, size_t size, fb_error* error);
fb_status fb_output_open_own(const char* file, fb_output* output, fb_error* error);

#endif
