/* bench_kinematics.c -- how long kinematics and an end-point Jacobian take, per call on one core.
 *
 * For each model, 64 random states are called in turn; the time of one pass over them divided by 64 is
 * a sample, and the smallest sample is printed [ns]. The models: armN is a free base with a serial arm
 * of N revolute joints about x, y, z, x, ...; sat12 a free base with a 6-joint arm and two paddle chains
 * of 3 joints. Figures depend on the machine and its load: compare only what ran side by side.
 *
 *   bench_kinematics [--json] [--seconds S] [MODEL...]      S: time spent on each figure, 0.3 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <freebody/configuration.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/model.h>
#include <freebody/version.h>

enum { NSTATE = 64 };

typedef struct bench_case {
  fb_model* m;
  fb_data* d;
  double *q, *v, *vdot; /* NSTATE rows of nq, nv, nv */
  double* J;
  int nq, nv, end_point;
} bench_case;

/* ---- models ------------------------------------------------------------------------------------- */

static void fail(const char* what, const fb_error* error) {
  char text[1200];
  fprintf(stderr, "bench_kinematics: %s: %s\n", what, fb_error_format(error, text, sizeof text));
  exit(1);
}

static void add_body(fb_model_def* def, const fb_body_def* body) {
  fb_error error;
  if (fb_model_def_add_body(def, body, &error) != FB_OK) fail(body->name, &error);
}

static void add_base(fb_model_def* def) {
  static const double inertia[6] = {6200, 3540, 7090, 48.2, 78.5, -29.2};
  static const double com[3] = {0.03, -0.02, 0.05};
  fb_body_def base = fb_default_body_def();
  base.name = "base";
  base.joint.type = FB_JOINT_FREE;
  base.mass = 2500;
  memcpy(base.inertia, inertia, sizeof inertia);
  memcpy(base.com, com, sizeof com);
  add_body(def, &base);
}

/* n links in a row, named PREFIX1 .. PREFIXn, the first joint at `mount` in the base. */
static void add_chain(fb_model_def* def, const char* prefix, int n, const double mount[3]) {
  static const double offset[3] = {0.05, 0.02, 1.0};
  static const double inertia[6] = {0.9, 0.85, 0.15, 0.02, 0.03, -0.01};
  static const double com[3] = {0.02, -0.03, 0.5};
  char name[32], parent[32] = "base";
  for (int i = 0; i < n; i++) {
    fb_body_def link = fb_default_body_def();
    snprintf(name, sizeof name, "%s%d", prefix, i + 1);
    link.name = name;
    link.parent = parent;
    link.joint.type = FB_JOINT_REVOLUTE;
    memset(link.joint.axis, 0, sizeof link.joint.axis);
    link.joint.axis[i % 3] = 1;
    memcpy(link.joint.at, i == 0 ? mount : offset, sizeof link.joint.at);
    link.mass = 10;
    memcpy(link.inertia, inertia, sizeof inertia);
    memcpy(link.com, com, sizeof com);
    add_body(def, &link);
    memcpy(parent, name, sizeof parent);
  }
}

static const double ARM_MOUNT[3] = {1.2, 0.1, 0.8};

static void make_arm(fb_model_def* def, int n) {
  add_base(def);
  add_chain(def, "link", n, ARM_MOUNT);
}

static void make_satellite(fb_model_def* def, int n) {
  static const double left[3] = {0, 1.2, 0}, right[3] = {0, -1.2, 0};
  add_base(def);
  add_chain(def, "link", n, ARM_MOUNT);
  add_chain(def, "left", 3, left);
  add_chain(def, "right", 3, right);
}

typedef struct bench_row {
  const char* name;
  void (*make)(fb_model_def* def, int n);
  int n; /* joints of the arm */
} bench_row;

static const bench_row MODELS[] = {
    {"arm6", make_arm, 6},     {"sat12", make_satellite, 6}, {"arm30", make_arm, 30},
    {"arm100", make_arm, 100}, {"arm1000", make_arm, 1000},
};

/* ---- what is measured --------------------------------------------------------------------------- */

static void call_poses(bench_case* b, int k) {
  fb_kinematics(b->m, b->d, b->q + k * b->nq, NULL, NULL);
}

static void call_velocities(bench_case* b, int k) {
  fb_kinematics(b->m, b->d, b->q + k * b->nq, b->v + k * b->nv, NULL);
}

static void call_accelerations(bench_case* b, int k) {
  fb_kinematics(b->m, b->d, b->q + k * b->nq, b->v + k * b->nv, b->vdot + k * b->nv);
}

static void call_jacobian(bench_case* b, int k) {
  (void)k;
  fb_frame_jacobian(b->m, b->d, b->end_point, b->J);
}

static void call_poses_and_jacobian(bench_case* b, int k) {
  call_poses(b, k);
  call_jacobian(b, k);
}

typedef struct bench_call {
  const char* key;
  const char* title;
  void (*call)(bench_case* b, int k);
} bench_call;

static const bench_call CALLS[] = {
    {"poses", "poses", call_poses},
    {"velocities", "+velocities", call_velocities},
    {"accelerations", "+accelerations", call_accelerations},
    {"jacobian", "Jacobian alone", call_jacobian},
    {"poses_and_jacobian", "poses+Jacobian", call_poses_and_jacobian},
};

