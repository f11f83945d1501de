/* fuzz_model.c -- a model from a stranger: it is refused, or it can be written, read back and computed with. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/io.h>
#include <freebody/kinematics.h>

#include "fuzz.h"

/* The comparison of definitions is that of the tests; here it ends the process. */
#define print_error(...) fprintf(stderr, __VA_ARGS__)
#define _fail(file, line) fuzz_fail("%s:%d: the model came back changed", file, line)
#define fail_msg fuzz_fail
#define assert_int_equal(a, b) fuzz_check((a) == (b), "%s is %d, but %s is %d", #a, (int)(a), #b, (int)(b))
#define assert_string_equal(a, b) fuzz_check(strcmp(a, b) == 0, "'%s' came back as '%s'", a, b)
#include "near.h"
#include "same_def.h"

/* --- written and read --- */

static void note_loss(void* user, const char* text) {
  if (strncmp(text, "lost: ", 6) == 0) ++*(int*)user;
}

/* NULL when the format cannot hold the model. *lost: things that it could not hold. */
static char* print(const fb_model_def* def, fb_format format, size_t* size, int* lost) {
  char* text = NULL;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = format;
  options.note = note_loss;
  options.note_user = lost;
  *lost = 0;
  fb_status status = fb_model_def_print(def, &options, &text, size, &error);
  fuzz_check(fuzz_ok(status, &error) == (text != NULL), "a text and a status that do not fit");
  fuzz_check(status == FB_OK || status == FB_ERR_UNSUPPORTED || status == FB_ERR_NAME,
             "not written as %s: %s", fb_format_name(format), status ? error.text : "");
  return text;
}

static fb_model_def* parse(const char* text, size_t size, fb_format format) {
  fb_model_def* def = NULL;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = format;
  if (!fuzz_ok(fb_model_def_parse(text, size, "written", &options, &def, &error), &error))
    fuzz_fail("what was written as %s is refused: %s\n%s", fb_format_name(format), error.text, text);
  return def;
}

/* The native formats hold everything, to the last bit but for rotations; a second time nothing changes at all. */
static void round_trip(const fb_model_def* def, fb_format format, double tol) {
  size_t size, again_size;
  int lost, lost_again;
  char* text = print(def, format, &size, &lost);
  if (!text) return;
  fb_model_def* back = parse(text, size, format);
  if (lost == 0) assert_same_def(def, back, tol);
  if (format == FB_FORMAT_YAML || format == FB_FORMAT_JSON) {
    char* again = print(back, format, &again_size, &lost_again);
    fuzz_check(again && again_size == size && memcmp(text, again, size) == 0,
               "written twice it differs:\n%s\n%s", text, again ? again : "");
    free(again);
  }
  fb_model_def_free(back);
  free(text);
}

/* --- computed with --- */

static double* take(int count) {
  double* x = (double*)calloc((size_t)count + 1, sizeof *x);
  if (!x) fuzz_fail("out of memory");
  return x;
}

static void check_finite(const char* what, const double* x, int count) {
  for (int i = 0; i < count; i++) fuzz_check(isfinite(x[i]), "%s[%d] is %g", what, i, x[i]);
}

/* At rest at zero all is finite, whatever the numbers of the model; elsewhere nothing crashes. */
static void compute(const fb_model* m) {
  int nq = fb_model_nq(m), nv = fb_model_nv(m);
  double *q = take(nq), *v = take(nv), *vdot = take(nv), *tau = take(nv), p[3], R[9];
  fb_data* d = fb_data_new(m);
  if (!d) fuzz_fail("out of memory");
  fb_neutral(m, q);
  fb_kinematics(m, d, q, v, NULL);
  for (int i = 0; i < fb_model_nframe(m); i++) {
    fb_frame_pose(m, d, i, p, R);
    check_finite("position", p, 3);
    check_finite("rotation", R, 9);
  }
  fb_inverse_dynamics(m, d, q, v, vdot, NULL, tau);
  check_finite("force", tau, nv);
  fb_random_q(m, 1, q);
  fb_random_v(m, 1, v);
  fb_forward_dynamics(m, d, q, v, tau, NULL, vdot);
  fb_inverse_dynamics(m, d, q, v, vdot, NULL, tau);
  fb_data_free(d);
  free(q);
  free(v);
  free(vdot);
  free(tau);
}

void fuzz_model(const fb_model_def* def) {
  fb_model* model = NULL;
  fb_error error;
  if (!fuzz_ok(fb_model_build(def, NULL, &model, &error), &error)) {
    fuzz_check(!model, "a model that was refused is there");
    return;
  }
  fuzz_accept();
  compute(model);
  round_trip(def, FB_FORMAT_YAML, 1e-14);
  round_trip(def, FB_FORMAT_JSON, 1e-14);
  round_trip(def, FB_FORMAT_URDF, 1e-9);
  round_trip(def, FB_FORMAT_SPACEDYN, 1e-9);
  fb_model_free(model);
}
