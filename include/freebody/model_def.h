/* model_def.h -- the mutable definition of a model, created by a reader or by calls.
 *
 * Frames and units are those of the native format (docs/model-format.md), all SI. A default body is
 * massless and fixed to the world: set what differs.
 * Add bodies in any order; fb_model_build checks everything and creates the const model.
 *
 *   fb_model_def* def = fb_model_def_new();
 *   fb_body_def base = fb_default_body_def();
 *   base.name = "base"; base.mass = 100; base.inertia[0] = base.inertia[1] = base.inertia[2] = 20;
 *   base.joint.type = FB_JOINT_FREE;
 *   fb_model_def_add_body(def, &base, &base_id, &error);
 */
#ifndef FREEBODY_MODEL_DEF_H
#define FREEBODY_MODEL_DEF_H

#include <freebody/export.h>
#include <freebody/status.h>

enum { FB_JOINT_MAX_NV = 6, FB_JOINT_MAX_NQ = 7 };

/* Joint types, one per row: a joint is a chain of links. Each link moves about or along its axis, which is given in
 * the frame after the preceding links: AXIS and AXIS2 are those of fb_joint_def, X, Y, Z are fixed. The joint's
 * coordinates are those of its links, in the order of the chain. */
#define FB_JOINT_LIST(ROW)                                                                         \
  ROW(FB_JOINT_FIXED, "fixed", FB_LINK(FIXED, NONE))                                               \
  ROW(FB_JOINT_REVOLUTE, "revolute", FB_LINK(REVOLUTE, AXIS))                                      \
  ROW(FB_JOINT_PRISMATIC, "prismatic", FB_LINK(PRISMATIC, AXIS))                                   \
  ROW(FB_JOINT_HELICAL, "helical", FB_LINK(HELICAL, AXIS))                                         \
  ROW(FB_JOINT_CYLINDRICAL, "cylindrical", FB_LINK(REVOLUTE, AXIS) FB_LINK(PRISMATIC, AXIS))       \
  ROW(FB_JOINT_UNIVERSAL, "universal", FB_LINK(REVOLUTE, AXIS) FB_LINK(REVOLUTE, AXIS2))           \
  ROW(FB_JOINT_SPHERICAL, "spherical", FB_LINK(SPHERICAL, NONE))                                   \
  ROW(FB_JOINT_PLANAR, "planar", FB_LINK(PRISMATIC, X) FB_LINK(PRISMATIC, Y) FB_LINK(REVOLUTE, Z)) \
  ROW(FB_JOINT_FREE, "free", FB_LINK(FREE, NONE))

#define FB_JOINT_AS_ENUM(code, name, chain) code,
typedef enum fb_joint_type { FB_JOINT_LIST(FB_JOINT_AS_ENUM) FB_JOINT_TYPE_COUNT } fb_joint_type;
#undef FB_JOINT_AS_ENUM

/* The joint between a body and its parent. Lists run over the joint's velocity coordinates; the first of two
 * units is that of an angle, the second that of a length. */
typedef struct fb_joint_def {
  const char* name; /* NULL: the body's name */
  fb_joint_type type;
  double axis[3];        /* joint frame; any length except zero */
  double axis2[3];       /* universal: in the frame after the first rotation */
  double pitch;          /* helical [m/rad] */
  double at[3];          /* joint frame's origin in the parent body frame [m] */
  double R[9];           /* joint axes to parent body axes, row major */
  double lower[6];       /* limits of the coordinates; -INFINITY when none [rad or m] */
  double upper[6];       /* +INFINITY when none [rad or m] */
  double stiffness[6];   /* spring towards rest [N m/rad or N/m] */
  double rest[6];        /* where it pulls to [rad or m] */
  double damping[6];     /* viscous, >= 0 [N m s/rad or N s/m] */
  double friction[6];    /* Coulomb level, >= 0 [N m or N] */
  double friction_speed; /* friction * tanh(v / friction_speed), > 0 [rad/s or m/s] */
  double armature[6];    /* reflected rotor inertia, >= 0; none on free joints [kg m^2 or kg] */
  double effort[6];      /* largest actuator force or torque; INFINITY when none [N m or N] */
  double speed[6];       /* largest speed; INFINITY when none [rad/s or m/s] */
  double child_at[3];    /* body frame's origin in the moved joint frame [m]; zero but after a capture */
  double child_R[9];     /* body axes to moved joint axes; identity but after a capture (join.h) */
  int reversed;          /* 1: written from the body to its parent: at and R are in the body, the coordinates
                          * move the parent, and child_at and child_R place the parent's frame */
  fb_place place;        /* position in the source file; zero when created by calls */
  int cookie_;           /* set by fb_default_joint_def */
} fb_joint_def;

