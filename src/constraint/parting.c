/* parting.c -- the model in which a tree has parted at a joint: fb_model_part. See freebody/join.h.
 *
 * The subtree of the joint floats afterwards. For each body that floated before a join, the definition keeps the free joint
 * by which it floated and the name of the join. The subtree may contain several such bodies: the one that floats again is
 * that whose join is outside of the subtree, since joins within it continue. */
#include <freebody/join.h>

#include <stdlib.h>
#include <string.h>

#include "constraint/rebuild.h"
#include "model/definition/reroot.h"

/* The body that floats again, or 0. */
static int find_former_root(const fb_model* m, int body, const unsigned char* within) {
  for (int b = 1; b < m->top.nbody; b++) {
    if (!within[b] || !fb_model_def_floated(m->def, b)) continue;
    const char* until = fb_model_def_floated_until(m->def, b);
    int holder = until ? fb_model_find_joint(m, until) : -1;
    if (holder < 0 || holder == body || !within[holder]) return b;
  }
  return 0;
}

/* The joint that is gone captured nothing any more. */
static fb_status forget_join(fb_model_def* def, const char* joint, fb_error* error) {
  fb_status status = FB_OK;
  for (int b = 1; b < fb_model_def_nbody(def) && !status; b++) {
    const fb_joint_def* floated = fb_model_def_floated(def, b);
    const char* until = fb_model_def_floated_until(def, b);
    if (floated && until && strcmp(until, joint) == 0)
      status = fb_model_def_set_floated(def, b, floated, NULL, error);
  }
  return status;
}

/* A free joint on the world, called as the body or, where another joint has that name, as the one that is opened. */
static fb_joint_def plain_free_joint(const fb_model* m, int body) {
  fb_joint_def joint = fb_default_joint_def();
  int other = fb_model_find_joint(m, fb_body_name(m, body));
  joint.type = FB_JOINT_FREE;
  if (other >= 0 && other != body) joint.name = fb_joint_name(m, body);
  return joint;
}

static fb_status let_float(const fb_model* m, int body, fb_model_def* def, fb_error* error) {
  unsigned char* within = fb_mark_subtree(m, body);
  if (!within) return fb_fail(error, FB_ERR_MEMORY, "out of memory while a tree was parted");
  int root = find_former_root(m, body, within);
  fb_joint_def joint = root ? *fb_model_def_floated(m->def, root) : plain_free_joint(m, body);
  free(within);
  fb_status status = fb_reroot(def, &m->top, body, root ? root : body, &joint, NULL, error);
  if (!status && root) status = fb_model_def_set_floated(def, root, NULL, NULL, error);
  return status ? status : forget_join(def, fb_joint_name(m, body), error);
}

fb_status fb_part_check_gears(const fb_model* m, int body, fb_error* error) {
  const fb_topology* t = &m->top;
  for (int loop = 0; loop < t->nloop; loop++)
    for (int k = t->loop_gear[loop]; k < t->loop_gear[loop + 1]; k++)
      if (fb_coordinate_body(m, t->gear_v[k]) == body)
        return fb_fail(
            error, FB_ERR_JOINT,
            "joint \"%s\" cannot be parted: the gear \"%s\" couples it; take that out of the model",
            fb_joint_name(m, body), fb_loop_name(m, loop));
  return FB_OK;
}

fb_status fb_model_part(const fb_model* m, const char* joint, fb_model** parted, fb_error* error) {
  *parted = NULL;
  int body = joint ? fb_model_find_joint(m, joint) : -1;
  if (body < 0) return fb_no_such_name(m, 1, joint ? joint : "", error);
  if (fb_body_floats(m, body))
    return fb_fail(error, FB_ERR_TREE, "joint \"%s\" cannot be parted: its body \"%s\" floats already", joint,
                   fb_body_name(m, body));
  fb_status status = fb_part_check_gears(m, body, error);
  if (status) return status;
  fb_model_def* def = fb_model_def_copy(m->def);
  status = def ? let_float(m, body, def, error)
               : fb_fail(error, FB_ERR_MEMORY, "out of memory for the parted model");
  if (!status) status = fb_rebuild(m, def, parted, error);
  fb_model_def_free(def);
  return status;
}
