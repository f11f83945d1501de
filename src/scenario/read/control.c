/* control.c -- the items of `control`: the keys that laws share. Those of one law are read by its kind (scenario/kinds/kinds.h). */
#include <string.h>

#include "base/grow.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"
#include "scenario/rows.h"

static const char* const ROWS[] = {"position", "pose", NULL};
static const char* const JACOBIANS[] = {"generalized", "plain", NULL};
static const char* const SATURATIONS[] = {"axis", "direction", NULL};
const char* const fb_axes_words[] = {"world", "frame", NULL};

static const fb_field FIELDS[] = {
    PLAIN(CONTROLLER, "name", TEXT, EVERY, NEVER, -1, "as control[0]",
          "its name, by which events set its parameters"),
    KIND_WORD(CONTROLLER, "type", fb_control_words, EVERY, NULL, "the control law"),
    PLAIN(CONTROLLER, "joints", NAMES, BY_KIND, NEVER, -1, "all; for remote none",
          "the joints, or `all`: those whose coordinates are plain angles and lengths"),
    PLAIN(CONTROLLER, "frame", TEXT, BY_KIND, NEVER, -1, NULL, "the frame or body that follows a path"),
    PLAIN(CONTROLLER, "from", TEXT, BY_KIND, NEVER, -1, "the tree's base, or the body it is fixed to",
          "the law drives the joints between this body and the frame; joints before it are free to move"),
    PLAIN(CONTROLLER, "body", TEXT, BY_KIND, NEVER, -1, "the only floating base",
          "the floating base whose attitude is controlled"),
    BOTH(CONTROLLER, "kp", COORDINATES, STIFFNESS, ANGULAR_STIFFNESS, NOT_NEGATIVE, BY_KIND, NEVER, NULL,
         "gain on the position error: for joints, one for all or one for each coordinate; for "
         "computed_torque, frame_tracking and force_position without unit, in 1/s^2; for impedance the "
         "stiffness along x, y, z and, with rows: pose, about x, y, z, or one number along all axes with "
         "rows: position"),
    BOTH(CONTROLLER, "kd", COORDINATES, DAMPING, ANGULAR_DAMPING, NOT_NEGATIVE, BY_KIND, NEVER,
         "0; 2 sqrt(kp) when kp is in 1/s^2",
         "gain on the rate error, likewise; for computed_torque, frame_tracking and force_position without "
         "unit, in 1/s; for impedance the damping"),
    BOTH(CONTROLLER, "ki", COORDINATES, INTEGRAL_GAIN, ANGULAR_INTEGRAL_GAIN, NOT_NEGATIVE, BY_KIND, NEVER,
         "0; joint_pid requires it", "gain on the integral of the error, likewise"),
    UNIT(CONTROLLER, "gain", NUMBER, NONE, POSITIVE, BY_KIND, NEVER, -1, "1",
         "rate at which an error decays, in 1/s"),
    BOTH(CONTROLLER, "target", TARGETS, LENGTH, ANGLE, ANY, BY_KIND, NEVER, "initial coordinates",
         "desired coordinates"),
    INNER_OF(CONTROLLER, "path", MAP, PATHS, BY_KIND, "none", "or desired coordinates as functions of time"),
    INNER_OF(CONTROLLER, "position", MAP, POSITION, BY_KIND, "initial position",
             "desired position of the frame, world axes"),
    PLAIN(CONTROLLER, "from_start", BOOL, BY_KIND, NEVER, -1, "false",
          "true: `position` is relative to the frame's initial position instead of the world's origin"),
    INNER_OF(CONTROLLER, "turn", MAP, TURN, BY_KIND, "initial attitude",
             "desired attitude: the initial one, rotated about `axis`"),
    UNIT(CONTROLLER, "axis", AXIS, NONE, ANY, BY_KIND, NEVER, -1, "`turn` requires it",
         "the axis of `turn`, world axes, of any length"),
    WORD(CONTROLLER, "rows", ROWS, BY_KIND, "pose",
         "what is controlled: the frame's position, leaving the attitude free, or its whole pose"),
    WORD(CONTROLLER, "jacobian", JACOBIANS, BY_KIND, "generalized",
         "generalized: accounts for the reaction of a floating base; plain: assumes that the base stays at "
         "its initial pose"),
    UNIT(CONTROLLER, "damping", NUMBER, NONE, NOT_NEGATIVE, BY_KIND, NEVER, -1, "0",
         "of the pseudo-inverse: above 0 it keeps joint rates small near singular poses, where the frame "
         "lags"),
    WORD(CONTROLLER, "axes", fb_axes_words, BY_KIND, "world",
         "the axes of `kp` and `kd`, or of the forces and torques that an input or a remote controller sets "
         "on `frames`: those of the world or of the frame"),
    PLAIN(CONTROLLER, "frames", NAMES, BY_KIND, NEVER, -1, "none",
          "frames or bodies on which an input or a remote controller sets a force and a torque"),
    INNER_OF(CONTROLLER, "press", LIST, PRESS, BY_KIND, "`force_position` requires it",
             "one to three directions along which the frame presses with a force"),
    INNER_OF(CONTROLLER, "tasks", LIST, QP_TASK, BY_KIND, "`task_qp` requires it", "what the robot shall do"),
    INNER_OF(CONTROLLER, "contacts", LIST, QP_CONTACT, BY_KIND, "none",
             "frames at which the law may count on forces of the surroundings"),
    PLAIN(CONTROLLER, "thrust", NAMES, BY_KIND, NEVER, -1, "none",
          "floating bases that are driven too: the law then applies a force and a torque to them"),
    UNIT(CONTROLLER, "decay", NUMBER, NONE, NOT_NEGATIVE, BY_KIND, NEVER, -1,
         "2 for impedance, 1 for task_qp",
         "rate at which joint motion decays that the tasks leave open, in 1/s"),
    PLAIN(CONTROLLER, "wheels", NAMES, BY_KIND, NEVER, -1, "thrusters",
          "reaction wheels, by their joints or bodies, which share the torque and respect the `speed` of "
          "their joints; without them the torque acts on the body"),
    BOTH(CONTROLLER, "effort", COORDINATES, FORCE, TORQUE, NOT_NEGATIVE, BY_KIND, NEVER,
         "for joints the model's, otherwise no limit",
         "largest force or torque: of each joint, each wheel, or each component of the torque on the body, "
         "in its axes"),
    WORD(CONTROLLER, "saturate", SATURATIONS, BY_KIND, "axis",
         "a torque beyond `effort`: each wheel or component is clamped separately, or all are scaled by one "
         "factor, which keeps the direction"),
    PLAIN(CONTROLLER, "file", TEXT, BY_KIND, NEVER, -1, "lua: this or `text` is required",
          "the script, or the shared library, relative to the scenario's folder"),
    PLAIN(CONTROLLER, "text", TEXT, BY_KIND, NEVER, -1, "lua: this or `file` is required",
          "the script itself"),
    UNIT(CONTROLLER, "period", NUMBER, TIME, POSITIVE, BY_KIND, NEVER, -1, "no ticks",
         "time between calls of the script's `tick`, or between exchanges with a remote controller"),
    PLAIN(CONTROLLER, "parameters", BY_NAME, BY_KIND, NEVER, -1, "its own",
          "numbers by name, passed to the script or plugin"),
    UNIT(CONTROLLER, "most_seconds", NUMBER, TIME, POSITIVE, BY_KIND, NEVER, -1, "1 s",
         "longest time of one call of the script; exceeding it ends the run"),
    PLAIN(CONTROLLER, "most_instructions", INDEX, BY_KIND, NEVER, -1, "10000000",
          "largest number of instructions of one call, likewise"),
    UNIT(CONTROLLER, "most_memory", NUMBER, NONE, POSITIVE, BY_KIND, NEVER, -1, "64",
         "largest memory of the script, in MiB, likewise"),
    INNER(CONTROLLER, "sample", MAP, SAMPLE, "continuous",
          "sampled as on a flight computer: at a rate, with delay and noisy measurements"),
    PLAIN(CONTROLLER, "limit", BOOL, BY_KIND, NEVER, -1, "false",
          "true: the force on each joint is clamped to the model's effort limit"),
    PLAIN(CONTROLLER, "mode", NAMES, EVERY, NEVER, -1, "all", "the modes in which it acts"),
};

