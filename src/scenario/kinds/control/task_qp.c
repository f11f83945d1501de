/* task_qp.c -- the law of tasks by priority, with planned contacts. */
#include <math.h>
#include <string.h>

#include "control/frame_task/frame_path.h"
#include "scenario/kinds/control/driven.h"
#include "scenario/kinds/kinds.h"
#include "scenario/rows.h"

enum {
  QP_FRAME = BIT(FB_QP_VARIANT_FRAME),
  QP_COM = BIT(FB_QP_VARIANT_COM),
  QP_JOINTS = BIT(FB_QP_VARIANT_JOINTS)
};
const char* const fb_qp_task_words[] = {"frame", "com", "joints", NULL};

typedef struct fb_foot_row {
  fb_qp_contact how;
  double most, force;
} fb_foot_row;

static const fb_field FIELDS[] = {
    PLAIN(QP_TASK, "frame", TEXT, QP_FRAME, QP_FRAME, -1, "one of `frame`, `com`, `joints` is required",
          "the frame or body that follows a path"),
    PLAIN(QP_TASK, "com", TEXT, QP_COM, QP_COM, -1, "one of `frame`, `com`, `joints` is required",
          "a body, or world: the centre of mass of this body and all that it carries follows a path"),
    PLAIN(QP_TASK, "joints", NAMES, QP_JOINTS, QP_JOINTS, -1, "one of `frame`, `com`, `joints` is required",
          "the joints that go to targets or follow paths, or `all`"),
    PLAIN(QP_TASK, "priority", INDEX, EVERY, NEVER, AT(fb_qp_task, priority), "1",
          "0 to 1000, smaller numbers first; a task costs those before it nothing"),
    UNIT(QP_TASK, "weight", NUMBER, NONE, POSITIVE, EVERY, NEVER, AT(fb_qp_task, weight), "1",
         "weight of its squared errors among the tasks of the same priority"),
    UNIT(QP_TASK, "kp", COORDINATES, NONE, NOT_NEGATIVE, EVERY, NEVER, -1, "1",
         "gain on the position error, in 1/s^2; for joints one for all or one for each coordinate"),
    UNIT(QP_TASK, "kd", COORDINATES, NONE, NOT_NEGATIVE, EVERY, NEVER, -1, "2 sqrt(kp)",
         "gain on the rate error, in 1/s, likewise"),
    PLAIN(QP_TASK, "axes", NAMES, QP_FRAME | QP_COM, NEVER, -1, "position",
          "what is controlled, world axes: x, y, z, position for all three; rx, ry, rz about them, attitude "
          "for all three; pose for all six"),
    INNER_OF(QP_TASK, "position", MAP, POSITION, QP_FRAME | QP_COM, "initial position",
             "desired position, world axes"),
    PLAIN(QP_TASK, "from_start", BOOL, QP_FRAME | QP_COM, NEVER, -1, "false",
          "true: `position` is relative to the initial position"),
    INNER_OF(QP_TASK, "turn", MAP, TURN, QP_FRAME, "initial attitude",
             "desired attitude: the initial one, rotated about `axis`"),
    UNIT(QP_TASK, "axis", AXIS, NONE, ANY, QP_FRAME, NEVER, -1, "`turn` requires it",
         "the axis of `turn`, world axes, of any length"),
    BOTH(QP_TASK, "target", TARGETS, LENGTH, ANGLE, ANY, QP_JOINTS, NEVER, "initial coordinates",
         "desired coordinates"),
    INNER_OF(QP_TASK, "path", MAP, PATHS, QP_JOINTS, "none", "or desired coordinates as functions of time"),

    PLAIN(QP_CONTACT, "frame", TEXT, EVERY, EVERY, -1, NULL,
          "the frame or body at whose origin the force acts"),
    UNIT(QP_CONTACT, "normal", AXIS, NONE, ANY, EVERY, NEVER, AT(fb_foot_row, how.normal_w), "0, 0, 1",
         "normal of the surface, towards the robot, world axes"),
    UNIT(QP_CONTACT, "friction", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_foot_row, how.friction),
         "0.5", "coefficient of friction that the law counts on"),
    PLAIN(QP_CONTACT, "sides", INDEX, EVERY, NEVER, AT(fb_foot_row, how.sides), "8",
          "sides of the pyramid inside the friction cone, 3 to 64"),
    PLAIN(QP_CONTACT, "stance", BOOL, EVERY, NEVER, AT(fb_foot_row, how.stance), "true",
          "true: the point stays where it is, before all tasks; false: it may slide or lift off"),
    UNIT(QP_CONTACT, "kd", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_foot_row, how.kd), "0",
         "rate at which the velocity of a point in stance decays, in 1/s"),
    UNIT(QP_CONTACT, "most", NUMBER, FORCE, POSITIVE, EVERY, NEVER, AT(fb_foot_row, most), "no limit",
         "largest normal force"),
    INNER(QP_CONTACT, "most_path", MAP, FORCE_PATH, "none",
          "or largest normal force as a function of time; where it is not positive there is no contact"),
    UNIT(QP_CONTACT, "force", NUMBER, FORCE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_foot_row, force),
         "as the tasks need it", "desired normal force"),
    INNER(QP_CONTACT, "path", MAP, FORCE_PATH, "none", "or desired normal force as a function of time"),
    PLAIN(QP_CONTACT, "priority", INDEX, EVERY, NEVER, AT(fb_foot_row, how.priority), "1",
          "priority of the desired force among the tasks"),
    UNIT(QP_CONTACT, "weight", NUMBER, NONE, POSITIVE, EVERY, NEVER, AT(fb_foot_row, how.weight), "1",
         "weight of its squared error among the tasks of the same priority"),
};

