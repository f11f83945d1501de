/* live.h -- a run that is watched live (`freebody run --live`): the simulation's side.
 *
 * The simulation writes its store as always, only commits more often; a server in a thread of its own reads the store
 * as any reader would, and sends what it finds to pages and scripts. The two threads share atomics and nothing else:
 * whether somebody requested a pause, how often the run was committed, whether it has ended. docs/live.md has what
 * goes over the wire. */
#ifndef FB_APP_LIVE_LIVE_H
#define FB_APP_LIVE_LIVE_H

#include "command.h"

enum { FB_LIVE_PORT = 8717, FB_LIVE_PORTS = 21 /* tried one after the other */ };

/* Where to listen. */
typedef struct cmd_live_place {
  char address[48]; /* a number, of IPv4 or IPv6 */
  int port;         /* 0: any */
  int ports;        /* how many to try, from port on */
} cmd_live_place;

/* A server and what it shares with the simulation. NULL stands for a run that nobody watches. */
typedef struct cmd_live cmd_live;

/* The value of --live: NULL, PORT, ADDRESS or ADDRESS:PORT; 0 when it is none of them, after saying so. */
int cmd_live_read_place(const cmd_app* app, const char* text, cmd_live_place* place);
/* Listens, and finds what pages are made of, before anything of the run is written. An exit code: what is wrong or
 * missing has been said. */
int cmd_live_open(const cmd_app* app, const cmd_live_place* place, cmd_live** live);
/* Serves the run in the folder, from a thread of its own, and says where. An exit code. */
int cmd_live_start(cmd_live* live, const char* folder);
/* Sends what is left, for some seconds at most, and says goodbye. hasty: somebody waits at the terminal. */
void cmd_live_finish(cmd_live* live, int hasty);
void cmd_live_close(cmd_live* live);

/* Whether somebody asked the run to wait. */
int cmd_live_paused(const cmd_live* live);
/* There is more to read in the store. */
void cmd_live_committed(cmd_live* live);

#endif
