/* lemke.h -- one path of Lemke's method over a dense tableau, for lcp.c
 *
 *   x_B + T x_N = b,   x: w (0 .. n-1), z (n .. 2n-1), z0 (2n)
 *
 * Only the columns of the n + 1 nonbasic variables are stored: row i is [T_i0 .. T_in, b_i], filled up
 * with zeros. */
#ifndef FB_MATH_LEMKE_H
#define FB_MATH_LEMKE_H

#include <stddef.h>

typedef struct fb_lemke {
  int n;
  double* rows;   /* [n * stride] */
  int* row_of;    /* [n]: the variable that is basic in a row */
  int* column_of; /* [n + 1]: the variable of a column */
  int* place;     /* [2n + 1]: of a variable: its column, or -1 - its row */
  int* tied;      /* [n]: rows that tie in the ratio test */
  /* of the pivot by which z0 leaves; row -1: it does not; on a ray, the column that grows */
  int last_row, last_column;
  double small; /* pivots below this are rounding: the scaled matrix is of size one */
  double size;  /* the largest |b| at the start */
} fb_lemke;

typedef enum fb_lemke_end { FB_LEMKE_DONE, FB_LEMKE_RAY, FB_LEMKE_LIMIT } fb_lemke_end;

/* Doubles from row to row: a multiple of four, which the loops over a row take at a time. */
static inline int fb_lemke_stride(int n) {
  return (n + 3) & ~1;
}

static inline double* fb_lemke_row(const fb_lemke* t, int i) {
  return t->rows + (size_t)i * (size_t)fb_lemke_stride(t->n);
}

size_t fb_lemke_double_size(int n);
size_t fb_lemke_int_size(int n);
/* A tableau in the caller's memory. Filled in place: copies of structures cost what a problem of three unknowns does. */
static inline void fb_lemke_place(fb_lemke* t, int n, double* doubles, int* ints) {
  t->n = n;
  t->rows = doubles;
  t->row_of = ints;
  t->column_of = ints + n;
  t->place = ints + 2 * n + 1;
  t->tied = ints + 4 * n + 2;
}
/* w - D M D z - cover z0 = D q after the first pivot, by which z0 enters; cover NULL: ones. Some q is negative. */
void fb_lemke_fill(fb_lemke* t, const double* M, const double* q, const double* d, const double* cover);
/* Pivots until z0 would leave (done), nothing can leave (ray), or `limit` pivots have been made. */
fb_lemke_end fb_lemke_follow(fb_lemke* t, int limit);
/* z [n] of the basis at the end of the path, z0 left out; scaled as the tableau is, and zero where it is below zero. */
void fb_lemke_read(const fb_lemke* t, double* z);
/* After a ray: the direction of z [n] along it, scaled likewise. */
void fb_lemke_read_ray(const fb_lemke* t, double* z);
/* Makes the last pivot, after which the columns of w hold the inverse basis. */
void fb_lemke_finish(fb_lemke* t);

#endif
