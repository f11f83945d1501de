/* control.h -- ready-made blocks. Each call fills in a block for fb_sim_add_block and copies its arguments, paths
 * included. */
#ifndef FREEBODY_CONTROL_H
#define FREEBODY_CONTROL_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/spline.h>

/* One coordinate of a PD or PID law: tau = kp (target - q) + kd (target' - v) + ki integral, within +-effort. The
 * integral of (target - q) is frozen while tau is at its bound and the error would push it further (anti-windup,
 * blended in over the last 1 % below the bound). Parameters in memory: "NAME.kp", "NAME.kd", "NAME.effort", "NAME.ki"
 * when it is not 0 and, when path is NULL, "NAME.target"; NAME is the joint's. For a joint of several coordinates:
 * "NAME.0.kp" and so on. */
typedef struct fb_pd_joint {
  int coordinate;        /* index in v; must be a plain angle or length */
  double kp, kd;         /* [N m/rad or N/m], [N m s/rad or N s/m] */
  double target;         /* used when path is NULL [rad or m] */
  const fb_spline* path; /* or a path in time */
  double effort;         /* INFINITY: no bound [N m or N] */
  double ki;             /* 0: none [N m/rad/s or N/m/s] */
  int cookie_;           /* set by fb_default_pd_joint */
} fb_pd_joint;

/* Desired pose of a frame over time, in world axes. */
typedef struct fb_frame_path {
  const fb_spline* position[3]; /* [m]; NULL: the initial position */
  int from_start;               /* 1: positions are relative to the frame's initial position */
  /* attitude: rotated by this angle [rad] from the initial attitude; NULL: the initial attitude */
  const fb_spline* turn;
  double axis_w[3]; /* about this axis */
} fb_frame_path;

/* A frame that follows a path: accelerations  a = path'' + kd (path' - velocity) + kp (path - position)  of the frame
 * are mapped to accelerations of the joints between the base and the frame by the damped pseudo-inverse of their
 * Jacobian (the generalized Jacobian, which accounts for the base's reaction, when the base floats or is itself mounted
 * on joints). Joint motion in the null space of the task decays at the rate kd. Other joints are not driven. Parameters
 * in memory: "kp", "kd". Outputs: "position_error", with `rows` 6 also "attitude_error"; "singular_value", the smallest of
 * that Jacobian, and "conditioning", its ratio to the largest. See docs/theory/resolved_motion.md. */
typedef struct fb_frame_task {
  int frame;
  int from; /* the base: a body between the tree's base and the frame; joints before it are free to move. 0: the tree's
               base, or the body it is fixed to */
  fb_frame_path path;
  int rows;       /* 3: position, 6: position and attitude */
  double kp, kd;  /* [1/s^2], [1/s] */
  double damping; /* of the pseudo-inverse; 0: singular values below 1e-12 of the largest are dropped */
  int keep_base; /* 1: three more rows that keep the attitude of the floating base constant (reaction null motion); with
                    `from`: six rows, so that the driven joints add nothing to that body's acceleration */
  int assume_still; /* 1: assume that the base stays at its initial pose: plain Jacobian */
  int by_motion;    /* 1: prescribe these accelerations; 0: apply the forces that produce them */
  double effort;    /* bound on each joint's force; INFINITY: none. Not with by_motion */
  int cookie_;      /* set by fb_default_frame_task */
} fb_frame_task;

/* A frame on springs: it behaves like a mass on a spring and a damper about its path,
 *
 *   Lambda (a - path'') = stiffness (path - position) + damping (path' - velocity) + force from outside,
 *
 * where Lambda is the robot's inertia at the frame, its floating base included. Gravity, velocity products and
 * passive forces are compensated. Joint motion in the null space decays at the rate `decay`. Parameters in memory:
 * "stiffness_scale", a factor on all stiffnesses, 1 at the start; "decay". Outputs, besides those of a frame's task:
 * "force", with `rows` 6 also "torque", of springs and dampers on the frame, world axes. See
 * docs/theory/force_control.md. */
