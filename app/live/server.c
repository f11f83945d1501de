/* server.c -- the live server: its thread, its clock, and the library's calls.
 *
 * libwebsockets runs everything in one thread, and calls back. A timer looks into the store ten times a second while
 * anybody watches, and only when the simulation has committed something since. When the run has ended, what is left
 * is sent: each client may take STUCK seconds for a message, all together PATIENCE. */
#include "live/server.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"
#include "view/view.h"

static const double STUCK = 2, PATIENCE = 10, HASTE = 2; /* [s] */
enum { TICK = 100000, TICK_OVER = 10000 /* us */ };

/* --- the library's calls --- */

static int call(struct lws* wsi, enum lws_callback_reasons reason, void* user, void* in, size_t count) {
  cmd_live* live = (cmd_live*)cmd_lws.context_user(cmd_lws.get_context(wsi));
  cmd_live_client* client = (cmd_live_client*)user;
  switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
      live->connections++;
      return 0;
    case LWS_CALLBACK_WSI_DESTROY:
      live->connections--;
      return 0;
    case LWS_CALLBACK_RAW_RX_FILE:
      cmd_live_accept(live, cmd_lws.get_vhost(wsi));
      return 0;
    case LWS_CALLBACK_HTTP:
      return cmd_live_answer(live, wsi, client, (const char*)in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return cmd_live_answer_more(live, wsi, client);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
      cmd_live_drop_answer(live, client);
      return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return cmd_live_upgrade(live, wsi);
    case LWS_CALLBACK_ESTABLISHED:
      cmd_live_enter(live, wsi, client);
      return 0;
    case LWS_CALLBACK_RECEIVE:
      return cmd_live_receive(live, client, (const char*)in, count);
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return cmd_live_notify(live, client);
    case LWS_CALLBACK_CLOSED:
      cmd_live_leave(live, client);
      return 0;
    default:
      return 0;
  }
}

/* Large messages go to the kernel in one piece. */
static const struct lws_protocols PROTOCOLS[] = {
    {.name = "freebody-live",
     .callback = call,
     .per_session_data_size = sizeof(cmd_live_client),
     .tx_packet_size = FB_LIVE_NUMBERS * sizeof(double) + 1024},
    {.name = NULL},
};

/* A peer that has vanished is detected by unanswered pings. */
static const lws_retry_bo_t IDLE = {.secs_since_valid_ping = 30, .secs_since_valid_hangup = 60};

/* --- the thread --- */

