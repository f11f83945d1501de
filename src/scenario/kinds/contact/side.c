/* side.c -- what `a` and `b` of a contact name, as colliders.
 *
 * A surface is itself, a body stands for all its shapes for contact, BODY/SHAPE for one of them, by name or number, and
 * any other frame for a point. A name with * stands for the surfaces and the bodies with shapes that match it; where
 * there is none, for the frames that do. What such a name selects on a body that the other side has too is left out; but
 * where both sides are names with * that select the same, every two of those bodies may touch: a pile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "scenario/build/build.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/surface/surface.h"
#include "scenario/read/values.h"

/* A collider and where it comes from. */
typedef struct item {
  fb_collider collider;
  int surface;      /* or -1 */
  int frame, shape; /* of a shape: its body and index; of a point: its frame and -1 */
  int by_pattern;   /* a name with * has selected it */
} item;

typedef struct side {
  fb_scenario* s;
  const fb_node* node; /* of the word that is read, for messages */
  int by_pattern;
  item* items;
  size_t count, room;
} side;

/* --- adding --- */

static fb_status add(side* x, const item* one, fb_error* error) {
  for (size_t i = 0; i < x->count; i++) {
    const item* other = &x->items[i];
    if (one->surface == other->surface && one->frame == other->frame && one->shape == other->shape)
      return FB_OK;
  }
  if (!fb_grow(&x->items, x->count, 1, &x->room, sizeof *x->items)) return fb_scenario_no_memory(error);
  x->items[x->count] = *one;
  x->items[x->count++].by_pattern = x->by_pattern;
  return FB_OK;
}

static fb_status add_surface(side* x, int surface, fb_error* error) {
  const fb_collider* c = &x->s->surfaces[surface].collider;
  return add(x, &(item){.collider = *c, .surface = surface, .frame = c->frame, .shape = -1}, error);
}

static fb_status add_point(side* x, int frame, fb_error* error) {
  item one = {.collider = fb_default_collider(), .surface = -1, .frame = frame, .shape = -1};
  one.collider.frame = frame;
  return add(x, &one, error);
}

/* A mesh is a file beside the model's. */
static fb_status find_mesh(side* x, const char* name, fb_collider* c, fb_error* error) {
  char* path = fb_scenario_mesh_path(x->s, name);
  int index = 0;
  fb_status status = path ? fb_scenario_contact_mesh(x->s, x->node, path, c->size, &index, error)
                          : fb_scenario_no_memory(error);
  free(path);
  if (!status) c->geometry = x->s->meshes[index].geometry;
  return status;
}

static fb_status add_shape(side* x, int body, int index, fb_error* error) {
  /* in the order of fb_shape_kind */
  static const fb_collider_kind kinds[] = {FB_COLLIDER_BOX,      FB_COLLIDER_SPHERE,  FB_COLLIDER_ELLIPSOID,
                                           FB_COLLIDER_CYLINDER, FB_COLLIDER_CAPSULE, FB_COLLIDER_MESH};
  const fb_shape_def* shape = fb_model_def_shape(fb_model_definition(x->s->model), body, index);
  item one = {.collider = fb_default_collider(), .surface = -1, .frame = body, .shape = index};
  fb_status status = FB_OK;
  one.collider.kind = kinds[shape->kind];
  one.collider.frame = body;
  memcpy(one.collider.at, shape->at, sizeof shape->at);
  memcpy(one.collider.R, shape->R, sizeof shape->R);
  memcpy(one.collider.size, shape->size, sizeof shape->size);
  if (shape->kind == FB_SHAPE_MESH) status = find_mesh(x, shape->file, &one.collider, error);
  if (!status) status = fb_collider_check(&one.collider, error);
  if (status && error->place.line == 0) fb_node_place_error(x->node, error);
  return status ? status : add(x, &one, error);
}

/* --- shapes of a body --- */

/* A name that may contain *, each of which stands for any text. */
static int matches(const char* pattern, const char* text) {
  const char *star = NULL, *from = NULL;
  while (*text) {
    if (*pattern == '*') {
      star = pattern++;
      from = text;
    } else if (*pattern == *text) {
      pattern++;
      text++;
    } else if (star) {
      pattern = star + 1;
      text = ++from;
    } else {
      return 0;
    }
  }
  while (*pattern == '*') pattern++;
  return *pattern == '\0';
}

/* The shapes for contact whose name or number matches; pattern NULL: all of them. *found grows by their number. */
static fb_status add_shapes(side* x, int body, const char* pattern, int* found, fb_error* error) {
  const fb_model_def* def = fb_model_definition(x->s->model);
  fb_status status = FB_OK;
  for (int i = 0; i < fb_model_def_nshape(def, body) && !status; i++) {
    const fb_shape_def* shape = fb_model_def_shape(def, body, i);
    char number[16];
    snprintf(number, sizeof number, "%d", i);
    if (shape->use == FB_SHAPE_USE_VISUAL) continue;
    if (pattern && !matches(pattern, number) && !(shape->name && matches(pattern, shape->name))) continue;
    ++*found;
    status = add_shape(x, body, i, error);
  }
  return status;
}

