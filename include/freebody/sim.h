/* sim.h -- a simulation: a model in motion.
 *
 *   q' = v on the configuration group,   H v' + bias = tau + passive + J^T wrench,   x' = rate of each block
 *
 * and, integrated with them, the ledger: work of every actuator, dissipation, work and impulse from outside.
 *
 *   fb_sim_new(model, &options)  ->  add blocks, motions and events  ->  fb_sim_start(q, v)  ->  fb_sim_step ...
 *
 * After fb_sim_start nothing allocates. One simulation belongs to one thread; the model is shared. */
#ifndef FREEBODY_SIM_H
#define FREEBODY_SIM_H

#include <stddef.h>

#include <freebody/block.h>
#include <freebody/environment.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/parameters.h>
#include <freebody/signal.h>
#include <freebody/spline.h>
#include <freebody/status.h>

/* clang-format off */
/* The methods, a row each; numbers are fb_stepper_traits, and src/sim/stepper/ makes each as fb_stepper_NAME.
 *     code                     name       order, adaptive, dense, takes_moved, time_stepping   what it is */
#define FB_METHOD_LIST(X) \
  X(FB_METHOD_EULER,         euler,         1, 0, 0, 1, 0, "explicit Euler (SpaceDyn's int_eu2)") \
  X(FB_METHOD_SEMI_IMPLICIT, semi_implicit, 1, 0, 0, 1, 0, "velocities first, then positions with the new ones") \
  X(FB_METHOD_RK4,           rk4,           4, 0, 0, 1, 0, "classical Runge-Kutta on quaternions, normalised " \
                                                           "each stage (SpaceDyn's f_dyn_rk2)") \
  X(FB_METHOD_RKMK4,         rkmk4,         4, 0, 0, 1, 0, "Runge-Kutta-Munthe-Kaas: attitudes by rotation " \
                                                           "vectors, on the group") \
  X(FB_METHOD_DOPRI5,        dopri5,        5, 1, 1, 1, 0, "Dormand-Prince 5(4) on the group, error control and " \
                                                           "dense output") \
  X(FB_METHOD_MOMENTUM,      momentum,      2, 0, 0, 0, 0, "variational midpoint rule: momentum to round-off, " \
                                                           "energy without drift")
/* clang-format on */

#define FB_METHOD_AS_ENUM(code, name, order, adaptive, dense, takes_moved, time_stepping, what) code,
typedef enum fb_method {
  FB_METHOD_LIST(FB_METHOD_AS_ENUM)
      FB_METHOD_CUSTOM, /* fb_sim_options.stepper (SUNDIALS: freebody/sundials.h) */
  FB_METHOD_COUNT
} fb_method;
#undef FB_METHOD_AS_ENUM

typedef struct fb_sim fb_sim;

/* What a stepper does and needs. */
typedef struct fb_stepper_traits {
  int order;    /* 0: it varies */
  int adaptive; /* 1: it chooses its own steps; 0: it makes steps of fb_sim_options.step, which must be given */
  int dense;    /* 1: states inside a step are interpolated; 0: they come from a shorter step */
  int takes_moved; /* 1: blocks may move coordinates (fb_block.moves) */
  int time_stepping; /* 1: it works with the impulse of a whole step, and velocities may jump inside it (contact) */
} fb_stepper_traits;

/* An integrator of the caller's own, over y = (q, v, block states, ledger): see "for steppers" below. */
typedef struct fb_stepper {
  const char* name;
  fb_stepper_traits traits;
  void* self;
  /* Called by fb_sim_start, when the number of unknowns is known. May allocate. */
  fb_status (*start)(void* self, fb_sim* sim, fb_error* error);
  /* The motion jumped, or a checkpoint asks for it: forget all that is past. */
  void (*reset)(void* self, fb_sim* sim);
  /* One step from fb_sim_time, fb_sim_y towards t_limit and not beyond; y_next and *t_next are filled. */
  fb_status (*advance)(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next,
                       fb_error* error);
  /* The step's own y at a t inside the step last made. */
  fb_status (*at)(void* self, fb_sim* sim, double t, double* y, fb_error* error);
  void (*free)(void* self);
} fb_stepper;

/* How joints with friction come to rest. */
typedef enum fb_friction_law {
  FB_FRICTION_SMOOTH,  /* friction * tanh(v / friction_speed): never quite at rest, a loaded joint creeps */
  FB_FRICTION_STICTION /* Coulomb: a joint at rest sticks until more than `friction` pulls at it */
} fb_friction_law;

