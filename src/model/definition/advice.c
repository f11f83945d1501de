/* advice.c -- advice on models that are legal but look wrong: numbers in the wrong unit, parts that can
 * never move, masses that make every later computation ill-conditioned. A rule for bodies is a row of the
 * table at the end. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <freebody/spatial.h>

#include "math/vector3.h"
#include "model/joint_kind.h"
#include "model/model.h"

typedef struct adviser {
  const fb_model* model;
  fb_advice_fn advise;
  void* user;
  int count;
} adviser;

static void say(adviser* a, fb_place place, const char* format, ...) FB_PRINTF(3, 4);

static void say(adviser* a, fb_place place, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  a->advise(a->user, place, text);
  a->count++;
}

static const fb_body_def* body_def(const adviser* a, int body) {
  return fb_model_def_body(fb_model_definition(a->model), body);
}

/* Half the trace over the mass, as a length: 0.29 of a rod's length, 0.63 of a ball's radius. */
static double gyration_radius(const fb_body_def* def) {
  if (def->mass <= 0) return 0;
  return sqrt((def->inertia[0] + def->inertia[1] + def->inertia[2]) / 2 / def->mass);
}

static int is_rotating(fb_joint_type type) {
  return fb_joint_kinds[type].nv > fb_joint_kinds[type].lengths;
}

static void point_mass(adviser* a, int body) {
  const fb_body_def* def = body_def(a, body);
  if (def->mass > 0 && gyration_radius(def) == 0 && is_rotating(def->joint.type))
    say(a, def->place,
        "body '%s' has a mass of %g kg but no inertia: it turns like a point; give its inertia", def->name,
        def->mass);
}

static void odd_gyration(adviser* a, int body) {
  const fb_body_def* def = body_def(a, body);
  double radius = gyration_radius(def);
  if (radius > 0 && (radius > 100 || radius < 1e-5))
    say(a, def->place,
        "body '%s' has a radius of gyration of %.3g m (sqrt of inertia/mass, %g kg): check the units, kg m^2",
        def->name, radius, def->mass);
}

static void far_centroid(adviser* a, int body) {
  const fb_body_def* def = body_def(a, body);
  double distance = norm3(def->com), radius = gyration_radius(def);
  if (radius > 0 && distance > 500 * radius)
    say(a, def->place,
        "the centre of mass of body '%s' is %.3g m from its origin, %.0f times its radius of gyration: check "
        "the units, m",
        def->name, distance, distance / radius);
}

static int has_inertia(const fb_body_def* def) {
  for (int i = 0; i < 6; i++)
    if (def->inertia[i] != 0) return 1;
  return 0;
}

static void inertia_without_mass(adviser* a, int body) {
  const fb_body_def* def = body_def(a, body);
  if (def->mass == 0 && has_inertia(def))
    say(a, def->place,
        "body '%s' has inertia but no mass: it turns like a rotor and weighs nothing; give its mass",
        def->name);
}

static void kept_inertia(adviser* a, int body) {
  const fb_body_def* def = body_def(a, body);
  double e[3];
  fb_inertia_moments(def->inertia, e);
  if (def->mass < 0 || !fb_inertia_is_possible(def->inertia))
    say(a, def->place,
        "body '%s' keeps a mass of %g kg and principal moments of %.4g, %.4g, %.4g kg m^2, which no body "
        "has: energies may be negative, and the dynamics may have no solution",
        def->name, def->mass, e[0], e[1], e[2]);
}

static int has_armature(const fb_joint_def* joint, int nv) {
  int all = 1;
  for (int i = 0; i < nv; i++) all &= joint->armature[i] > 0;
  return all;
}

/* Axes of slides keep their angle to one another, and what has inertia or armature stores energy however axes lie. */
static void massless_pair(adviser* a, int body) {
  const fb_model* m = a->model;
  int parent = fb_body_parent(m, body);
  if (parent <= FB_WORLD) return;
  const fb_body_def *def = body_def(a, body), *behind = body_def(a, parent);
  if (!is_rotating(def->joint.type) || !is_rotating(behind->joint.type)) return;
  if (has_inertia(behind) || has_armature(&behind->joint, fb_joint_nv(m, parent))) return;
  if (fb_body_mass(m, body) == 0 && fb_body_mass(m, parent) == 0)
    say(a, def->place,
        "bodies '%s' and '%s' are massless and joined by moving joints: the inertia matrix turns singular "
        "where their axes align",
        fb_body_name(m, parent), fb_body_name(m, body));
}

