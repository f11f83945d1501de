/* law.c -- a function of Python as a block of a simulation: joint forces, or a wrench at a frame.
 *
 *   law(block, function, failure, names, count, first, frame, in_frame_axes, nq, nv, model)
 *
 * fills the fb_block behind a buffer. The function gets t, q and v. Its arrays are used again for the next call unless the
 * function kept one, which then stays as it is, or made another thing of it (resize, dtype). An exception ends the step; it is kept in `failure`, a list, for the caller
 * of the step to raise. The simulation's owner keeps function and failure alive, where the garbage collector sees them. */
#include "native.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct law {
  PyObject *function, *failure; /* borrowed */
  PyObject *q, *v;              /* arrays for its arguments, or NULL */
  char what[160];               /* in messages */
  int count;                    /* numbers that it returns */
  int first;                    /* of tau; -1: a wrench */
  int frame, in_frame_axes, nq, nv;
  const fb_model* model; /* whose coordinates it knows */
} law;

/* --- its arguments --- */

/* Writes the numbers into an array, if it is one of `count` doubles. The memory is asked for in every call: the function
 * may have moved it, which no buffer that is held would prevent (numpy.ndarray.resize with refcheck=False). */
static int write_into(PyObject* array, const double* from, int count) {
  native_view view = {.held = 0};
  const Py_ssize_t shape[1] = {count};
  int failed = native_lend_out(array, "a law", shape, 1, -1, &view);
  if (!failed) memcpy(view.buffer.buf, from, (size_t)count * sizeof(double));
  native_return(&view);
  return failed;
}

static PyObject* argument(PyObject** array, const double* from, int count) {
  if (native_host.empty == Py_None) {
    const Py_ssize_t shape[1] = {count};
    return native_list(from, shape, 1);
  }
  int fresh = !*array || Py_REFCNT(*array) > 1; /* somebody kept it */
  if (!fresh && write_into(*array, from, count)) PyErr_Clear(), fresh = 1;
  if (fresh) {
    Py_CLEAR(*array);
    *array = PyObject_CallFunction(native_host.empty, "i", count);
    if (!*array || write_into(*array, from, count)) return NULL;
  }
  Py_INCREF(*array);
  return *array;
}

static PyObject* ask(law* l, const fb_context* context) {
  PyObject* t = PyFloat_FromDouble(context->t);
  PyObject* q = argument(&l->q, context->q, l->nq);
  PyObject* v = argument(&l->v, context->v, l->nv);
  PyObject* made = t && q && v ? PyObject_CallFunctionObjArgs(l->function, t, q, v, NULL) : NULL;
  Py_XDECREF(t);
  Py_XDECREF(q);
  Py_XDECREF(v);
  return made;
}

/* --- what it returned --- */

static PyObject* item(PyObject* given, Py_ssize_t i) {
  return PyTuple_Check(given) ? PyTuple_GetItem(given, i) : PyList_GetItem(given, i);
}

/* The quick ways: a number, a tuple or list of numbers. 1: it is none of these. */
static int read_plain(const law* l, PyObject* given, double* out) {
  if (PyFloat_Check(given) && l->count == 1) return out[0] = PyFloat_AsDouble(given), 0;
  Py_ssize_t size = PyTuple_Check(given)  ? PyTuple_Size(given)
                    : PyList_Check(given) ? PyList_Size(given)
                                          : -1;
  if (size != l->count) return 1;
  for (Py_ssize_t i = 0; i < size; i++) {
    PyObject* x = item(given, i);
    if (!PyFloat_Check(x)) return 1;
    out[i] = PyFloat_AsDouble(x);
  }
  return 0;
}

static int read_any(const law* l, PyObject* given, double* out) {
  native_view view = {.held = 0};
  const Py_ssize_t wanted[1] = {l->count};
  Py_ssize_t rows = -1, stride = native_lend(given, l->what, wanted, 1, &rows, &view);
  if (stride >= 0 && rows >= 0 && rows != 1)
    native_refuse("%s has %zd rows; it needs %d numbers", l->what, rows, l->count), stride = -1;
  if (stride >= 0) memcpy(out, view.buffer.buf, (size_t)l->count * sizeof *out);
  native_return(&view);
  return stride < 0 ? -1 : 0;
}

static int read_result(const law* l, PyObject* given, double t, double* out) {
  if (read_plain(l, given, out) && read_any(l, given, out)) return -1;
  for (int i = 0; i < l->count; i++)
    if (!isfinite(out[i])) {
      char time[32];
      snprintf(time, sizeof time, "%.6g", t);
      return native_refuse("%s at t = %s s is not finite", l->what, time), -1;
    }
  return 0;
}

/* --- the block --- */

