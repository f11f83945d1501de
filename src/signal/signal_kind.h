/* signal_kind.h -- the one table of the kinds of signals: names, components, units, meanings, required quantities. */
#ifndef FB_SIGNAL_SIGNAL_KIND_H
#define FB_SIGNAL_SIGNAL_KIND_H

#include <freebody/sim.h>

/* What a kind runs over: its names contain that of the joint, frame, body or loop. */
typedef enum fb_signal_over {
  FB_OVER_NOTHING,
  FB_OVER_Q, /* joints, a component for each coordinate of q */
  FB_OVER_V, /* joints, a component for each of v */
  FB_OVER_FRAMES,
  FB_OVER_JOINTS, /* all of them, those without coordinates too */
  FB_OVER_BODIES,
  FB_OVER_LOOPS
} fb_signal_over;

/* The objects that kinds run over, by fb_signal_over: ids first .. count-1. A new sort of object is another row. */
typedef struct fb_signal_objects {
  const char *what, *listed; /* "joint", "moving joints" */
  int first;                 /* 1: the world has no joint, and its frame does not move */
  int (*count)(const fb_model* m);
  int (*find)(const fb_model* m, const char* name); /* < first: there is none */
  const char* (*name)(const fb_model* m, int id);
} fb_signal_objects;

extern const fb_signal_objects fb_signal_overs[]; /* that of FB_OVER_NOTHING is empty */

/* What must be computed before a kind has a value; combined with |. Later ones include the earlier. */
enum {
  FB_NEEDS_NOTHING = 0,
  FB_NEEDS_TAU = 1,
  FB_NEEDS_VDOT = 2,
  FB_NEEDS_LEDGER = 4,
  FB_NEEDS_POSES = 8,
  FB_NEEDS_RATES = 16,
  FB_NEEDS_ACCELERATIONS = 32,
  FB_NEEDS_COM = 64,
  FB_NEEDS_WRENCHES = 128,
  FB_NEEDS_REACTIONS = 256,
  FB_NEEDS_LOOPS = 512,     /* a model with loops */
  FB_NEEDS_ERRORS = 1024,   /* of the loops */
  FB_NEEDS_CONTACTS = 2048, /* a simulation with contacts */
  FB_NEEDS_FORCES = FB_NEEDS_TAU | FB_NEEDS_VDOT | FB_NEEDS_ACCELERATIONS | FB_NEEDS_WRENCHES
};

typedef struct fb_signal_kind {
  const char* stem;    /* "p" */
  const char* part;    /* "linear" of momentum.linear; "force" of reaction.JOINT.force; or NULL */
  fb_signal_over over; /* the name of a joint, frame, body or loop follows the stem */
  int needs;
  const char* const* components; /* "x", "y", "z", NULL; or NULL: a single number, or a joint's coordinates */
  const char* unit;              /* of joints: of a coordinate that is an angle */
  const char* unit_length;       /* of joints: of one that is a length */
  const char* axes;
  size_t field; /* of the kinds that the ledger knows: its place in fb_ledger */
  const char* meaning;
} fb_signal_kind;

enum {
  FB_SIGNAL_T,
  FB_SIGNAL_Q,
  FB_SIGNAL_V,
  FB_SIGNAL_A,
  FB_SIGNAL_TAU,
  FB_SIGNAL_WORK,
  FB_SIGNAL_P,
  FB_SIGNAL_QUAT,
  FB_SIGNAL_RPY,
  FB_SIGNAL_VEL,
  FB_SIGNAL_OMEGA,
  FB_SIGNAL_ACC,
  FB_SIGNAL_ALPHA,
  FB_SIGNAL_FORCE,
  FB_SIGNAL_TORQUE,
  FB_SIGNAL_COM_P,
  FB_SIGNAL_COM_V,
  FB_SIGNAL_COM_BODY,
  FB_SIGNAL_JOINT,
  FB_SIGNAL_REACTION_FORCE,
  FB_SIGNAL_REACTION_TORQUE,
  FB_SIGNAL_LOOP_FORCE,
  FB_SIGNAL_LOOP_TORQUE,
  FB_SIGNAL_LOOP_ERROR,
  FB_SIGNAL_LOOP_EFFORT,
  FB_SIGNAL_KINETIC,
  FB_SIGNAL_POTENTIAL,
  FB_SIGNAL_TOTAL,
  FB_SIGNAL_EPOCH,
  FB_SIGNAL_LEDGER /* this and all that follow are read from the ledger */
};

enum { FB_SIGNAL_OUTPUT = 1000 }; /* no row of the table: index is the block, component counts its numbers */

extern const fb_signal_kind fb_signal_kinds[]; /* ended by a kind whose stem is NULL */

/* The objects that a kind has signals of: index from .. end-1; none if the model has no such objects. */
void fb_signal_range(const fb_model* m, const fb_signal_kind* kind, int* from, int* end);
/* The object of a signal of this kind: its name, or the fixed part of the name of the kind, which may be NULL. */
const char* fb_signal_object(const fb_model* m, const fb_signal_kind* kind, int index);
/* Whether "stem.name" is a signal of the scene, as com.p, so that no object of that name can be meant. */
int fb_signal_is_scene(const fb_signal_kind* kind, const char* name);
/* Whether the part follows the name of the object: reaction.JOINT.force. */
static inline int fb_signal_part_follows(const fb_signal_kind* kind) {
  return kind->part && kind->over != FB_OVER_NOTHING;
}
/* How many components a kind has for one of them: 0 of a fixed joint's q, and of what a type of loop does not have. */
int fb_signal_components(const fb_model* m, const fb_signal_kind* kind, int index);

/* ---- signal_output.c: signals of a model and of blocks ---- */

/* Of the blocks only names and outputs are read. */
typedef struct fb_signal_space {
  const fb_model* m;
  const fb_block* blocks;
  int nblock;
} fb_signal_space;

FB_API fb_status fb_space_find(const fb_signal_space* space, const char* name, fb_signal* signals, int room,
                               int* count, fb_error* error);
FB_API void fb_space_info(const fb_signal_space* space, fb_signal signal, fb_signal_info* info);
/* Whether a signal is one that fb_space_find could have given. */
int fb_space_has(const fb_signal_space* space, fb_signal signal);

#endif
