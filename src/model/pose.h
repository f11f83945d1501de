/* pose.h -- poses from their parts, and in the arrays of parameters: twelve numbers each, R row major, then p. */
#ifndef FB_MODEL_POSE_H
#define FB_MODEL_POSE_H

#include <string.h>

#include <freebody/spatial.h>

#include "model/parameters.h"

static inline void fb_pose_store(double* poses, int index, const fb_pose* pose) {
  memcpy(poses + FB_POSE_SIZE * index, pose->R, sizeof pose->R);
  memcpy(poses + FB_POSE_SIZE * index + 9, pose->p, sizeof pose->p);
}

static inline fb_pose fb_pose_load(const double* poses, int index) {
  fb_pose pose;
  memcpy(pose.R, poses + FB_POSE_SIZE * index, sizeof pose.R);
  memcpy(pose.p, poses + FB_POSE_SIZE * index + 9, sizeof pose.p);
  return pose;
}

static inline fb_pose fb_pose_of(const double R[9], const double p[3]) {
  fb_pose pose;
  memcpy(pose.R, R, sizeof pose.R);
  memcpy(pose.p, p, sizeof pose.p);
  return pose;
}

/* A tensor of inertia, xx yy zz xy xz yz, in axes turned by R. */
static inline void fb_inertia_turn(const double R[9], const double in[6], double out[6]) {
  static const double none[3] = {0, 0, 0};
  fb_pose pose = fb_pose_of(R, none);
  fb_spatial_inertia turned, plain = {0, {0, 0, 0}, {in[0], in[1], in[2], in[3], in[4], in[5]}};
  fb_spatial_inertia_to_parent(&pose, &plain, &turned);
  memcpy(out, turned.moments, sizeof turned.moments);
}

/* The pose of something that stands at (R, p) in the frame of `on`; R NULL: not turned. */
static inline fb_pose fb_pose_placed(const fb_pose* on, const double* R, const double p[3]) {
  fb_pose local = fb_pose_identity(), out;
  if (R) memcpy(local.R, R, sizeof local.R);
  memcpy(local.p, p, sizeof local.p);
  fb_pose_multiply(on, &local, &out);
  return out;
}

#endif
