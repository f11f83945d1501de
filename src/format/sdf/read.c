/* read.c -- reads the models of an SDF file, alone or in a <world>: links, joints, frames, shapes. Models in models are read
 * with them, their names with the models' before: "arm::hand". A link that no joint carries floats, or is fixed when its model
 * is static; zero coordinates are the poses of the file. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "format/notes.h"
#include "format/sdf/reader.h"
#include "format/sdf/sdf.h"

fb_status fb_sdf_no_memory(const fb_sdf_reader* r) {
  return fb_fail(r->error, FB_ERR_MEMORY, "out of memory while the SDF was read");
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
  if (!status && it->joint >= 0) {
    status = fb_sdf_joint(r, item, &body.joint, &body.parent);
  } else if (!status) {
    fb_base base = r->options ? r->options->base : FB_BASE_AS_FILE;
    int fixed = base == FB_BASE_FIXED || (base == FB_BASE_AS_FILE && r->items[it->model].is_static);
    body.joint.type = fixed ? FB_JOINT_FIXED : FB_JOINT_FREE;
    body.joint.name = fb_name_set_make(&r->joints, kept);
    if (!body.joint.name) return fb_sdf_no_memory(r);
    memcpy(body.joint.at, it->pose_w.p, sizeof it->pose_w.p);
    memcpy(body.joint.R, it->pose_w.R, sizeof it->pose_w.R);
  }
  if (!status) status = fb_sdf_read_inertial(r, item, &body);
  if (!status) status = fb_model_def_add_body(r->def, &body, NULL, r->error);
  it->body = fb_model_def_nbody(r->def) - 1;
  return status ? status : fb_sdf_add_shapes(r, item);
}

static fb_status add_frame(fb_sdf_reader* r, int item) {
  fb_sdf_item* it = &r->items[item];
  int link = fb_sdf_link_of(r, item), is_new;
  fb_status status = fb_sdf_settle(r, item);
  if (status) return status;
  fb_frame_def frame = fb_default_frame_def();
  frame.name = fb_name_set_add(&r->names, it->name, &is_new);
  if (!frame.name) return fb_sdf_no_memory(r);
  if (link < 0 || !is_new)
    return fb_io_note(r->options, "%s: line %d: the frame '%.60s'%s", link < 0 ? "minor" : "lost",
                      fb_xml_place(r->xml, it->element).line, it->name,
                      link < 0 ? " stands in the world and is not kept" : "");
  fb_sdf_pose_between(&r->items[link].pose_w, &it->pose_w, frame.at, frame.R);
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

int fb_sdf_version(const char* text, double* version) {
  double x;
  if (!fb_number_parse(text, &x)) return 0;
  if (strncmp(text, "1.1", 3) == 0 && text[3] >= '0' && text[3] <= '9')
    x = 1.9 + 0.01 * (text[3] - '0' + 1); /* 1.10 */
  *version = x;
  return x >= 1.2 && x < 2;
}

static fb_status read_version(fb_sdf_reader* r) {
  const char* version = fb_xml_attribute(r->xml, 0, "version");
  r->version = 1.7;
  if (version && !fb_number_parse(version, &r->version))
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_CONTENT, "version=\"%.40s\" is not a number", version);
  if (version && !fb_sdf_version(version, &r->version))
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_UNSUPPORTED,
                       "SDF %s is not read; versions 1.2 to 1.12 are", version);
  return FB_OK;
}

static fb_status read_all(fb_sdf_reader* r) {
  fb_status status = read_version(r);
  if (!status) status = fb_sdf_include_all(r);
  if (!status) status = fb_sdf_gather(r);
  int links = 0;
  for (size_t i = 0; i < r->nitem; i++) links += r->items[i].kind == 'l';
  if (!status && !links)
    return fb_xml_fail(r->xml, 0, r->error, FB_ERR_CONTENT, "there is no <model> with a <link> in the file");
  if (!status) status = fb_sdf_find_placed(r);
  if (!status) status = fb_sdf_find_carriers(r);
  for (size_t i = 0; i < r->nitem && !status; i++)
    if (r->items[i].kind == 'l') status = add_link(r, (int)i);
  for (size_t i = 0; i < r->nitem && !status; i++)
    if (r->items[i].kind == 'f') status = add_frame(r, (int)i);
  if (!status) status = fb_sdf_add_mimics(r);
  if (!status) status = fb_sdf_add_loops(r);
  if (!status) status = read_world(r);
  size_t first = 0;
  while (first < r->nitem && r->items[first].kind != 'm') first++;
  if (!status &&
      (fb_model_def_set_name(r->def, r->items[first].given) || fb_model_def_set_source(r->def, r->file)))
    status = fb_sdf_no_memory(r);
  if (!status) status = fb_sdf_report_unread(r);
  if (!status) fb_io_apply_inertia(r->options, FB_INERTIA_REPAIR, r->def);
  return status;
}

static void forget(fb_sdf_reader* r) {
  for (size_t i = 0; i < r->nitem; i++) free(r->items[i].key);
  free(r->items);
  fb_sdf_forget_includes(r);
  fb_sdf_forget_solids(r);
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

static fb_status complete(fb_sdf_reader* r, int* needed) {
  int solids = 0;
  fb_status status = fb_sdf_include_all(r);
  if (!status) status = fb_sdf_gather(r);
  if (!status) status = fb_sdf_find_placed(r);
  if (!status) status = fb_sdf_keep_solids(r, &solids);
  *needed = r->ninclude > 0 || solids > 0;
  return status;
}

fb_status fb_sdf_whole(const char* text, size_t size, const char* name, const fb_io_options* options,
                       char** whole, size_t* whole_size, fb_error* error) {
  fb_io_options quiet = options ? *options : fb_default_io_options();
  quiet.note = NULL;
  fb_sdf_reader r = {.options = &quiet, .error = error, .file = name};
  int needed;
  *whole = NULL;
  fb_status status = fb_xml_parse_texts(text, size, name, (size_t)fb_sdf_most_elements, &r.xml, error);
  if (status) return status;
  fb_packages_open(&r.packages, &quiet, name);
  status = read_version(&r);
  if (!status) status = complete(&r, &needed);
  if (!status && needed) {
    *whole = fb_xml_print(r.xml, fb_sdf_is_include, whole_size);
    if (!*whole) status = fb_sdf_no_memory(&r);
  }
  forget(&r);
  return status;
}
