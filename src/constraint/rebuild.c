/* rebuild.c -- functions with which joining and parting make the definition of their model. See rebuild.h. */
#include "constraint/rebuild.h"

#include <stdlib.h>

#include <freebody/status.h>

#include "model/definition/name_index.h"

fb_status fb_rebuild(const fb_model* m, const fb_model_def* def, fb_model** model, fb_error* error) {
  fb_build_options options = fb_default_build_options();
  options.merge_fixed = m->merge_fixed;
  options.isa = fb_model_isa(m);
  return fb_model_build(def, &options, model, error);
}

fb_status fb_no_such_name(const fb_model* m, int joints, const char* name, fb_error* error) {
  int count = joints ? m->top.nbody - 1 : m->top.nframe;
  const fb_name* list = joints ? m->joint_names : m->frame_names;
  char near[FB_SUGGESTION_SIZE];
  fb_names_suggestion(list, count, name, count == 1 ? "there is" : "there are", near);
  return fb_fail(error, FB_ERR_NAME, "there is no %s '%.60s'%s", joints ? "joint" : "frame or body", name,
                 near);
}

unsigned char* fb_mark_subtree(const fb_model* m, int body) {
  unsigned char* within = calloc((size_t)m->top.nbody, 1);
  for (int i = 1; i < m->top.nbody && within; i++) {
    int b = m->top.body_order[i];
    within[b] = b == body || within[m->top.body_parent[b]];
  }
  return within;
}
