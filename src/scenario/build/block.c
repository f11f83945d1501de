/* block.c -- the block of an item of a scenario, with what is wrapped around it. */
#include "scenario/kinds/kinds.h"

/* Limits inside, so that they apply at the samples only. */
fb_status fb_scenario_make_block(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                 fb_error* error) {
  fb_status status = block->kind->make(s, block, out, error);
  if (!status && block->limited) status = fb_block_new_limited(s->model, out, out, error);
  /* The outputs of a sampled block are kept in its memory, from sample to sample. When unused they are omitted, so that
   * checkpoints are no larger than they have to be, and those of older Freebodies fit. */
  if (!status && block->sampled && s->is_read && !block->is_read && !s->has_inputs) {
    out->outputs = NULL;
    out->noutput = 0;
  }
  if (!status && block->sampled) status = fb_block_new_sampled(s->model, out, &block->sampling, out, error);
  if (!status) out->modes = block->modes;
  return status;
}

fb_status fb_scenario_parameter(const fb_scenario* s, const fb_scenario_block* block, const fb_node* node,
                                fb_quantity* quantity, fb_error* error) {
  const char* name;
  fb_block made;
  int count = 0, index;
  fb_status status = fb_node_string(node, &name, error);
  if (!status) status = fb_scenario_make_block(s, block, &made, error);
  if (status) return status;
  while (made.parameters && made.parameters[count]) count++;
  if (count == 0)
    status = fb_node_fail(node, error, FB_ERR_NAME, "the block '%.60s' has no parameters", block->name);
  else
    status = fb_scenario_word(node, name, "parameter", made.parameters, count, &index, error);
  fb_block_free(&made);
  if (!status) *quantity = block->kind->quantity ? block->kind->quantity(s, block, name) : FB_Q_NONE;
  return status;
}
