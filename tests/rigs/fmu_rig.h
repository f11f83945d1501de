/* fmu_rig.h -- a small importer of co-simulation units for tests: writes one, unpacks it with Python's zipfile, loads its
 * library and calls it, FMI 2 and FMI 3 by the same functions. Include run_command.h before. */
#ifndef FB_TESTS_FMU_RIG_H
#define FB_TESTS_FMU_RIG_H

#include <dlfcn.h>
#include <math.h>

#include <freebody/fmu.h>
#include <freebody/plant.h>

#include "../../bindings/fmi/fmi2.h"
#include "../../bindings/fmi/fmi3.h"

enum { OK = 0, DISCARD = 2, ERROR = 3 }; /* fmi2Status and fmi3Status */

/* A unit that is unpacked and loaded. */
typedef struct package {
  int version;
  void* library;
  char folder[600], token[64];
  fb_plant* plant; /* the same, for the indices of variables */
} package;

/* An instance, and what it said last. */
typedef struct instance {
  const package* of;
  void* c;
  char log[1600], category[64];
  int logged;
} instance;

static inline void must(fb_status status, const fb_error* error) {
  char line[2000];
  if (status != FB_OK) fail_msg("%s", fb_error_format(error, line, sizeof line));
}

/* --- writing and loading --- */

static inline void write_unit(const fb_plant* plant, int version, const char* name, const char* file) {
  fb_error error;
  fb_fmu_options options = fb_default_fmu_options();
  options.version = version;
  options.name = name;
  options.library = FB_UNIT_LIBRARY;
  must(fb_plant_write_fmu(plant, file, &options, &error), &error);
}

static inline void unpack(const char* file, const char* folder) {
  char line[1400];
  snprintf(line, sizeof line, "rm -rf '%s' && python3 -m zipfile -e '%s' '%s'", folder, file, folder);
  assert_int_equal(system(line), 0);
}

static inline void load(package* p, int version, const char* folder, const char* name) {
  char file[1400];
  p->version = version;
  snprintf(p->folder, sizeof p->folder, "%s/%s", scratch_folder, folder);
  snprintf(file, sizeof file, "%s/binaries/%s/%s.so", p->folder, version == 3 ? FB_PLATFORM_3 : FB_PLATFORM_2,
           name);
  p->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (!p->library) fail_msg("%s", dlerror());
}

/* The scenario as a unit called `name`, with the options given. */
static inline package open_package(const char* scenario, const fb_plant_options* options, int version,
                                   const char* name) {
  package p = {.version = version};
  fb_error error;
  char file[200];
  must(fb_plant_read(scenario, options, &p.plant, &error), &error);
  snprintf(file, sizeof file, "%s.fmu", name);
  write_unit(p.plant, version, name, file);
  unpack(file, name);
  load(&p, version, name, name);
  fb_plant_token(p.plant, p.token);
  return p;
}

static inline void close_package(package* p) {
  fb_plant_free(p->plant);
  dlclose(p->library);
}

/* A function of the unit by its name without "fmi2" or "fmi3"; `to` is the address of a pointer to such a function. */
static inline void find_function(const package* p, const char* name, void* to) {
  char whole[80];
  snprintf(whole, sizeof whole, "fmi%d%s", p->version, name);
  void* found = dlsym(p->library, whole);
  if (!found) fail_msg("the unit has no %s", whole);
  memcpy(to, &found, sizeof found);
}

/* --- calls --- */

