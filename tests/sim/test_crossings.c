/* test_crossings.c -- crossings inside steps: random smooth signals against dense references, 2000 of them, or 10 000 with
 * FB_FULL=1.
 *
 *   test_crossings [COUNT]     COUNT signals for each method and a table, instead of so many for all together */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/sundials.h>

#include "base/cookie.h"
#include "random.h"
#include "sample.h"
#include "sim_rig.h"

static const double PI = 3.141592653589793;

/* ---- signals that are known in closed form ---- */

enum { SINES, SINE_RATES, ARM, SPIN, ARC, TUMBLE, KINDS };
static const char* const KIND_NAMES[] = {"sums of three sines", "their rates",
                                         "arms of two links",   "spins",
                                         "ballistic arcs",      "tumbling ballistic arcs"};
enum { MOST_SINES = 3 };

/* constant + slope t + bend t^2 + sum of size sin(rate t + phase) */
typedef struct form {
  double constant, slope, bend;
  int count;
  double size[MOST_SINES], rate[MOST_SINES], phase[MOST_SINES];
} form;

static double form_at(const form* f, double t) {
  double x = f->constant + t * (f->slope + t * f->bend);
  for (int i = 0; i < f->count; i++) x += f->size[i] * sin(f->rate[i] * t + f->phase[i]);
  return x;
}

static double fastest(const form* f) {
  double most = 0;
  for (int i = 0; i < f->count; i++) most = fmax(most, fabs(f->rate[i]));
  return most;
}

/* ---- models ---- */

static const double MASSES[MOST_SINES] = {1, 2, 3}, STIFFNESS[MOST_SINES] = {4, 30, 150};

static fb_model* finish(fb_model_def* def) {
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void add_plain(fb_model_def* def, fb_body_def* body) {
  fb_error error;
  for (int i = 0; i < 3; i++) body->inertia[i] = 0.7;
  if (fb_model_def_add_body(def, body, NULL, &error)) fail_msg("%s", error.text);
}

static void add_tip(fb_model_def* def, int body) {
  fb_frame_def tip = fb_default_frame_def();
  fb_error error;
  tip.name = "tip";
  tip.at[0] = 1;
  if (fb_model_def_add_frame(def, body, &tip, &error)) fail_msg("%s", error.text);
}

/* Three masses on springs, each on its own slide along x. */
static fb_model* oscillators(void) {
  static const char* const NAMES[] = {"a", "b", "c"};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < MOST_SINES; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = NAMES[i];
    body.joint.type = FB_JOINT_PRISMATIC;
    body.joint.axis[0] = 1;
    body.joint.stiffness[0] = STIFFNESS[i];
    body.mass = MASSES[i];
    add_plain(def, &body);
  }
  return finish(def);
}

/* Two links of one metre that turn about z. */
static fb_model* arm(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "upper";
  body.joint.type = FB_JOINT_REVOLUTE;
  body.joint.axis[2] = 1;
  body.mass = 1;
  add_plain(def, &body);
  body.name = "lower";
  body.parent = "upper";
  body.joint.at[0] = 1;
  add_plain(def, &body);
  add_tip(def, 2);
  return finish(def);
}

/* A ball with a mark one metre off its centre. */
static fb_model* ball(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "ball";
  body.joint.type = FB_JOINT_FREE;
  body.mass = 1;
  add_plain(def, &body);
  add_tip(def, 1);
  return finish(def);
}

static fb_model* slide(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  body.name = "block";
  body.joint.type = FB_JOINT_PRISMATIC;
  body.joint.axis[2] = 1;
  body.mass = 1;
  add_plain(def, &body);
  return finish(def);
}

/* ---- one run ---- */

typedef struct way {
  const char* name;
  fb_method method;
  int adaptive;
} way;

static const way WAYS[] = {{"euler", FB_METHOD_EULER, 0},       {"semi_implicit", FB_METHOD_SEMI_IMPLICIT, 0},
                           {"rk4", FB_METHOD_RK4, 0},           {"rkmk4", FB_METHOD_RKMK4, 0},
                           {"momentum", FB_METHOD_MOMENTUM, 0}, {"dopri5, fixed steps", FB_METHOD_DOPRI5, 0},
                           {"dopri5", FB_METHOD_DOPRI5, 1},     {"cvode", FB_METHOD_CUSTOM, 1},
                           {"arkode", FB_METHOD_CUSTOM, 1}};
enum { WAY_COUNT = sizeof WAYS / sizeof WAYS[0] };

