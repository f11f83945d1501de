/* mx_global.c -- SpaceDyn's global variables that may change from call to call: Gravity and d_time
 *
 * Both forms of call read them. Gravity that is not there, or empty, is zero. Ez is always [0 0 1]'. */
#include "mx.h"

#include <string.h>

void mx_gravity(const mx_call* c, double g[3]) {
  mxArray* a = mexGetVariable("global", "Gravity");
  memset(g, 0, 3 * sizeof *g);
  if (!a) return;
  if (!mxIsEmpty(a)) memcpy(g, mx_doubles(c, a, "the global Gravity", 3, 1), 3 * sizeof *g);
  mxDestroyArray(a);
}

double mx_step(const mx_call* c) {
  mxArray* a = mexGetVariable("global", "d_time");
  if (!a || mxIsEmpty(a))
    mx_fail(c, "global",
            "the global d_time is not set; write  global d_time; d_time = 0.01;  for steps of 10 ms");
  double dt = *mx_doubles(c, a, "the global d_time", 1, 1);
  if (!(dt > 0)) mx_fail(c, "global", "the global d_time is %g; it must be positive", dt);
  mxDestroyArray(a);
  return dt;
}
