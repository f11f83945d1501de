/* test_threads.c -- one const model serves many threads, each with its own data, and all get the same bits. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>

#include "random_tree.h"

enum { THREADS = 4, ROUNDS = 200 };

typedef struct worker {
  const fb_model* m;
  const state* s;
  const unsigned char* prescribed;
  double *vdot, *tau, *H, *J;
} worker;

static void* work(void* argument) {
  worker* w = (worker*)argument;
  fb_data* d = fb_data_new(w->m);
  for (int i = 0; d && i < ROUNDS; i++) {
    fb_forward_dynamics(w->m, d, w->s->q, w->s->v, w->s->vdot, NULL, w->vdot);
    fb_inverse_dynamics(w->m, d, w->s->q, w->s->v, w->vdot, NULL, w->tau);
    fb_mixed_dynamics(w->m, d, w->s->q, w->s->v, w->prescribed, NULL, w->vdot, w->tau);
    fb_inertia_matrix(w->m, d, w->s->q, w->H);
    fb_kinematics(w->m, d, w->s->q, w->s->v, NULL);
    fb_frame_jacobian_rate(w->m, d, fb_model_nframe(w->m) - 1, w->J);
  }
  fb_data_free(d);
  return NULL;
}

static void threads_share_a_model_and_agree_bit_for_bit(void** unused) {
  (void)unused;
  fb_model* m = random_model(42, 30);
  state s = state_new(m, 42);
  size_t nv = (size_t)fb_model_nv(m);
  unsigned char* prescribed = (unsigned char*)calloc(nv, 1);
  for (size_t k = 0; k < nv; k++) prescribed[k] = k % 3 == 0;
  worker workers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    int n = fb_model_nv(m);
    workers[i] =
        (worker){m, &s, prescribed, numbers_new(n), numbers_new(n), numbers_new(n * n), numbers_new(6 * n)};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    assert_memory_equal(workers[i].vdot, workers[0].vdot, nv * sizeof(double));
    assert_memory_equal(workers[i].tau, workers[0].tau, nv * sizeof(double));
    assert_memory_equal(workers[i].H, workers[0].H, nv * nv * sizeof(double));
    assert_memory_equal(workers[i].J, workers[0].J, 6 * nv * sizeof(double));
  }
  for (int i = 0; i < THREADS; i++) {
    free(workers[i].vdot);
    free(workers[i].tau);
    free(workers[i].H);
    free(workers[i].J);
  }
  free(prescribed);
  state_free(&s);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(threads_share_a_model_and_agree_bit_for_bit)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
