/* driven.c -- reads the joints and frames whose forces come from a host program or another process. */
#include "scenario/kinds/control/driven.h"

#include <string.h>

fb_status fb_scenario_add_joint(const fb_scenario* s, const fb_node* node, int body, int* coordinates,
                                int* count, fb_error* error) {
  int first = fb_joint_v_index(s->model, body);
  for (int i = 0; i < *count; i++)
    if (coordinates[i] == first)
      return fb_node_fail(node, error, FB_ERR_NAME, "the joint '%.60s' is named twice",
                          fb_joint_name(s->model, body));
  for (int i = 0; i < fb_joint_nv(s->model, body); i++) coordinates[(*count)++] = first + i;
  return FB_OK;
}

fb_status fb_scenario_read_joints(const fb_scenario* s, const fb_node* node, int all, int* coordinates,
                                  int* count, fb_error* error) {
  if (node && fb_node_get_kind(node) != FB_NODE_LIST) all |= strcmp(fb_node_text(node), "all") == 0;
  fb_status status = FB_OK;
  for (int body = 1; all && body < fb_model_nbody(s->model) && !status; body++)
    if (!fb_body_floats(s->model, body))
      status = fb_scenario_add_joint(s, node, body, coordinates, count, error);
  for (int i = 0, body; !all && i < fb_texts_count(node) && !status; i++) {
    const fb_node* item = fb_texts_item(node, i);
    status = fb_scenario_joint(s, item, &body, error);
    if (!status) status = fb_scenario_add_joint(s, item, body, coordinates, count, error);
  }
  return status;
}

static fb_status read_frames(fb_scenario* s, const fb_node* node, fb_driven* out, fb_error* error) {
  int* frames = fb_scenario_alloc(s, (size_t)fb_texts_count(node), sizeof *frames);
  fb_status status = frames ? FB_OK : fb_scenario_no_memory(error);
  out->frames = frames;
  for (; out->nframe < fb_texts_count(node) && !status; out->nframe++) {
    status = fb_scenario_frame(s, fb_texts_item(node, out->nframe), &frames[out->nframe], error);
    if (!status && fb_node_get_kind(node) == FB_NODE_LIST)
      status = fb_scenario_check_once(node, out->nframe, "frame", error);
  }
  return status;
}

fb_status fb_scenario_read_driven(fb_scenario* s, const fb_fields* values, int all, fb_driven* out,
                                  fb_error* error) {
  int* coordinates = fb_scenario_alloc(s, (size_t)fb_model_nv(s->model), sizeof *coordinates);
  if (!coordinates) return fb_scenario_no_memory(error);
  out->coordinates = coordinates;
  fb_status status = fb_fields_get_word(values, "axes", &out->in_frame_axes, error);
  if (!status)
    status = fb_scenario_read_joints(s, fb_fields_value(values, "joints"), all, coordinates,
                                     &out->ncoordinate, error);
  return status ? status : read_frames(s, fb_fields_value(values, "frames"), out, error);
}
