/* dynamics.h -- the outputs of dynamics common to both evaluation formats, each computed on demand. */
#ifndef FB_EVAL_DYNAMICS_H
#define FB_EVAL_DYNAMICS_H

#include "eval/eval.h"

/* Vectors of nv; each call overwrites the last. */
typedef enum fb_eval_vector_kind {
  FB_VECTOR_BIAS,             /* velocity and gravity terms */
  FB_VECTOR_GRAVITY,          /* gravity terms alone */
  FB_VECTOR_PASSIVE,          /* springs and dampers */
  FB_VECTOR_PUSH,             /* sum of J^T wrench */
  FB_VECTOR_INVERSE,          /* tau for the input vdot */
  FB_VECTOR_INVERSE_UNLOADED, /* the same without wrenches */
  FB_VECTOR_FORWARD           /* vdot for the input tau */
} fb_eval_vector_kind;

const double* fb_eval_vector(fb_eval* eval, fb_eval_vector_kind what);
/* The generalized Jacobian, 6 x joints; NULL when the base of the frame does not float, or memory ran out. */
const double* fb_eval_generalized_jacobian(fb_eval* eval, int frame);
/* What each joint transmits, [nbody][6], for the input vdot; NULL when memory ran out. Needs FB_NEEDS_VDOT. */
const double* fb_eval_reactions(fb_eval* eval);
void fb_eval_mixed(fb_eval* eval); /* vdot into eval->x, tau into eval->y */
/* Loops at the positions of a case: distances without a length take it from there. */
void fb_eval_measure_loops(fb_eval* eval);
/* Force, torque and effort of every loop, [nloop][FB_EVAL_LOOP], where the input forces act: those of mixed dynamics where joints
 * are prescribed and vdot is given, else of forward dynamics; NULL when memory ran out. */
enum { FB_EVAL_LOOP = 7 };
const double* fb_eval_loops(fb_eval* eval);
double fb_eval_loop_error(fb_eval* eval, int loop);

/* Rows of both tables. */
void fb_eval_write_inertia(fb_eval* eval, int item, int what, fb_json* json); /* H */
typedef enum fb_eval_energy { FB_ENERGY_KINETIC, FB_ENERGY_POTENTIAL } fb_eval_energy;
void fb_eval_write_mass(fb_eval* eval, int item, int what, fb_json* json);
void fb_eval_write_com(fb_eval* eval, int item, int what, fb_json* json);
void fb_eval_write_energy(fb_eval* eval, int item, int what, fb_json* json);

#endif
