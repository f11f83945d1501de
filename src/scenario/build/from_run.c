/* from_run.c -- a scenario that begins with the state of another run: positions and rates of joints, states of blocks and
 * the mode, each by its name. What the other run does not have stays as the scenario has it.
 *
 * The state is a text, JSON (docs/run-store.md), which a run keeps, so that it begins in the same way when it is resumed
 * before its first checkpoint. Values that were overridden (start.joints.NAME=..., start.rates.NAME=...) are not applied. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "scenario/build/build.h"
#include "scenario/read/read.h"
#include "sim/access.h"

/* Names for a note: the first ones, and how many there are. */
typedef struct name_list {
  fb_text text;
  int count;
} name_list;

static void add_name(name_list* list, const char* name) {
  enum { MOST = 8 };
  if (list->count < MOST) fb_text_printf(&list->text, "%s%.60s", list->count ? ", " : "", name);
  if (list->count++ == MOST) fb_text_add(&list->text, ", ...");
}

/* What became of joints, and of blocks that start afresh. */
enum { MISSING, PARTED, FOREIGN, DIFFERENT, MOVED, FRESH, OUTCOMES };
static const char* const OUTCOME_TEXTS[OUTCOMES] = {
    [MISSING] = "the other run has no joints of these names, which begin as the scenario says",
    [PARTED] =
        ("the other run has parted these joints, which are closed at the start and hold their bodies where "
         "the scenario says"),
    [FOREIGN] = "the scenario has no joints of these names, which the other run has",
    [DIFFERENT] = "these joints are of another kind than in the other run, and begin as the scenario says",
    [MOVED] = "these joints are moved from the start, and begin where their motions do",
    [FRESH] = "the other run has no states of these blocks, which start afresh",
};

typedef struct outcome {
  int applied, blocks;
  name_list names[OUTCOMES];
  double open; /* by how much a loop was open and had to be closed; 0: none [m or rad] */
  const char* open_loop;
} outcome;

/* --- overrides --- */

/* Whether "PREFIX.NAME=..." is among the overrides. */
static int is_set(const fb_scenario* s, const char* prefix, const char* name) {
  size_t n = strlen(prefix), m = strlen(name);
  for (int i = 0; s->reading.set[i]; i++) {
    const char* set = s->reading.set[i];
    if (strncmp(set, prefix, n) == 0 && strncmp(set + n, name, m) == 0 && set[n + m] == '=') return 1;
  }
  return 0;
}

/* The start cannot come from two places. */
static fb_status check_overrides(const fb_scenario* s, fb_error* error) {
  for (int i = 0; s->reading.set[i]; i++) {
    const char* set = s->reading.set[i];
    int is_start = strncmp(set, "start", 5) == 0 && (set[5] == '.' || set[5] == '=');
    if (is_start && strncmp(set, "start.joints.", 13) != 0 && strncmp(set, "start.rates.", 12) != 0)
      return fb_fail(error, FB_ERR_ARG,
                     "the override '%.100s' conflicts with a start that comes from another run; override "
                     "single joints, as start.joints.NAME=... and start.rates.NAME=...",
                     set);
  }
  return FB_OK;
}

/* --- joints --- */

/* Whether a motion says where the joint is. One that only locks it does not: it is held where it is. */
static int is_moved(const fb_scenario* s, int body) {
  for (int i = 0; i < s->nmotion; i++) {
    const fb_scenario_motion* it = &s->motions[i];
    if (it->at_start && it->body == body && it->motions[0].kind != FB_MOTION_LOCKED) return 1;
  }
  return 0;
}

static void stop_locked(fb_scenario* s, int body) {
  for (int i = 0; i < s->nmotion; i++)
    for (int k = 0; s->motions[i].at_start && s->motions[i].body == body && k < s->motions[i].count; k++)
      s->v[s->motions[i].first + k] = 0;
}

static fb_status apply_joint(fb_scenario* s, const fb_node* item, unsigned char* seen, outcome* o,
                             fb_error* error) {
  const fb_model* m = s->model;
  const fb_node *name_node, *q, *v;
  const char* name;
  fb_status status = fb_map_need(item, "name", &name_node, error);
  if (!status) status = fb_node_string(name_node, &name, error);
  if (!status) status = fb_map_need(item, "q", &q, error);
  if (!status) status = fb_map_need(item, "v", &v, error);
  if (status) return status;
  int body = fb_model_find_joint(m, name);
  if (body > 0) seen[body] = 1;
  if (body <= 0) {
    add_name(&o->names[FOREIGN], name);
  } else if (fb_node_count(q) != fb_joint_nq(m, body) || fb_node_count(v) != fb_joint_nv(m, body)) {
    add_name(&o->names[DIFFERENT], name);
  } else if (is_moved(s, body)) {
    add_name(&o->names[MOVED], name);
  } else {
    double* place = s->q + fb_joint_q_index(m, body);
    o->applied++;
    if (!is_set(s, "start.joints.", name))
      status = fb_node_numbers(q, FB_Q_NONE, fb_joint_nq(m, body), place, error);
    if (!status && !is_set(s, "start.rates.", name))
      status = fb_node_numbers(v, FB_Q_NONE, fb_joint_nv(m, body), s->v + fb_joint_v_index(m, body), error);
    stop_locked(s, body);
  }
  return status;
}