typedef struct trial {
  int kind;
  const fb_model* m;
  const char* signal;
  double q[7], v[6], gravity;
  double rates[2]; /* of the arm, which is moved */
  form truth;
  double duration, step, rtol, level;
  int direction;
} trial;

static fb_random dice;
static double between(double low, double high) {
  return random_in(&dice, low, high);
}

static void set_sines(trial* c, int rates) {
  c->signal = rates ? "com.v.x" : "com.p.x";
  c->truth = (form){.count = MOST_SINES};
  for (int i = 0; i < MOST_SINES; i++) {
    double w = sqrt(STIFFNESS[i] / MASSES[i]), size = between(0.1, 1), phase = between(0, 2 * PI);
    c->q[i] = size * sin(phase);
    c->v[i] = size * w * cos(phase);
    c->truth.size[i] = MASSES[i] / 6 * size * (rates ? w : 1);
    c->truth.rate[i] = w;
    c->truth.phase[i] = phase + (rates ? PI / 2 : 0);
  }
}

static void set_arm(trial* c) {
  c->signal = "p.tip.x";
  for (int i = 0; i < 2; i++) {
    c->q[i] = between(-PI, PI);
    c->rates[i] = c->v[i] = between(-3, 3);
  }
  c->truth = (form){.count = 2,
                    .size = {1, 1},
                    .rate = {c->v[0], c->v[0] + c->v[1]},
                    .phase = {c->q[0] + PI / 2, c->q[0] + c->q[1] + PI / 2}};
}

/* A ball spins about a random axis and drifts, or flies under gravity. */
static void set_ball(trial* c, int flies) {
  double axis[3], tip[3], rate = between(0.3, 3), square = 0;
  for (int i = 0; i < 3; i++) axis[i] = between(-1, 1), square += axis[i] * axis[i];
  for (int i = 0; i < 3; i++) axis[i] /= sqrt(square);
  double R[9];
  random_quat(&dice, c->q + 3);
  fb_rot_from_quat(c->q + 3, R);
  for (int i = 0; i < 3; i++) tip[i] = R[3 * i];
  int at = flies ? 2 : 0; /* z or x */
  c->signal = flies ? "p.tip.z" : "p.tip.x";
  c->gravity = flies ? -9.81 : 0;
  c->v[at] = flies ? between(2, 15) : between(-0.01, 0.01);
  for (int i = 0; i < 3; i++) c->v[3 + i] = rate * axis[i];
  /* tip(t) = along + (tip - along) cos + axis x tip sin */
  double along = (axis[0] * tip[0] + axis[1] * tip[1] + axis[2] * tip[2]) * axis[at];
  double across = flies ? axis[0] * tip[1] - axis[1] * tip[0] : axis[1] * tip[2] - axis[2] * tip[1];
  c->truth = (form){.constant = along, .slope = c->v[at], .bend = 0.5 * c->gravity, .count = 1};
  c->truth.size[0] = hypot(tip[at] - along, across);
  c->truth.rate[0] = rate;
  c->truth.phase[0] = atan2(tip[at] - along, across);
}

static void set_arc(trial* c) {
  c->signal = "q.block";
  c->gravity = -9.81;
  c->q[0] = between(-2, 2);
  c->v[0] = between(1, 15);
  c->truth = (form){.constant = c->q[0], .slope = c->v[0], .bend = 0.5 * c->gravity};
}

/* A level in the range of the signal; every other time just below or above one of its extrema. */
static double choose_level(const form* f, double duration) {
  enum { POINTS = 400 };
  double low = INFINITY, high = -INFINITY, x[POINTS + 1];
  for (int i = 0; i <= POINTS; i++) {
    x[i] = form_at(f, duration * i / POINTS);
    low = fmin(low, x[i]);
    high = fmax(high, x[i]);
  }
  int grazes = random_index(&dice, 2), from = random_index(&dice, POINTS - 1);
  for (int k = 0; grazes && k < POINTS - 1; k++) {
    int i = 1 + (from + k) % (POINTS - 1);
    if ((x[i] - x[i - 1]) * (x[i + 1] - x[i]) > 0) continue;
    double bend = x[i + 1] - 2 * x[i] + x[i - 1], slope = 0.5 * (x[i + 1] - x[i - 1]);
    double depth = (high - low) * pow(10, between(-8, -1));
    return x[i] - 0.5 * slope * slope / bend + (bend > 0 ? depth : -depth);
  }
  return between(low, high);
}

