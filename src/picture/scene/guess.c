/* guess.c -- shapes for bodies that the model gives none: links from the body's origin to the joints and frames
 * that it carries, the box of its inertia, drums where joints turn; a dot where there is nothing else to show.
 *
 * Links are as thick as 4 % of the median of all distances from a body's origin to what it carries, so that one long
 * boom does not make an arm clumsy. Costs O(bodies log bodies). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "picture/scene/parts.h"
#include "math/sym3.h"
#include "math/vector3.h"
#include "model/definition/joint_path.h"

enum { MOST_LINKS = 64 /* of one body: a base may carry thousands */ };

static const double THICKNESS = 0.04; /* of links, relative to the median distance */

struct fb_guess {
  const fb_model* model;
  const fb_model_def* def;
  int *first_child, *next_child; /* [nbody] bodies that a body carries, as chains in order; -1: the end */
  double radius;                 /* of links [m] */
  double heaviest;               /* mass of a body [kg] */
};

static const double BASE_COLOR[4] = {0.80, 0.72, 0.50, 1};
static const double LINK_COLORS[2][4] = {{0.79, 0.80, 0.83, 1}, {0.93, 0.92, 0.89, 1}};
static const double JOINT_COLOR[4] = {0.88, 0.51, 0.23, 1};

void fb_scene_body_color(const fb_model* m, int body, double color[4]) {
  const double* from = fb_body_parent(m, body) == FB_WORLD ? BASE_COLOR : LINK_COLORS[body % 2];
  memcpy(color, from, 4 * sizeof *color);
}

/* --- what a body carries --- */

/* Points that a body reaches out to, in its frame: joints, then frames; without them its centre of mass. */
typedef struct child_walk {
  const fb_guess* guess;
  int body, child, frame;
  int done;     /* points so far; the centre of mass counts */
  double at[3]; /* the joint's, of a child */
} child_walk;

static child_walk child_walk_start(const fb_guess* guess, int body) {
  child_walk r = {guess, body, guess->first_child[body], 0, 0, {0, 0, 0}};
  return r;
}

static const double* child_walk_next(child_walk* r) {
  const fb_model_def* def = r->guess->def;
  if (r->child >= 0) {
    const fb_body_def* child = fb_model_def_body(def, r->child);
    r->child = r->guess->next_child[r->child];
    r->done++;
    fb_joint_path path = fb_joint_path_of(&child->joint);
    memcpy(r->at, path.place.p, sizeof r->at);
    return r->at;
  }
  if (r->frame < fb_model_def_nframe(def, r->body)) {
    r->done++;
    return fb_model_def_frame(def, r->body, r->frame++)->at;
  }
  return r->done++ == 0 ? fb_model_def_body(def, r->body)->com : NULL;
}

/* --- the measure of the robot --- */

