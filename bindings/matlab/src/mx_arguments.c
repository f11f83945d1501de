/* mx_arguments.c -- the two forms of call
 *
 *   v2  f(LP, SV, extras...)            the quantities are fields of SV
 *   v1  f(R0, A0, ..., extras...)       the quantities are arguments, in an order of their own; LP is in globals
 *
 * The first argument distinguishes them: it is a structure in v2. */
#include "mx.h"

#include <string.h>

static const struct {
  const char *name, *field;
  int fixed, each;
} QUANTITIES[] = {
#define X(name, fixed, each) {#name, "SV." #name, fixed, each},
    MX_QUANTITIES(X)
#undef X
};

static void read_quantity(mx_call* c, int id, const mxArray* a, const char* what) {
  size_t count = (size_t)QUANTITIES[id].fixed + (size_t)QUANTITIES[id].each * (size_t)c->robot->links.n;
  c->given[id] = a;
  c->x[id] = mx_doubles(c, a, what, count, 1);
}

static void from_state(mx_call* c, const int* quantities) {
  for (const int* k = quantities; *k != Q_END; k++) {
    const char* name = QUANTITIES[*k].name;
    const mxArray* a = mxGetField(c->state, 0, name);
    if (!a) mx_fail(c, "field", "SV has no field %s; init_SV(LP) makes all of them", name);
    read_quantity(c, *k, a, QUANTITIES[*k].field);
  }
}

static void from_arguments(mx_call* c, const int* quantities) {
  int at = 0;
  for (const int* k = quantities; *k != Q_END; k++, at++) {
    if (at >= c->nrhs)
      mx_fail(c, "argument", "too few arguments: %s is missing; help %s shows the call", QUANTITIES[*k].name,
              c->name);
    read_quantity(c, *k, c->prhs[at], QUANTITIES[*k].name);
  }
}

/* Reads the robot and the quantities. extra: how many arguments may follow them. */
void mx_begin(mx_call* c, const int* quantities, int extra, int returns) {
  int count = 0;
  while (quantities[count] != Q_END) count++;
  if (c->nrhs == 0) mx_fail(c, "argument", "called without arguments; help %s shows the call", c->name);
  c->v2 = mxIsStruct(c->prhs[0]);
  if (!c->v2 && !mxIsNumeric(c->prhs[0]) && !mxIsLogical(c->prhs[0]))
    mx_fail(c, "type", "the first argument is a %s; give LP, a structure, or numbers as in version 1",
            mxGetClassName(c->prhs[0]));
  c->extra = c->v2 ? 2 : count;
  if (c->v2 && count == 0) c->extra = 1;
  if (c->nrhs > c->extra + extra)
    mx_fail(c, "argument", "%d arguments are too many; help %s shows the call", c->nrhs, c->name);
  c->robot = mx_robot(c, c->v2 ? c->prhs[0] : NULL);
  if (!c->v2) {
    from_arguments(c, quantities);
    return;
  }
  if (count == 0) return;
  if (c->nrhs < 2 || !mxIsStruct(c->prhs[1]) || mxGetNumberOfElements(c->prhs[1]) != 1)
    mx_fail(c, "type", "the second argument must be the structure SV; init_SV(LP) makes one");
  c->SV = returns == MX_STATE ? mxDuplicateArray(c->prhs[1]) : NULL;
  c->state = c->SV ? c->SV : c->prhs[1];
  from_state(c, quantities);
}

void mx_give(mx_call* c, const char* name, mxArray* value) {
  if (c->v2 && c->SV) {
    mxArray* old = mxGetField(c->SV, 0, name);
    if (!old) mxAddField(c->SV, name);
    mxSetField(c->SV, 0, name, value);
    if (old) mxDestroyArray(old);
    c->plhs[0] = c->SV;
  } else if (c->made == 0 || c->made < c->nlhs) {
    c->plhs[c->made++] = value;
  } else {
    mxDestroyArray(value);
  }
}
