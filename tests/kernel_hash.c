/* kernel_hash.c -- prints, for every kernel instance this CPU runs, a hash of its results.
 *
 * A line is "isa type hash". In reproducible builds all hashes are equal, over instances, compilers and
 * optimisation levels (kernel_hash.sh, scripts/check-all). The complex instance is left out: its
 * products round differently. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "kernel/instances.h"
#include "model/data.h"
#include "random_tree.h"

enum { MODELS = 20 };

/* FNV-1a over the bits of the doubles; zeros of either sign count the same. */
static uint64_t hash_numbers(uint64_t hash, const double* x, int count, int stride) {
  for (int i = 0; i < count; i++) {
    double value = x[i * stride] == 0 ? 0 : x[i * stride];
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    hash = (hash ^ bits) * 0x100000001b3u;
  }
  return hash;
}

static double* spread(const double* x, int count, int width) {
  double* wide = numbers_new(count * width);
  for (int i = 0; i < count; i++)
    for (int l = 0; l < width; l++) wide[i * width + l] = x[i];
  return wide;
}

static uint64_t hash_model(const fb_model* m, const fb_kernels* k, uint64_t seed, uint64_t hash) {
  int w = k->width, nq = fb_model_nq(m), nv = fb_model_nv(m), frame = fb_model_nframe(m) - 1;
  state s = state_new(m, seed);
  double *q = spread(s.q, nq, w), *v = spread(s.v, nv, w), *vdot = spread(s.vdot, nv, w);
  double *J = numbers_new(6 * nv * w), *a = numbers_new(6 * w);
  double *tau = numbers_new(nv * w), *x = numbers_new(nv * w), *H = numbers_new(nv * nv * w);
  static const double gravity[3] = {0.1, -0.2, -9.81};
  size_t size = fb_data_size_width(m, w);
  fb_data* d = NULL;
  fb_data_place_width(m, w, aligned_alloc(64, size), size, &d);
  for (int step = 0; step < 5; step++) {
    k->integrate(m, q, v, 0.01, q);
    k->kinematics(m, d, q, v, vdot);
    k->frame_jacobian_rate(m, d, frame, J);
    k->frame_acceleration(m, d, frame, a, a + 3 * w);
    k->rnea(m, d, q, v, vdot, gravity, NULL, tau);
    k->aba(m, d, q, v, tau, gravity, NULL, x);
    k->crba(m, d, q, H);
    hash = hash_numbers(hash, tau, nv, w);
    hash = hash_numbers(hash, x, nv, w);
    hash = hash_numbers(hash, H, nv * nv, w);
    hash = hash_numbers(hash, q, nq, w);
    hash = hash_numbers(hash, J, 6 * nv, w);
    hash = hash_numbers(hash, a, 6, w);
  }
  free(q);
  free(v);
  free(vdot);
  free(J);
  free(tau);
  free(x);
  free(H);
  free(a);
  free(d);
  state_free(&s);
  return hash;
}

int main(void) {
  fb_model* models[MODELS];
  for (int i = 0; i < MODELS; i++) models[i] = random_model((uint64_t)i, 1 + 3 * i);
  for (int i = 0; i < fb_kernels_count(); i++) {
    const fb_kernels* k = fb_kernels_get(i);
    uint64_t hash = 0xcbf29ce484222325u;
    if (strcmp(k->type, "cx") == 0) continue;
    for (int n = 0; n < MODELS; n++) hash = hash_model(models[n], k, (uint64_t)n, hash);
    printf("%-5s %s %016llx\n", k->isa, k->type, (unsigned long long)hash);
  }
  for (int i = 0; i < MODELS; i++) fb_model_free(models[i]);
  return 0;
}
