/* soil.h -- wheels on soft ground: the forces of the stresses under a wheel, and the block. Equations, sources and
 * limits: docs/theory/soil.md. */
#ifndef FB_CONTACT_LAW_SOIL_H
#define FB_CONTACT_LAW_SOIL_H

#include "contact/pair.h"

/* The slip states of the soil, each -1 .. 1. In steady motion they are the speeds over the largest of the three; at
 * rest they keep their last values, so that a parked wheel holds. */
typedef struct fb_wheel_slip {
  double spin;   /* rim speed: shear radius times rate about the axle; > 0 rolls forwards */
  double along;  /* velocity of the hub over the ground, forwards, */
  double across; /* and along the axle */
} fb_wheel_slip;

/* A wheel in soil, at an instant. Its axes: x forwards, y along the axle, z out of the soil. */
typedef struct fb_wheel {
  double radius, width; /* [m] */
  double depth;         /* of the lowest point of the rim below the surface [m] */
  double gravity;       /* for the weight of the soil [m/s^2] */
  fb_wheel_slip slip;
} fb_wheel;

/* Entry and exit angle of a wheel, from the lowest point, forwards positive [rad]; both 0 above the ground. */
typedef struct fb_wheel_arc {
  double entry, exit;
} fb_wheel_arc;

enum { FB_WHEEL_LOAD_COUNT = 6 };

/* The radius at which the soil is sheared. */
double fb_soil_shear_radius(const fb_soil* soil, double radius);
/* The distance over which the slip states decay to 1/e [m]. */
double fb_soil_memory_length(const fb_soil* soil, const fb_wheel* wheel);
/* Force and torque of the soil on the wheel, at its centre, in its axes [N], [N m]; zero above the ground. */
void fb_soil_load(const fb_soil* soil, const fb_wheel* wheel, double load[FB_WHEEL_LOAD_COUNT]);

/* The normal force of a wheel that has not slipped, in closed form, with the peak of the pressure at the lowest point: up to
 * half more than by fb_soil_load [N]. */
double fb_soil_bearing(const fb_soil* soil, const fb_wheel* wheel);

/* The ground under a wheel as a plane: unit normal, and its level along it, world axes. 0 where there is no ground. */
int fb_soil_ground(const fb_collider* wheel, const fb_placement* at_wheel, const fb_collider* ground,
                   const fb_placement* at_ground, double normal[3], double* level);

/* Checks the numbers of a soil; `name` is that of the contact. */
fb_status fb_soil_check(const char* name, const fb_soil* soil, fb_error* error);

/* The block of a contact whose law is soil: cylinders on planes and height fields. */
fb_status fb_block_new_soil(const fb_model* m, const fb_contact* contact, fb_block* block, fb_error* error);
/* At the end of a step: the energy that the soil may give is no more than it can have stored. */
void fb_soil_keep_energy(const fb_contact_block* c, const fb_context* context, double* memory,
                         const double* state);
/* Normal forces times depths of its wheels [J]: an upper bound of the work of sinking, since forces grow with the
 * depth. */
double fb_soil_stored(const fb_contact_block* c, const fb_context* context, const double* state);

#endif
