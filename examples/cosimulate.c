/* cosimulate.c -- an importer of co-simulation units: loads one of FMI 3.0 that is unpacked and closes a loop around it.
 *
 *   freebody fmu -o pendulum.fmu scenarios/pendulum/pendulum.yaml
 *   unzip -d pendulum pendulum.fmu
 *   cosimulate pendulum/binaries/x86_64-linux/pendulum.so pendulum/resources TOKEN
 *
 * TOKEN is the instantiationToken in modelDescription.xml, from which an importer also has the value references: here 1 is
 * the input, 2 and 3 are angle and rate. The controller lives in this program: a PD law that holds the pendulum at 0.3 rad. */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { TORQUE = 1, ANGLE = 2, RATE = 3 };

static void* library;

/* dlsym gives a pointer to an object; a function is at the same address. */
static void find(const char* name, void* function) {
  void* found = dlsym(library, name);
  if (!found) fprintf(stderr, "%s\n", dlerror());
  memcpy(function, &found, sizeof found);
}

static void say(void* environment, int status, const char* category, const char* message) {
  (void)environment;
  fprintf(stderr, "status %d, %s: %s\n", status, category, message);
}

static int get(void* unit, uint32_t reference, double* value) {
  int (*get_float)(void*, const uint32_t*, size_t, double*, size_t);
  find("fmi3GetFloat64", &get_float);
  return get_float(unit, &reference, 1, value, 1);
}

static int set(void* unit, uint32_t reference, double value) {
  int (*set_float)(void*, const uint32_t*, size_t, const double*, size_t);
  find("fmi3SetFloat64", &set_float);
  return set_float(unit, &reference, 1, &value, 1);
}

static int simulate(void* unit) {
  int (*enter)(void*, bool, double, double, bool, double);
  int (*leave)(void*);
  int (*step)(void*, double, double, bool, bool*, bool*, bool*, double*);
  find("fmi3EnterInitializationMode", &enter);
  find("fmi3ExitInitializationMode", &leave);
  find("fmi3DoStep", &step);
  int status = enter(unit, false, 0, 0, true, 10);
  if (!status) status = leave(unit);
  for (int k = 0; k < 1000 && !status; k++) {
    double q = 0, v = 0, last;
    bool event, end, early;
    status = get(unit, ANGLE, &q);
    if (!status) status = get(unit, RATE, &v);
    if (!status) status = set(unit, TORQUE, 40 * (0.3 - q) - 6 * v);
    if (!status) status = step(unit, 0.01 * k, 0.01, true, &event, &end, &early, &last);
    if (k % 200 == 0) printf("t = %4.1f s  angle %8.5f rad\n", 0.01 * k, q);
  }
  double q = 0;
  if (!status) status = get(unit, ANGLE, &q);
  if (!status) printf("t = 10.0 s  angle %8.5f rad\n", q);
  return status;
}

int main(int argc, char** argv) {
  if (argc != 4) {
    fprintf(stderr, "usage: cosimulate LIBRARY RESOURCES TOKEN\n");
    return 2;
  }
  library = dlopen(argv[1], RTLD_NOW);
  if (!library) {
    fprintf(stderr, "%s\n", dlerror());
    return 1;
  }
  void* (*instantiate)(const char*, const char*, const char*, bool, bool, bool, bool, const uint32_t*, size_t,
                       void*, void (*)(void*, int, const char*, const char*), void*);
  void (*release)(void*);
  find("fmi3InstantiateCoSimulation", &instantiate);
  find("fmi3FreeInstance", &release);
  void* unit =
      instantiate("pendulum", argv[3], argv[2], false, false, false, false, NULL, 0, NULL, say, NULL);
  int status = unit ? simulate(unit) : 3;
  if (unit) release(unit);
  dlclose(library);
  return status != 0;
}
