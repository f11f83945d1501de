/* native.c -- reads a model of the native format (docs/model-format.md) from a document. */
#include "format/native/native.h"

#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "format/native/parts.h"
#include "format/notes.h"
#include "model/definition/name_index.h"

static fb_status read_frames(const fb_node* list, fb_model_def* def, int body, fb_error* error) {
  if (!list) return FB_OK;
  fb_status status = fb_node_need_list(list, "frames", error);
  for (int i = 0; i < fb_node_count(list) && !status; i++) {
    fb_frame_def frame = fb_default_frame_def();
    status = fb_native_read_frame(fb_node_item(list, i), &frame, error);
    if (!status) status = fb_model_def_add_frame(def, body, &frame, error);
  }
  return status;
}

static fb_status read_shapes(const fb_node* list, fb_model_def* def, int body, fb_error* error) {
  if (!list) return FB_OK;
  fb_status status = fb_node_need_list(list, "shapes", error);
  for (int i = 0; i < fb_node_count(list) && !status; i++) {
    fb_shape_def shape = fb_default_shape_def();
    status = fb_native_read_shape(fb_node_item(list, i), &shape, error);
    if (!status) status = fb_model_def_add_shape(def, body, &shape, error);
  }
  return status;
}

/* Children of the world are free unless they say otherwise; under another body the joint must be given. */
static fb_status read_joint(const fb_fields* values, fb_body_def* body, fb_error* error) {
  const fb_node* node = fb_fields_value(values, "joint");
  if (node) return fb_native_read_joint(node, !body->parent, &body->joint, error);
  body->joint.type = FB_JOINT_FREE;
  body->joint.place = body->place;
  if (!body->parent) return FB_OK;
  return fb_node_fail(
      values->map, error, FB_ERR_CONTENT,
      "the body '%s' hangs on '%s' but has no joint; add one, for example joint: {type: fixed}", body->name,
      body->parent);
}

/* What a join left: the joint by which the body floated, and the name of the join's joint. */
static fb_status read_floated(const fb_fields* values, fb_model_def* def, int id, fb_error* error) {
  const fb_node *node = fb_fields_value(values, "floated"), *by = fb_fields_value(values, "floated_until");
  const char* until = NULL;
  fb_joint_def joint = fb_default_joint_def();
  fb_status status = by ? fb_node_string(by, &until, error) : FB_OK;
  if (status || (!node && !by)) return status;
  if (!node)
    return fb_node_fail(by, error, FB_ERR_CONTENT,
                        "'floated_until' names the join that captured the body, but 'floated' is missing");
  status = fb_native_read_joint(node, 1, &joint, error);
  if (!status && joint.type != FB_JOINT_FREE)
    status = fb_node_fail(node, error, FB_ERR_JOINT, "a body floats by a free joint only, but this one is %s",
                          fb_joint_type_name(joint.type));
  return status ? status : fb_model_def_set_floated(def, id, &joint, until, error);
}

static fb_status read_body(const fb_node* map, fb_model_def* def, fb_inertia_policy policy, fb_error* error) {
  fb_fields values;
  fb_body_def body = fb_default_body_def();
  body.place = fb_node_place(map);
  fb_status status = fb_fields_open(map, &fb_native_schema, FB_NATIVE_BODY, &values, &body, error);
  if (status) return status;
  if (body.parent && strcmp(body.parent, "world") == 0) body.parent = NULL;
  /* That a mass may be negative is for `inertia` of the model to say, so the table of keys does not refuse it. */
  if (body.mass < 0 && policy == FB_INERTIA_STRICT)
    return fb_node_fail(fb_fields_value(&values, "mass"), error, FB_ERR_CONTENT,
                        "'mass' is %g, but must not be negative", body.mass);
  status = read_joint(&values, &body, error);
  if (!status && body.mass != 0 && !fb_fields_value(&values, "inertia"))
    return fb_node_fail(values.map, error, FB_ERR_CONTENT,
                        "the body '%s' has mass but no inertia; add inertia: [ixx, iyy, izz, ixy, ixz, iyz]",
                        body.name);
  if (!status) status = fb_model_def_add_body(def, &body, NULL, error);
  int id = fb_model_def_nbody(def) - 1;
  if (!status) status = read_floated(&values, def, id, error);
  if (!status) status = read_frames(fb_fields_value(&values, "frames"), def, id, error);
  if (!status) status = read_shapes(fb_fields_value(&values, "shapes"), def, id, error);
  return status;
}

static fb_status out_of_memory(const fb_node* node, fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while %s was read", fb_node_file(node));
}

