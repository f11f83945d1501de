/* model_def.c -- the mutable definition of a model: a growing list of bodies with their frames and
 * shapes. It owns copies of all that is given to it and judges nothing but its arguments. */
#include <freebody/model_def.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cookie.h"
#include "base/grow.h"
#include "model/model.h"

typedef struct body_entry {
  fb_body_def def;
  fb_frame_def* frames;
  fb_shape_def* shapes;
  int nframe, nshape;
  size_t frame_room, shape_room;
  int is_repaired;
  fb_joint_def* floated; /* or NULL */
  char* floated_until;   /* or NULL */
} body_entry;

struct fb_model_def {
  const char *name, *source;
  double gravity_w[3];
  int keeps_inertia;
  body_entry* bodies; /* bodies[i] is body i + 1 */
  int count;
  size_t room;
  fb_loop_def* loops;
  int nloop;
  size_t loop_room;
};

/* --- defaults --- */

fb_joint_def fb_default_joint_def(void) {
  fb_joint_def joint = {.type = FB_JOINT_FIXED, .friction_speed = 1e-3, .cookie_ = FB_COOKIE};
  fb_rot_identity(joint.R);
  fb_rot_identity(joint.child_R);
  for (int i = 0; i < FB_JOINT_MAX_NV; i++) {
    joint.lower[i] = -INFINITY;
    joint.upper[i] = joint.effort[i] = joint.speed[i] = INFINITY;
  }
  return joint;
}

fb_body_def fb_default_body_def(void) {
  return (fb_body_def){.joint = fb_default_joint_def(), .cookie_ = FB_COOKIE};
}

fb_frame_def fb_default_frame_def(void) {
  fb_frame_def frame = {.cookie_ = FB_COOKIE};
  fb_rot_identity(frame.R);
  return frame;
}

fb_shape_def fb_default_shape_def(void) {
  fb_shape_def shape = {.kind = FB_SHAPE_BOX, .use = FB_SHAPE_USE_BOTH, .cookie_ = FB_COOKIE};
  fb_rot_identity(shape.R);
  return shape;
}

fb_loop_def fb_default_loop_def(fb_loop_type type) {
  fb_loop_def loop = {.type = type, .axis2 = {0, 1, 0}, .length = NAN, .cookie_ = FB_COOKIE};
  loop.axis[type == FB_LOOP_UNIVERSAL ? 0 : 2] = 1;
  return loop;
}

/* --- owning --- */

/* A copy of text, NULL for NULL; *failed is set when memory ran out. */
static char* copy_string(const char* text, int* failed) {
  if (!text) return NULL;
  size_t size = strlen(text) + 1;
  char* copy = malloc(size);
  if (copy)
    memcpy(copy, text, size);
  else
    *failed = 1;
  return copy;
}

/* Replaces texts by copies of them: all, or on failure none, whose memory is freed again. */
static int own_texts(const char** const texts[], int count) {
  int failed = 0;
  for (int i = 0; i < count; i++) *texts[i] = copy_string(*texts[i], &failed);
  for (int i = 0; i < count && failed; i++) free((char*)*texts[i]);
  return !failed;
}

static fb_status out_of_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while the model definition grew");
}

fb_model_def* fb_model_def_new(void) {
  return calloc(1, sizeof(fb_model_def));
}

static void free_floated(body_entry* b) {
  if (b->floated) free((char*)b->floated->name);
  free(b->floated);
  free(b->floated_until);
  b->floated = NULL;
  b->floated_until = NULL;
}

static void free_body(body_entry* b) {
  free_floated(b);
  for (int i = 0; i < b->nframe; i++) free((char*)b->frames[i].name);
  for (int i = 0; i < b->nshape; i++) {
    free((char*)b->shapes[i].name);
    free((char*)b->shapes[i].file);
    free((char*)b->shapes[i].color);
  }
  free(b->frames);
  free(b->shapes);
  free((char*)b->def.name);
  free((char*)b->def.parent);
  free((char*)b->def.joint.name);
}

