/* element.c -- forces of a scenario between two frames: springs, tethers and bushings. */
#include <stdlib.h>
#include <string.h>

#include <freebody/element.h>

#include "element/element.h"
#include "scenario/kinds/kinds.h"

enum { SIX = 6 };

/* A number of a spring; of a bushing six, the last three about axes. */
static fb_status read_numbers(const fb_fields* values, const char* key, int count, double* out,
                              fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  const fb_field* row = fb_fields_row(values, key);
  if (!node) return FB_OK;
  if (count == 1) return fb_field_number(node, row, row->quantity, out, error);
  if (fb_node_get_kind(node) != FB_NODE_LIST || fb_node_count(node) != count)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the %s of a bushing is a list of %d numbers: along x, y, z, then about x, y, z of a",
                        key, count);
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++)
    status =
        fb_field_number(fb_node_item(node, i), row, i < 3 ? row->quantity : row->angular, out + i, error);
  return status;
}

static fb_status read_frames(const fb_scenario* s, const fb_fields* values, int* a, int* b, fb_error* error) {
  fb_status status = fb_scenario_frame_or_world(s, fb_fields_value(values, "a"), a, error);
  return status ? status : fb_scenario_frame_or_world(s, fb_fields_value(values, "b"), b, error);
}

static fb_status read_spring(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                             fb_error* error) {
  fb_spring* out = (fb_spring*)block->settings;
  *out = fb_default_spring();
  out->name = block->name;
  fb_status status = read_frames(s, values, &out->a, &out->b, error);
  if (!status) status = read_numbers(values, "stiffness", 1, &out->stiffness, error);
  if (!status) status = read_numbers(values, "damping", 1, &out->damping, error);
  if (!status) status = fb_fields_get(values, "length", &out->length, error);
  return status ? status : fb_fields_get(values, "slack", &out->slack, error);
}

static fb_status read_bushing(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                              fb_error* error) {
  fb_bushing* out = (fb_bushing*)block->settings;
  *out = fb_default_bushing();
  out->name = block->name;
  fb_status status = read_frames(s, values, &out->a, &out->b, error);
  if (!status) status = read_numbers(values, "stiffness", SIX, out->stiffness, error);
  return status ? status : read_numbers(values, "damping", SIX, out->damping, error);
}

static fb_status make_spring(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                             fb_error* error) {
  return fb_block_new_spring(s->model, (const fb_spring*)block->settings, out, error);
}

static fb_status make_bushing(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                              fb_error* error) {
  return fb_block_new_bushing(s->model, (const fb_bushing*)block->settings, out, error);
}

static fb_status rate(const fb_scenario* s, const fb_scenario_block* block, fb_data* d,
                      const unsigned char* prescribed, double* out, fb_error* error) {
  fb_block made;
  int k;
  double* x = malloc(((size_t)fb_model_nv(s->model) + 1) * sizeof *x);
  fb_status status = x ? block->kind->make(s, block, &made, error) : fb_scenario_no_memory(error);
  if (!status)
    *out = fb_pair_rate(s->model, d, prescribed, fb_pair_of(&made), fb_pair_of(&made)->first, x, &k);
  if (!status) fb_block_free(&made);
  free(x);
  return status;
}

static fb_quantity quantity(const fb_scenario* s, const fb_scenario_block* block, const char* name) {
  (void)s, (void)block;
  const char* dot = strchr(name, '.');
  int turns = dot && dot[1] >= '3';
  if (strcmp(name, "length") == 0) return FB_Q_LENGTH;
  if (name[0] == 's') return turns ? FB_Q_ANGULAR_STIFFNESS : FB_Q_STIFFNESS;
  return turns ? FB_Q_ANGULAR_DAMPING : FB_Q_DAMPING;
}

/* The force on b is shown, or on a when b is the world's. */
static int end_of(int a, int b) {
  return b == FB_WORLD ? a : b;
}

static int spring_pushes(const fb_scenario_block* block, int turns) {
  const fb_spring* spring = (const fb_spring*)block->settings;
  return turns ? FB_WORLD : end_of(spring->a, spring->b);
}

static int bushing_pushes(const fb_scenario_block* block, int turns) {
  const fb_bushing* bushing = (const fb_bushing*)block->settings;
  (void)turns;
  return end_of(bushing->a, bushing->b);
}

static void add_frames(fb_text* out, const fb_scenario* s, const char* what, int a, int b) {
  fb_text_printf(out, "%s between %s and %s: ", what, fb_frame_name(s->model, a), fb_frame_name(s->model, b));
}

static void explain_spring(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_spring* spring = (const fb_spring*)block->settings;
  add_frames(out, s, spring->slack ? "tether" : "spring", spring->a, spring->b);
  fb_text_printf(out, "%.6g N/m", spring->stiffness);
  if (spring->damping > 0) fb_text_printf(out, ", damping %.6g N s/m", spring->damping);
  if (spring->length >= 0)
    fb_text_printf(out, ", length %.6g m", spring->length);
  else
    fb_text_add(out, ", length as at the start");
}

static void add_six(fb_text* out, const double* x, const char* unit, const char* angular) {
  fb_scenario_add_vector(out, x, unit);
  fb_text_add(out, " and ");
  fb_scenario_add_vector(out, x + 3, angular);
}

static void explain_bushing(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_bushing* bushing = (const fb_bushing*)block->settings;
  add_frames(out, s, "bushing", bushing->a, bushing->b);
  add_six(out, bushing->stiffness, "N/m", "N m/rad");
  fb_text_add(out, ", damping ");
  add_six(out, bushing->damping, "N s/m", "N m s/rad");
}

#define ELEMENT_KIND(name, text, list)                                                     \
  {                                                                                        \
    .schema = {.help = text, .keys = list}, .heading = "force", .size = sizeof(fb_##name), \
    .parameters = FB_RANGE_NOT_NEGATIVE, .read = read_##name, .make = make_##name,         \
    .explain = explain_##name, .quantity = quantity, .pushes = name##_pushes, .rate = rate \
  }

const fb_kind fb_kind_force_spring = ELEMENT_KIND(spring, "between two frames, along the line through them",
                                                  "a! b! stiffness! damping length slack");
const fb_kind fb_kind_force_bushing =
    ELEMENT_KIND(bushing, "between two frames, along and about three axes", "a! b! stiffness! damping");
