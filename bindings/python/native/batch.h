/* batch.h -- a call of an algorithm on arrays, under way: batch.c takes its arguments, rows.c computes. */
#ifndef FREEBODY_PYTHON_BATCH_H
#define FREEBODY_PYTHON_BATCH_H

#include "native.h"

/* Doubles of an argument. */
typedef struct native_lent {
  native_view view;
  double* at;
  Py_ssize_t stride, count; /* from row to row, 0: the same for all; numbers of one */
} native_lent;

/* A call under way. */
typedef struct native_work {
  const native_algorithm* of;
  native_handle* handle;
  void* scratch;
  native_lent arrays[NATIVE_ARGUMENTS]; /* of the arguments that are arrays */
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
} native_work;

static inline int native_is_input(char role) {
  return role == '<' || role == '?' || role == 'o';
}

/* The numbers of a row; NULL where an argument was not given. */
static inline double* native_row(const native_lent* array, Py_ssize_t row) {
  return array->at ? array->at + row * array->stride : NULL;
}

/* 0 when all is done, 1 with what went wrong in w, -1 with an exception. */
int native_compute_rows(native_work* w);

#endif
