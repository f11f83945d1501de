/* soil_preset.c -- soils by name, and what the numbers of a soil may be. docs/theory/soil.md gives the source of each
 * number and says which are assumed. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include <freebody/words.h>

#include "contact/law/soil.h"

#define DEG (3.14159265358979323846 / 180)
/* Where nothing else is known: the side of the wheel pushes out a wedge after Rankine. */
#define RANKINE(friction_angle) (45 * DEG - (friction_angle) / 2)
/* So that wheels of some kilograms settle; no property of the soil [N s/m]. */
#define SETTLING 500

static const char* const NAMES[] = {"lunar_simulant", "mars_regolith", "mars_sand", "test_soil",
                                    "dry_sand",       "lunar_apollo",  NULL};
static const fb_soil SOILS[] = {{.cohesion = 800,
                                 .friction_angle = 37.2 * DEG,
                                 .k_c = 1.37e3,
                                 .k_phi = 8.14e5,
                                 .exponent = 1,
                                 .angle_0 = 0.40,
                                 .angle_1 = 0.15,
                                 .density = 1600,
                                 .shear_x = 0.036,
                                 .shear_x_slope = 0.043,
                                 .shear_y = 0.013,
                                 .shear_y_slope = 0.020,
                                 .exit_ratio = 0.9,
                                 .destruction_angle = 26.4 * DEG,
                                 .damping = SETTLING},
                                {.cohesion = 600,
                                 .friction_angle = 35 * DEG,
                                 .k_c = 212.2,
                                 .k_phi = 677.5,
                                 .exponent = 1.4,
                                 .exponent_slip = 0.354,
                                 .reece = 1,
                                 .angle_0 = 0.365,
                                 .angle_1 = 0.503,
                                 .density = 1550,
                                 .shear_x = 0.0146,
                                 .shear_y = 0.0146,
                                 .exit_ratio = 0.07,
                                 .destruction_angle = RANKINE(35 * DEG),
                                 .damping = SETTLING},
                                {.cohesion = 200,
                                 .friction_angle = 30 * DEG,
                                 .k_c = 9.1,
                                 .k_phi = 500.8,
                                 .exponent = 1.4,
                                 .exponent_slip = 0.45,
                                 .reece = 1,
                                 .angle_0 = 0.33,
                                 .angle_1 = 0.11,
                                 .density = 1650,
                                 .shear_x = 0.029,
                                 .shear_y = 0.029,
                                 .exit_ratio = 0.05,
                                 .destruction_angle = RANKINE(30 * DEG),
                                 .damping = SETTLING},
                                {.cohesion = 762,
                                 .friction_angle = 22.3 * DEG,
                                 .k_c = 1000,
                                 .k_phi = 5e5,
                                 .exponent = 1.1,
                                 .angle_0 = 0.40,
                                 .angle_1 = 0.15,
                                 .density = 1430,
                                 .shear_x = 0.02,
                                 .shear_y = 0.02,
                                 .exit_ratio = 0.5,
                                 .destruction_angle = RANKINE(22.3 * DEG),
                                 .damping = SETTLING},
                                {.cohesion = 1040,
                                 .friction_angle = 28 * DEG,
                                 .k_c = 990,
                                 .k_phi = 1.528e6,
                                 .exponent = 1.1,
                                 .angle_0 = 0.18,
                                 .angle_1 = 0.32,
                                 .density = 1600,
                                 .shear_x = 0.02,
                                 .shear_y = 0.02,
                                 .exit_ratio = 0.5,
                                 .destruction_angle = RANKINE(28 * DEG),
                                 .damping = SETTLING},
                                {.cohesion = 170,
                                 .friction_angle = 33 * DEG,
                                 .k_c = 1400,
                                 .k_phi = 8.2e5,
                                 .exponent = 1,
                                 .angle_0 = 0.40,
                                 .angle_1 = 0.15,
                                 .density = 1520,
                                 .shear_x = 0.018,
                                 .shear_y = 0.018,
                                 .exit_ratio = 0.5,
                                 .destruction_angle = RANKINE(33 * DEG),
                                 .damping = SETTLING}};
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
