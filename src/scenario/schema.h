/* schema.h -- the table of keys of scenario files. */
#ifndef FB_SCENARIO_SCHEMA_H
#define FB_SCENARIO_SCHEMA_H

#include <freebody/sim.h>

#include "document/schema/schema.h"

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
  FB_SCENARIO_ENVIRONMENT,
  FB_SCENARIO_OBJECT_COUNT
} fb_scenario_object;

/* Variants of events, paths and tasks; those of items that are of kinds are in kinds/kinds.c. */
enum { FB_EVENT_TIME, FB_EVENT_CROSSING, FB_EVENT_LIMIT, FB_EVENT_CONTACT };
enum { FB_QP_VARIANT_FRAME, FB_QP_VARIANT_COM, FB_QP_VARIANT_JOINTS };
typedef enum fb_path_shape { FB_PATH_CUBIC, FB_PATH_QUINTIC, FB_PATH_TRAPEZOID } fb_path_shape;
/* The method that the scenario leaves to us; before it those of fb_method, and two of SUNDIALS. */
enum { FB_INTEGRATOR_AUTO = FB_METHOD_COUNT + 1 };

/* The values of the plain keys of the document. */
typedef struct fb_scenario_top {
  const char* name;
  double duration, checkpoint;
} fb_scenario_top;

/* Words, NULL-ended: variants of objects, beside their readers; */
extern const char* const fb_path_words[];
extern const char* const fb_event_words[];
extern const char* const fb_join_words[];
extern const char* const fb_qp_task_words[];
extern const char* const fb_method_words[];
/* what happens to contacts; axes of forces; how bases, masses and followers of models are read, fb_mimic from FB_MIMIC_FREE on. */
extern const char* const fb_change_words[];
extern const char* const fb_axes_words[];
extern const char* const fb_scenario_bases[];
extern const char* const fb_scenario_inertias[];
extern const char* const fb_scenario_mimics[];

extern const fb_schema fb_scenario_schema;
/* The kinds of its objects (kinds/kinds.c). */
extern const fb_schema_registry fb_registries[];

#endif
