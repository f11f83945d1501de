/* laws.c -- actuators of MJCF as control laws of a scenario.
 *
 * A servo on a joint with gear g, force = gain ctrl + b0 + b1 g q + b2 g v, acts on the coordinate with g times this force:
 *   joint_pd:  kp = -b1 g^2,  kd = -b2 g^2,  target = (gain ctrl + b0) / (-b1 g)
 * Without biases it is a motor: an input from outside, tau = g gain ctrl. A damping ratio z is b2 = -2 z sqrt(gain m), where
 * m is the sum of the inertias at qpos0 over g^2, as in MuJoCo. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/model.h>
#include <freebody/support/text.h>

#include "format/mjcf/scenario/scenario.h"

/* An actuator with what it acts on. */
typedef struct law {
  fb_mjcf_drive d;
  const fb_mjcf_joint* joint; /* or NULL */
  const fb_mjcf_site* site;   /* or NULL */
  fb_mjcf_tendon tendon;      /* of several joints, when its count is not 0 */
  double ctrl;                /* at the start */
} law;

static int is_motor(const law* l) {
  return l->d.bias[0] == 0 && l->d.bias[1] == 0 && l->d.bias[2] == 0 && l->d.ratio == 0;
}

/* --- reading --- */

static fb_status find_tendon(fb_mjcf_scene* s, law* l) {
  int node = fb_mjcf_find_tendon(s->r, l->d.target);
  const char* unlike;
  double coef;
  if (node == FB_MJCF_NONE)
    return fb_mjcf_fail(s->r, l->d.node, FB_ERR_CONTENT, "there is no tendon '%.100s'", l->d.target);
  fb_status status = fb_mjcf_read_tendon(s->r, node, &l->tendon, &unlike);
  if (status) return status;
  if (!l->tendon.fixed || unlike) {
    l->d.unlike = "a tendon along sites";
    return FB_OK;
  }
  if (l->tendon.count > 1) return FB_OK;
  status = fb_mjcf_tendon_joint(s->r, &l->tendon, 0, &l->joint, &coef);
  l->d.gear[0] *= coef;
  l->tendon.count = 0;
  return status;
}

/* Reads actuator number i; l->d.unlike says why there is no law for it. */
static fb_status read_law(fb_mjcf_scene* s, int node, int i, law* l) {
  *l = (law){.ctrl = i < s->nctrl ? s->ctrl[i] : 0};
  fb_status status = fb_mjcf_read_drive(s->r, node, &l->d);
  if (status || l->d.unlike) return status;
  if (l->d.ctrl_limited) l->ctrl = fmin(fmax(l->ctrl, l->d.ctrl[0]), l->d.ctrl[1]);
  if (l->d.on == FB_MJCF_ON_JOINT) {
    l->joint = fb_mjcf_find_joint(s->r, l->d.target);
    if (!l->joint) l->d.unlike = "a joint with several coordinates";
  } else if (l->d.on == FB_MJCF_ON_SITE) {
    l->site = fb_mjcf_find_site(s->r, l->d.target);
    if (!l->site) return fb_mjcf_fail(s->r, node, FB_ERR_CONTENT, "there is no site '%.100s'", l->d.target);
    if (!is_motor(l)) l->d.unlike = "a servo at a site";
  } else if (l->d.on == FB_MJCF_ON_TENDON) {
    status = find_tendon(s, l);
  } else {
    l->d.unlike = "what it acts on";
  }
  if (l->d.bias[1] > 0 || l->d.bias[2] > 0) l->d.unlike = "a bias that drives it away";
  if ((l->joint || l->tendon.count) && l->d.gear[0] == 0) l->d.unlike = "a gear of 0";
  return status;
}

/* --- damping ratios --- */

/* The diagonal of the inertia matrix at qpos0. */
static fb_status find_moments(fb_mjcf_scene* s) {
  if (s->model) return FB_OK;
  fb_status status = fb_model_build(s->r->def, NULL, &s->model, s->r->error);
  if (status) return status;
  int nv = fb_model_nv(s->model);
  fb_data* data = fb_data_new(s->model);
  double* H = calloc((size_t)nv * (size_t)nv + 1, sizeof *H);
  s->moments = calloc((size_t)nv + 1, sizeof *s->moments);
  if (data && H && s->moments) {
    fb_inertia_matrix(s->model, data, s->q0, H);
    for (int i = 0; i < nv; i++) s->moments[i] = H[(size_t)i * (size_t)nv + (size_t)i];
  } else {
    status = fb_mjcf_no_memory(s->r);
  }
  fb_data_free(data);
  free(H);
  return status;
}

