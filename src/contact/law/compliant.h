/* compliant.h -- contacts with compliant laws at an instant: their points and forces. */
#ifndef FB_CONTACT_LAW_COMPLIANT_H
#define FB_CONTACT_LAW_COMPLIANT_H

#include "contact/pair.h"
#include "contact/law/friction.h"

/* Memory of the block: parameters, which events may set; then of each bristle the feature that it belongs to. */
enum { FB_COMPLIANT_FRICTION, FB_COMPLIANT_STIFFNESS, FB_COMPLIANT_DAMPING, FB_COMPLIANT_MEMORY };

/* A contact at an instant. */
typedef struct fb_compliant {
  const fb_model* m;
  const fb_data* d; /* poses and velocities, in a frame at */
  double origin[3]; /* in the world */
  const fb_contact_block* c;
  double friction, stiffness, damping;
  const double* masses;         /* [bodies] of each with its subtree */
  const double *state, *owners; /* of the block; of its bristles (bristles.h) */
} fb_compliant;

/* A point that touches. */
typedef struct fb_push {
  fb_contact_point point;
  const fb_collider *a, *b;
  double weight;            /* weight of the point, already in its forces below */
  double normal;            /* N, >= 0 */
  double slope, slope_rate; /* of N by d and by d' */
  double approach;          /* d' [m/s] */
  double slip[3];           /* velocity of a relative to b along the surface, world axes */
  fb_friction how;
  fb_friction_force slip_friction; /* with bristles its rate is in their axes */
  int bristle;                     /* index of its three numbers in the state; -1: none */
} fb_push;

/* The contact of a block's user at an instant. */
fb_compliant fb_compliant_at(void* user, const fb_context* context, const double* memory,
                             const double* state);
/* Bristles of a contact. Its state: the works (pair.h), then three numbers for each of them. */
int fb_compliant_nbristle(const fb_contact_block* c);
/* At the end of a step: bristles of points that touch belong to these from now on, also at the start; soil keeps no more
 * energy than it can have stored. */
void fb_contact_keep(void* user, const fb_context* context, double* memory, const double* state);

/* Bounds the estimated errors of a contact's states, `off`: those of bristles that touch. h: of the step that was
 * made. */
void fb_contact_bound_errors(void* user, const fb_context* context, const double* memory, const double* state,
                             double h, double* off);

/* The energy stored in a contact, which it can release without having absorbed it during the run [J]: that of its
 * springs; of soil no more than this, normal forces times depths. */
double fb_contact_stored(void* user, const fb_context* context, const double* memory, const double* state);

/* Calls `use` with every point that touches, deepest first in a pair of colliders. */
typedef void fb_use_push(void* into, const fb_compliant* at, const fb_push* push);
void fb_compliant_visit(const fb_compliant* at, fb_use_push* use, void* into);

/* The rate of the fastest motion that a contact alone would cause, if it touched where its sides are nearest at the
 * poses in d [1/s]; 0 of laws whose stiffness depends on the load. After fb_kinematics and fb_response_begin. */
FB_API double fb_contact_rate(const fb_model* m, fb_data* d, const unsigned char* prescribed,
                              const fb_contact* how);

#endif
