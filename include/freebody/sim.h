/* sim.h -- simulations: a model with blocks, motions and events, integrated over time.
 *
 *   q' = v on the configuration group,   H v' + bias = tau + passive + J^T wrench,   x' = rate of each block
 *
 * The ledger is integrated with them: work of every actuator, dissipation, external work and impulse.
 *
 *   fb_sim_new(model, &options)  ->  add blocks, motions and events  ->  fb_sim_start(q, v)  ->  fb_sim_step ...
 *
 * After fb_sim_start nothing allocates, except fb_sim_join, fb_sim_part and a restore across them, which create
 * another model and the memory for it. One simulation belongs to one thread; the model is shared. */
#ifndef FREEBODY_SIM_H
#define FREEBODY_SIM_H

#include <stddef.h>

#include <freebody/block.h>
#include <freebody/contact.h>
#include <freebody/element.h>
#include <freebody/environment.h>
#include <freebody/export.h>
#include <freebody/join.h>
#include <freebody/model.h>
#include <freebody/parameters.h>
#include <freebody/signal.h>
#include <freebody/spline.h>
#include <freebody/status.h>

/* clang-format off */
/* Integration methods, one per row; numbers are fb_stepper_traits in their order, and src/sim/stepper/ defines
 * fb_stepper_NAME.
 *     code                     name           |order |dense |time_stepping |doubles |velocity_first
 *                                                |adaptive |takes_moved |takes_slopes |steps_momenta |stability_limit  what it is */
#define FB_METHOD_LIST(X) \
  X(FB_METHOD_EULER,         euler,         1, 0, 0, 1, 0, 0, 0, 0, 0, 2, "explicit Euler (SpaceDyn's int_eu2)") \
  X(FB_METHOD_SEMI_IMPLICIT, semi_implicit, 1, 0, 0, 1, 0, 0, 0, 0, 1, 2, "velocities first, then positions with the new " \
                                                                          "ones") \
  X(FB_METHOD_RK4,           rk4,           4, 0, 0, 1, 0, 0, 0, 0, 0, 2.78, "classical Runge-Kutta on quaternions, " \
                                                                             "normalised each stage (SpaceDyn's f_dyn_rk2)") \
  X(FB_METHOD_RKMK4,         rkmk4,         4, 0, 0, 1, 0, 0, 0, 0, 0, 2.78, "Runge-Kutta-Munthe-Kaas: attitudes by " \
                                                                             "rotation vectors, on the group") \
  X(FB_METHOD_DOPRI5,        dopri5,        5, 1, 1, 1, 0, 0, 0, 0, 0, 3.3, "Dormand-Prince 5(4) on the group, error " \
                                                                            "control and dense output") \
  X(FB_METHOD_MOMENTUM,      momentum,      2, 0, 0, 0, 0, 0, 0, 1, 0, 0, "variational midpoint rule: momentum to " \
                                                                          "round-off, energy without drift") \
  X(FB_METHOD_IMPLICIT,      implicit,      2, 0, 0, 1, 0, 1, 1, 0, 0, 2, "linearly implicit midpoint rule: springs, " \
                                                                          "dampers and declared gains may be stiff") \
  X(FB_METHOD_MOREAU,        moreau,        1, 0, 0, 1, 1, 0, 0, 0, 0, 0, "Moreau and Jean's time stepping: impulses of " \
                                                                          "hard contacts over whole steps")
/* clang-format on */

#define FB_METHOD_AS_ENUM(code, name, order, adaptive, dense, takes_moved, time_stepping, takes_slopes, \
                          doubles, steps_momenta, velocity_first, stability_limit, what)                \
  code,
typedef enum fb_method {
  FB_METHOD_LIST(FB_METHOD_AS_ENUM)
      FB_METHOD_CUSTOM, /* fb_sim_options.stepper (SUNDIALS: freebody/sundials.h) */
  FB_METHOD_COUNT
} fb_method;
#undef FB_METHOD_AS_ENUM

typedef struct fb_sim fb_sim;

