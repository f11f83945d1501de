/* block.c -- defaults of blocks, what their context provides, and the list of their wrenches. */
#include <freebody/block.h>

#include <stddef.h>

#include <freebody/kinematics.h>

#include "base/cookie.h"
#include "block/kinematics_cache.h"
#include "model/data.h"
#include "model/model.h"

fb_block fb_default_block(void) {
  return (fb_block){.cookie_ = FB_COOKIE};
}

void fb_block_free(fb_block* block) {
  if (block->free) block->free(block->user);
  *block = fb_default_block();
}

int fb_context_is_moved(const fb_context* context, int k, double* acceleration) {
  const fb_data* d = context->data;
  if (!d || !d->moved || !d->moved[k]) return 0;
  if (acceleration) *acceleration = d->moved_vdot[k];
  return 1;
}

const fb_parameters* fb_context_parameters(const fb_context* context) {
  return context->data ? context->data->par : &context->model->par;
}

const fb_data* fb_context_kinematics(const fb_context* context) {
  if (context->cache_) return fb_kinematics_cache_at(context->cache_, context->q, context->v);
  if (context->data) fb_kinematics(context->model, context->data, context->q, context->v, NULL);
  return context->data;
}

fb_loads fb_context_loads(const fb_context* context) {
  fb_loads loads = fb_default_loads();
  if (context->environment) loads.environment = *context->environment;
  loads.t = context->t;
  return loads;
}

int fb_port_width(const fb_port* ports, int count) {
  int width = 0;
  for (int i = 0; i < count; i++) width += ports[i].count;
  return width;
}

fb_wrench* fb_action_add_wrench(fb_action* action) {
  if (action->nwrench >= action->room) return NULL;
  fb_wrench* wrench = &action->wrenches[action->nwrench++];
  *wrench = (fb_wrench){.frame = FB_WORLD};
  return wrench;
}
