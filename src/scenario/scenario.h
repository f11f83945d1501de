/* scenario.h -- what a scenario is once it was read, and what its readers share.
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

#include "block/coordinate.h"
#include "scenario/schema.h"
#include "document/schema_fields.h"

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

typedef struct fb_kind fb_kind; /* scenario/kinds.h */

typedef struct fb_scenario_block {
  const char* name;
  const fb_kind* kind;
  void* settings; /* the kind's own */
  unsigned modes;
  int sampled, limited; /* the wrappers around it */
  fb_sampling sampling;
  double period; /* of its ticks, those of its samples too; 0: none [s] */
  int moves;     /* it moves joints by accelerations */
  int has_edges; /* what it does may jump or bend at instants that only it knows */
  const fb_port* outputs;
  int noutput;
  int is_read; /* the scenario names a signal of its outputs */
  int contact; /* fb_block.contact_ */
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
  fb_surface_kind kind;
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

/* How pictures shall look. */
typedef struct fb_scenario_view {
  int given; /* the scenario has a `view` */
  int background;
  int has_sun, has_ground, has_trails;
  double sun[3], ground;
  int follow;  /* a frame; 0: nothing */
  int* trails; /* [ntrail] frames */
  int ntrail;
} fb_scenario_view;

/* How remote controllers are asked, and by whom (freebody/remote.h). */
typedef struct fb_scenario_remote {
  int dry; /* nobody is asked: a simulation is only tried */
  int (*recall)(void* user, fb_remote_exchange* exchange, double* inputs, fb_error* error);
  fb_status (*record)(void* user, const fb_remote_exchange* exchange, fb_error* error);
  int (*ended)(void* user);
  fb_note_fn note;
  void* user;
} fb_scenario_remote;

/* How it was read: what a run keeps, to read it again. */
typedef struct fb_scenario_asked {
  const char* file; /* as the caller named it */
  const char** set; /* NULL-ended */
  double duration;  /* < 0: the file's own */
  int base;         /* an fb_base */
  int inertia;      /* an fb_inertia_policy */
  int mimic;        /* an fb_mimic */
  int plant;        /* laws are left out */
} fb_scenario_asked;

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
  fb_scenario_remote* remote; /* NULL without remote controllers */
  fb_setup_fn setup;          /* what the program adds to simulations */
  void* setup_user;
  fb_scenario_asked asked;
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
  double *q, *v;
  unsigned char* given; /* [nbody] FB_GIVEN_PLACE ..., FB_GIVEN_LIMIT ... */
  int zero_momentum;    /* the bases have the velocities that this takes */
  double duration, log_period, checkpoint;
  int checkpoint_given;
  int log_motion;           /* q and the forces that are known beforehand are logged, asked for or not */
  fb_sim_options options;   /* but for its stepper */
  const char* outside;      /* the method from outside, as "cvode"; or NULL */
  fb_stepper_traits traits; /* of the integrator */
  char integrator[96];
  const char* held;        /* says which joints are held because they have nothing to move; or NULL */
  fb_rates rates;          /* of the joints at the start */
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
  int is_read;     /* all of it: it is known which signals are asked for */
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
  const char* taken_text; /* the state of another run that it begins with, and the same read; or NULL */
  fb_doc* taken;
};

/* ---- scenario.c ---- */

fb_status fb_scenario_no_memory(fb_error* error);
/* FB_OK, after the error was reported and counted, when the caller wants all errors; else the status itself. */
fb_status fb_scenario_go_on(fb_scenario* s, fb_status status, fb_error* error);
/* Zeroed memory that lives as long as the scenario; NULL when there is none. */
void* fb_scenario_take(fb_scenario* s, size_t count, size_t size);
/* Text likewise, copied, or printed. */
const char* fb_scenario_text(fb_scenario* s, const char* text);
const char* fb_scenario_print(fb_scenario* s, const char* format, ...) FB_PRINTF(2, 3);
/* Lets the scenario own something; 0 when out of memory, and then it is freed at once. */
int fb_scenario_own(fb_scenario* s, void* memory, void (*release)(void* memory));

