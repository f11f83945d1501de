/* load.c -- reads a model file of any format (or the model inside an evaluation file) and builds it. */
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "guard.h"

void cmd_out_of_memory(void) {
  fprintf(stderr, "freebody: out of memory\n");
  cmd_guard_exit(FB_EXIT_FAILED);
}

void* cmd_take(size_t count, size_t size) {
  void* memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory) cmd_out_of_memory();
  return memory;
}

char* cmd_copy(const char* text) {
  return strcpy(cmd_take(strlen(text) + 1, 1), text);
}

void cmd_grow(void* array, size_t count, size_t* room, size_t size) {
  if (count < *room) return;
  void* data;
  memcpy(&data, array, sizeof data); /* the caller's pointer may be of another type than void* */
  *room = *room ? 2 * *room : 4;
  data = realloc(data, *room * size);
  if (!data) cmd_out_of_memory();
  memcpy(array, &data, sizeof data);
}

const char* cmd_shown_name(const char* file) {
  return strcmp(file, "-") == 0 ? "standard input" : file;
}

int cmd_note_is_minor(const char* text) {
  return strncmp(text, "minor: ", 7) == 0;
}

typedef struct note_counter {
  const fb_io_options* options; /* the caller's, or NULL */
  int count;
} note_counter;

static void count_note(void* user, const char* text) {
  note_counter* counter = (note_counter*)user;
  if (!cmd_note_is_minor(text)) counter->count++;
  if (counter->options && counter->options->note) counter->options->note(counter->options->note_user, text);
}

fb_status cmd_load_text(const char* text, size_t size, const char* file, const fb_io_options* options,
                        cmd_loaded* out, fb_error* error) {
  memset(out, 0, sizeof *out);
  fb_model_def* def = NULL;
  note_counter counter = {options, 0};
  fb_io_options counting = options ? *options : fb_default_io_options();
  counting.note = count_note;
  counting.note_user = &counter;
  fb_model_origin origin;
  fb_status status =
      fb_model_def_parse_origin(text, size, cmd_shown_name(file), &counting, &def, &origin, error);
  if (status == FB_OK) status = fb_model_build(def, NULL, &out->model, error);
  fb_model_def_free(def);
  if (status != FB_OK) {
    if (!error->file[0]) fb_error_set_place(error, cmd_shown_name(file), NULL, (fb_place){0, 0});
    return status;
  }
  out->def = fb_model_definition(out->model);
  out->format = fb_model_origin_name(&origin);
  out->notes = counter.count;
  return FB_OK;
}

fb_status cmd_load(const char* file, const fb_io_options* options, cmd_loaded* out, fb_error* error) {
  memset(out, 0, sizeof *out);
  char* text = NULL;
  size_t size = 0;
  fb_status status = fb_model_file_read(file, options, &text, &size, error);
  if (status == FB_OK) status = cmd_load_text(text, size, file, options, out, error);
  free(text);
  return status;
}

void cmd_unload(cmd_loaded* loaded) {
  fb_model_free(loaded->model);
  memset(loaded, 0, sizeof *loaded);
}
