/* names.c -- resolves names in a scenario, with suggestions for unknown ones. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "base/text_set.h"
#include "scenario/read/read.h"
#include "scenario/read/values.h"
#include "signal/signal_kind.h"

enum { MAX_LISTED = 2000 }; /* a suggestion among more names than this would take too long */

typedef const char* (*name_fn)(const fb_scenario* s, int index);

/* "; did you mean 'near'?" among count names; "" without memory. */
static char* suggest(const fb_scenario* s, const char* word, name_fn name, int first, int end,
                     char near[FB_SUGGESTION_SIZE]) {
  int count = end - first < MAX_LISTED ? end - first : MAX_LISTED, n = 0;
  const char** names = malloc(((size_t)count + 1) * sizeof *names);
  near[0] = '\0';
  if (!names) return near;
  for (int i = 0; i < count; i++)
    if (name(s, first + i)) names[n++] = name(s, first + i);
  names[n] = NULL;
  if (n > 0) fb_suggestion_or_list(word, names, n == 1 ? "there is" : "there are", near);
  free((void*)names);
  return near;
}

static const char* joint_name(const fb_scenario* s, int body) {
  return fb_joint_nv(s->model, body) > 0 ? fb_joint_name(s->model, body) : NULL;
}

/* Bodies, then joints that are not called as their bodies are. */
static const char* body_or_joint_name(const fb_scenario* s, int index) {
  int nbody = fb_model_nbody(s->model), body = index < nbody ? index : index - nbody;
  const char *body_name = fb_body_name(s->model, body), *joint = fb_joint_name(s->model, body);
  return index < nbody ? body_name : body > FB_WORLD && strcmp(body_name, joint) != 0 ? joint : NULL;
}

static const char* frame_name(const fb_scenario* s, int frame) {
  return fb_frame_name(s->model, frame);
}

/* The joint of a name, or what is wrong with it in text. */
static fb_status find_joint(const fb_scenario* s, const char* word, int* body, char text[480]) {
  char near[FB_SUGGESTION_SIZE];
  int named = fb_model_find_body(s->model, word);
  *body = fb_model_find_joint(s->model, word);
  if (*body >= 0 && fb_joint_nv(s->model, *body) > 0) return FB_OK;
  if (*body >= 0)
    snprintf(text, 480, "the joint '%.60s' is fixed, so it has no coordinates", word);
  else if (named > 0)
    snprintf(text, 480, "'%.60s' is a body, and here a joint is expected; its joint is '%.60s'", word,
             fb_joint_name(s->model, named));
  else
    snprintf(text, 480, "there is no joint '%.60s'%s", word,
             suggest(s, word, joint_name, 1, fb_model_nbody(s->model), near));
  return *body >= 0 ? FB_ERR_JOINT : FB_ERR_NAME;
}

fb_status fb_scenario_joint(const fb_scenario* s, const fb_node* node, int* body, fb_error* error) {
  const char* word;
  char text[480];
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  status = find_joint(s, word, body, text);
  return status ? fb_node_fail(node, error, status, "%s", text) : FB_OK;
}

fb_status fb_scenario_key_joint(const fb_scenario* s, const fb_node* map, int index, int* body,
                                fb_error* error) {
  char text[480];
  fb_status status = find_joint(s, fb_map_key(map, index), body, text);
  return status ? fb_map_key_fail(map, index, error, status, "%s", text) : FB_OK;
}

fb_status fb_scenario_frame_or_world(const fb_scenario* s, const fb_node* node, int* frame, fb_error* error) {
  const char* word;
  char near[FB_SUGGESTION_SIZE];
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  *frame = fb_model_find_frame(s->model, word);
  if (*frame >= 0) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_NAME, "there is no frame '%.60s'%s", word,
                      suggest(s, word, frame_name, 1, fb_model_nframe(s->model), near));
}

fb_status fb_scenario_frame(const fb_scenario* s, const fb_node* node, int* frame, fb_error* error) {
  fb_status status = fb_scenario_frame_or_world(s, node, frame, error);
  if (status || *frame > 0) return status;
  return fb_node_fail(node, error, FB_ERR_NAME, "the world does not move; name a body or a frame on one");
}

fb_status fb_scenario_body(const fb_scenario* s, const fb_node* node, int* body, fb_error* error) {
  const char* word;
  char near[FB_SUGGESTION_SIZE];
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  *body = fb_model_find_joint(s->model, word);
  if (*body < 0) *body = fb_model_find_body(s->model, word);
  if (*body > 0) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_NAME, "there is no joint or body '%.60s'%s", word,
                      suggest(s, word, body_or_joint_name, 1, 2 * fb_model_nbody(s->model), near));
}

const char** fb_scenario_list_bases(const fb_model* m, int* count, int* last) {
  const char** names = calloc((size_t)fb_model_nbody(m) + 1, sizeof *names);
  *count = 0;
  for (int i = 1; names && i < fb_model_nbody(m); i++)
    if (fb_body_floats(m, i)) names[(*count)++] = fb_body_name(m, *last = i);
  return names;
}

fb_status fb_scenario_word(const fb_node* node, const char* word, const char* what, const char* const* names,
                           int count, int* index, fb_error* error) {
  char near[FB_SUGGESTION_SIZE] = "; there is none";
  for (*index = 0; *index < count; ++*index)
    if (names[*index] && strcmp(names[*index], word) == 0) return FB_OK;
  const char** list = malloc(((size_t)count + 1) * sizeof *list);
  int n = 0;
  for (int i = 0; list && i < count && n < MAX_LISTED; i++)
    if (names[i]) list[n++] = names[i];
  if (list) list[n] = NULL;
  if (n > 0) fb_suggestion_or_list(word, list, n == 1 ? "there is" : "there are", near);
  free((void*)list);
  return fb_node_fail(node, error, FB_ERR_NAME, "there is no %s '%.60s'%s", what, word, near);
}

