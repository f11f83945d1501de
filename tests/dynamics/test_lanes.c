/* test_lanes.c -- every kernel of every instance, every lane at a state of its own, against the scalar kernels.
 *
 * Everything is a lane's own: the parameters of the model, q, v, v', forces, gravity, a field, external wrenches, the wrench
 * at a frame. Not only results are compared but all of fb_data, on which the functions outside the kernels build. The
 * reference is the plainest scalar instance; that it is right is for test_kinematics, test_dynamics and test_momenta
 * to show. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "kernel/instances.h"
#include "model/data.h"
#include "model/model.h"
#include "near.h"
#include "random_tree.h"

enum {
  MOST_LANES = 8,
  MODELS = 40,
  UNIT_WRENCHES = 12 * FB_COLUMNS,
  GRAM = 6 * FB_COLUMNS,
  FIELD_VALUES = 12
};

/* Everything a kernel reads (up to FIELD: acceleration, gradient) and writes, `width` doubles a value. */
typedef enum array_name {
  Q,
  V,
  VDOT,
  TAU,
  KNOWN,
  WRENCH,
  EXT,
  GRAVITY,
  FIELD,
  RESULT,
  SECOND,
  ARRAYS
} array_name;

typedef struct values {
  const fb_model* m;
  const fb_parameters* par; /* doubles a value: 1, or `width` */
  const unsigned char* prescribed;
  int width, frame, body;
  int size[ARRAYS]; /* values */
  double* x[ARRAYS];
  fb_data* d;
} values;

static values values_new(const fb_model* m, int width) {
  int nq = fb_model_nq(m), nv = fb_model_nv(m), large = nv > 8 ? nv * nv : FB_COLUMNS * FB_COLUMNS;
  int trees = FB_TREE_SIZE * fb_model_nlink(m);
  if (large < trees) large = trees;
  int ext = 6 * fb_model_nlink(m) > UNIT_WRENCHES ? 6 * fb_model_nlink(m) : UNIT_WRENCHES;
  values a = {.m = m, .width = width, .size = {nq, nv, nv, nv, nv, 6, ext, 3, FIELD_VALUES, large, large}};
  size_t size = fb_data_size_width(m, width);
  for (int i = 0; i < ARRAYS; i++) a.x[i] = numbers_new(a.size[i] * width);
  assert_int_equal(fb_data_place_width(m, width, aligned_alloc(64, size), size, &a.d), FB_OK);
  return a;
}

static void values_free(values* a) {
  for (int i = 0; i < ARRAYS; i++) free(a->x[i]);
  free(a->d);
}

/* What was not written reads as NaN. */
static void forget_results(values* a) {
  for (int i = RESULT; i < ARRAYS; i++)
    for (int k = 0; k < a->size[i] * a->width; k++) a->x[i][k] = NAN;
}

/* Every third state moves slowly, so that lanes take different sides of fb_pick_lt in the exponential of a turn. */
static void fill_state(values* a, const unsigned char* prescribed, uint64_t seed) {
  fb_random r = random_seed(seed);
  const double fast = seed % 3 == 1 ? 2e-3 : 2;
  fb_random_q(a->m, seed, a->x[Q]);
  for (int i = V; i < RESULT; i++) random_fill(&r, -2, 2, a->size[i], a->x[i]);
  random_fill(&r, -fast, fast, a->size[V], a->x[V]);
  for (int k = 0; k < a->size[KNOWN]; k++) /* zero where it is not known */
    if (!prescribed[k]) a->x[KNOWN][k] = 0;
}

static void put_lane(values* wide, int lane, const values* one) {
  for (int i = 0; i < RESULT; i++)
    for (int k = 0; k < one->size[i]; k++) wide->x[i][k * wide->width + lane] = one->x[i][k];
}

/* --- the kernels, each with the number of values it writes --- */

typedef struct kernel_call {
  const char* name;
  void (*run)(const fb_kernels* k, values* a);
  int results, seconds; /* how many values are written: as below, or a plain number */
  double tol;           /* of the largest element; more where a system of equations is solved */
} kernel_call;

