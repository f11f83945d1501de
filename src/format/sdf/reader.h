/* reader.h -- what the parts of the SDF reader share. */
#ifndef FB_FORMAT_SDF_READER_H
#define FB_FORMAT_SDF_READER_H

#include <freebody/io.h>
#include <freebody/model_def.h>
#include <freebody/spatial.h>

#include "format/name_set.h"
#include "format/unread.h"
#include "format/urdf/package.h"
#include "format/xml/xml.h"

/* A model, link, joint or frame. */
typedef struct fb_sdf_item {
  int element;
  char kind;         /* m model, l link, j joint, f frame */
  char* key;         /* its name as seen from the world: "arm::hand" of the model "arm"; owned */
  const char* name;  /* in the definition: the key, without the name of the only model */
  int model;         /* the item of the model that it is in; -1: the world */
  const char* given; /* as it is written */
  fb_pose pose_w;    /* at zero coordinates */
  int depth;         /* of a model: how many are around it */
  double version;    /* of a model: of the file that it is from */
  int is_static;     /* of a model: it, or one around it */
  int is_merged; /* of a model: what is in it has names as if it were in that around it; its pose is its own */
  int first;     /* of a model: its first link, or the first model in it; -1: none */
  int is_placed; /* of a model: by a frame of it; pose_w is the model in that frame, until it is found */
  int link;      /* what it moves with, once that is known: an item, or an fb_sdf_known */
  int body;      /* of a link: its number in the definition */
  char state;    /* 0 not found, 1 being found, 2 found */
  int waits;     /* the item whose pose waits for this one; -1: none */
  int joint;     /* of a link: the item of the joint that carries it; -1: none */
} fb_sdf_item;

typedef struct fb_sdf_include fb_sdf_include;
typedef struct fb_sdf_solid fb_sdf_solid;

enum { fb_sdf_most_elements = 2000000 };
enum fb_sdf_known { FB_SDF_NO_LINK = -1, FB_SDF_NOT_KNOWN = -2 };

typedef struct fb_sdf_reader {
  fb_xml* xml;
  const fb_io_options* options;
  fb_error* error;
  const char* file;
  fb_model_def* def;
  double version;
  fb_sdf_item* items;
  size_t nitem, item_room;
  int* model_item; /* of each element: the item, if it is a model; -1 */
  int alone;       /* there is one model in the world, and `skip` is the length of its name and "::" */
  size_t skip;
  int* slots;   /* items by key: hashed, an item + 1 each; of those with one key the one that is meant */
  size_t nslot; /* a power of two */
  fb_sdf_include* includes;
  size_t ninclude, include_room, included; /* included: bytes of their files */
  fb_name_set names, joints, loops;
  fb_packages packages;
  fb_sdf_solid* solids; /* meshes whose volumes are known */
  size_t nsolid, solid_room;
  fb_unread unread; /* what is not read, or not as it is written */
} fb_sdf_reader;

fb_status fb_sdf_no_memory(const fb_sdf_reader* r);

/* Text of a child element: absent or blank leaves `out` alone; *found may be NULL. */
const char* fb_sdf_text(const fb_sdf_reader* r, int element, const char* child); /* NULL when absent */
/* The same without blanks behind it; 0 when there is none. */
int fb_sdf_word(const fb_sdf_reader* r, int element, const char* child, char word[1000]);
fb_status fb_sdf_numbers(const fb_sdf_reader* r, int element, const char* child, int count, double* out,
                         int* found);
int fb_sdf_is_true(const fb_sdf_reader* r, int element, const char* child);
/* One number that may be too large for a double or infinite, as limits are. */
fb_status fb_sdf_limit(const fb_sdf_reader* r, int element, const char* child, double* out);

/* <pose> of an element; *relative_to is its attribute, or NULL. */
fb_status fb_sdf_pose(const fb_sdf_reader* r, int element, fb_pose* pose, const char** relative_to);

/* A version as text, 1.10 after 1.9; 0 when it is none that is read. */
int fb_sdf_version(const char* text, double* version);
/* Puts the models of other files in the place of each <include> (format/sdf/include.c). */
fb_status fb_sdf_include_all(fb_sdf_reader* r);
int fb_sdf_is_include(const fb_xml* xml, int element);
void fb_sdf_forget_includes(fb_sdf_reader* r);
/* The file that an element was included from; NULL: it is of the main file. */
const char* fb_sdf_file_of(const fb_sdf_reader* r, int element);

/* All models, links, joints and frames (format/sdf/items.c). */
fb_status fb_sdf_gather(fb_sdf_reader* r);
/* The item of this name as it is meant inside a model, or in the world (-1); -1: none. */
int fb_sdf_find(const fb_sdf_reader* r, int model, const char* name);

/* From one pose in the world to another. */
void fb_sdf_pose_between(const fb_pose* a_w, const fb_pose* b_w, double p[3], double R[9]);
/* Where they are at zero coordinates (format/sdf/frames.c). First of all, the frames that models are placed by. */
fb_status fb_sdf_find_placed(fb_sdf_reader* r);
/* The link that an item moves with; -1: none. */
int fb_sdf_link_of(fb_sdf_reader* r, int item);
/* Fills pose_w of an item. */
fb_status fb_sdf_settle(fb_sdf_reader* r, int item);
/* The pose of an element in the world; `otherwise` is the item that it is relative to when it names none, or -1. */
fb_status fb_sdf_pose_in(fb_sdf_reader* r, int model, int element, int otherwise, fb_pose* pose_w);
/* The pose on its link of an element that is in one: an inertia or a shape. */
fb_status fb_sdf_pose_on(fb_sdf_reader* r, int link, int element, fb_pose* pose);

/* The joint that carries a link, and the name of its parent (format/sdf/joint.c). */
fb_status fb_sdf_joint(fb_sdf_reader* r, int link, fb_joint_def* joint, const char** parent);
fb_status fb_sdf_find_carriers(fb_sdf_reader* r);
fb_status fb_sdf_add_loops(fb_sdf_reader* r);
/* When all joints are known: a gear for each <mimic> (format/sdf/mimic.c). */
fb_status fb_sdf_add_mimics(fb_sdf_reader* r);
/* What the caller's wish makes of a joint with <mimic> when it is read: fixed, or left to be coupled. */
fb_status fb_sdf_read_mimic(fb_sdf_reader* r, int item, fb_joint_def* joint);

fb_status fb_sdf_add_shapes(fb_sdf_reader* r, int link);
/* The shape of a <geometry>, or FB_XML_NONE; *shown is 0 for what there is no shape for. *file is that of a mesh; free it. */
fb_status fb_sdf_geometry(fb_sdf_reader* r, int geometry, fb_shape_def* shape, char** file, int* shown);

/* Mass and inertia of a link (format/sdf/inertia.c). */
fb_status fb_sdf_read_inertial(fb_sdf_reader* r, int link, fb_body_def* body);
/* Writes those that are computed from meshes into the document; *count of them. */
fb_status fb_sdf_keep_solids(fb_sdf_reader* r, int* count);
void fb_sdf_forget_solids(fb_sdf_reader* r);

/* Reports all that was counted, and what is in the file and not read. */
fb_status fb_sdf_report_unread(fb_sdf_reader* r);

#endif
