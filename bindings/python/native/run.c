/* run.c -- many steps in one call, in slices of the clock, so that Python hears Ctrl-C between them. */
#include "native.h"

#include <string.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Steps until t, not beyond `until`; *done when t is reached or no step is made any more. What is due at the end of the
 * last step happens when t is that end. */
static fb_status steps(fb_sim* sim, double t, double until, double seconds, int* done, fb_error* error) {
  fb_status status = FB_OK;
  double end = now() + seconds;
  long long made = native_lib.sim_steps(sim);
  *done = 0;
  while (!status && native_lib.sim_time(sim) < t) {
    long long before = made;
    status = native_lib.sim_advance(sim, until, error);
    made = native_lib.sim_steps(sim);
    if (made == before) break;
    if (!status && now() > end) return FB_OK;
  }
  *done = 1;
  if (!status && t >= native_lib.sim_time(sim)) status = native_lib.sim_settle(sim, error);
  return status;
}

/* advance(sim, t, until, seconds) -> True when done */
PyObject* native_advance(PyObject* self, PyObject* arguments) {
  unsigned long long address = 0;
  double t = 0, until = 0, seconds = 0;
  int done = 0;
  fb_error failure;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "Kddd", &address, &t, &until, &seconds)) return NULL;
  memset(&failure, 0, sizeof failure);
  PyThreadState* state = PyEval_SaveThread();
  fb_status status = steps((fb_sim*)(uintptr_t)address, t, until, seconds, &done, &failure);
  PyEval_RestoreThread(state);
  return status ? native_raise(status, &failure) : PyBool_FromLong(done);
}
