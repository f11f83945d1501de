/* gltf.h -- what the files of the glTF writer share: https://registry.khronos.org/glTF has the format (2.0).
 *
 * Node 0 is the world, turned from z up to glTF's y up; node b is body b, placed in its parent's node, never scaled.
 * Shapes and frames are nodes of their own below their bodies' and never move in them. */
#ifndef FB_PICTURE_GLTF_GLTF_H
#define FB_PICTURE_GLTF_GLTF_H

#include <freebody/picture.h>
#include <freebody/status.h>

#include "picture/scene/scene.h"

/* The parts of the file's binary data. */
enum { FB_GLTF_VERTICES, FB_GLTF_INDICES, FB_GLTF_KEYS, FB_GLTF_VIEWS };

/* Numbers beyond it are left out: what is computed with smaller ones fits into single precision. */
#define FB_GLTF_FARTHEST 1e30

typedef struct fb_gltf_bytes {
  unsigned char* data;
  size_t size, room;
} fb_gltf_bytes;

/* Numbers in a part. */
typedef struct fb_gltf_accessor {
  int view, width; /* a part; numbers an element */
  int component;   /* 5126 float, 5123 and 5125 unsigned of 16 and 32 bits */
  size_t offset;   /* in the part [bytes] */
  size_t count;    /* elements */
  int bounded;     /* min and max are written */
  float min[3], max[3];
} fb_gltf_accessor;

/* Triangles that shapes share, in accessors; not there: position -1. */
typedef struct fb_gltf_geometry {
  fb_shape_kind kind; /* ellipsoids are spheres */
  int mesh, mirrored; /* of the scene; bit i: axis i is turned round */
  double length;      /* of a capsule, in radii */
  int position, normal, index;
} fb_gltf_geometry;

typedef struct fb_gltf_material {
  double color[4]; /* sRGB and opacity */
  int two_sided;   /* meshes of files may be open, or turned inside out */
} fb_gltf_material;

/* A geometry in a material. */
typedef struct fb_gltf_mesh {
  int geometry, material;
} fb_gltf_mesh;

/* How a body moves: accessors of its keys, -1 where it does not. */
typedef struct fb_gltf_channels {
  int translation, rotation;
} fb_gltf_channels;

/* A shape as a node. */
typedef struct fb_gltf_shape {
  int mesh; /* in meshes; -1: nothing to draw */
  double scale[3];
} fb_gltf_shape;

typedef struct fb_gltf {
  const fb_scene* scene;
  fb_gltf_bytes views[FB_GLTF_VIEWS];
  fb_gltf_accessor* accessors;
  fb_gltf_geometry* geometries;
  fb_gltf_material* materials;
  fb_gltf_mesh* meshes;
  size_t naccessor, accessor_room, ngeometry, geometry_room, nmaterial, material_room, nmesh, mesh_room;
  fb_gltf_shape* shapes;      /* [scene's nshape] */
  fb_gltf_channels* channels; /* [nbody] */
  int times;                  /* the accessor of the keys' times; -1: nothing moves */
  double (*rest)[7]; /* [nbody] pose in the parent, position and quaternion w x y z, at the first sample */
} fb_gltf;

fb_status fb_gltf_no_memory(fb_error* error);

/* ---- picture/gltf/bytes.c ---- */

void fb_gltf_put_u32(unsigned char* at, unsigned value);
void fb_gltf_put_u16(unsigned char* at, unsigned value);
void fb_gltf_put_float(unsigned char* at, float value);
float fb_gltf_get_float(const unsigned char* at);
/* A new accessor of `count` elements, zeros by now, at the end of a part; -1 without memory. */
int fb_gltf_add_accessor(fb_gltf* g, int view, int component, int width, size_t count);
/* Where an accessor's numbers stand. */
unsigned char* fb_gltf_at(fb_gltf* g, int accessor);
/* Fills in min and max, from what stands there. */
void fb_gltf_bound(fb_gltf* g, int accessor);

/* ---- picture/gltf/surface.c ---- */

/* Triangles on their way into accessors. */
typedef struct fb_gltf_surface {
  float *position, *normal; /* [nvertex][3] */
  unsigned* index;          /* [nindex], three a triangle */
  size_t nvertex, position_room, normal_room, nindex, index_room;
  int failed; /* out of memory */
} fb_gltf_surface;

/* Of size 1: a cube with edges of 1, a sphere of radius 1, a cylinder of radius 1 and length 1, a capsule of radius 1. */
void fb_gltf_make_box(fb_gltf_surface* s);
void fb_gltf_make_sphere(fb_gltf_surface* s);
void fb_gltf_make_cylinder(fb_gltf_surface* s);
void fb_gltf_make_capsule(fb_gltf_surface* s, double length);
unsigned fb_gltf_add_vertex(fb_gltf_surface* s, const double position[3], const double normal[3]);
void fb_gltf_add_triangle(fb_gltf_surface* s, unsigned a, unsigned b, unsigned c);
void fb_gltf_free_surface(fb_gltf_surface* s);

/* ---- picture/gltf/mesh.c ---- */

/* A mesh with normals: smooth across edges flatter than some 40 degrees, sharp across others. */
void fb_gltf_make_mesh(fb_gltf_surface* s, const fb_mesh* mesh, int mirrored);

/* ---- picture/gltf/shape.c ---- */

/* Fills shapes, and all that they need. */
fb_status fb_gltf_add_shapes(fb_gltf* g, fb_error* error);

/* ---- picture/gltf/motion.c ---- */

/* Fills rest, channels and times. */
fb_status fb_gltf_add_motion(fb_gltf* g, fb_store* run, const fb_picture_options* options, fb_error* error);

/* ---- picture/gltf/json.c ---- */

/* The JSON part of the file; free() it, or NULL without memory. */
char* fb_gltf_print(const fb_gltf* g, fb_store* run, size_t* size);

#endif
