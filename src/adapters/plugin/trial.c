/* trial.c -- a plugin is tried in a child process
 *
 * The child opens the library, lets it fill the block and calls start, tick, act, next_edge, rebind and free once each, at the
 * model's neutral configuration and at rest. Before each it says through a pipe what comes next, so that of a crash or a
 * hang we know where it was. What the functions answer does not count here (a law may well refuse that
 * configuration): only that they come back, and leave alone what is not theirs. */
#define _GNU_SOURCE /* strsignal and clocks, on every system alike */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <freebody/configuration.h>
#include <freebody/status.h>

#include "adapters/plugin/plugin.h"
#include "adapters/wall_clock.h"

enum { GUARD = 64 }; /* numbers behind what a block may write */
static const double GUARD_VALUE = -1.2345e301;

/* What the child says: what it does next and, when it is done, how it went. Smaller than PIPE_BUF, so it goes through
 * whole. */
typedef struct message {
  fb_plugin_stage stage;
  fb_error error;
} message;

/* --- the child --- */

typedef struct reporter {
  int pipe;
  message last;
} reporter;

static void report(void* to, fb_plugin_stage stage) {
  reporter* t = (reporter*)to;
  t->last.stage = stage;
  while (write(t->pipe, &t->last, sizeof t->last) < 0 && errno == EINTR) continue;
}

/* A child that crashes should do so, not run the handlers of the program; and what it prints was not requested. */
static void stand_alone(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE,  SIGILL,  SIGABRT,
                                SIGTRAP, SIGINT, SIGTERM, SIGPIPE, SIGALRM};
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) signal(signals[i], SIG_DFL);
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  int null = open("/dev/null", O_WRONLY);
  if (null >= 0) dup2(null, STDOUT_FILENO);
}

/* `count` zeros and a guard. */
static double* guarded(int count) {
  double* numbers = calloc((size_t)count + GUARD, sizeof *numbers);
  for (int i = 0; numbers && i < GUARD; i++) numbers[count + i] = GUARD_VALUE;
  return numbers;
}

static int is_whole(const double* numbers, int count) {
  for (int i = 0; i < GUARD; i++)
    if (numbers[count + i] != GUARD_VALUE) return 0;
  return 1;
}

/* What the functions of a block are called with. */
typedef struct bench {
  fb_data* d;
  double *q, *v, *memory, *state, *tau, *vdot, *rate, *inputs, *outputs;
  unsigned char* moved;
  fb_wrench* wrenches;
} bench;

static int bench_new(const fb_model* m, const fb_block* b, bench* x) {
  int nv = fb_model_nv(m);
  x->d = fb_data_new(m);
  x->q = guarded(fb_model_nq(m));
  x->v = guarded(nv);
  x->memory = guarded(b->nmemory);
  x->state = guarded(b->nstate);
  x->tau = guarded(nv);
  x->vdot = guarded(nv);
  x->rate = guarded(b->nstate);
  x->inputs = guarded(fb_port_width(b->inputs, b->ninput));
  x->outputs = guarded(fb_port_width(b->outputs, b->noutput));
  x->moved = calloc((size_t)nv + 1, 1);
  x->wrenches = calloc((size_t)b->nwrench + 1, sizeof *x->wrenches);
  return x->d && x->q && x->v && x->memory && x->state && x->tau && x->vdot && x->rate && x->inputs &&
         x->outputs && x->moved && x->wrenches;
}

