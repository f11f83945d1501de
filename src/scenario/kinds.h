/* kinds.h -- the kinds of blocks that a scenario can use. Each is a file in scenario/kinds/, with its keys, its
 * reader, its block and its sentence, and a row of the table in scenario/kinds.c. docs/extending.md adds one step by
 * step. */
#ifndef FB_SCENARIO_KINDS_H
#define FB_SCENARIO_KINDS_H

#include "scenario/scenario.h"
#include <freebody/text.h>

struct fb_kind {
  fb_schema_kind schema;     /* the keys of a controller that it takes, and those that it brings along */
  const char* heading;       /* of its line in explanations: "control", "force", "sensor" */
  size_t size;               /* of its settings */
  fb_field_range parameters; /* which values events may give to its parameters: any, unless it says */

  /* Reads the settings, zeroed before, from its keys: which there are, and that needed ones are, was checked. *blame
   * becomes the node that stands for what the block may refuse. */
  fb_status (*read)(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, const fb_node** blame,
                    fb_error* error);
  fb_status (*make)(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error);
  /* "joint PD along paths: elbow"; NULL: it is not shown. */
  void (*explain)(fb_text* out, const fb_scenario* s, const fb_scenario_block* block);

  /* Any of these may be NULL. */

  /* What a parameter measures; NULL: parameters are plain numbers. */
  fb_quantity (*quantity)(const fb_scenario* s, const fb_scenario_block* block, const char* parameter);
  /* The first instant after t at which a step has to end, INFINITY when there is none; NULL: it is not known before
   * the run, or there is none. */
  double (*next_edge)(const fb_scenario_block* block, double t);
  /* Of blocks that move joints: whether this body's joint is one of them. */
  int (*drives)(const fb_scenario* s, const fb_scenario_block* block, int body);
  /* Adds what a law that acts all the time adds to the springs and dampers of the coordinates (nv each). Returns the
   * rate of its loop where that does not depend on the inertias, otherwise 0 [1/s]. */
  double (*gains)(const fb_scenario_block* block, double* stiffness, double* damping);
  /* What it keeps to of a joint's limits: FB_KEEPS_EFFORT, FB_KEEPS_SPEED. */
  int (*keeps)(const fb_scenario* s, const fb_scenario_block* block, int body);
  /* The frame at which it pushes from outside, or turns; FB_WORLD: it does not. Logged with the motion. */
  int (*pushes)(const fb_scenario_block* block, int turns);
};

enum { FB_KEEPS_EFFORT = 1, FB_KEEPS_SPEED = 2 };

/* The kinds that an item of `control` can have, by its `type`; both lists in the same order, NULL-ended. */
extern const fb_kind* const fb_kinds[];
extern const char* const fb_kind_names[];
extern const fb_schema_kind* const fb_kind_schemas[];

/* The kinds of `forces`: those given over time, and those between frames. */
extern const fb_kind fb_kind_force, fb_kind_element;
/* Of the kinds of `control`: inputs from outside, and whether a block is one. */
extern const fb_kind fb_kind_input, fb_kind_computed_torque;
int fb_scenario_is_input(const fb_scenario_block* block);
/* The kind of `contacts`, and of what solves for them. */
extern const fb_kind fb_kind_contact, fb_kind_solver, fb_kind_idle_solver;

/* The settings of joint_pd, joint_pid and computed_torque; those of the tasks are fb_frame_task and fb_attitude_task. */
typedef struct fb_joint_law {
  fb_pd_joint* joints;
  int count;
} fb_joint_law;

/* Joints with gains, targets and paths: the keys joints, kp, kd, ki, effort, target and path, those of them that the object
 * has. `type` is the law, for messages; accelerates: gains are in 1/s^2 and 1/s, and kd is critical when it is absent. */
fb_status fb_scenario_joint_law(fb_scenario* s, const fb_fields* values, const char* type, int accelerates,
                                fb_joint_law* law, fb_error* error);
/* The keys position and from_start of a frame's path; and the next instant after t at which such a path has a knot. */
fb_status fb_scenario_frame_path(fb_scenario* s, const fb_fields* law, fb_frame_path* out, fb_error* error);
double fb_scenario_frame_path_next(const fb_frame_path* path, double t);
/* What the effort of the joints that a law drives is: torque, or force, or either. */
fb_quantity fb_scenario_effort_quantity(const fb_scenario* s, const fb_scenario_block* block);

/* What laws of a frame share, whose settings begin with an fb_frame_task: all its keys but its gains. */
fb_status fb_frame_task_read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                             const fb_node** blame, fb_error* error);
/* The gains of those that follow a path: kp and kd, or gain. */
fb_status fb_frame_task_gains(const fb_fields* values, fb_frame_task* task, fb_error* error);
int fb_frame_task_drives(const fb_scenario* s, const fb_scenario_block* block, int body);
void fb_frame_task_explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block);

#endif
