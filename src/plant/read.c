/* read.c -- a plant from a scenario: which laws stay, which inputs are added, and what the outputs are.
 *
 * The document is parsed once, and read twice where inputs are to be added: once to know its joints and frames, and once
 * more with a further item of `control`, a block of type `input`, as if it had been given by --set. What is then kept is
 * the list of such changes, so that a plant is made again from its folder without any of this. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/support/json.h>
#include <freebody/status.h>
#include <freebody/support/words.h>

#include "base/cookie.h"
#include "base/copy_text.h"
#include "document/document.h"
#include "plant/plant.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"

fb_plant_options fb_default_plant_options(void) {
  return (fb_plant_options){.scenario = fb_default_scenario_options(), .cookie_ = FB_COOKIE};
}

/* --- making --- */

void fb_plant_free(fb_plant* p) {
  if (!p) return;
  for (int i = 0; p->outputs && p->outputs[i]; i++) free((void*)p->outputs[i]);
  free((void*)p->outputs);
  fb_sim_free(p->sim);
  fb_scenario_free(p->scenario);
  free(p->description);
  free(p->variables);
  free(p->places);
  free(p->by_name);
  free(p->values);
  free(p->given);
  free(p->output_signals);
  free(p->found);
  free(p);
}

static int keep_outputs(fb_plant* p, const char* const* outputs) {
  size_t count = 0;
  if (!outputs) return 1;
  while (outputs[count]) count++;
  p->outputs = calloc(count + 1, sizeof *p->outputs);
  for (size_t i = 0; p->outputs && i < count; i++)
    if (!(p->outputs[i] = fb_copy_text(outputs[i]))) return 0;
  return p->outputs != NULL;
}

fb_status fb_plant_make(fb_scenario* s, const char* const* outputs, fb_plant** plant, fb_error* error) {
  fb_plant* p = calloc(1, sizeof *p);
  *plant = NULL;
  if (!p) fb_scenario_free(s);
  if (!p) return fb_plant_no_memory(error);
  p->scenario = s;
  fb_status status = keep_outputs(p, outputs) ? FB_OK : fb_plant_no_memory(error);
  if (!status) status = fb_sim_build(s, &p->sim, error);
  if (!status) status = fb_plant_describe(p, error);
  if (!status) status = fb_plant_list(p, error);
  if (status)
    fb_plant_free(p);
  else
    *plant = p;
  return status;
}

const fb_scenario* fb_plant_scenario(const fb_plant* p) {
  return p->scenario;
}

int fb_plant_controlled(const fb_plant* p) {
  for (int i = 0; i < p->scenario->nblock; i++)
    if (fb_kind_is_in(p->scenario->blocks[i].kind, FB_SECTION_CONTROL) &&
        !fb_scenario_is_input(&p->scenario->blocks[i]))
      return 1;
  return 0;
}

/* --- what is in it --- */

static int has_input(const fb_scenario* s) {
  for (int i = 0; i < s->nblock; i++)
    if (fb_scenario_is_input(&s->blocks[i])) return 1;
  return 0;
}

/* --- the inputs that are added --- */

/* The words of --input, resolved: joints and frames by name. */
enum { JOINTS, FRAMES };
typedef struct wanted {
  fb_json* names[2]; /* YAML is JSON here */
  int count[2];
} wanted;

static const char* after(const char* word, const char* stem) {
  size_t length = strlen(stem);
  return strncmp(word, stem, length) == 0 ? word + length : NULL;
}

static void add_name(wanted* w, int what, const char* name) {
  fb_json_string(w->names[what], name);
  w->count[what]++;
}

static int is_joint(const fb_model* m, const char* name) {
  int body = fb_model_find_joint(m, name);
  return body > 0 && fb_joint_nv(m, body) > 0;
}

