/* rubbing.c -- Coulomb friction of compliant contacts at one point: regularised, or with a bristle
 *
 *   N normal force, mu friction, v slip velocity (of a relative to b, along the surface), n normal
 *
 *   regularised   f = -mu N tanh(|v| / v_s) v / |v|
 *
 *   bristle       f = -clip(k_b z + c_b z'_e, mu N),   clip: shortened to that length where it is longer
 *                 z'_e = v - s(|z| / z_m) max(0, u.v) u,   u = z / |z|,   z_m = mu N / k_b
 *                 z' = z'_e - (|z| - z_m)+ u / T
 *
 * z is the stretch of the bristle along the surface. s is 0 up to 0.8, so that what is below 80 % of the bound is elastic and
 * leaves nothing behind, and rises smoothly to 1 at the bound: there the bristle is dragged along. A bristle whose load
 * has become less than it bears gives way with time constant T. After Dupont et al. (2002), elasto-plastic friction: no
 * drift under a load below the bound. With E = k_b |z|^2 / 2 it is f.v <= -dE/dt at every moment, whatever N does:
 * clip is the projection onto a disc, which is monotone, and what the second and the third term take away from z' lowers E.
 * So the work of friction since a start without stretch is never positive. docs/theory/compliance.md. */
#include "contact/law/rubbing.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

static const double RELAXATION = 0.01; /* T [s] */

/* The slip speed that a contact has when none is given: 1 mm/s up to the stiffness here, then falling with its root, so that
 * both the depth and the creep vanish as the stiffness grows. */
static const double SLIP_SPEED = 1e-3;
static const double SPRING_STIFFNESS = 1e4; /* [N/m] */
static const double HERTZ_STIFFNESS = 1e6;  /* [N/m^1.5] */
/* Bristles of laws with d^1.5 are as stiff and as damped as the normal force at this depth [m]. */
static const double BRISTLE_DEPTH = 1e-4;

fb_rub fb_rub_of(const fb_contact* c, double friction, double stiffness, double damping) {
  int linear = c->law == FB_CONTACT_SPRING;
  double soft = linear ? SPRING_STIFFNESS : HERTZ_STIFFNESS;
  fb_rub rub = {.kind = c->rubbing,
                .friction = friction,
                .slip_speed = c->slip_speed,
                .stiffness = c->bristle_stiffness,
                .damping = c->bristle_damping};
  if (rub.slip_speed == 0) rub.slip_speed = SLIP_SPEED * sqrt(soft / fmax(soft, stiffness));
  if (rub.stiffness == 0) rub.stiffness = linear ? stiffness : 1.5 * stiffness * sqrt(BRISTLE_DEPTH);
  if (rub.damping == 0)
    rub.damping = linear ? damping : stiffness * damping * BRISTLE_DEPTH * sqrt(BRISTLE_DEPTH);
  return rub;
}

/* ---- regularised ---- */

static void regularise(const fb_rub* rub, double bound, const double slip[3], fb_rub_force* out) {
  double speed = norm3(slip), x = speed / rub->slip_speed;
  double slope = x < 1e-8 ? bound / rub->slip_speed : bound * tanh(x) / speed;
  add_scaled3(out->force, -slope, slip);
  out->damping = slope;
  out->slips = speed > rub->slip_speed;
}

/* ---- bristles ---- */

/* From 0 at FB_RUB_ELASTIC to 1 at 1, smooth. */
static double dragged(double part) {
  double x = (part - FB_RUB_ELASTIC) / (1 - FB_RUB_ELASTIC);
  if (!(x > 0)) return 0;
  return x < 1 ? x * x * (3 - 2 * x) : 1;
}

/* Shortens x to the given length; whether it had to. */
static int clip(double x[3], double most) {
  double length = norm3(x);
  if (length <= most) return 0;
  for (int i = 0; i < 3; i++) x[i] *= most / length;
  return 1;
}

static void bristle_at(const fb_rub* rub, const double normal[3], double bound, const double slip[3],
                       const double bristle[3], fb_rub_force* out) {
  double across = dot3(bristle, normal), most = bound / rub->stiffness, z[3], u[3] = {0}, elastic[3];
  memcpy(z, bristle, sizeof z);
  add_scaled3(z, -across, normal);
  double length = norm3(z);
  for (int i = 0; i < 3 && length > 0; i++) u[i] = z[i] / length;
  double part = length < most ? dragged(length / most) : 1, along = fmax(0, dot3(u, slip));
  memcpy(elastic, slip, sizeof elastic);
  add_scaled3(elastic, -part * along, u);
  for (int i = 0; i < 3; i++) {
    out->rate[i] = elastic[i] - (fmax(0, length - most) * u[i] + across * normal[i]) / RELAXATION;
    out->force[i] = -(rub->stiffness * z[i] + rub->damping * elastic[i]);
  }
  int at_bound = clip(out->force, bound) || part > 0;
  out->slips = at_bound && norm3(slip) > rub->slip_speed;
  if (at_bound) return;
  out->stiffness = rub->stiffness;
  out->damping = rub->damping;
}

void fb_rub_at(const fb_rub* rub, const double normal[3], double push, const double slip[3],
               const double bristle[3], fb_rub_force* out) {
  double bound = rub->friction * push;
  *out = (fb_rub_force){.slips = 1};
  if (!(rub->friction > 0)) {
    if (rub->kind == FB_RUBBING_BRISTLE) fb_rub_relax(bristle, out->rate);
    return;
  }
  if (rub->kind == FB_RUBBING_BRISTLE)
    bristle_at(rub, normal, bound, slip, bristle, out);
  else
    regularise(rub, bound, slip, out);
}

void fb_rub_relax(const double bristle[3], double rate[3]) {
  for (int i = 0; i < 3; i++) rate[i] = -bristle[i] / RELAXATION;
}
