/* signal_kind.c -- the table of the kinds of signals, and what follows from it: names, units, axes, meanings. */
#include "signal/signal_kind.h"

#include <stdio.h>
#include <string.h>

#include "model/joint_kind.h"
#include "model/model.h"

static const char* const XYZ[] = {"x", "y", "z", NULL};
static const char* const WXYZ[] = {"w", "x", "y", "z", NULL};
static const char* const RPY[] = {"roll", "pitch", "yaw", NULL};

#define LEDGER_WITH(needs, part, components, unit, axes, field, meaning)                    \
  {                                                                                         \
    "ledger", part, FB_OVER_NOTHING, FB_NEEDS_LEDGER | needs, components, unit, NULL, axes, \
        offsetof(fb_ledger, field), meaning                                                 \
  }
#define LEDGER(part, components, unit, axes, field, meaning) \
  LEDGER_WITH(0, part, components, unit, axes, field, meaning)

/* In the order of the enum. */
const fb_signal_kind fb_signal_kinds[] = {
    {"t", NULL, FB_OVER_NOTHING, FB_NEEDS_NOTHING, NULL, "s", NULL, "", 0, "time"},
    {"q", NULL, FB_OVER_Q, FB_NEEDS_NOTHING, NULL, "rad", "m", "joint", 0, "coordinate of a joint"},
    {"v", NULL, FB_OVER_V, FB_NEEDS_NOTHING, NULL, "rad/s", "m/s", "joint", 0, "velocity of a joint"},
    {"a", NULL, FB_OVER_V, FB_NEEDS_VDOT, NULL, "rad/s^2", "m/s^2", "joint", 0, "acceleration of a joint"},
    {"tau", NULL, FB_OVER_V, FB_NEEDS_TAU, NULL, "N m", "N", "joint", 0,
     "force or torque of a joint's actuator"},
    {"work", NULL, FB_OVER_V, FB_NEEDS_NOTHING, NULL, "J", "J", "", 0, "work of a joint's actuator"},
    {"p", NULL, FB_OVER_FRAMES, FB_NEEDS_POSES, XYZ, "m", NULL, "world", 0, "position of a frame"},
    {"quat", NULL, FB_OVER_FRAMES, FB_NEEDS_POSES, WXYZ, "1", NULL, "world", 0,
     "attitude of a frame as a quaternion"},
    {"rpy", NULL, FB_OVER_FRAMES, FB_NEEDS_POSES, RPY, "rad", NULL, "world", 0,
     "attitude of a frame as roll, pitch and yaw"},
    {"vel", NULL, FB_OVER_FRAMES, FB_NEEDS_RATES, XYZ, "m/s", NULL, "world", 0, "velocity of a frame"},
    {"omega", NULL, FB_OVER_FRAMES, FB_NEEDS_RATES, XYZ, "rad/s", NULL, "world", 0,
     "angular velocity of a frame"},
    {"acc", NULL, FB_OVER_FRAMES, FB_NEEDS_ACCELERATIONS, XYZ, "m/s^2", NULL, "world", 0,
     "acceleration of a frame"},
    {"alpha", NULL, FB_OVER_FRAMES, FB_NEEDS_ACCELERATIONS, XYZ, "rad/s^2", NULL, "world", 0,
     "angular acceleration of a frame"},
    {"force", NULL, FB_OVER_FRAMES, FB_NEEDS_WRENCHES | FB_NEEDS_POSES, XYZ, "N", NULL, "world", 0,
     "force from outside at a frame"},
    {"torque", NULL, FB_OVER_FRAMES, FB_NEEDS_WRENCHES | FB_NEEDS_POSES, XYZ, "N m", NULL, "world", 0,
     "torque from outside at a frame"},
    {"com", "p", FB_OVER_NOTHING, FB_NEEDS_POSES | FB_NEEDS_COM, XYZ, "m", NULL, "world", 0,
     "centre of mass of the scene"},
    {"com", "v", FB_OVER_NOTHING, FB_NEEDS_RATES | FB_NEEDS_COM, XYZ, "m/s", NULL, "world", 0,
     "velocity of the centre of mass of the scene"},
    {"com", NULL, FB_OVER_BODIES, FB_NEEDS_POSES, XYZ, "m", NULL, "world", 0, "centre of mass of a body"},
    {"joint", NULL, FB_OVER_JOINTS, FB_NEEDS_POSES, XYZ, "m", NULL, "world", 0,
     "position of a joint's frame"},
    {"reaction", "force", FB_OVER_JOINTS, FB_NEEDS_FORCES | FB_NEEDS_REACTIONS, XYZ, "N", NULL, "world", 0,
     "force through a joint, on the child"},
    {"reaction", "torque", FB_OVER_JOINTS, FB_NEEDS_FORCES | FB_NEEDS_REACTIONS, XYZ, "N m", NULL, "world", 0,
     "torque through a joint, on the child, about the joint frame's origin"},
    {"loop", "force", FB_OVER_LOOPS, FB_NEEDS_VDOT, XYZ, "N", NULL, "world", 0,
     "force of a loop on its frame b"},
    {"loop", "torque", FB_OVER_LOOPS, FB_NEEDS_VDOT, XYZ, "N m", NULL, "world", 0,
     "torque of a loop on its frame b, about the frame's origin"},
    {"loop", "error", FB_OVER_LOOPS, FB_NEEDS_POSES | FB_NEEDS_ERRORS, NULL, "rad", "m", "", 0,
     "largest violation of a loop, in m or rad"},
    {"loop", "effort", FB_OVER_LOOPS, FB_NEEDS_VDOT, NULL, "N m", "N", "joint", 0,
     "force or torque of a gear on the coordinate of its joint a"},
    {"energy", "kinetic", FB_OVER_NOTHING, FB_NEEDS_RATES, NULL, "J", NULL, "", 0, "kinetic energy"},
    {"energy", "potential", FB_OVER_NOTHING, FB_NEEDS_POSES, NULL, "J", NULL, "", 0,
     "potential energy of gravity and springs"},
    {"energy", "total", FB_OVER_NOTHING, FB_NEEDS_RATES, NULL, "J", NULL, "", 0,
     "kinetic and potential energy"},
    {"epoch", NULL, FB_OVER_NOTHING, FB_NEEDS_NOTHING, NULL, "1", NULL, "", 0, "joins and partings so far"},
    {"momentum", "linear", FB_OVER_NOTHING, FB_NEEDS_LEDGER, XYZ, "kg m/s", NULL, "world",
     offsetof(fb_ledger, linear), "linear momentum of the floating trees"},
    {"momentum", "angular", FB_OVER_NOTHING, FB_NEEDS_LEDGER, XYZ, "kg m^2/s", NULL, "world",
     offsetof(fb_ledger, angular), "angular momentum of the floating trees about the world's origin"},
    LEDGER("work", NULL, "J", "", work, "work done by actuators and prescribed motions"),
    LEDGER("external", NULL, "J", "", external, "work done by wrenches from outside"),
    LEDGER("dissipated", NULL, "J", "", dissipated, "energy lost in dampers and friction"),
    LEDGER("impacts", NULL, "J", "", impacts, "kinetic energy gained at locks, bounces and other jumps"),
    LEDGER_WITH(FB_NEEDS_CONTACTS, "normal", NULL, "J", "", normal,
                "work of the normal forces of all contacts"),
    LEDGER_WITH(FB_NEEDS_CONTACTS, "friction", NULL, "J", "", friction,
                "work of the tangential forces of all contacts"),
    LEDGER_WITH(FB_NEEDS_CONTACTS, "projection", NULL, "J", "", projection,
                "energy gained where bodies were moved out of penetration"),
    LEDGER_WITH(FB_NEEDS_LOOPS, "loops", NULL, "J", "", loops,
                "work of the forces of all loops, zero but for the error of the method"),
    LEDGER("gross", NULL, "J", "", gross, "time integral of the magnitudes of all powers"),
    LEDGER("peak_kinetic", NULL, "J", "", peak_kinetic, "largest kinetic energy at the end of a step so far"),
    LEDGER("residual", NULL, "J", "", residual, "energy that the ledger cannot explain"),
    LEDGER("relative", NULL, "1", "", relative,
           "that energy over what was exchanged or moved, of the tree that is worst"),
    LEDGER("worst", NULL, "1", "", worst, "largest relative residual of energy at the end of a step so far"),
    LEDGER("worst_t", NULL, "s", "", worst_t, "time of that step"),
    LEDGER("momentum_worst", NULL, "1", "", momentum_worst,
           "largest relative residual of momentum at the end of a step so far"),
    LEDGER("momentum_worst_t", NULL, "s", "", momentum_worst_t, "time of that step"),
    LEDGER("impulse", XYZ, "N s", "world", impulse, "impulse of forces from outside on the floating trees"),
    LEDGER("angular_impulse", XYZ, "N m s", "world", impulse[3],
           "impulse of moments from outside on the floating trees"),
    LEDGER("linear", NULL, "kg m/s", "", linear_residual,
           "linear momentum that the ledger cannot explain, of the tree that is worst"),
    LEDGER("angular", NULL, "kg m^2/s", "", angular_residual,
           "angular momentum about its centre of mass that the ledger cannot explain, of the tree that is "
           "worst"),
    LEDGER("linear_scale", NULL, "kg m/s", "", linear_scale, "scale of linear"),
    LEDGER("angular_scale", NULL, "kg m^2/s", "", angular_scale, "scale of angular"),
    {NULL, NULL, FB_OVER_NOTHING, FB_NEEDS_NOTHING, NULL, NULL, NULL, NULL, 0, NULL},
};

