/* attach.c -- puts a model on a body or frame of another: fb_model_def_attach.
 *
 * The world of the part coincides with the place given in the parent, so that a joint of its base, at p_b with axes R_b
 * in the part's world, is on the parent's body at
 *
 *   p = p_f + R_f (at + R p_b),   R' = R_f R R_b        f: the frame, or the body itself */
#include "model/definition/attach.h"
#include "base/cookie.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/support/words.h>

enum { MAX_LISTED = 2000 };

fb_attach_def fb_default_attach_def(void) {
  fb_attach_def how = {.cookie_ = FB_COOKIE};
  fb_rot_identity(how.R);
  return how;
}

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while a model was attached");
}

/* --- the joints of the bases --- */

static int count_bases(const fb_model_def* def) {
  int count = 0;
  for (int i = 1; i < fb_model_def_nbody(def); i++) count += !fb_model_def_body(def, i)->parent;
  return count;
}

/* The joint of a base, when it is attached. */
static fb_joint_def joint_of_base(const fb_attach_def* how, const fb_joint_def* was) {
  if (!how->joint && !(how->parent && was->type == FB_JOINT_FREE)) return *was;
  fb_joint_def joint = how->joint ? *how->joint : fb_default_joint_def();
  if (!how->joint) joint.name = was->name;
  memcpy(joint.at, was->at, sizeof joint.at);
  memcpy(joint.R, was->R, sizeof joint.R);
  joint.place = was->place;
  return joint;
}

fb_status fb_attach_joints(fb_model_def* part, const fb_attach_def* how, fb_error* error) {
  int bases = count_bases(part);
  if (how->joint && bases != 1)
    return fb_fail(error, FB_ERR_JOINT,
                   "a joint was given for the base, but the model has %d bodies on the world, not one",
                   bases);
  fb_status status = FB_OK;
  for (int i = 1; i < fb_model_def_nbody(part) && !status; i++) {
    const fb_body_def* body = fb_model_def_body(part, i);
    if (body->parent) continue;
    fb_joint_def joint = joint_of_base(how, &body->joint);
    status = fb_model_def_set_joint(part, i, &joint, error);
  }
  return status;
}

/* --- where it goes --- */

int fb_attach_find(const fb_model_def* def, const char* name, int* body, double at[3], double R[9]) {
  memset(at, 0, 3 * sizeof *at);
  fb_rot_identity(R);
  for (*body = 1; *body < fb_model_def_nbody(def); ++*body) {
    const char* body_name = fb_model_def_body(def, *body)->name;
    if (body_name && strcmp(body_name, name) == 0) return 1;
    for (int i = 0; i < fb_model_def_nframe(def, *body); i++) {
      const fb_frame_def* frame = fb_model_def_frame(def, *body, i);
      if (!frame->name || strcmp(frame->name, name) != 0) continue;
      memcpy(at, frame->at, sizeof frame->at);
      memcpy(R, frame->R, sizeof frame->R);
      return 1;
    }
  }
  return 0;
}

static fb_status no_parent(const fb_model_def* def, const char* name, fb_error* error) {
  const char** names = malloc((MAX_LISTED + 1) * sizeof *names);
  if (!names) return no_memory(error);
  int n = 0;
  for (int b = 1; b < fb_model_def_nbody(def) && n < MAX_LISTED; b++) {
    names[n++] = fb_model_def_body(def, b)->name;
    for (int i = 0; i < fb_model_def_nframe(def, b) && n < MAX_LISTED; i++)
      names[n++] = fb_model_def_frame(def, b, i)->name;
  }
  names[n] = NULL;
  char near[FB_SUGGESTION_SIZE] = "";
  if (n > 0) fb_suggestion_or_list(name, names, n == 1 ? "there is" : "there are", near);
  free((void*)names);
  return fb_fail(error, FB_ERR_NAME, "there is no body or frame '%.60s' to put the model on%s", name, near);
}

/* --- adding --- */

/* What one attachment needs: the parent's body, and the place of the part's world on it. */
typedef struct attacher {
  const fb_attach_def* how;
  const char* parent; /* the body's name; NULL: the world */
  double at[3], R[9];
} attacher;

