/* fmi3_without.c -- calls of FMI 3.0 for what the unit does not have: other types, clocks, derivatives, event mode,
 * other interfaces. Importers look for all of them. Calls for no variables at all succeed. */
#include "fmi3_refuse.h"

/* --- modes --- */

#define MODE(name, why)                   \
  fmi3Status fmi3##name(fmi3Instance i) { \
    return fmi3_refuse(i, why);           \
  }
MODE(EnterEventMode, "the unit has no event mode; events are handled inside steps")
MODE(EnterStepMode, "the unit has no event mode, so that it is always in step mode")
MODE(EnterConfigurationMode, "the unit has no structural parameters")
MODE(ExitConfigurationMode, "the unit has no structural parameters")
MODE(EvaluateDiscreteStates, "the unit has no event mode; events are handled inside steps")

fmi3Status fmi3UpdateDiscreteStates(fmi3Instance i, fmi3Boolean* again, fmi3Boolean* terminate,
                                    fmi3Boolean* nominals_changed, fmi3Boolean* states_changed,
                                    fmi3Boolean* next_defined, fmi3Float64* next) {
  (void)again, (void)terminate, (void)nominals_changed, (void)states_changed, (void)next_defined, (void)next;
  return fmi3_refuse(i, "the unit has no event mode; events are handled inside steps");
}

/* --- types --- */

static fmi3Status refuse_type(fmi3Instance i, size_t count, const char* why) {
  return i && count == 0 ? fmi3OK : fmi3_refuse(i, why);
}

#define ACCESS(type)                                                                                  \
  fmi3Status fmi3Get##type(fmi3Instance i, const fmi3ValueReference* references, size_t count,        \
                           fmi3##type* values, size_t nvalue) {                                       \
    (void)references, (void)values, (void)nvalue;                                                     \
    return refuse_type(i, count, "the unit has no variables of type " #type "; they are of Float64"); \
  }                                                                                                   \
  fmi3Status fmi3Set##type(fmi3Instance i, const fmi3ValueReference* references, size_t count,        \
                           const fmi3##type* values, size_t nvalue) {                                 \
    (void)references, (void)values, (void)nvalue;                                                     \
    return refuse_type(i, count, "the unit has no variables of type " #type "; they are of Float64"); \
  }
FMI3_NUMBERS(ACCESS)

static const char NO_BINARY[] = "the unit has no variables of type Binary; they are of Float64";
static const char NO_CLOCK[] = "the unit has no clocks";

fmi3Status fmi3GetBinary(fmi3Instance i, const fmi3ValueReference* references, size_t count, size_t* sizes,
                         fmi3Binary* values, size_t nvalue) {
  (void)references, (void)sizes, (void)values, (void)nvalue;
  return refuse_type(i, count, NO_BINARY);
}

fmi3Status fmi3SetBinary(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                         const size_t* sizes, const fmi3Binary* values, size_t nvalue) {
  (void)references, (void)sizes, (void)values, (void)nvalue;
  return refuse_type(i, count, NO_BINARY);
}