typedef struct fb_sim_options {
  fb_method method;
  double step;     /* of methods that do not choose their own; of dopri5 its first, 0: it finds one [s] */
  int adaptive;    /* 0: dopri5 makes fixed steps too, without error control; 1 by default */
  double rtol;     /* error control: relative; 1e-9 */
  double atol;     /* and absolute, in the units of each coordinate; 1e-12 */
  double max_step; /* error control: the longest step; 0: no bound [s] */
  fb_environment environment; /* gravity; what it points at must outlive the simulation */
  int passive;                /* FB_PASSIVE_ALL by default */
  fb_friction_law friction_law;
  int nmode;                       /* modes, 1 .. 32 */
  const fb_stepper* stepper;       /* with FB_METHOD_CUSTOM; fb_sim_new takes it over, also on failure */
  const fb_parameters* parameters; /* masses, springs, limits of its own; copied. NULL: the model's */
  int cookie_;                     /* set by fb_default_sim_options */
} fb_sim_options;

/* ---- what moves a coordinate ---- */

typedef enum fb_motion_kind {
  FB_MOTION_FORCE,  /* forces act; the coordinate gives way */
  FB_MOTION_LOCKED, /* held where it is */
  FB_MOTION_RATE,   /* moved at `rate` */
  FB_MOTION_PATH    /* moved along `path`; not for attitudes */
} fb_motion_kind;

typedef struct fb_motion {
  fb_motion_kind kind;
  double rate;           /* FB_MOTION_RATE [rad/s or m/s] */
  const fb_spline* path; /* FB_MOTION_PATH; copied */
} fb_motion;

/* ---- limits ---- */

/* A stop that a coordinate cannot pass. It gives way to nothing and holds nothing: it pushes back with whatever force or
 * impulse it takes, and never pulls. Stops met at the same instant are solved together. Coordinates that are
 * moved or locked pass their limits: what moves them is stronger. */
typedef struct fb_limit {
  int coordinate;     /* index in v; not of an attitude */
  int side;           /* +1: the coordinate stays at or below `level`; -1: at or above */
  double level;       /* [rad] or [m] */
  double restitution; /* 0 .. 1: how much of its speed a coordinate keeps when it is thrown back */
} fb_limit;

typedef enum fb_limit_phase {
  FB_LIMIT_HIT,   /* the coordinate ran into it */
  FB_LIMIT_RESTS, /* it came to rest on it, and is pressed against it or nothing pulls it away */
  FB_LIMIT_LEAVES /* it was pulled off, or thrown off, after a rest */
} fb_limit_phase;

/* ---- events ---- */

typedef enum fb_trigger_kind {
  FB_TRIGGER_TIME,     /* at `time`, and every `period` after it when that is > 0 */
  FB_TRIGGER_CROSSING, /* when `signal` passes `level` */
  FB_TRIGGER_LIMIT     /* when `phase` of `limit` begins */
} fb_trigger_kind;

typedef struct fb_event {
  const char* name; /* unique; copied */
  fb_trigger_kind kind;
  double time, period; /* [s] */
  fb_signal signal;
  double level;  /* in the unit of the signal */
  int direction; /* +1 rising, -1 falling, 0 either */
  int limit;     /* id from fb_sim_add_limit */
  fb_limit_phase phase;
  int once; /* 1: it happens once */
  /* What happens; may call the functions marked "events may". NULL: it is only reported. */
  fb_status (*act)(void* user, fb_sim* sim, fb_error* error);
  void* user;
} fb_event;

/* One event that happened in the step last made. */
typedef struct fb_event_record {
  int event; /* its id */
  double t;  /* [s] */
} fb_event_record;

/* ---- the ledger ---- */

/* Energies and momenta are those of the whole scene in the world's frame. Residuals are judged tree by tree, each in its
 * own frame (about its centre of mass when its base floats), so that they do not depend on where the scene is or how
 * fast it drifts. Peaks, scales and the worst residual are taken at the end of every step, whatever is logged. */
typedef struct fb_ledger {
  double kinetic, potential;     /* now [J] */
  double kinetic_0, potential_0; /* at the start */
  double work;                   /* done by actuators and by prescribed motions [J] */
  double external;               /* done by wrenches from outside [J] */
  double dissipated;             /* by dampers and friction, >= 0 [J] */
  double impacts;                /* kinetic energy gained at locks, bounces and other jumps, mostly < 0 [J] */
  double residual;     /* (K + V) - (K_0 + V_0) - work - external + dissipated - impacts, own frames [J] */
  double gross;        /* the time integral of the magnitude of all powers above [J] */
  double peak_kinetic; /* the most at the end of a step [J] */
  double relative;     /* |residual| / scale of the tree for which this is largest */
  /* Trees whose base floats; the others push against the world. World axes, about the world's origin. */
  double linear[3], angular[3];
  double linear_0[3], angular_0[3];
  double impulse[6];       /* from outside since the start: forces, then moments */
  double linear_residual;  /* |linear - linear_0 - impulse| of the tree that is worst [kg m/s] */
  double angular_residual; /* the same of its angular momentum about its own centre of mass [kg m^2/s] */
  double
      linear_scale; /* of that tree: the larger of the impulse exchanged and sqrt(2 M K), K the peak about its */
  double
      angular_scale; /* centre of mass; the larger of the moments exchanged and sqrt(2 J K), J = sum m r^2 */
  double scale;      /* of `relative`: the largest of gross, peak K and peak |V - V_0| of that tree [J] */
  double worst;      /* the largest `relative` at the end of any step so far */
  double worst_t;    /* when that was [s] */
  double momentum_worst;   /* the largest of linear_residual / linear_scale and the same of angular so far */
  double momentum_worst_t; /* [s] */
  int worst_body;          /* the first body of the tree that it was; 0 when nothing moves */
  int momentum_body;       /* 0 when nothing floats */
} fb_ledger;