static trial make_trial(int kind, fb_model* const models[KINDS], const way* w) {
  trial c = {.kind = kind, .m = models[kind], .q = {0, 0, 0, 1, 0, 0, 0}};
  switch (kind) {
    case SINES:
    case SINE_RATES:
      set_sines(&c, kind == SINE_RATES);
      break;
    case ARM:
      set_arm(&c);
      break;
    case SPIN:
    case TUMBLE:
      set_ball(&c, kind == TUMBLE);
      break;
    default:
      set_arc(&c);
      break;
  }
  double phase = between(0.05, 1), rate = fastest(&c.truth); /* of a fixed step */
  c.step = rate > 0 ? phase / rate : between(0.05, 0.7);
  c.rtol = pow(10, between(-9, -4));
  int turns = kind == ARM || kind == SPIN;
  c.duration = !w->adaptive                    ? 16 * c.step
               : w->method == FB_METHOD_DOPRI5 ? (turns ? 60 : 3)
               : turns                         ? 3
                                               : 0.8;
  if (kind == ARC || kind == TUMBLE) c.duration = fmin(c.duration, 3);
  c.level = choose_level(&c.truth, c.duration);
  c.direction = random_index(&dice, 3) - 1;
  return c;
}

static fb_sim* make_sim(const trial* c, const way* w, fb_signal* signal) {
  fb_sim_options options = options_of(w->method, c->step);
  fb_stepper stepper;
  fb_error error;
  options.adaptive = w->adaptive;
  if (w->adaptive) options.step = 0;
  options.rtol = c->rtol;
  options.atol = 1e-3 * c->rtol;
  options.environment.gravity_w[2] = c->gravity;
  if (w->method == FB_METHOD_CUSTOM) {
    if (fb_stepper_new_sundials(w->name, options.rtol, options.atol, 0, &stepper, &error))
      fail_msg("%s", error.text);
    options.stepper = &stepper;
  }
  fb_sim* sim = sim_or_fail(c->m, &options);
  int count;
  if (fb_signal_find(c->m, c->signal, signal, 1, &count, &error)) fail_msg("%s", error.text);
  fb_event passes = {.name = "passes",
                     .kind = FB_TRIGGER_CROSSING,
                     .signal = *signal,
                     .level = c->level,
                     .direction = c->direction,
                     .cookie_ = FB_COOKIE};
  event_or_fail(sim, &passes);
  for (int k = 0; c->kind == ARM && k < 2; k++) {
    fb_motion motion = {FB_MOTION_RATE, c->rates[k], NULL, .cookie_ = FB_COOKIE};
    int id;
    assert_int_equal(fb_sim_add_motion(sim, &motion, &id, &error), FB_OK);
    assert_int_equal(fb_sim_set_motion(sim, k, id, &error), FB_OK);
  }
  start_or_fail(sim, c->q, c->v);
  return sim;
}

/* ---- references ---- */

static int side_of(double x) {
  return (x > 0) - (x < 0);
}

/* The most that x nears zero, or passes it, between three points of which the middle one is nearest. */
static double pursue(double (*at)(void* self, double t), void* self, double t[3], double x[3], int side) {
  double nearest = side * x[1];
  for (int i = 0; i < 30; i++) {
    /* Golden section: slow and sure. */
    int left = t[1] - t[0] > t[2] - t[1];
    double s = left ? t[1] - 0.382 * (t[1] - t[0]) : t[1] + 0.382 * (t[2] - t[1]), y = at(self, s);
    if (side * y < side * x[1]) {
      *(left ? &t[2] : &t[0]) = t[1];
      t[1] = s;
      x[1] = y;
    } else {
      *(left ? &t[0] : &t[2]) = s;
    }
    nearest = fmin(nearest, side * x[1]);
    if (nearest < 0) break;
  }
  return nearest;
}

typedef struct tally {
  int side;
  int crossings, missed; /* in directions that count */
  int pairs;             /* of the missed */
  double nearest;        /* extremum to the level */
} tally;

/* Counts the crossings of x between 0 and 1 at `count` points; inside only, for those at the last point are the
 * caller's. */
