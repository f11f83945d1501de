/* near_pairs.c -- sweep and prune over the shapes of all contacts (near_pairs.h). Where poses change little from search to search
 * the cost is that of the shapes and of the pairs found. */
#include "contact/near_pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>

#include "base/pool.h"
#include "math/vector3.h"
#include "model/model.h"

/* A collider of a contact, as a side of a shape. */
typedef struct member {
  int contact, collider;
} member;

typedef struct shape {
  const fb_collider* collider;
  double radius;
  int first[2], count[2]; /* its members on sides a and b, by contacts */
  int next;               /* the next shape on its frame; -1 */
} shape;

struct fb_near_pairs {
  fb_pool pool; /* all of what follows */
  int ncontact, nshape, room;
  const fb_contact_block* const* contacts;
  shape* shapes;
  member* members;
  int* first;                  /* [ncontact] where the shapes of its colliders are in shape_of */
  int* shape_of;               /* of all colliders */
  int* order;                  /* [nshape] by the start of the spheres, infinite ones first */
  double* start;               /* [nshape] along the axis of the last search */
  fb_placement* place;         /* [nshape] */
  fb_near_pair *pairs, *found; /* [room] in order; as found */
  int* at;                     /* [2 ncontact + 2] where pairs of contacts begin, and how many there are */
};

/* ---- shapes ---- */

static int is_at(const fb_collider* a, const fb_collider* b) {
  return memcmp(a->at, b->at, sizeof a->at) == 0 && memcmp(a->R, b->R, sizeof a->R) == 0;
}

/* The shape of a collider, a new one if it is the first there. on: 1 + the first shape of each frame. */
static int shape_of(fb_near_pairs* n, int* on, const fb_collider* c, double radius) {
  for (int i = on[c->frame] - 1; i >= 0; i = n->shapes[i].next)
    if (n->shapes[i].radius == radius && is_at(n->shapes[i].collider, c)) return i;
  n->shapes[n->nshape] = (shape){.collider = c, .radius = radius, .next = on[c->frame] - 1};
  on[c->frame] = ++n->nshape;
  return n->nshape - 1;
}

static void find_shapes(fb_near_pairs* n, int* on) {
  int all = 0;
  for (int c = 0; c < n->ncontact; c++) {
    const fb_contact_block* of = n->contacts[c];
    n->first[c] = all;
    for (int i = 0; i < of->how.na + of->how.nb; i++) {
      const int at = n->shape_of[all++] = shape_of(n, on, &of->colliders[i], of->radii[i]);
      n->shapes[at].count[i >= of->how.na]++;
    }
  }
}

static void list_members(fb_near_pairs* n) {
  int all = 0;
  for (int i = 0; i < n->nshape; i++)
    for (int side = 0; side < 2; side++) {
      n->shapes[i].first[side] = all;
      all += n->shapes[i].count[side];
      n->shapes[i].count[side] = 0;
    }
  for (int c = 0; c < n->ncontact; c++) {
    const fb_contact_block* of = n->contacts[c];
    for (int i = 0; i < of->how.na + of->how.nb; i++) {
      const int side = i >= of->how.na;
      shape* s = &n->shapes[n->shape_of[n->first[c] + i]];
      n->members[s->first[side] + s->count[side]++] = (member){c, side ? i - of->how.na : i};
    }
  }
}

static void set_up(fb_near_pairs* n, int* on) {
  find_shapes(n, on);
  list_members(n);
  for (int i = 0; i < n->nshape; i++) n->order[i] = i;
}

static int largest_frame(const fb_near_pairs* n) {
  int most = 0;
  for (int c = 0; c < n->ncontact; c++)
    for (int i = 0; i < n->contacts[c]->how.na + n->contacts[c]->how.nb; i++)
      if (n->contacts[c]->colliders[i].frame > most) most = n->contacts[c]->colliders[i].frame;
  return most;
}

