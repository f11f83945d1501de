/* scenario.c -- reading scenario files: from text to a scenario whose every part was checked.
 *
 * The document is parsed, changed by the overrides, and read part by part by the table of scenario/schema.c; at
 * the end a simulation is made and thrown away, so that what would fail when a run starts fails here. A bare model
 * is the scenario that says nothing but its version. */
#include <freebody/files.h>
#include <freebody/scenario.h>
#include <freebody/words.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/notes.h"
#include "format/spacedyn/spacedyn.h"
#include "format/xml/xml.h"
#include "scenario/scenario.h"

enum { COOKIE = 0x0fb5c };

static const char STANDARD_INPUT[] = "standard input";

fb_scenario_options fb_default_scenario_options(void) {
  return (fb_scenario_options){.duration = -1, .io = fb_default_io_options(), .cookie_ = COOKIE};
}

/* --- owning --- */

fb_status fb_scenario_no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while the scenario was read");
}

fb_status fb_scenario_go_on(fb_scenario* s, fb_status status, fb_error* error) {
  if (!status || !fb_io_go_on(&s->io, status, error)) return status;
  if (s->failures++ == 0) s->first = *error;
  return FB_OK;
}

int fb_scenario_own(fb_scenario* s, void* memory, void (*release)(void* memory)) {
  if (!fb_grow(&s->owned, s->owned_count, 1, &s->owned_room, sizeof *s->owned)) {
    release(memory);
    return 0;
  }
  s->owned[s->owned_count++] = (fb_owned){memory, release};
  return 1;
}

void* fb_scenario_take(fb_scenario* s, size_t count, size_t size) {
  void* memory = calloc(count ? count : 1, size);
  return memory && fb_scenario_own(s, memory, free) ? memory : NULL;
}

const char* fb_scenario_text(fb_scenario* s, const char* text) {
  char* copy = fb_scenario_take(s, strlen(text) + 1, 1);
  return copy ? strcpy(copy, text) : NULL;
}

const char* fb_scenario_print(fb_scenario* s, const char* format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fb_scenario_text(s, text);
}

void fb_scenario_free(fb_scenario* s) {
  if (!s) return;
  for (size_t i = 0; i < s->owned_count; i++) s->owned[i].free(s->owned[i].memory);
  free(s->owned);
  for (size_t i = 0; i < s->input_count; i++) {
    free(s->inputs[i].file);
    free(s->inputs[i].text);
    free(s->inputs[i].from);
  }
  free(s->inputs);
  free(s->changes);
  free(s->motions);
  free(s->blocks);
  free(s->faces);
  free(s->events);
  free(s->limits);
  free(s->surfaces);
  free(s->meshes);
  free(s->signals);
  fb_model_free(s->model);
  fb_doc_free(s->doc);
  free(s);
}

/* --- the document --- */