const fb_schema_rows fb_rows_task_qp = FB_ROWS(FIELDS);

/* The settings: the law, and what its pointers name. */
typedef struct task_qp {
  fb_task_qp law;
  fb_qp_task* tasks;
  fb_qp_contact* contacts;
  int* coordinates;
} task_qp;

static const task_qp* law_of(const fb_scenario_block* block) {
  return (const task_qp*)block->settings;
}

/* --- what is driven --- */

static int drives(const fb_scenario* s, const fb_scenario_block* block, int body) {
  const fb_task_qp* law = &law_of(block)->law;
  for (int i = 0; i < law->ncoordinate; i++)
    if (fb_coordinate_body(s->model, law->coordinates[i]) == body) return 1;
  return 0;
}

static fb_status add_thrust(const fb_scenario* s, const fb_node* node, task_qp* out, fb_error* error) {
  int body = 0;
  fb_status status = fb_scenario_body(s, node, &body, error);
  if (status) return status;
  if (!fb_body_floats(s->model, body))
    return fb_node_fail(node, error, FB_ERR_NAME,
                        "'%.60s' is no floating base; list its joint under 'joints'", fb_node_text(node));
  return fb_scenario_add_joint(s, node, body, out->coordinates, &out->law.ncoordinate, error);
}

static fb_status read_driven(fb_scenario* s, const fb_fields* values, task_qp* out, fb_error* error) {
  const fb_node *joints = fb_fields_value(values, "joints"), *thrust = fb_fields_value(values, "thrust");
  out->coordinates = fb_scenario_alloc(s, (size_t)fb_model_nv(s->model) + 1, sizeof *out->coordinates);
  if (!out->coordinates) return fb_scenario_no_memory(error);
  out->law.coordinates = out->coordinates;
  fb_status status =
      fb_scenario_read_joints(s, joints, !joints, out->coordinates, &out->law.ncoordinate, error);
  for (int i = 0; i < fb_texts_count(thrust) && !status; i++)
    status = add_thrust(s, fb_texts_item(thrust, i), out, error);
  return status;
}

/* --- tasks --- */

static fb_status read_axis(const fb_node* node, int com, int* axes, fb_error* error) {
  static const char* const words[] = {"x", "y", "z", "rx", "ry", "rz", "position", "attitude", "pose", NULL};
  static const int bits[] = {1, 2, 4, 8, 16, 32, 7, 56, 63};
  const char* word = NULL;
  int index = 0;
  fb_status status = fb_node_string(node, &word, error);
  if (!status) status = fb_scenario_word(node, word, "axis", words, 9, &index, error);
  if (!status && com && bits[index] > 7)
    status = fb_node_fail(node, error, FB_ERR_CONTENT,
                          "a centre of mass has no attitude; use x, y, z or position");
  if (!status) *axes |= bits[index];
  return status;
}

