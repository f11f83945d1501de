/* soil_stress.c -- the stresses under a rigid wheel in soft soil, and their integrals
 *
 *   entry  theta_f = acos(1 - h / r),   exit  theta_r = -acos(1 - ratio h / r),   theta_m = (a_0 + a_1 s) theta_f
 *
 *   sigma  = P r^n (cos theta - cos theta_f)^n                                          theta_m <= theta <= theta_f
 *          = P r^n (cos(theta_f - y (theta_f - theta_m)) - cos theta_f)^n,              theta_r <= theta <= theta_m
 *            y = (theta - theta_r) / (theta_m - theta_r)
 *   P      = k_c / b + k_phi                  Bekker,   (c k_c' + rho g b k_phi') / b^n   Reece
 *   tau    = (c + sigma tan phi) (1 - exp(-|j| / K)), in the direction of j
 *   j_x    = r_s (spin (theta_f - theta) - along (sin theta_f - sin theta)),   j_y = r_s across (theta_f - theta)
 *
 *   F_x    = b  int (r_s tau_x cos theta - r sigma sin theta)          drawbar pull
 *   F_z    = b  int (r sigma cos theta + r_s tau_x sin theta)
 *   F_y    = -int (b r_s tau_y + R_b (r - h(theta) cos theta)),   h(theta) = r (cos theta - cos theta_f)
 *   R_b    = D_1 (c h + D_2 rho g h^2 / 2),   D_1 = cot X + tan(X + phi),   D_2 = cot X + cot(X)^2 tan phi
 *   M_y    = -b r_s^2 int tau_x
 *
 * Axes of the wheel, theta from the lowest point forwards. Sources: Wong and Reece 1967, Reece 1965, Ishigami et al.
 * 2007 (docs/theory/soil.md).
 *
 * Both parts of the arc are mapped to y in [0, 1], where sigma is the same function of y for both: y^n times a smooth
 * one. y = x^3 removes the singularity sufficiently, and concentrates the points at the entry, where the shear rises
 * steeply. The shear has a kink where j_x changes its sign, so the interval is divided there. Loads are right
 * to 1e-8 of the vertical force on any soil, typically to 1e-13 (tests/contact/test_soil.c). Cost: POINTS times one
 * power, four exponentials and two pairs of sine and cosine for each interval, in loops that vectorise; twice that while the
 * wheel reverses. */
#include "contact/law/soil.h"

#include <math.h>
#include <string.h>

#include "kernel/sincos.inl"
#include "contact/law/exponential.h"

/* |spin + along| below which the wheel counts as reversing: the loads of both directions are blended. */
static const double REVERSING = 1;
/* |along| below which the slip angle is reduced, so that it has no jump where the hub is at rest. */
static const double LEAST_ALONG = 0.1;
/* |across| from which the sides bulldoze fully. */
static const double BULLDOZING = 0.05;
/* The largest of theta_m / theta_f. */
static const double HIGHEST_PEAK = 0.95;
/* Added to half the arc in the length of the memory, so that it is never zero [rad]. */
static const double LEAST_HALF_ARC = 0.02;

/* Exponent beyond which nothing of the strength is left to mobilise. */
static const double MOST_SHEAR = -50;

/* Points and weights of Gauss and Legendre on [0, 1]. */
enum { POINTS = 20 };
static const double GAUSS[POINTS][2] = {
    {0.0034357004074525577, 0.0088070035695766366}, {0.018014036361043095, 0.020300714900193109},
    {0.043882785874337082, 0.031336024167054721},   {0.080441514088890609, 0.041638370788352336},
    {0.1268340467699246, 0.050965059908620131},     {0.18197315963674249, 0.059097265980759123},
    {0.24456649902458644, 0.065844319224588263},    {0.31314695564229023, 0.071048054659190937},
    {0.38610707442917747, 0.074586493236301829},    {0.46173673943325133, 0.076376693565362891},
    {0.53826326056674867, 0.076376693565362891},    {0.61389292557082253, 0.074586493236301829},
    {0.68685304435770977, 0.071048054659190937},    {0.75543350097541362, 0.065844319224588263},
    {0.81802684036325757, 0.059097265980759123},    {0.8731659532300754, 0.050965059908620131},
    {0.91955848591110945, 0.041638370788352336},    {0.95611721412566286, 0.031336024167054721},
    {0.98198596363895696, 0.020300714900193109},    {0.99656429959254744, 0.0088070035695766366},
};

