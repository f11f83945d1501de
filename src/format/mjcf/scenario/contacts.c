/* contacts.c -- what touches what in an MJCF file, as surfaces and contacts of a scenario.
 *
 * Two geoms may touch when contype of one and conaffinity of the other have a bit in common, unless their bodies are fixed
 * to each other, are parent and child (the world excepted; MuJoCo excepts bodies that are fixed to it too, and pushes links
 * softly out of the base that they overlap), or are excluded. Contacts are between bodies here: the bits of
 * a body are those of all its geoms, its friction is their largest. Planes are surfaces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/mjcf/scenario/scenario.h"

enum { SLIDES = 1 }; /* condim without friction */

/* What touches of one body. */
typedef struct side {
  const char* name;
  unsigned type, affinity;
  double friction, condim, priority;
  int root, parent; /* the first of the bodies that it is fixed to, and the same of what that one is on */
  int still;        /* it is fixed to the world */
} side;

typedef struct contact_printer {
  fb_mjcf_scene* s;
  side* bodies;   /* [nbody]; name NULL: it has nothing that touches */
  side* surfaces; /* [nsurface] */
  size_t nsurface, surface_room;
} contact_printer;

/* The first of the bodies that this one is fixed to; the world by itself is 0. */
static int rigid_root(const fb_mjcf_reader* r, int body) {
  while (body > 0 && r->bodies[body].njoint == 0 && r->bodies[body].parent > 0) body = r->bodies[body].parent;
  return body;
}

static unsigned bits(double x) {
  return x >= 0 && x < 4294967296.0 ? (unsigned)x : x < 0 ? ~0u : 0;
}

static fb_status read_side(fb_mjcf_reader* r, int node, const fb_mjcf_geom* g, side* out) {
  double friction[3] = {1, 0, 0}, condim = 3;
  int count;
  fb_status status = fb_mjcf_some(r, node, "geom", "friction", 3, friction, &count);
  if (!status) status = fb_mjcf_numbers(r, node, "geom", "condim", 1, &condim, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, "geom", "priority", 1, &out->priority, NULL);
  if (condim > 3)
    fb_unread_add(&r->unread, node, "lost: friction about the normal and of rolling (condim=\"%g\")", condim);
  out->type = bits(g->contype);
  out->affinity = bits(g->conaffinity);
  out->condim = condim;
  out->friction = fmax(friction[0], 0);
  return status;
}

/* Adds a geom to what its body has. */
static void join(fb_mjcf_reader* r, int node, const side* geom, side* body) {
  if (body->condim > 0 && (body->type != geom->type || body->affinity != geom->affinity))
    fb_unread_add(&r->unread, node,
                  "contype and conaffinity that differ between the geoms of a body: each has those of all");
  if (body->condim > 0 && body->friction != geom->friction)
    fb_unread_add(&r->unread, node,
                  "friction that differs between the geoms of a body: each has the largest");
  body->type |= geom->type;
  body->affinity |= geom->affinity;
  body->condim = fmax(body->condim, geom->condim);
  body->friction = fmax(body->friction, geom->friction);
  body->priority = fmax(body->priority, geom->priority);
}

/* --- surfaces --- */

static fb_status print_plane(contact_printer* t, int body, int node, const fb_mjcf_geom* g,
                             const side* made_of) {
  fb_mjcf_reader* r = t->s->r;
  fb_pose pose;
  char* given;
  fb_status status = fb_mjcf_name_or(r, node, "ground", &given);
  if (status) return status;
  const char* name = fb_name_set_make(&r->names, given);
  free(given);
  if (!name || !fb_grow(&t->surfaces, t->nsurface, 1, &t->surface_room, sizeof *t->surfaces))
    return fb_mjcf_no_memory(r);
  side* made = &t->surfaces[t->nsurface++];
  *made = *made_of;
  made->name = name;
  made->still = 1;
  made->parent = -1;
  fb_pose_multiply(&r->bodies[body].pose_w, &g->pose, &pose);
  double normal[3] = {pose.R[2], pose.R[5], pose.R[8]};
  if (t->nsurface == 1) fb_json_put_list(t->s->json, "surfaces");
  fb_json_begin_map(t->s->json);
  fb_json_put_string(t->s->json, "name", name);
  fb_json_put_string(t->s->json, "kind", "plane");
  fb_json_put_numbers(t->s->json, "at", pose.p, 3);
  fb_json_put_numbers(t->s->json, "normal", normal, 3);
  fb_json_end_map(t->s->json);
  return FB_OK;
}

/* --- bodies --- */

/* Whether the definition has a shape of this body for contact. */
static int has_shape(const fb_mjcf_reader* r, int body) {
  int id = r->bodies[body].id;
  for (int i = 0; id > 0 && i < fb_model_def_nshape(r->def, id); i++)
    if (fb_model_def_shape(r->def, id, i)->use != FB_SHAPE_USE_VISUAL) return 1;
  return 0;
}

