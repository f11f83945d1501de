/* schema.c -- the table of keys of the native model format. See format/native/schema.h. */
#include "format/native/schema.h"

#include <stddef.h>

#include "model/joint_kind.h"

#define BIT(variant) (1u << (variant))
/* Joint types by what the links of their chain have; see model/joint_kind.h. */
#define HAVING(what, code) (FB_SUM(code, what) > 0 ? BIT(code) : 0)
#define AXIS_BIT(code, name, chain) HAVING(AXIS, code) |
#define AXIS2_BIT(code, name, chain) HAVING(AXIS2, code) |
#define PITCH_BIT(code, name, chain) HAVING(PITCHES, code) |
#define QUAT_BIT(code, name, chain) HAVING(QUATS, code) |
#define MOVING_BIT(code, name, chain) HAVING(NV, code) |
#define ONE_DEGREE_BIT(code, name, chain) (FB_SUM(code, NV) == 1 ? BIT(code) : 0) |
enum {
  EVERY = FB_ALL_VARIANTS,
  NEVER = 0,
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

#define AT(type, member) (int)offsetof(type, member)
#define JOINT(key, kind, linear, angular, range, allowed, needed, offset, fallback, help)               \
  {                                                                                                     \
    FB_NATIVE_JOINT, key, kind, linear, angular, range, allowed, needed, offset, FB_NATIVE_ROTOR, NULL, \
        fallback, help                                                                                  \
  }
#define PLAIN(object, key, kind, quantity, range, allowed, needed, offset, fallback, help) \
  { object, key, kind, quantity, FB_Q_NONE, range, allowed, needed, offset, object, NULL, fallback, help }
#define ROTATION(object, key, kind, quantity, help) \
  PLAIN(object, key, kind, quantity, FB_RANGE_ANY, EVERY, NEVER, -1, "no rotation", help)
#define PLACE_FIELDS(object, type, in)                                                                   \
  PLAIN(object, "at", FB_FIELD_VECTOR, FB_Q_LENGTH, FB_RANGE_ANY, EVERY, NEVER, AT(type, at), "0, 0, 0", \
        "origin in " in),                                                                                \
      ROTATION(object, "rpy", FB_FIELD_ANGLES, FB_Q_ANGLE,                                               \
               "rotation: roll, pitch, yaw about fixed x, y, z; R = Rz Ry Rx"),                          \
      ROTATION(object, "euler_xyz", FB_FIELD_ANGLES, FB_Q_ANGLE,                                         \
               "rotation: angles about moving x, y, z; R = Rx Ry Rz"),                                   \
      ROTATION(object, "quat", FB_FIELD_QUATERNION, FB_Q_NONE,                                           \
               "rotation: quaternion w, x, y, z, of any length except zero"),                            \
      ROTATION(object, "dcm", FB_FIELD_MATRIX, FB_Q_NONE,                                                \
               "rotation: matrix R as three rows, orthonormal to 1e-6")

static const fb_field FIELDS[] = {
    PLAIN(FB_NATIVE_MODEL, "freebody", FB_FIELD_VERSION, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, -1, NULL,
          "version of the format: 1"),
    PLAIN(FB_NATIVE_MODEL, "name", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1, "none",
          "name of the model"),
    {FB_NATIVE_MODEL, "inertia", FB_FIELD_WORD, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_MODEL, INERTIAS, "strict",
     "masses and inertias that no body can have: strict: refused; repair: the nearest possible ones are "
     "taken; "
     "keep: computed with as given, where the dynamics can"},
    {FB_NATIVE_MODEL, "bodies", FB_FIELD_LIST, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, -1,
     FB_NATIVE_BODY, NULL, NULL, "the bodies, in any order; coordinates follow this order"},
    {FB_NATIVE_MODEL, "loops", FB_FIELD_LIST, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_LOOP, NULL, "none", "constraints that close loops between frames, or couple joints"},

    PLAIN(FB_NATIVE_BODY, "name", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, AT(fb_body_def, name),
          NULL, "unique among bodies and frames"),
    PLAIN(FB_NATIVE_BODY, "parent", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER,
          AT(fb_body_def, parent), "world", "the body it is attached to"),
    {FB_NATIVE_BODY, "joint", FB_FIELD_MAP, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_JOINT, NULL, "free for a child of the world; otherwise required",
     "how it moves relative to its parent"},
    {FB_NATIVE_BODY, "floated", FB_FIELD_MAP, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_JOINT, NULL, "none",
     "the free joint by which it floated until a join captured it; written by the join"},
    PLAIN(FB_NATIVE_BODY, "floated_until", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1, "none",
          "the joint of that join"),
    PLAIN(
        FB_NATIVE_BODY, "mass", FB_FIELD_NUMBER, FB_Q_MASS, FB_RANGE_ANY, EVERY, EVERY, AT(fb_body_def, mass),
        NULL,
        "0 for a body without mass; a negative one is refused unless `inertia` of the model says otherwise"),
    PLAIN(FB_NATIVE_BODY, "com", FB_FIELD_VECTOR, FB_Q_LENGTH, FB_RANGE_ANY, EVERY, NEVER,
          AT(fb_body_def, com), "0, 0, 0", "centre of mass in the body frame"),
    PLAIN(FB_NATIVE_BODY, "inertia", FB_FIELD_INERTIA, FB_Q_INERTIA, FB_RANGE_ANY, EVERY, NEVER,
          AT(fb_body_def, inertia), "0 when `mass` is 0; otherwise required",
          "ixx, iyy, izz, ixy, ixz, iyz: the elements of the tensor about the centre of mass, body axes"),
    {FB_NATIVE_BODY, "frames", FB_FIELD_LIST, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_FRAME, NULL, "none", "named frames: end-points, sensors, thrusters"},
    {FB_NATIVE_BODY, "shapes", FB_FIELD_LIST, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_SHAPE, NULL, "none", "geometry for pictures and for the contacts of scenarios"},

    JOINT("name", FB_FIELD_TEXT, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, AT(fb_joint_def, name),
          "the body's name", "unique among joints"),
    {FB_NATIVE_JOINT, "type", FB_FIELD_WORD, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_JOINT, JOINT_TYPES, "free for a child of the world; otherwise required",
     "the type of the joint"},
    JOINT("axis", FB_FIELD_AXIS, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, WITH_AXIS, WITH_AXIS,
          AT(fb_joint_def, axis), NULL,
          "axis in the joint frame, of any length except zero; not with `dh` and `mdh`, where it is z"),
    JOINT("axis2", FB_FIELD_AXIS, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, WITH_AXIS2, WITH_AXIS2,
          AT(fb_joint_def, axis2), NULL,
          "second axis, in the frame after the first rotation; not parallel to `axis`"),
    JOINT("pitch", FB_FIELD_NUMBER, FB_Q_LENGTH_PER_ANGLE, FB_Q_NONE, FB_RANGE_ANY, WITH_PITCH, WITH_PITCH,
          AT(fb_joint_def, pitch), NULL, "advance along the axis per radian"),
    PLACE_FIELDS(FB_NATIVE_JOINT, fb_joint_def, "the parent body frame"),
    JOINT("dh", FB_FIELD_DH, FB_Q_LENGTH, FB_Q_ANGLE, FB_RANGE_ANY, WITH_DH, NEVER, -1, "none",
          "a, alpha, d, theta of Denavit and Hartenberg instead of `at`, a rotation, `axis` and `child`: the "
          "joint moves along z of the parent, and the body frame is at its end; T = Rz(theta) Tz(d) Tx(a) "
          "Rx(alpha)"),
    JOINT("mdh", FB_FIELD_DH, FB_Q_LENGTH, FB_Q_ANGLE, FB_RANGE_ANY, WITH_DH, NEVER, -1, "none",
          "the same as modified by Craig: the body frame is at the joint, which moves along its z; T = "
          "Rx(alpha) "
          "Tx(a) Rz(theta) Tz(d)"),
    JOINT("limits", FB_FIELD_LIMITS, FB_Q_LENGTH, FB_Q_ANGLE, FB_RANGE_ANY, MEASURED, NEVER, -1, "none",
          "lowest and highest coordinate: a pair [low, high], or a list of pairs, one for each coordinate; "
          "null for no limit"),
    JOINT("stiffness", FB_FIELD_COORDINATES, FB_Q_STIFFNESS, FB_Q_ANGULAR_STIFFNESS, FB_RANGE_ANY, MEASURED,
          NEVER, AT(fb_joint_def, stiffness), "0", "spring towards `rest`"),
    JOINT("rest", FB_FIELD_COORDINATES, FB_Q_LENGTH, FB_Q_ANGLE, FB_RANGE_ANY, MEASURED, NEVER,
          AT(fb_joint_def, rest), "0", "coordinate at which the spring force is zero"),
    JOINT("damping", FB_FIELD_COORDINATES, FB_Q_DAMPING, FB_Q_ANGULAR_DAMPING, FB_RANGE_NOT_NEGATIVE, MOVING,
          NEVER, AT(fb_joint_def, damping), "0", "viscous friction: force or torque per unit of speed"),
    JOINT("friction", FB_FIELD_COORDINATES, FB_Q_FORCE, FB_Q_TORQUE, FB_RANGE_NOT_NEGATIVE, MOVING, NEVER,
          AT(fb_joint_def, friction), "0", "Coulomb friction; acts as friction * tanh(v / friction_speed)"),
    JOINT("friction_speed", FB_FIELD_NUMBER, FB_Q_SPEED, FB_Q_RATE, FB_RANGE_POSITIVE, MOVING, NEVER, -1,
          "0.001", "speed at which friction reaches three quarters of its value"),
    JOINT("armature", FB_FIELD_COORDINATES, FB_Q_MASS, FB_Q_INERTIA, FB_RANGE_NOT_NEGATIVE, MOVING & ~FREE,
          NEVER, AT(fb_joint_def, armature), "0", "reflected inertia of the rotor, seen at the joint"),
    JOINT("rotor", FB_FIELD_MAP, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, ONE_DEGREE, NEVER, -1, "none",
          "another way to write `armature`"),
    JOINT("effort", FB_FIELD_COORDINATES, FB_Q_FORCE, FB_Q_TORQUE, FB_RANGE_NOT_NEGATIVE, MOVING, NEVER,
          AT(fb_joint_def, effort), "no limit", "largest force or torque of the actuator"),
    JOINT("speed", FB_FIELD_COORDINATES, FB_Q_SPEED, FB_Q_RATE, FB_RANGE_NOT_NEGATIVE, MOVING, NEVER,
          AT(fb_joint_def, speed), "no limit", "largest speed"),
    {FB_NATIVE_JOINT, "child", FB_FIELD_MAP, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY & ~FREE, NEVER, -1,
     FB_NATIVE_CHILD, NULL, "at the moved joint frame",
     "where the body frame is after the motion: not at the joint; joins and other formats need it"},
    JOINT("reversed", FB_FIELD_BOOL, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER,
          AT(fb_joint_def, reversed), "false",
          "true: the joint is written from the body to its parent, which it moves; written by a join"),

    PLAIN(FB_NATIVE_ROTOR, "inertia", FB_FIELD_NUMBER, FB_Q_INERTIA, FB_RANGE_NOT_NEGATIVE, EVERY, EVERY, 0,
          NULL, "of the rotor about its own axis"),
    PLAIN(FB_NATIVE_ROTOR, "ratio", FB_FIELD_NUMBER, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY,
          (int)sizeof(double), NULL, "gear ratio, rotor turns per joint turn; armature = inertia * ratio^2"),

    PLACE_FIELDS(FB_NATIVE_CHILD, fb_frame_def, "the moved joint frame"),

    PLAIN(FB_NATIVE_FRAME, "name", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY,
          AT(fb_frame_def, name), NULL, "unique among bodies and frames"),
    PLACE_FIELDS(FB_NATIVE_FRAME, fb_frame_def, "the body frame"),

    {FB_NATIVE_SHAPE, "kind", FB_FIELD_WORD, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, -1,
     FB_NATIVE_SHAPE, fb_shape_kinds, NULL, "kind of shape; cylinder and capsule are along z"},
    PLAIN(FB_NATIVE_SHAPE, "name", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER,
          AT(fb_shape_def, name), "none", "its name"),
    PLAIN(FB_NATIVE_SHAPE, "size", FB_FIELD_VECTOR, FB_Q_LENGTH, FB_RANGE_POSITIVE, BOX, BOX,
          AT(fb_shape_def, size), NULL, "edges along x, y, z"),
    PLAIN(FB_NATIVE_SHAPE, "radius", FB_FIELD_NUMBER, FB_Q_LENGTH, FB_RANGE_POSITIVE, ROUND, ROUND,
          AT(fb_shape_def, size), NULL, "radius"),
    PLAIN(FB_NATIVE_SHAPE, "radii", FB_FIELD_VECTOR, FB_Q_LENGTH, FB_RANGE_POSITIVE, ELLIPSOID, ELLIPSOID,
          AT(fb_shape_def, size), NULL, "half axes along x, y, z"),
    PLAIN(FB_NATIVE_SHAPE, "length", FB_FIELD_NUMBER, FB_Q_LENGTH, FB_RANGE_POSITIVE, LONG, LONG,
          AT(fb_shape_def, size[1]), NULL, "along z; for a capsule without its round ends"),
    PLAIN(FB_NATIVE_SHAPE, "file", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, MESH, MESH, AT(fb_shape_def, file),
          NULL, "STL, OBJ or COLLADA file"),
    PLAIN(FB_NATIVE_SHAPE, "scale", FB_FIELD_SCALE, FB_Q_NONE, FB_RANGE_ANY, MESH, NEVER, -1, "1",
          "factor, or one for each of x, y, z; none of them zero"),
    PLACE_FIELDS(FB_NATIVE_SHAPE, fb_shape_def, "the body frame"),
    PLAIN(FB_NATIVE_SHAPE, "color", FB_FIELD_COLOR, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER,
          AT(fb_shape_def, color), "none", "\"#rrggbb\" or \"#rrggbbaa\", in quotes"),
    {FB_NATIVE_SHAPE, "use", FB_FIELD_WORD, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, NEVER, -1,
     FB_NATIVE_SHAPE, SHAPE_USES, "both",
     "visual: drawn; contact: touches what a scenario's `contacts` say, and is drawn if the body has no "
     "others; both: drawn, and touches"},

    PLAIN(FB_NATIVE_LOOP, "name", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, AT(fb_loop_def, name),
          NULL, "unique among loops"),
    {FB_NATIVE_LOOP, "type", FB_FIELD_WORD, FB_Q_NONE, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, -1,
     FB_NATIVE_LOOP, LOOP_TYPES, NULL, "which motions it takes away; see Loops"},
    PLAIN(FB_NATIVE_LOOP, "a", FB_FIELD_TEXT, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, AT(fb_loop_def, a), NULL,
          "a frame, a body or `world`; of a gear, a joint with one coordinate"),
    PLAIN(FB_NATIVE_LOOP, "b", FB_FIELD_NAMES, FB_Q_NONE, FB_RANGE_ANY, EVERY, EVERY, -1, NULL,
          "the other frame; of a gear, the other joint, or a list of joints"),
    PLAIN(FB_NATIVE_LOOP, "axis", FB_FIELD_AXIS, FB_Q_NONE, FB_RANGE_ANY, ONE_AXIS, NEVER,
          AT(fb_loop_def, axis), "0, 0, 1; of a universal loop 1, 0, 0",
          "axis, of any length except zero: the same numbers in a and in b, of a universal loop in a"),
    PLAIN(FB_NATIVE_LOOP, "axis2", FB_FIELD_AXIS, FB_Q_NONE, FB_RANGE_ANY, TWO_AXES, NEVER,
          AT(fb_loop_def, axis2), "0, 1, 0", "axis in b that stays at right angles to `axis`"),
    PLAIN(FB_NATIVE_LOOP, "length", FB_FIELD_NUMBER, FB_Q_LENGTH, FB_RANGE_POSITIVE, DISTANCE, NEVER,
          AT(fb_loop_def, length), "the distance at the start", "distance of the two origins"),
    PLAIN(FB_NATIVE_LOOP, "ratio", FB_FIELD_COORDINATES, FB_Q_NONE, FB_RANGE_ANY, GEAR, NEVER, -1, "1",
          "q_a = ratio q_b + offset; a list with one for each joint of `b`: the products are summed"),
    {FB_NATIVE_LOOP, "offset", FB_FIELD_NUMBER, FB_Q_LENGTH, FB_Q_ANGLE, FB_RANGE_ANY, GEAR, NEVER, -1,
     FB_NATIVE_LOOP, NULL, "0", "q_a when all joints of `b` are at zero"},
};

const fb_schema fb_native_schema = {.title = "Freebody model, version 1",
                                    .version = FB_NATIVE_VERSION,
                                    .objects = OBJECTS,
                                    .object_count = FB_NATIVE_OBJECT_COUNT,
                                    .fields = FIELDS,
                                    .field_count = sizeof FIELDS / sizeof *FIELDS};
