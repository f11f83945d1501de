/* reader.h -- what the parts of the MJCF reader share. */
#ifndef FB_FORMAT_MJCF_READER_H
#define FB_FORMAT_MJCF_READER_H

#include <freebody/io.h>
#include <freebody/model_def.h>
#include <freebody/spatial.h>
#include <freebody/status.h>

#include "format/mjcf/solid.h"
#include "format/mjcf/tree.h"
#include "format/name_set.h"
#include "format/unread.h"
#include "model/model.h"

/* <compiler> and <option>, as far as they matter here. */
typedef struct fb_mjcf_settings {
  double angle;     /* [rad] for each unit of angle in the file */
  char eulerseq[4]; /* x y z about moving axes, X Y Z about fixed ones */
  int autolimits;   /* a range alone limits a joint */
  int from_geoms; /* inertias of bodies: 0 <inertial> alone, 1 geoms alone, 2 geoms where there is no <inertial> */
  double groups[2];                             /* geoms that have mass */
  int balance;                                  /* inertias that no body can have become a sphere's */
  double least_mass, least_inertia, total_mass; /* total: scale to it when positive */
  int exact_meshes;                             /* volumes of meshes are signed, whatever the mesh says */
  int strip_path, no_visual;
  int align_free;     /* frames of free bodies are moved to their inertia by MuJoCo */
  int fit_bounds;     /* geoms fitted to a mesh contain its bounding box, rather than have its inertia */
  const char* folder; /* of meshes, or NULL */
  double gravity_w[3];
  int no_friction, no_limits, no_springs, no_contact; /* <flag> */
} fb_mjcf_settings;

/* A default class: nodes <default> that belong to it, and the class around it. */
typedef struct fb_mjcf_class {
  const char* name;
  int parent; /* -1 for main */
  int first;  /* of the class's nodes in the order of the file, by next_node; FB_MJCF_NONE */
  int last;
} fb_mjcf_class;

typedef struct fb_mjcf_body {
  int node, parent; /* parent: index of a body; 0 is the world */
  fb_pose pose;     /* in the parent's frame */
  fb_pose pose_w;   /* in the world, at qpos0 */
  fb_pose spring_w; /* in the world, with every joint at its springref */
  int first, last;  /* joints, inertials, geoms and sites on it, by next_item; FB_MJCF_NONE */
  int njoint;
  int split; /* its free joint became three slides and a ball */
  int id;    /* in the definition; 0 for the world without shapes and frames */
  const char* name;
  double gravcomp;       /* part of its weight that is carried */
  const char* com_frame; /* the frame at its centre of mass, where this force acts; NULL: it has none */
} fb_mjcf_body;

/* A site with a name: the frame that it became, and where it is on its body. */
typedef struct fb_mjcf_site {
  const char *name, *frame;
  int body;
  fb_pose pose;
} fb_mjcf_site;

typedef struct fb_mjcf_reader {
  fb_mjcf_tree tree;
  const fb_io_options* options;
  fb_error* error;
  const char* file;
  fb_model_def* def;
  fb_mjcf_settings set;
  int scenario;  /* 1: what belongs to a scenario is written to one; 2: contacts too */
  int ours;      /* the file was written by Freebody */
  int read_mesh; /* the mass of a body comes from a mesh file */
  fb_mjcf_class* classes;
  size_t nclass, class_room;
  int* next_node;         /* of each node: the next <default> of the same class */
  int* class_of;          /* of each node: the class for what has none of its own */
  int* owner;             /* of each node in a <worldbody>: the body that it is on; -1 elsewhere */
  int* next_item;         /* of each node: the next one on the same body */
  fb_mjcf_solid** solids; /* of each node: a mesh asset as it was read; NULL before */
  fb_pose* pose;          /* of each node: the pose of the frames around it in the owner's frame */
  fb_mjcf_body* bodies;
  size_t nbody, body_room;
  /* of bodies and frames; of joints; of loops; of sites in the file */
  fb_name_set names, joints, loops, sites;
  fb_name* meshes; /* asset nodes by name, sorted; names are the reader's own or made */
  fb_name* materials;
  int nmesh, nmaterial;
  struct fb_mjcf_joint* joint_list; /* joints of the definition with one coordinate, for equalities */
  size_t njoint, joint_room;
  fb_name *joint_index, *site_index; /* both lists by name, sorted, when all bodies are there */
  fb_mjcf_site* site_list;
  size_t nsite, site_room;
  fb_unread unread;
} fb_mjcf_reader;