fb_near_pairs* fb_near_pairs_new(const fb_contact_block* const* contacts, int count) {
  enum { EACH = 32, LEAST = 256 };
  fb_near_pairs* n = calloc(1, sizeof *n);
  size_t all = 0;
  if (!n) return NULL;
  n->contacts = contacts;
  n->ncontact = count;
  for (int c = 0; c < count; c++) all += (size_t)contacts[c]->how.na + (size_t)contacts[c]->how.nb;
  fb_pool* pool = &n->pool;
  int* on = fb_pool_take(pool, (size_t)largest_frame(n) + 1, sizeof *on);
  n->shapes = fb_pool_take(pool, all, sizeof *n->shapes);
  n->members = fb_pool_take(pool, all, sizeof *n->members);
  n->first = fb_pool_take(pool, (size_t)count, sizeof *n->first);
  n->at = fb_pool_take(pool, 2 * ((size_t)count + 1), sizeof *n->at);
  n->shape_of = fb_pool_take(pool, all, sizeof *n->shape_of);
  n->order = fb_pool_take(pool, all, sizeof *n->order);
  n->start = fb_pool_take(pool, all, sizeof *n->start);
  n->place = fb_pool_take(pool, all, sizeof *n->place);
  if (!pool->failed) {
    set_up(n, on);
    n->room = EACH * n->nshape + LEAST;
    n->pairs = fb_pool_take(pool, (size_t)n->room, sizeof *n->pairs);
    n->found = fb_pool_take(pool, (size_t)n->room, sizeof *n->found);
  }
  if (!pool->failed) return n;
  fb_near_pairs_free(n);
  return NULL;
}

void fb_near_pairs_free(fb_near_pairs* n) {
  if (n) fb_pool_free(&n->pool);
  free(n);
}

/* ---- search ---- */

static int is_finite_shape(const fb_near_pairs* n, int i) {
  return isfinite(n->shapes[i].radius) && isfinite(n->place[i].p[0]) && isfinite(n->place[i].p[1]) &&
         isfinite(n->place[i].p[2]);
}

/* The axis along which the centres have the largest variance. */
static int widest_axis(const fb_near_pairs* n) {
  double spread[3];
  for (int k = 0; k < 3; k++) {
    double sum = 0, squares = 0, count = 0;
    for (int i = 0; i < n->nshape; i++) {
      if (!is_finite_shape(n, i)) continue;
      sum += n->place[i].p[k];
      squares += n->place[i].p[k] * n->place[i].p[k];
      count++;
    }
    spread[k] = count > 0 ? squares - sum * sum / count : 0;
  }
  return spread[1] > spread[0] ? (spread[2] > spread[1] ? 2 : 1) : (spread[2] > spread[0] ? 2 : 0);
}

/* By insertion: the order of the last search is nearly that of this one. Of equal starts the first shape is first. */
static void sort_starts(fb_near_pairs* n) {
  for (int i = 1; i < n->nshape; i++) {
    const int of = n->order[i];
    const double start = n->start[of];
    int at = i;
    for (; at > 0; at--) {
      const int before = n->order[at - 1];
      if (n->start[before] < start || (n->start[before] == start && before < of)) break;
      n->order[at] = before;
    }
    n->order[at] = of;
  }
}

/* The first member of a contact, or of one behind it. */
static const member* seek(const member* at, int count, int contact) {
  while (count > 0) {
    const int half = count / 2;
    if (at[half].contact < contact) {
      at += half + 1;
      count -= half + 1;
    } else {
      count = half;
    }
  }
  return at;
}

/* The contacts that have shape x on side a, and y on side b; returns the new number of pairs. */
static int add_pairs(fb_near_pairs* n, const unsigned char* acts, const shape* x, const shape* y, int count) {
  const member *a = n->members + x->first[0], *b = n->members + y->first[1];
  const int by_a = x->count[0] <= y->count[1], few = by_a ? x->count[0] : y->count[1];
  for (int i = 0; i < few; i++) {
    const member *one = by_a ? &a[i] : &b[i], *others = by_a ? b : a;
    const int many = by_a ? y->count[1] : x->count[0];
    if (!acts[one->contact]) continue;
    for (const member* other = seek(others, many, one->contact);
         other < others + many && other->contact == one->contact; other++) {
      if (count < n->room)
        n->found[count] = (fb_near_pair){one->contact, by_a ? one->collider : other->collider,
                                         by_a ? other->collider : one->collider};
      count++;
    }
  }
  return count;
}

