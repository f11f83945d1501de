/* fields.h -- fields of a simulation for its original model and for joins and partings. */
#ifndef FB_REGROUP_FIELDS_H
#define FB_REGROUP_FIELDS_H

#include <freebody/sim.h>

#include "base/fields.h"

/* A join or a parting that was made. */
typedef struct fb_change {
  fb_join_def how; /* its texts are copies; of a parting: only the name */
  int is_join;
  double t;
  fb_join_impulse impulse;
  int nq;
  double* q; /* [nq] where it was made, in the model before */
} fb_change;

/* Where the joints of the first model are in the present one; all NULL while it is the first. */
typedef struct fb_original_joints {
  int* body;    /* [nbody] the body whose joint it is now; -1: removed */
  int* v;       /* [first nv] the coordinate that continues it; -1: none does */
  int nremoved; /* attitudes of its joints that no quaternion of q continues */
  int* removed; /* [nremoved] bodies, in the first model */
} fb_original_joints;

#define FB_REGROUP_STATE(FIELD)                                                          \
  FIELD(double, kept_work, s->regroup.joints.body ? s->regroup.original->top.nv + 1 : 0, \
        "work of coordinates that have gone; the last: of joints that joins had made")   \
  FIELD(double, kept_quat, 4 * s->regroup.joints.nremoved,                               \
        "the last attitudes of joints that have gone, whose signs go on")

typedef struct fb_regroup {
  const fb_model* original; /* as given: signals refer to it */
  fb_model* changed;        /* the present model, when a join or a parting has made it; else NULL */
  fb_original_joints joints;
  fb_change* changes; /* [nchange] so far */
  int nchange;
  size_t room;
  char notes[768]; /* notes of blocks on the last of them */
  FB_REGROUP_STATE(FB_FIELD_DECLARE)
} fb_regroup;

#endif
