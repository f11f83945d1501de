/* robot.c -- the current state of the robot, as functions for scripts: poses, velocities, Jacobians, dynamics.
 *
 * Frames and joints go by name. Results of pose, jacobian and the like stand in tables that are kept, one for each
 * frame, and filled again at each call: no garbage, and within one call into the script nothing to be confused, since
 * the moment is the same. World axes, SI; matrices are lists of rows; indices count from 1. */
#include <stdlib.h>
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/support/words.h>

#include "adapters/lua/script.h"
#include "block/held_wrench.h"

enum { MOST_SUGGESTED = 2000 };

static const char* joint_name(const fb_model* m, int i) {
  return i > 0 && fb_joint_nv(m, i) > 0 ? fb_joint_name(m, i) : NULL;
}

/* What a name may refer to, and the frame that stands for it. */
typedef struct named {
  const char* what;
  int (*find)(const fb_model* m, const char* name);
  const char* (*name)(const fb_model* m, int i);
  int (*count)(const fb_model* m);
  int (*frame)(const fb_model* m, int i); /* NULL: i itself */
} named;

static const char* any_joint_name(const fb_model* m, int i) {
  return i > 0 ? fb_joint_name(m, i) : NULL;
}

static const named FRAME = {"frame", fb_model_find_frame, fb_frame_name, fb_model_nframe, NULL};
static const named BODY = {"body", fb_model_find_body, fb_body_name, fb_model_nbody, fb_model_com_frame};
static const named JOINT = {"joint", fb_model_find_joint, any_joint_name, fb_model_nbody,
                            fb_model_joint_frame};

static void suggest(const fb_model* m, const char* word, const char* (*name)(const fb_model*, int), int count,
                    char near[FB_SUGGESTION_SIZE]) {
  int n = 0, most = count < MOST_SUGGESTED ? count : MOST_SUGGESTED;
  const char** names = malloc(((size_t)most + 1) * sizeof *names);
  near[0] = '\0';
  if (!names) return;
  for (int i = 0; i < most; i++)
    if (name(m, i)) names[n++] = name(m, i);
  names[n] = NULL;
  if (n > 0) fb_suggestion_or_list(word, names, n == 1 ? "there is" : "there are", near);
  free((void*)names);
}

static const char* name_argument(lua_State* L, const char* function, const char* what) {
  if (lua_type(L, 1) != LUA_TSTRING)
    fb_lua_throw(L, FB_ERR_CONTENT, "%s expects the name of a %s, not %s", function, what,
                 luaL_typename(L, 1));
  return lua_tostring(L, 1);
}

/* A context, or an error while the script is loaded. */
static const fb_context* moment(lua_State* L, const char* function) {
  const fb_context* context = fb_lua_of(L)->context;
  if (!context)
    fb_lua_throw(
        L, FB_ERR_CONTENT,
        "%s is known at a moment of the motion only: call it in tick or act, not while the script is loaded",
        function);
  return context;
}

/* Poses and velocities of the moment. */
static const fb_data* motion(lua_State* L, const char* function) {
  const fb_context* context = moment(L, function);
  fb_lua* s = fb_lua_of(L);
  if (s->motion) return s->motion;
  fb_lua_charge(L, 10.0 * s->nv);
  return s->motion = fb_context_kinematics(context);
}

static const fb_context* dynamics(lua_State* L, const char* function) {
  const fb_context* context = moment(L, function);
  fb_lua* s = fb_lua_of(L);
  fb_lua_charge(L, 30.0 * s->nv);
  if (s->motion == context->data) s->motion = NULL; /* of a context without a cache: it is used now */
  return context;
}