static void odd_limits(adviser* a, int body) {
  const fb_joint_def* joint = &body_def(a, body)->joint;
  const char* name = fb_joint_name(a->model, body);
  for (int i = 0; i < fb_joint_nv(a->model, body); i++) {
    double lo = joint->lower[i], hi = joint->upper[i];
    int length = fb_joint_type_is_length(joint->type, i);
    double scale = length ? 1 : 180 / 3.14159265358979323846;
    const char* unit = length ? "m" : "deg";
    double largest = fmax(isfinite(lo) ? fabs(lo) : 0, isfinite(hi) ? fabs(hi) : 0);
    if (lo == hi)
      say(a, joint->place,
          "joint '%s' has limits [%g, %g] %s and so cannot move; a fixed joint says it better", name,
          lo * scale, hi * scale, unit);
    else if (lo > 0 || hi < 0)
      say(a, joint->place, "joint '%s' has limits [%g, %g] %s that leave out zero, the neutral configuration",
          name, lo * scale, hi * scale, unit);
    if (!length && largest > 40)
      say(a, joint->place, "joint '%s' has limits [%g, %g] rad, %.0f turns: are these degrees?", name, lo, hi,
          largest / 6.283185307179586);
  }
}

static void idle_actuator(adviser* a, int body) {
  const fb_joint_def* joint = &body_def(a, body)->joint;
  const char* name = fb_joint_name(a->model, body);
  for (int i = 0; i < fb_joint_nv(a->model, body); i++) {
    if (joint->effort[i] == 0)
      say(a, joint->place,
          "joint '%s' has an effort limit of 0: its actuator can never push; leave the limit out if there is "
          "none",
          name);
    if (joint->speed[i] == 0)
      say(a, joint->place,
          "joint '%s' has a speed limit of 0: it may never move; leave the limit out if there is none", name);
  }
}

/* The lightest and the heaviest body of one tree, which has masses. */
static void check_masses(adviser* a, int light, int heavy) {
  const fb_model* m = a->model;
  double small = fb_body_mass(m, light), large = fb_body_mass(m, heavy);
  if (large > 1e6 * small)
    say(a, body_def(a, light)->place,
        "bodies '%s' (%g kg) and '%s' (%g kg) of one tree differ %.1e times in mass: results may lose about "
        "%.0f of their 16 digits",
        fb_body_name(m, light), small, fb_body_name(m, heavy), large, large / small, log10(large / small));
}

/* Masses of one tree that differ by more than six powers of ten. In the order of traversal trees stand one after the
 * other. */
static void mass_ratio(adviser* a) {
  const fb_model* m = a->model;
  int light = 0, heavy = 0, base = 0;
  for (int i = 1; i < fb_model_nbody(m); i++) {
    int b = fb_model_traversal(m, i);
    if (fb_body_base(m, b) != base) {
      if (light) check_masses(a, light, heavy);
      base = fb_body_base(m, b);
      light = heavy = 0;
    }
    if (fb_body_mass(m, b) <= 0) continue;
    if (!light || fb_body_mass(m, b) < fb_body_mass(m, light)) light = b;
    if (!heavy || fb_body_mass(m, b) > fb_body_mass(m, heavy)) heavy = b;
  }
  if (light) check_masses(a, light, heavy);
}

/* --- branches without mass --- */

static void say_massless(adviser* a, int body) {
  const fb_body_def* def = body_def(a, body);
  say(a, def->place,
      "body '%s' and all it carries are massless: unless its motion is prescribed, joint '%s' needs mass and "
      "inertia%s",
      def->name, fb_joint_name(a->model, body),
      fb_joint_kinds[def->joint.type].is_free ? "" : ", or armature, or damping and the implicit method");
}

/* The last moving body of each such branch. */
static void massless_branches(adviser* a) {
  const fb_model* m = a->model;
  int nbody = fb_model_nbody(m);
  char* heavy = calloc(2 * (size_t)nbody, 1); /* it or what it carries has mass or inertia; or was reported */
  if (!heavy) return;
  char* reported = heavy + nbody;
  for (int i = nbody - 1; i >= 1; i--) {
    int b = fb_model_traversal(m, i), parent = fb_body_parent(m, b), nv = fb_joint_nv(m, b);
    const fb_body_def* def = body_def(a, b);
    heavy[b] |= def->mass != 0 || has_inertia(def);
    if (nv > 0 && !heavy[b] && !reported[b] && !has_armature(&def->joint, nv)) {
      say_massless(a, b);
      reported[b] = 1;
    }
    heavy[parent] |= heavy[b];
    reported[parent] |= reported[b];
  }
  free(heavy);
}

static void (*const RULES[])(adviser* a, int body) = {
    point_mass,   odd_gyration,  far_centroid, inertia_without_mass,
    kept_inertia, massless_pair, odd_limits,   idle_actuator,
};

int fb_model_advise(const fb_model* model, fb_advice_fn advise, void* user) {
  adviser a = {model, advise, user, 0};
  for (int b = 1; b < fb_model_nbody(model); b++)
    for (size_t r = 0; r < sizeof RULES / sizeof RULES[0]; r++) RULES[r](&a, b);
  massless_branches(&a);
  mass_ratio(&a);
  if (fb_model_nv(model) == 0) {
    fb_place nowhere = {0, 0};
    say(&a, nowhere, "nothing in this model can move: every joint is fixed");
  }
  return a.count;
}