/* Joints that the other run has opened are closed here. */
static fb_status add_parted(const fb_scenario* s, const fb_node* root, unsigned char* seen, outcome* o,
                            fb_error* error) {
  const fb_node* list = fb_map_get(root, "parted");
  for (int i = 0; list && i < fb_node_count(list); i++) {
    const char* name;
    fb_status status = fb_node_string(fb_node_item(list, i), &name, error);
    if (status) return status;
    int body = fb_model_find_joint(s->model, name);
    if (body <= 0) continue;
    seen[body] = 1;
    add_name(&o->names[PARTED], name);
  }
  return FB_OK;
}

static fb_status apply_joints(fb_scenario* s, const fb_node* root, outcome* o, fb_error* error) {
  const fb_node* list;
  unsigned char* seen = calloc((size_t)fb_model_nbody(s->model), 1);
  if (!seen) return fb_scenario_no_memory(error);
  fb_status status = fb_map_need(root, "joints", &list, error);
  for (int i = 0; !status && i < fb_node_count(list); i++)
    status = apply_joint(s, fb_node_item(list, i), seen, o, error);
  if (!status) status = add_parted(s, root, seen, o, error);
  for (int body = 1; !status && body < fb_model_nbody(s->model); body++)
    if (!seen[body] && fb_joint_nv(s->model, body) > 0)
      add_name(&o->names[MISSING], fb_joint_name(s->model, body));
  free(seen);
  return status;
}

/* --- loops --- */

/* What overrides give is fixed when loops are closed; whether they give anything. */
static int fix_overrides(fb_scenario* s) {
  int any = 0;
  for (int b = 1; b < fb_model_nbody(s->model); b++) {
    const char* name = fb_joint_name(s->model, b);
    s->given[b] &= (unsigned char)~(FB_GIVEN_PLACE | FB_GIVEN_RATE);
    if (is_set(s, "start.joints.", name)) s->given[b] |= FB_GIVEN_PLACE;
    if (is_set(s, "start.rates.", name)) s->given[b] |= FB_GIVEN_RATE;
    any |= s->given[b] & (FB_GIVEN_PLACE | FB_GIVEN_RATE);
  }
  return any;
}

/* A state that leaves loops open, or rates that open them. */
static fb_status close_loops(fb_scenario* s, outcome* o, fb_error* error) {
  static const double CLOSED = 1e-9; /* m or rad */
  double open = fb_scenario_widest_loop(s, &o->open_loop, error);
  if (open < 0) return FB_ERR_MEMORY;
  if (open > CLOSED) o->open = open;
  return fix_overrides(s) || open > CLOSED ? fb_scenario_close_loops(s, NULL, error) : FB_OK;
}

/* --- blocks and the mode --- */

/* The states of a block, or NULL when there are none, or not as many. */
static const fb_node* state_of(const fb_scenario* s, const fb_block* block) {
  const fb_node* list = fb_map_get(fb_doc_root(s->other_run), "blocks");
  for (int i = 0; list && i < fb_node_count(list); i++) {
    const fb_node *item = fb_node_item(list, i), *name = fb_map_get(item, "name"),
                  *state = fb_map_get(item, "state");
    if (name && state && strcmp(fb_node_text(name), block->name) == 0)
      return fb_node_count(state) == block->nstate ? state : NULL;
  }
  return NULL;
}

/* The mode of the other run among those of the scenario, or -1. */
static int mode_of(const fb_scenario* s) {
  const fb_node* mode = fb_map_get(fb_doc_root(s->other_run), "mode");
  for (int i = 0; mode && s->modes && i < s->nmode; i++)
    if (s->modes[i] && strcmp(s->modes[i], fb_node_text(mode)) == 0) return i;
  return -1;
}

