/* module.c -- the module freebody._native: opening the library, and what it offers to the package. */
#include "native.h"

#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

native_python native_host;
native_library native_lib;
static void* library;

/* --- errors --- */

PyObject* native_refuse(const char* format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  PyErr_SetString(native_host.error ? native_host.error : PyExc_RuntimeError, text);
  return NULL;
}

PyObject* native_raise(fb_status status, const fb_error* failure) {
  PyObject* made = PyObject_CallFunction(native_host.failed, "iy#", (int)status, (const char*)failure,
                                         (Py_ssize_t)sizeof *failure);
  if (made) PyErr_SetObject((PyObject*)Py_TYPE(made), made);
  Py_XDECREF(made);
  return NULL;
}

/* --- the library --- */

native_address native_find(native_entry* entry) {
  if (entry->f) return entry->f;
  slot found = {.p = library ? dlsym(library, entry->name) : NULL};
  if (!library) {
    native_refuse("the library has not been opened");
  } else if (!found.p) {
    native_refuse("the library has no %s; build the library and this Python package from one source",
                  entry->name);
  } else {
    entry->f = found.f;
  }
  return entry->f;
}

static native_entry* entry_named(const char* name) {
  int low = 0, high = native_entry_count; /* sorted by name */
  while (low < high) {
    int middle = (low + high) / 2, order = strcmp(name, native_entries[middle].name);
    if (order == 0) return &native_entries[middle];
    if (order < 0) high = middle;
    if (order > 0) low = middle + 1;
  }
  return NULL;
}

/* Fills native_lib; -1 with an exception. */
static int find_all(void) {
  static const char* const NAMES[] = {"fb_model_nq",
                                      "fb_model_nv",
                                      "fb_model_nbody",
                                      "fb_joint_type_of",
                                      "fb_joint_type_quat_index",
                                      "fb_joint_q_index",
                                      "fb_data_new",
                                      "fb_data_free",
                                      "fb_floating_new",
                                      "fb_floating_free",
                                      "fb_floating_nj",
                                      "fb_floating_update",
                                      "fb_default_loads",
                                      "fb_model_check_state",
                                      "fb_model_check_pivots",
                                      "fb_kinematics",
                                      "fb_centre_of_mass",
                                      "fb_action_add_wrench",
                                      "fb_sim_begin_step",
                                      "fb_sim_end_step",
                                      "fb_sim_time",
                                      "fb_sim_nstep"};
  enum { COUNT = sizeof NAMES / sizeof NAMES[0] };
  native_address found[COUNT]; /* in the order of the struct */
  _Static_assert(sizeof found == sizeof native_lib, "a name for each function");
  for (int i = 0; i < COUNT; i++)
    if (!(found[i] = native_find(entry_named(NAMES[i])))) return -1;
  memcpy(&native_lib, found, sizeof native_lib);
  return 0;
}

static PyObject* open_library(PyObject* self, PyObject* arguments) {
  const char* path = NULL;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s", &path)) return NULL;
  void* opened = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!opened) return PyErr_SetString(PyExc_OSError, dlerror()), NULL;
  if (library && library != opened) return native_refuse("another library has been opened before %s", path);
  library = opened;
  if (find_all()) return NULL;
  Py_RETURN_NONE;
}

/* --- functions as objects --- */

static PyObject* callable(PyMethodDef* method, void* of) {
  PyObject* capsule = PyCapsule_New(of, NULL, NULL);
  PyObject* made = capsule ? PyCFunction_NewEx(method, capsule, NULL) : NULL;
  Py_XDECREF(capsule);
  return made;
}

static PyObject* function(PyObject* self, PyObject* arguments) {
  const char* name = NULL;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s", &name)) return NULL;
  native_entry* entry = entry_named(name);
  if (!entry) return PyErr_Format(PyExc_AttributeError, "%s", name);
  return native_find(entry) ? callable(&native_raw_method, entry) : NULL;
}

static PyObject* algorithm(PyObject* self, PyObject* arguments) {
  const char* name = NULL;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "s", &name)) return NULL;
  for (int i = 0; i < native_algorithm_count; i++)
    if (strcmp(native_algorithms[i].name, name) == 0)
      return native_find(native_algorithms[i].entry)
                 ? callable(&native_batch_method, (void*)(uintptr_t)&native_algorithms[i])
                 : NULL;
  return PyErr_Format(PyExc_AttributeError, "%s", name);
}

/* What is global here, and the locks of law.c, belong to one interpreter: the package uses ctypes in all others. Not asked
 * when the module is initialised, which happens once in a process. */
static PyObject* claim(PyObject* self, PyObject* none) {
  static int64_t first = -1;
  int64_t id = PyInterpreterState_GetID(PyInterpreterState_Get());
  (void)self, (void)none;
  if (first < 0) first = id;
  if (first == id) Py_RETURN_NONE;
  PyErr_SetString(PyExc_ImportError, "another interpreter of this process uses it");
  return NULL;
}

static PyObject* set_up(PyObject* self, PyObject* arguments) {
  native_python* h = &native_host;
  (void)self;
  if (!PyArg_ParseTuple(arguments, "OOOO", &h->error, &h->failed, &h->doubles, &h->empty)) return NULL;
  Py_INCREF(h->error);
  Py_INCREF(h->failed);
  Py_INCREF(h->doubles);
  Py_INCREF(h->empty);
  Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"claim", claim, METH_NOARGS, "Refuses all interpreters of a process but the first that asks."},
    {"set_up", set_up, METH_VARARGS, "The exception and the helpers of the package."},
    {"open", open_library, METH_VARARGS, "Opens the library, once."},
    {"function", function, METH_VARARGS, "A function of the library by its name in C."},
    {"algorithm", algorithm, METH_VARARGS, "An algorithm on arrays."},
    {"law", native_law, METH_VARARGS, "Fills an fb_block that calls a function of Python."},
    {"advance", native_advance, METH_VARARGS, "Steps a simulation for some time of the clock."},
    {NULL, NULL, 0, NULL}};

static PyModuleDef MODULE = {.m_base = PyModuleDef_HEAD_INIT,
                             .m_name = "_native",
                             .m_doc = "The C extension of freebody (bindings/python/native).",
                             .m_size = -1,
                             .m_methods = METHODS};

PyMODINIT_FUNC PyInit__native(void) {
  PyObject* made = PyModule_Create(&MODULE);
  PyObject* type = made ? native_handle_type() : NULL;
  if (!made || !type || PyModule_AddObjectRef(made, "Handle", type) ||
      PyModule_AddStringConstant(made, "version", FB_VERSION_TEXT)) {
    Py_XDECREF(made);
    made = NULL;
  }
  Py_XDECREF(type);
  return made;
}
