/* columns.h -- responses along rows, and the whole motions that they are part of (response.h). */
#ifndef FB_DYNAMICS_COLUMNS_H
#define FB_DYNAMICS_COLUMNS_H

#include <freebody/response.h>

/* fb_response_matrix; X: [count][nv] H^-1 J_j^T of each row, or NULL. */
void fb_response_columns(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* rows,
                         int count, double* A, double* X);

#endif
