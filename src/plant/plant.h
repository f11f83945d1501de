/* plant.h -- the inside of a plant: a scenario, its simulation, and a table of variables. */
#ifndef FB_PLANT_PLANT_H
#define FB_PLANT_PLANT_H

#include <stdint.h>

#include <freebody/plant.h>
#include <freebody/support/text.h>

#include "model/definition/name_index.h"
#include "scenario/scenario.h"

/* Where the value of a variable is. */
typedef struct fb_plant_place {
  int block, parameter; /* inputs and parameters: in the memory of a block of the simulation */
  fb_signal signal;     /* outputs */
  double* start;        /* start values: in the scenario's q or v */
} fb_plant_place;

struct fb_plant {
  fb_scenario* scenario;
  fb_sim* sim;
  char* description; /* plant.json */
  size_t description_size;
  const char** outputs; /* as requested, NULL-ended; NULL: those of the log */
  fb_plant_variable* variables;
  fb_plant_place* places;
  fb_name* by_name; /* sorted */
  int count;
  size_t variable_room, place_room;
  double* values;            /* [count] what was set, of inputs, parameters and start values */
  unsigned char* given;      /* [count] 1: it was set */
  fb_signal* output_signals; /* [count] scratch of fb_plant_get */
  double* found;             /* [count] likewise */
  int begun;                 /* a step was made */
  int stale;                 /* start values were set since the simulation was made */
};

fb_status fb_plant_no_memory(fb_error* error);
/* variables.c: fills the table. */
fb_status fb_plant_list(fb_plant* plant, fb_error* error);
/* describe.c: plant.json, from what the plant was made of. */
fb_status fb_plant_describe(fb_plant* plant, fb_error* error);
/* read.c: takes over a scenario that was read; also on failure. */
fb_status fb_plant_make(fb_scenario* s, const char* const* outputs, fb_plant** plant, fb_error* error);

#endif
