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
  fb_live* live = (fb_live*)lws_context_user(lws_get_context(wsi));
  fb_live_client* client = (fb_live_client*)user;
  switch (reason) {
    case LWS_CALLBACK_WSI_CREATE:
      live->connections++;
      return 0;
    case LWS_CALLBACK_WSI_DESTROY:
      live->connections--;
      return 0;
    case LWS_CALLBACK_RAW_RX_FILE:
      fb_live_accept(live, lws_get_vhost(wsi));
      return 0;
    case LWS_CALLBACK_HTTP:
      return fb_live_answer(live, wsi, client, (const char*)in);
    case LWS_CALLBACK_HTTP_WRITEABLE:
      return fb_live_answer_more(live, wsi, client);
    case LWS_CALLBACK_CLOSED_HTTP:
    case LWS_CALLBACK_HTTP_DROP_PROTOCOL:
      fb_live_drop_answer(live, client);
      return 0;
    case LWS_CALLBACK_HTTP_CONFIRM_UPGRADE:
      return fb_live_upgrade(live, wsi);
    case LWS_CALLBACK_ESTABLISHED:
      fb_live_enter(live, wsi, client);
      return 0;
    case LWS_CALLBACK_RECEIVE:
      return fb_live_hear(live, client, (const char*)in, count);
    case LWS_CALLBACK_SERVER_WRITEABLE:
      return fb_live_tell(live, client);
    case LWS_CALLBACK_CLOSED:
      fb_live_leave(live, client);
      return 0;
    default:
      return 0;
  }
}

/* Large messages go to the kernel in one piece. */
static const struct lws_protocols PROTOCOLS[] = {
    {.name = "freebody-live",
     .callback = call,
     .per_session_data_size = sizeof(fb_live_client),
     .tx_packet_size = FB_LIVE_NUMBERS * sizeof(double) + 1024},
    {.name = NULL},
};

/* A peer that is gone without a word is found out by pings that nobody answers. */
static const lws_retry_bo_t IDLE = {.secs_since_valid_ping = 30, .secs_since_valid_hangup = 60};

/* --- the thread --- */

/* Nobody else is taken in; everybody gets what is left. */
static void begin_end(fb_live* live) {
  live->over = 1;
  live->look_next = 0;
  live->until = fb_wall_now() + PATIENCE;
  lws_set_timeout(live->listener, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  if (live->clients) fb_live_look(live);
  for (fb_live_client* c = live->clients; c; c = c->next) c->moved = fb_wall_now();
  fb_live_wake(live);
}

static void drop_the_stuck(fb_live* live) {
  double now = fb_wall_now();
  if (atomic_load(&live->hasty) && live->until > now + HASTE) live->until = now + HASTE;
  for (fb_live_client* c = live->clients; c; c = c->next) {
    if (!c->started) lws_callback_on_writable(c->wsi);
    if (now > c->moved + STUCK) lws_set_timeout(c->wsi, PENDING_TIMEOUT_USER_OK, LWS_TO_KILL_ASYNC);
  }
}

static void tick(lws_sorted_usec_list_t* timer) {
  fb_live* live = lws_container_of(timer, fb_live, timer);
  if (atomic_load(&live->ended) && !live->over) begin_end(live);
  if (live->over) drop_the_stuck(live);
  if (!live->over && live->clients) fb_live_look(live);
  lws_sul_schedule(live->context, 0, timer, tick, live->over ? TICK_OVER : TICK);
}

static int is_done(const fb_live* live) {
  return live->over && ((!live->clients && !live->sending) || fb_wall_now() > live->until);
}

static void* serve(void* user) {
  fb_live* live = (fb_live*)user;
  tick(&live->timer);
  while (!is_done(live) && lws_service(live->context, 0) >= 0) {
    /* The timer is late by up to TICK; the end should not be. */
    if (atomic_load(&live->ended) && !live->over) tick(&live->timer);
  }
  atomic_store(&live->paused, 0); /* nobody could let it go on any more */
  atomic_store(&live->done, 1);
  return NULL;
}

/* Signals are the simulation's; those of a fault of our own stay. */
static int start_thread(fb_live* live) {
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

int fb_live_open(const fb_app* app, const fb_live_place* place, fb_live** out) {
  fb_live* live = (fb_live*)fb_take(1, sizeof *live);
  memset(live, 0, sizeof *live);
  live->app = app;
  live->socket = -1;
  strcpy(live->status, "running");
  *out = live;
  live->page_template = fb_view_template(app);
  return live->page_template ? fb_live_listen(live, place) : FB_EXIT_FAILED;
}

/* The library with one virtual host that listens nowhere, and our socket in its care. */
static int make_context(fb_live* live) {
  struct lws_context_creation_info info;
  lws_sock_file_fd_type listener;
  memset(&info, 0, sizeof info);
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
  live->context = lws_create_context(&info);
  struct lws_vhost* vhost = live->context ? lws_get_vhost_by_name(live->context, "default") : NULL;
  listener.filefd = live->socket;
  if (vhost)
    live->listener =
        lws_adopt_descriptor_vhost(vhost, LWS_ADOPT_RAW_FILE_DESC, listener, PROTOCOLS[0].name, NULL);
  return live->listener != NULL;
}

int fb_live_start(fb_live* live, const char* folder) {
  if (!live) return FB_EXIT_OK;
  live->folder = strcpy((char*)fb_take(strlen(folder) + 1, 1), folder);
  /* The library ignores SIGPIPE from now on; afterwards it is as it was. */
  sigaction(SIGPIPE, NULL, &live->sigpipe);
  lws_set_log_level(0, NULL);
  if (!make_context(live) || !start_thread(live)) {
    fputs("freebody run: cannot start the server for --live: out of memory, descriptors or threads\n",
          stderr);
    return FB_EXIT_FAILED;
  }
  const char *on = fb_style_on(live->app->color_err, FB_STYLE_BOLD),
             *off = fb_style_off(live->app->color_err);
  fprintf(stderr, "watch it live at %s%s%s\n", on, live->url, off);
  if (!live->loopback)
    fprintf(stderr,
            "freebody run: this is not for this machine alone: anybody who reaches %s can watch the run and "
            "pause "
            "it\n",
            live->address);
  fflush(stderr);
  return FB_EXIT_OK;
}

void fb_live_finish(fb_live* live, int hasty) {
  const struct timespec nap = {0, 2000000};
  if (!live || !live->running) return;
  atomic_store(&live->hasty, hasty);
  atomic_store(&live->ended, 1);
  lws_cancel_service(live->context);
  while (!atomic_load(&live->done)) {
    nanosleep(&nap, NULL);
    if (fb_interrupt_asked()) atomic_store(&live->hasty, 1);
  }
  pthread_join(live->thread, NULL);
  live->running = 0;
}

void fb_live_close(fb_live* live) {
  fb_error ignored;
  if (!live) return;
  fb_live_finish(live, 1);
  if (live->context) {
    lws_context_destroy(live->context);
    sigaction(SIGPIPE, &live->sigpipe, NULL);
  }
  if (!live->listener && live->socket >= 0) close(live->socket);
  fb_run_close(live->run, &ignored);
  fb_live_release(live->page);
  free(live->columns);
  free(live->message);
  free(live->page_template);
  free(live->folder);
  free(live);
}

/* --- what the simulation asks and tells --- */

int fb_live_paused(const fb_live* live) {
  return live && atomic_load(&live->paused);
}

void fb_live_committed(fb_live* live) {
  if (live) atomic_fetch_add(&live->commits, 1);
}