enum { KINDS = sizeof fb_signal_kinds / sizeof fb_signal_kinds[0] - 1 };

/* In the order of fb_signal_over. */
const fb_signal_objects fb_signal_overs[] = {
    {NULL, NULL, 0, NULL, NULL, NULL},
    {"joint", "moving joints", 1, fb_model_nbody, fb_model_find_joint, fb_joint_name},
    {"joint", "moving joints", 1, fb_model_nbody, fb_model_find_joint, fb_joint_name},
    {"frame", "moving frames", 1, fb_model_nframe, fb_model_find_frame, fb_frame_name},
    {"joint", "joints", 1, fb_model_nbody, fb_model_find_joint, fb_joint_name},
    {"body", "bodies", 1, fb_model_nbody, fb_model_find_body, fb_body_name},
    {"loop", "loops", 0, fb_model_nloop, fb_model_find_loop, fb_loop_name},
};

void fb_signal_range(const fb_model* m, const fb_signal_kind* kind, int* from, int* end) {
  const fb_signal_objects* objects = &fb_signal_overs[kind->over];
  *from = objects->first;
  *end = objects->count ? objects->count(m) : 1;
  if (kind->needs & FB_NEEDS_LOOPS && fb_model_nloop(m) == 0) *end = *from;
}

/* Gears act on coordinates, other loops on frames. */
static int loop_has(const fb_model* m, const fb_signal_kind* kind, int loop) {
  if (kind == &fb_signal_kinds[FB_SIGNAL_LOOP_ERROR]) return 1;
  return (fb_loop_type_of(m, loop) == FB_LOOP_GEAR) == (kind == &fb_signal_kinds[FB_SIGNAL_LOOP_EFFORT]);
}

