/* fmi2.c -- a unit as FMI 2.0 for co-simulation sees it. A NULL component is answered with fmi2Error. */
#include "fmi2.h"

#include "unit.h"

static fmi2Status status_of(unit_status status) {
  return (fmi2Status)status; /* the same numbers */
}

static void log_message(const unit* u, unit_status status, const char* category, const char* text) {
  fmi2CallbackLogger logger = (fmi2CallbackLogger)u->logger;
  if (logger) logger(u->environment, u->name ? u->name : "", status_of(status), category, "%s", text);
}

/* --- life --- */

const char* fmi2GetTypesPlatform(void) {
  return "default";
}

const char* fmi2GetVersion(void) {
  return "2.0";
}

fmi2Component fmi2Instantiate(fmi2String name, fmi2Type type, fmi2String guid, fmi2String resources,
                              const fmi2CallbackFunctions* callbacks, fmi2Boolean visible,
                              fmi2Boolean logging) {
  char folder[4096];
  unit how = {.log = log_message,
              .logger = callbacks ? (void (*)(void))callbacks->logger : NULL,
              .environment = callbacks ? callbacks->componentEnvironment : NULL,
              .debug = logging};
  (void)visible;
  if (type != fmi2CoSimulation)
    unit_refuse(&how, "the unit is for co-simulation, not for model exchange");
  else if (!name || !name[0])
    unit_refuse(&how, "the instance has no name");
  else if (!resources || !unit_path(resources, folder, sizeof folder))
    unit_refuse(&how,
                "the location of the resources, \"%.200s\", is not a folder of this machine (file:///...)",
                resources ? resources : "");
  else
    return unit_new(&how, name, guid, folder);
  return NULL;
}

void fmi2FreeInstance(fmi2Component c) {
  unit_free((unit*)c);
}

fmi2Status fmi2SetDebugLogging(fmi2Component c, fmi2Boolean on, size_t count, const fmi2String* categories) {
  (void)count, (void)categories;
  if (!c) return fmi2Error;
  ((unit*)c)->debug = on;
  return fmi2OK;
}

fmi2Status fmi2SetupExperiment(fmi2Component c, fmi2Boolean tolerance_defined, fmi2Real tolerance,
                               fmi2Real start, fmi2Boolean stop_defined, fmi2Real stop) {
  (void)tolerance_defined, (void)tolerance;
  return c ? status_of(unit_set_up((unit*)c, start, stop_defined, stop)) : fmi2Error;
}

fmi2Status fmi2EnterInitializationMode(fmi2Component c) {
  return c ? status_of(unit_enter_initialization((unit*)c)) : fmi2Error;
}

fmi2Status fmi2ExitInitializationMode(fmi2Component c) {
  return c ? status_of(unit_exit_initialization((unit*)c)) : fmi2Error;
}

fmi2Status fmi2Terminate(fmi2Component c) {
  return c ? status_of(unit_terminate((unit*)c)) : fmi2Error;
}

fmi2Status fmi2Reset(fmi2Component c) {
  return c ? status_of(unit_reset((unit*)c)) : fmi2Error;
}

/* --- variables: all of them are real numbers --- */

fmi2Status fmi2GetReal(fmi2Component c, const fmi2ValueReference* references, size_t count,
                       fmi2Real* values) {
  return c ? status_of(unit_get((unit*)c, references, count, values)) : fmi2Error;
}

fmi2Status fmi2SetReal(fmi2Component c, const fmi2ValueReference* references, size_t count,
                       const fmi2Real* values) {
  return c ? status_of(unit_set((unit*)c, references, count, values)) : fmi2Error;
}

