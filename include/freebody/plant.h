/* plant.h -- a scenario as a plant: inputs, outputs and parameters by name, stepped by a host program (libfreebody_io).
 *
 *   fb_plant_read("arm.yaml", NULL, &plant, &error);
 *   fb_plant_set(plant, &elbow, 1, &torque, &error);        elbow = fb_plant_find(plant, "input.tau.elbow")
 *   fb_plant_step(plant, t, &error);
 *   fb_plant_get(plant, &angle, 1, &q, &error);
 *
 * Inputs are the blocks of type `input` of the scenario (docs/scenario.md), or those given in the options. They are
 * held until they are set again. Outputs are signals (signal.h). Parameters are those of the scenario's blocks, as
 * events set them, and the coordinates and rates at the start. This is what co-simulation units (fmu.h) and
 * S-functions contain (docs/fmi.md). A plant belongs to one thread at a time; several plants share nothing. */
#ifndef FREEBODY_PLANT_H
#define FREEBODY_PLANT_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/scenario.h>
#include <freebody/signal.h>
#include <freebody/status.h>

typedef struct fb_plant fb_plant;

/* How the scenario's control laws are treated. */
typedef enum fb_plant_control {
  FB_PLANT_AUTO, /* kept if the scenario has blocks of type `input`, otherwise left out */
  FB_PLANT_KEEP, /* kept: the plant is the closed loop */
  FB_PLANT_DROP  /* left out, except for inputs; so are the signals in the log that are theirs */
} fb_plant_control;

typedef struct fb_plant_options {
  fb_scenario_options scenario; /* how the scenario is read; `plant` in it is ignored */
  fb_plant_control control;
  /* Further inputs, NULL-terminated: "tau.JOINT", the force or torque of a joint; "wrench.FRAME", a force and a torque at a
   * frame, world axes; "JOINT" or "FRAME" alone. They form the block "input". NULL: the scenario's own; if it has none,
   * all joints, or where there is none all floating bases. */
  const char* const* inputs;
  const char* const* outputs; /* signals, NULL-terminated; NULL: those that the scenario logs */
  int cookie_;                /* set by fb_default_plant_options */
} fb_plant_options;

typedef enum fb_plant_role {
  FB_PLANT_INPUT,     /* set between steps, held */
  FB_PLANT_OUTPUT,    /* read only */
  FB_PLANT_PARAMETER, /* of a block: set before the start or between steps */
  FB_PLANT_START      /* a coordinate or rate at the start: set before the first step */
} fb_plant_role;

typedef struct fb_plant_variable {
  fb_plant_role role;
  /* unique in the plant: "input.tau.elbow", "q.elbow", "parameter.hold.elbow.kp", "start.q.elbow" */
  const char* name;
  const char* unit;    /* "N m"; "1" without unit */
  const char* axes;    /* "world", "joint", the name of a frame; "": none */
  const char* meaning; /* "actuator force" */
  double start;        /* its value at the start */
  double least;        /* the smallest value that it may have; -INFINITY: any */
} fb_plant_variable;

enum { FB_PLANT_TOKEN_SIZE = 33 };

FB_BEGIN_DECLS

FB_API fb_plant_options fb_default_plant_options(void);
/* Reads a scenario, or a bare model, and starts it at t = 0. options may be NULL. FB_ERR_UNSUPPORTED for a scenario with
 * plugins, which need the program that they were made for. */
FB_API fb_status fb_plant_read(const char* file, const fb_plant_options* options, fb_plant** plant,
                               fb_error* error);
FB_API void fb_plant_free(fb_plant* plant); /* plant may be NULL */

/* Writes all that the plant was made from into a folder, which is made if necessary: plant.json and copies of the input
 * files. fb_plant_open makes the same plant from it, on any machine. */
FB_API fb_status fb_plant_write(const fb_plant* plant, const char* folder, fb_error* error);
FB_API fb_status fb_plant_open(const char* folder, fb_plant** plant, fb_error* error);
/* A number in hexadecimal for the content of the folder and the version of Freebody: plants with equal tokens have the same
 * variables in the same order. Returns token. */
FB_API char* fb_plant_token(const fb_plant* plant, char token[FB_PLANT_TOKEN_SIZE]);

FB_API const fb_scenario* fb_plant_scenario(const fb_plant* plant);
FB_API int fb_plant_controlled(const fb_plant* plant); /* 1 if the scenario's control laws are kept */

/* Variables, from 0: inputs first, then outputs, parameters and start values. */
FB_API int fb_plant_nvariable(const fb_plant* plant);
/* Strings live as long as the plant. FB_ERR_ARG when there is no such variable. */
FB_API fb_status fb_plant_get_variable(const fb_plant* plant, int index, fb_plant_variable* variable,
                                       fb_error* error);
FB_API int fb_plant_find(const fb_plant* plant, const char* name); /* the index, or -1 */

/* Reads or sets variables by their indices. FB_ERR_ARG, and nothing is set, for an index that does not exist, for an output,
 * for a value that is not finite or below the least, and for a start value after the first step. */
FB_API fb_status fb_plant_get(fb_plant* plant, const int* indices, int count, double* values,
                              fb_error* error);
FB_API fb_status fb_plant_set(fb_plant* plant, const int* indices, int count, const double* values,
                              fb_error* error);

FB_API double fb_plant_time(const fb_plant* plant); /* [s] */
/* Steps until t, where the last step ends, or until an event of the scenario stops the simulation. */
FB_API fb_status fb_plant_step(fb_plant* plant, double t, fb_error* error);
FB_API int fb_plant_stopped(const fb_plant* plant); /* 1 once an event has stopped it */
/* Back to t = 0 with the scenario's own inputs, parameters and start values. */
FB_API fb_status fb_plant_reset(fb_plant* plant, fb_error* error);

/* The complete state as bytes. Continuing and restoring give the same results, bit for bit; the size changes with joins
 * and partings. fb_plant_restore takes the states of plants with the same token; FB_ERR_STATE for others, and for damaged
 * ones: the plant is then unchanged. */
FB_API fb_status fb_plant_save(fb_plant* plant, void** bytes, size_t* size,
                               fb_error* error); /* free: fb_free */
FB_API fb_status fb_plant_restore(fb_plant* plant, const void* bytes, size_t size, fb_error* error);

FB_END_DECLS

#endif
