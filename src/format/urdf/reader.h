/* reader.h -- what the parts of the URDF reader share. */
#ifndef FB_FORMAT_URDF_READER_H
#define FB_FORMAT_URDF_READER_H

#include <freebody/io.h>
#include <freebody/model_def.h>

#include "format/urdf/xml.h"
#include "model/model.h"

enum { FB_URDF_PASSED_MAX = 32 };

/* Elements and attributes passed over, counted by name, so that a file with fifty <gazebo> makes one note. */
typedef struct fb_urdf_passed {
  const char* name;      /* of the element */
  const char* attribute; /* NULL: the element itself */
  const char* near;      /* what was probably meant, or NULL */
  int count, line;       /* how many, and the line of the first */
} fb_urdf_passed;

typedef struct fb_urdf_reader {
  fb_xml* xml;
  const fb_io_options* options;
  fb_error* error;
  fb_model_def* def;
  int nlink, njoint, nmaterial;
  int *link, *joint;                          /* their elements, in document order */
  fb_name *links, *joints, *materials;        /* by name; materials give their element */
  int *parent_joint, *parent_link;            /* of each link; -1 for none */
  int *child_link, *first_joint, *next_joint; /* of each joint; of each link; of each joint */
  double* turn;                               /* 9 for each link: body axes in link axes (planar joints) */
  int* body;                                  /* body id of each link; 0 for the link `world` */
  int order_of_links;                         /* bodies in the order of <link>, not depth first */
  fb_urdf_passed passed[FB_URDF_PASSED_MAX];
  int npassed, passed_others; /* reported by name, and beyond those */
  int material_names;         /* of shapes, other than their colour's text */
} fb_urdf_reader;

/* Counts an element that is not read (format/urdf/known.c). */
void fb_urdf_pass_over(fb_urdf_reader* r, int element);
/* Tells of everything that was passed over, whether counted before or unknown to the reader. */
fb_status fb_urdf_tell_unread(fb_urdf_reader* r);

/* The optional <origin> of an element; absent: zero and the identity. */
fb_status fb_urdf_read_origin(const fb_urdf_reader* r, int element, double at[3], double R[9]);

/* A <joint> but for its links. `turn` is the rotation to give the child's body frame: the identity but
 * for planar joints, whose plane is normal to their axis in URDF and to z here. */
fb_status fb_urdf_read_joint(fb_urdf_reader* r, int element, fb_joint_def* joint, double turn[9]);

/* <visual> and <collision> of a link, in order, in link axes turned into body axes. */
fb_status fb_urdf_read_shapes(fb_urdf_reader* r, int element, int body, const double turn[9]);

/* Refuses a file that xacro has yet to work on: it may well lack what a URDF needs. */
fb_status fb_urdf_refuse_xacro(const fb_urdf_reader* r);
/* Sorts links and joints of <robot> and finds the parent and children of each (format/urdf/links.c). */
fb_status fb_urdf_gather(fb_urdf_reader* r);
fb_status fb_urdf_connect(fb_urdf_reader* r, int* root);

#endif