static double moment_of(const fb_mjcf_scene* s, const fb_mjcf_joint* joint, double gear) {
  int body = fb_model_find_joint(s->model, joint->def_name);
  return body > 0 && gear != 0 ? s->moments[fb_joint_v_index(s->model, body)] / (gear * gear) : 0;
}

static fb_status take_ratio(fb_mjcf_scene* s, law* l) {
  double mass = 0;
  if (l->d.ratio == 0) return FB_OK;
  fb_status status = find_moments(s);
  if (!status && l->joint) mass = moment_of(s, l->joint, l->d.gear[0]);
  for (int i = 0; i < l->tendon.count && !status; i++) {
    const fb_mjcf_joint* joint;
    double coef;
    status = fb_mjcf_tendon_joint(s->r, &l->tendon, i, &joint, &coef);
    if (!status) mass += moment_of(s, joint, l->d.gear[0] * coef);
  }
  l->d.bias[2] = -2 * l->d.ratio * sqrt(fmax(l->d.gain * mass, 0));
  return status;
}

/* --- writing --- */

static fb_status begin(fb_mjcf_scene* s, const law* l, const char* type) {
  char* name;
  fb_status status = fb_mjcf_name_or(s->r, l->d.node, l->d.target, &name);
  if (!status) status = fb_mjcf_begin_item(s, "control", name);
  free(name);
  if (!status) fb_json_put_string(s->json, "type", type);
  return status;
}

static fb_status print_servo(fb_mjcf_scene* s, const law* l) {
  double g = l->d.gear[0], kp = -l->d.bias[1] * g * g, kd = -l->d.bias[2] * g * g;
  fb_status status = begin(s, l, "joint_pd");
  if (status) return status;
  fb_json_put_flat_list(s->json, "joints");
  fb_json_string(s->json, l->joint->def_name);
  fb_json_end_list(s->json);
  fb_json_put_number(s->json, "kp", kp == 0 ? 0 : kp);
  fb_json_put_number(s->json, "kd", kd == 0 ? 0 : kd);
  if (kp > 0) {
    fb_json_put_map(s->json, "target");
    fb_json_put_number(s->json, l->joint->def_name,
                       (l->d.gain * l->ctrl + l->d.bias[0]) / (-l->d.bias[1] * g));
    fb_json_end_map(s->json);
  } else if (l->d.gain * l->ctrl + l->d.bias[0] != 0) {
    fb_unread_add(&s->r->unread, l->d.node,
                  "lost: the speed that a velocity servo begins with; its rate is held at 0");
  }
  if (l->d.force_limited) {
    fb_json_put_number(s->json, "effort", fabs(g) * fmax(fabs(l->d.force[0]), fabs(l->d.force[1])));
    if (l->d.force[0] != -l->d.force[1])
      fb_unread_add(&s->r->unread, l->d.node,
                    "a forcerange that is not symmetric: the larger end holds for both");
  }
  fb_json_end_map(s->json);
  return FB_OK;
}

/* A text of Lua in quotes. */
static void add_quoted(fb_text* script, const char* text) {
  fb_text_add(script, "\"");
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c < 32 || c == '"' || c == '\\')
      fb_text_printf(script, "\\%03d", c);
    else
      fb_text_add_bytes(script, text, 1);
  }
  fb_text_add(script, "\"");
}

/* A script: l and w, length and rate of the tendon, then `force`, which sets f from them, and f on every joint. */
static fb_status add_script(fb_mjcf_scene* s, const fb_mjcf_tendon* t, double gear, const char* force,
                            fb_text* script) {
  fb_status status = FB_OK;
  fb_text_add(script, "local tau, k, a, c = {}, {}, {}, {}\nfor i = 1, nv do tau[i] = 0 end\n");
  for (int i = 0; i < t->count && !status; i++) {
    const fb_mjcf_joint* joint;
    double coef;
    char number[32];
    status = fb_mjcf_tendon_joint(s->r, t, i, &joint, &coef);
    if (status) break;
    fb_text_printf(script, "k[%d], a[%d] = joint(", i + 1, i + 1);
    add_quoted(script, joint->def_name);
    fb_text_printf(script, ")\nc[%d] = %s\n", i + 1, fb_number_format(gear * coef, number));
  }
  fb_text_add(script,
              "function act(t, q, v)\n  local l, w, f = 0, 0, 0\n"
              "  for i = 1, #k do\n    l = l + c[i] * q[a[i]]\n    w = w + c[i] * v[k[i]]\n    tau[k[i]] = "
              "0\n  end\n");
  fb_text_add(script, force);
  fb_text_add(script, "  for i = 1, #k do tau[k[i]] = tau[k[i]] + c[i] * f end\n  return tau\nend\n");
  return status;
}

