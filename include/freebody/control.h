/* control.h -- ready-made blocks. Each call fills a block to be handed to fb_sim_add_block, and copies what it is
 * given, paths too. */
#ifndef FREEBODY_CONTROL_H
#define FREEBODY_CONTROL_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/spline.h>

/* One coordinate of a PD or PID law: tau = kp (target - q) + kd (target' - v) + ki integral, within +-effort; the
 * integral of (target - q) stands still while tau is at its bound and would go further (it slows down over the last
 * hundredth before). Parameters in memory: "NAME.kp", "NAME.kd", "NAME.effort", "NAME.ki" when it is not 0 and, when
 * path is NULL, "NAME.target", NAME the joint's; of a joint of several coordinates "NAME.0.kp" and so on. */
typedef struct fb_pd_joint {
  int coordinate;        /* index in v, of a coordinate that is a plain angle or length */
  double kp, kd;         /* [N m/rad or N/m], [N m s/rad or N s/m] */
  double target;         /* used when path is NULL [rad or m] */
  const fb_spline* path; /* or a path in time */
  double effort;         /* INFINITY: no bound [N m or N] */
  double ki;             /* 0: none [N m/rad/s or N/m/s] */
} fb_pd_joint;

/* Where a frame should be: world axes. */
typedef struct fb_frame_path {
  const fb_spline* position[3]; /* [m]; NULL: where it was at the start */
  int from_start;               /* 1: positions are added to where the frame was at the start */
  const fb_spline*
      turn;         /* attitude: turned by this angle [rad] from that at the start; NULL: as at the start */
  double axis_w[3]; /* about this axis */
} fb_frame_path;

/* A frame that follows a path: accelerations  a = path'' + kd (path' - velocity) + kp (path - position)  of the frame
 * become accelerations of the joints between its base and it, by the damped pseudo-inverse of their Jacobian (where the
 * base floats, or stands on joints: the generalized one, so that the base's answer is in it). Joint motion that the frame
 * does not see dies out at the rate kd. Other joints are left alone. Parameters in memory: "kp", "kd".
 * docs/theory/resolved_motion.md. */
typedef struct fb_frame_task {
  int frame;
  int from; /* the base: a body on the way to the frame; joints before it give way. 0: the tree's base, or what it is
               bolted to */
  fb_frame_path path;
  int rows;       /* 3: position, 6: position and attitude */
  double kp, kd;  /* [1/s^2], [1/s] */
  double damping; /* of the pseudo-inverse; 0: singular values below 1e-12 of the largest are left out */
  int keep_base; /* 1: three rows more: the attitude of the floating base is not to change (reaction null motion); with
                    `from`: six rows, the joints that are moved are to add nothing to that body's acceleration */
  int assume_still; /* 1: the law believes that the base stays where it was at the start: plain Jacobian */
  int by_motion;    /* 1: joints move with these accelerations; 0: they get the forces that these take */
  double effort;    /* bound on each joint's force; INFINITY: none. Not with by_motion */
  int cookie_;      /* set by fb_default_frame_task */
} fb_frame_task;

/* What happens to a torque of which a part is beyond its bound. */
typedef enum fb_saturation {
  FB_SATURATION_AXIS,     /* each part is cut by itself: the most torque, in another direction */
  FB_SATURATION_DIRECTION /* all parts are scaled by one factor: the direction stays */
} fb_saturation;

/* Attitude of a floating base by torque: T = kp angle + kd (rate wanted - rate). By thrusters (torque on the base, its parts
 * along the body's axes) or by wheels: bodies on revolute joints, on the base or on bodies fixed to it, whose torques
 * answer T in the least squares sense. A wheel at the speed limit of its joint (fb_joint_def.speed; it fades over the last
 * hundredth before) gets no torque that would speed it up; the other wheels take over what they can. Parameters in memory:
 * "kp", "kd", "effort". */
