/* fmi2.h -- the part of FMI 2.0 for co-simulation, as the standard describes it (fmi-standard.org, version 2.0.5, sections
 * 2.1 and 4.2): types and prototypes. Only what model exchange needs is missing. */
#ifndef FREEBODY_FMI2_H
#define FREEBODY_FMI2_H

#include <stddef.h>

#include <freebody/export.h>

typedef void* fmi2Component;
typedef void* fmi2ComponentEnvironment;
typedef void* fmi2FMUstate;
typedef unsigned int fmi2ValueReference;
typedef double fmi2Real;
typedef int fmi2Integer;
typedef int fmi2Boolean;
typedef const char* fmi2String;
typedef char fmi2Byte;

typedef enum { fmi2OK, fmi2Warning, fmi2Discard, fmi2Error, fmi2Fatal, fmi2Pending } fmi2Status;
typedef enum { fmi2ModelExchange, fmi2CoSimulation } fmi2Type;
typedef enum { fmi2DoStepStatus, fmi2PendingStatus, fmi2LastSuccessfulTime, fmi2Terminated } fmi2StatusKind;

typedef void (*fmi2CallbackLogger)(fmi2ComponentEnvironment environment, fmi2String instance,
                                   fmi2Status status, fmi2String category, fmi2String message, ...);

typedef struct {
  fmi2CallbackLogger logger;
  void* (*allocateMemory)(size_t count, size_t size);
  void (*freeMemory)(void* memory);
  void (*stepFinished)(fmi2ComponentEnvironment environment, fmi2Status status);
  fmi2ComponentEnvironment componentEnvironment;
} fmi2CallbackFunctions;

FB_BEGIN_DECLS

FB_API const char* fmi2GetTypesPlatform(void);
FB_API const char* fmi2GetVersion(void);
FB_API fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count,
                                      const fmi2String* categories);
FB_API fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                                     const fmi2CallbackFunctions* callbacks, fmi2Boolean visible,
                                     fmi2Boolean logging);
FB_API void fmi2FreeInstance(fmi2Component c);
FB_API fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                                      fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop);
FB_API fmi2Status fmi2EnterInitializationMode(fmi2Component c);
FB_API fmi2Status fmi2ExitInitializationMode(fmi2Component c);
FB_API fmi2Status fmi2Terminate(fmi2Component c);
FB_API fmi2Status fmi2Reset(fmi2Component c);

#define FMI2_ACCESS(X) X(Real) X(Integer) X(Boolean) X(String)
#define FMI2_DECLARE(type)                                                                             \
  FB_API fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference* references, size_t count, \
                                  fmi2##type* values);                                                 \
  FB_API fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference* references, size_t count, \
                                  const fmi2##type* values);
FMI2_ACCESS(FMI2_DECLARE)

FB_API fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state);
FB_API fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state);
FB_API fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state);
FB_API fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size);
FB_API fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte* bytes, size_t size);
FB_API fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte* bytes, size_t size,
                                          fmi2FMUstate* state);
FB_API fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference* unknowns,
                                               size_t nunknown, const fmi2ValueReference* knowns,
                                               size_t nknown, const fmi2Real* seed, fmi2Real* sensitivity);

FB_API fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference* references,
                                              size_t count, const fmi2Integer* order, const fmi2Real* values);
FB_API fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference* references,
                                               size_t count, const fmi2Integer* order, fmi2Real* values);
FB_API fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real step, fmi2Boolean no_return);
FB_API fmi2Status fmi2CancelStep(fmi2Component c);
FB_API fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status* value);
FB_API fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value);
FB_API fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer* value);
FB_API fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value);
FB_API fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String* value);

FB_END_DECLS

#endif