static void count_crossings(double (*at)(void* self, double t), void* self, double t0, double t1, int count,
                            int direction, tally* n, int to_end) {
  double x[3], t[3];
  for (int i = 0; i <= count; i++) {
    /* The first and the last interval are short, so that extrema close to the ends are between points. */
    double share = i == 1 ? 1e-3 : i == count - 1 ? count - 1e-3 : i;
    t[i > 2 ? 2 : i] = i == count ? t1 : t0 + (t1 - t0) * share / count;
    x[i > 2 ? 2 : i] = at(self, t[i > 2 ? 2 : i]);
    double now = x[i > 2 ? 2 : i];
    int side = side_of(now);
    if (i > 1) {
      int s = side_of(x[1]);
      if (s != 0 && side_of(x[0]) == s && side == s && s * x[1] <= s * x[0] && s * x[1] <= s * x[2]) {
        double tt[3] = {t[0], t[1], t[2]}, xx[3] = {x[0], x[1], x[2]};
        double bend = fabs(x[2] - 2 * x[1] + x[0]);
        double nearest = fabs(x[1]) < 2 * bend ? pursue(at, self, tt, xx, s) : fabs(x[1]);
        n->nearest = fmin(n->nearest, fabs(nearest));
        if (nearest < 0) n->pairs++, n->crossings += direction == 0 ? 2 : 1;
      }
      n->nearest = i > 1 && (x[1] - x[0]) * (x[2] - x[1]) <= 0 ? fmin(n->nearest, fabs(x[1])) : n->nearest;
    }
    if (side != 0 && n->side != 0 && side != n->side && (i < count || to_end) && i > 0)
      n->crossings += direction == 0 || direction == side;
    if (side != 0 && (i < count || to_end)) n->side = side;
    if (i >= 2) {
      x[0] = x[1], t[0] = t[1];
      x[1] = x[2], t[1] = t[2];
    }
  }
}

typedef struct inside {
  fb_sim* sim;
  const fb_signal* signal;
  double level;
} inside;

static double inside_at(void* self, double t) {
  const inside* in = (const inside*)self;
  double x;
  fb_error error;
  if (fb_sim_eval_signals(in->sim, t, in->signal, 1, &x, &error)) fail_msg("%s", error.text);
  return x - in->level;
}

static double form_less_level(void* self, double t) {
  const trial* c = (const trial*)self;
  return form_at(&c->truth, t) - c->level;
}

/* ---- the count ---- */

typedef struct score {
  long signals, crossings, missed, pairs; /* on the steps' own solutions */
  long compared, differ;                  /* with the closed form */
} score;

/* Runs a trial; what lies inside its steps and was not found is missed. Returns how many events happened. */
static int run_trial(const trial* c, const way* w, score* total) {
  fb_signal signal;
  fb_sim* sim = make_sim(c, w, &signal);
  fb_error error;
  inside in = {sim, &signal, c->level};
  tally n = {.nearest = INFINITY};
  int happened = 0;
  double rate = fastest(&c->truth);
  n.side = side_of(form_at(&c->truth, 0) - c->level);
  while (fb_sim_time(sim) < c->duration - 1e-12) {
    if (fb_sim_begin_step(sim, c->duration, &error)) fail_msg("%s: %s", w->name, error.text);
    double t0 = fb_sim_step_start(sim), t1 = fb_sim_time(sim);
    int points = 20 + (int)(20 * rate * (t1 - t0)), before = n.crossings, count;
    count_crossings(inside_at, &in, t0, t1, points, c->direction, &n, 0);
    /* At rounding, a signal that hardly moves may pass to and fro. */
    if (t1 - t0 > 1e-7) n.missed += n.crossings - before;
    int side = side_of(inside_at(&in, t1));
    if (fb_sim_end_step(sim, &error)) fail_msg("%s", error.text);
    fb_sim_event_records(sim, &count);
    happened += count;
    int passes = side != 0 && side != n.side && (c->direction == 0 || side == c->direction);
    if (t1 - t0 > 1e-7 && count == 0 && passes && n.side != 0) n.missed++;
    if (count > 0 && c->direction != 0) assert_int_equal(side, c->direction);
    if (side != 0) n.side = side;
  }
  fb_sim_free(sim);
  total->signals++;
  total->crossings += happened + n.missed;
  total->missed += n.missed;
  total->pairs += n.pairs;
  return happened;
}

/* Error control keeps the solution near the closed form: as many crossings, unless an extremum is as near to the level
 * as the error. */
