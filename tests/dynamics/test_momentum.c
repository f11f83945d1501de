/* test_momentum.c -- momentum, energy, power, gravity per body and reactions on random forests. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics_rig.h"

/* --- momentum and energy --- */

static record kinetic_record;

static void check_energy(bench* b, int bodies, uint64_t seed) {
  (void)seed;
  double form = 0;
  for (int i = 0; i < b->nv; i++)
    for (int k = 0; k < b->nv; k++) form += 0.5 * b->s.v[i] * b->H[i * b->nv + k] * b->s.v[k];
  fb_kinematics(b->m, b->d, b->s.q, b->s.v, NULL);
  double kinetic = fb_kinetic_energy(b->m, b->d, b->s.v);
  note(&kinetic_record, relative_error(0, &kinetic, &form, 1), NAN, bodies);
  assert_near("kinetic energy = v'Hv/2", &kinetic, &form, 1, 1e-12);

  double linear[3], angular[3], com[3], got[6] = {0};
  double* A = numbers_new(6 * b->nv);
  fb_centre_of_mass(b->m, b->d);
  fb_subtree_com(b->m, b->d, FB_WORLD, com, NULL, NULL);
  fb_momentum(b->m, b->d, com, linear, angular);
  fb_centroidal_matrix(b->m, b->d, A);
  for (int row = 0; row < 6; row++)
    for (int k = 0; k < b->nv; k++) got[row] += A[row * b->nv + k] * b->s.v[k];
  /* of the sums' largest terms: a lone body about its centre has no angular momentum but its spin */
  const double scale = worst_of(A, 6 * b->nv) * worst_of(b->s.v, b->nv);
  assert_near_of(scale, "A v = linear momentum", got, linear, 3, 1e-14);
  assert_near_of(scale, "A v = angular momentum", got + 3, angular, 3, 1e-14);
  free(A);
}

static void kinetic_energy_and_momentum_follow_from_the_matrices(void** unused) {
  (void)unused;
  for_random_forests(check_energy);
  show("kinetic energy against v'Hv/2", &kinetic_record);
}

/* The matrix at q (+) h v and q (-) h v. */
static void momentum_matrix_rate_matches_differences(void** unused) {
  (void)unused;
  static const double h = 1e-5;
  for (int i = 0; i < 200; i++) {
    bench b = bench_new((uint64_t)i + 4000, 1 + i % 30, 0);
    double *A[2] = {numbers_new(6 * b.nv), numbers_new(6 * b.nv)}, *Adot = numbers_new(6 * b.nv);
    double* q = numbers_new(fb_model_nq(b.m));
    for (int side = 0; side < 2; side++) {
      fb_integrate(b.m, b.s.q, b.s.v, side ? h : -h, q);
      fb_kinematics(b.m, b.d, q, b.s.v, NULL);
      fb_centre_of_mass(b.m, b.d);
      fb_centroidal_matrix(b.m, b.d, A[side]);
    }
    fb_kinematics(b.m, b.d, b.s.q, b.s.v, NULL);
    fb_centre_of_mass(b.m, b.d);
    fb_centroidal_matrix_rate(b.m, b.d, Adot);
    for (int k = 0; k < 6 * b.nv; k++) A[1][k] = (A[1][k] - A[0][k]) / (2 * h);
    assert_near("difference of A = Adot", A[1], Adot, 6 * b.nv, 1e-7);
    free(A[0]);
    free(A[1]);
    free(Adot);
    free(q);
    bench_free(&b);
  }
}

/* Power balance: d/dt (kinetic + potential) = power of tau, dampers, friction and wrenches. */
static void energy_changes_by_the_power_of_the_forces(void** unused) {
  (void)unused;
  static const double h = 1e-5;
  for (int i = 0; i < 200; i++) {
    bench b = bench_new((uint64_t)i + 6000, 1 + i % 25, 0);
    double energy[2], *q = numbers_new(fb_model_nq(b.m));
    b.loads.wrenches = b.wrenches;
    fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, &b.loads, b.x);
    for (int side = 0; side < 2; side++) {
      double dt = side ? h : -h;
      for (int k = 0; k < b.nv; k++) {
        b.y[k] = b.s.v[k] + dt * b.x[k];
        b.work[k] = b.s.v[k] + 0.5 * dt * b.x[k];
      }
      fb_integrate(b.m, b.s.q, b.work, dt, q);
      fb_kinematics(b.m, b.d, q, b.y, NULL);
      energy[side] = fb_kinetic_energy(b.m, b.d, b.y) + fb_potential_energy(b.m, b.d, q, &b.loads);
    }
    double got = (energy[1] - energy[0]) / (2 * h);
    fb_kinematics(b.m, b.d, b.s.q, b.s.v, NULL);
    fb_wrench_forces(b.m, b.d, b.wrenches, 2, b.push);
    fb_passive_forces(b.m, b.d, b.s.q, b.s.v, FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION, b.passive);
    for (int k = 0; k < b.nv; k++) b.push[k] += b.tau[k] + b.passive[k];
    double want = fb_joint_power(b.m, b.push, b.s.v, NULL), scale = fabs(energy[0]) + fabs(energy[1]);
    assert_near_of(scale, "power = rate of the energy", &got, &want, 1, 1e-6);
    free(q);
    bench_free(&b);
  }
}

/* --- gravity per body, reactions --- */