fb_status fb_scenario_begin_from_run(const void* user, fb_sim* sim, fb_error* error) {
  const fb_scenario* s = (const fb_scenario*)user;
  fb_status status = FB_OK;
  for (int i = 0; i < fb_sim_nblock(sim) && !status; i++) {
    const fb_block* b = fb_sim_block(sim, i);
    const fb_node* state = b->nstate > 0 ? state_of(s, b) : NULL;
    if (state) status = fb_node_numbers(state, FB_Q_NONE, b->nstate, fb_sim_block_state(sim, i), error);
  }
  fb_contacts_clear_works(sim); /* the ledger begins again */
  int mode = mode_of(s);
  if (mode >= 0) fb_sim_begin_in(sim, mode);
  return status;
}

/* Tries it, so that a state that does not fit is known before a run begins; and says what became of the blocks. */
static fb_status try_blocks(const fb_scenario* s, outcome* o, fb_error* error) {
  fb_sim* sim;
  fb_status status = fb_scenario_try_sim(s, &sim, error);
  for (int i = 0; !status && i < fb_sim_nblock(sim); i++) {
    const fb_block* block = fb_sim_block(sim, i);
    if (block->nstate == 0) continue;
    if (state_of(s, block))
      o->blocks++;
    else
      add_name(&o->names[FRESH], block->name);
  }
  if (!status) fb_sim_free(sim);
  return status;
}

/* --- notes --- */

static void note_applied(const fb_scenario* s, const outcome* o, fb_note_fn note, void* user) {
  const fb_node *root = fb_doc_root(s->other_run), *run = fb_map_get(root, "run"), *t = fb_map_get(root, "t");
  char text[600], blocks[48] = "";
  if (o->blocks > 0)
    snprintf(blocks, sizeof blocks, ", states of %d block%s", o->blocks, o->blocks == 1 ? "" : "s");
  snprintf(text, sizeof text, "begins with the state of %.300s at t = %.40s s: %d joint%s%s",
           run ? fb_node_text(run) : "another run", t ? fb_node_text(t) : "?", o->applied,
           o->applied == 1 ? "" : "s", blocks);
  note(user, text);
}

static void note_names(const outcome* o, int which, fb_note_fn note, void* user) {
  char text[1200];
  const name_list* list = &o->names[which];
  if (list->count == 0) return;
  snprintf(text, sizeof text, "%s: %s", OUTCOME_TEXTS[which], list->text.failed ? "..." : list->text.data);
  note(user, text);
}

static void note_loops(const outcome* o, fb_note_fn note, void* user) {
  char text[240];
  if (o->open == 0) return;
  snprintf(
      text, sizeof text,
      "this state leaves the loop \"%.60s\" open by %.3g (m or rad); joints are moved until it is closed",
      o->open_loop, o->open);
  note(user, text);
}

static void add_notes(const fb_scenario* s, const outcome* o, fb_note_fn note, void* user) {
  const fb_node* mode = fb_map_get(fb_doc_root(s->other_run), "mode");
  note_applied(s, o, note, user);
  for (int i = 0; i < FRESH; i++) note_names(o, i, note, user);
  note_loops(o, note, user);
  note_names(o, FRESH, note, user);
  if (mode && mode_of(s) < 0) {
    char text[200];
    snprintf(text, sizeof text,
             "the scenario has no mode '%.60s', in which the other run was; it begins in its first",
             fb_node_text(mode));
    note(user, text);
  }
  if (s->zero_momentum) note(user, "'zero_momentum' is not applied to a state from another run");
}

static void free_doc(void* doc) {
  fb_doc_free((fb_doc*)doc);
}

fb_status fb_scenario_use_state(fb_scenario* s, const char* text, fb_note_fn note, void* user,
                                fb_error* error) {
  fb_doc* doc;
  outcome o;
  memset(&o, 0, sizeof o);
  fb_status status = check_overrides(s, error);
  if (!status) status = fb_doc_parse(text, strlen(text), "state of another run", &doc, error);
  if (status) return status;
  if (!fb_scenario_own(s, doc, free_doc)) return fb_scenario_no_memory(error);
  s->other_run = doc;
  s->other_run_text = fb_scenario_copy_text(s, text);
  if (!s->other_run_text) status = fb_scenario_no_memory(error);
  if (!status) status = apply_joints(s, fb_doc_root(doc), &o, error);
  if (!status && o.applied == 0 && o.names[MOVED].count == 0)
    status = fb_fail(error, FB_ERR_CONTENT,
                     "the other run has no joint of this scenario, so it has no state to begin with; its "
                     "joints are: %.300s",
                     o.names[FOREIGN].text.data ? o.names[FOREIGN].text.data : "none");
  if (!status) status = close_loops(s, &o, error);
  if (!status) status = try_blocks(s, &o, error);
  if (!status && note) add_notes(s, &o, note, user);
  for (int i = 0; i < OUTCOMES; i++) free(o.names[i].text.data);
  return status;
}