typedef struct fb_impedance {
  /* frame, from, path, rows, damping of the pseudo-inverse, keep_base, effort; its gains do not count */
  fb_frame_task task;
  double stiffness[6]; /* along x, y, z and about x, y, z, >= 0 [N/m], [N m/rad] */
  double damping[6];   /* likewise [N s/m], [N m s/rad] */
  int in_frame_axes;   /* 0: world axes; 1: those of the frame */
  double decay;        /* >= 0 [1/s] */
  int cookie_;         /* set by fb_default_impedance */
} fb_impedance;

/* A direction along which a frame presses with a force instead of following its path. */
typedef struct fb_force_axis {
  double direction[3];    /* in which the robot pushes; of any length */
  int axes_of;            /* the frame whose axes these are; 0: world axes */
  const fb_spline* force; /* desired force over time [N] */
  const char* measured; /* signal with the measured force, such as contact.tip.normal, or NULL: no feedback */
  double ki;            /* of the integral of desired less measured force, >= 0 [1/s] */
  int cookie_;          /* set by fb_default_force_axis */
} fb_force_axis;

/* Force along some directions and position along the others (hybrid control): the reaction to the desired forces is
 * compensated like gravity, and the position along the other directions, and the attitude, follow the path as in
 * fb_frame_task. Along a direction of force motion decays at the rate kd, and so the frame approaches the surface at
 * force / (kd Lambda) until it touches. With ki the force adds ki times the integral of its error, which is frozen while the
 * measured force is 0. Parameters in memory: "kp", "kd". Output "force": as commanded, world axes. */
typedef struct fb_force_position {
  fb_frame_task task; /* by force: not by_motion, not assume_still */
  /* [count] at right angles to each other, to 1e-6, where `axes_of` are the same */
  const fb_force_axis* force_axes;
  int count;   /* 1 to 3 */
  int cookie_; /* set by fb_default_force_position */
} fb_force_position;

/* How a torque with a component beyond its bound is saturated. */
typedef enum fb_saturation {
  FB_SATURATION_AXIS, /* each component is clamped separately: the most torque, but its direction changes */
  FB_SATURATION_DIRECTION /* all components are scaled by one factor: the direction is kept */
} fb_saturation;

/* Attitude control of a floating base: T = kp angle + kd (desired rate - rate). The torque comes from thrusters (a
 * torque on the base, in body axes) or from reaction wheels: bodies on revolute joints, mounted on the base or on
 * bodies fixed to it, whose torques produce T in the least-squares sense. A wheel at the speed limit of its joint
 * (fb_joint_def.speed) gets no torque that would accelerate it further (blended in over the last 1 % below the
 * limit); the other wheels take over as far as they can. Parameters in memory: "kp", "kd", "effort". Outputs:
 * "torque", as demanded, in body axes; "room.JOINT" of each wheel, 1 where it may accelerate freely and 0 at its
 * speed limit. */
typedef struct fb_attitude_task {
  int body; /* the base: on a free joint in the world */
  /* desired attitude: rotated by this angle from the initial attitude; NULL: the initial attitude */
  const fb_spline* turn;
  double axis_w[3];
  double kp, kd;     /* [N m/rad], [N m s/rad] */
  const int* wheels; /* bodies; NULL: thrusters */
  int nwheel;
  double effort; /* bound on each wheel's torque, or on each component in body axes; INFINITY: none */
  fb_saturation saturate;
  int cookie_; /* set by fb_default_attitude_task */
} fb_attitude_task;

/* The goal of a task of fb_task_qp. */
typedef enum fb_qp_task_kind {
  FB_QP_TASK_FRAME,          /* a frame follows a path */
  FB_QP_TASK_CENTRE_OF_MASS, /* the centre of mass of a body and all its descendants does */
  FB_QP_TASK_POSTURE         /* joints do */
} fb_qp_task_kind;

