/* odd.c -- plugins for test_plugin.c, one for each value of ODD (tests/CMakeLists.txt): a good one, and those that go
 * wrong in one way each.
 *
 *   good: the first joint, tau = -kp q + x - kd v + weight,  x' = -ki q;  weight by inverse dynamics, so that it calls
 *   libfreebody. Its one tick a second counts in memory.
 *   With the parameter "fault" it has one of the faults below, from 0.1 s on, or where that is "..._AT_ONCE" always. */
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/dynamics.h>
#include <freebody/plugin.h>

#include "faults.h"

/* The ways to go wrong. */
#define GOOD 0
#define OLD 1
#define NO_VERSION 2
#define NO_FUNCTION 3
#define CRASH 4
#define CRASH_LOADING 5
#define CRASH_ACT 6
#define HANG 7
#define REFUSE 8
#define SILENT 9
#define ACT_NAN 10
#define EXIT 11
#define OVERRUN 12
#define UNDEFINED 13
#define EMPTY 14
#define NAMES 15
#define ACT_REFUSE 16
#define STATE_NAN 17
#define WRENCH_NAN 18
#define STUCK_EDGE 19

#if ODD == OLD
const int fb_plugin_version = FB_PLUGIN_VERSION - 1;
#elif ODD != NO_VERSION
const int fb_plugin_version = FB_PLUGIN_VERSION;
#endif

#if ODD == CRASH_LOADING
__attribute__((constructor)) static void crash(void) {
  raise(SIGSEGV);
}
#endif

#if ODD == UNDEFINED
int fb_no_such_function(void);
#endif

enum { KP, KI, KD, TICKS, NMEMORY };
static const char* const PARAMETERS[] = {"kp", "ki", "kd", NULL};
#if ODD == NAMES
static const char* const TOO_MANY[] = {"a", "b", "c", "d", "e", NULL};
#endif

typedef struct law {
  double given[3];
  int fault;
  int late;     /* act was called after 0.1 s */
  double* work; /* [nv] zeros, [nv] result */
} law;

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)context, (void)state, (void)error;
  memcpy(memory, ((law*)user)->given, sizeof((law*)user)->given);
#if ODD == OVERRUN
  memory[NMEMORY] = 1;
#endif
  return FB_OK;
}

static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  (void)state, (void)error;
  if (((law*)user)->fault == EXIT_TICK && context->t > 0.1) exit(0);
  memory[TICKS]++;
  return FB_OK;
}

static volatile int most_depth = 1 << 30;

static int fill_stack(int depth) {
  volatile char page[4096];
  page[0] = (char)depth;
  return depth < most_depth ? fill_stack(depth + 1) + page[0] : 0;
}

static void end_process(int fault) {
  if (fault == CRASH_LATE) raise(SIGSEGV);
  if (fault == ABORT_LATE) abort();
  if (fault == STACK_LATE) fill_stack(0);
  if (fault == EXIT_ACT) exit(0);
  if (fault == EXIT_HARD) _exit(0);
  while (fault == HANG_LATE) pause();
}

