/* contact.c -- definitions of contacts: defaults, names of laws, checks, and the copy that a block keeps. */
#include <freebody/contact.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cookie.h"
#include "contact/law_list.h"
#include "contact/pair.h"
#include "dynamics/loads.h"

#define NAME(with, name) #name,
static const char* const LAWS[] = {FB_CONTACT_LAW_LIST(NAME, )};
enum { NLAW = sizeof LAWS / sizeof *LAWS, MAX_PAIRS = 1000000 };

const fb_port fb_contact_outputs[FB_CONTACT_NOUTPUT] = {FB_CONTACT_PORTS};

void fb_contact_add_normal(double outputs[FB_CONTACT_OUT_COUNT], const double p[3], double normal) {
  double *sum = outputs + FB_CONTACT_OUT_NORMAL, *mean = outputs + FB_CONTACT_OUT_POINT;
  *sum += normal;
  for (int i = 0; i < 3 && *sum > 0; i++) mean[i] += normal / *sum * (p[i] - mean[i]);
}

fb_contact fb_default_contact(void) {
  return (fb_contact){.law = FB_CONTACT_HARD, .cookie_ = FB_COOKIE};
}

const char* fb_contact_law_name(fb_contact_law law) {
  return (unsigned)law < NLAW ? LAWS[law] : "unknown";
}

/* ---- checks ---- */

fb_status fb_contact_check_number(const char* contact, const fb_contact_number* n, fb_error* error) {
  int fits = n->above ? n->value > n->least : n->value >= n->least;
  char most[40] = "";
  if (isfinite(n->value) && fits && n->value <= n->most) return FB_OK;
  if (isfinite(n->most)) snprintf(most, sizeof most, " and at most %g", n->most);
  return fb_fail(error, isfinite(n->value) ? FB_ERR_ARG : FB_ERR_NOT_FINITE,
                 "contact \"%s\": its %s is %g; it must be finite, %s %g%s", contact, n->name, n->value,
                 n->above ? "greater than" : "at least", n->least, most);
}

fb_status fb_contact_check_parameter(const char* contact, const char* name, double value, fb_error* error) {
  const fb_contact_number most = {name, value, 0, strcmp(name, "restitution") == 0 ? 1 : INFINITY,
                                  strcmp(name, "stiffness") == 0};
  return fb_contact_check_number(contact, &most, error);
}

static fb_status check_numbers(const fb_contact* c, fb_error* error) {
  const fb_contact_number all[] = {{"friction", c->friction, 0, INFINITY, 0},
                                   {"restitution", c->restitution, 0, 1, 0}};
  const fb_contact_number compliant[] = {{"stiffness", c->stiffness, 0, INFINITY, 1},
                                         {"damping", c->damping, 0, INFINITY, 0},
                                         {"slip speed", c->slip_speed, 0, INFINITY, 0},
                                         {"bristle stiffness", c->bristle_stiffness, 0, INFINITY, 0},
                                         {"bristle damping", c->bristle_damping, 0, INFINITY, 0}};
  int gives = c->law != FB_CONTACT_HARD && c->law != FB_CONTACT_SOIL;
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof all / sizeof *all && !status; i++)
    status = fb_contact_check_number(c->name, &all[i], error);
  for (size_t i = 0; i < sizeof compliant / sizeof *compliant && gives && !status; i++)
    status = fb_contact_check_number(c->name, &compliant[i], error);
  return status;
}

static fb_status check_choices(const fb_contact* c, fb_error* error) {
  const struct {
    const char* name;
    int value, count;
  } choices[] = {{"law", (int)c->law, NLAW},
                 {"restitution law", (int)c->restitution_law, FB_RESTITUTION_POISSON + 1},
                 {"kind of rubbing", (int)c->friction_model, FB_FRICTION_MODEL_BRISTLE + 1}};
  for (size_t i = 0; i < sizeof choices / sizeof *choices; i++)
    if (choices[i].value < 0 || choices[i].value >= choices[i].count)
      return fb_fail(error, FB_ERR_ARG, "contact \"%s\": its %s is %d, which does not exist", c->name,
                     choices[i].name, choices[i].value);
  return FB_OK;
}

static fb_status check_side(const fb_model* m, const fb_contact* c, const char* side,
                            const fb_collider* colliders, int count, fb_error* error) {
  if (!colliders || count < 1)
    return fb_fail(error, FB_ERR_ARG, "contact \"%s\": side %s has no colliders; it needs one at least",
                   c->name, side);
  for (int i = 0; i < count; i++) {
    fb_error why;
    fb_status status = fb_collider_check(&colliders[i], &why);
    if (status)
      return fb_fail(error, status, "contact \"%s\": collider %d of side %s: %s", c->name, i, side, why.text);
    if (!fb_frame_exists(m, colliders[i].frame))
      return fb_fail(error, FB_ERR_NAME,
                     "contact \"%s\": collider %d of side %s is on frame %d, which does not exist", c->name,
                     i, side, colliders[i].frame);
  }
  return FB_OK;
}

