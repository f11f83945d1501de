/* contact.h -- contacts: which shapes touch which, and by what law.
 *
 * A contact is a named pair of sides, each one or more colliders (collide.h). Every collider of a is tested against
 * every collider of b; there are no other contacts. Where both sides are the same colliders, each pair of them is
 * tested once: a pile. Laws:
 *
 *   hard            rigid: 0 <= gap _|_ normal force >= 0, Coulomb's cone, restitution; solved together with all other hard
 *                   contacts, joint limits and stiction (docs/theory/contact.md)
 *   spring          normal force = max(0, k d + c d'), d the depth
 *   hunt_crossley   k d^1.5 (1 + c d'), never below 0
 *   hertz           k d^1.5
 *   soil            a wheel on soft ground: Bekker, Wong and Reece (docs/theory/soil.md)
 *
 * Forces are those on a; the opposite force acts on b at the same point. A contact is a block called "contact.NAME"; its
 * outputs are signals: contact.NAME.gap and so on. */
#ifndef FREEBODY_CONTACT_H
#define FREEBODY_CONTACT_H

#include <freebody/block.h>
#include <freebody/collide.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef enum fb_contact_law {
  FB_CONTACT_HARD,
  FB_CONTACT_SPRING,
  FB_CONTACT_HUNT_CROSSLEY,
  FB_CONTACT_HERTZ,
  FB_CONTACT_SOIL
} fb_contact_law;

/* Restitution of hard contacts. */
typedef enum fb_restitution_law {
  FB_RESTITUTION_NEWTON, /* the normal speed after is -restitution times that before */
  FB_RESTITUTION_POISSON /* the normal impulse of expansion is restitution times that of compression; gains no energy */
} fb_restitution_law;

/* Friction of compliant contacts. */
typedef enum fb_friction_model {
  FB_FRICTION_MODEL_REGULARISED, /* friction * normal * tanh(slip / slip_speed); a loaded contact never quite stops */
  FB_FRICTION_MODEL_BRISTLE /* a spring and damper along the surface, up to friction * normal; the contact sticks */
} fb_friction_model;

/* Soil under a wheel; docs/theory/soil.md has the equations. */
typedef struct fb_soil {
  double cohesion;                /* c [Pa] */
  double friction_angle;          /* phi [rad] */
  double k_c;                     /* Bekker: [N/m^(n+1)]; with reece: k_c' [1] */
  double k_phi;                   /* Bekker: [N/m^(n+2)]; with reece: k_phi' [1] */
  double exponent, exponent_slip; /* n = exponent + exponent_slip |slip| */
  int reece;                      /* 1: pressure = (c k_c' + rho g b k_phi') (z / b)^n */
  double angle_0, angle_1; /* where the stress is largest: theta_m = (angle_0 + angle_1 slip) theta_f */
  double density;          /* rho [kg/m^3] */
  /* shear modulus along the wheel: K_x = shear_x + shear_x_slope |slip angle| [m] */
  double shear_x, shear_x_slope;
  double shear_y, shear_y_slope; /* across it [m] */
  double exit_ratio;             /* depth behind the wheel over that in front, 0 .. 1 */
  double destruction_angle;      /* X_c of the bulldozing force at the wheel's sides; 0: none [rad] */
  double grouser_height;         /* adds to the radius at which the soil is sheared [m] */
  double damping;                /* vertical, so that the wheel settles [N s/m] */
} fb_soil;

typedef struct fb_contact {
  const char* name;         /* unique among contacts; copied */
  const fb_collider *a, *b; /* [na], [nb]; copied, with their geometry borrowed: it must outlive the block */
  int na, nb;
  fb_contact_law law;
  double friction;                    /* Coulomb's coefficient, >= 0 */
  double restitution;                 /* of hard contacts, 0 .. 1 */
  fb_restitution_law restitution_law; /* likewise */
  double stiffness;                   /* k of compliant laws, > 0 [N/m] or [N/m^1.5] */
  double damping;                     /* c, >= 0: spring [N s/m], hunt_crossley [s/m] */
  fb_friction_model friction_model;   /* of compliant laws */
  /* at which regularised friction has 76 % of its full value. 0: 1 mm/s; above a stiffness of 1e4 N/m or
   * 1e6 N/m^1.5 per kg of the moving mass it decreases with the square root of the stiffness [m/s] */
  double slip_speed;
  /* along the surface. 0: the stiffness of the normal force; with hunt_crossley and hertz that at d = 0.1 mm [N/m] */
  double bristle_stiffness;
  double bristle_damping; /* likewise [N s/m] */
  fb_soil soil;
  int cookie_; /* set by fb_default_contact */
} fb_contact;

/* The state of a contact: 0 open, 1 slips, 2 sticks or rolls. */
typedef enum fb_contact_state { FB_CONTACT_OPEN, FB_CONTACT_SLIPS, FB_CONTACT_STICKS } fb_contact_state;

FB_BEGIN_DECLS

FB_API fb_contact fb_default_contact(void); /* hard, no friction, no restitution; all else 0 */
FB_API const char* fb_contact_law_name(fb_contact_law law);
/* A soil by name; FB_ERR_NAME with the nearest one when there is none. fb_soil_preset_name(i): NULL after the last. */
FB_API fb_status fb_soil_preset(const char* name, fb_soil* soil, fb_error* error);
FB_API const char* fb_soil_preset_name(int index);

/* The block "contact.NAME" of a compliant law or of soil, for fb_sim_add_block. Hard contacts: fb_sim_add_contact, which
 * takes all laws. */
FB_API fb_status fb_block_new_contact(const fb_model* m, const fb_contact* contact, fb_block* block,
                                      fb_error* error);

FB_END_DECLS

#endif