/* A joined to B by a character, malloc'd; or B alone, copied. */
static char* joined(const char* a, size_t size, char between, const char* b) {
  size_t length = strlen(b) + 1, more = size + (between != '\0');
  char* text = malloc(more + length);
  if (!text) return NULL;
  if (size) memcpy(text, a, size);
  if (between) text[size] = between;
  memcpy(text + more, b, length);
  return text;
}

/* A name with the prefix; NULL stays NULL. *made is freed by the caller. */
static int rename_to(const attacher* a, const char** name, char** made) {
  const char* prefix = a->how->prefix;
  if (!*name || !prefix) return 1;
  *made = joined(prefix, strlen(prefix), '_', *name);
  *name = *made;
  return *made != NULL;
}

static int is_world(const char* name) {
  return name && strcmp(name, "world") == 0;
}

static void move_joint(const attacher* a, fb_joint_def* joint) {
  double at[3];
  fb_rot_apply(a->R, joint->at, at);
  for (int i = 0; i < 3; i++) joint->at[i] = a->at[i] + at[i];
  fb_rot_multiply(a->R, joint->R, joint->R);
}

static fb_status add_body(const attacher* a, const fb_body_def* given, fb_model_def* def, fb_error* error) {
  fb_body_def body = *given;
  char* made[3] = {NULL, NULL, NULL};
  int ok = rename_to(a, &body.name, &made[0]) && rename_to(a, &body.parent, &made[1]) &&
           rename_to(a, &body.joint.name, &made[2]);
  if (!body.parent) {
    move_joint(a, &body.joint);
    body.parent = a->parent;
  }
  fb_status status = ok ? fb_model_def_add_body(def, &body, NULL, error) : no_memory(error);
  for (int i = 0; i < 3; i++) free(made[i]);
  return status;
}

/* The joint by which a captured body floated goes along with the world of the part; on a body there is none for it. */
static fb_status add_floated(const attacher* a, const fb_model_def* part, int id, fb_model_def* def, int body,
                             fb_error* error) {
  const fb_joint_def* given = fb_model_def_floated(part, id);
  if (!given || a->parent) return FB_OK;
  fb_joint_def joint = *given;
  const char* until = fb_model_def_floated_until(part, id);
  char* made[2] = {NULL, NULL};
  move_joint(a, &joint);
  fb_status status = rename_to(a, &joint.name, &made[0]) && rename_to(a, &until, &made[1])
                         ? fb_model_def_set_floated(def, body, &joint, until, error)
                         : no_memory(error);
  for (int i = 0; i < 2; i++) free(made[i]);
  return status;
}

static fb_status add_frame(const attacher* a, const fb_frame_def* given, fb_model_def* def, int body,
                           fb_error* error) {
  fb_frame_def frame = *given;
  char* made = NULL;
  fb_status status =
      rename_to(a, &frame.name, &made) ? fb_model_def_add_frame(def, body, &frame, error) : no_memory(error);
  free(made);
  return status;
}

/* A mesh is named as seen from the folder of the whole. */
static fb_status add_shape(const attacher* a, const fb_shape_def* given, fb_model_def* def, int body,
                           fb_error* error) {
  fb_shape_def shape = *given;
  const char* slash = a->how->file ? strrchr(a->how->file, '/') : NULL;
  if (!slash || !shape.file || shape.file[0] == '/' || strstr(shape.file, "://"))
    return fb_model_def_add_shape(def, body, &shape, error);
  char* made = joined(a->how->file, (size_t)(slash + 1 - a->how->file), '\0', shape.file);
  shape.file = made;
  fb_status status = made ? fb_model_def_add_shape(def, body, &shape, error) : no_memory(error);
  free(made);
  return status;
}

