/* error.c -- filling and printing fb_error, with texts cut at the end, never overrun. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <freebody/status.h>

/* Copies text into buffer[size]; a text that does not fit ends in "...". */
static void copy_text(char* buffer, size_t size, const char* text) {
  int n = snprintf(buffer, size, "%s", text);
  if (n >= (int)size && size > 4) memcpy(buffer + size - 4, "...", 4);
}

fb_status fb_fail(fb_error* error, fb_status status, const char* format, ...) {
  if (!error) return status;
  memset(error, 0, sizeof *error);
  error->status = status;
  va_list args;
  va_start(args, format);
  int n = vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  if (n >= (int)sizeof error->text) memcpy(error->text + sizeof error->text - 4, "...", 4);
  return status;
}

void fb_error_clear(fb_error* error) {
  if (!error) return;
  error->status = FB_OK;
  error->place = (fb_place){0, 0};
  error->file[0] = error->path[0] = error->text[0] = 0;
}

void fb_error_set_place(fb_error* error, const char* file, const char* path, fb_place place) {
  if (!error) return;
  if (file) copy_text(error->file, sizeof error->file, file);
  if (path) copy_text(error->path, sizeof error->path, path);
  if (place.line > 0) error->place = place;
}

char* fb_error_format(const fb_error* error, char* buffer, size_t size) {
  if (size == 0) return buffer;
  char where[48] = "";
  if (error->place.line > 0 && error->place.column > 0)
    snprintf(where, sizeof where, "%d:%d: ", error->place.line, error->place.column);
  else if (error->place.line > 0)
    snprintf(where, sizeof where, "%d: ", error->place.line);
  snprintf(buffer, size, "%s%s%s%s%s%s", error->file, error->file[0] ? (where[0] ? ":" : ": ") : "", where,
           error->path, error->path[0] ? ": " : "",
           error->text[0] ? error->text : fb_status_meaning(error->status));
  return buffer;
}
