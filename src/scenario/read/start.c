/* start.c -- the state at which a scenario starts.
 *
 * A floating base is given by its pose and velocity in the world; its free joint may stand elsewhere in the world,
 * at p_wj, R_wj, and has its coordinates there:
 *
 *   q = (R_wj^T (p_wb - p_wj), R_wj^T R_wb),   v = (R_wj^T v, R_wj^T w) */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/floating.h>
#include <freebody/rotation.h>
#include <freebody/support/words.h>

#include "scenario/read/read.h"
#include "scenario/read/values.h"
#include "scenario/rows.h"

static const fb_field FIELDS[] = {
    PLAIN(START, "joints", BY_NAME, EVERY, NEVER, -1, "0",
          "coordinates by joint: a number; a list for a joint with several; a [pose](#pose) or quaternion "
          "for spherical joints"),
    PLAIN(START, "near", BY_NAME, EVERY, NEVER, -1, "0",
          "coordinates by joint, likewise, from which the search for closed loops starts; those in `joints` "
          "are held"),
    PLAIN(START, "rates", BY_NAME, EVERY, NEVER, -1, "0",
          "rates by joint: a number, or a list for a joint with several"),
    INNER(START, "base", MAP, BASE, "at its place in the model, at rest",
          "the floating base, when there is one"),
    INNER(START, "bases", MAPS, BASE, "at their places in the model, at rest", "the floating bases, by body"),
    PLAIN(START, "zero_momentum", BOOL, EVERY, NEVER, -1, "false",
          "true: each floating base gets the velocity at which its tree has zero momentum"),

    PLACE(BASE, AT(fb_base_row, at), "its place in the model", "as in the model", "the world"),
    UNIT(BASE, "velocity", VECTOR, SPEED, ANY, EVERY, NEVER, AT(fb_base_row, velocity), "0, 0, 0",
         "velocity of its origin, world axes"),
    UNIT(BASE, "angular_velocity", VECTOR, RATE, ANY, EVERY, NEVER, AT(fb_base_row, angular_velocity),
         "0, 0, 0", "angular velocity, world axes"),

    PLACE(POSE, AT(fb_base_row, at), "0, 0, 0", "no rotation", "the joint frame; free joints only"),
};

const fb_schema_rows fb_rows_start = FB_ROWS(FIELDS);

/* place: FB_GIVEN_PLACE for `joints`; 0 for `near`, whose coordinates are not held when the loops are closed. */
static fb_status read_joints(fb_scenario* s, const fb_node* map, int place, fb_error* error) {
  if (!map) return FB_OK;
  fb_status status = fb_node_need_map(map, "a map from joints to values", error);
  for (int i = 0, body; i < fb_node_count(map) && !status; i++) {
    status = fb_scenario_key_joint(s, map, i, &body, error);
    if (!status && !place && s->given[body] & FB_GIVEN_PLACE)
      status =
          fb_map_key_fail(map, i, error, FB_ERR_CONTENT,
                          "'start' gives the joint '%.60s' already, and holds it there; keep one of them",
                          fb_joint_name(s->model, body));
    if (!status) {
      s->given[body] |= (unsigned char)place;
      status =
          fb_scenario_position(s, fb_map_value(map, i), body, s->q + fb_joint_q_index(s->model, body), error);
    }
    status = fb_scenario_go_on(s, status, error);
  }
  return status;
}

static fb_status read_rates(fb_scenario* s, const fb_node* map, fb_error* error) {
  static const fb_field rate = {.key = "rates", .quantity = FB_Q_SPEED, .angular = FB_Q_RATE};
  if (!map) return FB_OK;
  fb_status status = fb_node_need_map(map, "a map from joints to values", error);
  for (int i = 0, body; i < fb_node_count(map) && !status; i++) {
    status = fb_scenario_key_joint(s, map, i, &body, error);
    if (!status) {
      s->given[body] |= FB_GIVEN_RATE;
      status = fb_scenario_coordinates(s, fb_map_value(map, i), &rate, body,
                                       s->v + fb_joint_v_index(s->model, body), error);
    }
    status = fb_scenario_go_on(s, status, error);
  }
  return status;
}