fmi3Status fmi3GetClock(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                        fmi3Clock* values) {
  (void)references, (void)values;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3SetClock(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                        const fmi3Clock* values) {
  (void)references, (void)values;
  return refuse_type(i, count, NO_CLOCK);
}

/* --- clocks --- */

fmi3Status fmi3GetIntervalDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                  fmi3Float64* intervals, fmi3IntervalQualifier* qualifiers) {
  (void)references, (void)intervals, (void)qualifiers;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3GetIntervalFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                   fmi3UInt64* counters, fmi3UInt64* resolutions,
                                   fmi3IntervalQualifier* qualifiers) {
  (void)references, (void)counters, (void)resolutions, (void)qualifiers;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3GetShiftDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                               fmi3Float64* shifts) {
  (void)references, (void)shifts;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3GetShiftFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                fmi3UInt64* counters, fmi3UInt64* resolutions) {
  (void)references, (void)counters, (void)resolutions;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3SetIntervalDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                  const fmi3Float64* intervals) {
  (void)references, (void)intervals;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3SetIntervalFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                   const fmi3UInt64* counters, const fmi3UInt64* resolutions) {
  (void)references, (void)counters, (void)resolutions;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3SetShiftDecimal(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                               const fmi3Float64* shifts) {
  (void)references, (void)shifts;
  return refuse_type(i, count, NO_CLOCK);
}

fmi3Status fmi3SetShiftFraction(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                const fmi3UInt64* counters, const fmi3UInt64* resolutions) {
  (void)references, (void)counters, (void)resolutions;
  return refuse_type(i, count, NO_CLOCK);
}

/* --- derivatives and dependencies --- */

static const char NO_DERIVATIVES[] = "the unit has no derivatives of its variables";
static const char NO_DEPENDENCIES[] = "the unit does not list which variable depends on which: all may";

fmi3Status fmi3GetNumberOfVariableDependencies(fmi3Instance i, fmi3ValueReference reference, size_t* count) {
  (void)reference, (void)count;
  return fmi3_refuse(i, NO_DEPENDENCIES);
}

fmi3Status fmi3GetVariableDependencies(fmi3Instance i, fmi3ValueReference dependent,
                                       size_t* dependent_elements, fmi3ValueReference* independents,
                                       size_t* independent_elements, fmi3DependencyKind* kinds,
                                       size_t count) {
  (void)dependent, (void)dependent_elements, (void)independents, (void)independent_elements, (void)kinds;
  (void)count;
  return fmi3_refuse(i, NO_DEPENDENCIES);
}

fmi3Status fmi3GetDirectionalDerivative(fmi3Instance i, const fmi3ValueReference* unknowns, size_t nunknown,
                                        const fmi3ValueReference* knowns, size_t nknown,
                                        const fmi3Float64* seed, size_t nseed, fmi3Float64* sensitivity,
                                        size_t nsensitivity) {
  (void)unknowns, (void)nunknown, (void)knowns, (void)nknown, (void)seed, (void)nseed, (void)sensitivity;
  (void)nsensitivity;
  return fmi3_refuse(i, NO_DERIVATIVES);
}

fmi3Status fmi3GetAdjointDerivative(fmi3Instance i, const fmi3ValueReference* unknowns, size_t nunknown,
                                    const fmi3ValueReference* knowns, size_t nknown, const fmi3Float64* seed,
                                    size_t nseed, fmi3Float64* sensitivity, size_t nsensitivity) {
  return fmi3GetDirectionalDerivative(i, unknowns, nunknown, knowns, nknown, seed, nseed, sensitivity,
                                      nsensitivity);
}

fmi3Status fmi3GetOutputDerivatives(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                                    const fmi3Int32* orders, fmi3Float64* values, size_t nvalue) {
  (void)references, (void)orders, (void)values, (void)nvalue;
  return refuse_type(i, count, NO_DERIVATIVES);
}

/* --- model exchange and scheduled execution --- */

static const char NO_EXCHANGE[] = "the unit is for co-simulation, not for model exchange";

fmi3Status fmi3EnterContinuousTimeMode(fmi3Instance i) {
  return fmi3_refuse(i, NO_EXCHANGE);
}

fmi3Status fmi3CompletedIntegratorStep(fmi3Instance i, fmi3Boolean no_return, fmi3Boolean* event_mode,
                                       fmi3Boolean* terminate) {
  (void)no_return, (void)event_mode, (void)terminate;
  return fmi3_refuse(i, NO_EXCHANGE);
}

fmi3Status fmi3SetTime(fmi3Instance i, fmi3Float64 time) {
  (void)time;
  return fmi3_refuse(i, NO_EXCHANGE);
}

fmi3Status fmi3SetContinuousStates(fmi3Instance i, const fmi3Float64* states, size_t count) {
  (void)states, (void)count;
  return fmi3_refuse(i, NO_EXCHANGE);
}

#define STATES(name)                                                         \
  fmi3Status fmi3##name(fmi3Instance i, fmi3Float64* values, size_t count) { \
    (void)values, (void)count;                                               \
    return fmi3_refuse(i, NO_EXCHANGE);                                      \
  }
STATES(GetContinuousStateDerivatives)
STATES(GetEventIndicators)
STATES(GetContinuousStates)
STATES(GetNominalsOfContinuousStates)

fmi3Status fmi3GetNumberOfEventIndicators(fmi3Instance i, size_t* count) {
  (void)count;
  return fmi3_refuse(i, NO_EXCHANGE);
}

fmi3Status fmi3GetNumberOfContinuousStates(fmi3Instance i, size_t* count) {
  (void)count;
  return fmi3_refuse(i, NO_EXCHANGE);
}

fmi3Status fmi3ActivateModelPartition(fmi3Instance i, fmi3ValueReference clock, fmi3Float64 time) {
  (void)clock, (void)time;
  return fmi3_refuse(i, "the unit is for co-simulation, not for scheduled execution");
}
