/* reaction.c -- the wrench that every joint carries at a moment of the simulation
 *
 * By Newton and Euler from the accelerations that the flow found and the wrenches that it used, which are in s->loads
 * (dynamics/reactions.c): what actuators, springs, dampers, friction, limits and locks of a joint do is in the
 * accelerations already. So is the effort of gears, which act inside joints as actuators do. Other loops act on frames:
 * each adds two wrenches behind those of the flow, one on b and the opposite on a, both at the origin of b. */
#include <freebody/dynamics.h>

#include <string.h>

#include <freebody/loop.h>

#include "constraint/rows.h"
#include "sim/sim.h"

static void put_wrench(int frame, const double wrench[6], fb_wrench* out) {
  *out = (fb_wrench){.frame = frame};
  memcpy(out->force, wrench, sizeof out->force);
  memcpy(out->torque, wrench + 3, sizeof out->torque);
}

void fb_sim_reactions(fb_sim* s) {
  fb_loads all = s->loads;
  for (int i = 0; i < s->m->top.nloop; i++) {
    const int* site = s->m->top.loop_site + 2 * i;
    double on_b[6], on_a[6];
    if (s->m->top.loop_type[i] == FB_LOOP_GEAR) continue;
    fb_loop_force(s->m, s->d, i, on_b, on_b + 3);
    fb_rows_opposite(s->d, i, on_b, on_a);
    put_wrench(site[1], on_b, &s->wrenches[all.nwrench++]);
    put_wrench(site[0], on_a, &s->wrenches[all.nwrench++]);
  }
  fb_joint_reactions(s->m, s->d, &all, s->carried);
}
