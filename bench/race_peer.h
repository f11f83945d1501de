/* race_peer.h -- a peer in a process of its own, so that one that crashes or hangs costs its own column only.
 *
 * For each model a process is started; it loads the peer's module, gets model and states by being forked, and answers
 * requests over two pipes (race_worker.c). It sleeps while the others have their turn. */
#ifndef FB_BENCH_RACE_PEER_H
#define FB_BENCH_RACE_PEER_H

#include <sys/types.h>

#include "bench_report.h"

typedef struct race_peer {
  const char* module; /* file of the loadable module */
  double limit;       /* longest wait for an answer [s] */
  bench_entrant about;
  pid_t pid;         /* 0: no process */
  int to, from;      /* pipes: requests, answers */
  char retired[240]; /* why it gets no further model; "" */
} race_peer;

/* Learns name and calls; 0 and the reason when the module does not load. */
int race_peer_load(race_peer* peer, const char* module, double limit, char* why, size_t size);

/* Starts the process for a model. 0 with result->skipped or result->failed set; the same for all calls below. */
int race_peer_open(race_peer* peer, const bench_model* model, const bench_states* states,
                   bench_result* result);
/* Computes a quantity of a state: `count` numbers in our coordinates. */
int race_peer_read(race_peer* peer, bench_quantity quantity, int state, double* out, size_t count,
                   bench_result* result);
/* Lowers result->ns by a slice of timing. */
int race_peer_time(race_peer* peer, bench_quantity quantity, double seconds, bench_result* result);
void race_peer_close(race_peer* peer, bench_result* result);

/* ---- race_worker.c ---- */

typedef enum race_task { RACE_OPEN, RACE_READ, RACE_TIME, RACE_CLOSE } race_task;

typedef struct race_request {
  race_task task;
  bench_quantity quantity;
  int state;
  double seconds;
} race_request;

/* Answers: race_hello once, unasked; to RACE_OPEN race_opened; to RACE_READ bench_result_size doubles; to RACE_TIME a
 * double [ns]; to RACE_CLOSE an int. */
typedef struct race_hello {
  int loaded;
  char why[240];
  bench_entrant about;
} race_hello;

typedef struct race_opened {
  int opened;
  char why[240];
} race_opened;

/* The process of a peer. model and states may be NULL when only its description is wanted. */
_Noreturn void race_worker(const char* module, const bench_model* model, const bench_states* states, int from,
                           int to);

#endif
