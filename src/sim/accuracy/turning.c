/* turning.c -- unbalanced rotating parts: wheels that are not quite balanced, and links that carry something off
 * their axis
 *
 * The stages of a step sample a force that turns with a wheel at instants of their own. Within a radian of it they
 * follow it; over several turns they sample noise, whose error is as small as the force, but has a constant sign.
 * Error control does not detect this. So a step is bounded by a radian of the fastest unbalanced part, with w its
 * rate and W that of its carrier:
 *
 *   m e w^2 / M l      of its centre of mass, off the axis by e      M, l: mass and size of the tree
 *   D w^2 / M l^2      of its products of inertia D with the axis
 *   A w W / M l^2      of the difference A of its inertias across the axis
 *   m e g / I          on the world, by weight                       I: about the axis
 *
 * are the accelerations that it causes of the tree or of itself, in units of the tree's size or of 1 rad [1/s^2].
 * Where they stay below the tolerance of a step in a second, the part is balanced: such wheels take steps of any
 * length. A floating base turns its own origin about the centre of mass of its tree, m e = M |c|. A link that carries
 * other joints is unbalanced by all that they may carry off its axis. Found once, at the neutral configuration; the
 * bound costs O(n). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vector3.h"
#include "model/record.inl"
#include "sim/accuracy/turning.h"

static const double RADIANS = 1; /* that stages follow */

static double at(const fb_sim* s, int link, int parameter) {
  return *fb_link_parameter(s->d->par, link, parameter);
}

/* Of the link alone, about the axis of its joint, or about its origin where it turns about any axis. */
static fb_uneven of_link(const fb_sim* s, int link) {
  double h[3], I[6];
  for (int k = 0; k < 3; k++) h[k] = at(s, link, FB_PAR_H + k);
  for (int k = 0; k < 6; k++) I[k] = at(s, link, FB_PAR_I + k);
  double across = norm2(I[0] - I[1], 2 * I[3]), products = norm2(I[4], I[5]);
  if (s->m->top.link_kind[link] == FB_LINK_SPHERICAL)
    return (fb_uneven){length3(h), products + fabs(I[3]), across + fabs(I[1] - I[2]) + products,
                       (I[0] + I[1] + I[2]) / 3};
  return (fb_uneven){norm2(h[0], h[1]), products, across, I[2]};
}

/* The moment of mass of a tree about the origin of its floating base. */
static double of_base(const fb_sim* s, int base) {
  double sum[3] = {0, 0, 0};
  fb_v3 origin = fb_get3(fb_link(s->d, base), FB_REC_P);
  for (int i = base; i < s->m->top.nlink; i++) {
    if (s->m->top.link_tree[i] != s->m->top.link_tree[base]) continue;
    const double* x = fb_link(s->d, i);
    fb_v3 h = {at(s, i, FB_PAR_H), at(s, i, FB_PAR_H + 1), at(s, i, FB_PAR_H + 2)};
    fb_v3 moment = fb_v3_axpy(fb_m3_apply(fb_get_axes(x), h), at(s, i, FB_PAR_MASS),
                              fb_v3_sub(fb_get3(x, FB_REC_P), origin));
    sum[0] += moment.x;
    sum[1] += moment.y;
    sum[2] += moment.z;
  }
  return length3(sum);
}

/* Adds what a link carries by joints, anywhere within the tree's size. */
static void carry(const fb_sim* s, int link, double mass, fb_uneven* uneven) {
  double size = s->tree.list[s->m->top.link_tree[link]].size, inertia = fabs(mass) * size * size;
  uneven->moment += fabs(mass) * size;
  uneven->products += inertia;
  uneven->across += inertia;
  uneven->about += inertia;
}

int fb_turning_make(fb_sim* s) {
  const fb_topology* t = &s->m->top;
  double* mass = calloc((size_t)t->nlink, sizeof *mass); /* beyond each joint */
  s->tree.uneven = calloc((size_t)t->nlink, sizeof *s->tree.uneven);
  for (int i = t->nlink - 1; mass && s->tree.uneven && i > 0; i--) {
    if (s->m->top.link_tree[i] < 0) continue;
    fb_uneven* uneven = &s->tree.uneven[i];
    if (t->link_kind[i] == FB_LINK_FREE) {
      uneven->moment = of_base(s, i);
    } else {
      *uneven = of_link(s, i);
      if (mass[i] != 0) carry(s, i, mass[i], uneven);
    }
    mass[t->link_parent[i]] += mass[i] + at(s, i, FB_PAR_MASS);
  }
  int made = mass && s->tree.uneven;
  free(mass);
  return made;
}

/* The speed at which a link turns in its joint; *k: one of its coordinates. */
static double turn_rate(const fb_sim* s, int link, const double* v, int* k) {
  int kind = s->m->top.link_kind[link];
  *k = s->m->top.link_v[link];
  if (kind == FB_LINK_REVOLUTE || kind == FB_LINK_HELICAL) return fabs(v[*k]);
  if (kind == FB_LINK_FREE) *k += 3;
  return kind == FB_LINK_FREE || kind == FB_LINK_SPHERICAL ? norm3(v + *k) : 0;
}

/* The acceleration that it causes, turning at w [1/s^2]. */
static double throw_rate(fb_sim* s, int link, const double* y, double w) {
  const fb_uneven* x = &s->tree.uneven[link];
  int tree = s->m->top.link_tree[link], parent = s->m->top.link_parent[link];
  double size = s->tree.list[tree].size, mass = fabs(s->ledger.local[tree].mass);
  double inertia = mass * size * size;
  if (s->m->top.link_tree[parent] < 0 && s->tree.list[tree].root < 0) /* on the world only weight counts */
    return x->moment > 0 ? x->moment * norm3(s->loads.environment.gravity_w) / x->about : 0;
  double rate = (x->moment * size + x->products) * w * w;
  if (x->across > 0) {
    fb_v3 carrier = fb_get3(fb_link(fb_sim_kinematics_at(s, y), parent), FB_REC_W);
    rate += x->across * w * sqrt(fb_v3_dot(carrier, carrier));
  }
  return rate > 0 ? rate / inertia : 0;
}

double fb_turning_bound(fb_sim* s, const double* y, double h, int* coordinate) {
  if (coordinate) *coordinate = -1;
  for (int i = 1; i < s->m->top.nlink; i++) {
    int k = -1;
    double w = s->m->top.link_tree[i] < 0 ? 0 : turn_rate(s, i, y + s->nq, &k);
    if (!(w * h > RADIANS) || !(throw_rate(s, i, y, w) > s->error.tolerance)) continue;
    h = RADIANS / w;
    if (coordinate) *coordinate = k;
  }
  return h;
}
