/* access.h -- functions of a simulation for other rooms, beyond <freebody/sim.h>: these do not read struct fb_sim. */
#ifndef FB_SIM_ACCESS_H
#define FB_SIM_ACCESS_H

#include <freebody/sim.h>

#include "base/private_api.h"
#include "sim/instant.h"

/* Blocks and events in the order in which they were added, contacts and what they bring along among them. */
FB_PRIVATE_API int fb_sim_nblock(const fb_sim* sim);
FB_PRIVATE_API const fb_block* fb_sim_block(const fb_sim* sim, int block);
FB_PRIVATE_API int fb_sim_nevent(const fb_sim* sim);
FB_PRIVATE_API const fb_event* fb_sim_event(const fb_sim* sim, int event);
/* [nstate] the states of a block, of a simulation that was started. */
FB_PRIVATE_API double* fb_sim_block_state(fb_sim* sim, int block);
/* The body whose joint is that of a body of the first model; -1: it no longer exists. */
FB_PRIVATE_API int fb_sim_body_now(const fb_sim* sim, int body);
/* `begin` is called at the start, after those of the blocks: it may change their states and the mode. */
FB_PRIVATE_API void fb_sim_begin_by(fb_sim* sim,
                                    fb_status (*begin)(const void* user, fb_sim* sim, fb_error* error),
                                    const void* user);
/* The mode in which it begins, at that call. */
FB_PRIVATE_API void fb_sim_begin_in(fb_sim* sim, int mode);

/* ---- signal/signal_value.c ---- */

/* Values of signals at a moment of the simulation. */
FB_PRIVATE_API fb_status fb_signal_eval(fb_sim* s, double t, const double* y, const fb_signal* signals,
                                        int count, double* values, fb_error* error);

/* ---- regroup/history.c ---- */

/* The model of an earlier epoch, 1 .. fb_sim_epoch: made again. */
FB_PRIVATE_API fb_status fb_sim_make_epoch(const fb_sim* s, int epoch, fb_model** out, fb_error* error);

/* ---- sim/diagnosis/ ---- */

/* The rate of the fastest motion that a block causes at the present state, found by differences [1/s]; 0: none, or
 * its forces jump. *coordinate: which one moves most in it. Allocates. */
FB_PRIVATE_API double fb_sim_probe_rate(fb_sim* s, int block, int* coordinate);
/* The same of the blocks that are marked (nblock) and the springs, dampers and friction of all joints, taken
 * together; NAN where it cannot be found. */
FB_PRIVATE_API double fb_sim_probe_whole(fb_sim* s, const unsigned char* with);
/* fb_sim_warning; by_keys: of a scenario, whose keys are named. */
FB_PRIVATE_API int fb_sim_diagnose(fb_sim* s, int by_keys, char* text, size_t size);
/* 1 if the ledger does not close only because the motion is small against the accuracy, which is no reason for a
 * warning; text says so. */
FB_PRIVATE_API int fb_sim_remark_small(fb_sim* s, int by_keys, char* text, size_t size);

/* ---- contact/dynamics/ ---- */

/* The last impact of a hard contact, by its block. */
typedef struct fb_hard_impact {
  double impulse; /* its magnitude [N s] */
  double speed;   /* of the fastest approach before it [m/s] */
  double gained;  /* what friction gave instead of taking it, as it may with Newton's restitution [J] */
} fb_hard_impact;
FB_PRIVATE_API fb_hard_impact fb_hard_last_impact(const fb_sim* s, int block);
/* Reasons to doubt the forces of hard contacts. count: steps and impacts whose impulses the solver has not found exactly; worst,
 * t: the largest residual of all, relative to the rates of the contacts, and its time. */
typedef struct fb_solver_doubts {
  long long count;
  double worst, t;
  long long gains;    /* impacts in which friction did positive work */
  const char* passed; /* the first contact whose sides passed each other within a step; NULL: none */
  double passed_t;
  int rescues; /* how often steps of moreau replaced events that accumulate (rescue.c), and the first time */
  double rescued_t;
  /* the contact of the deepest penetration that was left at the end of a step; NULL: none */
  const char* deepest;
  double depth, deepest_t;
  /* the estimated error of positions that steps of moreau leave in a second, relative to the sizes of trees
   * and to a radian */
  double error;
} fb_solver_doubts;
FB_PRIVATE_API fb_solver_doubts fb_hard_doubts(const fb_sim* s);
/* Sums of work at contacts, and what projections took, begin again; what friction remembers stays. */
FB_PRIVATE_API void fb_contacts_clear_works(fb_sim* s);

#endif
