/* test_mjcf_mujoco.c -- Debian's MuJoCo and Freebody on the same MJCF: what one writes the other moves in the same way, and
 * the conventions of the two are as docs/interchange.md says. */
#include "run_command.h"

#include <stdlib.h>
#include <sys/stat.h>

#include <freebody/jacobian.h>
#include <freebody/kinematics.h>

#include "keep_nan.h"
#include "mujoco_rig.h"

/* Both compute in double; the worst of the files below is 4e-13. */
static const double TOLERANCE = 1e-9;

static double* take(int count) {
  double* x = calloc((size_t)count + 1, sizeof *x);
  assert_non_null(x);
  return x;
}

static fb_model_def* read_def(const char* file) {
  fb_model_def* def = NULL;
  fb_error error;
  char line[1500];
  if (fb_model_def_read(file, NULL, &def, &error)) fail_msg("%s", fb_error_format(&error, line, sizeof line));
  return def;
}

static fb_model* build(const fb_model_def* def) {
  fb_model* model = NULL;
  fb_error error;
  char line[1500];
  if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", fb_error_format(&error, line, sizeof line));
  return model;
}

static both open_both(const char* mjcf, fb_model* model) {
  char message[1000] = "";
  both b = {.model = model};
  b.mj = mj_loadXML(mjcf, NULL, message, sizeof message);
  if (!b.mj) fail_msg("MuJoCo refuses %s: %s", mjcf, message);
  b.mjd = mj_makeData(b.mj);
  b.data = fb_data_new(model);
  assert_non_null(b.data);
  return b;
}

static void close_both(both* b) {
  mj_deleteData(b->mjd);
  mj_deleteModel(b->mj);
  fb_data_free(b->data);
}

/* The worst difference of accelerations over random states. */
static double worst_acceleration(const both* b, int states) {
  int nq = fb_model_nq(b->model), nv = fb_model_nv(b->model);
  double *q = take(nq), *v = take(nv), *tau = take(nv), *ours = take(nv), *theirs = take(nv), worst = 0;
  for (int s = 1; s <= states; s++) {
    fb_random_q(b->model, (uint64_t)s, q);
    fb_random_v(b->model, (uint64_t)s, v);
    fb_random_v(b->model, (uint64_t)s + 1000, tau);
    assert_int_equal(mj_accelerations(b, q, v, tau, ours, theirs), 0);
    worst = worse_of(worst, mj_difference(b, ours, theirs));
  }
  free(q);
  free(v);
  free(tau);
  free(ours);
  free(theirs);
  return worst;
}

/* The worst difference of the places of frames that have the name of a site, in the state that MuJoCo has last. */
static double worst_site(const both* b, const double* q, int* compared) {
  double worst = 0;
  fb_kinematics(b->model, b->data, q, NULL, NULL);
  for (int i = 0; i < fb_model_nframe(b->model); i++) {
    double p[3], R[9];
    int site = mj_name2id(b->mj, mjOBJ_SITE, fb_frame_name(b->model, i));
    if (site < 0) continue;
    fb_frame_pose(b->model, b->data, i, p, R);
    for (int k = 0; k < 3; k++) worst = worse_of(worst, fabs(p[k] - b->mjd->site_xpos[3 * site + k]));
    for (int k = 0; k < 9; k++) worst = worse_of(worst, fabs(R[k] - b->mjd->site_xmat[9 * site + k]));
    ++*compared;
  }
  return worst;
}

static double site_difference(const both* b, int* compared) {
  double* q = take(fb_model_nq(b->model));
  fb_random_q(b->model, 3, q);
  mj_resetData(b->mj, b->mjd);
  mj_transfer(b, MJ_POSITION, q, q, b->mjd->qpos);
  mj_forward(b->mj, b->mjd);
  double worst = worst_site(b, q, compared);
  free(q);
  return worst;
}

/* --- written by Freebody --- */

static const char* const FILES[] = {"joints/j01_spherical",        "joints/j02_universal",
                                    "joints/j03_cylindrical",      "joints/j04_helical",
                                    "joints/j05_planar",           "joints/j06_free_inside",
                                    "joints/j07_fixed_arm7",       "joints/j08_sled",
                                    "joints/j09_forest3",          "joints/j10_mixed15",
                                    "joints/j11_fixed_inside",     "joints/j12_passive",
                                    "joints/j13_child_first",      "spacedyn/m1_single_body",
                                    "spacedyn/m2_planar_2link",    "spacedyn/m3_ets7_6dof",
                                    "spacedyn/m4_dual_arm_paddle", "spacedyn/m5_chain_rp",
                                    "spacedyn/m6_random_tree_12",  "spacedyn/m7_gravity_tree_7",
                                    "spacedyn/m8_gravity_ets7",    "spacedyn/m9_gravity_single_body",
                                    "spacedyn/m10_one_prismatic"};