/* Pushes what is kept for the object named by the first argument, and returns its frame. upvalue: all that is kept. */
static int push_named(lua_State* L, const char* function, const named* named) {
  const fb_model* m = fb_lua_of(L)->m;
  const char* word = name_argument(L, function, named->what);
  lua_pushvalue(L, 1);
  if (lua_rawget(L, lua_upvalueindex(1)) == LUA_TTABLE) {
    lua_rawgeti(L, -1, 0);
    int frame = (int)lua_tointeger(L, -1);
    lua_pop(L, 1);
    return frame;
  }
  int id = named->find(m, word);
  if (id < 0) {
    char near[FB_SUGGESTION_SIZE];
    suggest(m, word, named->name, named->count(m), near);
    fb_lua_throw(L, FB_ERR_NAME, "%s: there is no %s '%s'%s", function, named->what, word, near);
  }
  int frame = named->frame ? named->frame(m, id) : id;
  lua_pop(L, 1);
  lua_createtable(L, 2, 1);
  lua_pushinteger(L, frame);
  lua_rawseti(L, -2, 0);
  lua_pushvalue(L, 1);
  lua_pushvalue(L, -2);
  lua_rawset(L, lua_upvalueindex(1));
  return frame;
}

static int push_frame(lua_State* L, const char* function) {
  return push_named(L, function, &FRAME);
}

/* --- kinematics --- */

/* Pushes the origin of the frame of what the first argument names. */
static int position(lua_State* L, const char* function, const named* named) {
  const fb_data* d = motion(L, function);
  double p[3];
  fb_frame_pose(fb_lua_of(L)->m, d, push_named(L, function, named), p, NULL);
  fb_lua_push_kept_list(L, 1, 3, p);
  return 1;
}

static int body_com(lua_State* L) {
  return position(L, "body_com", &BODY);
}

static int joint_position(lua_State* L) {
  return position(L, "joint_position", &JOINT);
}

static int pose(lua_State* L) {
  const fb_data* d = motion(L, "pose");
  double p[3], R[9];
  fb_frame_pose(fb_lua_of(L)->m, d, push_frame(L, "pose"), p, R);
  int kept = lua_gettop(L);
  fb_lua_push_kept_list(L, 1, 3, p);
  lua_pushvalue(L, kept);
  fb_lua_push_kept_rows(L, 2, 3, 3, R);
  lua_remove(L, -2);
  return 2;
}

static int attitude(lua_State* L) {
  const fb_data* d = motion(L, "attitude");
  double R[9], quat[4];
  fb_frame_pose(fb_lua_of(L)->m, d, push_frame(L, "attitude"), NULL, R);
  fb_rot_to_quat(R, quat);
  fb_lua_push_kept_list(L, 1, 4, quat);
  return 1;
}

static int velocity(lua_State* L) {
  const fb_data* d = motion(L, "velocity");
  double v[3], w[3];
  fb_frame_velocity(fb_lua_of(L)->m, d, push_frame(L, "velocity"), v, w);
  int kept = lua_gettop(L);
  fb_lua_push_kept_list(L, 1, 3, v);
  lua_pushvalue(L, kept);
  fb_lua_push_kept_list(L, 2, 3, w);
  lua_remove(L, -2);
  return 2;
}

static int jacobian(lua_State* L) {
  const fb_data* d = motion(L, "jacobian");
  int nv = fb_lua_of(L)->nv, frame = push_frame(L, "jacobian");
  fb_lua_charge(L, 6.0 * nv);
  double* J = fb_lua_scratch(L, 6 * (size_t)nv);
  fb_frame_jacobian(fb_lua_of(L)->m, d, frame, J);
  fb_lua_push_kept_rows(L, 1, 6, nv, J);
  return 1;
}

/* Jdot v: the frame's acceleration when the joints do not accelerate. */
static int bias_acceleration(lua_State* L) {
  const fb_data* d = motion(L, "bias_acceleration");
  double a[6];
  const fb_context* context = fb_lua_of(L)->context;
  fb_frame_bias_acceleration(context->model, d, context->v, push_frame(L, "bias_acceleration"), a);
  fb_lua_push_kept_list(L, 1, 6, a);
  return 1;
}

