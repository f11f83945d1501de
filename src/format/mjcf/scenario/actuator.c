/* actuator.c -- an <actuator> of MJCF: gains, biases, ranges and what it acts on.
 *
 * A default class has one actuator, which all tags of actuators in it change one after the other, as an element of its own
 * does; so elements are applied from the outermost class to the actuator itself, as in MuJoCo. */
#include "format/mjcf/scenario/actuator.h"

#include <math.h>
#include <string.h>

/* --- one element --- */

/* Up to `most` numbers of an element's own attribute. */
static fb_status some(const fb_mjcf_reader* r, int node, const char* attribute, int most, double* out,
                      int* given) {
  fb_xml* xml = fb_mjcf_xml(&r->tree, node);
  int element = r->tree.nodes[node].element, count = fb_xml_number_count(xml, element, attribute);
  if (given) *given = count > 0;
  if (count == 0) return FB_OK;
  return fb_xml_numbers(xml, element, attribute, count < most ? count : most, out, r->error);
}

static int says(const fb_mjcf_reader* r, int node, const char* attribute, const char* word) {
  const char* text = fb_mjcf_written(&r->tree, node, attribute);
  return text && strcmp(text, word) == 0;
}

/* A range, and whether it holds: 2 when its presence decides. */
static fb_status range(fb_mjcf_reader* r, int node, const char* name, const char* limited, double out[2],
                       int* holds) {
  int given = 0;
  fb_status status = some(r, node, name, 2, out, &given);
  if (given && *holds == 0) *holds = r->set.autolimits;
  if (says(r, node, limited, "true")) *holds = 1;
  if (says(r, node, limited, "false")) *holds = -1;
  return status;
}

typedef struct state {
  fb_mjcf_drive* d;
  int affine_bias; /* bias[] counts */
  double prm[3];   /* biasprm as it was last written */
} state;

static fb_status take_servo(fb_mjcf_reader* r, int node, state* s, int velocity) {
  double kp = s->d->gain, kv = 0, filter = 0;
  int has_kv = 0, has_ratio = 0;
  fb_status status = some(r, node, velocity ? "kv" : "kp", 1, &kp, NULL);
  s->affine_bias = 1;
  s->d->gain = kp;
  if (velocity) {
    s->prm[0] = s->prm[1] = 0;
    s->prm[2] = -kp;
    return status;
  }
  if (!status) status = some(r, node, "kv", 1, &kv, &has_kv);
  if (!status) status = some(r, node, "dampratio", 1, &s->d->ratio, &has_ratio);
  if (!status) status = some(r, node, "timeconst", 1, &filter, NULL);
  s->prm[1] = -kp;
  if (has_kv) s->prm[2] = -kv;
  if (has_kv) s->d->ratio = 0;
  if (has_ratio) s->prm[2] = 0;
  s->d->filtered |= filter > 0;
  return status;
}

static fb_status take_general(fb_mjcf_reader* r, int node, state* s) {
  double gain[3] = {s->d->gain, 0, 0};
  fb_status status = some(r, node, "gainprm", 3, gain, NULL);
  if (!status) status = some(r, node, "biasprm", 3, s->prm, NULL);
  s->d->gain = gain[0];
  if (says(r, node, "biastype", "affine")) s->affine_bias = 1;
  if (says(r, node, "biastype", "none")) s->affine_bias = 0;
  const char *kind = fb_mjcf_written(&r->tree, node, "gaintype"),
             *bias = fb_mjcf_written(&r->tree, node, "biastype"),
             *dyn = fb_mjcf_written(&r->tree, node, "dyntype");
  if (kind) s->d->unlike = strcmp(kind, "fixed") == 0 ? NULL : "a gain that changes with the motion";
  if (bias && strcmp(bias, "none") != 0 && strcmp(bias, "affine") != 0)
    s->d->unlike = "a bias that is not affine";
  if (dyn) s->d->filtered = strcmp(dyn, "none") != 0;
  if (dyn && (strcmp(dyn, "muscle") == 0 || strcmp(dyn, "user") == 0)) s->d->unlike = "its dynamics";
  return status;
}

static fb_status take_common(fb_mjcf_reader* r, int node, state* s) {
  static const struct {
    const char* name;
    fb_mjcf_target on;
  } targets[] = {{"joint", FB_MJCF_ON_JOINT},      {"jointinparent", FB_MJCF_ON_JOINT},
                 {"tendon", FB_MJCF_ON_TENDON},    {"site", FB_MJCF_ON_SITE},
                 {"cranksite", FB_MJCF_NO_TARGET}, {"body", FB_MJCF_NO_TARGET}};
  fb_mjcf_drive* d = s->d;
  fb_status status = some(r, node, "gear", 6, d->gear, NULL);
  if (!status) status = range(r, node, "ctrlrange", "ctrllimited", d->ctrl, &d->ctrl_limited);
  if (!status) status = range(r, node, "forcerange", "forcelimited", d->force, &d->force_limited);
  for (size_t i = 0; i < sizeof targets / sizeof *targets; i++) {
    const char* name = fb_mjcf_written(&r->tree, node, targets[i].name);
    if (!name) continue;
    d->target = name;
    d->on = targets[i].on;
  }
  if (fb_mjcf_written(&r->tree, node, "refsite")) d->unlike = "a site that moves relative to another";
  return status;
}

