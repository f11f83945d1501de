/* read.c -- reading scenario files: from text to a scenario whose every part was checked.
 *
 * The document is parsed, changed by the overrides, and read part by part by the table of scenario/schema.c; at
 * the end a simulation is made and freed, so that what would fail when a run starts fails here. A bare model
 * is read as a scenario that has no other keys. */
#include <freebody/support/files.h>
#include <freebody/scenario.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cookie.h"
#include "base/grow.h"
#include "format/spacedyn/spacedyn.h"
#include "format/xml/xml.h"
#include "scenario/build/build.h"
#include "scenario/read/read.h"
#include "sim/instant.h"

static const char STANDARD_INPUT[] = "standard input";

fb_scenario_options fb_default_scenario_options(void) {
  return (fb_scenario_options){.duration = -1, .io = fb_default_io_options(), .cookie_ = FB_COOKIE};
}

/* --- the document --- */

/* What is wrong with the document is said by who reads it; that memory ran out must not make it something else. */
fb_status fb_scenario_detect(const char* text, size_t size, int* found, fb_error* error) {
  fb_doc* doc;
  *found = 0;
  if (fb_xml_starts(text, size) || fb_spacedyn_def_is(text, size) || !strstr(text, "scenario")) return FB_OK;
  fb_status status = fb_doc_parse(text, size, "", &doc, error);
  if (status) return status == FB_ERR_MEMORY ? status : FB_OK;
  *found = fb_map_get(fb_doc_root(doc), "scenario") != NULL;
  fb_doc_free(doc);
  return FB_OK;
}

/* A scenario's document, or that of a bare model, which says nothing. */
static fb_status parse_document(fb_scenario* s, const char* text, size_t size, const char* file,
                                fb_error* error) {
  static const char nothing[] = "scenario: 1";
  int xml = fb_xml_starts(text, size) || fb_spacedyn_def_is(text, size); /* not YAML, so a model */
  fb_status status = xml ? FB_OK : fb_doc_parse(text, size, file, &s->doc, error);
  if (status) return status;
  const fb_node* root = xml ? NULL : fb_doc_root(s->doc);
  if (root && fb_map_get(root, "scenario")) return FB_OK;
  s->bare = s->inputs[0].is_model = 1;
  fb_doc_free(s->doc);
  s->doc = NULL;
  return fb_doc_parse(nothing, sizeof nothing - 1, file, &s->doc, error);
}

/* A model that stands in the scenario needs no version of its own. */
static fb_status complete_model(fb_doc* doc, const fb_node* model, const char* path, fb_error* error) {
  char text[64];
  if (!model || fb_node_get_kind(model) != FB_NODE_MAP || fb_map_get(model, "freebody")) return FB_OK;
  snprintf(text, sizeof text, "%s.freebody=1", path);
  return fb_doc_set(doc, text, error);
}

static fb_status complete_models(fb_doc* doc, fb_error* error) {
  fb_status status = complete_model(doc, fb_map_get(fb_doc_root(doc), "model"), "model", error);
  for (int i = 0; !status; i++) {
    char path[40];
    const fb_node* list = fb_map_get(fb_doc_root(doc), "models");
    if (!list || fb_node_get_kind(list) != FB_NODE_LIST || i >= fb_node_count(list)) break;
    snprintf(path, sizeof path, "models[%d].model", i);
    status = complete_model(doc, fb_map_get(fb_node_item(list, i), "model"), path, error);
  }
  return status;
}

/* --- reading --- */