/* Properties of a stepper. */
typedef struct fb_stepper_traits {
  int order;    /* 0: it varies */
  int adaptive; /* 1: chooses its own step size; 0: fixed steps of fb_sim_options.step, which must be given */
  int dense;    /* 1: states inside a step are interpolated; 0: they are computed by a shorter step */
  int takes_moved;   /* 1: blocks may prescribe motion (fb_block.moves) */
  int time_stepping; /* 1: works with the impulse over a whole step; velocities may jump inside it (contact) */
  int takes_slopes; /* 1: springs, dampers and declared gains (fb_block.gains) enter implicitly and may be stiff; its
                        stages have no forces of hard contacts */
  int doubles; /* 1: without a step, repeats each step in parts and controls the error by extrapolation */
  int steps_momenta;  /* 1: steps discrete momenta of trees: no loops, no hard contacts */
  int velocity_first; /* 1: of order one, and positions are stepped with the new velocities */
  /* step times the rate of a decay up to which steps are stable (with takes_slopes: of forces without declared slopes); 0:
   * any, or not known */
  double stability_limit;
} fb_stepper_traits;

/* A user-defined integrator of y = (q, v, block states, ledger): see "for steppers" below. */
typedef struct fb_stepper {
  const char* name;
  fb_stepper_traits traits;
  void* self;
  /* Called by fb_sim_start, when the number of unknowns is known, and again when a join or parting has changed it: what
   * was allocated before is then replaced. May allocate. */
  fb_status (*start)(void* self, fb_sim* sim, fb_error* error);
  /* Discards the integrator's history, after a jump in the motion or at a checkpoint. */
  void (*reset)(void* self, fb_sim* sim);
  /* Makes one step from fb_sim_time, fb_sim_y, not beyond t_limit; fills in y_next and *t_next. */
  fb_status (*step)(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next, fb_error* error);
  /* y at a time t inside the last step. */
  fb_status (*eval)(void* self, fb_sim* sim, double t, double* y, fb_error* error);
  void (*free)(void* self);
  int cookie_; /* set by fb_default_stepper */
} fb_stepper;

/* How joint friction behaves near zero speed. */
typedef enum fb_friction_law {
  FB_FRICTION_SMOOTH,  /* friction * tanh(v / friction_speed): never quite at rest; a loaded joint creeps */
  FB_FRICTION_STICTION /* Coulomb: a joint at rest sticks until the force on it exceeds `friction` */
} fb_friction_law;

typedef struct fb_sim_options {
  fb_method method;
  /* step size of fixed-step methods; first step of dopri5, 0: automatic; 0 with implicit: error control [s] */
  double step;
  int adaptive; /* 0: dopri5 makes fixed steps without error control; 1 by default */
  /* the error that a run may have, relative to the sizes of its motion; 1e-6 (docs/simulation.md). It
   * replaces rtol and atol where rtol is 0, and the estimated error is compared with it */
  double accuracy;
  double rtol;     /* error control: relative tolerance; 1e-9. 0: that of `accuracy` */
  double atol;     /* error control: absolute tolerance, in the units of each coordinate; 1e-12 */
  int refine;      /* 1: fixed steps are halved, down to 1/4096, where the motion is too fast for them; 0 */
  double max_step; /* error control: the longest step; 0: that of the blocks (fb_block.longest_step) [s] */
  fb_environment environment; /* gravity; what it points to must outlive the simulation */
  int passive;                /* FB_PASSIVE_ALL by default */
  fb_friction_law friction_law;
  int nmode;                       /* modes, 1 .. 32 */
  const fb_stepper* stepper;       /* for FB_METHOD_CUSTOM; fb_sim_new takes ownership, also on failure */
  const fb_parameters* parameters; /* masses, springs, limits; copied. NULL: the model's */
  int cookie_;                     /* set by fb_default_sim_options */
} fb_sim_options;

/* ---- motions: how a coordinate is driven ---- */

typedef enum fb_motion_kind {
  FB_MOTION_LOCKED = -2, /* held at its position */
  FB_MOTION_FORCE = -1,  /* driven by force */
  FB_MOTION_RATE,        /* prescribed: constant `rate` */
  FB_MOTION_PATH         /* prescribed: follows `path`; not for attitudes */
} fb_motion_kind;

typedef struct fb_motion {
  fb_motion_kind kind;
  double rate;           /* FB_MOTION_RATE [rad/s or m/s] */
  const fb_spline* path; /* FB_MOTION_PATH; copied */
  int cookie_;           /* set by fb_default_motion */
} fb_motion;

/* ---- limits ---- */