fb_status fb_scenario_find_signals(fb_scenario* s, const char* name, fb_signal* signals, int room, int* count,
                                   fb_error* error) {
  const fb_signal_space space = {s->model, s->faces, s->nblock};
  fb_status status = fb_space_find(&space, name, signals, room, count, error);
  for (int i = 0; i < room && i < *count && !status; i++)
    if (signals[i].kind == FB_SIGNAL_OUTPUT) s->blocks[signals[i].index].is_read = 1;
  return status;
}

void fb_scenario_signal_info(const fb_scenario* s, fb_signal signal, fb_signal_info* info) {
  const fb_signal_space space = {s->model, s->faces, s->nblock};
  fb_space_info(&space, signal, info);
}

/* The names of motions or blocks as a list; NULL without memory. */
static const char** list_names(const fb_scenario* s, int motions) {
  int count = motions ? s->nmotion : s->nblock;
  const char** names = malloc(((size_t)count + 1) * sizeof *names);
  for (int i = 0; names && i < count; i++) names[i] = motions ? s->motions[i].name : s->blocks[i].name;
  return names;
}

static fb_status find_listed(const fb_scenario* s, const fb_node* node, int motions, int* index,
                             fb_error* error) {
  const char* word;
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  const char** names = list_names(s, motions);
  if (!names) return fb_scenario_no_memory(error);
  status = fb_scenario_word(node, word, motions ? "motion" : "block", names, motions ? s->nmotion : s->nblock,
                            index, error);
  free((void*)names);
  return status;
}

fb_status fb_scenario_motion_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error) {
  return find_listed(s, node, 1, index, error);
}

fb_status fb_scenario_block_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error) {
  return find_listed(s, node, 0, index, error);
}

fb_status fb_scenario_mode_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error) {
  const char* word;
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  if (!s->modes)
    return fb_node_fail(node, error, FB_ERR_NAME,
                        "there is no mode '%.60s', because the scenario names none; add modes: [%.60s, ...]",
                        word, word);
  return fb_scenario_word(node, word, "mode", s->modes, s->nmode, index, error);
}

fb_status fb_scenario_modes_of(const fb_scenario* s, const fb_node* node, unsigned* bits, fb_error* error) {
  *bits = 0;
  if (!node) return FB_OK;
  int index = 0;
  if (fb_texts_count(node) == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the list of modes is empty; leave it out for all modes");
  for (int i = 0; i < fb_texts_count(node); i++) {
    fb_status status = fb_scenario_mode_of(s, fb_texts_item(node, i), &index, error);
    if (status) return status;
    *bits |= 1u << index;
  }
  return FB_OK;
}

static const char* name_of(const fb_node* list, int index) {
  const fb_node* name = fb_map_get(fb_node_item(list, index), "name");
  return name ? fb_node_text(name) : "";
}

static fb_status check_new(fb_text_set* names, const fb_node* list, int index, const char* what,
                           fb_error* error) {
  const char* name = name_of(list, index);
  if (!*name) return FB_OK;
  if (fb_text_set_has(names, name))
    return fb_node_fail(fb_map_get(fb_node_item(list, index), "name"), error, FB_ERR_NAME,
                        "the name '%.60s' is given twice; each %s needs a name of its own", name, what);
  return fb_text_set_add(names, name) ? FB_OK : fb_scenario_no_memory(error);
}

fb_status fb_scenario_check_names(const fb_node* list, const fb_node* earlier, const char* what,
                                  fb_error* error) {
  fb_text_set names = {0};
  fb_status status = FB_OK;
  for (int i = 0; earlier && i < fb_node_count(earlier) && !status; i++)
    if (!fb_text_set_add(&names, name_of(earlier, i))) status = fb_scenario_no_memory(error);
  for (int i = 0; list && i < fb_node_count(list) && !status; i++)
    status = check_new(&names, list, i, what, error);
  free((void*)names.slots);
  return status;
}

fb_status fb_scenario_check_once(const fb_node* list, int index, const char* what, fb_error* error) {
  const fb_node* node = fb_node_item(list, index);
  for (int i = 0; i < index; i++)
    if (strcmp(fb_node_text(fb_node_item(list, i)), fb_node_text(node)) == 0)
      return fb_node_fail(node, error, FB_ERR_NAME, "the %s '%.60s' is named twice", what,
                          fb_node_text(node));
  return FB_OK;
}

fb_status fb_scenario_read_modes(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* node = fb_fields_value(values, "modes");
  s->nmode = 1;
  if (!node) return FB_OK;
  int count = fb_texts_count(node);
  if (count < 1 || count > 32)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "expected 1 to 32 modes, but found %d", count);
  s->modes = fb_scenario_alloc(s, (size_t)count + 1, sizeof *s->modes);
  if (!s->modes) return fb_scenario_no_memory(error);
  for (int i = 0; i < count; i++) {
    const fb_node* item = fb_texts_item(node, i);
    fb_status status = fb_node_string(item, &s->modes[i], error);
    if (status) return status;
    for (int k = 0; k < i; k++)
      if (strcmp(s->modes[k], s->modes[i]) == 0)
        return fb_node_fail(item, error, FB_ERR_NAME, "the mode '%.60s' is named twice", s->modes[i]);
  }
  s->nmode = count;
  return FB_OK;
}
