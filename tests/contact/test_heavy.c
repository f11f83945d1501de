/* test_heavy.c -- a heavy body on a light one under moreau: what cannot be solved is said, and nothing is thrown out of a penetration.
 *
 * Random boxes, the upper up to 1e8 times as heavy, leaning, dropped and pushed. A step moves nothing further than its velocities and
 * the depth of what it resolves explain, or the run says so, or it ends with an error. More seeds: test_heavy COUNT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "math/vector3.h"
#include "contact/dynamics/hard_problem.h"
#include "sample.h"

static uint64_t most_seeds, first_seed = 1;

typedef struct outcome {
  double thrown; /* the longest way within a step that velocities do not explain [m] */
  double deep;   /* the deepest penetration after a step [m] */
  double gained; /* energy of the scene, of that at the start */
  double size;   /* the smallest edge [m] */
  int said;      /* it warned, or ended with an error */
  double ratio;
  char error[sizeof(fb_error)];
} outcome;

static void add_box(fb_model_def* def, const char* name, double mass, const double size[3]) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = name;
  body.joint.type = FB_JOINT_FREE;
  body.mass = mass;
  for (int k = 0; k < 3; k++)
    body.inertia[k] =
        mass / 12 * (size[(k + 1) % 3] * size[(k + 1) % 3] + size[(k + 2) % 3] * size[(k + 2) % 3]);
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
}

static void add_contact(fb_sim* sim, const char* name, const fb_collider* a, const fb_collider* b,
                        double mu) {
  fb_contact contact = contact_of(a, b, FB_CONTACT_HARD, 0, 0, mu);
  fb_error error;
  contact.name = name;
  if (fb_sim_add_contact(sim, &contact, NULL, &error)) fail_msg("%s", error.text);
}

/* How much further a body went than its velocities before and after a step can take it. */
static double way(const double* q0, const double* v0, const double* q1, const double* v1, double h) {
  double most = 0;
  for (int i = 0; i < 2; i++) {
    double gone[3];
    for (int k = 0; k < 3; k++) gone[k] = q1[7 * i + k] - q0[7 * i + k];
    most = fmax(most, norm3(gone) - h * fmax(norm3(v0 + 6 * i), norm3(v1 + 6 * i)));
  }
  return most;
}

static void follow(fb_sim* sim, double time, outcome* o) {
  fb_error error;
  while (fb_sim_time(sim) < time) {
    double q[14], v[12], t = fb_sim_time(sim), before = o->deep, deep = 0;
    memcpy(q, fb_sim_q(sim), sizeof q);
    memcpy(v, fb_sim_v(sim), sizeof v);
    if (fb_sim_step(sim, time, &error)) {
      o->said = 1;
      snprintf(o->error, sizeof o->error, "%s", error.text);
      return;
    }
    static const char* const GAPS[] = {"contact.a.gap", "contact.b.gap", "contact.c.gap"};
    for (int i = 0; i < 3; i++) deep = fmax(deep, -read_signal(sim, GAPS[i]));
    o->deep = fmax(before, deep);
    o->thrown = fmax(o->thrown, way(q, v, fb_sim_q(sim), fb_sim_v(sim), fb_sim_time(sim) - t));
  }
}

