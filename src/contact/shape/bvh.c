/* bvh.c -- boxes around triangles, in a tree: halved at the median of the longest side, until a leaf has at most four.
 *
 * Nodes are in depth-first order: the first child of a node follows it, `first` is the index of the second. */
#include <math.h>
#include <stdlib.h>

#include "contact/shape/geometry.h"

enum { LEAF = 4, DEPTH = 64 };

static double centre_of(const fb_geometry* g, int triangle, int axis) {
  const int* t = g->triangle + 3 * triangle;
  return g->vertex[3 * t[0] + axis] + g->vertex[3 * t[1] + axis] + g->vertex[3 * t[2] + axis];
}

static void surround(const fb_geometry* g, int first, int count, fb_bvh_node* node) {
  for (int i = 0; i < 3; i++) {
    node->low[i] = INFINITY;
    node->high[i] = -INFINITY;
  }
  for (int k = 0; k < 3 * count; k++) {
    const double* x = g->vertex + 3 * g->triangle[3 * g->order[first + k / 3] + k % 3];
    for (int i = 0; i < 3; i++) {
      node->low[i] = fmin(node->low[i], x[i]);
      node->high[i] = fmax(node->high[i], x[i]);
    }
  }
}

/* Hoare's selection: order[first .. first + half) come before the rest along the axis; equal ones are spread on both sides. */
static void select_half(const fb_geometry* g, int first, int count, int half, int axis) {
  int low = first, high = first + count - 1;
  const int want = first + half;
  while (low < high) {
    const double pivot = centre_of(g, g->order[low + (high - low) / 2], axis);
    int i = low - 1, j = high + 1;
    for (;;) {
      do i++;
      while (centre_of(g, g->order[i], axis) < pivot);
      do j--;
      while (centre_of(g, g->order[j], axis) > pivot);
      if (i >= j) break;
      const int keep = g->order[i];
      g->order[i] = g->order[j];
      g->order[j] = keep;
    }
    if (want <= j)
      high = j;
    else
      low = j + 1;
  }
}

static int longest_side(const fb_bvh_node* n) {
  int axis = 0;
  for (int i = 1; i < 3; i++)
    if (n->high[i] - n->low[i] > n->high[axis] - n->low[axis]) axis = i;
  return axis;
}

/* What is still to be split: triangles, and the node whose second child they are, or -1. */
typedef struct part {
  int first, count, parent;
} part;

static void build(fb_geometry* g) {
  part pending[DEPTH];
  int count = 0;
  pending[count++] = (part){0, g->ntriangle, -1};
  while (count > 0) {
    const part p = pending[--count];
    const int index = g->nnode++;
    fb_bvh_node* node = &g->node[index];
    if (p.parent >= 0) g->node[p.parent].first = index;
    surround(g, p.first, p.count, node);
    node->first = p.first;
    node->count = p.count;
    if (p.count <= LEAF) continue;
    const int half = p.count / 2;
    select_half(g, p.first, p.count, half, longest_side(node));
    node->count = 0;
    pending[count++] = (part){p.first + half, p.count - half, index};
    pending[count++] = (part){p.first, half, -1};
  }
}

int fb_bvh_build(fb_geometry* g) {
  g->order = malloc(((size_t)g->ntriangle + 1) * sizeof *g->order);
  g->node =
      malloc((size_t)g->ntriangle * 2 * sizeof *g->node); /* a binary tree: fewer than twice its leaves */
  if (!g->order || !g->node) return 0;
  for (int i = 0; i < g->ntriangle; i++) g->order[i] = i;
  g->nnode = 0;
  build(g);
  return 1;
}
