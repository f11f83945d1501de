/* soil_preset.c -- soils by name, and the valid ranges of the numbers of a soil. docs/theory/soil.md gives the source
 * of each number and says which are assumed. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <freebody/support/words.h>

#include "contact/law/soil.h"

#define DEG (3.14159265358979323846 / 180)
/* Where nothing else is known: the side of the wheel pushes out a wedge after Rankine. */
#define RANKINE(friction_angle) (45 * DEG - (friction_angle) / 2)
/* A numerical value, so that wheels of some kilograms settle; no property of the soil [N s/m]. */
#define SETTLING 500

static const char* const NAMES[] = {"lunar_simulant", "mars_regolith", "mars_sand", "test_soil",
                                    "dry_sand",       "lunar_apollo",  NULL};
/* In the order of fb_soil: cohesion, friction angle, k_c, k_phi, exponent and its slope by slip, reece, angle_0, angle_1,
 * density; shear_x and its slope, shear_y and its slope, exit ratio, destruction angle, grouser height, damping. */
static const fb_soil SOILS[] = {{800, 37.2 * DEG, 1.37e3, 8.14e5, 1, 0, 0, 0.40, 0.15, 1600, 0.036, 0.043,
                                 0.013, 0.020, 0.9, 26.4 * DEG, 0, SETTLING},
                                {600, 35 * DEG, 212.2, 677.5, 1.4, 0.354, 1, 0.365, 0.503, 1550, 0.0146, 0,
                                 0.0146, 0, 0.07, RANKINE(35 * DEG), 0, SETTLING},
                                {200, 30 * DEG, 9.1, 500.8, 1.4, 0.45, 1, 0.33, 0.11, 1650, 0.029, 0, 0.029,
                                 0, 0.05, RANKINE(30 * DEG), 0, SETTLING},
                                {762, 22.3 * DEG, 1000, 5e5, 1.1, 0, 0, 0.40, 0.15, 1430, 0.02, 0, 0.02, 0,
                                 0.5, RANKINE(22.3 * DEG), 0, SETTLING},
                                {1040, 28 * DEG, 990, 1.528e6, 1.1, 0, 0, 0.18, 0.32, 1600, 0.02, 0, 0.02, 0,
                                 0.5, RANKINE(28 * DEG), 0, SETTLING},
                                {170, 33 * DEG, 1400, 8.2e5, 1, 0, 0, 0.40, 0.15, 1520, 0.018, 0, 0.018, 0,
                                 0.5, RANKINE(33 * DEG), 0, SETTLING}};
enum { COUNT = sizeof SOILS / sizeof *SOILS };

const char* fb_soil_preset_name(int index) {
  return index >= 0 && index < COUNT ? NAMES[index] : NULL;
}

fb_status fb_soil_preset(const char* name, fb_soil* soil, fb_error* error) {
  char near[FB_SUGGESTION_SIZE];
  for (int i = 0; name && i < COUNT; i++)
    if (strcmp(NAMES[i], name) == 0) {
      *soil = SOILS[i];
      return FB_OK;
    }
  if (!name) name = "";
  return fb_fail(error, FB_ERR_NAME, "no soil is called \"%s\"%s", name,
                 fb_suggestion_or_list(name, NAMES, "there are", near));
}

fb_status fb_soil_check(const char* name, const fb_soil* s, fb_error* error) {
  const fb_contact_number numbers[] = {
      {"soil.cohesion", s->cohesion, 0, INFINITY, 0},
      {"soil.friction_angle", s->friction_angle, 0, 80 * DEG, 0},
      {"soil.k_c", s->k_c, -1e12, INFINITY, 0},
      {"soil.k_phi", s->k_phi, 0, INFINITY, 0},
      {"soil.exponent", s->exponent, 0, 4, 1},
      {"soil.exponent_slip", s->exponent_slip, 0, 4, 0},
      {"soil.angle_0", s->angle_0, 0, 1, 0},
      {"soil.angle_1", s->angle_1, -1, 1, 0},
      {"soil.density", s->density, 0, INFINITY, 0},
      {"soil.shear_x", s->shear_x, 0, INFINITY, 1},
      {"soil.shear_x_slope", s->shear_x_slope, 0, INFINITY, 0},
      {"soil.shear_y", s->shear_y, 0, INFINITY, 1},
      {"soil.shear_y_slope", s->shear_y_slope, 0, INFINITY, 0},
      {"soil.exit_ratio", s->exit_ratio, 0, 1, 0},
      {"soil.destruction_angle", s->destruction_angle, 0, 85 * DEG - s->friction_angle, 0},
      {"soil.grouser_height", s->grouser_height, 0, INFINITY, 0},
      {"soil.damping", s->damping, 0, INFINITY, 0}};
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers && !status; i++)
    status = fb_contact_check_number(name, &numbers[i], error);
  return status;
}
