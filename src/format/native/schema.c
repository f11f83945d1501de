/* schema.c -- the table of keys of the native model format. See format/native/schema.h. */
#include "format/native/schema.h"

#include "model/joint_kind.h"

#define FB_ROW_OBJECT(object) FB_NATIVE_##object
#include "document/schema/rows.h"

/* Joint types by what the links of their chain have; see model/joint_kind.h. */
#define HAVING(what, code) (FB_SUM(code, what) > 0 ? BIT(code) : 0)
#define AXIS_BIT(code, name, chain) HAVING(AXIS, code) |
#define AXIS2_BIT(code, name, chain) HAVING(AXIS2, code) |
#define PITCH_BIT(code, name, chain) HAVING(PITCHES, code) |
#define QUAT_BIT(code, name, chain) HAVING(QUATS, code) |
#define MOVING_BIT(code, name, chain) HAVING(NV, code) |
#define ONE_DEGREE_BIT(code, name, chain) (FB_SUM(code, NV) == 1 ? BIT(code) : 0) |
enum {
  FREE = BIT(FB_JOINT_FREE),
  WITH_AXIS = FB_JOINT_LIST(AXIS_BIT) 0,
  WITH_AXIS2 = FB_JOINT_LIST(AXIS2_BIT) 0,
  WITH_PITCH = FB_JOINT_LIST(PITCH_BIT) 0,
  WITH_QUAT = FB_JOINT_LIST(QUAT_BIT) 0,
  ONE_DEGREE = FB_JOINT_LIST(ONE_DEGREE_BIT) 0,
  MOVING = FB_JOINT_LIST(MOVING_BIT) 0,
  WITH_DH = (WITH_AXIS & ~WITH_AXIS2) | BIT(FB_JOINT_FIXED),
  MEASURED = MOVING & ~WITH_QUAT, /* coordinates that are plain angles and lengths */
  BOX = BIT(FB_SHAPE_BOX),
  ELLIPSOID = BIT(FB_SHAPE_ELLIPSOID),
  LONG = BIT(FB_SHAPE_CYLINDER) | BIT(FB_SHAPE_CAPSULE),
  ROUND = LONG | BIT(FB_SHAPE_SPHERE),
  MESH = BIT(FB_SHAPE_MESH),
  TWO_AXES = BIT(FB_LOOP_UNIVERSAL),
  ONE_AXIS = TWO_AXES | BIT(FB_LOOP_REVOLUTE) | BIT(FB_LOOP_PRISMATIC),
  DISTANCE = BIT(FB_LOOP_DISTANCE),
  GEAR = BIT(FB_LOOP_GEAR)
};

#define AS_NAME(code, name, chain) name,
static const char* const JOINT_TYPES[] = {FB_JOINT_LIST(AS_NAME) NULL};
#undef AS_NAME
#define AS_NAME(code, name, rows) name,
static const char* const LOOP_TYPES[] = {FB_LOOP_LIST(AS_NAME) NULL};
#undef AS_NAME
const char* const fb_shape_kinds[] = {"box", "sphere", "ellipsoid", "cylinder", "capsule", "mesh", NULL};
static const char* const INERTIAS[] = {"strict", "repair", "keep", NULL};
static const char* const SHAPE_USES[] = {"both", "visual", "contact", NULL};
static const fb_schema_object OBJECTS[] = {
    {"model", NULL, 0}, {"body", NULL, 0},  {"joint", JOINT_TYPES, 0},    {"rotor", NULL, 0},
    {"child", NULL, 0}, {"frame", NULL, 0}, {"shape", fb_shape_kinds, 1}, {"loop", LOOP_TYPES, 0}};

/* A number of each coordinate, whose unit is that of lengths or that of angles. */
#define JOINT(key, kind, linear, angular, range, allowed, needed, offset, fallback, help) \
  ROW(JOINT, key, kind, linear, angular, range, allowed, needed, offset, 0, NULL, fallback, help)

