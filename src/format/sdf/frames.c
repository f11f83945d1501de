/* frames.c -- models, links, joints and frames of SDF, and where each is at zero coordinates.
 *
 * Since 1.7 a pose is relative to what it names, or to what the element is in: a link to its model, a joint to its child, a
 * frame to what it is attached to. Before, the attribute was not there, and the rule the same. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/text.h>

#include "base/copy_text.h"
#include "base/fnv.h"
#include "base/grow.h"
#include "format/notes.h"
#include "format/sdf/reader.h"
#include "text/number.h"

/* --- values --- */

const char* fb_sdf_text(const fb_sdf_reader* r, int element, const char* child) {
  int e = fb_xml_child(r->xml, element, child);
  if (e == FB_XML_NONE) return NULL;
  const char* text = fb_xml_text(r->xml, e);
  while (*text == ' ' || *text == '\n' || *text == '\t' || *text == '\r') text++;
  return text;
}

/* `count` numbers in the text of an element, and no more than those. */
static int parse(const char* text, int count, double* out) {
  for (int i = 0; i < count; i++) {
    while (*text && strchr(" \n\t\r", *text)) text++;
    text = fb_number_parse(text, &out[i]);
    if (!text || !(out[i] >= -1e300 && out[i] <= 1e300)) return 0;
  }
  while (*text && strchr(" \n\t\r", *text)) text++;
  return !*text;
}

fb_status fb_sdf_numbers(const fb_sdf_reader* r, int element, const char* child, int count, double* out,
                         int* found) {
  const char* text = fb_sdf_text(r, element, child);
  double x[7];
  if (found) *found = text && *text;
  if (!text || !*text) return FB_OK;
  if (!parse(text, count, x))
    return fb_xml_fail(r->xml, fb_xml_child(r->xml, element, child), r->error, FB_ERR_CONTENT,
                       "<%s> needs %d number%s, but has \"%.80s\"", child, count, count == 1 ? "" : "s",
                       text);
  memcpy(out, x, (size_t)count * sizeof *x);
  return FB_OK;
}

fb_status fb_sdf_limit(const fb_sdf_reader* r, int element, const char* child, double* out) {
  const char *text = fb_sdf_text(r, element, child), *end;
  char word[40];
  double x;
  if (!text || !*text) return FB_OK;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(text, " \n\t\r"), text);
  if (fb_number_is_not_finite(word)) {
    if (!strpbrk(word, "aA")) *out = word[0] == '-' ? -INFINITY : INFINITY; /* not a number: none */
    return FB_OK;
  }
  end = fb_number_parse(text, &x);
  if (!end || end[strspn(end, " \n\t\r")])
    return fb_xml_fail(r->xml, fb_xml_child(r->xml, element, child), r->error, FB_ERR_CONTENT,
                       "<%s> needs 1 number, but has \"%.80s\"", child, text);
  *out = x;
  return FB_OK;
}

int fb_sdf_is_true(const fb_sdf_reader* r, int element, const char* child) {
  const char* text = fb_sdf_text(r, element, child);
  return text && (strncmp(text, "true", 4) == 0 || strcmp(text, "1") == 0);
}

fb_status fb_sdf_pose(const fb_sdf_reader* r, int element, fb_pose* pose, const char** relative_to) {
  double x[7] = {0};
  int e = fb_xml_child(r->xml, element, "pose"), found = 0;
  *pose = fb_pose_identity();
  *relative_to = NULL;
  if (e == FB_XML_NONE) return FB_OK;
  const char *degrees = fb_xml_attribute(r->xml, e, "degrees"),
             *format = fb_xml_attribute(r->xml, e, "rotation_format");
  int quat = format && strcmp(format, "quat_xyzw") == 0;
  *relative_to = fb_xml_attribute(r->xml, e, "relative_to");
  if (*relative_to && !**relative_to) *relative_to = NULL;
  fb_status status = fb_sdf_numbers(r, element, "pose", quat ? 7 : 6, x, &found);
  if (status || !found) return status;
  memcpy(pose->p, x, sizeof pose->p);
  if (quat) {
    double q[4] = {x[6], x[3], x[4], x[5]};
    fb_quat_normalise(q);
    fb_rot_from_quat(q, pose->R);
    return FB_OK;
  }
  double by = degrees && strcmp(degrees, "true") == 0 ? 0.017453292519943295 : 1;
  double rpy[3] = {by * x[3], by * x[4], by * x[5]};
  fb_rot_from_rpy(rpy, pose->R);
  return FB_OK;
}

/* --- items --- */

enum { MOST = 1000000, DEEPEST = 100 }; /* of models in models, whose names are as long */

static int is_tag(const fb_sdf_reader* r, int element, const char* tag) {
  return strcmp(fb_xml_name(r->xml, element), tag) == 0;
}

