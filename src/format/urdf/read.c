/* read.c -- reads a URDF: links become bodies, depth first, children in the order of their <joint>.
 *
 * The root floats, unless it is named `world` and has no <inertial>: then it is the world itself, and
 * its children stand on the joints that are given. docs/urdf.md says the rest. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/notes.h"
#include "format/urdf/urdf.h"
#include "format/urdf/reader.h"
#include "math/vector3.h"
#include "model/definition/name_index.h"
#include "model/pose.h"

/* --- small readers --- */

/* A quaternion, scalar last: URDF 1.2. */
static fb_status read_quat(const fb_urdf_reader* r, int element, double R[9]) {
  double x[4];
  fb_status status = fb_xml_numbers(r->xml, element, "quat_xyzw", 4, x, r->error);
  if (status) return status;
  if (fb_xml_number_count(r->xml, element, "rpy"))
    return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT,
                       "rpy and quat_xyzw are both given; keep one of them");
  double q[4] = {x[3], x[0], x[1], x[2]};
  if (!(fabs(x[0]) + fabs(x[1]) + fabs(x[2]) + fabs(x[3]) > 0))
    return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT, "quat_xyzw is zero");
  fb_quat_normalise(q);
  fb_rot_from_quat(q, R);
  return FB_OK;
}

/* The attributes xyz, and rpy or quat_xyzw, of an element; absent: zero and the identity. */
static fb_status read_pose(const fb_urdf_reader* r, int element, double at[3], double R[9]) {
  double rpy[3] = {0, 0, 0};
  memset(at, 0, 3 * sizeof *at);
  fb_status status = fb_xml_numbers(r->xml, element, "xyz", 3, at, r->error);
  if (!status && fb_xml_number_count(r->xml, element, "quat_xyzw")) return read_quat(r, element, R);
  if (!status) status = fb_xml_numbers(r->xml, element, "rpy", 3, rpy, r->error);
  fb_rot_from_rpy(rpy, R);
  return status;
}

fb_status fb_urdf_read_origin(const fb_urdf_reader* r, int element, double at[3], double R[9]) {
  int origin = fb_xml_child(r->xml, element, "origin");
  memset(at, 0, 3 * sizeof *at);
  fb_rot_identity(R);
  return origin == FB_XML_NONE ? FB_OK : read_pose(r, origin, at, R);
}

/* The attribute of an element that may be absent; `missing` gathers the names of what is. */
static fb_status read_part(const fb_urdf_reader* r, int element, const char* name, double* out, char* missing,
                           size_t size) {
  if (element != FB_XML_NONE && fb_xml_number_count(r->xml, element, name))
    return fb_xml_numbers(r->xml, element, name, 1, out, r->error);
  size_t used = strlen(missing);
  snprintf(missing + used, size - used, "%s%s", used ? ", " : "", name);
  return FB_OK;
}

/* <inertial> of a link into its body, in link axes. Products of inertia are 0 when they are not there, as many files
 * leave them out; a mass or a moment that is not there makes a note. */
static fb_status read_inertial(fb_urdf_reader* r, int element, fb_body_def* body) {
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  double R[9], I[6] = {0};
  char missing[64] = "", products[64] = "";
  int inertial = fb_xml_child(r->xml, element, "inertial");
  if (inertial == FB_XML_NONE) return FB_OK;
  int mass = fb_xml_child(r->xml, inertial, "mass"), inertia = fb_xml_child(r->xml, inertial, "inertia");
  fb_status status = fb_urdf_read_origin(r, inertial, body->com, R);
  if (!status && mass == FB_XML_NONE)
    snprintf(missing, sizeof missing, "mass");
  else if (!status)
    status = read_part(r, mass, "value", &body->mass, missing, sizeof missing);
  for (int i = 0; i < 6 && !status; i++)
    status = read_part(r, inertia, names[i], &I[i], i < 3 ? missing : products, sizeof missing);
  if (status) return status;
  if (missing[0]) fb_urdf_add_slip(r, FB_SLIP_INERTIAL, inertial, "'%.60s' (no %s)", body->name, missing);
  if (is_identity3x3(R))
    memcpy(body->inertia, I, sizeof I);
  else
    fb_inertia_turn(R, I, body->inertia);
  return FB_OK;
}

/* --- bodies --- */

/* What a link holds, from link axes to body axes: x_b = Zt x_l. Touches nothing when Z is the identity,
 * so that plain links keep every digit. */
static void turn_body(const double Z[9], fb_body_def* body) {
  if (is_identity3x3(Z)) return;
  double Zt[9];
  fb_rot_transpose(Z, Zt);
  fb_rot_apply(Zt, body->com, body->com);
  fb_inertia_turn(Zt, body->inertia, body->inertia);
}

