/* test_collide_mesh.c -- hulls, meshes and height fields against shapes: the same body as a box, a hull and a mesh gives the
 * same gaps; random hulls against the oracle; and what makers refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "collide_rig.h"

#define PI 3.14159265358979323846

static const double CORNERS[8][3] = {{-.5, -.5, -.5}, {.5, -.5, -.5}, {-.5, .5, -.5}, {.5, .5, -.5},
                                     {-.5, -.5, .5},  {.5, -.5, .5},  {-.5, .5, .5},  {.5, .5, .5}};
static const int BOX_TRIANGLES[12][3] = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                                         {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
static const fb_collider_kind CONVEX[] = {FB_COLLIDER_POINT,    FB_COLLIDER_SPHERE, FB_COLLIDER_CAPSULE,
                                          FB_COLLIDER_CYLINDER, FB_COLLIDER_BOX,    FB_COLLIDER_ELLIPSOID};
enum { NCONVEX = sizeof CONVEX / sizeof *CONVEX };

static fb_geometry* hull_of(int count, const double (*points)[3]) {
  fb_geometry* g;
  fb_error error;
  if (fb_geometry_hull(count, points[0], &g, &error)) fail_msg("%s", error.text);
  return g;
}

static fb_geometry* box_mesh(void) {
  fb_geometry* g;
  fb_error error;
  if (fb_geometry_mesh(8, CORNERS[0], 12, BOX_TRIANGLES[0], &g, &error)) fail_msg("%s", error.text);
  return g;
}

static placed any_shape(fb_random* r, fb_collider_kind kind, double within) {
  placed s;
  s.c = fb_default_collider();
  s.c.kind = kind;
  random_fill(r, 0.3, 1.5, 3, s.c.size);
  place_randomly(r, within, &s.at);
  return s;
}

static void a_box_as_hull_and_as_mesh_has_the_same_gap(void** unused) {
  (void)unused;
  fb_geometry *hull = hull_of(8, CORNERS), *mesh = box_mesh();
  fb_random r = random_seed(3);
  int apart = 0;
  for (int i = 0; i < NCONVEX; i++)
    for (int k = 0; k < 200; k++) {
      placed a = any_shape(&r, CONVEX[i], 1.2), b = any_shape(&r, FB_COLLIDER_BOX, 1.2), h = b, m = b;
      h.c.kind = FB_COLLIDER_HULL;
      h.c.geometry = hull;
      m.c.kind = FB_COLLIDER_MESH;
      m.c.geometry = mesh;
      const double want = gap_of(&a, &b), by_hull = gap_of(&a, &h), by_mesh = gap_of(&a, &m);
      if (!(fabs(want - by_hull) < 1e-11))
        fail_msg("kind %d, %d: box %.17g, hull %.17g", CONVEX[i], k, want, by_hull);
      if (want <= 0) continue;
      apart++;
      if (!(fabs(want - by_mesh) < 1e-11))
        fail_msg("kind %d, %d: box %.17g, mesh %.17g", CONVEX[i], k, want, by_mesh);
    }
  assert_true(apart > 300);
  fb_geometry_free(hull);
  fb_geometry_free(mesh);
}

/* --- a flat height field and a flat mesh are a plane --- */

enum { GRID = 21 };

static fb_geometry* grid(double (*height)(double x, double y)) {
  static double h[GRID * GRID];
  fb_geometry* g;
  fb_error error;
  for (int i = 0; i < GRID * GRID; i++) h[i] = height(0.3 * (i % GRID) - 3, 0.3 * (i / GRID) - 3);
  if (fb_geometry_heights(GRID, GRID, 0.3, 0.3, h, &g, &error)) fail_msg("%s", error.text);
  return g;
}

