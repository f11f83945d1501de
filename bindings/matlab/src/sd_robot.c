/* sd_robot.c -- a robot for the toolbox: SpaceDyn's constants, and Freebody's model of them
 *
 * The base frame is at the base's centroid; the frame of link i has SpaceDyn's axes and its origin at joint i, moved by
 * q where it slides (docs/spacedyn.md). So q = (R0, quaternion, q), v = (v0, w0, qd). Masses and inertias are taken as
 * given, also those that no body can have: SpaceDyn does not check them. */
#include "sd.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

fb_status sd_links_new(int n, sd_links* links) {
  size_t k = (size_t)n;
  *links = (sd_links){.n = n};
  links->BB = calloc(2 * k + 1, sizeof *links->BB);
  links->type = calloc(k + 1, 1);
  links->c0 = calloc(22 * k + 9 * k + 3 * k * k + 1, sizeof(double));
  if (!links->BB || !links->type || !links->c0) return FB_ERR_MEMORY;
  links->SE = links->BB + k;
  links->ce = links->c0 + 3 * k;
  links->Qe = links->ce + 3 * k;
  links->E = links->Qe + 3 * k;
  links->m = links->E + 9 * k;
  links->inertia = links->m + k;
  links->cc = links->inertia + 9 * k;
  return FB_OK;
}

void sd_links_free(sd_links* links) {
  free(links->BB);
  free(links->type);
  free(links->c0);
  *links = (sd_links){.n = 0};
}

static int symmetric(const double I[9]) {
  double scale = 0;
  for (int k = 0; k < 9; k++) scale = fmax(scale, fabs(I[k]));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < i; j++)
      if (fabs(I[i + 3 * j] - I[j + 3 * i]) > 1e-12 * scale) return 0;
  return 1;
}

static void set_inertia(fb_body_def* body, double mass, const double I[9]) {
  const double six[6] = {I[0], I[4], I[8], I[3], I[6], I[7]};
  body->mass = mass;
  memcpy(body->inertia, six, sizeof six);
}

static fb_status add_link(fb_model_def* def, const sd_links* l, int i, fb_error* error) {
  char name[32], below[32], end[32];
  fb_body_def body = fb_default_body_def();
  int b = l->BB[i], n = l->n, id = 0;
  snprintf(name, sizeof name, "link%d", i + 1);
  snprintf(below, sizeof below, b ? "link%d" : "base", b);
  body.name = name;
  body.parent = below;
  body.joint.type = l->type[i] == 'P' ? FB_JOINT_PRISMATIC : FB_JOINT_REVOLUTE;
  body.joint.axis[0] = body.joint.axis[1] = 0;
  body.joint.axis[2] = 1;
  const double* own = l->cc + 3 * (i + n * i);
  for (int k = 0; k < 3; k++) {
    body.joint.at[k] =
        b ? l->cc[3 * (b - 1 + n * i) + k] - l->cc[3 * (b - 1 + n * (b - 1)) + k] : l->c0[3 * i + k];
    body.com[k] = -own[k];
  }
  fb_rot_transpose(l->E + 9 * i, body.joint.R);
  set_inertia(&body, l->m[i], l->inertia + 9 * i);
  fb_status status = fb_model_def_add_body(def, &body, &id, error);
  if (status || !l->SE[i]) return status;
  fb_frame_def frame = fb_default_frame_def();
  snprintf(end, sizeof end, "end%d", i + 1);
  frame.name = end;
  for (int k = 0; k < 3; k++) frame.at[k] = l->ce[3 * i + k] - own[k];
  fb_rot_from_euler_xyz(l->Qe + 3 * i, frame.R);
  return fb_model_def_add_frame(def, id, &frame, error);
}

static fb_status define(const sd_links* l, fb_model_def* def, fb_error* error) {
  fb_body_def base = fb_default_body_def();
  base.name = "base";
  base.joint.type = FB_JOINT_FREE;
  set_inertia(&base, l->m0, l->inertia0);
  fb_model_def_set_keeps_inertia(def, 1);
  fb_status status = fb_model_def_add_body(def, &base, NULL, error);
  for (int i = 0; i < l->n && !status; i++) status = add_link(def, l, i, error);
  return status;
}

static fb_status make_model(sd_robot* r, fb_error* error) {
  fb_model_def* def = fb_model_def_new();
  if (!def) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the robot");
  fb_status status = define(&r->links, def, error);
  if (!status) status = fb_model_build(def, NULL, &r->model, error);
  fb_model_def_free(def);
  if (status) return status;
  r->data = fb_data_new(r->model);
  if (!r->data) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the robot");
  char end[32];
  for (int i = 0; i < r->links.n; i++) {
    snprintf(end, sizeof end, "end%d", i + 1);
    r->end_frame[i] = r->links.SE[i] ? fb_model_find_frame(r->model, end) : -1;
  }
  return FB_OK;
}

static int all_symmetric(const sd_links* l) {
  int all = symmetric(l->inertia0);
  for (int i = 0; i < l->n; i++) all = all && symmetric(l->inertia + 9 * i);
  return all;
}

fb_status sd_robot_new(sd_links* links, sd_robot** robot, fb_error* error) {
  size_t n = (size_t)links->n;
  sd_robot* r = calloc(1, sizeof *r);
  *robot = NULL;
  if (!r) {
    sd_links_free(links);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for the robot");
  }
  r->links = *links;
  r->end_frame = calloc(n + 1, sizeof *r->end_frame);
  r->loads = calloc(n + 1, sizeof *r->loads);
  r->q = calloc(4 * n + 32 + sd_work_size(links->n), sizeof(double));
  fb_status status =
      r->end_frame && r->loads && r->q ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for the robot");
  if (!status) {
    r->v = r->q + 7 + n;
    r->f = r->v + 6 + n;
    r->a = r->f + 6 + n;
    r->work = r->a + 6 + n;
    if (all_symmetric(&r->links)) status = make_model(r, error);
  }
  if (status)
    sd_robot_free(r);
  else
    *robot = r;
  return status;
}

void sd_robot_free(sd_robot* r) {
  if (!r) return;
  fb_data_free(r->data);
  fb_model_free(r->model);
  free(r->end_frame);
  free(r->loads);
  free(r->q);
  sd_links_free(&r->links);
  free(r);
}