/* A one-sided stop, which pushes and never pulls.
 *
 * Rigid, with stiffness 0: it exerts whatever force or impulse is needed to keep the coordinate on its side. Stops that are
 * hit at the same instant are solved together. It does not act on coordinates with prescribed motion or a lock.
 *
 * Soft, with a stiffness: beyond the level by x it pushes back with max(0, stiffness x + damping x'). The energy of its
 * spring is part of the potential energy. It acts on coordinates with prescribed motion too, as a spring of the joint
 * does; the drive of the motion does the work. */
typedef struct fb_limit {
  int coordinate; /* index in v; not of an attitude */
  int side;       /* +1: the coordinate stays at or below `level`; -1: at or above */
  double level;   /* [rad] or [m] */
  /* 0 .. 1: the fraction of its speed that a coordinate keeps when it bounces; 0 when soft */
  double restitution;
  double stiffness; /* 0: rigid; > 0: soft, not for free joints [N/m] or [N m/rad] */
  double damping;   /* of a soft one [N s/m] or [N m s/rad] */
  int cookie_;      /* set by fb_default_limit */
} fb_limit;

typedef enum fb_limit_phase {
  FB_LIMIT_HIT,   /* the coordinate reached the limit at nonzero speed; of a soft one: it passed the level */
  FB_LIMIT_RESTS, /* it came to rest at the limit; not of a soft one */
  FB_LIMIT_LEAVES /* it left the limit after a rest, by a force or an impulse; of a soft one: it came back inside */
} fb_limit_phase;

/* ---- events ---- */

typedef enum fb_trigger_kind {
  FB_TRIGGER_TIME,     /* at `time`, and every `period` after it when that is > 0 */
  FB_TRIGGER_CROSSING, /* when `signal` passes `level` */
  FB_TRIGGER_LIMIT,    /* when `phase` of `limit` begins */
  FB_TRIGGER_CONTACT   /* when `change` happens to `contact` */
} fb_trigger_kind;

/* Changes of a hard contact. */
typedef enum fb_contact_change {
  FB_CONTACT_HITS,  /* an impact: an impulse */
  FB_CONTACT_OPENS, /* its last point separates */
  FB_CONTACT_BEGINS_SLIP, /* from open or stuck to slipping; or, with friction, the slip of one of its points turns by
                              more than 90 degrees at once, for example reverses */
  FB_CONTACT_BEGINS_STICK, /* from open or slipping to sticking or rolling */
  FB_CONTACT_CHANGES
} fb_contact_change;

typedef struct fb_event {
  const char* name; /* unique; copied */
  fb_trigger_kind kind;
  double time, period; /* [s] */
  fb_signal signal;
  double level;  /* in the unit of the signal */
  int direction; /* +1 rising, -1 falling, 0 either */
  int limit;     /* id from fb_sim_add_limit */
  fb_limit_phase phase;
  int contact; /* id from fb_sim_add_contact, of a hard contact */
  fb_contact_change change;
  int once; /* 1: triggers only once */
  /* The action; may call the functions under "events may" below. NULL: the event is only recorded. */
  fb_status (*act)(void* user, fb_sim* sim, fb_error* error);
  void* user;
  int cookie_; /* set by fb_default_event */
} fb_event;

/* An event that occurred in the last step. */
typedef struct fb_event_record {
  int event; /* its id */
  double t;  /* [s] */
} fb_event_record;

/* ---- joins and partings ---- */

/* A join or a parting that was made. Names live until the simulation is freed, restored or started again. */
typedef struct fb_sim_change {
  double t;               /* [s] */
  int is_join;            /* 1: a join; 0: a parting, of which only `joint` is filled */
  const char* joint;      /* the joint made, or opened */
  const char *frame, *to; /* what was joined; "" for a parting */
  fb_joint_type type;     /* of the joint made */
  /* through the joint; its energy is all that was lost, in locked joints too, and includes that of the springs
   * and rotors of a joint that was opened */
  fb_join_impulse impulse;
} fb_sim_change;

/* ---- the ledger ---- */

/* Balance of energy and momentum. Energies and momenta are those of the whole scene in the world frame. Residuals are
 * computed tree by tree, each in its own frame (about its centre of mass when its base floats), so that they do not
 * depend on the position or drift of the scene. Peaks, scales and the worst residual are updated at the end of every
 * step, independent of what is logged. */
