/* api.h -- the classes of +freebody in C: handles, and what their methods share */
#ifndef FREEBODY_MATLAB_API_H
#define FREEBODY_MATLAB_API_H

#include "mx.h"

typedef enum api_kind { API_MODEL, API_SIMULATION, API_JOB, API_RUN } api_kind;

/* A model and what its methods compute with; a simulation has its scenario, if it came from one. */
typedef struct api_model {
  fb_model* model;
  fb_data* data;
  fb_sim* sim; /* of a trajectory that is being computed, or was interrupted */
} api_model;
enum { API_NOTES = 16, API_TEXT = 480 };
typedef struct api_notes { /* what was remarked since they were last handed out */
  char text[API_NOTES][API_TEXT];
  int count;
} api_notes;
typedef struct api_simulation {
  fb_scenario* scenario;
  fb_sim* sim;
  api_notes notes;
} api_simulation;
typedef struct api_job {
  fb_scenario* scenario;
  fb_run* run;
  api_notes notes;
} api_job;

void api_keep_note(void* notes, const char* text); /* an fb_note_fn */
mxArray* api_hand_out(api_notes* notes);

/* api_handle.c: objects live until their handle is freed, or the library is unloaded. */
mxArray* api_keep(const mx_call* c, api_kind kind, void* object, void (*release)(void*));
void* api_get(const mx_call* c, api_kind kind); /* of the first argument; an error when it was cleared */
void api_free(mx_call* c);                      /* frees the handle in the first argument, if it is there */
void api_free_all(void);

/* api_model.c */
api_model* api_model_of(const mx_call* c);
int api_frame(const mx_call* c, const fb_model* m, int argument); /* by name, or by number */

/* Columns of `rows` numbers; *count of them. */
const double* api_columns(const mx_call* c, int argument, const char* what, int rows, size_t* count);
/* One configuration, checked, and one velocity, which may be missing or []: NULL. */
const double* api_q(const mx_call* c, const fb_model* m, int argument);
const double* api_v(const mx_call* c, const fb_model* m, int argument);
mxArray* api_transposed(size_t rows, size_t columns, const double* by_rows);
mxArray* api_list(int count, const char* (*name)(const void*, int),
                  const void* of); /* a cell column of texts */
void api_set(mxArray* s, const char* name, mxArray* value);
const char** api_texts(const mx_call* c, int argument); /* a cell of texts, NULL at the end; NULL for [] */

extern const mx_function API_MODEL_FUNCTIONS[], API_STATE_FUNCTIONS[], API_DYNAMICS_FUNCTIONS[],
    API_SIM_FUNCTIONS[], API_RUN_FUNCTIONS[];

#endif
