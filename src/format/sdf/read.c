/* read.c -- reads the models of an SDF file, alone or in a <world>: links, joints, frames, shapes. Models in models are read
 * with them, their names with the models' before: "arm::hand". A link that no joint carries floats, or is fixed when its model
 * is static; zero coordinates are the poses of the file. */
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/text.h>

#include "format/notes.h"
#include "format/sdf/reader.h"
#include "format/sdf/sdf.h"
#include "math/vector3.h"

fb_status fb_sdf_no_memory(const fb_sdf_reader* r) {
  return fb_fail(r->error, FB_ERR_MEMORY, "out of memory while the SDF was read");
}

static fb_status read_inertial(fb_sdf_reader* r, int link, fb_body_def* body) {
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  int inertial = fb_xml_child(r->xml, link, "inertial");
  double I[6] = {1, 1, 1, 0, 0, 0};
  fb_pose pose;
  const char* unused;
  body->mass = 1; /* SDF's own, for links that say nothing */
  memcpy(body->inertia, I, sizeof I);
  if (inertial == FB_XML_NONE) {
    if (!r->no_inertial++) r->no_inertial_line = fb_xml_place(r->xml, link).line;
    return FB_OK;
  }
  int inertia = fb_xml_child(r->xml, inertial, "inertia");
  fb_status status = fb_sdf_pose(r, inertial, &pose, &unused);
  if (!status) status = fb_sdf_numbers(r, inertial, "mass", 1, &body->mass, NULL);
  for (int i = 0; i < 6 && !status && inertia != FB_XML_NONE; i++)
    status = fb_sdf_numbers(r, inertia, names[i], 1, &I[i], NULL);
  if (status) return status;
  memcpy(body->com, pose.p, sizeof pose.p);
  fb_spatial_inertia own = {0}, turned;
  memcpy(own.moments, I, sizeof I);
  memset(pose.p, 0, sizeof pose.p);
  fb_spatial_inertia_to_parent(&pose, &own, &turned);
  memcpy(body->inertia, is_identity3x3(pose.R) ? I : turned.moments, sizeof I);
  return FB_OK;
}

static fb_status add_link(fb_sdf_reader* r, int item) {
  fb_body_def body = fb_default_body_def();
  fb_sdf_item* it = &r->items[item];
  int is_new;
  const char* kept = fb_name_set_add(&r->names, it->name, &is_new);
  if (!kept) return fb_sdf_no_memory(r);
  if (!is_new)
    return fb_xml_fail(r->xml, it->element, r->error, FB_ERR_NAME, "the name '%.100s' is given twice",
                       it->name);
  body.name = kept;
  body.place = fb_xml_place(r->xml, it->element);
  fb_status status = fb_sdf_settle(r, item);
  if (!status && it->joint != FB_XML_NONE) {
    status = fb_sdf_joint(r, item, &body.joint, &body.parent);
  } else if (!status) {
    int base = r->options ? r->options->base : FB_BASE_AS_FILE;
    int fixed = base == FB_BASE_FIXED || (base == FB_BASE_AS_FILE && r->items[it->model].is_static);
    body.joint.type = fixed ? FB_JOINT_FIXED : FB_JOINT_FREE;
    body.joint.name = fb_name_set_make(&r->joints, kept);
    if (!body.joint.name) return fb_sdf_no_memory(r);
    memcpy(body.joint.at, it->pose_w.p, sizeof it->pose_w.p);
    memcpy(body.joint.R, it->pose_w.R, sizeof it->pose_w.R);
  }
  if (!status) status = read_inertial(r, it->element, &body);
  if (!status) status = fb_model_def_add_body(r->def, &body, NULL, r->error);
  it->body = fb_model_def_nbody(r->def) - 1;
  return status ? status : fb_sdf_add_shapes(r, item, it->body);
}

static fb_status add_frame(fb_sdf_reader* r, int item) {
  fb_pose back, rel;
  fb_sdf_item* it = &r->items[item];
  int link = fb_sdf_link_of(r, item), is_new;
  fb_status status = fb_sdf_settle(r, item);
  if (status) return status;
  fb_frame_def frame = fb_default_frame_def();
  frame.name = fb_name_set_add(&r->names, it->name, &is_new);
  if (!frame.name) return fb_sdf_no_memory(r);
  if (link < 0 || !is_new) {
    fb_io_note(r->options, "lost: line %d: the frame '%.60s'", fb_xml_place(r->xml, it->element).line,
               it->name);
    return FB_OK;
  }
  fb_pose_inverse(&r->items[link].pose_w, &back);
  fb_pose_multiply(&back, &it->pose_w, &rel);
  memcpy(frame.at, rel.p, sizeof rel.p);
  memcpy(frame.R, rel.R, sizeof rel.R);
  frame.place = fb_xml_place(r->xml, it->element);
  return fb_model_def_add_frame(r->def, r->items[link].body, &frame, r->error);
}

