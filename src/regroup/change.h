/* change.h -- a simulation that continues with another model after a join or a parting: functions of change.c,
 * history.c and original.c. */
#ifndef FB_REGROUP_CHANGE_H
#define FB_REGROUP_CHANGE_H

#include "sim/sim.h"

/* ---- change.c: another model in place of the present one ---- */

/* What a simulation continues with. */
typedef struct fb_next {
  const fb_model* m;               /* not NULL; taken over when it is not the first, also on failure */
  const double *q, *v;             /* its state; NULL: the state is copied in afterwards (snapshot.c) */
  double lost;                     /* kinetic energy lost in the jump to v [J] */
  const unsigned char* prescribed; /* [nv] of m: 1 where the rate is held through the jump; NULL: nowhere */
  /* of the neighbouring motion; sigma 0: there is none, NAN: it has no such state (growth.c) */
  const double *q_neighbour, *v_neighbour, sigma;
} fb_next;

/* Whether coordinate k of the next model belongs to a joint, reversed or not, that is locked in all coordinates. */
int fb_sim_is_locked_still(const fb_sim* s, const fb_model* next, int k);
/* On failure the simulation is unchanged, except for the stepper's history. */
fb_status fb_sim_exchange(fb_sim* s, const fb_next* next, fb_error* error);
/* Returns to the original model, without a state. */
fb_status fb_sim_exchange_first(fb_sim* s, fb_error* error);

/* ---- history.c: joins and partings that were made ---- */

size_t fb_history_size(const fb_sim* s); /* as bytes; 0 without any */
void fb_history_write(const fb_sim* s, char* out);
/* Whether the bytes are the history of s. */
int fb_history_is(const fb_sim* s, const char* bytes, size_t size);
/* Reads `count` changes from the end of a snapshot. *changes is malloc'd, free it by fb_changes_free. */
fb_status fb_history_read(const char* bytes, size_t size, int count, fb_change** changes, fb_error* error);
void fb_change_clear(fb_change* change);
void fb_changes_free(fb_change* changes, int count);
/* The model that a change makes of m at q. */
fb_status fb_change_model(const fb_model* m, const fb_change* change, fb_model** out, fb_error* error);

/* The model after all these changes; NULL when they are none. */
fb_status fb_changes_model(const fb_model* first, const fb_change* changes, int count, fb_model** last,
                           fb_error* error);

/* ---- original.c: the first model's joints in the present one ---- */

/* Finds them; 0: no memory. Frees nothing. */
int fb_original_joints_find(const fb_model* first, const fb_model* now, fb_original_joints* out);
void fb_original_joints_free(fb_original_joints* first);
/* The body whose joint is that of a body of the first model; -1: it no longer exists. */
static inline int fb_original_body(const fb_sim* s, int body) {
  return s->regroup.joints.body ? s->regroup.joints.body[body] : body;
}
/* Whether q and v of a joint of the first model are entries of the present q and v. */
int fb_original_continues(const fb_sim* s, int body);
/* q, v and v' of a removed joint, all components: from the poses and rates of d; NaN where it has none. */
void fb_original_q(const fb_sim* s, const fb_data* d, int body, double* q);
void fb_original_v(const fb_sim* s, const fb_data* d, int body, double* v);
void fb_original_a(const fb_sim* s, const fb_data* d, int body, double* a);
/* The origin of its joint frame on its parent, world axes. */
void fb_original_origin(const fb_sim* s, const fb_data* d, int body, double p[3]);
/* A wrench of the present joint that continues it, stated at that joint's origin, as one on the first model's child at the
 * first model's origin; NaN when none continues it. */
void fb_original_wrench(const fb_sim* s, const fb_data* d, int body, const double* wrenches, double out[6]);
/* After every step: keeps the attitudes, so that quaternions keep their signs. */
void fb_original_follow(fb_sim* s);

/* ---- ledger_change.c ---- */

/* Around a change of the model. Residuals continue: those of a tree are the sums of those of its parts. NULL: no
 * memory. */
typedef struct fb_ledger_carried fb_ledger_carried;
fb_ledger_carried* fb_ledger_carry(fb_sim* s);
void fb_ledger_carry_free(fb_ledger_carried* carried);
void fb_ledger_take_up(fb_sim* s, const fb_ledger_carried* carried, const fb_next* next);

#endif
