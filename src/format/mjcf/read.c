/* read.c -- reads MJCF: settings, default classes, bodies depth first, equalities. docs/mjcf.md says the rest.
 *
 * The coordinates of the model are MuJoCo's qpos, number by number. Velocities differ where a body turns about a point:
 * MuJoCo has the angular velocity of free and ball joints in the axes of the body, Freebody in those of the joint. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "format/mjcf/scenario/actuator.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/reader.h"
#include "format/mjcf/scenario/scenario.h"
#include "format/notes.h"

fb_status fb_mjcf_fail(const fb_mjcf_reader* r, int node, fb_status status, const char* format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fb_xml_fail(fb_mjcf_xml(&r->tree, node), r->tree.nodes[node].element, r->error, status, "%s", text);
}

static fb_status make_room(fb_mjcf_reader* r) {
  size_t n = r->tree.count;
  r->next_node = calloc(4 * n, sizeof *r->next_node);
  r->pose = calloc(n, sizeof *r->pose);
  r->solids = calloc(n, sizeof(void*));
  if (!r->next_node || !r->pose || !r->solids) return fb_mjcf_no_memory(r);
  r->class_of = r->next_node + n;
  r->owner = r->class_of + n;
  r->next_item = r->owner + n;
  return FB_OK;
}

static fb_status finish(fb_mjcf_reader* r) {
  const char* model = fb_mjcf_written(&r->tree, 0, "model");
  if (fb_model_def_set_name(r->def, model ? model : "") || fb_model_def_set_source(r->def, r->file))
    return fb_mjcf_no_memory(r);
  fb_model_def_set_gravity(r->def, r->set.gravity_w);
  fb_status status = fb_mjcf_finish_inertias(r);
  if (status) return status;
  fb_mjcf_find_unread(r);
  if (!r->scenario) fb_mjcf_report_unread(r);
  fb_io_apply_inertia(r->options, FB_INERTIA_REPAIR, r->def);
  return FB_OK;
}

static fb_status read_all(fb_mjcf_reader* r) {
  if (!fb_mjcf_is(&r->tree, 0, "mujoco"))
    return fb_mjcf_fail(r, 0, FB_ERR_CONTENT, "the root element of MJCF is <mujoco>; this is <%.60s>",
                        fb_mjcf_tag(&r->tree, 0));
  fb_status status = make_room(r);
  if (!status) status = fb_mjcf_gather_classes(r);
  if (!status) status = fb_mjcf_read_settings(r);
  if (!status) status = fb_mjcf_gather_assets(r);
  if (!status) status = fb_mjcf_walk(r);
  if (!status && r->nbody < 2)
    status = fb_mjcf_fail(r, 0, FB_ERR_CONTENT, "there is no <body> in a <worldbody>, so there is no robot");
  for (int b = 0; b < (int)r->nbody && !status; b++) status = fb_mjcf_add_body(r, b);
  if (!status) status = fb_mjcf_index(r);
  if (!status && !r->ours) status = fb_mjcf_add_efforts(r);
  if (!status) status = fb_mjcf_add_equalities(r);
  return status ? status : finish(r);
}

static void forget(fb_mjcf_reader* r) {
  for (size_t i = 0; i < r->tree.count && r->solids; i++) free(r->solids[i]);
  free(r->solids);
  fb_mjcf_tree_free(&r->tree);
  fb_name_set_free(&r->names);
  fb_name_set_free(&r->joints);
  fb_name_set_free(&r->loops);
  fb_name_set_free(&r->sites);
  free(r->site_list);
  free(r->joint_index);
  free(r->site_index);
  free(r->classes);
  free(r->next_node);
  free(r->pose);
  free(r->bodies);
  free(r->meshes);
  free(r->materials);
  free(r->joint_list);
}

/* Reads into r->def, which is NULL on failure. */
static fb_status read_into(fb_mjcf_reader* r, const char* text, size_t size) {
  fb_status status = fb_mjcf_tree_make(text, size, r->file, &r->tree, r->error);
  if (!status) {
    r->def = fb_model_def_new();
    status = r->def ? read_all(r) : fb_mjcf_no_memory(r);
  }
  if (status) {
    fb_model_def_free(r->def);
    r->def = NULL;
  }
  return status;
}

fb_status fb_mjcf_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                       fb_model_def** def, fb_error* error) {
  fb_mjcf_reader r = {.options = options, .error = error, .file = name};
  fb_note_base(options);
  fb_status status = read_into(&r, text, size);
  *def = r.def;
  forget(&r);
  return status;
}

fb_status fb_mjcf_whole(const char* text, size_t size, const char* name, char** whole, size_t* whole_size,
                        fb_error* error) {
  fb_io_options quiet = fb_default_io_options();
  quiet.inertia = FB_INERTIA_KEEP; /* the reader of the copy decides what becomes of impossible ones */
  fb_mjcf_reader r = {.options = &quiet, .error = error, .file = name};
  *whole = NULL;
  fb_status status = read_into(&r, text, size);
  if (!status) status = fb_mjcf_print_whole(&r, whole, whole_size);
  fb_model_def_free(r.def);
  forget(&r);
  return status;
}

fb_status fb_mjcf_scenario(const char* text, size_t size, const char* name, const char* model, int contacts,
                           const fb_io_options* options, char** scenario, size_t* scenario_size,
                           fb_error* error) {
  fb_mjcf_reader r = {.options = options, .error = error, .file = name, .scenario = contacts ? 2 : 1};
  *scenario = NULL;
  fb_status status = read_into(&r, text, size);
  if (!status) status = fb_mjcf_print_scenario(&r, model, scenario, scenario_size);
  if (!status) fb_mjcf_report_unread(&r);
  fb_model_def_free(r.def);
  forget(&r);
  return status;
}
