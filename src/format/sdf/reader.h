/* reader.h -- what the parts of the SDF reader share. */
#ifndef FB_FORMAT_SDF_READER_H
#define FB_FORMAT_SDF_READER_H

#include <freebody/io.h>
#include <freebody/model_def.h>
#include <freebody/spatial.h>

#include "format/name_set.h"
#include "format/urdf/package.h"
#include "format/xml/xml.h"

/* A model, link, joint or frame, by its whole name: "arm::hand" in a model within the model. */
typedef struct fb_sdf_item {
  int element;
  char kind;         /* m model, l link, j joint, f frame */
  char* name;        /* with those of the models around it, unless it is in the only one */
  int model;         /* the item of the model that it is in; -1: none */
  const char* given; /* as it is written */
  fb_pose pose_w;    /* at zero coordinates */
  int depth;         /* of a model: how many are around it */
  double version;    /* of a model: of the file that it is from */
  int is_static;     /* of a model: it, or one around it */
  int first_link;    /* of a model: its first link; -1: none */
  int link;          /* what it moves with, once that is known: an item, or an fb_sdf_known */
  int body;          /* of a link: its number in the definition */
  char state;        /* 0 not found, 1 being found, 2 found */
  int waits;         /* the item whose pose waits for this one; -1: none */
  int joint;         /* of a link: the element of the joint that carries it; FB_XML_NONE */
  int joint_model;   /* the model of that joint */
} fb_sdf_item;

typedef struct fb_sdf_include fb_sdf_include;

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
  int* slots;      /* items by name: hashed, an item + 1 each; of those with one name the one that is meant */
  size_t nslot;    /* a power of two */
  fb_sdf_include* includes;
  size_t ninclude, include_room, included; /* included: bytes of their files */
  fb_name_set names, joints, loops;
  fb_packages packages;
  int lost_meshes;
  int no_inertial, no_inertial_line; /* links without <inertial>; line of the first */
} fb_sdf_reader;

fb_status fb_sdf_no_memory(const fb_sdf_reader* r);

/* Text of a child element: absent or blank leaves `out` alone; *found may be NULL. */
const char* fb_sdf_text(const fb_sdf_reader* r, int element, const char* child); /* NULL when absent */
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
void fb_sdf_forget_includes(fb_sdf_reader* r);

/* All models, links, joints and frames, and where they are at zero coordinates (format/sdf/frames.c). */
fb_status fb_sdf_gather(fb_sdf_reader* r);
/* The item of this name as it is meant inside a model; -1: none. */
int fb_sdf_find(const fb_sdf_reader* r, int model, const char* name);
/* The link that an item moves with; -1: none. */
int fb_sdf_link_of(fb_sdf_reader* r, int item);
/* Fills pose_w of an item. */
fb_status fb_sdf_settle(fb_sdf_reader* r, int item);
/* The pose of an element in the world; `otherwise` is the item that it is relative to when it names none, or -1. */
fb_status fb_sdf_pose_in(fb_sdf_reader* r, int model, int element, int otherwise, fb_pose* pose_w);

fb_status fb_sdf_joint(fb_sdf_reader* r, int item, fb_joint_def* joint, const char** parent);
fb_status fb_sdf_find_carriers(fb_sdf_reader* r);
fb_status fb_sdf_add_loops(fb_sdf_reader* r);
fb_status fb_sdf_add_shapes(fb_sdf_reader* r, int item, int id);

#endif
