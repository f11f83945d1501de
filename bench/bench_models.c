/* bench_models.c -- the registry of timed models.
 *
 * armN: a free base of 2500 kg with a serial arm of N revolute joints about x, y, z, x, ...; sat12: the same
 * base with a 6-joint arm and two paddle chains of 3 joints; fix7: the 7-joint arm bolted to the world. All
 * links are alike. Inertias are full and centres of mass off the axes, so that no library gains by zeros but
 * those of the axes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench_models.h"

typedef struct bench_row {
  const char* name;
  const char* about;
  int has_base; /* 0: the arm stands on the world */
  int arm;      /* joints of the arm */
  int paddle;   /* joints of each of two paddle chains */
} bench_row;

static const bench_row MODELS[] = {
    {"arm6", "free base, 6 revolute joints", 1, 6, 0},
    {"arm12", "free base, 12 revolute joints", 1, 12, 0},
    {"sat12", "free base, a 6-joint arm and two 3-joint paddles", 1, 6, 3},
    {"fix7", "7 revolute joints on the world", 0, 7, 0},
    {"arm30", "free base, 30 revolute joints", 1, 30, 0},
    {"arm100", "free base, 100 revolute joints", 1, 100, 0},
    {"arm1000", "free base, 1000 revolute joints", 1, 1000, 0},
};

enum { MODEL_COUNT = sizeof MODELS / sizeof MODELS[0] };

int bench_model_count(void) {
  return MODEL_COUNT;
}

const char* bench_model_name(int index) {
  return index >= 0 && index < MODEL_COUNT ? MODELS[index].name : NULL;
}

int bench_model_find(const char* name) {
  for (int i = 0; i < MODEL_COUNT; i++)
    if (strcmp(MODELS[i].name, name) == 0) return i;
  return -1;
}

static bench_body* add_body(bench_model* model, const bench_body* pattern, const double at[3]) {
  bench_body* body = &model->body[model->nbody++];
  *body = *pattern;
  memcpy(body->at, at, sizeof body->at);
  model->nq += body->is_free ? 7 : 1;
  model->nv += body->is_free ? 6 : 1;
  model->njoint += !body->is_free;
  return body;
}

static void add_base(bench_model* model) {
  static const bench_body base = {.name = "base",
                                  .parent = -1,
                                  .is_free = 1,
                                  .mass = 2500,
                                  .com = {0.03, -0.02, 0.05},
                                  .inertia = {6200, 3540, 7090, 48.2, 78.5, -29.2}};
  static const double origin[3] = {0, 0, 0};
  add_body(model, &base, origin);
}

/* n links in a row, PREFIX1 .. PREFIXn, the first one at `mount` in the body `parent`. */
static void add_chain(bench_model* model, const char* prefix, int parent, int n, const double mount[3]) {
  static const bench_body link = {
      .mass = 10, .com = {0.02, -0.03, 0.5}, .inertia = {0.9, 0.85, 0.15, 0.02, 0.03, -0.01}};
  static const double offset[3] = {0.05, 0.02, 1.0};
  for (int i = 0; i < n; i++) {
    bench_body* body = add_body(model, &link, i == 0 ? mount : offset);
    snprintf(body->name, sizeof body->name, "%s%d", prefix, i + 1);
    body->parent = i == 0 ? parent : model->nbody - 2;
    body->axis[i % 3] = 1;
  }
}

int bench_model_open(int index, bench_model* model) {
  static const double mount[3] = {1.2, 0.1, 0.8}, left[3] = {0, 1.2, 0}, right[3] = {0, -1.2, 0};
  const bench_row* row = &MODELS[index];
  memset(model, 0, sizeof *model);
  model->name = row->name;
  model->about = row->about;
  model->body = (bench_body*)calloc((size_t)(row->has_base + row->arm + 2 * row->paddle), sizeof(bench_body));
  if (!model->body) return 0;
  if (row->has_base) add_base(model);
  int base = row->has_base ? 0 : -1;
  add_chain(model, "link", base, row->arm, mount);
  model->end_point = model->nbody - 1;
  add_chain(model, "left", base, row->paddle, left);
  add_chain(model, "right", base, row->paddle, right);
  return 1;
}

void bench_model_close(bench_model* model) {
  free(model->body);
  memset(model, 0, sizeof *model);
}
