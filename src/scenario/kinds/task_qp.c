/* task_qp.c -- the law of tasks by priority, with planned contacts. */
#include <math.h>
#include <string.h>

#include "scenario/kinds.h"

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

static int has_coordinate(const fb_task_qp* law, int k) {
  for (int i = 0; i < law->ncoordinate; i++)
    if (law->coordinates[i] == k) return 1;
  return 0;
}

static int drives(const fb_scenario* s, const fb_scenario_block* block, int body) {
  return fb_joint_nv(s->model, body) > 0 &&
         has_coordinate(&law_of(block)->law, fb_joint_v_at(s->model, body));
}

static fb_status add_joint(const fb_scenario* s, const fb_node* node, int floats, task_qp* out,
                           fb_error* error) {
  int body = 0;
  fb_status status =
      floats ? fb_scenario_body(s, node, &body, error) : fb_scenario_joint(s, node, &body, error);
  if (status) return status;
  if (floats && !fb_scenario_floats(s->model, body))
    return fb_node_fail(node, error, FB_ERR_NAME,
                        "'%.60s' is no floating base; list its joint under 'joints'", fb_node_text(node));
  if (fb_joint_nv(s->model, body) == 0)
    return fb_node_fail(node, error, FB_ERR_JOINT, "the joint '%.60s' is fixed", fb_node_text(node));
  if (has_coordinate(&out->law, fb_joint_v_at(s->model, body)))
    return fb_node_fail(node, error, FB_ERR_NAME, "the joint '%.60s' is named twice", fb_node_text(node));
  for (int i = 0; i < fb_joint_nv(s->model, body); i++)
    out->coordinates[out->law.ncoordinate++] = fb_joint_v_at(s->model, body) + i;
  return FB_OK;
}

static fb_status add_joints(const fb_scenario* s, const fb_node* node, int floats, task_qp* out,
                            fb_error* error) {
  int list = fb_node_get_kind(node) == FB_NODE_LIST;
  fb_status status = FB_OK;
  for (int i = 0; i < (list ? fb_node_count(node) : 1) && !status; i++)
    status = add_joint(s, list ? fb_node_item(node, i) : node, floats, out, error);
  return status;
}

static fb_status read_driven(fb_scenario* s, const fb_fields* values, task_qp* out, fb_error* error) {
  const fb_node *joints = fb_fields_value(values, "joints"), *thrust = fb_fields_value(values, "thrust");
  out->coordinates = fb_scenario_take(s, (size_t)fb_model_nv(s->model) + 1, sizeof *out->coordinates);
  if (!out->coordinates) return fb_scenario_no_memory(error);
  out->law.coordinates = out->coordinates;
  fb_status status = FB_OK;
  int all = !joints || (strcmp(fb_node_text(joints), "all") == 0);
  for (int k = 0; all && k < fb_model_nv(s->model); k++)
    if (!fb_scenario_floats(s->model, fb_coordinate_body(s->model, k)))
      out->coordinates[out->law.ncoordinate++] = k;
  if (!all) status = add_joints(s, joints, 0, out, error);
  if (!status && thrust) status = add_joints(s, thrust, 1, out, error);
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
  int list = fb_node_get_kind(node) == FB_NODE_LIST;
  fb_status status = FB_OK;
  if (list && fb_node_count(node) == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "the list of axes is empty; leave it out for position");
  *axes = 0;
  for (int i = 0; i < (list ? fb_node_count(node) : 1) && !status; i++)
    status = read_axis(list ? fb_node_item(node, i) : node, com, axes, error);
  return status;
}