static int ascending(const void* a, const void* b) {
  double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

/* The largest half edge of a body's box. */
static double box_size(const fb_body_def* body) {
  double moments[3], R[9], half[3];
  fb_sym3_axes(body->inertia, moments, R);
  fb_equal_box(body->mass, moments, half);
  return fmax(half[0], fmax(half[1], half[2]));
}

static int count_points(const fb_guess* g) {
  int count = 0, nbody = fb_model_def_nbody(g->def);
  for (int i = 1; i < nbody; i++) count += 1 + fb_model_def_nframe(g->def, i);
  return count + nbody;
}

/* The median distance from bodies' origins to what they carry; of what has no extent so, the size of its boxes. */
static int typical_length(const fb_guess* g, double* length) {
  int count = 0, nbody = fb_model_def_nbody(g->def);
  double *lengths = malloc((size_t)count_points(g) * sizeof *lengths), widest = 0;
  if (!lengths) return 0;
  for (int i = 1; i < nbody; i++) {
    child_walk r = child_walk_start(g, i);
    for (const double* at; (at = child_walk_next(&r)) != NULL;)
      if (!is_zero3(at)) lengths[count++] = norm3(at);
    widest = fmax(widest, box_size(fb_model_def_body(g->def, i)));
  }
  qsort(lengths, (size_t)count, sizeof *lengths, ascending);
  *length = count > 0 ? lengths[count / 2] : widest;
  if (!(*length > 0)) *length = 1;
  free(lengths);
  return 1;
}

static void chain_children(fb_guess* g) {
  int nbody = fb_model_nbody(g->model);
  for (int i = 0; i < nbody; i++) g->first_child[i] = g->next_child[i] = -1;
  for (int i = nbody - 1; i > 0; i--) {
    int parent = fb_body_parent(g->model, i);
    g->next_child[i] = g->first_child[parent];
    g->first_child[parent] = i;
  }
}

fb_guess* fb_guess_new(const fb_model* m) {
  fb_guess* g = calloc(1, sizeof *g);
  if (!g) return NULL;
  size_t nbody = (size_t)fb_model_nbody(m);
  double length;
  g->model = m;
  g->def = fb_model_definition(m);
  g->first_child = malloc(nbody * sizeof(int));
  g->next_child = malloc(nbody * sizeof(int));
  if (g->first_child && g->next_child) {
    chain_children(g);
    if (typical_length(g, &length)) {
      g->radius = THICKNESS * length;
      for (int i = 1; i < fb_model_def_nbody(g->def); i++)
        g->heaviest = fmax(g->heaviest, fb_model_def_body(g->def, i)->mass);
      return g;
    }
  }
  fb_guess_free(g);
  return NULL;
}

void fb_guess_free(fb_guess* guess) {
  if (!guess) return;
  free(guess->first_child);
  free(guess->next_child);
  free(guess);
}

/* --- shapes --- */

/* The quaternion that turns z to this direction. */
static void quat_from_z(const double direction[3], double quat[4]) {
  double n = norm3(direction), x = direction[0] / n, y = direction[1] / n, z = direction[2] / n;
  if (z < -1 + 1e-12) { /* straight down: half a turn about x */
    const double half_turn[4] = {0, 1, 0, 0};
    memcpy(quat, half_turn, sizeof half_turn);
    return;
  }
  const double q[4] = {1 + z, -y, x, 0};
  memcpy(quat, q, sizeof q);
  fb_quat_normalise(quat);
}

typedef struct body_work {
  const fb_guess* guess;
  fb_scene* scene;
  size_t* room;
  const fb_body_def* def;
  double color[4];
  int count; /* shapes made */
  int failed;
} body_work;

static fb_scene_shape* add(body_work* w, fb_shape_kind kind, const double color[4]) {
  fb_scene_shape* shape = fb_scene_add(w->scene, w->room, kind, color);
  if (!shape) {
    w->failed = 1;
    return NULL;
  }
  shape->guessed = 1;
  w->count++;
  return shape;
}

static void add_link(body_work* w, const double end[3]) {
  fb_scene_shape* shape = add(w, FB_SHAPE_CAPSULE, w->color);
  if (!shape) return;
  shape->size[0] = w->guess->radius;
  shape->size[1] = norm3(end);
  for (int i = 0; i < 3; i++) shape->at[i] = end[i] / 2;
  quat_from_z(end, shape->quat);
}

/* Links to all it carries, but one where several things stand at the same place. */
static void add_links(body_work* w, int body) {
  double ends[MOST_LINKS][3], r = w->guess->radius;
  int count = 0;
  child_walk points = child_walk_start(w->guess, body);
  for (const double* at; count < MOST_LINKS && (at = child_walk_next(&points)) != NULL;) {
    int near = norm3(at) < 1.5 * r;
    for (int i = 0; i < count && !near; i++) {
      const double gap[3] = {at[0] - ends[i][0], at[1] - ends[i][1], at[2] - ends[i][2]};
      near = norm3(gap) < 0.1 * r;
    }
    if (near) continue;
    memcpy(ends[count++], at, sizeof ends[0]);
    add_link(w, at);
  }
}

static void add_ball(body_work* w, const double at[3], double radius, const double color[4]) {
  fb_scene_shape* shape = add(w, FB_SHAPE_SPHERE, color);
  if (!shape) return;
  shape->size[0] = radius;
  memcpy(shape->at, at, sizeof shape->at);
}

/* The box of inertia, or a ball where all mass is in a point; nothing for a rod thinner than the link that stands for
 * it already, nor for an inertia that was made up. */
static void add_mass(body_work* w) {
  double moments[3], R[9], half[3];
  fb_sym3_axes(w->def->inertia, moments, R);
  fb_equal_box(w->def->mass, moments, half);
  double most = fmax(half[0], fmax(half[1], half[2])), least = fmin(half[0], fmin(half[1], half[2]));
  double middle = half[0] + half[1] + half[2] - most - least;
  if (w->def->mass > 0 && most == 0) {
    add_ball(w, w->def->com, 2.5 * w->guess->radius, w->color);
    return;
  }
  if (!(middle > w->guess->radius) && (w->count > 0 || most == 0)) return;
  /* An inertia that was made up, as for the massless links of URDF files: hardly any mass, spread over more space than the
   * links around it have. */
  if (w->def->mass < 0.01 * w->guess->heaviest && most > 2 * w->guess->radius / THICKNESS) return;
  fb_scene_shape* shape = add(w, FB_SHAPE_BOX, w->color);
  if (!shape) return;
  for (int i = 0; i < 3; i++) shape->size[i] = 2 * fmax(half[i], 0.01 * most);
  memcpy(shape->at, w->def->com, sizeof shape->at);
  fb_rot_to_quat(R, shape->quat);
}

/* A drum about the one axis, or a ball where several turns meet: at the body's origin, where its joint is; the axis stands the
 * same in joint and body axes. */
static void add_joint(body_work* w) {
  const fb_joint_def* joint = &w->def->joint;
  const fb_joint_kind* kind = &fb_joint_kinds[joint->type];
  const double origin[3] = {0, 0, 0}, r = w->guess->radius;
  int turns = kind->nv - kind->lengths;
  if (turns > 1 && kind->lengths == 0) add_ball(w, origin, 2 * r, JOINT_COLOR);
  if (turns != 1 || kind->naxis != 1) return;
  fb_scene_shape* shape = add(w, FB_SHAPE_CYLINDER, JOINT_COLOR);
  if (!shape) return;
  shape->size[0] = 1.6 * r;
  shape->size[1] = 4 * r;
  quat_from_z(joint->axis, shape->quat);
}

fb_status fb_guess_body(const fb_guess* guess, fb_scene* scene, size_t* room, int body) {
  body_work w = {guess, scene, room, fb_model_def_body(guess->def, body), {0}, 0, 0};
  fb_scene_body_color(guess->model, body, w.color);
  add_links(&w, body);
  add_mass(&w);
  add_joint(&w);
  if (w.count == 0) add_ball(&w, (const double[3]){0, 0, 0}, guess->radius, w.color);
  return w.failed ? FB_ERR_MEMORY : FB_OK;
}