enum { NMODEL = sizeof MODELS / sizeof MODELS[0], NCALL = sizeof CALLS / sizeof CALLS[0] };

/* ---- measuring ---------------------------------------------------------------------------------- */

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* The smallest time per call over passes of NSTATE calls, for `seconds` and three passes at least. */
static double measure(bench_case* b, const bench_call* c, double seconds) {
  double best = 1e300, start = now_ns(), t = start;
  for (int pass = 0; pass < 3 || t - start < 1e9 * seconds; pass++) {
    double t0 = now_ns();
    for (int k = 0; k < NSTATE; k++) c->call(b, k);
    t = now_ns();
    if (t - t0 < best) best = t - t0;
  }
  return best / NSTATE;
}

static double* doubles(size_t count) {
  double* x = (double*)calloc(count, sizeof *x);
  if (x == NULL) {
    fprintf(stderr, "bench_kinematics: out of memory for %zu numbers\n", count);
    exit(1);
  }
  return x;
}

static bench_case case_make(const bench_row* row) {
  fb_error error;
  char last[32];
  bench_case b;
  fb_model_def* def = fb_model_def_new();
  row->make(def, row->n);
  if (fb_model_build(def, NULL, &b.m, &error) != FB_OK) fail(row->name, &error);
  fb_model_def_free(def);
  b.d = fb_data_new(b.m);
  b.nq = fb_model_nq(b.m);
  b.nv = fb_model_nv(b.m);
  b.q = doubles((size_t)(NSTATE * b.nq));
  b.v = doubles((size_t)(NSTATE * b.nv));
  b.vdot = doubles((size_t)(NSTATE * b.nv));
  b.J = doubles((size_t)(6 * b.nv));
  snprintf(last, sizeof last, "link%d", row->n);
  b.end_point = fb_model_find_frame(b.m, last);
  for (int k = 0; k < NSTATE; k++) {
    fb_random_q(b.m, (uint64_t)k, b.q + k * b.nq);
    fb_random_v(b.m, (uint64_t)(k + NSTATE), b.v + k * b.nv);
    fb_random_v(b.m, (uint64_t)(k + 2 * NSTATE), b.vdot + k * b.nv);
  }
  return b;
}

static void case_free(bench_case* b) {
  free(b->q);
  free(b->v);
  free(b->vdot);
  free(b->J);
  fb_data_free(b->d);
  fb_model_free(b->m);
}

static void print_row(const bench_row* row, double seconds, int json, int first) {
  bench_case b = case_make(row);
  if (json) {
    printf("%s\n    {\"model\": \"%s\", \"nv\": %d, \"isa\": \"%s\", \"data_bytes\": %zu", first ? "" : ",",
           row->name, b.nv, fb_model_isa(b.m), fb_data_size(b.m));
  } else {
    printf("%-8s %5d %-5s", row->name, b.nv, fb_model_isa(b.m));
  }
  for (int c = 0; c < NCALL; c++) {
    double ns = measure(&b, &CALLS[c], seconds);
    if (json) {
      printf(", \"%s\": %.1f", CALLS[c].key, ns);
    } else {
      printf(" %15.0f", ns);
    }
    fflush(stdout);
  }
  printf(json ? "}" : "\n");
  case_free(&b);
}

static int wanted(const char* name, int nname, char** names) {
  for (int i = 0; i < nname; i++)
    if (strcmp(names[i], name) == 0) return 1;
  return nname == 0;
}

static int model_known(const char* name) {
  for (int i = 0; i < NMODEL; i++)
    if (strcmp(MODELS[i].name, name) == 0) return 1;
  return 0;
}

static int usage(const char* wrong) {
  fprintf(stderr, "bench_kinematics: %s is not an option, a time or a model\n", wrong);
  fprintf(stderr, "usage: bench_kinematics [--json] [--seconds S] [MODEL...]\nmodels:");
  for (int i = 0; i < NMODEL; i++) fprintf(stderr, " %s", MODELS[i].name);
  fprintf(stderr, "\n");
  return 2;
}

int main(int argc, char** argv) {
  double seconds = 0.3;
  int json = 0, nname = 0, first = 1;
  for (int i = 1; i < argc; i++) {
    char* end = NULL;
    if (strcmp(argv[i], "--json") == 0) {
      json = 1;
    } else if (strcmp(argv[i], "--seconds") == 0 && i + 1 < argc) {
      seconds = strtod(argv[++i], &end);
      if (*end != '\0' || end == argv[i] || !(seconds >= 0 && seconds <= 3600)) return usage(argv[i]);
    } else if (model_known(argv[i])) {
      argv[1 + nname++] = argv[i];
    } else {
      return usage(argv[i]);
    }
  }
  if (json) {
    printf("{\"bench\": \"kinematics\", \"version\": \"%s\", \"unit\": \"ns\", \"rows\": [", fb_version());
  } else {
    printf("ns per call on one core, smallest of many passes over %d random states\n", NSTATE);
    printf("%-8s %5s %-5s", "model", "nv", "isa");
    for (int c = 0; c < NCALL; c++) printf(" %15s", CALLS[c].title);
    printf("\n");
  }
  for (int i = 0; i < NMODEL; i++) {
    if (!wanted(MODELS[i].name, nname, argv + 1)) continue;
    print_row(&MODELS[i], seconds, json, first);
    first = 0;
  }
  if (json) printf("\n]}\n");
  return 0;
}
