/* sundials.c -- the entry points of SUNDIALS, which is optional in a build. */
#include <freebody/status.h>
#include <freebody/sundials.h>
#include <freebody/support/words.h>

#include <math.h>
#include <string.h>

#include "adapters/sundials/stepper.h"

static const char* const NAMES[] = {"cvode", "arkode", NULL};

static fb_status check_arguments(const char* name, double rtol, double atol, double max_step,
                                 fb_error* error) {
  char suggestion[FB_SUGGESTION_SIZE];
  if (strcmp(name, NAMES[0]) != 0 && strcmp(name, NAMES[1]) != 0)
    return fb_fail(error, FB_ERR_NAME, "SUNDIALS has no stepper \"%s\" here%s", name,
                   fb_suggestion_or_list(name, NAMES, "there are", suggestion));
  if (!(rtol > 0 && rtol < 1 && atol > 0 && isfinite(atol)))
    return fb_fail(error, FB_ERR_ARG,
                   "%s: rtol is %g and atol %g; both must be greater than 0, rtol less than 1", name, rtol,
                   atol);
  if (!(max_step >= 0) || isinf(max_step))
    return fb_fail(error, FB_ERR_ARG, "%s: max_step is %g s; it must be 0 (no bound) or more", name,
                   max_step);
  return FB_OK;
}

fb_status fb_stepper_new_sundials(const char* name, double rtol, double atol, double max_step,
                                  fb_stepper* stepper, fb_error* error) {
  memset(stepper, 0, sizeof *stepper);
  fb_status status = check_arguments(name, rtol, atol, max_step, error);
  if (status) return status;
#ifdef FB_SUNDIALS
  return fb_sundials_make(strcmp(name, NAMES[0]) == 0 ? &fb_sundials_cvode : &fb_sundials_arkode, rtol, atol,
                          max_step, stepper, error);
#else
  return fb_fail(error, FB_ERR_UNSUPPORTED,
                 "%s comes from SUNDIALS, which this build of Freebody lacks; install it (Debian: "
                 "libsundials-dev) and build again, or use dopri5 with a smaller step",
                 name);
#endif
}

int fb_sundials_available(void) {
#ifdef FB_SUNDIALS
  return 1;
#else
  return 0;
#endif
}
