/* bench_runner.h -- what a library must offer to be timed and checked: Freebody itself, and every peer.
 *
 * A runner gets a model and a set of states, turns them into its own coordinates when it is opened, and then
 * computes one quantity of one state a call. Only the calls are timed; each writes the library's own input
 * first where the library asks for that, and leaves the result in the library's own form. `read` brings it
 * into the coordinates of bench_models.h, to be compared. */
#ifndef FB_BENCH_RUNNER_H
#define FB_BENCH_RUNNER_H

#include <stddef.h>

#include "bench_models.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum bench_quantity {
  BENCH_FORWARD,  /* vdot (nv) of q, v, tau */
  BENCH_INVERSE,  /* tau (nv) of q, v, vdot */
  BENCH_INERTIA,  /* H (nv x nv) of q */
  BENCH_JACOBIAN, /* of the end-point (6 x nv, linear rows first, world axes) of q, poses included */
  BENCH_POSES,    /* of all bodies, of q; read: origin of the end-point (3) */
  BENCH_MOTION,   /* poses, velocities and accelerations of all bodies, of q, v, vdot */
  BENCH_RK4_STEP, /* one step of a free motion that begins with the first state and goes on; not compared */
  BENCH_EULER_STEP, /* the same by the semi-implicit Euler rule; read: (v - v_0) / BENCH_STEP (nv) after the first */
  BENCH_IMPLICIT_STEP,    /* the same by the implicit method for stiff joints; not compared */
  BENCH_FORWARD_WRENCHES, /* vdot (nv) of q, v, tau and two wrenches: on the first body and at the end-point */
  BENCH_FORWARD_FIELD,    /* vdot (nv) of q, v, tau in the gravity of a planet, with its gradient */
  BENCH_QUANTITIES
} bench_quantity;

#define BENCH_STEP 0.001 /* step size [s] */

/* count rows of nq or nv numbers each. */
typedef struct bench_states {
  int count, nq, nv;
  double *q, *v, *vdot, *tau;
} bench_states;

typedef void bench_call(void* self, int state);

typedef struct bench_runner {
  const char* name;                    /* "MuJoCo" */
  const char* version;                 /* as the library tells it */
  bench_call* call[BENCH_QUANTITIES];  /* NULL: not offered */
  const char* calls[BENCH_QUANTITIES]; /* which functions of the library that is */
  /* The library's own model, or NULL and in `why` the reason. The model and states outlive it. */
  void* (*open)(const bench_model* model, const bench_states* states, char* why, size_t size);
  void (*read)(void* self, bench_quantity quantity, int state, double* out); /* after call(self, state) */
  void (*close)(void* self);
} bench_runner;

/* A peer is a loadable module with this one function. */
#define BENCH_PEER_SYMBOL "bench_peer"
typedef const bench_runner* bench_peer_function(void);

#ifdef __cplusplus
}
#endif

#endif