FB_BEGIN_DECLS

FB_API const char* fb_method_name(fb_method method);
FB_API int fb_method_find(const char* name);                 /* the method, or -1 */
FB_API fb_stepper_traits fb_method_traits(fb_method method); /* its row; zeros for FB_METHOD_CUSTOM */
/* Of a simulation made with these options, of one that was made. */
FB_API fb_stepper_traits fb_sim_options_traits(const fb_sim_options* options);
FB_API fb_stepper_traits fb_sim_traits(const fb_sim* sim);

/* ---- set-up ---- */

FB_API fb_sim_options fb_default_sim_options(void); /* rk4, 10 ms, no gravity */
/* The model must outlive the simulation. */
FB_API fb_status fb_sim_new(const fb_model* m, const fb_sim_options* options, fb_sim** sim, fb_error* error);
FB_API void fb_sim_free(fb_sim* sim);

/* Blocks, motions and events are added before fb_sim_start; each call returns its id in *id (may be NULL). */
/* Takes the block over, also on failure: what it points to is freed by its own `free`. */
FB_API fb_status fb_sim_add_block(fb_sim* sim, const fb_block* block, int* id, fb_error* error);
FB_API fb_status fb_sim_add_event(fb_sim* sim, const fb_event* event, int* id, fb_error* error);
/* A motion that fb_sim_move can use later, from an event. */
FB_API fb_status fb_sim_add_motion(fb_sim* sim, const fb_motion* motion, int* id, fb_error* error);
/* A stop. A coordinate that starts beyond it cannot go further out, and finds the stop at its level once it has come in. */
FB_API fb_status fb_sim_add_limit(fb_sim* sim, const fb_limit* limit, int* id, fb_error* error);

/* Sets t = 0 and the state (q NULL: fb_neutral; v NULL: at rest), puts coordinates where their motions begin
 * (fb_sim_move may be called before), and makes the first ticks. May be called again, to start anew. */
FB_API fb_status fb_sim_start(fb_sim* sim, const double* q, const double* v, fb_error* error);

/* ---- in motion ---- */

/* One step towards t_limit and not beyond. It ends earlier at an event, a tick or an edge. */
FB_API fb_status fb_sim_step(fb_sim* sim, double t_limit, fb_error* error);
/* The same in two parts. Between them the step may be looked into as it was, with the parameters and modes that it was
 * made with; fb_sim_settle then processes the events and ticks that are due at its end. */
FB_API fb_status fb_sim_advance(fb_sim* sim, double t_limit, fb_error* error);
FB_API fb_status fb_sim_settle(fb_sim* sim, fb_error* error);
/* Steps until t, or until an event has called fb_sim_stop. */
FB_API fb_status fb_sim_run_to(fb_sim* sim, double t, fb_error* error);
/* The state at t inside the step last made: exact at its ends; between them by dopri5's dense output, by a
 * shorter step of the others, which is right only until fb_sim_settle. Any of q, v may be NULL. */
FB_API fb_status fb_sim_state_at(fb_sim* sim, double t, double* q, double* v, fb_error* error);

FB_API const fb_model* fb_sim_model(const fb_sim* sim);
FB_API double fb_sim_time(const fb_sim* sim);
FB_API double fb_sim_step_start(const fb_sim* sim); /* where the step last made began */
FB_API const double* fb_sim_q(const fb_sim* sim);
FB_API const double* fb_sim_v(const fb_sim* sim);
/* Poses and velocities at fb_sim_q, fb_sim_v, for fb_frame_pose and the like, until the next step. To ask twice costs
 * nothing. NULL before the start. */
FB_API const fb_data* fb_sim_kinematics(fb_sim* sim);
FB_API long long fb_sim_steps(const fb_sim* sim);       /* made since the start */
FB_API long long fb_sim_rejected(const fb_sim* sim);    /* tried and made again shorter */
FB_API long long fb_sim_evaluations(const fb_sim* sim); /* of the right-hand side */
/* What happened in the step last made; *count of them, in the order in which they happened. */
FB_API const fb_event_record* fb_sim_event_records(const fb_sim* sim, int* count);
FB_API int fb_sim_stopped(const fb_sim* sim);