/* A named frame on a body: end-point, sensor, thruster. */
typedef struct fb_frame_def {
  const char* name;
  double at[3]; /* origin in the body frame [m] */
  double R[9];  /* frame axes to body axes, row major */
  fb_place place;
  int cookie_; /* set by fb_default_frame_def */
} fb_frame_def;

typedef enum fb_shape_kind {
  FB_SHAPE_BOX,       /* size: full edges x, y, z */
  FB_SHAPE_SPHERE,    /* size[0]: radius */
  FB_SHAPE_ELLIPSOID, /* size: radii x, y, z */
  FB_SHAPE_CYLINDER,  /* size[0]: radius, size[1]: length, along z */
  FB_SHAPE_CAPSULE,   /* size[0]: radius, size[1]: length of the straight part, along z */
  FB_SHAPE_MESH       /* file; size: scale factors, 1 by default */
} fb_shape_kind;

/* Shapes are drawn, or touch others in contacts (contact.h), or both. Those for contact are drawn on bodies that have no
 * others. */
typedef enum fb_shape_use { FB_SHAPE_USE_BOTH, FB_SHAPE_USE_VISUAL, FB_SHAPE_USE_CONTACT } fb_shape_use;

typedef struct fb_shape_def {
  const char* name; /* or NULL */
  fb_shape_kind kind;
  double size[3];    /* see fb_shape_kind [m] */
  const char* file;  /* mesh only: STL, OBJ or COLLADA, named from the model file's folder; else NULL */
  double at[3];      /* in the body frame [m] */
  double R[9];       /* shape axes to body axes */
  const char* color; /* "#rrggbb" or "#rrggbbaa", or NULL */
  fb_shape_use use;
  fb_place place;
  int cookie_; /* set by fb_default_shape_def */
} fb_shape_def;

typedef struct fb_body_def {
  const char* name;
  const char* parent; /* NULL: the world */
  fb_joint_def joint;
  double mass;       /* [kg] */
  double com[3];     /* centre of mass in the body frame [m] */
  double inertia[6]; /* xx yy zz xy xz yz about the com, body axes [kg m^2] */
  fb_place place;
  int cookie_; /* set by fb_default_body_def */
} fb_body_def;

/* How masses and inertias that no body can have are treated: a negative mass, a principal moment that is negative or
 * larger than the sum of the other two. NaN and infinity are refused by all. */
typedef enum fb_inertia_policy {
  FB_INERTIA_BY_FORMAT, /* strict for native and SpaceDyn JSON files, repair for others, unless the file itself says which */
  FB_INERTIA_STRICT, /* refused */
  FB_INERTIA_REPAIR, /* replaced by the nearest possible ones, with a note: fb_model_def_repair */
  FB_INERTIA_KEEP    /* computed with as given, where the dynamics can: fb_model_check_pivots */
} fb_inertia_policy;

/* Loops close what a tree leaves open: a constraint between two frames, or between coordinates. One type per row, with the
 * number of relative motions that it takes away. */
#define FB_LOOP_LIST(ROW)                                                                                \
  ROW(FB_LOOP_WELD, "weld", 6)           /* the frames coincide */                                       \
  ROW(FB_LOOP_POINT, "point", 3)         /* their origins do */                                          \
  ROW(FB_LOOP_REVOLUTE, "revolute", 5)   /* origins, and the axis, which has the same numbers in both */ \
  ROW(FB_LOOP_UNIVERSAL, "universal", 4) /* origins; axis in a stays at right angles to axis2 in b */    \
  ROW(FB_LOOP_PRISMATIC, "prismatic", 5) /* attitudes; b's origin stays on the axis through a's */       \
  ROW(FB_LOOP_PLANAR, "planar", 3)       /* z axes are parallel; b's origin stays in a's x-y plane */    \
  ROW(FB_LOOP_DISTANCE, "distance", 1)   /* the origins stay `length` apart */                           \
  ROW(FB_LOOP_GEAR, "gear", 1)           /* q_a = sum of ratio q_b, and offset */