/* All joints that are driven; without any, all floating bases. */
static fb_status want_all(const fb_model* m, wanted* w, fb_error* error) {
  for (int i = 1; i < fb_model_nbody(m); i++)
    if (fb_joint_nv(m, i) > 0 && !fb_body_floats(m, i)) add_name(w, JOINTS, fb_joint_name(m, i));
  for (int i = 1; i < fb_model_nbody(m) && w->count[JOINTS] == 0; i++)
    if (fb_body_floats(m, i)) add_name(w, FRAMES, fb_body_name(m, i));
  if (w->count[JOINTS] + w->count[FRAMES] > 0) return FB_OK;
  return fb_fail(error, FB_ERR_CONTENT, "nothing moves in this scene, so it has no inputs");
}

/* Joints and frames as they may be requested; NULL-ended, NULL without memory. */
static const char** list_inputs(const fb_model* m) {
  int nbody = fb_model_nbody(m), nframe = fb_model_nframe(m), n = 0;
  const char** names = calloc((size_t)nbody + (size_t)nframe + 1, sizeof *names);
  for (int i = 1; names && i < nbody; i++)
    if (fb_joint_nv(m, i) > 0 && !fb_body_floats(m, i)) names[n++] = fb_joint_name(m, i);
  for (int i = 1; names && i < nframe; i++) names[n++] = fb_frame_name(m, i);
  return names;
}

static fb_status refuse_input(const fb_model* m, const char* word, fb_error* error) {
  const char *stem = after(word, "tau.") ? after(word, "tau.") : after(word, "wrench."),
             **names = list_inputs(m);
  char near[FB_SUGGESTION_SIZE] = "";
  if (names) fb_suggestion(stem ? stem : word, names, near);
  free((void*)names);
  return fb_fail(error, FB_ERR_NAME,
                 "there is no input \"%.80s\"%s; an input is tau.JOINT or wrench.FRAME, or the name of a "
                 "joint or frame alone ('freebody info' lists them)",
                 word, near);
}

static fb_status want(const fb_model* m, const char* word, wanted* w, fb_error* error) {
  const char *joint = after(word, "tau."), *frame = after(word, "wrench.");
  if (joint && is_joint(m, joint))
    add_name(w, JOINTS, joint);
  else if (frame && fb_model_find_frame(m, frame) > 0)
    add_name(w, FRAMES, frame);
  else if (is_joint(m, word))
    add_name(w, JOINTS, word);
  else if (fb_model_find_frame(m, word) > 0)
    add_name(w, FRAMES, word);
  else
    return refuse_input(m, word, error);
  return FB_OK;
}

/* "control[+]={name: input, type: input, joints: [..], frames: [..]}": JSON, which is YAML. */
static char* print_input(const char* name, wanted* w) {
  static const char* const keys[] = {"joints", "frames"};
  fb_text out = {0};
  int whole = 1;
  fb_text_printf(&out, "control[+]={\"name\": \"%s\", \"type\": \"input\"", name);
  for (int k = 0; k < 2; k++) {
    char* names = fb_json_finish(w->names[k], NULL);
    w->names[k] = NULL;
    whole &= names != NULL;
    if (names && w->count[k] > 0) fb_text_printf(&out, ", \"%s\": %s", keys[k], names);
    free(names);
  }
  fb_text_add(&out, "}");
  char* text = fb_text_take(&out, NULL);
  if (text && whole) return text;
  free(text);
  return NULL;
}

static const char* free_name(const fb_scenario* s, char name[32]) {
  snprintf(name, 32, "input");
  for (int n = 2, i = 0; i < s->nblock; i++)
    if (strcmp(s->blocks[i].name, name) == 0) {
      snprintf(name, 32, "input%d", n++);
      i = -1;
    }
  return name;
}

static fb_status plan_input(const fb_scenario* s, const char* const* words, char** set, fb_error* error) {
  wanted w = {{fb_json_new(0), fb_json_new(0)}, {0, 0}};
  char name[32];
  fb_status status = w.names[0] && w.names[1] ? FB_OK : fb_plant_no_memory(error);
  for (int k = 0; k < 2 && !status; k++) fb_json_begin_list(w.names[k]);
  if (!status && !words) status = want_all(s->model, &w, error);
  for (int i = 0; words && words[i] && !status; i++)
    status =
        strcmp(words[i], "all") == 0 ? want_all(s->model, &w, error) : want(s->model, words[i], &w, error);
  for (int k = 0; k < 2 && !status; k++) fb_json_end_list(w.names[k]);
  if (!status) *set = print_input(free_name(s, name), &w);
  if (!status && !*set) status = fb_plant_no_memory(error);
  for (int k = 0; k < 2; k++) fb_json_free(w.names[k]);
  return status;
}

