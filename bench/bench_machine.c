/* bench_machine.c -- on what a figure was measured: processor, compiler, load, date. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "bench_report.h"

#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

/* "model name : AMD EPYC" of Linux; elsewhere the processor stays unknown. */
static void read_cpu(char* out, size_t size) {
  char line[256];
  snprintf(out, size, "unknown");
  FILE* file = fopen("/proc/cpuinfo", "r");
  if (!file) return;
  while (fgets(line, sizeof line, file)) {
    const char* colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon) continue;
    line[strcspn(line, "\n")] = 0;
    snprintf(out, size, "%s", colon + 1 + strspn(colon + 1, " \t"));
    break;
  }
  fclose(file);
}

static double read_load(void) {
  double load = NAN;
  FILE* file = fopen("/proc/loadavg", "r");
  if (!file) return NAN;
  if (fscanf(file, "%lf", &load) != 1) load = NAN;
  fclose(file);
  return load;
}

void bench_machine_read(bench_machine* machine) {
  time_t now = time(NULL);
  const struct tm* utc = gmtime(&now);
  memset(machine, 0, sizeof *machine);
  read_cpu(machine->cpu, sizeof machine->cpu);
  snprintf(machine->compiler, sizeof machine->compiler, "%s", COMPILER);
  size_t length = strlen(machine->compiler);
  while (length > 0 && machine->compiler[length - 1] == ' ') machine->compiler[--length] = 0;
  if (utc) strftime(machine->date, sizeof machine->date, "%Y-%m-%dT%H:%M:%SZ", utc);
  machine->load = read_load();
#if defined(__OPTIMIZE__) && defined(NDEBUG)
  machine->optimised = 1;
#endif
}
