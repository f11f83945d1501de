/* compliant_push.c -- the points of a compliant contact at an instant: normal force, friction, bristles
 *
 *   d = -gap, d' = -n . v,  v: velocity of a relative to b where they touch
 *   spring          N = max(0, k d + c d')
 *   hunt_crossley   N = max(0, k d^1.5 (1 + c d'))        [Hunt 1975]
 *   hertz           N = k d^1.5
 *
 * Each point counts by its weight (shape.h), so that forces are continuous as points appear and vanish.
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
#include "contact/law/soil.h"
#include "dynamics/loads.h"
#include "math/vector3.h"

fb_compliant fb_compliant_at(void* user, const fb_context* context, const double* memory,
                             const double* state) {
  const fb_contact_block* c = (const fb_contact_block*)user;
  fb_compliant at = {.m = context->model, .c = c, .state = state, .owners = memory + FB_COMPLIANT_MEMORY};
  at.d = fb_contact_kinematics(context, c, at.origin);
  at.stiffness = fmax(0, memory[FB_COMPLIANT_STIFFNESS]);
  at.damping = fmax(0, memory[FB_COMPLIANT_DAMPING]);
  at.friction = fmax(0, memory[FB_COMPLIANT_FRICTION]);
  at.masses = fb_context_parameters(context)->subtree_mass;
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
  if (p->normal < 0) p->normal = p->slope = p->slope_rate = 0; /* NaN is passed on, to be detected */
}

/* ---- bristles ---- */

static int has_bristles(const fb_contact_block* c) {
  return c->how.friction_model == FB_FRICTION_MODEL_BRISTLE;
}

int fb_compliant_nbristle(const fb_contact_block* c) {
  int count = 0;
  for (int a = 0; a < c->how.na && has_bristles(c); a++)
    for (int b = 0; b < c->how.nb; b++) count += fb_bristles_of(&c->how.a[a], &c->how.b[b]);
  return count;
}

/* Friction with the bristle of the point, whose state is in axes that R takes to the world's. */
static void push_bristle(const fb_compliant* at, fb_push* p) {
  double R[9], stretch[3];
  fb_frame_pose(at->m, at->d, p->a->frame == FB_WORLD ? FB_WORLD : p->b->frame, NULL, R);
  fb_rot_apply(R, at->state + p->bristle, stretch);
  fb_friction_eval(&p->how, p->point.normal, p->normal, p->slip, stretch, &p->slip_friction);
  fb_rot_apply_transpose(R, p->slip_friction.rate, p->slip_friction.rate);
}

/* ---- points ---- */

static void weigh(fb_push* p) {
  double* const parts[] = {&p->normal, &p->slope, &p->slope_rate, &p->slip_friction.stiffness,
                           &p->slip_friction.damping};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) *parts[i] *= p->weight;
  for (int i = 0; i < 3; i++) p->slip_friction.force[i] *= p->weight;
}

/* Of the link that carries a collider, with its subtree; INFINITY where it does not move. */
static double mass_of(const fb_compliant* at, const fb_collider* c) {
  const fb_topology* top = &at->m->top;
  if (top->site_link[c->frame] == 0) return INFINITY;
  int body = top->site_body[c->frame], parent = top->body_parent[body];
  while (parent > 0 && (top->body_link[body] == top->body_link[parent] || !(at->masses[body] > 0))) {
    body = parent;
    parent = top->body_parent[body];
  }
  return at->masses[body];
}

/* The reduced mass of both sides. */
static double moved_mass(const fb_compliant* at, const fb_push* p) {
  return 1 / (1 / mass_of(at, p->a) + 1 / mass_of(at, p->b));
}

