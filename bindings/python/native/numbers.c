/* numbers.c -- doubles between Python and C: lent by arrays without a copy, converted from everything else. */
#include "native.h"

#include <stdio.h>
#include <string.h>

void native_return(native_view* view) {
  if (view->held) PyBuffer_Release(&view->buffer);
  view->held = 0;
  Py_CLEAR(view->made);
}

/* Doubles one after the other in memory. */
static int is_plain(const Py_buffer* b) {
  const char* format = b->format ? b->format : "B";
  return (strcmp(format, "d") == 0 || strcmp(format, "=d") == 0 || strcmp(format, "<d") == 0) &&
         PyBuffer_IsContiguous(b, 'C');
}

/* What a list of numbers, an array of others or one with gaps becomes; without its exception a sentence with a name. */
static PyObject* converted(PyObject* given, const char* what, Py_ssize_t count) {
  return PyObject_CallFunction(native_host.doubles, "Osn", given, what, count);
}

static int lend(PyObject* given, const char* what, Py_ssize_t count, native_view* view) {
  int flags = PyBUF_FORMAT | PyBUF_STRIDES;
  if (PyObject_CheckBuffer(given)) {
    if (PyObject_GetBuffer(given, &view->buffer, flags) == 0) {
      view->held = 1;
      if (is_plain(&view->buffer)) return 0;
      native_return(view);
    } else {
      PyErr_Clear();
    }
  }
  view->made = converted(given, what, count);
  if (!view->made || PyObject_GetBuffer(view->made, &view->buffer, flags)) return -1;
  view->held = 1;
  if (is_plain(&view->buffer)) return 0;
  native_refuse("%s cannot be read as numbers", what);
  return -1;
}

static void shape_text(const Py_ssize_t* shape, int axes, char out[64]) {
  int used = 0;
  out[0] = '\0';
  for (int i = 0; i < axes && used < 48; i++)
    used += snprintf(out + used, 64 - (size_t)used, i ? " x %zd" : "%zd", shape[i]);
}

/* 1 when the last axes are those wanted. */
static int ends_with(const Py_buffer* b, const Py_ssize_t* wanted, int axes) {
  for (int i = 0; i < axes; i++)
    if (b->shape[b->ndim - axes + i] != wanted[i]) return 0;
  return 1;
}

Py_ssize_t native_lend(PyObject* given, const char* what, const Py_ssize_t* wanted, int axes,
                       Py_ssize_t* rows, native_view* view) {
  Py_ssize_t count = 1, size;
  for (int i = 0; i < axes; i++) count *= wanted[i];
  if (lend(given, what, count, view)) return -1;
  const Py_buffer* b = &view->buffer;
  size = b->len / (Py_ssize_t)sizeof(double);
  if (b->ndim == axes + 1 && ends_with(b, wanted, axes)) {
    if (*rows >= 0 && *rows != b->shape[0])
      return native_refuse("%s has %zd rows, and what was given before it has %zd", what, b->shape[0], *rows),
             -1;
    *rows = b->shape[0];
    return count;
  }
  if (size == count) return 0;
  char text[64];
  shape_text(b->shape, b->ndim, text);
  if (b->ndim < 2)
    native_refuse("%s has %zd number%s; it needs %zd", what, size, size == 1 ? "" : "s", count);
  else
    native_refuse("%s is %s; it needs %zd numbers, or that many in each of its rows", what, text, count);
  return -1;
}

int native_lend_out(PyObject* given, const char* what, const Py_ssize_t* wanted, int axes, Py_ssize_t rows,
                    native_view* view) {
  if (PyObject_GetBuffer(given, &view->buffer, PyBUF_FORMAT | PyBUF_STRIDES | PyBUF_WRITABLE)) {
    PyErr_Clear();
    native_refuse("out, for %s, must be an array of doubles that can be written", what);
    return -1;
  }
  view->held = 1;
  const Py_buffer* b = &view->buffer;
  int ndim = axes + (rows >= 0);
  int fits = b->ndim == ndim && (rows < 0 || b->shape[0] == rows) && ends_with(b, wanted, axes);
  if (!is_plain(b) || !fits) {
    char has[64], needs[64];
    Py_ssize_t full[NATIVE_AXES + 1] = {rows};
    for (int i = 0; i < axes; i++) full[i + (rows >= 0)] = wanted[i];
    shape_text(b->shape, b->ndim, has);
    shape_text(full, ndim, needs);
    if (fits)
      native_refuse("out, for %s, must have doubles without gaps between them", what);
    else
      native_refuse("out, for %s, is %s; it must be %s", what, has, ndim ? needs : "a single number");
    return -1;
  }
  return 0;
}

int native_triple(PyObject* given, const char* what, double out[3]) {
  if (PyTuple_Check(given) && PyTuple_Size(given) == 3) { /* the usual case, and the fast one */
    int i = 0;
    for (; i < 3; i++) {
      PyObject* x = PyTuple_GetItem(given, i);
      if (!PyFloat_Check(x) && !PyLong_Check(x)) break;
      out[i] = PyFloat_AsDouble(x);
    }
    if (i == 3) return PyErr_Occurred() ? -1 : 0;
  }
  native_view view = {.held = 0};
  const Py_ssize_t wanted[1] = {3};
  Py_ssize_t rows = -1, stride = native_lend(given, what, wanted, 1, &rows, &view);
  if (stride >= 0 && rows >= 0 && rows != 1) native_refuse("%s must be 3 numbers", what), stride = -1;
  if (stride >= 0) memcpy(out, view.buffer.buf, 3 * sizeof *out);
  native_return(&view);
  return stride < 0 ? -1 : 0;
}

PyObject* native_list(const double* numbers, const Py_ssize_t* shape, int axes) {
  if (axes == 0) return PyFloat_FromDouble(*numbers);
  Py_ssize_t stride = 1;
  for (int i = 1; i < axes; i++) stride *= shape[i];
  PyObject* list = PyList_New(shape[0]);
  for (Py_ssize_t i = 0; list && i < shape[0]; i++) {
    PyObject* entry = native_list(numbers + i * stride, shape + 1, axes - 1);
    if (!entry || PyList_SetItem(list, i, entry)) Py_CLEAR(list);
  }
  return list;
}