#define FB_LOOP_AS_ENUM(code, name, rows) code,
typedef enum fb_loop_type { FB_LOOP_LIST(FB_LOOP_AS_ENUM) FB_LOOP_TYPE_COUNT } fb_loop_type;
#undef FB_LOOP_AS_ENUM

enum { FB_LOOP_MAX_ROWS = 6 };

typedef struct fb_loop_def {
  const char* name;
  fb_loop_type type;
  const char *a, *b; /* frames; of a gear, a is a joint with one coordinate, and b is NULL */
  /* revolute, prismatic: z by default; universal: in a, x by default; any length except zero */
  double axis[3];
  double axis2[3]; /* universal: in b, y by default */
  double length;   /* distance: NAN, the default, is the distance at the start [m] */
  int njoint;      /* gear: the number of joints b, each with one coordinate */
  const char* const* joints;
  const double* ratios;
  double offset; /* gear [rad or m] */
  fb_place place;
  int cookie_; /* set by fb_default_loop_def */
} fb_loop_def;

typedef struct fb_model_def fb_model_def;

/* How a model is put on another: its world coincides with the place that at and R give in the parent. */
typedef struct fb_attach_def {
  const char* prefix; /* before each of its names, with a '_' between: "left" makes "left_hand"; NULL: none */
  const char* parent; /* a body or frame of the model it is put on; NULL: the world */
  double at[3];       /* its world's origin in the parent [m] */
  double R[9];        /* its world's axes to the parent's, row major */
  /* replaces the joint of its base, which must be one; at and R of it are not used. NULL: on a parent, bases
   * that float are fixed; all other joints remain */
  const fb_joint_def* joint;
  /* file in whose folder its meshes are, relative to that of the whole; NULL: names remain */
  const char* file;
  int cookie_; /* set by fb_default_attach_def */
} fb_attach_def;

FB_BEGIN_DECLS

FB_API const char* fb_inertia_policy_name(fb_inertia_policy policy); /* "strict"; "?" for by format */
FB_API int fb_inertia_policy_find(const char* name);                 /* the policy, or -1 */

FB_API const char* fb_joint_type_name(fb_joint_type type); /* "revolute"; "?" out of range */
FB_API int fb_joint_type_find(const char* name);           /* the type, or -1 */
FB_API int fb_joint_type_nq(fb_joint_type type);
FB_API int fb_joint_type_nv(fb_joint_type type);
FB_API int fb_joint_type_naxis(fb_joint_type type);     /* 0, 1, or 2: axis and axis2 */
FB_API int fb_joint_type_has_pitch(fb_joint_type type); /* 1: it rotates and advances, so it needs a pitch */
/* 1 if velocity coordinate i is a length, 0 if it is an angle. */
FB_API int fb_joint_type_is_length(fb_joint_type type, int i);
/* Index of its quaternion in its q; -1 when it has none, and q and v have the same coordinates. */
FB_API int fb_joint_type_quat_index(fb_joint_type type);

FB_API const char* fb_loop_type_name(fb_loop_type type); /* "weld"; "?" out of range */
FB_API int fb_loop_type_find(const char* name);          /* the type, or -1 */
FB_API int fb_loop_type_nrow(fb_loop_type type);         /* relative motions that it takes away */

/* A massless body fixed to the world; everything else is zero, identity or "none". */
FB_API fb_body_def fb_default_body_def(void);
FB_API fb_joint_def fb_default_joint_def(void);
FB_API fb_frame_def fb_default_frame_def(void);
FB_API fb_shape_def fb_default_shape_def(void); /* a box of size 0 */
FB_API fb_loop_def fb_default_loop_def(fb_loop_type type);
FB_API fb_attach_def fb_default_attach_def(void); /* on the world, at its origin, all names as they are */