static fb_status add_item(fb_sdf_reader* r, int element, char kind, int model, int alone) {
  const char* given;
  fb_status status = fb_xml_need_attribute(r->xml, element, "name", &given, r->error);
  if (status) return status;
  if (r->nitem >= MOST)
    return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT, "there are more than %d links and frames",
                       (int)MOST);
  int depth = kind == 'm' && model >= 0 ? r->items[model].depth + 1 : 0;
  if (depth > DEEPEST)
    return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT,
                       "models are in one another more than %d deep", (int)DEEPEST);
  if (!fb_grow(&r->items, r->nitem, 1, &r->item_room, sizeof *r->items)) return fb_sdf_no_memory(r);
  const char* around = model >= 0 ? r->items[model].name : "";
  char* name = kind == 'm' && alone ? fb_copy_text("") : fb_join_texts(around, *around ? "::" : "", given);
  if (name && kind == 'l' && strcmp(name, "world") == 0) {
    free(name);
    name = fb_copy_text("world_link");
    fb_io_note(r->options, "line %d: link 'world' has the name 'world_link' now; 'world' is the world itself",
               fb_xml_place(r->xml, element).line);
  }
  if (!name) return fb_sdf_no_memory(r);
  fb_sdf_item* it = &r->items[r->nitem];
  *it = (fb_sdf_item){.element = element,
                      .kind = kind,
                      .name = name,
                      .model = model,
                      .given = given,
                      .depth = depth,
                      .first_link = -1,
                      .link = FB_SDF_NOT_KNOWN,
                      .joint = FB_XML_NONE};
  if (kind == 'm') {
    const char* version = fb_xml_attribute(r->xml, element, "freebody_version");
    it->version = model >= 0 ? r->items[model].version : r->version;
    if (version) fb_sdf_version(version, &it->version);
    it->is_static = (model >= 0 && r->items[model].is_static) || fb_sdf_is_true(r, element, "static");
    r->model_item[element] = (int)r->nitem;
  }
  if (kind == 'l' && r->items[model].first_link < 0) r->items[model].first_link = (int)r->nitem;
  r->nitem++;
  return FB_OK;
}

/* Elements come in the order of the file, so models come before what is in them. */
static int model_around(const fb_sdf_reader* r, int element) {
  return r->model_item[fb_xml_parent(r->xml, element)];
}

static size_t slot_of(const fb_sdf_reader* r, const char* name) {
  size_t i = fb_fnv_slot(name, r->nslot);
  while (r->slots[i] && strcmp(r->items[r->slots[i] - 1].name, name) != 0) i = (i + 1) & (r->nslot - 1);
  return i;
}

/* By name, the first of each; but joints come last, since before 1.7 one could have the name of a link. */
static fb_status index_names(fb_sdf_reader* r) {
  for (r->nslot = 64; r->nslot < 2 * r->nitem; r->nslot *= 2) continue;
  r->slots = calloc(r->nslot, sizeof *r->slots);
  if (!r->slots) return fb_sdf_no_memory(r);
  for (int joints = 0; joints < 2; joints++)
    for (size_t i = 0; i < r->nitem; i++) {
      size_t slot = slot_of(r, r->items[i].name);
      if ((r->items[i].kind == 'j') == joints && !r->slots[slot]) r->slots[slot] = (int)i + 1;
    }
  return FB_OK;
}

static fb_status gather_items(fb_sdf_reader* r) {
  int models = 0, last_model = -1;
  for (int e = 1; e < fb_xml_count(r->xml); e++) {
    int parent = fb_xml_parent(r->xml, e);
    models += is_tag(r, e, "model") && (parent == 0 || is_tag(r, parent, "world"));
  }
  fb_status status = FB_OK;
  for (int e = 1; e < fb_xml_count(r->xml) && !status; e++) {
    int parent = fb_xml_parent(r->xml, e);
    int in_model = last_model >= 0 && is_tag(r, parent, "model");
    int top = parent == 0 || is_tag(r, parent, "world");
    if (is_tag(r, e, "model") && (in_model || top)) {
      status = add_item(r, e, 'm', in_model ? model_around(r, e) : -1, top && models == 1);
      last_model = e;
    } else if (in_model && (is_tag(r, e, "link") || is_tag(r, e, "joint") || is_tag(r, e, "frame"))) {
      int model = model_around(r, e);
      if (model >= 0) status = add_item(r, e, *fb_xml_name(r->xml, e), model, 0);
    }
  }
  return status;
}

fb_status fb_sdf_gather(fb_sdf_reader* r) {
  size_t count = (size_t)fb_xml_count(r->xml);
  r->model_item = malloc(count * sizeof *r->model_item);
  if (!r->model_item) return fb_sdf_no_memory(r);
  for (size_t e = 0; e < count; e++) r->model_item[e] = -1;
  fb_status status = gather_items(r);
  return status ? status : index_names(r);
}

/* --- looking up --- */

static int find_whole(const fb_sdf_reader* r, const char* name) {
  return r->slots[slot_of(r, name)] - 1;
}

int fb_sdf_find(const fb_sdf_reader* r, int model, const char* name) {
  if (strcmp(name, "__model__") == 0) return model;
  if (model < 0 || !r->items[model].name[0]) return *name ? find_whole(r, name) : -1;
  char* whole = fb_join_texts(r->items[model].name, "::", name);
  int found = whole ? find_whole(r, whole) : -1;
  free(whole);
  return found;
}

