/* race_peer.c -- the race's side of a peer's process: start it, ask it, and say how it ended when it does not answer. */
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "race_peer.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the process ------------------------------------------------------------------------------------- */

static int start(race_peer* peer, const bench_model* model, const bench_states* states) {
  int request[2], answer[2];
  if (pipe(request) != 0) return 0;
  if (pipe(answer) != 0) {
    close(request[0]);
    close(request[1]);
    return 0;
  }
  fflush(NULL); /* or the process would write it again */
  pid_t pid = fork();
  if (pid == 0) {
    close(request[1]);
    close(answer[0]);
    race_worker(peer->module, model, states, request[0], answer[1]);
  }
  close(request[0]);
  close(answer[1]);
  peer->to = request[1];
  peer->from = answer[0];
  peer->pid = pid > 0 ? pid : 0;
  if (pid > 0) return 1;
  close(peer->to);
  close(peer->from);
  return 0;
}

/* Waits for the end of the process; its status. */
static int finish(race_peer* peer) {
  int status = 0;
  close(peer->to);
  close(peer->from);
  while (waitpid(peer->pid, &status, 0) < 0 && errno == EINTR) continue;
  peer->pid = 0;
  return status;
}

/* The process did not answer: ends it and says what happened to it. */
static void give_up(race_peer* peer, int hung, const char* doing, char* why, size_t size) {
  if (hung) kill(peer->pid, SIGKILL);
  int status = finish(peer);
  if (hung) {
    snprintf(why, size, "hung: no answer within %g s %s", peer->limit, doing);
    snprintf(peer->retired, sizeof peer->retired, "it hung before, %s", doing);
  } else if (WIFSIGNALED(status)) {
    snprintf(why, size, "crashed %s: %s", doing, strsignal(WTERMSIG(status)));
  } else {
    snprintf(why, size, "ended %s, with status %d", doing, WEXITSTATUS(status));
  }
}

/* ---- requests and answers ---------------------------------------------------------------------------- */

/* 1 when all bytes came; 0 at the end of the pipe; -1 after the time. */
static int receive(const race_peer* peer, void* data, size_t size, double seconds) {
  char* at = (char*)data;
  double end = now() + seconds;
  while (size > 0) {
    double left = end - now();
    struct pollfd poller = {.fd = peer->from, .events = POLLIN};
    int ready = poll(&poller, 1, left > 0 ? (int)(1e3 * left) + 1 : 0);
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return -1;
    ssize_t got = ready > 0 ? read(peer->from, at, size) : 0;
    if (got <= 0) return 0;
    at += got;
    size -= (size_t)got;
  }
  return 1;
}

static int answered(race_peer* peer, void* answer, size_t size, double seconds, const char* doing, char* why,
                    size_t why_size) {
  int came = receive(peer, answer, size, seconds + peer->limit);
  if (came <= 0) give_up(peer, came < 0, doing, why, why_size);
  return came > 0;
}

/* A request is smaller than a pipe holds, so that writing it never waits; where nobody reads, no answer comes. */
static int ask(race_peer* peer, race_request request, void* answer, size_t size, const char* doing,
               bench_result* result) {
  if (write(peer->to, &request, sizeof request) < 0 && errno != EPIPE) return 0;
  return answered(peer, answer, size, request.seconds, doing, result->failed, sizeof result->failed);
}

static int begin(race_peer* peer, const bench_model* model, const bench_states* states, race_hello* hello,
                 char* why, size_t size) {
  signal(SIGPIPE, SIG_IGN);
  if (!start(peer, model, states)) return snprintf(why, size, "no process: %s", strerror(errno)), 0;
  if (!answered(peer, hello, sizeof *hello, 0, "while it was loaded", why, size)) return 0;
  if (hello->loaded) return 1;
  snprintf(why, size, "does not load: %s", hello->why);
  finish(peer);
  return 0;
}

/* ---- what the race asks ------------------------------------------------------------------------------ */

int race_peer_load(race_peer* peer, const char* module, double limit, char* why, size_t size) {
  race_hello hello;
  memset(peer, 0, sizeof *peer);
  peer->module = module;
  peer->limit = limit;
  if (!begin(peer, NULL, NULL, &hello, why, size)) return 0;
  peer->about = hello.about;
  finish(peer);
  return 1;
}

int race_peer_open(race_peer* peer, const bench_model* model, const bench_states* states,
                   bench_result* result) {
  race_hello hello;
  race_opened opened;
  race_request request = {.task = RACE_OPEN};
  if (peer->retired[0]) {
    snprintf(result->skipped, sizeof result->skipped, "%s", peer->retired);
    return 0;
  }
  if (!begin(peer, model, states, &hello, result->failed, sizeof result->failed)) return 0;
  if (!ask(peer, request, &opened, sizeof opened, "while it built the model", result)) return 0;
  if (opened.opened) return 1;
  snprintf(result->skipped, sizeof result->skipped, "%s", opened.why);
  finish(peer);
  return 0;
}

int race_peer_read(race_peer* peer, bench_quantity quantity, int state, double* out, size_t count,
                   bench_result* result) {
  char doing[64];
  race_request request = {.task = RACE_READ, .quantity = quantity, .state = state};
  snprintf(doing, sizeof doing, "in %s", bench_quantity_key(quantity));
  return ask(peer, request, out, count * sizeof *out, doing, result);
}

int race_peer_time(race_peer* peer, bench_quantity quantity, double seconds, bench_result* result) {
  char doing[64];
  double ns = NAN, *best = &result->ns[quantity];
  race_request request = {.task = RACE_TIME, .quantity = quantity, .seconds = seconds};
  snprintf(doing, sizeof doing, "while %s was timed", bench_quantity_key(quantity));
  if (!ask(peer, request, &ns, sizeof ns, doing, result)) return 0;
  if (!(*best <= ns)) *best = ns;
  return 1;
}

void race_peer_close(race_peer* peer, bench_result* result) {
  int done = 0;
  race_request request = {.task = RACE_CLOSE};
  if (ask(peer, request, &done, sizeof done, "while it freed the model; its figures stand", result))
    finish(peer);
}
