/* contact_scene.h -- what bench_contact times, as plain numbers, and the engines that run it: Freebody and, where it is
 * installed, MuJoCo. Both build their models from the same table and are driven by the same torques. */
#ifndef FB_BENCH_CONTACT_SCENE_H
#define FB_BENCH_CONTACT_SCENE_H

#include <stddef.h>

#include "bench_models.h"

enum { SCENE_BODIES = 100, SCENE_COORDINATES = 7 * SCENE_BODIES };

#define SCENE_STEP 0.002   /* [s] */
#define SCENE_GRAVITY 9.81 /* [m/s^2] down */
#define SCENE_FRICTION 0.7

/* A shape of a body: a sphere (size[0] its radius) or a box (size its edges), at a place in the body's axes. All of them touch
 * the plane z = 0; those of different free bodies touch each other too. */
typedef struct scene_shape {
  int body, is_box;
  double at[3], size[3];
} scene_shape;

typedef struct contact_scene {
  const char *name, *about;
  int marches;   /* legs are lifted in turn */
  int falls;     /* the steps of the fall are timed, not those after it */
  int reference; /* the body whose drift is measured */
  int nshape;
  bench_model model;
  bench_body body[SCENE_BODIES];
  scene_shape shape[SCENE_BODIES];
  double q[SCENE_COORDINATES]; /* at the start, at rest */
} contact_scene;

/* The scene with this index; 0 past the last. */
int contact_scene_make(int index, contact_scene* scene);
/* Torques of the joints, [njoint], from their angles and rates: springs and dampers about what they should be at t. */
void contact_scene_drive(const contact_scene* scene, double t, const double* angle, const double* rate,
                         double* torque);

/* States are in the coordinates of bench_models.h. */
typedef struct contact_engine {
  const char* name;
  void* (*open)(const contact_scene* scene, char* why, size_t size); /* NULL, and in why the reason */
  int (*step)(void* self);                                           /* 0: failed */
  void (*read)(void* self, double* q, double* v);
  void (*close)(void* self);
} contact_engine;

extern const contact_engine contact_own;
const contact_engine* contact_peer(void); /* NULL: not in this build */

#endif