static void fill_push(const fb_compliant* at, fb_push* p) {
  static const double NONE[3] = {0, 0, 0};
  fb_contact_point_velocity(at->m, at->d, p->a, p->b, &p->point, p->slip);
  p->approach = -dot3(p->point.normal, p->slip);
  add_scaled3(p->slip, p->approach, p->point.normal);
  push_normal(at, fmax(0, -p->point.gap), p);
  p->how = fb_friction_of(&at->c->how, at->friction, at->stiffness, at->damping, moved_mass(at, p));
  if (p->bristle >= 0)
    push_bristle(at, p);
  else
    fb_friction_eval(&p->how, p->point.normal, p->normal, p->slip, NONE, &p->slip_friction);
  weigh(p);
}

/* Those of collider a against collider b; first: of the pair's bristles in the state, -1: none. */
static void visit_pair(const fb_compliant* at, int a, int b, int first, fb_use_push* use, void* into) {
  const fb_collider *on_a = &at->c->how.a[a], *on_b = &at->c->how.b[b];
  fb_contact_point points[FB_POINT_LIST_ROOM];
  double weights[FB_POINT_LIST_ROOM];
  const int most = first >= 0 ? FB_MAX_CONTACT_POINTS : FB_POINT_LIST_ROOM; /* a bristle for each */
  int slots[FB_MAX_CONTACT_POINTS],
      count = fb_contact_pair_smooth(at->m, at->d, at->c, a, b, most, points, weights);
  if (first >= 0)
    fb_bristles_take(points, count, at->owners + (first - FB_CONTACT_X_COUNT) / 3, fb_bristles_of(on_a, on_b),
                     slots);
  for (int i = 0; i < count; i++) {
    fb_push push = {.point = points[i],
                    .a = on_a,
                    .b = on_b,
                    .weight = weights[i],
                    .bristle = first >= 0 ? first + 3 * slots[i] : -1};
    fill_push(at, &push);
    use(into, at, &push);
  }
}

void fb_contact_keep(void* user, const fb_context* context, double* memory, const double* state) {
  const fb_contact_block* c = (const fb_contact_block*)user;
  if (c->how.law == FB_CONTACT_SOIL) fb_soil_keep_energy(c, context, memory, state);
  if (c->how.law == FB_CONTACT_SOIL || !has_bristles(c)) return;
  fb_compliant at = fb_compliant_at(user, context, memory, state);
  double *owners = memory + FB_COMPLIANT_MEMORY, weights[FB_POINT_LIST_ROOM];
  fb_contact_point points[FB_POINT_LIST_ROOM];
  for (int a = 0, first = 0; a < c->how.na; a++)
    for (int b = 0; b < c->how.nb; b++) {
      int n = fb_bristles_of(&c->how.a[a], &c->how.b[b]);
      int count =
          n > 1 ? fb_contact_pair_smooth(at.m, at.d, c, a, b, FB_MAX_CONTACT_POINTS, points, weights) : 0;
      if (count > 0)
        fb_bristles_keep(points, count, state + FB_CONTACT_X_COUNT + 3 * first, n, owners + first);
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

/* Whether the bristle, of this length at most, was dragged by more than that, so that its former stretch no longer
 * matters. */
static int is_dragged(const fb_push* p, double bound, double h) {
  double f = norm3(p->slip_friction.force), s = norm3(p->slip);
  return p->slip_friction.slips && h * s > bound && dot3(p->slip_friction.force, p->slip) < -0.5 * f * s;
}

/* Both stretches, that of the motion and the true one, are within the bound of friction; where they are dragged, along themselves
 * both between that and the part of it from which they are. */
static void bound_error(void* to, const fb_compliant* at, const fb_push* p) {
  const errors* o = (const errors*)to;
  if (p->bristle < 0 || !(p->weight > 0)) return;
  const double* z = at->state + p->bristle;
  double *e = o->off + p->bristle, length = norm3(z),
         bound = fb_friction_max_stretch(&p->how, p->how.friction * p->normal / p->weight, p->slip),
         most = 2 * fmax(bound, length);
  if (length > 0 && length <= bound && is_dragged(p, bound, o->h)) {
    double along = dot3(e, z) / length, slack = (1 - FB_FRICTION_ELASTIC) * bound;
    if (fabs(along) > slack) add_scaled3(e, (copysign(slack, along) - along) / length, z);
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
