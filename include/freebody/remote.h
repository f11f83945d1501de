/* remote.h -- control laws in another process (libfreebody_io): flight software, a Python script, hardware in the loop.
 *
 * At every period the block sends signals to its peer and receives inputs: efforts of joints, forces and torques on frames,
 * and plain numbers. They are held until the next exchange, and are outputs of the block: signals BLOCK.JOINT,
 * BLOCK.FRAME_force, BLOCK.FRAME_torque, BLOCK.NAME, and BLOCK.missed, the number of exchanges without a valid reply.
 *
 *   lock-step   the simulation waits for each reply, up to the timeout: the result does not depend on the speed of either
 *   real time   the simulation does not wait; it takes the newest reply that has arrived
 *
 * Exchanges take place when the simulation starts and at every tick only. Replies can be recorded, and later be taken
 * from the record instead of a peer. docs/remote.md describes the messages, freebody/remote_protocol.h declares them. */
#ifndef FREEBODY_REMOTE_H
#define FREEBODY_REMOTE_H

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef enum fb_remote_pace { FB_REMOTE_LOCKSTEP, FB_REMOTE_REALTIME } fb_remote_pace;

/* Action when there is no valid reply. */
typedef enum fb_remote_fallback {
  FB_REMOTE_HOLD, /* the last inputs stay */
  FB_REMOTE_ZERO, /* all inputs become zero */
  FB_REMOTE_STOP  /* the tick fails, and with it the step */
} fb_remote_fallback;

/* Outcome of an exchange. */
typedef enum fb_remote_outcome {
  FB_REMOTE_REPLIED,
  FB_REMOTE_PENDING, /* real time only: nothing new yet, within the timeout */
  FB_REMOTE_TIMEOUT, /* no reply in time */
  FB_REMOTE_INVALID, /* not a number, wrong size, version or number, too many messages */
  FB_REMOTE_LOST,    /* the peer has closed the connection, or died */
  FB_REMOTE_OUTCOME_COUNT
} fb_remote_outcome;

typedef struct fb_remote_exchange {
  const char* block;
  fb_remote_pace pace;
  long long number; /* of the exchange, from 0 on */
  double t;         /* [s] */
  fb_remote_outcome outcome;
  const double* inputs; /* [ninput] what acts until the next one */
  int ninput;
  double round_trip;  /* wall time from sending to the reply; NAN without one [s] */
  long long outdated; /* replies to earlier steps that were dropped */
} fb_remote_exchange;

typedef struct fb_remote_options {
  const char* address; /* "udp://127.0.0.1:9000", "unix:/tmp/arm", "shm:/arm" */
  double period;       /* [s] */
  double timeout;      /* of a reply, wall time [s] */
  double wait;         /* for the peer at the start, wall time; 10 [s] */
  fb_remote_pace pace;
  fb_remote_fallback on_timeout, on_invalid, on_lost; /* all FB_REMOTE_STOP */
  /* [nsignal] each a single number: "q.elbow", "p.hand.x"; unit and axes as they are */
  const fb_port* signals;
  int nsignal;
  const int* coordinates; /* [ncoordinate] of v: each receives an effort */
  int ncoordinate;
  const int* frames; /* [nframe] each receives a force and a torque */
  int nframe;
  int in_frame_axes;         /* 1: forces and torques are in the axes of their frame; 0: of the world */
  const char* const* values; /* [nvalue] names of further numbers */
  int nvalue;
  int dry; /* 1: no peer is contacted, and all inputs are zero: to test whether the simulation starts */

  /* Any of these may be NULL. */

  /* Called before an exchange: returns 1 with inputs and outcome when they are known already, 0 to contact the peer,
   * -1 after an error. */
  int (*recall)(void* user, fb_remote_exchange* exchange, double* inputs, fb_error* error);
  /* Called after each exchange with the peer. */
  fb_status (*record)(void* user, const fb_remote_exchange* exchange, fb_error* error);
  int (*ended)(void* user);                   /* called repeatedly while waiting: 1 ends the wait */
  void (*note)(void* user, const char* text); /* receives notes: on waiting, on a missing reply */
  void* user;
  int cookie_; /* set by fb_default_remote_options */
} fb_remote_options;

FB_BEGIN_DECLS

FB_API fb_remote_options fb_default_remote_options(void);
/* FB_OK for an address of one of the three forms. */
FB_API fb_status fb_remote_check_address(const char* address, fb_error* error);
/* Creates the block. The model must outlive it; everything in options is copied. The connection is made when the
 * simulation starts. Inputs come in the order: coordinates, frames (force x y z, torque x y z), values. */
FB_API fb_status fb_block_new_remote(const fb_model* m, const char* name, const fb_remote_options* options,
                                     fb_block* block, fb_error* error);

FB_END_DECLS

#endif
