/* batch.c -- an algorithm of the library on arrays: one state, or a row of them for each call of the function.
 *
 *   algorithm(handle, inputs ..., out)       handle: the model with its scratch memory; None for rotations
 *
 * Each input is one array, or has one more axis: its rows. Arrays are read and written where they are. Numbers that are
 * not finite, and states that fb_check_state refuses, are refused with their row. */
#include "native.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct lent {
  native_view view;
  double* at;
  Py_ssize_t stride, count; /* from row to row, 0: the same for all; numbers of one */
} lent;

/* A call under way. */
typedef struct work {
  const native_algorithm* of;
  native_handle* handle;
  void* scratch;
  lent arrays[NATIVE_ARGUMENTS]; /* of the arguments that are arrays */
  PyObject* results[NATIVE_ARGUMENTS];
  double* own[NATIVE_ARGUMENTS]; /* memory for outputs without NumPy */
  int nresult;
  slot slots[NATIVE_ARGUMENTS];
  Py_ssize_t rows; /* -1: one state */
  fb_loads loads;
  fb_wrench* wrenches;
  double* zeros;   /* for inputs that were not given */
  int pivots_hold; /* 1: forward dynamics has found every joint with something to move */
  /* what went wrong without the lock */
  fb_status status;
  fb_error failure;
  int wrong_argument;
  Py_ssize_t wrong_row, wrong_index;
} work;

static int axes_of(const work* w, const native_argument* a, Py_ssize_t out[NATIVE_AXES]) {
  int axes = 0;
  for (; axes < NATIVE_AXES && a->axes[axes]; axes++) {
    const native_handle* h = w->handle;
    switch (a->axes[axes]) {
      case 'q':
        out[axes] = h->nq;
        break;
      case 'v':
        out[axes] = h->nv;
        break;
      case 'b':
        out[axes] = h->nbody;
        break;
      case 'j':
        out[axes] = h->nj;
        break;
      default:
        out[axes] = a->axes[axes] - '0';
    }
  }
  return axes;
}

static int is_input(char role) {
  return role == '<' || role == '?' || role == 'o';
}

/* --- inputs --- */

static int take_array(work* w, int i, PyObject* given) {
  const native_argument* a = &w->of->arguments[i];
  lent* array = &w->arrays[i];
  Py_ssize_t wanted[NATIVE_AXES];
  int axes = axes_of(w, a, wanted);
  array->count = 1;
  for (int k = 0; k < axes; k++) array->count *= wanted[k];
  if (given == Py_None) {
    if (a->role == '<') return native_refuse("%s must be given", a->name), -1;
    if (a->role == 'o') return 0;
    if (!w->zeros)
      w->zeros =
          (double*)calloc((size_t)(w->handle ? w->handle->nq + w->handle->nv + 1 : 64), sizeof(double));
    array->at = w->zeros;
    return w->zeros ? 0 : (PyErr_NoMemory(), -1);
  }
  array->stride = native_lend(given, a->name, wanted, axes, &w->rows, &array->view);
  if (array->stride < 0) return -1;
  array->at = (double*)array->view.buffer.buf;
  return 0;
}

static int take_wrench(PyObject* given, fb_wrench* out) {
  PyObject *force = NULL, *torque = NULL;
  int frame = -1, in_frame_axes = 0;
  if (!PyArg_ParseTuple(given, "iOOp;a wrench is (frame, force, torque, in_frame_axes)", &frame, &force,
                        &torque, &in_frame_axes))
    return -1;
  out->frame = frame;
  out->in_frame_axes = in_frame_axes;
  return native_triple(force, "force", out->force) || native_triple(torque, "torque", out->torque) ? -1 : 0;
}

/* gravity, wrenches, passive: None, () and True are what fb_default_loads has. */
static int take_loads(work* w, PyObject* const* given) {
  w->loads = native_lib.default_loads();
  if (given[0] != Py_None && native_triple(given[0], "gravity", w->loads.environment.gravity_w)) return -1;
  for (int i = 0; i < 3; i++)
    if (!isfinite(w->loads.environment.gravity_w[i])) return native_refuse("gravity is not finite"), -1;
  if (given[2] != Py_True) {
    long passive = PyLong_AsLong(given[2]);
    if (PyErr_Occurred()) return -1;
    w->loads.passive = (int)passive;
  }
  Py_ssize_t count = PyTuple_Check(given[1]) ? PyTuple_Size(given[1]) : -1;
  if (count < 0) return native_refuse("wrenches must be a tuple"), -1;
  if (count == 0) return 0;
  w->wrenches = (fb_wrench*)calloc((size_t)count, sizeof *w->wrenches);
  if (!w->wrenches) return PyErr_NoMemory(), -1;
  for (Py_ssize_t i = 0; i < count; i++)
    if (take_wrench(PyTuple_GetItem(given[1], i), &w->wrenches[i])) return -1;
  w->loads.wrenches = w->wrenches;
  w->loads.nwrench = (int)count;
  return 0;
}