static void turn_pose(const double Z[9], double at[3], double R[9]) {
  if (is_identity3x3(Z)) return;
  double Zt[9];
  fb_rot_transpose(Z, Zt);
  fb_rot_apply(Zt, at, at);
  fb_rot_multiply(Zt, R, R);
}

static fb_status read_frames(fb_urdf_reader* r, int link, int body, const double Z[9]) {
  static const char* const known[] = {"name", "xyz", "rpy", NULL};
  int extension = fb_xml_child(r->xml, link, "freebody");
  fb_status status = FB_OK;
  if (extension == FB_XML_NONE) return FB_OK;
  for (int e = fb_xml_first(r->xml, extension); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    if (strcmp(fb_xml_name(r->xml, e), "frame") != 0)
      return fb_xml_fail(
          r->xml, e, r->error, FB_ERR_CONTENT,
          "<freebody> of a link may contain <frame name=\"\" xyz=\"\" rpy=\"\"/> only, not <%s>",
          fb_xml_name(r->xml, e));
    fb_frame_def frame = fb_default_frame_def();
    frame.place = fb_xml_place(r->xml, e);
    status = fb_xml_check_attributes(r->xml, e, known, r->error);
    if (!status) status = fb_xml_need_attribute(r->xml, e, "name", &frame.name, r->error);
    if (!status) status = read_pose(r, e, frame.at, frame.R);
    turn_pose(Z, frame.at, frame.R);
    if (!status) status = fb_model_def_add_frame(r->def, body, &frame, r->error);
    if (status) return status;
  }
  return FB_OK;
}

/* What the caller's wish makes of a joint on the world: free and fixed change places. */
static void choose_base(const fb_urdf_reader* r, fb_joint_def* joint) {
  fb_base base = r->options ? r->options->base : FB_BASE_AS_FILE;
  if (joint->type == FB_JOINT_FREE && base == FB_BASE_FIXED) {
    fb_urdf_fix_joint(joint);
  } else if (joint->type == FB_JOINT_FIXED && base == FB_BASE_FREE) {
    joint->type = FB_JOINT_FREE;
  }
}

/* The base joint has the name of its link, unless a joint in the file has it. */
static fb_status name_base(fb_urdf_reader* r, int link, fb_body_def* body) {
  if (fb_names_find(r->joints, r->nnamed, body->name) < 0) return FB_OK;
  body->joint.name = fb_name_set_make(&r->given, body->name);
  if (!body->joint.name) return fb_urdf_no_memory(r);
  return fb_urdf_add_slip(r, FB_SLIP_BASE_NAMED, r->link[link], "'%.60s'", body->joint.name);
}

/* The joint that carries a link; the free joint of a floating root has the link's name. */
static fb_status read_carrier(fb_urdf_reader* r, int link, int world, fb_body_def* body) {
  int joint = r->parent_joint[link], parent = r->parent_link[link];
  double* Z = r->turn + 9 * (size_t)link;
  if (joint < 0) {
    body->joint.type = FB_JOINT_FREE;
    body->joint.place = body->place;
    choose_base(r, &body->joint);
    return name_base(r, link, body);
  }
  fb_status status = fb_urdf_read_joint(r, r->joint[joint], r->joint_names[joint], &body->joint, Z);
  if (status) return status;
  if (parent != world) {
    body->parent = fb_urdf_link_name(r, parent);
    turn_pose(r->turn + 9 * (size_t)parent, body->joint.at, body->joint.R);
  } else {
    choose_base(r, &body->joint);
  }
  if (!is_identity3x3(Z))
    fb_io_note(r->options,
               "line %d: the plane of joint '%s' is not normal to z, so the body frame of '%s' is turned "
               "against its link frame until it is; everything on the link is turned with it",
               body->joint.place.line, body->joint.name, body->name);
  return FB_OK;
}

static fb_status add_body(fb_urdf_reader* r, int link, int world) {
  int element = r->link[link];
  const double* Z = r->turn + 9 * (size_t)link;
  fb_body_def body = fb_default_body_def();
  body.name = fb_urdf_link_name(r, link);
  body.place = fb_xml_place(r->xml, element);
  fb_status status = read_carrier(r, link, world, &body);
  if (!status) status = read_inertial(r, element, &body);
  if (status) return status;
  turn_body(Z, &body);
  status = fb_model_def_add_body(r->def, &body, NULL, r->error);
  if (status) return status;
  r->body[link] = fb_model_def_nbody(r->def) - 1;
  status = fb_urdf_read_shapes(r, element, r->body[link], Z);
  if (!status) status = read_frames(r, element, r->body[link], Z);
  return status;
}

/* The link after this one in depth-first order; -1 at the end. */
static int next_link(const fb_urdf_reader* r, int link) {
  if (r->first_joint[link] >= 0) return r->child_link[r->first_joint[link]];
  while (r->parent_joint[link] >= 0) {
    int sibling = r->next_joint[r->parent_joint[link]];
    if (sibling >= 0) return r->child_link[sibling];
    link = r->parent_link[link];
  }
  return -1;
}

