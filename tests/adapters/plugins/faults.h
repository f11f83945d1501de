/* faults.h -- what the parameter "fault" of the plugins from odd.c may be. */
#ifndef FB_TEST_FAULTS_H
#define FB_TEST_FAULTS_H

typedef enum fault {
  NO_FAULT,
  EDGE_NEXT,
  EDGE_DENSE,
  EDGE_CLOSE_PAIRS,
  WRENCHES_MANY,
  WRENCHES_NEGATIVE,
  WRENCHES_MANY_AT_ONCE,
  WRENCHES_NEGATIVE_AT_ONCE,
  MOVES,
  MOVES_AT_ONCE,
  SIZE_MEMORY,
  SIZE_STATE,
  SIZE_WRENCH,
  PERIOD_NEGATIVE,
  PERIOD_NAN,
  PERIOD_ZERO,
  EXIT_ACT,
  EXIT_TICK,
  EXIT_EDGE,
  DRIVE_REPLACED,
  CRASH_AWAY, /* wherever the first coordinate is not 0 */
  CRASH_LATE,
  ABORT_LATE,
  STACK_LATE,
  EXIT_HARD,
  HANG_LATE,
  CRASH_FREE /* after a run */
} fault;

#endif
