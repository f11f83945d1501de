/* batch.c -- an algorithm of the library on arrays: one state, or a row of them for each call of the function.
 *
 *   algorithm(handle, inputs ..., out)       handle: the model with its scratch memory; None for rotations
 *
 * Each input is one array, or has one more axis: its rows. Arrays are read and written where they are. Numbers that are
 * not finite, and states that fb_model_check_state refuses, are refused with their row. */
#include "batch.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int axes_of(const native_work* w, const native_argument* a, Py_ssize_t out[NATIVE_AXES]) {
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

/* --- inputs --- */

static int take_array(native_work* w, int i, PyObject* given) {
  const native_argument* a = &w->of->arguments[i];
  native_lent* array = &w->arrays[i];
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
static int take_loads(native_work* w, PyObject* const* given) {
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
static Py_ssize_t take_inputs(native_work* w, PyObject* const* given, Py_ssize_t count) {
  Py_ssize_t used = 0;
  for (int i = 0; i < w->of->count; i++) {
    const native_argument* a = &w->of->arguments[i];
    Py_ssize_t takes = a->role == 'L' ? 3 : native_is_input(a->role) || a->role == 'i' || a->role == 'f';
    if (used + takes > count) return PyErr_Format(PyExc_TypeError, "%s: too few arguments", w->of->name), -1;
    PyObject* const* here = given + used;
    used += takes;
    if (native_is_input(a->role)) {
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

static int full_shape(const native_work* w, int i, Py_ssize_t out[NATIVE_AXES + 1]) {
  int leading = w->rows >= 0;
  if (leading) out[0] = w->rows;
  return leading + axes_of(w, &w->of->arguments[i], out + leading);
}

/* Where output i goes: into what the caller gave, into a new array, or into memory that becomes a list. */
static int take_output(native_work* w, int i, PyObject* given) {
  native_lent* array = &w->arrays[i];
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
static int overlaps(const native_work* w) {
  for (int i = 0; i < w->of->count; i++)
    for (int k = 0; w->rows >= 0 && is_output(w->of->arguments[i].role) && k < w->of->count; k++) {
      const native_lent *a = &w->arrays[i], *b = &w->arrays[k];
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

static int take_outputs(native_work* w, PyObject* out) {
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

static PyObject* result(native_work* w, int k, int argument) {
  if (w->results[k]) {
    PyObject* mine = w->results[k];
    w->results[k] = NULL;
    return mine;
  }
  Py_ssize_t shape[NATIVE_AXES + 1];
  int ndim = full_shape(w, argument, shape);
  return native_list(w->own[k], shape, ndim);
}

static PyObject* results(native_work* w) {
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

/* --- the call --- */

/* What went wrong, as an exception; in a batch with the row. */
static void tell(native_work* w) {
  if (!w->status) {
    const native_argument* a = &w->of->arguments[w->wrong_argument];
    double x = native_row(&w->arrays[w->wrong_argument], w->wrong_row)[w->wrong_index];
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

static void clear(native_work* w) {
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

static PyObject* compute(native_work* w, PyObject* const* given, Py_ssize_t count) {
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
  int wrong = native_compute_rows(w);
  if (w->handle) w->handle->pivots_hold |= w->pivots_hold;
  if (wrong > 0) tell(w);
  return wrong ? NULL : results(w);
}

static PyObject* batch(PyObject* self, PyObject* const* given, Py_ssize_t count) {
  native_work w;
  memset(&w, 0, offsetof(native_work, failure));
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
