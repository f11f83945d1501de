/* test_isolated.c -- bodies that touch one another and nothing else: moreau keeps their momentum to rounding, and contacts without
 * restitution, or with Poisson's, give no energy.
 *
 * Two to four bodies of random shapes, one of them with an arm, are pulled together by springs. Second method: the momenta are summed
 * body by body, about the world's origin. More seeds: test_isolated COUNT. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "mechanism_rig.h"
#include "ball_rig.h"
#include "capture_rig.h"
#include "sample.h"

static uint64_t most_seeds;

/* Relative to the sum of the magnitudes over the bodies: a thousand steps of rounding. */
static const double ROUNDING = 1e-12;

enum { MOST = 4 };
static const char* const BODIES[MOST] = {"b0", "b1", "b2", "b3"};
static const fb_collider_kind KINDS[] = {FB_COLLIDER_SPHERE, FB_COLLIDER_BOX,     FB_COLLIDER_ELLIPSOID,
                                         FB_COLLIDER_HULL,   FB_COLLIDER_CAPSULE, FB_COLLIDER_CYLINDER};

typedef struct isolated {
  int count;
  fb_model* m;
  fb_collider shapes[MOST];
  fb_geometry* hulls[MOST];
  double mass[MOST];
} isolated;

static fb_geometry* hull_of(fb_random* r) {
  double v[12][3];
  fb_geometry* g;
  fb_error error;
  for (int i = 0; i < 12; i++) random_fill(r, -1, 1, 3, v[i]);
  if (fb_geometry_new_hull(12, v[0], &g, &error)) fail_msg("%s", error.text);
  return g;
}

static void add_one(fb_random* r, fb_model_def* def, const char* name, const char* parent, double mass) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = name;
  body.parent = parent;
  body.joint.type = parent ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
  body.joint.axis[0] = 1;
  body.mass = mass;
  random_fill(r, -0.05, 0.05, 3, body.com);
  for (int k = 0; k < 3; k++) body.inertia[k] = mass * random_in(r, 0.01, 0.015);
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
}

static isolated choose(fb_random* r) {
  isolated x = {.count = 2 + random_index(r, MOST - 1)};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < x.count; i++) {
    fb_collider_kind kind = KINDS[random_index(r, 6)];
    x.mass[i] = pow(10, random_in(r, -0.5, 0.5));
    add_one(r, def, BODIES[i], NULL, x.mass[i]);
    x.shapes[i] = shape_on(0, kind, random_in(r, 0.1, 0.3), random_in(r, 0.1, 0.3), random_in(r, 0.1, 0.3));
    if (kind == FB_COLLIDER_HULL) x.shapes[i].geometry = x.hulls[i] = hull_of(r);
  }
  if (random_index(r, 2)) add_one(r, def, "arm", BODIES[0], 0.3);
  x.m = build_or_fail(def, NULL);
  for (int i = 0; i < x.count; i++) x.shapes[i].frame = fb_model_find_body(x.m, BODIES[i]);
  fb_model_def_free(def);
  return x;
}

static fb_sim* sim_of(fb_random* r, const isolated* x) {
  fb_sim_options options = options_of(FB_METHOD_MOREAU, random_in(r, 1e-3, 3e-3));
  fb_sim* sim = sim_or_fail(x->m, &options);
  double friction = random_index(r, 4) ? random_in(r, 0, 1) : 0,
         e = random_index(r, 2) ? random_in(r, 0, 0.9) : 0;
  char name[32];
  for (int i = 0; i < x->count; i++)
    for (int j = i + 1; j < x->count; j++) {
      fb_contact contact = contact_of(&x->shapes[i], &x->shapes[j], FB_CONTACT_HARD, 0, 0, friction);
      fb_error error;
      snprintf(name, sizeof name, "c%d%d", i, j);
      contact.name = name;
      contact.restitution = e;
      contact.restitution_law = FB_RESTITUTION_POISSON;
      if (fb_sim_add_contact(sim, &contact, NULL, &error)) fail_msg("%s", error.text);
      snprintf(name, sizeof name, "s%d%d", i, j);
      put_spring(sim, name, BODIES[i], BODIES[j], random_in(r, 5, 20), 0, 0.05);
    }
  return sim;
}

