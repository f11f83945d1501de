/* fmi3.c -- a unit as FMI 3.0 for co-simulation sees it. What the unit does not have is in fmi3_without.c. A NULL instance is
 * answered with fmi3Error. */
#include "fmi3.h"

#include "fmi3_refuse.h"

static void log_message(const unit* u, unit_status status, const char* category, const char* text) {
  fmi3LogMessageCallback logger = (fmi3LogMessageCallback)u->logger;
  if (logger) logger(u->environment, fmi3_status(status), category, text);
}

/* --- life --- */

const char* fmi3GetVersion(void) {
  return "3.0";
}

static unit how_of(fmi3Boolean logging, fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  return (unit){
      .log = log_message, .logger = (void (*)(void))log, .environment = environment, .debug = logging};
}

fmi3Instance fmi3InstantiateCoSimulation(fmi3String name, fmi3String token, fmi3String resources,
                                         fmi3Boolean visible, fmi3Boolean logging, fmi3Boolean event_mode,
                                         fmi3Boolean early_return, const fmi3ValueReference* intermediate,
                                         size_t nintermediate, fmi3InstanceEnvironment environment,
                                         fmi3LogMessageCallback log, fmi3IntermediateUpdateCallback update) {
  char folder[4096];
  unit how = how_of(logging, environment, log);
  (void)visible, (void)early_return, (void)intermediate, (void)update;
  if (event_mode || nintermediate > 0)
    unit_refuse(&how, "the unit has no event mode and no intermediate variables");
  else if (!name || !name[0])
    unit_refuse(&how, "the instance has no name");
  else if (!resources || !unit_path(resources, folder, sizeof folder))
    unit_refuse(&how, "the path of the resources, \"%.200s\", is not a folder of this machine",
                resources ? resources : "");
  else
    return unit_new(&how, name, token, folder);
  return NULL;
}

fmi3Instance fmi3InstantiateModelExchange(fmi3String name, fmi3String token, fmi3String resources,
                                          fmi3Boolean visible, fmi3Boolean logging,
                                          fmi3InstanceEnvironment environment, fmi3LogMessageCallback log) {
  unit how = how_of(logging, environment, log);
  (void)name, (void)token, (void)resources, (void)visible;
  unit_refuse(&how, "the unit is for co-simulation, not for model exchange");
  return NULL;
}

fmi3Instance fmi3InstantiateScheduledExecution(fmi3String name, fmi3String token, fmi3String resources,
                                               fmi3Boolean visible, fmi3Boolean logging,
                                               fmi3InstanceEnvironment environment,
                                               fmi3LogMessageCallback log, fmi3ClockUpdateCallback update,
                                               fmi3LockPreemptionCallback lock,
                                               fmi3UnlockPreemptionCallback unlock) {
  unit how = how_of(logging, environment, log);
  (void)name, (void)token, (void)resources, (void)visible, (void)update, (void)lock, (void)unlock;
  unit_refuse(&how, "the unit is for co-simulation, not for scheduled execution");
  return NULL;
}

void fmi3FreeInstance(fmi3Instance i) {
  unit_free((unit*)i);
}

fmi3Status fmi3SetDebugLogging(fmi3Instance i, fmi3Boolean on, size_t count, const fmi3String* categories) {
  (void)count, (void)categories;
  if (!i) return fmi3Error;
  ((unit*)i)->debug = on;
  return fmi3OK;
}

fmi3Status fmi3EnterInitializationMode(fmi3Instance i, fmi3Boolean tolerance_defined, fmi3Float64 tolerance,
                                       fmi3Float64 start, fmi3Boolean stop_defined, fmi3Float64 stop) {
  (void)tolerance_defined, (void)tolerance;
  if (!i) return fmi3Error;
  unit_status status = unit_set_up((unit*)i, start, stop_defined, stop);
  return fmi3_status(status ? status : unit_enter_initialization((unit*)i));
}