static void free_loop(fb_loop_def* loop) {
  free((char*)loop->name);
  free((char*)loop->a);
  free((char*)loop->b);
  for (int i = 0; loop->joints && i < loop->njoint; i++) free((char*)loop->joints[i]);
  free((void*)loop->joints);
  free((double*)loop->ratios);
}

void fb_model_def_free(fb_model_def* def) {
  if (!def) return;
  for (int i = 0; i < def->count; i++) free_body(&def->bodies[i]);
  for (int i = 0; i < def->nloop; i++) free_loop(&def->loops[i]);
  free(def->loops);
  free(def->bodies);
  free((char*)def->name);
  free((char*)def->source);
  free(def);
}

static body_entry* entry_of(const fb_model_def* def, int body) {
  return body >= 1 && body <= def->count ? &def->bodies[body - 1] : NULL;
}

fb_model_def* fb_model_def_copy(const fb_model_def* def) {
  fb_model_def* copy = fb_model_def_new();
  if (!copy) return NULL;
  memcpy(copy->gravity_w, def->gravity_w, sizeof copy->gravity_w);
  copy->keeps_inertia = def->keeps_inertia;
  fb_status status = fb_model_def_set_name(copy, def->name);
  if (!status) status = fb_model_def_set_source(copy, def->source);
  for (int i = 1; i <= def->count && !status; i++) {
    const body_entry* b = entry_of(def, i);
    status = fb_model_def_add_body(copy, &b->def, NULL, NULL);
    for (int k = 0; k < b->nframe && !status; k++)
      status = fb_model_def_add_frame(copy, i, &b->frames[k], NULL);
    for (int k = 0; k < b->nshape && !status; k++)
      status = fb_model_def_add_shape(copy, i, &b->shapes[k], NULL);
    if (!status && b->is_repaired) fb_model_def_set_repaired(copy, i);
    if (!status && b->floated) status = fb_model_def_set_floated(copy, i, b->floated, b->floated_until, NULL);
  }
  for (int i = 0; i < def->nloop && !status; i++) status = fb_model_def_add_loop(copy, &def->loops[i], NULL);
  if (!status) return copy;
  fb_model_def_free(copy);
  return NULL;
}

fb_status fb_model_def_add_body(fb_model_def* def, const fb_body_def* body, int* id, fb_error* error) {
  if (fb_cookie_check(body->cookie_, "body_def", error)) return FB_ERR_ARG;
  if (fb_cookie_check(body->joint.cookie_, "joint_def", error)) return FB_ERR_ARG;
  if (!fb_grow(&def->bodies, (size_t)def->count, 1, &def->room, sizeof *def->bodies))
    return out_of_memory(error);
  body_entry entry = {.def = *body};
  const char** const texts[] = {&entry.def.name, &entry.def.parent, &entry.def.joint.name};
  if (!own_texts(texts, 3)) return out_of_memory(error);
  def->bodies[def->count++] = entry;
  if (id) *id = def->count;
  return FB_OK;
}

static fb_status no_such_body(int body, fb_error* error) {
  return fb_fail(error, FB_ERR_ARG,
                 "there is no body %d in the definition; add the body first (ids count from 1)", body);
}

fb_status fb_model_def_add_frame(fb_model_def* def, int body, const fb_frame_def* frame, fb_error* error) {
  if (fb_cookie_check(frame->cookie_, "frame_def", error)) return FB_ERR_ARG;
  body_entry* b = entry_of(def, body);
  if (!b) return no_such_body(body, error);
  if (!fb_grow(&b->frames, (size_t)b->nframe, 1, &b->frame_room, sizeof *b->frames))
    return out_of_memory(error);
  int failed = 0;
  fb_frame_def copy = *frame;
  copy.name = copy_string(frame->name, &failed);
  if (failed) return out_of_memory(error);
  b->frames[b->nframe++] = copy;
  return FB_OK;
}