typedef struct fb_attitude_task {
  int body; /* the base: on a free joint in the world */
  const fb_spline*
      turn; /* wanted attitude: turned by this angle from that at the start; NULL: as at the start */
  double axis_w[3];
  double kp, kd;     /* [N m/rad], [N m s/rad] */
  const int* wheels; /* bodies; NULL: thrusters */
  int nwheel;
  double effort; /* bound on each wheel's torque, or on each component in body axes; INFINITY: none */
  fb_saturation saturate;
  int cookie_; /* set by fb_default_attitude_task */
} fb_attitude_task;

/* How a law is run on a computer: it sees the state, with noise, at 0, period, 2 period ..., and what it then wants
 * acts after a delay and is held. Its start sees the true state, so references taken there are exact. */
typedef struct fb_sampling {
  double period; /* > 0 [s] */
  double delay;  /* >= 0, at most 100 periods [s] */
  double noise_q,
      noise_v; /* standard deviation of Gaussian noise on plain coordinates (rotations: of the rotation
                              vector), and on velocities */
  unsigned long long seed; /* the same seed gives the same noise, whatever came before */
  int cookie_;             /* set by fb_default_sampling */
} fb_sampling;

/* A force or torque that is a given function of time: rows of (time, value); between rows the value holds
 * (interpolate 0) or runs straight (1); before the first row and after the last it is zero, so a pulse is two
 * rows: (1 s, 10 N), (2 s, 0). At a row's own time it is what comes after. */
typedef struct fb_schedule {
  int count;
  const double* times;  /* [count] [s] */
  const double* values; /* [count] for a coordinate; [count][6] force, torque for a frame [N], [N m] */
  int interpolate;
} fb_schedule;

FB_BEGIN_DECLS

FB_API fb_pd_joint fb_default_pd_joint(void); /* no coordinate yet, no gains, target 0, no bound */
FB_API fb_status fb_block_joint_pd(const fb_model* m, const char* name, const fb_pd_joint* joints, int count,
                                   fb_block* block, fb_error* error);
/* tau of one coordinate. */
FB_API fb_status fb_block_joint_schedule(const fb_model* m, const char* name, int coordinate,
                                         const fb_schedule* schedule, fb_block* block, fb_error* error);
/* A wrench at a frame's origin. */
FB_API fb_status fb_block_frame_schedule(const fb_model* m, const char* name, int frame, int in_frame_axes,
                                         const fb_schedule* schedule, fb_block* block, fb_error* error);

/* tau that gives the accelerations target'' + kd (target' - v) + kp (target - q), kp [1/s^2], kd [1/s], within +-effort;
 * joints that are not named, and a floating base, give way. */
FB_API fb_status fb_block_computed_torque(const fb_model* m, const char* name, const fb_pd_joint* joints,
                                          int count, fb_block* block, fb_error* error);

FB_API fb_frame_task fb_default_frame_task(void); /* pose, kp 1, kd 2, by force */
FB_API fb_status fb_block_frame_task(const fb_model* m, const char* name, const fb_frame_task* task,
                                     fb_block* block, fb_error* error);
FB_API fb_attitude_task
fb_default_attitude_task(void); /* kp 1, kd 2, as at the start, by thrusters, each axis by itself */
FB_API fb_status fb_block_attitude(const fb_model* m, const char* name, const fb_attitude_task* task,
                                   fb_block* block, fb_error* error);

/* Wrappers: a block around another, which it takes over (also on failure). Parameters stay those of the inner one. */
FB_API fb_sampling fb_default_sampling(void); /* 100 Hz, no delay, no noise */
FB_API fb_status fb_block_sampled(const fb_model* m, fb_block* inner, const fb_sampling* sampling,
                                  fb_block* block, fb_error* error);
/* What it gives to the joints stays within the model's effort limits, each coordinate by itself. */
FB_API fb_status fb_block_limited(const fb_model* m, fb_block* inner, fb_block* block, fb_error* error);

FB_END_DECLS

#endif
