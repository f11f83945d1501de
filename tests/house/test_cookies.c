/* test_cookies.c -- a struct that was not begun with its default is refused where it enters, and the message says so.
 *
 * One row for each struct with a cookie. That there is a row for every one is read from bindings/api.json. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>
#include <freebody/support/files.h>

/* A slider on a floating base, a simulation of it, and a plant. */
typedef struct rig {
  fb_model_def* def;
  fb_model* m;
  fb_data* d;
  fb_sim* sim;
  fb_plant* plant;
  double q[8], v[7], tau[7];
} rig;

static const char* const SCENARIO = FB_SOURCE_DIR "/scenarios/pendulum/pendulum.yaml";

static rig rig_new(void) {
  rig r = {.def = fb_model_def_new()};
  fb_body_def base = fb_default_body_def();
  base.name = "base";
  base.mass = 1;
  base.inertia[0] = base.inertia[1] = base.inertia[2] = 1;
  base.joint.type = FB_JOINT_FREE;
  assert_int_equal(fb_model_def_add_body(r.def, &base, NULL, NULL), FB_OK);
  base.name = "slider";
  base.parent = "base";
  base.joint = fb_default_joint_def();
  base.joint.type = FB_JOINT_PRISMATIC;
  base.joint.axis[0] = 1;
  assert_int_equal(fb_model_def_add_body(r.def, &base, NULL, NULL), FB_OK);
  assert_int_equal(fb_model_build(r.def, NULL, &r.m, NULL), FB_OK);
  r.d = fb_data_new(r.m);
  fb_neutral(r.m, r.q);
  const fb_sim_options options = fb_default_sim_options();
  assert_int_equal(fb_sim_new(r.m, &options, &r.sim, NULL), FB_OK);
  assert_int_equal(fb_plant_read(SCENARIO, NULL, &r.plant, NULL), FB_OK);
  return r;
}

static void rig_free(rig* r) {
  fb_plant_free(r->plant);
  fb_sim_free(r->sim);
  fb_data_free(r->d);
  fb_model_free(r->m);
  fb_model_def_free(r->def);
}

/* --- the structs, each of zeros --- */

/* fb_TYPE enters by `call`. Blocks that are made in spite of it are lost. */
#define ENTERS(type, call)                                 \
  static fb_status enter_##type(rig* r, fb_error* error) { \
    fb_##type x;                                           \
    memset(&x, 0, sizeof x);                               \
    fb_block block = fb_default_block();                   \
    (void)r, (void)block;                                  \
    return call;                                           \
  }

static fb_status enter_collider_of_contact(rig* r, fb_error* error) {
  fb_collider side[2] = {{.kind = FB_COLLIDER_POINT}, {.kind = FB_COLLIDER_POINT}};
  fb_contact contact = fb_default_contact();
  contact.name = "contact";
  contact.a = &side[0];
  contact.b = &side[1];
  contact.na = contact.nb = 1;
  return fb_sim_add_contact(r->sim, &contact, NULL, error);
}

static fb_status enter_force_axis(rig* r, fb_error* error) {
  const fb_force_axis axis = {.direction = {0, 0, 1}};
  fb_force_position law = fb_default_force_position();
  fb_block block;
  law.task.frame = 2;
  law.force_axes = &axis;
  law.count = 1;
  return fb_block_new_force_position(r->m, "law", &law, &block, error);
}

static fb_status enter_task_of(rig* r, const fb_qp_task* task, const fb_qp_contact* contact,
                               fb_error* error) {
  fb_qp_task sound = fb_default_qp_task();
  fb_task_qp law = fb_default_task_qp();
  fb_block block;
  sound.frame = 2;
  law.tasks = task ? task : &sound;
  law.ntask = 1;
  law.contacts = contact;
  law.ncontact = contact != NULL;
  return fb_block_new_task_qp(r->m, "law", &law, &block, error);
}

static fb_status enter_qp_task(rig* r, fb_error* error) {
  const fb_qp_task task = {.priority = 1, .weight = 1};
  return enter_task_of(r, &task, NULL, error);
}

static fb_status enter_qp_contact(rig* r, fb_error* error) {
  const fb_qp_contact contact = {.weight = 1};
  return enter_task_of(r, NULL, &contact, error);
}

static fb_status enter_sampling(rig* r, fb_error* error) {
  const fb_sampling sampling = {.period = 1};
  fb_block inner = fb_default_block(), block;
  return fb_block_new_sampled(r->m, &inner, &sampling, &block, error);
}