fb_status fb_model_def_add_shape(fb_model_def* def, int body, const fb_shape_def* shape, fb_error* error) {
  if (fb_cookie_check(shape->cookie_, "shape_def", error)) return FB_ERR_ARG;
  body_entry* b = entry_of(def, body);
  if (!b) return no_such_body(body, error);
  if (!fb_grow(&b->shapes, (size_t)b->nshape, 1, &b->shape_room, sizeof *b->shapes))
    return out_of_memory(error);
  fb_shape_def copy = *shape;
  const char** const texts[] = {&copy.name, &copy.file, &copy.color};
  if (!own_texts(texts, 3)) return out_of_memory(error);
  b->shapes[b->nshape++] = copy;
  return FB_OK;
}

/* Copies of the joints and ratios of a gear. */
static void copy_gear(fb_loop_def* loop, int* failed) {
  size_t n = (size_t)loop->njoint;
  const char* const* joints = loop->joints;
  const double* ratios = loop->ratios;
  const char** names = calloc(n, sizeof *names);
  double* numbers = malloc(n * sizeof *numbers);
  loop->joints = names;
  loop->ratios = numbers;
  *failed |= !names || !numbers;
  for (size_t i = 0; i < n && names; i++) names[i] = copy_string(joints[i], failed);
  if (numbers) memcpy(numbers, ratios, n * sizeof *numbers);
}

fb_status fb_model_def_add_loop(fb_model_def* def, const fb_loop_def* loop, fb_error* error) {
  if (fb_cookie_check(loop->cookie_, "loop_def", error)) return FB_ERR_ARG;
  if (!fb_grow(&def->loops, (size_t)def->nloop, 1, &def->loop_room, sizeof *def->loops))
    return out_of_memory(error);
  int failed = 0;
  fb_loop_def copy = *loop;
  copy.name = copy_string(loop->name, &failed);
  copy.a = copy_string(loop->a, &failed);
  copy.b = copy_string(loop->b, &failed);
  if (loop->njoint > 0)
    copy_gear(&copy, &failed);
  else
    copy.joints = NULL, copy.ratios = NULL;
  if (failed) {
    free_loop(&copy);
    return out_of_memory(error);
  }
  def->loops[def->nloop++] = copy;
  return FB_OK;
}

fb_status fb_model_def_set_joint(fb_model_def* def, int body, const fb_joint_def* joint, fb_error* error) {
  if (fb_cookie_check(joint->cookie_, "joint_def", error)) return FB_ERR_ARG;
  body_entry* b = entry_of(def, body);
  if (!b) return no_such_body(body, error);
  int failed = 0;
  char* name = copy_string(joint->name, &failed);
  if (failed) return out_of_memory(error);
  free((char*)b->def.joint.name);
  b->def.joint = *joint;
  b->def.joint.name = name;
  return FB_OK;
}

static fb_status replace_string(const char** field, const char* text) {
  int failed = 0;
  char* copy = copy_string(text, &failed);
  if (failed) return FB_ERR_MEMORY;
  free((char*)*field);
  *field = copy;
  return FB_OK;
}

fb_status fb_model_def_set_parent(fb_model_def* def, int body, const char* parent, fb_error* error) {
  body_entry* b = entry_of(def, body);
  if (!b) return no_such_body(body, error);
  return replace_string(&b->def.parent, parent) ? out_of_memory(error) : FB_OK;
}

fb_status fb_model_def_set_floated(fb_model_def* def, int body, const fb_joint_def* joint, const char* until,
                                   fb_error* error) {
  if (joint && fb_cookie_check(joint->cookie_, "joint_def", error)) return FB_ERR_ARG;
  body_entry* b = entry_of(def, body);
  if (!b) return no_such_body(body, error);
  int failed = 0;
  body_entry made = {.floated = joint ? malloc(sizeof *joint) : NULL};
  if (joint && !made.floated) return out_of_memory(error);
  if (joint) {
    *made.floated = *joint;
    made.floated->name = copy_string(joint->name, &failed);
    made.floated_until = copy_string(until, &failed);
  }
  if (failed) {
    free_floated(&made);
    return out_of_memory(error);
  }
  free_floated(b);
  b->floated = made.floated;
  b->floated_until = made.floated_until;
  return FB_OK;
}

