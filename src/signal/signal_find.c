/* signal_find.c -- finds the signals that a name refers to, with suggestions when there are none.
 *
 * Names of joints, frames and bodies may contain dots, so what follows the stem is first taken as a whole name, then
 * as a name followed by a part (reaction.JOINT.force), then as one with a component after its last dot. Where a name
 * can mean the scene or a body (com.p of a body p), it is the scene's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>
#include <freebody/support/words.h>

#include "model/model.h"
#include "signal/signal_kind.h"
#include "sim/sim.h"
#include "signal/signal_value.h"

/* The signals found so far; counting continues when the array is full. */
typedef struct finds {
  fb_signal* signals;
  int room, count;
} finds;

static void add(finds* f, int kind, int index, int component) {
  if (f->signals && f->count < f->room) f->signals[f->count] = (fb_signal){kind, index, component};
  f->count++;
}

static void add_components(const fb_model* m, int kind, int index, finds* f) {
  int count = fb_signal_components(m, &fb_signal_kinds[kind], index);
  for (int i = 0; i < count; i++) add(f, kind, index, i);
}

static void add_all(const fb_model* m, int kind, finds* f) {
  int from, end;
  fb_signal_range(m, &fb_signal_kinds[kind], &from, &end);
  for (int i = from; i < end; i++) add_components(m, kind, i, f);
}

int fb_signal_exists(const fb_model* m, fb_signal signal) {
  int from, end, kind = 0;
  while (fb_signal_kinds[kind].stem && kind != signal.kind) kind++;
  if (!fb_signal_kinds[kind].stem) return 0;
  fb_signal_range(m, &fb_signal_kinds[kind], &from, &end);
  return signal.index >= from && signal.index < end && signal.component >= 0 &&
         signal.component < fb_signal_components(m, &fb_signal_kinds[kind], signal.index);
}

static void add_beginning(const fb_model* m, const char* beginning, size_t length, finds* f) {
  for (int k = 0; fb_signal_kinds[k].stem; k++) {
    int from, end;
    fb_signal_range(m, &fb_signal_kinds[k], &from, &end);
    for (int i = from; i < end; i++) {
      int count = fb_signal_components(m, &fb_signal_kinds[k], i);
      for (int c = 0; c < count; c++) {
        char name[FB_SIGNAL_NAME_SIZE];
        fb_signal_name(m, (fb_signal){k, i, c}, name);
        if (strncmp(name, beginning, length) == 0) add(f, k, i, c);
      }
    }
  }
}

/* --- a name in its parts --- */

/* What follows the stem and its dot; NULL when the name has another stem, "" when it is the stem. */
static const char* after_stem(const fb_signal_kind* kind, const char* name) {
  size_t n = strlen(kind->stem);
  if (strncmp(name, kind->stem, n) != 0) return NULL;
  return name[n] == '.' && name[n + 1] ? name + n + 1 : name[n] ? NULL : "";
}

/* The object of a name that fb_signal_name cut, "beginning~17"; -1 when there is none. */
static int find_numbered(const fb_model* m, const fb_signal_kind* kind, const char* name) {
  const char* mark = strrchr(name, '~');
  size_t digits = mark ? strspn(mark + 1, "0123456789") : 0;
  if (digits < 1 || digits > 9 || mark[1 + digits]) return -1;
  int from, end, index = atoi(mark + 1);
  fb_signal_range(m, kind, &from, &end);
  if (index < from || index >= end) return -1;
  return strncmp(fb_signal_object(m, kind, index), name, (size_t)(mark - name)) == 0 ? index : -1;
}

/* The object of a name; -1 when there is none. */
static int find_object(const fb_model* m, const fb_signal_kind* kind, const char* name) {
  int from, end;
  fb_signal_range(m, kind, &from, &end);
  if (kind->over == FB_OVER_NOTHING)
    return kind->part && strcmp(name, kind->part) == 0 && end > from ? 0 : -1;
  if (fb_signal_is_scene(kind, name)) return -1;
  const fb_signal_objects* objects = &fb_signal_overs[kind->over];
  int id = objects->find(m, name);
  return id >= objects->first ? id : find_numbered(m, kind, name);
}

