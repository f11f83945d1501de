/* soil_block.c -- wheels on soft ground, as a block: the ground under a wheel, forces, works, outputs
 *
 * The ground under a wheel is a plane (soil_ground.c). The wheel's axes are x = axle x normal, y = normal x x, z =
 * normal; its motion is that relative to the body of the ground.
 *
 * The slip u = (rim speed, v_x, v_y) has a memory over a length L, about half the arc: p' = (u - pace p) / L with
 * pace = max |u_i|, beginning a little below the surface. In steady motion p = u / pace, the slip of the equations of
 * Wong and Reece; at rest p is kept, and with it the shear that holds a parked wheel (docs/theory/soil.md).
 *
 * State: the works (pair.h), then p of every pair of a wheel and a ground. Soil.damping acts on the rate of sinking,
 * and a share of it on L p', which is zero in steady motion.
 *
 * Memory: the energy that the soil may still give, E, plus both works, which is constant within a step. E is what the
 * wheels gave, at the end of a step at most what they can have stored: their bearing times their depth. Where E is small,
 * the loads are scaled by a factor that goes to zero with it, unless they take energy: so E never becomes negative,
 * whatever the wheel does. What sinking stores is enough for a factor of 1. */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>

#include "block/kind.h"
#include "contact/law/soil.h"
#include "math/vector3.h"

/* Outputs after those of every contact, all of the first wheel. */
enum {
  OUT_SINKAGE = FB_CONTACT_OUT_COUNT, /* [m] */
  OUT_SLIP_RATIO,                     /* [1] */
  OUT_SLIP_ANGLE,                     /* [rad] */
  OUT_DRAWBAR,                        /* [N] */
  OUT_TORQUE                          /* [N m] */
};
static const fb_port OUTPUTS[] = {FB_CONTACT_PORTS,           {"sinkage", "m", "", 1},
                                  {"slip_ratio", "1", "", 1}, {"slip_angle", "rad", "", 1},
                                  {"drawbar", "N", "", 1},    {"torque", "N m", "", 1}};
enum { NOUTPUT = sizeof OUTPUTS / sizeof *OUTPUTS, MEMORIES = 3 };

/* Below this speed slip ratio and slip angle fade to zero, as outputs; forces know no such speed [m/s]. */
static const double CRAWL = 1e-3;
/* Of the radius: the depth from which soil.damping acts wholly. */
static const double DAMPED_DEPTH = 0.01;
/* The share of soil.damping that acts along the ground. */
static const double SHEAR_DAMPING = 0.1;
/* How fast the memory fades above the ground [1/s]. */
static const double FORGETTING = 20;
/* Of the radius: the depth, and the height, over which the memory begins to follow, or to fade. Otherwise its rate
 * would jump at the surface, and a wheel that begins there would leave it by less than the rounding of positions in
 * any accepted step. */
static const double SURFACE = 1e-3;
/* The memory follows in no less than this, so that fast wheels do not need short steps [s]. */
static const double LEAST_TIME = 5e-3;
/* Of load times depth: with more energy than this the soil bears its whole load. Sinking alone stores 1 / (n + 1.5). */
static const double SPENT = 0.1;
/* What it takes in this time counts as if it had it: so a wheel that sinks is borne [s]. */
static const double SOON = 0.05;
/* The least sine of the angle between axle and normal at which a wheel has a full direction. */
static const double LEAST_SINE = 0.1;

/* A contact at an instant. */
typedef struct soil_instant {
  const fb_context* context;
  const fb_data* d;
  const fb_contact_block* c;
  const double* state;
  double energy; /* that the soil may give [J] */
} soil_instant;

/* A wheel on a ground, at an instant. World axes, except where those of the wheel are given. */
typedef struct rolling {
  const fb_collider *a, *b;
  fb_wheel wheel;
  double hub[3], axes[3][3];        /* x, y, z of the wheel */
  double v[3], w[3];                /* of the wheel, relative to the ground's body, at the hub */
  double u[3], pace;                /* rim speed, v_x, v_y; the largest [m/s] */
  double length;                    /* of the memory [m] */
  double rate[MEMORIES];            /* of the memory [1/s] */
  double load[FB_WHEEL_LOAD_COUNT]; /* in the axes of the wheel */
  double force[3], torque[3];       /* on the wheel, at the hub */
} rolling;