enum {
  NONE = 0,
  PER_Q = -1,
  PER_V = -2,
  PER_V6 = -3,
  PER_V2 = -4,
  SOME_V = -5 /* the prescribed ones */,
  PER_TREE = -6
};

static void poses_alone(const fb_kernels* k, values* a) {
  k->kinematics(&a->m->top, a->par, a->d, a->x[Q], NULL, NULL);
  k->frame_pose(&a->m->top, a->par, a->d, a->frame, a->x[RESULT], a->x[SECOND]);
}

static void poses_and_velocities(const fb_kernels* k, values* a) {
  k->kinematics(&a->m->top, a->par, a->d, a->x[Q], a->x[V], NULL);
  k->frame_velocity(&a->m->top, a->par, a->d, a->frame, a->x[RESULT], a->x[SECOND]);
}

static void accelerations(const fb_kernels* k, values* a) {
  k->kinematics(&a->m->top, a->par, a->d, a->x[Q], a->x[V], a->x[VDOT]);
  k->frame_acceleration(&a->m->top, a->par, a->d, a->frame, a->x[RESULT], a->x[SECOND]);
}

static void jacobian(const fb_kernels* k, values* a) {
  k->frame_jacobian(&a->m->top, a->par, a->d, a->frame, a->x[RESULT]);
  k->frame_jacobian_rate(&a->m->top, a->par, a->d, a->frame, a->x[SECOND]);
}

static void frame_bias(const fb_kernels* k, values* a) {
  k->frame_bias(&a->m->top, a->par, a->d, a->x[V], a->frame, a->x[RESULT]);
}

static void frame_push(const fb_kernels* k, values* a) {
  memcpy(a->x[RESULT], a->x[TAU], (size_t)(a->size[TAU] * a->width) * sizeof(double));
  k->frame_push(&a->m->top, a->par, a->d, a->frame, a->x[WRENCH], a->x[RESULT]);
}

static void outward(const fb_kernels* k, values* a, const double* known) {
  k->outward(&a->m->top, a->par, a->d, a->x[GRAVITY], a->x[Q], a->x[V], known);
}

static void inverse(const fb_kernels* k, values* a) {
  outward(k, a, a->x[VDOT]);
  k->rnea(&a->m->top, a->par, a->d, a->x[EXT], a->x[VDOT], a->x[RESULT]);
}

static void bias(const fb_kernels* k, values* a) {
  outward(k, a, NULL);
  k->rnea(&a->m->top, a->par, a->d, NULL, NULL, a->x[RESULT]);
}

/* The wrench of a field on a body, and its force alone; in the data, wrenches add up from call to call. */
static void loads(const fb_kernels* k, values* a) {
  const fb_topology* top = &a->m->top;
  const double *wrench = a->x[WRENCH], *field = a->x[FIELD];
  double* alone = a->x[SECOND];
  outward(k, a, NULL);
  k->site_wrench(top, a->par, a->d, a->frame, 0, wrench, wrench + 3 * a->width);
  k->site_wrench(top, a->par, a->d, a->frame, 1, wrench, wrench + 3 * a->width);
  k->body_field(top, a->par, a->d, a->body, field, field + 3 * a->width, a->x[RESULT],
                a->x[RESULT] + 3 * a->width);
  k->body_field(top, a->par, a->d, a->body, field, NULL, alone, alone + 3 * a->width);
}

static void inertia_matrix(const fb_kernels* k, values* a) {
  k->crba(&a->m->top, a->par, a->d, a->x[Q], 0, a->x[RESULT]);
}

static void inertia_matrix_lower(const fb_kernels* k, values* a) {
  int nv = a->m->top.nv;
  memset(a->x[RESULT], 0, (size_t)(nv * nv * a->width) * sizeof(double));
  k->crba(&a->m->top, a->par, a->d, a->x[Q], 1, a->x[RESULT]);
}

static void forward(const fb_kernels* k, values* a) {
  outward(k, a, NULL);
  k->aba(&a->m->top, a->par, a->d, a->x[EXT], a->x[TAU], a->x[RESULT]);
}