/* --- reading --- */

/* Whether an item of `control` is of this type. */
static int declares(const fb_scenario* s, const char* what) {
  const fb_node* list = s && s->doc ? fb_map_get(fb_doc_root(s->doc), "control") : NULL;
  for (int i = 0; list && i < fb_node_count(list); i++) {
    const fb_node* type = fb_map_get(fb_node_item(list, i), "type");
    if (type && strcmp(fb_node_text(type), what) == 0) return 1;
  }
  return 0;
}

/* Refuses laws that cannot be part of a plant before they are loaded, or asked. */
static fb_status check_laws(const fb_scenario* s, fb_error* error) {
  if (declares(s, "plugin"))
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "a control law is a plugin, which cannot be part of a plant; leave the control laws out, "
                   "or write it in Lua");
  if (declares(s, "remote"))
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "a control law is a controller in another process, which cannot be part of a plant; leave "
                   "the control laws out");
  return FB_OK;
}

static fb_status read_first(const char* text, size_t size, const char* file, const fb_plant_options* options,
                            fb_scenario** scenario, fb_error* error) {
  fb_scenario* s;
  *scenario = NULL;
  fb_status status = fb_scenario_open(text, size, file, &options->scenario, &s, error);
  int plant =
      options->control == FB_PLANT_DROP || (options->control == FB_PLANT_AUTO && !declares(s, "input"));
  fb_status refused = plant ? FB_OK : check_laws(s, error);
  if (refused) {
    fb_scenario_free(s);
    return refused;
  }
  if (s) s->reading.plant = plant;
  status = fb_scenario_close(s, status, scenario, error);
  if (status != FB_ERR_NAME || !plant) return status;
  size_t used = strlen(error->text); /* a name that is missing may be that of a law that was left out */
  snprintf(error->text + used, sizeof error->text - used,
           " (the plant is made without the scenario's control laws; --control keep keeps them)");
  return status;
}

/* The scenario with one more item of `control`; takes *s over. */
static fb_status add_input(fb_scenario** s, const char* item, const fb_plant_options* options,
                           fb_error* error) {
  fb_scenario_options how = options->scenario;
  fb_scenario *first = *s, *with;
  how.io.note = NULL; /* what there is to note was noted when it was read first */
  fb_status status = fb_scenario_reopen(first, &how, item, &with, error);
  status = fb_scenario_close(with, status, s, error);
  fb_scenario_free(first);
  return status;
}

static fb_status read_text(const char* text, size_t size, const char* file, const fb_plant_options* options,
                           fb_plant** plant, fb_error* error) {
  fb_scenario* s = NULL;
  char* item = NULL;
  fb_status status = read_first(text, size, file, options, &s, error);
  if (!status && (options->inputs || !has_input(s))) status = plan_input(s, options->inputs, &item, error);
  if (!status && item) status = add_input(&s, item, options, error);
  free(item);
  if (!status) return fb_plant_make(s, options->outputs, plant, error);
  fb_scenario_free(s);
  return status;
}

fb_status fb_plant_read(const char* file, const fb_plant_options* given, fb_plant** plant, fb_error* error) {
  fb_error unused;
  char* text = NULL;
  size_t size = 0;
  *plant = NULL;
  if (!error) error = &unused;
  fb_plant_options options = given ? *given : fb_default_plant_options();
  if (fb_cookie_check(options.cookie_, "plant_options", error) ||
      fb_cookie_check(options.scenario.cookie_, "scenario_options", error))
    return FB_ERR_ARG;
  fb_status status = fb_file_read(file, &text, &size, error);
  if (!status) status = read_text(text, size, file, &options, plant, error);
  free(text);
  return status;
}