/* ---- geometry ---- */

/* Axes and depth of a wheel over a plane; the axes shrink where it lies on its side, and have no direction. */
static void stand(const fb_placement* at, const double normal[3], double level, rolling* o) {
  const double axle[3] = {at->R[2], at->R[5], at->R[8]};
  cross3(axle, normal, o->axes[0]);
  const double sine = norm3(o->axes[0]);
  for (int i = 0; i < 3; i++) o->axes[0][i] /= fmax(sine, LEAST_SINE);
  cross3(normal, o->axes[0], o->axes[1]);
  memcpy(o->axes[2], normal, sizeof o->axes[2]);
  o->wheel.depth = level + o->wheel.radius * sine - dot3(normal, at->p);
}

/* ---- motion ---- */

static void find_velocity(const fb_context* context, const fb_data* d, rolling* o) {
  double v_b[3], w_b[3] = {0, 0, 0};
  fb_collider_velocity(context->model, d, o->a, o->hub, o->v);
  fb_collider_velocity(context->model, d, o->b, o->hub, v_b);
  fb_frame_velocity(context->model, d, o->a->frame, NULL, o->w);
  if (o->b->frame != FB_WORLD) fb_frame_velocity(context->model, d, o->b->frame, NULL, w_b);
  add_scaled3(o->v, -1, v_b);
  add_scaled3(o->w, -1, w_b);
}

static double gravity_at(const fb_context* context, const rolling* o) {
  double g[3];
  if (!context->environment) return 0;
  fb_environment_acceleration(context->environment, context->t, fb_frame_body(context->model, o->a->frame),
                              o->hub, g);
  return norm3(g);
}

static void find_slip(const fb_soil* soil, const fb_placement* at, rolling* o) {
  const double axle[3] = {at->R[2], at->R[5], at->R[8]};
  o->u[0] = fb_soil_shear_radius(soil, o->wheel.radius) * dot3(o->w, axle);
  o->u[1] = dot3(o->v, o->axes[0]);
  o->u[2] = dot3(o->v, o->axes[1]);
  o->pace = fmax(fmax(fabs(o->u[0]), fabs(o->u[1])), fabs(o->u[2]));
}

/* ---- forces ---- */

/* Adds the dampers; the shear weakens with the normal force where the wheel rises fast. */
static void damp(const fb_soil* soil, rolling* o) {
  const double c = soil->damping * fmin(1, o->wheel.depth / (DAMPED_DEPTH * o->wheel.radius));
  const double r_s = fb_soil_shear_radius(soil, o->wheel.radius), settled = o->load[2];
  const double shear = SHEAR_DAMPING * c * o->length;
  const double x = shear * (o->rate[0] - o->rate[1]), y = -shear * o->rate[2];
  o->load[0] += x;
  o->load[1] += y;
  o->load[3] += r_s * y;
  o->load[4] -= r_s * x;
  const double normal = fmax(0, settled - c * dot3(o->v, o->axes[2]));
  const double share = normal < settled ? normal / settled : settled > 0;
  for (int i = 0; i < FB_WHEEL_LOAD_COUNT; i++) o->load[i] *= share;
  o->load[2] = normal;
}

static void turn_to_world(rolling* o) {
  for (int i = 0; i < 3; i++) {
    add_scaled3(o->force, o->load[i], o->axes[i]);
    add_scaled3(o->torque, o->load[3 + i], o->axes[i]);
  }
}

/* From 0 at x <= 0 to 1 at x >= 1, with a continuous derivative. */
static double fade_in(double x) {
  const double part = fmin(fmax(x, 0), 1);
  return part * part * (3 - 2 * part);
}

/* From 0 at the surface to 1 at a small distance from it. */
static double beyond_surface(double distance, double radius) {
  return fade_in(distance / (SURFACE * radius));
}

/* What the wheel gets from the soil [W]. */
static double power_of(const rolling* o) {
  return dot3(o->force, o->v) + dot3(o->torque, o->w);
}

