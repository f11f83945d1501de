/* reaction.c -- the wrench that every joint transmits at an instant of the simulation
 *
 * By Newton and Euler from the accelerations that the flow found and the wrenches that it used, which are in s->loads
 * (dynamics/reactions.c): forces of actuators, springs, dampers, friction, limits and locks of a joint are in the
 * accelerations already. So is the effort of gears, which act inside joints as actuators do. Other loops act on
 * frames: each adds two wrenches after those of the flow, one on b and the opposite on a, both at the origin of b. */
#include <freebody/dynamics.h>

#include "constraint/rows.h"
#include "sim/sim.h"
#include "signal/signal_value.h"

void fb_sim_reactions(fb_sim* s) {
  fb_loads all = s->loads;
  all.nwrench += fb_rows_wrenches(s->m, s->d, s->wrench.list + all.nwrench);
  fb_joint_reactions(s->m, s->d, &all, s->wrench.carried);
}