/* The component of a name, of something that has it; -1 when it has none of that name. */
static int find_component(const fb_model* m, const fb_signal_kind* kind, int index, const char* name) {
  int count = fb_signal_components(m, kind, index);
  for (int i = 0; i < count; i++) {
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    const char* known = kind->components ? kind->components[i] : count > 1 ? number : "";
    if (strcmp(name, known) == 0) return i;
  }
  return -1;
}

/* rest = "hand.x" into object "hand" and the component's name; NULL when it holds no dot. */
static const char* cut(const char* rest, char object[FB_SIGNAL_NAME_SIZE]) {
  const char* dot = strrchr(rest, '.');
  if (!dot || dot - rest >= FB_SIGNAL_NAME_SIZE) return NULL;
  memcpy(object, rest, (size_t)(dot - rest));
  object[dot - rest] = '\0';
  return dot + 1;
}

/* The object of a name without its component: "elbow.force" of the kinds whose part follows the object. */
static int find_parted(const fb_model* m, const fb_signal_kind* kind, const char* name) {
  if (!fb_signal_part_follows(kind)) return find_object(m, kind, name);
  char object[FB_SIGNAL_NAME_SIZE];
  const char* part = cut(name, object);
  return part && strcmp(part, kind->part) == 0 ? find_object(m, kind, object) : -1;
}

static void add_named(const fb_model* m, int k, const char* name, finds* f) {
  const fb_signal_kind* kind = &fb_signal_kinds[k];
  const char* rest = after_stem(kind, name);
  /* Of a stem that the scene has too, a name that is the scene's is not a body's, and "com" alone means the scene. */
  if (!rest || (kind->over == FB_OVER_BODIES && (!*rest || f->count > 0))) return;
  if (!*rest) {
    add_all(m, k, f);
    return;
  }
  int index = find_object(m, kind, rest);
  if (index < 0) index = find_parted(m, kind, rest);
  if (index >= 0 && fb_signal_components(m, kind, index) > 0) {
    add_components(m, k, index, f);
    return;
  }
  char object[FB_SIGNAL_NAME_SIZE];
  const char* component = cut(rest, object);
  index = component ? find_parted(m, kind, object) : -1;
  int i = index >= 0 ? find_component(m, kind, index, component) : -1;
  if (i >= 0) add(f, k, index, i);
}

/* --- suggestions --- */

/* All stems, or the parts of one, once each, NULL-ended. */
enum { WORDS = 48 };

static void list_words(const char* stem, const char* words[WORDS]) {
  int count = 0;
  for (const fb_signal_kind* kind = fb_signal_kinds; kind->stem && count < WORDS - 1; kind++) {
    const char* word = stem ? kind->part : kind->stem;
    if (stem && strcmp(stem, kind->stem) != 0) continue;
    if (word && (count == 0 || strcmp(words[count - 1], word) != 0)) words[count++] = word;
  }
  words[count] = NULL;
}

/* Names of the objects of a kind, NULL-ended; NULL when out of memory. */
static const char** list_objects(const fb_model* m, const fb_signal_kind* kind) {
  int from, end, count = 0;
  fb_signal_range(m, kind, &from, &end);
  const char** names = malloc((size_t)(end - from + 1) * sizeof *names);
  if (!names) return NULL;
  for (int i = from; i < end; i++)
    if (fb_signal_components(m, kind, i) > 0) names[count++] = fb_signal_object(m, kind, i);
  names[count] = NULL;
  return names;
}

/* The name that is nearest to the beginning of rest up to one of its dots, or to all of it; *tail is what follows. */
static const char* nearest_object(const char* rest, const char** names, const char** tail) {
  char object[FB_SIGNAL_NAME_SIZE];
  *tail = rest + strlen(rest);
  const char* near = fb_nearest_word(rest, names);
  if (near || !cut(rest, object)) return near;
  do {
    *tail = rest + strlen(object);
    near = fb_nearest_word(object, names);
    char* dot = strrchr(object, '.');
    if (!dot) return near;
    *dot = '\0';
  } while (!near);
  return near;
}

