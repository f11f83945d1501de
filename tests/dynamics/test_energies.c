/* test_energies.c -- energies and passive forces by the complex step: slopes of the energies are momenta and forces, and
 * those of passive forces are stiffness and damping. What is summed of trees of links is that of bodies. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics_rig.h"
#include "kernel/instances.h"
#include "model/data.h"
#include "model/model.h"

#define STEP 1e-30

static const fb_kernels* complex_kernels(void) {
  for (int i = 0; i < fb_kernels_count(); i++)
    if (fb_kernels_get(i)->width == 2) return fb_kernels_get(i);
  return NULL;
}

/* A complex state; slopes are along direction `to`, in coordinates of v. */
typedef struct dual {
  fb_data* d;
  double *q, *v; /* two doubles a value */
} dual;

static dual dual_new(const fb_model* m) {
  size_t size = fb_data_size_width(m, 2);
  dual x = {.q = numbers_new(2 * fb_model_nq(m)), .v = numbers_new(2 * fb_model_nv(m))};
  assert_int_equal(fb_data_place_width(m, 2, aligned_alloc(64, size), size, &x.d), FB_OK);
  return x;
}

static void dual_free(dual* x) {
  free(x->d);
  free(x->q);
  free(x->v);
}

static void set_real(double* to, const double* from, int count) {
  for (int i = 0; i < count; i++) {
    to[2 * i] = from[i];
    to[2 * i + 1] = 0;
  }
}

/* The state of the bench, its configuration moved by the imaginary step along e. */
static void move_to(const bench* b, const fb_kernels* cx, dual* x, const double* e) {
  double *q = numbers_new(2 * fb_model_nq(b->m)), *step = numbers_new(2 * b->nv);
  set_real(q, b->s.q, fb_model_nq(b->m));
  set_real(x->v, b->s.v, b->nv);
  for (int k = 0; k < b->nv; k++) step[2 * k + 1] = STEP * e[k];
  cx->integrate(&b->m->top, q, step, 1, x->q);
  free(q);
  free(step);
}

/* The slope of the kinetic energy with a velocity is the momentum, H v. */
static void kinetic_energy_grows_with_a_velocity_by_the_momentum(void** unused) {
  (void)unused;
  const fb_kernels* cx = complex_kernels();
  for (uint64_t i = 0; i < 100; i++) {
    bench b = bench_new(i + 60, 1 + (int)i % 15, 0);
    dual x = dual_new(b.m);
    double* zero = numbers_new(b.nv);
    move_to(&b, cx, &x, zero);
    dense_parts(&b);
    for (int k = 0; k < b.nv; k++) {
      double energy[2] = {0, 0};
      x.v[2 * k + 1] = STEP;
      cx->kinematics(&b.m->top, &b.m->par, x.d, x.q, x.v, NULL);
      cx->kinetic_energy(&b.m->top, &b.m->par, x.d, x.v, energy);
      x.v[2 * k + 1] = 0;
      b.x[k] = energy[1] / STEP;
      b.y[k] = 0;
      for (int j = 0; j < b.nv; j++) b.y[k] += b.H[k * b.nv + j] * b.s.v[j];
    }
    assert_near_of(10, "momentum", b.x, b.y, b.nv, 1e-13);
    free(zero);
    dual_free(&x);
    bench_free(&b);
  }
}