static void mixed(const fb_kernels* k, values* a) {
  outward(k, a, a->x[KNOWN]);
  k->mixed(&a->m->top, a->par, a->d, a->x[EXT], a->x[TAU], a->x[KNOWN], a->prescribed, a->x[RESULT],
           a->x[SECOND]);
}

/* After `mixed`, whose inertias it uses. */
static void response(const fb_kernels* k, values* a) {
  k->response(&a->m->top, a->par, a->d, 1, a->m->top.nlink, a->x[TAU], a->x[EXT], a->prescribed,
              a->x[RESULT]);
}

/* After `mixed`, too: any wrenches will do. */
static void path(const fb_kernels* k, values* a) {
  memset(a->x[RESULT], 0, (size_t)(GRAM * a->width) * sizeof(double));
  if (a->m->top.nloop > 0) k->path(&a->m->top, a->par, a->d, 0, a->x[EXT], a->prescribed, a->x[RESULT]);
}

static void momenta(const fb_kernels* k, values* a) {
  k->momenta(&a->m->top, a->par, a->d, a->x[Q], a->x[V], a->x[RESULT], a->x[SECOND]);
}

static void momenta_alone(const fb_kernels* k, values* a) {
  k->momenta(&a->m->top, a->par, a->d, a->x[Q], a->x[V], a->x[RESULT], NULL);
}

static void passive(const fb_kernels* k, values* a) {
  k->passive(&a->m->top, a->par, a->x[Q], a->x[V], FB_PASSIVE_ALL, a->x[RESULT]);
  k->passive(&a->m->top, a->par, a->x[Q], a->x[V], FB_PASSIVE_DAMPERS, a->x[SECOND]);
}

/* Energies add up: what is there counts. */
static void energies(const fb_kernels* k, values* a) {
  const fb_topology* top = &a->m->top;
  double *springs = a->x[RESULT], *gravity = springs + a->width, *kinetic = gravity + a->width;
  memcpy(springs, a->x[WRENCH], (size_t)(3 * a->width) * sizeof(double));
  k->kinematics(top, a->par, a->d, a->x[Q], a->x[V], NULL);
  k->spring_energy(top, a->par, a->x[Q], springs);
  k->gravity_energy(top, a->par, a->d, a->x[GRAVITY], gravity);
  k->kinetic_energy(top, a->par, a->d, a->x[V], kinetic);
}

static void sum_trees(const fb_kernels* k, values* a, fb_tree_sums sums, int keeps) {
  k->trees(&a->m->top, a->par, a->d, sums, keeps, FB_PASSIVE_ALL, a->x[GRAVITY], a->x[Q], a->x[V],
           a->x[SECOND], a->x[RESULT]);
}

/* After `energies`, whose motion they read. */
static void tree_places(const fb_kernels* k, values* a) {
  sum_trees(k, a, FB_TREES_PLACES, 0);
}

static void tree_energies(const fb_kernels* k, values* a) {
  sum_trees(k, a, FB_TREES_ENERGIES, 1);
}

static void tree_momenta(const fb_kernels* k, values* a) {
  sum_trees(k, a, FB_TREES_MOMENTA, 0);
}

static void integrate(const fb_kernels* k, values* a) {
  k->integrate(&a->m->top, a->x[Q], a->x[V], 0.1, a->x[RESULT]);
}

