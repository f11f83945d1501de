/* stepper.h -- between the stepper and the two solvers of SUNDIALS that it can drive. */
#ifndef FB_ADAPTERS_SUNDIALS_STEPPER_H
#define FB_ADAPTERS_SUNDIALS_STEPPER_H

#include <freebody/sim.h>

#ifdef FB_SUNDIALS

#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_nvector.h>

typedef struct fb_sundials fb_sundials;

/* The factors of 1 - gamma df/dy are made again when gamma changes by more than this. The solvers would keep them up
 * to a fifth; but where Newton's method has converged at once for a while, as it does for springs and dampers, they
 * stop looking whether it still does, and steps of another length come out wrong by far more than the tolerance. */
#define FB_SUNDIALS_SAME_GAMMA 1e-12

/* One solver. Flags are SUNDIALS' own: negative when it failed. */
typedef struct fb_sundials_solver {
  const char* name;
  int order;    /* 0: it varies */
  double share; /* of the tolerance, that a single step may take: errors of the steps add up */
  /* Makes s->memory at t = 0, s->y. */
  int (*create)(fb_sundials* s);
  int (*begin_again)(fb_sundials* s, double t);                   /* at t, s->y */
  int (*advance)(fb_sundials* s, double t_limit, double* t_next); /* one step; its end into s->y */
  int (*at)(fb_sundials* s, double t, N_Vector y);                /* inside the step last made */
  int (*is_coarse)(fb_sundials* s); /* the polynomial of the step last made is of low order; or NULL */
  long (*failures)(fb_sundials* s); /* steps made again shorter since it began */
  double (*step)(fb_sundials* s);   /* the length that it would try next [s] */
  void (*free)(void** memory);
} fb_sundials_solver;

struct fb_sundials {
  const fb_sundials_solver* solver;
  double rtol, atol, max_step;
  fb_sim* sim;
  SUNContext context;
  void* memory;
  N_Vector y, inside; /* [ny] the end of the step; a point inside it */
  /* [ny] of the ledger; the start of the step, q' at its ends */
  double *size, *y_start, *rate_start, *rate_end;
  double* closed;        /* [ny] y with its loops closed */
  double t_start, t_end; /* of the step [s] */
  SUNMatrix matrix;
  SUNLinearSolver linear;
  SUNNonlinearSolver newton;         /* arkode's, or NULL: the solver has its own */
  long factored;                     /* matrices so far, when it was last asked */
  double newton_rate, newton_change; /* how fast it converges; its last change, in units of the tolerance */
  char* is_attitude;                 /* [ny] 1 for entries of quaternions */
  int stale;                         /* the motion jumped: begin again */
  long failures;                     /* that the simulation knows of */
  int short_steps;                   /* in a row, that hardly move time */
  double not_finite;                 /* when a rate was last not finite [s] */
  fb_status status;                  /* what went wrong inside a rate, */
  fb_error error;                    /* and its text */
  char complaint[256];               /* SUNDIALS' own words */
};

extern const fb_sundials_solver fb_sundials_cvode, fb_sundials_arkode;

fb_status fb_sundials_make(const fb_sundials_solver* solver, double rtol, double atol, double max_step,
                           fb_stepper* stepper, fb_error* error);

/* What both solvers call, with the fb_sundials as user data. */
int fb_sundials_rate(sunrealtype t, N_Vector y, N_Vector ydot, void* user);
/* Closes the loops of y: in place, or as a correction. */
int fb_sundials_close(double t, N_Vector y, N_Vector correction, void* user);
int fb_sundials_weights(N_Vector y, N_Vector weights, void* user);
int fb_sundials_jacobian(sunrealtype t, N_Vector y, N_Vector ydot, SUNMatrix J, void* user, N_Vector tmp1,
                         N_Vector tmp2, N_Vector tmp3);
void fb_sundials_complain(int code, const char* module, const char* function, char* text, void* user);

#endif
#endif
