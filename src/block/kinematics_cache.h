/* kinematics_cache.h -- poses and velocities at a state, computed once and shared by all users of that state. */
#ifndef FB_BLOCK_KINEMATICS_CACHE_H
#define FB_BLOCK_KINEMATICS_CACHE_H

#include <stddef.h>

#include <freebody/block.h>

typedef struct fb_local_frame fb_local_frame; /* local_frame.h */

struct fb_kinematics_cache {
  const fb_model* m;
  fb_data* d;
  double *q, *v; /* [nq], [nv] the state that d belongs to */
  size_t q_size, v_size;
  int known;             /* 0: to none yet */
  fb_local_frame* local; /* the same as seen by what floats; or NULL */
};

/* 0: no memory. d then is for the model's parameters, see fb_data_use. */
int fb_kinematics_cache_make(fb_kinematics_cache* cache, const fb_model* m);
void fb_kinematics_cache_free(fb_kinematics_cache* cache);

/* The data with poses and velocities at (q, v). The state is recognised by its numbers, so that no call is needed when it changes. */
fb_data* fb_kinematics_cache_at(fb_kinematics_cache* cache, const double* q, const double* v);

#endif
