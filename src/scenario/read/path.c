/* path.c -- paths of a scenario: times, values, and how a path runs between them.
 *
 * Paths of motions, of joints, of frames and of attitudes have the same keys beside their values: `times`, `shape`,
 * `ramp` and `shaping`. Shaping is applied to each spline by itself. */
#include <stdlib.h>

#include "scenario/read/path.h"
#include "scenario/read/values.h"
#include "scenario/rows.h"

const char* const fb_path_words[] = {"cubic", "quintic", "trapezoid", NULL};

typedef struct fb_path_row {
  double ramp;
} fb_path_row;

/* How a path runs from time to time. */
#define TIMES(object) UNIT(object, "times", NUMBERS, TIME, ANY, EVERY, EVERY, -1, NULL, "increasing times")
#define PROFILE(object)                                                                                      \
  WORD(object, "shape", fb_path_words, EVERY, "cubic",                                                       \
       "cubic: smooth through the times, at rest at both ends; quintic: at rest at every time, least jerk; " \
       "trapezoid: at rest at every time, with constant acceleration, speed and deceleration"),              \
      UNIT(object, "ramp", NUMBER, NONE, POSITIVE, BIT(FB_PATH_TRAPEZOID), NEVER, AT(fb_path_row, ramp),     \
           "0.25", "fraction of each interval spent accelerating, and again decelerating: up to 0.5"),       \
      INNER(object, "shaping", MAP, SHAPING, "none", "input shaping, which suppresses residual vibration")

static const fb_field FIELDS[] = {
    TIMES(PATH),
    BOTH(PATH, "values", NUMBERS, LENGTH, ANGLE, ANY, EVERY, EVERY, NULL, "one for each time"),
    PROFILE(PATH),

    TIMES(PATHS),
    BOTH(PATHS, "values", BY_NAME, LENGTH, ANGLE, ANY, EVERY, EVERY, NULL,
         "by joint: a list with one coordinate for each time"),
    PROFILE(PATHS),

    TIMES(POSITION),
    UNIT(POSITION, "x", NUMBERS, LENGTH, ANY, EVERY, NEVER, -1, "its initial value", "one for each time"),
    UNIT(POSITION, "y", NUMBERS, LENGTH, ANY, EVERY, NEVER, -1, "its initial value", "one for each time"),
    UNIT(POSITION, "z", NUMBERS, LENGTH, ANY, EVERY, NEVER, -1, "its initial value", "one for each time"),
    UNIT(POSITION, "points", VECTORS, LENGTH, ANY, EVERY, NEVER, -1, "none",
         "or all three, as one point for each time"),
    PROFILE(POSITION),

    TIMES(FORCE_PATH),
    UNIT(FORCE_PATH, "forces", NUMBERS, FORCE, ANY, EVERY, EVERY, -1, NULL, "one for each time"),
    PROFILE(FORCE_PATH),

    TIMES(TURN),
    UNIT(TURN, "angles", NUMBERS, ANGLE, ANY, EVERY, EVERY, -1, NULL, "one for each time"),
    PROFILE(TURN),

    UNIT(SHAPING, "frequency", NUMBER, FREQUENCY, POSITIVE, EVERY, EVERY, AT(fb_shaping_row, frequency), NULL,
         "natural frequency of the vibration"),
    UNIT(SHAPING, "damping", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_shaping_row, damping), "0",
         "its damping ratio, below 1"),
    PLAIN(SHAPING, "robust", BOOL, EVERY, NEVER, AT(fb_shaping_row, robust), "true",
          "true: ZVD, a whole period longer, robust to errors in the frequency; false: ZV, half a period "
          "longer"),
};

const fb_schema_rows fb_rows_path = FB_ROWS(FIELDS);

/* --- how it runs --- */

