/* core_user.c -- a program that needs the core alone; core_alone.sh and extend_core.sh link it. */
#include <stdio.h>
#include <freebody/kinematics.h>
#include <freebody/version.h>
int main(void) {
  fb_error error;
  fb_model* m = NULL;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  double p[3] = {0, 0, 0}, q[7] = {1, 2, 3, 1, 0, 0, 0};
  body.name = "body";
  body.mass = 1;
  body.inertia[0] = body.inertia[1] = body.inertia[2] = 1;
  body.joint.type = FB_JOINT_FREE;
  if (fb_model_def_add_body(def, &body, NULL, &error) || fb_model_build(def, NULL, &m, &error)) {
    puts(error.text);
    return 1;
  }
  fb_data* d = fb_data_new(m);
  fb_kinematics(m, d, q, NULL, NULL);
  fb_frame_pose(m, d, fb_model_find_frame(m, "body"), p, NULL);
  printf("%s at %g %g %g\n", fb_version(), p[0], p[1], p[2]);
  fb_data_free(d);
  fb_model_free(m);
  fb_model_def_free(def);
  return p[0] == 1 && p[1] == 2 && p[2] == 3 ? 0 : 1;
}
