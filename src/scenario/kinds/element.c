/* element.c -- forces of a scenario between two frames: springs, tethers and bushings. */
#include <string.h>

#include <freebody/element.h>

#include "scenario/kinds.h"

enum { SIX = 6 };

/* The settings: one of the two. */
typedef struct element {
  int is_bushing;
  fb_spring spring;
  fb_bushing bushing;
} element;

static const element* element_of(const fb_scenario_block* block) {
  return (const element*)block->settings;
}

/* --- reading --- */

static fb_status read_number(const fb_node* node, const fb_field* row, fb_quantity quantity, double* out,
                             fb_error* error) {
  fb_status status = fb_node_number(node, quantity, out, error);
  return status ? status : fb_field_check_range(node, row, *out, error);
}

/* A number of a spring; of a bushing six, the last three about axes. */
static fb_status read_numbers(const fb_fields* values, const char* key, int count, double* out,
                              fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  const fb_field* row = fb_fields_row(values, key);
  if (!node) return FB_OK;
  if (count == 1) return read_number(node, row, row->quantity, out, error);
  if (fb_node_get_kind(node) != FB_NODE_LIST || fb_node_count(node) != count)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the %s of a bushing is a list of %d numbers: along x, y, z, then about x, y, z of a",
                        key, count);
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++)
    status = read_number(fb_node_item(node, i), row, i < 3 ? row->quantity : row->angular, out + i, error);
  return status;
}

static fb_status read_frames(const fb_scenario* s, const fb_fields* values, int* a, int* b, fb_error* error) {
  fb_status status = fb_scenario_frame_or_world(s, fb_fields_value(values, "a"), a, error);
  return status ? status : fb_scenario_frame_or_world(s, fb_fields_value(values, "b"), b, error);
}

static fb_status read_spring(const fb_scenario* s, const fb_fields* values, fb_spring* out, fb_error* error) {
  *out = fb_default_spring();
  fb_status status = read_frames(s, values, &out->a, &out->b, error);
  if (!status) status = read_numbers(values, "stiffness", 1, &out->stiffness, error);
  if (!status) status = read_numbers(values, "damping", 1, &out->damping, error);
  if (!status) status = fb_fields_get(values, "length", &out->length, error);
  return status ? status : fb_fields_get(values, "slack", &out->slack, error);
}

static fb_status read_bushing(const fb_scenario* s, const fb_fields* values, fb_bushing* out,
                              fb_error* error) {
  *out = fb_default_bushing();
  fb_status status = read_frames(s, values, &out->a, &out->b, error);
  if (!status) status = read_numbers(values, "stiffness", SIX, out->stiffness, error);
  return status ? status : read_numbers(values, "damping", SIX, out->damping, error);
}

fb_status fb_scenario_read_element(fb_scenario* s, const fb_fields* values, int variant, int index,
                                   fb_error* error) {
  fb_force_row row = {.to = 0};
  fb_scenario_block block;
  fb_status status = fb_fields_read(values, variant, &row, error);
  if (!status) status = fb_scenario_new_block(s, &fb_kind_element, row.name, "forces", index, &block, error);
  if (status) return status;
  element* own = (element*)block.settings;
  own->is_bushing = variant == FB_FORCE_BUSHING;
  status = own->is_bushing ? read_bushing(s, values, &own->bushing, error)
                           : read_spring(s, values, &own->spring, error);
  if (!status) status = fb_scenario_try_block(s, values->map, &block, error);
  return status ? status : fb_scenario_add_block(s, &block, error);
}

/* --- its block --- */

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const element* own = element_of(block);
  fb_spring spring = own->spring;
  fb_bushing bushing = own->bushing;
  spring.name = bushing.name = block->name;
  return own->is_bushing ? fb_block_bushing(s->model, &bushing, out, error)
                         : fb_block_spring(s->model, &spring, out, error);
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
static int pushes(const fb_scenario_block* block, int turns) {
  const element* own = element_of(block);
  int a = own->is_bushing ? own->bushing.a : own->spring.a,
      b = own->is_bushing ? own->bushing.b : own->spring.b;
  if (turns && !own->is_bushing) return FB_WORLD;
  return b == FB_WORLD ? a : b;
}

/* --- in words --- */

static void add_six(fb_text* out, const double* x, const char* unit, const char* angular) {
  fb_scenario_add_vector(out, x, unit);
  fb_text_add(out, " and ");
  fb_scenario_add_vector(out, x + 3, angular);
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const element* own = element_of(block);
  const fb_spring* spring = &own->spring;
  int a = own->is_bushing ? own->bushing.a : spring->a, b = own->is_bushing ? own->bushing.b : spring->b;
  fb_text_printf(out, "%s between %s and %s: ",
                 own->is_bushing ? "bushing"
                 : spring->slack ? "tether"
                                 : "spring",
                 fb_frame_name(s->model, a), fb_frame_name(s->model, b));
  if (own->is_bushing) {
    add_six(out, own->bushing.stiffness, "N/m", "N m/rad");
    fb_text_add(out, ", damping ");
    add_six(out, own->bushing.damping, "N s/m", "N m s/rad");
    return;
  }
  fb_text_printf(out, "%.6g N/m", spring->stiffness);
  if (spring->damping > 0) fb_text_printf(out, ", damping %.6g N s/m", spring->damping);
  if (spring->length >= 0)
    fb_text_printf(out, ", length %.6g m", spring->length);
  else
    fb_text_add(out, ", length as at the start");
}

const fb_kind fb_kind_element = {.heading = "force",
                                 .size = sizeof(element),
                                 .parameters = FB_RANGE_NOT_NEGATIVE,
                                 .make = make,
                                 .explain = explain,
                                 .quantity = quantity,
                                 .pushes = pushes};
