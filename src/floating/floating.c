/* floating.c -- setting up the analysis of a floating tree, and its state. */
#include "floating/floating.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "math/definite.h"
#include "math/ldl.h"
#include "math/svd.h"

static size_t larger(size_t a, size_t b) {
  return a > b ? a : b;
}

/* Lays everything out behind the struct; the data's memory comes last. */
static void* lay_out(const fb_model* m, fb_floating* f, fb_arena* scratch) {
  fb_floating* to = f;
  size_t nj = (size_t)f->nj, n = (size_t)f->nrow, k = n < nj ? n : nj;
  fb_arena_take(scratch, sizeof *f);
  FB_FLOATING_FIELDS(FB_FIELD_IN_SCRATCH)
  if (n > 0) {
    FB_FLOATING_LOOPS(FB_FIELD_IN_SCRATCH)
  }
  return fb_arena_take(scratch, fb_data_size(m));
}

/* Velocity coordinates of the tree less the base's six. */
static int count_joints(const fb_model* m, int base) {
  int count = -6;
  for (int b = 1; b < m->top.nbody; b++)
    if (m->top.body_base[b] == base) count += fb_joint_nv(m, b);
  return count;
}

static void list_joints(fb_floating* f) {
  const fb_topology* t = &f->m->top;
  int j = 0;
  for (int k = 0; k < t->nv; k++) f->column[k] = -1;
  for (int b = 1; b < t->nbody; b++) /* bodies and v have the same order */
    for (int k = t->body_v[b]; k < t->body_v[b] + fb_joint_nv(f->m, b); k++) {
      if (t->body_base[b] != f->base || b == f->base) continue;
      f->column[k] = j;
      f->joints[j++] = k;
    }
  for (int i = 1; i < t->nlink; i++) f->on_tree[i] = i == f->root || f->on_tree[t->link_parent[i]];
}

fb_status fb_floating_new(const fb_model* m, int base, fb_floating** f, fb_error* error) {
  *f = NULL;
  if (base < 1 || base >= m->top.nbody)
    return fb_fail(error, FB_ERR_ARG, "there is no body %d; bodies count from 1 to %d", base,
                   m->top.nbody - 1);
  if (!fb_body_floats(m, base))
    return fb_fail(error, FB_ERR_ARG,
                   "body \"%s\" is not a floating base: it is on \"%s\" by a %s joint; name the body that is "
                   "on the world by a free one",
                   fb_body_name(m, base), fb_body_name(m, m->top.body_parent[base]),
                   fb_joint_type_name((fb_joint_type)m->top.joint_type[base]));
  fb_floating draft = {.m = m, .base = base, .root = m->top.body_link[base], .nj = count_joints(m, base)};
  fb_arena measure = {0};
  fb_status status = fb_floating_count_rows(&draft, error);
  if (status) return status;
  lay_out(m, &draft, &measure);
  char* memory = aligned_alloc(FB_ALIGN, measure.used);
  if (!memory)
    return fb_fail(error, FB_ERR_MEMORY, "no memory for the analysis of \"%s\" (%zu bytes)",
                   fb_body_name(m, base), measure.used);
  memset(memory, 0, measure.used);
  fb_arena arena = {.base = memory};
  void* data = lay_out(m, &draft, &arena);
  fb_data_place(m, data, fb_data_size(m), &draft.d);
  memcpy(memory, &draft, sizeof draft);
  *f = (fb_floating*)(void*)memory;
  list_joints(*f);
  fb_floating_list_rows(*f);
  return FB_OK;
}

void fb_floating_free(fb_floating* f) {
  free(f);
}

fb_status fb_floating_use(fb_floating* f, const fb_parameters* p) {
  return fb_data_use(f->d, p);
}

int fb_floating_nj(const fb_floating* f) {
  return f->nj;
}

const int* fb_floating_joints(const fb_floating* f) {
  return f->joints;
}

int fb_floating_has_frame(const fb_floating* f, int frame) {
  return frame >= 0 && frame < f->m->top.nsite && f->on_tree[f->m->top.site_link[frame]];
}

void fb_floating_solve_base(const fb_floating* f, double x[6]) {
  fb_ldl_solve(f->Hb_factors, 6, x);
}

void fb_floating_apply(const fb_floating* f, const double* A, const double* x, double y[6]) {
  for (int row = 0; row < 6; row++) {
    double sum = 0;
    for (int j = 0; x && j < f->nj; j++) sum += A[row * f->nj + j] * x[j];
    y[row] = sum;
  }
}

/* Factors H_b; a singular one, of a tree that is massless, a point or a rod, becomes NaN, and so does all that is solved with it. */
static void factor_base(fb_floating* f) {
  double least;
  memcpy(f->Hb_factors, f->Hb, 36 * sizeof(double));
  int bad = !fb_definite6(f->Hb, &least) || fb_ldl_factor(f->Hb_factors, 6);
  for (int i = 0; i < 36 && bad; i++) f->Hb_factors[i] = NAN;
}

/* G = H_b^-1 H_bm,  G' = H_b^-1 (H_bm' - H_b' G) */
static void fill_G(fb_floating* f) {
  for (int j = 0; j < f->nj; j++) {
    double g[6], x[6];
    for (int row = 0; row < 6; row++) g[row] = f->Hbm[row * f->nj + j];
    fb_floating_solve_base(f, g);
    for (int row = 0; row < 6; row++) {
      x[row] = f->Hbm_dot[row * f->nj + j];
      for (int k = 0; k < 6; k++) x[row] -= f->Hb_dot[6 * row + k] * g[k];
    }
    fb_floating_solve_base(f, x);
    for (int row = 0; row < 6; row++) {
      f->G[row * f->nj + j] = g[row];
      f->G_dot[row * f->nj + j] = f->has_rates ? x[row] : NAN;
    }
  }
}

void fb_floating_update(fb_floating* f, const double* q, const double* v) {
  f->has_rates = v != NULL;
  for (int k = 0; k < f->m->top.nv; k++) f->v[k] = v ? v[k] : NAN;
  fb_kinematics(f->m, f->d, q, v, NULL);
  fb_floating_fill_momentum_matrix(f);
  factor_base(f);
  fill_G(f);
  if (f->nrow > 0) fb_floating_update_loops(f, q, v);
}
