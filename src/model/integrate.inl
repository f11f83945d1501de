/* integrate.inl -- one step on the configuration group with constant v
 *
 *   x' = x + v dt,   quat' = exp(w dt) quat      w in the axes of the link's place, hence from the left
 *
 * Quaternions come out normalised. Reads q, v.  Writes q_next (which may be q).  Cost O(n). */
#ifndef FB_MODEL_INTEGRATE_INL
#define FB_MODEL_INTEGRATE_INL

#include "kernel/quat.inl"
#include "model/model.h"

FB_K void fb_k_integrate_quat(const double* q, int at, const double* v, int w_at, fb_num dt, double* q_next) {
  fb_v3 w = fb_v3_make(fb_ld(v, w_at), fb_ld(v, w_at + 1), fb_ld(v, w_at + 2));
  fb_quat step = fb_quat_exp(fb_v3_scale(fb_set(dt), w));
  fb_quat_store(q_next, at, fb_quat_unit(fb_quat_product(step, fb_quat_load(q, at))));
}

FB_K void fb_k_integrate_add(const double* q, int at, const double* v, int v_at, int count, fb_num dt,
                             double* q_next) {
  for (int k = 0; k < count; k++) fb_st(q_next, at + k, fb_ld(q, at + k) + dt * fb_ld(v, v_at + k));
}

FB_K void fb_k_integrate(const fb_topology* top, const double* q, const double* v, double dt,
                         double* q_next) {
  for (int i = 1; i < top->nlink; i++) {
    int at = top->link_q[i], v_at = top->link_v[i];
    switch (top->link_kind[i]) {
      case FB_LINK_FIXED:
        break;
      case FB_LINK_SPHERICAL:
        fb_k_integrate_quat(q, at, v, v_at, dt, q_next);
        break;
      case FB_LINK_FREE:
        fb_k_integrate_add(q, at, v, v_at, 3, dt, q_next);
        fb_k_integrate_quat(q, at + 3, v, v_at + 3, dt, q_next);
        break;
      default:
        fb_k_integrate_add(q, at, v, v_at, 1, dt, q_next);
        break;
    }
  }
}

#endif
