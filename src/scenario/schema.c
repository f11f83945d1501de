/* schema.c -- the table of keys of scenario files. See scenario/schema.h. */
#include "scenario/schema.h"

#include <stddef.h>

#include <freebody/sim.h>

#include "scenario/kinds.h"

#define BIT(variant) (1u << (variant))
enum {
  EVERY = FB_ALL_VARIANTS,
  NEVER = 0,
  TIME = BIT(FB_EVENT_TIME),
  CROSSING = BIT(FB_EVENT_CROSSING),
  LIMIT = BIT(FB_EVENT_LIMIT),
  CONTACT = BIT(FB_EVENT_CONTACT),
  FRAME = BIT(FB_FORCE_FRAME),
  JOINT = BIT(FB_FORCE_JOINT),
  SPRING = BIT(FB_FORCE_SPRING),
  BETWEEN = SPRING | BIT(FB_FORCE_BUSHING),
  TRAPEZOID = BIT(FB_PATH_TRAPEZOID),
  QP_FRAME = BIT(FB_QP_TASK_FRAME),
  QP_COM = BIT(FB_QP_TASK_COM),
  QP_JOINTS = BIT(FB_QP_TASK_JOINTS),
  /* Of joins, in the order of fb_join_words: all have an axis but weld, spherical and planar. */
  AXIAL = BIT(1) | BIT(2) | BIT(3) | BIT(4) | BIT(5),
  HELICAL = BIT(3),
  UNIVERSAL = BIT(5),
  ON_GRID = BIT(FB_SURFACE_HEIGHTFIELD),
  MESH = BIT(FB_SURFACE_MESH),
  HARD = BIT(FB_CONTACT_HARD),
  SPRINGY = BIT(FB_CONTACT_SPRING) | BIT(FB_CONTACT_HUNT_CROSSLEY) | BIT(FB_CONTACT_HERTZ),
  DAMPED = BIT(FB_CONTACT_SPRING) | BIT(FB_CONTACT_HUNT_CROSSLEY),
  SOIL = BIT(FB_CONTACT_SOIL),
  BY_KIND = FB_BY_KIND, /* the kinds of controllers list their keys, in scenario/kinds/ */
  SUNDIALS = BIT(FB_METHOD_CUSTOM) | BIT(FB_METHOD_COUNT),
#define AS_CONTROLLED(code, name, order, adaptive, ...) | ((adaptive) ? BIT(code) : 0)
#define AS_BOUNDED(code, name, order, adaptive, dense, moved, stepping, slopes, doubles, ...) \
  | ((doubles) ? BIT(code) : 0)
#define AS_STEPPING(code, name, order, adaptive, dense, moved, stepping, ...) | ((stepping) ? BIT(code) : 0)
  ADAPTIVE = 0 FB_METHOD_LIST(AS_CONTROLLED),
  CONTROLLED = SUNDIALS | ADAPTIVE, /* those that choose their own step */
  BOUNDED =
      CONTROLLED FB_METHOD_LIST(AS_BOUNDED) | BIT(FB_INTEGRATOR_AUTO), /* those whose steps can be bounded */
  ACCURATE = BOUNDED FB_METHOD_LIST(AS_STEPPING)
#undef AS_CONTROLLED
#undef AS_BOUNDED
#undef AS_STEPPING
};

/* The methods of fb_method except FB_METHOD_CUSTOM; then the two of SUNDIALS. */
#define AS_NAME(code, name, ...) #name,
static const char* const METHODS[] = {FB_METHOD_LIST(AS_NAME) "cvode", "arkode", "auto", NULL};
#undef AS_NAME
static const char* const EVENT_KINDS[] = {"time", "crossing", "limit", "contact", NULL};
static const char* const FORCE_KINDS[] = {"frame", "joint", "spring", "bushing", NULL};
static const char* const TASK_KINDS[] = {"frame", "com", "joints", NULL};
static const char* const SHAPES[] = {"cubic", "quintic", "trapezoid", NULL};
static const char* const ROWS[] = {"position", "pose", NULL};
static const char* const JACOBIANS[] = {"generalized", "plain", NULL};
static const char* const FRICTION_LAWS[] = {"smooth", "stiction", NULL};
static const char* const LIMITS[] = {"ignore", "contact", NULL};
/* In the order of fb_contact_law, fb_restitution_law and fb_rubbing. */
static const char* const LAWS[] = {"hard", "spring", "hunt_crossley", "hertz", "soil", NULL};
static const char* const RESTITUTION_LAWS[] = {"newton", "poisson", NULL};
static const char* const RUBBINGS[] = {"regularised", "bristle", NULL};
/* In the order of fb_contact_change. */
const char* const fb_change_words[] = {"hits", "opens", "slips", "sticks", NULL};
const char* const fb_surface_words[] = {"plane", "heightfield", "sphere", "ellipsoid", "box", "mesh", NULL};
static const char* const SATURATIONS[] = {"axis", "direction", NULL};
static const char* const DIRECTIONS[] = {"either", "rising", "falling", NULL};
static const char* const AXES[] = {"world", "frame", NULL};
static const char* const BACKGROUNDS[] = {"space", "plain", NULL};
static const char* const INERTIAS[] = {"strict", "repair", "keep", NULL};
const char* const fb_scenario_mimics[] = {"free", "fixed", "coupled", NULL};
static const char* const BASES[] = {"free", "fixed", NULL};

static const fb_schema_object OBJECTS[FB_SCENARIO_OBJECT_COUNT] = {
    [FB_SCENARIO_SCENARIO] = {"scenario", NULL, 0},
    [FB_SCENARIO_PART] = {"part", NULL, 0},
    [FB_SCENARIO_START] = {"start", NULL, 0},
    [FB_SCENARIO_BASE] = {"base", NULL, 0},
    [FB_SCENARIO_POSE] = {"pose", NULL, 0},
    [FB_SCENARIO_MOTION] = {"motion", NULL, 0},
    [FB_SCENARIO_PATH] = {"path", SHAPES, 0},
    [FB_SCENARIO_CONTROLLER] = {"controller", fb_kind_names, 0},
    [FB_SCENARIO_PATHS] = {"joint_path", SHAPES, 0},
    [FB_SCENARIO_POSITION] = {"position", SHAPES, 0},
    [FB_SCENARIO_TURN] = {"turn", SHAPES, 0},
    [FB_SCENARIO_SHAPING] = {"shaping", NULL, 0},
    [FB_SCENARIO_SAMPLE] = {"sample", NULL, 0},
    [FB_SCENARIO_NOISE] = {"noise", NULL, 0},
    [FB_SCENARIO_FORCE] = {"force", FORCE_KINDS, 0},
    [FB_SCENARIO_EVENT] = {"event", EVENT_KINDS, 0},
    [FB_SCENARIO_ACTION] = {"action", NULL, 0},
    [FB_SCENARIO_BOUNCE] = {"bounce", NULL, 0},
    [FB_SCENARIO_SETTING] = {"setting", NULL, 0},
    [FB_SCENARIO_JOIN] = {"join", fb_join_words, 0},
    [FB_SCENARIO_SURFACE] = {"surface", fb_surface_words, 0},
    [FB_SCENARIO_CONTACT] = {"contact", LAWS, 0},
    [FB_SCENARIO_MATERIAL] = {"material", NULL, 0},
    [FB_SCENARIO_SOIL] = {"soil", NULL, 0},
    [FB_SCENARIO_INTEGRATOR] = {"integrator", METHODS, 0},
    [FB_SCENARIO_LOG] = {"log", NULL, 0},
    [FB_SCENARIO_VIEW] = {"view", NULL, 0},
    [FB_SCENARIO_PRESS] = {"press", NULL, 0},
    [FB_SCENARIO_QP_TASK] = {"task", TASK_KINDS, 0},
    [FB_SCENARIO_QP_CONTACT] = {"planned_contact", NULL, 0},
    [FB_SCENARIO_FORCE_PATH] = {"force_path", SHAPES, 0},
};