static fb_floating* floating_of(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  fb_error error;
  for (int b = 1; b < fb_model_nbody(s->m) && !s->floating; b++) {
    if (!fb_body_floats(s->m, b)) continue;
    if (fb_floating_new(s->m, b, &s->floating, &error)) fb_lua_throw(L, error.status, "%s", error.text);
  }
  if (!s->floating)
    fb_lua_throw(L, FB_ERR_CONTENT, "floating_jacobian needs a floating base, and the model has none");
  return s->floating;
}

/* Whether a frame is on the first floating robot. */
static int is_on_first(const fb_model* m, int frame) {
  int first = 1;
  while (!fb_body_floats(m, first)) first++;
  return fb_body_base(m, fb_frame_body(m, frame)) == first;
}

static int floating_jacobian(lua_State* L) {
  const fb_context* context = moment(L, "floating_jacobian");
  fb_floating* f = floating_of(L);
  int nj = fb_floating_nj(f), frame = push_frame(L, "floating_jacobian"), kept = lua_gettop(L);
  fb_lua_charge(L, 60.0 * nj + 30.0 * fb_lua_of(L)->nv);
  double* J = fb_lua_scratch(L, 6 * (size_t)nj);
  fb_floating_use(f, fb_context_parameters(context));
  fb_floating_update(f, context->q, NULL);
  fb_floating_jacobian(f, frame, J);
  if (!is_on_first(context->model, frame))
    fb_lua_throw(L, FB_ERR_CONTENT, "floating_jacobian: frame '%s' is not on the first floating robot",
                 lua_tostring(L, 1));
  if (nj > 0 && J[0] != J[0])
    fb_lua_throw(L, FB_ERR_INERTIA,
                 "floating_jacobian: the first floating robot is massless, a point or a rod, so its base's "
                 "response is not determined");
  fb_lua_push_kept_rows(L, 1, 6, nj, J);
  lua_pushvalue(L, kept);
  for (int i = 0; i < nj; i++) J[i] = fb_floating_joints(f)[i] + 1;
  fb_lua_push_kept_list(L, 2, nj, J);
  lua_remove(L, -2);
  return 2;
}

/* --- dynamics --- */

static int inertia(lua_State* L) {
  const fb_context* context = dynamics(L, "inertia");
  size_t nv = (size_t)fb_lua_of(L)->nv;
  fb_lua_charge(L, 2 * (double)nv * (double)nv);
  double* H = fb_lua_scratch(L, nv * nv);
  fb_inertia_matrix(context->model, context->data, context->q, H);
  lua_pushvalue(L, lua_upvalueindex(1));
  fb_lua_push_kept_rows(L, 1, (int)nv, (int)nv, H);
  return 1;
}

static int bias_of(lua_State* L, const char* function, int moves) {
  const fb_context* context = dynamics(L, function);
  fb_lua* s = fb_lua_of(L);
  fb_loads loads = fb_context_loads(context);
  double* tau = fb_lua_scratch(L, (size_t)s->nv);
  if (moves)
    fb_bias(context->model, context->data, context->q, context->v, &loads, tau);
  else
    fb_gravity_compensation(context->model, context->data, context->q, &loads, tau);
  lua_pushvalue(L, lua_upvalueindex(1));
  fb_lua_push_kept_list(L, 1, s->nv, tau);
  return 1;
}

static int bias(lua_State* L) {
  return bias_of(L, "bias", 1);
}

static int gravity(lua_State* L) {
  return bias_of(L, "gravity", 0);
}

/* Its result depends on what is given: a new table each time. */
static int inverse_dynamics(lua_State* L) {
  const fb_context* context = dynamics(L, "inverse_dynamics");
  fb_lua* s = fb_lua_of(L);
  fb_loads loads = fb_context_loads(context);
  double *vdot = fb_lua_scratch(L, 2 * (size_t)s->nv), *tau = vdot + s->nv;
  fb_lua_read_list(L, 1, "the accelerations for inverse_dynamics", s->nv, vdot);
  fb_inverse_dynamics(context->model, context->data, context->q, context->v, vdot, &loads, tau);
  fb_lua_push_list(L, s->nv, tau);
  return 1;
}

