/* read.c -- a plant from a scenario: which laws stay, which inputs are added, and what the outputs are.
 *
 * The scenario is read twice where inputs are to be added: once to know its joints and frames, and once more with a further
 * item of `control`, a block of type `input`, as if it had been given by --set. What is then kept is the list of such
 * changes, so that a plant is made again from its folder without any of this. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/files.h>
#include <freebody/json.h>
#include <freebody/status.h>
#include <freebody/words.h>

#include "base/copy_text.h"
#include "document/document.h"
#include "format/xml/xml.h"
#include "plant/plant.h"
#include "scenario/kinds.h"

enum { COOKIE = 0x0fb91a };

fb_plant_options fb_default_plant_options(void) {
  return (fb_plant_options){.scenario = fb_default_scenario_options(), .cookie_ = COOKIE};
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
  free(p->asked);
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
  if (!status) status = fb_scenario_sim(s, &p->sim, error);
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
    for (int k = 0; fb_kinds[k]; k++)
      if (p->scenario->blocks[i].kind == fb_kinds[k] && !fb_scenario_is_input(&p->scenario->blocks[i]))
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
typedef struct wanted {
  fb_json *joints, *frames; /* YAML is JSON here */
  int njoint, nframe;
} wanted;

static const char* after(const char* word, const char* stem) {
  size_t length = strlen(stem);
  return strncmp(word, stem, length) == 0 ? word + length : NULL;
}

static void want_joint(wanted* w, const char* name) {
  fb_json_string(w->joints, name);
  w->njoint++;
}

static void want_frame(wanted* w, const char* name) {
  fb_json_string(w->frames, name);
  w->nframe++;
}

static int is_joint(const fb_model* m, const char* name) {
  int body = fb_model_find_joint(m, name);
  return body > 0 && fb_joint_nv(m, body) > 0;
}

/* All joints that are driven; without any, all floating bases. */
static fb_status want_all(const fb_model* m, wanted* w, fb_error* error) {
  for (int i = 1; i < fb_model_nbody(m); i++)
    if (fb_joint_nv(m, i) > 0 && !fb_scenario_floats(m, i)) want_joint(w, fb_joint_name(m, i));
  for (int i = 1; i < fb_model_nbody(m) && w->njoint == 0; i++)
    if (fb_scenario_floats(m, i)) want_frame(w, fb_body_name(m, i));
  if (w->njoint + w->nframe > 0) return FB_OK;
  return fb_fail(error, FB_ERR_CONTENT, "nothing moves in this scene, so it has no inputs");
}

/* Joints and frames as they may be asked for; NULL-ended, NULL without memory. */
static const char** list_inputs(const fb_model* m) {
  int nbody = fb_model_nbody(m), nframe = fb_model_nframe(m), n = 0;
  const char** names = calloc((size_t)nbody + (size_t)nframe + 1, sizeof *names);
  for (int i = 1; names && i < nbody; i++)
    if (fb_joint_nv(m, i) > 0 && !fb_scenario_floats(m, i)) names[n++] = fb_joint_name(m, i);
  for (int i = 1; names && i < nframe; i++) names[n++] = fb_frame_name(m, i);
  return names;
}

static fb_status refuse_input(const fb_model* m, const char* word, fb_error* error) {
  const char *stem = after(word, "tau.") ? after(word, "tau.") : after(word, "wrench."),
             **names = list_inputs(m);
  char near[FB_SUGGESTION_SIZE] = "";
  if (names) fb_suggestion(stem ? stem : word, names, near);
  free((void*)names);
  return fb_fail(
      error, FB_ERR_NAME,
      "there is no input \"%.80s\"%s; an input is tau.JOINT or wrench.FRAME, or the name of a joint or "
      "frame alone ('freebody info' lists them)",
      word, near);
}

static fb_status want(const fb_model* m, const char* word, wanted* w, fb_error* error) {
  const char *joint = after(word, "tau."), *frame = after(word, "wrench.");
  if (joint && is_joint(m, joint))
    want_joint(w, joint);
  else if (frame && fb_model_find_frame(m, frame) > 0)
    want_frame(w, frame);
  else if (is_joint(m, word))
    want_joint(w, word);
  else if (fb_model_find_frame(m, word) > 0)
    want_frame(w, word);
  else
    return refuse_input(m, word, error);
  return FB_OK;
}