static fb_status read_world(fb_sdf_reader* r) {
  double g[3] = {0, 0, -9.8};
  int world = fb_xml_child(r->xml, 0, "world");
  if (world == FB_XML_NONE) return FB_OK;
  fb_status status = fb_sdf_numbers(r, world, "gravity", 3, g, NULL);
  fb_model_def_set_gravity(r->def, g);
  return status;
}

/* Sensors, plugins and the like do not move anything by themselves. */
static void tell_unread(const fb_sdf_reader* r) {
  static const char* const tags[] = {"plugin",  "sensor",      "light",    "actor",
                                     "gripper", "joint_state", "projector"};
  for (size_t t = 0; t < sizeof tags / sizeof *tags; t++) {
    int count = 0, line = 0;
    for (int e = 1; e < fb_xml_count(r->xml); e++) {
      if (strcmp(fb_xml_name(r->xml, e), tags[t]) != 0) continue;
      if (!count++) line = fb_xml_place(r->xml, e).line;
    }
    if (count)
      fb_io_note(r->options, "lost: line %d: <%s> is not read; passed over %d", line, tags[t], count);
  }
  if (r->no_inertial)
    fb_io_note(r->options,
               "line %d: <link> without <inertial> has 1 kg and 1 kg m^2, as SDF says (%d of them)",
               r->no_inertial_line, r->no_inertial);
  if (r->lost_meshes)
    fb_io_note(r->options,
               "lost: %d shapes of kinds that are not read, or meshes that are not STL, OBJ or COLLADA",
               r->lost_meshes);
}

int fb_sdf_version(const char* text, double* version) {
  double x;
  if (!fb_number_parse(text, &x)) return 0;
  if (strncmp(text, "1.1", 3) == 0 && text[3] >= '0' && text[3] <= '9')
    x = 1.9 + 0.01 * (text[3] - '0' + 1); /* 1.10 */
  *version = x;
  return x >= 1.2 && x < 2;
}

static fb_status read_all(fb_sdf_reader* r) {
  const char* version = fb_xml_attribute(r->xml, 0, "version");
  r->version = 1.7;
  if (version && !fb_number_parse(version, &r->version))
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_CONTENT, "version=\"%.40s\" is not a number", version);
  if (version && !fb_sdf_version(version, &r->version))
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_UNSUPPORTED,
                       "SDF %s is not read; versions 1.2 to 1.12 are", version);
  fb_status status = fb_sdf_include_all(r);
  if (!status) status = fb_sdf_gather(r);
  int links = 0;
  for (size_t i = 0; i < r->nitem; i++) links += r->items[i].kind == 'l';
  if (!status && !links)
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_CONTENT, "there is no <model> with a <link> in the file");
  if (!status) status = fb_sdf_find_carriers(r);
  for (size_t i = 0; i < r->nitem && !status; i++)
    if (r->items[i].kind == 'l') status = add_link(r, (int)i);
  for (size_t i = 0; i < r->nitem && !status; i++)
    if (r->items[i].kind == 'f') status = add_frame(r, (int)i);
  if (!status) status = fb_sdf_add_loops(r);
  if (!status) status = read_world(r);
  if (!status &&
      (fb_model_def_set_name(r->def, r->items[0].given) || fb_model_def_set_source(r->def, r->file)))
    status = fb_sdf_no_memory(r);
  if (!status) tell_unread(r);
  if (!status) fb_io_apply_inertia(r->options, FB_INERTIA_REPAIR, r->def);
  return status;
}

static void forget(fb_sdf_reader* r) {
  for (size_t i = 0; i < r->nitem; i++) free(r->items[i].name);
  free(r->items);
  fb_sdf_forget_includes(r);
  free(r->model_item);
  free(r->slots);
  fb_name_set_free(&r->names);
  fb_name_set_free(&r->joints);
  fb_name_set_free(&r->loops);
  fb_packages_close(&r->packages);
  fb_xml_free(r->xml);
}

fb_status fb_sdf_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                      fb_model_def** def, fb_error* error) {
  fb_sdf_reader r = {.options = options, .error = error, .file = name};
  *def = NULL;
  fb_status status = fb_xml_parse_texts(text, size, name, (size_t)fb_sdf_most_elements, &r.xml, error);
  if (status) return status;
  fb_packages_open(&r.packages, options, name);
  if (strcmp(fb_xml_name(r.xml, 0), "sdf") != 0 && strcmp(fb_xml_name(r.xml, 0), "gazebo") != 0)
    status = fb_xml_fail(r.xml, 0, error, FB_ERR_CONTENT, "the root element of SDF is <sdf>; this is <%.60s>",
                         fb_xml_name(r.xml, 0));
  r.def = status ? NULL : fb_model_def_new();
  if (!status) status = r.def ? read_all(&r) : fb_sdf_no_memory(&r);
  forget(&r);
  if (status)
    fb_model_def_free(r.def);
  else
    *def = r.def;
  return status;
}