static void uniform_gravity_and_the_same_per_body_agree(void** unused) {
  (void)unused;
  for (int i = 0; i < 100; i++) {
    bench b = bench_new((uint64_t)i + 7000, 1 + i % 40, 0);
    int nbody = fb_model_nbody(b.m);
    double* each = numbers_new(3 * nbody);
    for (int k = 0; k < 3 * nbody; k++) each[k] = b.loads.environment.gravity_w[k % 3];
    b.loads.wrenches = b.wrenches;
    fb_inverse_dynamics(b.m, b.d, b.s.q, b.s.v, b.s.vdot, &b.loads, b.x);
    b.loads.environment.body_gravity_w = each;
    fb_inverse_dynamics(b.m, b.d, b.s.q, b.s.v, b.s.vdot, &b.loads, b.y);
    assert_near("tau", b.y, b.x, b.nv, 1e-12);
    free(each);
    bench_free(&b);
  }
}

/* The axis of a one-degree joint, world axes: column 0 of the joint frame's motion. */
static void reactions_hold_the_joint_forces_and_sum_to_the_ground(void** unused) {
  (void)unused;
  for (int i = 0; i < 200; i++) {
    bench b = bench_new((uint64_t)i + 8000, 1 + i % 40, 0);
    int nbody = fb_model_nbody(b.m);
    double *wrench = numbers_new(6 * nbody), *unmerged = numbers_new(6 * nbody);
    b.loads.wrenches = b.wrenches;
    b.loads.passive = 0;
    fb_inverse_dynamics(b.m, b.d, b.s.q, b.s.v, b.s.vdot, &b.loads, b.tau);
    fb_kinematics(b.m, b.d, b.s.q, b.s.v, b.s.vdot);
    fb_joint_reactions(b.m, b.d, &b.loads, wrench);
    for (int body = 1; body < nbody; body++) {
      fb_joint_type type = fb_joint_type_of(b.m, body);
      if (type != FB_JOINT_REVOLUTE && type != FB_JOINT_PRISMATIC) continue;
      const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(b.m), body)->joint;
      double R[9], axis[3], length = 0, share = 0, armature = joint->armature[0];
      fb_frame_pose(b.m, b.d, fb_model_joint_frame(b.m, body), NULL, R);
      fb_rot_apply(R, joint->axis, axis);
      for (int k = 0; k < 3; k++) length += axis[k] * axis[k];
      for (int k = 0; k < 3; k++)
        share += axis[k] / sqrt(length) * wrench[6 * body + k + (type == FB_JOINT_REVOLUTE ? 3 : 0)];
      int at = fb_joint_v_index(b.m, body);
      double want = b.tau[at] - armature * b.s.vdot[at];
      assert_near_of(worst_of(wrench, 6 * nbody), "share along the axis", &share, &want, 1, 1e-10);
    }
    double com_a[3], ground[3];
    fb_centre_of_mass(b.m, b.d);
    double mass = fb_subtree_com(b.m, b.d, FB_WORLD, NULL, NULL, com_a);
    for (int k = 0; k < 3; k++) ground[k] = mass * (com_a[k] - b.loads.environment.gravity_w[k]);
    for (int w = 0; w < 2; w++) {
      double R[9], force[3];
      if (fb_frame_body(b.m, b.wrenches[w].frame) == FB_WORLD) continue;
      fb_frame_pose(b.m, b.d, b.wrenches[w].frame, NULL, R);
      memcpy(force, b.wrenches[w].force, sizeof force);
      if (b.wrenches[w].in_frame_axes) fb_rot_apply(R, force, force);
      for (int k = 0; k < 3; k++) ground[k] -= force[k];
    }
    assert_near("force from the ground", wrench, ground, 3, 1e-11);
    fb_build_options apart = fb_default_build_options();
    apart.merge_fixed = 0;
    fb_model* plain = build_or_fail(fb_model_definition(b.m), &apart);
    fb_data* d = fb_data_new(plain);
    fb_kinematics(plain, d, b.s.q, b.s.v, b.s.vdot);
    fb_joint_reactions(plain, d, &b.loads, unmerged);
    assert_near("merged = unmerged", wrench, unmerged, 6 * nbody, 1e-11);
    fb_data_free(d);
    fb_model_free(plain);
    free(wrench);
    free(unmerged);
    bench_free(&b);
  }
}

static void momentum_without_velocities_reads_as_nan(void** unused) {
  (void)unused;
  bench b = bench_new(2, 5, 0);
  const double origin[3] = {0, 0, 0};
  double linear[3], angular[3];
  fb_kinematics(b.m, b.d, b.s.q, b.s.v, NULL);
  fb_momentum(b.m, b.d, origin, linear, angular);
  assert_true(isfinite(linear[0]) && isfinite(fb_kinetic_energy(b.m, b.d, b.s.v)));
  fb_forward_dynamics(b.m, b.d, b.s.q, b.s.v, b.tau, NULL, b.x); /* leaves poses, not velocities */
  fb_momentum(b.m, b.d, origin, linear, angular);
  assert_true(isnan(linear[0]) && isnan(angular[2]) && isnan(fb_kinetic_energy(b.m, b.d, b.s.v)));
  fb_centroidal_matrix(b.m, b.d, b.s.J);
  assert_true(isnan(b.s.J[0]));
  bench_free(&b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(kinetic_energy_and_momentum_follow_from_the_matrices),
      cmocka_unit_test(momentum_matrix_rate_matches_differences),
      cmocka_unit_test(energy_changes_by_the_power_of_the_forces),
      cmocka_unit_test(uniform_gravity_and_the_same_per_body_agree),
      cmocka_unit_test(reactions_hold_the_joint_forces_and_sum_to_the_ground),
      cmocka_unit_test(momentum_without_velocities_reads_as_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