static int are_near(const fb_near_pairs* n, int i, int j, double max_gap) {
  double apart[3];
  for (int k = 0; k < 3; k++) apart[k] = n->place[i].p[k] - n->place[j].p[k];
  const double most = n->shapes[i].radius + n->shapes[j].radius + max_gap;
  return !(dot3(apart, apart) > most * most);
}

static int sweep(fb_near_pairs* n, const unsigned char* acts, int axis, double max_gap) {
  int count = 0;
  for (int p = 0; p < n->nshape && count <= n->room; p++) {
    const int i = n->order[p], bounded = is_finite_shape(n, i);
    const double end = bounded ? n->place[i].p[axis] + n->shapes[i].radius + max_gap : INFINITY;
    for (int q = p + 1; q < n->nshape && n->start[n->order[q]] <= end; q++) {
      const int j = n->order[q];
      if (bounded && !are_near(n, i, j, max_gap)) continue;
      count = add_pairs(n, acts, &n->shapes[i], &n->shapes[j], count);
      count = add_pairs(n, acts, &n->shapes[j], &n->shapes[i], count);
    }
  }
  return count;
}

static int is_before(const fb_near_pair* x, const fb_near_pair* y) {
  return x->a < y->a || (x->a == y->a && x->b < y->b);
}

/* By contacts, then within each. */
static void sort_pairs(fb_near_pairs* n, int count) {
  int *begin = n->at, *filled = n->at + n->ncontact + 1;
  memset(n->at, 0, 2 * ((size_t)n->ncontact + 1) * sizeof *n->at);
  for (int i = 0; i < count; i++) begin[n->found[i].contact + 1]++;
  for (int c = 0; c < n->ncontact; c++) begin[c + 1] += begin[c];
  for (int i = 0; i < count; i++) {
    const fb_near_pair pair = n->found[i];
    fb_near_pair* of = n->pairs + begin[pair.contact];
    int at = filled[pair.contact]++;
    for (; at > 0 && is_before(&pair, &of[at - 1]); at--) of[at] = of[at - 1];
    of[at] = pair;
  }
}

int fb_near_pairs_find(fb_near_pairs* n, const fb_model* m, const fb_data* d, const unsigned char* acts,
                       double max_gap, const fb_near_pair** pairs) {
  static const double SPARE = 1e-6; /* [m] beyond the rounding of what decides */
  for (int i = 0; i < n->nshape; i++) fb_collider_place(m, d, n->shapes[i].collider, &n->place[i]);
  const int axis = widest_axis(n);
  for (int i = 0; i < n->nshape; i++)
    n->start[i] = is_finite_shape(n, i) ? n->place[i].p[axis] - n->shapes[i].radius : -INFINITY;
  sort_starts(n);
  const int count = sweep(n, acts, axis, max_gap + SPARE);
  if (count > n->room) return -1;
  sort_pairs(n, count);
  *pairs = n->pairs;
  return count;
}

const fb_placement* fb_near_pairs_place(const fb_near_pairs* n, int contact, int b, int collider) {
  const int first = b ? n->contacts[contact]->how.na : 0;
  return &n->place[n->shape_of[n->first[contact] + first + collider]];
}

double fb_near_pairs_speed(const fb_near_pairs* n, const fb_model* m, const fb_data* d) {
  double most = 0;
  for (int i = 0; i < n->nshape; i++) {
    const shape* of = &n->shapes[i];
    if (!isfinite(of->radius) || of->collider->frame == FB_WORLD) continue;
    double v[3], w[3];
    fb_frame_velocity(m, d, of->collider->frame, v, w);
    const double speed = norm3(v) + (norm3(of->collider->at) + of->radius) * norm3(w);
    if (!(speed <= most)) most = speed;
  }
  return most;
}
