/* advice.c -- advice on what is valid in a scenario, but probably not intended. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <freebody/loop.h>

#include "scenario/build/build.h"
#include "scenario/explain/explain.h"
#include "model/model.h"

typedef struct adviser {
  const fb_scenario* s;
  fb_advice_fn advise;
  void* user;
  int count;
} adviser;

/* The value at a path of keys, as "log", "period"; the nearest that is there. */
static const fb_node* node_of(const fb_scenario* s, const char* key, const char* inner) {
  const fb_node* root = fb_doc_root(s->doc);
  const fb_node* node = fb_map_get(root, key);
  const fb_node* deep = node && inner ? fb_map_get(node, inner) : NULL;
  return deep ? deep : node ? node : root;
}

static void say(adviser* a, const fb_node* node, const char* format, ...) FB_PRINTF(3, 4);
static void say(adviser* a, const fb_node* node, const char* format, ...) {
  char text[800];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  a->count++;
  a->advise(a->user, fb_node_place(node), text);
}

/* Where the scene is put; contacts, also those of a program that adds some, at their key. */
static void check_start(adviser* a) {
  const fb_scenario* s = a->s;
  fb_sim* sim = NULL;
  fb_error ignored; /* without memory there is no advice */
  char text[320];
  fb_remark about;
  if (fb_scenario_try_sim(s, &sim, &ignored)) return;
  for (int i = 0; (about = fb_sim_start_remark(sim, i, text, sizeof text)) != FB_REMARK_NONE; i++)
    say(a,
        about == FB_REMARK_JOINT ? node_of(s, "start", "joints")
        : about == FB_REMARK_LAW ? node_of(s, "control", NULL)
                                 : node_of(s, "contacts", NULL),
        "%s", text);
  fb_sim_free(sim);
}

static void check_events(adviser* a) {
  const fb_scenario* s = a->s;
  char at[32], end[32];
  for (int i = 0; i < s->nevent; i++) {
    const fb_event* event = &s->events[i].event;
    if (event->kind != FB_TRIGGER_TIME || event->time <= s->duration) continue;
    say(a, node_of(s, "events", NULL), "the event '%.60s' at %s never happens: the run ends at %s",
        event->name, fb_scenario_format_time(event->time, at), fb_scenario_format_time(s->duration, end));
  }
}

static void check_steps(adviser* a) {
  const fb_scenario* s = a->s;
  char step[32], other[32];
  fb_scenario_format_time(s->options.step, step);
  const fb_node *step_node = node_of(s, "integrator", "step"), *period_node = node_of(s, "log", "period");
  if (!fb_scenario_is_fixed(s)) return;
  if (s->options.step > s->duration * (1 + 1e-9))
    say(a, step_node, "the step of %s is longer than the run, which lasts %s: one step, as long as that",
        step, fb_scenario_format_time(s->duration, other));
  else if (s->checkpoint < s->options.step * (1 - 1e-9))
    say(a, step_node, "the step of %s is cut by checkpoints, which come every %s", step,
        fb_scenario_format_time(s->checkpoint, other));
  if (s->log_period < s->options.step * (1 - 1e-9))
    say(a, period_node, "the log's period of %s is shorter than the step of %s: there is one sample a step",
        fb_scenario_format_time(s->log_period, other), step);
  else if (!fb_scenario_is_multiple(s->log_period, s->options.step))
    say(a, period_node,
        "the log's period of %s is no multiple of the step of %s: samples come late, where a step ends",
        fb_scenario_format_time(s->log_period, other), step);
  if (fb_scenario_steps(s) > 1e9)
    say(a, step_node, "a step of %s takes %.2g steps: days of computing, if that is not a slip", step,
        fb_scenario_steps(s));
}

static void check_stiffness(adviser* a) {
  char text[320];
  if (fb_scenario_stiffness(a->s, text, sizeof text))
    say(a, node_of(a->s, "integrator", "method"), "%s", text);
}

static void check_sampled(adviser* a) {
  char text[400];
  if (fb_scenario_sampled_advice(a->s, text, sizeof text)) say(a, node_of(a->s, "control", NULL), "%s", text);
}

static void check_locked(adviser* a) {
  if (a->s->locked) say(a, node_of(a->s, "model", NULL), "%s", a->s->locked);
}

static void say_of_loop(void* user, fb_place place, const char* text) {
  adviser* a = (adviser*)user;
  (void)place; /* in the model's file */
  say(a, node_of(a->s, fb_map_get(fb_doc_root(a->s->doc), "models") ? "models" : "model", NULL), "%s", text);
}

static void check_loops(adviser* a) {
  fb_data* d = fb_model_nloop(a->s->model) > 0 ? fb_data_new(a->s->model) : NULL;
  if (d) fb_loops_advise(a->s->model, d, a->s->q, say_of_loop, a);
  fb_data_free(d);
}

static void check_samples(adviser* a) {
  double samples = fb_scenario_samples(a->s);
  if (samples > 1e8)
    say(a, node_of(a->s, "log", "period"), "%.2g samples of %d signals fill %.2g GB, if that is not a slip",
        samples, a->s->nsignal, 8e-9 * samples * a->s->nsignal);
}

static void check_meshes(adviser* a) {
  const fb_scenario* s = a->s;
  int body = 1, index = -1;
  for (const char* name; (name = fb_scenario_next_mesh(s, &body, &index)) != NULL;) {
    char *path = fb_scenario_mesh_path(s, name), *data = NULL;
    size_t size;
    fb_error trouble;
    fb_status status = path ? fb_scenario_read_mesh(path, &data, &size, &trouble)
                            : fb_fail(&trouble, FB_ERR_MEMORY, "was not read, because memory ran out");
    free(data);
    if (status)
      say(a, node_of(s, fb_map_get(fb_doc_root(s->doc), "models") ? "models" : "model", NULL),
          "the mesh '%.100s' of body '%.60s' %.300s: %.150s; pictures will do without it", name,
          fb_body_name(s->model, body), trouble.text, path ? path : name);
    free(path);
  }
}

int fb_scenario_advise(const fb_scenario* s, fb_advice_fn advise, void* user) {
  adviser a = {s, advise, user, 0};
  check_start(&a);
  check_events(&a);
  check_steps(&a);
  check_stiffness(&a);
  check_sampled(&a);
  check_locked(&a);
  check_loops(&a);
  check_samples(&a);
  check_meshes(&a);
  return a.count;
}
