/* files.h -- what the library itself needs beyond <freebody/support/files.h>: other bounds, and files of its own choice. */
#ifndef FB_TEXT_FILES_H
#define FB_TEXT_FILES_H

#include <freebody/support/files.h>

/* The most bytes that are read: of models, scenarios and other texts; of meshes and plugins. */
enum { FB_MOST_TEXT = 64 << 20, FB_MOST_BINARY = 256 << 20 };

/* fb_fail with the name of a file. */
FB_API fb_status fb_file_fail(const char* file, fb_error* error, fb_status status, const char* format, ...)
    FB_PRINTF(4, 5);
/* fb_file_read of at most `most` bytes. */
FB_API fb_status fb_file_read_most(const char* file, size_t most, char** text, size_t* size, fb_error* error);
/* fb_file_write and fb_output_open for a name inside a folder that Freebody chose itself: a link, a device or a
 * pipe is refused. */
FB_API fb_status fb_file_write_regular(const char* file, const char* text, size_t size, fb_error* error);
FB_API fb_status fb_output_open_regular(const char* file, fb_output* output, fb_error* error);

#endif
