/* loop.c -- reads loops of the native format.
 *
 * A gear names joints, as a text or as a list, and the unit of its offset is that of joint a; so loops are read when all
 * bodies are. Whether the frames and joints exist is checked when the model is built. */
#include <stdlib.h>

#include "format/native/parts.h"
#include "format/notes.h"
#include "model/definition/name_index.h"

typedef struct loop_reader {
  fb_model_def* def;
  fb_name* joints; /* their names, with the ids of their bodies */
  int njoint;
} loop_reader;

static fb_status out_of_memory(const fb_node* node, fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while the loops of %s were read", fb_node_file(node));
}

static fb_status read_name(const fb_node* node, const char** name, fb_error* error) {
  fb_status status = fb_node_string(node, name, error);
  if (status || (*name)[0]) return status;
  return fb_node_fail(node, error, FB_ERR_CONTENT, "'b' is empty; name a frame or a joint");
}

static fb_status read_frame_b(const fb_node* node, fb_loop_def* loop, fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_LIST)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "a %s loop joins one frame 'b', but found a list of %d; only a gear takes several",
                        fb_loop_type_name(loop->type), fb_node_count(node));
  return read_name(node, &loop->b, error);
}

/* The joint or joints of a gear. */
static fb_status read_joints(const fb_node* node, const char** joints, int count, fb_error* error) {
  if (fb_node_get_kind(node) != FB_NODE_LIST) return read_name(node, joints, error);
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++) status = read_name(fb_node_item(node, i), &joints[i], error);
  return status;
}

static fb_status read_ratios(const fb_node* node, double* ratios, int count, fb_error* error) {
  for (int i = 0; i < count; i++) ratios[i] = 1;
  if (!node) return FB_OK;
  int is_list = fb_node_get_kind(node) == FB_NODE_LIST;
  if (!is_list && count == 1) return fb_node_number(node, FB_Q_NONE, ratios, error);
  if (is_list && fb_node_count(node) == count) return fb_node_numbers(node, FB_Q_NONE, count, ratios, error);
  char found[80];
  return fb_node_fail(node, error, FB_ERR_CONTENT,
                      "'b' names %d joint%s, so %s expected, but found %s; give one ratio for each joint",
                      count, count == 1 ? "" : "s",
                      count == 1 ? "a number is" : "a list of as many ratios is",
                      fb_node_describe(node, found));
}

/* In the unit of joint a; one that does not exist is an error of its own when the model is built. */
static fb_status read_offset(const loop_reader* r, const fb_fields* values, fb_loop_def* loop,
                             fb_error* error) {
  const fb_node* node = fb_fields_value(values, "offset");
  if (!node) return FB_OK;
  const fb_field* field = fb_fields_row(values, "offset");
  int body = fb_names_find(r->joints, r->njoint, loop->a);
  fb_quantity quantity = field->angular;
  if (body > 0 && fb_joint_type_is_length(fb_model_def_body(r->def, body)->joint.type, 0))
    quantity = field->quantity;
  return fb_node_number(node, quantity, &loop->offset, error);
}

static fb_status read_gear(const loop_reader* r, const fb_fields* values, fb_loop_def* loop,
                           fb_error* error) {
  const fb_node* b = fb_fields_value(values, "b");
  int count = fb_node_get_kind(b) == FB_NODE_LIST ? fb_node_count(b) : 1;
  if (count == 0)
    return fb_node_fail(b, error, FB_ERR_CONTENT,
                        "'b' is an empty list; name the joint or joints of the gear");
  const char** joints = calloc((size_t)count, sizeof *joints);
  double* ratios = calloc((size_t)count, sizeof *ratios);
  if (!joints || !ratios) {
    free((void*)joints);
    free(ratios);
    return out_of_memory(b, error);
  }
  fb_status status = read_joints(b, joints, count, error);
  if (!status) status = read_ratios(fb_fields_value(values, "ratio"), ratios, count, error);
  if (!status) status = read_offset(r, values, loop, error);
  loop->njoint = count;
  loop->joints = joints;
  loop->ratios = ratios;
  if (!status) status = fb_model_def_add_loop(r->def, loop, error);
  free((void*)joints);
  free(ratios);
  return status;
}

static fb_status read_loop(const loop_reader* r, const fb_node* map, fb_error* error) {
  fb_fields values;
  int type = 0;
  fb_status status = fb_fields_collect(map, &fb_native_schema, FB_NATIVE_LOOP, &values, error);
  if (!status) status = fb_fields_word(&values, "type", &type, error);
  if (status) return status;
  fb_loop_def loop = fb_default_loop_def((fb_loop_type)type);
  loop.place = fb_node_place(map);
  status = fb_fields_read(&values, type, &loop, error);
  if (status) return status;
  if (loop.type == FB_LOOP_GEAR) return read_gear(r, &values, &loop, error);
  status = read_frame_b(fb_fields_value(&values, "b"), &loop, error);
  return status ? status : fb_model_def_add_loop(r->def, &loop, error);
}

static int index_joints(loop_reader* r) {
  r->njoint = fb_model_def_nbody(r->def) - 1;
  r->joints = malloc(((size_t)r->njoint + 1) * sizeof *r->joints);
  if (!r->joints) return 0;
  for (int i = 0; i < r->njoint; i++)
    r->joints[i] = (fb_name){fb_def_joint_name(fb_model_def_body(r->def, i + 1)), i + 1};
  fb_names_sort(r->joints, r->njoint);
  return 1;
}

fb_status fb_native_read_loops(const fb_node* list, const fb_io_options* options, fb_model_def* def,
                               fb_error* error) {
  loop_reader r = {.def = def};
  fb_status failed = fb_node_need_list(list, "loops", error);
  if (failed) return failed;
  if (!index_joints(&r)) return out_of_memory(list, error);
  for (int i = 0; i < fb_node_count(list); i++) {
    fb_status status = read_loop(&r, fb_node_item(list, i), error);
    if (!status) continue;
    failed = status;
    if (!fb_io_go_on(options, status, error)) break;
  }
  free(r.joints);
  return failed;
}
