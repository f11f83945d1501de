/* reader.h -- what the parts of the URDF reader share. */
#ifndef FB_FORMAT_URDF_READER_H
#define FB_FORMAT_URDF_READER_H

#include <freebody/io.h>
#include <freebody/model_def.h>

#include "base/pool.h"
#include "format/name_set.h"
#include "format/unread.h"
#include "format/urdf/package.h"
#include "format/urdf/slips.h"
#include "format/xml/xml.h"
#include "model/model.h"

typedef struct fb_urdf_reader {
  fb_xml* xml;
  const fb_io_options* options;
  fb_error* error;
  fb_model_def* def;
  fb_pool pool; /* the arrays of links and joints */
  int nlink, njoint;
  int *link, *joint;                     /* their elements, in document order */
  fb_name *links, *joints;               /* by name; joints that have a name of their own */
  int nnamed;                            /* of those */
  fb_name *materials, *visual_materials; /* elements by name: of the robot; in visuals, with a colour */
  int nmaterial, nvisual_material;
  const char** joint_names;        /* of each joint, as the model has it */
  int implicit_world;              /* the link that stands for a `world` that is not there; or -1 */
  int renamed;                     /* the link `world` that is not the world; or -1 */
  char world_link[32];             /* the name that it has */
  fb_name_set given;               /* names of joints */
  int *parent_joint, *parent_link; /* of each link; -1 for none */
  int *child_link, *first_joint, *next_joint; /* of each joint; of each link; of each joint */
  double* turn;                               /* 9 for each link: body axes in link axes (planar joints) */
  int* body;                                  /* body id of each link; 0 for the link `world` */
  int order_of_links;                         /* bodies in the order of <link>, not depth first */
  fb_unread unread;
  int material_names; /* of shapes, other than their colour's text */
  fb_urdf_tally slips[FB_SLIP_COUNT];
  fb_packages packages;
} fb_urdf_reader;

static inline fb_status fb_urdf_no_memory(const fb_urdf_reader* r) {
  return fb_fail(r->error, FB_ERR_MEMORY, "out of memory while the URDF was read");
}

/* Counts an element that is not read (format/urdf/known.c). */
void fb_urdf_pass_over(fb_urdf_reader* r, int element);
/* Reports everything that was passed over, whether counted before or unknown to the reader. */
fb_status fb_urdf_report_unread(fb_urdf_reader* r);

/* The optional <origin> of an element; absent: zero and the identity. */
fb_status fb_urdf_read_origin(const fb_urdf_reader* r, int element, double at[3], double R[9]);

/* The name of a link as the model has it. */
const char* fb_urdf_link_name(const fb_urdf_reader* r, int link);

/* A <joint> but for its links and its name, which is given. `turn` is the rotation to give the child's body frame: the identity but
 * for planar joints, whose plane is normal to their axis in URDF and to z here. */
fb_status fb_urdf_read_joint(fb_urdf_reader* r, int element, const char* name, fb_joint_def* joint,
                             double turn[9]);

/* A number that may be wrong, as those of <limit> and <mimic>; one that cannot be read is not a number here. */
fb_status fb_urdf_read_number(fb_urdf_reader* r, int element, const char* attribute, double* out);

/* Gears from <mimic>, and the loops in <freebody> of the robot (format/urdf/loops.c); after all bodies. */
fb_status fb_urdf_add_loops(fb_urdf_reader* r);

/* <visual> and <collision> of a link, in order, in link axes turned into body axes. */
fb_status fb_urdf_read_shapes(fb_urdf_reader* r, int element, int body, const double turn[9]);

/* Refuses a file that xacro has yet to work on: it may well lack what a URDF needs. */
fb_status fb_urdf_refuse_xacro(const fb_urdf_reader* r);
/* Sorts links and joints of <robot> and finds the parent and children of each (format/urdf/links.c). */
fb_status fb_urdf_gather(fb_urdf_reader* r);
fb_status fb_urdf_connect(fb_urdf_reader* r);

/* Whether the child of a joint has another parent joint before it (format/urdf/second.c). */
int fb_urdf_is_second(const fb_urdf_reader* r, int joint);
/* Makes loops of those, when all bodies are there. */
fb_status fb_urdf_close_loops(fb_urdf_reader* r);

/* Of each body; index 0 is the world. */
typedef struct fb_urdf_mimics {
  fb_urdf_reader* r;
  int* joint;   /* its <joint>, counted as in the file; -1: none */
  int* follows; /* the body whose joint its own follows by a gear; 0: none */
  char* placed; /* <loop mimic=""> says where its gear is in the list of loops */
} fb_urdf_mimics;

/* What the caller's wish makes of a joint with <mimic> when it is read: fixed, or left to be coupled. */
fb_status fb_urdf_read_mimic(fb_urdf_reader* r, int element, fb_joint_def* joint);

/* When all bodies are read: which joint follows which. */
fb_status fb_urdf_find_mimics(fb_urdf_reader* r, fb_urdf_mimics* m);
/* Gives joints an armature that have nothing to move and are coupled to others that have (format/urdf/mimic_mass.c). */
fb_status fb_urdf_lift_massless(const fb_urdf_mimics* m);
void fb_urdf_free_mimics(fb_urdf_mimics* m);
/* Adds the gear of a body's joint, if it has one; name NULL: that of the joint. */
fb_status fb_urdf_add_mimic(const fb_urdf_mimics* m, int body, const char* name);

#endif
