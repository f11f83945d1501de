/* frames.c -- models, links, joints and frames of SDF, and where each is at zero coordinates.
 *
 * Since 1.7 a pose is relative to what it names, or to what the element is in: a link to its model, a joint to its child, a
 * frame to what it is attached to. Before, the attribute was not there, and the rule the same. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/text.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "format/sdf/reader.h"

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

enum { MOST = 20000 }; /* names are looked for one by one */

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
  if (!fb_grow(&r->items, r->nitem, 1, &r->item_room, sizeof *r->items)) return fb_sdf_no_memory(r);
  const char* around = model >= 0 ? r->items[model].name : "";
  char* name = kind == 'm' && alone ? fb_copy_text("") : fb_join_texts(around, *around ? "::" : "", given);
  if (!name) return fb_sdf_no_memory(r);
  r->items[r->nitem++] = (fb_sdf_item){
      .element = element, .kind = kind, .name = name, .model = model, .given = given, .joint = FB_XML_NONE};
  return FB_OK;
}

/* Elements come in the order of the file, so models come before what is in them. */
static int model_around(const fb_sdf_reader* r, int element) {
  int parent = fb_xml_parent(r->xml, element);
  for (size_t i = r->nitem; i-- > 0;)
    if (r->items[i].kind == 'm' && r->items[i].element == parent) return (int)i;
  return -1;
}

static fb_status refuse_include(const fb_sdf_reader* r, int element) {
  return fb_xml_fail(
      r->xml, element, r->error, FB_ERR_UNSUPPORTED,
      "<include> is not read; put what it includes into the file first, as `gz sdf -p FILE` does");
}

fb_status fb_sdf_gather(fb_sdf_reader* r) {
  int models = 0, last_model = -1;
  for (int e = 1; e < fb_xml_count(r->xml); e++) {
    int parent = fb_xml_parent(r->xml, e);
    models += is_tag(r, e, "model") && (is_tag(r, parent, "sdf") || is_tag(r, parent, "world"));
  }
  fb_status status = FB_OK;
  for (int e = 1; e < fb_xml_count(r->xml) && !status; e++) {
    int parent = fb_xml_parent(r->xml, e);
    int in_model = last_model >= 0 && is_tag(r, parent, "model");
    int top = is_tag(r, parent, "sdf") || is_tag(r, parent, "world");
    if (is_tag(r, e, "include") && (in_model || top)) return refuse_include(r, e);
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

/* --- looking up --- */

/* Joints come last: before 1.7 one could have the name of a link. */
static int find_whole(const fb_sdf_reader* r, const char* name) {
  int joint = -1;
  for (size_t i = 0; i < r->nitem; i++) {
    if (strcmp(r->items[i].name, name) != 0) continue;
    if (r->items[i].kind != 'j') return (int)i;
    if (joint < 0) joint = (int)i;
  }
  return joint;
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

int fb_sdf_link_of(const fb_sdf_reader* r, int item) {
  for (size_t steps = 0; item >= 0 && steps <= r->nitem; steps++) {
    const fb_sdf_item* it = &r->items[item];
    const char* attached = fb_xml_attribute(r->xml, it->element, "attached_to");
    if (it->kind == 'l') return item;
    if (it->kind == 'j') {
      item = child_of(r, it);
      continue;
    }
    if (it->kind == 'f' && attached && *attached) {
      item = fb_sdf_find(r, it->model, attached);
      continue;
    }
    /* A model moves with its first link, which may be named; and a frame of it likewise. */
    int model = it->kind == 'm' ? item : it->model;
    const char* canonical = fb_xml_attribute(r->xml, r->items[model].element, "canonical_link");
    if (canonical && *canonical) {
      item = fb_sdf_find(r, model, canonical);
      continue;
    }
    for (size_t i = 0; i < r->nitem; i++)
      if (r->items[i].kind == 'l' && r->items[i].model == model) return (int)i;
    return -1;
  }
  return -1;
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