/* All but outputs; returns how many objects were used, -1 with an exception. */
static Py_ssize_t take_inputs(work* w, PyObject* const* given, Py_ssize_t count) {
  Py_ssize_t used = 0;
  for (int i = 0; i < w->of->count; i++) {
    const native_argument* a = &w->of->arguments[i];
    Py_ssize_t takes = a->role == 'L' ? 3 : is_input(a->role) || a->role == 'i' || a->role == 'f';
    if (used + takes > count) return PyErr_Format(PyExc_TypeError, "%s: too few arguments", w->of->name), -1;
    PyObject* const* here = given + used;
    used += takes;
    if (is_input(a->role)) {
      if (take_array(w, i, here[0])) return -1;
    } else if (a->role == 'L') {
      if (take_loads(w, here)) return -1;
      w->slots[i].p = &w->loads;
    } else if (a->role == 'i') {
      w->slots[i].i = PyLong_AsLong(here[0]);
      if (PyErr_Occurred()) return -1;
    } else if (a->role == 'f') {
      w->slots[i].d = PyFloat_AsDouble(here[0]);
      if (PyErr_Occurred()) return -1;
      if (!isfinite(w->slots[i].d)) return native_refuse("%s is not finite", a->name), -1;
    }
  }
  return used;
}

/* --- outputs --- */

static PyObject* make_array(const Py_ssize_t* shape, int axes) {
  if (axes == 1) return PyObject_CallFunction(native_host.empty, "n", shape[0]);
  PyObject* tuple = PyTuple_New(axes);
  for (int i = 0; tuple && i < axes; i++) PyTuple_SetItem(tuple, i, PyLong_FromSsize_t(shape[i]));
  PyObject* made = tuple ? PyObject_CallFunctionObjArgs(native_host.empty, tuple, NULL) : NULL;
  Py_XDECREF(tuple);
  return made;
}

static int full_shape(const work* w, int i, Py_ssize_t out[NATIVE_AXES + 1]) {
  int leading = w->rows >= 0;
  if (leading) out[0] = w->rows;
  return leading + axes_of(w, &w->of->arguments[i], out + leading);
}

/* Where output i goes: into what the caller gave, into a new array, or into memory that becomes a list. */
static int take_output(work* w, int i, PyObject* given) {
  lent* array = &w->arrays[i];
  Py_ssize_t wanted[NATIVE_AXES], shape[NATIVE_AXES + 1];
  int axes = axes_of(w, &w->of->arguments[i], wanted), ndim = full_shape(w, i, shape);
  array->count = 1;
  for (int k = 0; k < axes; k++) array->count *= wanted[k];
  array->stride = array->count;
  Py_ssize_t size = array->count * (w->rows >= 0 ? w->rows : 1);
  if (given == Py_None && ndim > 0 && native_host.empty != Py_None) {
    given = w->results[w->nresult] = make_array(shape, ndim);
    if (!given) return -1;
  } else if (given == Py_None) {
    w->own[w->nresult] = (double*)calloc((size_t)size + 1, sizeof(double));
    array->at = w->own[w->nresult++];
    return array->at ? 0 : (PyErr_NoMemory(), -1);
  } else {
    Py_INCREF(given);
    w->results[w->nresult] = given;
  }
  w->nresult++;
  if (native_lend_out(given, w->of->arguments[i].name, wanted, axes, w->rows, &array->view)) return -1;
  array->at = (double*)array->view.buffer.buf;
  return 0;
}

static int is_output(char role) {
  return role == '>' || role == '=';
}

