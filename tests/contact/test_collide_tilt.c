/* test_collide_tilt.c -- an attack on collisions: faces, edges and axes that are parallel, or all but parallel.
 *
 * Every two kinds, side by side or one on the other, aligned and then turned by 0 to 1e-3 rad, apart, touching and penetrating,
 * sizes from 1e-3 to 1e3 m and ratios up to 1e3. The gap is compared with a brute force (polytope_rig.h), or, of round shapes,
 * with a search over directions. More pairs: FB_ATTACK_PAIRS; other pairs: FB_ATTACK_SEED; not the first ones: FB_ATTACK_FROM. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "collide_rig.h"
#include "polytope_rig.h"
#include "sample.h"

static const double EXACT = 1e-9; /* of the size of both shapes: what is asked for */
static const double NORMAL =
    1e-7; /* what the gap along the normal may lack: it is flat near its largest value */
enum { NCLOUD = 5, PAIRS = 4000 };

/* --- hulls and meshes --- */

typedef struct body {
  int count;
  double x[CORNERS_MOST][3];
  fb_geometry *hull, *mesh;
} body;
static body BODIES[NCLOUD];

static void add_corner(body* s, double x, double y, double z) {
  const double p[3] = {x, y, z};
  memcpy(s->x[s->count++], p, sizeof p);
}

static void fill_body(body* s, int which) {
  fb_random r = random_seed(77);
  s->count = 0;
  for (int k = 0; k < 8 && which == 0; k++) add_corner(s, (k & 1) - .5, (k >> 1 & 1) - .5, (k >> 2 & 1) - .5);
  for (int k = 0; k < 4 && which == 1; k++)
    add_corner(s, k & 1 ? .5 : -.5, k & 2 ? .5 : -.5, (k == 1 || k == 2) - .5);
  for (int k = 0; k < 6 && which == 2; k++)
    add_corner(s, (k == 0) * .5 - (k == 1) * .5, (k == 2) * .5 - (k == 3) * .5,
               (k == 4) * .5 - (k == 5) * .5);
  for (int k = 0; k < 12 && which == 3; k++)
    add_corner(s, .5 * cos(1.0471975511965976 * (k / 2)), .5 * sin(1.0471975511965976 * (k / 2)), k % 2 - .5);
  for (int k = 0; k < 10 && which == 4; k++) {
    double n[3];
    random_direction(&r, n);
    add_corner(s, .5 * n[0], .5 * n[1], .5 * n[2]);
  }
}

/* The surface of the hull as a mesh: every triangle of corners with all others on one side, the coplanar ones by fans. */
static void fill_mesh(body* s) {
  int triangles[200][3], count = 0;
  for (int i = 0; i < s->count; i++)
    for (int j = 0; j < s->count; j++)
      for (int k = 0; k < s->count; k++) {
        double e1[3], e2[3], n[3], away[3], most = -1;
        if (i == j || j == k || k == i) continue;
        for (int x = 0; x < 3; x++) {
          e1[x] = s->x[j][x] - s->x[i][x];
          e2[x] = s->x[k][x] - s->x[i][x];
        }
        cross3(e1, e2, n);
        int edge = 1; /* i, j: of the face's border, j, k too; i the first of the face */
        for (int v = 0; v < s->count; v++) {
          double in1[3], in2[3], e3[3];
          if (v == i || v == j || v == k) continue;
          for (int x = 0; x < 3; x++) {
            away[x] = s->x[v][x] - s->x[i][x];
            e3[x] = s->x[k][x] - s->x[j][x];
          }
          const double up = dot3(n, away);
          most = fmax(most, up);
          if (fabs(up) > 1e-12) continue;
          cross3(n, e1, in1);
          cross3(n, e3, in2);
          double from_j[3] = {s->x[v][0] - s->x[j][0], s->x[v][1] - s->x[j][1], s->x[v][2] - s->x[j][2]};
          edge &= v > i && dot3(in2, from_j) > 0;
          (void)in1;
        }
        edge &= i < j && i < k;
        if (most > 1e-12 || norm3(n) < 1e-9 || !edge) continue;
        const int t[3] = {i, j, k};
        memcpy(triangles[count++], t, sizeof t);
      }
  fb_error error;
  if (fb_geometry_new_mesh(s->count, s->x[0], count, triangles[0], &s->mesh, &error))
    fail_msg("%s", error.text);
}

