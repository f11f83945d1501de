/* loops.c -- the loops of a URDF: gears from <mimic>, and <loop> elements in the <freebody> of the robot.
 *
 *   <loop name="pin" type="revolute" a="coupler_end" b="rocker_end" axis="0 1 0"/>
 *   <loop name="differential" type="gear" a="housing"><b joint="left" ratio="0.5"/><b joint="right" ratio="0.5"/></loop>
 *   <loop name="belt" mimic="wrist"/>      the gear of joint wrist's <mimic>: its name, and its place in the list
 *
 * Gears that have no such element come first, in the order of the bodies; second joints of a link come last. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "format/native/schema.h"
#include "format/urdf/reader.h"
#include "model/definition/name_index.h"

/* --- a <loop> --- */

static fb_status read_type(const fb_urdf_reader* r, int e, fb_loop_type* type) {
  const char* name;
  fb_status status = fb_xml_need_attribute(r->xml, e, "type", &name, r->error);
  if (status) return status;
  int found = fb_loop_type_find(name);
  *type = (fb_loop_type)found;
  if (found >= 0) return FB_OK;
  const char* names[FB_LOOP_TYPE_COUNT + 1] = {NULL};
  for (int i = 0; i < FB_LOOP_TYPE_COUNT; i++) names[i] = fb_loop_type_name((fb_loop_type)i);
  char near[FB_SUGGESTION_SIZE];
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT, "'%.60s' is not a type of a loop%s", name,
                     fb_suggestion_or_list(name, names, "those are", near));
}

/* The attributes are the keys that this type has in the native format. */
static fb_status check_attributes(const fb_urdf_reader* r, int e, fb_loop_type type) {
  const char* known[FB_SCHEMA_MAX_KEYS + 1];
  const fb_field* field;
  int n = 0;
  for (int i = 0; (field = fb_schema_field(&fb_native_schema, FB_NATIVE_LOOP, i)) != NULL; i++)
    if (fb_schema_allows(&fb_native_schema, field, (int)type)) known[n++] = field->key;
  known[n] = NULL;
  return fb_xml_check_attributes(r->xml, e, known, r->error);
}

/* One joint of a gear: an element <b>, or the <loop> itself. */
static fb_status read_gear_joint(const fb_urdf_reader* r, int e, const char* attribute, const char** joint,
                                 double* ratio) {
  *ratio = 1;
  fb_status status = fb_xml_need_attribute(r->xml, e, attribute, joint, r->error);
  return status ? status : fb_xml_numbers(r->xml, e, "ratio", 1, ratio, r->error);
}

static fb_status read_gear_joints(const fb_urdf_reader* r, int loop, const char** joints, double* ratios) {
  static const char* const known[] = {"joint", "ratio", NULL};
  int first = fb_xml_first(r->xml, loop), n = 0;
  if (first == FB_XML_NONE) return read_gear_joint(r, loop, "b", joints, ratios);
  for (int e = first; e != FB_XML_NONE; e = fb_xml_next(r->xml, e), n++) {
    if (strcmp(fb_xml_name(r->xml, e), "b") != 0 || fb_xml_attribute(r->xml, loop, "b"))
      return fb_xml_fail(
          r->xml, e, r->error, FB_ERR_CONTENT,
          "a gear has the attribute b=\"\", or elements <b joint=\"\" ratio=\"\"/> for several joints");
    fb_status status = fb_xml_check_attributes(r->xml, e, known, r->error);
    if (!status) status = read_gear_joint(r, e, "joint", &joints[n], &ratios[n]);
    if (status) return status;
  }
  return FB_OK;
}

static fb_status add_gear(const fb_urdf_reader* r, int element, fb_loop_def* loop) {
  int count = 0;
  for (int e = fb_xml_first(r->xml, element); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) count++;
  loop->njoint = count ? count : 1;
  const char** joints = calloc((size_t)loop->njoint, sizeof *joints);
  double* ratios = calloc((size_t)loop->njoint, sizeof *ratios);
  loop->joints = joints;
  loop->ratios = ratios;
  fb_status status = joints && ratios ? read_gear_joints(r, element, joints, ratios) : fb_urdf_no_memory(r);
  if (!status) status = fb_model_def_add_loop(r->def, loop, r->error);
  free((void*)joints);
  free(ratios);
  return status;
}

