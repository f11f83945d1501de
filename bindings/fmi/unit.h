/* unit.h -- an instance of a co-simulation unit, the same for FMI 2 and FMI 3.
 *
 * A unit is a plant (freebody/plant.h), a phase, and a way to report errors. Value reference 0 is the time, n + 1 is
 * variable n of the plant. fmi2.c and fmi3.c translate names and types; what is decided is decided in unit.c. */
#ifndef FREEBODY_FMI_UNIT_H
#define FREEBODY_FMI_UNIT_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/plant.h>

/* Statuses with the numbers that both versions give them. */
typedef enum unit_status { UNIT_OK, UNIT_WARNING, UNIT_DISCARD, UNIT_ERROR, UNIT_FATAL } unit_status;

typedef enum unit_phase {
  UNIT_INSTANTIATED,
  UNIT_INITIALIZING,
  UNIT_STEPPING,
  UNIT_TERMINATED,
  UNIT_FAILED, /* a step failed: the unit can be reset, set to a saved state, read and freed */
  UNIT_PHASES
} unit_phase;

typedef struct unit unit;
typedef void (*unit_log_fn)(const unit* u, unit_status status, const char* category, const char* text);

struct unit {
  fb_plant* plant;
  char* name;
  unit_log_fn log;      /* calls it */
  void (*logger)(void); /* the importer's function, of a type that `log` knows; or NULL */
  void* environment;
  unit_phase phase;
  int debug; /* what is no error is logged too */
  int* room; /* [nroom] indices of variables */
  size_t nroom;
  double stop; /* INFINITY: not defined [s] */
};

/* A saved state: bytes, and the phase. */
typedef struct unit_state unit_state;

/* Reports that a call cannot be obeyed; returns UNIT_ERROR. */
unit_status unit_refuse(const unit* u, const char* format, ...) FB_PRINTF(2, 3);
unit_status unit_refuse_phase(const unit* u, const char* function);

/* `u` has log, logger and environment. NULL after a report: the token is not that of the resources, say. */
unit* unit_new(const unit* u, const char* name, const char* token, const char* resources);
void unit_free(unit* u);

unit_status unit_set_up(unit* u, double start, int stop_defined, double stop);
unit_status unit_enter_initialization(unit* u);
unit_status unit_exit_initialization(unit* u);
unit_status unit_terminate(unit* u);
unit_status unit_reset(unit* u);

unit_status unit_get(unit* u, const unsigned* references, size_t count, double* values);
unit_status unit_set(unit* u, const unsigned* references, size_t count, const double* values);
/* From `from`, where the unit must be, to `from` + `step`. UNIT_DISCARD when an event stopped it on the way. */
unit_status unit_step(unit* u, double from, double step);

/* *state may be a state already, which is replaced. */
unit_status unit_save(unit* u, unit_state** state);
unit_status unit_restore(unit* u, const unit_state* state);
void unit_free_state(unit_state* state);
size_t unit_state_size(const unit_state* state);
unit_status unit_write_state(const unit* u, const unit_state* state, void* bytes, size_t size);
unit_status unit_read_state(const unit* u, const void* bytes, size_t size, unit_state** state);

/* "file:///a%20b" as a path in buffer; NULL when it is not a file of this machine, or too long. */
char* unit_path(const char* address, char* buffer, size_t size);

#endif