static void start(fb_random* r, fb_sim* sim, const isolated* x, double speed) {
  int nq = fb_model_nq(x->m), nv = fb_model_nv(x->m);
  double *q = numbers_new(nq), *v = numbers_new(nv);
  fb_neutral(x->m, q);
  for (int i = 0; i < x->count; i++) {
    int at = fb_joint_q_index(x->m, x->shapes[i].frame), v_at = fb_joint_v_index(x->m, x->shapes[i].frame);
    for (int k = 0; k < 3; k++)
      q[at + k] = 0.9 * (k == 0 ? i & 1 : k == 1 ? i >> 1 : 0) + random_in(r, 0, 0.1);
    random_quat(r, q + at + 3);
    random_fill(r, -0.3, 0.3, 3, v + v_at);
    random_fill(r, -1, 1, 3, v + v_at + 3);
    v[v_at] += speed;
  }
  start_or_fail(sim, q, v);
  free(q);
  free(v);
}

static momenta momenta_at(const fb_sim* sim) {
  const fb_model* m = fb_sim_model(sim);
  moving now = {(fb_model*)(uintptr_t)m, fb_data_new(m), (double*)(uintptr_t)fb_sim_q(sim),
                (double*)(uintptr_t)fb_sim_v(sim)};
  momenta sum = momenta_of(&now, NULL);
  fb_data_free(now.d);
  return sum;
}

static double lost(const momenta* now, const momenta* was) {
  double linear = relative_error(was->size_p + now->size_p, now->p, was->p, 3),
         angular = relative_error(was->size_L + now->size_L, now->L, was->L, 3);
  return worse_of(linear, angular);
}

typedef struct outcome {
  double momentum; /* lost */
  double energy;   /* given by contacts, projections included, of the energy in play */
  double ledger;   /* worst residual of momentum */
} outcome;

static outcome run(uint64_t seed) {
  fb_random r = random_seed(seed);
  isolated x = choose(&r);
  fb_sim* sim = sim_of(&r, &x);
  outcome o = {0, 0, 0};
  fb_ledger l;
  start(&r, sim, &x, random_index(&r, 3) ? 0 : 100);
  momenta was = momenta_at(sim);
  for (int i = 1; i <= 20; i++) {
    run_or_fail(sim, 0.1 * i);
    momenta now = momenta_at(sim);
    o.momentum = worse_of(o.momentum, lost(&now, &was));
    fb_sim_ledger(sim, &l);
    double inner = l.potential_0 + 1;
    o.energy = worse_of(o.energy, (l.normal + l.friction + l.projection) / inner);
  }
  o.ledger = l.momentum_worst;
  fb_sim_free(sim);
  for (int i = 0; i < x.count; i++) fb_geometry_free(x.hulls[i]);
  fb_model_free(x.m);
  return o;
}

static void momentum_is_kept_and_contacts_give_no_energy(void** unused) {
  (void)unused;
  outcome worst = {0, 0, 0};
  int bad = 0;
  for (uint64_t seed = 1; seed <= most_seeds; seed++) {
    outcome o = run(seed);
    int is = !(o.momentum < ROUNDING && o.energy < 1e-4);
    if (is)
      printf("seed %d: momentum %.1e, energy %.1e, ledger %.1e\n", (int)seed, o.momentum, o.energy, o.ledger);
    bad += is;
    worst.momentum = worse_of(worst.momentum, o.momentum);
    worst.energy = worse_of(worst.energy, o.energy);
    worst.ledger = worse_of(worst.ledger, o.ledger);
  }
  printf("%d scenes, %d bad; momentum lost %.1e, energy given %.1e, ledger %.1e\n", (int)most_seeds, bad,
         worst.momentum, worst.energy, worst.ledger);
  assert_int_equal(bad, 0);
}

int main(int argc, char** argv) {
  most_seeds = (uint64_t)sample(10, 24);
  if (argc > 1) most_seeds = strtoull(argv[1], NULL, 10);
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(momentum_is_kept_and_contacts_give_no_energy),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
