/* units.c -- the units that numbers may carry as text, each as a fraction of the SI unit.
 *
 * value [SI] = number * times / per: two factors, because 35 cm = 35 / 100 is exact to the last bit where
 * 35 * 0.01 is not. Blanks, '*', '^' and the middle dot in a unit do not count: "N m", "N*m" and "Nm" are one. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/support/text.h>

#include "text/units.h"

#define PI 3.14159265358979323846

typedef struct unit {
  fb_quantity quantity;
  const char* name; /* as documentation and messages show it */
  double times, per;
} unit;

static const unit UNITS[] = {
    {FB_Q_LENGTH, "m", 1, 1},
    {FB_Q_LENGTH, "km", 1000, 1},
    {FB_Q_LENGTH, "cm", 1, 100},
    {FB_Q_LENGTH, "mm", 1, 1000},
    {FB_Q_LENGTH, "um", 1, 1e6},
    {FB_Q_ANGLE, "rad", 1, 1},
    {FB_Q_ANGLE, "mrad", 1, 1000},
    {FB_Q_ANGLE, "deg", PI, 180},
    {FB_Q_ANGLE, "arcmin", PI, 10800},
    {FB_Q_ANGLE, "arcsec", PI, 648000},
    {FB_Q_ANGLE, "rev", 2 * PI, 1},
    {FB_Q_MASS, "kg", 1, 1},
    {FB_Q_MASS, "t", 1000, 1},
    {FB_Q_MASS, "g", 1, 1000},
    {FB_Q_MASS, "mg", 1, 1e6},
    {FB_Q_INERTIA, "kg m^2", 1, 1},
    {FB_Q_INERTIA, "kg cm^2", 1, 1e4},
    {FB_Q_INERTIA, "kg mm^2", 1, 1e6},
    {FB_Q_INERTIA, "g m^2", 1, 1e3},
    {FB_Q_INERTIA, "g cm^2", 1, 1e7},
    {FB_Q_INERTIA, "g mm^2", 1, 1e9},
    {FB_Q_TIME, "s", 1, 1},
    {FB_Q_TIME, "ms", 1, 1000},
    {FB_Q_TIME, "us", 1, 1e6},
    {FB_Q_TIME, "min", 60, 1},
    {FB_Q_TIME, "h", 3600, 1},
    {FB_Q_TIME, "day", 86400, 1},
    {FB_Q_SPEED, "m/s", 1, 1},
    {FB_Q_SPEED, "km/s", 1000, 1},
    {FB_Q_SPEED, "cm/s", 1, 100},
    {FB_Q_SPEED, "mm/s", 1, 1000},
    {FB_Q_SPEED, "km/h", 1000, 3600},
    {FB_Q_RATE, "rad/s", 1, 1},
    {FB_Q_RATE, "mrad/s", 1, 1000},
    {FB_Q_RATE, "deg/s", PI, 180},
    {FB_Q_RATE, "rpm", PI, 30},
    {FB_Q_RATE, "rev/s", 2 * PI, 1},
    {FB_Q_FORCE, "N", 1, 1},
    {FB_Q_FORCE, "kN", 1000, 1},
    {FB_Q_FORCE, "mN", 1, 1000},
    {FB_Q_TORQUE, "N m", 1, 1},
    {FB_Q_TORQUE, "kN m", 1000, 1},
    {FB_Q_TORQUE, "mN m", 1, 1000},
    {FB_Q_TORQUE, "N cm", 1, 100},
    {FB_Q_TORQUE, "N mm", 1, 1000},
    {FB_Q_ACCELERATION, "m/s^2", 1, 1},
    {FB_Q_ACCELERATION, "cm/s^2", 1, 100},
    {FB_Q_ACCELERATION, "mm/s^2", 1, 1000},
    {FB_Q_LENGTH_PER_ANGLE, "m/rad", 1, 1},
    {FB_Q_LENGTH_PER_ANGLE, "mm/rad", 1, 1000},
    {FB_Q_LENGTH_PER_ANGLE, "m/rev", 1, 2 * PI},
    {FB_Q_LENGTH_PER_ANGLE, "mm/rev", 1, 2000 * PI},
    {FB_Q_LENGTH_PER_ANGLE, "mm/deg", 180, 1000 * PI},
    {FB_Q_STIFFNESS, "N/m", 1, 1},
    {FB_Q_STIFFNESS, "kN/m", 1000, 1},
    {FB_Q_STIFFNESS, "N/mm", 1000, 1},
    {FB_Q_ANGULAR_STIFFNESS, "N m/rad", 1, 1},
    {FB_Q_ANGULAR_STIFFNESS, "kN m/rad", 1000, 1},
    {FB_Q_ANGULAR_STIFFNESS, "N m/deg", 180, PI},
    {FB_Q_DAMPING, "N s/m", 1, 1},
    {FB_Q_DAMPING, "kN s/m", 1000, 1},
    {FB_Q_DAMPING, "N s/mm", 1000, 1},
    {FB_Q_ANGULAR_DAMPING, "N m s/rad", 1, 1},
    {FB_Q_ANGULAR_DAMPING, "mN m s/rad", 1, 1000},
    {FB_Q_ANGULAR_DAMPING, "N m s/deg", 180, PI},
    {FB_Q_INTEGRAL_GAIN, "N/(m s)", 1, 1},
    {FB_Q_INTEGRAL_GAIN, "kN/(m s)", 1000, 1},
    {FB_Q_ANGULAR_INTEGRAL_GAIN, "N m/(rad s)", 1, 1},
    {FB_Q_ANGULAR_INTEGRAL_GAIN, "N m/(deg s)", 180, PI},
    {FB_Q_FREQUENCY, "Hz", 1, 1},
    {FB_Q_FREQUENCY, "mHz", 1, 1000},
    {FB_Q_FREQUENCY, "kHz", 1000, 1},
};
enum { UNIT_COUNT = sizeof UNITS / sizeof *UNITS };

