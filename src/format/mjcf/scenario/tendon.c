/* tendon.c -- tendons of MJCF: sums of joint coordinates, or paths from site to site. */
#include <string.h>

#include "format/mjcf/scenario/actuator.h"
#include "math/vector3.h"

int fb_mjcf_find_tendon(const fb_mjcf_reader* r, const char* name) {
  for (int i = fb_mjcf_next_in(&r->tree, "tendon", -1); i != FB_MJCF_NONE;
       i = fb_mjcf_next_in(&r->tree, "tendon", i)) {
    const char* tendon = fb_mjcf_written(&r->tree, i, "name");
    if (tendon && strcmp(tendon, name) == 0) return i;
  }
  return FB_MJCF_NONE;
}

fb_status fb_mjcf_tendon_joint(const fb_mjcf_reader* r, const fb_mjcf_tendon* t, int i,
                               const fb_mjcf_joint** joint, double* coef) {
  int e = t->first;
  for (; i > 0; i--) e = r->tree.nodes[e].next;
  const char* name = fb_mjcf_written(&r->tree, e, "joint");
  *joint = name ? fb_mjcf_find_joint(r, name) : NULL;
  *coef = 1;
  if (!*joint)
    return fb_mjcf_fail(r, e, FB_ERR_CONTENT, "'%.100s' is no joint with one coordinate", name ? name : "");
  return fb_mjcf_numbers(r, e, NULL, "coef", 1, coef, NULL);
}

/* The length with every joint at its springref, as in MuJoCo. */
static fb_status length(const fb_mjcf_reader* r, const fb_mjcf_tendon* t, double* out) {
  *out = 0;
  if (!t->fixed) {
    fb_pose a, b;
    fb_pose_multiply(&r->bodies[t->site[0]->body].spring_w, &t->site[0]->pose, &a);
    fb_pose_multiply(&r->bodies[t->site[1]->body].spring_w, &t->site[1]->pose, &b);
    double gap[3] = {b.p[0] - a.p[0], b.p[1] - a.p[1], b.p[2] - a.p[2]};
    *out = norm3(gap);
    return FB_OK;
  }
  for (int i = 0; i < t->count; i++) {
    const fb_mjcf_joint* joint = NULL;
    double coef = 0;
    fb_status status = fb_mjcf_tendon_joint(r, t, i, &joint, &coef);
    if (status || !joint) return status;
    *out += coef * joint->spring;
  }
  return FB_OK;
}

/* Two sites, or any number of joints. */
static fb_status read_path(const fb_mjcf_reader* r, fb_mjcf_tendon* t, const char** unlike) {
  t->first = r->tree.nodes[t->node].first;
  for (int e = t->first; e != FB_MJCF_NONE; e = r->tree.nodes[e].next) {
    const char* site = fb_mjcf_written(&r->tree, e, "site");
    if (!fb_mjcf_is(&r->tree, e, t->fixed ? "joint" : "site")) *unlike = "passes over a surface or a pulley";
    if (t->fixed || !fb_mjcf_is(&r->tree, e, "site")) {
      t->count++;
      continue;
    }
    const fb_mjcf_site* found = site ? fb_mjcf_find_site(r, site) : NULL;
    if (!found) return fb_mjcf_fail(r, e, FB_ERR_CONTENT, "there is no site '%.100s'", site ? site : "");
    if (t->count < 2) t->site[t->count] = found;
    t->count++;
  }
  if (!t->fixed && t->count > 2 && !*unlike) *unlike = "passes more than two sites";
  if (t->count < (t->fixed ? 1 : 2)) *unlike = "has no path";
  return FB_OK;
}

fb_status fb_mjcf_read_tendon(fb_mjcf_reader* r, int node, fb_mjcf_tendon* t, const char** unlike) {
  *t = (fb_mjcf_tendon){.node = node, .fixed = fb_mjcf_is(&r->tree, node, "fixed"), .rest = {-1, -1}};
  *unlike = NULL;
  int given = 0;
  fb_status status = read_path(r, t, unlike);
  double k[3] = {0}, d[3] = {0};
  int terms = 0;
  if (!status) status = fb_mjcf_some(r, node, "tendon", "stiffness", 3, k, &terms);
  if (!status) status = fb_mjcf_some(r, node, "tendon", "damping", 3, d, &terms);
  if (!status) status = fb_mjcf_some(r, node, "tendon", "springlength", 2, t->rest, &given);
  t->stiffness = k[0];
  t->damping = d[0];
  if (status || *unlike) return status;
  if (given == 1) t->rest[1] = t->rest[0];
  if (!t->fixed && t->rest[0] < 0) given = 0;
  if (t->rest[0] == -1 && t->rest[1] == -1) given = 0;
  if (!given) status = length(r, t, &t->rest[0]);
  if (!given) t->rest[1] = t->rest[0];
  return status;
}