static fb_status check_guards(const fb_plugin_request* r, const fb_block* b, const bench* x,
                              fb_plugin_stage stage, fb_error* error) {
  const struct {
    const char* what;
    const double* numbers;
    int count;
  } arrays[] = {{"memory, which has nmemory", x->memory, b->nmemory},
                {"state, which has nstate", x->state, b->nstate},
                {"state_rate, which has nstate", x->rate, b->nstate},
                {"outputs, which have in all", x->outputs, fb_port_width(b->outputs, b->noutput)},
                {"action->tau, which has nv", x->tau, fb_model_nv(r->m)},
                {"action->vdot, which has nv", x->vdot, fb_model_nv(r->m)}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
    if (!is_whole(arrays[i].numbers, arrays[i].count))
      return fb_fail(error, FB_ERR_CONTENT, "%s it writes past the end of %s = %d numbers",
                     fb_plugin_stage_name(stage), arrays[i].what, arrays[i].count);
  return FB_OK;
}

static fb_status use(const fb_plugin_request* r, const fb_block* b, reporter* t, fb_error* error) {
  bench x;
  if (!bench_new(r->m, b, &x))
    return fb_fail(error, FB_ERR_MEMORY,
                   "no memory for what the block declares: nmemory %d, nstate %d, nwrench %d", b->nmemory,
                   b->nstate, b->nwrench);
  fb_error ignored = {0};
  fb_neutral(r->m, x.q);
  const fb_context context = {.model = r->m, .data = x.d, .q = x.q, .v = x.v, .inputs = x.inputs};
  fb_action action = {x.tau, x.vdot, x.moved, x.wrenches, 0, b->nwrench};
  fb_status status = FB_OK;
  report(t, FB_PLUGIN_STARTS);
  if (b->start) b->start(b->user, &context, x.memory, x.state, &ignored);
  status = check_guards(r, b, &x, FB_PLUGIN_STARTS, error);
  if (status) return status;
  report(t, FB_PLUGIN_TICKS);
  if (b->tick) b->tick(b->user, &context, x.memory, x.state, &ignored);
  status = check_guards(r, b, &x, FB_PLUGIN_TICKS, error);
  if (status) return status;
  report(t, FB_PLUGIN_ACTS);
  if (b->act) b->act(b->user, &context, x.memory, x.state, &action, x.rate, &ignored);
  status = check_guards(r, b, &x, FB_PLUGIN_ACTS, error);
  const fb_action used = {x.tau, x.vdot, x.moved, x.wrenches, action.nwrench, b->nwrench};
  if (!status) status = fb_plugin_check_use(r->m, b, &used, 0, b->nwrench, error);
  if (status) return status;
  report(t, FB_PLUGIN_TELLS);
  if (b->output) b->output(b->user, &context, x.memory, x.state, x.outputs, &ignored);
  status = check_guards(r, b, &x, FB_PLUGIN_TELLS, error);
  if (status) return status;
  report(t, FB_PLUGIN_LOOKS_AHEAD);
  if (b->next_edge) b->next_edge(b->user, x.memory, 0);
  report(t, FB_PLUGIN_REBINDS);
  if (b->rebind) b->rebind(b->user, r->m, &ignored);
  report(t, FB_PLUGIN_FREES);
  if (b->free) b->free(b->user);
  return FB_OK;
}

/* What is left is given back with the process, which ends without the program's exit handlers. */
_Noreturn static void be_child(const fb_plugin_request* r, int pipe) {
  reporter t = {.pipe = pipe};
  fb_block block;
  void* library;
  fb_error error = {.status = FB_OK};
  stand_alone();
  fb_status status = fb_plugin_open(r, report, &t, &library, &block, &error);
  if (!status) {
    status = use(r, &block, &t, &error);
    if (status) fb_plugin_blame(r->file, &error);
  }
  if (status) t.last.error = error;
  t.last.error.status = status;
  report(&t, FB_PLUGIN_DONE);
  _exit(0);
}

/* --- the parent --- */

/* Reads a whole message; 0 when there is no more. */
static int receive(int pipe, message* last) {
  message next;
  size_t got = 0;
  while (got < sizeof next) {
    ssize_t n = read(pipe, (char*)&next + got, sizeof next - got);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return 0;
    got += (size_t)n;
  }
  *last = next;
  return 1;
}

/* Listens until the child is done or gone: 1; or until its time is over: 0. */
static int listen_to(int pipe, double seconds, message* last) {
  double end = fb_wall_clock() + seconds;
  while (last->stage != FB_PLUGIN_DONE) {
    double left = end - fb_wall_clock();
    struct pollfd poll_pipe = {pipe, POLLIN, 0};
    int ready = left > 0 ? poll(&poll_pipe, 1, (int)ceil(1000 * left)) : 0;
    if (ready < 0 && errno == EINTR) continue;
    if (ready == 0) return 0;
    if (ready < 0 || !receive(pipe, last)) return 1;
  }
  return 1;
}

static fb_status report_end(const message* last, int in_time, int ended, double seconds, fb_error* error) {
  const char* where = fb_plugin_stage_name(last->stage);
  if (!in_time)
    return fb_fail(error, FB_ERR_CONTENT,
                   "tried in a process of its own, it did not come back within %g s %s; does it wait for "
                   "something, or loop for ever?",
                   seconds, where);
  if (WIFSIGNALED(ended))
    return fb_fail(error, FB_ERR_CONTENT,
                   "tried in a process of its own, it crashed %s: signal %d, %s. Build it with -g "
                   "-fsanitize=address, or look at it with a debugger",
                   where, WTERMSIG(ended), strsignal(WTERMSIG(ended)));
  return fb_fail(error, FB_ERR_CONTENT,
                 "tried in a process of its own, it ended that with exit code %d %s; a plugin returns a "
                 "status and never calls exit",
                 WIFEXITED(ended) ? WEXITSTATUS(ended) : -1, where);
}

/* A pipe whose ends are none of the standard streams, which a program may have closed. */
static int open_pipe(int ends[2]) {
  int raw[2];
  if (pipe(raw) != 0) return 0;
  for (int i = 0; i < 2; i++) {
    ends[i] = fcntl(raw[i], F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(raw[i]);
  }
  if (ends[0] >= 0 && ends[1] >= 0) return 1;
  for (int i = 0; i < 2; i++)
    if (ends[i] >= 0) close(ends[i]);
  return 0;
}

static fb_status refuse_fork(const fb_plugin_request* r, fb_error* error) {
  fb_fail(error, FB_ERR_IO, "there is no process to try it in: %s", strerror(errno));
  return fb_plugin_blame(r->file, error);
}

fb_status fb_plugin_try(const fb_plugin_request* request, double seconds, fb_error* error) {
  int ends[2];
  if (!open_pipe(ends)) return refuse_fork(request, error);
  fflush(NULL); /* or a child that calls exit writes what is buffered here once more */
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    be_child(request, ends[1]);
  }
  close(ends[1]);
  if (child < 0) {
    close(ends[0]);
    return refuse_fork(request, error);
  }
  message last = {.stage = FB_PLUGIN_LOADS};
  int in_time = listen_to(ends[0], seconds, &last), ended = 0;
  close(ends[0]);
  if (!in_time) kill(child, SIGKILL);
  while (waitpid(child, &ended, 0) < 0 && errno == EINTR) continue;
  if (last.stage == FB_PLUGIN_DONE) {
    if (last.error.status) *error = last.error;
    return last.error.status;
  }
  report_end(&last, in_time, ended, seconds, error);
  return fb_plugin_blame(request->file, error);
}