static fb_status enter_inner_block(rig* r, fb_error* error) {
  fb_block inner = {.name = "inner"}, block;
  const fb_status sampled = fb_block_new_sampled(r->m, &inner, NULL, &block, error);
  inner = (fb_block){.name = "inner"};
  return sampled ? fb_block_new_limited(r->m, &inner, &block, error) : sampled;
}

/* Of what has no error to fill, every result is NaN. */
static fb_status enter_loads(rig* r, fb_error* error) {
  const fb_loads none = {.passive = 0};
  double vdot[7];
  fb_forward_dynamics(r->m, r->d, r->q, r->v, r->tau, &none, vdot);
  for (int k = 0; k < 7; k++) assert_true(vdot[k] != vdot[k]);
  return fb_fail(error, FB_ERR_ARG, "this fb_loads was not made by fb_default_loads()");
}

static fb_status enter_joint_of_body(rig* r, fb_error* error) {
  fb_body_def body = fb_default_body_def();
  body.joint = (fb_joint_def){.type = FB_JOINT_FIXED};
  return fb_model_def_add_body(r->def, &body, NULL, error);
}

static fb_status enter_joint_of_attachment(rig* r, fb_error* error) {
  const fb_joint_def joint = {.type = FB_JOINT_FIXED};
  fb_attach_def how = fb_default_attach_def();
  how.joint = &joint;
  return fb_model_def_attach(r->def, r->def, &how, error);
}

static fb_status enter_ik_target(rig* r, fb_error* error) {
  const fb_ik_target target = {.frame = 2};
  return fb_inverse_kinematics(r->m, r->d, &target, 1, NULL, r->q, NULL, error);
}

static fb_status enter_stepper(rig* r, fb_error* error) {
  const fb_stepper stepper = {.name = "none"};
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim;
  options.method = FB_METHOD_CUSTOM;
  options.stepper = &stepper;
  return fb_sim_new(r->m, &options, &sim, error);
}

static fb_status enter_environment_of_simulation(rig* r, fb_error* error) {
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim;
  options.environment = (fb_environment){.gravity_w = {0, 0, -9.81}};
  return fb_sim_new(r->m, &options, &sim, error);
}

static fb_status enter_run(const fb_run_options* options, const fb_run_wall* wall, fb_error* error) {
  fb_scenario* s;
  fb_run* run = NULL;
  assert_int_equal(fb_scenario_read(SCENARIO, NULL, &s, NULL), FB_OK);
  fb_status status = fb_run_create(s, NULL, options, &run, error);
  if (!status) status = fb_run_set_wall(run, wall, error);
  fb_run_free(run);
  fb_scenario_free(s);
  return status;
}

static fb_status enter_run_options(rig* r, fb_error* error) {
  const fb_run_options options = {.commit_period = 1};
  (void)r;
  return enter_run(&options, NULL, error);
}

static fb_status enter_run_wall(rig* r, fb_error* error) {
  const fb_run_wall wall = {.seconds = 1};
  (void)r;
  return enter_run(NULL, &wall, error);
}

/* How a reader's nested options enter, in options that were made well. */
static fb_status enter_io_of_scenario(rig* r, fb_error* error) {
  fb_scenario_options options = fb_default_scenario_options();
  fb_scenario* s;
  (void)r;
  options.io = (fb_io_options){.format = FB_FORMAT_AUTO};
  return fb_scenario_read(SCENARIO, &options, &s, error);
}

static fb_status enter_scenario_of_plant(rig* r, fb_error* error) {
  fb_plant_options options = fb_default_plant_options();
  fb_plant* plant;
  (void)r;
  options.scenario = (fb_scenario_options){.duration = -1};
  return fb_plant_read(SCENARIO, &options, &plant, error);
}

static fb_status enter_io_of_evaluation(rig* r, fb_error* error) {
  static const char text[] =
      "{\"format\": \"freebody-eval\", \"version\": 1, \"model\": \"m.urdf\", \"cases\": []}";
  fb_eval_options options = fb_default_eval_options();
  char* reply;
  (void)r;
  options.io = (fb_io_options){.format = FB_FORMAT_AUTO};
  return fb_eval_memory(text, sizeof text - 1, "text", &options, &reply, NULL, error);
}

