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

/* What a format cannot hold, or holds in another way. */
typedef struct losses {
  int lost, changed;
} losses;

static void note_loss(void* user, const char* text) {
  losses* l = (losses*)user;
  if (strncmp(text, "lost: ", 6) == 0)
    l->lost++;
  else if (strncmp(text, "minor: ", 7) != 0)
    l->changed++;
}

/* NULL when the format cannot hold the model. */
static char* print(const fb_model_def* def, fb_format format, size_t* size, losses* notes) {
  char* text = NULL;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = format;
  options.note = note_loss;
  options.note_user = notes;
  memset(notes, 0, sizeof *notes);
  fb_status status = fb_model_def_print(def, &options, &text, size, &error);
  fuzz_check(fuzz_ok(status, &error) == (text != NULL), "a text and a status that do not fit");
  fuzz_check(status == FB_OK || status == FB_ERR_UNSUPPORTED || status == FB_ERR_NAME,
             "not written as %s: %s", fb_format_name(format), status ? error.text : "");
  return text;
}

/* Formats of others cannot say that a rod which floats alone is meant; their readers thicken it, and say so. */
static void note_repair(void* user, const char* text) {
  losses* l = (losses*)user;
  if (strstr(text, "floats alone")) l->changed++;
}

/* keeps: it may have inertias that only a native file can ask to be kept. */
static fb_model_def* parse(const char* text, size_t size, fb_format format, int keeps, losses* notes) {
  fb_model_def* def = NULL;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = format;
  options.note = note_repair;
  options.note_user = notes;
  if (keeps && format != FB_FORMAT_YAML && format != FB_FORMAT_JSON) options.inertia = FB_INERTIA_KEEP;
  if (!fuzz_ok(fb_model_def_parse(text, size, "written", &options, &def, &error), &error))
    fuzz_fail("what was written as %s is refused: %s\n%s", fb_format_name(format), error.text, text);
  return def;
}

/* Written a second time, it is the same to the byte. */
static void print_again(const fb_model_def* def, fb_format format, const char* text, size_t size) {
  size_t again_size = 0;
  losses notes;
  char* again = print(def, format, &again_size, &notes);
  fuzz_check(again && again_size == size && memcmp(text, again, size) == 0,
             "written twice it differs:\n%s\n%s", text, again ? again : "");
  free(again);
}

/* What was written is a model of the same mass. */
static void build_back(const fb_model* model, const fb_model_def* back, const losses* notes,
                       const char* text) {
  fb_model* built = NULL;
  fb_error error;
  if (!fuzz_ok(fb_model_build(back, NULL, &built, &error), &error))
    fuzz_fail("what was written is not a model: %s\n%s", error.text, text);
  double mass = fb_model_mass(model), difference = fabs(fb_model_mass(built) - mass);
  int signs = fb_model_def_keeps_inertia(back); /* masses of both signs may leave rounding alone */
  fuzz_check(notes->lost || signs || difference <= 1e-9 * mass, "the mass changed by %g\n%s", difference,
             text);
  fb_model_free(built);
}

/* The native formats hold everything, others what they do not complain of. */
static void round_trip(const fb_model* model, fb_format format, double tol) {
  const fb_model_def* def = fb_model_definition(model);
  size_t size = 0;
  losses notes;
  char* text = print(def, format, &size, &notes);
  if (!text) return;
  fb_model_def* back = parse(text, size, format, fb_model_def_keeps_inertia(def), &notes);
  build_back(model, back, &notes, text);
  if (notes.lost + notes.changed == 0) assert_same_def(def, back, tol);
  if (format == FB_FORMAT_YAML || format == FB_FORMAT_JSON) print_again(back, format, text, size);
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
  round_trip(model, FB_FORMAT_YAML, 1e-14);
  round_trip(model, FB_FORMAT_JSON, 1e-14);
  round_trip(model, FB_FORMAT_URDF, 1e-9);
  round_trip(model, FB_FORMAT_MJCF, 1e-9);
  round_trip(model, FB_FORMAT_SPACEDYN, 1e-9);
  fb_model_free(model);
}

void fuzz_model_text(const uint8_t* data, size_t size, fb_format format) {
  fb_model_def* def = NULL;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = format;
  char* text = fuzz_text(data, size);
  fb_status status = fb_model_def_parse(text, size, "input", &options, &def, &error);
  fuzz_check(fuzz_ok(status, &error) == (def != NULL), "a definition and a status that do not fit");
  if (def) fuzz_model(def);
  fb_model_def_free(def);
  free(text);
}
