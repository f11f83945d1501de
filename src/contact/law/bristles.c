/* bristles.c -- which bristle of a pair of colliders belongs to which of its points
 *
 * A bristle belongs to a feature (fb_touch.feature) from the end of the step in which its point first touched, also while the
 * point is lifted off and its stretch relaxes: what other points do never gives it to another one. A point without a bristle takes
 * the first that is nobody's, searched from a place that its feature determines; so it has the same one at all stages of a step.
 * Where all belong to someone, the least stretched of those that do not touch becomes free. Features are hashes: their remainders
 * alone would let two points that come one after the other exchange their bristles. */
#include "contact/law/bristles.h"

#include "math/vector3.h"

int fb_bristles_of(const fb_collider* a, const fb_collider* b) {
  const fb_collider_kind kinds[] = {a->kind, b->kind};
  int single = 0;
  for (int i = 0; i < 2; i++) {
    if (kinds[i] == FB_COLLIDER_MESH || kinds[i] == FB_COLLIDER_HEIGHTFIELD) return FB_MAX_TOUCHES;
    single |=
        kinds[i] == FB_COLLIDER_POINT || kinds[i] == FB_COLLIDER_SPHERE || kinds[i] == FB_COLLIDER_ELLIPSOID;
  }
  return single ? 1 : FB_MAX_TOUCHES;
}

static double owner_of(const fb_touch* touch) {
  return 1 + (double)(unsigned)touch->feature;
}

/* The bristle of a point that has none: the first free one that is nobody's, or else the first free one. */
static int find_free(const fb_touch* touch, const double* owners, int nbristle, const int* taken) {
  int home = (int)((unsigned)touch->feature % (unsigned)nbristle), other = home;
  for (int i = nbristle - 1; i >= 0; i--) {
    int at = (home + i) % nbristle;
    if (!taken[at]) other = at;
  }
  for (int i = 0; i < nbristle; i++) {
    int at = (home + i) % nbristle;
    if (!taken[at] && owners[at] == 0) return at;
  }
  return other;
}

/* Which point is next: the one of the least feature that has no bristle; -1: all have. */
static int find_next(const fb_touch* touches, int count, const int bristles[FB_MAX_TOUCHES]) {
  int next = -1;
  for (int i = 0; i < count; i++)
    if (bristles[i] < 0 && (next < 0 || touches[i].feature < touches[next].feature)) next = i;
  return next;
}

void fb_bristles_take(const fb_touch* touches, int count, const double* owners, int nbristle,
                      int bristles[FB_MAX_TOUCHES]) {
  int taken[FB_MAX_TOUCHES] = {0};
  for (int i = 0; i < count; i++) {
    bristles[i] = -1;
    for (int k = 0; k < nbristle && bristles[i] < 0; k++)
      if (!taken[k] && owners[k] == owner_of(&touches[i])) bristles[i] = k;
    if (bristles[i] >= 0) taken[bristles[i]] = 1;
  }
  for (int i = find_next(touches, count, bristles); i >= 0; i = find_next(touches, count, bristles)) {
    bristles[i] = find_free(&touches[i], owners, nbristle, taken);
    taken[bristles[i]] = 1;
  }
}

/* Leaves one to newcomers, where one can be spared. */
static void spare_one(const int* taken, const double* stretch, int nbristle, double* owners) {
  int least = -1;
  for (int k = 0; k < nbristle; k++) {
    const double* z = stretch + 3 * k;
    if (owners[k] == 0) return;
    if (!taken[k] && (least < 0 || dot3(z, z) < dot3(stretch + 3 * least, stretch + 3 * least))) least = k;
  }
  if (least >= 0) owners[least] = 0;
}

void fb_bristles_keep(const fb_touch* touches, int count, const double* stretch, int nbristle,
                      double* owners) {
  int bristles[FB_MAX_TOUCHES], taken[FB_MAX_TOUCHES] = {0};
  fb_bristles_take(touches, count, owners, nbristle, bristles);
  for (int i = 0; i < count; i++) {
    owners[bristles[i]] = owner_of(&touches[i]);
    taken[bristles[i]] = 1;
  }
  spare_one(taken, stretch, nbristle, owners);
}
