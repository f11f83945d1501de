/* columns.h -- responses along rows, and the whole motions that they are part of (response.h). */
#ifndef FB_DYNAMICS_COLUMNS_H
#define FB_DYNAMICS_COLUMNS_H

#include <freebody/response.h>

/* Rows whose responses are found together, and the coordinates that they move. */
typedef struct fb_row_group {
  const fb_row* rows;
  const int* which; /* [count] of those; NULL: the first */
  int count;
  const int* coordinates; /* [nv]; NULL: the first */
  int nv;
} fb_row_group;

/* The trees of links that a row acts on, at its ends; -1: none there. */
void fb_row_trees(const fb_model* m, const fb_row* row, int tree[2]);

/* fb_row_rate of several rows; those between the same points follow one another. */
void fb_row_rates(const fb_model* m, const fb_data* d, const fb_row* rows, int count, const double* v,
                  double* rates);

/* As fb_response_matrix: A [count][count]; X: [count][nv] H^-1 J_j^T of each row, or NULL. The time that a row takes grows with the
 * links of the trees that it pushes. */
void fb_response_columns(const fb_model* m, fb_data* d, const unsigned char* prescribed,
                         const fb_row_group* group, double* A, double* X);

#endif
