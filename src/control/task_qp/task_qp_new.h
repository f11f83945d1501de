/* task_qp_new.h -- making the law of fb_block_new_task_qp, and changing its size with the model. */
#ifndef FB_CONTROL_TASK_QP_NEW_H
#define FB_CONTROL_TASK_QP_NEW_H

#include "control/task_qp/task_qp.h"

/* Checks all of it (task_qp_check.c). Errors name the block, and the task or contact by its index. */
fb_status fb_task_qp_check(const fb_model* m, const char* name, const fb_task_qp* given, fb_error* error);
/* Checks and copies. */
fb_status fb_qp_law_new(const fb_model* m, const char* name, const fb_task_qp* given, fb_qp_law** law,
                        fb_error* error);
void fb_qp_law_free(void* law);
/* Scratch for another model; 0 when out of memory, and then all is as it was. */
int fb_qp_law_resize(fb_qp_law* law, const fb_model* m);
/* task_qp_singular.c: the doubles it works in; what its frames can be moved along at all; the smallest singular value of the frames'
 * tasks, and what part it is of the largest, NAN where there are none. */
size_t fb_qp_singular_room(int na, int nv);
fb_status fb_qp_find_ranks(fb_qp_law* law, fb_error* error);
void fb_qp_singular(fb_qp_law* law, const fb_context* context, double* smallest, double* part);
/* Doubles of memory of its block. */
int fb_qp_law_memory(const fb_qp_law* law);

#endif
