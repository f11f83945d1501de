/* quaternions.c -- the positions of quaternions and of plain numbers in q. */
#include "model/joint_kind.h"
#include "sim/sim.h"

static void add_quat(fb_chart* c, int q_at, int v_at) {
  if (c->quat_q) {
    c->quat_q[c->nquat] = q_at;
    c->quat_v[c->nquat] = v_at;
  }
  c->nquat++;
}

/* Runs that are adjacent in both q and v are merged. */
static void add_run(fb_chart* c, int q_at, int v_at, int count) {
  if (!c->run_q) {
    c->nrun++;
    return;
  }
  int last = c->nrun - 1;
  if (last >= 0 && c->run_q[last] + c->run_count[last] == q_at &&
      c->run_v[last] + c->run_count[last] == v_at) {
    c->run_count[last] += count;
    return;
  }
  c->run_q[c->nrun] = q_at;
  c->run_v[c->nrun] = v_at;
  c->run_count[c->nrun++] = count;
}

void fb_chart_fill(const fb_model* m, fb_chart* chart) {
  chart->nquat = chart->nrun = 0;
  for (int b = 1; b < m->top.nbody; b++) {
    int q_at = fb_joint_q_index(m, b), v_at = fb_joint_v_index(m, b), nv = fb_joint_nv(m, b);
    fb_joint_type type = fb_joint_type_of(m, b);
    int quat = fb_joint_type_quat_index(type), before = quat < 0 ? nv : quat;
    for (int i = 0; chart->is_length && i < nv; i++) {
      chart->is_length[v_at + i] = fb_joint_type_is_length(type, i);
      chart->is_free[v_at + i] = fb_joint_kinds[type].is_free;
    }
    if (before > 0) add_run(chart, q_at, v_at, before);
    if (quat < 0) continue;
    add_quat(chart, q_at + quat, v_at + quat);
    if (nv > quat + 3) add_run(chart, q_at + quat + 4, v_at + quat + 3, nv - quat - 3);
  }
}