static fb_status apply(fb_mjcf_reader* r, int node, state* s) {
  const char* tag = fb_mjcf_tag(&r->tree, node);
  fb_status status = take_common(r, node, s);
  if (status) return status;
  if (strcmp(tag, "general") == 0) return take_general(r, node, s);
  s->d->unlike = NULL;
  if (strcmp(tag, "motor") == 0) {
    s->d->gain = 1;
    s->affine_bias = 0;
    s->d->filtered = 0;
    return FB_OK;
  }
  if (strcmp(tag, "position") == 0) return take_servo(r, node, s, 0);
  if (strcmp(tag, "velocity") == 0) {
    s->d->filtered = 0;
    return take_servo(r, node, s, 1);
  }
  if (strcmp(tag, "intvelocity") == 0) {
    s->d->filtered = 1;
    return take_servo(r, node, s, 0);
  }
  s->d->unlike = "a law of its kind";
  return FB_OK;
}

/* --- with its classes --- */

static fb_status apply_classes(fb_mjcf_reader* r, int node, state* s) {
  enum { DEEPEST = 101 };
  static const char TAGS[] =
      " general motor position velocity intvelocity damper cylinder muscle adhesion plugin dcmotor "
      "orientation "
      "pid ";
  int chain[DEEPEST], depth = 0;
  for (int c = r->class_of[node]; c >= 0 && depth < DEEPEST; c = r->classes[c].parent) chain[depth++] = c;
  fb_status status = FB_OK;
  while (depth-- > 0)
    for (int d = r->classes[chain[depth]].first; d != FB_MJCF_NONE; d = r->next_node[d])
      for (int e = r->tree.nodes[d].first; e != FB_MJCF_NONE && !status; e = r->tree.nodes[e].next)
        if (fb_is_listed(fb_mjcf_tag(&r->tree, e), TAGS)) status = apply(r, e, s);
  return status;
}

fb_status fb_mjcf_read_drive(fb_mjcf_reader* r, int node, fb_mjcf_drive* out) {
  *out = (fb_mjcf_drive){.node = node, .gear = {1, 0, 0, 0, 0, 0}, .gain = 1};
  state s = {.d = out};
  fb_status status = apply_classes(r, node, &s);
  if (!status) status = apply(r, node, &s);
  if (s.affine_bias) memcpy(out->bias, s.prm, sizeof s.prm);
  /* A positive bias of the rate is a ratio of damping where the actuator is a servo for the position. */
  if (s.affine_bias && out->bias[2] > 0 && out->gain == -out->bias[1]) {
    out->ratio = out->bias[2];
    out->bias[2] = 0;
  }
  if (!s.affine_bias) out->ratio = 0;
  out->ctrl_limited = out->ctrl_limited > 0 && out->ctrl[0] < out->ctrl[1];
  out->force_limited = out->force_limited > 0 && out->force[0] < out->force[1];
  return status;
}

/* --- efforts --- */

/* The largest force on the coordinate of a joint; infinite when there is no bound. */
static double bound(const fb_mjcf_drive* d) {
  double most = INFINITY, gear = fabs(d->gear[0]);
  if (d->force_limited) most = gear * fmax(fabs(d->force[0]), fabs(d->force[1]));
  if (d->ctrl_limited && d->bias[0] == 0 && d->bias[1] == 0 && d->bias[2] == 0 && d->ratio == 0)
    most = fmin(most, gear * fabs(d->gain) * fmax(fabs(d->ctrl[0]), fabs(d->ctrl[1])));
  return most;
}

/* Bounds of actuators of one joint add up; one without a bound leaves the joint without. */
fb_status fb_mjcf_add_efforts(fb_mjcf_reader* r) {
  fb_status status = FB_OK;
  for (int node = fb_mjcf_next_in(&r->tree, "actuator", -1); node != FB_MJCF_NONE;
       node = fb_mjcf_next_in(&r->tree, "actuator", node)) {
    fb_mjcf_drive d;
    status = fb_mjcf_read_drive(r, node, &d);
    if (status) return status;
    if (d.on != FB_MJCF_ON_JOINT || d.unlike) continue;
    fb_mjcf_joint* joint = fb_mjcf_find_joint(r, d.target);
    if (joint) joint->effort += bound(&d);
  }
  for (size_t i = 0; i < r->njoint && !status; i++) {
    fb_mjcf_joint* joint = &r->joint_list[i];
    if (!(joint->effort > 0) || !isfinite(joint->effort)) continue;
    fb_joint_def changed = fb_model_def_body(r->def, joint->body)->joint;
    if (isfinite(changed.effort[0])) continue; /* actuatorfrcrange */
    changed.effort[0] = joint->effort;
    status = fb_model_def_set_joint(r->def, joint->body, &changed, r->error);
  }
  return status;
}
