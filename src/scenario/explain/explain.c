/* explain.c -- describes in plain sentences what a scenario will do. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/support/text.h>

#include "model/joint_kind.h"
#include "scenario/build/build.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "model/model.h"
#include "signal/signal_kind.h"

#define DEGREES (180 / 3.14159265358979323846)

enum { HEAD = 12, MAX_SHOWN = 8 };

char* fb_scenario_format_time(double seconds, char buffer[32]) {
  double x = fabs(seconds);
  if (x >= 120 && x < 7200 && fmod(seconds, 60) == 0)
    snprintf(buffer, 32, "%g min", seconds / 60);
  else if (x >= 7200 && fmod(seconds, 3600) == 0)
    snprintf(buffer, 32, "%g h", seconds / 3600);
  else if (x == 0 || x >= 0.1)
    snprintf(buffer, 32, "%.10g s", seconds);
  else if (x >= 1e-4)
    snprintf(buffer, 32, "%.6g ms", seconds * 1e3);
  else
    snprintf(buffer, 32, "%.6g us", seconds * 1e6);
  return buffer;
}

/* A line's head, shown once for all lines of its kind. */
static void head(fb_text* out, const char** last, const char* word) {
  fb_text_printf(out, "  %-*s", HEAD, *last && strcmp(*last, word) == 0 ? "" : word);
  *last = word;
}

void fb_scenario_add_coordinate(fb_text* out, const fb_model* m, int body, int i, double x, int rate) {
  int length = fb_joint_type_is_length(fb_joint_type_of(m, body), i);
  fb_text_printf(out, "%.6g %s%s", length ? x : x * DEGREES, length ? "m" : "deg", rate ? "/s" : "");
}

void fb_scenario_add_number(fb_text* out, double x, const char* unit) {
  int angle = strcmp(unit, "rad") == 0 || strncmp(unit, "rad/", 4) == 0;
  int none = !unit[0] || strcmp(unit, "1") == 0;
  fb_text_printf(out, "%.6g%s%s%s", angle ? x * DEGREES : x, none ? "" : " ", angle ? "deg" : "",
                 none    ? ""
                 : angle ? unit + 3
                         : unit);
}

/* Round-off beside larger numbers reads as zero. */
void fb_scenario_add_vector(fb_text* out, const double* x, const char* unit) {
  double least = 1e-12 * (fabs(x[0]) + fabs(x[1]) + fabs(x[2])), y[3];
  for (int i = 0; i < 3; i++) y[i] = fabs(x[i]) > least ? x[i] : 0;
  fb_text_printf(out, "[%.6g, %.6g, %.6g] %s", y[0], y[1], y[2], unit);
}

void fb_scenario_add_coordinate_name(fb_text* out, const fb_model* m, int k) {
  int body = fb_coordinate_body(m, k);
  fb_text_add(out, fb_joint_name(m, body));
  if (fb_joint_nv(m, body) > 1) fb_text_printf(out, " coordinate %d", k - fb_joint_v_index(m, body));
}

/* --- the scene --- */

static void add_scene(fb_text* out, const fb_scenario* s, const char** last) {
  const fb_model* m = s->model;
  int bodies = fb_model_nbody(m) - 1, nv = fb_model_nv(m);
  head(out, last, "model");
  const char* between = "";
  for (size_t i = 0; i < s->input_count; i++)
    if (s->inputs[i].is_model) {
      fb_text_printf(out, "%s%s", between, s->inputs[i].file);
      between = ", ";
    }
  fb_text_add(out, *between ? ": " : "in the scenario itself: ");
  fb_text_printf(out, "%d %s, %d degree%s of freedom, %.6g kg\n", bodies, bodies == 1 ? "body" : "bodies", nv,
                 nv == 1 ? "" : "s", fb_model_mass(m));
  for (int i = 0; i < s->nmount; i++) {
    head(out, last, "parts");
    fb_text_printf(out, "%s\n", s->mounts[i]);
  }
  head(out, last, "gravity");
  const double* g = s->gravity_w;
  if (g[0] == 0 && g[1] == 0 && g[2] == 0)
    fb_text_add(out, "none");
  else
    fb_scenario_add_vector(out, g, "m/s^2");
  if (s->surroundings.kind && s->surroundings.kind->explain) {
    fb_text_add(out, ", and ");
    s->surroundings.kind->explain(out, s, &s->surroundings);
  }
  fb_text_add(out, "\n");
}