static fb_status read_axes(const fb_node* node, int com, int* axes, fb_error* error) {
  if (!node) return FB_OK;
  fb_status status = FB_OK;
  if (fb_texts_count(node) == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "the list of axes is empty; leave it out for position");
  *axes = 0;
  for (int i = 0; i < fb_texts_count(node) && !status; i++)
    status = read_axis(fb_texts_item(node, i), com, axes, error);
  return status;
}

static fb_status read_frame_task(fb_scenario* s, const fb_fields* values, fb_qp_task* out, fb_error* error) {
  const fb_node *frame = fb_fields_value(values, "frame"), *com = fb_fields_value(values, "com");
  fb_status status;
  out->kind = com ? FB_QP_TASK_CENTRE_OF_MASS : FB_QP_TASK_FRAME;
  if (!com)
    status = fb_scenario_frame(s, frame, &out->frame, error);
  else if (strcmp(fb_node_text(com), "world") == 0)
    status = FB_OK, out->frame = FB_WORLD;
  else
    status = fb_scenario_body(s, com, &out->frame, error);
  if (!status) status = read_axes(fb_fields_value(values, "axes"), com != NULL, &out->axes, error);
  if (!status) status = fb_scenario_one(values, "kp", FB_Q_NONE, &out->kp, error);
  out->kd = 2 * sqrt(out->kp);
  if (!status) status = fb_scenario_one(values, "kd", FB_Q_NONE, &out->kd, error);
  if (!status) status = fb_scenario_frame_path(s, values, &out->path, error);
  if (!status) status = fb_scenario_turn(s, values, &out->path.turn, out->path.axis_w, error);
  if (!status && out->path.turn && !(out->axes & 56))
    status = fb_node_fail(fb_fields_value(values, "turn"), error, FB_ERR_CONTENT,
                          "the axes leave the attitude free; leave 'turn' out, or add attitude to 'axes'");
  return status;
}

/* By the key that is there: one of three. */
static fb_status find_variant(const fb_fields* values, int* variant, fb_error* error) {
  static const char* const keys[] = {"frame", "com", "joints"};
  int found = 0;
  for (int i = 0; i < 3; i++)
    if (fb_fields_value(values, keys[i])) found++, *variant = i;
  if (found == 1) return FB_OK;
  return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                      "a task needs one of 'frame', 'com' and 'joints', and has %d of them", found);
}

static fb_status read_task(fb_scenario* s, const fb_node* map, fb_qp_task* out, fb_error* error) {
  fb_fields values;
  fb_joint_law posture = {NULL, 0};
  int variant = 0;
  *out = fb_default_qp_task();
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_QP_TASK, &values, error);
  if (!status) status = find_variant(&values, &variant, error);
  if (!status) status = fb_fields_read(&values, variant, out, error);
  if (status) return status;
  if (variant != FB_QP_VARIANT_JOINTS) return read_frame_task(s, &values, out, error);
  out->kind = FB_QP_TASK_POSTURE;
  status = fb_scenario_joint_law(s, &values, "a task", 1, &posture, error);
  out->joints = posture.joints;
  out->count = posture.count;
  return status;
}

/* --- contacts --- */

static fb_status read_contact(fb_scenario* s, const fb_node* map, fb_qp_contact* out, fb_error* error) {
  fb_fields values;
  fb_foot_row row = {.how = fb_default_qp_contact()};
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_QP_CONTACT, &values, &row, error);
  if (!status) status = fb_scenario_frame(s, fb_fields_value(&values, "frame"), &row.how.frame, error);
  if (!status) status = fb_scenario_force_path(s, &values, "most", "most_path", &row.how.most, error);
  if (!status) status = fb_scenario_force_path(s, &values, "force", "path", &row.how.force, error);
  *out = row.how;
  return status;
}

/* --- all of it --- */

