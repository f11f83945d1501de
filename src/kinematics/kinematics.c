/* kinematics.c -- the public face of kinematics.inl, frame.inl and jacobian.inl: the model's own
 * kernels run; what has not been computed reads as NaN. */
#include <freebody/kinematics.h>

#include <assert.h>
#include <string.h>

#include <freebody/jacobian.h>

#include "base/fill_nan.h"
#include "kernel/instances.h"
#include "model/data.h"
#include "model/model.h"

/* Whether the frame exists and its motion is known to this level. */
static int known(const fb_model* m, const fb_data* d, int frame, fb_level level) {
  assert(fb_data_fits(d, m));
  return d->level >= level && frame >= 0 && frame < m->top.nsite;
}

void fb_kinematics(const fb_model* m, fb_data* d, const double* q, const double* v, const double* vdot) {
  assert(fb_data_fits(d, m));
  m->kernels->kinematics(&m->top, d->par, d, q, v, vdot);
}

void fb_frame_pose(const fb_model* m, const fb_data* d, int frame, double p_wf[3], double R_wf[9]) {
  if (known(m, d, frame, FB_LEVEL_POSE)) {
    m->kernels->frame_pose(&m->top, d->par, d, frame, p_wf, R_wf);
    return;
  }
  fb_fill_nan(p_wf, 3);
  fb_fill_nan(R_wf, 9);
}

void fb_frame_velocity(const fb_model* m, const fb_data* d, int frame, double v_w[3], double w_w[3]) {
  if (known(m, d, frame, FB_LEVEL_VELOCITY)) {
    m->kernels->frame_velocity(&m->top, d->par, d, frame, v_w, w_w);
    return;
  }
  fb_fill_nan(v_w, 3);
  fb_fill_nan(w_w, 3);
}

void fb_frame_acceleration(const fb_model* m, const fb_data* d, int frame, double a_w[3], double wdot_w[3]) {
  if (known(m, d, frame, FB_LEVEL_ACCELERATION)) {
    m->kernels->frame_acceleration(&m->top, d->par, d, frame, a_w, wdot_w);
    return;
  }
  fb_fill_nan(a_w, 3);
  fb_fill_nan(wdot_w, 3);
}

void fb_frame_jacobian(const fb_model* m, const fb_data* d, int frame, double* J) {
  if (known(m, d, frame, FB_LEVEL_POSE))
    m->kernels->frame_jacobian(&m->top, d->par, d, frame, J);
  else
    fb_fill_nan(J, 6 * m->top.nv);
}

void fb_frame_jacobian_rate(const fb_model* m, const fb_data* d, int frame, double* Jdot) {
  if (known(m, d, frame, FB_LEVEL_VELOCITY))
    m->kernels->frame_jacobian_rate(&m->top, d->par, d, frame, Jdot);
  else
    fb_fill_nan(Jdot, 6 * m->top.nv);
}

void fb_frame_bias_acceleration(const fb_model* m, const fb_data* d, const double* v, int frame,
                                double a[6]) {
  if (known(m, d, frame, FB_LEVEL_VELOCITY))
    m->kernels->frame_bias(&m->top, d->par, d, v, frame, a);
  else
    fb_fill_nan(a, 6);
}

static int base_of(const fb_model* m, int frame) {
  return fb_body_base(m, fb_frame_body(m, frame));
}

static void clear_base_columns(const fb_model* m, int frame, double* J) {
  int base = base_of(m, frame), nv = m->top.nv;
  if (base < 0) return;
  for (int row = 0; row < 6; row++)
    memset(J + row * nv + fb_joint_v_index(m, base), 0, (size_t)fb_joint_nv(m, base) * sizeof *J);
}

/* [e E, -r~; 0, e E] row major. */
static void base_block(double e, const double r[3], double Jb[36]) {
  memset(Jb, 0, 36 * sizeof *Jb);
  for (int i = 0; i < 6; i++) Jb[7 * i] = e;
  Jb[0 * 6 + 4] = r[2];
  Jb[0 * 6 + 5] = -r[1];
  Jb[1 * 6 + 3] = -r[2];
  Jb[1 * 6 + 5] = r[0];
  Jb[2 * 6 + 3] = r[1];
  Jb[2 * 6 + 4] = -r[0];
}

void fb_frame_jacobian_parts(const fb_model* m, const fb_data* d, int frame, double Jb[36], double* Jm) {
  if (Jm) {
    fb_frame_jacobian(m, d, frame, Jm);
    clear_base_columns(m, frame, Jm);
  }
  if (!Jb) return;
  double p[3], p0[3];
  fb_frame_pose(m, d, frame, p, NULL);
  fb_frame_pose(m, d, base_of(m, frame), p0, NULL);
  for (int i = 0; i < 3; i++) p[i] -= p0[i];
  base_block(1, p, Jb);
}

void fb_frame_jacobian_parts_rate(const fb_model* m, const fb_data* d, int frame, double Jb_dot[36],
                                  double* Jm_dot) {
  if (Jm_dot) {
    fb_frame_jacobian_rate(m, d, frame, Jm_dot);
    clear_base_columns(m, frame, Jm_dot);
  }
  if (!Jb_dot) return;
  double v[3], v0[3];
  fb_frame_velocity(m, d, frame, v, NULL);
  fb_frame_velocity(m, d, base_of(m, frame), v0, NULL);
  for (int i = 0; i < 3; i++) v[i] -= v0[i];
  base_block(0, v, Jb_dot);
}