/* About the centres of mass and of them, the energies of all trees are that of the scene, and so are their slopes. */
static void energies_of_trees_add_up(void** unused) {
  (void)unused;
  const fb_kernels* cx = complex_kernels();
  for (uint64_t i = 0; i < 100; i++) {
    bench b = bench_new(i + 150, 1 + (int)i % 15, 0);
    const fb_topology* top = &b.m->top;
    dual x = dual_new(b.m);
    double *e = numbers_new(b.nv), *link_local = numbers_new(12 * top->nlink), gravity_w[6] = {0};
    double* local = numbers_new(2 * FB_TREE_SIZE * top->nlink);
    for (int k = 0; k < b.nv; k++) e[k] = b.s.v[k];
    move_to(&b, cx, &x, e); /* along the motion, and faster by the accelerations */
    for (int k = 0; k < b.nv; k++) x.v[2 * k + 1] = STEP * b.s.vdot[k];
    double whole[2] = {0, 0}, sum[2] = {0, 0};
    cx->kinematics(top, &b.m->par, x.d, x.q, x.v, NULL);
    cx->kinetic_energy(top, &b.m->par, x.d, x.v, whole);
    cx->trees(top, &b.m->par, x.d, FB_TREES_ENERGIES, 0, FB_PASSIVE_ALL, gravity_w, x.q, x.v, link_local,
              local);
    for (int tree = 0; tree < top->nmoving; tree++) {
      const double *of = local + 2 * FB_TREE_SIZE * tree, *drift = of + 2 * FB_TREE_AT(drift);
      for (int part = 0; part < 2; part++) sum[part] += of[2 * FB_TREE_AT(kinetic) + part];
      for (int c = 0; c < 3; c++) {
        sum[0] += 0.5 * of[0] * drift[2 * c] * drift[2 * c];
        sum[1] += of[0] * drift[2 * c] * drift[2 * c + 1];
      }
    }
    whole[1] /= STEP;
    sum[1] /= STEP;
    assert_near_of(10, "kinetic energy", sum, whole, 1, 1e-12);
    assert_near_of(worse_of(10, whole[0]), "its rate", sum + 1, whole + 1, 1, 1e-12);
    free(e);
    free(local);
    free(link_local);
    dual_free(&x);
    bench_free(&b);
  }
}

/* --- what is summed of trees --- */

static fb_tree_local* trees_by(const bench* b, const fb_parameters* par, fb_tree_sums sums, int passive) {
  const fb_topology* top = &b->m->top;
  double* link_local = numbers_new(6 * top->nlink);
  fb_tree_local* local = (fb_tree_local*)calloc((size_t)top->nlink, sizeof *local);
  b->m->kernels->trees(top, par, b->d, sums, 0, passive, b->loads.environment.gravity_w, b->s.q, b->s.v,
                       link_local, (double*)local);
  free(link_local);
  return local;
}

static fb_tree_local* trees_of(const bench* b, fb_tree_sums sums, int passive) {
  return trees_by(b, &b->m->par, sums, passive);
}

/* Centre of mass and drift by fb_centre_of_mass, and the three kinds of sums by one another. */
static void check_sums(const bench* b) {
  const fb_topology* top = &b->m->top;
  fb_kinematics(b->m, b->d, b->s.q, b->s.v, NULL);
  fb_centre_of_mass(b->m, b->d);
  fb_tree_local *places = trees_of(b, FB_TREES_PLACES, 0), *energies = trees_of(b, FB_TREES_ENERGIES, 0),
                *momenta = trees_of(b, FB_TREES_MOMENTA, 0);
  for (int i = 0; i < top->nmoving; i++) {
    int link = top->tree_link[i], body = top->coordinate_body[top->link_v[link]];
    const double nothing[6] = {0};
    if (top->link_kind[link] != FB_LINK_FREE) {
      assert_memory_equal(momenta[i].com, nothing, sizeof nothing); /* on the world: neither com nor com_v */
      continue;
    }
    double com[3], v[3], base[3], mass = fb_subtree_com(b->m, b->d, body, com, v, NULL);
    fb_frame_pose(b->m, b->d, body, base, NULL);
    for (int c = 0; c < 3; c++) com[c] -= base[c];
    if (mass == 0) continue;
    assert_near_of(1, "mass", &momenta[i].mass, &mass, 1, 1e-13);
    assert_near_of(3, "centre of mass", momenta[i].com, com, 3, 1e-12);
    assert_near_of(3, "its velocity", momenta[i].drift, v, 3, 1e-12);
    assert_near_of(1, "places", places[i].com, energies[i].com, 6, 1e-14);
    assert_near_of(1, "drift", momenta[i].drift, energies[i].drift, 3, 1e-14);
    assert_near_of(10, "angular momentum", momenta[i].angular, energies[i].angular, 3, 1e-13);
  }
  free(places);
  free(energies);
  free(momenta);
}

