/* dynamics.h -- the outputs of dynamics that both evaluation formats have, each computed when asked. */
#ifndef FB_APP_EVAL_DYNAMICS_H
#define FB_APP_EVAL_DYNAMICS_H

#include "eval/eval.h"

/* Vectors of nv; each call overwrites the last. */
typedef enum cmd_eval_vector_kind {
  FB_VECTOR_BIAS,             /* velocity and gravity terms */
  FB_VECTOR_GRAVITY,          /* gravity terms alone */
  FB_VECTOR_PASSIVE,          /* springs and dampers */
  FB_VECTOR_PUSH,             /* sum of J^T wrench */
  FB_VECTOR_INVERSE,          /* tau for the input vdot */
  FB_VECTOR_INVERSE_UNLOADED, /* the same without wrenches */
  FB_VECTOR_FORWARD           /* vdot for the input tau */
} cmd_eval_vector_kind;

const double* cmd_eval_vector(cmd_eval* eval, cmd_eval_vector_kind what);
const double* cmd_eval_inertia(cmd_eval* eval); /* H */
/* The generalized Jacobian, 6 x joints; NULL when the base of the frame does not float. */
const double* cmd_eval_generalized_jacobian(cmd_eval* eval, int frame);
void cmd_eval_mixed(cmd_eval* eval); /* vdot into eval->x, tau into eval->y */

/* Rows of both tables. */
typedef enum cmd_eval_energy { FB_ENERGY_KINETIC, FB_ENERGY_POTENTIAL } cmd_eval_energy;
void cmd_eval_write_mass(cmd_eval* eval, int item, int what, fb_json* json);
void cmd_eval_write_com(cmd_eval* eval, int item, int what, fb_json* json);
void cmd_eval_write_energy(cmd_eval* eval, int item, int what, fb_json* json);

#endif