fb_status fb_scenario_times(fb_scenario* s, const fb_node* list, int* count, double** times,
                            fb_error* error) {
  fb_status status = fb_node_need_list(list, "times", error);
  if (status) return status;
  *count = fb_node_count(list);
  if (*count < 1) return fb_node_fail(list, error, FB_ERR_CONTENT, "the list of times is empty");
  *times = fb_scenario_alloc(s, (size_t)*count, sizeof **times);
  if (!*times) return fb_scenario_no_memory(error);
  for (int i = 0; i < *count && !status; i++) {
    const fb_node* item = fb_node_item(list, i);
    status = fb_node_number(item, FB_Q_TIME, &(*times)[i], error);
    if (!status && i > 0 && !((*times)[i] > (*times)[i - 1]))
      status = fb_node_fail(item, error, FB_ERR_CONTENT, "times must rise, but %g s comes after %g s",
                            (*times)[i], (*times)[i - 1]);
  }
  return status;
}

static fb_status read_shaping(const fb_node* map, fb_scenario_path* path, fb_error* error) {
  fb_fields values;
  if (!map) return FB_OK;
  path->shaped = 1;
  path->shaping.robust = 1;
  fb_status status =
      fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_SHAPING, &values, &path->shaping, error);
  if (status || path->shaping.damping < 1) return status;
  return fb_node_fail(fb_fields_value(&values, "damping"), error, FB_ERR_CONTENT,
                      "'damping' is a ratio, and %g of it does not vibrate; give one below 1, as 0.005",
                      path->shaping.damping);
}

fb_status fb_scenario_path_of(fb_scenario* s, const fb_node* map, int object, fb_fields* values,
                              fb_scenario_path* path, fb_error* error) {
  fb_path_row row = {0.25};
  *path = (fb_scenario_path){.shape = FB_PATH_CUBIC};
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, object, values, error);
  if (!status) status = fb_fields_get_word(values, "shape", &path->shape, error);
  if (!status) status = fb_fields_read(values, path->shape, &row, error);
  if (!status && row.ramp > 0.5)
    status = fb_node_fail(fb_fields_value(values, "ramp"), error, FB_ERR_CONTENT,
                          "'ramp' is %g, but speeding up and slowing down take the whole time at 0.5 already",
                          row.ramp);
  if (!status) status = read_shaping(fb_fields_value(values, "shaping"), path, error);
  if (!status)
    status = fb_scenario_times(s, fb_fields_value(values, "times"), &path->count, &path->times, error);
  path->ramp = row.ramp;
  return status;
}

/* --- splines --- */

static void free_spline(void* memory) {
  fb_spline_free((fb_spline*)memory);
}

static fb_status own_spline(fb_scenario* s, fb_spline* spline, const fb_spline** out, fb_error* error) {
  *out = spline;
  return fb_scenario_own(s, spline, free_spline) ? FB_OK : fb_scenario_no_memory(error);
}

fb_status fb_scenario_constant(fb_scenario* s, double value, const fb_spline** out, fb_error* error) {
  double time = 0;
  fb_spline* spline;
  fb_status status = fb_spline_new_cubic(1, &time, &value, &spline, error);
  return status ? status : own_spline(s, spline, out, error);
}

static fb_status through(const fb_scenario_path* path, const double* numbers, fb_spline** spline,
                         fb_error* error) {
  if (path->shape == FB_PATH_QUINTIC)
    return fb_spline_new_quintic(path->count, path->times, numbers, spline, error);
  if (path->shape == FB_PATH_TRAPEZOID)
    return fb_spline_new_trapezoid(path->count, path->times, numbers, path->ramp, spline, error);
  return fb_spline_new_cubic(path->count, path->times, numbers, spline, error);
}

static fb_status make_spline(fb_scenario* s, const fb_node* list, const fb_scenario_path* path,
                             const double* numbers, const fb_spline** out, fb_error* error) {
  fb_spline *spline = NULL, *shaped = NULL;
  fb_status status = through(path, numbers, &spline, error);
  if (!status && path->shaped) {
    const fb_shaping_row* row = &path->shaping;
    status = fb_spline_new_shaped(spline, row->frequency, row->damping, row->robust, &shaped, error);
    fb_spline_free(spline);
    spline = shaped;
  }
  if (!status) return own_spline(s, spline, out, error);
  fb_node_place_error(list, error);
  return status;
}

