/* fmi3.h -- the part of FMI 3.0 for co-simulation, as the standard describes it (fmi-standard.org, version 3.0.2, sections
 * 2.2 and 4.2): types and prototypes, all that a unit must export. */
#ifndef FREEBODY_FMI3_H
#define FREEBODY_FMI3_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <freebody/export.h>

typedef void* fmi3Instance;
typedef void* fmi3InstanceEnvironment;
typedef void* fmi3FMUState;
typedef uint32_t fmi3ValueReference;
typedef float fmi3Float32;
typedef double fmi3Float64;
typedef int8_t fmi3Int8;
typedef uint8_t fmi3UInt8;
typedef int16_t fmi3Int16;
typedef uint16_t fmi3UInt16;
typedef int32_t fmi3Int32;
typedef uint32_t fmi3UInt32;
typedef int64_t fmi3Int64;
typedef uint64_t fmi3UInt64;
typedef bool fmi3Boolean;
typedef const char* fmi3String;
typedef uint8_t fmi3Byte;
typedef const fmi3Byte* fmi3Binary;
typedef bool fmi3Clock;

typedef enum { fmi3OK, fmi3Warning, fmi3Discard, fmi3Error, fmi3Fatal } fmi3Status;
typedef enum {
  fmi3Independent,
  fmi3Constant,
  fmi3Fixed,
  fmi3Tunable,
  fmi3Discrete,
  fmi3Dependent
} fmi3DependencyKind;
typedef enum { fmi3IntervalNotYetKnown, fmi3IntervalUnchanged, fmi3IntervalChanged } fmi3IntervalQualifier;

typedef void (*fmi3LogMessageCallback)(fmi3InstanceEnvironment environment, fmi3Status status,
                                       fmi3String category, fmi3String message);
typedef void (*fmi3ClockUpdateCallback)(fmi3InstanceEnvironment environment);
typedef void (*fmi3IntermediateUpdateCallback)(fmi3InstanceEnvironment environment, fmi3Float64 time,
                                               fmi3Boolean set_requested, fmi3Boolean get_allowed,
                                               fmi3Boolean step_finished, fmi3Boolean can_return_early,
                                               fmi3Boolean* early_return, fmi3Float64* early_return_time);
typedef void (*fmi3LockPreemptionCallback)(void);
typedef void (*fmi3UnlockPreemptionCallback)(void);

FB_BEGIN_DECLS

FB_API const char* fmi3GetVersion(void);
FB_API fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count,
                                      const fmi3String* categories);
FB_API fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                                 fmi3Boolean visible, fmi3Boolean logging,
                                                 fmi3InstanceEnvironment environment,
                                                 fmi3LogMessageCallback log);
FB_API fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                                fmi3Boolean visible, fmi3Boolean logging,
                                                fmi3Boolean event_mode, fmi3Boolean early_return,
                                                const fmi3ValueReference* intermediate, size_t nintermediate,
                                                fmi3InstanceEnvironment environment,
                                                fmi3LogMessageCallback log,
                                                fmi3IntermediateUpdateCallback update);
FB_API fmi3Instance fmi3InstantiateScheduledExecution(
    fmi3String name, fmi3String token, fmi3String resources, fmi3Boolean visible, fmi3Boolean logging,
    fmi3InstanceEnvironment environment, fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
    fmi3LockPreemptionCallback lock, fmi3UnlockPreemptionCallback unlock);
FB_API void fmi3FreeInstance(fmi3Instance i);

FB_API fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean tolerance_defined,
                                              fmi3Float64 tolerance, fmi3Float64 start,
                                              fmi3Boolean stop_defined, fmi3Float64 stop);
FB_API fmi3Status fmi3ExitInitializationMode(fmi3Instance i);
FB_API fmi3Status fmi3Terminate(fmi3Instance i);
FB_API fmi3Status fmi3Reset(fmi3Instance i);
FB_API fmi3Status fmi3EnterEventMode(fmi3Instance i);
FB_API fmi3Status fmi3EnterStepMode(fmi3Instance i);
FB_API fmi3Status fmi3EnterConfigurationMode(fmi3Instance i);
FB_API fmi3Status fmi3ExitConfigurationMode(fmi3Instance i);
FB_API fmi3Status fmi3EvaluateDiscreteStates(fmi3Instance i);
FB_API fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean* again, fmi3Boolean* terminate,
                                           fmi3Boolean* nominals_changed, fmi3Boolean* states_changed,
                                           fmi3Boolean* next_defined, fmi3Float64* next);