/* One task: accelerations  a = path'' + kd (path' - velocity) + kp (path - position)  along some world axes, or of joints. */
typedef struct fb_qp_task {
  fb_qp_task_kind kind;
  int priority;  /* 0 to 1000, smaller ones first; a task costs those of smaller numbers nothing */
  double weight; /* > 0: of the squares of its errors among the tasks of the same priority */
  double kp, kd; /* [1/s^2], [1/s]; of a posture those of its joints count */
  int frame;     /* FB_QP_TASK_CENTRE_OF_MASS: the frame of the body; 0: everything in the scene */
  int axes;      /* bits 0 to 2: positions x, y, z; 3 to 5: attitude about x, y, z */
  fb_frame_path path;
  /* [count] of a posture, as for fb_block_new_computed_torque; effort and ki do not count */
  const fb_pd_joint* joints;
  int count;
  int cookie_; /* set by fb_default_qp_task */
} fb_qp_task;

/* A point of the robot that can be pushed by something at rest: the ground, a wall. Its force is chosen by the law: along the
 * normal not negative and at most `most`, across it inside a pyramid that lies inside the friction cone. */
typedef struct fb_qp_contact {
  int frame;
  double normal_w[3]; /* away from the surface, towards the robot; of any length */
  double friction;    /* 0: no tangential force */
  int sides;          /* of the pyramid, 3 to 64 */
  int stance; /* 1: the point does not move: that comes before all tasks. 0: it may slide or lift off */
  double kd;  /* its acceleration is -kd times its velocity, with stance [1/s] */
  /* largest normal force over time; NULL: no bound. Where it is not positive there is no contact [N] */
  const fb_spline* most;
  const fb_spline* force; /* desired normal force; NULL: as the tasks need it [N] */
  int priority;           /* of that force, as of tasks */
  double weight;
  int cookie_; /* set by fb_default_qp_contact */
} fb_qp_contact;

/* Tasks by priority under the dynamics: joint forces and contact forces that meet the tasks of the first priority as well
 * as possible, then, as far as these leave freedom, those of the second and so on, always within the efforts and friction
 * cones. In the freedom that all tasks leave, joint motion decays, then the forces are the least. Parameter in memory: "decay".
 * Outputs: "force.FRAME" of each contact, as planned, world axes;
 * "missed" of each priority, stance first: root of the weighted sum of squares of the accelerations (or forces) that are
 * missing; "status": 0 all tasks are met, 1 some are not, 2 the solver has stopped early. See docs/theory/task_qp.md. */
typedef struct fb_task_qp {
  const fb_qp_task* tasks; /* [ntask] */
  int ntask;
  const fb_qp_contact* contacts; /* [ncontact] */
  int ncontact;
  const int* coordinates; /* [ncoordinate] driven, indices in v; NULL: all except those of floating bases */
  int ncoordinate;
  double effort; /* largest force of each coordinate; NAN: the model's limits */
  double decay;  /* of joint motion that the tasks leave open [1/s] */
  int cookie_;   /* set by fb_default_task_qp */
} fb_task_qp;

/* A law run as on a flight computer: it reads the state, with noise, at 0, period, 2 period ...; its output acts after
 * a delay and is held until the next. `start` reads the true state, so references taken there are exact. */
typedef struct fb_sampling {
  double period; /* > 0 [s] */
  double delay;  /* >= 0, at most 100 periods [s] */
  /* standard deviation of Gaussian noise on plain coordinates (rotations: of the rotation vector), and on
   * velocities */
  double noise_q, noise_v;
  unsigned long long seed; /* the same seed gives the same noise */
  int cookie_;             /* set by fb_default_sampling */
} fb_sampling;

/* A force or torque as a function of time: rows of (time, value). Between rows the value is constant (interpolate 0) or
 * linear (1); before the first row and after the last it is zero, so a pulse is two rows: (1 s, 10 N), (2 s, 0). At the
 * time of a row the new value applies. */
