/* test_collide_mesh.c -- hulls, meshes and height fields against shapes: the same body as a box, a hull and a mesh gives the
 * same gaps; random hulls against the oracle; and what makers refuse. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "collide_rig.h"

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_box_as_hull_and_as_mesh_has_the_same_gap)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
