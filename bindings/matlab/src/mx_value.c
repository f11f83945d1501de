/* mx_value.c -- reading and making MATLAB's values, and the errors when they are not what a function takes */
#include "mx.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void mx_fail(const mx_call* c, const char* what, const char* format, ...) {
  char text[1024];
  va_list list;
  va_start(list, format);
  vsnprintf(text, sizeof text, format, list);
  va_end(list);
  char id[64];
  snprintf(id, sizeof id, "freebody:%s", what);
#ifdef octave_mex_h /* Octave names the function itself */
  if (strcmp(mexFunctionName(), c->name) == 0) mexErrMsgIdAndTxt(id, "%s", text);
#endif
  mexErrMsgIdAndTxt(id, "%s: %s", c->name, text);
  abort(); /* not reached */
}

void mx_refuse(const mx_call* c, const fb_error* error) {
  char text[1400];
  mx_fail(c, fb_status_name(error->status), "%s", fb_error_format(error, text, sizeof text));
}

void mx_check(const mx_call* c, fb_status status, const fb_error* error) {
  if (status) mx_refuse(c, error);
}

/* Any real, full, numeric array as doubles that the interpreter frees. */
static const double* converted(const mx_call* c, const mxArray* a, const char* what, size_t count) {
  double* out = mxMalloc((count + 1) * sizeof *out);
  const void* data = mxGetData(a);
#define AS(id, type)                                                            \
  case id:                                                                      \
    for (size_t i = 0; i < count; i++) out[i] = (double)((const type*)data)[i]; \
    return out;
  switch (mxGetClassID(a)) {
    AS(mxDOUBLE_CLASS, double)
    AS(mxSINGLE_CLASS, float)
    AS(mxLOGICAL_CLASS, mxLogical)
    AS(mxINT8_CLASS, signed char)
    AS(mxUINT8_CLASS, unsigned char)
    AS(mxINT16_CLASS, short)
    AS(mxUINT16_CLASS, unsigned short)
    AS(mxINT32_CLASS, int)
    AS(mxUINT32_CLASS, unsigned)
    AS(mxINT64_CLASS, long long)
    AS(mxUINT64_CLASS, unsigned long long)
    default:
      break;
  }
#undef AS
  mx_fail(c, "type", "%s is a %s; give real numbers", what, mxGetClassName(a));
  return NULL;
}

const double* mx_doubles(const mx_call* c, const mxArray* a, const char* what, size_t count, int finite) {
  if (!a) mx_fail(c, "argument", "%s is missing", what);
  if (!mxIsNumeric(a) && !mxIsLogical(a))
    mx_fail(c, "type", "%s is a %s; give real numbers", what, mxGetClassName(a));
  if (mxIsSparse(a)) mx_fail(c, "type", "%s is sparse; give full(%s)", what, what);
  if (mxIsComplex(a)) mx_fail(c, "type", "%s is complex; give real numbers", what);
  size_t have = mxGetNumberOfElements(a);
  if (have != count)
    mx_fail(c, "size", "%s has %d x %d numbers; %d are needed", what, (int)mxGetM(a), (int)mxGetN(a),
            (int)count);
  if (count == 0) return mxCalloc(1, sizeof(double));
  const double* x = mxIsDouble(a) ? mxGetPr(a) : converted(c, a, what, count);
  for (size_t i = 0; finite && i < count; i++)
    if (!isfinite(x[i]))
      mx_fail(c, "value", "%s(%d) is %s", what, (int)i + 1, isnan(x[i]) ? "NaN" : "infinite");
  return x;
}

static const mxArray* argument_of(const mx_call* c, int argument, const char* what) {
  if (argument >= c->nrhs)
    mx_fail(c, "argument", "too few arguments: %s is missing; help %s shows the call", what, c->name);
  return c->prhs[argument];
}

double mx_scalar(const mx_call* c, int argument, const char* what) {
  return *mx_doubles(c, argument_of(c, argument, what), what, 1, 1);
}

int mx_index(const mx_call* c, int argument, const char* what, int most) {
  double x = mx_scalar(c, argument, what);
  if (x != floor(x) || x < 1 || x > most)
    mx_fail(c, "value", "%s is %g; it must be an integer from 1 to %d", what, x, most);
  return (int)x;
}

/* Not mxArrayToString: Octave does not free what it returns. */
char* mx_string(const mxArray* a) {
  size_t size = mxGetNumberOfElements(a) + 1;
  char* text = mxCalloc(size, 1);
  if (mxGetString(a, text, (mwSize)size)) text[0] = 0;
  return text;
}

char* mx_text(const mx_call* c, int argument, const char* what) {
  const mxArray* a = argument_of(c, argument, what);
  if (!mxIsChar(a)) mx_fail(c, "type", "%s is a %s; give a text", what, mxGetClassName(a));
  return mx_string(a);
}

mxArray* mx_matrix(size_t rows, size_t columns, const double* values) {
  mxArray* a = mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL);
  if (values && rows * columns > 0) memcpy(mxGetPr(a), values, rows * columns * sizeof *values);
  return a;
}

mxArray* mx_like(const mxArray* shape, const double* values) {
  return mx_matrix(mxGetM(shape), mxGetN(shape), values);
}

mxArray* mx_empty(void) {
  return mxCreateDoubleMatrix(0, 0, mxREAL);
}
