/* data.c -- laying fb_data out in one block: the struct, then each array on a cache line of its own. */
#include "model/data.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "model/model.h"

static void lay_out(const fb_topology* top, int width, fb_data* d, fb_arena* a) {
  fb_arena_take(a, sizeof *d);
#define X(name, rows, cols, unit, meaning) \
  d->name = fb_arena_take(a, (size_t)(rows) * (size_t)(cols) * (size_t)width * sizeof(double));
  FB_DATA_FIELDS(X)
#undef X
}

size_t fb_data_size_width(const fb_model* m, int width) {
  fb_data measure;
  fb_arena a = {0};
  lay_out(&m->top, width, &measure, &a);
  return a.used;
}

/* Everything starts at zero, the world's (link 0's) motion stays so. Large matrices of loops are left as they are: they are
 * computed before they are read, and with thousands of loops they need far more memory than all else, most of it never used. */
static void clear(fb_data* d, char* memory, size_t size) {
  static const size_t LARGE = (size_t)1 << 24;
  char *matrices = (char*)d->row_A, *end = (char*)d->row_scale;
  if ((size_t)(end - matrices) < LARGE) end = matrices;
  memset(memory + sizeof *d, 0, (size_t)(matrices - memory) - sizeof *d);
  memset(end, 0, size - (size_t)(end - memory));
}

fb_status fb_data_place_width(const fb_model* m, int width, void* memory, size_t size, fb_data** data) {
  *data = NULL;
  if (!memory || (uintptr_t)memory % FB_ALIGN != 0) return FB_ERR_ARG;
  size_t needed = fb_data_size_width(m, width);
  if (size < needed) return FB_ERR_MEMORY;
  fb_data* d = (fb_data*)memory;
  fb_arena a = {.base = (char*)memory};
  memset(d, 0, sizeof *d);
  lay_out(&m->top, width, d, &a);
  clear(d, (char*)memory, needed);
  d->model = m;
  d->par = &m->par;
  d->armature = m->par.armature;
  d->width = width;
  if (width == 1) memcpy(d->loop_length, m->par.loop_length, (size_t)m->top.nloop * sizeof(double));
  *data = d;
  return FB_OK;
}

size_t fb_data_size(const fb_model* m) {
  return fb_data_size_width(m, 1);
}

fb_status fb_data_place(const fb_model* m, void* memory, size_t size, fb_data** data) {
  return fb_data_place_width(m, 1, memory, size, data);
}

fb_data* fb_data_new(const fb_model* m) {
  size_t size = fb_data_size(m);
  fb_data* d = NULL;
  void* memory = aligned_alloc(FB_ALIGN, size);
  if (memory && fb_data_place(m, memory, size, &d) != FB_OK) free(memory);
  return d;
}

void fb_data_free(fb_data* d) {
  free(d);
}

fb_status fb_data_use(fb_data* d, const fb_parameters* p) {
  if (p && (p->model != d->model || (p->width != 1 && p->width != d->width))) return FB_ERR_ARG;
  d->par = p ? p : &d->model->par;
  d->armature = d->par->armature;
  d->level = d->com_level = FB_LEVEL_NONE;
  if (d->width == 1)
    memcpy(d->loop_length, d->par->loop_length, (size_t)d->model->top.nloop * sizeof(double));
  return FB_OK;
}

const fb_parameters* fb_data_parameters(const fb_data* d) {
  return d->par;
}
