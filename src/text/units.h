/* units.h -- the units that numbers may carry as text. */
#ifndef FB_TEXT_UNITS_H
#define FB_TEXT_UNITS_H

#include <stddef.h>

#include <freebody/export.h>

/* What a number measures: decides the units its text may carry ("45 deg", "10 cm", "3 rpm"). */
typedef enum fb_quantity {
  FB_Q_NONE, /* plain numbers only */
  FB_Q_LENGTH,
  FB_Q_ANGLE,
  FB_Q_MASS,
  FB_Q_INERTIA,
  FB_Q_TIME,
  FB_Q_SPEED,
  FB_Q_RATE, /* angular velocity */
  FB_Q_FORCE,
  FB_Q_TORQUE,
  FB_Q_ACCELERATION,
  FB_Q_LENGTH_PER_ANGLE,
  FB_Q_STIFFNESS,         /* force per length */
  FB_Q_ANGULAR_STIFFNESS, /* torque per angle */
  FB_Q_DAMPING,           /* force per speed */
  FB_Q_ANGULAR_DAMPING,   /* torque per angular velocity */
  FB_Q_INTEGRAL_GAIN,     /* force per length and time */
  FB_Q_ANGULAR_INTEGRAL_GAIN,
  FB_Q_FREQUENCY,
  FB_Q_COUNT
} fb_quantity;

/* "a length", and "m, km, cm, mm, um": for messages and documentation. "" for FB_Q_NONE. */
FB_API const char* fb_quantity_name(fb_quantity quantity);
FB_API char* fb_quantity_units(fb_quantity quantity, char* buffer, size_t size);
/* Applies the unit to a number; 0 when the quantity has no such unit. */
FB_API int fb_unit_apply(fb_quantity quantity, const char* unit, double* number);
/* The quantity that has this unit, or FB_Q_NONE. */
FB_API fb_quantity fb_unit_quantity(const char* unit);

#endif