/* Whether the part's world is the model's own. */
static int stays(const attacher* a) {
  static const double NONE[3], UNTURNED[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  return !a->parent && memcmp(a->at, NONE, sizeof NONE) == 0 && memcmp(a->R, UNTURNED, sizeof UNTURNED) == 0;
}

/* A loop, its frames and joints with the prefix. */
static fb_status add_loop(const attacher* a, const fb_loop_def* given, fb_model_def* def, fb_error* error) {
  fb_loop_def loop = *given;
  if ((is_world(loop.a) || is_world(loop.b)) && !stays(a))
    return fb_fail(error, FB_ERR_TREE,
                   "loop \"%s\" joins the world, but its model is put elsewhere; give that model a body "
                   "fixed to the world, and join the loop to it",
                   loop.name);
  size_t n = (size_t)loop.njoint;
  char** made = calloc(n + 3, sizeof *made);
  const char** joints = calloc(n + 1, sizeof *joints);
  int ok = made && joints && rename_to(a, &loop.name, &made[0]);
  if (ok && !is_world(loop.a)) ok = rename_to(a, &loop.a, &made[1]);
  if (ok && !is_world(loop.b)) ok = rename_to(a, &loop.b, &made[2]);
  for (size_t i = 0; ok && i < n; i++) {
    joints[i] = loop.joints[i];
    ok = rename_to(a, &joints[i], &made[3 + i]);
  }
  loop.joints = joints;
  fb_status status = ok ? fb_model_def_add_loop(def, &loop, error) : no_memory(error);
  for (size_t i = 0; made && i < n + 3; i++) free(made[i]);
  free(made);
  free((void*)joints);
  return status;
}

static fb_status add_part(const attacher* a, const fb_model_def* part, fb_model_def* def, fb_error* error) {
  fb_status status = FB_OK;
  for (int id = 1; id < fb_model_def_nbody(part) && !status; id++) {
    status = add_body(a, fb_model_def_body(part, id), def, error);
    int at = fb_model_def_nbody(def) - 1;
    if (!status && fb_model_def_is_repaired(part, id)) fb_model_def_set_repaired(def, at);
    if (!status) status = add_floated(a, part, id, def, at, error);
    for (int i = 0; i < fb_model_def_nframe(part, id) && !status; i++)
      status = add_frame(a, fb_model_def_frame(part, id, i), def, at, error);
    for (int i = 0; i < fb_model_def_nshape(part, id) && !status; i++)
      status = add_shape(a, fb_model_def_shape(part, id, i), def, at, error);
  }
  for (int i = 0; i < fb_model_def_nloop(part) && !status; i++)
    status = add_loop(a, fb_model_def_loop(part, i), def, error);
  return status;
}

/* Searches for the parent; the world is where a part without one goes. */
static fb_status find_place(const fb_model_def* def, const fb_attach_def* how, attacher* a, fb_error* error) {
  *a = (attacher){.how = how};
  memcpy(a->at, how->at, sizeof a->at);
  memcpy(a->R, how->R, sizeof a->R);
  if (!how->parent) return FB_OK;
  int body;
  double at[3], R[9], moved[3];
  if (!fb_attach_find(def, how->parent, &body, at, R)) return no_parent(def, how->parent, error);
  a->parent = fb_model_def_body(def, body)->name;
  fb_rot_apply(R, how->at, moved);
  for (int i = 0; i < 3; i++) a->at[i] = at[i] + moved[i];
  fb_rot_multiply(R, how->R, a->R);
  return FB_OK;
}

fb_status fb_model_def_attach(fb_model_def* def, const fb_model_def* part, const fb_attach_def* how,
                              fb_error* error) {
  if (fb_cookie_check(how->cookie_, "attach_def", error)) return FB_ERR_ARG;
  if (how->joint && fb_cookie_check(how->joint->cookie_, "joint_def", error)) return FB_ERR_ARG;
  attacher a;
  fb_status status = find_place(def, how, &a, error);
  if (status) return status;
  fb_model_def* copy = fb_model_def_copy(part); /* the part may be def itself */
  status = copy ? fb_attach_joints(copy, how, error) : no_memory(error);
  if (!status) status = add_part(&a, copy, def, error);
  if (!status && fb_model_def_keeps_inertia(part)) fb_model_def_set_keeps_inertia(def, 1);
  fb_model_def_free(copy);
  return status;
}
