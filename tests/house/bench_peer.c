/* bench_peer.c -- a peer for the test of bench_race: it computes the poses of an arm on the world and, unless FATE is
 * SOUND, goes wrong at the place that FATE names. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_runner.h"

/* What can happen to a peer. */
enum {
  SOUND,
  CRASHES_WHEN_LOADED,
  CRASHES_IN_OPEN,
  CRASHES_IN_CALL,
  HANGS_IN_CALL,
  EXITS_IN_CALL,
  CRASHES_IN_CLOSE
};

typedef struct peer {
  const bench_model* model;
  const bench_states* states;
  double p[3]; /* of the end-point */
} peer;

static void* peer_open(const bench_model* model, const bench_states* states, char* why, size_t size) {
  if (FATE == CRASHES_IN_OPEN) abort();
  if (model->body[0].is_free) {
    snprintf(why, size, "it knows no free base");
    return NULL;
  }
  printf("this must not be among the results\n");
  peer* p = (peer*)calloc(1, sizeof *p);
  if (!p) abort();
  p->model = model;
  p->states = states;
  return p;
}

static void peer_close(void* self) {
  if (FATE == CRASHES_IN_CLOSE) abort();
  free(self);
}

/* p becomes at + R(axis, angle) p; the axis is x, y or z. */
static void move_to_parent(const bench_body* body, double angle, double p[3]) {
  int k = body->axis[0] != 0 ? 0 : body->axis[1] != 0 ? 1 : 2;
  int i = (k + 1) % 3, j = (k + 2) % 3;
  double c = cos(angle), s = sin(angle), u = p[i], v = p[j];
  p[i] = c * u - s * v;
  p[j] = s * u + c * v;
  for (int n = 0; n < 3; n++) p[n] += body->at[n];
}

static void call_poses(void* self, int state) {
  peer* p = (peer*)self;
  const double* q = p->states->q + state * p->states->nq;
  memset(p->p, 0, sizeof p->p);
  for (int i = p->model->end_point; i >= 0; i = p->model->body[i].parent)
    move_to_parent(&p->model->body[i], q[i], p->p);
}

static void call_motion(void* self, int state) {
  if (FATE == CRASHES_IN_CALL) abort();
  if (FATE == EXITS_IN_CALL) exit(3);
  while (FATE == HANGS_IN_CALL) sleep(1);
  call_poses(self, state);
}

static void peer_read(void* self, bench_quantity quantity, int state, double* out) {
  (void)quantity;
  (void)state;
  memcpy(out, ((const peer*)self)->p, sizeof((const peer*)self)->p);
}

__attribute__((visibility("default"))) const bench_runner* bench_peer(void);

const bench_runner* bench_peer(void) {
  static const bench_runner runner = {
      .name = NAME,
      .version = "1",
      .call = {[BENCH_POSES] = call_poses, [BENCH_MOTION] = call_motion},
      .calls = {[BENCH_POSES] = "poses", [BENCH_MOTION] = "motion"},
      .open = peer_open,
      .read = peer_read,
      .close = peer_close,
  };
  if (FATE == CRASHES_WHEN_LOADED) abort();
  return &runner;
}