const fb_schema_rows fb_rows_controller = FB_ROWS(FIELDS);

/* --- blocks --- */

fb_status fb_scenario_new_block(fb_scenario* s, const fb_kind* kind, const char* name, const char* what,
                                int index, fb_scenario_block* block, fb_error* error) {
  *block = (fb_scenario_block){.kind = kind, .settings = fb_scenario_alloc(s, 1, kind->size)};
  block->name = name ? name : fb_scenario_print(s, "%s[%d]", what, index);
  return block->name && block->settings ? FB_OK : fb_scenario_no_memory(error);
}

fb_status fb_scenario_add_block(fb_scenario* s, const fb_scenario_block* block, fb_error* error) {
  if (!block->name || !fb_grow(&s->blocks, (size_t)s->nblock, 1, &s->block_room, sizeof *s->blocks) ||
      !fb_grow(&s->faces, (size_t)s->nblock, 1, &s->face_room, sizeof *s->faces))
    return fb_scenario_no_memory(error);
  s->faces[s->nblock] = fb_default_block();
  s->faces[s->nblock].name = block->name;
  s->faces[s->nblock].outputs = block->outputs;
  s->faces[s->nblock].noutput = block->noutput;
  s->faces[s->nblock].kind_ = block->block_kind;
  s->blocks[s->nblock++] = *block;
  return FB_OK;
}

/* Copies the outputs of a block, whose own go with it. */
static fb_status keep_outputs(fb_scenario* s, const fb_block* made, fb_scenario_block* block,
                              fb_error* error) {
  fb_port* ports = fb_scenario_alloc(s, (size_t)made->noutput, sizeof *ports);
  if (!ports) return fb_scenario_no_memory(error);
  for (int i = 0; i < made->noutput; i++) {
    const fb_port* from = &made->outputs[i];
    ports[i] = (fb_port){fb_scenario_copy_text(s, from->name),
                         fb_scenario_copy_text(s, from->unit ? from->unit : "1"),
                         fb_scenario_copy_text(s, from->axes ? from->axes : ""), from->count};
    if (!ports[i].name || !ports[i].unit || !ports[i].axes) return fb_scenario_no_memory(error);
  }
  block->outputs = ports;
  block->noutput = made->noutput;
  s->has_inputs |= made->ninput > 0;
  return FB_OK;
}