/* Hands the exception over to whoever made the step; no exception passes through C. */
static fb_status give_up(law* l, fb_error* error) {
  PyObject *type = NULL, *value = NULL, *trace = NULL;
  PyErr_Fetch(&type, &value, &trace);
  PyErr_NormalizeException(&type, &value, &trace);
  if (value && trace) PyException_SetTraceback(value, trace);
  if (value && PyList_SetItem(l->failure, 0, value)) PyErr_Clear(); /* takes the reference */
  Py_XDECREF(type);
  Py_XDECREF(trace);
  if (error) {
    memset(error, 0, sizeof *error);
    error->status = FB_ERR_ARG;
    snprintf(error->text, sizeof error->text, "a function of Python failed");
  }
  return FB_ERR_ARG;
}

/* The lock of the interpreter. A thread that outlives the interpreter stops here for good, as it would on its way back into
 * Python; to ask for the lock is an error by then. */
static PyGILState_STATE enter(void) {
  while (!Py_IsInitialized()) pause();
  return PyGILState_Ensure();
}

/* What the function says now; *given is 0 when it says nothing. */
static fb_status evaluate(law* l, const fb_context* context, double* out, int* given, fb_error* error) {
  PyGILState_STATE lock = enter();
  PyObject* answer = ask(l, context);
  *given = answer && answer != Py_None;
  int failed = !answer || (*given && read_result(l, answer, context->t, out));
  fb_status status = failed ? give_up(l, error) : FB_OK;
  Py_XDECREF(answer);
  PyGILState_Release(lock);
  return status;
}

static fb_status push(const law* l, const double* x, fb_action* action) {
  if (l->first >= 0) {
    for (int i = 0; i < l->count; i++) action->tau[l->first + i] += x[i];
    return FB_OK;
  }
  fb_wrench* wrench = native_lib.action_wrench(action);
  wrench->frame = l->frame;
  wrench->in_frame_axes = l->in_frame_axes;
  memcpy(wrench->force, x, sizeof wrench->force);
  memcpy(wrench->torque, x + 3, sizeof wrench->torque);
  return FB_OK;
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* rate, fb_error* error) {
  law* l = (law*)user;
  double few[64], *x = l->count <= 64 ? few : (double*)malloc((size_t)l->count * sizeof *x);
  int given = 0;
  (void)memory, (void)state, (void)rate;
  fb_status status = x ? evaluate(l, context, x, &given, error) : FB_ERR_MEMORY;
  if (!status && given) status = push(l, x, action);
  if (x != few) free(x);
  return status;
}

static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  law* l = (law*)user;
  int given = 0;
  (void)state;
  fb_status status = evaluate(l, context, memory, &given, error);
  if (!status && !given) memset(memory, 0, (size_t)l->count * sizeof *memory);
  return status;
}

static fb_status act_held(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* rate, fb_error* error) {
  (void)context, (void)state, (void)rate, (void)error;
  return push((const law*)user, memory, action);
}

static fb_status rebind(void* user, const fb_model* model, fb_error* error) {
  if (model == ((const law*)user)->model) return FB_OK;
  if (error) {
    memset(error, 0, sizeof *error);
    error->status = FB_ERR_UNSUPPORTED;
    snprintf(error->text, sizeof error->text,
             "a force by a function of Python works with the first model only; use Lua or a plugin");
  }
  return FB_ERR_UNSUPPORTED;
}

static void free_law(void* user) {
  law* l = (law*)user;
  PyGILState_STATE lock = enter();
  Py_XDECREF(l->q);
  Py_XDECREF(l->v);
  PyGILState_Release(lock);
  free(l);
}

PyObject* native_law(PyObject* self, PyObject* arguments) {
  Py_buffer buffer;
  law given = {.q = NULL};
  const char* what = NULL;
  unsigned long long model = 0;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "w*OOsiiipiiK", &buffer, &given.function, &given.failure, &what,
                        &given.count, &given.first, &given.frame, &given.in_frame_axes, &given.nq, &given.nv,
                        &model))
    return NULL;
  fb_block* block = (fb_block*)buffer.buf;
  law* l = buffer.len == (Py_ssize_t)sizeof *block ? (law*)malloc(sizeof *l) : NULL;
  if (!l) {
    PyBuffer_Release(&buffer);
    return PyErr_NoMemory();
  }
  given.model = (const fb_model*)(uintptr_t)model;
  snprintf(given.what, sizeof given.what, "%s", what);
  *l = given;
  block->user = l;
  block->free = free_law;
  block->rebind = rebind;
  block->nwrench = l->first < 0;
  block->act = block->period > 0 ? act_held : act;
  if (block->period > 0) {
    block->tick = tick;
    block->nmemory = l->count;
  }
  PyBuffer_Release(&buffer);
  Py_RETURN_NONE;
}