static fb_status print_script(fb_mjcf_scene* s, const fb_mjcf_tendon* t, double gear, fb_text* head,
                              fb_text* force) {
  fb_status status = head->failed || force->failed ? fb_mjcf_no_memory(s->r) : FB_OK;
  if (!status) status = add_script(s, t, gear, force->data, head);
  if (!status && head->failed) status = fb_mjcf_no_memory(s->r);
  if (!status) fb_json_put_string(s->json, "text", head->data);
  fb_json_end_map(s->json);
  free(head->data);
  free(force->data);
  return status;
}

/* An actuator on a tendon of several joints. */
static fb_status print_tendon_drive(fb_mjcf_scene* s, const law* l) {
  fb_text head = {0}, force = {0};
  char x[4][32];
  fb_status status = begin(s, l, "lua");
  if (status) return status;
  fb_text_printf(&head, "parameters = {ctrl = %s}\n", fb_number_format(l->ctrl, x[0]));
  fb_text_printf(&force, "  f = %s * parameters.ctrl + %s + %s * l + %s * w\n",
                 fb_number_format(l->d.gain, x[0]), fb_number_format(l->d.bias[0], x[1]),
                 fb_number_format(l->d.bias[1], x[2]), fb_number_format(l->d.bias[2], x[3]));
  if (l->d.force_limited)
    fb_text_printf(&force, "  f = math.max(%s, math.min(%s, f))\n", fb_number_format(l->d.force[0], x[0]),
                   fb_number_format(l->d.force[1], x[1]));
  return print_script(s, &l->tendon, l->d.gear[0], &head, &force);
}

/* The spring and damper of a tendon of joints. */
static fb_status print_tendon_spring(fb_mjcf_scene* s, const fb_mjcf_tendon* t) {
  fb_text head = {0}, force = {0};
  char *name, x[2][32];
  fb_status status = fb_mjcf_name_or(s->r, t->node, "tendon", &name);
  if (!status) status = fb_mjcf_begin_item(s, "control", name);
  free(name);
  if (status) return status;
  fb_json_put_string(s->json, "type", "lua");
  fb_text_printf(&head, "parameters = {stiffness = %s, damping = %s}\n", fb_number_format(t->stiffness, x[0]),
                 fb_number_format(t->damping, x[1]));
  fb_text_printf(
      &force, "  f = -parameters.stiffness * (l - math.max(%s, math.min(%s, l))) - parameters.damping * w\n",
      fb_number_format(t->rest[0], x[0]), fb_number_format(t->rest[1], x[1]));
  return print_script(s, t, 1, &head, &force);
}

fb_status fb_mjcf_print_tendon_laws(fb_mjcf_scene* s) {
  fb_status status = FB_OK;
  for (int node = fb_mjcf_next_in(&s->r->tree, "tendon", -1); node != FB_MJCF_NONE && !status;
       node = fb_mjcf_next_in(&s->r->tree, "tendon", node)) {
    fb_mjcf_tendon t;
    const char* unlike;
    status = fb_mjcf_read_tendon(s->r, node, &t, &unlike);
    if (status || unlike || !t.fixed || s->r->set.no_springs) continue;
    if (t.stiffness != 0 || t.damping != 0) status = print_tendon_spring(s, &t);
  }
  return status;
}

/* --- all of them --- */

/* Whether an actuator is the first motor on its joint or site. */
static int is_first(fb_name_set* seen, const law* l, fb_status* status) {
  int is_new = 0;
  const char* name = l->joint ? l->joint->def_name : l->site->frame;
  if (!fb_name_set_add(seen, name, &is_new)) *status = FB_ERR_MEMORY;
  return is_new;
}

/* Joints or sites that motors drive, as one law of type input. */
static fb_status print_inputs(fb_mjcf_scene* s, int sites) {
  fb_name_set seen = {0};
  fb_status status = FB_OK;
  int i = 0, open = 0;
  for (int node = fb_mjcf_next_in(&s->r->tree, "actuator", -1); node != FB_MJCF_NONE && !status;
       node = fb_mjcf_next_in(&s->r->tree, "actuator", node), i++) {
    law l;
    status = read_law(s, node, i, &l);
    if (status || l.d.unlike || !is_motor(&l) || !(sites ? l.site != NULL : l.joint != NULL)) continue;
    if (!is_first(&seen, &l, &status)) continue;
    if (!open) {
      status = fb_mjcf_begin_item(s, "control", sites ? "thrusters" : "motors");
      fb_json_put_string(s->json, "type", "input");
      if (sites) fb_json_put_string(s->json, "axes", "frame");
      fb_json_put_flat_list(s->json, sites ? "frames" : "joints");
      open = 1;
    }
    fb_json_string(s->json, sites ? l.site->frame : l.joint->def_name);
  }
  if (open) {
    fb_json_end_list(s->json);
    if (!sites) fb_json_put_bool(s->json, "limit", 1);
    fb_json_end_map(s->json);
  }
  fb_name_set_free(&seen);
  return status == FB_ERR_MEMORY ? fb_mjcf_no_memory(s->r) : status;
}