/* "control[+]={name: input, type: input, joints: [..], frames: [..]}": JSON, which is YAML. */
static char* print_input(const char* name, wanted* w) {
  char *joints = fb_json_finish(w->joints, NULL), *frames = fb_json_finish(w->frames, NULL);
  fb_text out = {0};
  w->joints = w->frames = NULL;
  fb_text_printf(&out, "control[+]={\"name\": \"%s\", \"type\": \"input\"", name);
  if (w->njoint > 0) fb_text_add(&out, ", \"joints\": ");
  if (w->njoint > 0 && joints) fb_text_add(&out, joints);
  if (w->nframe > 0) fb_text_add(&out, ", \"frames\": ");
  if (w->nframe > 0 && frames) fb_text_add(&out, frames);
  fb_text_add(&out, "}");
  int whole = joints && frames;
  free(joints);
  free(frames);
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
  wanted w = {fb_json_new(0), fb_json_new(0), 0, 0};
  char name[32];
  fb_status status = w.joints && w.frames ? FB_OK : fb_plant_no_memory(error);
  if (!status) fb_json_begin_list(w.joints);
  if (!status) fb_json_begin_list(w.frames);
  if (!status && !words) status = want_all(s->model, &w, error);
  for (int i = 0; words && words[i] && !status; i++)
    status =
        strcmp(words[i], "all") == 0 ? want_all(s->model, &w, error) : want(s->model, words[i], &w, error);
  if (!status) fb_json_end_list(w.joints);
  if (!status) fb_json_end_list(w.frames);
  if (!status) *set = print_input(free_name(s, name), &w);
  if (!status && !*set) status = fb_plant_no_memory(error);
  fb_json_free(w.joints);
  fb_json_free(w.frames);
  return status;
}

/* --- reading --- */

static fb_status read_with(const char* text, size_t size, const char* file, fb_scenario_options options,
                           const char* further, fb_scenario** s, fb_error* error) {
  size_t count = 0;
  while (options.set && options.set[count]) count++;
  const char** set = calloc(count + 2, sizeof *set);
  if (!set) return fb_plant_no_memory(error);
  for (size_t i = 0; i < count; i++) set[i] = options.set[i];
  set[count] = further;
  options.set = set;
  options.io.note = NULL; /* what there is to note was noted when it was read first */
  fb_status status = fb_scenario_parse(text, size, file, &options, s, error);
  free((void*)set);
  return status;
}

/* Whether an item of `control` is of this type, with what --set makes of it. What is wrong is said by who reads it. */
static int declares(const char* what, const char* text, size_t size, const char* const* set) {
  fb_doc* doc = NULL;
  fb_error unused;
  int found = 0;
  if (fb_xml_starts(text, size) || fb_doc_parse(text, size, "", &doc, &unused)) return 0;
  for (int i = 0; set && set[i]; i++)
    if (after(set[i], "control")) fb_doc_set(doc, set[i], &unused);
  const fb_node* list = fb_map_get(fb_doc_root(doc), "control");
  for (int i = 0; list && i < fb_node_count(list) && !found; i++) {
    const fb_node* type = fb_map_get(fb_node_item(list, i), "type");
    found = type && strcmp(fb_node_text(type), what) == 0;
  }
  fb_doc_free(doc);
  return found;
}

/* A name that is missing may be that of a law that was left out. */
static fb_status read_first(const char* text, size_t size, const char* file, const fb_scenario_options* how,
                            fb_scenario** s, fb_error* error) {
  fb_status status = fb_scenario_parse(text, size, file, how, s, error);
  if (status != FB_ERR_NAME || !how->plant) return status;
  size_t used = strlen(error->text);
  snprintf(error->text + used, sizeof error->text - used,
           " (the plant is made without the scenario's control laws; --control keep keeps them)");
  return status;
}

static fb_status read_text(const char* text, size_t size, const char* file, const fb_plant_options* options,
                           fb_plant** plant, fb_error* error) {
  fb_scenario_options how = options->scenario;
  fb_scenario* s = NULL;
  char* further = NULL;
  how.plant = options->control == FB_PLANT_DROP ||
              (options->control == FB_PLANT_AUTO && !declares("input", text, size, how.set));
  if (!how.plant && declares("plugin", text, size, how.set)) /* before it is loaded */
    return fb_fail(
        error, FB_ERR_UNSUPPORTED,
        "a control law is a plugin, which cannot be part of a plant; leave the control laws out, or "
        "write it in Lua");
  if (!how.plant && declares("remote", text, size, how.set)) /* before it is asked */
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "a control law is a controller in another process, which cannot be part of a plant; leave "
                   "the control laws out");
  fb_status status = read_first(text, size, file, &how, &s, error);
  if (!status && (options->inputs || !has_input(s))) status = plan_input(s, options->inputs, &further, error);
  if (!status && further) {
    fb_scenario_free(s);
    s = NULL;
    status = read_with(text, size, file, how, further, &s, error);
  }
  free(further);
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
  if (options.cookie_ != COOKIE)
    return fb_fail(error, FB_ERR_ARG, "the fb_plant_options were not made by fb_default_plant_options");
  fb_status status = fb_file_read(file, &text, &size, error);
  if (!status) status = read_text(text, size, file, &options, plant, error);
  free(text);
  return status;
}