/* ---- scenario/names.c: what a name stands for, or the nearest that exists ---- */

fb_status fb_scenario_joint(const fb_scenario* s, const fb_node* node, int* body, fb_error* error);
fb_status fb_scenario_frame(const fb_scenario* s, const fb_node* node, int* frame, fb_error* error);
/* The same, or FB_WORLD. */
fb_status fb_scenario_frame_or_world(const fb_scenario* s, const fb_node* node, int* frame, fb_error* error);
/* The body that a joint or a body is called by. */
fb_status fb_scenario_body(const fb_scenario* s, const fb_node* node, int* body, fb_error* error);
int fb_scenario_floats(const fb_model* m, int body);
/* The floating bases as a NULL-ended list of names; *count of them, the last is *last. NULL without memory; to be
 * freed. */
const char** fb_scenario_list_bases(const fb_model* m, int* count, int* last);
/* The joint that is the key of a map's value. */
fb_status fb_scenario_key_joint(const fb_scenario* s, const fb_node* map, int index, int* body,
                                fb_error* error);
fb_status fb_scenario_motion_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error);
fb_status fb_scenario_block_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error);
fb_status fb_scenario_mode_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error);
/* The signals that a name stands for, as fb_sim_find_signal; blocks whose outputs are among them are noted. */
fb_status fb_scenario_find_signals(fb_scenario* s, const char* name, fb_signal* signals, int room, int* count,
                                   fb_error* error);
/* A mode, or a list of them, as bits; node may be NULL. */
fb_status fb_scenario_modes_of(const fb_scenario* s, const fb_node* node, unsigned* bits, fb_error* error);
/* No two items of a list, nor one of them and one of the earlier list (may be NULL), have the same name. */
fb_status fb_scenario_check_names(const fb_node* list, const fb_node* earlier, const char* what,
                                  fb_error* error);
/* The word at `index` of a list is not one of those before it. */
fb_status fb_scenario_check_once(const fb_node* list, int index, const char* what, fb_error* error);
/* `what` is what the word names, as "motion"; names[count]. */
fb_status fb_scenario_word(const fb_node* node, const char* word, const char* what, const char* const* names,
                           int count, int* index, fb_error* error);

/* ---- scenario/values.c: numbers whose unit depends on the joint ---- */

/* The unit of a field at coordinate i of a joint's velocity. */
fb_quantity fb_scenario_quantity(const fb_scenario* s, const fb_field* field, int body, int i);
fb_status fb_scenario_number(const fb_scenario* s, const fb_node* node, const fb_field* field, int body,
                             int i, double* out, fb_error* error);
/* One number for a joint of one coordinate, else a list: numbers[nv]. */
fb_status fb_scenario_coordinates(const fb_scenario* s, const fb_node* node, const fb_field* field, int body,
                                  double* numbers, fb_error* error);
/* A joint's place in q, from start.joints. */
fb_status fb_scenario_position(const fb_scenario* s, const fb_node* node, int body, double* q,
                               fb_error* error);
/* The joint has coordinates; `coordinate` (-1: not given) is one of them. */
fb_status fb_scenario_check_coordinate(const fb_scenario* s, const fb_node* node, int body, int coordinate,
                                       fb_error* error);
/* One number under a key that other kinds give for each coordinate; *out is left as it is when the key is absent. */
fb_status fb_scenario_one(const fb_fields* values, const char* key, fb_quantity quantity, double* out,
                          fb_error* error);
/* Numbers by name; map may be NULL. */
fb_status fb_scenario_parameters(fb_scenario* s, const fb_node* map, fb_plugin_parameter** parameters,
                                 int* count, fb_error* error);
fb_status fb_scenario_need_list(const fb_node* node, const char* what, fb_error* error);