static fb_status no_object(const fb_model* m, const fb_signal_kind* kind, const char* name, const char* rest,
                           fb_error* error) {
  const fb_signal_objects* objects = &fb_signal_overs[kind->over];
  const char** names = list_objects(m, kind);
  if (!names)
    return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": no %s has that name", name, objects->what);
  char others[200];
  const char *tail, *near = nearest_object(rest, names, &tail);
  fb_words_join(names, "", others, sizeof others);
  fb_status status;
  if (near)
    status = fb_fail(error, FB_ERR_NAME,
                     "there is no signal \"%s\": no %s has that name; did you mean \"%s.%s%s\"?", name,
                     objects->what, kind->stem, near, tail);
  else
    status =
        fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": no %s has that name; the model's %s are %s",
                name, objects->what, objects->listed, *others ? others : "none");
  free(names);
  return status;
}

/* "reaction.elbow.x": the longest beginning of the name that is an object's has other parts; FB_OK where none is. */
static fb_status no_part(const fb_model* m, const fb_signal_kind* kind, const char* name, const char* rest,
                         fb_error* error) {
  char object[FB_SIGNAL_NAME_SIZE], suggestion[FB_SUGGESTION_SIZE];
  const char *words[WORDS], *part = fb_signal_part_follows(kind) ? cut(rest, object) : NULL;
  while (part && find_object(m, kind, object) < 0) {
    char* dot = strrchr(object, '.');
    if (!dot) return FB_OK;
    *dot = '\0';
    part = rest + strlen(object) + 1;
  }
  if (!part) return FB_OK;
  char wrong[40];
  size_t length = strcspn(part, ".");
  if (length >= sizeof wrong)
    for (length = sizeof wrong - 1; (part[length] & 0xc0) == 0x80;) length--; /* not inside a character */
  snprintf(wrong, sizeof wrong, "%.*s", (int)length, part);
  list_words(kind->stem, words);
  fb_suggestion_or_list(wrong, words, "its parts are", suggestion);
  return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": \"%s.%s\" has no part \"%s\"%s", name,
                 kind->stem, object, wrong, suggestion);
}

/* "energy.kinetc", "com.hul": neither a part of the scene's, nor an object where a kind with this stem has some. */
static fb_status no_scene_part(const fb_model* m, const fb_signal_kind* kind, const char* name,
                               const char* rest, fb_error* error) {
  const fb_signal_kind* last = kind;
  while (last[1].stem && strcmp(last[1].stem, kind->stem) == 0) last++;
  int has_objects = last->over != FB_OVER_NOTHING;
  const char** names = has_objects ? list_objects(m, last) : NULL;
  const char *tail, *near = names ? nearest_object(rest, names, &tail) : NULL;
  free(names);
  if (near) return no_object(m, last, name, rest, error);
  char object[FB_SIGNAL_NAME_SIZE], suggestion[FB_SUGGESTION_SIZE], what[40];
  const char* words[WORDS];
  list_words(kind->stem, words);
  snprintf(what, sizeof what, "%s has", kind->stem);
  fb_suggestion_or_list(cut(rest, object) ? object : rest, words, what, suggestion);
  return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\"%s%s%s", name, suggestion,
                 has_objects ? ", or the name of a " : "",
                 has_objects ? fb_signal_overs[last->over].what : "");
}

static fb_status no_component(const fb_model* m, const fb_signal_kind* kind, int index, const char* name,
                              fb_error* error) {
  const char* dot = strrchr(name, '.');
  int count = fb_signal_components(m, kind, index), length = (int)(dot - name);
  char list[64];
  if (kind->components)
    return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": \"%.*s\" has the components %s", name,
                   length, name, fb_words_join(kind->components, "", list, sizeof list));
  if (count > 1)
    return fb_fail(error, FB_ERR_NAME,
                   "there is no signal \"%s\": \"%.*s\" has %d components, counted from 0", name, length,
                   name, count);
  return fb_fail(error, FB_ERR_NAME,
                 "there is no signal \"%s\": \"%.*s\" is a single number; leave \"%s\" out", name, length,
                 name, dot);
}