static void compare_with_form(trial* c, int happened, score* total) {
  tally n = {.nearest = INFINITY, .side = side_of(form_less_level(c, 0))};
  count_crossings(form_less_level, c, 0, c->duration, 2000, c->direction, &n, 1);
  double margin = fmax(1e-7, 1e3 * c->rtol);
  if (n.nearest < margin || fabs(form_less_level(c, 0)) < margin ||
      fabs(form_less_level(c, c->duration)) < margin)
    return;
  total->compared++;
  total->differ += happened != n.crossings;
  if (happened != n.crossings)
    printf("  %s, %s through %.9g (direction %d): %d instead of %d\n", KIND_NAMES[c->kind], c->signal,
           c->level, c->direction, happened, n.crossings);
}

static long signals_per_way = 0; /* 0: a sample */

static void crossings_of_random_signals_are_found(void** unused) {
  (void)unused;
  fb_model* models[KINDS] = {oscillators(), oscillators(), arm(), ball(), slide(), ball()};
  long each = signals_per_way > 0 ? signals_per_way : (sample(2000, 10000) + WAY_COUNT - 1) / WAY_COUNT;
  long missed = 0, signals = 0, differ = 0;
  for (int i = 0; i < WAY_COUNT; i++) {
    const way* w = &WAYS[i];
    if (w->method == FB_METHOD_CUSTOM && !fb_sundials_available()) continue;
    score total = {0}, kinds[KINDS] = {{0}};
    dice = random_seed(20261115 + (uint64_t)i);
    for (long k = 0; k < each; k++) {
      trial c = make_trial((int)(k % KINDS), models, w);
      long before = total.missed;
      int happened = run_trial(&c, w, &total);
      kinds[c.kind].missed += total.missed - before;
      if (w->adaptive) compare_with_form(&c, happened, &total);
    }
    printf("%-20s %6ld signals %7ld crossings %4ld missed", w->name, total.signals, total.crossings,
           total.missed);
    if (w->adaptive) printf("; %ld of %ld differ from the closed form", total.differ, total.compared);
    printf("\n");
    for (int k = 0; k < KINDS; k++)
      if (kinds[k].missed > 0) printf("    %s: %ld\n", KIND_NAMES[k], kinds[k].missed);
    signals += total.signals;
    missed += total.missed;
    differ += total.differ;
  }
  printf("%ld signals, %ld crossings missed\n", signals, missed);
  assert_int_equal(differ, 0);
  assert_true(missed <= signals / 5000); /* of grazing signals, at rounding */
  fb_model_free(models[SINES]);
  fb_model_free(models[SINE_RATES]);
  fb_model_free(models[ARM]);
  fb_model_free(models[SPIN]);
  fb_model_free(models[ARC]);
  fb_model_free(models[TUMBLE]);
}

/* ---- single cases ---- */

/* Runs to the end; the instants at which the only event happened, at most 200; returns how many. */
static int run_all(fb_sim* sim, double until, double t[200]) {
  int total = 0;
  fb_error error;
  while (fb_sim_time(sim) < until - 1e-12) {
    int count;
    if (fb_sim_step(sim, until, &error)) fail_msg("%s", error.text);
    const fb_event_record* h = fb_sim_event_records(sim, &count);
    for (int i = 0; i < count; i++) {
      assert_true(total < 200);
      t[total++] = h[i].t;
    }
  }
  return total;
}

/* A trial of a block on a slide that is thrown against gravity, by steps as long as the method likes or of 2 s. */
static trial throw_block(const fb_model* m, double x, double speed, double gravity, double level,
                         int direction) {
  trial c = {.kind = ARC,
             .m = m,
             .signal = "q.block",
             .q = {x},
             .v = {speed},
             .gravity = gravity,
             .step = 2,
             .rtol = 1e-9,
             .level = level,
             .direction = direction};
  return c;
}