/* The child of a joint, with which its frame moves; -1: the world, or none. */
static int child_of(const fb_sdf_reader* r, const fb_sdf_item* joint) {
  const char* text = fb_sdf_text(r, joint->element, "child");
  char name[1000] = "";
  size_t size = text ? strlen(text) : 0;
  while (size > 0 && strchr(" \n\t\r", text[size - 1])) size--;
  if (size < sizeof name && size > 0) snprintf(name, sizeof name, "%.*s", (int)size, text);
  return *name ? fb_sdf_find(r, joint->model, name) : -1;
}

/* What an item moves with: another item, or itself when it is a link. */
static int carrier_of(const fb_sdf_reader* r, int item) {
  const fb_sdf_item* it = &r->items[item];
  const char* attached = fb_xml_attribute(r->xml, it->element, "attached_to");
  if (it->kind == 'l') return item;
  if (it->kind == 'j') return child_of(r, it);
  if (it->kind == 'f' && attached && *attached) return fb_sdf_find(r, it->model, attached);
  /* A model moves with its first link, which may be named; and a frame of it likewise. */
  int model = it->kind == 'm' ? item : it->model;
  const char* canonical = fb_xml_attribute(r->xml, r->items[model].element, "canonical_link");
  return canonical && *canonical ? fb_sdf_find(r, model, canonical) : r->items[model].first_link;
}

/* Each item on the way remembers who asked, and is told in the end. One that is met twice is carried by itself: none. */
int fb_sdf_link_of(fb_sdf_reader* r, int item) {
  int at = item, found = FB_SDF_NO_LINK, last = -1;
  while (at >= 0 && r->items[at].link == FB_SDF_NOT_KNOWN) {
    int next = carrier_of(r, at);
    r->items[at].link = FB_SDF_NO_LINK;
    r->items[at].waits = last;
    last = at;
    if (next == at) {
      found = at;
      break;
    }
    at = next;
  }
  if (found < 0 && at >= 0) found = r->items[at].link;
  for (; last >= 0; last = r->items[last].waits) r->items[last].link = found;
  return found;
}

/* --- poses --- */

/* What an item's pose is relative to when it does not say: -1 is the world. */
static int around(const fb_sdf_reader* r, int item) {
  const fb_sdf_item* it = &r->items[item];
  if (it->kind == 'j') return child_of(r, it);
  const char* attached = it->kind == 'f' ? fb_xml_attribute(r->xml, it->element, "attached_to") : NULL;
  int to = attached && *attached ? fb_sdf_find(r, it->model, attached) : -1;
  return to >= 0 ? to : it->model;
}

static fb_status needed_by(const fb_sdf_reader* r, int item, fb_pose* pose, int* from) {
  const fb_sdf_item* it = &r->items[item];
  const char* relative_to;
  fb_status status = fb_sdf_pose(r, it->element, pose, &relative_to);
  *from = around(r, item);
  if (status || !relative_to || strcmp(relative_to, "world") == 0) return status;
  *from = fb_sdf_find(r, it->model, relative_to);
  if (*from >= 0) return FB_OK;
  return fb_xml_fail(r->xml, it->element, r->error, FB_ERR_CONTENT,
                     "relative_to=\"%.100s\": there is no such frame", relative_to);
}

/* Finds the pose of an item after those that it is relative to; each remembers who waits for it, as chains may be long. */
fb_status fb_sdf_settle(fb_sdf_reader* r, int item) {
  int at = r->items[item].state == 2 ? -1 : item;
  r->items[item].waits = -1;
  while (at >= 0) {
    fb_pose own;
    int from;
    fb_sdf_item* it = &r->items[at];
    fb_status status = needed_by(r, at, &own, &from);
    if (status) return status;
    it->state = 1;
    if (from >= 0 && r->items[from].state == 1)
      return fb_xml_fail(r->xml, it->element, r->error, FB_ERR_CONTENT,
                         "the pose of '%.100s' is relative to itself", it->name);
    if (from >= 0 && r->items[from].state == 0) {
      r->items[from].waits = at;
      at = from;
      continue;
    }
    if (from >= 0)
      fb_pose_multiply(&r->items[from].pose_w, &own, &it->pose_w);
    else
      it->pose_w = own;
    it->state = 2;
    at = it->waits;
  }
  return FB_OK;
}

fb_status fb_sdf_pose_in(fb_sdf_reader* r, int model, int element, int otherwise, fb_pose* pose_w) {
  const char* relative_to;
  fb_pose own;
  fb_status status = fb_sdf_pose(r, element, &own, &relative_to);
  int from = relative_to ? fb_sdf_find(r, model, relative_to) : otherwise;
  if (!status && relative_to && from < 0 && strcmp(relative_to, "world") != 0)
    status = fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT,
                         "relative_to=\"%.100s\": there is no such frame", relative_to);
  if (!status && from >= 0) status = fb_sdf_settle(r, from);
  if (status) return status;
  if (from >= 0)
    fb_pose_multiply(&r->items[from].pose_w, &own, pose_w);
  else
    *pose_w = own;
  return FB_OK;
}