/* The same triangles as a mesh. */
static fb_geometry* sheet(double (*height)(double x, double y)) {
  static double v[GRID * GRID][3];
  static int t[2 * (GRID - 1) * (GRID - 1)][3];
  int count = 0;
  fb_geometry* g;
  fb_error error;
  for (int i = 0; i < GRID * GRID; i++) {
    const double x[3] = {0.3 * (i % GRID), 0.3 * (i / GRID),
                         height(0.3 * (i % GRID) - 3, 0.3 * (i / GRID) - 3)};
    memcpy(v[i], x, sizeof x);
    if (i % GRID + 1 == GRID || i / GRID + 1 == GRID) continue;
    const int corner[2][3] = {{i, i + 1, i + GRID + 1}, {i, i + GRID + 1, i + GRID}};
    memcpy(t[count], corner, sizeof corner);
    count += 2;
  }
  if (fb_geometry_mesh(GRID * GRID, v[0], count, t[0], &g, &error)) fail_msg("%s", error.text);
  return g;
}

static double flat(double x, double y) {
  return 0 * x * y;
}

static const double MIDDLE[3] = {-3, -3, 0}, NO_TURN[3] = {0, 0, 0};

static placed ground(fb_collider_kind kind, const fb_geometry* g) {
  fb_collider c = collider_of(kind, 1, 1, 1);
  c.geometry = g;
  return placed_at(c, MIDDLE, NO_TURN);
}

/* Every point of one list is in the other. */
static void assert_same_points(const char* what, const fb_touch* t, int n, const fb_touch* u, int m) {
  int missing = n != m;
  for (int i = 0; i < n; i++) {
    int found = 0;
    for (int j = 0; j < m; j++)
      found |= fabs(t[i].gap - u[j].gap) < 1e-12 && worst_difference(t[i].p_b, u[j].p_b, 3) < 1e-9 &&
               worst_difference(t[i].normal, u[j].normal, 3) < 1e-9;
    missing |= !found;
  }
  if (!missing) return;
  for (int i = 0; i < n; i++)
    print_error("  plane %g at %g %g %g\n", t[i].gap, t[i].p_b[0], t[i].p_b[1], t[i].p_b[2]);
  for (int i = 0; i < m; i++)
    print_error("  other %g at %g %g %g, normal %g %g %g\n", u[i].gap, u[i].p_b[0], u[i].p_b[1], u[i].p_b[2],
                u[i].normal[0], u[i].normal[1], u[i].normal[2]);
  fail_msg("%s: %d points, %d wanted", what, m, n);
}

/* Nearly upright, in many headings, so that faces, edges, rims and corners all come; just above and just below. */
static void flat_ground_of_triangles_is_a_plane(void** unused) {
  (void)unused;
  fb_geometry *heights = grid(flat), *mesh = sheet(flat);
  const placed plane = ground(FB_COLLIDER_PLANE, NULL),
               b[2] = {ground(FB_COLLIDER_HEIGHTFIELD, heights), ground(FB_COLLIDER_MESH, mesh)};
  fb_random r = random_seed(8);
  for (int i = 0; i < NCONVEX; i++)
    for (int k = 0; k < 120; k++) {
      placed a = any_shape(&r, CONVEX[i], 1);
      const double lean = k % 3 == 0 ? 0 : k % 3 == 1 ? 1e-3 : 1;
      const double rpy[3] = {random_in(&r, -lean, lean) + (k % 2 ? PI / 2 : 0), random_in(&r, -lean, lean),
                             random_in(&r, -3, 3)};
      fb_rot_from_rpy(rpy, a.at.R);
      a.at.p[2] += (k % 4 < 2 ? 0.003 : -0.003) - gap_of(&a, &plane);
      fb_touch t[FB_MAX_TOUCHES], u[FB_MAX_TOUCHES];
      const int n = touch_all(&a, &plane, 0.01, t);
      for (int j = 0; j < 2; j++) {
        const int m = touch_all(&a, &b[j], 0.01, u);
        char what[60];
        snprintf(what, sizeof what, "kind %d, %d, on %s", (int)CONVEX[i], k, j ? "a mesh" : "heights");
        assert_same_points(what, t, n, u, m);
      }
    }
  fb_geometry_free(heights);
  fb_geometry_free(mesh);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_as_hull_and_as_mesh_has_the_same_gap),
                                     cmocka_unit_test(flat_ground_of_triangles_is_a_plane)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
