/* contact_own.c -- Freebody as bench_contact times it: hard contacts, method moreau. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/sim.h>

#include "bench_own.h"
#include "contact_scene.h"

typedef struct own {
  const contact_scene* scene;
  fb_model* m;
  fb_sim* sim;
} own;

static fb_status drive(void* user, const fb_context* context, const double* memory, const double* state,
                       fb_action* action, double* state_rate, fb_error* error) {
  const own* self = user;
  (void)memory, (void)state, (void)state_rate, (void)error;
  contact_scene_drive(self->scene, context->t, context->q + 7, context->v + 6, action->tau + 6);
  return FB_OK;
}

static fb_collider collider_of(const own* self, const scene_shape* shape) {
  fb_collider c = fb_default_collider();
  c.kind = shape->is_box ? FB_COLLIDER_BOX : FB_COLLIDER_SPHERE;
  c.frame = fb_model_find_body(self->m, self->scene->body[shape->body].name);
  memcpy(c.at, shape->at, sizeof c.at);
  memcpy(c.size, shape->size, sizeof c.size);
  return c;
}

/* A contact of every shape with the plane and with the boxes before it. */
static fb_status add_contacts(own* self, fb_error* error) {
  fb_collider others[SCENE_BODIES + 1], shape;
  others[0] = fb_default_collider();
  others[0].kind = FB_COLLIDER_PLANE;
  fb_status status = FB_OK;
  for (int i = 0, n = 1; i < self->scene->nshape && !status; i++) {
    fb_contact contact = fb_default_contact();
    shape = collider_of(self, &self->scene->shape[i]);
    contact.name = self->scene->body[self->scene->shape[i].body].name;
    contact.a = &shape;
    contact.b = others;
    contact.na = 1;
    contact.nb = n;
    contact.friction = SCENE_FRICTION;
    status = fb_sim_add_contact(self->sim, &contact, NULL, error);
    if (self->scene->shape[i].is_box) others[n++] = shape;
  }
  return status;
}

static fb_status prepare(own* self, fb_error* error) {
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_MOREAU;
  options.step = SCENE_STEP;
  options.environment.gravity_w[2] = -SCENE_GRAVITY;
  self->m = bench_own_build(&self->scene->model, error);
  fb_status status = self->m ? fb_sim_new(self->m, &options, &self->sim, error) : FB_ERR_MEMORY;
  if (!status) status = add_contacts(self, error);
  if (!status && self->scene->model.njoint > 0) {
    fb_block block = fb_default_block();
    block.name = "drive";
    block.user = self;
    block.act = drive;
    status = fb_sim_add_block(self->sim, &block, NULL, error);
  }
  return status ? status : fb_sim_start(self->sim, self->scene->q, NULL, error);
}

static void close_own(void* of) {
  own* self = of;
  fb_sim_free(self->sim);
  fb_model_free(self->m);
  free(self);
}

static void* open_own(const contact_scene* scene, char* why, size_t size) {
  fb_error error = {0};
  own* self = calloc(1, sizeof *self);
  snprintf(why, size, "no memory");
  if (!self) return NULL;
  self->scene = scene;
  if (prepare(self, &error) == FB_OK) return self;
  snprintf(why, size, "%.200s", error.text);
  close_own(self);
  return NULL;
}

static int step_own(void* of) {
  const own* self = of;
  return fb_sim_step(self->sim, 1e9, NULL) == FB_OK;
}

static void read_own(void* of, double* q, double* v) {
  const own* self = of;
  memcpy(q, fb_sim_q(self->sim), (size_t)self->scene->model.nq * sizeof *q);
  memcpy(v, fb_sim_v(self->sim), (size_t)self->scene->model.nv * sizeof *v);
}

const contact_engine contact_own = {"Freebody", open_own, step_own, read_own, close_own};
