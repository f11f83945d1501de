/* bristles.c -- which bristle of a pair of colliders belongs to which of its points
 *
 * A bristle belongs to a feature (fb_contact_point.feature) from the end of the step in which its point first
 * touched, also while the point is lifted off and its stretch relaxes, whatever other points do. A point without a
 * bristle takes the first free one, searched from a place that its feature determines; so it has the same one at all
 * stages of a step. Where all are owned, the least stretched of those that do not touch becomes free. Features are
 * hashes: their remainders alone would let two points that come one after the other exchange their bristles. */
#include "contact/law/bristles.h"

#include "math/vector3.h"

int fb_bristles_of(const fb_collider* a, const fb_collider* b) {
  const fb_collider_kind kinds[] = {a->kind, b->kind};
  int single = 0;
  for (int i = 0; i < 2; i++) {
    if (kinds[i] == FB_COLLIDER_MESH || kinds[i] == FB_COLLIDER_HEIGHTFIELD) return FB_MAX_CONTACT_POINTS;
    single |=
        kinds[i] == FB_COLLIDER_POINT || kinds[i] == FB_COLLIDER_SPHERE || kinds[i] == FB_COLLIDER_ELLIPSOID;
  }
  return single ? 1 : FB_MAX_CONTACT_POINTS;
}

static double owner_of(const fb_contact_point* point) {
  return 1 + (double)(unsigned)point->feature;
}

/* The bristle of a point that has none: the first unused one without an owner, or else the first unused one. */
static int find_free(const fb_contact_point* point, const double* owners, int nbristle, const int* used) {
  int home = (int)((unsigned)point->feature % (unsigned)nbristle), other = home;
  for (int i = nbristle - 1; i >= 0; i--) {
    int at = (home + i) % nbristle;
    if (!used[at]) other = at;
  }
  for (int i = 0; i < nbristle; i++) {
    int at = (home + i) % nbristle;
    if (!used[at] && owners[at] == 0) return at;
  }
  return other;
}

/* Which point is next: the one of the least feature that has no bristle; -1: all have. */
static int find_next(const fb_contact_point* points, int count, const int bristles[FB_MAX_CONTACT_POINTS]) {
  int next = -1;
  for (int i = 0; i < count; i++)
    if (bristles[i] < 0 && (next < 0 || points[i].feature < points[next].feature)) next = i;
  return next;
}

void fb_bristles_take(const fb_contact_point* points, int count, const double* owners, int nbristle,
                      int bristles[FB_MAX_CONTACT_POINTS]) {
  int used[FB_MAX_CONTACT_POINTS] = {0};
  for (int i = 0; i < count; i++) {
    bristles[i] = -1;
    for (int k = 0; k < nbristle && bristles[i] < 0; k++)
      if (!used[k] && owners[k] == owner_of(&points[i])) bristles[i] = k;
    if (bristles[i] >= 0) used[bristles[i]] = 1;
  }
  for (int i = find_next(points, count, bristles); i >= 0; i = find_next(points, count, bristles)) {
    bristles[i] = find_free(&points[i], owners, nbristle, used);
    used[bristles[i]] = 1;
  }
}

/* Frees one for new points, if possible. */
static void spare_one(const int* used, const double* stretch, int nbristle, double* owners) {
  int least = -1;
  for (int k = 0; k < nbristle; k++) {
    const double* z = stretch + 3 * k;
    if (owners[k] == 0) return;
    if (!used[k] && (least < 0 || dot3(z, z) < dot3(stretch + 3 * least, stretch + 3 * least))) least = k;
  }
  if (least >= 0) owners[least] = 0;
}

void fb_bristles_keep(const fb_contact_point* points, int count, const double* stretch, int nbristle,
                      double* owners) {
  int bristles[FB_MAX_CONTACT_POINTS], used[FB_MAX_CONTACT_POINTS] = {0};
  fb_bristles_take(points, count, owners, nbristle, bristles);
  for (int i = 0; i < count; i++) {
    owners[bristles[i]] = owner_of(&points[i]);
    used[bristles[i]] = 1;
  }
  spare_one(used, stretch, nbristle, owners);
}
