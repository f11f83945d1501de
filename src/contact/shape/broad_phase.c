/* broad_phase.c -- sweep and prune: spheres sorted by where they begin along the axis of largest spread; each is
 * compared with those that begin before it ends. Heapsort: it needs no memory, and the order is the same every time. */
#include <math.h>

#include "contact/shape/broad_phase.h"
#include "math/vector3.h"

/* Both sides as one list: b follows a. */
typedef struct sweep {
  const fb_spheres *a, *b;
  int axis;
} sweep;

static const double* centre_of(const sweep* s, int i) {
  return i < s->a->count ? s->a->centre[i] : s->b->centre[i - s->a->count];
}

static double radius_of(const sweep* s, int i) {
  return i < s->a->count ? s->a->radius[i] : s->b->radius[i - s->a->count];
}

static double start_of(const sweep* s, int i) {
  const double start = centre_of(s, i)[s->axis] - radius_of(s, i);
  return isnan(start) ? INFINITY : start;
}

typedef int before(const void* what, const int* x, const int* y);

static int starts_before(const void* what, const int* x, const int* y) {
  const sweep* s = what;
  const double a = start_of(s, *x), b = start_of(s, *y);
  return a < b || (a == b && *x < *y);
}

static int pair_before(const void* what, const int* x, const int* y) {
  (void)what;
  return x[0] < y[0] || (x[0] == y[0] && x[1] < y[1]);
}

static void swap_ints(int* x, int* y, int width) {
  for (int k = 0; k < width; k++) {
    const int keep = x[k];
    x[k] = y[k];
    y[k] = keep;
  }
}

/* items: [count][width] ints. */
static void sift(const void* what, before* less, int* items, int width, int root, int count) {
  for (int child = 2 * root + 1; child < count; root = child, child = 2 * root + 1) {
    if (child + 1 < count && less(what, items + child * width, items + (child + 1) * width)) child++;
    if (!less(what, items + root * width, items + child * width)) return;
    swap_ints(items + root * width, items + child * width, width);
  }
}

static void heapsort_ints(const void* what, before* less, int* items, int width, int count) {
  for (int root = count / 2 - 1; root >= 0; root--) sift(what, less, items, width, root, count);
  for (int last = count - 1; last > 0; last--) {
    swap_ints(items, items + last * width, width);
    sift(what, less, items, width, 0, last);
  }
}

/* The axis along which the centres have the largest variance. */
static int widest_axis(const sweep* s, int count) {
  double sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0};
  for (int i = 0; i < count; i++)
    for (int k = 0; k < 3; k++) {
      const double x = centre_of(s, i)[k];
      if (!isfinite(x) || isinf(radius_of(s, i))) continue;
      sum[k] += x;
      squares[k] += x * x;
    }
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (squares[k] - sum[k] * sum[k] / count > squares[axis] - sum[axis] * sum[axis] / count) axis = k;
  return axis;
}

static int are_near(const sweep* s, int i, int j, double max_gap) {
  double away[3];
  for (int k = 0; k < 3; k++) away[k] = centre_of(s, i)[k] - centre_of(s, j)[k];
  return norm3(away) <= radius_of(s, i) + radius_of(s, j) + max_gap;
}

int fb_broad_pairs(const fb_spheres* a, const fb_spheres* b, double max_gap, int* order, int (*pairs)[2],
                   int room) {
  sweep s = {a, b, 0};
  const int count = a->count + b->count;
  int found = 0;
  s.axis = widest_axis(&s, count);
  for (int i = 0; i < count; i++) order[i] = i;
  heapsort_ints(&s, starts_before, order, 1, count);
  for (int p = 0; p < count; p++) {
    const int i = order[p];
    const double end = centre_of(&s, i)[s.axis] + radius_of(&s, i) + max_gap;
    for (int q = p + 1; q < count && start_of(&s, order[q]) <= end; q++) {
      const int j = order[q];
      if ((i < a->count) == (j < a->count) || !are_near(&s, i, j, max_gap)) continue;
      if (found < room) {
        pairs[found][0] = i < j ? i : j;
        pairs[found][1] = (i < j ? j : i) - a->count;
      }
      found++;
    }
  }
  if (room > 0) heapsort_ints(NULL, pair_before, pairs[0], 2, found < room ? found : room);
  return found;
}