/* Memory that is read must not be written: of single states this is allowed, as C allows it. */
static int overlaps(const work* w) {
  for (int i = 0; i < w->of->count; i++)
    for (int k = 0; w->rows >= 0 && is_output(w->of->arguments[i].role) && k < w->of->count; k++) {
      const lent *a = &w->arrays[i], *b = &w->arrays[k];
      if (k == i || !a->at || !b->at) continue;
      const double *a1 = a->at + a->stride * w->rows,
                   *b1 = b->at + b->stride * w->rows + (b->stride ? 0 : b->count);
      if (a->at < b1 && b->at < a1)
        return native_refuse("out, for %s, shares its memory with %s", w->of->arguments[i].name,
                             w->of->arguments[k].name),
               1;
    }
  return 0;
}

static int take_outputs(work* w, PyObject* out) {
  int count = 0, at = 0;
  for (int i = 0; i < w->of->count; i++) count += is_output(w->of->arguments[i].role);
  int several = out != Py_None && count > 1;
  if (several && (!PyTuple_Check(out) || PyTuple_Size(out) != count))
    return native_refuse("out must be a tuple of %d arrays", count), -1;
  for (int i = 0; i < w->of->count; i++)
    if (is_output(w->of->arguments[i].role) && take_output(w, i, several ? PyTuple_GetItem(out, at++) : out))
      return -1;
  return overlaps(w) ? -1 : 0;
}

static PyObject* result(work* w, int k, int argument) {
  if (w->results[k]) {
    PyObject* mine = w->results[k];
    w->results[k] = NULL;
    return mine;
  }
  Py_ssize_t shape[NATIVE_AXES + 1];
  int ndim = full_shape(w, argument, shape);
  return native_list(w->own[k], shape, ndim);
}

static PyObject* results(work* w) {
  if (w->nresult == 0) Py_RETURN_NONE;
  PyObject* tuple = w->nresult > 1 ? PyTuple_New(w->nresult) : NULL;
  if (w->nresult > 1 && !tuple) return NULL;
  for (int i = 0, k = 0; i < w->of->count; i++) {
    if (!is_output(w->of->arguments[i].role)) continue;
    PyObject* one = result(w, k, i);
    if (!tuple) return one;
    if (!one || PyTuple_SetItem(tuple, k++, one)) return Py_DECREF(tuple), NULL;
  }
  return tuple;
}

/* --- computing, without the interpreter's lock --- */

static double* row_of(const lent* array, Py_ssize_t row) {
  return array->at ? array->at + row * array->stride : NULL;
}

/* Inputs that are no states; those are checked by the library. */
static int not_finite(work* w, int i, const double* x, Py_ssize_t row) {
  double sum = 0;
  for (Py_ssize_t k = 0; k < w->arrays[i].count; k++) sum += x[k] * 0;
  if (sum == 0) return 0;
  w->wrong_argument = i;
  w->wrong_row = row;
  for (w->wrong_index = 0; isfinite(x[w->wrong_index]); w->wrong_index++) {
  }
  return 1;
}

/* 1 where fb_check_state would say yes, without a look at each joint; 0 where it has to be asked. */
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

static int check_state(work* w, const double* q, const double* v) {
  if (!is_sound(w->handle, q, v)) w->status = native_lib.check_state(w->handle->m, q, v, &w->failure);
  return w->status != 0;
}

/* A joint that moves nothing is a matter of the model, so all pivots are checked once; afterwards where accelerations are
 * those of a pivot that has vanished at this configuration. */
static int check_pivots(work* w, const double* vdot) {
  int huge = 0;
  for (int i = 0; i < w->handle->nv; i++) huge += !(fabs(vdot[i]) < 1e8); /* NaN too */
  if (w->pivots_hold && !huge) return 0;
  w->status = native_lib.check_pivots(w->handle->m, (const fb_data*)w->scratch, &w->failure);
  w->pivots_hold = !w->status;
  return w->status != 0;
}

