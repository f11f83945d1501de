/* contact_scene.c -- the scenes of bench_contact: boxes on each other or side by side, balls, and a robot with four legs that
 * stands or lifts its legs in turn. The robot has the numbers of scenarios/walker. */
#include "contact_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LEGS = 4, JOINTS_OF_LEG = 3 };

static bench_body* add_body(contact_scene* s, const bench_body* body) {
  bench_body* to = &s->body[s->model.nbody++];
  *to = *body;
  s->model.nq += body->is_free ? 7 : 1;
  s->model.nv += body->is_free ? 6 : 1;
  s->model.njoint += !body->is_free;
  return to;
}

/* Free bodies of 4 kg: a tower of boxes, or boxes or balls of which each stands on the ground by itself. */
static void make_pieces(contact_scene* s, int count, int is_box, int on_each_other) {
  static const double edges[3] = {0.4, 0.4, 0.2};
  enum { ROW = 10 };
  const bench_body piece = {.parent = -1,
                            .is_free = 1,
                            .mass = 4,
                            .inertia = {0.0666666666666667, 0.0666666666666667, 0.106666666666667}};
  for (int i = 0; i < count; i++) {
    double* at = s->q + 7 * i;
    snprintf(add_body(s, &piece)->name, sizeof s->body[i].name, "piece%d", i);
    at[0] = on_each_other ? 0 : i % ROW;
    at[1] = on_each_other ? 0 : i / ROW;
    at[2] = on_each_other ? (i + 0.5) * edges[2] : 0.5 * edges[2];
    at[3] = 1;
    s->shape[i] = (scene_shape){.body = i, .is_box = is_box, .size = {edges[0], edges[1], edges[2]}};
    if (!is_box) s->shape[i].size[0] = 0.5 * edges[2];
  }
  s->nshape = count;
  s->reference = count - 1;
}

/* A number from 0 to 1; the same series everywhere. */
static double draw(unsigned* state) {
  *state = *state * 1664525U + 1013904223U;
  return (*state >> 8) / 16777216.0;
}

/* Boxes that fall from layers of three, each turned another way, so that none overlap at the start. */
static void throw_pieces(contact_scene* s, int count) {
  enum { LAYER = 3 };
  static const double RING = 0.45, HEIGHT = 0.65, FIRST = 0.4, TURN = 6.283185307179586;
  unsigned state = 1;
  make_pieces(s, count, 1, 0);
  for (int i = 0; i < count; i++) {
    const int layer = i / LAYER;
    double *at = s->q + 7 * i, size = 0;
    at[0] = RING * cos(TURN * (i % LAYER) / LAYER) + 0.05 * draw(&state);
    at[1] = RING * sin(TURN * (i % LAYER) / LAYER) + 0.05 * draw(&state);
    at[2] = FIRST + HEIGHT * layer;
    for (int k = 3; k < 7; k++) {
      at[k] = 2 * draw(&state) - 1;
      size += at[k] * at[k];
    }
    for (int k = 3; k < 7; k++) at[k] /= sqrt(size);
  }
}

static const double STANDING[JOINTS_OF_LEG] = {0, 0.885, -1.6803}; /* hip, thigh, knee [rad] */

static void add_leg(contact_scene* s, int leg) {
  const double x = leg < 2 ? 1 : -1, y = leg % 2 == 0 ? 1 : -1;
  const bench_body parts[JOINTS_OF_LEG] = {
      {.axis = {1, 0, 0}, .at = {0.19 * x, 0.05 * y, 0}, .mass = 0.6, .inertia = {6e-4, 6e-4, 6e-4}},
      {.axis = {0, 1, 0},
       .at = {0, 0.07 * y, 0},
       .mass = 0.8,
       .com = {0, 0, -0.05},
       .inertia = {3e-3, 3e-3, 4e-4}},
      {.axis = {0, 1, 0},
       .at = {0, 0, -0.21},
       .mass = 0.15,
       .com = {0, 0, -0.1},
       .inertia = {6e-4, 6e-4, 3e-5}}};
  for (int i = 0; i < JOINTS_OF_LEG; i++) {
    bench_body* body = add_body(s, &parts[i]);
    body->parent = i == 0 ? 0 : s->model.nbody - 2;
    body->armature = 4.05e-3;
    snprintf(body->name, sizeof body->name, "leg%d.%d", leg, i);
    s->q[7 + JOINTS_OF_LEG * leg + i] = STANDING[i];
  }
  s->shape[s->nshape++] = (scene_shape){.body = s->model.nbody - 1, .at = {0, 0, -0.21}, .size = {0.02}};
}

static void make_walker(contact_scene* s) {
  const bench_body trunk = {
      .name = "trunk", .parent = -1, .is_free = 1, .mass = 8, .inertia = {0.0283, 0.148, 0.163}};
  add_body(s, &trunk);
  s->q[2] = 0.3;
  s->q[3] = 1;
  for (int i = 0; i < LEGS; i++) add_leg(s, i);
}

typedef struct scene_row {
  const char *name, *about;
  int count; /* of bodies; 0: the robot */
  int is_box, on_each_other, marches, falls;
} scene_row;

int contact_scene_make(int index, contact_scene* s) {
  static const scene_row rows[] = {
      {"box", "a box of 4 kg on the ground", 1, 1, 0, 0, 0},
      {"stack", "10 boxes of 4 kg on each other", 10, 1, 1, 0, 0},
      {"stack30", "30 of them", 30, 1, 1, 0, 0},
      {"stack100", "100 of them", 100, 1, 1, 0, 0},
      {"apart10", "10 boxes side by side", 10, 1, 0, 0, 0},
      {"apart100", "100 of them", 100, 1, 0, 0, 0},
      {"balls100", "100 balls side by side", 100, 0, 0, 0, 0},
      {"stand", "a robot on 4 legs, 12 joints", 0, 0, 0, 0, 0},
      {"march", "the same, lifting 2 of its legs in turn", 0, 0, 0, 1, 0},
      {"pile10", "10 boxes that fall on a heap: means of the fall", 10, 1, 0, 0, 1},
      {"pile30", "30 of them", 30, 1, 0, 0, 1}};
  if (index < 0 || index >= (int)(sizeof rows / sizeof *rows)) return 0;
  const scene_row* row = &rows[index];
  memset(s, 0, sizeof *s);
  s->name = s->model.name = row->name;
  s->about = s->model.about = row->about;
  s->model.body = s->body;
  s->marches = row->marches;
  s->falls = row->falls;
  if (row->falls)
    throw_pieces(s, row->count);
  else if (row->count > 0)
    make_pieces(s, row->count, row->is_box, row->on_each_other);
  else
    make_walker(s);
  return 1;
}

void contact_scene_drive(const contact_scene* s, double t, const double* angle, const double* rate,
                         double* torque) {
  static const double KP = 150, KD = 2, PERIOD = 0.5, LIFT = 0.25; /* [N m/rad], [N m s/rad], [s], [rad] */
  const double swing = s->marches ? LIFT * sin(2 * 3.14159265358979 * t / PERIOD) : 0;
  for (int k = 0; k < s->model.njoint; k++) {
    const int leg = k / JOINTS_OF_LEG, part = k % JOINTS_OF_LEG;
    const double up =
        fmax(0, leg == 0 || leg == 3 ? swing : -swing); /* of the thigh; twice as much of the knee */
    const double wanted = STANDING[part] + (part == 1 ? up : part == 2 ? -2 * up : 0);
    torque[k] = KP * (wanted - angle[k]) - KD * rate[k];
  }
}