static void do_fault(int fault, fb_action* action) {
  static double elsewhere;
  if (fault == WRENCHES_MANY) action->nwrench = action->room + 1;
  if (fault == WRENCHES_NEGATIVE) action->nwrench = -1;
  if (fault == MOVES) action->moved[0] = 1;
  if (fault == DRIVE_REPLACED) {
    action->vdot = action->tau = &elsewhere;
    action->room = 1 << 20;
  }
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  const law* l = (const law*)user;
  int nv = fb_model_nv(context->model);
  fb_loads loads = fb_default_loads();
  loads.environment.gravity_w[2] = -9.81;
  loads.passive = 0;
  fb_inverse_dynamics(context->model, context->data, context->q, context->v, l->work, &loads, l->work + nv);
  action->tau[0] += l->work[nv] - memory[KP] * context->q[0] - memory[KD] * context->v[0] + state[0];
  state_rate[0] = -memory[KI] * context->q[0];
  if (l->fault == CRASH_AWAY && context->q[0] != 0) end_process(CRASH_LATE);
  if (context->t > 0.1) {
    ((law*)user)->late = 1;
    end_process(l->fault);
    do_fault(l->fault, action);
  }
  if (l->fault == WRENCHES_MANY_AT_ONCE) do_fault(WRENCHES_MANY, action);
  if (l->fault == WRENCHES_NEGATIVE_AT_ONCE) do_fault(WRENCHES_NEGATIVE, action);
  if (l->fault == MOVES_AT_ONCE) action->vdot[0] = 2;
#if ODD == CRASH_ACT
  raise(SIGABRT);
#elif ODD == ACT_NAN
  if (context->t > 0.1) action->tau[0] = sqrt(-1 - context->t);
#elif ODD == STATE_NAN
  if (context->t > 0.1) state_rate[0] = HUGE_VAL;
#elif ODD == WRENCH_NAN
  fb_wrench* wrench = fb_action_add_wrench(action);
  wrench->frame = 1;
  if (context->t > 0.1) wrench->torque[1] = -HUGE_VAL;
#elif ODD == ACT_REFUSE
  if (context->t > 0.1) {
    snprintf(error->text, sizeof error->text, "the oil is at %d degrees", 130);
    return FB_ERR_STATE;
  }
#endif
  (void)error;
  return FB_OK;
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  switch (((const law*)user)->fault) {
    case EDGE_NEXT:
      return nextafter(t, INFINITY);
    case EDGE_DENSE:
      return t < 0.1 ? 0.1 : t + 1e-9;
    case EDGE_CLOSE_PAIRS: /* every 0.1 s, and once more a rounding later */
      for (int k = (int)(10 * t); k < 10; k++) {
        if (t < k * 0.1) return k * 0.1;
        if (t < nextafter(k * 0.1, INFINITY)) return nextafter(k * 0.1, INFINITY);
      }
      return INFINITY;
    case EXIT_EDGE:
      if (t > 0.1) exit(0);
      return INFINITY;
    default:
      return t > 0.2 ? 0.2 : t;
  }
}

static void law_free(void* user) {
  if (((law*)user)->fault == CRASH_FREE && ((law*)user)->late) end_process(CRASH_LATE);
  free(((law*)user)->work);
  free(user);
}

#if ODD != NO_FUNCTION
fb_status fb_plugin_block(const fb_model* m, const char* name, const fb_plugin_parameter* parameters,
                          int count, fb_block* block, fb_error* error) {
  (void)name, (void)error;
#if ODD == CRASH
  raise(SIGSEGV);
#elif ODD == HANG
  for (;;) pause();
#elif ODD == EXIT
  exit(3);
#elif ODD == REFUSE
  snprintf(error->text, sizeof error->text, "the spring constant is %g; it must be greater than 0", -2.0);
  return FB_ERR_ARG;
#elif ODD == SILENT
  return (fb_status)99;
#elif ODD == EMPTY
  return FB_OK;
#elif ODD == UNDEFINED
  return (fb_status)fb_no_such_function();
#endif
  law* l = (law*)calloc(1, sizeof *l);
  if (!l) return FB_ERR_MEMORY;
  l->work = (double*)calloc(2 * (size_t)fb_model_nv(m), sizeof *l->work);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < TICKS; k++)
      if (strcmp(parameters[i].name, PARAMETERS[k]) == 0) l->given[k] = parameters[i].value;
  for (int i = 0; i < count; i++)
    if (strcmp(parameters[i].name, "fault") == 0) l->fault = (int)parameters[i].value;
  block->name = "another name";
  block->user = l;
  block->period = 1;
  block->nmemory = NMEMORY;
  block->nstate = 1;
  block->nwrench = 1;
  block->parameters = PARAMETERS;
  if (l->fault >= EDGE_NEXT && l->fault <= EDGE_CLOSE_PAIRS) block->next_edge = next_edge;
  if (l->fault == EXIT_EDGE) block->next_edge = next_edge;
  if (l->fault == EXIT_TICK) block->period = 0.2;
  if (l->fault == SIZE_MEMORY) block->nmemory = 1 << 30;
  if (l->fault == SIZE_STATE) block->nstate = 10000001;
  if (l->fault == SIZE_WRENCH) block->nwrench = -5;
  if (l->fault == PERIOD_NEGATIVE) block->period = -0.5;
  if (l->fault == PERIOD_NAN) block->period = NAN;
  if (l->fault == PERIOD_ZERO) block->period = 0;
#if ODD == NAMES
  block->parameters = TOO_MANY;
#elif ODD == STUCK_EDGE
  block->next_edge = next_edge;
#endif
  block->start = start;
  block->tick = tick;
  block->act = act;
  block->free = law_free;
  return FB_OK;
}
#endif
