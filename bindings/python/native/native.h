/* native.h -- the C extension of the Python package: what its files share.
 *
 * The library is opened at run time (dlopen), as ctypes does it, so that one extension serves the library beside the
 * package, that of build/ and any that FREEBODY_LIBRARY names. Every function of the headers has an entry in the table
 * that scripts/describe generates: its name, what it takes, and a trampoline that calls it with its true types.
 *
 *   raw.c     a function called as in C, with addresses, buffers, numbers and texts
 *   batch.c   an algorithm on arrays: one state or many, shapes checked; rows.c computes, without the lock
 *   law.c     Python functions that a simulation calls
 *   run.c     many steps in one call
 *
 * Limited API of Python 3.11, the first with the buffer protocol in it: one binary for all later versions. */
#ifndef FREEBODY_PYTHON_NATIVE_H
#define FREEBODY_PYTHON_NATIVE_H

#define Py_LIMITED_API 0x030b0000
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <freebody/freebody.h>

enum { NATIVE_ARGUMENTS = 14, NATIVE_AXES = 2 };

/* An argument or a result of a function of the library. */
typedef union slot {
  void* p;
  void (*f)(void);
  double d;
  long long i;
  unsigned long long u;
} slot;

typedef void (*native_address)(void);
typedef void native_trampoline(native_address f, const slot* a, slot* r);

/* A function of the headers. takes, a letter each:
 *   p  an address that is read         w  one that is written      s  a text         f  a function
 *   d  double    i  int or enum    l  long long    u  unsigned or size_t     v  a struct by value
 * gives: n nothing, i, l, u, d, p, s as above, and v a struct of `size` bytes; e: fb_status, with an fb_error* last. */
typedef struct native_entry {
  const char *name, *takes;
  char gives;
  size_t size; /* of what it returns by value */
  native_trampoline* call;
  const char* doc;
  native_address f; /* found when first asked for */
} native_entry;

/* An argument of an algorithm, in the order of the function's parameters; those of the prelude stand first.
 *   m  the model       d  scratch memory (fb_data), or the fb_floating
 *   <  an array that is read       ?  the same, zeros when None        o  the same, NULL when None
 *   >  an array that is written    =  the value that the function returns
 *   i  an int          f  a double         L  loads: three arguments, gravity, wrenches, passive
 * axes: q v b j (nq, nv, nbody, joints of a floating tree) or a digit. */
typedef struct native_argument {
  const char* name;
  char role;
  char axes[NATIVE_AXES + 1];
} native_argument;

/* prelude: 0 none; K fb_kinematics; C the same and fb_centre_of_mass; F fb_floating_update: with the first `before`
 * arguments, q, v and vdot. */
typedef struct native_algorithm {
  const char *name, *doc;
  native_entry* entry;
  char prelude;
  int before, count, check_pivots;
  native_argument arguments[NATIVE_ARGUMENTS];
} native_algorithm;

extern native_entry native_entries[];
extern const int native_entry_count;
extern const native_algorithm native_algorithms[];
extern const int native_algorithm_count;

/* What Python gave to the extension: its exception, and helpers for what is not done here. */
typedef struct native_python {
  PyObject* error;  /* freebody.Error */
  PyObject* failed; /* (status, bytes of fb_error) -> the exception to raise */
  PyObject*
      doubles;     /* anything with numbers in it -> an object with a buffer of doubles, of the same shape */
  PyObject* empty; /* numpy.empty, or None without NumPy */
} native_python;
extern native_python native_host;

/* Functions of the library that are called here, by their names without fb_; found when it is opened. */
typedef struct native_library {
  int (*model_nq)(const fb_model*);
  int (*model_nv)(const fb_model*);
  int (*model_nbody)(const fb_model*);
  fb_joint_type (*joint_type_of)(const fb_model*, int);
  int (*joint_type_quat_at)(fb_joint_type);
  int (*joint_q_at)(const fb_model*, int);
  fb_data* (*data_new)(const fb_model*);
  void (*data_free)(fb_data*);
  fb_status (*floating_new)(const fb_model*, int, fb_floating**, fb_error*);
  void (*floating_free)(fb_floating*);
  int (*floating_nj)(const fb_floating*);
  void (*floating_update)(fb_floating*, const double*, const double*);
  fb_loads (*default_loads)(void);
  fb_status (*check_state)(const fb_model*, const double*, const double*, fb_error*);
  fb_status (*check_pivots)(const fb_model*, const fb_data*, fb_error*);
  void (*kinematics)(const fb_model*, fb_data*, const double*, const double*, const double*);
  void (*centre_of_mass)(const fb_model*, fb_data*);
  fb_wrench* (*action_wrench)(fb_action*);
  fb_status (*sim_advance)(fb_sim*, double, fb_error*);
  fb_status (*sim_settle)(fb_sim*, fb_error*);
  double (*sim_time)(const fb_sim*);
  long long (*sim_steps)(const fb_sim*);
} native_library;
extern native_library native_lib;

/* --- module.c --- */

/* The function, or NULL with an exception where the library has none of that name. */
native_address native_find(native_entry* entry);
/* Raises freebody.Error with a text. */
PyObject* native_refuse(const char* format, ...);
/* Raises what the library reported. */
PyObject* native_raise(fb_status status, const fb_error* failure);

/* --- numbers.c --- */

/* Doubles that Python lent, for as long as the view is held. */
typedef struct native_view {
  Py_buffer buffer;
  PyObject* made; /* what the numbers were converted into, or NULL */
  int held;
} native_view;

/* Lends the doubles of an array, list or number; `wanted` are the axes of one, `rows` becomes their number, or stays as
 * it is when there is one only. Returns the stride from row to row in doubles, -1 with an exception. */
Py_ssize_t native_lend(PyObject* given, const char* what, const Py_ssize_t* wanted, int axes,
                       Py_ssize_t* rows, native_view* view);
/* The same of an array to be written: it must be one of doubles, without gaps, of exactly this shape. */
int native_lend_out(PyObject* given, const char* what, const Py_ssize_t* wanted, int axes, Py_ssize_t rows,
                    native_view* view);
void native_return(native_view* view);
/* Three numbers. */
int native_triple(PyObject* given, const char* what, double out[3]);
/* A list of lists of numbers, at most three deep. */
PyObject* native_list(const double* numbers, const Py_ssize_t* shape, int axes);

/* --- the parts --- */

extern PyMethodDef native_raw_method, native_batch_method;
PyObject* native_handle_type(void);
PyObject* native_law(PyObject* self, PyObject* arguments);
PyObject* native_advance(PyObject* self, PyObject* arguments);

/* What a Handle holds (handle.c). */
typedef struct native_handle {
  PyObject_HEAD const fb_model* m;
  PyObject* owner; /* keeps the model alive */
  int base;        /* of a floating tree; -1: none */
  int nq, nv, nbody, nj;
  int* quaternions; /* where they begin in q */
  int nquaternion;
  int pivots_hold; /* see batch.c */
  void** pool;     /* scratch memory that no call uses */
  int npool, room;
} native_handle;

native_handle* native_handle_of(PyObject* given);
/* Scratch memory for one call: made when all there is is in use. */
void* native_take(native_handle* h);
void native_give(native_handle* h, void* scratch);

#endif