/* Variables of the one type that the unit has, and of those that it has not. */
#define FMI3_NUMBERS(X) \
  X(Float32) X(Int8) X(UInt8) X(Int16) X(UInt16) X(Int32) X(UInt32) X(Int64) X(UInt64) X(Boolean) X(String)
#define FMI3_DECLARE_ACCESS(type)                                                                     \
  FB_API fmi3Status fmi3Get##type(fmi3Instance i, const fmi3ValueReference* references, size_t count, \
                                  fmi3##type* values, size_t nvalue);                                 \
  FB_API fmi3Status fmi3Set##type(fmi3Instance i, const fmi3ValueReference* references, size_t count, \
                                  const fmi3##type* values, size_t nvalue);
FMI3_DECLARE_ACCESS(Float64)
FMI3_NUMBERS(FMI3_DECLARE_ACCESS)
FB_API fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                size_t* sizes, fmi3Binary* values, size_t nvalue);
FB_API fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                const size_t* sizes, const fmi3Binary* values, size_t nvalue);
FB_API fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                               fmi3Clock* values);
FB_API fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                               const fmi3Clock* values);

FB_API fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState* state);
FB_API fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state);
FB_API fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* state);
FB_API fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t* size);
FB_API fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte* bytes, size_t size);
FB_API fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte* bytes, size_t size,
                                          fmi3FMUState* state);

FB_API fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference reference,
                                                      size_t* count);
FB_API fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference dependent,
                                              size_t* dependent_elements, fmi3ValueReference* independents,
                                              size_t* independent_elements, fmi3DependencyKind* kinds,
                                              size_t count);
FB_API fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference* unknowns,
                                               size_t nunknown, const fmi3ValueReference* knowns,
                                               size_t nknown, const fmi3Float64* seed, size_t nseed,
                                               fmi3Float64* sensitivity, size_t nsensitivity);
FB_API fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference* unknowns,
                                           size_t nunknown, const fmi3ValueReference* knowns, size_t nknown,
                                           const fmi3Float64* seed, size_t nseed, fmi3Float64* sensitivity,
                                           size_t nsensitivity);
FB_API fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                           const fmi3Int32* orders, fmi3Float64* values, size_t nvalue);

FB_API fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                         fmi3Float64* intervals, fmi3IntervalQualifier* qualifiers);
FB_API fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                          fmi3UInt64* counters, fmi3UInt64* resolutions,
                                          fmi3IntervalQualifier* qualifiers);
FB_API fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                      fmi3Float64* shifts);
FB_API fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                       fmi3UInt64* counters, fmi3UInt64* resolutions);
FB_API fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                         const fmi3Float64* intervals);
FB_API fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                          const fmi3UInt64* counters, const fmi3UInt64* resolutions);
FB_API fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                      const fmi3Float64* shifts);
FB_API fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                       const fmi3UInt64* counters, const fmi3UInt64* resolutions);

/* Of model exchange and scheduled execution, which the unit is not for: importers look the names up all the same. */
FB_API fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i);
FB_API fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean no_return, fmi3Boolean* event_mode,
                                              fmi3Boolean* terminate);
FB_API fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 time);
FB_API fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64* states, size_t count);
FB_API fmi3Status fmi3GetContinuousStateDerivatives(fmi3Instance i, fmi3Float64* derivatives, size_t count);
FB_API fmi3Status fmi3GetEventIndicators(fmi3Instance i, fmi3Float64* indicators, size_t count);
FB_API fmi3Status fmi3GetContinuousStates(fmi3Instance i, fmi3Float64* states, size_t count);
FB_API fmi3Status fmi3GetNominalsOfContinuousStates(fmi3Instance i, fmi3Float64* nominals, size_t count);
FB_API fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t* count);
FB_API fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t* count);
FB_API fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference clock, fmi3Float64 time);

FB_API fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 from, fmi3Float64 step, fmi3Boolean no_return,
                             fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                             fmi3Float64* last_time);

FB_END_DECLS

#endif