/* In this order: Jacobian, bias and push read what kinematics left, response what mixed left. */
static const kernel_call CALLS[] = {
    {"kinematics of q, frame_pose", poses_alone, 3, 9, 1e-13},
    {"kinematics of q and v, frame_velocity", poses_and_velocities, 3, 3, 1e-13},
    {"kinematics, frame_acceleration", accelerations, 3, 3, 1e-13},
    {"frame_jacobian, frame_jacobian_rate", jacobian, PER_V6, PER_V6, 1e-13},
    {"frame_bias", frame_bias, 6, NONE, 1e-13},
    {"frame_push", frame_push, PER_V, NONE, 1e-13},
    {"loads", loads, 6, 6, 1e-13},
    {"rnea", inverse, PER_V, NONE, 1e-13},
    {"rnea without v' and wrenches", bias, PER_V, NONE, 1e-13},
    {"crba", inertia_matrix, PER_V2, NONE, 1e-13},
    {"crba, lower triangle", inertia_matrix_lower, PER_V2, NONE, 1e-13},
    {"aba", forward, PER_V, NONE, 1e-10},
    {"mixed", mixed, PER_V, SOME_V, 1e-10},
    {"response", response, PER_V, NONE, 1e-10},
    {"path", path, GRAM, NONE, 1e-10},
    {"momenta and slope", momenta, PER_V, PER_V, 1e-13},
    {"momenta", momenta_alone, PER_V, NONE, 1e-13},
    {"passive", passive, PER_V, PER_V, 1e-13},
    {"energies", energies, 3, NONE, 1e-13},
    {"trees, places", tree_places, PER_TREE, NONE, 1e-13},
    {"trees, energies", tree_energies, PER_TREE, NONE, 1e-13},
    {"trees, momenta", tree_momenta, PER_TREE, NONE, 1e-13},
    {"integrate", integrate, PER_Q, NONE, 1e-13},
};

static int count_of(int results, const fb_model* m) {
  int nv = fb_model_nv(m);
  switch (results) {
    case PER_Q:
      return fb_model_nq(m);
    case PER_V:
    case SOME_V:
      return nv;
    case PER_V6:
      return 6 * nv;
    case PER_V2:
      return nv * nv;
    case PER_TREE:
      return FB_TREE_SIZE * m->top.nmoving;
    default:
      return results;
  }
}

/* --- the comparison --- */

typedef struct comparison {
  const char *isa, *type, *kernel;
  int lane, width;
  double tol;
} comparison;

/* The numbers of one lane against those of a scalar call; of 1 at least, the size of masses, lengths and inputs, since
 * some results are differences of terms of that size and no more than their round-off. */
static void compare_lane(const comparison* c, const char* what, const double* wide, const double* one,
                         int count, const unsigned char* only) {
  char name[160];
  double* got = numbers_new(count);
  double* want = numbers_new(count);
  for (int i = 0; i < count; i++) {
    if (only && !only[i]) continue;
    got[i] = wide[i * c->width + c->lane];
    want[i] = one[i];
  }
  snprintf(name, sizeof name, "%s %s, lane %d: %s, %s", c->isa, c->type, c->lane, c->kernel, what);
  assert_near_of(1, name, got, want, count, c->tol);
  free(got);
  free(want);
}

/* One lane of the records: plain doubles have room for a fourth number beside each vector. */
static double* records_of(const values* a, int lane) {
  int count = a->m->top.nlink * FB_REC_COUNT, step = a->width == 1 ? FB_VECTOR : FB_VECTOR_WIDE;
  double* x = numbers_new(3 * count);
  for (int i = 0; i < count; i++)
    for (int c = 0; c < 3; c++) x[3 * i + c] = a->d->rec[(step * i + c) * a->width + lane];
  return x;
}

/* One lane of the articulated bodies without what not every instance writes: the lower halves of A and C, and what is
 * beside A. */
static double* bodies_of(const values* a, int lane) {
  static const int WRITTEN[36] = {1, 1, 1, 0, 0, 1, 1, 0, 0, 0, 1, 0, 1, 1, 1, 1, 1, 1,
                                  1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1, 1, 0, 0, 1, 1};
  double* x = numbers_new(a->m->top.nlink * 36);
  for (int i = 0; i < a->m->top.nlink * 36; i++) x[i] = WRITTEN[i % 36] ? a->d->body[i * a->width + lane] : 0;
  return x;
}

static void compare_links(const comparison* c, const char* what, double* (*numbers_of)(const values*, int),
                          int size, const values* wide, const values* one) {
  double *got = numbers_of(wide, c->lane), *want = numbers_of(one, 0);
  comparison plain = *c;
  plain.width = 1;
  plain.lane = 0;
  compare_lane(&plain, what, got, want, one->m->top.nlink * size, NULL);
  free(got);
  free(want);
}