static int make_bodies(void** unused) {
  (void)unused;
  fb_error error;
  for (int i = 0; i < NCLOUD; i++) {
    body* s = &BODIES[i];
    fill_body(s, i);
    if (fb_geometry_new_hull(s->count, s->x[0], &s->hull, &error)) fail_msg("%s", error.text);
    fill_mesh(s);
  }
  return 0;
}

static int free_bodies(void** unused) {
  (void)unused;
  for (int i = 0; i < NCLOUD; i++) {
    fb_geometry_free(BODIES[i].hull);
    fb_geometry_free(BODIES[i].mesh);
  }
  return 0;
}

/* --- shapes --- */

typedef struct subject {
  placed s;
  const body* of; /* of hulls and meshes */
  double size;    /* of the sphere around it */
} subject;

static int is_round(const subject* x) {
  return x->s.c.kind == FB_COLLIDER_CYLINDER || x->s.c.kind == FB_COLLIDER_ELLIPSOID;
}

/* Its corners in the world, in long double. */
static polytope corners_of(const subject* x) {
  polytope p = {.count = 0};
  double y[CORNERS_MOST][3] = {{0}};
  const double* size = x->s.c.size;
  switch (x->s.c.kind) {
    case FB_COLLIDER_SPHERE:
      p.radius = size[0];
      p.count = 1;
      break;
    case FB_COLLIDER_CAPSULE:
      p.radius = size[0];
      y[0][2] = -size[1] / 2;
      y[1][2] = size[1] / 2;
      p.count = 2;
      break;
    case FB_COLLIDER_BOX:
      p.count = 8;
      for (int k = 0; k < 24; k++) y[k / 3][k % 3] = (k / 3 >> k % 3 & 1 ? .5 : -.5) * size[k % 3];
      break;
    case FB_COLLIDER_HULL:
    case FB_COLLIDER_MESH:
      p.count = x->of->count;
      for (int k = 0; k < 3 * p.count; k++) y[k / 3][k % 3] = size[k % 3] * x->of->x[k / 3][k % 3];
      break;
    default:
      p.count = 1;
  }
  for (int k = 0; k < p.count; k++)
    for (int i = 0; i < 3; i++) {
      p.x[k][i] = x->s.at.p[i];
      for (int j = 0; j < 3; j++) p.x[k][i] += (wide)x->s.at.R[3 * i + j] * (wide)y[k][j];
    }
  return p;
}

static const fb_collider_kind KINDS[] = {FB_COLLIDER_POINT,    FB_COLLIDER_SPHERE,   FB_COLLIDER_CAPSULE,
                                         FB_COLLIDER_BOX,      FB_COLLIDER_HULL,     FB_COLLIDER_MESH,
                                         FB_COLLIDER_CYLINDER, FB_COLLIDER_ELLIPSOID};
enum { NKIND = sizeof KINDS / sizeof *KINDS };
static const char* const NAMES[] = {"point",     "sphere", "capsule", "cylinder", "box",
                                    "ellipsoid", "hull",   "mesh",    "plane",    "height field"};

static subject any_subject(fb_random* r, fb_collider_kind kind, double scale) {
  static const double EVEN[] = {0.25, 0.5, 1};
  subject x = {.of = NULL};
  x.s.c = fb_default_collider();
  x.s.c.kind = kind;
  const int even = random_index(r, 2);
  for (int i = 0; i < 3; i++)
    x.s.c.size[i] = scale * (even ? EVEN[random_index(r, 3)] : random_in(r, 0.1, 1));
  if (kind == FB_COLLIDER_HULL || kind == FB_COLLIDER_MESH) {
    x.of = &BODIES[random_index(r, NCLOUD)];
    x.s.c.geometry = kind == FB_COLLIDER_HULL ? x.of->hull : x.of->mesh;
  }
  x.size = kind == FB_COLLIDER_POINT ? scale : fb_collider_radius(&x.s.c);
  return x;
}