static fb_status read_frame_task(fb_scenario* s, const fb_fields* values, fb_qp_task* out, fb_error* error) {
  const fb_node *frame = fb_fields_value(values, "frame"), *com = fb_fields_value(values, "com");
  fb_status status;
  out->kind = com ? FB_QP_CENTRE_OF_MASS : FB_QP_FRAME;
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
  fb_wish_row row = {1, 1};
  fb_joint_law posture = {NULL, 0};
  int variant = 0;
  *out = fb_default_qp_task();
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_QP_TASK, &values, error);
  if (!status) status = find_variant(&values, &variant, error);
  if (!status) status = fb_fields_read(&values, variant, &row, error);
  if (status) return status;
  out->priority = row.priority;
  out->weight = row.weight;
  if (variant != FB_QP_TASK_JOINTS) return read_frame_task(s, &values, out, error);
  out->kind = FB_QP_POSTURE;
  status = fb_scenario_joint_law(s, &values, "a task", 1, &posture, error);
  out->joints = posture.joints;
  out->count = posture.count;
  return status;
}

/* --- contacts --- */

static fb_status read_contact(fb_scenario* s, const fb_node* map, fb_qp_contact* out, fb_error* error) {
  fb_fields values;
  fb_foot_row row = {.wish = {1, 1}, .normal = {0, 0, 1}, .friction = 0.5, .sides = 8, .stance = 1};
  *out = fb_default_qp_contact();
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_QP_CONTACT, &values, error);
  if (!status) status = fb_fields_read(&values, 0, &row, error);
  if (!status) status = fb_scenario_frame(s, fb_fields_value(&values, "frame"), &out->frame, error);
  if (!status) status = fb_scenario_force_path(s, &values, "most", "most_path", &out->most, error);
  if (!status) status = fb_scenario_force_path(s, &values, "force", "path", &out->force, error);
  memcpy(out->normal_w, row.normal, sizeof out->normal_w);
  out->friction = row.friction;
  out->sides = row.sides;
  out->stance = row.stance;
  out->kd = row.kd;
  out->priority = row.wish.priority;
  out->weight = row.wish.weight;
  return status;
}

/* --- all of it --- */

static fb_status read_lists(fb_scenario* s, const fb_fields* values, task_qp* out, fb_error* error) {
  const fb_node *tasks = fb_fields_value(values, "tasks"), *contacts = fb_fields_value(values, "contacts");
  fb_status status = fb_scenario_need_list(tasks, "tasks, as [{frame: hand}]", error);
  if (!status && contacts) status = fb_scenario_need_list(contacts, "contacts, as [{frame: foot}]", error);
  if (status) return status;
  int ntask = fb_node_count(tasks), ncontact = contacts ? fb_node_count(contacts) : 0;
  out->tasks = fb_scenario_take(s, (size_t)ntask + 1, sizeof *out->tasks);
  out->contacts = fb_scenario_take(s, (size_t)ncontact + 1, sizeof *out->contacts);
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

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                      const fb_node** blame, fb_error* error) {
  task_qp* out = (task_qp*)block->settings;
  *blame = fb_fields_value(values, "tasks");
  out->law = fb_default_task_qp();
  fb_status status = read_driven(s, values, out, error);
  if (!status) status = fb_fields_get(values, "decay", &out->law.decay, error);
  if (!status)
    status =
        fb_scenario_one(values, "effort", fb_scenario_effort_quantity(s, block), &out->law.effort, error);
  return status ? status : read_lists(s, values, out, error);
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  return fb_block_task_qp(s->model, block->name, &law_of(block)->law, out, error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  const fb_task_qp* law = &law_of(block)->law;
  double next = INFINITY;
  for (int i = 0; i < law->ntask; i++) {
    next = fmin(next, fb_scenario_frame_path_next(&law->tasks[i].path, t));
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
  if (task->kind == FB_QP_POSTURE)
    fb_text_printf(out, "%d coordinate%s", task->count, task->count == 1 ? "" : "s");
  else if (task->kind == FB_QP_CENTRE_OF_MASS)
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

const fb_kind fb_kind_task_qp = {.schema = {.keys = "tasks! contacts joints thrust decay effort limit"},
                                 .heading = "control",
                                 .size = sizeof(task_qp),
                                 .read = read,
                                 .make = make,
                                 .explain = explain,
                                 .keeps = keeps,
                                 .next_edge = next_edge,
                                 .drives = drives};
