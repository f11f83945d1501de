/* session.h -- the conversation with a peer: greeting, and one exchange at a time. */
#ifndef FB_ADAPTERS_REMOTE_SESSION_H
#define FB_ADAPTERS_REMOTE_SESSION_H

#include <stdint.h>

#include <freebody/remote.h>

#include "adapters/remote/link.h"
#include "base/pool.h"

typedef struct fb_session {
  const fb_remote_options* options;
  fb_pool pool; /* the arrays */
  fb_link link;
  int connected;
  int begun; /* it was, once */
  int nsignal, ninput;
  uint32_t id; /* of the greeting */
  /* when HELLO was sent last, and when the peer was heard last, at the wall clock [s] */
  double greeted, last_received;
  long long next, newest; /* numbers: of the next exchange, of the newest reply that was taken */
  long long outdated;     /* messages of the past that the last exchange dropped */
  double round_trip;      /* of the last exchange; NAN without a reply [s] */
  unsigned char* out;     /* the message that is sent; [room] */
  unsigned char* in;      /* the one received; [room] */
  char* text;             /* of HELLO: the names */
  size_t text_size, room;
  double* inputs; /* [ninput] as they arrive */
  int ended;      /* waiting was given up: fb_remote_options.ended */
  char why[240];  /* the last exchange had no valid reply */
} fb_session;

/* Takes the text over, also after an error. */
fb_status fb_session_init(fb_session* s, const fb_remote_options* options, int ninput, char* text,
                          fb_error* error);
/* Greets the peer for the first time, or again after a jump in time; waits for it. */
fb_status fb_session_begin(fb_session* s, long long number, double t, fb_error* error);
/* Sends the signals; s->inputs has the reply where the outcome is FB_REMOTE_REPLIED, else s->why what is the matter. */
fb_remote_outcome fb_session_exchange(fb_session* s, long long number, double t, const double* signals);
/* Sends the peer the end of the session. */
void fb_session_free(fb_session* s);

#endif
