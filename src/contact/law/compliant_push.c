/* compliant_push.c -- the points of a compliant contact at a moment: normal force, friction, bristles
 *
 *   d = -gap, d' = -n . v,  v: velocity of a relative to b where they touch
 *   spring          N = max(0, k d + c d')
 *   hunt_crossley   N = max(0, k d^1.5 (1 + c d'))        [Hunt 1975]
 *   hertz           N = k d^1.5
 *
 * Each point counts by its weight (shape.h), so that forces stay continuous as points come and go.
 *
 * With bristles the state of the block has three numbers for each, the stretch in the axes of the frame of side b, or in
 * those of the world where a is fixed to it: so it turns with the surface. A pair of colliders has a bristle for each point that
 * it can have (bristles.c). Cost O(pairs of colliders), nothing allocates. */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "contact/law/bristles.h"
#include "contact/law/compliant.h"
#include "math/vector3.h"

fb_compliant fb_compliant_at(void* user, const fb_context* context, const double* memory,
                             const double* state) {
  const fb_contact_block* c = (const fb_contact_block*)user;
  fb_compliant at = {.m = context->model, .c = c, .state = state, .owners = memory + FB_COMPLIANT_MEMORY};
  at.d = fb_contact_kinematics(context, c, at.origin);
  at.stiffness = fmax(0, memory[FB_COMPLIANT_STIFFNESS]);
  at.damping = fmax(0, memory[FB_COMPLIANT_DAMPING]);
  at.rub = fb_rub_of(&c->how, fmax(0, memory[FB_COMPLIANT_FRICTION]), at.stiffness, at.damping);
  return at;
}

/* ---- the normal force ---- */

static void push_normal(const fb_compliant* at, double depth, fb_push* p) {
  double k = at->stiffness, c = at->damping, root = sqrt(depth), hertz = k * depth * root;
  switch (at->c->how.law) {
    case FB_CONTACT_SPRING:
      p->normal = k * depth + c * p->approach;
      p->slope = k;
      p->slope_rate = c;
      break;
    case FB_CONTACT_HUNT_CROSSLEY:
      p->normal = hertz * (1 + c * p->approach);
      p->slope = 1.5 * k * root * (1 + c * p->approach);
      p->slope_rate = hertz * c;
      break;
    default:
      p->normal = hertz;
      p->slope = 1.5 * k * root;
  }
  if (p->normal < 0) p->normal = p->slope = p->slope_rate = 0; /* a NaN goes on, to be found */
}

/* ---- bristles ---- */

static int has_bristles(const fb_contact_block* c) {
  return c->how.rubbing == FB_RUBBING_BRISTLE;
}

int fb_compliant_nbristle(const fb_contact_block* c) {
  int count = 0;
  for (int a = 0; a < c->how.na && has_bristles(c); a++)
    for (int b = 0; b < c->how.nb; b++) count += fb_bristles_of(&c->how.a[a], &c->how.b[b]);
  return count;
}

/* Friction with the bristle of the point, whose state is in axes that R takes to the world's. */
static void rub_bristle(const fb_compliant* at, fb_push* p) {
  double R[9], stretch[3];
  fb_frame_pose(at->m, at->d, p->a->frame == FB_WORLD ? FB_WORLD : p->b->frame, NULL, R);
  fb_rot_apply(R, at->state + p->bristle, stretch);
  fb_rub_at(&at->rub, p->touch.normal, p->normal, p->slip, stretch, &p->rub);
  fb_rot_apply_transpose(R, p->rub.rate, p->rub.rate);
}

/* ---- points ---- */

static void weigh(fb_push* p) {
  double* const parts[] = {&p->normal, &p->slope, &p->slope_rate, &p->rub.stiffness, &p->rub.damping};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] *= p->weight;
  for (int i = 0; i < 3; i++) p->rub.force[i] *= p->weight;
}

static void fill_push(const fb_compliant* at, fb_push* p) {
  static const double NONE[3] = {0, 0, 0};
  fb_touch_velocity(at->m, at->d, p->a, p->b, &p->touch, p->slip);
  p->approach = -dot3(p->touch.normal, p->slip);
  add_scaled3(p->slip, p->approach, p->touch.normal);
  push_normal(at, fmax(0, -p->touch.gap), p);
  if (p->bristle >= 0)
    rub_bristle(at, p);
  else
    fb_rub_at(&at->rub, p->touch.normal, p->normal, p->slip, NONE, &p->rub);
  weigh(p);
}

