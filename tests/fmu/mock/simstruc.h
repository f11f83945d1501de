/* simstruc.h -- a stand-in for Simulink's header of that name: as much of it as the S-functions of `freebody sfunction` use,
 * with the names and types of its documentation. What it cannot show is how Simulink itself calls them. */
#ifndef FB_TESTS_MOCK_SIMSTRUC_H
#define FB_TESTS_MOCK_SIMSTRUC_H

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if !defined(S_FUNCTION_NAME) || S_FUNCTION_LEVEL != 2
#error "an S-function names itself and its level before it includes simstruc.h"
#endif

typedef int int_T;
typedef double real_T;
typedef double time_T;

#define MOST_PORTS 64
#define MOST_WIDTH 64

typedef struct mxArray {
  const char* text; /* or NULL: a number */
  double number;
} mxArray;

typedef struct SimStruct {
  int parameters_wanted, parameters_given, ninput, noutput, nwork, sample_times, stop, states;
  int input_width[MOST_PORTS], output_width[MOST_PORTS], contiguous[MOST_PORTS], feedthrough[MOST_PORTS];
  mxArray parameters[4];
  double input[MOST_PORTS][MOST_WIDTH], output[MOST_PORTS][MOST_WIDTH];
  double t, start, sample_time, offset;
  void* work[4];
  const char* error;
} SimStruct;

static inline bool mxIsChar(const mxArray* a) {
  return a->text != NULL;
}
static inline bool mxIsDouble(const mxArray* a) {
  return a->text == NULL;
}
static inline size_t mxGetNumberOfElements(const mxArray* a) {
  return a->text ? strlen(a->text) : 1;
}
static inline double mxGetScalar(const mxArray* a) {
  return a->number;
}
static inline int mxGetString(const mxArray* a, char* buffer, size_t size) {
  if (!a->text || strlen(a->text) >= size) return 1;
  strcpy(buffer, a->text);
  return 0;
}

#define DISALLOW_SIM_STATE 1
#define ssSetNumSFcnParams(S, n) ((S)->parameters_wanted = (n))
#define ssGetNumSFcnParams(S) ((S)->parameters_wanted)
#define ssGetSFcnParamsCount(S) ((S)->parameters_given)
#define ssGetSFcnParam(S, i) ((const mxArray*)&(S)->parameters[i])
#define ssSetSFcnParamTunable(S, i, tunable) ((void)(S), (void)(i), (void)(tunable))
#define ssSetNumContStates(S, n) ((S)->states += (n))
#define ssSetNumDiscStates(S, n) ((S)->states += (n))
#define ssSetNumInputPorts(S, n) ((n) <= MOST_PORTS ? ((S)->ninput = (n), 1) : 0)
#define ssSetNumOutputPorts(S, n) ((n) <= MOST_PORTS ? ((S)->noutput = (n), 1) : 0)
#define ssSetInputPortWidth(S, i, w) ((S)->input_width[i] = (w))
#define ssSetOutputPortWidth(S, i, w) ((S)->output_width[i] = (w))
#define ssSetInputPortRequiredContiguous(S, i, yes) ((S)->contiguous[i] = (yes))
#define ssSetInputPortDirectFeedThrough(S, i, yes) ((S)->feedthrough[i] = (yes))
#define ssSetNumSampleTimes(S, n) ((S)->sample_times = (n))
#define ssSetNumPWork(S, n) ((S)->nwork = (n))
#define ssSetSimStateCompliance(S, what) ((void)(S), (void)(what))
#define ssSetSampleTime(S, i, time) ((void)(i), (S)->sample_time = (time))
#define ssSetOffsetTime(S, i, time) ((void)(i), (S)->offset = (time))
#define ssGetPWorkValue(S, i) ((S)->work[i])
#define ssSetPWorkValue(S, i, p) ((S)->work[i] = (p))
#define ssSetErrorStatus(S, text) ((S)->error = (text))
#define ssGetErrorStatus(S) ((S)->error)
#define ssGetTStart(S) ((S)->start)
#define ssGetT(S) ((S)->t)
#define ssGetInputPortRealSignal(S, i) ((const real_T*)(S)->input[i])
#define ssGetOutputPortRealSignal(S, i) ((S)->output[i])
#define ssSetStopRequested(S, yes) ((S)->stop = (yes))

#endif