typedef struct fb_ledger {
  double kinetic, potential;     /* now [J] */
  double kinetic_0, potential_0; /* at the start */
  double work;                   /* done by actuators and by prescribed motions [J] */
  double external;               /* done by external wrenches [J] */
  double dissipated;             /* by dampers and friction, >= 0 [J] */
  /* energy gained at locks, bounces, joins and other jumps, mostly < 0; not of contacts [J] */
  double impacts;
  /* work of the normal and tangential forces of all contacts, impacts included; friction <= 0 [J] */
  double normal, friction;
  /* energy stored at the start in compliant contacts that begin in penetration, which `normal` may return; of
   * soil an upper bound [J] */
  double stored_0;
  double projection; /* energy gained where penetration was ended, or small gaps closed [J] */
  double loops;      /* work of the forces of all loops together: zero but for the error of the method [J] */
  /* (K + V) - (K_0 + V_0) - work - external + dissipated - impacts - normal - friction - projection - loops,
   * own frames; with contacts as world_residual, where that differs by more than 1e-9 of the energies [J] */
  double residual;
  /* the same of the whole scene in the world frame, where bodies that only drift count too [J] */
  double world_residual;
  double gross;        /* the time integral of the magnitude of all powers above [J] */
  double peak_kinetic; /* the largest kinetic energy at the end of a step [J] */
  double relative;     /* |residual| / scale of the tree for which this is largest */
  /* Trees whose base floats; the others push against the world. World axes, about the world's origin. */
  double linear[3], angular[3];
  double linear_0[3], angular_0[3];
  double impulse[6];       /* external, since the start: of forces, then of moments */
  double linear_residual;  /* |linear - linear_0 - impulse| of the worst tree [kg m/s] */
  double angular_residual; /* the same of its angular momentum about its own centre of mass [kg m^2/s] */
  /* of that tree: the larger of the impulse exchanged and sqrt(2 M K), K the peak about its */
  double linear_scale;
  /* centre of mass; the larger of the moments exchanged and sqrt(2 J K), J = sum m r^2 */
  double angular_scale;
  double scale;          /* of `relative`: the largest of gross, peak K and peak |V - V_0| of that tree [J] */
  double worst;          /* the largest `relative` at the end of any step so far */
  double worst_t;        /* its time [s] */
  double momentum_worst; /* the largest of linear_residual / linear_scale and the same of angular so far */
  double momentum_worst_t; /* [s] */
  int contacts;      /* 1: the simulation has contacts, so `normal`, `friction` and `projection` apply */
  int worst_body;    /* the first body of the tree with `worst`; 0 when nothing moves */
  int momentum_body; /* 0 when nothing floats */
} fb_ledger;

FB_BEGIN_DECLS

FB_API const char* fb_method_name(fb_method method);
FB_API int fb_method_find(const char* name);                 /* the method, or -1 */
FB_API fb_stepper_traits fb_method_traits(fb_method method); /* its row; zeros for FB_METHOD_CUSTOM */
/* With a *step: FB_METHOD_RK4 where it is short enough for these rates (fb_model_stiffness), FB_METHOD_IMPLICIT where it is not
 * and joints are the reason. With 0, error control: FB_METHOD_DOPRI5, or FB_METHOD_IMPLICIT where joints are so stiff that
 * stability would require thousands of steps a second; set rtol to 0, so that they follow fb_sim_options.accuracy. */
FB_API fb_method fb_method_choose(const fb_stiffness* rates, double* step);
/* With contacts: the time-stepping method where some are hard, error control where all are compliant. */
FB_API fb_method fb_method_for_contacts(int hard);
/* Traits of the stepper that these options select, and of the stepper of a simulation. */
FB_API fb_stepper_traits fb_sim_options_traits(const fb_sim_options* options);
FB_API fb_stepper_traits fb_sim_traits(const fb_sim* sim);

/* ---- set-up ---- */

FB_API fb_sim_options fb_default_sim_options(void); /* rk4, 10 ms, no gravity */
FB_API fb_stepper fb_default_stepper(void);         /* no functions yet */
FB_API fb_motion fb_default_motion(void);           /* a rate of 0 */
FB_API fb_limit fb_default_limit(void); /* no coordinate yet; rigid, above, at 0, without restitution */
FB_API fb_event fb_default_event(void); /* at t = 0, without an action; no signal, limit or contact yet */
/* The model must outlive the simulation. */
FB_API fb_status fb_sim_new(const fb_model* m, const fb_sim_options* options, fb_sim** sim, fb_error* error);
FB_API void fb_sim_free(fb_sim* sim);

