/* task_qp.h -- inside the block of fb_block_new_task_qp: tasks, contacts, the layout of its problem, and its scratch. */
#ifndef FB_CONTROL_TASK_QP_H
#define FB_CONTROL_TASK_QP_H

#include <freebody/control.h>

#include "base/pool.h"
#include "control/frame_task/frame_path.h"
#include "control/joint_gains.h"
#include "math/qp.h"

/* In memory: the decay, then what each task remembers. */
enum { FB_QP_DECAY, FB_QP_MEMORY };

typedef struct fb_qp_task_row {
  fb_qp_task given;
  fb_joint_gains* gains; /* of a posture */
  int row, rows;         /* its rows of A */
  int rank;              /* of a frame: singular values that do not vanish in every pose; else 0 */
  int memory_at;         /* pose at the start, or the parameters of the gains */
} fb_qp_task_row;

typedef struct fb_qp_contact_row {
  fb_qp_contact given;
  double axes[3][3]; /* the normal and two tangents, world axes */
  int force_row;     /* of A; -1: no desired force */
  int is_on;         /* scratch: at this instant */
  double most;       /* scratch: at this instant */
} fb_qp_contact_row;

/* Unknowns x: the forces of the coordinates, then normal and tangential forces of each contact. Levels: stance; one for each
 * priority; decay; least forces. */
typedef struct fb_qp_law {
  fb_pool pool; /* all but B and what tasks and contacts own */
  const char* name;
  const fb_model *original, *m; /* the model that it was made for, and the present one */
  fb_qp_task_row* tasks;
  fb_qp_contact_row* contacts;
  int ntask, ncontact, na, nx, nlevel, nrow, nbound;
  double effort, decay;
  int *first_coordinates, *coordinates; /* [na]; -1: its joint has gone */
  int* ends;                            /* [nlevel] of the rows of each level */
  fb_qp_level* levels;                  /* [nlevel] */
  fb_port* outputs;

  /* Scratch of one call. */
  double *A, *b;      /* [nrow][nx], [nrow] */
  double *C, *d;      /* [nbound][nx], [nbound] the most that there can be */
  double *x, *missed; /* [nx], [nlevel] */
  double* work;
  int* ints;
  int status;

  /* Scratch whose size depends on the model. */
  double* B;                 /* [nx][nv] accelerations for unit forces */
  double *vdot, *tau, *rest; /* [nv] */
  double* pose;              /* [fb_qp_singular_room] */
  unsigned char* moved;      /* [nv] */
} fb_qp_law;

/* Rows of a task. */
int fb_qp_task_rows(const fb_qp_task* task);
/* Fills x, missed and status. */
void fb_qp_law_solve(fb_qp_law* law, const fb_context* context, const double* memory);

#endif
