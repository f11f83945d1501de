/* frame_task.h -- inside the block of fb_block_new_frame_task: what it knows, and its scratch. */
#ifndef FB_CONTROL_FRAME_TASK_H
#define FB_CONTROL_FRAME_TASK_H

#include <freebody/control.h>

#include "base/fields.h"
#include "control/frame_task/frame_path.h"
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

enum { FB_TASK_MOST_ROWS = 12 };

typedef struct fb_task fb_task;

/* What makes a law of a frame's task: which accelerations of the frame it requests, and which wrench it expects there from the environment. What
 * it is made of begins with one of these. */
typedef struct fb_task_style {
  const char* const* parameters; /* names of the first two entries of memory */
  /* Accelerations that the law requests; off and v have its position and its attitude, world axes. */
  void (*accelerate)(const fb_task* task, const fb_data* d, const fb_frame_target* target,
                     const double off[6], const double v[6], const double* memory, double a[6]);
  /* The force and torque that the environment is expected to exert at the frame's origin, world axes; NULL: none. With that
   * wrench the frame has the requested accelerations; without it the law pushes with the opposite. */
  void (*expect)(const fb_task* task, const fb_data* d, double t, const double* memory, const double* state,
                 fb_wrench* wrench);
  void (*rate)(const fb_task* task, const fb_context* context, double* state_rate); /* NULL: no state */
  double (*next_edge)(const struct fb_task_style* style, double t); /* besides the path's; or NULL */
  void (*free)(const struct fb_task_style* style);                  /* or NULL */
  int nstate, ninput;
  const fb_port* inputs;
} fb_task_style;

#define FB_TASK_FIELDS(FIELD)                                                               \
  FIELD(int, links, task->nlink, "on the way to the frame, root first")                     \
  FIELD(int, coordinates, n, "indices in v, in the order of the links")                     \
  FIELD(unsigned char, in_task, nv, "1: one of these")                                      \
  FIELD(unsigned char, prescribed, nv, "1: own, or moved by a motion or lock")              \
  FIELD(unsigned char, moved_elsewhere, n, "1: own, but a motion or lock moves it instead") \
  FIELD(double, q, task->m->top.nq, "that the law believes in")                             \
  FIELD(double, v, nv, "likewise")                                                          \
  FIELD(double, vdot, nv, "")                                                               \
  FIELD(double, tau, nv, "")                                                                \
  FIELD(double, J, 6 * nv, "[6][nv]")                                                       \
  FIELD(double, G, 6 * n, "[6][n] answer of the base")                                      \
  FIELD(double, A, (size_t)task->rows* n, "[rows][n] the system A y = x")                   \
  FIELD(double, x, task->rows, "")                                                          \
  FIELD(double, y, n, "accelerations of the coordinates")                                   \
  FIELD(double, work, fb_damped_work(task->rows, task->n), "")

struct fb_task {
  const fb_model* m;
  const fb_task_style* style;
  fb_frame_task given;
  int base;     /* body on which the joints stand that it moves; 0: the world */
  int nlink;    /* links on the way to the frame */
  int ncarrier; /* how many of them, the first, carry the base: the last one is the base's own */
  int carrier_nq, carrier_nv; /* their coordinates */
  int n;                      /* coordinates that it moves: those of the links beyond */
  int rows;                   /* of the system that it solves */
  fb_wrench expected;         /* at the frame */
  fb_data* probe_data;        /* for fb_task_singular */
  int rank;                   /* of A, in a pose of no meaning */
  FB_TASK_FIELDS(FB_FIELD_DECLARE)
};

/* How many numbers of q and of v a link has. */
int fb_task_link_nq(const fb_model* m, int link);
int fb_task_link_nv(const fb_model* m, int link);

/* What is known of the accelerations before the law is asked: vdot is that of the coordinates which motions and locks
 * move, else 0; they and the law's own are `prescribed`. */
void fb_task_known(fb_task* task, const fb_context* context);
/* What the path asks of the frame, and how far it is from there: position, then attitude as a rotation vector, world
 * axes; of the rows that it has. The context's data must hold the poses. */
void fb_task_error(const fb_task* task, const fb_data* d, double t, const double* memory,
                   fb_frame_target* target, double* off);
/* Loads of the context, with the wrench that the law expects. */
fb_loads fb_task_loads(const fb_task* task, const fb_context* context);
/* Fills y from the state and the path, and `expected`. */
fb_status fb_task_accelerate(fb_task* task, const fb_context* context, const double* memory,
                             const double* state, fb_error* error);

/* The system A y = x at a state. */
fb_status fb_task_fill(fb_task* task, const fb_context* context, const double* memory, fb_error* error);
/* frame_task_singular.c: the smallest singular value of A, and what part it is of the largest. */
void fb_task_singular(fb_task* task, const fb_context* context, const double* memory, double* smallest,
                      double* part);
/* Once, for a new task. */
void fb_task_find_rank(fb_task* task);

/* The `accelerate` of laws that follow a path: a = path'' + kd (path' - velocity) + kp (path - position). */
void fb_task_follow(const fb_task* task, const fb_data* d, const fb_frame_target* target, const double off[6],
                    const double v[6], const double* memory, double a[6]);

/* frame_task_check.c: errors name the block. `from` is checked on its own where the model has changed. */
fb_status fb_task_check(const fb_model* m, const char* name, const fb_frame_task* given, fb_error* error);
fb_status fb_task_check_from(const fb_model* m, const char* name, const fb_frame_task* given,
                             fb_error* error);
/* The name that the user knows: sites beyond the frames belong to the body alone. */
const char* fb_task_frame_name(const fb_model* m, int frame);

/* The block of a law of this style, which it takes over, also on failure. */
fb_status fb_task_block(const fb_model* m, const char* name, const fb_frame_task* given,
                        const fb_task_style* style, fb_block* block, fb_error* error);

#endif
