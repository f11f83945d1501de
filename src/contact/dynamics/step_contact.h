/* step_contact.h -- hard contacts in a simulation, as the step loop, the ledger and the signals see them. */
#ifndef FB_CONTACT_DYNAMICS_STEP_CONTACT_H
#define FB_CONTACT_DYNAMICS_STEP_CONTACT_H

#include "sim/sim.h"

/* ---- rescue.c ---- */

/* Four steps by moreau are to come, more where compliant contacts are stiff; 0: there were too many. */
int fb_rescue_ask(fb_sim* s);
/* Whether they may help where a step fails for want of a solution; what is said where they do not. */
int fb_rescue_is_stuck(const fb_sim* s);
fb_status fb_rescue_say_stuck(fb_sim* s, fb_error* error);
/* Where the next of them ends at the latest; before and after it. */
double fb_rescue_limit(fb_sim* s, double limit);
void fb_rescue_begin(fb_sim* s);
void fb_rescue_end(fb_sim* s);
/* The state inside the last of them: between its ends. */
void fb_rescue_at(const fb_sim* s, double t, double* y);

/* ---- hard contacts: contact/dynamics/ ---- */

typedef struct fb_touching fb_touching;
typedef struct fb_touch_memory fb_touch_memory;

/* FB_ERR_UNSUPPORTED when the method cannot take the hard contacts. */
fb_status fb_touch_check(const fb_sim* s, fb_error* error);
/* Memory for the hard contacts among the blocks, before the state is laid out. */
fb_status fb_touch_start(fb_sim* s, fb_error* error);
void fb_touch_free(fb_sim* s);
/* What old remembers, after a change of the model. */
void fb_touch_carry(fb_sim* s, const fb_sim* old);
/* Places in fb_sim.touched; wrenches that contacts may add. */
int fb_touch_room(const fb_sim* s);
/* Whether a method makes whole steps with their impulses (moreau), and nothing is located inside them. */
static inline int fb_touch_by_steps(const fb_sim* s) {
  return s->stepper.traits.time_stepping;
}
/* Whether all that such a method knows of the step last made is of another one than that to t1. */
int fb_touch_has_strayed(const fb_sim* s, double t1);
/* closed_force.c: after fb_flow_accelerate at y, adds the forces of the points that touch, and accelerates again. Time-stepping
 * methods have those of the last step. xdot: of the blocks' states, to which powers are added. */
void fb_touch_flow(fb_sim* s, const double* y, double* xdot);
/* hard_settle.c: points that approach are thrown back, until none does; and so are limits that are run into, where points
 * touch that they move. */
fb_status fb_touch_throw_back(fb_sim* s, fb_error* error);
/* Impacts, then which points hold, slip or part. */
fb_status fb_touch_settle(fb_sim* s, fb_error* error);
/* hard_locate.c: shortens the step to the first instant at which something touches, parts, begins to slip or stops. */
fb_status fb_touch_look(fb_sim* s, double end, double* first, fb_error* error);
/* hard_project.c: puts closed points back on each other at the end of a step. */
void fb_touch_close(fb_sim* s, double t, double* y);
/* After a projection: an error where shapes overlap that no motion separates. */
fb_status fb_touch_check_overlap(const fb_sim* s, fb_error* error);
/* hard_output.c: outputs and changes of state are kept: of the instant or step last looked at. */
void fb_touch_accept(fb_sim* s);
/* The step of a time-stepping method is made: the same, and its points are remembered. */
void fb_touch_keep_step(fb_sim* s);
/* After a step of another method: the ways of slip follow the motion. */
void fb_touch_follow(fb_sim* s);

/* Outputs of hard contacts at (t, y), where steps may be looked into: into s->out, where these signals are some of them. */
fb_status fb_touch_look_at(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                           fb_error* error);
/* Whether a change (fb_contact_change) of the contact of a block has happened at this instant. */
unsigned char fb_touch_happened(const fb_sim* s, int block, fb_contact_change change);
/* The last impact of a hard contact, by its block. */
typedef struct fb_touch_impact {
  double impulse; /* its magnitude [N s] */
  double speed;   /* of the fastest approach before it [m/s] */
  double gained;  /* what friction gave instead of taking it, as it may with Newton's restitution [J] */
} fb_touch_impact;
FB_API fb_touch_impact fb_touch_last_impact(const fb_sim* s, int block);
/* What is doubtful of hard contacts: steps and impacts whose impulses the solver has not found exactly, their number and the
 * worst residual, relative to the
 * rates of the contacts, with its time. */
typedef struct fb_solver_doubts {
  long long count;
  double worst, t;
  long long gains;    /* impacts in which friction did positive work */
  const char* passed; /* the first contact whose sides passed each other within a step; NULL: none */
  double passed_t;
  int rescues; /* how often moreau helped an event-driven run on, and when it first did */
  double rescued_t;
  const char*
      deepest; /* the contact of the deepest penetration that was left at the end of a step; NULL: none */
  double depth, deepest_t;
  double
      error; /* that steps of moreau leave in a second: estimated, of positions, relative to sizes of trees and to a radian */
} fb_solver_doubts;
FB_API fb_solver_doubts fb_touch_doubts(const fb_sim* s);
/* The instant is over. */
void fb_touch_clear_impacts(fb_sim* s);
/* The energy that compliant contacts have stored at s->y. */
double fb_contacts_stored(fb_sim* s);
/* Works of contacts at y, for the ledger. */
void fb_contacts_work(const fb_sim* s, const double* y, fb_ledger* ledger);

/* Whether Coulomb's friction of joints, or limits within a step, push coordinates by s->friction. */
int fb_sim_rubs(const fb_sim* s);

#endif