static fb_status enter_task_of_impedance(rig* r, fb_error* error) {
  fb_impedance law = fb_default_impedance();
  fb_block block;
  law.task = (fb_frame_task){.frame = 2, .rows = 6};
  return fb_block_new_impedance(r->m, "law", &law, &block, error);
}

static fb_status enter_task_of_force_position(rig* r, fb_error* error) {
  fb_force_position law = fb_default_force_position();
  fb_block block;
  law.task = (fb_frame_task){.frame = 2, .rows = 6};
  return fb_block_new_force_position(r->m, "law", &law, &block, error);
}

static fb_model* unbuilt;
static fb_scenario* unread;
static fb_plant* unmade;
static fb_comparison* uncompared;
static char* unprinted;
static size_t no_size;

ENTERS(attach_def, fb_model_def_attach(r->def, r->def, &x, error))
ENTERS(attitude_task, fb_block_new_attitude(r->m, "law", &x, &block, error))
ENTERS(block, fb_sim_add_block(r->sim, &x, NULL, error))
ENTERS(body_def, fb_model_def_add_body(r->def, &x, NULL, error))
ENTERS(build_options, fb_model_build(r->def, &x, &unbuilt, error))
ENTERS(bushing, fb_sim_add_bushing(r->sim, &x, NULL, error))
ENTERS(collider, fb_collider_check(&x, error))
ENTERS(compare_options, fb_store_compare(NULL, NULL, &x, &uncompared, error))
ENTERS(contact, fb_sim_add_contact(r->sim, &x, NULL, error))
ENTERS(environment, fb_environment_check(&x, error))
ENTERS(eval_options, fb_eval_memory("{}", 2, "text", &x, &unprinted, NULL, error))
ENTERS(event, fb_sim_add_event(r->sim, &x, NULL, error))
ENTERS(fmu_options, fb_plant_print_fmu_description(r->plant, &x, &unprinted, &no_size, error))
ENTERS(force_position, fb_block_new_force_position(r->m, "law", &x, &block, error))
ENTERS(frame_def, fb_model_def_add_frame(r->def, 1, &x, error))
ENTERS(frame_task, fb_block_new_frame_task(r->m, "law", &x, &block, error))
ENTERS(ik_options, fb_inverse_kinematics(r->m, r->d, NULL, 0, &x, r->q, NULL, error))
ENTERS(impedance, fb_block_new_impedance(r->m, "law", &x, &block, error))
ENTERS(io_options, fb_model_def_print(r->def, &x, &unprinted, &no_size, error))
ENTERS(join_def, fb_model_join(r->m, &x, r->q, &unbuilt, error))
ENTERS(joint_def, fb_model_def_set_joint(r->def, 1, &x, error))
ENTERS(limit, fb_sim_add_limit(r->sim, &x, NULL, error))
ENTERS(loop_def, fb_model_def_add_loop(r->def, &x, error))
ENTERS(loop_inverse_options, fb_loop_inverse_dynamics(r->m, r->d, r->q, r->v, r->v, &x, r->tau, error))
ENTERS(lua_options, fb_block_new_lua(r->m, "law", "", 0, "text", &x, &block, error))
ENTERS(motion, fb_sim_add_motion(r->sim, &x, NULL, error))
ENTERS(pd_joint, fb_block_new_joint_pd(r->m, "law", &x, 1, &block, error))
ENTERS(picture_options, fb_model_write_page(r->m, "never.html", &x, error))
ENTERS(plant_options, fb_plant_read(SCENARIO, &x, &unmade, error))
ENTERS(remote_options, fb_block_new_remote(r->m, "law", &x, &block, error))
ENTERS(scenario_options, fb_scenario_read(SCENARIO, &x, &unread, error))
ENTERS(schedule, fb_block_new_joint_schedule(r->m, "law", 6, &x, &block, error))
ENTERS(shape_def, fb_model_def_add_shape(r->def, 1, &x, error))
ENTERS(sim_options, fb_sim_new(r->m, &x, &r->sim, error))
ENTERS(spring, fb_sim_add_spring(r->sim, &x, NULL, error))
ENTERS(task_qp, fb_block_new_task_qp(r->m, "law", &x, &block, error))
ENTERS(trim_options, fb_trim(r->m, r->d, NULL, NULL, &x, r->q, NULL, error))

