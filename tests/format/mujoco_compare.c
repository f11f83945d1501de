/* mujoco_compare.c -- a model in Freebody and in Debian's MuJoCo: the largest difference of their accelerations over random
 * states, contacts, limits, actuators and equalities switched off.
 *
 *   mujoco_compare MODEL [MJCF]    MJCF is what MuJoCo loads: MODEL by default, or what `freebody convert` made of it
 *
 * Prints "difference MISSING NV MODEL". Exits 1 when MuJoCo or Freebody refuses. */
#include <stdlib.h>

#include "mujoco_rig.h"

static double* take(int count) {
  double* x = calloc((size_t)count + 1, sizeof *x);
  if (!x) exit(1);
  return x;
}

static void print_note(void* user, const char* text) {
  (void)user;
  if (getenv("NOTES")) fprintf(stderr, "  %s\n", text);
}

int main(int argc, char** argv) {
  char message[1000] = "", line[2000];
  fb_error error;
  fb_model_def* def = NULL;
  fb_model* model = NULL;
  fb_io_options options = fb_default_io_options();
  options.note = print_note;
  if (argc < 2) return 2;
  if (fb_model_def_read(argv[1], &options, &def, &error) || fb_model_build(def, NULL, &model, &error)) {
    printf("freebody: %s\n", fb_error_format(&error, line, sizeof line));
    return 1;
  }
  mjModel* mj = mj_loadXML(argv[argc > 2 ? 2 : 1], NULL, message, sizeof message);
  if (!mj) {
    printf("mujoco: %s %s\n", argv[1], message);
    return 1;
  }
  mj->opt.disableflags |= mjDSBL_CONTACT | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS;
  int screws = 0; /* they hold by equalities, and balls may be damped by actuators, in what Freebody writes */
  for (int i = 1; i < fb_model_nbody(model); i++) screws |= fb_joint_type_of(model, i) == FB_JOINT_HELICAL;
  if (!screws) mj->opt.disableflags |= mjDSBL_EQUALITY;
  if (argc <= 2) mj->opt.disableflags |= mjDSBL_ACTUATION;
  mj->opt.density = mj->opt.viscosity = 0;
  both b = {model, fb_data_new(model), mj, mj_makeData(mj), 0};
  int nq = fb_model_nq(model), nv = fb_model_nv(model), missing = 0;
  double *q = take(nq), *v = take(nv), *tau = take(nv), *ours = take(nv), *theirs = take(nv), worst = 0;
  for (unsigned s = 1; s <= 20; s++) {
    fb_random_q(model, s, q);
    fb_random_v(model, s, v);
    fb_random_v(model, s + 1000, tau);
    missing = mj_accelerations(&b, q, v, tau, ours, theirs);
    double off = mj_difference(&b, ours, theirs);
    if (!(off <= worst)) worst = off;
  }
  if (getenv("SHOW"))
    for (int i = 0; i < nv; i++)
      printf("%3d %-30s %22.15g %22.15g\n", i, fb_joint_name(model, fb_coordinate_body(model, i)), ours[i],
             theirs[i]);
  printf("%.2e %d nv %d/%d mass %.8g/%.8g %s\n", worst, missing, nv, mj->nv, fb_model_mass(model),
         mj->body_subtreemass[0], argv[1]);
  free(q);
  free(v);
  free(tau);
  free(ours);
  free(theirs);
  mj_deleteData(b.mjd);
  mj_deleteModel(mj);
  fb_data_free(b.data);
  fb_model_free(model);
  fb_model_def_free(def);
  return 0;
}