/* x between -1 and 1, and sign(x) outside, with two continuous derivatives. */
static double soft_sign(double x) {
  if (fabs(x) >= 1) return x > 0 ? 1 : -1;
  return x * (15 + x * x * (3 * x * x - 10)) / 8;
}

/* |x|, but half of `least` at zero, with a continuous derivative. */
static double at_least(double x, double least) {
  return fabs(x) >= least ? fabs(x) : (x * x + least * least) / (2 * least);
}

/* The angle at which the rim reaches up to `height` above its lowest point, at most a quarter turn. */
static double rim_angle(double radius, double height) {
  return 2 * asin(sqrt(fmin(fmax(height, 0) / (2 * radius), 0.5)));
}

static fb_wheel_arc find_arc(const fb_soil* soil, const fb_wheel* wheel) {
  const fb_wheel_arc arc = {rim_angle(wheel->radius, wheel->depth),
                            -rim_angle(wheel->radius, soil->exit_ratio * wheel->depth)};
  return arc;
}

double fb_soil_shear_radius(const fb_soil* soil, double radius) {
  return radius + soil->grouser_height;
}

double fb_soil_memory_length(const fb_soil* soil, const fb_wheel* wheel) {
  const fb_wheel_arc arc = find_arc(soil, wheel);
  return fb_soil_shear_radius(soil, wheel->radius) * (0.5 * (arc.entry - arc.exit) + LEAST_HALF_ARC);
}

/* ---- one direction of travel ---- */

/* Constants along the arc. */
typedef struct arc {
  const fb_soil* soil;
  fb_wheel_slip slip;
  double r, r_s, b;         /* radius, of the shear; width */
  double entry, exit, peak; /* theta_f, theta_r, theta_m */
  double sin_entry, cos_entry;
  double pressure, exponent; /* sigma = pressure (...)^exponent [Pa] */
  double tan_phi, K_x, K_y;
  double bulldozing, D_2; /* signed share times D_1; D_2 rho g / 2 */
} arc;

static double pressure_of(const fb_soil* s, const fb_wheel* w, double n) {
  const double beyond = fmax(1, w->depth / w->radius); /* the hub is in the soil: continues rising */
  if (s->reece)
    return beyond * (s->cohesion * s->k_c + s->density * w->gravity * w->width * s->k_phi) *
           pow(w->radius / w->width, n);
  return beyond * (s->k_c / w->width + s->k_phi) * pow(w->radius, n);
}

static arc arc_of(const fb_soil* s, const fb_wheel* w, double direction) {
  const fb_wheel_arc ends = find_arc(s, w);
  arc a = {.soil = s, .r = w->radius, .b = w->width, .entry = ends.entry, .exit = ends.exit};
  a.slip = (fb_wheel_slip){direction * w->slip.spin, direction * w->slip.along, w->slip.across};
  a.r_s = fb_soil_shear_radius(s, w->radius);
  const double slip = fmin(fmax(a.slip.spin - a.slip.along, -1), 1);
  const double angle = atan2(fabs(a.slip.across), at_least(a.slip.along, LEAST_ALONG));
  a.peak = fmin(fmax(s->angle_0 + s->angle_1 * slip, 0), HIGHEST_PEAK) * a.entry;
  a.sin_entry = sin(a.entry);
  a.cos_entry = cos(a.entry);
  a.exponent = s->exponent + s->exponent_slip * fabs(slip);
  a.pressure = pressure_of(s, w, a.exponent);
  a.tan_phi = tan(s->friction_angle);
  a.K_x = s->shear_x + s->shear_x_slope * angle;
  a.K_y = s->shear_y + s->shear_y_slope * angle;
  if (s->destruction_angle > 0) {
    const double cot = 1 / tan(s->destruction_angle);
    a.bulldozing =
        soft_sign(a.slip.across / BULLDOZING) * (cot + tan(s->destruction_angle + s->friction_angle));
    a.D_2 = (cot + cot * cot * a.tan_phi) * 0.5 * s->density * w->gravity;
  }
  return a;
}

