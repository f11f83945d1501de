/* schema.h -- the table of keys of scenario files. */
#ifndef FB_SCENARIO_SCHEMA_H
#define FB_SCENARIO_SCHEMA_H

#include <freebody/sim.h>

#include "document/schema.h"

enum { FB_SCENARIO_VERSION = 1 };

typedef enum fb_scenario_object {
  FB_SCENARIO_SCENARIO,
  FB_SCENARIO_PART,
  FB_SCENARIO_START,
  FB_SCENARIO_BASE,
  FB_SCENARIO_POSE,
  FB_SCENARIO_MOTION,
  FB_SCENARIO_PATH,
  FB_SCENARIO_CONTROLLER,
  FB_SCENARIO_PATHS,
  FB_SCENARIO_POSITION,
  FB_SCENARIO_TURN,
  FB_SCENARIO_SHAPING,
  FB_SCENARIO_SAMPLE,
  FB_SCENARIO_NOISE,
  FB_SCENARIO_FORCE,
  FB_SCENARIO_EVENT,
  FB_SCENARIO_ACTION,
  FB_SCENARIO_BOUNCE,
  FB_SCENARIO_SETTING,
  FB_SCENARIO_JOIN,
  FB_SCENARIO_SURFACE,
  FB_SCENARIO_CONTACT,
  FB_SCENARIO_MATERIAL,
  FB_SCENARIO_SOIL,
  FB_SCENARIO_INTEGRATOR,
  FB_SCENARIO_LOG,
  FB_SCENARIO_VIEW,
  FB_SCENARIO_PRESS,
  FB_SCENARIO_QP_TASK,
  FB_SCENARIO_QP_CONTACT,
  FB_SCENARIO_FORCE_PATH,
  FB_SCENARIO_OBJECT_COUNT
} fb_scenario_object;

/* Variants of events, forces, paths and tasks; those of controllers are in scenario/kinds.c. */
enum { FB_EVENT_TIME, FB_EVENT_CROSSING, FB_EVENT_LIMIT, FB_EVENT_CONTACT };
enum { FB_FORCE_FRAME, FB_FORCE_JOINT, FB_FORCE_SPRING, FB_FORCE_BUSHING };
enum { FB_QP_TASK_FRAME, FB_QP_TASK_COM, FB_QP_TASK_JOINTS };
typedef enum fb_path_shape { FB_PATH_CUBIC, FB_PATH_QUINTIC, FB_PATH_TRAPEZOID } fb_path_shape;

/* What the plain keys of each object are read into. */
typedef struct fb_scenario_top {
  const char* name;
  double duration, checkpoint;
} fb_scenario_top;
typedef struct fb_part_row {
  const char *name, *parent;
  double at[3];
} fb_part_row;
typedef struct fb_base_row {
  double at[3], velocity[3], angular_velocity[3];
} fb_base_row;
typedef struct fb_motion_row {
  const char *name, *joint;
  int coordinate, lock, at_start;
} fb_motion_row;
typedef struct fb_path_row {
  double ramp;
} fb_path_row;
typedef struct fb_shaping_row {
  double frequency, damping;
  int robust;
} fb_shaping_row;
typedef struct fb_controller_row {
  const char* name;
} fb_controller_row;
typedef struct fb_press_row {
  const char *axes, *measured;
  double direction[3], force, ki;
} fb_press_row;
typedef struct fb_wish_row {
  int priority;
  double weight;
} fb_wish_row;
typedef struct fb_foot_row {
  fb_wish_row wish; /* first */
  double normal[3], friction, kd, most, force;
  int sides, stance;
} fb_foot_row;
typedef struct fb_sample_row {
  double rate, period, delay;
  int seed;
} fb_sample_row;
typedef struct fb_noise_row {
  double position, rate;
} fb_noise_row;
typedef struct fb_force_row {
  const char *name, *frame, *joint, *a, *b;
  double force[3], torque[3], from, to, length;
  int interpolate, slack;
} fb_force_row;
typedef struct fb_event_row {
  const char *name, *when;
  double at, every;
  int once;
} fb_event_row;
typedef struct fb_action_row {
  const char *lock, *release, *move, *mode, *part;
  int stop;
} fb_action_row;
typedef struct fb_join_row {
  const char *name, *frame, *to;
  double axis[3], axis2[3], pitch;
  int force;
} fb_join_row;
typedef struct fb_bounce_row {
  const char* joint;
  int coordinate;
  double restitution;
} fb_bounce_row;
typedef struct fb_setting_row {
  const char *block, *parameter;
} fb_setting_row;
/* Kinds of surfaces, in the order of their words. */
typedef enum fb_surface_kind {
  FB_SURFACE_PLANE,
  FB_SURFACE_HEIGHTFIELD,
  FB_SURFACE_SPHERE,
  FB_SURFACE_ELLIPSOID,
  FB_SURFACE_BOX,
  FB_SURFACE_MESH
} fb_surface_kind;
typedef struct fb_surface_row {
  const char *name, *body, *file, *color, *material;
  double at[3], normal[3], size[3];
} fb_surface_row;
/* Of contacts and of materials. */
typedef struct fb_contact_row {
  const char *name, *material;
  fb_contact contact;
} fb_contact_row;
/* The method that the scenario leaves to us; before it those of fb_method, and two of SUNDIALS. */
enum { FB_INTEGRATOR_AUTO = FB_METHOD_COUNT + 1 };
typedef struct fb_integrator_row {
  double step, accuracy, rtol, atol, max_step;
  int adaptive;
} fb_integrator_row;
typedef struct fb_log_row {
  double period;
  int motion;
} fb_log_row;

typedef struct fb_view_row {
  double sun[3], ground;
  const char* follow;
} fb_view_row;

/* The kinds of surfaces, as words; NULL-ended. */
extern const char* const fb_surface_words[];
/* What happens to contacts, as words; NULL-ended. */
extern const char* const fb_change_words[];
/* The types of joins, as words: the variants of the object (scenario/join.c). */
extern const char* const fb_join_words[];

extern const fb_schema fb_scenario_schema;
/* Words for fb_mimic, from FB_MIMIC_FREE on; NULL-ended. */
extern const char* const fb_scenario_mimics[];

#endif