/* `near` says where closing the loops begins. */
static fb_status read_near(fb_scenario* s, const fb_node* map, fb_error* error) {
  if (map && fb_model_nloop(s->model) == 0)
    return fb_node_fail(
        map, error, FB_ERR_CONTENT,
        "the model has no loops, so no coordinate is solved for; use 'joints' instead of 'near'");
  return read_joints(s, map, 0, error);
}

/* --- bases --- */

static int is_placed(const fb_fields* values) {
  static const char* const KEYS[] = {"at", "rpy", "euler_xyz", "quat", "dcm"};
  for (size_t i = 0; i < sizeof KEYS / sizeof KEYS[0]; i++)
    if (fb_fields_value(values, KEYS[i])) return 1;
  return 0;
}

static fb_status read_base(fb_scenario* s, const fb_node* map, int body, fb_error* error) {
  const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(s->model), body)->joint;
  fb_fields values;
  fb_base_row row = {{joint->at[0], joint->at[1], joint->at[2]}, {0, 0, 0}, {0, 0, 0}};
  double R_wb[9], R_wj[9], R_jb[9], p[3];
  memcpy(R_wj, joint->R, sizeof R_wj);
  memcpy(R_wb, R_wj, sizeof R_wb);
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_BASE, &values, &row, error);
  if (!status) status = fb_fields_rotation(&values, R_wb, error);
  if (status) return status;
  if (s->given[body])
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "'joints' or 'rates' has the joint '%.60s' of this base already; keep one of them",
                        fb_joint_name(s->model, body));
  double *q = s->q + fb_joint_q_index(s->model, body), *v = s->v + fb_joint_v_index(s->model, body);
  for (int i = 0; i < 3; i++) p[i] = row.at[i] - joint->at[i];
  fb_rot_apply_transpose(R_wj, p, q);
  fb_rot_transpose(R_wj, R_jb);
  fb_rot_multiply(R_jb, R_wb, R_jb);
  fb_rot_to_quat(R_jb, q + 3);
  fb_rot_apply_transpose(R_wj, row.velocity, v);
  fb_rot_apply_transpose(R_wj, row.angular_velocity, v + 3);
  s->given[body] |= FB_GIVEN_BASE;
  if (is_placed(&values)) s->given[body] |= FB_GIVEN_PLACE;
  if (fb_fields_value(&values, "velocity") || fb_fields_value(&values, "angular_velocity"))
    s->given[body] |= FB_GIVEN_RATE;
  return FB_OK;
}

/* `base`: there must be one that floats. */
static fb_status read_only_base(fb_scenario* s, const fb_node* map, fb_error* error) {
  int count, body = 0;
  char list[200];
  const char** names = fb_scenario_list_bases(s->model, &count, &body);
  if (!names) return fb_scenario_no_memory(error);
  fb_status status = FB_OK;
  if (count == 0)
    status = fb_node_fail(map, error, FB_ERR_CONTENT, "no base floats in this scene, so none can be placed");
  else if (count > 1)
    status = fb_node_fail(map, error, FB_ERR_CONTENT,
                          "%d bases float in this scene: %s; use bases: with the name of each", count,
                          fb_words_join(names, "", list, sizeof list));
  free((void*)names);
  return status ? status : read_base(s, map, body, error);
}

static fb_status read_bases(fb_scenario* s, const fb_node* map, fb_error* error) {
  fb_status status = fb_node_need_map(map, "a map from bodies to values", error);
  for (int i = 0; i < fb_node_count(map) && !status; i++) {
    const char* name = fb_map_key(map, i);
    int body = fb_model_find_body(s->model, name), count;
    if (body > 0 && fb_body_floats(s->model, body)) {
      status = read_base(s, fb_map_value(map, i), body, error);
      continue;
    }
    const char** names = fb_scenario_list_bases(s->model, &count, &body);
    if (!names) return fb_scenario_no_memory(error);
    char near[FB_SUGGESTION_SIZE] = "; there is none";
    if (count > 0) fb_suggestion_or_list(name, names, "there are", near);
    status = fb_map_key_fail(map, i, error, FB_ERR_NAME, "there is no floating base '%.60s'%s", name, near);
    free((void*)names);
  }
  return status;
}

/* --- all of it --- */

static fb_status collect_start(const fb_fields* top, fb_fields* values, fb_error* error) {
  const fb_node* start = fb_fields_value(top, "start");
  memset(values, 0, sizeof *values);
  if (!start) return FB_OK;
  fb_status status = fb_fields_collect(start, &fb_scenario_schema, FB_SCENARIO_START, values, error);
  return status ? status : fb_fields_read(values, 0, NULL, error);
}