/* Each tree from its root, in the order of the roots. */
static fb_status add_depth_first(fb_urdf_reader* r, int world) {
  fb_status status = FB_OK;
  for (int root = 0; root < r->nlink; root++)
    for (int i = r->parent_joint[root] < 0 ? root : -1; i >= 0 && !status; i = next_link(r, i))
      if (i != world) status = add_body(r, i, world);
  return status;
}

/* A child may come before its parent, whose turn must be known first; so the joints are read twice, the
 * first time silently. */
static fb_status add_in_order_of_links(fb_urdf_reader* r, int world) {
  const fb_io_options* options = r->options;
  fb_xml_odd odd = *fb_xml_oddities(r->xml);
  fb_joint_def unused;
  fb_status status = FB_OK;
  r->options = NULL;
  for (int i = 0; i < r->nlink && !status; i++)
    if (r->parent_joint[i] >= 0)
      status = fb_urdf_read_joint(r, r->joint[r->parent_joint[i]], "", &unused, r->turn + 9 * (size_t)i);
  r->options = options;
  r->unread = (fb_unread){0};
  *fb_xml_oddities(r->xml) = odd;
  for (int i = 0; i < r->nlink && !status; i++)
    if (i != world) status = add_body(r, i, world);
  return status;
}

/* --- the robot --- */

/* The link that is the world itself: a root of that name with something attached to it; otherwise -1. */
static int find_world(fb_urdf_reader* r) {
  int world = fb_names_find(r->links, r->nlink, "world");
  if (world < 0 || world == r->renamed) return -1;
  if (fb_xml_first(r->xml, r->link[world]) != FB_XML_NONE)
    fb_io_note(r->options, "lost: line %d: the contents of the link 'world'; it becomes the world itself",
               fb_xml_place(r->xml, r->link[world]).line);
  return world;
}

static fb_status check_root_element(const fb_urdf_reader* r) {
  const char* name = fb_xml_name(r->xml, 0);
  if (strcmp(name, "robot") == 0) return FB_OK;
  const char* hint = "";
  if (strcmp(name, "sdf") == 0) hint = " This is SDF: let the format be recognized, or say --from sdf.";
  if (strcmp(name, "mujoco") == 0) hint = " This is MJCF: let the format be recognized, or say --from mjcf.";
  if (strcmp(name, "COLLADA") == 0) hint = " This is a COLLADA mesh, not a robot.";
  return fb_xml_fail(r->xml, 0, r->error, FB_ERR_CONTENT, "a URDF's root element is <robot>; this is <%s>.%s",
                     name, hint);
}

static const char* robot_name(const fb_urdf_reader* r) {
  const char* name = fb_xml_attribute(r->xml, 0, "name");
  if (name && name[0]) return name;
  fb_io_note(r->options, "minor: line %d: <robot> has no name", fb_xml_place(r->xml, 0).line);
  return "";
}

static fb_status read_robot(fb_urdf_reader* r, const char* file) {
  fb_status status = check_root_element(r);
  if (!status) status = fb_urdf_refuse_xacro(r);
  if (!status) status = fb_urdf_gather(r);
  if (!status) status = fb_urdf_connect(r);
  int world = status ? -1 : find_world(r);
  if (!status) status = r->order_of_links ? add_in_order_of_links(r, world) : add_depth_first(r, world);
  if (!status) status = fb_urdf_add_loops(r);
  if (!status && (fb_model_def_set_name(r->def, robot_name(r)) || fb_model_def_set_source(r->def, file)))
    status = fb_urdf_no_memory(r);
  if (!status) fb_urdf_report_slips(r);
  if (!status) fb_io_apply_inertia(r->options, FB_INERTIA_REPAIR, r->def);
  return status ? status : fb_urdf_report_unread(r);
}

static void forget(fb_urdf_reader* r) {
  fb_name_set_free(&r->given);
  fb_pool_free(&r->pool);
  fb_packages_close(&r->packages);
  fb_xml_free(r->xml);
}

fb_status fb_urdf_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                       fb_model_def** def, fb_error* error) {
  fb_urdf_reader r = {.options = options, .error = error, .implicit_world = -1, .renamed = -1};
  *def = NULL;
  fb_packages_open(&r.packages, options, name);
  fb_status status = fb_xml_parse(text, size, name, &r.xml, error);
  if (status) return status;
  r.def = fb_model_def_new();
  status =
      r.def ? read_robot(&r, name) : fb_fail(error, FB_ERR_MEMORY, "out of memory while the URDF was read");
  forget(&r);
  if (status)
    fb_model_def_free(r.def);
  else
    *def = r.def;
  return status;
}
