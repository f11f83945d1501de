/* kernel_hash.c -- prints, for every kernel instance this CPU runs, a hash of its results.
 *
 * A line is "isa type hash". In reproducible builds all hashes are equal, over instances, compilers and
 * optimisation levels (kernel_hash.sh, scripts/check-all). Every instance moves the same STATES states, as many at a
 * time as it has lanes, a lane each. The complex instance is left out: its products round differently. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "kernel/instances.h"
#include "model/data.h"
#include "model/model.h"
#include "random_tree.h"

enum { MODELS = 20, STATES = 8 };

/* FNV-1a over the bits of the doubles of one lane; zeros of either sign count the same. */
static void hash_numbers(uint64_t* hash, const double* x, int count, int width, int lane) {
  for (int i = 0; i < count; i++) {
    double value = x[i * width + lane] == 0 ? 0 : x[i * width + lane];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    *hash = (*hash ^ bits) * 0x100000001b3u;
  }
}

/* The results of one instance, `width` doubles a value. */
typedef struct results {
  double *q, *v, *vdot, *J, *a, *tau, *x, *H, *p, *slope;
} results;

static void move(const fb_model* m, const fb_kernels* k, const fb_parameters* par, fb_data* d, results* r) {
  static const double GRAVITY[3] = {0.1, -0.2, -9.81};
  const fb_topology* top = &m->top;
  int frame = fb_model_nframe(m) - 1;
  _Alignas(64) double gravity_w[3 * STATES]; /* as wide as the widest kernel */
  for (int i = 0; i < 3 * k->width; i++) gravity_w[i] = GRAVITY[i / k->width];
  k->integrate(top, r->q, r->v, 0.01, r->q);
  k->kinematics(top, par, d, r->q, r->v, r->vdot);
  k->frame_jacobian_rate(top, par, d, frame, r->J);
  k->frame_acceleration(top, par, d, frame, r->a, r->a + 3 * k->width);
  k->outward(top, par, d, gravity_w, r->q, r->v, r->vdot);
  k->rnea(top, par, d, NULL, r->vdot, r->tau);
  k->outward(top, par, d, gravity_w, r->q, r->v, NULL);
  k->aba(top, par, d, NULL, r->tau, r->x);
  k->crba(top, par, d, r->q, 0, r->H);
  k->momenta(top, par, d, r->q, r->v, r->p, r->slope);
}

/* Moves the states first .. first + width - 1, and adds each lane's results to its state's hash. */
static void hash_states(const fb_model* m, const fb_kernels* k, uint64_t seed, int first, uint64_t* hashes) {
  int w = k->width, nq = fb_model_nq(m), nv = fb_model_nv(m);
  size_t size = fb_data_size_width(m, w);
  fb_data* d = NULL;
  fb_parameters* own = k->parameter_width > 1 ? fb_parameters_new_wide(m, w) : NULL;
  results r;
  struct {
    double** values;
    int count;
  } fields[] = {{&r.q, nq}, {&r.v, nv},   {&r.vdot, nv}, {&r.J, 6 * nv}, {&r.a, 6},
                {&r.x, nv}, {&r.tau, nv}, {&r.p, nv},    {&r.slope, nv}, {&r.H, nv * nv}};
  enum { FIELDS = sizeof fields / sizeof fields[0] };
  for (int i = 0; i < FIELDS; i++) *fields[i].values = numbers_new(fields[i].count * w);
  fb_data_place_width(m, w, aligned_alloc(64, size), size, &d);
  for (int lane = 0; lane < w; lane++) {
    state s = state_new(m, seed + 1000 * (uint64_t)(first + lane));
    for (int i = 0; i < nq; i++) r.q[i * w + lane] = s.q[i];
    for (int i = 0; i < nv; i++) r.v[i * w + lane] = s.v[i];
    for (int i = 0; i < nv; i++) r.vdot[i * w + lane] = s.vdot[i];
    state_free(&s);
  }
  for (int step = 0; step < 5; step++) {
    move(m, k, own ? own : &m->par, d, &r);
    for (int lane = 0; lane < w; lane++)
      for (int i = 0; i < FIELDS; i++)
        hash_numbers(&hashes[first + lane], *fields[i].values, fields[i].count, w, lane);
  }
  for (int i = 0; i < FIELDS; i++) free(*fields[i].values);
  free(d);
  fb_parameters_free(own);
}

int main(void) {
  fb_model* models[MODELS];
  for (int i = 0; i < MODELS; i++) models[i] = random_model((uint64_t)i, 1 + 3 * i);
  for (int i = 0; i < fb_kernels_count(); i++) {
    const fb_kernels* k = fb_kernels_get(i);
    uint64_t hashes[STATES], hash = 0;
    if (strcmp(k->type, "cx") == 0) continue;
    for (int s = 0; s < STATES; s++) hashes[s] = 0xcbf29ce484222325u;
    for (int n = 0; n < MODELS; n++)
      for (int first = 0; first < STATES; first += k->width)
        hash_states(models[n], k, (uint64_t)n, first, hashes);
    for (int s = 0; s < STATES; s++) hash = (hash ^ hashes[s]) * 0x100000001b3u;
    printf("%-5s %s %016llx\n", k->isa, k->type, (unsigned long long)hash);
  }
  for (int i = 0; i < MODELS; i++) fb_model_free(models[i]);
  return 0;
}
