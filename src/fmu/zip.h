/* zip.h -- a zip archive made in memory. */
#ifndef FB_FMU_ZIP_H
#define FB_FMU_ZIP_H

#include <stddef.h>

#include <freebody/status.h>
#include <freebody/text.h>

/* Start with {0}; fb_zip_finish gives the bytes. */
typedef struct fb_zip {
  fb_text data;      /* local headers and contents */
  fb_text directory; /* the central directory */
  int count;
} fb_zip;

/* Adds a file of at most 1 GiB. executable: its permissions on Unix. */
fb_status fb_zip_add(fb_zip* zip, const char* name, const void* bytes, size_t size, int executable,
                     fb_error* error);
/* The archive; free it with fb_free. zip is then empty. */
fb_status fb_zip_finish(fb_zip* zip, char** bytes, size_t* size, fb_error* error);
void fb_zip_drop(fb_zip* zip);

#endif