static fb_status no_shapes(const side* x, int body, fb_error* error) {
  const fb_model* m = x->s->model;
  const char* name = fb_body_name(m, body);
  int tip = fb_model_nbody(m);
  while (tip < fb_model_nframe(m) && fb_frame_body(m, tip) != body) tip++;
  if (tip < fb_model_nframe(m))
    return fb_node_fail(x->node, error, FB_ERR_CONTENT,
                        "the body '%.60s' has no shapes for contact; give it some, or name a frame on it, "
                        "such as '%.60s', which is a point",
                        name, fb_frame_name(m, tip));
  return fb_node_fail(
      x->node, error, FB_ERR_CONTENT,
      "the body '%.60s' has no shapes for contact; give it some, or a frame, which is a point", name);
}

static fb_status add_body(side* x, int body, fb_error* error) {
  int found = 0;
  if (body == FB_WORLD)
    return fb_node_fail(x->node, error, FB_ERR_NAME,
                        "the world has no shape; add a surface to the scenario, and name that");
  fb_status status = add_shapes(x, body, NULL, &found, error);
  return status || found > 0 ? status : no_shapes(x, body, error);
}

/* --- names --- */

/* BODY/SHAPE, where a slash may be part of the body's name. *done: there is such a body. */
static fb_status add_by_slash(side* x, const char* word, int* done, fb_error* error) {
  const fb_model* m = x->s->model;
  for (const char* slash = strchr(word, '/'); slash; slash = strchr(slash + 1, '/')) {
    int found = 0;
    for (int body = 1; body < fb_model_nbody(m); body++) {
      const char* name = fb_body_name(m, body);
      if (strlen(name) != (size_t)(slash - word) || strncmp(name, word, strlen(name)) != 0) continue;
      *done = 1;
      fb_status status = add_shapes(x, body, slash + 1, &found, error);
      if (status || found > 0) return status;
      return fb_node_fail(x->node, error, FB_ERR_NAME,
                          "the body '%.60s' has no shape '%.60s' for contact; it has %d shapes, which are "
                          "named by name or number, from 0",
                          name, slash + 1, fb_model_def_nshape(fb_model_definition(m), body));
    }
  }
  return FB_OK;
}

/* All bodies that match the part before the last slash, and their shapes that match the part after it. */
static fb_status add_shapes_by_pattern(side* x, const char* word, int* found, fb_error* error) {
  const char* slash = strrchr(word, '/');
  char bodies[256];
  snprintf(bodies, sizeof bodies, "%.*s", (int)(slash - word), word);
  fb_status status = FB_OK;
  for (int body = 1; body < fb_model_nbody(x->s->model) && !status; body++)
    if (matches(bodies, fb_body_name(x->s->model, body)))
      status = add_shapes(x, body, slash + 1, found, error);
  return status;
}

static fb_status add_by_pattern(side* x, const char* word, fb_error* error) {
  const fb_scenario* s = x->s;
  const fb_model* m = s->model;
  fb_status status = FB_OK;
  int found = 0;
  x->by_pattern = 1;
  for (int i = 0; i < s->nsurface && !status; i++)
    if (matches(word, s->surfaces[i].name)) {
      found++;
      status = add_surface(x, i, error);
    }
  for (int body = 1; body < fb_model_nbody(m) && !status; body++)
    if (matches(word, fb_body_name(m, body))) status = add_shapes(x, body, NULL, &found, error);
  if (!status && strchr(word, '/')) status = add_shapes_by_pattern(x, word, &found, error);
  for (int frame = fb_model_nbody(m); frame < fb_model_nframe(m) && !status && found <= 0; frame++)
    if (matches(word, fb_frame_name(m, frame))) {
      found--; /* so that all of them are taken */
      status = add_point(x, frame, error);
    }
  if (status || found != 0) return status;
  return fb_node_fail(x->node, error, FB_ERR_NAME,
                      "'%.60s' matches no surface, no body with shapes for contact and no frame", word);
}

/* Says what there is. */
static fb_status fail_name(const side* x, const char* word, fb_error* error) {
  const fb_scenario* s = x->s;
  int nframe = fb_model_nframe(s->model), count = 0, unused;
  const char** names = malloc(((size_t)s->nsurface + (size_t)nframe + 1) * sizeof *names);
  if (!names) return fb_scenario_no_memory(error);
  for (int i = 0; i < s->nsurface; i++) names[count++] = s->surfaces[i].name;
  for (int i = 1; i < nframe; i++) names[count++] = fb_frame_name(s->model, i);
  fb_status status = fb_scenario_word(x->node, word, "surface, body or frame", names, count, &unused, error);
  free((void*)names);
  return status;
}

static fb_status add_word(side* x, const fb_node* node, fb_error* error) {
  const char* word;
  int done = 0;
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  x->node = node;
  x->by_pattern = 0;
  int surface = fb_scenario_find_surface(x->s, word), frame = fb_model_find_frame(x->s->model, word);
  if (surface >= 0) return add_surface(x, surface, error);
  if (frame >= fb_model_nbody(x->s->model)) return add_point(x, frame, error);
  if (frame >= 0) return add_body(x, frame, error);
  status = add_by_slash(x, word, &done, error);
  if (done || status) return status;
  return strchr(word, '*') ? add_by_pattern(x, word, error) : fail_name(x, word, error);
}

