/* frames.c -- where the models, links, joints and frames of SDF are at zero coordinates, and what they move with.
 *
 * Since 1.7 a pose is relative to what it names, or to what the element is in: a link to its model, a joint to its child, a
 * frame to what it is attached to. Before, the attribute was not there, and the rule the same. The pose of a model with
 * placement_frame is that of this frame f of it:
 *   X_model = X_pose X_f^-1, with X_f in the model. */
#include <string.h>

#include "format/sdf/reader.h"

/* The child of a joint, with which its frame moves; -1: the world, or none. */
static int child_of(const fb_sdf_reader* r, const fb_sdf_item* joint) {
  char name[1000];
  return fb_sdf_word(r, joint->element, "child", name) ? fb_sdf_find(r, joint->model, name) : -1;
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
  if (model < 0) return FB_SDF_NO_LINK; /* a frame of the world */
  const char* canonical = fb_xml_attribute(r->xml, r->items[model].element, "canonical_link");
  return canonical && *canonical ? fb_sdf_find(r, model, canonical) : r->items[model].first;
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

void fb_sdf_pose_between(const fb_pose* a_w, const fb_pose* b_w, double p[3], double R[9]) {
  fb_pose back, rel;
  fb_pose_inverse(a_w, &back);
  fb_pose_multiply(&back, b_w, &rel);
  memcpy(p, rel.p, sizeof rel.p);
  memcpy(R, rel.R, sizeof rel.R);
}

/* What an item's pose is relative to when it does not say: -1 is the world. */
static int around(const fb_sdf_reader* r, int item) {
  const fb_sdf_item* it = &r->items[item];
  if (it->kind == 'j') return child_of(r, it);
  const char* attached = it->kind == 'f' ? fb_xml_attribute(r->xml, it->element, "attached_to") : NULL;
  int to = attached && *attached ? fb_sdf_find(r, it->model, attached) : -1;
  return to >= 0 ? to : it->model;
}

static fb_status no_such_frame(const fb_sdf_reader* r, int element, const char* attribute, const char* name) {
  return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT, "%s=\"%.100s\": there is no such frame",
                     attribute, name);
}

static fb_status needed_by(const fb_sdf_reader* r, int item, fb_pose* pose, int* from) {
  const fb_sdf_item* it = &r->items[item];
  const char *relative_to, *attached = fb_xml_attribute(r->xml, it->element, "attached_to");
  fb_status status = fb_sdf_pose(r, it->element, pose, &relative_to);
  if (status) return status;
  if (it->is_placed) fb_pose_multiply(pose, &it->pose_w, pose);
  *from = around(r, item);
  if (it->kind == 'f' && attached && *attached && strcmp(attached, "world") != 0 &&
      fb_sdf_find(r, it->model, attached) < 0)
    return no_such_frame(r, it->element, "attached_to", attached);
  if (!relative_to) return FB_OK;
  *from = fb_sdf_find(r, it->model, relative_to);
  return *from >= 0 || strcmp(relative_to, "world") == 0
             ? FB_OK
             : no_such_frame(r, it->element, "relative_to", relative_to);
}

/* The pose of the frame in the model, from one to the next that it is relative to. */
static fb_status find_foot(const fb_sdf_reader* r, int model, const char* name, fb_pose* foot) {
  int element = r->items[model].element, at = fb_sdf_find(r, model, name);
  if (at < 0) return no_such_frame(r, element, "placement_frame", name);
  *foot = fb_pose_identity();
  for (size_t steps = 0; at >= 0 && at != model; steps++) {
    fb_pose local;
    fb_status status = needed_by(r, at, &local, &at);
    if (status) return status;
    if (steps > r->nitem) at = -1; /* a ring */
    fb_pose_multiply(&local, foot, foot);
  }
  return at == model ? FB_OK
                     : fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT,
                                   "placement_frame=\"%.100s\": its pose is not relative to the model", name);
}

/* From the last to the first: those in a model come after it, and are needed by it. */
fb_status fb_sdf_find_placed(fb_sdf_reader* r) {
  for (int i = (int)r->nitem - 1; i >= 0; i--) {
    fb_sdf_item* it = &r->items[i];
    fb_pose foot;
    const char* name = it->kind == 'm' ? fb_xml_attribute(r->xml, it->element, "placement_frame") : NULL;
    if (!name || !*name || strcmp(name, "__model__") == 0) continue;
    fb_status status = find_foot(r, i, name, &foot);
    if (status) return status;
    fb_pose_inverse(&foot, &it->pose_w);
    it->is_placed = 1;
  }
  return FB_OK;
}

/* Finds the pose of an item after those that it is relative to; each remembers who waits for it, as chains may be long. */
fb_status fb_sdf_settle(fb_sdf_reader* r, int item) {
  int at = r->items[item].state == 2 ? -1 : item;
  r->items[item].waits = -1;
  while (at >= 0) {
    fb_pose local;
    int from;
    fb_sdf_item* it = &r->items[at];
    fb_status status = needed_by(r, at, &local, &from);
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
      fb_pose_multiply(&r->items[from].pose_w, &local, &it->pose_w);
    else
      it->pose_w = local;
    it->state = 2;
    at = it->waits;
  }
  return FB_OK;
}

fb_status fb_sdf_pose_in(fb_sdf_reader* r, int model, int element, int otherwise, fb_pose* pose_w) {
  const char* relative_to;
  fb_pose local;
  fb_status status = fb_sdf_pose(r, element, &local, &relative_to);
  int from = relative_to ? fb_sdf_find(r, model, relative_to) : otherwise;
  if (!status && relative_to && from < 0 && strcmp(relative_to, "world") != 0)
    status = no_such_frame(r, element, "relative_to", relative_to);
  if (!status && from >= 0) status = fb_sdf_settle(r, from);
  if (status) return status;
  if (from >= 0)
    fb_pose_multiply(&r->items[from].pose_w, &local, pose_w);
  else
    *pose_w = local;
  return FB_OK;
}

fb_status fb_sdf_pose_on(fb_sdf_reader* r, int link, int element, fb_pose* pose) {
  const char* relative_to;
  fb_pose pose_w;
  fb_status status = fb_sdf_pose(r, element, pose, &relative_to);
  if (status || !relative_to) return status;
  status = fb_sdf_pose_in(r, r->items[link].model, element, link, &pose_w);
  if (!status) status = fb_sdf_settle(r, link);
  if (!status) fb_sdf_pose_between(&r->items[link].pose_w, &pose_w, pose->p, pose->R);
  return status;
}
