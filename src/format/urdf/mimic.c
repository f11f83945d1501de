/* mimic.c -- <mimic>: a joint that follows another, q = multiplier q_other + offset.
 *
 * It becomes a gear (--mimic coupled, the default), is not followed (free), or the joint is fixed at its offset (fixed).
 * Gears are made when all joints are known. What cannot be a gear moves independently, and a note says why: one
 * that follows itself, a fixed joint, or none; and of joints that follow one another in a ring, one is let go. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/notes.h"
#include "format/urdf/reader.h"
#include "format/urdf/urdf.h"
#include "model/definition/check.h"
#include "model/definition/name_index.h"

/* --- a joint --- */

void fb_urdf_fix_joint(fb_joint_def* joint) {
  fb_joint_def fixed = fb_default_joint_def();
  fixed.name = joint->name;
  fixed.place = joint->place;
  memcpy(fixed.at, joint->at, sizeof fixed.at);
  memcpy(fixed.R, joint->R, sizeof fixed.R);
  memcpy(fixed.child_at, joint->child_at, sizeof fixed.child_at);
  memcpy(fixed.child_R, joint->child_R, sizeof fixed.child_R);
  *joint = fixed;
}

void fb_urdf_fix_at(double q, fb_joint_def* joint) {
  double R[9], along[3], pitch = joint->type == FB_JOINT_HELICAL ? joint->pitch : 0;
  if (joint->type == FB_JOINT_PRISMATIC || pitch != 0) {
    fb_rot_apply(joint->R, joint->axis, along);
    for (int i = 0; i < 3; i++) joint->at[i] += (pitch != 0 ? pitch * q : q) * along[i];
  }
  if (joint->type != FB_JOINT_PRISMATIC) {
    fb_rot_from_axis_angle(joint->axis, q, R);
    fb_rot_multiply(joint->R, R, joint->R);
  }
  fb_urdf_fix_joint(joint);
}

static const char* name_of_other(const fb_urdf_reader* r, int e) {
  const char* name = fb_xml_attribute(r->xml, e, "joint");
  return name ? name : "";
}

fb_status fb_urdf_read_mimic(fb_urdf_reader* r, int element, fb_joint_def* joint) {
  int e = fb_xml_child(r->xml, element, "mimic");
  double offset = 0, multiplier = 1;
  if (e == FB_XML_NONE) return FB_OK;
  if (!fb_urdf_may_follow(joint->type))
    return fb_urdf_add_slip(r, FB_SLIP_MIMIC_PLAIN, e, "'%.60s'", joint->name);
  fb_status status = fb_xml_numbers(r->xml, e, "offset", 1, &offset, r->error);
  if (!status) status = fb_urdf_read_number(r, e, "multiplier", &multiplier);
  if (status) return status;
  fb_mimic wish = fb_io_mimic(r->options);
  int coupled = wish == FB_MIMIC_COUPLED, fixed = wish == FB_MIMIC_FIXED;
  if (coupled && multiplier != 0) return FB_OK;
  fb_urdf_add_slip(r,
                   coupled ? FB_SLIP_MIMIC_ZERO
                   : fixed ? FB_SLIP_MIMIC_FIXED
                           : FB_SLIP_MIMIC_FREE,
                   e, "'%.60s' (of '%.60s')", joint->name, name_of_other(r, e));
  if (coupled || fixed) fb_urdf_fix_at(offset, joint);
  return FB_OK;
}

/* --- rings --- */

void fb_urdf_open_rings(int* follows, char* state, int count, void (*open)(void* user, int at), void* user) {
  enum { NEW, ON_THE_WAY, DONE };
  memset(state, NEW, (size_t)count);
  for (int start = 1; start < count; start++) {
    int at = start;
    while (state[at] == NEW && follows[at]) {
      state[at] = ON_THE_WAY;
      if (state[follows[at]] == ON_THE_WAY) {
        if (open) open(user, at);
        follows[at] = 0;
        break;
      }
      at = follows[at];
    }
    for (at = start; state[at] == ON_THE_WAY; at = follows[at]) state[at] = DONE;
    state[at] = DONE;
  }
}

/* --- gears --- */

static int element_of(const fb_urdf_mimics* m, int body) {
  return fb_xml_child(m->r->xml, m->r->joint[m->joint[body]], "mimic");
}