static outcome run(uint64_t seed) {
  fb_random r = random_seed(seed);
  double low[3], high[3], mu = random_in(&r, 0, 1), ratio = pow(10, random_in(&r, 3, 8)), lean[3],
                          q[14] = {0}, v[12] = {0};
  random_fill(&r, 0.1, 0.4, 3, low);
  random_fill(&r, 0.1, 0.5, 3, high);
  fb_model_def* def = fb_model_def_new();
  add_box(def, "light", 1, low);
  add_box(def, "heavy", ratio, high);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_sim_options options = heavy_options(0, -G);
  options.method = FB_METHOD_MOREAU;
  options.step = random_index(&r, 2) ? 1e-3 : 5e-3;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_collider a = shape_on(1, FB_COLLIDER_BOX, low[0], low[1], low[2]),
              b = shape_on(2, FB_COLLIDER_BOX, high[0], high[1], high[2]),
              ground = shape_on(0, FB_COLLIDER_PLANE, 0, 0, 0);
  add_contact(sim, "a", &a, &ground, mu);
  add_contact(sim, "b", &b, &a, mu);
  add_contact(sim, "c", &b, &ground, mu);
  q[2] = 0.5 * low[2] + 1e-3;
  q[3] = q[10] = 1;
  random_fill(&r, -0.1, 0.1, 2, q + 7);
  random_fill(&r, -0.3, 0.3, 3, lean);
  if (random_index(&r, 2)) fb_quat_from_rotvec(lean, q + 10);
  q[9] = low[2] + 0.5 * high[2] + random_in(&r, 0, 0.2) + 0.1;
  if (random_index(&r, 2)) random_fill(&r, -1, 1, 6, v + 6);
  outcome o = {.size = fmin(fmin(low[0], fmin(low[1], low[2])), fmin(high[0], fmin(high[1], high[2]))),
               .ratio = ratio};
  start_or_fail(sim, q, v);
  follow(sim, 1, &o);
  char doubt[600];
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  double start = l.kinetic_0 + l.potential_0;
  o.gained = (l.kinetic + l.potential - start) / start;
  o.said |= fb_sim_warning(sim, doubt, sizeof doubt);
  fb_sim_free(sim);
  fb_model_free(m);
  return o;
}

static void heavy_bodies_on_light_ones_are_right_or_say_so(void** unused) {
  (void)unused;
  int bad = 0, said = 0;
  for (uint64_t seed = first_seed; seed <= most_seeds; seed++) {
    outcome o = run(seed);
    int is = !o.said && !(o.thrown < 0.5 * o.size && o.deep < 1e-3 && o.gained < 1e-3);
    is |= !(o.thrown < o.size);
    if (is)
      printf("seed %d, ratio %.1e: thrown %.1e m, deepest %.1e m, gained %.1e; %s %s\n", (int)seed, o.ratio,
             o.thrown, o.deep, o.gained, o.said ? "said" : "silent", o.error);
    bad += is;
    said += o.said;
  }
  printf("%d scenes, %d bad, %d said so\n", (int)most_seeds, bad, said);
  assert_int_equal(bad, 0);
}

/* Half the thickness of the thinner side, whatever the other is. */
static void a_penetration_of_half_a_body_ends_the_run(void** unused) {
  (void)unused;
  static const struct {
    double depth;
    int ends;
  } CASES[] = {{0.04, 0}, {0.06, 1}};
  fb_model* m = one_body(FB_JOINT_FREE, 1, 0.01);
  fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.05, 0, 0),
              ground = shape_on(0, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_sim_options options = options_of(FB_METHOD_MOREAU, 1e-3);
  fb_sim* sim = sim_or_fail(m, &options);
  const double q[7] = {0, 0, 0.05, 1, 0, 0, 0}, v[6] = {0};
  add_contact(sim, "foot", &ball, &ground, 0);
  start_or_fail(sim, q, v);
  for (int i = 0; i < 2; i++) {
    fb_error error = {0};
    sim->contact.hard->left = CASES[i].depth;
    sim->contact.hard->left_at = 0;
    assert_int_equal(fb_hard_check_depth(sim, 0.5, &error), CASES[i].ends ? FB_ERR_NO_SOLUTION : FB_OK);
    if (CASES[i].ends)
      assert_non_null(
          strstr(error.text, "at t = 0.5 s the sides of contact \"foot\" are 0.06 m deep in each other"));
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(int argc, char** argv) {
  most_seeds = (uint64_t)sample(6, 12);
  if (argc > 1) most_seeds = strtoull(argv[1], NULL, 10);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(heavy_bodies_on_light_ones_are_right_or_say_so),
      cmocka_unit_test(a_penetration_of_half_a_body_ends_the_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
