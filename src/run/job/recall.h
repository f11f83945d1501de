/* recall.h -- what a run folder says of its run (recall.c). */
#ifndef FB_RUN_JOB_RECALL_H
#define FB_RUN_JOB_RECALL_H

#include <freebody/run.h>

#include "document/document.h"

typedef struct fb_run_stored {
  fb_store* store;
  const char *file, *scenario, *model, *overrides, *status;
  const char* sums;         /* of the copies; or NULL */
  const char* start;        /* the state of another run that it began with; or NULL */
  double duration, planned; /* now, and when the run was begun: shorter if it was extended since [s] */
  int base, inertia, mimic; /* an fb_base, an fb_inertia_policy, an fb_mimic */
  fb_doc* set_doc;
  const char** set; /* NULL-ended */
} fb_run_stored;

/* Fills *old, also after an error; fb_run_forget it. */
fb_status fb_run_recall(const char* folder, fb_run_stored* old, fb_error* error);
void fb_run_forget(fb_run_stored* old);
/* The scenario for this duration, as the copies have it, checked against what the store knows of it. *out is to be freed
 * after an error, too. */
fb_status fb_run_read_copies(const char* folder, const fb_run_stored* old, double duration, fb_scenario** out,
                             fb_error* error);

#endif