int fb_signal_components(const fb_model* m, const fb_signal_kind* kind, int index) {
  if (kind->over == FB_OVER_Q) return fb_joint_nq(m, index);
  if (kind->over == FB_OVER_V) return fb_joint_nv(m, index);
  if (kind->over == FB_OVER_LOOPS && !loop_has(m, kind, index)) return 0;
  int count = 0;
  while (kind->components && kind->components[count]) count++;
  return count > 0 ? count : 1;
}

/* The kind, or NULL when there is no such signal. */
static const fb_signal_kind* kind_of(const fb_model* m, fb_signal signal) {
  int from, end;
  if (signal.kind < 0 || signal.kind >= KINDS) return NULL;
  const fb_signal_kind* kind = &fb_signal_kinds[signal.kind];
  fb_signal_range(m, kind, &from, &end);
  if (signal.index < from || signal.index >= end || signal.component < 0) return NULL;
  return signal.component < fb_signal_components(m, kind, signal.index) ? kind : NULL;
}

const char* fb_signal_object(const fb_model* m, const fb_signal_kind* kind, int index) {
  return kind->over == FB_OVER_NOTHING ? kind->part : fb_signal_overs[kind->over].name(m, index);
}

int fb_signal_is_scene(const fb_signal_kind* kind, const char* name) {
  for (const fb_signal_kind* k = fb_signal_kinds; k->stem; k++)
    if (k->over == FB_OVER_NOTHING && k->part && strcmp(k->stem, kind->stem) == 0 &&
        strcmp(k->part, name) == 0)
      return kind->over != FB_OVER_NOTHING;
  return 0;
}

/* Whether what follows the stem can be read in another way: "a.1", entry 1 of joint a, as the name of a joint with a
 * single entry; "a.x" as the name of another frame; "p.x", of a body p, as that of the scene's centre of mass. */