#define ROW(type) \
  { #type, enter_##type }
static const struct {
  const char* type; /* without fb_ */
  fb_status (*enter)(rig* r, fb_error* error);
} ROWS[] = {ROW(attach_def),
            ROW(attitude_task),
            ROW(block),
            ROW(body_def),
            ROW(build_options),
            ROW(bushing),
            ROW(collider),
            ROW(compare_options),
            ROW(contact),
            ROW(environment),
            ROW(eval_options),
            ROW(event),
            ROW(fmu_options),
            ROW(force_axis),
            ROW(force_position),
            ROW(frame_def),
            ROW(frame_task),
            ROW(ik_options),
            ROW(ik_target),
            ROW(impedance),
            ROW(io_options),
            ROW(join_def),
            ROW(joint_def),
            ROW(limit),
            ROW(loads),
            ROW(loop_def),
            ROW(loop_inverse_options),
            ROW(lua_options),
            ROW(motion),
            ROW(pd_joint),
            ROW(picture_options),
            ROW(plant_options),
            ROW(qp_contact),
            ROW(qp_task),
            ROW(remote_options),
            ROW(run_options),
            ROW(run_wall),
            ROW(sampling),
            ROW(scenario_options),
            ROW(schedule),
            ROW(shape_def),
            ROW(sim_options),
            ROW(spring),
            ROW(stepper),
            ROW(task_qp),
            ROW(trim_options),
            {"block", enter_inner_block},
            {"collider", enter_collider_of_contact},
            {"environment", enter_environment_of_simulation},
            {"frame_task", enter_task_of_impedance},
            {"frame_task", enter_task_of_force_position},
            {"io_options", enter_io_of_evaluation},
            {"io_options", enter_io_of_scenario},
            {"joint_def", enter_joint_of_attachment},
            {"joint_def", enter_joint_of_body},
            {"scenario_options", enter_scenario_of_plant}};
enum { COUNT = sizeof ROWS / sizeof *ROWS };

static void what_was_not_begun_with_its_default_is_refused(void** unused) {
  (void)unused;
  rig r = rig_new();
  for (int i = 0; i < COUNT; i++) {
    fb_sim* sim = r.sim; /* is NULL after a refusal */
    char want[120];
    fb_error error = {.status = FB_OK};
    snprintf(want, sizeof want, "fb_%s was not made by fb_default_%s()", ROWS[i].type, ROWS[i].type);
    fb_status status = ROWS[i].enter(&r, &error);
    if (status != FB_ERR_ARG || !strstr(error.text, want))
      fail_msg("fb_%s: %s '%s'", ROWS[i].type, fb_status_name(status), error.text);
    r.sim = sim;
  }
  rig_free(&r);
}

static void functions_without_an_error_answer_that_there_is_nothing(void** unused) {
  (void)unused;
  const fb_collider none = {.kind = FB_COLLIDER_SPHERE, .size = {1}}, sound = fb_default_collider();
  const fb_placement at = {.R = {1, 0, 0, 0, 1, 0, 0, 0, 1}};
  const fb_sim_options options = {.method = FB_METHOD_RK4};
  fb_contact_point point;
  double gap = fb_collider_gap(&sound, &at, &none, &at), radius = fb_collider_radius(&none);
  assert_int_equal(fb_collider_contact_points(&none, &at, &sound, &at, 1, &point, 1), -1);
  assert_true(gap != gap && radius != radius);
  assert_int_equal(fb_sim_options_traits(&options).order, 0);
}

static int has_row(const char* type, size_t length) {
  for (int i = 0; i < COUNT; i++)
    if (strlen(ROWS[i].type) == length && memcmp(ROWS[i].type, type, length) == 0) return 1;
  return 0;
}

static void every_struct_with_a_cookie_has_a_row(void** unused) {
  (void)unused;
  static const char begins[] = "\"set by fb_default_";
  char* text = NULL;
  size_t size;
  int found = 0;
  assert_int_equal(fb_file_read(FB_SOURCE_DIR "/bindings/api.json", &text, &size, NULL), FB_OK);
  for (const char* at = strstr(text, begins); at; at = strstr(at + 1, begins), found++) {
    const char* type = at + sizeof begins - 1;
    size_t length = strcspn(type, "\"");
    if (!has_row(type, length)) fail_msg("fb_%.*s has a cookie, and no row here", (int)length, type);
  }
  assert_true(found >= 46);
  fb_free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_was_not_begun_with_its_default_is_refused),
      cmocka_unit_test(functions_without_an_error_answer_that_there_is_nothing),
      cmocka_unit_test(every_struct_with_a_cookie_has_a_row),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
