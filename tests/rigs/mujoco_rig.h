/* mujoco_rig.h -- one state given to Freebody and to MuJoCo, and the accelerations of both.
 *
 * Joints are matched by name. Coordinates are the same numbers; angular velocities, torques and accelerations of ball and
 * free joints are in joint axes here and in body axes there. A screw is a hinge and a slide there. */
#ifndef FB_TESTS_MUJOCO_RIG_H
#define FB_TESTS_MUJOCO_RIG_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mujoco/mujoco.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/io.h>
#include <freebody/model.h>
#include <freebody/rotation.h>

#include "format/mjcf/reader.h"

typedef struct both {
  const fb_model* model;
  fb_data* data;
  mjModel* mj;
  mjData* mjd;
  double pitch; /* scratch of match */
} both;

/* MuJoCo's joint `end` of ours; -1 when there is none. */
static inline int mj_joint(const both* b, int body, const char* end) {
  char name[500];
  snprintf(name, sizeof name, "%s%s", fb_joint_name(b->model, body), end);
  return mj_name2id(b->mj, mjOBJ_JOINT, name);
}

/* A joint without a name of its own has that of its body. */
static inline int mj_joint_of_body(const both* b, int body) {
  int id = mj_joint(b, body, "");
  if (id >= 0) return id;
  int mj_body = mj_name2id(b->mj, mjOBJ_BODY, fb_body_name(b->model, body)), number;
  if (mj_body < 0 && sscanf(fb_body_name(b->model, body), "body%d", &number) == 1 && number < b->mj->nbody)
    mj_body = number; /* a body without a name is called by its number */
  return mj_body > 0 && b->mj->body_jntnum[mj_body] == 1 ? b->mj->body_jntadr[mj_body] : -1;
}

/* The joint or its parts as MuJoCo has them, in order; the count, 0 when none is found. */
static inline int mj_parts(const both* b, int body, int id[4]) {
  const fb_mjcf_parts* row = fb_mjcf_parts_table;
  id[0] = mj_joint_of_body(b, body);
  if (id[0] >= 0) return 1;
  while (row->type != FB_JOINT_TYPE_COUNT && row->type != fb_joint_type_of(b->model, body)) row++;
  int count = 0;
  for (; row->ends[count]; count++)
    if ((id[count] = mj_joint(b, body, row->ends[count])) < 0) return 0;
  return count;
}

static inline int mj_nq(int type) {
  return type == mjJNT_FREE ? 7 : type == mjJNT_BALL ? 4 : 1;
}

static inline int mj_nv(int type) {
  return type == mjJNT_FREE ? 6 : type == mjJNT_BALL ? 3 : 1;
}

/* Velocities or forces from our axes to MuJoCo's, or back. */
static inline void mj_turn(const double* quat, int back, const double in[3], double out[3]) {
  double R[9];
  fb_rot_from_quat(quat, R);
  if (back)
    fb_rot_apply(R, in, out);
  else
    fb_rot_apply_transpose(R, in, out);
}

typedef enum mj_what { MJ_POSITION, MJ_VELOCITY, MJ_FORCE, MJ_ACCELERATION } mj_what;

/* One vector over all joints, ours to MuJoCo's, accelerations the other way. Returns the joints that are not matched. */
static inline int mj_transfer(const both* b, mj_what what, const double* q, double* ours, double* theirs) {
  int missing = 0;
  for (int body = 1; body < fb_model_nbody(b->model); body++) {
    fb_joint_type type = fb_joint_type_of(b->model, body);
    int id[4], qa = fb_joint_q_index(b->model, body), va = fb_joint_v_index(b->model, body);
    if (fb_joint_type_nv(type) == 0) continue;
    int count = mj_parts(b, body, id);
    int nv = 0;
    for (int i = 0; i < count; i++) nv += mj_nv(b->mj->jnt_type[id[i]]);
    if (count && type != FB_JOINT_HELICAL && nv != fb_joint_type_nv(type)) count = 0; /* not the same joint */
    missing += count == 0;
    double pitch = fb_model_def_body(fb_model_definition(b->model), body)->joint.pitch;
    for (int i = 0; i < count; i++) {
      int mt = b->mj->jnt_type[id[i]], mq = b->mj->jnt_qposadr[id[i]], mv = b->mj->jnt_dofadr[id[i]];
      int slave = type == FB_JOINT_HELICAL && i == 1; /* the advance of a screw */
      double by = slave ? what == MJ_FORCE ? 0 : pitch : 1;
      if (slave) qa--, va--;
      if (what == MJ_POSITION) {
        for (int k = 0; k < mj_nq(mt); k++) theirs[mq + k] = by * ours[qa + k];
      } else if (mt == mjJNT_HINGE || mt == mjJNT_SLIDE) {
        if (what == MJ_ACCELERATION && !slave) ours[va] = theirs[mv];
        if (what != MJ_ACCELERATION) theirs[mv] = by * ours[va];
      } else {
        int at = mt == mjJNT_FREE ? 3 : 0;
        const double* quat = q + qa + (mt == mjJNT_FREE ? 3 : 0);
        for (int k = 0; k < at; k++) {
          if (what == MJ_ACCELERATION)
            ours[va + k] = theirs[mv + k];
          else
            theirs[mv + k] = ours[va + k];
        }
        if (what == MJ_ACCELERATION)
          mj_turn(quat, 1, theirs + mv + at, ours + va + at);
        else
          mj_turn(quat, 0, ours + va + at, theirs + mv + at);
      }
      qa += mj_nq(mt);
      va += mj_nv(mt);
    }
  }
  return missing;
}

/* Accelerations of both for one state; friction is left out. Returns the joints that are not matched. */
static inline int mj_accelerations(const both* b, double* q, double* v, double* tau, double* ours,
                                   double* theirs) {
  fb_loads loads = fb_default_loads();
  loads.passive = FB_PASSIVE_SPRINGS | FB_PASSIVE_DAMPERS;
  fb_model_def_gravity(fb_model_definition(b->model), loads.environment.gravity_w);
  fb_forward_dynamics(b->model, b->data, q, v, tau, &loads, ours);
  mj_resetData(b->mj, b->mjd);
  int missing = mj_transfer(b, MJ_POSITION, q, q, b->mjd->qpos);
  mj_transfer(b, MJ_VELOCITY, q, v, b->mjd->qvel);
  mj_transfer(b, MJ_FORCE, q, tau, b->mjd->qfrc_applied);
  mj_forward(b->mj, b->mjd);
  mj_transfer(b, MJ_ACCELERATION, q, theirs, b->mjd->qacc);
  return missing;
}

/* The largest difference of the two, relative to the larger of 1 and the largest acceleration; NaN counts. */
static inline double mj_difference(const both* b, const double* ours, const double* theirs) {
  double scale = 1, off = 0;
  for (int i = 0; i < fb_model_nv(b->model); i++) {
    double x = fabs(ours[i] - theirs[i]);
    if (!(fabs(ours[i]) <= scale)) scale = fabs(ours[i]);
    if (!(x <= off)) off = x;
  }
  return off / scale;
}

#endif
