/* collide_cost.c -- what a query of contact geometry costs: pairs of shapes that rest on each other, lie at random, or are out of
 * reach.
 *
 *   bench_collide [ROUNDS]      repeats of which the least is printed, 7
 *
 * Each figure is the mean over 200 poses. `flush`: faces parallel to 1e-9 rad, 1e-5 m deep or apart, reach 1e-3 m; `deep`:
 * random poses with overlap; `near`: random poses, apart, any reach; `off`: random poses, apart, reach 0. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <freebody/collide.h>
#include <freebody/rotation.h>

enum { POSES = 200, BALL = 400, CASES = 4 };
static const char* const CASE_NAMES[CASES] = {"flush", "deep", "near", "off"};

typedef struct shape {
  const char* name;
  fb_collider c;
} shape;

static double uniform(double low, double high) {
  static unsigned long long state = 88172645463325252ull;
  state ^= state << 13;
  state ^= state >> 7;
  state ^= state << 17;
  return low + (high - low) * (double)(state >> 11) / 9007199254740992.;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void turn(double angle, fb_placement* at) {
  double q[4] = {1, 0, 0, 0}, sum = 0;
  if (angle > 1) {
    for (int i = 0; i < 4; i++) {
      q[i] = uniform(-1, 1);
      sum += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) q[i] /= sqrt(sum);
  } else {
    for (int i = 1; i < 4; i++) q[i] = angle * uniform(-1, 1);
  }
  fb_rot_from_quat(q, at->R);
}

static fb_placement pose_of(int number, const fb_collider* a, const fb_collider* b) {
  fb_placement at, of = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  for (int tries = 0; tries < 1000; tries++) {
    turn(number == 0 ? 1e-9 : 2, &at);
    for (int i = 0; i < 3; i++) at.p[i] = uniform(-1, 1);
    if (number == 0) {
      for (int i = 0; i < 2; i++) at.p[i] *= 0.4;
      at.p[2] = 2;
      at.p[2] -= fb_collider_gap(a, &at, b, &of) - uniform(-1e-5, 1e-5);
      return at;
    }
    if ((fb_collider_gap(a, &at, b, &of) < 0) == (number == 1)) return at;
  }
  return at;
}

static double cost(int number, const shape* a, const shape* b, int rounds) {
  static fb_placement at[POSES];
  fb_placement of = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const double max_gap = number == 0 ? 1e-3 : number == 2 ? INFINITY : 0;
  double least = INFINITY;
  int found = 0;
  for (int i = 0; i < POSES; i++) at[i] = pose_of(number, &a->c, &b->c);
  for (int round = 0; round < rounds; round++) {
    const double start = now();
    fb_contact_point touches[FB_MAX_CONTACT_POINTS];
    for (int k = 0; k < 10; k++)
      for (int i = 0; i < POSES; i++)
        found +=
            fb_collider_contact_points(&a->c, &at[i], &b->c, &of, max_gap, touches, FB_MAX_CONTACT_POINTS);
    least = fmin(least, (now() - start) / (10. * POSES));
  }
  return found < 0 ? NAN : least;
}

static fb_collider sized(fb_collider_kind kind, double x, double y, double z, const fb_geometry* g) {
  fb_collider c = fb_default_collider();
  const double size[3] = {x, y, z};
  c.kind = kind;
  c.geometry = g;
  memcpy(c.size, size, sizeof size);
  return c;
}

/* Points on a sphere, evenly spread. */
static fb_geometry* ball(int count) {
  static double points[BALL][3];
  fb_geometry* g = NULL;
  for (int i = 0; i < count; i++) {
    const double z = 1 - (2. * i + 1) / count, r = sqrt(1 - z * z), angle = 2.399963229728653 * i;
    const double x[3] = {0.5 * r * cos(angle), 0.5 * r * sin(angle), 0.5 * z};
    memcpy(points[i], x, sizeof x);
  }
  return fb_geometry_new_hull(count, points[0], &g, NULL) ? NULL : g;
}

int main(int argc, char** argv) {
  static const double CORNERS[8][3] = {{-.5, -.5, -.5}, {.5, -.5, -.5}, {-.5, .5, -.5}, {.5, .5, -.5},
                                       {-.5, -.5, .5},  {.5, -.5, .5},  {-.5, .5, .5},  {.5, .5, .5}};
  static const int TRIANGLES[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                       {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const int rounds = argc > 1 ? atoi(argv[1]) : 7;
  fb_geometry *hull = NULL, *mesh = NULL, *small = ball(30), *large = ball(BALL);
  if (fb_geometry_new_hull(8, CORNERS[0], &hull, NULL) ||
      fb_geometry_new_mesh(8, CORNERS[0], 12, TRIANGLES[0], &mesh, NULL) || !small || !large)
    return EXIT_FAILURE;
  const shape shapes[] = {{"capsule", sized(FB_COLLIDER_CAPSULE, 0.25, 0.5, 0, NULL)},
                          {"cylinder", sized(FB_COLLIDER_CYLINDER, 0.5, 1, 0, NULL)},
                          {"box", sized(FB_COLLIDER_BOX, 1, 1, 1, NULL)},
                          {"hull 8", sized(FB_COLLIDER_HULL, 1, 1, 1, hull)},
                          {"hull 30", sized(FB_COLLIDER_HULL, 1, 1, 1, small)},
                          {"hull 400", sized(FB_COLLIDER_HULL, 1, 1, 1, large)},
                          {"mesh", sized(FB_COLLIDER_MESH, 1, 1, 1, mesh)}};
  enum { NSHAPE = sizeof shapes / sizeof *shapes };
  printf("%-22s", "microseconds a query");
  for (int k = 0; k < CASES; k++) printf("%10s", CASE_NAMES[k]);
  printf("\n");
  for (int i = 0; i < NSHAPE; i++)
    for (int j = i; j < NSHAPE; j++) {
      printf("%-10s%-12s", shapes[i].name, shapes[j].name);
      for (int k = 0; k < CASES; k++) printf("%10.2f", 1e6 * cost(k, &shapes[i], &shapes[j], rounds));
      printf("\n");
    }
  fb_geometry_free(hull);
  fb_geometry_free(mesh);
  fb_geometry_free(small);
  fb_geometry_free(large);
  return EXIT_SUCCESS;
}