/* How far it extends along an axis of its own, signed. */
static double reach_along(const subject* x, int axis, double side) {
  double n[3] = {0, 0, 0};
  n[axis] = side;
  if (x->of) {
    const cloud corners = {x->of->count, x->of->x};
    fb_collider c = x->s.c;
    c.kind = FB_COLLIDER_HULL;
    return extent(&c, &corners, n);
  }
  return extent(&x->s.c, NULL, n);
}

static void turn_about(const double axis[3], double angle, double R[9]) {
  double q[4] = {cos(angle / 2), 0, 0, 0};
  for (int i = 0; i < 3; i++) q[1 + i] = sin(angle / 2) * axis[i];
  fb_rot_from_quat(q, R);
}

/* a on the side of b: aligned but for a yaw, a gap along the axis, shifted, then tilted about a point between them. */
typedef struct scene {
  subject a, b;
  double tilt, gap;
} scene;

static const double TILTS[] = {0, 1e-12, 1e-11, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3};
enum { NTILT = sizeof TILTS / sizeof *TILTS };

static void aligned(fb_random* r, double R[9]) {
  static const double Z[3] = {0, 0, 1};
  double yaw[9], turned[9] = {0};
  const int first = random_index(r, 3), step = 1 + random_index(r, 2);
  for (int i = 0; i < 3; i++) turned[3 * i + (first + step * i) % 3] = 1;
  for (int i = 0; i < 9 && step == 2; i++) turned[i] = -turned[i];
  turn_about(Z, random_index(r, 2) ? 0 : random_in(r, -1, 1), yaw);
  fb_rot_multiply(yaw, turned, R);
}

static scene any_scene(fb_random* r, fb_collider_kind ka, fb_collider_kind kb, double turned) {
  static const double GAPS[] = {0,    1e-12, -1e-12, 1e-9,  -1e-9, 1e-6, -1e-6,
                                1e-3, -1e-3, 0.02,   -0.02, -0.1,  0.3};
  scene x;
  const double scale = pow(10, random_in(r, -3, 3)),
               ratio = random_index(r, 3) ? 1 : pow(10, random_in(r, -3, 0));
  double Ra[9], Rb[9], tilt[9], axis[3], p[3], world[9], q[4];
  x.a = any_subject(r, ka, scale * ratio);
  x.b = any_subject(r, kb, scale);
  x.tilt = turned * TILTS[random_index(r, NTILT)];
  x.gap =
      (random_index(r, 3) ? GAPS[random_index(r, 13)] : random_in(r, -0.3, 0.1)) * fmin(x.a.size, x.b.size);
  /* Both aligned, b at the origin; a over it along z. */
  aligned(r, Ra);
  aligned(r, Rb);
  double up = 0, down = 0;
  for (int i = 0; i < 3; i++) {
    const double za = Ra[6 + i], zb = Rb[6 + i];
    if (za != 0) down = reach_along(&x.a, i, za > 0 ? -1 : 1);
    if (zb != 0) up = reach_along(&x.b, i, zb > 0 ? 1 : -1);
  }
  for (int i = 0; i < 2; i++) p[i] = random_index(r, 4) ? random_in(r, -0.8, 0.8) * (x.a.size + x.b.size) : 0;
  p[2] = up + down + x.gap;
  random_direction(r, axis);
  if (random_index(r, 3) == 0) axis[0] = 1, axis[1] = axis[2] = 0;
  turn_about(axis, x.tilt, tilt);
  fb_rot_multiply(tilt, Ra, Ra);
  random_quat(r, q);
  fb_rot_from_quat(q, world);
  if (random_index(r, 3) == 0) fb_rot_identity(world);
  fb_rot_multiply(world, Ra, x.a.s.at.R);
  fb_rot_multiply(world, Rb, x.b.s.at.R);
  fb_rot_apply(world, p, x.a.s.at.p);
  memset(x.b.s.at.p, 0, sizeof x.b.s.at.p);
  return x;
}

/* --- what is wrong with a pair --- */