/* Of a joint without coordinates, or a loop of a type that has no such part. */
static fb_status not_of_this(const fb_model* m, const fb_signal_kind* kind, int index, const char* name,
                             fb_error* error) {
  const char* object = fb_signal_object(m, kind, index);
  if (kind->over != FB_OVER_LOOPS)
    return fb_fail(error, FB_ERR_NAME,
                   "there is no signal \"%s\": joint \"%s\" is fixed and has no coordinates", name, object);
  int gear = fb_loop_type_of(m, index) == FB_LOOP_GEAR;
  return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": loop \"%s\" %s; its parts are %s", name,
                 object, gear ? "is a gear and acts on coordinates" : "is no gear and acts on frames",
                 gear ? "effort and error" : "force, torque and error");
}

/* The stem of the name is known; what follows it is not. */
static fb_status explain_rest(const fb_model* m, const fb_signal_kind* kind, const char* name,
                              const char* rest, fb_error* error) {
  char object[FB_SIGNAL_NAME_SIZE];
  const char* component = cut(rest, object);
  for (const fb_signal_kind* k = kind; k->stem && strcmp(k->stem, kind->stem) == 0; k++) {
    int whole = find_parted(m, k, rest), index = component ? find_parted(m, k, object) : -1;
    if (whole >= 0) return not_of_this(m, k, whole, name, error);
    if (index >= 0 && fb_signal_components(m, k, index) == 0) return not_of_this(m, k, index, name, error);
    if (index >= 0) return no_component(m, k, index, name, error);
    if (k->needs & FB_NEEDS_LOOPS && strcmp(rest, k->part) == 0)
      return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": the model has no loops", name);
  }
  if (kind->over != FB_OVER_NOTHING) {
    fb_status status = no_part(m, kind, name, rest, error);
    return status ? status : no_object(m, kind, name, rest, error);
  }
  if (!kind->part)
    return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": \"%s\" is a single number", name,
                   kind->stem);
  return no_scene_part(m, kind, name, rest, error);
}

static fb_status explain(const fb_model* m, const char* name, fb_error* error) {
  size_t length = strlen(name);
  if (length == 0)
    return fb_fail(error, FB_ERR_NAME, "a signal's name is empty; say for example q, p.FRAME.x");
  int star = name[length - 1] == '*';
  for (const fb_signal_kind* kind = fb_signal_kinds; kind->stem; kind++) {
    const char* rest = after_stem(kind, name);
    if (rest && !*rest) return fb_fail(error, FB_ERR_NAME, "no signal of this model is called \"%s\"", name);
    if (rest && !star) return explain_rest(m, kind, name, rest, error);
    if (rest) return fb_fail(error, FB_ERR_NAME, "no signal begins with \"%.*s\"", (int)length - 1, name);
  }
  const char *words[WORDS], *dot = strchr(name, '.');
  char stem[FB_SIGNAL_NAME_SIZE], suggestion[FB_SUGGESTION_SIZE];
  size_t size = dot ? (size_t)(dot - name) : length - (size_t)star;
  snprintf(stem, sizeof stem, "%.*s", (int)(size < sizeof stem ? size : sizeof stem - 1), name);
  list_words(NULL, words);
  fb_suggestion_or_list(stem, words, "signals begin with", suggestion);
  return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\"%s", name, suggestion);
}

fb_status fb_signal_find(const fb_model* m, const char* name, fb_signal* signals, int room, int* count,
                         fb_error* error) {
  finds f = {signals, room, 0};
  size_t length = strlen(name);
  if (length > 0 && name[length - 1] == '*')
    add_beginning(m, name, length - 1, &f);
  else
    for (int k = 0; fb_signal_kinds[k].stem; k++) add_named(m, k, name, &f);
  if (count) *count = f.count;
  return f.count > 0 ? FB_OK : explain(m, name, error);
}