int fb_contact_can_collide(const fb_model* m, const fb_collider* a, const fb_collider* b) {
  return !fb_sites_are_fixed(&m->top, a->frame, b->frame);
}

int fb_contact_tries(const fb_model* m, const fb_contact_block* c, int a, int b) {
  return !(c->with_itself && b <= a) && fb_contact_can_collide(m, &c->how.a[a], &c->how.b[b]);
}

static fb_status check_pairs(const fb_model* m, const fb_contact* c, fb_error* error) {
  if ((long long)c->na * c->nb > MAX_PAIRS)
    return fb_fail(error, FB_ERR_ARG,
                   "contact \"%s\": %d colliders against %d are more than %d pairs, each of which is tried "
                   "at every step; name fewer shapes, or join them into a mesh",
                   c->name, c->na, c->nb, MAX_PAIRS);
  for (int i = 0; i < c->na; i++)
    for (int k = 0; k < c->nb; k++)
      if (fb_contact_can_collide(m, &c->a[i], &c->b[k])) return FB_OK;
  return fb_fail(error, FB_ERR_ARG,
                 "contact \"%s\": both sides are on the same body, or on bodies fixed to each other (\"%s\" "
                 "and \"%s\"), so they would never touch; give sides that can move relative to each other",
                 c->name, fb_frame_name(m, c->a[0].frame), fb_frame_name(m, c->b[0].frame));
}

static fb_status check(const fb_model* m, const fb_contact* c, fb_error* error) {
  if (fb_cookie_check(c->cookie_, "contact", error)) return FB_ERR_ARG;
  if (!c->name || !*c->name) return fb_fail(error, FB_ERR_NAME, "a contact needs a name");
  fb_status status = check_choices(c, error);
  if (!status) status = check_numbers(c, error);
  if (!status) status = check_side(m, c, "a", c->a, c->na, error);
  if (!status) status = check_side(m, c, "b", c->b, c->nb, error);
  return status ? status : check_pairs(m, c, error);
}

/* ---- the copy ---- */

/* Memory of the broad phase: if there are more pairs than fit, all are tested one by one. */
static int make_room(fb_contact_block* c) {
  enum { MANY = 64, EACH = 16 };
  long long all = (long long)c->how.na * c->how.nb;
  size_t n = (size_t)c->how.na + (size_t)c->how.nb;
  if (all <= MANY) return 1;
  c->room_pairs = (int)(all < EACH * (long long)n ? all : EACH * (long long)n);
  c->centres = malloc(n * sizeof *c->centres);
  c->order = malloc(n * sizeof *c->order);
  c->pairs = malloc((size_t)c->room_pairs * sizeof *c->pairs);
  return c->centres && c->order && c->pairs;
}

static int copy(const fb_contact* given, fb_contact_block* c) {
  size_t na = (size_t)given->na, nb = (size_t)given->nb, length = strlen(given->name);
  c->how = *given;
  c->how.a = c->how.b = NULL;
  c->block_name = malloc(sizeof "contact." + length);
  c->colliders = malloc((na + nb) * sizeof *c->colliders);
  c->radii = malloc((na + nb) * sizeof *c->radii);
  if (!c->block_name || !c->colliders || !c->radii) return 0;
  memcpy(c->block_name, "contact.", sizeof "contact.");
  memcpy(c->block_name + sizeof "contact." - 1, given->name, length + 1);
  memcpy(c->colliders, given->a, na * sizeof *c->colliders);
  memcpy(c->colliders + na, given->b, nb * sizeof *c->colliders);
  for (size_t i = 0; i < na + nb; i++) c->radii[i] = fb_collider_radius(&c->colliders[i]);
  c->how.name = c->block_name + sizeof "contact." - 1;
  c->how.a = c->colliders;
  c->how.b = c->colliders + na;
  return make_room(c);
}

static int are_the_same(const fb_contact* c) {
  int same = c->na == c->nb;
  for (int i = 0; same && i < c->na; i++) {
    const fb_collider *a = &c->a[i], *b = &c->b[i];
    same = a->kind == b->kind && a->frame == b->frame && a->geometry == b->geometry &&
           memcmp(a->at, b->at, sizeof a->at) == 0 && memcmp(a->R, b->R, sizeof a->R) == 0 &&
           memcmp(a->size, b->size, sizeof a->size) == 0;
  }
  return same;
}

fb_status fb_contact_block_new(const fb_model* m, const fb_contact* contact, fb_contact_block** block,
                               fb_error* error) {
  *block = NULL;
  fb_status status = check(m, contact, error);
  if (status) return status;
  fb_contact_block* c = calloc(1, sizeof *c);
  if (!c || !copy(contact, c)) {
    fb_contact_block_free(c);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for contact \"%s\"", contact->name);
  }
  c->with_itself = are_the_same(&c->how);
  *block = c;
  return FB_OK;
}

void fb_contact_block_free(void* block) {
  fb_contact_block* c = (fb_contact_block*)block;
  if (!c) return;
  free(c->block_name);
  free(c->colliders);
  free(c->radii);
  free(c->centres);
  free(c->order);
  free(c->pairs);
  free(c->scratch);
  free(c);
}
