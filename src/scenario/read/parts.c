/* parts.c -- the models of a scenario's `models`, joined to one scene.
 *
 * Each model is built by itself first, with the joint that it will hang on, so that what is wrong with it is said with
 * its own file and line. Then all bodies go into one definition, in the order of the list, except that a model comes
 * after the one that carries it. */
#include <stdlib.h>
#include <string.h>

#include "format/native/parts.h"
#include "math/vector3.h"
#include "model/definition/attach.h"
#include "model/definition/check.h"
#include "scenario/read/read.h"
#include "scenario/read/values.h"
#include "scenario/rows.h"

static const fb_field FIELDS[] = {
    PLAIN(PART, "model", DOCUMENT, EVERY, EVERY, -1, NULL,
          "a model file, relative to the scenario's folder, or a native model as a map"),
    PLAIN(PART, "name", TEXT, EVERY, NEVER, AT(fb_attach_def, prefix), "names are unchanged",
          "prefix for all names of the model: `arm` becomes `NAME_arm`"),
    WORD(PART, "base", fb_scenario_bases, EVERY, "that of the scenario",
         "how the base of this URDF is attached to the world"),
    WORD(PART, "inertia", fb_scenario_inertias, EVERY, "that of the scenario",
         "masses and inertias of this model that no body can have: strict, repair or keep"),
    PLAIN(PART, "parent", TEXT, EVERY, NEVER, AT(fb_attach_def, parent), "the world",
          "the body or frame of another model that carries this one, by its name in the scene"),
    PLAIN(PART, "joint", JOINT, EVERY, NEVER, -1,
          "that of the model; with `parent`, a floating base is fixed",
          "replaces the joint of the model's base; its place is given by `at` and the rotation of the part"),
    WORD(PART, "mimic", fb_scenario_mimics, EVERY, "that of the scenario",
         "joints of this URDF with `<mimic>`: coupled, free or fixed"),
    PLAIN(PART, "packages", BY_NAME, EVERY, NEVER, -1, "those of the scenario",
          "folders of `package://` addresses in this URDF, before those of the scenario"),
    PLACE(PART, AT(fb_attach_def, at), "0, 0, 0", "no rotation",
          "the parent, or the world; displaces the model's root joints"),
};

const fb_schema_rows fb_rows_part = FB_ROWS(FIELDS);

typedef struct part {
  const fb_node *node, *model, *parent, *joint; /* the last two may be NULL */
  fb_model_def* def;
  fb_attach_def how;
  fb_joint_def joint_def;
  int done;
} part;

/* --- reading --- */

/* The joint that replaces that of the base. Its place is the part's. */
static fb_status read_joint(const fb_node* node, fb_joint_def* joint, fb_error* error) {
  static const char* const places[] = {"at", "rpy", "euler_xyz", "quat", "dcm"};
  *joint = fb_default_joint_def();
  fb_status status = fb_native_read_joint(node, 0, joint, error);
  for (size_t i = 0; i < sizeof places / sizeof *places && !status; i++) {
    const fb_node* place = fb_map_get(node, places[i]);
    if (place)
      status = fb_node_fail(place, error, FB_ERR_CONTENT,
                            "the joint of a part has no '%s'; write it beside the part's `joint`", places[i]);
  }
  if (status) return status;
  fb_error reason;
  status = fb_check_joint_numbers("base", joint, &reason);
  return status ? fb_node_fail(node, error, status, "%s", reason.text) : FB_OK;
}

/* A base by itself, or something that carries the model. */
static fb_status check_base(const fb_fields* values, fb_error* error) {
  const fb_node* node = fb_fields_value(values, "base");
  if (!node || !(fb_fields_value(values, "parent") || fb_fields_value(values, "joint"))) return FB_OK;
  return fb_node_fail(
      node, error, FB_ERR_CONTENT,
      "'base' attaches a model to the world by itself; with 'parent' or 'joint' use joint: {type: ...}");
}

