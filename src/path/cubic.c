/* cubic.c -- the clamped cubic spline through given points
 *
 *   between knots   the cubic with the values x_i, x_i+1 and the slopes s_i, s_i+1 at its ends (Hermite)
 *   inner knots     the second derivative is continuous, h_i = t_i+1 - t_i, d_i = (x_i+1 - x_i) / h_i:
 *                   h_i s_i-1 + 2 (h_i-1 + h_i) s_i + h_i-1 s_i+1 = 3 (h_i d_i-1 + h_i-1 d_i)
 *   ends            s_0 = s_n-1 = 0
 * The matrix has three diagonals and a dominant middle one, so elimination without pivots is stable (de Boor,
 * A Practical Guide to Splines, ch. IV). Set-up O(n). */
#include "path/spline.h"

/* Elimination downwards, then back. Slopes come to stand in c_i1; on the way c_i2 holds the scaled upper diagonal. */
static void solve_slopes(fb_spline* s) {
  const double* t = s->t;
  double(*c)[FB_SPLINE_TERMS] = s->coefficients;
  for (int i = 1; i < s->count - 1; i++) {
    double before = t[i] - t[i - 1], after = t[i + 1] - t[i], span = before + after;
    double a = after / span, b = before / span; /* the row divided by its span: no product can overflow */
    double pivot = 2 - a * c[i - 1][2];
    double right = 3 * (a * ((c[i][0] - c[i - 1][0]) / before) + b * ((c[i + 1][0] - c[i][0]) / after));
    c[i][2] = b / pivot;
    c[i][1] = (right - a * c[i - 1][1]) / pivot;
  }
  for (int i = s->count - 2; i > 0; i--) c[i][1] -= c[i][2] * c[i + 1][1];
}

/* The cubic from knot i to the next. */
static void fill_piece(fb_spline* s, int i) {
  double(*c)[FB_SPLINE_TERMS] = s->coefficients + i;
  double h = s->t[i + 1] - s->t[i], d = (c[1][0] - c[0][0]) / h, s0 = c[0][1], s1 = c[1][1];
  c[0][2] = (3 * d - 2 * s0 - s1) / h;
  c[0][3] = (s0 + s1 - 2 * d) / h / h;
}

fb_status fb_spline_new_cubic(int count, const double* times, const double* values, fb_spline** spline,
                              fb_error* error) {
  *spline = NULL;
  fb_status status = fb_spline_check_points(count, times, values, error);
  if (status) return status;
  fb_spline* s = fb_spline_room(count, error);
  if (!s) return FB_ERR_MEMORY;
  for (int i = 0; i < count; i++) fb_spline_add_knot(s, times[i], values[i]);
  solve_slopes(s);
  for (int i = 0; i < count - 1; i++) fill_piece(s, i);
  return fb_spline_finish(s, count, times, values, spline, error);
}