static fb_status read_lists(fb_scenario* s, const fb_fields* values, task_qp* out, fb_error* error) {
  const fb_node *tasks = fb_fields_value(values, "tasks"), *contacts = fb_fields_value(values, "contacts");
  fb_status status = fb_node_need_list(tasks, "tasks, as [{frame: hand}]", error);
  if (!status && contacts) status = fb_node_need_list(contacts, "contacts, as [{frame: foot}]", error);
  if (status) return status;
  int ntask = fb_node_count(tasks), ncontact = contacts ? fb_node_count(contacts) : 0;
  out->tasks = fb_scenario_alloc(s, (size_t)ntask + 1, sizeof *out->tasks);
  out->contacts = fb_scenario_alloc(s, (size_t)ncontact + 1, sizeof *out->contacts);
  if (!out->tasks || !out->contacts) return fb_scenario_no_memory(error);
  for (int i = 0; i < ntask && !status; i++)
    status = read_task(s, fb_node_item(tasks, i), &out->tasks[i], error);
  for (int i = 0; i < ncontact && !status; i++)
    status = read_contact(s, fb_node_item(contacts, i), &out->contacts[i], error);
  out->law.tasks = out->tasks;
  out->law.ntask = ntask;
  out->law.contacts = out->contacts;
  out->law.ncontact = ncontact;
  return status;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  task_qp* out = (task_qp*)block->settings;
  out->law = fb_default_task_qp();
  fb_status status = read_driven(s, values, out, error);
  if (!status) status = fb_fields_get(values, "decay", &out->law.decay, error);
  if (!status)
    status =
        fb_scenario_one(values, "effort", fb_scenario_effort_quantity(s, block), &out->law.effort, error);
  return status ? status : read_lists(s, values, out, error);
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  return fb_block_new_task_qp(s->model, block->name, &law_of(block)->law, out, error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  const fb_task_qp* law = &law_of(block)->law;
  double next = INFINITY;
  for (int i = 0; i < law->ntask; i++) {
    next = fmin(next, fb_frame_path_next_knot(&law->tasks[i].path, t));
    for (int k = 0; k < law->tasks[i].count; k++)
      if (law->tasks[i].joints[k].path)
        next = fmin(next, fb_spline_next_knot(law->tasks[i].joints[k].path, t));
  }
  for (int i = 0; i < law->ncontact; i++) {
    if (law->contacts[i].most) next = fmin(next, fb_spline_next_knot(law->contacts[i].most, t));
    if (law->contacts[i].force) next = fmin(next, fb_spline_next_knot(law->contacts[i].force, t));
  }
  return next;
}

/* The solver keeps each force within its effort. */
static int keeps(const fb_scenario* s, const fb_scenario_block* block, int body) {
  return drives(s, block, body) ? FB_KEEPS_EFFORT : 0;
}

/* --- in words --- */

static void add_task(fb_text* out, const fb_scenario* s, const fb_qp_task* task) {
  if (task->kind == FB_QP_TASK_POSTURE)
    fb_text_printf(out, "%d coordinate%s", task->count, task->count == 1 ? "" : "s");
  else if (task->kind == FB_QP_TASK_CENTRE_OF_MASS)
    fb_text_printf(out, "the centre of mass of %s",
                   task->frame == FB_WORLD ? "everything" : fb_body_name(s->model, task->frame));
  else
    fb_text_printf(out, "%s of %s",
                   (task->axes & 7) == 0    ? "attitude"
                   : (task->axes & 56) == 0 ? "position"
                                            : "pose",
                   fb_frame_name(s->model, task->frame));
  fb_text_printf(out, " (priority %d)", task->priority);
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_task_qp* law = &law_of(block)->law;
  fb_text_add(out, "tasks by priority: ");
  for (int i = 0; i < law->ntask; i++) {
    if (i > 0) fb_text_add(out, ", ");
    add_task(out, s, &law->tasks[i]);
  }
  fb_text_printf(out, "; by the forces of %d coordinate%s", law->ncoordinate,
                 law->ncoordinate == 1 ? "" : "s");
  for (int i = 0; i < law->ncontact; i++)
    fb_text_printf(out, "%s%s", i == 0 ? " and contacts at " : ", ",
                   fb_frame_name(s->model, law->contacts[i].frame));
  if (!isnan(law->effort)) fb_text_printf(out, ", each within %.6g N m or N", law->effort);
}

const fb_kind fb_kind_control_task_qp = {
    .schema = {.keys = "tasks! contacts joints thrust decay effort limit"},
    .heading = "control",
    .size = sizeof(task_qp),
    .blame = {"tasks"},
    .read = read,
    .make = make,
    .explain = explain,
    .keeps = keeps,
    .next_edge = next_edge,
    .drives = drives};
