/* passive.c -- the public function of passive.inl. */
#include <freebody/dynamics.h>

#include <assert.h>

#include "kernel/instances.h"
#include "model/data.h"
#include "model/model.h"

void fb_passive_forces(const fb_model* m, const fb_data* d, const double* q, const double* v, int kinds,
                       double* tau) {
  assert(fb_data_fits(d, m));
  m->kernels->passive(&m->top, d->par, q, v, kinds, tau);
}