/* Blocks, motions and events are added before fb_sim_start; each call returns its id in *id (may be NULL). */
/* Takes ownership of the block, also on failure: it is freed by its own `free`. */
FB_API fb_status fb_sim_add_block(fb_sim* sim, const fb_block* block, int* id, fb_error* error);
FB_API fb_status fb_sim_add_event(fb_sim* sim, const fb_event* event, int* id, fb_error* error);
/* An element between two frames (element.h): a block, so that fb_sim_set_parameter changes its stiffness, damping and
 * length. The energy that such a change stores or releases counts as external work. */
FB_API fb_status fb_sim_add_spring(fb_sim* sim, const fb_spring* spring, int* id, fb_error* error);
FB_API fb_status fb_sim_add_bushing(fb_sim* sim, const fb_bushing* bushing, int* id, fb_error* error);
/* A contact of any law (contact.h); *id is that of its block "contact.NAME". A hard one also adds the events contact.NAME.hits,
 * .opens, .slips and .sticks, which are recorded only. Geometry of its colliders must outlive the simulation. fb_sim_start
 * returns FB_ERR_UNSUPPORTED when the method cannot take hard contacts. */
FB_API fb_status fb_sim_add_contact(fb_sim* sim, const fb_contact* contact, int* id, fb_error* error);
/* A motion that fb_sim_set_motion can use later, from an event. */
FB_API fb_status fb_sim_add_motion(fb_sim* sim, const fb_motion* motion, int* id, fb_error* error);
/* Adds a stop. A coordinate that starts beyond a rigid one cannot move further out; once it has come back inside, the stop
 * acts at its level. A soft one pushes back from the start. */
FB_API fb_status fb_sim_add_limit(fb_sim* sim, const fb_limit* limit, int* id, fb_error* error);

/* Sets t = 0 and the state (q NULL: fb_neutral; v NULL: at rest), moves coordinates to where their motions begin
 * (fb_sim_set_motion may be called before), and makes the first ticks. May be called again to restart. */
FB_API fb_status fb_sim_start(fb_sim* sim, const double* q, const double* v, fb_error* error);

/* ---- stepping ---- */

/* Makes one step, not beyond t_limit. It ends earlier at an event, a tick or an edge. */
FB_API fb_status fb_sim_step(fb_sim* sim, double t_limit, fb_error* error);
/* The same in two parts. After fb_sim_begin_step, states inside the step can be read with the parameters and modes that
 * the step was made with; fb_sim_end_step then processes the events and ticks due at the end of the step. */
FB_API fb_status fb_sim_begin_step(fb_sim* sim, double t_limit, fb_error* error);
FB_API fb_status fb_sim_end_step(fb_sim* sim, fb_error* error);
/* Steps until t, or until an event calls fb_sim_stop. */
FB_API fb_status fb_sim_run_until(fb_sim* sim, double t, fb_error* error);
/* The state at a time t inside the last step: exact at its ends; between them from dopri5's dense output, or from a
 * shorter step of the other methods, which is valid only until fb_sim_end_step. q and v may be NULL. */
FB_API fb_status fb_sim_eval_state(fb_sim* sim, double t, double* q, double* v, fb_error* error);

/* The present model, valid until the next join or parting; and the one given to fb_sim_new, to which signals, events,
 * limits and inputs refer at all times. */
FB_API const fb_model* fb_sim_model(const fb_sim* sim);
FB_API const fb_model* fb_sim_original_model(const fb_sim* sim);
FB_API double fb_sim_time(const fb_sim* sim);
FB_API double fb_sim_step_start(const fb_sim* sim); /* the time at which the last step began */
FB_API const double* fb_sim_q(const fb_sim* sim);
FB_API const double* fb_sim_v(const fb_sim* sim);
/* Poses and velocities at fb_sim_q, fb_sim_v, for fb_frame_pose and the like, valid until the next step. Computed at
 * most once per step. NULL before the start. */
