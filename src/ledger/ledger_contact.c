/* ledger_contact.c -- what contacts exchange, as a scale of the residuals; and what they had stored at the start
 *
 * A floating tree is balanced about its centre of mass. There the forces of its contacts may have no power and no moment
 * together, however much they do: a box that slides on its base is braked by friction, and no part of it moves relative to
 * any other. What the method leaves would then be compared with nothing. So the power of each contact, which is that of
 * the relative motion of its sides and the same in every frame, counts as exchanged by the trees that take part in it,
 * and each of its forces, with its moment, by itself: those on a light body between heavy ones nearly cancel. */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>

#include "contact/law/compliant.h"
#include "dynamics/loads.h"
#include "math/vector3.h"
#include "model/record.inl"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static int tree_of(const fb_sim* s, const fb_wrench* wrench) {
  return s->link_tree[s->m->top.body_link[fb_frame_body(s->m, wrench->frame)]];
}

static double power_of(fb_sim* s, const fb_wrench* wrenches, int count, const double* v) {
  double power = 0;
  fb_wrench_forces(s->m, s->d, wrenches, count, s->pair_force);
  for (int k = 0; k < s->nv; k++) power += s->pair_force[k] * v[k];
  return fabs(power);
}

/* Force and moment of a wrench on a floating tree, the latter about its centre of mass; after fb_trees_locate. */
static void scale_push(const fb_sim* s, const fb_wrench* wrench, int tree, double* z) {
  double base[3], arm[3], force[3], torque[3], moment[3];
  fb_st3(base, 0, fb_get3(fb_link(s->d, s->roots[s->trees[tree].root].link), FB_REC_P));
  fb_frame_pose(s->m, s->d, wrench->frame, arm, NULL);
  for (int i = 0; i < 3; i++) arm[i] -= base[i] + s->own[tree].com[i];
  fb_wrench_in_world(s->m, s->d, wrench, force, torque);
  cross3(arm, force, moment);
  add_scaled3(moment, 1, torque);
  z[FB_T_PUSHED] += norm3(force);
  z[FB_T_TURNED] += norm3(moment);
}

/* The wrenches of one contact. Returns the magnitude of its power. */
static double scale_contact(fb_sim* s, const fb_wrench* wrenches, int count, const double* v, double* zdot) {
  double power = power_of(s, wrenches, count, v);
  for (int i = 0; i < count; i++) {
    int tree = tree_of(s, &wrenches[i]), earlier = 0;
    if (tree < 0) continue;
    double* z = zdot + s->trees[tree].z_at;
    for (int j = 0; j < i; j++) earlier |= tree_of(s, &wrenches[j]) == tree;
    if (!earlier) z[FB_T_GROSS] += power;
    if (s->trees[tree].root >= 0) scale_push(s, &wrenches[i], tree, z);
  }
  return power;
}

void fb_contacts_clear_works(fb_sim* s) {
  for (int i = 0; i < s->nblock; i++) {
    double* x = fb_y_x(s, s->y) + s->block_state[i];
    if (fb_is_contact(&s->blocks[i]) && s->blocks[i].nstate >= FB_CONTACT_X_COUNT)
      memset(x, 0, FB_CONTACT_X_COUNT * sizeof *x);
    if (s->touch && s->touch->solver == i) *x = 0;
  }
}

double fb_contacts_stored(fb_sim* s) {
  double energy = 0;
  fb_context context = fb_flow_context(s, s->head->t, s->y);
  for (int i = 0; i < s->nblock; i++)
    if (s->blocks[i].contact_ == 3 && fb_block_acts(s, i))
      energy += fb_contact_stored(s->blocks[i].user, &context, s->memory + s->block_memory[i],
                                  fb_y_x(s, s->y) + s->block_state[i]);
  return energy;
}

void fb_ledger_scale_contacts(fb_sim* s, const double* v, double* zdot) {
  for (int i = 0; i < s->nblock; i++) {
    const int* own = s->block_wrenches + 2 * i;
    if (own[1] > 0 && fb_is_contact(&s->blocks[i])) scale_contact(s, s->wrenches + own[0], own[1], v, zdot);
  }
  /* Hard points come last, two wrenches each; those of compliant contacts are among the powers from outside. */
  for (int w = s->first_hard; w < s->nwrench; w += 2)
    zdot[s->nv + FB_Z_GROSS] += scale_contact(s, s->wrenches + w, 2, v, zdot);
}