static fb_status gather_body(contact_printer* t, int body) {
  fb_mjcf_reader* r = t->s->r;
  side* out = &t->bodies[body];
  out->root = rigid_root(r, body);
  out->still = out->root == 0 || r->bodies[out->root].njoint == 0;
  out->parent = out->still ? -1 : rigid_root(r, r->bodies[out->root].parent);
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE; e = r->next_item[e]) {
    fb_mjcf_geom g;
    side made_of = {0};
    if (!fb_mjcf_is(&r->tree, e, "geom")) continue;
    fb_status status = fb_mjcf_read_geom(r, e, &g);
    if (!status) status = read_side(r, e, &g, &made_of);
    if (status) return status;
    if (made_of.type == 0 && made_of.affinity == 0) continue;
    if (g.type == FB_MJCF_PLANE && out->still)
      status = print_plane(t, body, e, &g, &made_of);
    else if (g.type != FB_MJCF_PLANE && g.type != FB_MJCF_HFIELD)
      join(r, e, &made_of, out);
    if (status) return status;
  }
  if (out->condim > 0 && has_shape(r, body)) out->name = r->bodies[body].name;
  return FB_OK;
}

/* --- pairs --- */

static int is_excluded(const fb_mjcf_reader* r, const char* a, const char* b) {
  for (int x = -1; (x = fb_mjcf_next_in(&r->tree, "contact", x)) != FB_MJCF_NONE;) {
    const char *one = fb_mjcf_written(&r->tree, x, "body1"), *two = fb_mjcf_written(&r->tree, x, "body2");
    if (!fb_mjcf_is(&r->tree, x, "exclude") || !one || !two) continue;
    if ((strcmp(one, a) == 0 && strcmp(two, b) == 0) || (strcmp(one, b) == 0 && strcmp(two, a) == 0))
      return 1;
  }
  return 0;
}

static int may_collide(const fb_mjcf_reader* r, const side* a, const side* b) {
  if (!a->name || !b->name || a->root == b->root || (a->still && b->still)) return 0;
  if (!((a->type & b->affinity) | (b->type & a->affinity))) return 0;
  if ((a->root > 0 && b->parent == a->root) || (b->root > 0 && a->parent == b->root)) return 0;
  return !is_excluded(r, a->name, b->name);
}

static double friction_of(const side* a, const side* b) {
  if (fmax(a->condim, b->condim) <= SLIDES) return 0;
  if (a->priority != b->priority) return a->priority > b->priority ? a->friction : b->friction;
  return fmax(a->friction, b->friction);
}

/* A body against all later ones and the surfaces, one contact for each coefficient. */
static fb_status print_body(contact_printer* t, int body, const side** others, double* friction) {
  fb_mjcf_scene* s = t->s;
  const side* a = &t->bodies[body];
  size_t count = 0;
  for (size_t i = 0; i < t->nsurface; i++)
    if (may_collide(s->r, a, &t->surfaces[i])) others[count++] = &t->surfaces[i];
  for (size_t b = 0; b < s->r->nbody; b++)
    if ((b > (size_t)body || b == 0) && may_collide(s->r, a, &t->bodies[b])) others[count++] = &t->bodies[b];
  for (size_t i = 0; i < count; i++) friction[i] = friction_of(a, others[i]);
  for (size_t i = 0; i < count; i++) {
    double mu = friction[i];
    if (mu < 0) continue;
    fb_status status = fb_mjcf_begin_item(s, "contacts", a->name);
    if (status) return status;
    fb_json_put_string(s->json, "a", a->name);
    fb_json_put_flat_list(s->json, "b");
    for (size_t k = i; k < count; k++) {
      if (friction[k] != mu) continue;
      fb_json_string(s->json, others[k]->name);
      friction[k] = -1;
    }
    fb_json_end_list(s->json);
    fb_json_put_number(s->json, "friction", mu);
    fb_json_end_map(s->json);
  }
  return FB_OK;
}

static void note_pairs(fb_mjcf_reader* r) {
  for (int x = -1; (x = fb_mjcf_next_in(&r->tree, "contact", x)) != FB_MJCF_NONE;)
    if (fb_mjcf_is(&r->tree, x, "pair"))
      fb_unread_add(&r->unread, x,
                    "lost: a <pair> of <contact>; add a contact with a: BODY/GEOM and b: BODY/GEOM");
}

static fb_status print_all(contact_printer* t) {
  fb_mjcf_reader* r = t->s->r;
  size_t most = r->nbody + t->nsurface + 1;
  const side** others = calloc(most, sizeof(void*));
  double* friction = calloc(most, sizeof *friction);
  fb_status status = others && friction ? FB_OK : fb_mjcf_no_memory(r);
  for (int b = 1; b < (int)r->nbody && !status; b++) status = print_body(t, b, others, friction);
  fb_mjcf_end_section(t->s);
  note_pairs(r);
  free(others);
  free(friction);
  return status;
}

fb_status fb_mjcf_print_contacts(fb_mjcf_scene* s) {
  contact_printer t = {.s = s, .bodies = calloc(s->r->nbody, sizeof *t.bodies)};
  fb_status status = t.bodies ? FB_OK : fb_mjcf_no_memory(s->r);
  if (s->r->set.no_contact) {
    fb_unread_add(&s->r->unread, 0, "the file switches contact off, so there are no contacts");
    free(t.bodies);
    return status;
  }
  for (int b = 0; b < (int)s->r->nbody && !status; b++) status = gather_body(&t, b);
  if (t.nsurface) fb_json_end_list(s->json);
  if (!status) status = print_all(&t);
  free(t.bodies);
  free(t.surfaces);
  return status;
}
