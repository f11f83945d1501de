/* schema.c -- the schema of scenario files: its objects, whose rows stand beside their readers, and the rows of the document
 * itself. */
#include "scenario/schema.h"

#include "scenario/kinds/kinds.h"
#include "scenario/rows.h"

static const char* const FRICTION_LAWS[] = {"smooth", "stiction", NULL};
static const char* const LIMITS[] = {"ignore", "contact", NULL};
const char* const fb_scenario_inertias[] = {"strict", "repair", "keep", NULL};
const char* const fb_scenario_mimics[] = {"free", "fixed", "coupled", NULL};
const char* const fb_scenario_bases[] = {"free", "fixed", NULL};

static const fb_schema_object OBJECTS[FB_SCENARIO_OBJECT_COUNT] = {
    [FB_SCENARIO_SCENARIO] = {"scenario", NULL, 0},
    [FB_SCENARIO_PART] = {"part", NULL, 0},
    [FB_SCENARIO_START] = {"start", NULL, 0},
    [FB_SCENARIO_BASE] = {"base", NULL, 0},
    [FB_SCENARIO_POSE] = {"pose", NULL, 0},
    [FB_SCENARIO_MOTION] = {"motion", NULL, 0},
    [FB_SCENARIO_PATH] = {"path", fb_path_words, 0},
    [FB_SCENARIO_CONTROLLER] = {"controller", fb_control_words, 0},
    [FB_SCENARIO_PATHS] = {"joint_path", fb_path_words, 0},
    [FB_SCENARIO_POSITION] = {"position", fb_path_words, 0},
    [FB_SCENARIO_TURN] = {"turn", fb_path_words, 0},
    [FB_SCENARIO_SHAPING] = {"shaping", NULL, 0},
    [FB_SCENARIO_SAMPLE] = {"sample", NULL, 0},
    [FB_SCENARIO_NOISE] = {"noise", NULL, 0},
    [FB_SCENARIO_FORCE] = {"force", fb_force_words, 0},
    [FB_SCENARIO_EVENT] = {"event", fb_event_words, 0},
    [FB_SCENARIO_ACTION] = {"action", NULL, 0},
    [FB_SCENARIO_BOUNCE] = {"bounce", NULL, 0},
    [FB_SCENARIO_SETTING] = {"setting", NULL, 0},
    [FB_SCENARIO_JOIN] = {"join", fb_join_words, 0},
    [FB_SCENARIO_SURFACE] = {"surface", fb_surface_words, 0},
    [FB_SCENARIO_CONTACT] = {"contact", fb_contact_words, 0},
    [FB_SCENARIO_MATERIAL] = {"material", NULL, 0},
    [FB_SCENARIO_SOIL] = {"soil", NULL, 0},
    [FB_SCENARIO_INTEGRATOR] = {"integrator", fb_method_words, 0},
    [FB_SCENARIO_LOG] = {"log", NULL, 0},
    [FB_SCENARIO_VIEW] = {"view", NULL, 0},
    [FB_SCENARIO_PRESS] = {"press", NULL, 0},
    [FB_SCENARIO_QP_TASK] = {"task", fb_qp_task_words, 0},
    [FB_SCENARIO_QP_CONTACT] = {"planned_contact", NULL, 0},
    [FB_SCENARIO_FORCE_PATH] = {"force_path", fb_path_words, 0},
    [FB_SCENARIO_ENVIRONMENT] = {"environment", fb_environment_words, 0},
};