static double gap_towards(const subject* a, const subject* b, const double n[3]) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  const cloud ca = {a->of ? a->of->count : 0, a->of ? a->of->x : NULL},
              cb = {b->of ? b->of->count : 0, b->of ? b->of->x : NULL};
  placed pa = a->s, pb = b->s;
  if (a->of) pa.c.kind = FB_COLLIDER_HULL;
  if (b->of) pb.c.kind = FB_COLLIDER_HULL;
  return -extent_at(&pa, &ca, back) - extent_at(&pb, &cb, n);
}

/* Uphill from n in smaller and smaller steps. */
static double climb(const subject* a, const subject* b, const double from[3]) {
  double n[3] = {from[0], from[1], from[2]}, best = gap_towards(a, b, n);
  for (double step = 0.3; step > 1e-12; step *= 0.5)
    for (int k = 0; k < 6; k++) {
      double next[3] = {n[0], n[1], n[2]};
      next[k / 2] += k & 1 ? step : -step;
      const double length = norm3(next);
      for (int i = 0; i < 3; i++) next[i] /= length;
      const double gap = gap_towards(a, b, next);
      if (!(gap > best)) continue;
      best = gap;
      memcpy(n, next, sizeof n);
    }
  return best;
}

/* The largest of what a search finds: from the axes of both, across each two of them, from one centre to the other. */
static double search_gap(const subject* a, const subject* b, const double found[3]) {
  double axes[7][3], best = climb(a, b, found);
  for (int i = 0; i < 9; i++) {
    axes[i % 3][i / 3] = a->s.at.R[i];
    axes[3 + i % 3][i / 3] = b->s.at.R[i];
  }
  for (int i = 0; i < 3; i++) axes[6][i] = a->s.at.p[i] - b->s.at.p[i];
  for (int i = 0; i < 7; i++)
    for (int j = 0; j <= i; j++) {
      double n[3];
      cross3(axes[i], axes[j], n);
      if (i == j) memcpy(n, axes[i], sizeof n);
      const double length = norm3(n);
      for (int side = 0; side < 2 && length > 0; side++) {
        for (int k = 0; k < 3; k++) n[k] /= side ? -1 : length;
        best = fmax(best, climb(a, b, n));
      }
    }
  return best;
}

/* What four points of a cap that is flat to 1e-3 rad may lack of the least gap (docs/theory/geometry.md). */
static double rim_error(const scene* x) {
  double radius = 0;
  if (x->a.s.c.kind == FB_COLLIDER_CYLINDER) radius = x->a.s.c.size[0];
  if (x->b.s.c.kind == FB_COLLIDER_CYLINDER) radius += x->b.s.c.size[0];
  return 3e-4 * radius;
}

/* The error of the gap, of the size. */
static double error_of(const scene* x, double* want, double* got, char why[80]) {
  const double size = x->a.size + x->b.size;
  fb_contact_point t[FB_MAX_CONTACT_POINTS];
  const int count = touch_all(&x->a.s, &x->b.s, INFINITY, t);
  *got = gap_of(&x->a.s, &x->b.s);
  if (count < 1) return snprintf(why, 80, "no point"), INFINITY;
  for (int k = 0; k < count; k++)
    if (!(fabs(norm3(t[k].normal) - 1) < 1e-12))
      return snprintf(why, 80, "a normal off unit length by %.2g", norm3(t[k].normal) - 1), INFINITY;
  if (!(fabs(t[0].gap - *got) <= EXACT * size + rim_error(x)))
    return snprintf(why, 80, "fb_collider_contact_points says %.9g", t[0].gap), fabs(t[0].gap - *got) / size;
  const double along = gap_towards(&x->a, &x->b, t[0].normal);
  if (is_round(&x->a) || is_round(&x->b)) {
    *want = search_gap(&x->a, &x->b, t[0].normal);
    snprintf(why, 80, "round");
    return fmax(*want - *got, *got - along - rim_error(x)) / size;
  }
  const polytope a = corners_of(&x->a), b = corners_of(&x->b);
  *want = (double)polytope_gap(&a, &b);
  snprintf(why, 80, "gap");
  if (!(fabs(*got - *want) <= EXACT * size)) return fabs(*got - *want) / size;
  if (*want > 0 && *want < 1e-12 * size) return 0; /* a direction of rounding (docs/theory/geometry.md) */
  snprintf(why, 80, "along the normal %.9g", along);
  return fmax(fabs(*got - *want), fabs(*got - along) * (EXACT / NORMAL)) / size;
}

