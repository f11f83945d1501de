/* defaults.c -- default classes of MJCF, and attributes looked up through them.
 *
 * An attribute of an element is written in the element itself, or in the part for its tag of its class, or of the
 * class around that, and so on. The class is the element's own, or the nearest `childclass` of what it is in, or main.
 * Classes are looked through, not copied: they are few, and nest little. */
#include <string.h>

#include "base/grow.h"
#include "format/mjcf/reader.h"

/* --- classes --- */

static int find_class(const fb_mjcf_reader* r, const char* name) {
  for (size_t i = 0; i < r->nclass; i++)
    if (r->classes[i].name && strcmp(r->classes[i].name, name) == 0) return (int)i;
  return -1;
}

/* Look-ups go through all classes around one; a file with thousands of them means no good. */
enum { MOST_CLASSES = 4096, DEEPEST = 100 };

static int depth_of(const fb_mjcf_reader* r, int id) {
  int depth = 0;
  for (; id >= 0; id = r->classes[id].parent) depth++;
  return depth;
}

static fb_status add_class(fb_mjcf_reader* r, const char* name, int parent, int* id) {
  if (r->nclass >= MOST_CLASSES || depth_of(r, parent) >= DEEPEST)
    return fb_mjcf_fail(r, 0, FB_ERR_CONTENT,
                        "default class '%.100s' is one too many: %d may nest %d deep here", name,
                        (int)MOST_CLASSES, (int)DEEPEST);
  if (!fb_grow(&r->classes, r->nclass, 1, &r->class_room, sizeof *r->classes)) return fb_mjcf_no_memory(r);
  r->classes[r->nclass] =
      (fb_mjcf_class){.name = name, .parent = parent, .first = FB_MJCF_NONE, .last = FB_MJCF_NONE};
  *id = (int)r->nclass++;
  return FB_OK;
}

static void add_class_node(fb_mjcf_reader* r, int id, int node) {
  fb_mjcf_class* c = &r->classes[id];
  if (c->last != FB_MJCF_NONE)
    r->next_node[c->last] = node;
  else
    c->first = node;
  c->last = node;
}

/* The class of a <default>. One that stands in <mujoco> is main, whatever its name. */
static fb_status place_default(fb_mjcf_reader* r, int node) {
  const char* name = fb_mjcf_written(&r->tree, node, "class");
  int parent = r->tree.nodes[node].parent, inner = fb_mjcf_is(&r->tree, parent, "default"), id = 0;
  if (!inner) {
    if (name && find_class(r, name) < 0 && r->classes[0].first == FB_MJCF_NONE) r->classes[0].name = name;
  } else if (!name || !name[0]) {
    return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "a <default> inside another needs class=\"NAME\"");
  }
  if (inner || (name && strcmp(name, "main") != 0)) {
    id = find_class(r, name);
    fb_status status = id < 0 ? add_class(r, name, inner ? r->class_of[parent] : 0, &id) : FB_OK;
    if (status) return status;
  }
  r->class_of[node] = id;
  add_class_node(r, id, node);
  return FB_OK;
}

static fb_status named_class(fb_mjcf_reader* r, int node, const char* name, int* out) {
  /* The class of an element matters here, or not: actuators and the like may come without theirs. */
  int parent = r->tree.nodes[node].parent, in_sensor = parent > 0 && fb_mjcf_is(&r->tree, parent, "sensor");
  int is_read =
      !in_sensor && fb_is_listed(fb_mjcf_tag(&r->tree, node), " body frame joint geom site mesh material ");
  *out = find_class(r, name);
  if (*out < 0 && (strcmp(name, "main") == 0 || !is_read)) *out = 0;
  if (*out >= 0) return FB_OK;
  return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "there is no default class '%.100s'", name);
}