fb_status fb_model_def_set_mesh(fb_model_def* def, int body, int index, const char* file, fb_error* error) {
  body_entry* b = entry_of(def, body);
  if (!b) return no_such_body(body, error);
  if (index < 0 || index >= b->nshape || b->shapes[index].kind != FB_SHAPE_MESH)
    return fb_fail(error, FB_ERR_ARG, "shape %d of body %d is no mesh", index, body);
  return replace_string(&b->shapes[index].file, file) ? out_of_memory(error) : FB_OK;
}

fb_status fb_model_def_set_name(fb_model_def* def, const char* name) {
  return replace_string(&def->name, name);
}

fb_status fb_model_def_set_source(fb_model_def* def, const char* file) {
  return replace_string(&def->source, file);
}

void fb_model_def_set_gravity(fb_model_def* def, const double g_w[3]) {
  memcpy(def->gravity_w, g_w, sizeof def->gravity_w);
}

void fb_model_def_set_inertia(fb_model_def* def, int body, double mass, const double inertia[6]) {
  body_entry* b = entry_of(def, body);
  if (!b) return;
  b->def.mass = mass;
  memcpy(b->def.inertia, inertia, sizeof b->def.inertia);
}

void fb_model_def_set_keeps_inertia(fb_model_def* def, int keeps) {
  def->keeps_inertia = keeps != 0;
}

/* --- reading back --- */

const char* fb_model_def_name(const fb_model_def* def) {
  return def->name ? def->name : "";
}

const char* fb_model_def_source(const fb_model_def* def) {
  return def->source ? def->source : "";
}

void fb_model_def_gravity(const fb_model_def* def, double g_w[3]) {
  memcpy(g_w, def->gravity_w, sizeof def->gravity_w);
}

void fb_model_def_set_repaired(fb_model_def* def, int body) {
  body_entry* b = entry_of(def, body);
  if (b) b->is_repaired = 1;
}

int fb_model_def_is_repaired(const fb_model_def* def, int body) {
  const body_entry* b = entry_of(def, body);
  return b && b->is_repaired;
}

int fb_model_def_keeps_inertia(const fb_model_def* def) {
  return def->keeps_inertia;
}

int fb_model_def_nbody(const fb_model_def* def) {
  return def->count + 1;
}

const fb_body_def* fb_model_def_body(const fb_model_def* def, int body) {
  const body_entry* b = entry_of(def, body);
  return b ? &b->def : NULL;
}

const fb_joint_def* fb_model_def_floated(const fb_model_def* def, int body) {
  const body_entry* b = entry_of(def, body);
  return b ? b->floated : NULL;
}

const char* fb_model_def_floated_until(const fb_model_def* def, int body) {
  const body_entry* b = entry_of(def, body);
  return b ? b->floated_until : NULL;
}

int fb_model_def_nframe(const fb_model_def* def, int body) {
  const body_entry* b = entry_of(def, body);
  return b ? b->nframe : 0;
}

const fb_frame_def* fb_model_def_frame(const fb_model_def* def, int body, int index) {
  const body_entry* b = entry_of(def, body);
  return b && index >= 0 && index < b->nframe ? &b->frames[index] : NULL;
}

int fb_model_def_nshape(const fb_model_def* def, int body) {
  const body_entry* b = entry_of(def, body);
  return b ? b->nshape : 0;
}

const fb_shape_def* fb_model_def_shape(const fb_model_def* def, int body, int index) {
  const body_entry* b = entry_of(def, body);
  return b && index >= 0 && index < b->nshape ? &b->shapes[index] : NULL;
}

int fb_model_def_nloop(const fb_model_def* def) {
  return def->nloop;
}

const fb_loop_def* fb_model_def_loop(const fb_model_def* def, int loop) {
  return loop >= 0 && loop < def->nloop ? &def->loops[loop] : NULL;
}