/* --- the start --- */

static int differs(const double* x, int count, const double* from) {
  for (int i = 0; i < count; i++)
    if (x[i] != (from ? from[i] : 0)) return 1;
  return 0;
}

static void add_numbers(fb_text* out, const fb_model* m, int body, const double* x, int count, int rate) {
  if (count > 1) fb_text_add(out, "[");
  for (int i = 0; i < count; i++) {
    if (i) fb_text_add(out, ", ");
    fb_scenario_add_coordinate(out, m, body, i, x[i], rate);
  }
  if (count > 1) fb_text_add(out, "]");
}

/* A floating base, as the scenario gives it: in the world. */
static void add_base_start(fb_text* out, const fb_model* m, int body, const double* q, const double* v) {
  const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(m), body)->joint;
  double p[3], R[9], rpy[3], linear[3], angular[3];
  fb_rot_apply(joint->R, q, p);
  for (int i = 0; i < 3; i++) p[i] += joint->at[i];
  fb_rot_from_quat(q + 3, R);
  fb_rot_multiply(joint->R, R, R);
  fb_rot_to_rpy(R, rpy);
  fb_rot_apply(joint->R, v, linear);
  fb_rot_apply(joint->R, v + 3, angular);
  for (int i = 0; i < 3; i++) {
    rpy[i] *= DEGREES;
    angular[i] *= DEGREES;
  }
  fb_text_printf(out, "%s at ", fb_body_name(m, body));
  fb_scenario_add_vector(out, p, "m, rpy ");
  fb_scenario_add_vector(out, rpy, "deg");
  if (differs(v, 6, NULL)) {
    fb_text_add(out, ", moving at ");
    fb_scenario_add_vector(out, linear, "m/s, ");
    fb_scenario_add_vector(out, angular, "deg/s");
  }
  fb_text_add(out, "\n");
}

static void add_joint_start(fb_text* out, const fb_model* m, int body, const double* q, const double* v) {
  fb_joint_type type = fb_joint_type_of(m, body);
  int nv = fb_joint_nv(m, body), quat = fb_joint_type_quat_index(type);
  fb_text_add(out, fb_joint_name(m, body));
  if (quat != 0) fb_text_add(out, " at ");
  if (fb_joint_kinds[type].is_free)
    fb_scenario_add_vector(out, q, "m");
  else if (quat != 0)
    add_numbers(out, m, body, q, quat < 0 ? nv : quat, 0);
  if (quat >= 0) fb_text_printf(out, ", turned by %.6g deg", 2 * acos(fmin(1, fabs(q[quat]))) * DEGREES);
  if (differs(v, nv, NULL)) {
    fb_text_add(out, ", moving at ");
    add_numbers(out, m, body, v, nv, 1);
  }
  fb_text_add(out, "\n");
}

static void add_start(fb_text* out, const fb_scenario* s, const char** last) {
  static const double origin[2 * FB_JOINT_MAX_NQ] = {[FB_JOINT_MAX_NQ] = 1};
  const fb_model* m = s->model;
  int shown = 0, more = 0, resting = 0;
  for (int i = 1; i < fb_model_nbody(m); i++) {
    int quat = fb_joint_type_quat_index(fb_joint_type_of(m, i));
    const double *q = s->q + fb_joint_q_index(m, i), *v = s->v + fb_joint_v_index(m, i);
    const double* zero = quat < 0 ? NULL : origin + FB_JOINT_MAX_NQ - quat;
    if (!differs(q, fb_joint_nq(m, i), zero) && !differs(v, fb_joint_nv(m, i), NULL)) {
      resting += fb_joint_nv(m, i) > 0;
    } else if (shown == MAX_SHOWN) {
      more++;
    } else {
      shown++;
      head(out, last, "start");
      if (fb_body_floats(m, i))
        add_base_start(out, m, i, q, v);
      else
        add_joint_start(out, m, i, q, v);
    }
  }
  if (s->zero_momentum) {
    head(out, last, "start");
    fb_text_add(out, "floating trees start with zero momentum: their bases move against the joints\n");
  }
  if (resting == 0 && more == 0) return;
  head(out, last, "start");
  if (more) fb_text_printf(out, "and %d more joint%s", more, more == 1 ? "" : "s");
  if (resting)
    fb_text_printf(out, "%s at 0, at rest", more ? "; the others" : shown ? "the others" : "everything");
  fb_text_add(out, "\n");
}