FB_API const fb_data* fb_sim_kinematics(fb_sim* sim);
FB_API long long fb_sim_nstep(const fb_sim* sim);     /* made since the start */
FB_API long long fb_sim_nrejected(const fb_sim* sim); /* rejected and repeated with a shorter step */
/* The largest estimated difference of positions to the true motion so far, relative to the sizes of the motion
 * (docs/simulation.md): the errors of steps, accumulated. *since (may be NULL): since when it is more than five times
 * the accuracy (the true error may be twice the estimate), with hard contacts under moreau more than 0.01 or ten times
 * the accuracy, or could no longer be estimated; otherwise INFINITY. NAN where it is not estimated: other fixed steps, rtol
 * and atol given, hard contacts with event-driven methods, blocks whose ticks cannot be repeated (plugins, remote
 * controllers, functions of the caller's own). */
FB_API double fb_sim_error_estimate(const fb_sim* sim, double* since);
/* The time since which steps of dopri5 have been bounded by stability and not by its tolerances, so that an implicit
 * method would be faster; INFINITY when they are not. Not part of a snapshot. */
FB_API double fb_sim_stiff_since(const fb_sim* sim);
/* The time of the first step that fb_sim_options.refine made shorter; INFINITY when there was none. Likewise. */
FB_API double fb_sim_refined_since(const fb_sim* sim);
FB_API long long fb_sim_nevaluation(const fb_sim* sim); /* of the right-hand side */
/* The events of the last step, *count of them, in the order in which they occurred. */
FB_API const fb_event_record* fb_sim_event_records(const fb_sim* sim, int* count);
FB_API int fb_sim_stopped(const fb_sim* sim);

/* The current ledger. Does not change the simulation. */
FB_API void fb_sim_ledger(fb_sim* sim, fb_ledger* ledger);
/* Why the motion so far should not be trusted: the method has gained or lost more than 1e-3 of the energy or momentum
 * of the motion, or contacts were not solved, or bodies passed through each other. Returns 1: `text` says which, and what to
 * do; 0: no reason is known, and it is empty. 480 characters are enough. */
FB_API int fb_sim_warning(fb_sim* sim, char* text, size_t size);
/* Remark number `index`, from 0, on the state at the start, into `text`: joints outside their limits, contacts whose sides
 * penetrate, the law that is nearest to a singular pose. Returns its subject; FB_REMARK_NONE when there are no more, and
 * after a join or parting. The command and the bindings print them. */
typedef enum fb_remark { FB_REMARK_NONE, FB_REMARK_JOINT, FB_REMARK_CONTACT, FB_REMARK_LAW } fb_remark;
FB_API fb_remark fb_sim_start_remark(fb_sim* sim, int index, char* text, size_t size);
/* Work of each present coordinate's actuator since the start, or since its joint was made [nv]. */
FB_API const double* fb_sim_work(const fb_sim* sim);

/* ---- functions that events may call ---- */

/* Sets how coordinate k (index in v) is driven: FB_MOTION_FORCE, FB_MOTION_LOCKED or an id from fb_sim_add_motion. If
 * its velocity has to jump, an impulse is applied and all other velocities jump with it, as in a rigid mechanical
 * system: momentum is conserved, energy need not be. After the start, the time of a path counts from this call, and
 * the path is shifted to begin at the current position: positions do not jump. */
FB_API fb_status fb_sim_set_motion(fb_sim* sim, int k, int motion, fb_error* error);
/* The same for all coordinates of a joint, in one impulse. */
FB_API fb_status fb_sim_set_joint_motion(fb_sim* sim, int body, int motion, fb_error* error);
FB_API fb_motion_kind fb_sim_motion(const fb_sim* sim, int k);
/* 1 if coordinate k is at rest at a limit, or sticks by friction. */
FB_API int fb_sim_rests(const fb_sim* sim, int k);
/* Reflects coordinate k by an impulse: v_k becomes -restitution v_k. If it would return within 1e-5 s (two steps for
 * euler and semi_implicit), it comes to rest: it is held at its position until a force pulls it back in the direction that
 * it came from. A coordinate that is held already stays held. For a rigid stop use fb_sim_add_limit. */
FB_API fb_status fb_sim_bounce(fb_sim* sim, int k, double restitution, fb_error* error);
FB_API fb_status fb_sim_set_mode(fb_sim* sim, int mode, fb_error* error);
FB_API int fb_sim_mode(const fb_sim* sim);
FB_API int fb_sim_find_block(const fb_sim* sim, const char* name); /* -1 when there is none */
FB_API const double* fb_sim_memory(const fb_sim* sim, int block);  /* the block's memory, parameters first */
FB_API int fb_sim_find_parameter(const fb_sim* sim, int block, const char* name); /* index, or -1 */
/* Sets an entry of a block's memory; may also be called between steps. */
FB_API fb_status fb_sim_set_parameter(fb_sim* sim, int block, int parameter, double value, fb_error* error);
FB_API void fb_sim_stop(fb_sim* sim);