static int has_mesh(const scene* x) {
  return x->a.s.c.kind == FB_COLLIDER_MESH || x->b.s.c.kind == FB_COLLIDER_MESH;
}

/* The least thickness of a pair. */
static double thickness_of(const scene* x) {
  double least = INFINITY;
  for (int i = 0; i < 3; i++) {
    if (x->a.s.c.kind != FB_COLLIDER_POINT)
      least = fmin(least, reach_along(&x->a, i, 1) + reach_along(&x->a, i, -1));
    if (x->b.s.c.kind != FB_COLLIDER_POINT)
      least = fmin(least, reach_along(&x->b, i, 1) + reach_along(&x->b, i, -1));
  }
  return least;
}

/* Meshes: apart they have the gap of their hulls. How deep they are is measured in another way (docs/theory/geometry.md): while
 * that is little, it must not jump as the pair is tilted. */
static double mesh_error_of(const scene* x, const scene* flat, double* want, double* got, char why[80]) {
  const double size = x->a.size + x->b.size, error = error_of(x, want, got, why);
  const int both = x->a.s.c.kind == FB_COLLIDER_MESH && x->b.s.c.kind == FB_COLLIDER_MESH;
  if (!(error < INFINITY) || *want == 0) return error;
  if (*want > EXACT * size) return error;
  if (both || *want < -0.02 * thickness_of(x)) return 0;
  fb_contact_point t[FB_MAX_CONTACT_POINTS]; /* out through another face, just beside: another depth */
  if (touch_all(&x->a.s, &x->b.s, 0, t) > 0 &&
      fabs(gap_towards(&x->a, &x->b, t[0].normal) - *got) > 1e-3 * size)
    return 0;
  *want = gap_of(&flat->a.s, &flat->b.s);
  snprintf(why, 80, "without the tilt");
  return fmax(0, fabs(*got - *want) / size - 4 * x->tilt);
}

static int count_asked(const char* variable, int otherwise) {
  const char* asked = getenv(variable);
  return asked ? atoi(asked) : otherwise;
}

static uint64_t seed_asked(void) {
  const char* asked = getenv("FB_ATTACK_SEED");
  return asked ? (uint64_t)atoll(asked) : 2028;
}

/* The error of pair n, of what is allowed; above 1 it is printed. */
static double check_pair(int n, const scene* x, const scene* flat) {
  double want = 0, got = 0;
  char why[80];
  const double error = has_mesh(x) ? mesh_error_of(x, flat, &want, &got, why) : error_of(x, &want, &got, why);
  if (!(error <= EXACT)) {
    const fb_collider *a = &x->a.s.c, *b = &x->b.s.c;
    print_error("%d: %s %g %g %g on %s %g %g %g, tilt %g: %.9g for %.9g, %.2g of the size (%s)\n", n,
                NAMES[a->kind], a->size[0], a->size[1], a->size[2], NAMES[b->kind], b->size[0], b->size[1],
                b->size[2], x->tilt, got, want, error, why);
  }
  return error / EXACT;
}

/* Pairs from .. to - 1 of a seed, or those of a list that ends with -1; how many of them are wrong. */
static int attack(uint64_t seed, int from, int to, const int* list) {
  fb_random r = random_seed(seed);
  int bad = 0;
  for (int n = 0; n < to; n++) {
    const fb_collider_kind one = KINDS[random_index(&r, NKIND)], other = KINDS[random_index(&r, NKIND)];
    fb_random again = r;
    const scene x = any_scene(&r, one, other, 1), flat = any_scene(&again, one, other, 0);
    if (n < from || (list && n != *list)) continue;
    bad += !(check_pair(n, &x, &flat) <= 1);
    if (list && *++list < 0) break;
  }
  return bad;
}