/* Springs and rotors of each tree, coordinate by coordinate. */
static void check_joints(bench* b) {
  const fb_topology* top = &b->m->top;
  fb_parameters* still = fb_parameters_new(b->m);
  double *springs = numbers_new(top->nlink), *rotors = numbers_new(top->nlink);
  for (int k = 0; k < b->nv; k++) {
    int tree = top->link_tree[top->body_link[top->coordinate_body[k]]], at = top->coordinate_q[k];
    double stretch = at < 0 ? 0 : b->s.q[at] - b->m->par.rest[k];
    springs[tree] += 0.5 * b->m->par.stiffness[k] * stretch * stretch;
    rotors[tree] += 0.5 * b->m->par.armature[k] * b->s.v[k] * b->s.v[k];
    if (b->m->par.armature[k] > 0)
      assert_int_equal(fb_parameters_set(still, FB_PARAMETER_ARMATURE, k, 0, NULL), FB_OK);
  }
  fb_kinematics(b->m, b->d, b->s.q, b->s.v, NULL);
  fb_tree_local *with = trees_of(b, FB_TREES_ENERGIES, FB_PASSIVE_SPRINGS),
                *without = trees_of(b, FB_TREES_ENERGIES, 0),
                *bare = trees_by(b, still, FB_TREES_ENERGIES, 0);
  for (int i = 0; i < top->nmoving; i++) {
    double spring = with[i].potential - without[i].potential, rotor = without[i].kinetic - bare[i].kinetic;
    assert_near_of(worse_of(10, fabs(with[i].potential)), "springs", &spring, &springs[i], 1, 1e-13);
    assert_near_of(worse_of(10, with[i].kinetic), "rotors", &rotor, &rotors[i], 1, 1e-13);
  }
  free(springs);
  free(rotors);
  free(with);
  free(without);
  free(bare);
  fb_parameters_free(still);
}

/* A tree that turns as one body: its angular momentum is its inertia times the angular velocity, and its energy about
 * the centre of mass is half of their product with it. */
static void check_turning(bench* b) {
  const fb_topology* top = &b->m->top;
  memset(b->s.v, 0, (size_t)b->nv * sizeof *b->s.v);
  for (int i = 0; i < top->nmoving; i++)
    for (int k = 0; k < 3 && top->link_kind[top->tree_link[i]] == FB_LINK_FREE; k++)
      b->s.v[top->link_v[top->tree_link[i]] + 3 + k] = 1 + i + 2 * k;
  fb_kinematics(b->m, b->d, b->s.q, b->s.v, NULL);
  fb_tree_local *energies = trees_of(b, FB_TREES_ENERGIES, 0), *momenta = trees_of(b, FB_TREES_MOMENTA, 0);
  for (int i = 0; i < top->nmoving; i++) {
    if (top->link_kind[top->tree_link[i]] != FB_LINK_FREE || momenta[i].mass == 0) continue;
    const double* J = momenta[i].inertia;
    double w[3], want[3], energy = 0;
    fb_frame_velocity(b->m, b->d, top->coordinate_body[top->link_v[top->tree_link[i]]], NULL, w);
    want[0] = J[0] * w[0] + J[3] * w[1] + J[4] * w[2];
    want[1] = J[3] * w[0] + J[1] * w[1] + J[5] * w[2];
    want[2] = J[4] * w[0] + J[5] * w[1] + J[2] * w[2];
    for (int c = 0; c < 3; c++) energy += 0.5 * w[c] * want[c];
    assert_near_of(10, "angular momentum of a body", momenta[i].angular, want, 3, 1e-12);
    assert_near_of(10, "energy of a body", &energies[i].kinetic, &energy, 1, 1e-12);
    double trace = (J[0] + J[1] + J[2]) / 2;
    assert_near_of(10, "spread", &energies[i].spread, &trace, 1, 1e-12);
  }
  free(energies);
  free(momenta);
}