static const char* const QUANTITY_NAMES[FB_Q_COUNT] = {"",
                                                       "a length",
                                                       "an angle",
                                                       "a mass",
                                                       "a moment of inertia",
                                                       "a time",
                                                       "a speed",
                                                       "an angular velocity",
                                                       "a force",
                                                       "a torque",
                                                       "an acceleration",
                                                       "a length per angle",
                                                       "a stiffness",
                                                       "an angular stiffness",
                                                       "a damping",
                                                       "an angular damping",
                                                       "an integral gain",
                                                       "an angular integral gain",
                                                       "a frequency"};

const char* fb_quantity_name(fb_quantity quantity) {
  return (unsigned)quantity < FB_Q_COUNT ? QUANTITY_NAMES[quantity] : "";
}

char* fb_quantity_units(fb_quantity quantity, char* buffer, size_t size) {
  size_t n = 0;
  if (size > 0) buffer[0] = '\0';
  for (int i = 0; i < UNIT_COUNT && n < size; i++)
    if (UNITS[i].quantity == quantity)
      n += (size_t)snprintf(buffer + n, size - n, "%s%s", n ? ", " : "", UNITS[i].name);
  return buffer;
}

/* The next character of a unit that counts; superscript two and three read as digits, micro as u. */
static char next_letter(const char** p) {
  static const struct {
    const char* from;
    char to;
  } spellings[] = {
      {" ", 0},          {"*", 0},          {"^", 0},          {"\xc2\xb7", 0},  {"\xe2\x8b\x85", 0},
      {"\xc2\xb2", '2'}, {"\xc2\xb3", '3'}, {"\xc2\xb5", 'u'}, {"\xce\xbc", 'u'}};
  for (;;) {
    size_t i = 0, count = sizeof spellings / sizeof *spellings;
    while (i < count && strncmp(*p, spellings[i].from, strlen(spellings[i].from)) != 0) i++;
    if (i == count) return **p ? *(*p)++ : '\0';
    *p += strlen(spellings[i].from);
    if (spellings[i].to) return spellings[i].to;
  }
}

static int same_unit(const char* a, const char* b) {
  for (;;) {
    char x = next_letter(&a), y = next_letter(&b);
    if (x != y) return 0;
    if (x == '\0') return 1;
  }
}

int fb_unit_apply(fb_quantity quantity, const char* name, double* number) {
  for (int i = 0; i < UNIT_COUNT; i++)
    if (UNITS[i].quantity == quantity && same_unit(UNITS[i].name, name)) {
      *number = *number * UNITS[i].times / UNITS[i].per;
      return 1;
    }
  return 0;
}

fb_quantity fb_unit_quantity(const char* name) {
  for (int i = 0; i < UNIT_COUNT; i++)
    if (same_unit(UNITS[i].name, name)) return UNITS[i].quantity;
  return FB_Q_NONE;
}

int fb_time_parse(const char* text, double* seconds) {
  const char* unit = fb_number_parse(text, seconds);
  while (unit && *unit == ' ') unit++;
  return unit && (!*unit || fb_unit_apply(FB_Q_TIME, unit, seconds)) && isfinite(*seconds);
}
