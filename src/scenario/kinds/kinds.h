/* kinds.h -- the registry of kinds: laws, forces, contacts, surfaces and environments that a scenario can name. Each is in a
 * file of scenario/kinds/SECTION/, with its keys, its reader, the block or collider that it makes and its explanation, and has a
 * row in kinds.c. docs/extending.md adds one of each section step by step. */
#ifndef FB_SCENARIO_KINDS_H
#define FB_SCENARIO_KINDS_H

#include <freebody/environment.h>

#include "scenario/build/block.h"
#include "scenario/explain/explain.h"
#include "scenario/read/path.h"
#include "scenario/read/values.h"

struct fb_json;

/* The sections of a scenario whose items are of kinds, and the key that names the kind: the `type` of an item of `control`
 * or `forces` and of `environment`, the `law` of an item of `contacts`, the `kind` of an item of `surfaces`. */
typedef enum fb_section {
  FB_SECTION_CONTROL,
  FB_SECTION_FORCE,
  FB_SECTION_CONTACT,
  FB_SECTION_SURFACE,
  FB_SECTION_ENVIRONMENT,
  FB_SECTION_COUNT
} fb_section;

struct fb_kind {
  fb_schema_kind schema;     /* its description, the keys that it takes, and the rows of its own keys */
  const char* heading;       /* of its line in explanations: "control", "force", "sensor" */
  size_t size;               /* of its settings */
  fb_field_range parameters; /* which values events may give to its parameters; any by default */
  /* The keys to be named where the simulation refuses the block: the first of them that is given, or else the item. */
  const char* blame[2];

  /* Reads the settings, zeroed before, from the keys. These were checked: none is unknown, and none that is required is
   * missing. NULL: there is nothing to read. */
  fb_status (*read)(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error);
  /* A law, a force or a contact: makes its block. */
  fb_status (*make)(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error);
  /* A surface: its collider, how many numbers of its size are written to the run store, and, if it has more keys than
   * `radius`, `radii` or `size`, the functions that read and write these. */
  fb_collider_kind collider;
  int nsize;
  fb_status (*shape)(fb_scenario* s, const fb_fields* values, fb_scenario_surface* surface, fb_error* error);
  void (*put_shape)(struct fb_json* json, const fb_scenario* s, const fb_scenario_surface* surface);
  /* An environment: adds its field to uniform gravity. */
  fb_status (*surround)(const fb_scenario* s, const fb_scenario_block* block, fb_environment* out,
                        fb_error* error);
  /* "joint PD along paths: elbow"; NULL: it is not shown. */
  void (*explain)(fb_text* out, const fb_scenario* s, const fb_scenario_block* block);

  /* Any of these may be NULL. */

  /* What a parameter measures; NULL: parameters are plain numbers. */
  fb_quantity (*quantity)(const fb_scenario* s, const fb_scenario_block* block, const char* parameter);
  /* The first instant after t at which a step has to end, INFINITY when there is none; NULL: it is not known before
   * the run, or there is none. */
  double (*next_edge)(const fb_scenario_block* block, double t);
  /* For a kind that moves joints: whether the joint of this body is one of them. */
  int (*drives)(const fb_scenario* s, const fb_scenario_block* block, int body);
  /* For a law that is not sampled: adds its stiffness and damping to those of the coordinates (nv each). Returns the rate
   * of its loop if that does not depend on the inertias, otherwise 0 [1/s]. */
  double (*gains)(const fb_scenario_block* block, double* stiffness, double* damping);
  /* For a kind that acts between frames: the rate of the motion that it causes at the start; d has the responses [1/s]. */
  fb_status (*rate)(const fb_scenario* s, const fb_scenario_block* block, fb_data* d,
                    const unsigned char* prescribed, double* rate, fb_error* error);
  /* Which limits of a joint it respects: FB_KEEPS_EFFORT, FB_KEEPS_SPEED. */
  int (*keeps)(const fb_scenario* s, const fb_scenario_block* block, int body);
  /* The frame at which it exerts an external force, or with `turns` a torque, to be logged; FB_WORLD: there is none. */
  int (*pushes)(const fb_scenario_block* block, int turns);
};

enum { FB_KEEPS_EFFORT = 1, FB_KEEPS_SPEED = 2 };

/* The kinds of each section, NULL-ended, in the order of their words. */
extern const fb_kind* const* const fb_kinds[FB_SECTION_COUNT];
extern const char* const fb_control_words[];
extern const char* const fb_force_words[];
extern const char* const fb_contact_words[];
extern const char* const fb_surface_words[];
extern const char* const fb_environment_words[];
int fb_kind_is_in(const fb_kind* kind, fb_section section);
/* The word of a kind. */
const char* fb_kind_name(const fb_kind* kind);

/* Kinds that other files compare with. */
extern const fb_kind fb_kind_control_input, fb_kind_control_computed_torque, fb_kind_control_attitude;
int fb_scenario_is_input(const fb_scenario_block* block);
/* What solves for hard contacts, which is no item of a scenario; idle where all contacts are compliant. */
extern const fb_kind fb_kind_solver, fb_kind_idle_solver;

/* The settings of joint_pd, joint_pid and computed_torque; those of the tasks are fb_frame_task and fb_attitude_task. */
typedef struct fb_joint_law {
  fb_pd_joint* joints;
  int count;
} fb_joint_law;

/* Joints with gains, targets and paths: the keys joints, kp, kd, ki, effort, target and path, those of them that the object
 * has. `type` is the law, for messages; accelerates: gains are in 1/s^2 and 1/s, and kd is critical when it is absent. */
fb_status fb_scenario_joint_law(fb_scenario* s, const fb_fields* values, const char* type, int accelerates,
                                fb_joint_law* law, fb_error* error);
/* The keys position and from_start of a frame's path. */
fb_status fb_scenario_frame_path(fb_scenario* s, const fb_fields* law, fb_frame_path* out, fb_error* error);
/* The quantity of the efforts of the joints that a law drives: torque, force, or either. */
fb_quantity fb_scenario_effort_quantity(const fb_scenario* s, const fb_scenario_block* block);

/* For laws of a frame, whose settings begin with an fb_frame_task: reads the keys that they share, all but the gains. */
fb_status fb_frame_task_read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                             fb_error* error);
/* The gains of those that follow a path: kp and kd, or gain. */
fb_status fb_frame_task_gains(const fb_fields* values, fb_frame_task* task, fb_error* error);
int fb_frame_task_drives(const fb_scenario* s, const fb_scenario_block* block, int body);
void fb_frame_task_explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block);

#endif