/* j_x over the shear radius. */
static double shear_angle(const arc* a, double theta) {
  return a->slip.spin * (a->entry - theta) - a->slip.along * (a->sin_entry - sin(theta));
}

/* ---- where the shear changes its sign ---- */

/* The zero of j_x between two angles; NAN when it has the same sign at both. */
static double zero_between(const arc* a, double from, double to) {
  const int up = shear_angle(a, from) > 0;
  if (up == (shear_angle(a, to) > 0)) return NAN;
  for (int i = 0; i < 40; i++) {
    const double middle = 0.5 * (from + to);
    if (up == (shear_angle(a, middle) > 0))
      from = middle;
    else
      to = middle;
  }
  return 0.5 * (from + to);
}

/* x of an angle, which is on one of the two parts. */
static double x_of(const arc* a, double theta) {
  const double y =
      theta >= a->peak ? (a->entry - theta) / (a->entry - a->peak) : (theta - a->exit) / (a->peak - a->exit);
  return cbrt(y);
}

/* The inner ends of intervals in x, ascending; their number. j_x is extremal where cos theta = spin / along, and zero
 * at the entry: so it has a zero on either side of -turn at most. */
static int find_kinks(const arc* a, double kinks[2]) {
  const double ratio = a->slip.spin / a->slip.along;
  int count = 0;
  if (!(fabs(ratio) < 1) || !(acos(ratio) < a->entry)) return 0;
  const double turn = acos(ratio), low = fmax(-turn, a->exit);
  const double zeros[2] = {low < turn ? zero_between(a, low, turn) : NAN,
                           a->exit < -turn ? zero_between(a, a->exit, -turn) : NAN};
  for (int i = 0; i < 2; i++)
    if (zeros[i] > a->exit && zeros[i] < a->entry) kinks[count++] = x_of(a, zeros[i]);
  if (count == 2 && kinks[0] > kinks[1]) {
    const double first = kinks[1];
    kinks[1] = kinks[0];
    kinks[0] = first;
  }
  return count;
}

/* ---- the integrals ---- */

/* The points of both parts of the arc, those of the front first. */
enum { BOTH = 2 * POINTS };
typedef struct points {
  double sine[BOTH], cosine[BOTH], back[BOTH]; /* of theta; theta_f - theta */
  double sigma[BOTH], width[BOTH];             /* width: d theta */
  double share_x[BOTH], share_y[BOTH];         /* of the strength that the shear mobilises, with its sign */
} points;

/* x = from ... to: angles, and sigma, which both parts have in common. */
static void place_points(const arc* a, double from, double to, points* p) {
  const double front = a->entry - a->peak, rear = a->peak - a->exit;
  double rise[POINTS];
  for (int i = 0; i < POINTS; i++) {
    const double x = from + (to - from) * GAUSS[i][0], y = x * x * x;
    const double dy = 3 * x * x * (to - from) * GAUSS[i][1];
    p->width[i] = dy * front;
    p->back[i] = y * front;
    p->width[POINTS + i] = dy * rear;
    p->back[POINTS + i] = (a->entry - a->exit) - y * rear;
  }
  for (int i = 0; i < BOTH; i++) fb_sincos(0.5 * p->back[i], &p->sine[i], &p->cosine[i]);
  /* cos(theta_f - y front) - cos theta_f, without cancellation */
  for (int i = 0; i < POINTS; i++)
    rise[i] = 2 * p->sine[i] * (a->sin_entry * p->cosine[i] - a->cos_entry * p->sine[i]);
  for (int i = 0; i < POINTS; i++)
    p->sigma[i] = p->sigma[POINTS + i] = a->pressure * (1 + fb_expm1(a->exponent * fb_log(rise[i])));
  for (int i = 0; i < BOTH; i++) {
    const double s = 2 * p->sine[i] * p->cosine[i], c = 1 - 2 * p->sine[i] * p->sine[i];
    p->sine[i] = a->sin_entry * c - a->cos_entry * s;
    p->cosine[i] = a->cos_entry * c + a->sin_entry * s;
  }
}