fb_status fb_mjcf_gather_classes(fb_mjcf_reader* r) {
  int main_class;
  fb_status status = add_class(r, "main", -1, &main_class);
  for (int i = 0; i < (int)r->tree.count && !status; i++) {
    r->next_node[i] = FB_MJCF_NONE;
    r->class_of[i] = 0;
    if (fb_mjcf_is(&r->tree, i, "default")) status = place_default(r, i);
  }
  /* Classes may be defined behind what uses them. A childclass holds for what is inside. */
  for (int i = 1; i < (int)r->tree.count && !status; i++) {
    if (fb_mjcf_is(&r->tree, i, "default")) continue;
    int parent = r->tree.nodes[i].parent;
    const char* childclass = fb_mjcf_written(&r->tree, i, "childclass");
    if (!fb_mjcf_is(&r->tree, parent, "default")) r->class_of[i] = r->class_of[parent];
    if (childclass) status = named_class(r, i, childclass, &r->class_of[i]);
    const char* class_name = fb_mjcf_written(&r->tree, i, "class");
    if (class_name && !status) status = named_class(r, i, class_name, &r->class_of[i]);
  }
  return status;
}

/* --- attributes --- */

static const char* text_in(const fb_mjcf_reader* r, int node, const char* attribute, fb_mjcf_source* source) {
  const char* text = fb_mjcf_written(&r->tree, node, attribute);
  if (!text) return NULL;
  source->xml = fb_mjcf_xml(&r->tree, node);
  source->element = r->tree.nodes[node].element;
  return text;
}

/* The last part of this class that gives the attribute goes before earlier ones. */
static const char* text_in_class(const fb_mjcf_reader* r, int class_id, const char* kind,
                                 const char* attribute, fb_mjcf_source* source) {
  const char* found = NULL;
  for (int d = r->classes[class_id].first; d != FB_MJCF_NONE; d = r->next_node[d])
    for (int e = r->tree.nodes[d].first; e != FB_MJCF_NONE; e = r->tree.nodes[e].next) {
      if (!fb_mjcf_is(&r->tree, e, kind)) continue;
      const char* text = text_in(r, e, attribute, source);
      if (text) found = text;
    }
  return found;
}

const char* fb_mjcf_find(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute,
                         fb_mjcf_source* source) {
  const char* text = text_in(r, node, attribute, source);
  for (int c = r->class_of[node]; kind && !text && c >= 0; c = r->classes[c].parent)
    text = text_in_class(r, c, kind, attribute, source);
  return text;
}

fb_status fb_mjcf_numbers(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute,
                          int count, double* out, int* found) {
  fb_mjcf_source s;
  int there = fb_mjcf_find(r, node, kind, attribute, &s) != NULL;
  if (found) *found = there;
  return there ? fb_xml_numbers(s.xml, s.element, attribute, count, out, r->error) : FB_OK;
}

fb_status fb_mjcf_some(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute, int most,
                       double* out, int* found) {
  fb_mjcf_source s;
  *found = 0;
  if (!fb_mjcf_find(r, node, kind, attribute, &s)) return FB_OK;
  int count = fb_xml_number_count(s.xml, s.element, attribute);
  *found = count < most ? count : most;
  return fb_xml_numbers(s.xml, s.element, attribute, *found, out, r->error);
}

fb_status fb_mjcf_word(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute,
                       const char* const* words, int* out) {
  fb_mjcf_source s;
  char list[200] = "";
  const char* text = fb_mjcf_find(r, node, kind, attribute, &s);
  if (!text) return FB_OK;
  for (int i = 0; words[i]; i++)
    if (strcmp(text, words[i]) == 0) {
      *out = i;
      return FB_OK;
    }
  for (int i = 0; words[i]; i++) {
    if (i) strncat(list, words[i + 1] ? ", " : " or ", sizeof list - strlen(list) - 1);
    strncat(list, words[i], sizeof list - strlen(list) - 1);
  }
  return fb_xml_fail(s.xml, s.element, r->error, FB_ERR_CONTENT,
                     "attribute '%s' of <%s> is '%.60s'; it is %s", attribute, fb_xml_name(s.xml, s.element),
                     text, list);
}
