/* raw.c -- calls a function of the library with arguments as C takes them.
 *
 * An address is an int, None, or an object with a buffer: an array, a struct of ctypes. A function that returns fb_status
 * may be called without its fb_error*: a failure is then raised. The interpreter's lock is released during the call. */
#include "native.h"

#include <limits.h>
#include <string.h>

typedef struct held {
  Py_buffer buffers[NATIVE_ARGUMENTS];
  PyObject* texts[NATIVE_ARGUMENTS];
  int nbuffer, ntext;
} held;

static void let_go(held* h) {
  for (int i = 0; i < h->nbuffer; i++) PyBuffer_Release(&h->buffers[i]);
  for (int i = 0; i < h->ntext; i++) Py_DECREF(h->texts[i]);
}

static int take_address(PyObject* given, int writable, held* h, slot* out) {
  if (given == Py_None) return out->p = NULL, 0;
  if (PyLong_Check(given)) {
    out->p = PyLong_AsVoidPtr(given);
    return PyErr_Occurred() ? -1 : 0;
  }
  Py_buffer* buffer = &h->buffers[h->nbuffer];
  if (PyObject_GetBuffer(given, buffer, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE)) return -1;
  h->nbuffer++;
  out->p = buffer->buf;
  return 0;
}

static int take_text(PyObject* given, held* h, slot* out) {
  if (PyUnicode_Check(given)) {
    PyObject* raw = PyUnicode_AsUTF8String(given);
    if (!raw) return -1;
    h->texts[h->ntext++] = raw;
    given = raw;
  }
  if (!PyBytes_Check(given)) return take_address(given, 0, h, out);
  out->p = PyBytes_AsString(given);
  return 0;
}

/* A function of ctypes is an object whose buffer holds the address. */
static int take_function(PyObject* given, held* h, slot* out) {
  slot at = {.p = NULL};
  if (given == Py_None || PyLong_Check(given)) return take_address(given, 0, h, out);
  if (take_address(given, 0, h, &at)) return -1;
  memcpy(out, at.p, sizeof(void*));
  return 0;
}

static int take(char kind, PyObject* given, held* h, slot* out) {
  switch (kind) {
    case 'p':
    case 'v':
      return take_address(given, 0, h, out);
    case 'w':
      return take_address(given, 1, h, out);
    case 's':
      return take_text(given, h, out);
    case 'f':
      return take_function(given, h, out);
    case 'd':
      out->d = PyFloat_AsDouble(given);
      break;
    case 'u':
      out->u = PyLong_AsUnsignedLongLong(given);
      break;
    default:
      out->i = PyLong_AsLongLong(given);
      if (kind == 'i' && !PyErr_Occurred() && (out->i < INT_MIN || out->i > INT_MAX))
        PyErr_Format(PyExc_OverflowError, "%lld is too large for an int", out->i);
  }
  return PyErr_Occurred() ? -1 : 0;
}

static PyObject* give(const native_entry* entry, const slot* r) {
  switch (entry->gives) {
    case 'n':
      Py_RETURN_NONE;
    case 'd':
      return PyFloat_FromDouble(r->d);
    case 'u':
      return PyLong_FromUnsignedLongLong(r->u);
    case 'p':
      if (r->p) return PyLong_FromVoidPtr(r->p);
      Py_RETURN_NONE;
    case 's':
      if (r->p) return PyBytes_FromString((const char*)r->p);
      Py_RETURN_NONE;
    case 'v':
      return PyBytes_FromStringAndSize((const char*)r->p, (Py_ssize_t)entry->size);
    default:
      return PyLong_FromLongLong(r->i);
  }
}

static PyObject* call(const native_entry* entry, const slot* a, int own_error, fb_error* failure) {
  union {
    double aligned;
    char bytes[4096];
  } room;
  slot r = {.p = NULL};
  if (entry->gives == 'v') {
    if (entry->size > sizeof room) return native_refuse("%s returns too much", entry->name);
    r.p = &room;
  }
  PyThreadState* state = PyEval_SaveThread();
  entry->call(entry->f, a, &r);
  PyEval_RestoreThread(state);
  if (PyErr_Occurred()) return NULL;
  if (!own_error) return give(entry, &r);
  if (r.i) return native_raise((fb_status)r.i, failure);
  Py_RETURN_NONE;
}

static PyObject* raw(PyObject* self, PyObject* const* given, Py_ssize_t count) {
  const native_entry* entry = (const native_entry*)PyCapsule_GetPointer(self, NULL);
  Py_ssize_t wanted = (Py_ssize_t)strlen(entry->takes);
  int own_error = entry->gives == 'e' && count == wanted - 1;
  slot a[NATIVE_ARGUMENTS];
  held h = {.nbuffer = 0};
  fb_error failure;
  PyObject* result = NULL;
  if (count != wanted && !own_error)
    return PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, not %zd", entry->name, wanted, count);
  Py_ssize_t i = 0;
  while (i < count && take(entry->takes[i], given[i], &h, &a[i]) == 0) i++;
  if (own_error) {
    memset(&failure, 0, sizeof failure);
    a[wanted - 1].p = &failure;
  }
  if (i == count) result = call(entry, a, own_error, &failure);
  let_go(&h);
  return result;
}

PyMethodDef native_raw_method = {"function", (PyCFunction)(void (*)(void))raw, METH_FASTCALL,
                                 "A function of the C library."};
