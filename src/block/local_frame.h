/* local_frame.h -- states relative to a frame that moves with the floating trees. */
#ifndef FB_BLOCK_LOCAL_FRAME_H
#define FB_BLOCK_LOCAL_FRAME_H

#include "block/kinematics_cache.h"

/* A tree whose base floats: where its free joint stands, which never moves. */
typedef struct fb_float_root {
  int body, link, q_at, v_at;
  double R_wj[9], p_wj[3];
} fb_float_root;

struct fb_local_frame {
  const fb_float_root* roots; /* [nroot]; the frame goes with the first */
  int nroot;
  const double* of;      /* the q that `rest` belongs to, */
  const double* rest;    /* [nroot][3] and the rounding errors of its translations (sim.h) */
  double *q, *v;         /* [nq], [nv] scratch: the state as seen from the frame */
  unsigned char* floats; /* [nlink] */
  fb_kinematics_cache cache;
};

/* NULL: no memory. The roots must live as long; there is one at least. */
fb_local_frame* fb_local_frame_new(const fb_model* m, const fb_float_root* roots, int nroot);
void fb_local_frame_free(fb_local_frame* frame);
/* Sets the rounding errors of the translations of a q. */
static inline void fb_local_frame_at(fb_local_frame* frame, const double* q, const double* rest) {
  frame->of = q;
  frame->rest = rest;
}

/* (q, v) as seen from there, into to_q and to_v; rest: the rounding errors of q, or NULL; origin: of the frame. */
void fb_local_frame_enter(const fb_model* m, const fb_float_root* roots, int nroot, const double* q,
                          const double* v, const double* rest, double* to_q, double* to_v, double origin[3]);

/* Whether poses of this frame of the model can be had there: it floats. 0 where the context has no local frame. */
int fb_context_floats(const fb_context* context, int frame);
/* Poses and velocities at the context's q and v as seen from there, where some frame floats. origin: of the frame, world axes. */
const fb_data* fb_context_local_kinematics(const fb_context* context, double origin[3]);

#endif