/* --- what acts --- */

static void add_modes(fb_text* out, const fb_scenario* s, unsigned bits) {
  if (!bits || !s->modes) return;
  fb_text_add(out, ", in mode ");
  const char* between = "";
  for (int i = 0; i < s->nmode; i++)
    if (bits & (1u << i)) {
      fb_text_printf(out, "%s%s", between, s->modes[i]);
      between = ", ";
    }
}

static void add_motion(fb_text* out, const fb_scenario* s, const fb_scenario_motion* it) {
  const fb_model* m = s->model;
  int at = it->first - fb_joint_v_index(m, it->body);
  fb_text_printf(out, "%s: ", it->name);
  if (it->count == 1)
    fb_scenario_add_coordinate_name(out, m, it->first);
  else
    fb_text_add(out, fb_joint_name(m, it->body));
  if (it->motions[0].kind == FB_MOTION_LOCKED) fb_text_add(out, " is locked");
  if (it->motions[0].kind == FB_MOTION_RATE) {
    fb_text_add(out, " moves at");
    for (int i = 0; i < it->count; i++) {
      fb_text_add(out, i ? ", " : " ");
      fb_scenario_add_coordinate(out, m, it->body, at + i, it->motions[i].rate, 1);
    }
  }
  if (it->motions[0].kind == FB_MOTION_PATH) {
    int still = fb_spline_next_knot(it->motions[0].path, 0) == INFINITY;
    fb_text_add(out, still ? " is held at" : " follows a path that begins at");
    for (int i = 0; i < it->count; i++) {
      double x;
      fb_spline_eval(it->motions[i].path, 0, &x, NULL, NULL);
      fb_text_add(out, i ? ", " : " ");
      fb_scenario_add_coordinate(out, m, it->body, at + i, x, 0);
    }
  }
  fb_text_add(out, it->at_start ? ", from the start\n" : ", when an event says so\n");
}

/* How a block is run, and within which bounds. */
static void add_wrappers(fb_text* out, const fb_scenario_block* block) {
  const fb_sampling* sampling = &block->sampling;
  char time[32];
  if (block->limited) fb_text_add(out, ", within the model's efforts");
  if (!block->sampled) return;
  fb_text_printf(out, ", sampled every %s", fb_scenario_format_time(sampling->period, time));
  if (sampling->delay > 0) fb_text_printf(out, ", %s late", fb_scenario_format_time(sampling->delay, time));
  if (sampling->noise_q > 0 || sampling->noise_v > 0)
    fb_text_printf(out, ", with noise of %.6g deg or %.6g m, %.6g deg/s or %.6g m/s",
                   sampling->noise_q * DEGREES, sampling->noise_q, sampling->noise_v * DEGREES,
                   sampling->noise_v);
}

static void add_block(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_contact* contact = fb_scenario_contact_of(block);
  fb_text_printf(out, "%s: ", contact ? contact->name : block->name);
  block->kind->explain(out, s, block);
  add_wrappers(out, block);
  add_modes(out, s, block->modes);
  fb_text_add(out, "\n");
}

/* --- events --- */

/* Phases are part of their stop, and the events of several joints are shown as one. */
static int is_shown(const fb_scenario* s, int index) {
  const fb_scenario_event* event = &s->events[index];
  if (event->event.kind == FB_TRIGGER_LIMIT && event->event.phase != FB_LIMIT_HIT) return 0;
  for (int i = 0; event->group && i < index; i++)
    if (s->events[i].group == event->group) return 0;
  return 1;
}

