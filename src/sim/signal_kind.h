/* signal_kind.h -- the one table of the kinds of signals: names, components, units, meanings, what they cost. */
#ifndef FB_SIM_SIGNAL_KIND_H
#define FB_SIM_SIGNAL_KIND_H

#include <freebody/sim.h>

/* What a kind runs over: its names hold the joint's or the frame's. */
typedef enum fb_signal_over {
  FB_OVER_NOTHING,
  FB_OVER_Q, /* joints, a component for each coordinate of q */
  FB_OVER_V, /* joints, a component for each of v */
  FB_OVER_FRAMES
} fb_signal_over;

/* What must be known before a kind has a value; or them together. Later ones take the earlier along. */
enum {
  FB_NEEDS_NOTHING = 0,
  FB_NEEDS_TAU = 1,
  FB_NEEDS_VDOT = 2,
  FB_NEEDS_LEDGER = 4,
  FB_NEEDS_POSES = 8,
  FB_NEEDS_RATES = 16,
  FB_NEEDS_ACCELERATIONS = 32,
  FB_NEEDS_COM = 64,
  FB_NEEDS_WRENCHES = 128
};

typedef struct fb_signal_kind {
  const char* stem;    /* "p" */
  const char* part;    /* "linear" of momentum.linear; or NULL */
  fb_signal_over over; /* a joint's or frame's name follows */
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
  FB_SIGNAL_KINETIC,
  FB_SIGNAL_POTENTIAL,
  FB_SIGNAL_TOTAL,
  FB_SIGNAL_LEDGER /* this and all that follow are read from the ledger */
};

extern const fb_signal_kind fb_signal_kinds[]; /* ended by a kind whose stem is NULL */

/* The joints or frames a kind runs over: index from .. end-1. */
void fb_signal_range(const fb_model* m, const fb_signal_kind* kind, int* from, int* end);
/* How many components a kind has for one of them. */
/* What a signal of this kind is of: the name of a frame or joint, or the kind's own part, which may be NULL. */
const char* fb_signal_object(const fb_model* m, const fb_signal_kind* kind, int index);
int fb_signal_components(const fb_model* m, const fb_signal_kind* kind, int index);

#endif