/* A parent that no body is called is a slip of the pen more often than not. */
static fb_status unknown_parent(const fb_node* bodies, const fb_body_def* body, int id, const fb_name* names,
                                int count, fb_error* error) {
  char near[FB_SUGGESTION_SIZE];
  return fb_node_fail(fb_map_get(fb_node_item(bodies, id - 1), "parent"), error, FB_ERR_NAME,
                      "there is no body called '%.60s' for '%.60s' to hang on%s", body->parent, body->name,
                      fb_names_suggestion(names, count, body->parent, NULL, near));
}

static fb_status check_parents(const fb_node* bodies, const fb_model_def* def, const fb_io_options* options,
                               fb_error* error) {
  int count = fb_model_def_nbody(def) - 1;
  fb_name* names = malloc(((size_t)count + 1) * sizeof *names);
  if (!names) return out_of_memory(bodies, error);
  for (int i = 0; i < count; i++) names[i] = (fb_name){fb_model_def_body(def, i + 1)->name, i + 1};
  names[count] = (fb_name){"world", FB_WORLD};
  fb_names_sort(names, count + 1);
  fb_status failed = FB_OK;
  for (int id = 1; id <= count; id++) {
    const fb_body_def* body = fb_model_def_body(def, id);
    if (!body->parent || fb_names_find(names, count + 1, body->parent) >= 0) continue;
    failed = unknown_parent(bodies, body, id, names, count + 1, error);
    if (!fb_io_go_on(options, failed, error)) break;
  }
  free(names);
  return failed;
}

/* `inertia` of the model, unless the caller asks for another policy. */
static fb_status read_policy(const fb_fields* values, const fb_io_options* options, fb_inertia_policy* policy,
                             fb_error* error) {
  int word = 0;
  fb_status status =
      fb_fields_value(values, "inertia") ? fb_fields_word(values, "inertia", &word, error) : FB_OK;
  *policy = fb_io_inertia_policy(options, (fb_inertia_policy)(FB_INERTIA_STRICT + word));
  return status;
}

static fb_status read_head(const fb_node* map, const fb_fields* values, const fb_io_options* options,
                           fb_model_def* def, fb_inertia_policy* policy, fb_error* error) {
  const char* name = NULL;
  fb_status status = fb_fields_read(values, 0, NULL, error);
  if (!status) status = fb_fields_check_version(values, "freebody", error);
  if (!status) status = read_policy(values, options, policy, error);
  const fb_node* node = status ? NULL : fb_fields_value(values, "name");
  if (node) status = fb_node_string(node, &name, error);
  if (!status && fb_model_def_set_name(def, name)) status = out_of_memory(map, error);
  return status;
}

/* All bodies, also when one is wrong and the caller wants to know of all. */
static fb_status read_bodies(const fb_node* bodies, fb_model_def* def, fb_inertia_policy policy,
                             const fb_io_options* options, fb_error* error) {
  fb_status failed = fb_node_need_list(bodies, "bodies", error);
  if (failed) return failed;
  for (int i = 0; i < fb_node_count(bodies); i++) {
    fb_status status = read_body(fb_node_item(bodies, i), def, policy, error);
    if (!status) continue;
    failed = status;
    if (!fb_io_go_on(options, status, error)) break;
  }
  return failed ? failed : check_parents(bodies, def, options, error);
}

static fb_status read_model(const fb_node* map, fb_model_def* def, const fb_io_options* options,
                            fb_error* error) {
  fb_fields values;
  fb_inertia_policy policy = fb_io_inertia_policy(options, FB_INERTIA_STRICT);
  if (fb_model_def_set_source(def, fb_node_file(map))) return out_of_memory(map, error);
  if (options && options->complain &&
      !fb_schema_complain(map, &fb_native_schema, FB_NATIVE_MODEL, options->complain, options->complain_user))
    return out_of_memory(map, error);
  fb_status status = fb_fields_collect(map, &fb_native_schema, FB_NATIVE_MODEL, &values, error);
  if (!status) status = read_head(map, &values, options, def, &policy, error);
  const fb_node* bodies = fb_fields_value(&values, "bodies");
  if (status && (!bodies || !fb_io_go_on(options, status, error))) return status;
  fb_status second = read_bodies(bodies, def, policy, options, error);
  const fb_node* loops = fb_fields_value(&values, "loops");
  if (!second && loops) second = fb_native_read_loops(loops, options, def, error);
  fb_io_apply_inertia(options, policy, def);
  return status ? status : second;
}

fb_status fb_native_read(const fb_node* map, const fb_io_options* options, fb_model_def** def,
                         fb_error* error) {
  fb_note_base(options);
  *def = NULL;
  fb_model_def* made = fb_model_def_new();
  if (!made) return out_of_memory(map, error);
  fb_status status = read_model(map, made, options, error);
  fb_complain_bodies(made, options);
  if (status)
    fb_model_def_free(made);
  else
    *def = made;
  return status;
}
