/* read.c -- SpaceDyn's parameters as a model definition.
 *
 * The base's frame is at its centroid. Link i's frame has SpaceDyn's axes and its origin at joint i
 * (of a prismatic joint: moved along z by q_i), so
 *   com = -cc_ii,  child joint j at cc_ij - cc_ii,  end-point at ce_i - cc_ii,
 * and the joint turns about, or slides along, z of a frame turned by Rx Ry Rz of Qi. */
#include <stdio.h>

#include <freebody/rotation.h>

#include "format/notes.h"
#include "format/spacedyn/spacedyn.h"
#include "format/spacedyn/params.h"

enum { NAME_SIZE = 24 };

static void subtract(const double a[3], const double b[3], double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = a[k] - b[k];
}

static void copy(const double* from, int count, double* to) {
  for (int k = 0; k < count; k++) to[k] = from[k];
}

/* "link3"; the base for 0. */
static const char* link_name(int link, char name[NAME_SIZE]) {
  if (link == 0) return "base";
  snprintf(name, NAME_SIZE, "link%d", link);
  return name;
}

static fb_status add_base(const fb_spacedyn_params* p, fb_place place, fb_model_def* def, fb_error* error) {
  fb_body_def base = fb_default_body_def();
  base.name = "base";
  base.joint.type = FB_JOINT_FREE;
  base.mass = p->m0;
  base.place = base.joint.place = place;
  copy(p->inertia0, 6, base.inertia);
  return fb_model_def_add_body(def, &base, NULL, error);
}

static fb_status add_end(const fb_spacedyn_params* p, int i, fb_place place, fb_model_def* def,
                         fb_error* error) {
  char name[NAME_SIZE];
  fb_frame_def end = fb_default_frame_def();
  snprintf(name, sizeof name, "end%d", i + 1);
  end.name = name;
  end.place = place;
  subtract(p->ce + 3 * i, p->c_own + 3 * i, end.at);
  fb_rot_from_euler_xyz(p->Qe + 3 * i, end.R);
  return fb_model_def_add_frame(def, i + 2, &end, error);
}

static fb_status add_link(const fb_spacedyn_params* p, int i, fb_place place, fb_model_def* def,
                          fb_error* error) {
  static const double zero[3] = {0, 0, 0};
  char name[NAME_SIZE], parent[NAME_SIZE], joint[NAME_SIZE];
  int below = p->BB[i];
  fb_body_def link = fb_default_body_def();
  snprintf(joint, sizeof joint, "joint%d", i + 1);
  link.name = link_name(i + 1, name);
  link.parent = link_name(below, parent);
  link.joint.name = joint;
  link.joint.type = p->type[i] == 'P' ? FB_JOINT_PRISMATIC : FB_JOINT_REVOLUTE;
  link.joint.axis[2] = 1;
  link.place = link.joint.place = place;
  subtract(p->c_from + 3 * i, below ? p->c_own + 3 * (below - 1) : zero, link.joint.at);
  fb_rot_from_euler_xyz(p->Qi + 3 * i, link.joint.R);
  link.mass = p->m[i];
  subtract(zero, p->c_own + 3 * i, link.com);
  copy(p->inertia + 6 * i, 6, link.inertia);
  fb_status status = fb_model_def_add_body(def, &link, NULL, error);
  return status || !p->SE[i] ? status : add_end(p, i, place, def, error);
}

fb_status fb_spacedyn_to_def(const fb_spacedyn_params* p, fb_place place, const char* file, const char* name,
                             fb_model_def** def, fb_error* error) {
  fb_model_def* made = fb_model_def_new();
  if (!made) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was read");
  fb_status status = add_base(p, place, made, error);
  for (int i = 0; i < p->n && !status; i++) status = add_link(p, i, place, made, error);
  fb_model_def_set_gravity(made, p->gravity_w);
  if (!status && (fb_model_def_set_source(made, file) || (name && fb_model_def_set_name(made, name))))
    status = fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was read");
  if (status)
    fb_model_def_free(made);
  else
    *def = made;
  return status;
}

/* What may stand around the parameters: the keys of a reference file, or LP and a name. */
static const char* const AROUND[] = {"format", "version", "name",         "description",  "units", "model",
                                     "cases",  "LP",      "trajectories", "verification", NULL};

/* The map that holds the parameters: this one, or the one inside a reference file or {"LP": ...}. */
static const fb_node* find_parameters(const fb_node* map) {
  static const char* const inside[] = {"model", "LP"};
  for (int i = 0; i < 2; i++) {
    const fb_node* inner = fb_map_get(map, inside[i]);
    if (inner && fb_node_get_kind(inner) == FB_NODE_MAP) return inner;
  }
  return map;
}

fb_status fb_spacedyn_read(const fb_node* map, const fb_io_options* options, fb_model_def** def,
                           fb_error* error) {
  fb_spacedyn_params p = {0};
  *def = NULL;
  if (fb_node_get_kind(map) != FB_NODE_MAP)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "a SpaceDyn model is a map with num_q, BB, J_type and so on");
  const fb_node* inner = find_parameters(map);
  fb_note_base(options);
  fb_status status = fb_spacedyn_params_read(inner, options, &p, error);
  if (!status && inner != map) fb_note_unread_keys(map, AROUND, options);
  const fb_node* name = fb_map_get(map, "name");
  if (!status)
    status = fb_spacedyn_to_def(&p, fb_node_place(inner), fb_node_file(inner),
                                name ? fb_node_text(name) : NULL, def, error);
  fb_spacedyn_params_free(&p);
  if (!status) fb_io_apply_inertia(options, FB_INERTIA_STRICT, *def);
  return status;
}
