/* inertia.c -- mass and inertia of a body: from its <inertial>, or from its geoms, as <compiler> says. */
#include <math.h>
#include <string.h>

#include "format/mjcf/reader.h"
#include "format/mjcf/write/writer.h"
#include "format/shape_volume.h"
#include "math/sym3.h"
#include "math/vector3.h"
#include "model/pose.h"

static const double PI = 3.14159265358979323846;

/* --- <inertial> --- */

static fb_status read_inertial(fb_mjcf_reader* r, int node, fb_body_def* out) {
  fb_pose local = fb_pose_identity(), whole;
  double I[6] = {0};
  int mass = 0, full = 0, diagonal = 0;
  fb_status status = fb_mjcf_pose(r, node, NULL, &local);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "mass", 1, &out->mass, &mass);
  if (!status && !mass)
    return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "<inertial> of '%.100s' has no mass", out->name);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "diaginertia", 3, I, &diagonal);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "fullinertia", 6, I, &full);
  if (status) return status;
  for (int i = 0; i < 3 && r->ours; i++)
    if (I[i] == FB_MJCF_LEAST) I[i] = 0;
  if (r->ours && out->mass == FB_MJCF_LEAST) out->mass = 0;
  if (!diagonal && !full)
    fb_unread_add(&r->unread, node, "<inertial> without diaginertia and fullinertia is the mass of a point");
  fb_pose_multiply(&r->pose[node], &local, &whole);
  memcpy(out->com, whole.p, sizeof out->com);
  if (is_identity3x3(whole.R))
    memcpy(out->inertia, I, sizeof I);
  else
    fb_inertia_turn(whole.R, I, out->inertia);
  return FB_OK;
}

/* --- geoms --- */

/* Area, and moments about the centre for a mass of 1 per area. Of an ellipsoid both are MuJoCo's approximations: Thomsen's
 * area, and the difference of two solids. */
static double shell(const fb_mjcf_geom* g, double I[3]) {
  const double *s = g->size, r = s[0], h = s[1];
  double A, disk, ball;
  switch (g->type) {
    case FB_MJCF_SPHERE:
      A = 4 * PI * r * r;
      I[0] = I[1] = I[2] = 2 * A * r * r / 3;
      return A;
    case FB_MJCF_CYLINDER:
    case FB_MJCF_CAPSULE:
      A = 4 * PI * r * h;
      I[0] = I[1] = A * (3 * r * r + 2 * h * h) / 6;
      I[2] = A * r * r;
      disk = PI * r * r;
      ball = 4 * disk;
      if (g->type == FB_MJCF_CAPSULE) {
        I[0] = I[1] = I[0] + ball * (2 * r * r / 3 + h * h + h * r);
        I[2] += 2 * ball * r * r / 3;
        return A + ball;
      }
      I[0] = I[1] = I[0] + 2 * disk * (r * r / 4 + h * h);
      I[2] += disk * r * r;
      return A + 2 * disk;
    case FB_MJCF_BOX:
      A = 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
      for (int i = 0; i < 3; i++) {
        double a = s[i], b = s[(i + 1) % 3], c = s[(i + 2) % 3];
        I[i] = 8 * (b * c * (b * b + c * c) / 3 + a * b * (b * b / 3 + c * c) + a * c * (c * c / 3 + b * b));
      }
      return A;
    case FB_MJCF_ELLIPSOID: {
      const double p = 1.6075, thick = 1e-6;
      double mean = (pow(s[0] * s[1], p) + pow(s[1] * s[2], p) + pow(s[2] * s[0], p)) / 3;
      double t[3] = {s[0] + thick, s[1] + thick, s[2] + thick};
      double inner = s[0] * s[1] * s[2], outer = t[0] * t[1] * t[2];
      A = 4 * PI * pow(mean, 1 / p);
      for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        I[i] = A / (outer - inner) / 5 *
               (outer * (t[j] * t[j] + t[k] * t[k]) - inner * (s[j] * s[j] + s[k] * s[k]));
      }
      return A;
    }
    default:
      I[0] = I[1] = I[2] = 0;
      return 0;
  }
}