typedef struct fb_schedule {
  int count;
  const double* times;  /* [count] [s] */
  const double* values; /* [count] for a coordinate; [count][6] force, torque for a frame [N], [N m] */
  int interpolate;
  int cookie_; /* set by fb_default_schedule */
} fb_schedule;

FB_BEGIN_DECLS

FB_API fb_schedule fb_default_schedule(void); /* no rows yet, constant between them */
FB_API fb_pd_joint fb_default_pd_joint(void); /* no coordinate yet, no gains, target 0, no bound */
FB_API fb_status fb_block_new_joint_pd(const fb_model* m, const char* name, const fb_pd_joint* joints,
                                       int count, fb_block* block, fb_error* error);
/* tau of one coordinate. */
FB_API fb_status fb_block_new_joint_schedule(const fb_model* m, const char* name, int coordinate,
                                             const fb_schedule* schedule, fb_block* block, fb_error* error);
/* A wrench at a frame's origin. */
FB_API fb_status fb_block_new_frame_schedule(const fb_model* m, const char* name, int frame,
                                             int in_frame_axes, const fb_schedule* schedule, fb_block* block,
                                             fb_error* error);

/* Computed torque: tau that produces the accelerations target'' + kd (target' - v) + kp (target - q), kp [1/s^2],
 * kd [1/s], within +-effort; other joints, and a floating base, are free to move. */
FB_API fb_status fb_block_new_computed_torque(const fb_model* m, const char* name, const fb_pd_joint* joints,
                                              int count, fb_block* block, fb_error* error);

FB_API fb_frame_task fb_default_frame_task(void); /* pose, kp 1, kd 2, by force */
FB_API fb_status fb_block_new_frame_task(const fb_model* m, const char* name, const fb_frame_task* task,
                                         fb_block* block, fb_error* error);
FB_API fb_impedance fb_default_impedance(void); /* no frame, no springs yet, decay 2 */
FB_API fb_status fb_block_new_impedance(const fb_model* m, const char* name, const fb_impedance* law,
                                        fb_block* block, fb_error* error);
FB_API fb_force_axis fb_default_force_axis(void);         /* along world -z, no force, no feedback */
FB_API fb_force_position fb_default_force_position(void); /* no frame, no force axes, kp 1, kd 2 */
FB_API fb_status fb_block_new_force_position(const fb_model* m, const char* name,
                                             const fb_force_position* law, fb_block* block, fb_error* error);
FB_API fb_attitude_task
fb_default_attitude_task(void); /* kp 1, kd 2, hold the initial attitude, thrusters, FB_SATURATION_AXIS */
FB_API fb_status fb_block_new_attitude(const fb_model* m, const char* name, const fb_attitude_task* task,
                                       fb_block* block, fb_error* error);

FB_API fb_qp_task fb_default_qp_task(void); /* priority 1, weight 1, kp 1, kd 2, no frame yet, axes x, y, z */
FB_API fb_qp_contact
fb_default_qp_contact(void); /* normal +z, friction 0.5, 8 sides, stance with kd 0, no bound, weight 1 */
FB_API fb_task_qp fb_default_task_qp(void); /* no tasks, the model's efforts, decay 1 */
FB_API fb_status fb_block_new_task_qp(const fb_model* m, const char* name, const fb_task_qp* law,
                                      fb_block* block, fb_error* error);

/* Wrappers: a block around another one, of which it takes ownership (also on failure). It has the inner block's
 * parameters. */
FB_API fb_sampling fb_default_sampling(void); /* 100 Hz, no delay, no noise */
FB_API fb_status fb_block_new_sampled(const fb_model* m, fb_block* inner, const fb_sampling* sampling,
                                      fb_block* block, fb_error* error);
/* Clamps the joint forces of the inner block to the model's effort limits, each coordinate separately. */
FB_API fb_status fb_block_new_limited(const fb_model* m, fb_block* inner, fb_block* block, fb_error* error);

FB_END_DECLS

#endif
