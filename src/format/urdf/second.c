/* second.c -- joints whose child has a parent joint already: they close loops.
 *
 * The first <joint> of a link carries it. Of another one the frame a is on the parent, at its <origin>, and the frame b is the
 * child's own, since both coincide where a URDF joint is at zero. The loop has the name and the kind of the joint. */
#include <string.h>

#include <freebody/rotation.h>

#include "format/name_set.h"
#include "format/urdf/reader.h"
#include "math/vector3.h"
#include "model/definition/name_index.h"

int fb_urdf_is_second(const fb_urdf_reader* r, int joint) {
  return r->parent_joint[r->child_link[joint]] != joint;
}

static int loop_type_of(fb_joint_type type) {
  static const struct {
    fb_joint_type joint;
    fb_loop_type loop;
  } rows[] = {{FB_JOINT_FIXED, FB_LOOP_WELD},          {FB_JOINT_REVOLUTE, FB_LOOP_REVOLUTE},
              {FB_JOINT_PRISMATIC, FB_LOOP_PRISMATIC}, {FB_JOINT_SPHERICAL, FB_LOOP_POINT},
              {FB_JOINT_UNIVERSAL, FB_LOOP_UNIVERSAL}, {FB_JOINT_PLANAR, FB_LOOP_PLANAR}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].joint == type) return (int)rows[i].loop;
  return -1;
}

/* --- bodies --- */

/* The link that a link is fixed to, at the end of all fixed joints; -1: the world. */
static int rigid_root(const fb_urdf_reader* r, int link) {
  while (link >= 0 && r->body[link]) {
    if (fb_model_def_body(r->def, r->body[link])->joint.type != FB_JOINT_FIXED) return link;
    link = r->parent_link[link];
  }
  return -1;
}

/* --- frames --- */

static int take_names(const fb_urdf_reader* r, fb_name_set* names) {
  int is_new, ok = 1;
  for (int b = 1; b < fb_model_def_nbody(r->def) && ok; b++) {
    ok = fb_name_set_add(names, fb_model_def_body(r->def, b)->name, &is_new) != NULL;
    for (int i = 0; i < fb_model_def_nframe(r->def, b) && ok; i++)
      ok = fb_name_set_add(names, fb_model_def_frame(r->def, b, i)->name, &is_new) != NULL;
  }
  return ok;
}

/* A frame on a body; on the world, where frames cannot be, a body that is fixed to it. */
static fb_status add_frame(const fb_urdf_reader* r, int body, const char* name, const double at[3],
                           const double R[9], fb_place place) {
  if (body) {
    fb_frame_def frame = fb_default_frame_def();
    frame.name = name;
    frame.place = place;
    memcpy(frame.at, at, sizeof frame.at);
    memcpy(frame.R, R, sizeof frame.R);
    return fb_model_def_add_frame(r->def, body, &frame, r->error);
  }
  fb_body_def fixed = fb_default_body_def();
  fixed.name = name;
  fixed.place = place;
  fixed.joint.type = FB_JOINT_FIXED;
  memcpy(fixed.joint.at, at, sizeof fixed.joint.at);
  memcpy(fixed.joint.R, R, sizeof fixed.joint.R);
  return fb_model_def_add_body(r->def, &fixed, NULL, r->error);
}

/* The name of a frame that is turned and moved against that of a link: the link's own where it is neither. */
static fb_status name_end(const fb_urdf_reader* r, fb_name_set* names, int link, const char* joint,
                          const char* end, const double at[3], const double R[9], const char** name) {
  int body = r->body[link];
  const double* Z = r->turn + 9 * (size_t)link;
  double Zt[9], p[3], Q[9];
  fb_rot_transpose(Z, Zt);
  fb_rot_apply(Zt, at, p);
  fb_rot_multiply(Zt, R, Q);
  *name = body ? fb_model_def_body(r->def, body)->name : "world";
  if (is_zero3(p) && is_identity3x3(Q)) return FB_OK;
  *name = fb_name_set_join(names, joint, "_", end);
  if (!*name) return fb_urdf_no_memory(r);
  return add_frame(r, body, *name, p, Q, fb_xml_place(r->xml, r->link[link]));
}

/* --- loops --- */

static fb_status close_loop(fb_urdf_reader* r, fb_name_set* names, int id) {
  static const double ORIGIN[3] = {0, 0, 0};
  int element = r->joint[id], child = r->child_link[id];
  const char* carrier = fb_xml_attribute(r->xml, fb_xml_child(r->xml, element, "parent"), "link");
  int parent = fb_names_find(r->links, r->nlink, carrier);
  double turn[9];
  fb_joint_def joint;
  fb_status status = fb_urdf_read_joint(r, element, r->joint_names[id], &joint, turn);
  if (status) return status;
  int type = loop_type_of(joint.type), rigid = rigid_root(r, parent) == rigid_root(r, child);
  fb_urdf_add_slip(r,
                   rigid      ? FB_SLIP_SECOND_RIGID
                   : type < 0 ? FB_SLIP_SECOND_TYPE
                              : FB_SLIP_SECOND,
                   element, "'%.60s'", joint.name);
  if (rigid || type < 0) return FB_OK;
  fb_loop_def loop = fb_default_loop_def((fb_loop_type)type);
  loop.name = joint.name;
  loop.place = joint.place;
  if (fb_joint_type_naxis(joint.type) > 0) memcpy(loop.axis, joint.axis, sizeof loop.axis);
  if (fb_joint_type_naxis(joint.type) > 1) memcpy(loop.axis2, joint.axis2, sizeof loop.axis2);
  status = name_end(r, names, parent, joint.name, "1", joint.at, joint.R, &loop.a);
  if (!status) status = name_end(r, names, child, joint.name, "2", ORIGIN, turn, &loop.b);
  return status ? status : fb_model_def_add_loop(r->def, &loop, r->error);
}

fb_status fb_urdf_close_loops(fb_urdf_reader* r) {
  fb_name_set names = {0};
  fb_status status = FB_OK;
  for (int j = 0, any = 0; j < r->njoint && !status; j++) {
    if (!fb_urdf_is_second(r, j)) continue;
    if (!any++ && !take_names(r, &names)) status = fb_urdf_no_memory(r);
    if (!status) status = close_loop(r, &names, j);
  }
  fb_name_set_free(&names);
  return status;
}