fb_status fb_mjcf_print_laws(fb_mjcf_scene* s) {
  fb_status status = print_inputs(s, 0);
  if (!status) status = print_inputs(s, 1);
  int i = 0;
  for (int node = fb_mjcf_next_in(&s->r->tree, "actuator", -1); node != FB_MJCF_NONE && !status;
       node = fb_mjcf_next_in(&s->r->tree, "actuator", node), i++) {
    law l;
    status = read_law(s, node, i, &l);
    if (status) return status;
    if (l.d.unlike) {
      fb_unread_add(&s->r->unread, node, "lost: a <%.40s> actuator with %s", fb_mjcf_tag(&s->r->tree, node),
                    l.d.unlike);
      continue;
    }
    if (l.d.filtered)
      fb_unread_add(&s->r->unread, node, "lost: the filter or integrator of an actuator; it acts at once");
    status = take_ratio(s, &l);
    if (status) return status;
    if (l.tendon.count)
      status = print_tendon_drive(s, &l);
    else if (!is_motor(&l))
      status = print_servo(s, &l);
  }
  return status;
}

/* --- the controls of the keyframe --- */

static void print_set(fb_mjcf_scene* s, const char* block, const char* parameter, double value) {
  fb_json_begin_map(s->json);
  fb_json_put_map(s->json, "set");
  fb_json_put_string(s->json, "block", block);
  fb_json_put_string(s->json, "parameter", parameter);
  fb_json_put_number(s->json, "value", value);
  fb_json_end_map(s->json);
  fb_json_end_map(s->json);
}

/* One action for each coordinate that motors together set to something but 0. */
static void print_values(fb_mjcf_scene* s, const law* l, double sums[6]) {
  static const char* const axes[] = {"x", "y", "z"};
  for (int k = 0; k < 6; k++) {
    fb_text name = {0};
    if (sums[k] == 0) continue;
    if (l->joint)
      fb_text_printf(&name, "tau.%s", l->joint->def_name);
    else
      fb_text_printf(&name, "%s.%s.%s", k < 3 ? "force" : "torque", l->site->frame, axes[k % 3]);
    if (name.data) print_set(s, l->joint ? "motors" : "thrusters", name.data, sums[k]);
    free(name.data);
  }
}

/* Adds what actuators `from` and later ones on the same joint or site give. */
static fb_status add_up(fb_mjcf_scene* s, int node, int i, const law* first, double sums[6], int* any) {
  fb_status status = FB_OK;
  memset(sums, 0, 6 * sizeof *sums);
  for (; node != FB_MJCF_NONE && !status; node = fb_mjcf_next_in(&s->r->tree, "actuator", node), i++) {
    law l;
    status = read_law(s, node, i, &l);
    if (status || l.d.unlike || !is_motor(&l) || l.joint != first->joint || l.site != first->site) continue;
    for (int k = 0; k < (l.joint ? 1 : 6); k++) sums[k] += l.d.gear[k] * l.d.gain * l.ctrl;
  }
  for (int k = 0; k < 6; k++) *any |= sums[k] != 0;
  return status;
}

fb_status fb_mjcf_print_settings(fb_mjcf_scene* s) {
  fb_name_set seen = {0};
  fb_status status = FB_OK;
  int i = 0, open = 0;
  if (s->nctrl == 0) return FB_OK;
  for (int node = fb_mjcf_next_in(&s->r->tree, "actuator", -1); node != FB_MJCF_NONE && !status;
       node = fb_mjcf_next_in(&s->r->tree, "actuator", node), i++) {
    law l;
    double sums[6];
    int any = 0;
    status = read_law(s, node, i, &l);
    if (status || l.d.unlike || !is_motor(&l) || (!l.joint && !l.site) || !is_first(&seen, &l, &status))
      continue;
    status = add_up(s, node, i, &l, sums, &any);
    if (status || !any) continue;
    if (!open) {
      status = fb_mjcf_begin_item(s, "events", "controls");
      fb_json_put_number(s->json, "at", 0);
      fb_json_put_list(s->json, "do");
      open = 1;
    }
    print_values(s, &l, sums);
  }
  if (open) {
    fb_json_end_list(s->json);
    fb_json_end_map(s->json);
  }
  fb_mjcf_end_section(s);
  fb_name_set_free(&seen);
  return status == FB_ERR_MEMORY ? fb_mjcf_no_memory(s->r) : status;
}
