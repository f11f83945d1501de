/* status.h -- status codes, and errors that say what, where and what to do.
 *
 * Set-up and I/O return fb_status and fill an fb_error (which may be NULL). Hot functions
 * return nothing. The library never prints and never exits. */
#ifndef FREEBODY_STATUS_H
#define FREEBODY_STATUS_H

#include <stddef.h>

#include <freebody/export.h>

#define FB_STATUS_LIST(X)                                        \
  X(FB_OK, "ok")                                                 \
  X(FB_ERR_ARG, "argument out of range")                         \
  X(FB_ERR_MEMORY, "out of memory, or buffer too small")         \
  X(FB_ERR_NOT_FINITE, "number is not finite")                   \
  X(FB_ERR_NAME, "name is missing, repeated or unknown")         \
  X(FB_ERR_TREE, "bodies do not form trees rooted in the world") \
  X(FB_ERR_INERTIA, "mass or inertia is not physical")           \
  X(FB_ERR_JOINT, "joint is not valid")                          \
  X(FB_ERR_STATE, "state does not fit the model")                \
  X(FB_ERR_SYNTAX, "file cannot be parsed")                      \
  X(FB_ERR_CONTENT, "file content is not valid")                 \
  X(FB_ERR_UNSUPPORTED, "not supported")                         \
  X(FB_ERR_IO, "file cannot be read or written")                 \
  X(FB_ERR_NO_SOLUTION, "no solution found")

#define FB_STATUS_AS_ENUM(code, text) code,
typedef enum fb_status { FB_STATUS_LIST(FB_STATUS_AS_ENUM) FB_STATUS_COUNT } fb_status;
#undef FB_STATUS_AS_ENUM

/* A position in a file; line 0: unknown. Both count from 1. */
typedef struct fb_place {
  int line;
  int column;
} fb_place;

typedef struct fb_error {
  fb_status status;
  fb_place place; /* in `file`; line 0 when not known */
  char file[256]; /* as the caller named it, or empty */
  char path[256]; /* position in the document or model, such as bodies[3].joint.axis; or empty */
  char text[768]; /* one or two sentences: what is wrong, with names and numbers, and what to do */
} fb_error;

FB_BEGIN_DECLS

/* A one-line description of the code; "unknown status" out of range. */
FB_API const char* fb_status_meaning(fb_status status);

/* The code's name, "FB_ERR_ARG". */
FB_API const char* fb_status_name(fb_status status);

/* Writes "file:line:column: path: text" (unknown parts are omitted) into buffer, always
 * zero-terminated, and returns buffer. */
FB_API char* fb_error_format(const fb_error* error, char* buffer, size_t size);

/* For code that reports errors, such as blocks, plugins and tools. error may be NULL.
 *
 * Sets status and text, clears file, path and place, and returns status. */
FB_API fb_status fb_fail(fb_error* error, fb_status status, const char* format, ...) FB_PRINTF(3, 4);
/* Clears an error that another function may fill in partially. */
FB_API void fb_error_clear(fb_error* error);
/* Adds a position to an error that is set. file and path may be NULL; line 0 leaves the place unchanged. */
FB_API void fb_error_set_place(fb_error* error, const char* file, const char* path, fb_place place);

/* Frees text or bytes that a call returned in a char** or void**. memory may be NULL. */
FB_API void fb_free(void* memory);

FB_END_DECLS

#endif
