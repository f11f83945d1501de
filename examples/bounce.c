/* bounce.c -- a ball is thrown onto the ground, bounces and rolls: a hard contact, its signals and its events.
 *
 * docs/interface.md shows how the contact is added. */
#include <stdio.h>

#include <freebody/freebody.h>

static fb_status build(fb_model** model, fb_error* error) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def ball = fb_default_body_def();
  ball.name = "ball";
  ball.joint.type = FB_JOINT_FREE;
  ball.mass = 1;
  ball.inertia[0] = ball.inertia[1] = ball.inertia[2] = 0.004;
  fb_status status = fb_model_def_add_body(def, &ball, NULL, error);
  if (!status) status = fb_model_build(def, NULL, model, error);
  fb_model_def_free(def);
  return status;
}

/* Called at every impact. */
static fb_status count(void* user, fb_sim* sim, fb_error* error) {
  (void)sim, (void)error;
  ++*(int*)user;
  return FB_OK;
}

static fb_status add_floor(const fb_model* m, fb_sim* sim, int* impacts, fb_error* error) {
  fb_collider ball = fb_default_collider(), ground = fb_default_collider();
  ball.kind = FB_COLLIDER_SPHERE;
  ball.frame = fb_model_find_body(m, "ball");
  ball.size[0] = 0.1;
  ground.kind = FB_COLLIDER_PLANE;         /* on the world, through its origin, outwards along z */
  fb_contact floor = fb_default_contact(); /* hard */
  floor.name = "floor";
  floor.a = &ball;
  floor.b = &ground;
  floor.na = floor.nb = 1;
  floor.friction = 0.4;
  floor.restitution = 0.5;
  fb_event hit = fb_default_event();
  hit.name = "hit";
  hit.kind = FB_TRIGGER_CONTACT;
  hit.change = FB_CONTACT_HITS;
  hit.act = count;
  hit.user = impacts;
  fb_status status = fb_sim_add_contact(sim, &floor, &hit.contact, error);
  return status ? status : fb_sim_add_event(sim, &hit, NULL, error);
}

static fb_status run(fb_sim* sim, const int* impacts, fb_error* error) {
  const double q[7] = {0, 0, 0.6, 1, 0, 0, 0}, v[6] = {1, 0, 0, 0, 0, 0};
  fb_signal seen[3];
  fb_status status = fb_sim_start(sim, q, v, error);
  if (!status) status = fb_sim_find_signal(sim, "p.ball.z", &seen[0], 1, NULL, error);
  if (!status) status = fb_sim_find_signal(sim, "contact.floor.normal", &seen[1], 1, NULL, error);
  if (!status) status = fb_sim_find_signal(sim, "contact.floor.state", &seen[2], 1, NULL, error);
  for (int i = 0; i <= 4 && !status; i++) {
    double x[3];
    status = fb_sim_run_until(sim, 0.5 * i, error);
    fb_sim_signal_values(sim, seen, 3, x);
    printf("%.1f s   height %.3f m   normal force %.2f N   state %g   impacts %d\n", fb_sim_time(sim), x[0],
           x[1], x[2], *impacts);
  }
  return status;
}

int main(void) {
  fb_model* model = NULL;
  fb_sim* sim = NULL;
  fb_error error;
  int impacts = 0;
  fb_sim_options options = fb_default_sim_options();
  options.environment.gravity_w[2] = -9.81;
  options.method = FB_METHOD_MOREAU;
  options.step = 1e-3;
  fb_status status = build(&model, &error);
  if (!status) status = fb_sim_new(model, &options, &sim, &error);
  if (!status) status = add_floor(model, sim, &impacts, &error);
  if (!status) status = run(sim, &impacts, &error);
  if (status) fprintf(stderr, "bounce: %s\n", error.text);
  fb_sim_free(sim);
  fb_model_free(model);
  return status != FB_OK;
}