/* Builds the model as it will be in the scene, alone. */
static fb_status try_part(part* p, fb_error* error) {
  fb_model* alone = NULL;
  fb_error reason;
  if (p->parent || p->joint) {
    fb_status status = fb_attach_joints(p->def, &p->how, &reason);
    if (status) return fb_node_fail(p->joint ? p->joint : p->node, error, status, "%s", reason.text);
  }
  fb_status status = fb_model_build(p->def, NULL, &alone, error);
  fb_model_free(alone);
  return status;
}

static fb_status read_part(fb_scenario* s, const fb_node* node, int index, part* p, fb_error* error) {
  fb_fields values;
  fb_io_options how;
  *p = (part){.node = node, .how = fb_default_attach_def()};
  fb_status status = fb_fields_open(node, &fb_scenario_schema, FB_SCENARIO_PART, &values, &p->how, error);
  if (!status) status = fb_fields_rotation(&values, p->how.R, error);
  if (!status) status = check_base(&values, error);
  if (!status) status = fb_scenario_read_how(s, &values, 1, &how, error);
  if (status) return status;
  p->model = fb_fields_value(&values, "model");
  p->joint = fb_fields_value(&values, "joint");
  if (p->how.parent && strcmp(p->how.parent, "world") == 0) p->how.parent = NULL;
  if (p->how.parent) p->parent = fb_fields_value(&values, "parent");
  if (fb_node_get_kind(p->model) == FB_NODE_SCALAR) p->how.file = fb_node_text(p->model);
  if (p->joint) status = read_joint(p->joint, &p->joint_def, error);
  if (p->joint) p->how.joint = &p->joint_def;
  if (!status) status = fb_scenario_read_model(s, p->model, index, &how, &p->def, error);
  return status ? status : try_part(p, error);
}

/* --- joining --- */

/* Nonzero when the part has a body or frame that is called so in the scene. */
static int has_name(const part* p, const char* name) {
  const char* prefix = p->how.prefix;
  size_t length = prefix ? strlen(prefix) : 0;
  int body;
  double at[3], R[9];
  if (prefix && (strncmp(name, prefix, length) != 0 || name[length] != '_')) return 0;
  return fb_attach_find(p->def, prefix ? name + length + 1 : name, &body, at, R);
}

/* Why the part could not be put into the scene after all that could. */
static fb_status fail_join(const part* p, const part* parts, int count, fb_model_def* scene,
                           fb_error* error) {
  const char* name = p->how.parent;
  if (has_name(p, name))
    return fb_node_fail(p->parent, error, FB_ERR_NAME,
                        "'%.60s' belongs to this model itself; name a body or frame of another", name);
  for (int i = 0; i < count; i++)
    if (!parts[i].done && has_name(&parts[i], name))
      return fb_node_fail(p->parent, error, FB_ERR_NAME,
                          "'%.60s' belongs to a model that is carried by this one, directly or through "
                          "others; one of them must be on the world",
                          name);
  fb_error reason;
  fb_status status = fb_model_def_attach(scene, p->def, &p->how, &reason);
  return fb_node_fail(p->parent, error, status, "%s", reason.text);
}

/* Gravity that a file carries; two files must agree. */
static fb_status join_gravity(const part* p, fb_model_def* to, fb_error* error) {
  double have[3], more[3];
  fb_model_def_gravity(to, have);
  fb_model_def_gravity(p->def, more);
  if (is_zero3(more)) return FB_OK;
  if (!is_zero3(have) && memcmp(have, more, sizeof have) != 0)
    return fb_node_fail(
        p->node, error, FB_ERR_CONTENT,
        "this model's file has another gravity than the one before; say gravity in the scenario");
  fb_model_def_set_gravity(to, more);
  return FB_OK;
}