static fb_status add_words(side* x, const fb_node* node, fb_error* error) {
  fb_status status = FB_OK;
  if (fb_node_get_kind(node) != FB_NODE_LIST) return add_word(x, node, error);
  if (fb_node_count(node) == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "the list is empty; name what touches");
  for (int i = 0; i < fb_node_count(node) && !status; i++) {
    status = add_word(x, fb_node_item(node, i), error);
    if (!status) status = fb_scenario_check_once(node, i, "side", error);
  }
  return status;
}

/* --- both sides --- */

static int body_of(const side* x, const item* one) {
  return fb_frame_body(x->s->model, one->collider.frame);
}

static int has_body(const side* x, int body) {
  for (size_t i = 0; i < x->count; i++)
    if (body_of(x, &x->items[i]) == body) return 1;
  return 0;
}

/* What a pattern has selected on bodies of the other side. */
static void leave_out(side* x, const side* other) {
  size_t kept = 0;
  for (size_t i = 0; i < x->count; i++)
    if (!x->items[i].by_pattern || !has_body(other, body_of(x, &x->items[i]))) x->items[kept++] = x->items[i];
  x->count = kept;
}

/* Whether patterns have selected the same on both sides, several of them. */
static int is_pile(const side* x, const side* y) {
  int same = x->count == y->count && x->count > 1;
  for (size_t i = 0; same && i < x->count; i++) {
    const item *a = &x->items[i], *b = &y->items[i];
    same = a->by_pattern && b->by_pattern && a->surface == b->surface && a->frame == b->frame &&
           a->shape == b->shape;
  }
  return same;
}

/* What has no end, or only one side, is touched by bodies. */
static int is_ground(const side* x) {
  for (size_t i = 0; i < x->count; i++)
    if (x->items[i].collider.kind != FB_COLLIDER_PLANE &&
        x->items[i].collider.kind != FB_COLLIDER_HEIGHTFIELD)
      return 0;
  return 1;
}

static fb_status check_apart(const side* a, const side* b, const fb_node* node, fb_error* error) {
  if (a->count == 0 || b->count == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "'a' and 'b' select the same bodies, and a body cannot touch itself; name others");
  if (is_ground(a) && is_ground(b))
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "planes and heightfields do not touch each other; one side must be a body, a point "
                        "or another surface");
  for (size_t i = 0; i < b->count; i++) {
    int body = body_of(b, &b->items[i]);
    if (!has_body(a, body)) continue;
    if (body == FB_WORLD)
      return fb_node_fail(
          node, error, FB_ERR_CONTENT,
          "'a' and 'b' are both fixed to the world, so they never touch; one of them must move");
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "'a' and 'b' are both on the body '%.60s', which cannot touch itself",
                        fb_body_name(a->s->model, body));
  }
  return FB_OK;
}

/* "foot*, wheel". */
static const char* text_of(fb_scenario* s, const fb_node* node) {
  int list = fb_node_get_kind(node) == FB_NODE_LIST;
  const char* text = list ? "" : fb_scenario_copy_text(s, fb_node_text(node));
  for (int i = 0; list && text && i < fb_node_count(node); i++)
    text = fb_scenario_print(s, "%.200s%s%.100s", text, i ? ", " : "", fb_node_text(fb_node_item(node, i)));
  return text;
}

static const fb_node* material_of(const side* x) {
  const fb_node* material = NULL;
  for (size_t i = 0; i < x->count; i++) {
    const fb_node* its_material =
        x->items[i].surface < 0 ? NULL : x->s->surfaces[x->items[i].surface].material;
    if (!its_material || (material && its_material != material)) return NULL;
    material = its_material;
  }
  return material;
}

static fb_status finish(const side* x, const fb_node* node, fb_scenario_side* out, fb_error* error) {
  out->count = (int)x->count;
  out->colliders = fb_scenario_alloc(x->s, x->count, sizeof *out->colliders);
  out->text = text_of(x->s, node);
  out->material = material_of(x);
  if (!out->colliders || !out->text) return fb_scenario_no_memory(error);
  for (size_t i = 0; i < x->count; i++) out->colliders[i] = x->items[i].collider;
  return FB_OK;
}

fb_status fb_scenario_read_sides(fb_scenario* s, const fb_fields* values, fb_scenario_side* a,
                                 fb_scenario_side* b, fb_error* error) {
  const fb_node *node_a = fb_fields_value(values, "a"), *node_b = fb_fields_value(values, "b");
  side x = {.s = s}, y = {.s = s};
  fb_status status = add_words(&x, node_a, error);
  if (!status) status = add_words(&y, node_b, error);
  if (!status && !is_pile(&x, &y)) {
    leave_out(&y, &x);
    leave_out(&x, &y);
    status = check_apart(&x, &y, values->map, error);
  }
  if (!status) status = finish(&x, node_a, a, error);
  if (!status) status = finish(&y, node_b, b, error);
  free(x.items);
  free(y.items);
  return status;
}