/* ---- scenario/path.c: paths in time ---- */

typedef struct fb_scenario_path {
  int count;
  double* times;
  int shape; /* fb_path_shape */
  double ramp;
  int shaped;
  fb_shaping_row shaping;
} fb_scenario_path;

/* Rising times. */
fb_status fb_scenario_times(fb_scenario* s, const fb_node* list, int* count, double** times, fb_error* error);
/* The keys of a path of any kind, and how it runs; its values are left to the caller. */
fb_status fb_scenario_path_of(fb_scenario* s, const fb_node* map, int object, fb_fields* values,
                              fb_scenario_path* path, fb_error* error);
/* A spline through the times and the values of a list, for coordinate i of a joint; body -1: in the field's own
 * unit. */
fb_status fb_scenario_spline(fb_scenario* s, const fb_node* list, const fb_field* field, int body, int i,
                             const fb_scenario_path* path, const fb_spline** out, fb_error* error);
/* Three of them through a list of points. */
fb_status fb_scenario_splines3(fb_scenario* s, const fb_node* list, const fb_field* field,
                               const fb_scenario_path* path, const fb_spline* out[3], fb_error* error);
/* The `turn` of a law and its `axis`, which belong together; *turn is NULL when there is none. */
fb_status fb_scenario_turn(fb_scenario* s, const fb_fields* law, const fb_spline** turn, double axis_w[3],
                           fb_error* error);
/* A force under one key as a number, or under another as a path; NULL when neither is there. */
fb_status fb_scenario_force_path(fb_scenario* s, const fb_fields* values, const char* number_key,
                                 const char* path_key, const fb_spline** out, fb_error* error);
fb_status fb_scenario_constant(fb_scenario* s, double value, const fb_spline** out, fb_error* error);

/* ---- scenario/input.c ---- */

/* Reads the file that a node names, beside the scenario or from the copies; it becomes the last of the inputs. `what`
 * is what it should be, as "model file". *index is its place among the inputs. */
fb_status fb_scenario_read_input(fb_scenario* s, const fb_node* node, const char* what, int* index,
                                 fb_error* error);
/* The same for a file by its path; the node is blamed when it cannot be read. */
fb_status fb_scenario_read_file(fb_scenario* s, const fb_node* node, const char* file, const char* what,
                                int* index, fb_error* error);
/* "folder/2-base": where the copy of the index-th file stands. Returns buffer. */
char* fb_scenario_copy_name(const char* folder, int index, const char* file, char* buffer, size_t size);

/* ---- scenario/model.c ---- */

/* A model by its file, or as a map; it is the part-th of `models`, or -1. */
fb_status fb_scenario_read_model(fb_scenario* s, const fb_node* node, int part, const fb_io_options* how,
                                 fb_model_def** def, fb_error* error);
fb_status fb_scenario_parse_model(const fb_scenario_input* input, const fb_io_options* io, fb_model_def** def,
                                  fb_error* error);

/* ---- scenario/parts.c ---- */

/* Joins the models of a list into the scene and builds it. */
fb_status fb_scenario_read_parts(fb_scenario* s, const fb_node* list, int gravity_given, fb_model_def* scene,
                                 fb_error* error);

/* ---- scenario/change.c: --set ---- */

/* Changes the document, or keeps the change for the file of a model that it reaches into. */
fb_status fb_scenario_set(fb_scenario* s, const char* assignment, fb_error* error);
/* Reads a model file, of any format, with the changes that are kept for it. */
fb_status fb_scenario_change_model(const fb_scenario* s, const fb_scenario_input* input,
                                   const fb_io_options* io, int part, fb_model_def** def, fb_error* error);

/* ---- the parts, in the order in which they are read; values are those of the scenario's own keys ---- */