/* For `check`: "left is on deck by a fixed joint". */
static fb_status note_mount(fb_scenario* s, const part* p, fb_error* error) {
  int bases = 0, base = 0;
  for (int i = 1; i < fb_model_def_nbody(p->def); i++)
    if (!fb_model_def_body(p->def, i)->parent) bases++, base = i;
  if (bases == 0) return FB_OK;
  const char* its_prefix = p->how.prefix ? p->how.prefix : fb_model_def_name(p->def);
  const char* who = its_prefix[0] ? its_prefix : "a model";
  const char* text = bases > 1
                         ? fb_scenario_print(s, "%.100s is on %.100s by %d joints", who, p->how.parent, bases)
                         : fb_scenario_print(s, "%.100s is on %.100s by a %s joint", who, p->how.parent,
                                             fb_joint_type_name(fb_model_def_body(p->def, base)->joint.type));
  if (!text) return fb_scenario_no_memory(error);
  s->mounts[s->nmount++] = text;
  return FB_OK;
}

/* Puts the part into the scene when its parent is there; *joined counts those that are. */
static fb_status join_part(fb_scenario* s, part* p, fb_model_def* scene, int* joined, fb_error* error) {
  int body;
  double at[3], R[9];
  if (p->how.parent && !fb_attach_find(scene, p->how.parent, &body, at, R)) return FB_OK;
  fb_error reason;
  fb_status status = fb_model_def_attach(scene, p->def, &p->how, &reason);
  if (status) return fb_node_fail(p->node, error, status, "%s", reason.text);
  if (p->how.parent) status = note_mount(s, p, error);
  p->done = 1;
  ++*joined;
  return status;
}

static fb_status join_parts(fb_scenario* s, part* parts, int count, fb_model_def* scene, fb_error* error) {
  fb_status status = FB_OK;
  for (int joined = 0, before = -1; joined < count && !status;) {
    before = joined;
    for (int i = 0; i < count && !status; i++)
      if (!parts[i].done) status = join_part(s, &parts[i], scene, &joined, error);
    for (int i = 0; i < count && !status && joined == before; i++)
      if (!parts[i].done) status = fail_join(&parts[i], parts, count, scene, error);
  }
  return status;
}

static fb_status build_scene(fb_scenario* s, const fb_node* list, fb_model_def* scene, fb_error* error) {
  fb_error reason;
  if (fb_model_def_set_name(scene, s->name)) return fb_scenario_no_memory(error);
  fb_status status = fb_model_build(scene, NULL, &s->model, &reason);
  if (!status) return FB_OK;
  return fb_node_fail(
      list, error, status, "%.300s%s", reason.text,
      status == FB_ERR_NAME ? "; give each model a `name`, which is put before its names" : "");
}

fb_status fb_scenario_read_parts(fb_scenario* s, const fb_node* list, int gravity_given, fb_model_def* scene,
                                 fb_error* error) {
  fb_status status = fb_node_need_list(list, "models", error);
  if (status) return status;
  int count = fb_node_count(list);
  if (count == 0) return fb_node_fail(list, error, FB_ERR_CONTENT, "the list of models is empty");
  part* parts = calloc((size_t)count, sizeof *parts);
  s->mounts = fb_scenario_alloc(s, (size_t)count, sizeof *s->mounts);
  if (!parts || !s->mounts) {
    free(parts);
    return fb_scenario_no_memory(error);
  }
  int before = s->failures;
  for (int i = 0; i < count && !status; i++)
    status = fb_scenario_go_on(s, read_part(s, fb_node_item(list, i), i, &parts[i], error), error);
  if (!status && s->failures > before) status = s->first.status; /* they cannot be joined */
  for (int i = 0; i < count && !status && !gravity_given; i++) status = join_gravity(&parts[i], scene, error);
  if (!status) status = join_parts(s, parts, count, scene, error);
  for (int i = 0; i < count; i++) fb_model_def_free(parts[i].def);
  free(parts);
  return status ? status : build_scene(s, list, scene, error);
}