static int check_row(work* w, Py_ssize_t row) {
  const double *q = NULL, *v = NULL;
  for (int i = 0; i < w->of->count; i++) {
    const native_argument* a = &w->of->arguments[i];
    const double* x = is_input(a->role) ? row_of(&w->arrays[i], row) : NULL;
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

static void do_prelude(work* w, Py_ssize_t row) {
  const double* x[3] = {NULL, NULL, NULL};
  char prelude = w->of->prelude;
  if (!prelude) return;
  for (int i = 0; i < w->of->before; i++) x[i] = row_of(&w->arrays[i], row);
  if (prelude == 'F')
    native_lib.floating_update((fb_floating*)w->scratch, x[0], x[1]);
  else
    native_lib.kinematics(w->handle->m, (fb_data*)w->scratch, x[0], x[1], x[2]);
  if (prelude == 'C') native_lib.centre_of_mass(w->handle->m, (fb_data*)w->scratch);
}

static int do_row(work* w, Py_ssize_t row) {
  slot r = {.p = NULL};
  double* returned = NULL;
  if (check_row(w, row)) return 1;
  do_prelude(w, row);
  for (int i = w->of->before; i < w->of->count; i++) {
    char role = w->of->arguments[i].role;
    if (role == 'm' && w->handle) w->slots[i].p = (void*)(uintptr_t)w->handle->m;
    if (role == 'd') w->slots[i].p = w->scratch;
    if (is_input(role) || role == '>') w->slots[i].p = row_of(&w->arrays[i], row);
    if (role == '=') returned = row_of(&w->arrays[i], row);
  }
  w->of->entry->call(w->of->entry->f, w->slots + w->of->before, &r);
  if (returned) *returned = w->of->entry->gives == 'd' ? r.d : (double)r.i;
  return w->of->check_pivots && check_pivots(w, row_of(&w->arrays[w->of->count - 1], row));
}

static double clock_now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* 0 when all is done, 1 with what went wrong in w, -1 with an exception. Ctrl-C is heard between slices. */
static int do_all(work* w) {
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

/* --- the call --- */

/* What went wrong, as an exception; in a batch with the row. */
static void tell(work* w) {
  if (!w->status) {
    const native_argument* a = &w->of->arguments[w->wrong_argument];
    double x = row_of(&w->arrays[w->wrong_argument], w->wrong_row)[w->wrong_index];
    const char* is = isnan(x) ? "nan" : x > 0 ? "inf" : "-inf";
    if (w->rows < 0)
      native_refuse("%s[%zd] is %s; it must be finite", a->name, w->wrong_index, is);
    else
      native_refuse("%s[%zd][%zd] is %s; it must be finite", a->name, w->wrong_row, w->wrong_index, is);
    return;
  }
  if (w->rows >= 0) {
    char text[sizeof w->failure.text];
    snprintf(text, sizeof text, "row %zd: %.*s", w->wrong_row, (int)sizeof text - 40, w->failure.text);
    memcpy(w->failure.text, text, sizeof text);
  }
  native_raise(w->status, &w->failure);
}

static void clear(work* w) {
  for (int i = 0; i < w->of->count; i++) native_return(&w->arrays[i].view);
  for (int k = 0; k < w->nresult; k++) Py_XDECREF(w->results[k]);
  for (int k = 0; k < w->nresult; k++) free(w->own[k]);
  if (w->scratch) native_give(w->handle, w->scratch);
  free(w->wrenches);
  free(w->zeros);
}

/* Rotations need none. */
static int needs_handle(const native_algorithm* of) {
  if (of->prelude) return 1;
  for (int i = 0; i < of->count; i++)
    if (of->arguments[i].role == 'm' || of->arguments[i].role == 'd') return 1;
  return 0;
}

static PyObject* compute(work* w, PyObject* const* given, Py_ssize_t count) {
  if (needs_handle(w->of)) {
    w->handle = native_handle_of(given[0]);
    if (!w->handle || !(w->scratch = native_take(w->handle))) return NULL;
  }
  Py_ssize_t used = take_inputs(w, given + 1, count - 1);
  if (used < 0) return NULL;
  if (used + 2 != count)
    return PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", w->of->name, used + 2, count);
  if (take_outputs(w, given[count - 1])) return NULL;
  w->pivots_hold = w->handle && w->handle->pivots_hold;
  int wrong = do_all(w);
  if (w->handle) w->handle->pivots_hold |= w->pivots_hold;
  if (wrong > 0) tell(w);
  return wrong ? NULL : results(w);
}

static PyObject* batch(PyObject* self, PyObject* const* given, Py_ssize_t count) {
  work w;
  memset(&w, 0, offsetof(work, failure));
  w.of = (const native_algorithm*)PyCapsule_GetPointer(self, NULL);
  w.rows = -1;
  memset(&w.failure, 0, sizeof w.failure.status);
  if (count < 2) return PyErr_Format(PyExc_TypeError, "%s: too few arguments", w.of->name);
  PyObject* made = compute(&w, given, count);
  clear(&w);
  return made;
}

PyMethodDef native_batch_method = {"algorithm", (PyCFunction)(void (*)(void))batch, METH_FASTCALL,
                                   "An algorithm on arrays."};