static void compare_call(const comparison* c, const kernel_call* call, const values* wide,
                         const values* one) {
  const fb_model* m = one->m;
  const fb_topology* top = &m->top;
  compare_lane(c, "first result", wide->x[RESULT], one->x[RESULT], count_of(call->results, m), NULL);
  compare_lane(c, "second result", wide->x[SECOND], one->x[SECOND], count_of(call->seconds, m),
               call->seconds == SOME_V ? one->prescribed : NULL);
  compare_links(c, "rec", records_of, 3 * FB_REC_COUNT, wide, one);
  compare_links(c, "body", bodies_of, 36, wide, one);
#define X(field, rows, cols, unit, meaning)                      \
  if (strcmp(#field, "rec") != 0 && strcmp(#field, "body") != 0) \
    compare_lane(c, #field, wide->d->field, one->d->field, (rows) * (cols), NULL);
  FB_DATA_FIELDS(X)
#undef X
}

/* What the lanes of a model share, and the seed of the first one's state. */
typedef struct robot {
  const fb_model* m;
  fb_parameters* own[MOST_LANES]; /* of lanes */
  unsigned char* prescribed;      /* [nv] */
  int frame, body;
  uint64_t seed;
} robot;

static values values_of(const robot* r, int width, const fb_parameters* par) {
  values a = values_new(r->m, width);
  a.par = par;
  a.prescribed = r->prescribed;
  a.frame = r->frame;
  a.body = r->body;
  return a;
}

/* One instance with a state of its own in each lane; a complex number has one lane, its real part. */
static void check_instance(const fb_kernels* k, const robot* r) {
  int lanes = k->type[0] == 'x' ? k->width : 1;
  fb_parameters* own = k->parameter_width > 1 ? fb_parameters_new_wide(r->m, k->width) : NULL;
  values wide = values_of(r, k->width, own ? own : &r->m->par), one[MOST_LANES];
  assert_true(lanes <= MOST_LANES);
  for (int lane = 0; lane < lanes; lane++) {
    one[lane] = values_of(r, 1, own ? r->own[lane] : &r->m->par);
    if (own) fb_parameters_set_lane(own, lane, r->own[lane]);
    fill_state(&one[lane], r->prescribed, r->seed + (uint64_t)lane);
    put_lane(&wide, lane, &one[lane]);
  }
  for (size_t i = 0; i < sizeof CALLS / sizeof CALLS[0]; i++) {
    forget_results(&wide);
    CALLS[i].run(k, &wide);
    for (int lane = 0; lane < lanes; lane++) {
      const comparison c = {k->isa, k->type, CALLS[i].name, lane, k->width, CALLS[i].tol};
      forget_results(&one[lane]);
      CALLS[i].run(fb_kernels_get(0), &one[lane]);
      compare_call(&c, &CALLS[i], &wide, &one[lane]);
    }
  }
  for (int lane = 0; lane < lanes; lane++) values_free(&one[lane]);
  values_free(&wide);
  fb_parameters_free(own);
}

/* The model's parameters, all that can be set drawn anew: heavier or lighter bodies, centroids elsewhere. */
static fb_parameters* random_parameters(const fb_model* m, fb_random* r) {
  fb_parameters* p = fb_parameters_new(m);
  for (int body = 1; body < fb_model_nbody(m); body++) {
    double mass, com[3], inertia[6], more = random_in(r, 0.5, 2);
    fb_parameters_inertia(p, body, &mass, com, inertia);
    for (int i = 0; i < 6; i++) inertia[i] *= more;
    for (int i = 0; i < 3 && mass > 0; i++) com[i] += random_in(r, -0.2, 0.2);
    assert_int_equal(fb_parameters_set_inertia(p, body, more * mass, com, inertia, NULL), FB_OK);
  }
  static const fb_parameter_kind KINDS[] = {FB_PARAMETER_ARMATURE, FB_PARAMETER_STIFFNESS,
                                            FB_PARAMETER_REST,     FB_PARAMETER_DAMPING,
                                            FB_PARAMETER_FRICTION, FB_PARAMETER_FRICTION_SPEED};
  for (int k = 0; k < fb_model_nv(m); k++)
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) /* some joints refuse some */
      (void)fb_parameters_set(p, KINDS[i], k, random_in(r, 0.1, 3), NULL);
  return p;
}

/* With a loop between two bodies, where they are not one rigid body. */
static fb_model* build_looped(fb_random* r, fb_model_def* def, const fb_build_options* options) {
  fb_loop_def loop = fb_default_loop_def(random_index(r, 2) ? FB_LOOP_WELD : FB_LOOP_POINT);
  fb_model_def* looped = fb_model_def_copy(def);
  fb_model* m = NULL;
  int n = fb_model_def_nbody(def) - 1;
  loop.name = "loop";
  loop.a = fb_model_def_body(def, 1 + random_index(r, n))->name;
  loop.b = fb_model_def_body(def, 1 + random_index(r, n))->name;
  assert_int_equal(fb_model_def_add_loop(looped, &loop, NULL), FB_OK);
  (void)fb_model_build(looped, options, &m, NULL);
  fb_model_def_free(looped);
  return m ? m : build_or_fail(def, options);
}

static void every_lane_of_every_kernel_agrees_with_the_scalar_one(void** unused) {
  (void)unused;
  int types[FB_JOINT_TYPE_COUNT] = {0}, kinds[FB_LINK_FREE + 1] = {0}, upright = 0, wide = 0, own = 0,
      loops = 0;
  for (int i = 0; i < MODELS; i++) {
    fb_random random = random_seed((uint64_t)i + 5000);
    fb_model_def* def = i % 4 == 3 ? random_arms(&random, 1 + i, 0) : random_forest(&random, 1 + i, 0, 1);
    fb_build_options options = fb_default_build_options();
    options.merge_fixed = i % 2;
    fb_random ends = random_seed((uint64_t)i + 9000);
    fb_model* m = build_looped(&ends, def, &options);
    loops += m->top.nloop;
    robot r = {.m = m, .seed = 100 * (uint64_t)i};
    r.prescribed = (unsigned char*)malloc((size_t)fb_model_nv(m) + 1);
    for (int k = 0; k < fb_model_nv(m); k++) r.prescribed[k] = (unsigned char)random_index(&random, 2);
    for (int lane = 0; lane < MOST_LANES; lane++) r.own[lane] = random_parameters(m, &ends);
    r.body = 1 + random_index(&random, fb_model_nbody(m) - 1);
    r.frame = random_index(&random, fb_model_nframe(m) + 2 * fb_model_nbody(m));
    for (int k = 0; k < fb_kernels_count(); k++) {
      check_instance(fb_kernels_get(k), &r);
      wide += fb_kernels_get(k)->width == MOST_LANES;
      own += fb_kernels_get(k)->parameter_width > 1;
    }
    for (int body = 1; body < fb_model_nbody(m); body++) types[fb_joint_type_of(m, body)]++;
    for (int link = 1; link < fb_model_nlink(m); link++) {
      kinds[m->top.link_kind[link]]++;
      upright += m->top.link_kind[link] == FB_LINK_FREE && m->top.link_place[link] == FB_PLACE_UPRIGHT &&
                 m->top.link_child[link] > 0;
    }
    for (int lane = 0; lane < MOST_LANES; lane++) fb_parameters_free(r.own[lane]);
    free(r.prescribed);
    fb_model_free(m);
    fb_model_def_free(def);
  }
  for (int i = 0; i < FB_JOINT_TYPE_COUNT; i++) assert_true(types[i] > 0);
  for (int i = 0; i <= FB_LINK_FREE; i++) assert_true(kinds[i] > 0);
  assert_true(upright > 0 && wide >= MODELS && own >= 2 * MODELS && loops >= MODELS / 2);
}

/* Add a row to CALLS for each new kernel, then count it here. */
static void no_kernel_is_left_out(void** unused) {
  (void)unused;
  enum { KERNELS = 24 };
  assert_int_equal(sizeof(fb_kernels), offsetof(fb_kernels, kinematics) + KERNELS * sizeof(void (*)(void)));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_lane_of_every_kernel_agrees_with_the_scalar_one),
      cmocka_unit_test(no_kernel_is_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