static fb_status need_values(const fb_node* list, const char* what, const char* several,
                             const fb_scenario_path* path, fb_error* error) {
  fb_status status = fb_node_need_list(list, what, error);
  if (status || fb_node_count(list) == path->count) return status;
  return fb_node_fail(list, error, FB_ERR_CONTENT, "there are %d times, but %d %s; give one for each",
                      path->count, fb_node_count(list), several);
}

fb_status fb_scenario_spline(fb_scenario* s, const fb_node* list, const fb_field* field, int body, int i,
                             const fb_scenario_path* path, const fb_spline** out, fb_error* error) {
  fb_status status = need_values(list, "numbers", "values", path, error);
  if (status) return status;
  double* numbers = malloc((size_t)path->count * sizeof *numbers);
  if (!numbers) return fb_scenario_no_memory(error);
  for (int k = 0; k < path->count && !status; k++) {
    const fb_node* item = fb_node_item(list, k);
    status = body < 0 ? fb_node_number(item, field->quantity, &numbers[k], error)
                      : fb_scenario_number(s, item, field, body, i, &numbers[k], error);
  }
  if (!status) status = make_spline(s, list, path, numbers, out, error);
  free(numbers);
  return status;
}

fb_status fb_scenario_splines3(fb_scenario* s, const fb_node* list, const fb_field* field,
                               const fb_scenario_path* path, const fb_spline* out[3], fb_error* error) {
  fb_status status = need_values(list, "points, as [[1, 0, 0], [1, 0.5, 0]]", "points", path, error);
  if (status) return status;
  size_t n = (size_t)path->count;
  double* numbers = malloc(3 * n * sizeof *numbers); /* all x, all y, all z */
  if (!numbers) return fb_scenario_no_memory(error);
  for (size_t k = 0; k < n && !status; k++) {
    double point[3];
    status = fb_node_numbers(fb_node_item(list, (int)k), field->quantity, 3, point, error);
    for (size_t i = 0; i < 3 && !status; i++) numbers[i * n + k] = point[i];
  }
  for (size_t i = 0; i < 3 && !status; i++)
    status = make_spline(s, list, path, numbers + i * n, &out[i], error);
  free(numbers);
  return status;
}

/* --- forces --- */

fb_status fb_scenario_force_path(fb_scenario* s, const fb_fields* values, const char* number_key,
                                 const char* path_key, const fb_spline** out, fb_error* error) {
  const fb_node *number = fb_fields_value(values, number_key), *map = fb_fields_value(values, path_key);
  fb_fields inner;
  fb_scenario_path path;
  double force = 0;
  if (number && map)
    return fb_node_fail(map, error, FB_ERR_CONTENT, "'%s' and '%s' are both there; keep one of them",
                        number_key, path_key);
  if (number) {
    fb_status status = fb_fields_get(values, number_key, &force, error);
    return status ? status : fb_scenario_constant(s, force, out, error);
  }
  if (!map) return FB_OK;
  fb_status status = fb_scenario_path_of(s, map, FB_SCENARIO_FORCE_PATH, &inner, &path, error);
  if (status) return status;
  return fb_scenario_spline(s, fb_fields_value(&inner, "forces"), fb_fields_row(&inner, "forces"), -1, 0,
                            &path, out, error);
}

/* --- attitudes --- */

fb_status fb_scenario_turn(fb_scenario* s, const fb_fields* law, const fb_spline** turn, double axis_w[3],
                           fb_error* error) {
  const fb_node *map = fb_fields_value(law, "turn"), *axis = fb_fields_value(law, "axis");
  fb_fields values;
  fb_scenario_path path;
  if (axis && !map)
    return fb_node_fail(axis, error, FB_ERR_CONTENT, "'axis' also needs 'turn', with times and angles");
  if (map && !axis)
    return fb_node_fail(map, error, FB_ERR_CONTENT, "'turn' also needs 'axis', such as [0, 0, 1]");
  if (!map) return FB_OK;
  fb_status status = fb_fields_get(law, "axis", axis_w, error);
  if (!status) status = fb_scenario_path_of(s, map, FB_SCENARIO_TURN, &values, &path, error);
  if (status) return status;
  return fb_scenario_spline(s, fb_fields_value(&values, "angles"), fb_fields_row(&values, "angles"), -1, 0,
                            &path, turn, error);
}