/* The share of the strength that a shear displacement j mobilises, with its sign. */
static double mobilised(double j, double K) {
  const double x = -fabs(j) / K;
  return copysign(-fb_expm1(x < MOST_SHEAR ? MOST_SHEAR : x), j);
}

static void shear_points(const arc* a, points* p) {
  const double spin = a->slip.spin, along = a->slip.along, across = a->slip.across;
  for (int i = 0; i < BOTH; i++) {
    const double j_x = a->r_s * (spin * p->back[i] - along * (a->sin_entry - p->sine[i]));
    p->share_x[i] = mobilised(j_x, a->K_x);
    p->share_y[i] = mobilised(a->r_s * across * p->back[i], a->K_y);
  }
}

static void integrate(const arc* a, double from, double to, double load[FB_WHEEL_LOAD_COUNT]) {
  points p;
  place_points(a, from, to, &p);
  shear_points(a, &p);
  for (int i = 0; i < BOTH; i++) {
    const double s = p.sine[i], c = p.cosine[i];
    const double strength = a->soil->cohesion + p.sigma[i] * a->tan_phi;
    const double T = a->b * a->r_s * strength * p.share_x[i], N = a->b * a->r * p.sigma[i];
    const double h = a->r * (c - a->cos_entry);
    const double side = a->b * a->r_s * strength * p.share_y[i] +
                        a->bulldozing * h * (a->soil->cohesion + a->D_2 * h) * (a->r - h * c);
    load[0] += p.width[i] * (T * c - N * s);
    load[1] -= p.width[i] * side;
    load[2] += p.width[i] * (N * c + T * s);
    load[3] -= p.width[i] * a->r_s * c * side;
    load[4] -= p.width[i] * a->r_s * T;
    load[5] -= p.width[i] * a->r_s * s * side;
  }
}

/* The load of a wheel that travels in a direction, +1 or -1. */
static void add_direction(const fb_soil* soil, const fb_wheel* wheel, double direction, double share,
                          double load[FB_WHEEL_LOAD_COUNT]) {
  const arc a = arc_of(soil, wheel, direction);
  double kinks[4] = {0}, sum[6] = {0};
  const int count = find_kinks(&a, kinks + 1);
  kinks[count + 1] = 1;
  for (int i = 0; i <= count; i++) integrate(&a, kinks[i], kinks[i + 1], sum);
  /* the mirror image: x changes its sign, and so do the torques about y and z */
  const double sign[6] = {direction, 1, 1, 1, direction, direction};
  for (int i = 0; i < 6; i++) load[i] += share * sign[i] * sum[i];
}

void fb_soil_load(const fb_soil* soil, const fb_wheel* wheel, double load[FB_WHEEL_LOAD_COUNT]) {
  const double forwards = soft_sign((wheel->slip.spin + wheel->slip.along) / REVERSING);
  memset(load, 0, 6 * sizeof *load);
  if (!(wheel->depth > 0)) return;
  if (forwards > -1) add_direction(soil, wheel, 1, 0.5 * (1 + forwards), load);
  if (forwards < 1) add_direction(soil, wheel, -1, 0.5 * (1 - forwards), load);
}

/* For h << r: b P r^n sqrt(2 r h) (1 + sqrt(exit_ratio)) (h / r)^n int_0^1 (1 - x^2)^n dx, whose integral is 2 / (2 + n) to 8 %. */
double fb_soil_bearing(const fb_soil* soil, const fb_wheel* wheel) {
  const double n = soil->exponent, h = wheel->depth, r = wheel->radius;
  const double chord = sqrt(2 * r * h) * (1 + sqrt(soil->exit_ratio));
  return wheel->width * pressure_of(soil, wheel, n) * pow(h / r, n) * 2 / (2 + n) * chord;
}
