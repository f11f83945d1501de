/* frame_task.h -- inside the block of fb_block_frame_task: what it knows, and its scratch. */
#ifndef FB_CONTROL_FRAME_TASK_H
#define FB_CONTROL_FRAME_TASK_H

#include <freebody/control.h>

#include "control/frame_path.h"
#include "model/model.h"

/* What the simulation remembers for it. */
typedef enum fb_task_memory {
  FB_TASK_KP,
  FB_TASK_KD,
  FB_TASK_P_START,                       /* [3] of the frame */
  FB_TASK_R_START = FB_TASK_P_START + 3, /* [9] */
  FB_TASK_Q_CARRIER =
      FB_TASK_R_START + 9 /* [carrier_nq] coordinates of the links that carry the base, root first */
} fb_task_memory;

typedef struct fb_task {
  const fb_model* m;
  fb_frame_task given;
  int base;     /* body on which the joints stand that it moves; 0: the world */
  int nlink;    /* links on the way to the frame */
  int ncarrier; /* how many of them, the first, carry the base: the last one is the base's own */
  int carrier_nq, carrier_nv; /* their coordinates */
  int n;                      /* coordinates that it moves: those of the links beyond */
  int rows;                   /* of the system that it solves */
  int* links;                 /* [nlink] root first */
  int* coordinates;           /* [n] indices in v, in the order of the links */
  unsigned char* own;         /* [nv] 1: one of these */

  /* Scratch of one call. */
  unsigned char* prescribed; /* [nv] 1: own, or moved by a motion or lock */
  unsigned char* taken;      /* [n] 1: a coordinate of its own that a motion or lock moves instead */
  double *q, *v;             /* [nq], [nv] that the law believes in */
  double *vdot, *tau;        /* [nv] */
  double* J;                 /* [6][nv] */
  double* G;                 /* [6][n] answer of the base */
  double* A;                 /* [rows][n] the system A y = x */
  double* x;                 /* [rows] */
  double* y;                 /* [n] accelerations of the coordinates */
  double* work;              /* fb_damped_work(rows, n) */
} fb_task;

/* How many numbers of q and of v a link has. */
int fb_task_link_nq(const fb_model* m, int link);
int fb_task_link_nv(const fb_model* m, int link);

/* What is known of the accelerations before the law is asked: vdot is that of the coordinates which motions and locks
 * move, else 0; they and the law's own are `prescribed`. */
void fb_task_known(fb_task* task, const fb_context* context);
/* What the path asks of the frame, and how far it is from there: position, then attitude as a rotation vector, world
 * axes; of the rows that it has. The context's data must hold the poses. */
void fb_task_error(const fb_task* task, const fb_data* d, double t, const double* memory, fb_frame_aim* aim,
                   double* off);
/* Fills y from the state and the path. */
fb_status fb_task_accelerate(fb_task* task, const fb_context* context, const double* memory, fb_error* error);

#endif