/* --- forces, names --- */

/* In tick a wrench is held: it goes into memory. */
static void put_wrench(lua_State* L, fb_lua* s, const fb_wrench* w) {
  if (s->phase == FB_LUA_ACT) {
    fb_wrench* slot = fb_action_add_wrench(s->action);
    if (slot)
      *slot = *w;
    else
      fb_lua_throw(L, FB_ERR_CONTENT, "there is no room for a wrench where this block is used");
    return;
  }
  double* held = s->writable + s->held_at + s->held_nv;
  double* slot = held + 1 + (size_t)s->nwrench * FB_HELD_WRENCH;
  fb_wrench_to_numbers(w, slot);
  held[0] = s->nwrench + 1;
}

static int wrench(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  moment(L, "wrench");
  if (s->phase == FB_LUA_OUTPUT)
    return fb_lua_throw(L, FB_ERR_CONTENT, "output must not apply wrenches; call wrench in act or tick");
  lua_settop(L, 4);
  fb_wrench w = {.frame = push_frame(L, "wrench")};
  w.in_frame_axes = lua_toboolean(L, 4);
  if (!lua_isnoneornil(L, 2)) fb_lua_read_list(L, 2, "the force of wrench", 3, w.force);
  if (!lua_isnoneornil(L, 3)) fb_lua_read_list(L, 3, "the torque of wrench", 3, w.torque);
  if (s->nwrench >= s->most_wrenches)
    return fb_lua_throw(
        L, FB_ERR_CONTENT,
        "wrench is called more often than the script declares; set 'wrenches = %d' or more at its top",
        s->nwrench + 1);
  put_wrench(L, s, &w);
  s->nwrench++;
  return 0;
}

static int joint(lua_State* L) {
  const fb_model* m = fb_lua_of(L)->m;
  const char* word = name_argument(L, "joint", "joint");
  char near[FB_SUGGESTION_SIZE];
  int body = fb_model_find_joint(m, word);
  if (body < 0) {
    suggest(m, word, joint_name, fb_model_nbody(m), near);
    return fb_lua_throw(L, FB_ERR_NAME, "joint: there is no joint '%s'%s", word, near);
  }
  if (fb_joint_nv(m, body) == 0)
    return fb_lua_throw(L, FB_ERR_NAME, "joint: '%s' is fixed, so it has no coordinates", word);
  lua_pushinteger(L, fb_joint_v_index(m, body) + 1);
  lua_pushinteger(L, fb_joint_q_index(m, body) + 1);
  return 2;
}

void fb_lua_add_robot(lua_State* L) {
  static const luaL_Reg FUNCTIONS[] = {{"pose", pose},
                                       {"attitude", attitude},
                                       {"velocity", velocity},
                                       {"body_com", body_com},
                                       {"joint_position", joint_position},
                                       {"jacobian", jacobian},
                                       {"bias_acceleration", bias_acceleration},
                                       {"floating_jacobian", floating_jacobian},
                                       {"inertia", inertia},
                                       {"bias", bias},
                                       {"gravity", gravity},
                                       {"inverse_dynamics", inverse_dynamics},
                                       {"wrench", wrench},
                                       {"joint", joint}};
  const fb_lua* s = fb_lua_of(L);
  for (size_t i = 0; i < sizeof FUNCTIONS / sizeof FUNCTIONS[0]; i++) {
    lua_newtable(L);
    lua_pushcclosure(L, FUNCTIONS[i].func, 1);
    lua_setfield(L, -2, FUNCTIONS[i].name);
  }
  lua_pushinteger(L, s->nq);
  lua_setfield(L, -2, "nq");
  lua_pushinteger(L, s->nv);
  lua_setfield(L, -2, "nv");
  lua_pushnumber(L, fb_model_mass(s->m));
  lua_setfield(L, -2, "mass");
}