static const fb_field FIELDS[] = {
    PLAIN(MODEL, "freebody", VERSION, EVERY, EVERY, -1, NULL, "version of the format: 1"),
    PLAIN(MODEL, "name", TEXT, EVERY, NEVER, -1, "none", "name of the model"),
    WORD(MODEL, "inertia", INERTIAS, EVERY, "strict",
         "masses and inertias that no body can have: strict: refused; repair: the nearest possible ones are "
         "taken; keep: computed with as given, where the dynamics can"),
    ROW(MODEL, "bodies", LIST, NONE, NONE, ANY, EVERY, EVERY, -1, FB_NATIVE_BODY, NULL, NULL,
        "the bodies, in any order; coordinates follow this order"),
    INNER(MODEL, "loops", LIST, LOOP, "none",
          "constraints that close loops between frames, or couple joints"),

    PLAIN(BODY, "name", TEXT, EVERY, EVERY, AT(fb_body_def, name), NULL, "unique among bodies and frames"),
    PLAIN(BODY, "parent", TEXT, EVERY, NEVER, AT(fb_body_def, parent), "world", "the body it is attached to"),
    INNER(BODY, "joint", MAP, JOINT, "free for a child of the world; otherwise required",
          "how it moves relative to its parent"),
    INNER(BODY, "floated", MAP, JOINT, "none",
          "the free joint by which it floated until a join captured it; written by the join"),
    PLAIN(BODY, "floated_until", TEXT, EVERY, NEVER, -1, "none", "the joint of that join"),
    UNIT(BODY, "mass", NUMBER, MASS, ANY, EVERY, EVERY, AT(fb_body_def, mass), NULL,
         "0 for a body without mass; a negative one is refused unless `inertia` of the model says otherwise"),
    UNIT(BODY, "com", VECTOR, LENGTH, ANY, EVERY, NEVER, AT(fb_body_def, com), "0, 0, 0",
         "centre of mass in the body frame"),
    UNIT(BODY, "inertia", INERTIA, INERTIA, ANY, EVERY, NEVER, AT(fb_body_def, inertia),
         "0 when `mass` is 0; otherwise required",
         "ixx, iyy, izz, ixy, ixz, iyz: the elements of the tensor about the centre of mass, body axes"),
    INNER(BODY, "frames", LIST, FRAME, "none", "named frames: end-points, sensors, thrusters"),
    INNER(BODY, "shapes", LIST, SHAPE, "none", "geometry for pictures and for the contacts of scenarios"),

    PLAIN(JOINT, "name", TEXT, EVERY, NEVER, AT(fb_joint_def, name), "the body's name",
          "unique among joints"),
    WORD(JOINT, "type", JOINT_TYPES, EVERY, "free for a child of the world; otherwise required",
         "the type of the joint"),
    PLAIN(JOINT, "axis", AXIS, WITH_AXIS, WITH_AXIS, AT(fb_joint_def, axis), NULL,
          "axis in the joint frame, of any length except zero; not with `dh` and `mdh`, where it is z"),
    PLAIN(JOINT, "axis2", AXIS, WITH_AXIS2, WITH_AXIS2, AT(fb_joint_def, axis2), NULL,
          "second axis, in the frame after the first rotation; not parallel to `axis`"),
    UNIT(JOINT, "pitch", NUMBER, LENGTH_PER_ANGLE, ANY, WITH_PITCH, WITH_PITCH, AT(fb_joint_def, pitch), NULL,
         "advance along the axis per radian"),
    PLACE(JOINT, AT(fb_joint_def, at), "0, 0, 0", "no rotation", "the parent body frame"),
    JOINT("dh", DH, LENGTH, ANGLE, ANY, WITH_DH, NEVER, -1, "none",
          "a, alpha, d, theta of Denavit and Hartenberg instead of `at`, a rotation, `axis` and `child`: the "
          "joint moves along z of the parent, and the body frame is at its end; T = Rz(theta) Tz(d) Tx(a) "
          "Rx(alpha)"),
    JOINT("mdh", DH, LENGTH, ANGLE, ANY, WITH_DH, NEVER, -1, "none",
          "the same as modified by Craig: the body frame is at the joint, which moves along its z; T = "
          "Rx(alpha) Tx(a) Rz(theta) Tz(d)"),
    JOINT("limits", LIMITS, LENGTH, ANGLE, ANY, MEASURED, NEVER, -1, "none",
          "lowest and highest coordinate: a pair [low, high], or a list of pairs, one for each coordinate; "
          "null for no limit"),
    JOINT("stiffness", COORDINATES, STIFFNESS, ANGULAR_STIFFNESS, ANY, MEASURED, NEVER,
          AT(fb_joint_def, stiffness), "0", "spring towards `rest`"),
    JOINT("rest", COORDINATES, LENGTH, ANGLE, ANY, MEASURED, NEVER, AT(fb_joint_def, rest), "0",
          "coordinate at which the spring force is zero"),
    JOINT("damping", COORDINATES, DAMPING, ANGULAR_DAMPING, NOT_NEGATIVE, MOVING, NEVER,
          AT(fb_joint_def, damping), "0", "viscous friction: force or torque per unit of speed"),
    JOINT("friction", COORDINATES, FORCE, TORQUE, NOT_NEGATIVE, MOVING, NEVER, AT(fb_joint_def, friction),
          "0", "Coulomb friction; acts as friction * tanh(v / friction_speed)"),
    JOINT("friction_speed", NUMBER, SPEED, RATE, POSITIVE, MOVING, NEVER, -1, "0.001",
          "speed at which friction reaches three quarters of its value"),
    JOINT("armature", COORDINATES, MASS, INERTIA, NOT_NEGATIVE, MOVING & ~FREE, NEVER,
          AT(fb_joint_def, armature), "0", "reflected inertia of the rotor, seen at the joint"),
    INNER_OF(JOINT, "rotor", MAP, ROTOR, ONE_DEGREE, "none", "another way to write `armature`"),
    JOINT("effort", COORDINATES, FORCE, TORQUE, NOT_NEGATIVE, MOVING, NEVER, AT(fb_joint_def, effort),
          "no limit", "largest force or torque of the actuator"),
    JOINT("speed", COORDINATES, SPEED, RATE, NOT_NEGATIVE, MOVING, NEVER, AT(fb_joint_def, speed), "no limit",
          "largest speed"),
    INNER_OF(JOINT, "child", MAP, CHILD, EVERY & ~FREE, "at the moved joint frame",
             "where the body frame is after the motion: not at the joint; joins and other formats need it"),
    PLAIN(JOINT, "reversed", BOOL, EVERY, NEVER, AT(fb_joint_def, reversed), "false",
          "true: the joint is written from the body to its parent, which it moves; written by a join"),

    UNIT(ROTOR, "inertia", NUMBER, INERTIA, NOT_NEGATIVE, EVERY, EVERY, 0, NULL,
         "of the rotor about its own axis"),
    PLAIN(ROTOR, "ratio", NUMBER, EVERY, EVERY, (int)sizeof(double), NULL,
          "gear ratio, rotor turns per joint turn; armature = inertia * ratio^2"),

    PLACE(CHILD, AT(fb_frame_def, at), "0, 0, 0", "no rotation", "the moved joint frame"),

    PLAIN(FRAME, "name", TEXT, EVERY, EVERY, AT(fb_frame_def, name), NULL, "unique among bodies and frames"),
    PLACE(FRAME, AT(fb_frame_def, at), "0, 0, 0", "no rotation", "the body frame"),

    ROW(SHAPE, "kind", WORD, NONE, NONE, ANY, EVERY, EVERY, -1, 0, fb_shape_kinds, NULL,
        "kind of shape; cylinder and capsule are along z"),
    PLAIN(SHAPE, "name", TEXT, EVERY, NEVER, AT(fb_shape_def, name), "none", "its name"),
    UNIT(SHAPE, "size", VECTOR, LENGTH, POSITIVE, BOX, BOX, AT(fb_shape_def, size), NULL,
         "edges along x, y, z"),
    UNIT(SHAPE, "radius", NUMBER, LENGTH, POSITIVE, ROUND, ROUND, AT(fb_shape_def, size), NULL, "radius"),
    UNIT(SHAPE, "radii", VECTOR, LENGTH, POSITIVE, ELLIPSOID, ELLIPSOID, AT(fb_shape_def, size), NULL,
         "half axes along x, y, z"),
    UNIT(SHAPE, "length", NUMBER, LENGTH, POSITIVE, LONG, LONG, AT(fb_shape_def, size[1]), NULL,
         "along z; for a capsule without its round ends"),
    PLAIN(SHAPE, "file", TEXT, MESH, MESH, AT(fb_shape_def, file), NULL, "STL, OBJ or COLLADA file"),
    PLAIN(SHAPE, "scale", SCALE, MESH, NEVER, -1, "1",
          "factor, or one for each of x, y, z; none of them zero"),
    PLACE(SHAPE, AT(fb_shape_def, at), "0, 0, 0", "no rotation", "the body frame"),
    PLAIN(SHAPE, "color", COLOR, EVERY, NEVER, AT(fb_shape_def, color), "none",
          "\"#rrggbb\" or \"#rrggbbaa\", in quotes"),
    WORD(SHAPE, "use", SHAPE_USES, EVERY, "both",
         "visual: drawn; contact: touches what a scenario's `contacts` say, and is drawn if the body has no "
         "others; both: drawn, and touches"),

    PLAIN(LOOP, "name", TEXT, EVERY, EVERY, AT(fb_loop_def, name), NULL, "unique among loops"),
    ROW(LOOP, "type", WORD, NONE, NONE, ANY, EVERY, EVERY, -1, 0, LOOP_TYPES, NULL,
        "which motions it takes away; see Loops"),
    PLAIN(LOOP, "a", TEXT, EVERY, EVERY, AT(fb_loop_def, a), NULL,
          "a frame, a body or `world`; of a gear, a joint with one coordinate"),
    PLAIN(LOOP, "b", NAMES, EVERY, EVERY, -1, NULL,
          "the other frame; of a gear, the other joint, or a list of joints"),
    PLAIN(LOOP, "axis", AXIS, ONE_AXIS, NEVER, AT(fb_loop_def, axis), "0, 0, 1; of a universal loop 1, 0, 0",
          "axis, of any length except zero: the same numbers in a and in b, of a universal loop in a"),
    PLAIN(LOOP, "axis2", AXIS, TWO_AXES, NEVER, AT(fb_loop_def, axis2), "0, 1, 0",
          "axis in b that stays at right angles to `axis`"),
    UNIT(LOOP, "length", NUMBER, LENGTH, POSITIVE, DISTANCE, NEVER, AT(fb_loop_def, length),
         "the distance at the start", "distance of the two origins"),
    PLAIN(LOOP, "ratio", COORDINATES, GEAR, NEVER, -1, "1",
          "q_a = ratio q_b + offset; a list with one for each joint of `b`: the products are summed"),
    ROW(LOOP, "offset", NUMBER, LENGTH, ANGLE, ANY, GEAR, NEVER, -1, 0, NULL, "0",
        "q_a when all joints of `b` are at zero"),
};

static const fb_schema_rows ROWS = FB_ROWS(FIELDS);
static const fb_schema_rows* const TABLES[] = {&ROWS, NULL};

const fb_schema fb_native_schema = {.title = "Freebody model, version 1",
                                    .version = FB_NATIVE_VERSION,
                                    .objects = OBJECTS,
                                    .object_count = FB_NATIVE_OBJECT_COUNT,
                                    .tables = TABLES};
