/* repair.c -- masses and inertias that no body can have, replaced by the nearest that one can
 *
 * The two are repaired apart: a negative mass becomes zero, an inertia the nearest possible one (math/inertia_nearest.c).
 * An inertia without mass needs none: it is the limit of wide bodies that get lighter, and computes as a rotor does.
 * So are rods and points, which move well on most joints. But one that floats alone could not be turned about its axes:
 * its least moments are raised to a millionth of the largest, or to a radius of gyration of 1 mm where that is more. */
#include <freebody/model.h>
#include <freebody/spatial.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/definition/forest.h"

static const char* const POLICIES[] = {"?", "strict", "repair", "keep"};

const char* fb_inertia_policy_name(fb_inertia_policy policy) {
  return policy >= FB_INERTIA_STRICT && policy <= FB_INERTIA_KEEP ? POLICIES[policy] : POLICIES[0];
}

int fb_inertia_policy_find(const char* name) {
  for (int i = FB_INERTIA_STRICT; i <= FB_INERTIA_KEEP; i++)
    if (strcmp(name, POLICIES[i]) == 0) return i;
  return -1;
}

typedef struct repairer {
  fb_advice_fn advise; /* or NULL */
  void* user;
} repairer;

static void note_mass(const repairer* r, const fb_body_def* body) {
  char text[512];
  if (!r->advise) return;
  snprintf(text, sizeof text, "body '%.200s': mass %g kg is negative; it is taken as 0", body->name,
           body->mass);
  r->advise(r->user, body->place, text);
}

static void note_inertia(const repairer* r, const fb_body_def* body, const double nearest[6]) {
  double was[3], is[3];
  char text[512];
  if (!r->advise) return;
  fb_inertia_moments(body->inertia, was);
  fb_inertia_moments(nearest, is);
  snprintf(text, sizeof text,
           "body '%.200s': no body has the principal moments %.4g, %.4g, %.4g kg m^2; the nearest possible "
           "are taken: %.4g, %.4g, %.4g",
           body->name, was[0], was[1], was[2], is[0], is[1], is[2]);
  r->advise(r->user, body->place, text);
}

static int is_finite(const fb_body_def* body) {
  double sum = 0 * body->mass;
  for (int i = 0; i < 6; i++) sum += 0 * body->inertia[i];
  return sum == 0;
}

static void set_nearest(const repairer* r, fb_model_def* def, int id, int possible) {
  const fb_body_def* body = fb_model_def_body(def, id);
  double nearest[6];
  memcpy(nearest, body->inertia, sizeof nearest);
  if (!possible) fb_inertia_nearest(body->inertia, nearest);
  if (body->mass < 0) note_mass(r, body);
  if (!possible) note_inertia(r, body, nearest);
  fb_model_def_set_inertia(def, id, fmax(0, body->mass), nearest);
}

/* 1 when the body had to be changed. */
static int repair(const repairer* r, fb_model_def* def, int id) {
  const fb_body_def* body = fb_model_def_body(def, id);
  int possible = fb_inertia_is_possible(body->inertia);
  if (!is_finite(body) || (body->mass >= 0 && possible))
    return 0; /* fb_model_build names what is no number */
  set_nearest(r, def, id, possible);
  return 1;
}

/* What the principal moments of a floating body are to have at least; 0 when they have it, or it has no mass. */
static double lacking(const fb_body_def* body) {
  static const double PART = 1e-6, RADIUS = 1e-3;
  double e[3];
  if (body->joint.type != FB_JOINT_FREE || !is_finite(body) || body->mass == 0) return 0;
  fb_inertia_moments(body->inertia, e);
  return e[0] < 0.5 * PART * e[2] || e[2] == 0 ? fmax(PART * e[2], body->mass * RADIUS * RADIUS) : 0;
}

static void raise_moments(const repairer* r, fb_model_def* def, int id) {
  const fb_body_def* body = fb_model_def_body(def, id);
  double least = lacking(body), raised[6];
  char text[512];
  snprintf(text, sizeof text,
           "body '%.200s' floats alone and could not turn about an axis without inertia; its principal "
           "moments are taken as at least %.4g kg m^2",
           body->name, least);
  if (r->advise) r->advise(r->user, body->place, text);
  fb_inertia_raise(body->inertia, least, raised);
  fb_model_def_set_inertia(def, id, body->mass, raised);
}

/* Returns how many. Names that do not fit are left for fb_model_build to refuse. */
static int raise_alone(const repairer* r, fb_model_def* def) {
  int b = 1, count = 0;
  while (b < fb_model_def_nbody(def) && lacking(fb_model_def_body(def, b)) == 0) b++;
  fb_forest forest;
  if (b == fb_model_def_nbody(def) || fb_forest_make(def, &forest, NULL)) return 0;
  for (; b < fb_model_def_nbody(def); b++) {
    if (forest.first[b] != 0 || lacking(fb_model_def_body(def, b)) == 0) continue;
    raise_moments(r, def, b);
    count++;
  }
  fb_forest_free(&forest);
  return count;
}

int fb_model_def_repair(fb_model_def* def, fb_advice_fn advise, void* user) {
  repairer r = {advise, user};
  int count = 0;
  for (int b = 1; b < fb_model_def_nbody(def); b++) count += repair(&r, def, b);
  return count + raise_alone(&r, def);
}
