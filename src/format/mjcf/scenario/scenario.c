/* scenario.c -- a scenario from an MJCF file: what the file says beyond the model.
 *
 *   keyframe, places of free bodies   start
 *   actuators                         control: joint_pd for servos, input for motors, lua for tendons of several joints
 *   springs of tendons                forces: springs between two sites; otherwise control
 *   gravcomp                          forces: -gravcomp m g at the centre of mass
 *   geoms, contact pairs              surfaces and contacts, when requested */
#include "format/mjcf/scenario/scenario.h"

#include <math.h>
#include <stdlib.h>

#include <freebody/model.h>

#include "base/copy_text.h"
#include "math/vector3.h"

fb_status fb_mjcf_begin_item(fb_mjcf_scene* s, const char* section, const char* name) {
  const char* unique = fb_name_set_make(&s->blocks, name);
  if (!unique) return fb_mjcf_no_memory(s->r);
  if (!s->section) {
    fb_json_put_list(s->json, section);
    s->section = section;
  }
  fb_json_begin_map(s->json);
  fb_json_put_string(s->json, "name", unique);
  return FB_OK;
}

void fb_mjcf_end_section(fb_mjcf_scene* s) {
  if (s->section) fb_json_end_list(s->json);
  s->section = NULL;
}

fb_status fb_mjcf_name_or(const fb_mjcf_reader* r, int node, const char* otherwise, char** name) {
  fb_status status = fb_mjcf_name(r, node, name);
  if (!status && !*name) *name = fb_copy_text(otherwise);
  return status || *name ? status : fb_mjcf_no_memory(r);
}

/* --- forces --- */

static fb_status print_spring(fb_mjcf_scene* s, const fb_mjcf_tendon* t) {
  char* name;
  int slack = t->rest[0] == 0 && t->rest[1] > 0;
  if (t->rest[0] != t->rest[1] && !slack)
    return fb_unread_add(&s->r->unread, t->node,
                         "lost: the spring of a tendon with two lengths, of which the first is not 0");
  fb_status status = fb_mjcf_name_or(s->r, t->node, "tendon", &name);
  if (status) return status;
  status = fb_mjcf_begin_item(s, "forces", name);
  free(name);
  if (status) return status;
  fb_json_put_string(s->json, "type", "spring");
  fb_json_put_string(s->json, "a", t->site[0]->frame);
  fb_json_put_string(s->json, "b", t->site[1]->frame);
  fb_json_put_number(s->json, "stiffness", t->stiffness);
  fb_json_put_number(s->json, "damping", t->damping);
  fb_json_put_number(s->json, "length", t->rest[1]);
  if (slack) fb_json_put_bool(s->json, "slack", 1);
  fb_json_end_map(s->json);
  return FB_OK;
}

/* What else a tendon may have, and no element here. */
static void note_tendon(fb_mjcf_reader* r, int node, const char* unlike) {
  static const char* const others[] = {"range", "frictionloss", "armature", "actuatorfrcrange"};
  fb_mjcf_source source;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (fb_mjcf_find(r, node, "tendon", others[i], &source))
      fb_unread_add(&r->unread, node, "lost: %s of a tendon", others[i]);
  if (unlike) fb_unread_add(&r->unread, node, "lost: the spring or damper of a tendon that %s", unlike);
}

static fb_status print_springs(fb_mjcf_scene* s) {
  fb_mjcf_reader* r = s->r;
  fb_status status = FB_OK;
  for (int node = fb_mjcf_next_in(&r->tree, "tendon", -1); node != FB_MJCF_NONE && !status;
       node = fb_mjcf_next_in(&r->tree, "tendon", node)) {
    fb_mjcf_tendon t;
    const char* unlike;
    status = fb_mjcf_read_tendon(r, node, &t, &unlike);
    if (status) return status;
    int acts = (t.stiffness != 0 || t.damping != 0) && !r->set.no_springs;
    note_tendon(r, node, acts ? unlike : NULL);
    if (acts && !unlike && !t.fixed) status = print_spring(s, &t);
  }
  return status;
}

static fb_status print_weights(fb_mjcf_scene* s) {
  fb_mjcf_reader* r = s->r;
  for (size_t b = 1; b < r->nbody; b++) {
    double force[3], mass = fb_model_def_body(r->def, r->bodies[b].id)->mass;
    if (!r->bodies[b].com_frame || is_zero3(r->set.gravity_w)) continue;
    for (int i = 0; i < 3; i++) force[i] = -r->bodies[b].gravcomp * mass * r->set.gravity_w[i];
    char* name = fb_join_texts("gravcomp_", r->bodies[b].name, "");
    if (!name) return fb_mjcf_no_memory(r);
    fb_status status = fb_mjcf_begin_item(s, "forces", name);
    free(name);
    if (status) return status;
    fb_json_put_string(s->json, "frame", r->bodies[b].com_frame);
    fb_json_put_numbers(s->json, "force", force, 3);
    fb_json_end_map(s->json);
  }
  return FB_OK;
}

/* --- all of it --- */

static int has_limits(const fb_model_def* def) {
  for (int b = 1; b < fb_model_def_nbody(def); b++) {
    const fb_joint_def* joint = &fb_model_def_body(def, b)->joint;
    for (int i = 0; i < fb_joint_type_nv(joint->type); i++)
      if (isfinite(joint->lower[i]) || isfinite(joint->upper[i])) return 1;
  }
  return 0;
}

static fb_status print_all(fb_mjcf_scene* s, const char* model) {
  const char* name = fb_model_def_name(s->r->def);
  fb_json_begin_map(s->json);
  fb_json_put_int(s->json, "scenario", 1);
  fb_json_put_string(s->json, "name", name[0] ? name : "robot");
  fb_json_put_string(s->json, "model", model);
  fb_mjcf_print_start(s);
  fb_status status = fb_mjcf_print_laws(s);
  if (!status) status = fb_mjcf_print_tendon_laws(s);
  fb_mjcf_end_section(s);
  if (!status) status = print_springs(s);
  if (!status) status = print_weights(s);
  fb_mjcf_end_section(s);
  if (!status && s->r->scenario == 2) status = fb_mjcf_print_contacts(s);
  if (s->r->scenario == 2 && has_limits(s->r->def)) fb_json_put_string(s->json, "limits", "contact");
  if (!status) status = fb_mjcf_print_settings(s);
  fb_json_put_number(s->json, "duration", 10);
  fb_json_end_map(s->json);
  return status;
}

fb_status fb_mjcf_print_scenario(fb_mjcf_reader* r, const char* model, char** text, size_t* size) {
  fb_mjcf_scene s = {.r = r, .json = fb_json_new_yaml()};
  fb_status status = s.json ? fb_mjcf_find_start(&s) : fb_mjcf_no_memory(r);
  if (!status) status = print_all(&s, model);
  fb_name_set_free(&s.blocks);
  fb_model_free(s.model);
  free(s.moments);
  free(s.q0);
  free(s.ctrl);
  if (status) {
    fb_json_free(s.json);
    return status;
  }
  *text = fb_json_finish(s.json, size);
  return *text ? FB_OK : fb_mjcf_no_memory(r);
}