static const fb_field FIELDS[] = {
    PLAIN(SCENARIO, "scenario", VERSION, EVERY, EVERY, -1, NULL, "version of the format: 1"),
    PLAIN(SCENARIO, "name", TEXT, EVERY, NEVER, AT(fb_scenario_top, name),
          "the file's name without extension", "name of the scenario"),
    PLAIN(SCENARIO, "model", DOCUMENT, EVERY, NEVER, -1, "this or `models` is required",
          "a model file of any format, relative to the scenario's folder, or a native model as a map"),
    INNER(SCENARIO, "models", LIST, PART, "this or `model` is required",
          "several models in one scene, each placed in the world or on another"),
    PLAIN(SCENARIO, "loops", LOOPS, EVERY, NEVER, -1, "none",
          "loops in addition to those of the models, between frames or joints of the whole scene"),
    WORD(SCENARIO, "base", fb_scenario_bases, EVERY, "as in the file",
         "how the bases of URDFs are attached to the world: free or fixed"),
    WORD(SCENARIO, "inertia", fb_scenario_inertias, EVERY,
         "repair for a URDF; otherwise what the model says, or strict",
         "masses and inertias of the models that no body can have: strict: refused; repair: the nearest "
         "possible ones are taken; keep: computed with as given, where the dynamics can"),
    WORD(SCENARIO, "mimic", fb_scenario_mimics, EVERY, "coupled",
         "joints of URDFs with `<mimic>`, which follow another joint: coupled: a gear couples the two; free: "
         "they move independently; fixed: they are fixed at their offset"),
    PLAIN(SCENARIO, "packages", BY_NAME, EVERY, NEVER, -1, "searched, see [urdf.md](urdf.md)",
          "folders of `package://` addresses in URDFs by name, relative to the scenario's folder"),
    UNIT(SCENARIO, "gravity", OR_NONE, ACCELERATION, ANY, EVERY, NEVER, -1,
         "that of the model file, otherwise none", "uniform gravity, world axes"),
    INNER(SCENARIO, "environment", MAP, ENVIRONMENT, "uniform gravity only",
          "what surrounds the robot besides uniform gravity"),
    WORD(SCENARIO, "friction_law", FRICTION_LAWS, EVERY, "smooth",
         "smooth: friction tanh(v / friction_speed), with which a loaded joint creeps; stiction: a joint at "
         "rest sticks until the force on it exceeds its friction"),
    INNER(SCENARIO, "start", MAP, START, "all coordinates and rates 0", "the state at time 0"),
    INNER(SCENARIO, "motions", LIST, MOTION, "none", "coordinates with prescribed motion"),
    PLAIN(SCENARIO, "modes", NAMES, EVERY, NEVER, -1, "one without a name",
          "names of up to 32 modes; the first is active at the start, and events switch between them"),
    INNER(SCENARIO, "control", LIST, CONTROLLER, "none", "control laws"),
    INNER(SCENARIO, "forces", LIST, FORCE, "none",
          "forces and torques as functions of time; springs and bushings between frames"),
    INNER(SCENARIO, "surfaces", LIST, SURFACE, "none",
          "ground, walls and rocks that contacts name, fixed to the world or to a body"),
    INNER(SCENARIO, "contacts", LIST, CONTACT, "none",
          "which shapes, points and surfaces touch one another; nothing else does"),
    INNER(SCENARIO, "materials", MAPS, MATERIAL, "none",
          "values by name that contacts take unless they give their own; `default` is for contacts without a "
          "material"),
    WORD(SCENARIO, "limits", LIMITS, EVERY, "ignore",
         "contact: the limits of all joints are rigid stops, without rebound, except those of joints for "
         "which an event says otherwise; ignore: only those"),
    INNER(SCENARIO, "events", LIST, EVENT, "none", "actions at given times or conditions"),
    INNER(SCENARIO, "integrator", MAP, INTEGRATOR, "auto", "integration method and step"),
    UNIT(SCENARIO, "duration", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_scenario_top, duration), "10 s",
         "length of the run, in simulated time"),
    INNER(SCENARIO, "log", MAP, LOG, "see there", "what is logged, and how often"),
    UNIT(SCENARIO, "checkpoint", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_scenario_top, checkpoint),
         "about a twentieth of the duration, in whole steps",
         "simulated time between checkpoints, from which an interrupted run is resumed"),
    INNER(SCENARIO, "view", MAP, VIEW, "see there",
          "appearance of pictures of the run; it has no other effect"),
};
static const fb_schema_rows TOP = FB_ROWS(FIELDS);

#define ROW_TABLES(X) \
  X(part)             \
  X(start)            \
  X(motion)           \
  X(path)             \
  X(controller)       \
  X(environment)      \
  X(sample)           \
  X(press)            \
  X(task_qp)          \
  X(force)            \
  X(event)            \
  X(join)             \
  X(surface)          \
  X(contact)          \
  X(integrator)       \
  X(log)              \
  X(view)
#define DECLARATION(name) extern const fb_schema_rows fb_rows_##name;
ROW_TABLES(DECLARATION)
#define TABLE(name) &fb_rows_##name,
static const fb_schema_rows* const TABLES[] = {&TOP, ROW_TABLES(TABLE) NULL};

const fb_schema fb_scenario_schema = {.title = "Freebody scenario, version 1",
                                      .version = FB_SCENARIO_VERSION,
                                      .objects = OBJECTS,
                                      .object_count = FB_SCENARIO_OBJECT_COUNT,
                                      .tables = TABLES,
                                      .registries = fb_registries};