static fb_status add_loop(const fb_urdf_reader* r, int e) {
  fb_loop_type type;
  fb_status status = read_type(r, e, &type);
  if (!status) status = check_attributes(r, e, type);
  if (status) return status;
  fb_loop_def loop = fb_default_loop_def(type);
  loop.place = fb_xml_place(r->xml, e);
  status = fb_xml_need_attribute(r->xml, e, "name", &loop.name, r->error);
  if (!status) status = fb_xml_need_attribute(r->xml, e, "a", &loop.a, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "axis", 3, loop.axis, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "axis2", 3, loop.axis2, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "length", 1, &loop.length, r->error);
  if (!status) status = fb_xml_numbers(r->xml, e, "offset", 1, &loop.offset, r->error);
  if (status) return status;
  if (type == FB_LOOP_GEAR) return add_gear(r, e, &loop);
  status = fb_xml_need_attribute(r->xml, e, "b", &loop.b, r->error);
  return status ? status : fb_model_def_add_loop(r->def, &loop, r->error);
}

/* --- <loop mimic=""> --- */

/* The body whose joint it names; 0: it names none. */
static fb_status find_mimic(const fb_urdf_reader* r, int e, int* body) {
  static const char* const known[] = {"name", "mimic", NULL};
  const char *joint = fb_xml_attribute(r->xml, e, "mimic"), *name;
  *body = 0;
  if (!joint) return FB_OK;
  fb_status status = fb_xml_check_attributes(r->xml, e, known, r->error);
  if (!status) status = fb_xml_need_attribute(r->xml, e, "name", &name, r->error);
  if (status) return status;
  int id = fb_names_find(r->joints, r->nnamed, joint);
  if (id >= 0 && !fb_urdf_is_second(r, id) && fb_xml_child(r->xml, r->joint[id], "mimic") != FB_XML_NONE) {
    *body = r->body[r->child_link[id]];
    return FB_OK;
  }
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_NAME, "there is no joint '%.60s' with <mimic>", joint);
}

/* --- the whole --- */

/* The <loop> after this one in a <freebody> of the robot; 0: the first of all. FB_XML_NONE at the end. */
static int next_loop(const fb_urdf_reader* r, int e) {
  int parent = e ? fb_xml_parent(r->xml, e) : fb_xml_first(r->xml, 0);
  int next = e ? fb_xml_next(r->xml, e) : FB_XML_NONE;
  if (!e && parent != FB_XML_NONE && strcmp(fb_xml_name(r->xml, parent), "freebody") == 0)
    next = fb_xml_first(r->xml, parent);
  while (next == FB_XML_NONE && parent != FB_XML_NONE &&
         (parent = fb_xml_next(r->xml, parent)) != FB_XML_NONE)
    if (strcmp(fb_xml_name(r->xml, parent), "freebody") == 0) next = fb_xml_first(r->xml, parent);
  return next;
}

static fb_status mark_placed(const fb_urdf_reader* r, fb_urdf_mimics* m) {
  for (int e = next_loop(r, 0), body; e != FB_XML_NONE; e = next_loop(r, e)) {
    if (strcmp(fb_xml_name(r->xml, e), "loop") != 0)
      return fb_xml_fail(
          r->xml, e, r->error, FB_ERR_CONTENT,
          "<freebody> of a robot may contain <loop name=\"\" type=\"\" a=\"\" b=\"\"/> only, not <%s>",
          fb_xml_name(r->xml, e));
    fb_status status = find_mimic(r, e, &body);
    if (status) return status;
    if (body && m->placed[body])
      return fb_xml_fail(r->xml, e, r->error, FB_ERR_NAME,
                         "the <mimic> of joint '%.60s' has a <loop> already",
                         fb_xml_attribute(r->xml, e, "mimic"));
    m->placed[body] = 1;
  }
  return FB_OK;
}

static fb_status add_loops(const fb_urdf_reader* r, fb_urdf_mimics* m) {
  fb_status status = mark_placed(r, m);
  for (int body = 1; body < fb_model_def_nbody(r->def) && !status; body++)
    if (!m->placed[body]) status = fb_urdf_add_mimic(m, body, NULL);
  for (int e = next_loop(r, 0), body; e != FB_XML_NONE && !status; e = next_loop(r, e)) {
    status = find_mimic(r, e, &body);
    if (!status)
      status = body ? fb_urdf_add_mimic(m, body, fb_xml_attribute(r->xml, e, "name")) : add_loop(r, e);
  }
  return status;
}

fb_status fb_urdf_add_loops(fb_urdf_reader* r) {
  fb_urdf_mimics mimics;
  fb_status status = fb_urdf_find_mimics(r, &mimics);
  if (!status) status = fb_urdf_lift_massless(&mimics);
  if (!status) status = add_loops(r, &mimics);
  if (!status) status = fb_urdf_close_loops(r);
  fb_urdf_free_mimics(&mimics);
  return status;
}