FB_API fb_model_def* fb_model_def_new(void); /* NULL when out of memory */
FB_API fb_model_def* fb_model_def_copy(const fb_model_def* def);
FB_API void fb_model_def_free(fb_model_def* def);

/* All arguments are copied, including strings. Body ids, returned in *id (may be NULL), count from 1 in the order of
 * adding; 0 is the world. Values are not checked here but by fb_model_build. */
FB_API fb_status fb_model_def_add_body(fb_model_def* def, const fb_body_def* body, int* id, fb_error* error);
FB_API fb_status fb_model_def_add_frame(fb_model_def* def, int body, const fb_frame_def* frame,
                                        fb_error* error);
FB_API fb_status fb_model_def_add_shape(fb_model_def* def, int body, const fb_shape_def* shape,
                                        fb_error* error);
FB_API fb_status fb_model_def_add_loop(fb_model_def* def, const fb_loop_def* loop, fb_error* error);
/* Adds all bodies of another model, `part`, with their frames, shapes and loops: an arm on a satellite, a payload in a hand.
 * The parent must be in def already. Gravity, name and source of def remain. */
FB_API fb_status fb_model_def_attach(fb_model_def* def, const fb_model_def* part, const fb_attach_def* how,
                                     fb_error* error);
/* Replaces the joint of a body. */
FB_API fb_status fb_model_def_set_joint(fb_model_def* def, int body, const fb_joint_def* joint,
                                        fb_error* error);
/* The free joint by which a body floated until a capture gave it a parent (join.h), and the name of the joint that
 * captured it; joint NULL: none. fb_model_part gives it back. */
FB_API fb_status fb_model_def_set_floated(fb_model_def* def, int body, const fb_joint_def* joint,
                                          const char* until, fb_error* error);
/* Gives the mesh of a body's shape another file; index: as for fb_model_def_shape. */
FB_API fb_status fb_model_def_set_mesh(fb_model_def* def, int body, int index, const char* file,
                                       fb_error* error);
FB_API fb_status fb_model_def_set_name(fb_model_def* def, const char* name);
FB_API fb_status fb_model_def_set_source(fb_model_def* def, const char* file); /* for messages */
/* Uniform gravity, for formats whose models contain it (SpaceDyn); zero by default [m/s^2]. */
FB_API void fb_model_def_set_gravity(fb_model_def* def, const double g_w[3]);
/* Mass [kg] and inertia about the centre of mass [kg m^2] of a body; one that does not exist is left alone. */
FB_API void fb_model_def_set_inertia(fb_model_def* def, int body, double mass, const double inertia[6]);
/* 1: fb_model_build takes masses and inertias as they are, even those that no body can have; 0 by default. */
FB_API void fb_model_def_set_keeps_inertia(fb_model_def* def, int keeps);

/* Reading back. Strings and pointers are valid until the definition is changed. */
FB_API const char* fb_model_def_name(const fb_model_def* def);   /* "" when not set */
FB_API const char* fb_model_def_source(const fb_model_def* def); /* "" when not set */
FB_API void fb_model_def_gravity(const fb_model_def* def, double g_w[3]);
FB_API int fb_model_def_keeps_inertia(const fb_model_def* def);
FB_API int fb_model_def_nbody(
    const fb_model_def* def); /* number of bodies including the world: ids 0 .. nbody-1 */
FB_API const fb_body_def* fb_model_def_body(const fb_model_def* def, int body);     /* body >= 1 */
FB_API const fb_joint_def* fb_model_def_floated(const fb_model_def* def, int body); /* NULL: by none */
FB_API const char* fb_model_def_floated_until(const fb_model_def* def, int body);   /* or NULL */
FB_API int fb_model_def_nframe(const fb_model_def* def, int body);
FB_API const fb_frame_def* fb_model_def_frame(const fb_model_def* def, int body, int index);
FB_API int fb_model_def_nshape(const fb_model_def* def, int body);
FB_API const fb_shape_def* fb_model_def_shape(const fb_model_def* def, int body, int index);
FB_API int fb_model_def_nloop(const fb_model_def* def);
FB_API const fb_loop_def* fb_model_def_loop(const fb_model_def* def, int loop);

FB_END_DECLS

#endif
