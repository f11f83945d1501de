/* end_point.c -- where a robot's hand is, and how it moves with each coordinate.
 *
 *   end_point MODEL [FRAME] [JOINT=VALUE]...
 *
 * Loads a model of any format, sets the given one-degree joints [rad or m], and prints the pose of the
 * frame (by default the last of the model) and its Jacobian in world axes. */
#include <freebody/freebody.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_joint(const fb_model* m, char* setting, double* q) {
  char* value = strchr(setting, '=');
  *value++ = '\0';
  int body = fb_model_find_joint(m, setting);
  if (body < 0 || fb_joint_nq(m, body) != 1) {
    fprintf(stderr, "end_point: the model has no one-degree joint \"%s\"\n", setting);
    return 0;
  }
  char* end;
  q[fb_joint_q_index(m, body)] = strtod(value, &end);
  if (end == value || *end != '\0') {
    fprintf(stderr, "end_point: \"%s\" is not a number for joint \"%s\"\n", value, setting);
    return 0;
  }
  return 1;
}

/* Rounding errors shall not print as -0.0000. */
static double no_dust(double x) {
  return x > -5e-5 && x < 5e-5 ? 0 : x;
}

/* One row of J for each velocity coordinate: what the hand does when only that one moves. */
static void print_jacobian(const fb_model* m, const double* J) {
  static const char* const free_axes[6] = {"vx", "vy", "vz", "wx", "wy", "wz"};
  int nv = fb_model_nv(m);
  printf("  %-16s %9s %9s %9s   %9s %9s %9s\n", "moving only", "vx", "vy", "vz", "wx", "wy", "wz");
  for (int body = 1; body < fb_model_nbody(m); body++) {
    for (int k = 0; k < fb_joint_nv(m, body); k++) {
      const double* column = J + fb_joint_v_index(m, body) + k;
      char name[64];
      if (fb_joint_type_of(m, body) == FB_JOINT_FREE)
        snprintf(name, sizeof name, "%s %s", fb_joint_name(m, body), free_axes[k]);
      else
        snprintf(name, sizeof name, "%s", fb_joint_name(m, body));
      printf("  %-16s", name);
      for (int row = 0; row < 6; row++) printf("%s %9.4f", row == 3 ? "  " : "", no_dust(column[row * nv]));
      printf("\n");
    }
  }
}

static int show(const fb_model* m, int argc, char** argv) {
  int frame = fb_model_nframe(m) - 1, ok = 1;
  double p[3], R[9], rpy[3];
  double* q = (double*)malloc(sizeof *q * (size_t)(fb_model_nq(m) + 1));
  double* J = (double*)malloc(sizeof *J * (size_t)(6 * fb_model_nv(m) + 1));
  fb_data* d = fb_data_new(m);
  if (q != NULL && J != NULL && d != NULL) {
    fb_neutral(m, q);
    for (int i = 0; i < argc && ok; i++) {
      if (strchr(argv[i], '=') != NULL) {
        ok = set_joint(m, argv[i], q);
      } else {
        frame = fb_model_find_frame(m, argv[i]);
        ok = frame >= 0;
        if (!ok) fprintf(stderr, "end_point: the model has no body or frame \"%s\"\n", argv[i]);
      }
    }
  }
  if (ok && d != NULL && q != NULL && J != NULL) {
    fb_kinematics(m, d, q, NULL, NULL);
    fb_frame_pose(m, d, frame, p, R);
    fb_rot_to_rpy(R, rpy);
    fb_frame_jacobian(m, d, frame, J);
    printf("  %s is at %.4f %.4f %.4f m, rolled, pitched and yawed by %.4f %.4f %.4f rad\n",
           fb_frame_name(m, frame), p[0], p[1], p[2], rpy[0], rpy[1], rpy[2]);
    printf("  its Jacobian, one line a coordinate: m/s and rad/s for each 1 m/s or rad/s, world axes\n");
    print_jacobian(m, J);
  }
  fb_data_free(d);
  free(J);
  free(q);
  return ok ? 0 : 1;
}

int main(int argc, char** argv) {
  fb_error error;
  fb_model* m = NULL;
  char text[1300];
  if (argc < 2) {
    fprintf(stderr, "usage: end_point MODEL [FRAME] [JOINT=VALUE]...\n");
    return 2;
  }
  if (fb_model_load(argv[1], &m, &error) != FB_OK) {
    fprintf(stderr, "%s\n", fb_error_format(&error, text, sizeof text));
    return 2;
  }
  int code = show(m, argc - 2, argv + 2);
  fb_model_free(m);
  return code;
}
