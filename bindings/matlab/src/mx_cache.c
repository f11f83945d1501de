/* mx_cache.c -- the robots that LP, or SpaceDyn's globals, stand for
 *
 * A robot is built when its constants are first seen and kept. Each call compares the constants it is given with those
 * of the robots kept, byte by byte, the last one used first: a field that was changed, by whatever means, is noticed at
 * the next call. Comparing takes well under a microsecond; building some 20. Up to ROBOTS are kept; then the one that was
 * not used for longest goes. */
#include "mx.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define CONSTANTS(X) \
  X(num_q) X(BB) X(SE) X(J_type) X(c0) X(cc) X(ce) X(Qi) X(Qe) X(m0) X(m) X(inertia0) X(inertia)
enum {
#define X(name) L_##name,
  CONSTANTS(X)
#undef X
      L_COUNT
};
#define X(name) #name,
static const char* const NAMES[] = {CONSTANTS(X)};
#undef X

enum { ROBOTS = 16 };

/* A value as it was given. */
typedef struct kept {
  mxClassID type; /* mxUNKNOWN_CLASS: there was none */
  size_t rows, bytes;
  void* data;
} kept;

typedef struct entry {
  sd_robot* robot;
  kept values[L_COUNT];
  unsigned long long used;
} entry;

static entry cache[ROBOTS];
static sd_links pending; /* of a call that an error ended: freed by the next one */
static unsigned long long calls;
static int misses;

static size_t bytes_of(const mxArray* a) {
  return mxGetNumberOfElements(a) * mxGetElementSize(a);
}

static int same(const kept* k, const mxArray* a) {
  if (!a) return k->type == mxUNKNOWN_CLASS;
  if (k->type != mxGetClassID(a) || k->rows != mxGetM(a) || k->bytes != bytes_of(a)) return 0;
  return k->bytes == 0 || memcmp(k->data, mxGetData(a), k->bytes) == 0;
}

static void forget(entry* e) {
  sd_robot_free(e->robot);
  for (int i = 0; i < L_COUNT; i++) free(e->values[i].data);
  memset(e, 0, sizeof *e);
}

void mx_cache_clear(void) {
  for (int i = 0; i < ROBOTS; i++) forget(&cache[i]);
  sd_links_free(&pending);
}

int mx_cache_misses(void) {
  return misses;
}

static int remember(entry* e, const mxArray* const* values) {
  for (int i = 0; i < L_COUNT; i++) {
    kept* k = &e->values[i];
    k->type = mxUNKNOWN_CLASS;
    if (!values[i]) continue;
    k->type = mxGetClassID(values[i]);
    k->rows = mxGetM(values[i]);
    k->bytes = bytes_of(values[i]);
    k->data = malloc(k->bytes + 1);
    if (!k->data) return 0;
    if (k->bytes) memcpy(k->data, mxGetData(values[i]), k->bytes);
  }
  return 1;
}

/* --- constants into sd_links --- */

typedef struct reading {
  const mx_call* c;
  const mxArray* const* values;
  const char* prefix; /* "LP." or "the global " */
  char what[64];
} reading;

static const char* name_of(reading* o, int i) {
  strcpy(o->what, o->prefix);
  return strcat(o->what, NAMES[i]);
}

/* The numbers of a constant: at least `count`, the first of them. */
static const double* numbers(reading* o, int i, size_t count) {
  const mxArray* a = o->values[i];
  const char* what = name_of(o, i);
  if (!a) mx_fail(o->c, "field", "%s is missing", what);
  size_t have = mxGetNumberOfElements(a);
  if (have < count)
    mx_fail(o->c, "size", "%s has %d x %d numbers; %d are needed", what, (int)mxGetM(a), (int)mxGetN(a),
            (int)count);
  return mx_doubles(o->c, a, what, have, 1);
}

/* n columns of 3, or of 3 x 3. */
static const double* columns(reading* o, int i, size_t count) {
  const double* x = numbers(o, i, count);
  if (count && mxGetM(o->values[i]) != 3)
    mx_fail(o->c, "size", "%s has %d rows; it must have 3", name_of(o, i), (int)mxGetM(o->values[i]));
  return x;
}

static int count_joints(reading* o) {
  if (!o->values[L_num_q] && o->values[L_BB]) return (int)mxGetNumberOfElements(o->values[L_BB]);
  const double n = *numbers(o, L_num_q, 1);
  if (n != floor(n) || n < 0 || n > 100000)
    mx_fail(o->c, "value", "%s is %g; it is the number of joints", name_of(o, L_num_q), n);
  return (int)n;
}

static void read_types(reading* o, sd_links* l) {
  const mxArray* a = o->values[L_J_type];
  if (l->n == 0) return;
  const char* what = name_of(o, L_J_type);
  if (!a || !mxIsChar(a)) mx_fail(o->c, "type", "%s must be letters R and P, as in ['R' 'R' 'P']", what);
  char* text = mx_string(a);
  if ((int)strlen(text) < l->n)
    mx_fail(o->c, "size", "%s must have a letter for each of %d joints", what, l->n);
  for (int i = 0; i < l->n; i++) {
    char t = text[i] == 'p' ? 'P' : text[i] == 'r' ? 'R' : text[i];
    if (t != 'R' && t != 'P')
      mx_fail(o->c, "value", "%s(%d) is '%c'; it must be 'R' or 'P'", what, i + 1, text[i]);
    l->type[i] = t;
  }
}

