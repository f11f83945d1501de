/* remote.h -- the inside of a remote controller's block: its settings, and what it sends its peer about itself. */
#ifndef FB_ADAPTERS_REMOTE_REMOTE_H
#define FB_ADAPTERS_REMOTE_REMOTE_H

#include <freebody/remote.h>

#include "adapters/remote/session.h"
#include "base/pool.h"

typedef struct fb_remote {
  fb_pool pool;              /* all that this points to */
  fb_remote_options options; /* with copies of all that it points to */
  const fb_model* original;  /* the model that it was made for */
  int* now;                  /* [ncoordinate] the coordinates in the present one; -1: the joint has gone */
  int ninput;
  fb_port* ports; /* [nport] outputs */
  int nport;
  const char* name;
  fb_session session;
  double* inputs; /* [ninput] scratch */
  int streak;     /* the outcome that the last exchange had, and was told */
  int notes;      /* notes so far */
} fb_remote;

/* Fills ports: the inputs as outputs of the block, and `missed`. */
fb_status fb_remote_make_ports(fb_remote* r, fb_error* error);
/* The text of HELLO: a line for each signal and each input; malloc'd, NULL without memory. */
char* fb_remote_names(const fb_remote* r);

#endif