/* A joint that an equality may name. */
typedef struct fb_mjcf_joint {
  const char *name, *def_name;
  int body;      /* its body in the definition */
  double ref;    /* its coordinate at qpos0 */
  double spring; /* its springref */
  double effort; /* of its actuators together */
} fb_mjcf_joint;

/* --- notes and errors --- */

/* An error at a node's place. */
fb_status fb_mjcf_fail(const fb_mjcf_reader* r, int node, fb_status status, const char* format, ...)
    FB_PRINTF(4, 5);
static inline fb_status fb_mjcf_no_memory(const fb_mjcf_reader* r) {
  fb_fail(r->error, FB_ERR_MEMORY, "out of memory while the MJCF was read");
  return FB_ERR_MEMORY;
}
void fb_mjcf_report_unread(const fb_mjcf_reader* r);
/* Counts elements and attributes that MJCF does not know or that are not read (format/mjcf/unread.c). */
void fb_mjcf_find_unread(fb_mjcf_reader* r);

/* --- attributes with their defaults (format/mjcf/defaults.c) --- */

typedef struct fb_mjcf_source {
  fb_xml* xml;
  int element;
} fb_mjcf_source;

/* All <default> of the file as classes, and the class that holds at each node. */
fb_status fb_mjcf_gather_classes(fb_mjcf_reader* r);
/* Where an attribute of a node is written: in the node, or in its default class under the tag `kind`, which may be
 * NULL for elements without defaults. Returns its text, or NULL. */
const char* fb_mjcf_find(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute,
                         fb_mjcf_source* source);
/* `count` numbers of it, or as many as there are up to `count` when `fewer` is not NULL; absent: left alone. */
fb_status fb_mjcf_numbers(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute,
                          int count, double* out, int* found);
fb_status fb_mjcf_some(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute, int most,
                       double* out, int* found);
/* The index of a word among `words` (NULL-ended); absent: left alone. */
fb_status fb_mjcf_word(const fb_mjcf_reader* r, int node, const char* kind, const char* attribute,
                       const char* const* words, int* out);

/* --- the parts --- */

fb_status fb_mjcf_read_settings(fb_mjcf_reader* r);
/* The rotation that quat, axisangle, euler, xyaxes or zaxis give, and the position; absent: left alone. */
fb_status fb_mjcf_rotation(const fb_mjcf_reader* r, int node, const char* kind, double R[9]);
fb_status fb_mjcf_pose(const fb_mjcf_reader* r, int node, const char* kind, fb_pose* pose);
/* The smallest rotation that takes z to a direction of any length except zero. */
void fb_mjcf_turn_z(const double to[3], double R[9]);

/* Bodies and what is on each of them (format/mjcf/walk.c). */
fb_status fb_mjcf_walk(fb_mjcf_reader* r);
/* A node's name with the suffixes of <replicate>; free it. NULL without error when it has none. */
fb_status fb_mjcf_name(const fb_mjcf_reader* r, int node, char** name);

fb_status fb_mjcf_gather_assets(fb_mjcf_reader* r);
/* Adds a body with its joints, and all that is on it. */
fb_status fb_mjcf_add_body(fb_mjcf_reader* r, int body);
/* One joint of a body: kinds of MJCF are hinge, slide, ball and free. *pos is in the body's frame. */
fb_status fb_mjcf_read_joint(fb_mjcf_reader* r, int node, fb_joint_def* joint, double pos[3], double* ref);
fb_status fb_mjcf_read_inertia(fb_mjcf_reader* r, int body, fb_body_def* out);
fb_status fb_mjcf_finish_inertias(fb_mjcf_reader* r);

