/* sim.c -- a simulation made from a scenario: blocks, motions, events, started. */
#include <stdio.h>
#include <stdlib.h>

#include <freebody/sundials.h>

#include "scenario/build/build.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "sim/access.h"
#include "model/model.h"

void fb_scenario_set_note(fb_scenario* s, fb_note_fn note, void* user) {
  s->note = note;
  s->note_user = user;
}

void fb_scenario_set_remark(fb_scenario* s, fb_note_fn remark, void* user) {
  s->remark = remark;
  s->remark_user = user;
}

void fb_scenario_set_setup(fb_scenario* s, fb_setup_fn setup, void* user) {
  s->setup = setup;
  s->setup_user = user;
}

static fb_status add_block(const fb_scenario* s, const fb_scenario_block* block, fb_sim* sim,
                           fb_error* error) {
  fb_block made;
  const fb_contact* contact = fb_scenario_contact_of(block);
  if (contact) return fb_sim_add_contact(sim, contact, NULL, error);
  if (block->kind == &fb_kind_solver) return FB_OK; /* the simulation adds it */
  fb_status status = fb_scenario_make_block(s, block, &made, error);
  if (status) return status;
  return fb_sim_add_block(sim, &made, NULL, error);
}

/* --- motions --- */

/* The scenario's motions are added in order, one for each coordinate that is not merely locked: the id that the
 * simulation gave to coordinate i of a motion. */
static int motion_id(const fb_scenario* s, int motion, int i) {
  int id = 0;
  if (s->motions[motion].motions[0].kind == FB_MOTION_LOCKED) return FB_MOTION_LOCKED;
  for (int k = 0; k < motion; k++)
    if (s->motions[k].motions[0].kind != FB_MOTION_LOCKED) id += s->motions[k].count;
  return id + i;
}

static fb_status add_motions(const fb_scenario* s, fb_sim* sim, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < s->nmotion; i++)
    for (int k = 0; k < s->motions[i].count && !status; k++)
      if (s->motions[i].motions[k].kind != FB_MOTION_LOCKED)
        status = fb_sim_add_motion(sim, &s->motions[i].motions[k], NULL, error);
  return status;
}

/* Where coordinate k of the scene is now; joins and partings move it, or take it away. */
static fb_status find_now(const fb_scenario* s, const fb_sim* sim, int k, int* now, fb_error* error) {
  *now = fb_sim_coordinate_now(sim, k);
  if (*now >= 0) return FB_OK;
  int turned = fb_sim_body_now(sim, fb_coordinate_body(s->model, k)) > 0;
  return fb_fail(error, FB_ERR_STATE, "joint '%s' has gone: %s", fb_coordinate_joint_name(s->model, k),
                 turned ? "a join has turned it round, so that it can be locked and released but not moved"
                        : "its body was joined or parted elsewhere");
}

static fb_status begin_motion(const fb_scenario* s, int motion, fb_sim* sim, fb_error* error) {
  const fb_scenario_motion* it = &s->motions[motion];
  fb_status status = FB_OK;
  for (int i = 0, now; i < it->count && !status; i++) {
    status = find_now(s, sim, it->first + i, &now, error);
    if (!status) status = fb_sim_set_motion(sim, now, motion_id(s, motion, i), error);
  }
  return status;
}

/* Locks a joint of the scene, or releases it, also one that a join has turned round. */
static fb_status move_joint(const fb_scenario* s, int body, int motion, fb_sim* sim, fb_error* error) {
  int now = fb_sim_body_now(sim, body);
  if (now > 0) return fb_sim_set_joint_motion(sim, now, motion, error);
  return find_now(s, sim, fb_joint_v_index(s->model, body), &now, error);
}

/* --- events --- */

int fb_scenario_is_of_stop(const fb_scenario_event* event, const fb_scenario_action* action) {
  return action->kind == FB_ACT_BOUNCE && event->event.kind == FB_TRIGGER_LIMIT &&
         event->scenario->limits[event->event.limit].coordinate == action->index;
}