static int is_ambiguous(const fb_model* m, const fb_signal_kind* kind, const char* object, const char* name) {
  if (kind->over == FB_OVER_NOTHING) return 0;
  int other = fb_signal_overs[kind->over].find(m, name);
  if (kind->over == FB_OVER_Q || kind->over == FB_OVER_V)
    return other > 0 && fb_signal_components(m, kind, other) == 1;
  return other >= fb_signal_overs[kind->over].first || fb_signal_is_scene(kind, object);
}

/* ".3", ".x", ".force.x": what follows the object; "" where there is nothing. */
enum { TAIL = 24 };
static void tail_of(const fb_model* m, const fb_signal_kind* kind, fb_signal signal, char tail[TAIL]) {
  int length = 0;
  tail[0] = '\0';
  if (fb_signal_part_follows(kind)) length = snprintf(tail, TAIL, ".%s", kind->part);
  char* component = tail + length;
  size_t room = TAIL - (size_t)length;
  if (kind->components)
    snprintf(component, room, ".%s", kind->components[signal.component]);
  else if (fb_signal_components(m, kind, signal.index) > 1)
    snprintf(component, room, ".%d", signal.component);
}

/* "stem.object~index" and what follows, the object's name cut between two characters where it is too long. */
static void number_name(const char* stem, const char* object, int index, const char* tail,
                        char buffer[FB_SIGNAL_NAME_SIZE]) {
  char end[TAIL + 16];
  snprintf(end, sizeof end, "~%d%s", index, tail);
  size_t room = FB_SIGNAL_NAME_SIZE - 2 - strlen(stem) - strlen(end), length = strlen(object);
  if (length > room)
    for (length = room; length > 0 && (object[length] & 0xc0) == 0x80;) length--;
  snprintf(buffer, FB_SIGNAL_NAME_SIZE, "%s.%.*s%s", stem, (int)length, object, end);
}

char* fb_signal_name(const fb_model* m, fb_signal signal, char buffer[FB_SIGNAL_NAME_SIZE]) {
  const fb_signal_kind* kind = kind_of(m, signal);
  buffer[0] = '\0';
  if (!kind) return buffer;
  const char* object = fb_signal_object(m, kind, signal.index);
  char tail[TAIL];
  tail_of(m, kind, signal, tail);
  int length = snprintf(buffer, FB_SIGNAL_NAME_SIZE, "%s%s%s%s", kind->stem, object ? "." : "",
                        object ? object : "", tail);
  if (length >= FB_SIGNAL_NAME_SIZE ||
      (tail[0] && is_ambiguous(m, kind, object, buffer + strlen(kind->stem) + 1)))
    number_name(kind->stem, object, signal.index, tail, buffer);
  return buffer;
}

/* Of a gear by the coordinate of its joint a. The errors of other loops are lengths, or may be angles too. */
static const char* loop_unit(const fb_model* m, const fb_signal_kind* kind, int loop) {
  fb_loop_type type = fb_loop_type_of(m, loop);
  if (!kind->unit_length) return kind->unit;
  if (type != FB_LOOP_GEAR)
    return type == FB_LOOP_POINT || type == FB_LOOP_DISTANCE ? kind->unit_length : "1";
  int joint = fb_coordinate_body(m, m->top.gear_v[m->top.loop_gear[loop]]);
  return fb_joint_type_is_length(fb_joint_type_of(m, joint), 0) ? kind->unit_length : kind->unit;
}

const char* fb_signal_unit(const fb_model* m, fb_signal signal) {
  const fb_signal_kind* kind = kind_of(m, signal);
  if (!kind) return "";
  if (kind->over == FB_OVER_LOOPS) return loop_unit(m, kind, signal.index);
  if (kind->over != FB_OVER_Q && kind->over != FB_OVER_V) return kind->unit;
  fb_joint_type type = fb_joint_type_of(m, signal.index);
  int i = kind->over == FB_OVER_Q ? fb_joint_type_v_of(type, signal.component) : signal.component;
  if (i < 0) return "1"; /* of a quaternion */
  return fb_joint_type_is_length(type, i) ? kind->unit_length : kind->unit;
}

const char* fb_signal_axes(const fb_model* m, fb_signal signal) {
  const fb_signal_kind* kind = kind_of(m, signal);
  return kind ? kind->axes : "";
}

const char* fb_signal_meaning(fb_signal signal) {
  return signal.kind >= 0 && signal.kind < KINDS ? fb_signal_kinds[signal.kind].meaning : "";
}
