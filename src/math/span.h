/* span.h -- what a few vectors span: Householder reflections with the longest vector first
 *
 *   [v_order[0] v_order[1] ...] = Q [R; 0],   rank = how many of them are independent
 *
 * The first `rank` columns of Q span the vectors, the others are orthogonal to all of them. */
#ifndef FB_MATH_SPAN_H
#define FB_MATH_SPAN_H

/* Memory is the caller's: vectors [count][n], overwritten; pivots, halves [count]; order [count]. */
typedef struct fb_span {
  int count, n, rank;
  double *vectors, *pivots, *halves;
  int* order;
} fb_span;

/* Vectors of which less than `least` is left by those before count as dependent on them. */
void fb_span_factor(fb_span* s, double least);
/* x = Q x, in place, x of length n. */
void fb_span_apply(const fb_span* s, double* x);
/* The shortest x (n) with the least sum of squares of v_i . x - b_i. `inner` is a second set with room for `count` vectors of
 * length `count`; `work` has room for `count` doubles. */
void fb_span_least_squares(const fb_span* s, const double* b, fb_span* inner, double* work, double* x);
/* y (count): sum of y_i v_i nearest to x; x (n) is overwritten. Vectors beyond the rank have y = 0. */
void fb_span_combine(const fb_span* s, double* x, double* y);

#endif
