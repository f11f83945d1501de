/* step_contact.h -- hard contacts in a simulation: interface for the step loop, the ledger and the signals. */
#ifndef FB_CONTACT_DYNAMICS_STEP_CONTACT_H
#define FB_CONTACT_DYNAMICS_STEP_CONTACT_H

#include "sim/sim.h"

/* ---- rescue.c ---- */

/* Requests four steps of moreau, more where compliant contacts are stiff; 0: there were too many. */
int fb_rescue_request(fb_sim* s);
/* Whether they may help where a step fails because there is no solution; the message where they do not. */
int fb_rescue_is_stuck(const fb_sim* s);
fb_status fb_rescue_say_stuck(fb_sim* s, fb_error* error);
/* Where the next of them ends at the latest; before and after it. */
double fb_rescue_limit(fb_sim* s, double limit);
void fb_rescue_begin(fb_sim* s);
void fb_rescue_end(fb_sim* s);
/* The state inside the last of them: between its ends. */
void fb_rescue_at(const fb_sim* s, double t, double* y);

/* ---- hard contacts: contact/dynamics/ ---- */

typedef struct fb_hard_contacts fb_hard_contacts;
typedef struct fb_hard_memory fb_hard_memory;

/* Places in fb_sim.touched; wrenches that contacts may add. */
int fb_hard_room(const fb_sim* s);
/* Whether a method makes whole steps with their impulses (moreau), and nothing is located inside them. */
static inline int fb_hard_by_steps(const fb_sim* s) {
  return s->stepper.traits.time_stepping;
}
/* Whether the data of such a method belong to another step than that to t1. */
int fb_hard_has_strayed(const fb_sim* s, double t1);
/* closed_force.c: after fb_flow_accelerate at y, adds the forces of the points that touch, and accelerates again. Time-stepping
 * methods have those of the last step. xdot: of the blocks' states, to which powers are added. */
void fb_hard_flow(fb_sim* s, const double* y, double* xdot);
/* hard_settle.c: impacts of approaching points, until none approaches; and of limits that are approached, where they
 * move contact points. */
fb_status fb_hard_throw_back(fb_sim* s, fb_error* error);
/* Impacts, then which points stick, slip or separate. */
fb_status fb_hard_settle(fb_sim* s, fb_error* error);
/* hard_locate.c: shortens the step to the first instant at which a contact closes, opens, begins to slip or stops. */
fb_status fb_hard_locate(fb_sim* s, double end, double* first, fb_error* error);
/* hard_project.c: puts closed points back on each other at the end of a step. */
void fb_hard_close(fb_sim* s, double t, double* y);
/* After a projection: an error where shapes overlap that no motion separates. */
fb_status fb_hard_check_overlap(const fb_sim* s, fb_error* error);
/* hard_output.c: stores outputs and changes of state of the last instant or step. */
void fb_hard_accept(fb_sim* s);
/* After a step of a time-stepping method: the same, and its points are stored. */
void fb_hard_keep_step(fb_sim* s);
/* After a step of another method: updates the slip directions. */
void fb_hard_follow(fb_sim* s);

/* The names of the contacts that touch, or did at the last instant, or where none did that almost touch, as text:
 * contacts "left", "right", "rear" and 2 others. */
enum { FB_HARD_NAMES_SIZE = 256 };
const char* fb_hard_names(fb_sim* s, char text[FB_HARD_NAMES_SIZE]);
/* Outputs of hard contacts at (t, y), where steps may be looked into: into s->block.out, where these signals are some of them. */
fb_status fb_hard_probe(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                        fb_error* error);
/* Whether a change (fb_contact_change) of the contact of a block has happened at this instant. */
unsigned char fb_hard_happened(const fb_sim* s, int block, fb_contact_change change);
/* Ends the instant. */
void fb_hard_clear_impacts(fb_sim* s);
/* The energy that compliant contacts have stored at s->y. */
double fb_contacts_stored(fb_sim* s);
/* Works of contacts at y, for the ledger. */
void fb_contacts_work(const fb_sim* s, const double* y, fb_ledger* ledger);

/* ---- meeting.c ---- */

/* Once their memory is placed. */
void fb_meetings_place(fb_sim* s);

/* Shortens a step with error control to the first instant at which colliders of compliant contacts meet. Where they
 * pass each other in a fixed step, records it. */
fb_status fb_meetings_locate(fb_sim* s, double* t1, fb_error* error);
/* Whether the force of a compliant contact changes sides between two of these instants of a step (sides.h). */
int fb_meetings_change_sides(fb_sim* s, int block, int count, const double* t, const double* const* y);

/* Whether Coulomb's friction of joints, or limits within a step, act on coordinates through s->limit.friction. */
int fb_sim_rubs(const fb_sim* s);

#endif
