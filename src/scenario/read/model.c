/* model.c -- the model of a scenario, from a file or as a map; several are joined in scenario/read/parts.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/mjcf/mjcf.h"
#include "format/native/native.h"
#include "format/native/parts.h"
#include "format/sdf/sdf.h"
#include "format/xml/xml.h"
#include "scenario/read/read.h"
#include "model/definition/check.h"

fb_status fb_scenario_parse_model(const fb_scenario_input* input, const fb_io_options* io, fb_model_def** def,
                                  fb_error* error) {
  fb_model_origin origin;
  fb_status status =
      fb_model_def_parse_origin(input->text, input->size, input->file, io, def, &origin, error);
  if (status || !origin.eval || !origin.named) return status;
  fb_model_def_free(*def);
  *def = NULL;
  fb_fail(error, FB_ERR_UNSUPPORTED,
          "this is an evaluation file that names another file; name that one instead");
  fb_error_set_place(error, input->file, NULL, (fb_place){0, 0});
  return FB_ERR_UNSUPPORTED;
}

/* Files of MJCF and SDF may need others. The copy for the run's folder has all of them in it. */
static fb_status complete_input(fb_scenario_input* input, const fb_io_options* io, fb_error* error) {
  char root[16] = "", *whole = NULL;
  size_t size = 0;
  if (fb_xml_starts(input->text, input->size)) fb_xml_root(input->text, input->size, root, sizeof root);
  fb_status status = FB_OK;
  if (strcmp(root, "mujoco") == 0)
    status = fb_mjcf_whole(input->text, input->size, input->file, &whole, &size, error);
  else if (strcmp(root, "sdf") == 0 || strcmp(root, "gazebo") == 0)
    status = fb_sdf_whole(input->text, input->size, input->file, io, &whole, &size, error);
  if (status || !whole) return status;
  free(input->text);
  input->text = whole;
  input->size = size;
  return FB_OK;
}

static fb_status parse_input(fb_scenario* s, int index, const fb_io_options* io, int part, fb_model_def** def,
                             fb_error* error) {
  fb_scenario_input* input = &s->inputs[index];
  for (int i = 0; i < s->nchange; i++)
    if (s->changes[i].part == part) return fb_scenario_change_model(s, input, io, part, def, error);
  fb_status status = fb_scenario_parse_model(input, io, def, error);
  if (!status && !s->copies) status = complete_input(input, io, error);
  if (status) {
    fb_model_def_free(*def);
    *def = NULL;
  }
  return status;
}

fb_status fb_scenario_read_model(fb_scenario* s, const fb_node* node, int part, const fb_io_options* how,
                                 fb_model_def** def, fb_error* error) {
  *def = NULL;
  if (fb_node_get_kind(node) == FB_NODE_MAP) return fb_native_read(node, how, def, error);
  int index;
  fb_status status = fb_scenario_read_input(s, node, "model file", &index, error);
  if (status) return status;
  s->inputs[index].is_model = 1;
  return parse_input(s, index, how, part, def, error);
}

/* The scene with the loops that the scenario adds to it; what is wrong with them is said where they are written. */
static fb_status add_loops(fb_scenario* s, const fb_node* list, fb_model_def* scene, fb_error* error) {
  if (!list) return FB_OK;
  fb_status status = fb_native_read_loops(list, &s->io, scene, error);
  if (status) return status;
  fb_error reason;
  fb_model* closed;
  status = fb_model_build(scene, NULL, &closed, &reason);
  if (!status) {
    fb_model_free(s->model);
    s->model = closed;
    return FB_OK;
  }
  const fb_node* wrong = list;
  for (int i = 0; i < fb_node_count(list) && wrong == list; i++) {
    fb_place place = fb_node_place(fb_node_item(list, i));
    if (place.line > 0 && place.line == reason.place.line && place.column == reason.place.column)
      wrong = fb_node_item(list, i);
  }
  return fb_node_fail(wrong, error, status, "%s", reason.text);
}

static fb_status which_model(const fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node *model = fb_fields_value(values, "model"), *models = fb_fields_value(values, "models");
  if (s->bare && (model || models))
    return fb_node_fail(model ? model : models, error, FB_ERR_CONTENT,
                        "'%.200s' is a model itself; run a scenario to choose another", s->inputs[0].file);
  if (!s->bare && !model && !models)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "the scenario has no model; add model: FILE, or models: with a list of them");
  if (model && models)
    return fb_node_fail(models, error, FB_ERR_CONTENT,
                        "'model' and 'models' are both there; put all of them into 'models'");
  return FB_OK;
}

static fb_status read_gravity(fb_scenario* s, const fb_node* node, fb_error* error) {
  fb_model_def_gravity(fb_model_definition(s->model), s->gravity_w);
  if (!node) return FB_OK;
  memset(s->gravity_w, 0, sizeof s->gravity_w);
  if (fb_node_get_kind(node) == FB_NODE_SCALAR && strcmp(fb_node_text(node), "none") == 0) return FB_OK;
  if (fb_node_get_kind(node) != FB_NODE_LIST)
    return fb_node_unexpected(node, error, "gravity is none or 3 numbers, as [0, 0, -9.81]");
  fb_status status = fb_node_numbers(node, FB_Q_ACCELERATION, 3, s->gravity_w, error);
  for (int i = 0; i < 3 && !status; i++)
    if (fabs(s->gravity_w[i]) > FB_HUGE_NUMBER)
      status = fb_node_fail(fb_node_item(node, i), error, FB_ERR_CONTENT, "gravity is %g, beyond %g",
                            s->gravity_w[i], FB_HUGE_NUMBER);
  return status;
}

fb_status fb_scenario_read_models(fb_scenario* s, const fb_fields* values, fb_error* error) {
  fb_status status = which_model(s, values, error);
  if (!status) status = fb_scenario_read_how(s, values, 0, &s->io, error);
  const fb_node *list = fb_fields_value(values, "models"), *gravity = fb_fields_value(values, "gravity");
  fb_model_def* def = NULL;
  if (!status && list) {
    def = fb_model_def_new();
    status =
        def ? fb_scenario_read_parts(s, list, gravity != NULL, def, error) : fb_scenario_no_memory(error);
  } else if (!status) {
    status = s->bare ? parse_input(s, 0, &s->io, -1, &def, error)
                     : fb_scenario_read_model(s, fb_fields_value(values, "model"), -1, &s->io, &def, error);
    if (!status && !fb_model_def_name(def)[0] && fb_model_def_set_name(def, s->name))
      status = fb_scenario_no_memory(error);
    if (!status) status = fb_model_build(def, NULL, &s->model, error);
  }
  if (!status) status = add_loops(s, fb_fields_value(values, "loops"), def, error);
  fb_model_def_free(def);
  if (!status) status = read_gravity(s, gravity, error);
  return status;
}