static void add_event(fb_text* out, const fb_scenario* s, int index) {
  const fb_event* event = &s->events[index].event;
  char time[32];
  fb_signal_info info;
  fb_scenario_signal_info(s, event->signal, &info);
  fb_text_printf(out, "%s: ", event->name);
  if (event->kind == FB_TRIGGER_TIME) {
    fb_text_printf(out, "at %s", fb_scenario_format_time(event->time, time));
    if (event->period > 0)
      fb_text_printf(out, " and every %s after it", fb_scenario_format_time(event->period, time));
  } else if (event->kind == FB_TRIGGER_CONTACT) {
    fb_text_printf(out, "%s contact %s %s", event->once ? "the first time that" : "when",
                   fb_scenario_contact_of(&s->blocks[event->contact])->name, fb_change_words[event->change]);
  } else {
    fb_text_printf(out, "%s %s %s ", event->once ? "the first time that" : "when", info.name,
                   event->direction > 0   ? "rises through"
                   : event->direction < 0 ? "falls through"
                                          : "passes");
    fb_scenario_add_number(out, event->level, info.unit);
  }
  fb_text_add(out, s->events[index].count ? ": " : ", only logged");
  fb_scenario_add_actions(out, s, index, 1);
  fb_text_add(out, "\n");
}

/* What the search inside steps can promise for the signal of an event; see docs/theory/integration.md. */
typedef enum promise { ALL_FOUND, FAST_RIPPLES_MISSED, COARSE_STEPS_MISS, PROMISES } promise;

static promise promise_of(const fb_scenario* s, const fb_signal* signal) {
  if (!s->traits.dense) return COARSE_STEPS_MISS;
  int kind = signal->kind;
  int plain = kind == FB_SIGNAL_T || kind == FB_SIGNAL_Q || kind == FB_SIGNAL_V;
  int attitude = kind == FB_SIGNAL_Q && strcmp(fb_signal_unit(s->model, *signal), "1") == 0;
  return plain && !attitude ? ALL_FOUND : FAST_RIPPLES_MISSED;
}

static void add_promise(fb_text* out, const fb_scenario* s, promise promised) {
  char time[32];
  if (promised == ALL_FOUND)
    fb_text_add(out, "every crossing of the computed motion is found, inside steps too\n");
  else if (promised == FAST_RIPPLES_MISSED)
    fb_text_add(out,
                "found inside steps too; two crossings can be missed only in a ripple much faster than the "
                "links turn\n");
  else
    fb_text_printf(out,
                   "found inside steps too; two crossings within one step can be missed if the signal "
                   "oscillates by more than 1 rad (57 deg) per step of %s\n",
                   fb_scenario_format_time(s->options.step, time));
}

static void add_promises(fb_text* out, const fb_scenario* s, const char** last) {
  for (int kind = 0; kind < PROMISES; kind++) {
    int count = 0;
    for (int i = 0; i < s->nevent; i++) {
      const fb_event* event = &s->events[i].event;
      if (event->kind != FB_TRIGGER_CROSSING || (int)promise_of(s, &event->signal) != kind) continue;
      if (!is_shown(s, i)) continue;
      if (count == 0) head(out, last, "crossings");
      fb_text_printf(out, "%s%s", count++ > 0 ? ", " : "",
                     s->events[i].group ? s->events[i].group : event->name);
    }
    if (count == 0) continue;
    fb_text_add(out, ": ");
    add_promise(out, s, (promise)kind);
  }
}

/* Limits of joints that nothing enforces. */
static void add_ignored(fb_text* out, const fb_scenario* s, const char** last) {
  for (int kind = 0; kind < FB_IGNORED_COUNT; kind++) {
    if (!fb_scenario_has_ignored(s, kind)) continue;
    head(out, last, fb_ignored_heads[kind]);
    fb_scenario_add_ignored(out, s, kind);
  }
}

