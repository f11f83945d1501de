/* touches.c -- the list of points that a pair gives: those within reach, thinned out to those that span the contact. */
#include <string.h>

#include "contact/shape.h"
#include "math/vector3.h"

static const double SAME = 1e-9;

/* Whether the list has a point at the same place with the same normal: neighbours find the same corner. */
static int is_known(const fb_touches* list, const double normal[3], const double p_b[3]) {
  for (int i = 0; i < list->count; i++) {
    const fb_touch* t = &list->item[i];
    double away[3] = {p_b[0], p_b[1], p_b[2]};
    add_scaled3(away, -1, t->p_b);
    if (dot3(t->normal, normal) > 1 - SAME && norm3(away) <= SAME * (norm3(p_b))) return 1;
  }
  return 0;
}

void fb_touches_add(fb_touches* list, double gap, const double normal[3], const double p_b[3],
                    const double curvature[2], int feature) {
  if (!(gap <= list->reach)) return; /* a NaN is no contact */
  if (list->nearest) {
    list->count = 0;
    list->reach = gap;
  }
  if (is_known(list, normal, p_b)) return;
  if (list->count == FB_TOUCH_ROOM) fb_touches_thin(list, FB_MAX_TOUCHES);
  fb_touch* t = &list->item[list->count++];
  t->gap = gap;
  memcpy(t->normal, normal, sizeof t->normal);
  memcpy(t->p_b, p_b, sizeof t->p_b);
  memcpy(t->p_a, p_b, sizeof t->p_a);
  add_scaled3(t->p_a, gap, normal);
  memcpy(t->curvature, curvature, sizeof t->curvature);
  t->feature = feature;
}

void fb_touches_add_a(fb_touches* list, double gap, const double normal[3], const double p_a[3],
                      const double curvature[2], int feature) {
  double p_b[3] = {p_a[0], p_a[1], p_a[2]};
  add_scaled3(p_b, -gap, normal);
  fb_touches_add(list, gap, normal, p_b, curvature, feature);
}

static void swap_touches(fb_touch* x, fb_touch* y) {
  const fb_touch keep = *x;
  *x = *y;
  *y = keep;
}

static int is_deeper(const fb_touch* x, const fb_touch* y) {
  return x->gap < y->gap || (x->gap == y->gap && x->feature < y->feature);
}

/* By insertion: lists are short. */
static void sort_deepest_first(fb_touches* list) {
  for (int i = 1; i < list->count; i++)
    for (int j = i; j > 0 && is_deeper(&list->item[j], &list->item[j - 1]); j--)
      swap_touches(&list->item[j], &list->item[j - 1]);
}

/* Among item[kept ...] the one farthest from all that are kept. */
static int find_farthest(const fb_touches* list, int kept) {
  int best = kept;
  double most = -1;
  for (int i = kept; i < list->count; i++) {
    double least = INFINITY;
    for (int j = 0; j < kept; j++) {
      double away[3] = {list->item[i].p_b[0], list->item[i].p_b[1], list->item[i].p_b[2]};
      add_scaled3(away, -1, list->item[j].p_b);
      least = fmin(least, dot3(away, away));
    }
    if (least > most) {
      most = least;
      best = i;
    }
  }
  return best;
}

void fb_touches_thin(fb_touches* list, int most) {
  sort_deepest_first(list);
  if (list->count <= most) return;
  for (int kept = 1; kept < most; kept++) {
    const int next = find_farthest(list, kept);
    swap_touches(&list->item[kept], &list->item[next]);
  }
  list->count = most;
  sort_deepest_first(list);
}