/* Those of collider a against collider b; first: of the pair's bristles in the state, -1: none. */
static void visit_pair(const fb_compliant* at, int a, int b, int first, fb_use_push* use, void* into) {
  const fb_collider *on_a = &at->c->how.a[a], *on_b = &at->c->how.b[b];
  fb_touch touches[FB_TOUCH_ROOM];
  double weights[FB_TOUCH_ROOM];
  const int most = first >= 0 ? FB_MAX_TOUCHES : FB_TOUCH_ROOM; /* a bristle for each */
  int slots[FB_MAX_TOUCHES],
      count = fb_contact_pair_smooth(at->m, at->d, at->c, a, b, most, touches, weights);
  if (first >= 0)
    fb_bristles_take(touches, count, at->owners + (first - FB_CONTACT_X_COUNT) / 3,
                     fb_bristles_of(on_a, on_b), slots);
  for (int i = 0; i < count; i++) {
    fb_push push = {.touch = touches[i],
                    .a = on_a,
                    .b = on_b,
                    .weight = weights[i],
                    .bristle = first >= 0 ? first + 3 * slots[i] : -1};
    fill_push(at, &push);
    use(into, at, &push);
  }
}

void fb_contact_keep_bristles(void* user, const fb_context* context, double* memory, const double* state) {
  const fb_contact_block* c = (const fb_contact_block*)user;
  if (c->how.law == FB_CONTACT_SOIL || !has_bristles(c)) return;
  fb_compliant at = fb_compliant_at(user, context, memory, state);
  double *owners = memory + FB_COMPLIANT_MEMORY, weights[FB_TOUCH_ROOM];
  fb_touch touches[FB_TOUCH_ROOM];
  for (int a = 0, first = 0; a < c->how.na; a++)
    for (int b = 0; b < c->how.nb; b++) {
      int n = fb_bristles_of(&c->how.a[a], &c->how.b[b]);
      int count = n > 1 ? fb_contact_pair_smooth(at.m, at.d, c, a, b, FB_MAX_TOUCHES, touches, weights) : 0;
      if (count > 0)
        fb_bristles_keep(touches, count, state + FB_CONTACT_X_COUNT + 3 * first, n, owners + first);
      first += n;
    }
}

void fb_compliant_visit(const fb_compliant* at, fb_use_push* use, void* into) {
  int first = has_bristles(at->c) ? FB_CONTACT_X_COUNT : -1;
  for (int a = 0; a < at->c->how.na; a++)
    for (int b = 0; b < at->c->how.nb; b++) {
      visit_pair(at, a, b, first, use, into);
      if (first >= 0) first += 3 * fb_bristles_of(&at->c->how.a[a], &at->c->how.b[b]);
    }
}

/* ---- errors ---- */

typedef struct errors {
  double h, *off; /* of the step; of the states */
} errors;

/* Whether the bristle, of this length at most, was dragged by more than that: it has forgotten what it was before. */
static int is_dragged(const fb_push* p, double bound, double h) {
  double f = norm3(p->rub.force), s = norm3(p->slip);
  return p->rub.slips && h * s > bound && dot3(p->rub.force, p->slip) < -0.5 * f * s;
}

/* Both stretches, that of the motion and the true one, are within the bound of friction; where they are dragged, along themselves
 * both between that and the part of it from which they are. */
static void bound_error(void* to, const fb_compliant* at, const fb_push* p) {
  const errors* o = (const errors*)to;
  if (p->bristle < 0 || !(p->weight > 0)) return;
  const double* z = at->state + p->bristle;
  double *e = o->off + p->bristle, length = norm3(z),
         bound = at->rub.friction * p->normal / (p->weight * at->rub.stiffness),
         most = 2 * fmax(bound, length);
  if (length > 0 && length <= bound && is_dragged(p, bound, o->h)) {
    double along = dot3(e, z) / length, reach = (1 - FB_RUB_ELASTIC) * bound;
    if (fabs(along) > reach) add_scaled3(e, (copysign(reach, along) - along) / length, z);
  }
  double size = norm3(e);
  for (int i = 0; size > most && i < 3; i++) e[i] *= most / size;
}

void fb_contact_bound_errors(void* user, const fb_context* context, const double* memory, const double* state,
                             double h, double* off) {
  const fb_contact_block* c = (const fb_contact_block*)user;
  if (c->how.law == FB_CONTACT_SOIL || !has_bristles(c)) return;
  fb_compliant at = fb_compliant_at(user, context, memory, state);
  errors into = {h, off};
  fb_compliant_visit(&at, bound_error, &into);
}
