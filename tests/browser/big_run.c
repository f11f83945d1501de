/* big_run.c -- writes a run of a million samples of 16 signals: a satellite with nine joints, all its coordinates.
 *
 *   big_run FOLDER [SAMPLES] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <freebody/store.h>

enum { JOINTS = 9, SIGNALS = 7 + JOINTS };

static void stop(const fb_error* error) {
  fprintf(stderr, "big_run: %s\n", error->text);
  exit(1);
}

/* A base and a chain of links. */
static void print_model(char* text, size_t size) {
  size_t n = (size_t)snprintf(text, size,
                              "{\"freebody\":1,\"name\":\"big\",\"bodies\":[{\"name\":\"base\",\"mass\":100,"
                              "\"inertia\":[20,20,20,0,0,0]}");
  for (int i = 0; i < JOINTS; i++) {
    char parent[16];
    snprintf(parent, sizeof parent, i ? "link%d" : "base", i - 1);
    n += (size_t)snprintf(text + n, size - n,
                          ",{\"name\":\"link%d\",\"parent\":\"%s\",\"joint\":{\"name\":\"joint%d\",\"type\":"
                          "\"revolute\",\"axis\":[0,%d,%d],\"at\":[0.5,0,0]},\"mass\":5,\"com\":[0.25,0,0],"
                          "\"inertia\":[0.1,0.2,0.2,0,0,0]}",
                          i, parent, i, i % 2, 1 - i % 2);
  }
  snprintf(text + n, size - n, "]}");
}

static void sample(double t, double* x) {
  double half = 0.05 * t;
  for (int k = 0; k < 3; k++) x[k] = 0.3 * sin(0.01 * (k + 1) * t) + 1e-4 * sin(97.3 * t + k);
  x[3] = cos(half);
  x[4] = x[5] = 0;
  x[6] = sin(half);
  for (int k = 0; k < JOINTS; k++) x[7 + k] = 0.8 * sin(0.2 * t + k) + 1e-3 * sin(31.7 * (k + 1) * t);
}

int main(int argc, char** argv) {
  long count = argc > 2 ? atol(argv[2]) : 1000000;
  if (argc < 2 || count < 1) {
    fprintf(stderr, "usage: big_run FOLDER [SAMPLES]\n");
    return 2;
  }
  fb_error error;
  fb_store* run;
  char names[SIGNALS][16], model[4096];
  fb_store_signal signals[SIGNALS];
  for (int i = 0; i < SIGNALS; i++) {
    snprintf(names[i], sizeof names[i], i < 7 ? "q.base.%d" : "q.joint%d", i < 7 ? i : i - 7);
    signals[i] = (fb_store_signal){names[i],
                                   i < 3   ? "m"
                                   : i < 7 ? "1"
                                           : "rad",
                                   "joint", "coordinate of a joint"};
  }
  print_model(model, sizeof model);
  if (fb_store_create(argv[1], signals, SIGNALS, 1, &run, &error) != FB_OK) stop(&error);
  if (fb_store_set_text(run, "name", "a million samples", &error) != FB_OK) stop(&error);
  if (fb_store_set_text(run, "model", model, &error) != FB_OK) stop(&error);
  if (fb_store_set_text(run, "status", "finished", &error) != FB_OK) stop(&error);
  for (long i = 0; i < count; i++) {
    double x[SIGNALS], t = 0.001 * (double)i;
    sample(t, x);
    if (fb_store_append(run, t, x, &error) != FB_OK) stop(&error);
  }
  if (fb_store_close(run, &error) != FB_OK) stop(&error);
  return 0;
}
