/* change.c -- what --set changes: the scenario's document, or a model that is a file.
 *
 * A path that leads through the name of a model file, as model.bodies.hand.mass, continues inside that file. Such a
 * change is kept until the file is read. A file of the native format is changed as it is written; a model of another
 * format is first written in the native one, so that the names and keys are the same for all. */
#include <stdio.h>
#include <string.h>

#include "base/grow.h"
#include "format/native/native.h"
#include "model/model.h"
#include "scenario/read/read.h"

static const char BARE_PATH[] = "model";

/* Which model's file the node names: an index in `models`, -1 for `model`, or -2 when it names none. */
static int part_of(const fb_doc* doc, const fb_node* node) {
  const fb_node *root = fb_doc_root(doc), *list = fb_map_get(root, "models");
  if (node == fb_map_get(root, "model")) return -1;
  for (int i = 0; list && i < fb_node_count(list); i++)
    if (node == fb_map_get(fb_node_item(list, i), "model")) return i;
  return -2;
}

/* The rest of a path that goes into the model itself, of a scenario that is a bare model; or NULL. */
static const char* into_bare(const fb_scenario* s, const char* assignment) {
  size_t length = sizeof BARE_PATH - 1;
  if (!s->bare || strncmp(assignment, BARE_PATH, length) != 0) return NULL;
  return assignment[length] == '.' ? assignment + length + 1 : NULL;
}

fb_status fb_scenario_keep_change(fb_scenario* s, int part, const char* rest, fb_error* error) {
  const char* kept = fb_scenario_copy_text(s, rest);
  if (!kept || !fb_grow(&s->changes, (size_t)s->nchange, 1, &s->change_room, sizeof *s->changes))
    return fb_scenario_no_memory(error);
  s->changes[s->nchange++] = (fb_scenario_change){part, kept};
  return FB_OK;
}

fb_status fb_scenario_set(fb_scenario* s, const char* assignment, fb_error* error) {
  const char* rest = into_bare(s, assignment);
  int part = rest ? -1 : -2;
  const fb_node* blocked = rest ? NULL : fb_doc_set_blocked(s->doc, assignment, &rest);
  if (blocked) part = part_of(s->doc, blocked);
  return part < -1 ? fb_doc_set(s->doc, assignment, error) : fb_scenario_keep_change(s, part, rest, error);
}

/* The definition written in the native format, as a document. Its lines are in no file. */
static fb_status document_of(const fb_model_def* def, const char* file, fb_doc** doc, fb_error* error) {
  fb_io_options io = fb_default_io_options();
  io.format = FB_FORMAT_JSON;
  char* text;
  size_t size;
  fb_status status = fb_model_def_print(def, &io, &text, &size, error);
  if (status) return status;
  status = fb_doc_parse(text, size, file, doc, error);
  fb_free(text);
  if (!status) fb_doc_forget_places(*doc);
  return status;
}

/* A file of the native format as it is; what is no such document is left to the readers of models. */
static fb_status native_document(const fb_scenario_input* input, fb_doc** doc, fb_error* error) {
  fb_error reason;
  fb_status status = fb_doc_parse(input->text, input->size, input->file, doc, &reason);
  if (status == FB_ERR_MEMORY) return fb_scenario_no_memory(error);
  if (!status && fb_map_get(fb_doc_root(*doc), "freebody") && !fb_map_get(fb_doc_root(*doc), "cases"))
    return FB_OK;
  fb_doc_free(*doc);
  *doc = NULL;
  return FB_OK;
}

/* A message about what was set says which file it was meant for. */
static void name_file(const char* file, fb_error* error) {
  size_t used = strlen(error->text);
  if (strcmp(error->file, "--set") == 0)
    snprintf(error->text + used, sizeof error->text - used, " (in the model file '%.200s')", file);
}

/* What is set is checked like any value; the rest stays as it was read. */
static void keep_repaired(const fb_model_def* read, fb_model_def* def) {
  for (int b = 1; fb_model_def_is_repaired(read, 1) && b < fb_model_def_nbody(def); b++)
    fb_model_def_set_repaired(def, b);
}

fb_status fb_scenario_change_model(const fb_scenario* s, const fb_scenario_input* input,
                                   const fb_io_options* io, int part, fb_model_def** def, fb_error* error) {
  fb_doc* doc = NULL;
  fb_model_def* read = NULL;
  double gravity_w[3] = {0, 0, 0};
  *def = NULL;
  fb_status status = native_document(input, &doc, error);
  if (!status && !doc) {
    status = fb_scenario_parse_model(input, io, &read, error);
    if (!status) fb_model_def_gravity(read, gravity_w);
    if (!status) status = document_of(read, input->file, &doc, error);
  }
  for (int i = 0; i < s->nchange && !status; i++)
    if (s->changes[i].part == part) status = fb_doc_set(doc, s->changes[i].rest, error);
  fb_io_options native = *io;
  if (read) native.base = FB_BASE_AS_FILE; /* it was heeded, and noted, by the reader of the file */
  if (!status) status = fb_native_read(fb_doc_root(doc), &native, def, error);
  if (!status && read) fb_model_def_set_gravity(*def, gravity_w);
  if (!status && read && !fb_map_get(fb_doc_root(doc), "inertia")) keep_repaired(read, *def);
  if (status) name_file(input->file, error);
  fb_model_def_free(read);
  fb_doc_free(doc);
  return status;
}