/* Nobody else is taken in; everybody gets what is left. */
static void begin_end(cmd_live* live) {
  live->over = 1;
  live->next_poll = 0;
  live->until = cmd_wall_now() + PATIENCE;
  cmd_lws.set_timeout(live->listener, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  if (live->clients) cmd_live_poll(live);
  for (cmd_live_client* c = live->clients; c; c = c->next) c->moved = cmd_wall_now();
  cmd_live_wake(live);
}

static void drop_the_stuck(cmd_live* live) {
  double now = cmd_wall_now();
  if (atomic_load(&live->hasty) && live->until > now + HASTE) live->until = now + HASTE;
  for (cmd_live_client* c = live->clients; c; c = c->next) {
    if (!c->started) cmd_lws.callback_on_writable(c->wsi);
    if (now > c->moved + STUCK) cmd_lws.set_timeout(c->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  }
}

static void tick(lws_sorted_usec_list_t* timer) {
  cmd_live* live = lws_container_of(timer, cmd_live, timer);
  if (atomic_load(&live->ended) && !live->over) begin_end(live);
  if (live->over) drop_the_stuck(live);
  if (!live->over && live->clients) cmd_live_poll(live);
  cmd_lws.sul_schedule(live->context, 0, timer, tick, live->over ? TICK_OVER : TICK);
}

static void* serve(void* user) {
  cmd_live* live = (cmd_live*)user;
  tick(&live->timer);
  while (!live->over || ((live->clients || live->sending) && cmd_wall_now() <= live->until)) {
    if (cmd_lws.service(live->context, 0) < 0) break;
    /* The timer is late by up to TICK; the end should not be. */
    if (atomic_load(&live->ended) && !live->over) tick(&live->timer);
  }
  atomic_store(&live->paused, 0); /* nobody could let it continue any more */
  atomic_store(&live->done, 1);
  return NULL;
}

/* Signals are the simulation's; those of a fault of our own stay. */
static int start_thread(cmd_live* live) {
  sigset_t all, before;
  sigfillset(&all);
  const int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP};
  for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) sigdelset(&all, faults[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  live->running = pthread_create(&live->thread, NULL, serve, live) == 0;
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  return live->running;
}

/* --- beginning and end --- */

int cmd_live_open(const cmd_app* app, const cmd_live_place* place, cmd_live** out) {
  cmd_live* live = cmd_take(1, sizeof *live);
  live->app = app;
  live->socket = -1;
  strcpy(live->status, "running");
  *out = live;
  live->page_template = cmd_view_template(app);
  return live->page_template ? cmd_live_listen(live, place) : FB_EXIT_FAILED;
}

/* The library with one virtual host that listens nowhere, and our socket in its care. */
static int make_context(cmd_live* live) {
  struct lws_context_creation_info info = {0};
  lws_sock_file_fd_type listener;
  info.port = CONTEXT_PORT_NO_LISTEN_SERVER;
  info.protocols = PROTOCOLS;
  info.user = live;
  info.server_string = "freebody";
  info.timeout_secs = 5;
  info.keepalive_timeout = 5;
  info.fd_limit_per_thread = FB_LIVE_CONNECTIONS + 16;
  info.max_http_header_data = 4096;
  info.max_http_header_pool = 16;
  info.retry_and_idle_policy = &IDLE;
  live->context = cmd_lws.create_context(&info);
  struct lws_vhost* vhost = live->context ? cmd_lws.get_vhost_by_name(live->context, "default") : NULL;
  listener.filefd = live->socket;
  if (vhost)
    live->listener =
        cmd_lws.adopt_descriptor_vhost(vhost, LWS_ADOPT_RAW_FILE_DESC, listener, PROTOCOLS[0].name, NULL);
  return live->listener != NULL;
}

int cmd_live_start(cmd_live* live, const char* folder) {
  fb_error error;
  if (!live) return FB_EXIT_OK;
  if (cmd_websockets_load(&error)) {
    fprintf(stderr, "freebody run: --live: %s\n", error.text);
    return FB_EXIT_FAILED;
  }
  live->folder = cmd_copy(folder);
  /* The library ignores SIGPIPE from now on; afterwards it is as it was. */
  sigaction(SIGPIPE, NULL, &live->sigpipe);
  cmd_lws.set_log_level(0, NULL);
  if (!make_context(live) || !start_thread(live)) {
    fputs("freebody run: cannot start the server for --live: out of memory, descriptors or threads\n",
          stderr);
    return FB_EXIT_FAILED;
  }
  const char *on = cmd_style_on(live->app->color_err, FB_STYLE_BOLD),
             *off = cmd_style_off(live->app->color_err);
  fprintf(stderr, "watch it live at %s%s%s\n", on, live->url, off);
  if (!live->loopback)
    fprintf(stderr,
            "freebody run: this is not for this machine alone: anybody who reaches %s can watch the run and "
            "pause it\n",
            live->address);
  fflush(stderr);
  return FB_EXIT_OK;
}

void cmd_live_finish(cmd_live* live, int hasty) {
  const struct timespec nap = {0, 2000000};
  if (!live || !live->running) return;
  atomic_store(&live->hasty, hasty);
  atomic_store(&live->ended, 1);
  cmd_lws.cancel_service(live->context);
  while (!atomic_load(&live->done)) {
    nanosleep(&nap, NULL);
    if (cmd_interrupt_requested()) atomic_store(&live->hasty, 1);
  }
  pthread_join(live->thread, NULL);
  live->running = 0;
}

void cmd_live_close(cmd_live* live) {
  fb_error ignored;
  if (!live) return;
  cmd_live_finish(live, 1);
  if (live->context) {
    cmd_lws.context_destroy(live->context);
    sigaction(SIGPIPE, &live->sigpipe, NULL);
  }
  if (!live->listener && live->socket >= 0) close(live->socket);
  fb_store_close(live->run, &ignored);
  cmd_live_release(live->page);
  free(live->columns);
  free(live->message);
  free(live->page_template);
  free(live->folder);
  free(live);
}

/* --- calls of the simulation --- */

int cmd_live_paused(const cmd_live* live) {
  return live && atomic_load(&live->paused);
}

void cmd_live_committed(cmd_live* live) {
  if (live) atomic_fetch_add(&live->commits, 1);
}