#define REFUSE(type)                                                                                      \
  fmi2Status fmi2Get##type(fmi2Component c, const fmi2ValueReference* references, size_t count,           \
                           fmi2##type* values) {                                                          \
    (void)references, (void)values;                                                                       \
    if (!c) return fmi2Error;                                                                             \
    return count ? status_of(unit_refuse((unit*)c, "the unit has no variables of type " #type)) : fmi2OK; \
  }                                                                                                       \
  fmi2Status fmi2Set##type(fmi2Component c, const fmi2ValueReference* references, size_t count,           \
                           const fmi2##type* values) {                                                    \
    (void)references, (void)values;                                                                       \
    if (!c) return fmi2Error;                                                                             \
    return count ? status_of(unit_refuse((unit*)c, "the unit has no variables of type " #type)) : fmi2OK; \
  }
REFUSE(Integer)
REFUSE(Boolean)
REFUSE(String)

static fmi2Status refuse_derivatives(fmi2Component c) {
  return c ? status_of(unit_refuse((unit*)c, "the unit has no derivatives of inputs and outputs"))
           : fmi2Error;
}

fmi2Status fmi2GetDirectionalDerivative(fmi2Component c, const fmi2ValueReference* unknowns, size_t nunknown,
                                        const fmi2ValueReference* knowns, size_t nknown, const fmi2Real* seed,
                                        fmi2Real* sensitivity) {
  (void)unknowns, (void)nunknown, (void)knowns, (void)nknown, (void)seed, (void)sensitivity;
  return refuse_derivatives(c);
}

fmi2Status fmi2SetRealInputDerivatives(fmi2Component c, const fmi2ValueReference* references, size_t count,
                                       const fmi2Integer* order, const fmi2Real* values) {
  (void)references, (void)count, (void)order, (void)values;
  return refuse_derivatives(c);
}

fmi2Status fmi2GetRealOutputDerivatives(fmi2Component c, const fmi2ValueReference* references, size_t count,
                                        const fmi2Integer* order, fmi2Real* values) {
  (void)references, (void)count, (void)order, (void)values;
  return refuse_derivatives(c);
}

/* --- states --- */

fmi2Status fmi2GetFMUstate(fmi2Component c, fmi2FMUstate* state) {
  if (!c || !state) return fmi2Error;
  unit_state* s = (unit_state*)*state;
  unit_status status = unit_save((unit*)c, &s);
  *state = s;
  return status_of(status);
}

fmi2Status fmi2SetFMUstate(fmi2Component c, fmi2FMUstate state) {
  return c ? status_of(unit_restore((unit*)c, (const unit_state*)state)) : fmi2Error;
}

fmi2Status fmi2FreeFMUstate(fmi2Component c, fmi2FMUstate* state) {
  if (!c) return fmi2Error;
  if (state) unit_free_state((unit_state*)*state);
  if (state) *state = NULL;
  return fmi2OK;
}

fmi2Status fmi2SerializedFMUstateSize(fmi2Component c, fmi2FMUstate state, size_t* size) {
  if (!c || !size) return fmi2Error;
  if (!state) return status_of(unit_refuse((unit*)c, "there is no state"));
  *size = unit_state_size((const unit_state*)state);
  return fmi2OK;
}

fmi2Status fmi2SerializeFMUstate(fmi2Component c, fmi2FMUstate state, fmi2Byte* bytes, size_t size) {
  return c ? status_of(unit_write_state((unit*)c, (const unit_state*)state, bytes, size)) : fmi2Error;
}

fmi2Status fmi2DeSerializeFMUstate(fmi2Component c, const fmi2Byte* bytes, size_t size, fmi2FMUstate* state) {
  if (!c || !state) return fmi2Error;
  unit_state* s = (unit_state*)*state;
  unit_status status = unit_read_state((unit*)c, bytes, size, &s);
  *state = s;
  return status_of(status);
}

/* --- steps --- */

fmi2Status fmi2DoStep(fmi2Component c, fmi2Real from, fmi2Real step, fmi2Boolean no_return) {
  (void)no_return;
  return c ? status_of(unit_step((unit*)c, from, step)) : fmi2Error;
}

fmi2Status fmi2CancelStep(fmi2Component c) {
  return c ? status_of(
                 unit_refuse((unit*)c, "no step is under way: steps are complete when fmi2DoStep returns"))
           : fmi2Error;
}

static fmi2Status no_status(fmi2Component c) {
  return c ? status_of(unit_refuse((unit*)c, "the unit has no status of this kind")) : fmi2Error;
}

fmi2Status fmi2GetStatus(fmi2Component c, fmi2StatusKind kind, fmi2Status* value) {
  if (!c || !value || kind != fmi2DoStepStatus) return no_status(c);
  unit* u = (unit*)c;
  *value = u->phase == UNIT_FAILED ? fmi2Error : fb_plant_stopped(u->plant) ? fmi2Discard : fmi2OK;
  return fmi2OK;
}

fmi2Status fmi2GetRealStatus(fmi2Component c, fmi2StatusKind kind, fmi2Real* value) {
  if (!c || !value || kind != fmi2LastSuccessfulTime) return no_status(c);
  *value = fb_plant_time(((unit*)c)->plant);
  return fmi2OK;
}

fmi2Status fmi2GetIntegerStatus(fmi2Component c, fmi2StatusKind kind, fmi2Integer* value) {
  (void)kind, (void)value;
  return no_status(c);
}

fmi2Status fmi2GetBooleanStatus(fmi2Component c, fmi2StatusKind kind, fmi2Boolean* value) {
  if (!c || !value || kind != fmi2Terminated) return no_status(c);
  *value = fb_plant_stopped(((unit*)c)->plant);
  return fmi2OK;
}

fmi2Status fmi2GetStringStatus(fmi2Component c, fmi2StatusKind kind, fmi2String* value) {
  (void)kind, (void)value;
  return no_status(c);
}