static void gaps_of_all_but_parallel_shapes_are_exact(void** unused) {
  (void)unused;
  const int pairs = count_asked("FB_ATTACK_PAIRS", sample(1500, PAIRS)),
            from = count_asked("FB_ATTACK_FROM", 0), bad = attack(seed_asked(), from, pairs, NULL);
  if (bad) fail_msg("%d of %d pairs are wrong", bad, pairs - from);
}

/* What a million pairs found. */
static void pairs_that_were_wrong_stay_right(void** unused) {
  (void)unused;
  static const int WRONG[] = {82941,  178727, 199235, 209221, 236942, 254893, 329154, 332765,
                              378215, 397622, 415960, 465215, 469975, 897409, 984817, -1};
  assert_int_equal(attack(2028, 0, 1000000, WRONG), 0);
}

/* Hulls of many corners: prisms with flat ends, and balls. No direction has a larger gap than that found. */
static void gaps_of_large_hulls_are_exact(void** unused) {
  (void)unused;
  enum { MANY = 120, ROUNDS = 150 };
  static double ball[MANY][3], prism[MANY][3];
  fb_random r = random_seed(seed_asked());
  fb_geometry* hulls[2];
  fb_error error;
  for (int k = 0; k < MANY; k++) {
    double n[3];
    random_direction(&r, n);
    for (int i = 0; i < 3; i++) ball[k][i] = n[i] / 2;
    prism[k][0] = cos(0.10471975511965977 * (k / 2)) / 2;
    prism[k][1] = sin(0.10471975511965977 * (k / 2)) / 2;
    prism[k][2] = k % 2 - 0.5;
  }
  const double(*const points[2])[3] = {(const double(*)[3])ball, (const double(*)[3])prism};
  for (int k = 0; k < 2; k++)
    if (fb_geometry_new_hull(MANY, points[k][0], &hulls[k], &error)) fail_msg("%s", error.text);
  for (int round = 0; round < ROUNDS; round++) {
    scene x = any_scene(&r, FB_COLLIDER_BOX, FB_COLLIDER_BOX, 1);
    const int ka = random_index(&r, 2), kb = random_index(&r, 2);
    const cloud ca = {MANY, points[ka]}, cb = {MANY, points[kb]};
    x.a.s.c.kind = x.b.s.c.kind = FB_COLLIDER_HULL;
    x.a.s.c.geometry = hulls[ka];
    x.b.s.c.geometry = hulls[kb];
    const double size = x.a.size + x.b.size;
    fb_contact_point t[FB_MAX_CONTACT_POINTS];
    assert_true(touch_all(&x.a.s, &x.b.s, INFINITY, t) > 0);
    double best = -INFINITY, back[3], away[3];
    for (int i = 0; i < 3; i++) back[i] = -t[0].normal[i];
    const double along = -extent_at(&x.a.s, &ca, back) - extent_at(&x.b.s, &cb, t[0].normal);
    if (!(fabs(along - t[0].gap) <= EXACT * size))
      fail_msg("%d: %.12g, along the normal %.12g", round, t[0].gap, along);
    for (int k = 0; k < 400; k++) { /* steps of all lengths from the normal, and anywhere */
      random_direction(&r, away);
      double n[3], step = k < 300 ? pow(10, random_in(&r, -10, 0)) : 100;
      for (int i = 0; i < 3; i++) n[i] = t[0].normal[i] + step * away[i];
      const double length = norm3(n);
      for (int i = 0; i < 3; i++) back[i] = -(n[i] /= length);
      best = fmax(best, -extent_at(&x.a.s, &ca, back) - extent_at(&x.b.s, &cb, n));
    }
    if (!(best <= t[0].gap + EXACT * size)) fail_msg("%d: %.12g, but %.12g is found", round, t[0].gap, best);
  }
  for (int k = 0; k < 2; k++) fb_geometry_free(hulls[k]);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(gaps_of_all_but_parallel_shapes_are_exact),
                                     cmocka_unit_test(pairs_that_were_wrong_stay_right),
                                     cmocka_unit_test(gaps_of_large_hulls_are_exact)};
  return cmocka_run_group_tests(tests, make_bodies, free_bodies);
}