static void add_friction(fb_text* out, const fb_scenario* s, const char** last) {
  int count = 0;
  for (int b = 1; b < fb_model_nbody(s->model); b++) {
    const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(s->model), b)->joint;
    int rubs = 0;
    for (int i = 0; i < fb_joint_nv(s->model, b); i++) rubs |= joint->friction[i] > 0;
    count += rubs;
  }
  if (count == 0) return;
  head(out, last, "friction");
  fb_text_printf(out, "of %d joint%s is ", count, count == 1 ? "" : "s");
  fb_text_add(out, s->options.friction_law == FB_FRICTION_STICTION
                       ? "Coulomb's: a joint at rest sticks until more than its friction pulls at it\n"
                       : "smooth: under a load they creep where they should stand still; friction_law: "
                         "stiction makes them stick\n");
}

/* --- the run --- */

static void add_run(fb_text* out, const fb_scenario* s, int nsignal, const char** last) {
  char time[32];
  head(out, last, "integrator");
  fb_text_add(out, s->integrator);
  if (s->integrator_reason[0]) fb_text_printf(out, " (%s)", s->integrator_reason);
  if (fb_scenario_is_fixed(s))
    fb_text_printf(out, ": %.0f step%s%s", fb_scenario_steps(s), fb_scenario_steps(s) == 1 ? "" : "s",
                   fb_scenario_more_steps(s) ? ", and more where events and edges cut them" : "");
  fb_text_add(out, "\n");
  head(out, last, "duration");
  fb_text_add(out, fb_scenario_format_time(s->duration, time));
  if (s->checkpoint < s->duration * (1 - 1e-9))
    fb_text_printf(out, ", a checkpoint every %s\n", fb_scenario_format_time(s->checkpoint, time));
  else
    fb_text_add(out, ", no checkpoint\n");
  head(out, last, "log");
  fb_text_printf(out, "%d signals every %s: %.0f samples\n", nsignal,
                 fb_scenario_format_time(s->log_period, time), fb_scenario_samples(s));
}

fb_status fb_scenario_explain(const fb_scenario* s, char** text, size_t* size, fb_error* error) {
  fb_text out = {0};
  const char* last = NULL;
  fb_signal* logged;
  int nsignal;
  fb_status status = fb_scenario_logged(s, &logged, &nsignal, error);
  free(logged);
  if (status) return status;
  fb_text_printf(&out, "%s\n", s->name);
  add_scene(&out, s, &last);
  for (int i = 0; i < fb_scenario_loop_lines(s); i++) {
    head(&out, &last, "loops");
    fb_scenario_add_loop_line(&out, s, i);
  }
  add_start(&out, s, &last);
  for (int i = 0; i < s->nmotion; i++) {
    head(&out, &last, "motion");
    add_motion(&out, s, &s->motions[i]);
  }
  if (s->modes) {
    head(&out, &last, "mode");
    fb_text_printf(&out, "%s at the start, of %d\n", s->modes[0], s->nmode);
  }
  for (int i = 0; i < s->nblock; i++) {
    if (!s->blocks[i].kind->explain) continue;
    head(&out, &last, s->blocks[i].kind->heading);
    add_block(&out, s, &s->blocks[i]);
  }
  for (int i = 0; i < s->nevent; i++) {
    const fb_event* event = &s->events[i].event;
    if (!is_shown(s, i)) continue;
    head(&out, &last, event->kind == FB_TRIGGER_LIMIT ? "stop" : "event");
    if (event->kind == FB_TRIGGER_LIMIT || s->events[i].group)
      fb_scenario_add_limit_event(&out, s, i);
    else
      add_event(&out, s, i);
  }
  add_promises(&out, s, &last);
  add_ignored(&out, s, &last);
  add_friction(&out, s, &last);
  add_run(&out, s, nsignal, &last);
  if (s->view.given) {
    head(&out, &last, "view");
    fb_scenario_add_view(&out, s);
    fb_text_add(&out, "\n");
  }
  *text = fb_text_take(&out, size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory while the scenario was explained");
}
