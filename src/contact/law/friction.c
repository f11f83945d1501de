/* friction.c -- Coulomb friction of compliant contacts at one point: regularised, or with a bristle
 *
 *   N normal force, mu friction, v slip velocity (of a relative to b, along the surface), n normal
 *
 *   regularised   f = -mu N tanh(|v| / v_s) v / |v|
 *
 *   bristle       f = -clip(gamma k_b z + c_b z'_e, mu N),   clip: shortened to that length where it is longer
 *                 z'_e = v - s(|z| / Z) max(0, u.v) u,   u = z / |z|
 *                 z' = gamma z'_e - (|z| - Z)+ u / T
 *                 Z = z_m + |v| T_r,   z_m = mu N / k_b,   gamma = z_m / Z
 *
 * z is the stretch of the bristle along the surface. s is 0 up to 0.8, so that below 80 % of the bound the stretch is
 * elastic, without residual, and rises smoothly to 1 at the bound: there the bristle is dragged along. A bristle
 * whose bound has fallen below its stretch relaxes with time constant T. After Dupont et al. (2002), elasto-plastic
 * friction: no drift under a load below the bound. A dragged bristle takes T_r at least to respond: as N goes to 0,
 * z' / z stays below 1.9 / T_r, and z' goes to 0 where it would otherwise jump from v at z = 0 to 0 beside it. With E
 * = k_b |z|^2 / 2 it is f.v <= -dE/dt at every instant, for any N and v: gamma k_b |z| is at most mu N up to |z| = Z,
 * clip is the projection onto a disc, which is monotone, and the reduction of z' by s and T lowers E. So the work of
 * friction since a start without stretch is never positive. docs/theory/compliance.md. */
#include "contact/law/friction.h"

#include <math.h>
#include <string.h>

#include "math/vector3.h"

static const double RELAXATION = 0.01; /* T [s] */
static const double RESPONSE = 1e-5;   /* T_r [s] */

/* The slip speed that a contact has when none is given: 1 mm/s up to this stiffness for each kg that it moves, then
 * falling with its root, so that both the depth and the creep speed vanish as the stiffness grows. */
static const double SLIP_SPEED = 1e-3;
static const double SPRING_STIFFNESS = 1e4; /* [N/m/kg] */
static const double HERTZ_STIFFNESS = 1e6;  /* [N/m^1.5/kg] */
/* Bristles of laws with d^1.5 are as stiff and as damped as the normal force at this depth [m]. */
static const double BRISTLE_DEPTH = 1e-4;

fb_friction fb_friction_of(const fb_contact* c, double friction, double stiffness, double damping,
                           double mass) {
  int linear = c->law == FB_CONTACT_SPRING;
  double soft = (mass > 0 ? mass : 1) * (linear ? SPRING_STIFFNESS : HERTZ_STIFFNESS);
  fb_friction slip_friction = {.kind = c->friction_model,
                               .friction = friction,
                               .slip_speed = c->slip_speed,
                               .stiffness = c->bristle_stiffness,
                               .damping = c->bristle_damping};
  if (slip_friction.slip_speed == 0)
    slip_friction.slip_speed = SLIP_SPEED * sqrt(soft / fmax(soft, stiffness));
  if (slip_friction.stiffness == 0)
    slip_friction.stiffness = linear ? stiffness : 1.5 * stiffness * sqrt(BRISTLE_DEPTH);
  if (slip_friction.damping == 0)
    slip_friction.damping = linear ? damping : stiffness * damping * BRISTLE_DEPTH * sqrt(BRISTLE_DEPTH);
  return slip_friction;
}

/* ---- regularised ---- */

static void regularise(const fb_friction* slip_friction, double bound, const double slip[3],
                       fb_friction_force* out) {
  double speed = norm3(slip), x = speed / slip_friction->slip_speed;
  double slope = x < 1e-8 ? bound / slip_friction->slip_speed : bound * tanh(x) / speed;
  add_scaled3(out->force, -slope, slip);
  out->damping = slope;
  out->slips = speed > slip_friction->slip_speed;
}

/* ---- bristles ---- */

/* From 0 at FB_FRICTION_ELASTIC to 1 at 1, smooth. */
static double dragged(double part) {
  double x = (part - FB_FRICTION_ELASTIC) / (1 - FB_FRICTION_ELASTIC);
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

double fb_friction_max_stretch(const fb_friction* slip_friction, double bound, const double slip[3]) {
  return bound / slip_friction->stiffness + RESPONSE * norm3(slip);
}

static void bristle_at(const fb_friction* slip_friction, const double normal[3], double bound,
                       const double slip[3], const double bristle[3], fb_friction_force* out) {
  double across = dot3(bristle, normal), z[3], u[3] = {0}, elastic[3];
  double reach = fb_friction_max_stretch(slip_friction, bound, slip),
         share = bound > 0 ? bound / slip_friction->stiffness / reach : 0;
  memcpy(z, bristle, sizeof z);
  add_scaled3(z, -across, normal);
  double length = norm3(z);
  for (int i = 0; i < 3 && length > 0; i++) u[i] = z[i] / length;
  double part = length < reach ? dragged(length / reach) : 1, along = fmax(0, dot3(u, slip));
  memcpy(elastic, slip, sizeof elastic);
  add_scaled3(elastic, -part * along, u);
  for (int i = 0; i < 3; i++) {
    out->rate[i] = share * elastic[i] - (fmax(0, length - reach) * u[i] + across * normal[i]) / RELAXATION;
    out->force[i] = -(share * slip_friction->stiffness * z[i] + slip_friction->damping * elastic[i]);
  }
  int at_bound = clip(out->force, bound) || part > 0;
  out->slips = at_bound && norm3(slip) > slip_friction->slip_speed;
  if (at_bound) return;
  out->stiffness = share * share * slip_friction->stiffness;
  out->damping = slip_friction->damping;
}

void fb_friction_eval(const fb_friction* slip_friction, const double normal[3], double push,
                      const double slip[3], const double bristle[3], fb_friction_force* out) {
  double bound = slip_friction->friction * push;
  *out = (fb_friction_force){.slips = 1};
  if (!(slip_friction->friction > 0)) {
    if (slip_friction->kind == FB_FRICTION_MODEL_BRISTLE) fb_friction_relax(bristle, out->rate);
    return;
  }
  if (slip_friction->kind == FB_FRICTION_MODEL_BRISTLE)
    bristle_at(slip_friction, normal, bound, slip, bristle, out);
  else
    regularise(slip_friction, bound, slip, out);
}

void fb_friction_relax(const double bristle[3], double rate[3]) {
  for (int i = 0; i < 3; i++) rate[i] = -bristle[i] / RELAXATION;
}