/* Joins two trees at two frames, or opens a joint, which may be one of the model or one made by a join
 * (freebody/join.h). May be called between steps too. The simulation then has another model of the same bodies:
 * frames, bodies and blocks keep their ids; coordinates that continue keep their motions, locks, limits and work, but
 * may have other indices. Pointers from fb_sim_q, fb_sim_v, fb_sim_y, fb_sim_work and the kinematics are invalid
 * afterwards. Blocks are informed by fb_block.rebind. The velocities jump at a join so that linear and angular
 * momentum are conserved; the energy lost counts as `impacts` of the ledger. A lock of all coordinates of a joint that is
 * reversed continues; a join that would end any other lock or motion is FB_ERR_STATE. On failure the simulation is as it was. */
FB_API fb_status fb_sim_join(fb_sim* sim, const fb_join_def* how, fb_error* error);
FB_API fb_status fb_sim_part(fb_sim* sim, const char* joint, fb_error* error);
FB_API int fb_sim_epoch(const fb_sim* sim); /* joins and partings so far */
/* The index-th of them, 0 .. epoch - 1. FB_ERR_ARG when there is none. */
FB_API fb_status fb_sim_get_change(const fb_sim* sim, int index, fb_sim_change* change, fb_error* error);
/* Notes of blocks on the last one: laws whose joint no longer exists. "" when there are none. */
FB_API const char* fb_sim_change_notes(const fb_sim* sim);
/* The coordinate of v that continues coordinate k of the first model; -1 when its joint no longer exists. */
FB_API int fb_sim_coordinate_now(const fb_sim* sim, int k);

/* ---- snapshots: the complete state of a simulation, as bytes ---- */

/* Changes with every join and parting: a snapshot holds their history. */
FB_API size_t fb_sim_snapshot_size(const fb_sim* sim);
/* Also discards the integrator's history, so that continuing and restoring give the same results. */
FB_API void fb_sim_save(fb_sim* sim, void* snapshot);
/* Restores a snapshot into a simulation that was set up and started in the same way, whatever joins and
 * partings it has made since: those of the snapshot are made again, exactly. FB_ERR_STATE when the snapshot belongs to a
 * different simulation or is damaged (it has a checksum); the simulation is then unchanged. */
FB_API fb_status fb_sim_restore(fb_sim* sim, const void* snapshot, size_t size, fb_error* error);

/* ---- for steppers ---- */

FB_API int fb_sim_ny(const fb_sim* sim);        /* unknowns: q (nq), v (nv), block states, ledger */
FB_API int fb_sim_ny_motion(const fb_sim* sim); /* without the ledger, which is quadrature */
FB_API const double* fb_sim_y(const fb_sim* sim);
/* The longest step that error control may make: fb_sim_options.max_step, or where that is 0 the least longest_step of the
 * blocks; 0: no bound [s] */
FB_API double fb_sim_longest_step(const fb_sim* sim);
FB_API int fb_sim_is_attitude(const fb_sim* sim, int i); /* 1 if entry i of y belongs to a quaternion */
/* y' at (t, y), in coordinates (quaternion rates); quaternions need not have unit length. */
FB_API fb_status fb_sim_rate(fb_sim* sim, double t, const double* y, double* ydot, fb_error* error);
/* Its first nq entries: the time derivative of q for velocities v. */
FB_API void fb_sim_q_rate(const fb_sim* sim, const double* q, const double* v, double* qdot);
/* The scales that error control uses for the ledger's part of y (ny - ny_motion entries): the energies and momenta in
 * play. Negative: the entry is not the quadrature of a smooth function and is excluded. */
FB_API void fb_sim_ledger_sizes(const fb_sim* sim, const double* y, double* size);
/* Projects y onto its constraints: unit quaternions, prescribed coordinates, closed loops. For the ends of steps. */
FB_API void fb_sim_project(fb_sim* sim, double t, double* y);
/* Adds to the number of rejected steps, fb_sim_nrejected. */
FB_API void fb_sim_count_rejected(fb_sim* sim, long long steps);

FB_END_DECLS

#endif
