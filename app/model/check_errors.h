/* check_errors.h -- the errors that `check` finds in one file: each once, in the order of their lines. */
#ifndef APP_MODEL_CHECK_ERRORS_H
#define APP_MODEL_CHECK_ERRORS_H

#include "command.h"

enum { FB_ERRORS_SHOWN = 20, FB_ERRORS_KEPT = 100 };

typedef struct cmd_errors {
  const char* file; /* the one that is checked */
  fb_error* errors; /* [FB_ERRORS_KEPT] */
  int count;
} cmd_errors;

/* An fb_complaint_fn with a cmd_errors. An error without a file is one of the file that is checked. */
int cmd_errors_keep(void* user, const fb_error* error);
/* Prints those that are shown, and how many there are when there is more than one; frees them. */
void cmd_errors_print(const cmd_app* app, cmd_errors* errors);

#endif