#define AT(type, member) (int)offsetof(type, member)
#define ROW(object, key, kind, linear, angular, range, allowed, needed, offset, inner, words, fallback,   \
            help)                                                                                         \
  {                                                                                                       \
    FB_SCENARIO_##object, key, FB_FIELD_##kind, FB_Q_##linear, FB_Q_##angular, FB_RANGE_##range, allowed, \
        needed, offset, inner, words, fallback, help                                                      \
  }
/* A value without unit; an object; a number with unit; one whose unit depends on the coordinate; a word. */
#define PLAIN(object, key, kind, allowed, needed, offset, fallback, help) \
  ROW(object, key, kind, NONE, NONE, ANY, allowed, needed, offset, 0, NULL, fallback, help)
#define INNER_OF(object, key, kind, inner, allowed, fallback, help) \
  ROW(object, key, kind, NONE, NONE, ANY, allowed, NEVER, -1, FB_SCENARIO_##inner, NULL, fallback, help)
#define INNER(object, key, kind, inner, fallback, help) \
  INNER_OF(object, key, kind, inner, EVERY, fallback, help)
#define UNIT(object, key, kind, quantity, range, allowed, needed, offset, fallback, help) \
  ROW(object, key, kind, quantity, NONE, range, allowed, needed, offset, 0, NULL, fallback, help)
#define BOTH(object, key, kind, linear, angular, range, allowed, needed, fallback, help) \
  ROW(object, key, kind, linear, angular, range, allowed, needed, -1, 0, NULL, fallback, help)
#define WORD(object, key, words, allowed, fallback, help) \
  ROW(object, key, WORD, NONE, NONE, ANY, allowed, NEVER, -1, 0, words, fallback, help)
#define TURN(object, key, kind, quantity, fallback, help) \
  UNIT(object, key, kind, quantity, ANY, EVERY, NEVER, -1, fallback, "rotation: " help)
#define PLACE(object, offset, no_move, no_turn, in)                                                        \
  UNIT(object, "at", VECTOR, LENGTH, ANY, EVERY, NEVER, offset, no_move, "origin in " in),                 \
      TURN(object, "rpy", ANGLES, ANGLE, no_turn, "roll, pitch, yaw about fixed x, y, z; R = Rz Ry Rx"),   \
      TURN(object, "euler_xyz", ANGLES, ANGLE, no_turn, "angles about moving x, y, z; R = Rx Ry Rz"),      \
      TURN(object, "quat", QUATERNION, NONE, no_turn, "quaternion w, x, y, z, of any length except zero"), \
      TURN(object, "dcm", MATRIX, NONE, no_turn, "matrix R as three rows, orthonormal to 1e-6")
/* How a path runs from time to time. */
#define TIMES(object) UNIT(object, "times", NUMBERS, TIME, ANY, EVERY, EVERY, -1, NULL, "increasing times")
#define PROFILE(object)                                                                                      \
  WORD(object, "shape", SHAPES, EVERY, "cubic",                                                              \
       "cubic: smooth through the times, at rest at both ends; quintic: at rest at every time, least jerk; " \
       "trapezoid: at rest at every time, with constant acceleration, speed and deceleration"),              \
      UNIT(object, "ramp", NUMBER, NONE, POSITIVE, TRAPEZOID, NEVER, AT(fb_path_row, ramp), "0.25",          \
           "fraction of each interval spent accelerating, and again decelerating: up to 0.5"),               \
      INNER(object, "shaping", MAP, SHAPING, "none", "input shaping, which suppresses residual vibration")

/* How two sides touch: keys of contacts, with the laws that have them, and of materials, which have them all. */
#define TOUCH(object, mask, no_law, no_stiffness, no_soil)                                                   \
  WORD(                                                                                                      \
      object, "law", LAWS, EVERY, no_law,                                                                    \
      "hard: rigid; spring: stiffness d + damping d', where d is the depth; hunt_crossley: stiffness d^1.5 " \
      "(1 + damping d'); hertz: stiffness d^1.5; soil: a wheel on soft ground"),                             \
      UNIT(object, "friction", NUMBER, NONE, NOT_NEGATIVE, mask(HARD | SPRINGY), NEVER,                      \
           AT(fb_contact_row, contact.friction), "0", "Coulomb's coefficient"),                              \
      UNIT(object, "restitution", NUMBER, NONE, NOT_NEGATIVE, mask(HARD), NEVER,                             \
           AT(fb_contact_row, contact.restitution), "0", "how much an impact gives back, 0 to 1"),           \
      WORD(object, "restitution_law", RESTITUTION_LAWS, mask(HARD), "newton",                                \
           "newton: of the normal speed; poisson: of the normal impulse, which never gains energy"),         \
      UNIT(object, "stiffness", NUMBER, STIFFNESS, POSITIVE, mask(SPRINGY), NEVER, -1, no_stiffness,         \
           "stiffness; of hertz and hunt_crossley a plain number, in N/m^1.5"),                              \
      UNIT(object, "damping", NUMBER, DAMPING, NOT_NEGATIVE, mask(DAMPED), NEVER, -1, "0",                   \
           "damping; of hunt_crossley a plain number, in s/m"),                                              \
      WORD(object, "rubbing", RUBBINGS, mask(SPRINGY), "regularised",                                        \
           "how friction acts at rest: regularised: it creeps, with friction * normal * tanh(slip / "        \
           "slip_speed); bristle: it sticks, by a spring along the surface that yields"),                    \
      UNIT(object, "slip_speed", NUMBER, SPEED, POSITIVE, mask(SPRINGY), NEVER,                              \
           AT(fb_contact_row, contact.slip_speed),                                                           \
           "1 mm/s; less above 1e4 N/m or 1e6 N/m^1.5, with the root of the stiffness",                      \
           "slip speed at which regularised friction reaches three quarters of its value"),                  \
      UNIT(object, "bristle_stiffness", NUMBER, STIFFNESS, NOT_NEGATIVE, mask(SPRINGY), NEVER,               \
           AT(fb_contact_row, contact.bristle_stiffness), "that of the normal force, with d^1.5 at 0.1 mm",  \
           "stiffness of the bristle along the surface"),                                                    \
      UNIT(object, "bristle_damping", NUMBER, DAMPING, NOT_NEGATIVE, mask(SPRINGY), NEVER,                   \
           AT(fb_contact_row, contact.bristle_damping), "likewise", "damping of the bristle"),               \
      ROW(object, "soil", NAMED, NONE, NONE, ANY, mask(SOIL), NEVER, -1, FB_SCENARIO_SOIL, NULL, no_soil,    \
          "the soil under a wheel: the name of a preset, or its parameters")
#define AS_IT_IS(mask) (mask)
#define FOR_ALL(mask) EVERY

static const fb_field FIELDS[] = {
    PLAIN(SCENARIO, "scenario", VERSION, EVERY, EVERY, -1, NULL, "version of the format: 1"),
    PLAIN(SCENARIO, "name", TEXT, EVERY, NEVER, AT(fb_scenario_top, name),
          "the file's name without extension", "name of the scenario"),
    PLAIN(SCENARIO, "model", DOCUMENT, EVERY, NEVER, -1, "this or `models` is required",
          "a model file of any format, relative to the scenario's folder, or a native model as a map"),
    INNER(SCENARIO, "models", LIST, PART, "this or `model` is required",
          "several models in one scene, each placed in the world or on another"),
    PLAIN(SCENARIO, "loops", LOOPS, EVERY, NEVER, -1, "none",
          "loops in addition to those of the models, between frames or joints of the whole scene"),
    WORD(SCENARIO, "base", BASES, EVERY, "as in the file",
         "how the bases of URDFs are attached to the world: free or fixed"),
    WORD(SCENARIO, "inertia", INERTIAS, EVERY, "repair for a URDF; otherwise what the model says, or strict",
         "masses and inertias of the models that no body can have: strict: refused; repair: the nearest "
         "possible "
         "ones are taken; keep: computed with as given, where the dynamics can"),
    WORD(SCENARIO, "mimic", fb_scenario_mimics, EVERY, "coupled",
         "joints of URDFs with `<mimic>`, which follow another joint: coupled: a gear couples the two; free: "
         "they move "
         "independently; fixed: they are fixed at their offset"),
    PLAIN(SCENARIO, "packages", BY_NAME, EVERY, NEVER, -1, "searched, see [urdf.md](urdf.md)",
          "folders of `package://` addresses in URDFs by name, relative to the scenario's folder"),
    UNIT(SCENARIO, "gravity", OR_NONE, ACCELERATION, ANY, EVERY, NEVER, -1,
         "that of the model file, otherwise none", "uniform gravity, world axes"),
    WORD(SCENARIO, "friction_law", FRICTION_LAWS, EVERY, "smooth",
         "smooth: friction tanh(v / friction_speed), with which a loaded joint creeps; stiction: a joint at "
         "rest sticks until the force on it exceeds its friction"),
    INNER(SCENARIO, "start", MAP, START, "all coordinates and rates 0", "the state at time 0"),
    INNER(SCENARIO, "motions", LIST, MOTION, "none", "coordinates with prescribed motion"),
    PLAIN(SCENARIO, "modes", NAMES, EVERY, NEVER, -1, "one without a name",
          "names of up to 32 modes; the first is active at the start, and events switch between them"),
    INNER(SCENARIO, "control", LIST, CONTROLLER, "none", "control laws"),
    INNER(SCENARIO, "forces", LIST, FORCE, "none",
          "forces and torques as functions of time; springs and bushings between frames"),
    INNER(SCENARIO, "surfaces", LIST, SURFACE, "none",
          "ground, walls and rocks that contacts name, fixed to the world or to a body"),
    INNER(SCENARIO, "contacts", LIST, CONTACT, "none",
          "which shapes, points and surfaces touch one another; nothing else does"),
    INNER(SCENARIO, "materials", MAPS, MATERIAL, "none",
          "values by name that contacts take unless they give their own; `default` is for contacts without a "
          "material"),
    WORD(SCENARIO, "limits", LIMITS, EVERY, "ignore",
         "contact: the limits of all joints are rigid stops, without rebound, except those of joints for "
         "which an event says otherwise; ignore: only those"),
    INNER(SCENARIO, "events", LIST, EVENT, "none", "actions at given times or conditions"),
    INNER(SCENARIO, "integrator", MAP, INTEGRATOR, "auto", "integration method and step"),
    UNIT(SCENARIO, "duration", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_scenario_top, duration), "10 s",
         "length of the run, in simulated time"),
    INNER(SCENARIO, "log", MAP, LOG, "see there", "what is logged, and how often"),
    UNIT(SCENARIO, "checkpoint", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_scenario_top, checkpoint),
         "about a twentieth of the duration, in whole steps",
         "simulated time between checkpoints, from which an interrupted run is resumed"),
    INNER(SCENARIO, "view", MAP, VIEW, "see there",
          "appearance of pictures of the run; it has no other effect"),

    PLAIN(PART, "model", DOCUMENT, EVERY, EVERY, -1, NULL,
          "a model file, relative to the scenario's folder, or a native model as a map"),
    PLAIN(PART, "name", TEXT, EVERY, NEVER, AT(fb_part_row, name), "names are unchanged",
          "prefix for all names of the model: `arm` becomes `NAME_arm`"),
    WORD(PART, "base", BASES, EVERY, "that of the scenario",
         "how the base of this URDF is attached to the world"),
    WORD(PART, "inertia", INERTIAS, EVERY, "that of the scenario",
         "masses and inertias of this model that no body can have: strict, repair or keep"),
    PLAIN(PART, "parent", TEXT, EVERY, NEVER, AT(fb_part_row, parent), "the world",
          "the body or frame of another model that carries this one, by its name in the scene"),
    PLAIN(PART, "joint", JOINT, EVERY, NEVER, -1,
          "that of the model; with `parent`, a floating base is fixed",
          "replaces the joint of the model's base; its place is given by `at` and the rotation of the part"),
    WORD(PART, "mimic", fb_scenario_mimics, EVERY, "that of the scenario",
         "joints of this URDF with `<mimic>`: coupled, free or fixed"),
    PLAIN(PART, "packages", BY_NAME, EVERY, NEVER, -1, "those of the scenario",
          "folders of `package://` addresses in this URDF, before those of the scenario"),
    PLACE(PART, AT(fb_part_row, at), "0, 0, 0", "no rotation",
          "the parent, or the world; displaces the model's root joints"),

    PLAIN(
        START, "joints", BY_NAME, EVERY, NEVER, -1, "0",
        "coordinates by joint: a number; a list for a joint with several; a [pose](#pose) or quaternion for "
        "spherical joints"),
    PLAIN(START, "near", BY_NAME, EVERY, NEVER, -1, "0",
          "coordinates by joint, likewise, from which the search for closed loops starts; those in `joints` "
          "are held"),
    PLAIN(START, "rates", BY_NAME, EVERY, NEVER, -1, "0",
          "rates by joint: a number, or a list for a joint with several"),
    INNER(START, "base", MAP, BASE, "at its place in the model, at rest",
          "the floating base, when there is one"),
    INNER(START, "bases", MAPS, BASE, "at their places in the model, at rest", "the floating bases, by body"),
    PLAIN(START, "zero_momentum", BOOL, EVERY, NEVER, -1, "false",
          "true: each floating base gets the velocity at which its tree has zero momentum"),

    PLACE(BASE, AT(fb_base_row, at), "its place in the model", "as in the model", "the world"),
    UNIT(BASE, "velocity", VECTOR, SPEED, ANY, EVERY, NEVER, AT(fb_base_row, velocity), "0, 0, 0",
         "velocity of its origin, world axes"),
    UNIT(BASE, "angular_velocity", VECTOR, RATE, ANY, EVERY, NEVER, AT(fb_base_row, angular_velocity),
         "0, 0, 0", "angular velocity, world axes"),

    PLACE(POSE, AT(fb_base_row, at), "0, 0, 0", "no rotation", "the joint frame; free joints only"),

    PLAIN(MOTION, "name", TEXT, EVERY, NEVER, AT(fb_motion_row, name), "as motions[0]",
          "its name, by which events start it"),
    PLAIN(MOTION, "joint", TEXT, EVERY, EVERY, AT(fb_motion_row, joint), NULL, "the joint that is moved"),
    PLAIN(MOTION, "coordinate", INDEX, EVERY, NEVER, AT(fb_motion_row, coordinate), "all of them",
          "which one, from 0, of a joint with several"),
    PLAIN(MOTION, "lock", BOOL, EVERY, NEVER, AT(fb_motion_row, lock), "one of these four is required",
          "true: held at its current position"),
    BOTH(MOTION, "rate", COORDINATES, SPEED, RATE, ANY, EVERY, NEVER, "one of these four is required",
         "moved at a constant rate"),
    BOTH(MOTION, "value", COORDINATES, LENGTH, ANGLE, ANY, EVERY, NEVER, "one of these four is required",
         "held at this coordinate"),
    INNER(MOTION, "path", MAP, PATH, "one of these four is required", "moved along a smooth path"),
    PLAIN(MOTION, "at_start", BOOL, EVERY, NEVER, AT(fb_motion_row, at_start), "true",
          "false: only an event starts it"),

    TIMES(PATH),
    BOTH(PATH, "values", NUMBERS, LENGTH, ANGLE, ANY, EVERY, EVERY, NULL, "one for each time"),
    PROFILE(PATH),

    PLAIN(CONTROLLER, "name", TEXT, EVERY, NEVER, AT(fb_controller_row, name), "as control[0]",
          "its name, by which events set its parameters"),
    ROW(CONTROLLER, "type", WORD, NONE, NONE, ANY, EVERY, EVERY, -1, 0, fb_kind_names, NULL,
        "the control law"),
    PLAIN(CONTROLLER, "joints", NAMES, BY_KIND, NEVER, -1, "all; for remote none",
          "the joints, or `all`: those whose coordinates are plain angles and lengths"),
    PLAIN(CONTROLLER, "frame", TEXT, BY_KIND, NEVER, -1, NULL, "the frame or body that follows a path"),
    PLAIN(CONTROLLER, "from", TEXT, BY_KIND, NEVER, -1, "the tree's base, or the body it is fixed to",
          "the law drives the joints between this body and the frame; joints before it are free to move"),
    PLAIN(CONTROLLER, "body", TEXT, BY_KIND, NEVER, -1, "the only floating base",
          "the floating base whose attitude is controlled"),
    BOTH(
        CONTROLLER, "kp", COORDINATES, STIFFNESS, ANGULAR_STIFFNESS, NOT_NEGATIVE, BY_KIND, NEVER, NULL,
        "gain on the position error: for joints, one for all or one for each coordinate; for "
        "computed_torque, "
        "frame_tracking and force_position without unit, in 1/s^2; for impedance the stiffness along x, y, z "
        "and, with rows: pose, about x, y, z, or one number along all axes with rows: position"),
    BOTH(CONTROLLER, "kd", COORDINATES, DAMPING, ANGULAR_DAMPING, NOT_NEGATIVE, BY_KIND, NEVER,
         "0; 2 sqrt(kp) when kp is in 1/s^2",
         "gain on the rate error, likewise; for computed_torque, frame_tracking and force_position without "
         "unit, in 1/s; for impedance the damping"),
    BOTH(CONTROLLER, "ki", COORDINATES, INTEGRAL_GAIN, ANGULAR_INTEGRAL_GAIN, NOT_NEGATIVE, BY_KIND, NEVER,
         "0; joint_pid requires it", "gain on the integral of the error, likewise"),
    UNIT(CONTROLLER, "gain", NUMBER, NONE, POSITIVE, BY_KIND, NEVER, -1, "1",
         "rate at which an error decays, in 1/s"),
    BOTH(CONTROLLER, "target", TARGETS, LENGTH, ANGLE, ANY, BY_KIND, NEVER, "initial coordinates",
         "desired coordinates"),
    INNER_OF(CONTROLLER, "path", MAP, PATHS, BY_KIND, "none", "or desired coordinates as functions of time"),
    INNER_OF(CONTROLLER, "position", MAP, POSITION, BY_KIND, "initial position",
             "desired position of the frame, world axes"),
    PLAIN(CONTROLLER, "from_start", BOOL, BY_KIND, NEVER, -1, "false",
          "true: `position` is relative to the frame's initial position instead of the world's origin"),
    INNER_OF(CONTROLLER, "turn", MAP, TURN, BY_KIND, "initial attitude",
             "desired attitude: the initial one, rotated about `axis`"),
    UNIT(CONTROLLER, "axis", AXIS, NONE, ANY, BY_KIND, NEVER, -1, "`turn` requires it",
         "the axis of `turn`, world axes, of any length"),
    WORD(CONTROLLER, "rows", ROWS, BY_KIND, "pose",
         "what is controlled: the frame's position, leaving the attitude free, or its whole pose"),
    WORD(CONTROLLER, "jacobian", JACOBIANS, BY_KIND, "generalized",
         "generalized: accounts for the reaction of a floating base; plain: assumes that the base stays at "
         "its "
         "initial pose"),
    UNIT(CONTROLLER, "damping", NUMBER, NONE, NOT_NEGATIVE, BY_KIND, NEVER, -1, "0",
         "of the pseudo-inverse: above 0 it keeps joint rates small near singular poses, where the frame "
         "lags"),
    WORD(CONTROLLER, "axes", AXES, BY_KIND, "world",
         "the axes of `kp` and `kd`, or of the forces and torques that an input or a remote controller sets "
         "on "
         "`frames`: those of the world or of the frame"),
    PLAIN(CONTROLLER, "frames", NAMES, BY_KIND, NEVER, -1, "none",
          "frames or bodies on which an input or a remote controller sets a force and a torque"),
    INNER_OF(CONTROLLER, "press", LIST, PRESS, BY_KIND, "`force_position` requires it",
             "one to three directions along which the frame presses with a force"),
    INNER_OF(CONTROLLER, "tasks", LIST, QP_TASK, BY_KIND, "`task_qp` requires it", "what the robot shall do"),
    INNER_OF(CONTROLLER, "contacts", LIST, QP_CONTACT, BY_KIND, "none",
             "frames at which the law may count on forces of the surroundings"),
    PLAIN(CONTROLLER, "thrust", NAMES, BY_KIND, NEVER, -1, "none",
          "floating bases that are driven too: the law then applies a force and a torque to them"),
    UNIT(CONTROLLER, "decay", NUMBER, NONE, NOT_NEGATIVE, BY_KIND, NEVER, -1,
         "2 for impedance, 1 for task_qp",
         "rate at which joint motion decays that the tasks leave open, in 1/s"),
    PLAIN(CONTROLLER, "wheels", NAMES, BY_KIND, NEVER, -1, "thrusters",
          "reaction wheels, by their joints or bodies, which share the torque and respect the `speed` of "
          "their joints; without them the torque acts on the body"),
    BOTH(CONTROLLER, "effort", COORDINATES, FORCE, TORQUE, NOT_NEGATIVE, BY_KIND, NEVER,
         "for joints the model's, otherwise no limit",
         "largest force or torque: of each joint, each wheel, or each component of the torque on the body, "
         "in its axes"),
    WORD(CONTROLLER, "saturate", SATURATIONS, BY_KIND, "axis",
         "a torque beyond `effort`: each wheel or component is clamped separately, or all are scaled by one "
         "factor, which keeps the direction"),
    PLAIN(CONTROLLER, "file", TEXT, BY_KIND, NEVER, -1, "lua: this or `text` is required",
          "the script, or the shared library, relative to the scenario's folder"),
    PLAIN(CONTROLLER, "text", TEXT, BY_KIND, NEVER, -1, "lua: this or `file` is required",
          "the script itself"),
    UNIT(CONTROLLER, "period", NUMBER, TIME, POSITIVE, BY_KIND, NEVER, -1, "no ticks",
         "time between calls of the script's `tick`, or between exchanges with a remote controller"),
    PLAIN(CONTROLLER, "parameters", BY_NAME, BY_KIND, NEVER, -1, "its own",
          "numbers by name, passed to the script or plugin"),
    UNIT(CONTROLLER, "most_seconds", NUMBER, TIME, POSITIVE, BY_KIND, NEVER, -1, "1 s",
         "longest time of one call of the script; exceeding it ends the run"),
    PLAIN(CONTROLLER, "most_instructions", INDEX, BY_KIND, NEVER, -1, "10000000",
          "largest number of instructions of one call, likewise"),
    UNIT(CONTROLLER, "most_memory", NUMBER, NONE, POSITIVE, BY_KIND, NEVER, -1, "64",
         "largest memory of the script, in MiB, likewise"),
    INNER(CONTROLLER, "sample", MAP, SAMPLE, "continuous",
          "sampled as on a flight computer: at a rate, with delay and noisy measurements"),
    PLAIN(CONTROLLER, "limit", BOOL, BY_KIND, NEVER, -1, "false",
          "true: the force on each joint is clamped to the model's effort limit"),
    PLAIN(CONTROLLER, "mode", NAMES, EVERY, NEVER, -1, "all", "the modes in which it acts"),

    TIMES(PATHS),
    BOTH(PATHS, "values", BY_NAME, LENGTH, ANGLE, ANY, EVERY, EVERY, NULL,
         "by joint: a list with one coordinate for each time"),
    PROFILE(PATHS),

    TIMES(POSITION),
    UNIT(POSITION, "x", NUMBERS, LENGTH, ANY, EVERY, NEVER, -1, "its initial value", "one for each time"),
    UNIT(POSITION, "y", NUMBERS, LENGTH, ANY, EVERY, NEVER, -1, "its initial value", "one for each time"),
    UNIT(POSITION, "z", NUMBERS, LENGTH, ANY, EVERY, NEVER, -1, "its initial value", "one for each time"),
    UNIT(POSITION, "points", VECTORS, LENGTH, ANY, EVERY, NEVER, -1, "none",
         "or all three, as one point for each time"),
    PROFILE(POSITION),

    UNIT(PRESS, "direction", AXIS, NONE, ANY, EVERY, EVERY, AT(fb_press_row, direction), NULL,
         "direction in which the frame pushes, of any length; several are at right angles"),
    PLAIN(PRESS, "axes", TEXT, EVERY, NEVER, AT(fb_press_row, axes), "world",
          "the frame or body whose axes `direction` is given in"),
    UNIT(PRESS, "force", NUMBER, FORCE, ANY, EVERY, NEVER, AT(fb_press_row, force),
         "this or `path` is required", "desired force"),
    INNER(PRESS, "path", MAP, FORCE_PATH, "none", "or desired force as a function of time"),
    PLAIN(PRESS, "measured", TEXT, EVERY, NEVER, AT(fb_press_row, measured), "no feedback",
          "a signal with the measured force, such as contact.NAME.normal; `ki` requires it"),
    UNIT(PRESS, "ki", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_press_row, ki), "0",
         "gain on the integral of the force error, in 1/s"),

    PLAIN(QP_TASK, "frame", TEXT, QP_FRAME, QP_FRAME, -1, "one of `frame`, `com`, `joints` is required",
          "the frame or body that follows a path"),
    PLAIN(QP_TASK, "com", TEXT, QP_COM, QP_COM, -1, "one of `frame`, `com`, `joints` is required",
          "a body, or world: the centre of mass of this body and all that it carries follows a path"),
    PLAIN(QP_TASK, "joints", NAMES, QP_JOINTS, QP_JOINTS, -1, "one of `frame`, `com`, `joints` is required",
          "the joints that go to targets or follow paths, or `all`"),
    PLAIN(QP_TASK, "priority", INDEX, EVERY, NEVER, AT(fb_wish_row, priority), "1",
          "0 to 1000, smaller numbers first; a task costs those before it nothing"),
    UNIT(QP_TASK, "weight", NUMBER, NONE, POSITIVE, EVERY, NEVER, AT(fb_wish_row, weight), "1",
         "weight of its squared errors among the tasks of the same priority"),
    UNIT(QP_TASK, "kp", COORDINATES, NONE, NOT_NEGATIVE, EVERY, NEVER, -1, "1",
         "gain on the position error, in 1/s^2; for joints one for all or one for each coordinate"),
    UNIT(QP_TASK, "kd", COORDINATES, NONE, NOT_NEGATIVE, EVERY, NEVER, -1, "2 sqrt(kp)",
         "gain on the rate error, in 1/s, likewise"),
    PLAIN(QP_TASK, "axes", NAMES, QP_FRAME | QP_COM, NEVER, -1, "position",
          "what is controlled, world axes: x, y, z, position for all three; rx, ry, rz about them, attitude "
          "for "
          "all three; pose for all six"),
    INNER_OF(QP_TASK, "position", MAP, POSITION, QP_FRAME | QP_COM, "initial position",
             "desired position, world axes"),
    PLAIN(QP_TASK, "from_start", BOOL, QP_FRAME | QP_COM, NEVER, -1, "false",
          "true: `position` is relative to the initial position"),
    INNER_OF(QP_TASK, "turn", MAP, TURN, QP_FRAME, "initial attitude",
             "desired attitude: the initial one, rotated about `axis`"),
    UNIT(QP_TASK, "axis", AXIS, NONE, ANY, QP_FRAME, NEVER, -1, "`turn` requires it",
         "the axis of `turn`, world axes, of any length"),
    BOTH(QP_TASK, "target", TARGETS, LENGTH, ANGLE, ANY, QP_JOINTS, NEVER, "initial coordinates",
         "desired coordinates"),
    INNER_OF(QP_TASK, "path", MAP, PATHS, QP_JOINTS, "none", "or desired coordinates as functions of time"),

    PLAIN(QP_CONTACT, "frame", TEXT, EVERY, EVERY, -1, NULL,
          "the frame or body at whose origin the force acts"),
    UNIT(QP_CONTACT, "normal", AXIS, NONE, ANY, EVERY, NEVER, AT(fb_foot_row, normal), "0, 0, 1",
         "normal of the surface, towards the robot, world axes"),
    UNIT(QP_CONTACT, "friction", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_foot_row, friction), "0.5",
         "coefficient of friction that the law counts on"),
    PLAIN(QP_CONTACT, "sides", INDEX, EVERY, NEVER, AT(fb_foot_row, sides), "8",
          "sides of the pyramid inside the friction cone, 3 to 64"),
    PLAIN(QP_CONTACT, "stance", BOOL, EVERY, NEVER, AT(fb_foot_row, stance), "true",
          "true: the point stays where it is, before all tasks; false: it may slide or lift off"),
    UNIT(QP_CONTACT, "kd", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_foot_row, kd), "0",
         "rate at which the velocity of a point in stance decays, in 1/s"),
    UNIT(QP_CONTACT, "most", NUMBER, FORCE, POSITIVE, EVERY, NEVER, AT(fb_foot_row, most), "no limit",
         "largest normal force"),
    INNER(QP_CONTACT, "most_path", MAP, FORCE_PATH, "none",
          "or largest normal force as a function of time; where it is not positive there is no contact"),
    UNIT(QP_CONTACT, "force", NUMBER, FORCE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_foot_row, force),
         "as the tasks need it", "desired normal force"),
    INNER(QP_CONTACT, "path", MAP, FORCE_PATH, "none", "or desired normal force as a function of time"),
    PLAIN(QP_CONTACT, "priority", INDEX, EVERY, NEVER, AT(fb_wish_row, priority), "1",
          "priority of the desired force among the tasks"),
    UNIT(QP_CONTACT, "weight", NUMBER, NONE, POSITIVE, EVERY, NEVER, AT(fb_wish_row, weight), "1",
         "weight of its squared error among the tasks of the same priority"),

    TIMES(FORCE_PATH),
    UNIT(FORCE_PATH, "forces", NUMBERS, FORCE, ANY, EVERY, EVERY, -1, NULL, "one for each time"),
    PROFILE(FORCE_PATH),

    TIMES(TURN),
    UNIT(TURN, "angles", NUMBERS, ANGLE, ANY, EVERY, EVERY, -1, NULL, "one for each time"),
    PROFILE(TURN),

    UNIT(SHAPING, "frequency", NUMBER, FREQUENCY, POSITIVE, EVERY, EVERY, AT(fb_shaping_row, frequency), NULL,
         "natural frequency of the vibration"),
    UNIT(SHAPING, "damping", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_shaping_row, damping), "0",
         "its damping ratio, below 1"),
    PLAIN(SHAPING, "robust", BOOL, EVERY, NEVER, AT(fb_shaping_row, robust), "true",
          "true: ZVD, a whole period longer, robust to errors in the frequency; false: ZV, half a period "
          "longer"),

    UNIT(SAMPLE, "rate", NUMBER, FREQUENCY, POSITIVE, EVERY, NEVER, AT(fb_sample_row, rate),
         "this or `period` is required",
         "sampling rate: the law reads the state, and its output is held until the next sample"),
    UNIT(SAMPLE, "period", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_sample_row, period),
         "this or `rate` is required", "or the time between samples"),
    UNIT(SAMPLE, "delay", NUMBER, TIME, NOT_NEGATIVE, EVERY, NEVER, AT(fb_sample_row, delay), "0",
         "time from a sample until its output acts, at most 100 periods"),
    INNER(SAMPLE, "noise", MAP, NOISE, "none", "measurement noise"),
    PLAIN(SAMPLE, "seed", INDEX, EVERY, NEVER, AT(fb_sample_row, seed), "0",
          "the same seed gives the same noise"),

    UNIT(NOISE, "position", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_noise_row, position), "0",
         "standard deviation of Gaussian noise on coordinates, in rad or m"),
    UNIT(NOISE, "rate", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_noise_row, rate), "0",
         "the same on rates, in rad/s or m/s"),

    PLAIN(FORCE, "name", TEXT, EVERY, NEVER, AT(fb_force_row, name), "as forces[0]", "its name"),
    WORD(FORCE, "type", FORCE_KINDS, EVERY, "frame or joint, by the key that is given",
         "frame: a given force on a frame; joint: a given force of an actuator; spring: between two frames, "
         "along the line through them; bushing: between two frames, along and about three axes"),
    PLAIN(FORCE, "frame", TEXT, FRAME, FRAME, AT(fb_force_row, frame),
          "this, `joint` or a `type` is required", "the frame or body at whose origin it acts"),
    PLAIN(FORCE, "joint", TEXT, JOINT, JOINT, AT(fb_force_row, joint),
          "this, `frame` or a `type` is required", "the joint it acts on, as an actuator"),
    WORD(FORCE, "axes", AXES, FRAME, "world", "the axes of force and torque"),
    UNIT(FORCE, "force", VECTOR, FORCE, ANY, FRAME, NEVER, AT(fb_force_row, force), "0, 0, 0",
         "force, constant from `from` to `to`"),
    UNIT(FORCE, "torque", VECTOR, TORQUE, ANY, FRAME, NEVER, AT(fb_force_row, torque), "0, 0, 0",
         "torque, likewise"),
    BOTH(FORCE, "tau", COORDINATES, FORCE, TORQUE, ANY, JOINT, NEVER, "none",
         "force or torque of the joint, likewise"),
    UNIT(FORCE, "from", NUMBER, TIME, NOT_NEGATIVE, FRAME | JOINT, NEVER, AT(fb_force_row, from), "0",
         "time at which it begins"),
    UNIT(FORCE, "to", NUMBER, TIME, NOT_NEGATIVE, FRAME | JOINT, NEVER, AT(fb_force_row, to), "never",
         "time at which it ends"),
    UNIT(FORCE, "times", NUMBERS, TIME, ANY, FRAME | JOINT, NEVER, -1, "none",
         "or a schedule: increasing times; zero before the first and after the last"),
    UNIT(FORCE, "forces", VECTORS, FORCE, ANY, FRAME, NEVER, -1, "0", "one for each time"),
    UNIT(FORCE, "torques", VECTORS, TORQUE, ANY, FRAME, NEVER, -1, "0", "one for each time"),
    BOTH(FORCE, "taus", NUMBERS, FORCE, TORQUE, ANY, JOINT, NEVER, "none",
         "one for each time; lists for a joint with several coordinates"),
    PLAIN(FORCE, "interpolate", BOOL, FRAME | JOINT, NEVER, AT(fb_force_row, interpolate), "false",
          "true: linear between the times; false: each value is constant until the next time"),
    PLAIN(FORCE, "mode", NAMES, FRAME | JOINT, NEVER, -1, "all", "the modes in which it acts"),
    PLAIN(FORCE, "a", TEXT, BETWEEN, BETWEEN, AT(fb_force_row, a), NULL,
          "the frame or body at one end; its axes are those of a bushing"),
    PLAIN(FORCE, "b", TEXT, BETWEEN, BETWEEN, AT(fb_force_row, b), NULL,
          "the frame or body at the other end; either may be the world"),
    BOTH(FORCE, "stiffness", COORDINATES, STIFFNESS, ANGULAR_STIFFNESS, NOT_NEGATIVE, BETWEEN, BETWEEN, NULL,
         "of a spring one number; of a bushing six, along x, y, z and about x, y, z of `a`"),
    BOTH(FORCE, "damping", COORDINATES, DAMPING, ANGULAR_DAMPING, NOT_NEGATIVE, BETWEEN, NEVER, "0",
         "likewise"),
    UNIT(FORCE, "length", NUMBER, LENGTH, NOT_NEGATIVE, SPRING, NEVER, AT(fb_force_row, length),
         "the distance of `a` and `b` at the start", "length without tension"),
    PLAIN(FORCE, "slack", BOOL, SPRING, NEVER, AT(fb_force_row, slack), "false",
          "true: a tether, which pulls when it is longer than `length` and never pushes"),

    PLAIN(EVENT, "name", TEXT, EVERY, NEVER, AT(fb_event_row, name), "as events[0]", "its name in the log"),
    UNIT(EVENT, "at", NUMBER, TIME, NOT_NEGATIVE, TIME, TIME, AT(fb_event_row, at),
         "one of `at`, `when`, `limit`, `contact` is required", "time of the event"),
    UNIT(EVENT, "every", NUMBER, TIME, POSITIVE, TIME, NEVER, AT(fb_event_row, every), "once",
         "repeats it with this period"),
    PLAIN(EVENT, "when", TEXT, CROSSING, CROSSING, AT(fb_event_row, when),
          "one of `at`, `when`, `limit`, `contact` is required",
          "a signal, such as p.hand.z: the event occurs when it crosses the level `crosses`"),
    PLAIN(EVENT, "crosses", NUMBER, CROSSING, CROSSING, -1, NULL, "the level, in the signal's unit"),
    WORD(EVENT, "direction", DIRECTIONS, CROSSING, "either", "direction of the crossing"),
    PLAIN(EVENT, "limit", NAMES, LIMIT, LIMIT, -1, "one of `at`, `when`, `limit`, `contact` is required",
          "a joint, a list of joints, or all: the event occurs when one of them reaches one of its limits; a "
          "name "
          "that ends with * selects all joints that begin so"),
    BOTH(EVENT, "stiffness", NUMBER, STIFFNESS, ANGULAR_STIFFNESS, POSITIVE, LIMIT, NEVER, "none",
         "makes the limits soft stops: springs that push back a joint beyond its limit, and never pull"),
    BOTH(EVENT, "damping", NUMBER, DAMPING, ANGULAR_DAMPING, NOT_NEGATIVE, LIMIT, NEVER, "0",
         "damping of soft stops"),
    PLAIN(EVENT, "contact", TEXT, CONTACT, CONTACT, -1, "one of `at`, `when`, `limit`, `contact` is required",
          "a hard contact: the event occurs when `change` happens to it"),
    WORD(EVENT, "change", fb_change_words, CONTACT, "hits",
         "hits: an impact; opens: it parts; slips, sticks: it touches and begins to slip, or to stick or "
         "roll; slips also where its slip reverses"),
    PLAIN(EVENT, "once", BOOL, CROSSING | LIMIT | CONTACT, NEVER, AT(fb_event_row, once), "false",
          "true: it occurs at most once"),
    INNER(EVENT, "do", LIST, ACTION, "it is only logged", "the actions, in order"),

    PLAIN(ACTION, "lock", TEXT, EVERY, NEVER, AT(fb_action_row, lock), "each action has one key",
          "hold this joint at its current position"),
    PLAIN(ACTION, "release", TEXT, EVERY, NEVER, AT(fb_action_row, release), "",
          "drive this joint by force again"),
    PLAIN(ACTION, "move", TEXT, EVERY, NEVER, AT(fb_action_row, move), "", "start this motion"),
    INNER(ACTION, "bounce", MAP, BOUNCE, "",
          "reverse the rate of a joint: with `limit` the limit becomes a rigid stop, otherwise one bounce"),
    PLAIN(ACTION, "mode", TEXT, EVERY, NEVER, AT(fb_action_row, mode), "", "switch to this mode"),
    INNER(ACTION, "set", MAP, SETTING, "", "set a parameter of a block"),
    INNER(ACTION, "join", MAP, JOIN, "", "join two trees at two frames by a new joint"),
    PLAIN(ACTION, "part", TEXT, EVERY, NEVER, AT(fb_action_row, part), "",
          "undo the join of this name, or open this joint of the model: its child then floats"),
    PLAIN(ACTION, "stop", BOOL, EVERY, NEVER, AT(fb_action_row, stop), "", "true: end the run"),

    PLAIN(BOUNCE, "joint", TEXT, EVERY, NEVER, AT(fb_bounce_row, joint), "the joint of the event's `limit`",
          "which joint"),
    PLAIN(BOUNCE, "coordinate", INDEX, EVERY, NEVER, AT(fb_bounce_row, coordinate), "the one at its limit",
          "which coordinate, from 0, of a joint with several"),
    UNIT(BOUNCE, "restitution", NUMBER, NONE, NOT_NEGATIVE, EVERY, EVERY, AT(fb_bounce_row, restitution),
         NULL, "ratio of the rate after to the rate before: 0 to 1"),

    PLAIN(SETTING, "block", TEXT, EVERY, EVERY, AT(fb_setting_row, block), NULL,
          "name of a control law, spring or bushing"),
    PLAIN(
        SETTING, "parameter", TEXT, EVERY, EVERY, AT(fb_setting_row, parameter), NULL,
        "for joint laws JOINT.kp, JOINT.kd, JOINT.ki, JOINT.target, JOINT.effort; for others kp, kd, effort, "
        "or the script's or plugin's own; for a spring stiffness, damping, length; for a bushing "
        "stiffness.0 to stiffness.5, damping.0 to damping.5"),
    PLAIN(SETTING, "value", NUMBER, EVERY, EVERY, -1, NULL, "the new value"),

    PLAIN(JOIN, "name", TEXT, EVERY, EVERY, AT(fb_join_row, name), NULL, "name of the joint that is made"),
    PLAIN(JOIN, "frame", TEXT, EVERY, EVERY, AT(fb_join_row, frame), NULL,
          "a frame or body of one tree; this tree is re-rooted when it floats, otherwise that of `to`"),
    PLAIN(JOIN, "to", TEXT, EVERY, EVERY, AT(fb_join_row, to), NULL,
          "a frame or body of another tree, or world; their origins must coincide to 1e-6 m"),
    WORD(JOIN, "type", fb_join_words, EVERY, "weld",
         "the joint; weld holds the attitude of that instant; for revolute, prismatic, helical and "
         "cylindrical "
         "the axes must be parallel to 1e-6 rad"),
    UNIT(JOIN, "axis", AXIS, NONE, ANY, AXIAL, NEVER, AT(fb_join_row, axis), "z; of universal x",
         "the joint's axis, in the axes of both frames"),
    UNIT(JOIN, "axis2", AXIS, NONE, ANY, UNIVERSAL, NEVER, AT(fb_join_row, axis2), "y",
         "second axis, in the axes of `frame`"),
    UNIT(JOIN, "pitch", NUMBER, LENGTH_PER_ANGLE, ANY, HELICAL, NEVER, AT(fb_join_row, pitch), "0",
         "advance along the axis per radian"),
    PLAIN(JOIN, "force", BOOL, EVERY, NEVER, AT(fb_join_row, force), "false",
          "true: join frames that are apart or askew; the offset of that instant is kept"),

    PLAIN(SURFACE, "name", TEXT, EVERY, EVERY, AT(fb_surface_row, name), NULL,
          "its name, by which contacts refer to it; unique among surfaces, bodies and frames"),
    ROW(SURFACE, "kind", WORD, NONE, NONE, ANY, EVERY, EVERY, -1, 0, fb_surface_words, NULL,
        "plane: without end; heightfield: a grid of heights; sphere, ellipsoid, box; mesh: triangles of a "
        "file"),
    PLAIN(SURFACE, "body", TEXT, EVERY, NEVER, AT(fb_surface_row, body), "the world",
          "the body or frame that it is fixed to"),
    PLACE(
        SURFACE, AT(fb_surface_row, at), "0, 0, 0", "no rotation",
        "the body or the world: a point of a plane, the centre of a sphere, ellipsoid or box, the corner of "
        "a heightfield, the origin of a mesh"),
    UNIT(SURFACE, "normal", AXIS, NONE, ANY, EVERY, NEVER, AT(fb_surface_row, normal), "0, 0, 1",
         "or its z axis, of any length: outwards of a plane, upwards of a heightfield"),
    UNIT(SURFACE, "radius", NUMBER, LENGTH, POSITIVE, BIT(FB_SURFACE_SPHERE), BIT(FB_SURFACE_SPHERE),
         AT(fb_surface_row, size), NULL, "radius"),
    UNIT(SURFACE, "radii", VECTOR, LENGTH, POSITIVE, BIT(FB_SURFACE_ELLIPSOID), BIT(FB_SURFACE_ELLIPSOID),
         AT(fb_surface_row, size), NULL, "half axes along x, y, z"),
    UNIT(SURFACE, "size", VECTOR, LENGTH, POSITIVE, BIT(FB_SURFACE_BOX), BIT(FB_SURFACE_BOX),
         AT(fb_surface_row, size), NULL, "edges along x, y, z"),
    PLAIN(SURFACE, "file", TEXT, MESH | ON_GRID, MESH, AT(fb_surface_row, file),
          "of a heightfield this or `heights` is required",
          "STL, OBJ or COLLADA file; of a heightfield a text file with a row of heights on each line"),
    PLAIN(SURFACE, "scale", SCALE, MESH, NEVER, -1, "1",
          "factor, or one for each of x, y, z; none of them zero"),
    UNIT(SURFACE, "heights", GRID, LENGTH, ANY, ON_GRID, NEVER, -1, "this or `file` is required",
         "heights along z: number i of row j is at x = i dx, y = j dy; at least 2 rows of 2"),
    UNIT(SURFACE, "spacing", COORDINATES, LENGTH, POSITIVE, ON_GRID, ON_GRID, -1, NULL,
         "distance of the heights along x and y: one number, or dx and dy"),
    PLAIN(SURFACE, "color", COLOR, EVERY, NEVER, AT(fb_surface_row, color), "grey",
          "\"#rrggbb\" or \"#rrggbbaa\", in quotes"),
    PLAIN(SURFACE, "material", TEXT, EVERY, NEVER, AT(fb_surface_row, material), "none",
          "the material of contacts with it that name none"),

    PLAIN(CONTACT, "name", TEXT, EVERY, NEVER, AT(fb_contact_row, name), "its place in the list, from 0",
          "its name: contact.NAME.force and so on are its signals"),
    PLAIN(
        CONTACT, "a", NAMES, EVERY, EVERY, -1, NULL,
        "what touches: a frame, which is a point; a body, which is all its shapes for contact; BODY/SHAPE; a "
        "surface; "
        "a name with * for all that match; or a list of these"),
    PLAIN(CONTACT, "b", NAMES, EVERY, EVERY, -1, NULL, "what it touches, likewise"),
    PLAIN(CONTACT, "material", TEXT, EVERY, NEVER, AT(fb_contact_row, material),
          "that of the surface, otherwise `default` where there is one",
          "the material whose values it takes; its own keys override them"),
    TOUCH(CONTACT, AS_IT_IS, "that of the material, otherwise hard", "required, here or by the material",
          "required, here or by the material"),

    TOUCH(MATERIAL, FOR_ALL, "that of the contact", "that of the contact", "that of the contact"),

    PLAIN(SOIL, "preset", TEXT, EVERY, NEVER, -1, "none; all of this is then 0 unless it is given",
          "a soil by name, whose values the other keys override"),
    UNIT(SOIL, "cohesion", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, cohesion), "0",
         "cohesion, in Pa"),
    UNIT(SOIL, "friction_angle", NUMBER, ANGLE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, friction_angle), "0",
         "angle of internal friction"),
    UNIT(SOIL, "k_c", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, k_c), "0",
         "cohesive modulus of sinkage, in N/m^(n+1); with `reece` without unit"),
    UNIT(SOIL, "k_phi", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, k_phi), "0",
         "frictional modulus of sinkage, in N/m^(n+2); with `reece` without unit"),
    UNIT(SOIL, "exponent", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, exponent), "0",
         "exponent n of sinkage"),
    UNIT(SOIL, "exponent_slip", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, exponent_slip), "0",
         "added to n for each unit of slip"),
    PLAIN(SOIL, "reece", BOOL, EVERY, NEVER, AT(fb_soil, reece), "false",
          "true: k_c and k_phi are Reece's, without unit"),
    UNIT(SOIL, "angle_0", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, angle_0), "0",
         "where the stress is largest, as a fraction of the entry angle, without slip"),
    UNIT(SOIL, "angle_1", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, angle_1), "0",
         "added to angle_0 for each unit of slip"),
    UNIT(SOIL, "density", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, density), "0",
         "density, in kg/m^3"),
    UNIT(SOIL, "shear_x", NUMBER, LENGTH, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, shear_x), "0",
         "shear deformation modulus along the wheel"),
    UNIT(SOIL, "shear_x_slope", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, shear_x_slope), "0",
         "added to it for each radian of slip angle, in m"),
    UNIT(SOIL, "shear_y", NUMBER, LENGTH, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, shear_y), "0",
         "the same across the wheel"),
    UNIT(SOIL, "shear_y_slope", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, shear_y_slope), "0", "likewise"),
    UNIT(SOIL, "exit_ratio", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, exit_ratio), "0",
         "depth behind the wheel over that in front of it, 0 to 1"),
    UNIT(SOIL, "destruction_angle", NUMBER, ANGLE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, destruction_angle),
         "0", "of the bulldozing force at the sides of the wheel; 0: none"),
    UNIT(SOIL, "grouser_height", NUMBER, LENGTH, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, grouser_height), "0",
         "height of the wheel's grousers"),
    UNIT(SOIL, "damping", NUMBER, DAMPING, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, damping), "0",
         "vertical damping, with which a wheel settles"),

    WORD(INTEGRATOR, "method", METHODS, EVERY, "auto",
         "the method; auto: moreau with hard contacts, otherwise dopri5 for the accuracy, or implicit where "
         "joints "
         "are stiff; with a step rk4, or implicit where the step is too long for it"),
    UNIT(INTEGRATOR, "step", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_integrator_row, step),
         "chosen for the accuracy with auto and implicit; 1 ms with moreau, less where a joint vibrates "
         "faster; "
         "automatic with dopri5; otherwise 10 ms",
         "step size; with error control the first step of dopri5; cvode and arkode ignore it"),
    PLAIN(INTEGRATOR, "adaptive", BOOL, ADAPTIVE, NEVER, AT(fb_integrator_row, adaptive), "true",
          "false: fixed steps without error control"),
    UNIT(
        INTEGRATOR, "accuracy", NUMBER, NONE, POSITIVE, ACCURATE, NEVER, AT(fb_integrator_row, accuracy),
        "1e-6",
        "the error that the run may have, relative to the sizes of the motion (see simulation.md); steps are "
        "chosen for it unless `step`, or `rtol` and `atol`, are given"),
    UNIT(INTEGRATOR, "rtol", NUMBER, NONE, POSITIVE, CONTROLLED, NEVER, AT(fb_integrator_row, rtol), "1e-9",
         "relative tolerance of a step"),
    UNIT(INTEGRATOR, "atol", NUMBER, NONE, POSITIVE, CONTROLLED, NEVER, AT(fb_integrator_row, atol), "1e-12",
         "absolute tolerance of a step"),
    UNIT(INTEGRATOR, "max_step", NUMBER, TIME, POSITIVE, BOUNDED, NEVER, AT(fb_integrator_row, max_step),
         "10 ms with lua and plugin laws that are not sampled, otherwise no limit", "the longest step"),

    UNIT(LOG, "period", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_log_row, period),
         "a thousandth of the duration, or a little more, in whole steps", "time between samples"),
    PLAIN(LOG, "signals", NAMES, EVERY, NEVER, -1, "q, v, tau, energy, momentum, ledger",
          "names of signals, such as q.elbow, p.hand, energy; a stem selects all signals that begin with it"),
    PLAIN(LOG, "motion", BOOL, EVERY, NEVER, AT(fb_log_row, motion), "true",
          "also log all coordinates q, which pictures of the motion need, and the forces of the scenario and "
          "of thrusters as force.FRAME and torque.FRAME"),

    WORD(VIEW, "background", BACKGROUNDS, EVERY,
         "space when something floats without gravity, otherwise plain", "stars, or one colour"),
    UNIT(VIEW, "sun", AXIS, NONE, ANY, EVERY, NEVER, AT(fb_view_row, sun), "over the shoulder",
         "direction towards the sun, world axes, of any length"),
    UNIT(VIEW, "ground", NUMBER, LENGTH, ANY, EVERY, NEVER, AT(fb_view_row, ground), "none",
         "draws a horizontal plane at this height, the world's z; it is drawn only, and nothing touches it"),
    PLAIN(VIEW, "follow", TEXT, EVERY, NEVER, AT(fb_view_row, follow), "nothing",
          "the frame or body that the camera follows"),
    PLAIN(VIEW, "trails", NAMES, EVERY, NEVER, -1,
          "those whose position is logged, otherwise the last of each arm",
          "frames or bodies whose path is drawn; an empty list: none"),
};

const fb_schema fb_scenario_schema = {.title = "Freebody scenario, version 1",
                                      .version = FB_SCENARIO_VERSION,
                                      .objects = OBJECTS,
                                      .object_count = FB_SCENARIO_OBJECT_COUNT,
                                      .fields = FIELDS,
                                      .field_count = sizeof FIELDS / sizeof *FIELDS,
                                      .kinds_object = FB_SCENARIO_CONTROLLER,
                                      .kinds = fb_kind_schemas};
