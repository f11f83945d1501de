/* contact_race.c -- contact: Freebody and, where it is installed, MuJoCo on the same scenes, in one run.
 *
 *   bench_contact [--seconds S] [SCENE]      S: time spent on each figure, 0.5; SCENE: this one only
 *
 * First both simulate 2 s from the same start. Then every figure is judged by the same functions, those of Freebody: how deep shapes
 * are in each other or in the ground, how far the robot or the topmost box moved along the ground, and how much energy there is
 * more than at the start; and the longest step. Then steps are timed, from there on, in turns; shown is the least processor time of a batch of a cycle. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <freebody/collide.h>
#include <freebody/kinematics.h>
#include <freebody/momentum.h>
#include <freebody/version.h>

#include "bench_own.h"
#include "contact_scene.h"

enum { STEPS = 1000, BATCH = 250, ROUNDS = 4, ENGINES = 2 };

typedef struct figures {
  double depth;  /* largest, in the second half [m] */
  double drift;  /* along the ground, since the start [m] */
  double energy; /* at the end, less that at the start [J] */
  double ns;     /* of a step */
  double worst;  /* the longest of the first ones [ns] */
  int failed;
} figures;

static void stop_with(const char* what) {
  fprintf(stderr, "bench_contact: %s\n", what);
  exit(EXIT_FAILURE);
}

/* ---- judging ------------------------------------------------------------------------------------------ */

typedef struct check_result {
  const contact_scene* scene;
  fb_model* m;
  fb_data* d;
  double q[SCENE_COORDINATES], v[SCENE_COORDINATES];
} check_result;

static fb_collider place(const check_result* j, int shape, fb_placement* at) {
  const scene_shape* s = &j->scene->shape[shape];
  fb_collider c = fb_default_collider();
  c.kind = s->is_box ? FB_COLLIDER_BOX : FB_COLLIDER_SPHERE;
  memcpy(c.size, s->size, sizeof c.size);
  fb_frame_pose(j->m, j->d, fb_model_find_body(j->m, j->scene->body[s->body].name), at->p, at->R);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++) at->p[i] += at->R[3 * i + k] * s->at[k];
  return c;
}

