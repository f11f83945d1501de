/* mimic.c -- <mimic> of an SDF axis: q = multiplier (q_other - reference) + offset.
 *
 * As that of a URDF (format/urdf/mimic.c) it becomes a gear, or is not followed, or the joint is fixed at its place
 * when the other is at zero, as the caller asks for. Gears are made when all joints are known. What cannot be a gear
 * moves independently, and a note says why. */
#include <stdlib.h>
#include <string.h>

#include "format/notes.h"
#include "format/sdf/reader.h"
#include "format/urdf/urdf.h"

typedef struct mimic {
  int element; /* FB_XML_NONE: there is none */
  const char *joint, *axis;
  double multiplier, offset; /* the reference is in the offset */
} mimic;

static int find_mimic(const fb_sdf_reader* r, int joint, const char* tag) {
  int axis = fb_xml_child(r->xml, joint, tag);
  return axis == FB_XML_NONE ? FB_XML_NONE : fb_xml_child(r->xml, axis, "mimic");
}

static fb_status read(fb_sdf_reader* r, int joint, mimic* m) {
  double reference = 0;
  *m = (mimic){.element = find_mimic(r, joint, "axis"), .multiplier = 1};
  if (m->element == FB_XML_NONE) return FB_OK;
  fb_status status = fb_xml_need_attribute(r->xml, m->element, "joint", &m->joint, r->error);
  m->axis = fb_xml_attribute(r->xml, m->element, "axis");
  if (!status) status = fb_sdf_numbers(r, m->element, "multiplier", 1, &m->multiplier, NULL);
  if (!status) status = fb_sdf_numbers(r, m->element, "offset", 1, &m->offset, NULL);
  if (!status) status = fb_sdf_numbers(r, m->element, "reference", 1, &reference, NULL);
  m->offset -= m->multiplier * reference;
  return status;
}

fb_status fb_sdf_read_mimic(fb_sdf_reader* r, int item, fb_joint_def* joint) {
  int e = r->items[item].element, second = find_mimic(r, e, "axis2");
  mimic m;
  fb_status status = read(r, e, &m);
  if (!status && second != FB_XML_NONE)
    fb_unread_add(&r->unread, second, "lost: <mimic> of <axis2> is not read");
  if (status || m.element == FB_XML_NONE) return status;
  if (fb_joint_type_nv(joint->type) != 1)
    return fb_unread_add(&r->unread, m.element,
                         "lost: <mimic> of a joint that does not have one coordinate is not read");
  fb_mimic wish = fb_io_mimic(r->options);
  int coupled = wish == FB_MIMIC_COUPLED, fixed = wish == FB_MIMIC_FIXED;
  if (coupled && m.multiplier != 0) return FB_OK;
  fb_unread_add(&r->unread, m.element, "%s",
                coupled ? "a joint has <mimic> with multiplier 0; it is fixed at its offset"
                : fixed ? "lost: a joint has <mimic>; it is fixed at its offset, as asked for"
                        : "lost: a joint has <mimic>; it moves independently, as asked for");
  if (coupled || fixed) fb_urdf_fix_at(m.offset, joint);
  return FB_OK;
}

/* --- gears --- */

static void let_go(fb_sdf_reader* r, int element, const char* why) {
  fb_unread_add(&r->unread, element, "lost: a joint has <mimic> of one %s: it moves independently", why);
}

static const fb_joint_def* joint_of(const fb_sdf_reader* r, int link) {
  return &fb_model_def_body(r->def, r->items[link].body)->joint;
}

/* The link that the followed joint carries; -1 after a note. */
static int find_other(fb_sdf_reader* r, int link, const mimic* m) {
  int joint = fb_sdf_find(r, r->items[r->items[link].joint].model, m->joint);
  int other = joint >= 0 && r->items[joint].kind == 'j' ? fb_sdf_link_of(r, joint) : -1;
  const char* why = other < 0                                         ? "that is not there"
                    : r->items[other].joint != joint                  ? "that closes a loop"
                    : other == link                                   ? "that is itself"
                    : fb_joint_type_nv(joint_of(r, other)->type) != 1 ? "that does not have one coordinate"
                    : m->axis && strcmp(m->axis, "axis2") == 0        ? "of whose axes there is no second"
                                                                      : NULL;
  if (!why) return other;
  let_go(r, m->element, why);
  return -1;
}

static fb_status add_gear(fb_sdf_reader* r, int link, int other, const mimic* m) {
  fb_loop_def gear = fb_default_loop_def(FB_LOOP_GEAR);
  const char* leader = joint_of(r, other)->name;
  gear.place = fb_xml_place(r->xml, m->element);
  gear.a = joint_of(r, link)->name;
  gear.name = fb_name_set_make(&r->loops, gear.a);
  gear.njoint = 1;
  gear.joints = &leader;
  gear.ratios = &m->multiplier;
  gear.offset = m->offset;
  return gear.name ? fb_model_def_add_loop(r->def, &gear, r->error) : fb_sdf_no_memory(r);
}

typedef struct followers {
  fb_sdf_reader* r;
  int *follows, *link; /* of each body: the body whose joint its own follows, or 0, and its link */
} followers;

static void let_ring_go(void* user, int body) {
  const followers* f = (const followers*)user;
  fb_sdf_reader* r = f->r;
  let_go(r, find_mimic(r, r->items[r->items[f->link[body]].joint].element, "axis"),
         "that follows it in turn");
}

static fb_status find_follower(followers* f, int link) {
  fb_sdf_reader* r = f->r;
  const fb_sdf_item* it = &r->items[link];
  mimic m;
  f->link[it->body] = link;
  if (it->joint < 0 || fb_joint_type_nv(joint_of(r, link)->type) != 1) return FB_OK;
  fb_status status = read(r, r->items[it->joint].element, &m);
  if (status || m.element == FB_XML_NONE) return status;
  int other = find_other(r, link, &m);
  f->follows[it->body] = other >= 0 ? r->items[other].body : 0;
  return FB_OK;
}

static fb_status add_gears(followers* f, int count) {
  fb_status status = FB_OK;
  mimic m;
  for (int body = 1; body < count && !status; body++) {
    if (!f->follows[body]) continue;
    int link = f->link[body];
    status = read(f->r, f->r->items[f->r->items[link].joint].element, &m);
    if (!status) status = add_gear(f->r, link, f->link[f->follows[body]], &m);
  }
  return status;
}

static fb_status add_followers(fb_sdf_reader* r, int* room, char* state, int count) {
  followers f = {r, room, room + count};
  fb_status status = FB_OK;
  for (size_t i = 0; i < r->nitem && !status; i++)
    if (r->items[i].kind == 'l') status = find_follower(&f, (int)i);
  if (status) return status;
  fb_urdf_open_rings(f.follows, state, count, let_ring_go, &f);
  return add_gears(&f, count);
}

fb_status fb_sdf_add_mimics(fb_sdf_reader* r) {
  int count = fb_model_def_nbody(r->def);
  if (fb_io_mimic(r->options) != FB_MIMIC_COUPLED) return FB_OK;
  int* room = calloc(2 * (size_t)count, sizeof *room);
  char* state = malloc((size_t)count);
  fb_status status = room && state ? add_followers(r, room, state, count) : fb_sdf_no_memory(r);
  free(room);
  free(state);
  return status;
}