static fb_status act_once(const fb_scenario_event* event, const fb_scenario_action* action, fb_sim* sim,
                          fb_error* error) {
  const fb_scenario* s = event->scenario;
  int block, now;
  fb_status status;
  switch (action->kind) {
    case FB_ACT_LOCK:
      return move_joint(s, action->body, FB_MOTION_LOCKED, sim, error);
    case FB_ACT_RELEASE:
      return move_joint(s, action->body, FB_MOTION_FORCE, sim, error);
    case FB_ACT_MOVE:
      return begin_motion(s, action->index, sim, error);
    case FB_ACT_BOUNCE:
      if (fb_scenario_is_of_stop(event, action)) return FB_OK;
      status = find_now(s, sim, action->index, &now, error);
      return status ? status : fb_sim_bounce(sim, now, action->number, error);
    case FB_ACT_JOIN:
      return fb_sim_join(sim, &action->join, error);
    case FB_ACT_PART:
      return fb_sim_part(sim, action->join.name, error);
    case FB_ACT_MODE:
      return fb_sim_set_mode(sim, action->index, error);
    case FB_ACT_SET:
      block = fb_sim_find_block(sim, action->block);
      return fb_sim_set_parameter(sim, block, fb_sim_find_parameter(sim, block, action->parameter),
                                  action->number, error);
    default:
      fb_sim_stop(sim);
      return FB_OK;
  }
}

static fb_status act(void* user, fb_sim* sim, fb_error* error) {
  const fb_scenario_event* event = (const fb_scenario_event*)user;
  fb_status status = FB_OK;
  for (int i = 0; i < event->count && !status; i++) status = act_once(event, &event->actions[i], sim, error);
  return status;
}

static fb_status add_limits(const fb_scenario* s, fb_sim* sim, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < s->nlimit && !status; i++) status = fb_sim_add_limit(sim, &s->limits[i], NULL, error);
  return status;
}

static fb_status add_events(const fb_scenario* s, fb_sim* sim, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < s->nevent && !status; i++) {
    fb_event event = s->events[i].event;
    event.act = s->events[i].count > 0 ? act : NULL;
    event.user = &s->events[i];
    status = fb_sim_add_event(sim, &event, NULL, error);
  }
  return status;
}

/* Contacts, and what a program adds, bring events of their own, which stand first. */
int fb_scenario_event_of(const fb_scenario* s, const fb_sim* sim, int event) {
  int of_scenario = event - (fb_sim_nevent(sim) - s->nevent);
  return of_scenario < 0 ? -1 : of_scenario;
}

/* --- all of it --- */

static fb_status fill(const fb_scenario* s, fb_sim* sim, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < s->nblock && !status; i++) status = add_block(s, &s->blocks[i], sim, error);
  if (!status) status = add_motions(s, sim, error);
  if (!status) status = add_limits(s, sim, error);
  /* The file's motions and limits stand first, its events last: that is how it finds them. */
  if (!status && s->setup) status = s->setup(s->setup_user, sim, error);
  if (!status) status = add_events(s, sim, error);
  for (int i = 0; i < s->nmotion && !status; i++)
    if (s->motions[i].at_start) status = begin_motion(s, i, sim, error);
  if (s->other_run) fb_sim_begin_by(sim, fb_scenario_begin_from_run, s);
  return status ? status : fb_sim_start(sim, s->q, s->v, error);
}

static fb_status make(const fb_scenario* s, fb_sim** sim, fb_error* error) {
  fb_sim_options options = s->options;
  fb_stepper stepper;
  *sim = NULL;
  fb_status status = FB_OK;
  if (s->outside) {
    status =
        fb_stepper_new_sundials(s->outside, options.rtol, options.atol, options.max_step, &stepper, error);
    options.stepper = &stepper;
  }
  if (!status) status = fb_sim_new(s->model, &options, sim, error);
  if (!status) status = fill(s, *sim, error);
  if (status) {
    fb_sim_free(*sim);
    *sim = NULL;
  }
  return status;
}

static void remark_on_meshes(const fb_scenario* s) {
  int body = 1, index = -1;
  for (const char* name; (name = fb_scenario_next_mesh(s, &body, &index)) != NULL;) {
    char text[400], *path = fb_scenario_mesh_path(s, name);
    const char* trouble = path ? fb_scenario_mesh_trouble(path) : NULL;
    snprintf(text, sizeof text, "mesh '%.150s' of body '%.60s' %.80s; pictures will do without it", name,
             fb_body_name(s->model, body), trouble ? trouble : "");
    if (trouble) s->remark(s->remark_user, text);
    free(path);
  }
}

static void remark_on_all(const fb_scenario* s) {
  char text[400];
  if (s->locked) s->remark(s->remark_user, s->locked);
  if (fb_scenario_stiffness(s, text, sizeof text)) s->remark(s->remark_user, text);
  remark_on_meshes(s);
}

fb_status fb_sim_build(const fb_scenario* s, fb_sim** sim, fb_error* error) {
  fb_status status = make(s, sim, error);
  if (!status && s->remark) remark_on_all(s);
  return status;
}

fb_status fb_scenario_try_sim(const fb_scenario* s, fb_sim** sim, fb_error* error) {
  if (s->remote) s->remote->dry++;
  fb_status status = make(s, sim, error);
  if (s->remote) s->remote->dry--;
  return status;
}
