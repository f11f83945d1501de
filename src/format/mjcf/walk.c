/* walk.c -- which body each element of <worldbody> is on, and where the frames around it put it.
 *
 *   pose of a body in its parent = frames around it, then its own pos and rotation
 *
 * Bodies are numbered in the order of the file, depth first, as MuJoCo numbers them. */
#include <string.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "format/mjcf/reader.h"

fb_status fb_mjcf_name(const fb_mjcf_reader* r, int node, char** name) {
  const char* base = fb_mjcf_written(&r->tree, node, "name");
  const char* suffix = r->tree.suffixes + r->tree.nodes[node].suffix;
  *name = NULL;
  if (!base || !base[0]) return FB_OK;
  *name = fb_join_texts(base, suffix, "");
  return *name ? FB_OK : fb_mjcf_no_memory(r);
}

static fb_status new_body(fb_mjcf_reader* r, int node, int parent, const fb_pose* around, int* id) {
  fb_pose local = fb_pose_identity();
  if (!fb_grow(&r->bodies, r->nbody, 1, &r->body_room, sizeof *r->bodies)) return fb_mjcf_no_memory(r);
  fb_mjcf_body* body = &r->bodies[r->nbody];
  *body = (fb_mjcf_body){.node = node, .parent = parent, .first = FB_MJCF_NONE, .last = FB_MJCF_NONE};
  fb_status status = parent >= 0 ? fb_mjcf_pose(r, node, NULL, &local) : FB_OK;
  if (status) return status;
  fb_pose_multiply(around, &local, &body->pose);
  if (parent >= 0)
    fb_pose_multiply(&r->bodies[parent].pose_w, &body->pose, &body->pose_w);
  else
    body->pose_w = body->spring_w = local;
  *id = (int)r->nbody++;
  return FB_OK;
}

/* The pose of a <frame> in what is around it. Copy i of a <replicate> is i offsets away, each in the frame before. */
static fb_status frame_pose(const fb_mjcf_reader* r, int node, fb_pose* pose) {
  const fb_mjcf_node* n = &r->tree.nodes[node];
  if (n->replica < 0) return fb_mjcf_pose(r, node, NULL, pose);
  fb_pose step = fb_pose_identity();
  fb_status status = fb_mjcf_numbers(r, node, NULL, "offset", 3, step.p, NULL);
  if (!status) status = fb_mjcf_rotation(r, node, NULL, step.R);
  for (int i = 0; i < n->replica && !status; i++) fb_pose_multiply(pose, &step, pose);
  return status;
}

static void add_item(fb_mjcf_reader* r, int body, int node) {
  fb_mjcf_body* b = &r->bodies[body];
  b->njoint += fb_mjcf_is(&r->tree, node, "joint") || fb_mjcf_is(&r->tree, node, "freejoint");
  if (b->last != FB_MJCF_NONE)
    r->next_item[b->last] = node;
  else
    b->first = node;
  b->last = node;
}

/* The parent of the node is on a body, or is a <worldbody>. */
static fb_status place(fb_mjcf_reader* r, int node, int parent) {
  const char* tag = fb_mjcf_tag(&r->tree, node);
  int on = r->owner[parent];
  if (strcmp(tag, "body") == 0) {
    r->pose[node] = fb_pose_identity();
    return new_body(r, node, on, &r->pose[parent], &r->owner[node]);
  }
  if (strcmp(tag, "frame") == 0) {
    fb_pose local = fb_pose_identity();
    r->owner[node] = on;
    fb_status status = frame_pose(r, node, &local);
    fb_pose_multiply(&r->pose[parent], &local, &r->pose[node]);
    return status;
  }
  if (fb_is_listed(tag, " joint freejoint inertial geom site ")) {
    r->pose[node] = r->pose[parent];
    r->next_item[node] = FB_MJCF_NONE;
    add_item(r, on, node);
  }
  return FB_OK;
}

fb_status fb_mjcf_walk(fb_mjcf_reader* r) {
  fb_pose here = fb_pose_identity();
  int world = 0;
  fb_status status = new_body(r, 0, -1, &here, &world);
  for (int i = 0; i < (int)r->tree.count; i++) r->owner[i] = -1;
  for (int i = 1; i < (int)r->tree.count && !status; i++) {
    int parent = r->tree.nodes[i].parent;
    if (parent == 0 && fb_mjcf_is(&r->tree, i, "worldbody")) {
      r->owner[i] = world;
      r->pose[i] = fb_pose_identity();
    } else if (r->owner[parent] >= 0) {
      status = place(r, i, parent);
    }
  }
  return status;
}
