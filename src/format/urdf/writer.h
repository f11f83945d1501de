/* writer.h -- what the parts of the URDF writer share. */
#ifndef FB_FORMAT_URDF_WRITER_H
#define FB_FORMAT_URDF_WRITER_H

#include <freebody/io.h>
#include <freebody/model_def.h>
#include <freebody/support/text.h>

#include "model/definition/forest.h"

typedef struct fb_urdf_writer {
  const fb_model_def* def;
  const fb_io_options* options;
  fb_forest tree;
  int* mimic; /* [tree.nbody] the loop that <mimic> of a body's joint says, counted from 1; 0: none */
  fb_text text;
  const char* bad; /* a text that XML cannot hold, or NULL */
} fb_urdf_writer;

/*  name="value" with a space before it; the value escaped, numbers in the digits that read back the same. */
void fb_urdf_add_attribute(fb_urdf_writer* w, const char* name, const char* value);
void fb_urdf_add_numbers(fb_urdf_writer* w, const char* name, const double* x, int count);
/* <origin .../> on its own line, unless the pose is the identity. */
void fb_urdf_add_origin(fb_urdf_writer* w, int indent, const double at[3], const double R[9]);
int fb_urdf_is_identity(const double at[3], const double R[9]);

/* A root that floats freely from the world's origin needs no joint in URDF. */
int fb_urdf_is_plain_root(const fb_body_def* body);
void fb_urdf_write_joint(fb_urdf_writer* w, int body);
/* Decides which gears are written as <mimic>. Returns 0 when out of memory. */
int fb_urdf_choose_mimics(fb_urdf_writer* w);
/* <mimic> of a body's joint, if it has one. */
void fb_urdf_write_mimic(fb_urdf_writer* w, int body);
/* Whether there are loops that <mimic> alone does not give back; and those as <loop> elements. */
int fb_urdf_has_loops(const fb_urdf_writer* w);
void fb_urdf_write_loops(fb_urdf_writer* w);
void fb_urdf_write_shape(fb_urdf_writer* w, const fb_shape_def* shape);

#endif
