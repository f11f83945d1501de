/* handle.c -- a model with scratch memory: as many fb_data, or fb_floating, as calls were ever under way at once. */
#include "native.h"

#include <stdlib.h>

static PyTypeObject* type;

static int fill(native_handle* h) {
  if (!native_lib.model_nq) return native_refuse("the library has not been opened"), -1;
  h->nq = native_lib.model_nq(h->m);
  h->nv = native_lib.model_nv(h->m);
  h->nbody = native_lib.model_nbody(h->m);
  h->quaternions = (int*)calloc((size_t)h->nbody + 1, sizeof *h->quaternions);
  if (!h->quaternions) return PyErr_NoMemory(), -1;
  for (int b = 1; b < h->nbody; b++) {
    int at = native_lib.joint_type_quat_at(native_lib.joint_type_of(h->m, b));
    if (at >= 0) h->quaternions[h->nquaternion++] = native_lib.joint_q_at(h->m, b) + at;
  }
  if (h->base < 0) return 0;
  void* floating = native_take(h);
  if (!floating) return -1;
  h->nj = native_lib.floating_nj((fb_floating*)floating);
  native_give(h, floating);
  return 0;
}

static PyObject* new_handle(PyTypeObject* cls, PyObject* arguments, PyObject* words) {
  unsigned long long address = 0;
  PyObject* owner = NULL;
  int base = -1;
  (void)words;
  if (!PyArg_ParseTuple(arguments, "KO|i", &address, &owner, &base)) return NULL;
  native_handle* h = (native_handle*)PyType_GenericAlloc(cls, 0);
  if (!h) return NULL;
  h->m = (const fb_model*)(uintptr_t)address;
  h->base = base;
  Py_INCREF(owner);
  h->owner = owner;
  if (fill(h)) {
    Py_DECREF(h);
    return NULL;
  }
  return (PyObject*)h;
}

static void free_scratch(const native_handle* h, void* scratch) {
  if (h->base < 0)
    native_lib.data_free((fb_data*)scratch);
  else
    native_lib.floating_free((fb_floating*)scratch);
}

static void dealloc(PyObject* self) {
  native_handle* h = (native_handle*)self;
  PyTypeObject* cls = Py_TYPE(self);
  for (int i = 0; i < h->npool; i++) free_scratch(h, h->pool[i]);
  free(h->pool);
  free(h->quaternions);
  Py_CLEAR(h->owner); /* the model goes after what was made for it */
  slot release = {.p = PyType_GetSlot(cls, Py_tp_free)};
  ((void (*)(void*))release.f)(self);
  Py_DECREF(cls);
}

static void* make(const native_handle* h) {
  if (h->base < 0) {
    fb_data* made = native_lib.data_new(h->m);
    return made ? (void*)made : (void*)PyErr_NoMemory();
  }
  fb_floating* made = NULL;
  fb_error failure;
  fb_status status = native_lib.floating_new(h->m, h->base, &made, &failure);
  if (status) native_raise(status, &failure);
  return made;
}

void* native_take(native_handle* h) {
  return h->npool > 0 ? h->pool[--h->npool] : make(h);
}

void native_give(native_handle* h, void* scratch) {
  if (h->npool == h->room) {
    void** more = (void**)realloc(h->pool, sizeof *more * (size_t)(2 * h->room + 2));
    if (!more) {
      free_scratch(h, scratch);
      return;
    }
    h->pool = more;
    h->room = 2 * h->room + 2;
  }
  h->pool[h->npool++] = scratch;
}

native_handle* native_handle_of(PyObject* given) {
  if (type && PyObject_TypeCheck(given, type)) return (native_handle*)given;
  PyErr_SetString(PyExc_TypeError, "the first argument must be the Handle of a model");
  return NULL;
}

PyObject* native_handle_type(void) {
  static char doc[] = "Handle(address, owner[, base]): a model for the algorithms.";
  PyType_Slot slots[] = {{Py_tp_new, (void*)(uintptr_t)new_handle},
                         {Py_tp_dealloc, (void*)(uintptr_t)dealloc},
                         {Py_tp_doc, doc},
                         {0, NULL}};
  PyType_Spec spec = {.name = "freebody._native.Handle",
                      .basicsize = sizeof(native_handle),
                      .flags = Py_TPFLAGS_DEFAULT,
                      .slots = slots};
  type = (PyTypeObject*)PyType_FromSpec(&spec);
  Py_XINCREF((PyObject*)type);
  return (PyObject*)type;
}
