/* error.h -- how the library fills an fb_error. */
#ifndef FB_BASE_ERROR_H
#define FB_BASE_ERROR_H

#include <freebody/status.h>

#if defined(__GNUC__)
#define FB_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FB_PRINTF(text, first)
#endif

/* Sets status and text, clears file, path and place, and returns status. error may be NULL. */
FB_API fb_status fb_fail(fb_error* error, fb_status status, const char* format, ...) FB_PRINTF(3, 4);

/* Empties an error that somebody else may fill in part. error may be NULL. */
FB_API void fb_error_clear(fb_error* error);

/* Adds what is known of the place to an error already set. Any of them may be NULL or zero. */
FB_API void fb_error_set_place(fb_error* error, const char* file, const char* path, fb_place place);

#endif