/* The ledger now. To ask for it changes nothing. */
FB_API void fb_sim_ledger(fb_sim* sim, fb_ledger* ledger);
/* Work of each coordinate's actuator since the start [nv]. */
FB_API const double* fb_sim_work(const fb_sim* sim);

/* ---- events may ---- */

/* Moves coordinate k (index in v) by a motion: FB_MOVE_BY_FORCE, FB_MOVE_LOCKED or an id from fb_sim_add_motion. When
 * its velocity has to jump, all others jump with it by the impulse that this takes, as in a rigid mechanism: momentum
 * stays, energy need not. After the start, a path counts its time from the moment it is taken up, and is shifted to
 * begin where the coordinate is: positions do not jump. */
enum { FB_MOVE_BY_FORCE = -1, FB_MOVE_LOCKED = -2 };
FB_API fb_status fb_sim_move(fb_sim* sim, int k, int motion, fb_error* error);
/* The same for all coordinates of a joint, in one impulse. */
FB_API fb_status fb_sim_move_joint(fb_sim* sim, int body, int motion, fb_error* error);
FB_API fb_motion_kind fb_sim_motion(const fb_sim* sim, int k);
/* Whether coordinate k is at rest on a limit, or sticks by friction. */
FB_API int fb_sim_rests(const fb_sim* sim, int k);
/* Reflects coordinate k: v_k becomes -restitution v_k, by the impulse that this takes. One that would be back within
 * 1e-5 s (two steps of euler and semi_implicit) has come to rest: it is held where it is until something pulls it back
 * the way it came. A stop that holds whatever pushes is a limit: fb_sim_add_limit. */
FB_API fb_status fb_sim_bounce(fb_sim* sim, int k, double restitution, fb_error* error);
FB_API fb_status fb_sim_set_mode(fb_sim* sim, int mode, fb_error* error);
FB_API int fb_sim_mode(const fb_sim* sim);
FB_API int fb_sim_find_block(const fb_sim* sim, const char* name); /* -1 when there is none */
FB_API const double* fb_sim_memory(const fb_sim* sim, int block);  /* its memory: parameters first */
FB_API int fb_sim_find_parameter(const fb_sim* sim, int block, const char* name); /* index, or -1 */
/* Sets an entry of a block's memory; between steps too. */
FB_API fb_status fb_sim_set_parameter(fb_sim* sim, int block, int parameter, double value, fb_error* error);
FB_API void fb_sim_stop(fb_sim* sim);

/* ---- snapshots: everything that the future depends on, in one block of bytes ---- */

FB_API size_t fb_sim_snapshot_size(const fb_sim* sim);
/* Taking one also makes the integrator forget its past, so that going on and coming back are the same. */
FB_API void fb_sim_save(fb_sim* sim, void* snapshot);
/* Into a simulation that was set up and started in the same way. FB_ERR_STATE when the snapshot is of another one, or not
 * as it was saved (it carries a checksum); the simulation is then as it was before. */
FB_API fb_status fb_sim_restore(fb_sim* sim, const void* snapshot, size_t size, fb_error* error);

/* ---- for steppers ---- */

FB_API int fb_sim_ny(const fb_sim* sim);        /* unknowns: q (nq), v (nv), block states, ledger */
FB_API int fb_sim_ny_motion(const fb_sim* sim); /* without the ledger, which is quadrature */
FB_API const double* fb_sim_y(const fb_sim* sim);
FB_API int fb_sim_is_attitude(const fb_sim* sim, int i); /* whether entry i of y is of a quaternion */
/* y' at (t, y), in coordinates (quaternion rates); quaternions need not be of unit length. */
FB_API fb_status fb_sim_rate(fb_sim* sim, double t, const double* y, double* ydot, fb_error* error);
/* Its first nq entries: the rates of coordinates q that move with velocities v. */
FB_API void fb_sim_q_rate(const fb_sim* sim, const double* q, const double* v, double* qdot);
/* The sizes by which error control measures the ledger's part of y (ny - ny_motion): the energies and momenta that move.
 * Below 0: the entry is no quadrature of a smooth function and does not count. */
FB_API void fb_sim_ledger_sizes(const fb_sim* sim, const double* y, double* size);
/* Puts y back where it belongs: unit quaternions, coordinates that are moved. */
FB_API void fb_sim_project(const fb_sim* sim, double t, double* y);
/* Counts steps that were tried and made again shorter: fb_sim_rejected. */
FB_API void fb_sim_count_rejected(fb_sim* sim, long long steps);

FB_END_DECLS

#endif
