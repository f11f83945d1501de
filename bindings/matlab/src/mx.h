/* mx.h -- between MATLAB's values and the toolbox's C: arguments, results, errors, the cache of robots.
 *
 * Only calls of mex.h that MATLAB and Octave document. Errors leave by mexErrMsgIdAndTxt, so memory that a call needs
 * comes from mxMalloc, which the interpreter frees, or belongs to the cache. */
#ifndef FREEBODY_MATLAB_MX_H
#define FREEBODY_MATLAB_MX_H

#include <mex.h>

#include "sd.h"

/* SpaceDyn's moving quantities. COUNT: how many numbers: a number, or n, or n of 3 or 9. */
/* clang-format off */
#define MX_QUANTITIES(X) \
  X(R0, 3, 0) X(RR, 0, 3) X(A0, 9, 0) X(AA, 0, 9) X(v0, 3, 0) X(w0, 3, 0) X(ww, 0, 3) X(vd0, 3, 0) X(wd0, 3, 0) \
  X(q, 0, 1) X(qd, 0, 1) X(qdd, 0, 1) X(F0, 3, 0) X(T0, 3, 0) X(Fe, 0, 3) X(Te, 0, 3) X(tau, 0, 1)
/* clang-format on */
enum {
#define X(name, fixed, each) Q_##name,
  MX_QUANTITIES(X)
#undef X
      Q_COUNT,
  Q_END = -1
};

/* One call of a function of the toolbox. */
typedef struct mx_call {
  const char* name;
  int nlhs, nrhs;
  mxArray** plhs;
  const mxArray** prhs;
  int v2;               /* 1: f(LP, SV, ...); 0: f(R0, A0, ...) with globals */
  sd_robot* robot;      /* of LP, or of the globals */
  const mxArray* state; /* v2: the structure that quantities are read from */
  mxArray* SV;          /* v2: the copy that is returned, where SV is */
  const double* x[Q_COUNT];
  const mxArray* given[Q_COUNT];
  int extra; /* index of the first argument after the quantities */
  int made;  /* v1: number of results that were given back */
} mx_call;

/* freebody_compat: whose results are computed. */
typedef enum mx_version { MX_CORRECTED, MX_V2R1, MX_V1R2 } mx_version;
extern mx_version mx_compat;

/* mx_value.c */
_Noreturn void mx_fail(const mx_call* c, const char* what, const char* format, ...) FB_PRINTF(3, 4);
_Noreturn void mx_refuse(const mx_call* c, const fb_error* error);
void mx_check(const mx_call* c, fb_status status, const fb_error* error); /* mx_refuse, unless FB_OK */
/* Reads real numbers of any numeric class. count: how many there must be. finite: 1: NaN and infinity are errors. */
const double* mx_doubles(const mx_call* c, const mxArray* a, const char* what, size_t count, int finite);
double mx_scalar(const mx_call* c, int argument, const char* what);
int mx_index(const mx_call* c, int argument, const char* what, int most); /* an integer from 1 to most */
char* mx_string(const mxArray* a);                                        /* of a text */
char* mx_text(const mx_call* c, int argument, const char* what);
mxArray* mx_matrix(size_t rows, size_t columns, const double* values); /* values may be NULL: zeros */
mxArray* mx_like(const mxArray* shape, const double* values);
mxArray* mx_empty(void); /* [] */

/* mx_global.c: SpaceDyn's globals; read on each call. */
void mx_gravity(const mx_call* c, double g[3]);
double mx_step(const mx_call* c); /* d_time, > 0 */

/* mx_cache.c: the robot of LP (a structure), or of the globals (NULL). */
sd_robot* mx_robot(const mx_call* c, const mxArray* LP);
void mx_cache_clear(void);
int mx_cache_misses(void); /* robots built since the library was loaded */

/* mx_arguments.c */
enum { MX_VALUE, MX_STATE }; /* what the v2 form returns */
void mx_begin(mx_call* c, const int* quantities, int extra, int returns);
void mx_give(mx_call* c, const char* name, mxArray* value); /* a result: field of SV, or the next in v1 */

/* A function of the toolbox. */
typedef struct mx_function {
  const char* name;
  void (*call)(mx_call* c);
} mx_function;
extern const mx_function MX_KINEMATICS[], MX_DYNAMICS[], MX_INTEGRATION[], MX_ATTITUDE[];

#endif
