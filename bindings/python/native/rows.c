/* rows.c -- the states of a call, one after the other, without the interpreter's lock: checked, computed, checked again.
 *
 * Ctrl-C is heard between slices of 50 ms. */
#include "batch.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* Inputs that are no states; those are checked by the library. */
static int not_finite(native_work* w, int i, const double* x, Py_ssize_t row) {
  double sum = 0;
  for (Py_ssize_t k = 0; k < w->arrays[i].count; k++) sum += x[k] * 0;
  if (sum == 0) return 0;
  w->wrong_argument = i;
  w->wrong_row = row;
  for (w->wrong_index = 0; isfinite(x[w->wrong_index]); w->wrong_index++) {
  }
  return 1;
}

/* 1 where fb_model_check_state would say yes, without a look at each joint; 0 where it has to be asked. */
static int is_sound(const native_handle* h, const double* q, const double* v) {
  const double far = 1e12; /* beyond, an angle is refused; lengths may go further */
  int beyond = 0;
  for (int i = 0; i < h->nq; i++) beyond += !(fabs(q[i]) < far);
  for (int i = 0; v && i < h->nv; i++) beyond += !(fabs(v[i]) < far);
  for (int i = 0; i < h->nquaternion; i++) {
    const double* x = q + h->quaternions[i];
    beyond += !(fabs(x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3] - 1) < 1.9e-6);
  }
  return beyond == 0;
}

static int check_state(native_work* w, const double* q, const double* v) {
  if (!is_sound(w->handle, q, v)) w->status = native_lib.check_state(w->handle->m, q, v, &w->failure);
  return w->status != 0;
}

/* A joint that moves nothing is a matter of the model, so all pivots are checked once; afterwards where accelerations are
 * those of a pivot that has vanished at this configuration. */
static int check_pivots(native_work* w, const double* vdot) {
  int huge = 0;
  for (int i = 0; i < w->handle->nv; i++) huge += !(fabs(vdot[i]) < 1e8); /* NaN too */
  if (w->pivots_hold && !huge) return 0;
  w->status = native_lib.check_pivots(w->handle->m, (const fb_data*)w->scratch, &w->failure);
  w->pivots_hold = !w->status;
  return w->status != 0;
}

static int check_row(native_work* w, Py_ssize_t row) {
  const double *q = NULL, *v = NULL;
  for (int i = 0; i < w->of->count; i++) {
    const native_argument* a = &w->of->arguments[i];
    const double* x = native_is_input(a->role) ? native_row(&w->arrays[i], row) : NULL;
    if (!x || x == w->zeros) continue;
    int is_q = a->axes[0] == 'q' && !a->axes[1], is_v = strcmp(a->name, "v") == 0 && a->axes[0] == 'v';
    if (is_q && q && check_state(w, x, NULL)) return 1; /* a second one */
    if (is_q && !q) q = x;
    if (is_v) v = x;
    if (!is_q && !is_v && not_finite(w, i, x, row)) return 1;
  }
  w->wrong_row = row;
  return q && check_state(w, q, v);
}

static void do_prelude(native_work* w, Py_ssize_t row) {
  const double* x[3] = {NULL, NULL, NULL};
  char prelude = w->of->prelude;
  if (!prelude) return;
  for (int i = 0; i < w->of->before; i++) x[i] = native_row(&w->arrays[i], row);
  if (prelude == 'F')
    native_lib.floating_update((fb_floating*)w->scratch, x[0], x[1]);
  else
    native_lib.kinematics(w->handle->m, (fb_data*)w->scratch, x[0], x[1], x[2]);
  if (prelude == 'C') native_lib.centre_of_mass(w->handle->m, (fb_data*)w->scratch);
}

static int do_row(native_work* w, Py_ssize_t row) {
  slot r = {.p = NULL};
  double* returned = NULL;
  if (check_row(w, row)) return 1;
  do_prelude(w, row);
  for (int i = w->of->before; i < w->of->count; i++) {
    char role = w->of->arguments[i].role;
    if (role == 'm' && w->handle) w->slots[i].p = (void*)(uintptr_t)w->handle->m;
    if (role == 'd') w->slots[i].p = w->scratch;
    if (native_is_input(role) || role == '>') w->slots[i].p = native_row(&w->arrays[i], row);
    if (role == '=') returned = native_row(&w->arrays[i], row);
  }
  w->of->entry->call(w->of->entry->f, w->slots + w->of->before, &r);
  if (returned) *returned = w->of->entry->gives == 'd' ? r.d : (double)r.i;
  return w->of->check_pivots && check_pivots(w, native_row(&w->arrays[w->of->count - 1], row));
}

static double clock_now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 0 when all is done, 1 with what went wrong in w, -1 with an exception. Ctrl-C is heard between slices. */
int native_compute_rows(native_work* w) {
  Py_ssize_t count = w->rows < 0 ? 1 : w->rows, row = 0;
  int wrong = 0;
  while (row < count && !wrong) {
    PyThreadState* state = PyEval_SaveThread();
    double start = count > 256 ? clock_now() : 0;
    do {
      for (Py_ssize_t end = count - row > 256 ? row + 256 : count; row < end && !wrong; row += !wrong)
        wrong = do_row(w, row);
    } while (row < count && !wrong && clock_now() - start < 0.05);
    PyEval_RestoreThread(state);
    if (row < count && !wrong && PyErr_CheckSignals()) return -1;
  }
  return wrong;
}