/* A geom: its kind, sizes as MuJoCo has them, its pose in the body and its mesh asset. */
typedef enum fb_mjcf_geom_type {
  FB_MJCF_PLANE,
  FB_MJCF_HFIELD,
  FB_MJCF_SPHERE,
  FB_MJCF_CAPSULE,
  FB_MJCF_ELLIPSOID,
  FB_MJCF_CYLINDER,
  FB_MJCF_BOX,
  FB_MJCF_MESH,
  FB_MJCF_SDF
} fb_mjcf_geom_type;

typedef struct fb_mjcf_geom {
  fb_mjcf_geom_type type;
  double size[3]; /* radii and half lengths */
  fb_pose pose;   /* in the body's frame */
  int mesh;       /* node of the asset; FB_MJCF_NONE */
  int fitted;     /* a primitive whose size and pose come from the mesh */
  /* then its pose in the frames around it, so that it can be written and read again */
  double mesh_p[3], mesh_q[4];
  int shell; /* its mass is in its surface */
  double group, contype, conaffinity;
} fb_mjcf_geom;

fb_status fb_mjcf_read_geom(fb_mjcf_reader* r, int node, fb_mjcf_geom* geom);
/* MuJoCo's half lengths as the sizes of shapes. Returns 0 for what there is no shape for. */
int fb_mjcf_to_shape(const fb_mjcf_geom* geom, fb_shape_def* shape);
/* The shape that is drawn, if there is one for it. */
fb_status fb_mjcf_add_shape(fb_mjcf_reader* r, int node, const fb_mjcf_geom* geom, int id);

/* The file of a mesh from the model's folder, and its scale; free the name. *name is NULL when it has no file. */
fb_status fb_mjcf_mesh_file(const fb_mjcf_reader* r, int asset, char** name, double scale[3]);
/* Volume and inertia of a mesh asset in the frame of its geom. Mass 0 and a note where it cannot be had. */
fb_status fb_mjcf_mesh_solid(fb_mjcf_reader* r, int asset, const fb_mjcf_solid** out);

/* What is named in a section behind the bodies; NULL and -1 when there is none. */
const fb_mjcf_site* fb_mjcf_find_site(const fb_mjcf_reader* r, const char* name);
fb_mjcf_joint* fb_mjcf_find_joint(const fb_mjcf_reader* r, const char* name);
fb_status fb_mjcf_index(fb_mjcf_reader* r); /* before the first look-up */

fb_status fb_mjcf_add_equalities(fb_mjcf_reader* r);

/* The file with all that it needs of others in it, when the definition is complete; NULL when it needs none. */
fb_status fb_mjcf_print_whole(fb_mjcf_reader* r, char** text, size_t* size);

/* The parts of a joint in MJCF, by type: names are the joint's with these ends, in this order. */
typedef struct fb_mjcf_parts {
  fb_joint_type type;
  const char* ends[5]; /* NULL-ended */
  const char* kinds;   /* one letter each: h hinge, s slide, b ball */
} fb_mjcf_parts;

extern const fb_mjcf_parts fb_mjcf_parts_table[]; /* ends with type FB_JOINT_TYPE_COUNT */

/* Damping of a ball along the axes of its joint frame, where the writer had to make it of actuators. */
void fb_mjcf_find_dampers(fb_mjcf_reader* r, const char* ball, double damping[3]);
/* 1 when the joints of a body are the parts of one; it is in *joint, or *status says what went wrong. For files that
 * Freebody has written. */
int fb_mjcf_merge_joints(fb_mjcf_reader* r, int body, fb_joint_def* joint, fb_status* status);

#endif