fb_status fb_scenario_read_start(fb_scenario* s, const fb_fields* top, fb_error* error) {
  fb_fields values;
  const fb_model* m = s->model;
  s->q = fb_scenario_alloc(s, (size_t)fb_model_nq(m), sizeof *s->q);
  s->v = fb_scenario_alloc(s, (size_t)fb_model_nv(m), sizeof *s->v);
  s->given = fb_scenario_alloc(s, (size_t)fb_model_nbody(m), 1);
  if (!s->q || !s->v || !s->given) return fb_scenario_no_memory(error);
  fb_neutral(m, s->q);
  fb_status status = fb_scenario_go_on(s, collect_start(top, &values, error), error);
  if (status || !values.map) return status;
  const fb_node *base = fb_fields_value(&values, "base"), *bases = fb_fields_value(&values, "bases");
  if (base && bases)
    return fb_node_fail(bases, error, FB_ERR_CONTENT, "'base' and 'bases' are both there; keep one of them");
  status =
      fb_scenario_go_on(s, read_joints(s, fb_fields_value(&values, "joints"), FB_GIVEN_PLACE, error), error);
  if (!status) status = fb_scenario_go_on(s, read_near(s, fb_fields_value(&values, "near"), error), error);
  if (!status) status = fb_scenario_go_on(s, read_rates(s, fb_fields_value(&values, "rates"), error), error);
  if (!status && base) status = fb_scenario_go_on(s, read_only_base(s, base, error), error);
  if (!status && bases) status = read_bases(s, bases, error);
  if (status || s->failures > 0) return status;
  status = fb_model_check_state(m, s->q, s->v, error);
  if (status) fb_node_place_error(values.map, error);
  return status;
}

/* --- no momentum --- */

/* A base that a motion holds or moves does not float. */
static int is_moved(const fb_scenario* s, int body) {
  for (int i = 0; i < s->nmotion; i++)
    if (s->motions[i].at_start && s->motions[i].body == body) return 1;
  return 0;
}

static fb_status stop_tree(fb_scenario* s, const fb_node* node, int body, fb_error* error) {
  if (s->given[body] & FB_GIVEN_RATE)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "'zero_momentum' gives the base '%.60s' its velocity, but the velocity is given too; "
                        "keep one of them",
                        fb_body_name(s->model, body));
  fb_floating* floating;
  fb_error cause;
  fb_status status = fb_floating_new(s->model, body, &floating, &cause);
  if (status) return fb_node_fail(node, error, status, "%s", cause.text);
  int nj = fb_floating_nj(floating), v_at = fb_joint_v_index(s->model, body);
  double* rates = malloc(((size_t)nj + 1) * sizeof *rates);
  if (!rates) {
    fb_floating_free(floating);
    return fb_scenario_no_memory(error);
  }
  for (int i = 0; i < nj; i++) rates[i] = s->v[fb_floating_joints(floating)[i]];
  fb_floating_update(floating, s->q, s->v);
  fb_floating_velocity(floating, rates, NULL, s->v);
  free(rates);
  fb_floating_free(floating);
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += s->v[v_at + i];
  if (isfinite(sum)) return FB_OK;
  return fb_node_fail(
      node, error, FB_ERR_INERTIA,
      "the tree of '%.60s' is massless, a point or a rod, so its velocity without momentum is not determined",
      fb_body_name(s->model, body));
}

fb_status fb_scenario_zero_momentum(fb_scenario* s, const fb_fields* top, fb_error* error) {
  fb_fields values;
  int wanted = 0, found = 0;
  fb_status status = collect_start(top, &values, error);
  const fb_node* node = !status && values.map ? fb_fields_value(&values, "zero_momentum") : NULL;
  if (node) status = fb_node_bool(node, &wanted, error);
  s->zero_momentum = wanted;
  for (int i = 1; i < fb_model_nbody(s->model) && wanted && !status; i++) {
    if (!fb_body_floats(s->model, i) || is_moved(s, i)) continue;
    found = 1;
    status = stop_tree(s, node, i, error);
  }
  if (!status && wanted && !found)
    status =
        fb_node_fail(node, error, FB_ERR_CONTENT, "no base floats in this scene; leave 'zero_momentum' out");
  return status;
}