#define FUNCTION(p, name, result, arguments) \
  result(*name) arguments;                   \
  find_function(p, #name, &name)

static inline void keep_log(instance* i, const char* category, const char* text) {
  snprintf(i->log, sizeof i->log, "%s", text);
  snprintf(i->category, sizeof i->category, "%s", category);
  i->logged++;
}

static inline void log_2(fmi2ComponentEnvironment e, fmi2String name, fmi2Status status, fmi2String category,
                         fmi2String format, ...) {
  char text[1600];
  va_list args;
  (void)name, (void)status;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  keep_log((instance*)e, category, text);
}

static inline void log_3(fmi3InstanceEnvironment e, fmi3Status status, fmi3String category, fmi3String text) {
  (void)status;
  keep_log((instance*)e, category, text);
}

/* c is NULL when the unit refuses. */
static inline void instantiate_with(const package* p, instance* i, const char* token, const char* resources) {
  *i = (instance){.of = p};
  if (p->version == 2) {
    fmi2CallbackFunctions callbacks = {.logger = log_2, .componentEnvironment = i};
    FUNCTION(p, Instantiate, fmi2Component,
             (fmi2String, fmi2Type, fmi2String, fmi2String, const fmi2CallbackFunctions*, fmi2Boolean,
              fmi2Boolean));
    i->c = Instantiate("test", fmi2CoSimulation, token, resources, &callbacks, 0, 0);
  } else {
    FUNCTION(p, InstantiateCoSimulation, fmi3Instance,
             (fmi3String, fmi3String, fmi3String, fmi3Boolean, fmi3Boolean, fmi3Boolean, fmi3Boolean,
              const fmi3ValueReference*, size_t, fmi3InstanceEnvironment, fmi3LogMessageCallback,
              fmi3IntermediateUpdateCallback));
    i->c = InstantiateCoSimulation("test", token, resources, false, false, false, false, NULL, 0, i, log_3,
                                   NULL);
  }
}

static inline void instantiate(const package* p, instance* i) {
  char resources[800];
  snprintf(resources, sizeof resources, "%s%s/resources%s", p->version == 2 ? "file://" : "", p->folder,
           p->version == 2 ? "" : "/");
  instantiate_with(p, i, p->token, resources);
  if (!i->c) fail_msg("%s", i->log);
}

static inline void free_instance(instance* i) {
  FUNCTION(i->of, FreeInstance, void, (void*));
  FreeInstance(i->c);
}

/* A function that takes the instance alone. */
static inline int call(instance* i, const char* name) {
  int (*function)(void*);
  find_function(i->of, name, &function);
  return function(i->c);
}

static inline int enter(instance* i, double start, int stop_defined, double stop) {
  if (i->of->version == 2) {
    FUNCTION(i->of, SetupExperiment, int, (void*, int, double, double, int, double));
    int status = SetupExperiment(i->c, 0, 0, start, stop_defined, stop);
    return status ? status : call(i, "EnterInitializationMode");
  }
  FUNCTION(i->of, EnterInitializationMode, int, (void*, bool, double, double, bool, double));
  return EnterInitializationMode(i->c, false, 0, start, stop_defined, stop);
}

static inline void initialize(instance* i) {
  assert_int_equal(enter(i, 0, 0, 0), OK);
  assert_int_equal(call(i, "ExitInitializationMode"), OK);
}

static inline int get_by(instance* i, const unsigned* references, size_t count, double* values) {
  if (i->of->version == 2) {
    FUNCTION(i->of, GetReal, int, (void*, const unsigned*, size_t, double*));
    return GetReal(i->c, references, count, values);
  }
  FUNCTION(i->of, GetFloat64, int, (void*, const unsigned*, size_t, double*, size_t));
  return GetFloat64(i->c, references, count, values, count);
}

static inline int set_by(instance* i, const unsigned* references, size_t count, const double* values) {
  if (i->of->version == 2) {
    FUNCTION(i->of, SetReal, int, (void*, const unsigned*, size_t, const double*));
    return SetReal(i->c, references, count, values);
  }
  FUNCTION(i->of, SetFloat64, int, (void*, const unsigned*, size_t, const double*, size_t));
  return SetFloat64(i->c, references, count, values, count);
}

static inline unsigned reference_of(const instance* i, const char* name) {
  int index = fb_plant_find(i->of->plant, name);
  if (index < 0) fail_msg("the plant has no variable %s", name);
  return (unsigned)index + 1;
}

static inline double get(instance* i, const char* name) {
  unsigned reference = strcmp(name, "time") == 0 ? 0 : reference_of(i, name);
  double value = NAN;
  if (get_by(i, &reference, 1, &value) != OK) fail_msg("%s", i->log);
  return value;
}

static inline int set(instance* i, const char* name, double value) {
  unsigned reference = reference_of(i, name);
  return set_by(i, &reference, 1, &value);
}

/* *ended: an event of the scenario stopped it. */
static inline int step_to(instance* i, double from, double step, int* ended) {
  int status;
  *ended = 0;
  if (i->of->version == 2) {
    FUNCTION(i->of, DoStep, int, (void*, double, double, int));
    FUNCTION(i->of, GetBooleanStatus, int, (void*, int, int*));
    status = DoStep(i->c, from, step, 1);
    if (i->c && GetBooleanStatus(i->c, fmi2Terminated, ended) != OK) fail_msg("%s", i->log);
    return status;
  }
  FUNCTION(i->of, DoStep, int, (void*, double, double, bool, bool*, bool*, bool*, double*));
  bool event = true, terminate = true, early = true;
  double last = NAN;
  status = DoStep(i->c, from, step, true, &event, &terminate, &early, &last);
  *ended = terminate;
  if (status == OK) assert_true(!event && !early && last == get(i, "time"));
  return status;
}

static inline void step(instance* i, double from, double size) {
  int ended;
  if (step_to(i, from, size, &ended) != OK) fail_msg("%s", i->log);
}

/* --- states --- */

static inline void save(instance* i, void** state) {
  int (*function)(void*, void**);
  find_function(i->of, i->of->version == 2 ? "GetFMUstate" : "GetFMUState", &function);
  if (function(i->c, state) != OK) fail_msg("%s", i->log);
}

static inline int restore(instance* i, void* state) {
  int (*function)(void*, void*);
  find_function(i->of, i->of->version == 2 ? "SetFMUstate" : "SetFMUState", &function);
  return function(i->c, state);
}

static inline void drop_state(instance* i, void** state) {
  int (*function)(void*, void**);
  find_function(i->of, i->of->version == 2 ? "FreeFMUstate" : "FreeFMUState", &function);
  assert_int_equal(function(i->c, state), OK);
  assert_null(*state);
}

static inline char* serialize(instance* i, void* state, size_t* size) {
  int (*measure)(void*, void*, size_t*);
  int (*write)(void*, void*, void*, size_t);
  find_function(i->of, i->of->version == 2 ? "SerializedFMUstateSize" : "SerializedFMUStateSize", &measure);
  find_function(i->of, i->of->version == 2 ? "SerializeFMUstate" : "SerializeFMUState", &write);
  assert_int_equal(measure(i->c, state, size), OK);
  char* bytes = malloc(*size);
  assert_non_null(bytes);
  assert_int_equal(write(i->c, state, bytes, *size), OK);
  assert_int_equal(write(i->c, state, bytes, *size - 1), ERROR);
  return bytes;
}

static inline int deserialize(instance* i, const char* bytes, size_t size, void** state) {
  int (*function)(void*, const void*, size_t, void**);
  find_function(i->of, i->of->version == 2 ? "DeSerializeFMUstate" : "DeserializeFMUState", &function);
  return function(i->c, bytes, size, state);
}

#endif
