/* free_floating.c -- what an arm does to the satellite it hangs on, and to its own reach.
 *
 *   free_floating MODEL [FRAME]
 *
 * Loads a model whose first body floats, bends all one-degree joints to 0.5 rad or m, and prints, for a satellite
 * that nothing holds: how the base drifts and turns for each joint that moves, how the hand (by default the last
 * frame) moves then and would move on a held base, how near a dynamic singularity is, and the joint motions
 * that leave the base's attitude alone. */
#include <freebody/freebody.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct arm {
  const fb_model* m;
  fb_data* d;
  fb_floating* f;
  int frame, nj;
  const int* joints;
  double *q, *v_m, *Jstar, *J, *basis;
} arm;

/* Rounding errors shall not print as -0.0000. */
static double no_dust(double x) {
  return x > -5e-5 && x < 5e-5 ? 0 : x;
}

static void print_row(const char* name, const double x[6]) {
  printf("  %-12s", name);
  for (int i = 0; i < 6; i++) printf("%s %8.4f", i == 3 ? "  " : "", no_dust(x[i]));
  printf("\n");
}

static const char* joint_name(const fb_model* m, int coordinate) {
  for (int b = 1; b < fb_model_nbody(m); b++) {
    int first = fb_joint_v_index(m, b);
    if (coordinate >= first && coordinate < first + fb_joint_nv(m, b)) return fb_joint_name(m, b);
  }
  return "?";
}

static void print_motion(const arm* a) {
  double x[6];
  printf("each joint at 1 rad/s or m/s moves the free base's origin by (m/s and rad/s)\n");
  for (int j = 0; j < a->nj; j++) {
    for (int k = 0; k < a->nj; k++) a->v_m[k] = k == j;
    fb_floating_base_velocity(a->f, a->v_m, NULL, x);
    print_row(joint_name(a->m, a->joints[j]), x);
  }
  printf("and %s by, first free-floating, then with the base held\n", fb_frame_name(a->m, a->frame));
  fb_floating_jacobian(a->f, a->frame, a->Jstar);
  fb_kinematics(a->m, a->d, a->q, NULL, NULL);
  fb_frame_jacobian(a->m, a->d, a->frame, a->J);
  for (int j = 0; j < a->nj; j++) {
    for (int i = 0; i < 6; i++) x[i] = a->Jstar[i * a->nj + j];
    print_row(joint_name(a->m, a->joints[j]), x);
    for (int i = 0; i < 6; i++) x[i] = a->J[i * fb_model_nv(a->m) + a->joints[j]];
    print_row("", x);
  }
}

static void print_measures(const arm* a) {
  double singular[6];
  double measure = fb_floating_manipulability(a->f, a->frame, singular);
  printf("manipulability %.4g; singular values", measure);
  for (int i = 0; i < 6 && i < a->nj; i++) printf(" %.4g", singular[i]);
  printf("\ncoupling factor %.4f rad/s of the base for joint rates of norm one\n",
         fb_floating_coupling(a->f));
}

static void print_null_space(const arm* a) {
  int count = fb_floating_reaction_null_space(a->f, 3, a->basis);
  printf("%d motions leave the attitude alone; joint rates of each, and the base's motion\n", count);
  for (int c = 0; c < count; c++) {
    double x[6];
    printf("  %d:", c + 1);
    for (int j = 0; j < a->nj; j++) {
      a->v_m[j] = a->basis[j * a->nj + c];
      printf(" %8.4f", a->v_m[j]);
    }
    printf("\n");
    fb_floating_base_velocity(a->f, a->v_m, NULL, x);
    print_row("base", x);
  }
}

static int show(arm* a) {
  size_t nj = (size_t)a->nj, nv = (size_t)fb_model_nv(a->m);
  a->q = (double*)malloc((size_t)(fb_model_nq(a->m) + 1) * sizeof(double));
  a->v_m = (double*)malloc((nj + 1) * sizeof(double));
  a->Jstar = (double*)malloc((6 * nj + 1) * sizeof(double));
  a->J = (double*)malloc((6 * nv + 1) * sizeof(double));
  a->basis = (double*)malloc((nj * nj + 1) * sizeof(double));
  a->d = fb_data_new(a->m);
  int ok = a->q && a->v_m && a->Jstar && a->J && a->basis && a->d;
  if (ok) {
    fb_neutral(a->m, a->q);
    for (int b = 2; b < fb_model_nbody(a->m); b++)
      if (fb_joint_nq(a->m, b) == 1) a->q[fb_joint_q_index(a->m, b)] = 0.5;
    fb_floating_update(a->f, a->q, NULL);
    print_motion(a);
    print_measures(a);
    print_null_space(a);
  }
  fb_data_free(a->d);
  free(a->q);
  free(a->v_m);
  free(a->Jstar);
  free(a->J);
  free(a->basis);
  return ok ? 0 : 1;
}

int main(int argc, char** argv) {
  fb_error error;
  fb_model* m = NULL;
  char text[1300];
  int code = 2;
  if (argc < 2 || argc > 3) {
    fprintf(stderr, "usage: free_floating MODEL [FRAME]\n");
    return 2;
  }
  arm a = {0};
  if (fb_model_load(argv[1], &m, &error) != FB_OK || fb_floating_new(m, 1, &a.f, &error) != FB_OK) {
    fprintf(stderr, "%s\n", fb_error_format(&error, text, sizeof text));
  } else {
    a.m = m;
    a.nj = fb_floating_nj(a.f);
    a.joints = fb_floating_joints(a.f);
    a.frame = argc > 2 ? fb_model_find_frame(m, argv[2]) : fb_model_nframe(m) - 1;
    if (a.frame < 0)
      fprintf(stderr, "free_floating: the model has no body or frame \"%s\"\n", argv[2]);
    else
      code = show(&a);
  }
  fb_floating_free(a.f);
  fb_model_free(m);
  return code;
}
