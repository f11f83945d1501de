/* rubbing.h -- friction of compliant contacts, at one point. */
#ifndef FB_CONTACT_LAW_RUBBING_H
#define FB_CONTACT_LAW_RUBBING_H

#include <freebody/contact.h>

#define FB_RUB_ELASTIC 0.8 /* part of the bound below which bristles are not dragged along */

/* How a contact rubs, with what was left open filled in. */
typedef struct fb_rub {
  fb_rubbing kind;
  double friction;
  double slip_speed;         /* [m/s] */
  double stiffness, damping; /* of bristles [N/m], [N s/m] */
} fb_rub;

/* What friction does at a point. */
typedef struct fb_rub_force {
  double force[3];           /* on a, along the surface, world axes [N] */
  double rate[3];            /* of the bristle, world axes [m/s] */
  double stiffness, damping; /* how steeply it falls along the surface: for fb_block.gains */
  int slips;                 /* 1: at the bound friction * normal, and moving */
} fb_rub_force;

/* Of a contact with the given friction and stiffness, which may have been changed since. */
fb_rub fb_rub_of(const fb_contact* contact, double friction, double stiffness, double damping);

/* Friction at a point with this normal force. slip: velocity of a relative to b along the surface; bristle: its stretch
 * (zeros for those without); all in world axes. */
void fb_rub_at(const fb_rub* rub, const double normal[3], double push, const double slip[3],
               const double bristle[3], fb_rub_force* out);
/* The rate of a bristle whose point does not touch. */
void fb_rub_relax(const double bristle[3], double rate[3]);

#endif
