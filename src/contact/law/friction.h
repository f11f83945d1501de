/* friction.h -- friction of compliant contacts, at one point. */
#ifndef FB_CONTACT_LAW_FRICTION_H
#define FB_CONTACT_LAW_FRICTION_H

#include <freebody/contact.h>

#define FB_FRICTION_ELASTIC 0.8 /* part of the bound below which bristles are not dragged along */

/* The friction of a contact, with defaults filled in. */
typedef struct fb_friction {
  fb_friction_model kind;
  double friction;
  double slip_speed;         /* [m/s] */
  double stiffness, damping; /* of bristles [N/m], [N s/m] */
} fb_friction;

/* Friction at a point. */
typedef struct fb_friction_force {
  double force[3];           /* on a, along the surface, world axes [N] */
  double rate[3];            /* of the bristle, world axes [m/s] */
  double stiffness, damping; /* how steeply it falls along the surface: for fb_block.gains */
  int slips;                 /* 1: at the bound friction * normal, and moving */
} fb_friction_force;

/* Of a contact with the given friction and stiffness, which may have been changed since, between links of this reduced mass. */
fb_friction fb_friction_of(const fb_contact* contact, double friction, double stiffness, double damping,
                           double mass);

/* Friction at a point with this normal force. slip: velocity of a relative to b along the surface; bristle: its stretch
 * (zeros for those without); all in world axes. */
void fb_friction_eval(const fb_friction* slip_friction, const double normal[3], double push,
                      const double slip[3], const double bristle[3], fb_friction_force* out);
/* The largest stretch of the bristle while its point slips at this velocity, the friction being at most `bound` [N]. */
double fb_friction_max_stretch(const fb_friction* slip_friction, double bound, const double slip[3]);
/* The rate of a bristle whose point does not touch. */
void fb_friction_relax(const double bristle[3], double rate[3]);

#endif
