/* check_errors.c -- the errors that `check` finds in one file. See check_errors.h. */
#include "model/check_errors.h"

#include <stdlib.h>
#include <string.h>

static int is_same(const fb_error* a, const fb_error* b) {
  return strcmp(a->file, b->file) == 0 && a->place.line == b->place.line &&
         a->place.column == b->place.column && strcmp(a->text, b->text) == 0;
}

/* The errors of a file belong together, in the order of their lines; files are in the order in which they were read. */
static int is_before(const cmd_errors* list, const fb_error* error, int index) {
  const fb_error* other = &list->errors[index];
  if (strcmp(error->file, other->file) != 0) {
    for (int i = index; i < list->count; i++)
      if (strcmp(list->errors[i].file, error->file) == 0) return 0;
    return index > 0 && strcmp(list->errors[index - 1].file, error->file) == 0;
  }
  if (error->place.line != other->place.line) return error->place.line < other->place.line;
  return error->place.column < other->place.column;
}

int cmd_errors_keep(void* user, const fb_error* given) {
  cmd_errors* list = (cmd_errors*)user;
  fb_error error = *given;
  if (!error.file[0]) fb_error_set_place(&error, list->file, NULL, (fb_place){0, 0});
  if (!list->errors) list->errors = cmd_take(FB_ERRORS_KEPT, sizeof *list->errors);
  for (int i = 0; i < list->count; i++)
    if (is_same(&list->errors[i], &error)) return 1;
  if (list->count == FB_ERRORS_KEPT) return 0;
  int at = 0;
  while (at < list->count && !is_before(list, &error, at)) at++;
  memmove(list->errors + at + 1, list->errors + at, (size_t)(list->count++ - at) * sizeof error);
  list->errors[at] = error;
  return list->count < FB_ERRORS_KEPT;
}

void cmd_errors_print(const cmd_app* app, cmd_errors* list) {
  int shown = list->count < FB_ERRORS_SHOWN ? list->count : FB_ERRORS_SHOWN;
  const char* more = list->count == FB_ERRORS_KEPT ? " or more" : "";
  for (int i = 0; i < shown; i++) cmd_print_error(app, &list->errors[i]);
  if (list->count > shown)
    cmd_message("%s: %d errors%s, of which %d are shown", list->file, list->count, more, shown);
  else if (list->count > 1)
    cmd_message("%s: %d errors", list->file, list->count);
  free(list->errors);
}