fb_status fb_scenario_read_models(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_modes(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_start(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_motions(fb_scenario* s, const fb_fields* values, fb_error* error);
/* start_loops.c: closes the loops of the model; what `start` and motions give is held. */
fb_status fb_scenario_close_loops(fb_scenario* s, const fb_fields* top, fb_error* error);
/* How far the loop that is open widest at s->q is open, and its name; -1 when there is no memory. [m or rad] */
double fb_scenario_widest_loop(const fb_scenario* s, const char** name, fb_error* error);
/* Floating bases without momentum, once joints and motions are known. */
fb_status fb_scenario_zero_momentum(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_control(fb_scenario* s, const fb_fields* values, fb_error* error);
/* control.c: whether a signal is of a law that is left out (fb_scenario_options.plant). */
int fb_scenario_is_of_left_out_law(const fb_scenario* s, const char* signal);
fb_status fb_scenario_read_forces(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_surfaces(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_materials(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_contacts(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_events(fb_scenario* s, const fb_fields* values, fb_error* error);
/* limit.c: `limits: contact`, after the events. */
fb_status fb_scenario_read_stops(fb_scenario* s, const fb_fields* values, fb_error* error);

/* ---- scenario/surface.c ---- */

struct fb_json;
/* The surfaces as a list, for the run store (docs/run-store.md). */
void fb_scenario_print_surfaces(struct fb_json* json, const fb_scenario* s);
/* The index of a surface; -1 when there is none of this name. */
int fb_scenario_find_surface(const fb_scenario* s, const char* name);

/* ---- scenario/surface_grid.c ---- */

/* The heights of a heightfield, from its keys or its file, into surface and its geometry. */
fb_status fb_scenario_read_heights(fb_scenario* s, const fb_fields* values, fb_scenario_surface* surface,
                                   fb_error* error);
/* A text with a row of numbers on each line, separated by blanks, commas or semicolons; # begins a comment. numbers:
 * malloc'd, [rows][columns]. */
fb_status fb_scenario_parse_grid(const char* text, size_t size, const char* file, int* rows, int* columns,
                                 double** numbers, fb_error* error);

/* ---- scenario/contact_mesh.c ---- */

/* Lets the scenario own geometry, as fb_scenario_own. */
int fb_scenario_own_geometry(fb_scenario* s, fb_geometry* geometry);

/* A mesh file as geometry, read once for all that use it; an error is placed at the node. *index: in s->meshes. Negative
 * scale factors mirror it, and become positive. */
fb_status fb_scenario_contact_mesh(fb_scenario* s, const fb_node* node, const char* file, double scale[3],
                                   int* index, fb_error* error);

/* ---- scenario/contact_side.c ---- */

/* The colliders that an `a` or `b` names; they live as long as the scenario. */
typedef struct fb_scenario_side {
  fb_collider* colliders;
  int count;
  const char* text;        /* "foot*, ground" */
  const fb_node* material; /* of its surfaces, where all have the same; or NULL */
} fb_scenario_side;

fb_status fb_scenario_read_sides(fb_scenario* s, const fb_fields* values, fb_scenario_side* a,
                                 fb_scenario_side* b, fb_error* error);

/* ---- scenario/material.c ---- */

/* The keys of the material that a node names. */
fb_status fb_scenario_find_material(const fb_scenario* s, const fb_node* node, const fb_node** map,
                                    fb_error* error);
/* The law and the values of a contact: those of its material, else of that of its surface (or NULL), else of `default`,
 * then its own. */
fb_status fb_scenario_read_law(const fb_scenario* s, const fb_fields* values, const fb_node* of_surface,
                               fb_contact_row* row, fb_error* error);

/* ---- scenario/kinds/contact.c ---- */

/* An event with `contact`: which, and what happens to it. */
fb_status fb_scenario_read_change(const fb_scenario* s, const fb_fields* values, fb_event* event,
                                  fb_error* error);
/* The contact of a block of fb_kind_contact; NULL of others. */
const fb_contact* fb_scenario_contact_of(const fb_scenario_block* block);

/* Who reads the actions of an event. */
typedef struct fb_action_reader {
  fb_scenario* s;
  int limit_body, limit_at; /* of a limit event: the joint and its coordinate; else -1 */
} fb_action_reader;
/* list may be NULL. */
fb_status fb_scenario_read_actions(const fb_action_reader* r, const fb_node* list, fb_scenario_event* out,
                                   fb_error* error);
/* Takes the event over. */
fb_status fb_scenario_add_event(fb_scenario* s, const fb_scenario_event* event, fb_error* error);

/* ---- scenario/limit.c ---- */

/* Notes which joints events name to make stops of their limits, before any of them is read. */
void fb_scenario_find_named_limits(fb_scenario* s, const fb_node* events);
/* An event with `limit`: two events for each coordinate that has limits. */
fb_status fb_scenario_read_limits(fb_scenario* s, const fb_fields* values, const fb_scenario_event* event,
                                  fb_error* error);

/* ---- scenario/join.c ---- */

fb_status fb_scenario_read_join(const fb_scenario* s, const fb_node* map, fb_scenario_action* out,
                                fb_error* error);
/* Once all events are read: what they part must be a joint of the model, or of a join. */
fb_status fb_scenario_check_parts(fb_scenario* s, fb_error* error);
/* Whether an event opens the joint of this body. */
int fb_scenario_parts_body(const fb_scenario* s, int body);
/* How many joins and partings an event makes. */
int fb_scenario_event_changes(const fb_scenario* s, int event);
/* "weld", "revolute" ... */
const char* fb_scenario_join_word(fb_joint_type type);

/* ---- scenario/stop.c ---- */

/* A stop of a coordinate at a level, with an event for each phase that it has. */
fb_status fb_scenario_add_stop(fb_scenario* s, const fb_limit* limit, const fb_scenario_event* event,
                               fb_error* error);

/* The same, but where a joint bounces at a level of its coordinate the event becomes a stop. */
fb_status fb_scenario_add_watch(fb_scenario* s, const fb_scenario_event* event, fb_error* error);
/* The signal of coordinate `at` of a body's joint. */
fb_status fb_scenario_coordinate_signal(const fb_scenario* s, int body, int at, fb_signal* signal,
                                        fb_error* error);
/* ---- scenario/start_slopes.c ---- */

typedef struct fb_start_slopes {
  unsigned char* prescribed;   /* [nv] */
  double *stiffness, *damping; /* [nv] what laws and soft stops add to the joints' own */
  double law_rate;             /* of laws whose loops do not depend on what the joints carry [1/s] */
  const char* law;
} fb_start_slopes;

enum { FB_EVERY_MODE = -1 };

/* With the laws that act in this mode; FB_EVERY_MODE: with all of them. fb_start_slopes_free it, also after an error. */
fb_status fb_scenario_start_slopes(const fb_scenario* s, int mode, fb_start_slopes* x, fb_error* error);
void fb_start_slopes_free(fb_start_slopes* x);

/* ---- scenario/law_rates.c ---- */

/* What laws answer at the start. */
typedef struct fb_law_rates {
  double rate;                /* of the fastest law that declares no gains [1/s]; 0: there is none */
  const char* law;            /* its name, or NULL */
  double passive, whole;      /* of joints with their laws, and with all laws; NAN: not known */
  unsigned char* compensated; /* [nv] computed torque compensates what is passive there, always */
} fb_law_rates;

/* fb_law_rates_free it, also after an error. */
fb_status fb_scenario_ask_laws(const fb_scenario* s, fb_law_rates* asked, fb_error* error);
void fb_law_rates_free(fb_law_rates* asked);

/* ---- scenario/held.c ---- */

/* Joints of a model read with `repair` that have nothing to move in some mode, and no damper or gain either, are held where
 * they start; s->held names them. */
fb_status fb_scenario_hold_idle(fb_scenario* s, const fb_fields* values, fb_error* error);
/* Holds those whose dampers or gains turned out to be too weak to move them, too; 0 when there are none. */
int fb_scenario_hold_slow(fb_scenario* s, fb_error* error);

/* ---- scenario/integrator.c ---- */

fb_status fb_scenario_read_integrator(fb_scenario* s, const fb_fields* values, fb_error* error);
/* 1 when the method is not made for something as stiff as the fastest joint; text says so, and what to do. */
int fb_scenario_stiffness(const fb_scenario* s, char* text, size_t size);
fb_status fb_scenario_read_log(fb_scenario* s, const fb_fields* values, fb_error* error);
fb_status fb_scenario_read_view(fb_scenario* s, const fb_fields* values, fb_error* error);

/* ---- scenario/control.c ---- */

/* A block with settings of its kind; its name is the item's, or "WHAT[index]". */
fb_status fb_scenario_new_block(fb_scenario* s, const fb_kind* kind, const char* name, const char* what,
                                int index, fb_scenario_block* block, fb_error* error);
fb_status fb_scenario_add_block(fb_scenario* s, const fb_scenario_block* block, fb_error* error);
/* Makes the block once, so that what it refuses is refused at its place, and notes its outputs and ticks. */
fb_status fb_scenario_try_block(fb_scenario* s, const fb_node* blame, fb_scenario_block* block,
                                fb_error* error);

/* ---- scenario/kinds/element.c ---- */

/* An item of `forces` between frames: FB_FORCE_SPRING or FB_FORCE_BUSHING. */
fb_status fb_scenario_read_element(fb_scenario* s, const fb_fields* values, int variant, int index,
                                   fb_error* error);

/* ---- scenario/sample.c ---- */

fb_status fb_scenario_read_sample(const fb_scenario* s, const fb_node* map, fb_scenario_block* block,
                                  fb_error* error);
/* Refuses ticks without end. */
fb_status fb_scenario_check_period(const fb_scenario* s, const fb_node* node, double period, fb_error* error);

/* ---- scenario/block.c ---- */

/* Fills a block for a simulation, or to look at its parameters. */
fb_status fb_scenario_make_block(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                 fb_error* error);
/* The quantity of a block's parameter; an error when there is no such parameter. */
fb_status fb_scenario_parameter(const fb_scenario* s, const fb_scenario_block* block, const fb_node* node,
                                fb_quantity* quantity, fb_error* error);

/* ---- scenario/plan.c: what a run will come to ---- */

/* All that a run logs: the scenario's own signals, the ledger always, and the motion unless it is not wanted.
 * malloc'd, free() it after an error too. */
fb_status fb_scenario_logged(const fb_scenario* s, fb_signal** signals, int* count, fb_error* error);
int fb_scenario_is_fixed(const fb_scenario* s); /* steps are fixed, not found by error control */
int fb_scenario_is_multiple(double x, double of);
double fb_scenario_steps(const fb_scenario* s);   /* of fixed steps, cut at checkpoints; else -1 */
int fb_scenario_more_steps(const fb_scenario* s); /* events and edges may cut more of them */
double fb_scenario_samples(const fb_scenario* s);

/* ---- scenario/reading.c ---- */

/* How the models of a scenario are read, or one of its parts: s->io, and what the keys of `values` say. */
fb_status fb_scenario_read_how(fb_scenario* s, const fb_fields* values, int of_part, fb_io_options* how,
                               fb_error* error);

/* ---- scenario/mesh.c: files that shapes name ---- */

/* The name of the next mesh of the scene, each once; NULL after the last. Begin with *body 1, *index -1; *body is
 * the first body that has it. */
const char* fb_scenario_next_mesh(const fb_scenario* s, int* body, int* index);
/* Where it lies; malloc'd, NULL without memory. */
char* fb_scenario_mesh_path(const fb_scenario* s, const char* name);
/* Reads the file and checks that it is a mesh, whole: its bytes (free() them), or error->text, what is the matter:
 * "is not there". FB_ERR_CONTENT: there is no mesh; FB_ERR_IO, FB_ERR_MEMORY: there may be, but reading failed. */
fb_status fb_scenario_read_mesh(const char* path, char** data, size_t* size, fb_error* error);

/* ---- scenario/sim.c ---- */

/* A simulation that is started to see whether it can be: remote controllers are not asked. */
fb_status fb_scenario_try_sim(const fb_scenario* s, fb_sim** sim, fb_error* error);

/* The event of the scenario that an event of its simulation is; -1: it is a contact's. */
int fb_scenario_event_of(const fb_scenario* s, const fb_sim* sim, int event);

/* ---- scenario/action.c ---- */

struct fb_text;
/* "joint 'elbow' is locked; mode 'hold' begins"; nothing for an event that is only logged. With `units` a value that is
 * set has its unit. */
void fb_scenario_add_actions(struct fb_text* out, const fb_scenario* s, int event, int units);
/* What else happens at limits, besides the stop itself; after ": ", or "; " where a stop was described. */
void fb_scenario_add_group_actions(struct fb_text* out, const fb_scenario* s, int event);

/* ---- scenario/explain_limit.c ---- */

/* The line of a stop, "NAME: q.elbow cannot exceed 2 rad: ...", or of an event at the limits of several joints. */
void fb_scenario_add_limit_event(struct fb_text* out, const fb_scenario* s, int event);
/* The limits of joints that nothing in the scenario enforces, with the reason: a line of each kind. */
enum { FB_IGNORED_LIMITS, FB_IGNORED_SPEEDS, FB_IGNORED_EFFORTS, FB_IGNORED_COUNT };
extern const char* const fb_ignored_heads[FB_IGNORED_COUNT];
int fb_scenario_has_ignored(const fb_scenario* s, int kind);
void fb_scenario_add_ignored(struct fb_text* out, const fb_scenario* s, int kind);

/* ---- scenario/taken.c ---- */

/* Begins with the state of another run, as src/run/job/state.c prints it; note may be NULL. */
fb_status fb_scenario_take_state(fb_scenario* s, const char* text, fb_note_fn note, void* user,
                                 fb_error* error);
/* Gives a simulation that starts the states of blocks and the mode; user is the scenario. */
fb_status fb_scenario_take_up(const void* user, fb_sim* sim, fb_error* error);

/* ---- scenario/view.c ---- */

/* "ground at z = 0 m, trails of hand", without an end of line. */
void fb_scenario_add_view(struct fb_text* out, const fb_scenario* s);
/* The same, and gravity, as one line of JSON for the run store (docs/run-store.md); malloc'd. */
fb_status fb_scenario_print_view(const fb_scenario* s, char** text, fb_error* error);

/* ---- scenario/explain_loops.c ---- */

/* How many lines the loops take; one of them. */
int fb_scenario_loop_lines(const fb_scenario* s);
void fb_scenario_add_loop_line(struct fb_text* out, const fb_scenario* s, int line);

/* ---- scenario/explain.c ---- */

/* "30 deg", "0.2 m", "0.5 deg/s": a coordinate i of a joint, or its rate. */
void fb_scenario_add_coordinate(struct fb_text* out, const fb_model* m, int body, int i, double x, int rate);
/* "30 deg", "0.2 m", "5": a number in an SI unit, angles in degrees as everywhere in explanations. */
void fb_scenario_add_number(struct fb_text* out, double x, const char* unit);
/* "elbow", or "gimbal coordinate 1" of a joint with several. */
void fb_scenario_add_coordinate_name(struct fb_text* out, const fb_model* m, int k);

/* "[1, 0, 0] N" */
void fb_scenario_add_vector(struct fb_text* out, const double* x, const char* unit);
/* "10 ms", "2 min": a time for people. Returns buffer. */
char* fb_scenario_time_text(double seconds, char buffer[32]);

#endif