/* Mass and inertia in the body's frame, and 0 where the geom has none. */
static fb_status read_geom_inertia(fb_mjcf_reader* r, int node, const fb_mjcf_geom* geom,
                                   fb_spatial_inertia* out) {
  double mass = 0, density = 1000, I[6] = {0};
  int given = 0;
  fb_spatial_inertia local = {0};
  memset(out, 0, sizeof *out);
  fb_status status = fb_mjcf_numbers(r, node, "geom", "mass", 1, &mass, &given);
  if (!status) status = fb_mjcf_numbers(r, node, "geom", "density", 1, &density, NULL);
  if (status || (given ? mass == 0 : density == 0)) return status;
  if (mass < 0 || density < 0)
    return fb_mjcf_fail(r, node, FB_ERR_INERTIA, "the mass or density of a geom is negative");
  if (geom->mesh != FB_MJCF_NONE && !geom->fitted) {
    const fb_mjcf_solid* mesh = NULL;
    status = fb_mjcf_mesh_solid(r, geom->mesh, &mesh);
    if (!status) local = mesh->inertia;
  } else {
    fb_shape_def shape = fb_default_shape_def();
    if (geom->shell)
      local.mass = shell(geom, I);
    else if (fb_mjcf_to_shape(geom, &shape))
      local.mass = fb_shape_volume(&shape, I);
    memcpy(local.moments, I, sizeof I);
  }
  if (status || !(local.mass > 0)) return status;
  double by = given ? mass / local.mass : density;
  local.mass *= by;
  for (int i = 0; i < 3; i++) local.h[i] *= by;
  for (int i = 0; i < 6; i++) local.moments[i] *= by;
  fb_spatial_inertia_to_parent(&geom->pose, &local, out);
  return FB_OK;
}

static fb_status add_geoms(fb_mjcf_reader* r, int body, fb_body_def* out) {
  fb_spatial_inertia sum = {0}, one;
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE; e = r->next_item[e]) {
    fb_mjcf_geom geom;
    if (!fb_mjcf_is(&r->tree, e, "geom")) continue;
    fb_status status = fb_mjcf_read_geom(r, e, &geom);
    if (status) return status;
    if (geom.group < r->set.groups[0] || geom.group > r->set.groups[1]) continue;
    status = read_geom_inertia(r, e, &geom, &one);
    if (status) return status;
    fb_spatial_inertia_add(&sum, &one, &sum);
  }
  if (sum.mass == 0) return FB_OK;
  fb_spatial_inertia_to_com(&sum, &out->mass, out->com, out->inertia);
  return FB_OK;
}

/* --- bounds --- */

/* Moments at least the bound; those that no body can have become their mean when <compiler> says so. */
static void bound(const fb_mjcf_settings* s, fb_body_def* out) {
  double values[3], R[9], I[6] = {0};
  out->mass = fmax(out->mass, s->least_mass);
  fb_sym3_axes(out->inertia, values, R);
  for (int i = 0; i < 3; i++) I[i] = fmax(values[i], s->least_inertia);
  double mean = (I[0] + I[1] + I[2]) / 3, most = fmax(I[0], fmax(I[1], I[2]));
  int balance = s->balance && 3 * mean - most < most;
  if (balance) I[0] = I[1] = I[2] = mean;
  if (!balance && I[0] == values[0] && I[1] == values[1] && I[2] == values[2]) return;
  fb_inertia_turn(R, I, out->inertia);
}

fb_status fb_mjcf_read_inertia(fb_mjcf_reader* r, int body, fb_body_def* out) {
  int inertial = FB_MJCF_NONE;
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE; e = r->next_item[e])
    if (fb_mjcf_is(&r->tree, e, "inertial")) inertial = e;
  int from_geoms = r->set.from_geoms == 1 || (r->set.from_geoms == 2 && inertial == FB_MJCF_NONE);
  fb_status status = from_geoms                 ? add_geoms(r, body, out)
                     : inertial != FB_MJCF_NONE ? read_inertial(r, inertial, out)
                                                : FB_OK;
  if (!status) bound(&r->set, out);
  return status;
}

/* settotalmass scales all masses and inertias to a total. */
fb_status fb_mjcf_finish_inertias(fb_mjcf_reader* r) {
  double total = 0;
  if (!(r->set.total_mass > 0)) return FB_OK;
  for (int b = 1; b < fb_model_def_nbody(r->def); b++) total += fb_model_def_body(r->def, b)->mass;
  if (!(total > 0)) return FB_OK;
  double by = r->set.total_mass / total;
  for (int b = 1; b < fb_model_def_nbody(r->def); b++) {
    double I[6];
    const fb_body_def* body = fb_model_def_body(r->def, b);
    for (int i = 0; i < 6; i++) I[i] = by * body->inertia[i];
    fb_model_def_set_inertia(r->def, b, by * body->mass, I);
  }
  return FB_OK;
}