static void read_tree(reading* o, sd_links* l) {
  const double* BB = numbers(o, L_BB, (size_t)l->n);
  for (int i = 0; i < l->n; i++) {
    if (BB[i] != floor(BB[i]) || BB[i] < 0 || BB[i] > i)
      mx_fail(o->c, "value", "%s(%d) is %g; it must be the number of an earlier link, or 0 for the base",
              name_of(o, L_BB), i + 1, BB[i]);
    l->BB[i] = (int)BB[i];
  }
  const double* SE = o->values[L_SE] ? numbers(o, L_SE, (size_t)l->n) : NULL;
  for (int i = 0; SE && i < l->n; i++) l->SE[i] = SE[i] != 0;
}

/* cc is 3 x n x n, or larger. */
static void read_cc(reading* o, sd_links* l) {
  size_t n = (size_t)l->n;
  const mxArray* a = o->values[L_cc];
  const double* cc = columns(o, L_cc, 3 * n * n);
  const mwSize* dims = mxGetDimensions(a);
  size_t across = mxGetNumberOfDimensions(a) > 1 ? (size_t)dims[1] : 1;
  if (across < n) mx_fail(o->c, "size", "%s must be 3 x %d x %d", name_of(o, L_cc), l->n, l->n);
  for (size_t j = 0; j < n; j++) memcpy(l->cc + 3 * n * j, cc + 3 * across * j, 3 * n * sizeof *cc);
}

/* ce and Qe may be missing: zeros. */
static void read_optional(reading* o, int i, size_t count, double* out) {
  if (o->values[i] && !mxIsEmpty(o->values[i])) memcpy(out, columns(o, i, count), count * sizeof *out);
}

static void read_links(reading* o, sd_links* l) {
  size_t n = (size_t)l->n;
  l->m0 = *numbers(o, L_m0, 1);
  memcpy(l->inertia0, columns(o, L_inertia0, 9), 9 * sizeof(double));
  if (n == 0) return;
  read_types(o, l);
  read_tree(o, l);
  read_cc(o, l);
  memcpy(l->c0, columns(o, L_c0, 3 * n), 3 * n * sizeof(double));
  read_optional(o, L_ce, 3 * n, l->ce);
  read_optional(o, L_Qe, 3 * n, l->Qe);
  memcpy(l->m, numbers(o, L_m, n), n * sizeof(double));
  memcpy(l->inertia, columns(o, L_inertia, 9 * n), 9 * n * sizeof(double));
  const double* Qi = columns(o, L_Qi, 3 * n);
  for (size_t i = 0; i < n; i++) {
    double C[9];
    sd_rpy2dc(Qi + 3 * i, C);
    fb_rot_transpose(C, l->E + 9 * i);
  }
}

/* --- look-up --- */

static entry* least_used(void) {
  entry* e = &cache[0];
  for (int i = 1; i < ROBOTS; i++)
    if (cache[i].used < e->used) e = &cache[i];
  return e;
}

static sd_robot* build(const mx_call* c, const mxArray* const* values, const char* prefix) {
  reading o = {.c = c, .values = values, .prefix = prefix};
  fb_error error;
  sd_links_free(&pending);
  if (sd_links_new(count_joints(&o), &pending)) mx_fail(c, "memory", "out of memory for the robot");
  read_links(&o, &pending);
  sd_robot* robot;
  sd_links links = pending;
  pending = (sd_links){.n = 0};
  mx_check(c, sd_robot_new(&links, &robot, &error), &error);
  entry* e = least_used();
  forget(e);
  misses++;
  if (!remember(e, values)) {
    forget(e);
    sd_robot_free(robot);
    mx_fail(c, "memory", "out of memory for the robot");
  }
  e->robot = robot;
  e->used = ++calls;
  return robot;
}

static entry* last;

static sd_robot* find(const mxArray* const* values) {
  for (int k = -1; k < ROBOTS; k++) {
    entry* e = k < 0 ? last : &cache[k];
    if (!e || !e->robot) continue;
    int i = 0;
    while (i < L_COUNT && same(&e->values[i], values[i])) i++;
    if (i < L_COUNT) continue;
    e->used = ++calls;
    last = e;
    return e->robot;
  }
  return NULL;
}

sd_robot* mx_robot(const mx_call* c, const mxArray* LP) {
  const mxArray* values[L_COUNT];
  if (LP && (!mxIsStruct(LP) || mxGetNumberOfElements(LP) != 1))
    mx_fail(c, "type", "LP is a %d x %d %s; give one structure", (int)mxGetM(LP), (int)mxGetN(LP),
            mxGetClassName(LP));
  for (int i = 0; i < L_COUNT; i++)
    values[i] = LP ? mxGetField(LP, 0, NAMES[i]) : mexGetVariable("global", NAMES[i]);
  sd_robot* robot = find(values);
  if (!robot) robot = build(c, values, LP ? "LP." : "the global ");
  for (int i = 0; !LP && i < L_COUNT; i++)
    if (values[i]) mxDestroyArray((mxArray*)values[i]);
  return robot;
}
