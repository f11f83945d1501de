/* ledger_contact.c -- power and force exchanged by contacts, as a scale of the residuals; energy stored in contacts
 * at the start
 *
 * A floating tree is balanced about its centre of mass. About it, the forces of its contacts may have no total power
 * and no total moment: a box that slides on its base is braked by friction, and no part of it moves relative to any
 * other. Errors would then be compared with zero. So the power of each contact, which is that of the relative motion
 * of its sides and the same in every frame, counts as exchanged by the trees involved, and so does each of its forces
 * separately, with its moment: those on a light body between heavy ones nearly cancel. */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>

#include "contact/law/compliant.h"
#include "dynamics/loads.h"
#include "ledger/conserve.h"
#include "math/vector3.h"
#include "model/record.inl"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"
#include "sim/access.h"

static double power_of(fb_sim* s, const fb_wrench* wrenches, int count, const double* v) {
  double power = 0;
  fb_wrench_forces(s->m, s->d, wrenches, count, s->element.force);
  for (int k = 0; k < s->nv; k++) power += s->element.force[k] * v[k];
  return fabs(power);
}

/* The same of the two wrenches of a hard point, by the velocities in s->d. */
static double power_of_point(const fb_sim* s, const fb_wrench wrenches[2]) {
  double power = 0;
  for (int i = 0; i < 2; i++) {
    double v[3], w[3];
    if (wrenches[i].frame == FB_WORLD) continue;
    fb_frame_velocity(s->m, s->d, wrenches[i].frame, v, w);
    power += dot3(wrenches[i].force, v) + dot3(wrenches[i].torque, w);
  }
  return fabs(power);
}

/* Force and moment of a wrench on a floating tree, the latter about its centre of mass; after fb_trees_locate. */
static void scale_push(const fb_sim* s, const fb_wrench* wrench, int tree, double* z) {
  double base[3], arm[3], force[3], torque[3], moment[3];
  fb_st3(base, 0, fb_get3(fb_link(s->d, s->tree.roots[s->tree.list[tree].root].link), FB_REC_P));
  fb_frame_pose(s->m, s->d, wrench->frame, arm, NULL);
  for (int i = 0; i < 3; i++) arm[i] -= base[i] + s->ledger.local[tree].com[i];
  fb_wrench_in_world(s->m, s->d, wrench, force, torque);
  cross3(arm, force, moment);
  add_scaled3(moment, 1, torque);
  z[FB_T_PUSHED] += norm3(force);
  z[FB_T_TURNED] += norm3(moment);
}

/* The wrenches of one contact, of this power. */
static void scale_contact(fb_sim* s, const fb_wrench* wrenches, int count, double power, double* zdot) {
  for (int i = 0; i < count; i++) {
    int tree = fb_tree_of(s, wrenches[i].frame), earlier = 0;
    if (tree < 0) continue;
    double* z = zdot + s->tree.list[tree].z_at;
    for (int j = 0; j < i; j++) earlier |= fb_tree_of(s, wrenches[j].frame) == tree;
    if (!earlier) z[FB_T_GROSS] += power;
    if (s->tree.list[tree].root >= 0) scale_push(s, &wrenches[i], tree, z);
  }
}

void fb_contacts_clear_works(fb_sim* s) {
  for (int i = 0; i < s->block.count; i++) {
    double* x = fb_y_x(s, s->y) + s->block.state_offset[i];
    if (fb_block_is_contact(&s->block.list[i]) && s->block.list[i].nstate >= FB_CONTACT_X_COUNT)
      memset(x, 0, FB_CONTACT_X_COUNT * sizeof *x);
    if (s->contact.hard && s->contact.hard->solver == i) *x = 0;
  }
}

double fb_contacts_stored(fb_sim* s) {
  double energy = 0;
  fb_context context = fb_flow_context(s, s->head->t, s->y);
  for (int i = 0; i < s->block.count; i++)
    if (fb_block_is(&s->block.list[i], &FB_BLOCK_COMPLIANT_CONTACT) && fb_block_acts(s, i))
      energy +=
          fb_contact_stored(s->block.list[i].user, &context, s->block.memory + s->block.memory_offset[i],
                            fb_y_x(s, s->y) + s->block.state_offset[i]);
  return energy;
}

void fb_ledger_scale_contacts(fb_sim* s, const double* v, double* zdot) {
  for (int i = 0; i < s->block.count; i++) {
    const int* local = s->block.wrenches + 2 * i;
    const fb_wrench* wrenches = s->wrench.list + local[0];
    if (local[1] > 0 && fb_block_is_contact(&s->block.list[i]))
      scale_contact(s, wrenches, local[1], power_of(s, wrenches, local[1], v), zdot);
  }
  /* Hard points come last, two wrenches each; those of compliant contacts are among the external powers. */
  for (int w = s->wrench.first_hard; w < s->wrench.count; w += 2) {
    const fb_wrench* wrenches = s->wrench.list + w;
    const double power = fb_hard_by_steps(s) ? power_of_point(s, wrenches) : power_of(s, wrenches, 2, v);
    scale_contact(s, wrenches, 2, power, zdot);
    zdot[s->nv + FB_Z_GROSS] += power;
  }
}
