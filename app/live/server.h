/* server.h -- what the files of the live server share. All but the atomics belongs to the server's thread once it
 * runs. */
#ifndef FB_APP_LIVE_SERVER_H
#define FB_APP_LIVE_SERVER_H

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

#include <freebody/store.h>

#include "live/live.h"
#include "live/server_websockets.h"

enum {
  FB_LIVE_CONNECTIONS = 64, /* at once; further ones are asked to retry later */
  FB_LIVE_MESSAGE = 256,    /* bytes that a client may say at once */
  FB_LIVE_NUMBERS = 65536   /* in a message to a client, or one sample where that is more */
};

/* Bytes that several connections may be sending; room for the library stands before them. */
typedef struct cmd_live_body {
  int refs;
  size_t size;
  unsigned char bytes[]; /* LWS_PRE, then size */
} cmd_live_body;

/* A connection: lws keeps the memory, zeros at first. */
typedef struct cmd_live_client cmd_live_client;
struct cmd_live_client {
  /* HTTP: what is being sent */
  cmd_live_body* body;
  size_t sent;

  /* WebSocket */
  struct lws* wsi;
  cmd_live_client *next, *before; /* in cmd_live.clients */
  char received[FB_LIVE_MESSAGE]; /* a message on its way in */
  size_t received_size;
  int started;      /* it has said from where */
  int text_sent;    /* it has had a text since */
  long long cursor; /* the next sample */
  int event;        /* the next event */
  int paused_sent;
  char status_sent[16];
  double moved; /* when something was last handed to its socket [s] */
};

struct cmd_live {
  /* Shared with the simulation's thread. */
  atomic_int paused, ended, hasty, done;
  atomic_llong commits;

  /* From before the thread starts. */
  const cmd_app* app;
  int socket; /* that listens; the library closes it once `listener` is there */
  int loopback;
  char address[48], url[96];
  char *page_template, *folder;
  struct lws_context* context;
  pthread_t thread;
  int running;
  struct sigaction sigpipe; /* as it was */

  /* The server's own. */
  struct lws* listener;
  lws_sorted_usec_list_t timer;
  int connections;
  int sending; /* answers on their way */
  cmd_live_client* clients;
  fb_store* run; /* the store as last looked at; NULL: not yet */
  long long commits_seen;
  double next_poll; /* not before this time [s] */
  int* columns;     /* -1 (time), 0, 1 ...: all signals of the run */
  char status[16];  /* "running" */
  cmd_live_body* page;
  double page_made;
  int over;     /* the run has ended, and what is left is being sent */
  double until; /* for so long at most [s] */

  /* The last message with samples, which others may want too. */
  unsigned char* message;
  long long message_first, message_count;
};

/* ---- app/live/server_listen.c ---- */

/* A socket that listens, and where; an exit code. */
int cmd_live_listen(cmd_live* live, const cmd_live_place* place);
/* Takes in who is waiting. */
void cmd_live_accept(cmd_live* live, struct lws_vhost* vhost);

/* ---- app/live/server_http.c ---- */

/* Each returns what the library's callback returns. */
int cmd_live_answer(cmd_live* live, struct lws* wsi, cmd_live_client* client, const char* path);
int cmd_live_answer_more(cmd_live* live, struct lws* wsi, cmd_live_client* client);
int cmd_live_upgrade(cmd_live* live, struct lws* wsi);
void cmd_live_drop_answer(cmd_live* live, cmd_live_client* client);
void cmd_live_release(cmd_live_body* body);

/* ---- app/live/server_stream.c ---- */

void cmd_live_enter(cmd_live* live, struct lws* wsi, cmd_live_client* client);
void cmd_live_leave(cmd_live* live, cmd_live_client* client);
int cmd_live_receive(cmd_live* live, cmd_live_client* client, const char* bytes, size_t count);
int cmd_live_notify(cmd_live* live, cmd_live_client* client);
/* Looks into the store again, if there is more in it; wakes those who get something by it. */
void cmd_live_poll(cmd_live* live);
void cmd_live_wake(cmd_live* live);

/* ---- app/live/server_message.c ---- */

typedef enum cmd_live_said { FB_LIVE_SAID_NONSENSE, FB_LIVE_SAID_FROM, FB_LIVE_SAID_PAUSE } cmd_live_said;

/* What a client said: {"from": n} or {"pause": true}, and nothing else. *value: n, or 0 or 1. */
cmd_live_said cmd_live_read_message(const char* text, size_t size, long long* value);

#endif
