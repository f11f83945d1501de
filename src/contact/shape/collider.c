/* collider.c -- colliders: defaults, checks, and the sphere around each. */
#include <math.h>

#include <freebody/model.h>

#include "base/cookie.h"
#include "contact/shape/geometry.h"
#include "math/vector3.h"

/* Requirements of a kind: number and names of its sizes, and its geometry. */
typedef struct kind_row {
  const char* name;
  int nsize;
  const char* size[3];
  int may_be_zero; /* index of a size that may be zero, or -1 */
  fb_geometry_kind geometry;
} kind_row;

static const kind_row KINDS[] = {
    [FB_COLLIDER_POINT] = {"point", 0, {NULL}, -1, FB_GEOMETRY_NONE},
    [FB_COLLIDER_SPHERE] = {"sphere", 1, {"radius"}, -1, FB_GEOMETRY_NONE},
    [FB_COLLIDER_CAPSULE] = {"capsule", 2, {"radius", "length"}, 1, FB_GEOMETRY_NONE},
    [FB_COLLIDER_CYLINDER] = {"cylinder", 2, {"radius", "length"}, -1, FB_GEOMETRY_NONE},
    [FB_COLLIDER_BOX] = {"box", 3, {"edge along x", "edge along y", "edge along z"}, -1, FB_GEOMETRY_NONE},
    [FB_COLLIDER_ELLIPSOID] =
        {"ellipsoid", 3, {"radius along x", "radius along y", "radius along z"}, -1, FB_GEOMETRY_NONE},
    [FB_COLLIDER_HULL] =
        {"hull", 3, {"scale along x", "scale along y", "scale along z"}, -1, FB_GEOMETRY_HULL},
    [FB_COLLIDER_MESH] =
        {"mesh", 3, {"scale along x", "scale along y", "scale along z"}, -1, FB_GEOMETRY_MESH},
    [FB_COLLIDER_PLANE] = {"plane", 0, {NULL}, -1, FB_GEOMETRY_NONE},
    [FB_COLLIDER_HEIGHTFIELD] =
        {"height field", 3, {"scale along x", "scale along y", "scale along z"}, -1, FB_GEOMETRY_HEIGHTS},
};
enum { KIND_COUNT = sizeof KINDS / sizeof *KINDS };

fb_collider fb_default_collider(void) {
  return (fb_collider){.kind = FB_COLLIDER_POINT,
                       .frame = FB_WORLD,
                       .R = {1, 0, 0, 0, 1, 0, 0, 0, 1},
                       .size = {1, 1, 1},
                       .cookie_ = FB_COOKIE};
}

static fb_status check_sizes(const kind_row* kind, const double size[3], fb_error* error) {
  for (int i = 0; i < kind->nsize; i++) {
    const int zero_is_fine = i == kind->may_be_zero;
    if (size[i] > 0 && size[i] < INFINITY) continue;
    if (zero_is_fine && size[i] == 0) continue;
    return fb_fail(error, FB_ERR_ARG, "the %s of a %s is %g; it must be finite and %s", kind->size[i],
                   kind->name, size[i], zero_is_fine ? "zero or more" : "larger than zero");
  }
  return FB_OK;
}

static fb_status check_place(const kind_row* kind, const fb_collider* c, fb_error* error) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(c->at[i]))
      return fb_fail(error, FB_ERR_NOT_FINITE, "the place of a %s is %g, %g, %g; it must be finite",
                     kind->name, c->at[0], c->at[1], c->at[2]);
  const double worst = defect3x3(c->R);
  if (!(worst <= 1e-9) || det3x3(c->R) < 0)
    return fb_fail(error, FB_ERR_ARG,
                   "the axes of a %s are not a rotation (off orthonormal by %.2g, determinant %.3g); start "
                   "from fb_default_collider, or use fb_rot_nearest",
                   kind->name, worst, det3x3(c->R));
  return FB_OK;
}

fb_status fb_collider_check(const fb_collider* c, fb_error* error) {
  if (fb_cookie_check(c->cookie_, "collider", error)) return FB_ERR_ARG;
  if ((unsigned)c->kind >= KIND_COUNT)
    return fb_fail(error, FB_ERR_ARG, "the kind of a collider is %d; it must be an fb_collider_kind",
                   (int)c->kind);
  const kind_row* kind = &KINDS[c->kind];
  fb_status status = check_place(kind, c, error);
  if (!status) status = check_sizes(kind, c->size, error);
  if (status || kind->geometry == FB_GEOMETRY_NONE) return status;
  if (!c->geometry || c->geometry->kind != kind->geometry)
    return fb_fail(error, FB_ERR_ARG, "a %s needs a geometry made by %s", kind->name,
                   fb_geometry_maker(kind->geometry));
  return FB_OK;
}

double fb_collider_radius(const fb_collider* c) {
  if (c->cookie_ != FB_COOKIE) return NAN;
  const double* s = c->size;
  switch (c->kind) {
    case FB_COLLIDER_POINT:
      return 0;
    case FB_COLLIDER_SPHERE:
      return s[0];
    case FB_COLLIDER_CAPSULE:
      return s[0] + s[1] / 2;
    case FB_COLLIDER_CYLINDER:
      return norm2(s[0], s[1] / 2);
    case FB_COLLIDER_BOX:
      return norm3(s) / 2;
    case FB_COLLIDER_ELLIPSOID:
      return fmax(s[0], fmax(s[1], s[2]));
    case FB_COLLIDER_HULL:
    case FB_COLLIDER_MESH:
      return fb_geometry_radius(c->geometry, s);
    case FB_COLLIDER_HEIGHTFIELD:
    case FB_COLLIDER_PLANE:
      return INFINITY;
  }
  return INFINITY;
}
