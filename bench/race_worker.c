/* race_worker.c -- what the process of a peer does: load the module, then answer requests until the pipe ends. */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "race_peer.h"

typedef struct worker {
  const bench_runner* runner;
  const bench_model* model;
  const bench_states* states;
  void* self;
  int from, to;
} worker;

/* All bytes, or the process ends: nobody is left to answer to. */
static void get(const worker* w, void* data, size_t size) {
  char* at = (char*)data;
  while (size > 0) {
    ssize_t got = read(w->from, at, size);
    if (got <= 0) _exit(0);
    at += got;
    size -= (size_t)got;
  }
}

static void put(const worker* w, const void* data, size_t size) {
  const char* at = (const char*)data;
  while (size > 0) {
    ssize_t written = write(w->to, at, size);
    if (written <= 0) _exit(0);
    at += written;
    size -= (size_t)written;
  }
}

static const bench_runner* load(const char* module, char* why, size_t size) {
  bench_peer_function* function = NULL;
  void* handle = dlopen(module, RTLD_NOW | RTLD_LOCAL);
  void* symbol = handle ? dlsym(handle, BENCH_PEER_SYMBOL) : NULL;
  if (!symbol) {
    snprintf(why, size, "%s", dlerror());
    return NULL;
  }
  memcpy(&function, &symbol, sizeof function);
  return function();
}

static void say_hello(worker* w, const char* module) {
  race_hello hello;
  memset(&hello, 0, sizeof hello);
  w->runner = load(module, hello.why, sizeof hello.why);
  hello.loaded = w->runner != NULL;
  if (w->runner) bench_entrant_describe(&hello.about, w->runner);
  put(w, &hello, sizeof hello);
  if (!w->runner) _exit(0);
}

static void open_model(worker* w) {
  race_opened opened;
  memset(&opened, 0, sizeof opened);
  w->self = w->runner->open(w->model, w->states, opened.why, sizeof opened.why);
  opened.opened = w->self != NULL;
  put(w, &opened, sizeof opened);
}

static void read_quantity(worker* w, const race_request* request) {
  size_t size = bench_result_size(request->quantity, w->states->nv) * sizeof(double);
  double* out = (double*)malloc(size);
  if (!out) abort();
  w->runner->call[request->quantity](w->self, request->state);
  w->runner->read(w->self, request->quantity, request->state, out);
  put(w, out, size);
  free(out);
}

static void time_quantity(worker* w, const race_request* request) {
  double ns = NAN;
  bench_time(w->runner->call[request->quantity], w->self, w->states->count, request->seconds, &ns);
  put(w, &ns, sizeof ns);
}

static void close_model(worker* w) {
  int done = 1;
  w->runner->close(w->self);
  put(w, &done, sizeof done);
  _exit(0);
}

_Noreturn void race_worker(const char* module, const bench_model* model, const bench_states* states, int from,
                           int to) {
  worker w = {.model = model, .states = states, .from = from, .to = to};
  dup2(STDERR_FILENO, STDOUT_FILENO); /* what a peer prints does not belong into the results */
  say_hello(&w, module);
  for (;;) {
    race_request request;
    get(&w, &request, sizeof request);
    if (request.task == RACE_OPEN) open_model(&w);
    if (request.task == RACE_READ) read_quantity(&w, &request);
    if (request.task == RACE_TIME) time_quantity(&w, &request);
    if (request.task == RACE_CLOSE) close_model(&w);
  }
}