static double find_depth(const check_result* j) {
  const fb_placement origin = {{0, 0, 0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  fb_collider plane = fb_default_collider();
  double least = 0;
  plane.kind = FB_COLLIDER_PLANE;
  for (int a = 0; a < j->scene->nshape; a++) {
    fb_placement at_a, at_b;
    fb_collider one = place(j, a, &at_a);
    least = fmin(least, fb_collider_gap(&one, &at_a, &plane, &origin));
    for (int b = 0; one.kind == FB_COLLIDER_BOX && b < a; b++) {
      fb_collider other = place(j, b, &at_b);
      least = fmin(least, fb_collider_gap(&one, &at_a, &other, &at_b));
    }
  }
  return fabs(least);
}

static double find_energy(const check_result* j) {
  fb_loads down = fb_default_loads();
  down.environment.gravity_w[2] = -SCENE_GRAVITY;
  return fb_kinetic_energy(j->m, j->d, j->v) + fb_potential_energy(j->m, j->d, j->q, &down);
}

/* ---- running ------------------------------------------------------------------------------------------ */

static double processor_time(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static void simulate(check_result* j, const contact_engine* engine, void* self, figures* f) {
  const double* start = j->scene->q + 7 * (j->scene->model.njoint > 0 ? 0 : j->scene->reference);
  memcpy(j->q, j->scene->q, sizeof j->q);
  memset(j->v, 0, sizeof j->v);
  fb_kinematics(j->m, j->d, j->q, j->v, NULL);
  const double before = find_energy(j);
  double all = 0;
  for (int i = 1; i <= STEPS && !f->failed; i++) {
    const double start_of_step = processor_time();
    f->failed = !engine->step(self);
    const double ns = processor_time() - start_of_step;
    f->worst = fmax(f->worst, ns);
    all += ns;
    if (i < STEPS / 2 || i % 5 != 0) continue;
    engine->read(self, j->q, j->v);
    fb_kinematics(j->m, j->d, j->q, j->v, NULL);
    f->depth = fmax(f->depth, find_depth(j));
  }
  const double* end = j->q + (start - j->scene->q);
  f->drift = hypot(end[0] - start[0], end[1] - start[1]);
  f->energy = find_energy(j) - before;
  f->ns = j->scene->falls ? all / STEPS : NAN;
}

typedef struct runner {
  const contact_engine* engine;
  void* self;
  int failed;
} runner;

/* Batches are long, so that other work would be in most of them: counted is the time of this process alone. */
static void time_steps(runner* r, double seconds, double* best) {
  const double start = processor_time();
  double before = start;
  do {
    for (int i = 0; i < BATCH; i++) r->failed |= !r->engine->step(r->self);
    const double now = processor_time(), ns = (now - before) / BATCH;
    if (!(*best <= ns)) *best = ns;
    before = now;
  } while (before - start < 1e9 * seconds);
}

static void print(const contact_scene* scene, const char* engine, const figures* f, double first) {
  if (f->failed) {
    printf("%-8s %-9s could not be simulated\n", scene->name, engine);
    return;
  }
  printf("%-8s %-9s %10.0f %10.1f %10.2f %10.3f %10.4f %12.2e %11.4f\n", scene->name, engine, 1e9 / f->ns,
         1e9 * SCENE_STEP / f->ns, first / f->ns, 1e-6 * f->worst, 1e3 * f->depth, 1e3 * f->drift, f->energy);
}

static void race(const contact_scene* scene, double seconds) {
  const contact_engine* engines[ENGINES] = {&contact_own, contact_peer()};
  figures f[ENGINES] = {{0}};
  runner r[ENGINES] = {{0}};
  char why[256];
  fb_error error;
  check_result j = {.scene = scene, .m = bench_own_build(&scene->model, &error)};
  j.d = j.m ? fb_data_new(j.m) : NULL;
  if (!j.d) stop_with("out of memory");
  for (int e = 0; e < ENGINES && engines[e]; e++) {
    r[e] = (runner){engines[e], engines[e]->open(scene, why, sizeof why), 0};
    if (!r[e].self) stop_with(why);
    simulate(&j, engines[e], r[e].self, &f[e]);
  }
  for (int round = 0; round < ROUNDS; round++)
    for (int e = 0; e < ENGINES && engines[e]; e++)
      if (!f[e].failed && !scene->falls) time_steps(&r[e], seconds / ROUNDS, &f[e].ns);
  for (int e = 0; e < ENGINES && engines[e]; e++) {
    f[e].failed |= r[e].failed;
    print(scene, engines[e]->name, &f[e], f[0].ns);
    engines[e]->close(r[e].self);
  }
  fb_data_free(j.d);
  fb_model_free(j.m);
}

int main(int argc, char** argv) {
  contact_scene scene;
  double seconds = 0.5;
  int at = 1;
  if (argc > 2 && strcmp(argv[1], "--seconds") == 0) {
    seconds = atof(argv[2]);
    at = 3;
  }
  if (argc > at + 1 || !(seconds >= 0 && seconds <= 60))
    stop_with("usage: bench_contact [--seconds S] [SCENE]");
  printf("Contact: steps of %g ms, the same scenes in both engines", 1e3 * SCENE_STEP);
  printf("%s\n",
         contact_peer()
             ? ""
             : "; without MuJoCo: libmujoco-dev is not installed, or the build has no FB_BENCH_PEERS");
  for (int i = 0; contact_scene_make(i, &scene); i++) printf("  %-8s %s\n", scene.name, scene.about);
  printf("%-18s %10s %10s %10s %10s %10s %12s %11s\n", "", "steps/s", "x real", "relative", "worst ms",
         "depth mm", "drift mm", "energy J");
  int raced = 0;
  for (int i = 0; contact_scene_make(i, &scene); i++) {
    if (at < argc && strcmp(argv[at], scene.name) != 0) continue;
    race(&scene, seconds);
    raced++;
  }
  if (!raced) stop_with("there is no such scene");
  return 0;
}
