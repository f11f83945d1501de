/* action.c -- what a plugin's act has put into action: no more than its block declares, and only numbers. */
#include <math.h>

#include <freebody/status.h>

#include "adapters/plugin/plugin.h"
#include "model/model.h"

int fb_plugin_first_bad(const double* x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += 0 * x[i];
  if (sum == 0) return -1;
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) return i;
  return -1;
}

static fb_status check_moved(const fb_model* m, const fb_action* action, fb_error* error) {
  for (int k = 0; k < fb_model_nv(m); k++)
    if (action->moved[k] && !isfinite(action->vdot[k]))
      return fb_fail(error, FB_ERR_NOT_FINITE, "its act makes the acceleration of joint \"%s\" %g",
                     fb_coordinate_joint_name(m, k), action->vdot[k]);
  return FB_OK;
}

static fb_status check_wrenches(const fb_action* action, int before, fb_error* error) {
  for (int i = before; i < action->nwrench; i++) {
    const fb_wrench* w = &action->wrenches[i];
    if (fb_plugin_first_bad(w->force, 3) >= 0 || fb_plugin_first_bad(w->torque, 3) >= 0)
      return fb_fail(error, FB_ERR_NOT_FINITE,
                     "its act makes a wrench that is not finite: force %g %g %g, torque %g %g %g",
                     w->force[0], w->force[1], w->force[2], w->torque[0], w->torque[1], w->torque[2]);
  }
  return FB_OK;
}

static fb_status check_still(const fb_model* m, const fb_action* action, fb_error* error) {
  int bad = -1;
  for (int k = 0; k < fb_model_nv(m); k++) {
    if (bad < 0 && (action->moved[k] || action->vdot[k] != 0)) bad = k;
    action->moved[k] = 0;
    action->vdot[k] = 0;
  }
  if (bad < 0) return FB_OK;
  return fb_fail(error, FB_ERR_CONTENT,
                 "its act fills action->vdot or action->moved for joint \"%s\", but its block has moves = 0; "
                 "set moves to 1 in fb_plugin_block, or leave them alone",
                 fb_coordinate_joint_name(m, bad));
}

fb_status fb_plugin_check_use(const fb_model* m, const fb_block* block, const fb_action* action, int before,
                              int room, fb_error* error) {
  if (action->nwrench < before || action->nwrench > room)
    return fb_fail(error, FB_ERR_CONTENT,
                   "its act leaves action->nwrench at %d; it was %d, and may grow to %d, since the block "
                   "declares nwrench = %d. Take wrenches with fb_action_add_wrench, which counts them",
                   action->nwrench, before, room, block->nwrench);
  return block->moves ? FB_OK : check_still(m, action, error);
}

fb_status fb_plugin_check_drive(const fb_model* m, const fb_block* block, const fb_action* action, int before,
                                fb_error* error) {
  int k = fb_plugin_first_bad(action->tau, fb_model_nv(m));
  if (k >= 0)
    return fb_fail(error, FB_ERR_NOT_FINITE, "its act makes the force of joint \"%s\" %g",
                   fb_coordinate_joint_name(m, k), action->tau[k]);
  fb_status status = block->moves ? check_moved(m, action, error) : FB_OK;
  return status ? status : check_wrenches(action, before, error);
}