/* --- what it must not do --- */

/* Whether it is known which joints it moves. */
static int moves_joints(const fb_scenario_block* block) {
  return block->moves && block->kind->drives;
}

/* Two laws cannot say how one joint moves, unless they never act together. */
static fb_status check_alone(const fb_scenario* s, const fb_node* node, const fb_scenario_block* block,
                             fb_error* error) {
  for (int i = 0; i < s->nblock && moves_joints(block); i++) {
    const fb_scenario_block* other = &s->blocks[i];
    if (!moves_joints(other) || (block->modes && other->modes && !(block->modes & other->modes))) continue;
    for (int body = 1; body < fb_model_nbody(s->model); body++)
      if (block->kind->drives(s, block, body) && other->kind->drives(s, other, body))
        return fb_node_fail(node, error, FB_ERR_CONTENT,
                            "the law '%.60s' moves the joint '%.60s' already; let one of them act by force, "
                            "as frame_tracking does, or in another mode",
                            other->name, fb_joint_name(s->model, body));
  }
  return FB_OK;
}

/* What the block itself refuses is refused here, where its place is known; lines of scripts are better places. */
fb_status fb_scenario_try_block(fb_scenario* s, const fb_node* blame, fb_scenario_block* block,
                                fb_error* error) {
  fb_block made;
  fb_status status = fb_scenario_make_block(s, block, &made, error);
  if (status && error->place.line == 0) fb_node_place_error(blame, error);
  if (status) return status;
  block->period = made.period;
  block->moves = made.moves;
  block->block_kind = made.kind_;
  block->has_edges = made.next_edge && !block->kind->next_edge && !block->sampled; /* samples hide its own */
  status = keep_outputs(s, &made, block, error);
  fb_block_free(&made);
  return status ? status : fb_scenario_check_period(s, blame, block->period, error);
}

/* --- all of it --- */

static const fb_node* blamed(const fb_kind* kind, const fb_fields* values) {
  for (int i = 0; i < 2 && kind->blame[i]; i++)
    if (fb_fields_value(values, kind->blame[i])) return fb_fields_value(values, kind->blame[i]);
  return values->map;
}

fb_status fb_scenario_read_item(fb_scenario* s, const fb_fields* values, int section, int type,
                                const char* what, int index, fb_error* error) {
  fb_scenario_block block;
  const fb_kind* kind = fb_kinds[section][type];
  const fb_node* blame = blamed(kind, values);
  const char* name = NULL;
  fb_status status = fb_fields_read(values, type, NULL, error);
  if (!status) status = fb_fields_get(values, "name", &name, error);
  if (!status) status = fb_scenario_new_block(s, kind, name, what, index, &block, error);
  if (!status) status = fb_scenario_modes_of(s, fb_fields_value(values, "mode"), &block.modes, error);
  if (!status) status = fb_fields_get(values, "limit", &block.limited, error);
  if (!status) status = fb_scenario_read_sample(s, fb_fields_value(values, "sample"), &block, error);
  if (!status) status = kind->read(s, values, &block, error);
  if (!status) status = fb_scenario_try_block(s, blame, &block, error);
  if (!status) status = check_alone(s, blame, &block, error);
  return status ? status : fb_scenario_add_block(s, &block, error);
}

/* A plant leaves the laws to its host. */
static int is_left_out(const fb_scenario* s, const fb_node* item) {
  const fb_node* type = fb_map_get(item, "type");
  return s->reading.plant && !(type && strcmp(fb_node_text(type), "input") == 0);
}

static fb_status read_controller(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  int type = 0;
  if (is_left_out(s, map)) return FB_OK;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_CONTROLLER, &values, error);
  if (!status) status = fb_fields_word(&values, "type", &type, error);
  if (status) return status;
  return fb_scenario_read_item(s, &values, FB_SECTION_CONTROL, type, "control", index, error);
}

int fb_scenario_is_of_left_out_law(const fb_scenario* s, const char* signal) {
  const fb_node* list = fb_map_get(fb_doc_root(s->doc), "control");
  for (int i = 0; list && i < fb_node_count(list); i++) {
    const fb_node* name = fb_map_get(fb_node_item(list, i), "name");
    const char* law = name ? fb_node_text(name) : "";
    size_t length = strlen(law);
    if (length > 0 && is_left_out(s, fb_node_item(list, i)) && strncmp(signal, law, length) == 0 &&
        (signal[length] == '.' || !signal[length]))
      return 1;
  }
  return 0;
}

fb_status fb_scenario_read_control(fb_scenario* s, const fb_fields* values, fb_error* error) {
  return fb_scenario_read_list(s, values, "control", "control laws", "control law", read_controller, error);
}