/* Soil that has little energy left gives less. */
static void limit_giving(double energy, rolling* o) {
  const double soon = energy + SOON * fmax(0, -power_of(o)), enough = SPENT * o->load[2] * o->wheel.depth;
  if (!(soon < enough)) return;
  const double share = fade_in(soon / enough);
  for (int i = 0; i < FB_WHEEL_LOAD_COUNT; i++) o->load[i] *= share;
  for (int i = 0; i < 3; i++) {
    o->force[i] *= share;
    o->torque[i] *= share;
  }
}

/* The memory leaves -1 .. 1 only by an error of the method. */
static double within_one(double p) {
  return fmin(fmax(p, -1), 1);
}

/* Geometry of wheel a on ground b; 0 when it is above, with only the depth filled. */
static int meet(const soil_instant* is, int a, int b, fb_placement* at, rolling* o) {
  const fb_context* context = is->context;
  fb_placement at_b;
  double normal[3], level;
  *o = (rolling){.a = &is->c->how.a[a], .b = &is->c->how.b[b], .wheel.depth = -INFINITY};
  if (!fb_contact_can_collide(context->model, o->a, o->b)) return 0;
  fb_collider_place(context->model, is->d, o->a, at);
  fb_collider_place(context->model, is->d, o->b, &at_b);
  if (!fb_soil_ground(o->a, at, o->b, &at_b, normal, &level)) return 0;
  memcpy(o->hub, at->p, sizeof o->hub);
  o->wheel.radius = o->a->size[0];
  o->wheel.width = o->a->size[1];
  stand(at, normal, level, o);
  if (!(o->wheel.depth > 0)) return 0;
  o->wheel.gravity = gravity_at(context, o);
  return 1;
}

/* The place of the memory of wheel a on ground b in the states. */
static int memory_at(const fb_contact_block* c, int a, int b) {
  return FB_CONTACT_X_COUNT + MEMORIES * (a * c->how.nb + b);
}

/* The same with motion and forces. */
static int roll(const soil_instant* is, int a, int b, rolling* o) {
  const fb_soil* soil = &is->c->how.soil;
  const double* p = is->state + memory_at(is->c, a, b);
  fb_placement at;
  if (!meet(is, a, b, &at, o)) return 0;
  o->wheel.slip = (fb_wheel_slip){within_one(p[0]), within_one(p[1]), within_one(p[2])};
  find_velocity(is->context, is->d, o);
  find_slip(soil, &at, o);
  o->length = fmax(fb_soil_memory_length(soil, &o->wheel), LEAST_TIME * o->pace);
  const double share = beyond_surface(o->wheel.depth, o->wheel.radius);
  for (int i = 0; i < MEMORIES; i++) o->rate[i] = share * (o->u[i] - o->pace * p[i]) / o->length;
  fb_soil_load(soil, &o->wheel, o->load);
  damp(soil, o);
  turn_to_world(o);
  limit_giving(is->energy, o);
  return 1;
}

/* ---- the energy that the soil may give ---- */

/* What wheels and ground have got from the soil. */
static double work_of(const double* state) {
  return state[FB_CONTACT_X_NORMAL] + state[FB_CONTACT_X_FRICTION];
}

static soil_instant at_instant(const fb_contact_block* c, const fb_context* context, const double* memory,
                               const double* state, double origin[3]) {
  soil_instant is = {context, fb_contact_kinematics(context, c, origin), c, state, INFINITY};
  if (memory) is.energy = memory[0] - work_of(state);
  return is;
}

/* The most that the soil may store at these poses. */
static double most_stored(const soil_instant* is) {
  double energy = 0;
  for (int a = 0; a < is->c->how.na; a++)
    for (int b = 0; b < is->c->how.nb; b++) {
      rolling o;
      fb_placement at;
      if (meet(is, a, b, &at, &o)) energy += fb_soil_bearing(&is->c->how.soil, &o.wheel) * o.wheel.depth;
    }
  return energy;
}

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)error;
  double origin[3];
  const soil_instant is = at_instant((const fb_contact_block*)user, context, NULL, state, origin);
  memory[0] = most_stored(&is) + work_of(state);
  return FB_OK;
}

