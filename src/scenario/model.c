/* model.c -- the models of a scenario, joined to one scene.
 *
 * Each model is built by itself first, so that what is wrong with it is said with its own file and line. Then all
 * bodies go into one definition: names with the part's name before them, root joints moved to the part's place. */
#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/native/native.h"
#include "scenario/scenario.h"
#include "math/vector3.h"
#include "model/check.h"

static fb_status parse_input(const fb_scenario_input* input, const fb_io_options* io, fb_model_def** def,
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

/* A model by its file, or as a map. */
static fb_status read_model(fb_scenario* s, const fb_node* node, int base, fb_model_def** def,
                            fb_error* error) {
  fb_io_options io = s->io;
  if (base != FB_BASE_AS_FILE) io.base = base;
  *def = NULL;
  if (fb_node_get_kind(node) == FB_NODE_MAP) return fb_native_read(node, &io, def, error);
  int index;
  fb_status status = fb_scenario_read_input(s, node, "model file", &index, error);
  if (status) return status;
  s->inputs[index].is_model = 1;
  return parse_input(&s->inputs[index], &io, def, error);
}

/* --- joining --- */

typedef struct part {
  const fb_node* model; /* its file, or itself */
  const char* prefix;   /* or NULL */
  double at[3], R[9];
} part;

/* PREFIX_name; NULL stays NULL. */
static fb_status prefixed(fb_scenario* s, const part* p, const char** name, fb_error* error) {
  if (!p->prefix || !*name) return FB_OK;
  *name = fb_scenario_print(s, "%.180s_%.200s", p->prefix, *name);
  return *name ? FB_OK : fb_scenario_no_memory(error);
}

static void move_joint(const part* p, fb_joint_def* joint) {
  double at[3];
  fb_rot_apply(p->R, joint->at, at);
  for (int i = 0; i < 3; i++) joint->at[i] = p->at[i] + at[i];
  fb_rot_multiply(p->R, joint->R, joint->R);
}

static fb_status add_body(fb_scenario* s, const part* p, const fb_model_def* from, int id, fb_model_def* to,
                          fb_error* error) {
  fb_body_def body = *fb_model_def_body(from, id);
  fb_status status = prefixed(s, p, &body.name, error);
  if (!status) status = prefixed(s, p, &body.parent, error);
  if (!status) status = prefixed(s, p, &body.joint.name, error);
  if (!status && !body.parent) move_joint(p, &body.joint);
  if (!status) status = fb_model_def_add_body(to, &body, NULL, error);
  int at = fb_model_def_nbody(to) - 1;
  for (int i = 0; i < fb_model_def_nframe(from, id) && !status; i++) {
    fb_frame_def frame = *fb_model_def_frame(from, id, i);
    status = prefixed(s, p, &frame.name, error);
    if (!status) status = fb_model_def_add_frame(to, at, &frame, error);
  }
  for (int i = 0; i < fb_model_def_nshape(from, id) && !status; i++) {
    fb_shape_def shape = *fb_model_def_shape(from, id, i);
    status = fb_scenario_place_mesh(s, p->model, &shape.file, error);
    if (!status) status = fb_model_def_add_shape(to, at, &shape, error);
  }
  return status;
}

/* Gravity that a file carries; two files must agree. */
static fb_status join_gravity(const fb_node* node, const fb_model_def* from, fb_model_def* to,
                              fb_error* error) {
  double have[3], more[3];
  fb_model_def_gravity(to, have);
  fb_model_def_gravity(from, more);
  if (is_zero3(more)) return FB_OK;
  if (!is_zero3(have) && memcmp(have, more, sizeof have) != 0)
    return fb_node_fail(
        node, error, FB_ERR_CONTENT,
        "this model's file has another gravity than the one before; say gravity in the scenario");
  fb_model_def_set_gravity(to, more);
  return FB_OK;
}

static fb_status read_part(fb_scenario* s, const fb_node* node, fb_model_def* scene, int gravity_given,
                           fb_error* error) {
  fb_fields values;
  fb_part_row row = {NULL, {0, 0, 0}};
  part p = {NULL, NULL, {0, 0, 0}, {0}};
  int base = -1;
  fb_rot_identity(p.R);
  fb_status status = fb_fields_collect(node, &fb_scenario_schema, FB_SCENARIO_PART, &values, error);
  if (!status) status = fb_fields_read(&values, 0, &row, error);
  if (!status) status = fb_fields_rotation(&values, p.R, error);
  if (!status && fb_fields_value(&values, "base")) status = fb_fields_word(&values, "base", &base, error);
  if (status) return status;
  p.model = fb_fields_value(&values, "model");
  p.prefix = row.name;
  memcpy(p.at, row.at, sizeof p.at);
  fb_model_def* def = NULL;
  fb_model* alone = NULL;
  int stands = base < 0 ? FB_BASE_AS_FILE : base == 0 ? FB_BASE_FREE : FB_BASE_FIXED;
  status = read_model(s, p.model, stands, &def, error);
  if (!status) status = fb_model_build(def, NULL, &alone, error);
  fb_model_free(alone);
  for (int i = 1; !status && i < fb_model_def_nbody(def); i++) status = add_body(s, &p, def, i, scene, error);
  if (!status && !gravity_given) status = join_gravity(node, def, scene, error);
  fb_model_def_free(def);
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

static fb_status read_scene(fb_scenario* s, const fb_node* list, int gravity_given, fb_model_def* scene,
                            fb_error* error) {
  fb_status status = fb_scenario_need_list(list, "models", error);
  if (!status && fb_node_count(list) == 0)
    status = fb_node_fail(list, error, FB_ERR_CONTENT, "the list of models is empty");
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    status = read_part(s, fb_node_item(list, i), scene, gravity_given, error);
  return status ? status : build_scene(s, list, scene, error);
}

/* --- what the scenario says --- */

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
  if (fb_node_get_kind(node) != FB_NODE_LIST) {
    char found[80];
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "gravity is none or 3 numbers, as [0, 0, -9.81], but found %s",
                        fb_node_describe(node, found));
  }
  fb_status status = fb_node_numbers(node, FB_Q_ACCELERATION, 3, s->gravity_w, error);
  for (int i = 0; i < 3 && !status; i++)
    if (fabs(s->gravity_w[i]) > FB_HUGE_NUMBER)
      status = fb_node_fail(fb_node_item(node, i), error, FB_ERR_CONTENT, "gravity is %g, beyond %g",
                            s->gravity_w[i], FB_HUGE_NUMBER);
  return status;
}

fb_status fb_scenario_read_models(fb_scenario* s, const fb_fields* values, fb_error* error) {
  fb_status status = which_model(s, values, error);
  const fb_node *list = fb_fields_value(values, "models"), *gravity = fb_fields_value(values, "gravity");
  fb_model_def* def = NULL;
  if (!status && list) {
    def = fb_model_def_new();
    status = def ? read_scene(s, list, gravity != NULL, def, error) : fb_scenario_no_memory(error);
  } else if (!status) {
    status = s->bare ? parse_input(&s->inputs[0], &s->io, &def, error)
                     : read_model(s, fb_fields_value(values, "model"), FB_BASE_AS_FILE, &def, error);
    if (!status && !fb_model_def_name(def)[0] && fb_model_def_set_name(def, s->name))
      status = fb_scenario_no_memory(error);
    if (!status) status = fb_model_build(def, NULL, &s->model, error);
  }
  fb_model_def_free(def);
  if (!status) status = read_gravity(s, gravity, error);
  return status;
}