enum { FILE_COUNT = sizeof FILES / sizeof FILES[0] };

static const char* written_name(const char* name, char path[600]) {
  const char* slash = strrchr(name, '/');
  mkdir(FB_BINARY_DIR "/mjcf", 0777);
  snprintf(path, 600, FB_BINARY_DIR "/mjcf/%s.xml", slash ? slash + 1 : name);
  return path;
}

/* MuJoCo has one armature for the three axes of a ball; a model with three cannot be written as it is. */
static int level_armatures(fb_model_def* def) {
  int levelled = 0;
  for (int b = 1; b < fb_model_def_nbody(def); b++) {
    fb_joint_def joint = fb_model_def_body(def, b)->joint;
    double* a = joint.armature;
    if (joint.type != FB_JOINT_SPHERICAL || (a[0] == a[1] && a[1] == a[2])) continue;
    a[1] = a[2] = a[0];
    assert_int_equal(fb_model_def_set_joint(def, b, &joint, NULL), FB_OK);
    levelled++;
  }
  return levelled;
}

static void every_reference_model_moves_in_mujoco_as_it_does_here(void** state) {
  (void)state;
  int levelled = 0, sites = 0;
  for (int i = 0; i < FILE_COUNT; i++) {
    char in[600], out[600];
    fb_error error;
    snprintf(in, sizeof in, FB_TEST_DATA "/reference/%s.json", FILES[i]);
    fb_model_def* def = read_def(in);
    levelled += level_armatures(def);
    if (fb_model_def_write(def, written_name(FILES[i], out), NULL, &error))
      fail_msg("%s: %s", in, error.text);
    fb_model* model = build(def);
    both b = open_both(out, model);
    double worst = worst_acceleration(&b, 20), apart = site_difference(&b, &sites);
    if (!(worst <= TOLERANCE)) fail_msg("%s: accelerations differ by %.2e", FILES[i], worst);
    if (!(apart <= 1e-12)) fail_msg("%s: sites are %.2e apart", FILES[i], apart);
    close_both(&b);
    fb_model_free(model);
    fb_model_def_free(def);
  }
  assert_int_equal(levelled, 1); /* s3 of j12 */
  assert_true(sites > 30);
}

static void what_freebody_writes_it_reads_back_as_the_same_model(void** state) {
  (void)state;
  for (int i = 0; i < FILE_COUNT; i++) {
    char path[600];
    fb_model_def* def = read_def(written_name(FILES[i], path)); /* by the test before */
    fb_model* model = build(def);
    both b = open_both(path, model);
    double worst = worst_acceleration(&b, 5);
    if (!(worst <= TOLERANCE)) fail_msg("%s: accelerations differ by %.2e", FILES[i], worst);
    close_both(&b);
    fb_model_free(model);
    fb_model_def_free(def);
  }
}