/* The file's name without its folder and its ending. */
static const char* name_of_file(fb_scenario* s, const char* file) {
  const char* slash = strrchr(file, '/');
  const char* base = slash ? slash + 1 : file;
  const char* dot = strrchr(base, '.');
  return fb_scenario_print(s, "%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static fb_status read_top(fb_scenario* s, const fb_fields* values, fb_error* error) {
  fb_scenario_top top = {NULL, 10, 0};
  s->name = name_of_file(s, s->inputs[0].file);
  if (!s->name) return fb_scenario_no_memory(error);
  s->duration = top.duration;
  s->checkpoint = top.duration / 20;
  fb_status status = fb_fields_read(values, 0, &top, error);
  if (!status) status = fb_fields_check_version(values, "scenario", error);
  if (status) return status;
  if (!(s->reading.duration < 0)) top.duration = s->reading.duration;
  if (!(top.duration >= FB_SHORTEST_TIME && top.duration <= 1e12))
    return fb_fail(error, FB_ERR_ARG, "the duration is %g s, but must be at least %g s and at most 1e12 s",
                   top.duration, FB_SHORTEST_TIME);
  s->duration = top.duration;
  s->checkpoint_given = top.checkpoint > 0;
  s->checkpoint = s->checkpoint_given ? top.checkpoint : top.duration / 20;
  if (s->checkpoint < 1e-9 * s->duration)
    return fb_node_fail(fb_fields_value(values, "checkpoint"), error, FB_ERR_CONTENT,
                        "a period of %g s over %g s gives more than 1e9 checkpoints; choose a longer one",
                        s->checkpoint, s->duration);
  if (top.name) s->name = top.name;
  return FB_OK;
}

/* What comes from standard input has no file to be named after. */
static fb_status name_by_model(fb_scenario* s, const fb_fields* values, fb_error* error) {
  if (strcmp(s->inputs[0].file, STANDARD_INPUT) != 0 || fb_fields_value(values, "name")) return FB_OK;
  const char* name = fb_model_name(s->model);
  s->name = fb_scenario_print(s, "%s", name[0] ? name : "scenario");
  return s->name ? FB_OK : fb_scenario_no_memory(error);
}

/* The parts, in order: their names, their readers, and which others one needs. Without those its errors would be consequences
 * of theirs. */
#define PARTS(X)                                                                                       \
  X(MODELS, fb_scenario_read_models, 0)                                                                \
  X(ENVIRONMENT, fb_scenario_read_environment, BIT(MODELS))                                            \
  X(MODES, fb_scenario_read_modes, 0)                                                                  \
  X(START, fb_scenario_read_start, BIT(MODELS))                                                        \
  X(MOTIONS, fb_scenario_read_motions, BIT(MODELS))                                                    \
  X(LOOPS, fb_scenario_close_loops, BIT(MODELS) | BIT(START) | BIT(MOTIONS))                           \
  X(MOMENTUM, fb_scenario_zero_momentum, BIT(MODELS) | BIT(START) | BIT(MOTIONS) | BIT(LOOPS))         \
  X(CONTROL, fb_scenario_read_control, BIT(MODELS) | BIT(MODES))                                       \
  X(FORCES, fb_scenario_read_forces, BIT(MODELS) | BIT(MODES))                                         \
  X(MATERIALS, fb_scenario_read_materials, 0)                                                          \
  X(SURFACES, fb_scenario_read_surfaces, BIT(MODELS) | BIT(MATERIALS))                                 \
  X(CONTACTS, fb_scenario_read_contacts, BIT(MODELS) | BIT(MATERIALS) | BIT(SURFACES))                 \
  X(IDLE, fb_scenario_lock_idle, BIT(MODELS) | BIT(START) | BIT(MOTIONS) | BIT(CONTROL) | BIT(FORCES)) \
  X(EVENTS, fb_scenario_read_events,                                                                   \
    BIT(MODELS) | BIT(MODES) | BIT(MOTIONS) | BIT(CONTROL) | BIT(FORCES) | BIT(CONTACTS))              \
  X(STOPS, fb_scenario_read_stops, BIT(MODELS) | BIT(EVENTS))                                          \
  X(INTEGRATOR, fb_scenario_read_integrator, BIT(MODELS) | BIT(ENVIRONMENT) | BIT(CONTACTS))           \
  X(LOG, fb_scenario_read_log, BIT(MODELS) | BIT(CONTACTS))                                            \
  X(VIEW, fb_scenario_read_view, BIT(MODELS))

#define BIT(part) (1u << (part))
#define NAME(name, read, needs) name,
enum { PARTS(NAME) NPART };
#define ROW(name, read, needs) {read, needs},
static const struct {
  fb_status (*read)(fb_scenario* s, const fb_fields* values, fb_error* error);
  unsigned needs;
} ROWS[NPART] = {PARTS(ROW)};

static fb_status read_parts(fb_scenario* s, const fb_fields* values, fb_error* error) {
  unsigned failed = 0;
  fb_status status = FB_OK;
  for (int i = 0; i < NPART && !status; i++) {
    int before = s->failures;
    if (!(failed & ROWS[i].needs)) status = fb_scenario_go_on(s, ROWS[i].read(s, values, error), error);
    if (s->failures > before) failed |= BIT(i);
  }
  return status;
}

/* What a run would refuse when it starts. */
static fb_status try_start(fb_scenario* s, fb_error* error) {
  fb_sim* sim;
  fb_error unused;
  fb_status status = fb_scenario_try_sim(s, &sim, error);
  if (status == FB_ERR_NO_SOLUTION && fb_scenario_lock_slow(s, &unused))
    status = fb_scenario_try_sim(s, &sim, error);
  if (!status) fb_sim_free(sim);
  return status;
}

/* All that the document says. */
static fb_status read_all(fb_scenario* s, fb_error* error) {
  fb_fields values;
  fb_status status = complete_models(s->doc, error);
  if (!status && s->io.complain &&
      !fb_schema_complain(fb_doc_root(s->doc), &fb_scenario_schema, FB_SCENARIO_SCENARIO, s->io.complain,
                          s->io.complain_user))
    status = fb_scenario_no_memory(error);
  if (!status)
    status = fb_scenario_go_on(
        s, fb_fields_collect(fb_doc_root(s->doc), &fb_scenario_schema, FB_SCENARIO_SCENARIO, &values, error),
        error);
  if (!status) status = fb_scenario_go_on(s, read_top(s, &values, error), error);
  if (!status) status = read_parts(s, &values, error);
  if (s->failures > 0 && !status) {
    *error = s->first;
    return s->first.status;
  }
  if (!status) status = name_by_model(s, &values, error);
  s->is_read = 1;
  if (!status) status = try_start(s, error);
  return status;
}

static fb_scenario* new_scenario(const char* text, size_t size, const char* file) {
  fb_scenario* s = calloc(1, sizeof *s);
  if (!s || !fb_grow(&s->inputs, 0, 1, &s->input_room, sizeof *s->inputs)) {
    free(s);
    return NULL;
  }
  fb_scenario_input input = {.file = malloc(strlen(file) + 1), .text = malloc(size + 1), .size = size};
  s->inputs[s->input_count++] = input;
  if (!input.file || !input.text) {
    fb_scenario_free(s);
    return NULL;
  }
  memcpy(input.file, file, strlen(file) + 1);
  memcpy(input.text, text, size);
  input.text[size] = '\0';
  return s;
}

/* Copies how it is read; `more` is one further override, or NULL. */
static int keep_options(fb_scenario* s, const char* file, const fb_scenario_options* options,
                        const char* more) {
  size_t count = 0;
  while (options->set && options->set[count]) count++;
  s->io = options->io;
  s->folder_of = s->inputs[0].file;
  s->copies = options->inputs;
  s->reading.duration = options->duration;
  s->reading.base = options->io.base;
  s->reading.inertia = options->io.inertia;
  s->reading.mimic = options->io.mimic;
  s->reading.plant = options->plant;
  s->reading.file = fb_scenario_copy_text(s, file);
  s->reading.set = fb_scenario_alloc(s, count + 2, sizeof *s->reading.set);
  for (size_t i = 0; s->reading.set && i < count + (more != NULL); i++) {
    s->reading.set[i] = fb_scenario_copy_text(s, i < count ? options->set[i] : more);
    if (!s->reading.set[i]) return 0;
  }
  return s->reading.file && s->reading.set;
}

/* A scenario without its document. */
static fb_status begin(const char* text, size_t size, const char* file, const fb_scenario_options* options,
                       const char* more, fb_scenario** scenario, fb_error* error) {
  *scenario = new_scenario(text, size, strcmp(file, "-") == 0 ? STANDARD_INPUT : file);
  if (*scenario && keep_options(*scenario, file, options, more)) return FB_OK;
  fb_scenario_free(*scenario);
  *scenario = NULL;
  fb_scenario_no_memory(error);
  return FB_ERR_MEMORY;
}

fb_status fb_scenario_open(const char* text, size_t size, const char* file,
                           const fb_scenario_options* options, fb_scenario** scenario, fb_error* error) {
  *scenario = NULL;
  if (fb_cookie_check(options->cookie_, "scenario_options", error) ||
      fb_cookie_check(options->io.cookie_, "io_options", error))
    return FB_ERR_ARG;
  fb_status status = begin(text, size, file, options, NULL, scenario, error);
  if (status) return status;
  fb_scenario* s = *scenario;
  status = parse_document(s, text, size, s->inputs[0].file, error);
  for (int i = 0; s->reading.set[i] && !status; i++) status = fb_scenario_set(s, s->reading.set[i], error);
  return status;
}

fb_status fb_scenario_reopen(fb_scenario* from, const fb_scenario_options* options, const char* set,
                             fb_scenario** scenario, fb_error* error) {
  const fb_scenario_input* input = &from->inputs[0];
  fb_status status = begin(input->text, input->size, from->reading.file, options, set, scenario, error);
  if (status) return status;
  fb_scenario* s = *scenario;
  s->reading.plant = from->reading.plant;
  s->bare = s->inputs[0].is_model = from->bare;
  s->doc = from->doc;
  from->doc = NULL;
  for (int i = 0; i < from->nchange && !status; i++)
    status = fb_scenario_keep_change(s, from->changes[i].part, from->changes[i].rest, error);
  return status ? status : fb_scenario_set(s, set, error);
}

fb_status fb_scenario_close(fb_scenario* s, fb_status status, fb_scenario** scenario, fb_error* error) {
  if (!status) status = read_all(s, error);
  *scenario = status ? NULL : s;
  if (s) s->io = fb_default_io_options();
  if (s) s->folder_of = s->copies = NULL;
  if (status && s && !error->file[0]) fb_error_set_place(error, s->inputs[0].file, NULL, (fb_place){0, 0});
  if (status) fb_scenario_free(s);
  return status;
}

/* A NULL error would be read here and there. */
fb_status fb_scenario_parse(const char* text, size_t size, const char* file, const fb_scenario_options* given,
                            fb_scenario** scenario, fb_error* error) {
  fb_error unused;
  if (!error) error = &unused;
  fb_scenario_options options = given ? *given : fb_default_scenario_options();
  fb_scenario* s;
  fb_status status = fb_scenario_open(text, size, file, &options, &s, error);
  return fb_scenario_close(s, status, scenario, error);
}

fb_status fb_scenario_read(const char* file, const fb_scenario_options* options, fb_scenario** scenario,
                           fb_error* error) {
  char *text = NULL, copy[4096];
  size_t size = 0;
  *scenario = NULL;
  const char* from = file;
  if (options && options->inputs) from = fb_scenario_copy_name(options->inputs, 0, file, copy, sizeof copy);
  fb_status status = fb_file_read(from, &text, &size, error);
  if (!status) status = fb_scenario_parse(text, size, file, options, scenario, error);
  free(text);
  return status;
}
