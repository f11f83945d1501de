/* scenario.h -- a scenario in memory, and functions that its readers share.
 *
 * Names and texts point into the document, which the scenario keeps. Everything else is owned by it too, handed out
 * by fb_scenario_take. */
#ifndef FB_SCENARIO_SCENARIO_H
#define FB_SCENARIO_SCENARIO_H

#include <freebody/contact.h>
#include <freebody/control.h>
#include <freebody/plugin.h>
#include <freebody/remote.h>
#include <freebody/scenario.h>

#include "scenario/schema.h"
#include "document/schema/fields.h"

typedef struct fb_kind fb_kind; /* kinds/kinds.h */

/* A file that was read, byte for byte. */
typedef struct fb_scenario_input {
  char* file; /* as the scenario or the caller names it */
  char* text;
  size_t size;
  char* from;   /* where it was read: `file`, or its copy; NULL of the scenario itself */
  int is_model; /* 0: the scenario, a script or a plugin */
} fb_scenario_input;

typedef struct fb_scenario_motion {
  const char* name;
  int body, first, count; /* the joint, and its coordinates that are moved: indices in v */
  fb_motion motions[FB_JOINT_MAX_NV];
  int at_start;
} fb_scenario_motion;

typedef struct fb_scenario_block {
  const char* name;
  const fb_kind* kind;
  void* settings; /* the kind's own */
  unsigned modes;
  int sampled, limited; /* the wrappers around it */
  fb_sampling sampling;
  double period; /* of its ticks, those of its samples too; 0: none [s] */
  int moves;     /* it moves joints by accelerations */
  int has_edges; /* what it does may jump or bend at instants that are not known beforehand */
  const fb_port* outputs;
  int noutput;
  int is_read;                     /* the scenario names a signal of its outputs */
  const fb_block_kind* block_kind; /* of a contact or an element; NULL */
} fb_scenario_block;

typedef enum fb_action_kind {
  FB_ACT_LOCK,
  FB_ACT_RELEASE,
  FB_ACT_MOVE,
  FB_ACT_BOUNCE,
  FB_ACT_MODE,
  FB_ACT_SET,
  FB_ACT_JOIN,
  FB_ACT_PART,
  FB_ACT_STOP
} fb_action_kind;

typedef struct fb_scenario_action {
  fb_action_kind kind;
  int body;             /* lock, release */
  int index;            /* the motion, the mode, or the coordinate that bounces */
  double number;        /* restitution, value */
  fb_quantity quantity; /* of the value */
  const char *block, *parameter;
  fb_join_def join;    /* of a parting: only the name */
  const fb_node* node; /* of a parting: where it stands, until all events are read */
} fb_scenario_action;

typedef struct fb_scenario_event {
  const fb_scenario* scenario;
  fb_event event; /* its act and user are filled when a simulation is made */
  fb_scenario_action* actions;
  int count;
  const char* group; /* the name of the event of several joints that it belongs to; else NULL */
} fb_scenario_event;

/* Something fixed that contacts can name. */
typedef struct fb_scenario_surface {
  const char* name;
  const fb_kind* kind;
  fb_collider collider;
  const char* color;       /* or NULL */
  const fb_node* material; /* its keys; or NULL */
  int mesh;                /* of a mesh: index in the scenario's meshes, */
  const char* stored;      /* and its name in the run store */
  int nx, ny;              /* of a heightfield */
  double spacing[2];
  const double* heights; /* [ny][nx] */
} fb_scenario_surface;

/* A mesh that contacts use, read once. */
typedef struct fb_scenario_mesh {
  const char* file;  /* where it lies */
  unsigned mirrored; /* bit i: along axis i */
  int input;         /* its bytes, among the inputs */
  fb_geometry* geometry;
} fb_scenario_mesh;

enum { FB_BACKGROUND_NOT_GIVEN = -1, FB_BACKGROUND_SPACE, FB_BACKGROUND_PLAIN };

/* The appearance of pictures. */
typedef struct fb_scenario_view {
  int given; /* the scenario has a `view` */
  int background;
  int has_sun, has_ground, has_trails;
  double sun[3], ground;
  int follow;  /* a frame; 0: nothing */
  int* trails; /* [ntrail] frames */
  int ntrail;
} fb_scenario_view;

/* How remote controllers are called, and for whom (freebody/remote.h). */
typedef struct fb_scenario_remote {
  int dry; /* none is called: a simulation is only tried */
  int (*recall)(void* user, fb_remote_exchange* exchange, double* inputs, fb_error* error);
  fb_status (*record)(void* user, const fb_remote_exchange* exchange, fb_error* error);
  int (*ended)(void* user);
  fb_note_fn note;
  void* user;
} fb_scenario_remote;

/* How it was read: what a run keeps, to read it again. */
typedef struct fb_scenario_reading {
  const char* file; /* as the caller named it */
  const char** set; /* NULL-ended */
  double duration;  /* < 0: the file's own */
  fb_base base;
  fb_inertia_policy inertia;
  fb_mimic mimic;
  int plant; /* laws are left out */
} fb_scenario_reading;