fmi3Status fmi3ExitInitializationMode(fmi3Instance i) {
  return i ? fmi3_status(unit_exit_initialization((unit*)i)) : fmi3Error;
}

fmi3Status fmi3Terminate(fmi3Instance i) {
  return i ? fmi3_status(unit_terminate((unit*)i)) : fmi3Error;
}

fmi3Status fmi3Reset(fmi3Instance i) {
  return i ? fmi3_status(unit_reset((unit*)i)) : fmi3Error;
}

/* --- variables: all of them are 64-bit numbers, none is an array --- */

static fmi3Status check_count(fmi3Instance i, size_t count, size_t nvalue) {
  if (!i) return fmi3Error;
  if (count == nvalue) return fmi3OK;
  return fmi3_status(unit_refuse((unit*)i, "%zu value references with %zu values; all variables are scalars",
                                 count, nvalue));
}

fmi3Status fmi3GetFloat64(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                          fmi3Float64* values, size_t nvalue) {
  fmi3Status status = check_count(i, count, nvalue);
  return status ? status : fmi3_status(unit_get((unit*)i, references, count, values));
}

fmi3Status fmi3SetFloat64(fmi3Instance i, const fmi3ValueReference* references, size_t count,
                          const fmi3Float64* values, size_t nvalue) {
  fmi3Status status = check_count(i, count, nvalue);
  return status ? status : fmi3_status(unit_set((unit*)i, references, count, values));
}

/* --- states --- */

fmi3Status fmi3GetFMUState(fmi3Instance i, fmi3FMUState* state) {
  if (!i || !state) return fmi3Error;
  unit_state* s = (unit_state*)*state;
  unit_status status = unit_save((unit*)i, &s);
  *state = s;
  return fmi3_status(status);
}

fmi3Status fmi3SetFMUState(fmi3Instance i, fmi3FMUState state) {
  return i ? fmi3_status(unit_restore((unit*)i, (const unit_state*)state)) : fmi3Error;
}

fmi3Status fmi3FreeFMUState(fmi3Instance i, fmi3FMUState* state) {
  if (!i) return fmi3Error;
  if (state) unit_free_state((unit_state*)*state);
  if (state) *state = NULL;
  return fmi3OK;
}

fmi3Status fmi3SerializedFMUStateSize(fmi3Instance i, fmi3FMUState state, size_t* size) {
  if (!i || !size) return fmi3Error;
  if (!state) return fmi3_status(unit_refuse((unit*)i, "there is no state"));
  *size = unit_state_size((const unit_state*)state);
  return fmi3OK;
}

fmi3Status fmi3SerializeFMUState(fmi3Instance i, fmi3FMUState state, fmi3Byte* bytes, size_t size) {
  return i ? fmi3_status(unit_write_state((unit*)i, (const unit_state*)state, bytes, size)) : fmi3Error;
}

fmi3Status fmi3DeserializeFMUState(fmi3Instance i, const fmi3Byte* bytes, size_t size, fmi3FMUState* state) {
  if (!i || !state) return fmi3Error;
  unit_state* s = (unit_state*)*state;
  unit_status status = unit_read_state((unit*)i, bytes, size, &s);
  *state = s;
  return fmi3_status(status);
}

/* --- steps --- */

/* A stop by an event of the scenario is no error: *terminate says so, and *last_time where it is. */
fmi3Status fmi3DoStep(fmi3Instance i, fmi3Float64 from, fmi3Float64 step, fmi3Boolean no_return,
                      fmi3Boolean* event_needed, fmi3Boolean* terminate, fmi3Boolean* early_return,
                      fmi3Float64* last_time) {
  (void)no_return;
  if (!i) return fmi3Error;
  unit* u = (unit*)i;
  unit_status status = unit_step(u, from, step);
  if (event_needed) *event_needed = false;
  if (terminate) *terminate = status == UNIT_DISCARD;
  if (early_return) *early_return = false;
  if (last_time) *last_time = fb_plant_time(u->plant);
  return fmi3_status(status == UNIT_DISCARD ? UNIT_OK : status);
}