static void sums_of_trees_are_those_of_bodies(void** unused) {
  (void)unused;
  for (uint64_t i = 0; i < 200; i++) {
    bench b = bench_new(i + 400, 1 + (int)i % 15, 0);
    check_sums(&b);
    check_joints(&b);
    check_turning(&b);
    bench_free(&b);
  }
}

/* --- potential energies, passive forces --- */

/* The slopes of the potential energies along each coordinate, of attitudes along the turn about each axis, are the
 * forces that springs and gravity take to hold. */
static void potential_energy_grows_along_a_coordinate_by_the_force_that_holds(void** unused) {
  (void)unused;
  const fb_kernels* cx = complex_kernels();
  for (uint64_t i = 0; i < 100; i++) {
    bench b = bench_new(i + 90, 1 + (int)i % 15, 0);
    dual x = dual_new(b.m);
    double *e = numbers_new(b.nv), gravity_w[6];
    set_real(gravity_w, b.loads.environment.gravity_w, 3);
    for (int k = 0; k < b.nv; k++) {
      double springs[2] = {0, 0}, weight[2] = {0, 0};
      e[k] = 1;
      move_to(&b, cx, &x, e);
      e[k] = 0;
      cx->kinematics(&b.m->top, &b.m->par, x.d, x.q, NULL, NULL);
      cx->spring_energy(&b.m->top, &b.m->par, x.q, springs);
      cx->gravity_energy(&b.m->top, &b.m->par, x.d, gravity_w, weight);
      b.x[k] = (springs[1] + weight[1]) / STEP;
    }
    b.loads.nwrench = 0;
    fb_gravity_compensation(b.m, b.d, b.s.q, &b.loads,
                            b.y); /* springs are passive forces: taken off here too */
    assert_near_of(10, "holding forces", b.x, b.y, b.nv, 1e-13);
    free(e);
    dual_free(&x);
    bench_free(&b);
  }
}

static void passive_forces_have_the_slopes_of_springs_dampers_and_friction(void** unused) {
  (void)unused;
  const fb_kernels* cx = complex_kernels();
  for (uint64_t i = 0; i < 100; i++) {
    bench b = bench_new(i + 120, 1 + (int)i % 15, 0);
    const fb_parameters* par = &b.m->par;
    double *q = numbers_new(2 * fb_model_nq(b.m)), *v = numbers_new(2 * b.nv), *tau = numbers_new(2 * b.nv);
    set_real(q, b.s.q, fb_model_nq(b.m));
    set_real(v, b.s.v, b.nv);
    for (int k = 0; k < b.nv; k++) {
      int at = b.m->top.coordinate_q[k];
      double steep = 1 / cosh(b.s.v[k] / par->friction_speed[k]);
      double want[2] = {at < 0 ? 0 : -par->stiffness[k],
                        -par->damping[k] - par->friction[k] / par->friction_speed[k] * steep * steep};
      for (int of = 0; of < 2; of++) {
        double* moved = of ? v + 2 * k + 1 : at < 0 ? NULL : q + 2 * at + 1;
        if (moved) *moved = STEP;
        cx->passive(&b.m->top, par, q, v, FB_PASSIVE_ALL, tau);
        if (moved) *moved = 0;
        double got = tau[2 * k + 1] / STEP;
        assert_near_of(1, of ? "damping and friction" : "stiffness", &got, &want[of], 1, 1e-13);
      }
      b.x[k] = tau[2 * k];
    }
    fb_passive_forces(b.m, b.d, b.s.q, b.s.v, FB_PASSIVE_ALL, b.y);
    assert_near_of(1, "the real parts are the forces", b.x, b.y, b.nv, 1e-14);
    free(q);
    free(v);
    free(tau);
    bench_free(&b);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinetic_energy_grows_with_a_velocity_by_the_momentum),
      cmocka_unit_test(energies_of_trees_add_up),
      cmocka_unit_test(sums_of_trees_are_those_of_bodies),
      cmocka_unit_test(potential_energy_grows_along_a_coordinate_by_the_force_that_holds),
      cmocka_unit_test(passive_forces_have_the_slopes_of_springs_dampers_and_friction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