/* What is wrong with the document is said by who reads it; that memory ran out must not make it something else. */
fb_status fb_scenario_is(const char* text, size_t size, int* found, fb_error* error) {
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

static fb_status check_version(const fb_node* node, fb_error* error) {
  int version;
  fb_status status = fb_node_int(node, &version, error);
  if (status || version == FB_SCENARIO_VERSION) return status;
  return fb_node_fail(node, error, FB_ERR_UNSUPPORTED,
                      "this is version %d of the format; this program reads version %d", version,
                      FB_SCENARIO_VERSION);
}

/* The file's name without its folder and its ending. */
static const char* name_of_file(fb_scenario* s, const char* file) {
  const char* slash = strrchr(file, '/');
  const char* base = slash ? slash + 1 : file;
  const char* dot = strrchr(base, '.');
  return fb_scenario_print(s, "%.*s", dot && dot > base ? (int)(dot - base) : (int)strlen(base), base);
}

static fb_status read_top(fb_scenario* s, const fb_fields* values, const fb_scenario_options* options,
                          fb_error* error) {
  fb_scenario_top top = {NULL, 10, 0};
  s->name = name_of_file(s, s->inputs[0].file);
  if (!s->name) return fb_scenario_no_memory(error);
  s->duration = top.duration;
  s->checkpoint = top.duration / 20;
  fb_status status = fb_fields_read(values, 0, &top, error);
  if (!status) status = check_version(fb_fields_value(values, "scenario"), error);
  if (status) return status;
  if (!(options->duration < 0)) top.duration = options->duration;
  if (!(top.duration > 0 && top.duration <= 1e12))
    return fb_fail(error, FB_ERR_ARG, "the duration is %g s, but must be more than 0 and at most 1e12 s",
                   top.duration);
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

/* The parts, in order, and which of them one needs: without those its errors would be consequences of theirs. */
enum {
  MODELS = 1,
  MODES = 2,
  START = 4,
  MOTIONS = 8,
  LOOPS = 16,
  ZERO = 32,
  CONTROL = 64,
  FORCES = 128,
  MATERIALS = 256,
  SURFACES = 512,
  CONTACTS = 1024,
  IDLE = 2048,
  EVENTS = 4096
};
static const struct {
  fb_status (*read)(fb_scenario* s, const fb_fields* values, fb_error* error);
  unsigned needs;
} PARTS[] = {
    {fb_scenario_read_models, 0},
    {fb_scenario_read_modes, 0},
    {fb_scenario_read_start, MODELS},
    {fb_scenario_read_motions, MODELS},
    {fb_scenario_close_loops, MODELS | START | MOTIONS},
    {fb_scenario_zero_momentum, MODELS | START | MOTIONS | LOOPS},
    {fb_scenario_read_control, MODELS | MODES},
    {fb_scenario_read_forces, MODELS | MODES},
    {fb_scenario_read_materials, 0},
    {fb_scenario_read_surfaces, MODELS | MATERIALS},
    {fb_scenario_read_contacts, MODELS | MATERIALS | SURFACES},
    {fb_scenario_hold_idle, MODELS | START | MOTIONS | CONTROL | FORCES},
    {fb_scenario_read_events, MODELS | MODES | MOTIONS | CONTROL | FORCES | CONTACTS},
    {fb_scenario_read_stops, MODELS | EVENTS},
    {fb_scenario_read_integrator, MODELS | CONTACTS},
    {fb_scenario_read_log, MODELS | CONTACTS},
    {fb_scenario_read_view, MODELS},
};

static fb_status read_parts(fb_scenario* s, const fb_fields* values, fb_error* error) {
  unsigned failed = 0;
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof PARTS / sizeof *PARTS && !status; i++) {
    int before = s->failures;
    if (!(failed & PARTS[i].needs)) status = fb_scenario_go_on(s, PARTS[i].read(s, values, error), error);
    if (s->failures > before) failed |= 1u << i;
  }
  return status;
}

/* What a run would refuse when it starts. */
static fb_status try_start(fb_scenario* s, fb_error* error) {
  fb_sim* sim;
  fb_error unused;
  fb_status status = fb_scenario_try_sim(s, &sim, error);
  if (status == FB_ERR_NO_SOLUTION && fb_scenario_hold_slow(s, &unused))
    status = fb_scenario_try_sim(s, &sim, error);
  if (!status) fb_sim_free(sim);
  return status;
}

static fb_status read_all(fb_scenario* s, const char* text, size_t size, const char* file,
                          const fb_scenario_options* options, fb_error* error) {
  fb_fields values;
  fb_status status = parse_document(s, text, size, file, error);
  for (int i = 0; options->set && options->set[i] && !status; i++)
    status = fb_scenario_set(s, options->set[i], error);
  if (!status) status = complete_models(s->doc, error);
  if (!status && s->io.complain &&
      !fb_schema_complain(fb_doc_root(s->doc), &fb_scenario_schema, FB_SCENARIO_SCENARIO, s->io.complain,
                          s->io.complain_user))
    status = fb_scenario_no_memory(error);
  if (!status)
    status = fb_scenario_go_on(
        s, fb_fields_collect(fb_doc_root(s->doc), &fb_scenario_schema, FB_SCENARIO_SCENARIO, &values, error),
        error);
  if (!status) status = fb_scenario_go_on(s, read_top(s, &values, options, error), error);
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

static int keep_asked(fb_scenario* s, const char* file, const fb_scenario_options* options) {
  size_t count = 0;
  while (options->set && options->set[count]) count++;
  s->asked.duration = options->duration;
  s->asked.base = options->io.base;
  s->asked.inertia = options->io.inertia;
  s->asked.mimic = options->io.mimic;
  s->asked.plant = options->plant;
  s->asked.file = fb_scenario_text(s, file);
  s->asked.set = fb_scenario_take(s, count + 1, sizeof *s->asked.set);
  for (size_t i = 0; s->asked.set && i < count; i++) {
    s->asked.set[i] = fb_scenario_text(s, options->set[i]);
    if (!s->asked.set[i]) return 0;
  }
  return s->asked.file && s->asked.set;
}

/* A NULL error would be looked into here and there. */
fb_status fb_scenario_parse(const char* text, size_t size, const char* file, const fb_scenario_options* given,
                            fb_scenario** scenario, fb_error* error) {
  fb_error unused;
  if (!error) error = &unused;
  *scenario = NULL;
  fb_scenario_options options = given ? *given : fb_default_scenario_options();
  if (options.cookie_ != COOKIE)
    return fb_fail(error, FB_ERR_ARG, "the fb_scenario_options were not made by fb_default_scenario_options");
  const char* shown = strcmp(file, "-") == 0 ? STANDARD_INPUT : file;
  fb_scenario* s = new_scenario(text, size, shown);
  if (!s || !keep_asked(s, file, &options)) {
    fb_scenario_free(s);
    return fb_scenario_no_memory(error);
  }
  s->io = options.io;
  s->folder_of = s->inputs[0].file;
  s->copies = options.inputs;
  fb_status status = read_all(s, text, size, shown, &options, error);
  s->io = fb_default_io_options();
  s->folder_of = s->copies = NULL;
  if (!status) {
    *scenario = s;
    return FB_OK;
  }
  if (!error->file[0]) fb_error_set_place(error, shown, NULL, (fb_place){0, 0});
  fb_scenario_free(s);
  return status;
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

/* --- looking --- */

const char* fb_scenario_name(const fb_scenario* s) {
  return s->name;
}

const fb_model* fb_scenario_model(const fb_scenario* s) {
  return s->model;
}

double fb_scenario_duration(const fb_scenario* s) {
  return s->duration;
}

double fb_scenario_log_period(const fb_scenario* s) {
  return s->log_period;
}

double fb_scenario_checkpoint_period(const fb_scenario* s) {
  return s->checkpoint;
}

int fb_scenario_nsignal(const fb_scenario* s) {
  return s->nsignal;
}

const fb_signal* fb_scenario_signals(const fb_scenario* s) {
  return s->signals;
}

const char* fb_scenario_integrator(const fb_scenario* s) {
  return s->integrator;
}

const char* fb_scenario_integrator_reason(const fb_scenario* s) {
  return s->integrator_reason;
}

const char* fb_scenario_unenforced_limits(const fb_scenario* s) {
  return s->unenforced ? s->unenforced : "";
}

const double* fb_scenario_q(const fb_scenario* s) {
  return s->q;
}

const double* fb_scenario_v(const fb_scenario* s) {
  return s->v;
}
