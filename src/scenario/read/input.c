/* input.c -- the files that a scenario is made of: models, scripts and plugins in its folder, and their copies. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/xacro.h"
#include "scenario/read/read.h"
#include "text/files.h"
#include "text/path.h"

char* fb_scenario_copy_name(const char* folder, int index, const char* file, char* buffer, size_t size) {
  const char* slash = strrchr(file, '/');
  const char* base = slash ? slash + 1 : file;
  if (strcmp(file, "-") == 0 || strcmp(file, "standard input") == 0) base = "scenario.yaml";
  int before = snprintf(buffer, size, "%s/%d-", folder, index);
  if (before < 0 || (size_t)before >= size) return buffer;
  char* name = buffer + before;
  snprintf(name, size - (size_t)before, "%s", base);
  for (char* c = name; *c; c++) /* what separates folders, or is no name, where an archive is unpacked */
    if ((unsigned char)*c < 32 || *c == 127 || strchr("\\:*?\"<>|", *c)) *c = '_';
  return buffer;
}

fb_status fb_scenario_write(const fb_scenario* s, const char* folder, fb_error* error) {
  char name[4096];
  fb_status status = FB_OK;
  for (size_t i = 0; i < s->input_count && !status; i++)
    status =
        fb_file_write_regular(fb_scenario_copy_name(folder, (int)i, s->inputs[i].file, name, sizeof name),
                              s->inputs[i].text, s->inputs[i].size, error);
  return status;
}

/* Where the input is read, as memory of its own: NULL without it. */
static char* place_of(const fb_scenario* s, int index, const char* file) {
  char copy[4096];
  const char* from = s->copies ? fb_scenario_copy_name(s->copies, index, file, copy, sizeof copy) : file;
  char* place = malloc(strlen(from) + 1);
  return place ? strcpy(place, from) : NULL;
}

/* How large it may be. */
static size_t most_of(const char* what) {
  return strcmp(what, "plugin") == 0 || strcmp(what, "mesh") == 0 ? FB_MOST_BINARY : FB_MOST_TEXT;
}

/* Takes `file` over, also after an error. */
static fb_status read_owned(fb_scenario* s, const fb_node* node, char* file, const char* what, int* index,
                            fb_error* error) {
  if (!file || !fb_grow(&s->inputs, s->input_count, 1, &s->input_room, sizeof *s->inputs)) {
    free(file);
    return fb_scenario_no_memory(error);
  }
  *index = (int)s->input_count++;
  fb_scenario_input* input = &s->inputs[*index];
  *input = (fb_scenario_input){.file = file, .from = place_of(s, *index, file)};
  if (!input->from) return fb_scenario_no_memory(error);
  fb_error reason;
  fb_status status = fb_file_read_most(input->from, most_of(what), &input->text, &input->size, &reason);
  if (!status && strcmp(what, "model file") == 0 && !s->copies) /* a copy is what xacro made of it */
    status = fb_xacro_expand(input->from, &s->io, &input->text, &input->size, &reason);
  if (status)
    return fb_node_fail(node, error, status, "the %s '%.200s' cannot be read: %s", what, input->from,
                        reason.text);
  return FB_OK;
}

fb_status fb_scenario_read_file(fb_scenario* s, const fb_node* node, const char* file, const char* what,
                                int* index, fb_error* error) {
  const char* folder = strcmp(file, "-") == 0 ? "./" : ""; /* a file of that name, and not standard input */
  return read_owned(s, node, fb_path_beside(folder, file), what, index, error);
}

fb_status fb_scenario_read_input(fb_scenario* s, const fb_node* node, const char* what, int* index,
                                 fb_error* error) {
  const char* text;
  fb_status status = fb_node_string(node, &text, error);
  if (status) return status;
  if (!text[0] || strcmp(text, "-") == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "expected the name of a %s", what);
  return read_owned(s, node, fb_path_beside(s->folder_of, text), what, index, error);
}
