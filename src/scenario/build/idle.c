/* idle.c -- joints that have nothing to move are locked where they start
 *
 * Published robots have fingers without mass, bases without <inertial>, and sometimes no masses at all. No force
 * determines how such a joint moves: its pivot vanishes. A model read with `repair`, as URDFs are by default, runs all the
 * same: the joint is locked at the start, and a note says so. Dampers and declared gains count as something to move, since the
 * implicit method can take them; those of a law count in the modes in which it acts, and a joint that is idle in any mode is
 * locked in all of them. With another method that the scenario names they do not count. With `strict` and `keep` the run is
 * refused, with the joint's name. */
#include <stdlib.h>
#include <string.h>

#include <freebody/parameters.h>
#include <freebody/response.h>
#include <freebody/support/text.h>

#include "base/grow.h"
#include "dynamics/pivots.h"
#include "model/joint_kind.h"
#include "model/model.h"
#include "scenario/build/build.h"
#include "scenario/read/read.h"

/* Whether the method takes slopes in place of inertia: the implicit one, which auto chooses for such joints. */
static int takes_slopes(const fb_fields* values) {
  const fb_node *map = fb_fields_value(values, "integrator"), *method = NULL;
  if (map && fb_node_get_kind(map) == FB_NODE_MAP) method = fb_map_get(map, "method");
  return !method || strcmp(fb_node_text(method), "auto") == 0 ||
         strcmp(fb_node_text(method), "implicit") == 0;
}

/* Slopes as the armature that the implicit method makes of them, at the usual step. */
static fb_status lift(const fb_model* m, const fb_start_slopes* x, fb_parameters* p, fb_error* error) {
  static const double G = 0.003;
  for (int k = 0; k < fb_model_nv(m); k++) {
    if (fb_joint_kinds[fb_joint_type_of(m, fb_coordinate_body(m, k))].is_free) continue;
    double slope = fb_parameters_get(p, FB_PARAMETER_DAMPING, k) + x->damping[k] +
                   fb_parameters_get(p, FB_PARAMETER_FRICTION, k) + G * x->stiffness[k];
    double stiffness = fb_parameters_get(p, FB_PARAMETER_STIFFNESS, k);
    if (stiffness > 0) slope += G * stiffness;
    double armature = fb_parameters_get(p, FB_PARAMETER_ARMATURE, k) + G * slope;
    fb_status status = slope > 0 ? fb_parameters_set(p, FB_PARAMETER_ARMATURE, k, armature, error) : FB_OK;
    if (status) return status;
  }
  return FB_OK;
}

static fb_status lock(fb_scenario* s, int body, fb_error* error) {
  fb_scenario_motion motion = {.body = body,
                               .first = fb_joint_v_index(s->model, body),
                               .count = fb_joint_nv(s->model, body),
                               .at_start = 1};
  motion.name = fb_scenario_print(s, "held.%.200s", fb_joint_name(s->model, body));
  if (!motion.name || !fb_grow(&s->motions, (size_t)s->nmotion, 1, &s->motion_room, sizeof *s->motions))
    return fb_scenario_no_memory(error);
  for (int i = 0; i < motion.count; i++) {
    motion.motions[i].kind = FB_MOTION_LOCKED;
    s->v[motion.first + i] = 0;
  }
  s->motions[s->nmotion++] = motion;
  return FB_OK;
}

/* The joints that are locked, for the note. */
typedef struct locked_joints {
  fb_text names;
  int count, moving; /* moving: the scenario gives them rates */
  int takes_slopes;
} locked_joints;

static void add_name(locked_joints* locked, const fb_scenario* s, int body) {
  enum { MOST = 8 };
  const double* v = s->v + fb_joint_v_index(s->model, body);
  int moves = 0;
  for (int i = 0; i < fb_joint_nv(s->model, body); i++) moves |= v[i] != 0;
  locked->moving += moves;
  if (++locked->count <= MOST)
    fb_text_printf(&locked->names, "%s'%.60s'", locked->count > 1 ? ", " : "", fb_joint_name(s->model, body));
  if (locked->count == MOST + 1) fb_text_add(&locked->names, " and more");
}

static fb_status remember(fb_scenario* s, const locked_joints* locked, fb_error* error) {
  int one = locked->count == 1;
  if (locked->count == 0) return FB_OK;
  s->locked = fb_scenario_print(
      s,
      "%d joint%s held at the start, with nothing to move: %s%s; give what %s mass and inertia, or the joint "
      "armature, %sor refuse the run with --inertia strict",
      locked->count, one ? " is" : "s are", locked->names.data ? locked->names.data : "",
      locked->moving ? " (rates at the start are left out)" : "", one ? "it carries" : "they carry",
      locked->takes_slopes ? "" : "or leave the method to auto if it has damping or gains, ");
  return s->locked ? FB_OK : fb_scenario_no_memory(error);
}

typedef struct search {
  fb_scenario* s;
  locked_joints* locked;
  fb_error* error;
} search;

static fb_status lock_idle(void* user, int body, int* go_on) {
  search* x = user;
  *go_on = fb_model_def_is_repaired(fb_model_definition(x->s->model), body);
  if (!*go_on) return FB_OK;
  add_name(x->locked, x->s, body);
  return lock(x->s, body, x->error);
}

static fb_status lock_in_mode(fb_scenario* s, int mode, locked_joints* locked, fb_error* error) {
  fb_start_slopes x;
  fb_data* d = fb_data_new(s->model);
  fb_parameters* p = fb_parameters_new(s->model);
  fb_status status = fb_scenario_start_slopes(s, mode, &x, error);
  if (!status && (!d || !p)) status = fb_scenario_no_memory(error);
  if (!status && locked->takes_slopes) status = lift(s->model, &x, p, error);
  if (!status) status = fb_data_use(d, p);
  search found = {s, locked, error};
  if (!status) status = fb_pivots_hold_idle(s->model, d, s->q, x.prescribed, lock_idle, &found);
  fb_start_slopes_free(&x);
  fb_data_free(d);
  fb_parameters_free(p);
  return status;
}

static int has_repaired(const fb_model* m) {
  for (int b = 1; b < fb_model_nbody(m); b++)
    if (fb_model_def_is_repaired(fb_model_definition(m), b)) return 1;
  return 0;
}

static fb_status lock_where(fb_scenario* s, int slopes, int* count, fb_error* error) {
  locked_joints locked = {.takes_slopes = slopes};
  fb_status status = FB_OK;
  *count = 0;
  if (!has_repaired(s->model)) return FB_OK;
  for (int mode = 0; mode < s->nmode && !status; mode++) status = lock_in_mode(s, mode, &locked, error);
  if (!status) status = remember(s, &locked, error);
  free(locked.names.data);
  *count = locked.count;
  return status;
}

fb_status fb_scenario_lock_idle(fb_scenario* s, const fb_fields* values, fb_error* error) {
  int count;
  return lock_where(s, takes_slopes(values), &count, error);
}

int fb_scenario_lock_slow(fb_scenario* s, fb_error* error) {
  int count;
  const char* before = s->locked;
  if (lock_where(s, 0, &count, error) || count == 0) return 0;
  if (before) s->locked = fb_scenario_print(s, "%s; moreover %s", before, s->locked);
  return s->locked != NULL;
}