static void a_urdf_is_written_for_mujoco_in_one_line(void** state) {
  (void)state;
  outcome o = run("\"$FB\" convert --force " FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf " FB_BINARY_DIR
                  "/mjcf/ets7.xml");
  if (o.code != 0) fail_msg("%s", o.err);
  outcome_free(&o);
  fb_model_def* def = read_def(FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf");
  fb_model* model = build(def);
  both b = open_both(FB_BINARY_DIR "/mjcf/ets7.xml", model);
  double worst = worst_acceleration(&b, 20);
  if (!(worst <= TOLERANCE)) fail_msg("accelerations differ by %.2e", worst);
  close_both(&b);
  fb_model_free(model);
  fb_model_def_free(def);
}

/* --- read by both --- */

static void both_read_the_same_from_a_file(void** state) {
  (void)state;
  /* MuJoCo keeps vertices of meshes in single precision, and full inertias to six digits. */
  static const struct {
    const char* file;
    double tolerance;
  } cases[] = {{"features", 1e-5}, {"scaled", TOLERANCE}, {"balanced", TOLERANCE}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char path[600];
    int sites = 0;
    snprintf(path, sizeof path, FB_TEST_DATA "/mjcf/%s.xml", cases[i].file);
    fb_model_def* def = read_def(path);
    fb_model* model = build(def);
    both b = open_both(path, model);
    b.mj->opt.disableflags |=
        mjDSBL_CONTACT | mjDSBL_EQUALITY | mjDSBL_LIMIT | mjDSBL_FRICTIONLOSS | mjDSBL_ACTUATION;
    double worst = worst_acceleration(&b, 20), apart = site_difference(&b, &sites);
    if (!(worst <= cases[i].tolerance)) fail_msg("%s: accelerations differ by %.2e", cases[i].file, worst);
    if (!(apart <= 1e-12)) fail_msg("%s: sites are %.2e apart", cases[i].file, apart);
    assert_true(sites >= 3 || i > 0);
    double mass = fb_model_mass(model);
    assert_true(fabs(mass - b.mj->body_subtreemass[0]) <= 1e-6 * mass);
    close_both(&b);
    fb_model_free(model);
    fb_model_def_free(def);
  }
}

/* --- conventions --- */

/* A free body that turns: what each number of a state means. */
static void open_free_body(fb_model_def** def, fb_model** model, both* b) {
  *def = read_def(FB_TEST_DATA "/mjcf/features.xml");
  *model = build(*def);
  *b = open_both(FB_TEST_DATA "/mjcf/features.xml", *model);
}

static void coordinates_are_mujocos_number_by_number(void** state) {
  (void)state;
  fb_model_def* def;
  fb_model* model;
  both b;
  open_free_body(&def, &model, &b);
  int nq = fb_model_nq(model);
  double* q = take(nq);
  fb_random_q(model, 7, q);
  assert_int_equal(nq, b.mj->nq);
  assert_int_equal(mj_transfer(&b, MJ_POSITION, q, q, b.mjd->qpos), 0);
  for (int i = 0; i < nq; i++)
    assert_true(q[i] == b.mjd->qpos[i]); /* quaternions scalar first, free: position first */
  free(q);
  close_both(&b);
  fb_model_free(model);
  fb_model_def_free(def);
}

/* Rows of MuJoCo's Jacobian are linear and angular in two matrices, ours in one, both in world axes; columns of ball and free
 * joints are turned into body axes there. */
static void jacobians_differ_in_the_axes_of_free_and_ball_joints_alone(void** state) {
  (void)state;
  fb_model_def* def;
  fb_model* model;
  both b;
  open_free_body(&def, &model, &b);
  int nq = fb_model_nq(model), nv = fb_model_nv(model), site = mj_name2id(b.mj, mjOBJ_SITE, "toe");
  double *q = take(nq), *v = take(nv), *vm = take(nv), *J = take(6 * nv), *Jp = take(3 * nv),
         *Jr = take(3 * nv);
  fb_random_q(model, 5, q);
  fb_random_v(model, 5, v);
  mj_transfer(&b, MJ_POSITION, q, q, b.mjd->qpos);
  mj_transfer(&b, MJ_VELOCITY, q, v, vm);
  mj_forward(b.mj, b.mjd);
  mj_jacSite(b.mj, b.mjd, Jp, Jr, site);
  fb_kinematics(model, b.data, q, v, NULL);
  fb_frame_jacobian(model, b.data, fb_model_find_frame(model, "toe"), J);
  for (int row = 0; row < 6; row++) {
    double ours = 0, theirs = 0;
    const double* M = row < 3 ? Jp + row * nv : Jr + (row - 3) * nv;
    for (int k = 0; k < nv; k++) {
      ours += J[row * nv + k] * v[k];
      theirs += M[k] * vm[k];
    }
    assert_true(fabs(ours - theirs) <= 1e-12 * (1 + fabs(ours)));
  }
  free(q);
  free(v);
  free(vm);
  free(J);
  free(Jp);
  free(Jr);
  close_both(&b);
  fb_model_free(model);
  fb_model_def_free(def);
}

/* H of both: the same where no ball or free joint turns, and armature is on the diagonal of both. */
static void inertia_matrices_agree_in_the_same_axes(void** state) {
  (void)state;
  fb_model_def* def = read_def(FB_TEST_DATA "/mjcf/scaled.xml");
  fb_model* model = build(def);
  both b = open_both(FB_TEST_DATA "/mjcf/scaled.xml", model);
  double q[2] = {0.4, -1.1}, H[4], M[4];
  mj_transfer(&b, MJ_POSITION, q, q, b.mjd->qpos);
  mj_forward(b.mj, b.mjd);
  mj_fullM(b.mj, M, b.mjd->qM);
  fb_inertia_matrix(model, b.data, q, H);
  for (int i = 0; i < 4; i++) assert_true(fabs(H[i] - M[i]) <= 1e-12);
  close_both(&b);
  fb_model_free(model);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_reference_model_moves_in_mujoco_as_it_does_here),
      cmocka_unit_test(what_freebody_writes_it_reads_back_as_the_same_model),
      cmocka_unit_test(a_urdf_is_written_for_mujoco_in_one_line),
      cmocka_unit_test(both_read_the_same_from_a_file),
      cmocka_unit_test(coordinates_are_mujocos_number_by_number),
      cmocka_unit_test(jacobians_differ_in_the_axes_of_free_and_ball_joints_alone),
      cmocka_unit_test(inertia_matrices_agree_in_the_same_axes),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
