/* growth.h -- shared by the files of the error estimate (growth.c): the neighbouring motion, and samples of errors of
 * steps. */
#ifndef FB_SIM_GROWTH_H
#define FB_SIM_GROWTH_H

#include "sim/accuracy/error_control.h"

enum { FB_GROWTH_GROUP = 2 }; /* steps in a group, whose error is found together */
#define FB_GROWTH_NEIGHBOUR \
  1e-6 /* distance of the neighbouring motion, in units of the sizes of the motion */

/* Numbers of the estimated error. */
static inline int fb_growth_length(const fb_sim* s) {
  return 2 * s->nv + s->nx + s->block.nmemory;
}

/* ---- neighbour_motion.c ---- */

/* y moved by part e, of positions and velocities. */
void fb_growth_move(const fb_sim* s, const double* y, const double* e, double part, double* moved);
/* The neighbouring state: all that belongs to y moved by sigma e. */
void fb_growth_displace(const fb_sim* s, const double* y, double sigma, double* neighbour);
/* e += part (a - b), of positions, velocities and states. */
void fb_growth_add_difference(const fb_sim* s, const double* a, const double* b, double part, double* e);
/* sigma for the present e, 0 where there is none; 1 with moreau, whose velocities jump. */
double fb_growth_scale(const fb_sim* s, const double* y);
/* Calls a map with separate memory, without the ledger. */
int fb_growth_make_aside(fb_sim* s, const fb_growth_map* map, double t, double h, const double* y0,
                         double* memory, double* y1);
/* e after the step. Where it has grown much, the neighbouring motion on the other side is computed too: one of them
 * may have met something that the motion has not, such as a contact whose force jumps; the other is then more
 * accurate. */
int fb_growth_step_neighbour(fb_sim* s, const fb_growth_map* map, double t, double h, const double* y0,
                             const double* y1, double sigma);

/* ---- step_sample.c ---- */

/* Chooses whether the step to (t + h, y1) is a sample, and finds its error. err, rejected: as of fb_growth_step. */
void fb_growth_sample(fb_sim* s, double t, double h, const double* y0, const double* y1, double err,
                      int rejected, int smooth);
/* The step is accepted, with its sample. */
void fb_growth_count_sample(fb_sim* s);
/* The error of all steps from (from, y) to (t, y1). */
void fb_growth_find_group_error(fb_sim* s, double from, const double* y, double t, const double* y1,
                                double* e);

#endif
