/* reroot.c -- hanging a tree of a definition by another of its bodies.
 *
 * On the path body = c_0, c_1 = parent of c_0, ..., c_k = root, the joint between c_i and c_i+1 goes from the one to the
 * other: c_i+1 becomes the child. Nothing in a joint's definition changes but the mark that it is reversed, so that
 * hanging the tree by its first root again restores every number. */
#include "model/definition/reroot.h"

#include <string.h>

#include <freebody/status.h>

#include "model/model.h"

/* Gives `parent` the joint between it and its child, seen from the other side. */
static fb_status turn_joint(fb_model_def* def, int child, int parent, const fb_joint_def* was,
                            fb_error* error) {
  fb_joint_def joint = *was;
  const fb_body_def* owner = fb_model_def_body(def, parent);
  joint.reversed = !was->reversed;
  if (!joint.name) joint.name = fb_model_def_body(def, child)->name;
  if (strcmp(joint.name, owner->name) == 0) joint.name = NULL; /* as it was, when it is turned back */
  fb_status status = fb_model_def_set_joint(def, parent, &joint, error);
  return status ? status : fb_model_def_set_parent(def, parent, fb_model_def_body(def, child)->name, error);
}

fb_status fb_reroot(fb_model_def* def, const fb_topology* top, int root, int body, const fb_joint_def* joint,
                    const char* parent, fb_error* error) {
  fb_model_def* before = fb_model_def_copy(def);
  if (!before) return fb_fail(error, FB_ERR_MEMORY, "out of memory while a tree was hung by another body");
  fb_status status = FB_OK;
  for (int b = body; b != root && !status; b = top->body_parent[b])
    status = turn_joint(def, b, top->body_parent[b], &fb_model_def_body(before, b)->joint, error);
  if (!status) status = fb_model_def_set_joint(def, body, joint, error);
  if (!status) status = fb_model_def_set_parent(def, body, parent, error);
  fb_model_def_free(before);
  return status;
}