void fb_soil_keep_energy(const fb_contact_block* c, const fb_context* context, double* memory,
                         const double* state) {
  double origin[3];
  const soil_instant is = at_instant(c, context, NULL, state, origin);
  memory[0] = fmin(memory[0], most_stored(&is) + work_of(state));
}

/* ---- the block ---- */

/* Adds the wrench of the soil to a frame, `by` +1 or -1. */
static void push(const fb_context* context, const fb_data* d, fb_action* action, int frame, double by,
                 const rolling* o) {
  double arm[3], moment[3];
  if (frame == FB_WORLD) return;
  fb_wrench* wrench = fb_action_add_wrench(action);
  if (!wrench) return;
  wrench->frame = frame;
  fb_frame_pose(context->model, d, frame, arm, NULL);
  for (int i = 0; i < 3; i++) arm[i] = o->hub[i] - arm[i];
  cross3(arm, o->force, moment);
  add_scaled3(wrench->force, by, o->force);
  add_scaled3(wrench->torque, by, o->torque);
  add_scaled3(wrench->torque, by, moment);
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)error;
  fb_contact_block* c = (fb_contact_block*)user;
  double origin[3];
  const soil_instant is = at_instant(c, context, memory, state, origin);
  state_rate[FB_CONTACT_X_NORMAL] = state_rate[FB_CONTACT_X_FRICTION] = 0;
  c->pushing = 0;
  for (int a = 0; a < c->how.na; a++)
    for (int b = 0; b < c->how.nb; b++) {
      const double* p = state + memory_at(c, a, b);
      double* rate = state_rate + memory_at(c, a, b);
      rolling o;
      if (!roll(&is, a, b, &o)) {
        const double share = beyond_surface(-o.wheel.depth, o.a->size[0]);
        for (int i = 0; i < MEMORIES; i++) rate[i] = -FORGETTING * share * p[i];
        continue;
      }
      memcpy(rate, o.rate, sizeof o.rate);
      c->pushing += o.load[2] > 0;
      push(context, is.d, action, o.a->frame, 1, &o);
      push(context, is.d, action, o.b->frame, -1, &o);
      const double normal = o.load[2] * dot3(o.v, o.axes[2]);
      state_rate[FB_CONTACT_X_NORMAL] += normal;
      state_rate[FB_CONTACT_X_FRICTION] += power_of(&o) - normal;
    }
  return FB_OK;
}

/* ---- outputs ---- */

/* x over the larger of two speeds, fading to zero where both do. */
static double over_speed(double x, double speed) {
  return x / (speed >= CRAWL ? speed : (speed * speed + CRAWL * CRAWL) / (2 * CRAWL));
}

/* Of the ground in which the first wheel is deepest. */
static void output_wheel(const rolling* o, double* outputs) {
  if (o->wheel.depth <= outputs[OUT_SINKAGE]) return;
  outputs[OUT_SINKAGE] = o->wheel.depth;
  outputs[OUT_SLIP_RATIO] = over_speed(o->u[0] - o->u[1], fmax(fabs(o->u[0]), fabs(o->u[1])));
  outputs[OUT_SLIP_RATIO] = fmin(fmax(outputs[OUT_SLIP_RATIO], -1), 1);
  outputs[OUT_SLIP_ANGLE] = atan(over_speed(o->u[2], fabs(o->u[1])));
  outputs[OUT_DRAWBAR] = o->load[0];
  outputs[OUT_TORQUE] = -o->load[4];
}

