/* point_list.c -- the list of points that a pair gives: those within reach, thinned out to those that span the contact. */
#include <string.h>

#include "contact/shape/facet.h"
#include "math/vector3.h"

static const double SAME = 1e-9;

void fb_point_list_clear(fb_point_list* list, double max_gap) {
  list->max_gap = max_gap;
  list->share = list->scale = 1;
  list->nearest = list->count = list->has_spare = list->smooth = list->once = list->named = 0;
}

/* The point of the list at the same place with the same normal, or -1: neighbours find the same corner. */
static int find_known(const fb_point_list* list, double gap, const double normal[3], const double p_b[3]) {
  for (int i = 0; i < list->count; i++) {
    const fb_contact_point* t = &list->item[i];
    double away[3] = {p_b[0], p_b[1], p_b[2]};
    add_scaled3(away, -1, t->p_b);
    const double same = SAME * (length3(p_b) + fabs(gap));
    if (dot3(t->normal, normal) > 1 - SAME && length3(away) <= same && fabs(t->gap - gap) <= same) return i;
  }
  return -1;
}

/* The same corner found again counts once; two corners of a polygon that come together count both. */
static void merge(fb_point_list* list, int known, int feature) {
  double *weight = &list->weight[known], more = list->share * list->scale;
  *weight = list->once || list->item[known].feature == feature ? fmax(*weight, more) : *weight + more;
}

static void place(fb_contact_point* t, double gap, const double normal[3], const double p_b[3],
                  const double curvature[2]) {
  t->gap = gap;
  memcpy(t->normal, normal, sizeof t->normal);
  memcpy(t->p_b, p_b, sizeof t->p_b);
  memcpy(t->p_a, p_b, sizeof t->p_a);
  add_scaled3(t->p_a, gap, normal);
  memcpy(t->curvature, curvature, sizeof t->curvature);
}

void fb_point_list_add(fb_point_list* list, double gap, const double normal[3], const double p_b[3],
                       const double curvature[2], int feature) {
  if (!(gap <= list->max_gap)) return; /* a NaN is no contact */
  if (list->named) feature = fb_feature(feature, list->name);
  if (list->nearest) {
    list->count = 0;
    list->max_gap = gap;
  }
  const int known = find_known(list, gap, normal, p_b);
  if (known >= 0) {
    merge(list, known, feature);
    if (gap < list->item[known].gap) place(&list->item[known], gap, normal, p_b, curvature);
    return;
  }
  if (list->count == FB_POINT_LIST_ROOM) fb_point_list_thin(list, FB_MAX_CONTACT_POINTS);
  list->weight[list->count] = list->share * list->scale;
  list->item[list->count].feature = feature;
  place(&list->item[list->count++], gap, normal, p_b, curvature);
}

void fb_point_list_add_a(fb_point_list* list, double gap, const double normal[3], const double p_a[3],
                         const double curvature[2], int feature) {
  double p_b[3] = {p_a[0], p_a[1], p_a[2]};
  add_scaled3(p_b, -gap, normal);
  fb_point_list_add(list, gap, normal, p_b, curvature, feature);
}

static void swap_touches(fb_point_list* list, int i, int j) {
  const fb_contact_point keep = list->item[i];
  const double weight = list->weight[i];
  list->item[i] = list->item[j];
  list->item[j] = keep;
  list->weight[i] = list->weight[j];
  list->weight[j] = weight;
}

static int is_deeper(const fb_contact_point* x, const fb_contact_point* y) {
  return x->gap < y->gap || (x->gap == y->gap && x->feature < y->feature);
}

/* By insertion: lists are short. */
static void sort_deepest_first(fb_point_list* list) {
  for (int i = 1; i < list->count; i++)
    for (int j = i; j > 0 && is_deeper(&list->item[j], &list->item[j - 1]); j--) swap_touches(list, j, j - 1);
}

/* Among item[kept ...] the one farthest from all that are kept. */
static int find_farthest(const fb_point_list* list, int kept) {
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

void fb_point_list_thin(fb_point_list* list, int most) {
  sort_deepest_first(list);
  if (list->count <= most) return;
  for (int kept = 1; kept < most; kept++) {
    const int next = find_farthest(list, kept);
    swap_touches(list, kept, next);
  }
  list->count = most;
  sort_deepest_first(list);
}
