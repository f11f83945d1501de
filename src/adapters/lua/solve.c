/* solve.c -- solve(A, b [, damping]) for scripts
 *
 *   square A, no damping:  A x = b, by elimination with partial pivoting
 *   otherwise:             x = A^T (A A^T + damping^2 E)^-1 b   when A has fewer rows than columns, or as many,
 *                          x = (A^T A + damping^2 E)^-1 A^T b   when it has more
 *
 * the least x, or the least error (damped least squares). Cost O(n^3) of the smaller side n. */
#include <math.h>

#include "adapters/lua/script.h"

/* A x = b in place; 0 when a pivot vanishes beside the largest number of A. */
static int eliminate(double* A, double* b, int n) {
  double scale = 0;
  for (int i = 0; i < n * n; i++) scale = fmax(scale, fabs(A[i]));
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    if (!(fabs(A[best * n + k]) > 1e-14 * scale)) return 0;
    for (int j = 0; best != k && j < n; j++) {
      double swap = A[k * n + j];
      A[k * n + j] = A[best * n + j];
      A[best * n + j] = swap;
    }
    double swap = b[k];
    b[k] = b[best];
    b[best] = swap;
    for (int i = k + 1; i < n; i++) {
      double factor = A[i * n + k] / A[k * n + k];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      b[i] -= factor * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) b[i] -= A[i * n + j] * b[j];
    b[i] /= A[i * n + i];
  }
  return 1;
}

/* y = A^T x */
static void apply_transpose(const double* A, int rows, int columns, const double* x, double* y) {
  for (int j = 0; j < columns; j++) {
    y[j] = 0;
    for (int i = 0; i < rows; i++) y[j] += A[i * columns + j] * x[i];
  }
}

/* N = A A^T (wide) or A^T A (tall), with damping^2 on its diagonal. */
static void normal_matrix(const double* A, int rows, int columns, double damping, double* N) {
  int wide = rows <= columns, n = wide ? rows : columns, m = wide ? columns : rows;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = i == j ? damping * damping : 0;
      for (int k = 0; k < m; k++)
        sum += wide ? A[i * columns + k] * A[j * columns + k] : A[k * columns + i] * A[k * columns + j];
      N[i * n + j] = sum;
    }
}

static int solve(lua_State* L) {
  enum { MOST = 2000 };
  luaL_checktype(L, 1, LUA_TTABLE);
  double damping = luaL_optnumber(L, 3, 0);
  lua_Integer rows_wide = luaL_len(L, 1);
  if (rows_wide < 1 || rows_wide > MOST || lua_geti(L, 1, 1) != LUA_TTABLE)
    return fb_lua_throw(L, FB_ERR_CONTENT, "solve expects a list of 1 to %d rows, each a list of numbers",
                        MOST);
  lua_Integer columns_wide = luaL_len(L, -1);
  lua_pop(L, 1);
  if (columns_wide < 1 || columns_wide > MOST || !isfinite(damping))
    return fb_lua_throw(L, FB_ERR_CONTENT,
                        "solve expects rows of 1 to %d numbers, and a finite damping; they have %I, it is %f",
                        MOST, (LUAI_UACINT)columns_wide, damping);
  int rows = (int)rows_wide, columns = (int)columns_wide, n = rows < columns ? rows : columns, solved;
  fb_lua_charge(L, (double)n * n * (rows + columns) / 64 + (double)rows * columns);
  size_t size = (size_t)rows * (size_t)columns;
  double* A = fb_lua_scratch(L, size + (size_t)n * (size_t)n + 2 * ((size_t)rows + (size_t)columns));
  double *N = A + size, *b = N + (size_t)n * (size_t)n, *x = b + rows + columns;
  for (int i = 0; i < rows; i++) {
    lua_geti(L, 1, i + 1);
    fb_lua_read_list(L, lua_gettop(L), "a row for solve", columns, A + (size_t)i * (size_t)columns);
    lua_pop(L, 1);
  }
  fb_lua_read_list(L, 2, "the right side for solve", rows, b);
  if (rows == columns && damping == 0) {
    solved = eliminate(A, b, n);
    x = b;
  } else {
    normal_matrix(A, rows, columns, damping, N);
    if (rows <= columns) {
      solved = eliminate(N, b, n);
      apply_transpose(A, rows, columns, b, x);
    } else {
      apply_transpose(A, rows, columns, b, x);
      solved = eliminate(N, x, n);
    }
  }
  if (!solved)
    return fb_lua_throw(L, FB_ERR_NO_SOLUTION,
                        "solve: the matrix is singular; give a damping as the third argument");
  fb_lua_push_list(L, columns, x);
  return 1;
}

void fb_lua_add_solve(lua_State* L) {
  lua_pushcfunction(L, solve);
  lua_setfield(L, -2, "solve");
}