static void output_pair(const fb_contact_block* c, const rolling* o, const double origin[3],
                        double tangential[3], double* outputs) {
  const double slip = norm2(o->u[0] - o->u[1], o->u[2]);
  if (!(o->load[2] > 0)) return;
  add_scaled3(outputs + FB_CONTACT_OUT_FORCE, 1, o->force);
  add_scaled3(tangential, 1, o->force);
  add_scaled3(tangential, -o->load[2], o->axes[2]);
  double lowest[3] = {o->hub[0], o->hub[1], o->hub[2]};
  add_scaled3(lowest, -o->wheel.radius, o->axes[2]);
  add_scaled3(lowest, 1, origin);
  fb_contact_add_normal(outputs, lowest, o->load[2]);
  outputs[FB_CONTACT_OUT_SLIP] = fmax(outputs[FB_CONTACT_OUT_SLIP], slip);
  outputs[FB_CONTACT_OUT_STATE] =
      fmax(outputs[FB_CONTACT_OUT_STATE], slip > c->how.slip_speed ? FB_CONTACT_SLIPS : FB_CONTACT_STICKS);
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)error;
  const fb_contact_block* c = (const fb_contact_block*)user;
  double tangential[3] = {0, 0, 0}, origin[3];
  const soil_instant is = at_instant(c, context, memory, state, origin);
  outputs[FB_CONTACT_OUT_GAP] = INFINITY;
  outputs[FB_CONTACT_OUT_NORMAL_WORK] = state[FB_CONTACT_X_NORMAL];
  outputs[FB_CONTACT_OUT_FRICTION_WORK] = state[FB_CONTACT_X_FRICTION];
  for (int a = 0; a < c->how.na; a++)
    for (int b = 0; b < c->how.nb; b++) {
      rolling o;
      const int points = roll(&is, a, b, &o);
      outputs[FB_CONTACT_OUT_GAP] = fmin(outputs[FB_CONTACT_OUT_GAP], -o.wheel.depth);
      if (!points) continue;
      output_pair(c, &o, origin, tangential, outputs);
      if (a == 0) output_wheel(&o, outputs);
    }
  outputs[FB_CONTACT_OUT_TANGENTIAL] = norm3(tangential);
  return FB_OK;
}

/* ---- energy ---- */

double fb_soil_stored(const fb_contact_block* c, const fb_context* context, const double* state) {
  double energy = 0, origin[3];
  const soil_instant is = at_instant(c, context, NULL, state, origin);
  for (int a = 0; a < c->how.na; a++)
    for (int b = 0; b < c->how.nb; b++) {
      rolling o;
      if (roll(&is, a, b, &o)) energy += o.load[2] * o.wheel.depth;
    }
  return energy;
}

/* ---- checks ---- */

static fb_status check(const fb_contact* how, fb_error* error) {
  const fb_soil* s = &how->soil;
  fb_status status = fb_soil_check(how->name, s, error);
  for (int i = 0; i < how->na && !status; i++) {
    if (how->a[i].kind != FB_COLLIDER_CYLINDER)
      return fb_fail(error, FB_ERR_ARG,
                     "contact \"%s\": collider %d of side a is no cylinder; soil acts on wheels, which are "
                     "cylinders about their own z axis",
                     how->name, i);
    const double width = how->a[i].size[1];
    if (!s->reece && !(s->k_c / width + s->k_phi > 0))
      return fb_fail(error, FB_ERR_ARG,
                     "contact \"%s\": soil.k_c / width + soil.k_phi is %g for a wheel %g m wide; it must be "
                     "greater than 0",
                     how->name, s->k_c / width + s->k_phi, width);
  }
  for (int i = 0; i < how->nb && !status; i++)
    if (how->b[i].kind != FB_COLLIDER_PLANE && how->b[i].kind != FB_COLLIDER_HEIGHTFIELD)
      return fb_fail(error, FB_ERR_ARG,
                     "contact \"%s\": collider %d of side b is neither a plane nor a height field; soil "
                     "needs one of them",
                     how->name, i);
  return status;
}

fb_status fb_block_new_soil(const fb_model* m, const fb_contact* contact, fb_block* block, fb_error* error) {
  fb_contact_block* c;
  *block = fb_default_block();
  fb_status status = fb_contact_block_new(m, contact, &c, error);
  if (!status) status = check(&c->how, error);
  if (status) {
    fb_contact_block_free(c);
    return status;
  }
  block->name = c->block_name;
  block->user = c;
  block->nmemory = 1;
  block->nstate = FB_CONTACT_X_COUNT + MEMORIES * c->how.na * c->how.nb;
  block->nwrench = 2 * c->how.na * c->how.nb;
  block->kind_ = &FB_BLOCK_COMPLIANT_CONTACT;
  block->outputs = OUTPUTS;
  block->noutput = NOUTPUT;
  block->start = start;
  block->act = act;
  block->output = output;
  block->free = fb_contact_block_free;
  return FB_OK;
}
