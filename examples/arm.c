/* arm.c -- a satellite of 100 kg bends its arm and turns: a robot built by calls, a law, a run, a check.
 *
 * docs/interface.md shows the same task written against two other libraries. */
#include <stdio.h>

#include <freebody/freebody.h>

/* A rod of 5 kg and 1 m along x, hinged about z at a point of its parent. */
static fb_status add_link(fb_model_def* def, const char* name, const char* parent, double at, int* id,
                          fb_error* error) {
  fb_body_def link = fb_default_body_def();
  link.name = name;
  link.parent = parent;
  link.joint.type = FB_JOINT_REVOLUTE;
  link.joint.axis[2] = 1;
  link.joint.at[0] = at;
  link.mass = 5;
  link.com[0] = 0.5;
  link.inertia[0] = 0.01;
  link.inertia[1] = link.inertia[2] = 0.42;
  return fb_model_def_add_body(def, &link, id, error);
}

static fb_status build(int ids[3], fb_model** model, fb_error* error) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def base = fb_default_body_def();
  base.name = "base";
  base.joint.type = FB_JOINT_FREE;
  base.mass = 100;
  base.inertia[0] = base.inertia[1] = base.inertia[2] = 20;
  fb_frame_def hand = fb_default_frame_def();
  hand.name = "hand";
  hand.at[0] = 1;
  fb_status status = fb_model_def_add_body(def, &base, &ids[0], error);
  if (!status) status = add_link(def, "upper", "base", 0.5, &ids[1], error);
  if (!status) status = add_link(def, "lower", "upper", 1, &ids[2], error);
  if (!status) status = fb_model_def_add_frame(def, ids[2], &hand, error);
  if (!status) status = fb_model_build(def, NULL, model, error);
  fb_model_def_free(def);
  return status;
}

static fb_status add_law(const fb_model* m, const int ids[3], fb_sim* sim, fb_error* error) {
  const double targets[2] = {0.6, -0.9};
  fb_pd_joint joints[2];
  fb_block law;
  for (int i = 0; i < 2; i++) {
    joints[i] = fb_default_pd_joint();
    joints[i].coordinate = fb_joint_v_index(m, ids[1 + i]);
    joints[i].kp = 4;
    joints[i].kd = 6;
    joints[i].target = targets[i];
  }
  fb_status status = fb_block_new_joint_pd(m, "law", joints, 2, &law, error);
  return status ? status : fb_sim_add_block(sim, &law, NULL, error);
}

static fb_status run(const fb_model* m, const int ids[3], fb_sim* sim, fb_error* error) {
  fb_signal seen[3];
  fb_ledger ledger;
  fb_status status = fb_signal_find(m, "rpy.base.yaw", &seen[0], 1, NULL, error);
  if (!status) status = fb_signal_find(m, "p.hand", &seen[1], 2, NULL, error);
  if (!status) status = add_law(m, ids, sim, error);
  if (!status) status = fb_sim_start(sim, NULL, NULL, error);
  for (int t = 0; t <= 10 && !status; t++) {
    double x[3];
    status = fb_sim_run_until(sim, t, error);
    fb_sim_signal_values(sim, seen, 3, x);
    printf("%4d s   base turned %9.6f rad   hand at %8.6f %9.6f m\n", t, x[0], x[1], x[2]);
  }
  if (status) return status;
  fb_sim_ledger(sim, &ledger);
  printf("momentum, which nothing changes: linear %.1e kg m/s, angular %.1e kg m^2/s\n",
         ledger.linear_residual, ledger.angular_residual);
  return FB_OK;
}

int main(void) {
  fb_model* model = NULL;
  fb_sim* sim = NULL;
  fb_error error;
  int ids[3];
  fb_status status = build(ids, &model, &error);
  if (!status) status = fb_sim_new(model, NULL, &sim, &error); /* rk4 at 10 ms, no gravity */
  if (!status) status = run(model, ids, sim, &error);
  if (status) fprintf(stderr, "arm: %s\n", error.text);
  fb_sim_free(sim);
  fb_model_free(model);
  return status != FB_OK;
}