/* It rises to 10.4999 m and comes back: through 10 m and back within one step of every method. */
static void a_block_that_comes_back_within_a_step_is_seen(void** unused) {
  (void)unused;
  fb_model* m = slide();
  const double x = 1, speed = 13.6525, g = 9.81, level = 10;
  double out = (speed - sqrt(speed * speed - 2 * g * (level - x))) / g, back = 2 * speed / g - out, t[200];
  for (int i = 0; i < WAY_COUNT; i++) {
    if (WAYS[i].method == FB_METHOD_CUSTOM && !fb_sundials_available()) continue;
    if (fb_method_traits(WAYS[i].method).order == 1)
      continue; /* with 2 s they do not get there, or stay there */
    for (int direction = -1; direction < 2; direction++) {
      trial c = throw_block(m, x, speed, -g, level, direction),
            down = throw_block(m, -x, -speed, g, -level, direction);
      fb_signal signal;
      fb_sim *sim = make_sim(&c, &WAYS[i], &signal), *mirror = make_sim(&down, &WAYS[i], &signal);
      int count = run_all(sim, 4, t);
      assert_int_equal(count, direction == 0 ? 2 : 1);
      assert_near("out or back", t, direction < 0 ? &back : &out, 1, 1e-7); /* cvode's tolerance */
      if (direction == 0) assert_near("back", t + 1, &back, 1, 1e-7);
      /* Upside down, the crossing that counts may be the second one. */
      count = run_all(mirror, 4, t);
      assert_int_equal(count, direction == 0 ? 2 : 1);
      assert_near("mirrored", t, direction > 0 ? &back : &out, 1, 1e-7);
      fb_sim_free(sim);
      fb_sim_free(mirror);
    }
  }
  fb_model_free(m);
}

/* At 1 rad/s for 1000 s dopri5 makes steps of hundreds of seconds, because the motion is exact for it: attitudes are
 * right inside them, and the mark passes 159 times. */
static void a_spin_is_seen_however_long_the_steps_are(void** unused) {
  (void)unused;
  fb_model* m = ball();
  fb_sim_options options = options_of(FB_METHOD_DOPRI5, 0);
  options.adaptive = 1;
  const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0, 0, 0, 0, 0, 1};
  fb_sim *alone = sim_or_fail(m, &options), *watched = sim_or_fail(m, &options);
  fb_error error;
  start_or_fail(alone, q, v);
  double longest = 0, t[200];
  while (fb_sim_time(alone) < 1000) {
    assert_int_equal(fb_sim_step(alone, 1000, &error), FB_OK);
    double t0 = fb_sim_step_start(alone), h = fb_sim_time(alone) - t0, now[7];
    longest = fmax(longest, h);
    for (int k = 1; k < 100; k++) {
      double inside = t0 + 0.01 * k * h, sign;
      assert_int_equal(fb_sim_eval_state(alone, inside, now, NULL, &error), FB_OK);
      sign = now[3] * cos(0.5 * inside) + now[6] * sin(0.5 * inside) > 0 ? 1 : -1;
      const double want[4] = {sign * cos(0.5 * inside), 0, 0, sign * sin(0.5 * inside)};
      assert_near("attitude", now + 3, want, 4, 1e-12);
    }
  }
  assert_true(longest > 100);
  fb_event passes = {
      .name = "passes", .kind = FB_TRIGGER_CROSSING, .level = 0.5, .direction = 1, .cookie_ = FB_COOKIE};
  int count;
  assert_int_equal(fb_signal_find(m, "p.tip.x", &passes.signal, 1, &count, &error), FB_OK);
  event_or_fail(watched, &passes);
  start_or_fail(watched, q, v);
  assert_int_equal(run_all(watched, 1000, t), 159);
  for (int k = 0; k < 159; k++) assert_near("passage", &t[k], &(double){2 * PI * (k + 1) - PI / 3}, 1, 1e-8);
  fb_sim_free(alone);
  fb_sim_free(watched);
  fb_model_free(m);
}

/* A start on the level: the first departure counts, in either direction; what stays there passes nothing. */
static void a_start_on_the_level_counts_in_either_direction(void** unused) {
  (void)unused;
  fb_model* m = slide();
  for (int i = 0; i < WAY_COUNT; i++) {
    if (WAYS[i].method == FB_METHOD_CUSTOM && !fb_sundials_available()) continue;
    for (int speed = -1; speed <= 1; speed++) {
      trial c = throw_block(m, 0.25, speed, 0, 0.25, 0);
      double t[200];
      fb_signal signal;
      fb_sim* sim = make_sim(&c, &WAYS[i], &signal);
      int count = run_all(sim, 5, t);
      if (count != (speed != 0)) fail_msg("%s at %d m/s: %d events", WAYS[i].name, speed, count);
      if (speed != 0) assert_true(t[0] <= 2e-12);
      fb_sim_free(sim);
    }
  }
  fb_model_free(m);
}

int main(int argc, char** argv) {
  if (argc > 1) signals_per_way = strtol(argv[1], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_that_comes_back_within_a_step_is_seen),
      cmocka_unit_test(a_spin_is_seen_however_long_the_steps_are),
      cmocka_unit_test(a_start_on_the_level_counts_in_either_direction),
      cmocka_unit_test(crossings_of_random_signals_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
