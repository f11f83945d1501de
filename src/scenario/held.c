/* held.c -- joints that have nothing to move are held where they start
 *
 * Robots as they are found have fingers without mass, bases without <inertial>, and sometimes no masses at all. No force
 * determines how such a joint moves: its pivot vanishes. A model read with `repair`, as URDFs are by default, runs all the
 * same: the joint is locked at the start, and a note says so. Dampers and declared gains count as something to move, since the
 * implicit method can take them. With `strict` and `keep` the run is refused, with the joint's name. */
#include <stdlib.h>
#include <string.h>

#include <freebody/parameters.h>
#include <freebody/response.h>
#include <freebody/text.h>

#include "base/grow.h"
#include "dynamics/pivots.h"
#include "model/joint_kind.h"
#include "model/model.h"
#include "scenario/scenario.h"

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

static fb_status hold(fb_scenario* s, int body, unsigned char* prescribed, fb_error* error) {
  fb_scenario_motion motion = {.body = body,
                               .first = fb_joint_v_at(s->model, body),
                               .count = fb_joint_nv(s->model, body),
                               .at_start = 1};
  motion.name = fb_scenario_print(s, "held.%.200s", fb_joint_name(s->model, body));
  if (!motion.name || !fb_grow(&s->motions, (size_t)s->nmotion, 1, &s->motion_room, sizeof *s->motions))
    return fb_scenario_no_memory(error);
  for (int i = 0; i < motion.count; i++) {
    motion.motions[i].kind = FB_MOTION_LOCKED;
    s->v[motion.first + i] = 0;
    prescribed[motion.first + i] = 1;
  }
  s->motions[s->nmotion++] = motion;
  return FB_OK;
}

static void add_name(fb_text* names, int count, const char* name) {
  enum { MOST = 8 };
  if (count <= MOST) fb_text_printf(names, "%s'%.60s'", count > 1 ? ", " : "", name);
  if (count == MOST + 1) fb_text_add(names, " and more");
}

static fb_status remember(fb_scenario* s, int count, const char* names, fb_error* error) {
  if (count == 0) return FB_OK;
  s->held = fb_scenario_print(s,
                              "%d joint%s held at the start, with nothing to move: %s; give what %s mass and "
                              "inertia, or the joint armature, or "
                              "refuse the run with --inertia strict",
                              count, count == 1 ? " is" : "s are", names ? names : "",
                              count == 1 ? "it carries" : "they carry");
  return s->held ? FB_OK : fb_scenario_no_memory(error);
}

/* One joint after the other, outermost first, until all that is left has something to move. */
static fb_status hold_all(fb_scenario* s, fb_start_slopes* x, fb_data* d, fb_error* error) {
  fb_status status = FB_OK;
  fb_text names = {0};
  double pivot;
  int count = 0, body = FB_WORLD;
  do {
    fb_response_begin(s->model, d, s->q, x->prescribed);
    body = fb_pivots_find_idle(s->model, d, &pivot);
    if (body == FB_WORLD) break;
    status = hold(s, body, x->prescribed, error);
    add_name(&names, ++count, fb_joint_name(s->model, body));
  } while (!status && count < fb_model_nbody(s->model));
  if (!status) status = remember(s, count, names.data, error);
  free(names.data);
  return status;
}

fb_status fb_scenario_hold_idle(fb_scenario* s, const fb_fields* values, fb_error* error) {
  (void)values;
  if (!fb_model_def_is_repaired(fb_model_definition(s->model))) return FB_OK;
  fb_start_slopes x;
  fb_data* d = fb_data_new(s->model);
  fb_parameters* p = fb_parameters_new(s->model);
  fb_status status = fb_scenario_start_slopes(s, &x, error);
  if (!status && (!d || !p)) status = fb_scenario_no_memory(error);
  if (!status) status = lift(s->model, &x, p, error);
  if (!status) status = fb_data_use(d, p);
  if (!status) status = hold_all(s, &x, d, error);
  fb_start_slopes_free(&x);
  fb_data_free(d);
  fb_parameters_free(p);
  return status;
}