/* What --set changes inside a model that is a file. */
typedef struct fb_scenario_change {
  int part;         /* of `models`; -1: `model` */
  const char* rest; /* of the assignment, as "bodies.hand.mass=3" */
} fb_scenario_change;

typedef struct fb_owned {
  void* memory;
  void (*free)(void* memory);
} fb_owned;

/* What `start` says of a joint: where it is, its rate; and that it is the joint of a base. */
enum { FB_GIVEN_PLACE = 1, FB_GIVEN_RATE = 2, FB_GIVEN_BASE = 4 };
/* An event watches its joint's limits; one that names the joint makes them stops, or any does. */
enum { FB_GIVEN_LIMIT = 8, FB_NAMED_STOP = 16, FB_GIVEN_STOP = 32, FB_THIS_EVENT = 64 };

struct fb_scenario {
  fb_doc* doc;
  fb_io_options io;      /* while it is read */
  const char* folder_of; /* the file whose folder model files are relative to */
  const char* copies;    /* or the folder with the copies of all files */
  fb_note_fn note;       /* what scripts print */
  void* note_user;
  fb_note_fn remark; /* what simulations that are no runs do otherwise than expected */
  void* remark_user;
  fb_scenario_remote* remote; /* NULL without remote controllers */
  fb_setup_fn setup;          /* what the program adds to simulations */
  void* setup_user;
  fb_scenario_reading reading;
  int bare;        /* a model without a scenario; it is inputs[0] */
  int has_changes; /* events join or part trees */
  fb_owned* owned;
  size_t owned_count, owned_room;
  fb_scenario_input* inputs;
  size_t input_count, input_room;
  fb_error first; /* of the errors, when all are wanted */
  int failures;
  fb_scenario_change* changes;
  int nchange;
  size_t change_room;
  const char* name;
  fb_model* model;
  const char** mounts; /* [nmount] "left is on deck by a fixed joint" */
  int nmount;
  double gravity_w[3];
  fb_environment environment;     /* gravity, and what the scenario adds to it: */
  fb_scenario_block surroundings; /* without a kind where it adds nothing; no block of a simulation */
  double *q, *v;
  unsigned char* given; /* [nbody] FB_GIVEN_PLACE ..., FB_GIVEN_LIMIT ... */
  int zero_momentum;    /* the bases have the velocities that this takes */
  double duration, log_period, checkpoint;
  int checkpoint_given;
  int log_motion;           /* q and the forces that are known beforehand are always logged */
  fb_sim_options options;   /* but for its stepper */
  const char* outside;      /* the method from outside, as "cvode"; or NULL */
  fb_stepper_traits traits; /* of the integrator */
  char integrator[96];
  const char* locked;      /* says which joints are locked because they have nothing to move; or NULL */
  fb_stiffness rates;      /* of the joints at the start */
  const char* fastest_law; /* the law whose loop is `rates.fastest`, or the element; NULL: a joint's */
  double growing; /* the fastest that is not friction: longer steps make motions grow without bound [1/s] */
  const char* compensated;     /* a law that compensates dampers, unknown to implicit; or NULL */
  char integrator_reason[192]; /* why auto took it; "" when it was given */
  const char** modes;          /* [nmode] NULL-ended; NULL entry when there is one without a name */
  int nmode;
  fb_scenario_motion* motions;
  fb_scenario_block* blocks;
  fb_block* faces; /* [nblock] what signals are found by: names and outputs of the blocks */
  int has_inputs;  /* some block takes signals */
  int is_read;     /* all of it: it is known which signals are used */
  fb_scenario_event* events;
  fb_limit* limits; /* events with FB_TRIGGER_LIMIT name them by index */
  fb_signal* signals;
  fb_scenario_surface* surfaces;
  fb_scenario_mesh* meshes;
  int nsurface, nmesh;
  size_t surface_room, mesh_room;
  const fb_node* materials; /* a map; or NULL */
  int nhard, ncompliant;    /* contacts, by their law */
  const char* unenforced;   /* joint limits that nothing enforces, in words; or NULL */
  int nmotion, nblock, nevent, nlimit, nsignal;
  size_t motion_room, block_room, face_room, event_room, limit_room, signal_room;
  fb_scenario_view view;
  const char* other_run_text; /* the state of another run that it begins with, and the same read; or NULL */
  fb_doc* other_run;
};

/* ---- scenario.c ---- */

fb_status fb_scenario_no_memory(fb_error* error);
/* FB_OK, after the error was reported and counted, when all errors are reported; else the status itself. */
fb_status fb_scenario_go_on(fb_scenario* s, fb_status status, fb_error* error);
/* Zeroed memory that lives as long as the scenario; NULL when there is none. */
void* fb_scenario_alloc(fb_scenario* s, size_t count, size_t size);
/* Text likewise, copied, or printed. */
const char* fb_scenario_copy_text(fb_scenario* s, const char* text);
const char* fb_scenario_print(fb_scenario* s, const char* format, ...) FB_PRINTF(2, 3);
/* Lets the scenario own something; 0 when out of memory, and then it is freed at once. */
int fb_scenario_own(fb_scenario* s, void* memory, void (*release)(void* memory));

#endif
