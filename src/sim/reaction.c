/* reaction.c -- the wrench that every joint carries at a moment of the simulation
 *
 * By Newton and Euler from the accelerations that the flow found and the wrenches that it used, which are in s->loads
 * (dynamics/reactions.c): what actuators, springs, dampers, friction, limits and locks of a joint do is in the
 * accelerations already. */
#include <freebody/dynamics.h>

#include "sim/sim.h"

void fb_sim_reactions(fb_sim* s) {
  fb_joint_reactions(s->m, s->d, &s->loads, s->carried);
}
