/* scene.h -- a model as it looks: bodies with shapes, ready to be drawn by the page and by glTF.
 *
 * Where a body has visual shapes they are taken as they are. Where it has none it gets some: links from its origin to
 * the joints and frames that it carries, and the box of its inertia; a body without mass or extent, nothing but a dot. */
#ifndef FB_PICTURE_SCENE_SCENE_H
#define FB_PICTURE_SCENE_SCENE_H

#include <freebody/io.h>
#include <freebody/model.h>
#include <freebody/store.h>

#include "document/document.h"
#include "format/mesh/mesh.h"

typedef struct fb_scene_shape {
  fb_shape_kind kind;
  double size[3];  /* as in fb_shape_def; of meshes the scale */
  double at[3];    /* in the body frame [m] */
  double quat[4];  /* w x y z, shape axes to body axes */
  double color[4]; /* red, green, blue (sRGB), opacity: 0 .. 1 */
  int mesh;        /* in meshes; -1: none */
  int guessed;     /* not the model's own */
} fb_scene_shape;

typedef struct fb_scene_body {
  int parent; /* body id; 0: the world */
  int first_shape, nshape;
  /* The ellipsoid of uniform density with the body's mass and inertia, in its body frame; radii 0 without mass. */
  double ellipsoid_at[3], ellipsoid_quat[4], ellipsoid_radii[3];
} fb_scene_body;

/* A surface of the run's contacts. All but planes are also among the shapes of their bodies, or of the world. */
typedef struct fb_scene_surface {
  int body;     /* that carries it; 0: the world */
  int plane;    /* it has no extent: only place and colour of the shape count */
  int coloured; /* by the scenario */
  fb_scene_shape shape;
  const fb_node* rows; /* of heights; or NULL */
  double spacing[2];   /* of heights [m] */
  const char* file;    /* name of its mesh in the run; or NULL */
} fb_scene_surface;

typedef struct fb_scene {
  fb_model* model;       /* its own; bodies, joints, frames as everywhere: 0 is the world */
  fb_scene_body* bodies; /* [nbody] */
  fb_scene_shape* shapes;
  int nbody, nshape, nmesh;
  fb_mesh* meshes;
  fb_scene_surface* surfaces;
  int nsurface;
  fb_doc* view;  /* of the run; or NULL */
  int* q_signal; /* [nq] the run's signal of each coordinate; -1: it was not logged */
} fb_scene;

/* The scene of a run: its model, and the meshes that it keeps. What cannot be shown is left out or replaced by what
 * inertia tells, and noted. */
fb_status fb_scene_of_run(fb_store* run, fb_note_fn note, void* note_user, fb_scene** scene, fb_error* error);
/* The scene of a model alone: its meshes are files named from the model's own, and coordinate i has signal i. */
fb_status fb_scene_of_model(const fb_model* model, fb_note_fn note, void* note_user, fb_scene** scene,
                            fb_error* error);
void fb_scene_free(fb_scene* scene);

#endif