static void let_go(const fb_urdf_mimics* m, int body, const char* why) {
  int e = element_of(m, body);
  fb_urdf_add_slip(m->r, FB_SLIP_MIMIC_ODD, e, "'%.60s' (of '%.60s', %s)",
                   fb_model_def_body(m->r->def, body)->joint.name, name_of_other(m->r, e), why);
}

static void let_ring_go(void* user, int body) {
  let_go((const fb_urdf_mimics*)user, body, "which follows it in turn");
}

/* The body whose joint is followed; 0 after a note. */
static int find_other(const fb_urdf_mimics* m, int body) {
  fb_urdf_reader* r = m->r;
  int e = element_of(m, body);
  int joint = fb_names_find(r->joints, r->nnamed, name_of_other(r, e));
  int other = joint < 0 ? 0 : r->body[r->child_link[joint]], nv;
  char why[60];
  double ratio = 1;
  if (joint < 0 || !other || fb_urdf_is_second(r, joint)) {
    let_go(m, body, joint < 0 || !other ? "which is no joint" : "which closes a loop");
    return 0;
  }
  nv = fb_joint_type_nv(fb_model_def_body(r->def, other)->joint.type);
  snprintf(why, sizeof why, nv == 0 ? "which is fixed" : "which has %d coordinates", nv);
  int bad = nv != 1;
  if (other == body) bad = 1, snprintf(why, sizeof why, "itself");
  fb_urdf_read_number(r, e, "multiplier", &ratio);
  if (!(fabs(ratio) <= FB_HUGE_NUMBER)) {
    bad = 1;
    snprintf(why, sizeof why, "with the multiplier '%.30s'", fb_xml_attribute(r->xml, e, "multiplier"));
  }
  if (bad) let_go(m, body, why);
  return bad ? 0 : other;
}

static int follows_by_gear(const fb_urdf_mimics* m, int body) {
  const fb_joint_def* joint = &fb_model_def_body(m->r->def, body)->joint;
  return m->joint[body] >= 0 && fb_urdf_may_follow(joint->type) && element_of(m, body) != FB_XML_NONE;
}

fb_status fb_urdf_find_mimics(fb_urdf_reader* r, fb_urdf_mimics* m) {
  int count = fb_model_def_nbody(r->def);
  *m = (fb_urdf_mimics){.r = r};
  m->joint = malloc(2 * (size_t)count * sizeof *m->joint);
  m->placed = calloc((size_t)count, 1);
  if (!m->joint || !m->placed) return fb_urdf_no_memory(r);
  m->follows = m->joint + count;
  for (int body = 0; body < count; body++) m->joint[body] = -1, m->follows[body] = 0;
  if (fb_io_mimic(r->options) != FB_MIMIC_COUPLED) return FB_OK;
  for (int link = 0; link < r->nlink; link++)
    if (r->body[link]) m->joint[r->body[link]] = r->parent_joint[link];
  for (int body = 1; body < count; body++)
    if (follows_by_gear(m, body)) m->follows[body] = find_other(m, body);
  fb_urdf_open_rings(m->follows, m->placed, count, let_ring_go, m);
  memset(m->placed, 0, (size_t)count);
  return FB_OK;
}

void fb_urdf_free_mimics(fb_urdf_mimics* m) {
  free(m->joint);
  free(m->placed);
}

fb_status fb_urdf_add_mimic(const fb_urdf_mimics* m, int body, const char* name) {
  const fb_urdf_reader* r = m->r;
  if (!m->follows[body]) return FB_OK;
  fb_loop_def gear = fb_default_loop_def(FB_LOOP_GEAR);
  const char* other = fb_def_joint_name(fb_model_def_body(r->def, m->follows[body]));
  double ratio = 1;
  int e = element_of(m, body);
  gear.place = fb_xml_place(r->xml, e);
  gear.a = fb_def_joint_name(fb_model_def_body(r->def, body));
  gear.name = name ? name : gear.a;
  gear.njoint = 1;
  gear.joints = &other;
  gear.ratios = &ratio;
  fb_status status = fb_xml_numbers(r->xml, e, "multiplier", 1, &ratio, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "offset", 1, &gear.offset, r->error);
  return status ? status : fb_model_def_add_loop(r->def, &gear, r->error);
}
