/* contact_mujoco.c -- MuJoCo as bench_contact times it: mj_step with elliptic cones, everything else as it comes. Its contacts
 * are soft; its free joints have their angular velocity in body axes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mujoco/mujoco.h>
#include <unistd.h>

#include "contact_scene.h"

typedef struct peer {
  const contact_scene* scene;
  mjModel* m;
  mjData* d;
} peer;

static void write_shapes(FILE* out, const contact_scene* s, int body) {
  for (int i = 0; i < s->nshape; i++) {
    const scene_shape* g = &s->shape[i];
    if (g->body != body) continue;
    const double half[3] = {g->size[0] * (g->is_box ? 0.5 : 1), 0.5 * g->size[1], 0.5 * g->size[2]};
    fprintf(out,
            "<geom type=\"%s\" pos=\"%.17g %.17g %.17g\" size=\"%.17g %.17g %.17g\" contype=\"1\" "
            "conaffinity=\"%d\"/>\n",
            g->is_box ? "box" : "sphere", g->at[0], g->at[1], g->at[2], half[0], half[1], half[2], g->is_box);
  }
}

static void write_body(FILE* out, const contact_scene* s, int i) {
  const bench_body* b = &s->body[i];
  fprintf(out,
          "<body name=\"%s\" pos=\"%.17g %.17g %.17g\">"
          "<inertial pos=\"%.17g %.17g %.17g\" mass=\"%.17g\" diaginertia=\"%.17g %.17g %.17g\"/>\n",
          b->name, b->at[0], b->at[1], b->at[2], b->com[0], b->com[1], b->com[2], b->mass, b->inertia[0],
          b->inertia[1], b->inertia[2]);
  if (b->is_free)
    fprintf(out, "<freejoint/>\n");
  else
    fprintf(out, "<joint type=\"hinge\" axis=\"%g %g %g\" armature=\"%.17g\"/>\n", b->axis[0], b->axis[1],
            b->axis[2], b->armature);
  write_shapes(out, s, i);
}

/* A body stays open while its children are written. */
static void write_model(FILE* out, const contact_scene* s) {
  int open[SCENE_BODIES], n = 0;
  fprintf(out,
          "<mujoco><compiler angle=\"radian\" inertiafromgeom=\"false\"/>"
          "<size njmax=\"4000\" nconmax=\"1000\" nstack=\"20000000\"/>"
          "<option timestep=\"%.17g\" gravity=\"0 0 %.17g\" cone=\"elliptic\"/>"
          "<default><geom condim=\"3\" friction=\"%.17g\"/></default><worldbody>\n"
          "<geom type=\"plane\" size=\"10 10 1\" contype=\"0\" conaffinity=\"1\"/>\n",
          SCENE_STEP, -SCENE_GRAVITY, SCENE_FRICTION);
  for (int i = 0; i < s->model.nbody; i++) {
    for (; n > 0 && open[n - 1] != s->body[i].parent; n--) fprintf(out, "</body>\n");
    write_body(out, s, i);
    open[n++] = i;
  }
  for (; n > 0; n--) fprintf(out, "</body>\n");
  fprintf(out, "</worldbody></mujoco>\n");
}

static mjModel* load(const contact_scene* s, char* why, size_t size) {
  char file[] = "/tmp/freebody-bench-XXXXXX";
  int handle = mkstemp(file);
  FILE* out = handle < 0 ? NULL : fdopen(handle, "w");
  if (!out) {
    snprintf(why, size, "no temporary file can be made");
    return NULL;
  }
  write_model(out, s);
  fclose(out);
  mjModel* m = mj_loadXML(file, NULL, why, (int)size);
  unlink(file);
  return m;
}

static void close_peer(void* of) {
  peer* self = of;
  if (self->d) mj_deleteData(self->d);
  if (self->m) mj_deleteModel(self->m);
  free(self);
}

static void* open_peer(const contact_scene* scene, char* why, size_t size) {
  peer* self = calloc(1, sizeof *self);
  snprintf(why, size, "no memory");
  if (!self) return NULL;
  self->scene = scene;
  self->m = load(scene, why, size);
  self->d = self->m ? mj_makeData(self->m) : NULL;
  if (!self->d || self->m->nq != scene->model.nq) {
    close_peer(self);
    return NULL;
  }
  memcpy(self->d->qpos, scene->q, (size_t)scene->model.nq * sizeof *scene->q);
  return self;
}

static int step_peer(void* of) {
  const peer* self = of;
  if (self->scene->model.njoint > 0)
    contact_scene_drive(self->scene, self->d->time, self->d->qpos + 7, self->d->qvel + 6,
                        self->d->qfrc_applied + 6);
  mj_step(self->m, self->d);
  return 1;
}

static void read_peer(void* of, double* q, double* v) {
  const peer* self = of;
  const bench_model* model = &self->scene->model;
  memcpy(q, self->d->qpos, (size_t)model->nq * sizeof *q);
  memcpy(v, self->d->qvel, (size_t)model->nv * sizeof *v);
  for (int i = 0, iq = 0, iv = 0; i < model->nbody; i++) {
    if (model->body[i].is_free) mju_rotVecQuat(v + iv + 3, self->d->qvel + iv + 3, self->d->qpos + iq + 3);
    iq += model->body[i].is_free ? 7 : 1;
    iv += model->body[i].is_free ? 6 : 1;
  }
}

const contact_engine* contact_peer(void) {
  static const contact_engine engine = {"MuJoCo", open_peer, step_peer, read_peer, close_peer};
  return &engine;
}
