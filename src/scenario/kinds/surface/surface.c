/* surface.c -- the surfaces of a scenario: ground, walls and rocks that contacts name. They become colliders, and are
 * written for the run store, so that pictures draw what the contacts use. */
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/rotation.h>

#include "base/grow.h"
#include "math/axis.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "scenario/kinds/surface/surface.h"
#include "scenario/read/read.h"
#include "scenario/rows.h"

typedef struct fb_surface_row {
  const char *name, *body, *color, *material;
  double at[3], normal[3], size[3];
} fb_surface_row;

static const fb_field FIELDS[] = {
    PLAIN(SURFACE, "name", TEXT, EVERY, EVERY, AT(fb_surface_row, name), NULL,
          "its name, by which contacts refer to it; unique among surfaces, bodies and frames"),
    KIND_WORD(SURFACE, "kind", fb_surface_words, EVERY, NULL, NULL),
    PLAIN(SURFACE, "body", TEXT, EVERY, NEVER, AT(fb_surface_row, body), "the world",
          "the body or frame that it is fixed to"),
    PLACE(SURFACE, AT(fb_surface_row, at), "0, 0, 0", "no rotation",
          "the body or the world: a point of a plane, the centre of a sphere, ellipsoid or box, the corner "
          "of a heightfield, the origin of a mesh"),
    UNIT(SURFACE, "normal", AXIS, NONE, ANY, EVERY, NEVER, AT(fb_surface_row, normal), "0, 0, 1",
         "or its z axis, of any length: outwards of a plane, upwards of a heightfield"),
    UNIT(SURFACE, "radius", NUMBER, LENGTH, POSITIVE, BY_KIND_INTO, NEVER, AT(fb_surface_row, size), NULL,
         "radius"),
    UNIT(SURFACE, "radii", VECTOR, LENGTH, POSITIVE, BY_KIND_INTO, NEVER, AT(fb_surface_row, size), NULL,
         "half axes along x, y, z"),
    UNIT(SURFACE, "size", VECTOR, LENGTH, POSITIVE, BY_KIND_INTO, NEVER, AT(fb_surface_row, size), NULL,
         "edges along x, y, z"),
    PLAIN(SURFACE, "file", TEXT, BY_KIND, NEVER, -1, "of a heightfield this or `heights` is required",
          "STL, OBJ or COLLADA file; of a heightfield a text file with a row of heights on each line"),
    PLAIN(SURFACE, "scale", SCALE, BY_KIND, NEVER, -1, "1",
          "factor, or one for each of x, y, z; none of them zero"),
    UNIT(SURFACE, "heights", GRID, LENGTH, ANY, BY_KIND, NEVER, -1, "this or `file` is required",
         "heights along z: number i of row j is at x = i dx, y = j dy; at least 2 rows of 2"),
    UNIT(SURFACE, "spacing", COORDINATES, LENGTH, POSITIVE, BY_KIND, NEVER, -1, NULL,
         "distance of the heights along x and y: one number, or dx and dy"),
    PLAIN(SURFACE, "color", COLOR, EVERY, NEVER, AT(fb_surface_row, color), "grey",
          "\"#rrggbb\" or \"#rrggbbaa\", in quotes"),
    PLAIN(SURFACE, "material", TEXT, EVERY, NEVER, AT(fb_surface_row, material), "none",
          "the material of contacts with it that name none"),
};

const fb_schema_rows fb_rows_surface = FB_ROWS(FIELDS);

int fb_scenario_find_surface(const fb_scenario* s, const char* name) {
  for (int i = 0; i < s->nsurface; i++)
    if (strcmp(s->surfaces[i].name, name) == 0) return i;
  return -1;
}

/* Contacts refer to surfaces, bodies and frames by name alone. */
static fb_status check_name(const fb_scenario* s, const fb_node* node, const char* name, fb_error* error) {
  int frame = fb_model_find_frame(s->model, name);
  if (frame >= 0)
    return fb_node_fail(node, error, FB_ERR_NAME,
                        "'%.60s' is the name of a %s already; give the surface another", name,
                        frame < fb_model_nbody(s->model) ? "body" : "frame");
  if (!strpbrk(name, "*/")) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_NAME,
                      "the name '%.60s' contains * or /, which mean other things in contacts; leave it out",
                      name);
}

/* The rotation, or the shortest one that takes z to the normal. */
static fb_status read_axes(const fb_fields* values, const fb_surface_row* row, double R[9], fb_error* error) {
  static const char* const rotations[] = {"rpy", "euler_xyz", "quat", "dcm"};
  const fb_node* normal = fb_fields_value(values, "normal");
  double z[3];
  fb_rot_identity(R);
  if (!normal) return fb_fields_rotation(values, R, error);
  for (int i = 0; i < 4; i++)
    if (fb_fields_value(values, rotations[i]))
      return fb_node_fail(normal, error, FB_ERR_CONTENT,
                          "'normal' and '%s' both give the direction; leave one of them out", rotations[i]);
  memcpy(z, row->normal, sizeof z);
  if (!fb_axis_normalise(z))
    return fb_node_fail(normal, error, FB_ERR_CONTENT, "'normal' has no direction that can be computed with");
  fb_axis_from_z(z, R);
  return FB_OK;
}

static fb_status read_surface(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  fb_surface_row row = {.name = NULL};
  int kind = 0, frame = FB_WORLD;
  (void)index;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_SURFACE, &values, error);
  if (!status) status = fb_fields_word(&values, "kind", &kind, error);
  if (!status) status = fb_fields_read(&values, kind, &row, error);
  if (!status) status = check_name(s, fb_fields_value(&values, "name"), row.name, error);
  if (!status && row.body)
    status = fb_scenario_frame_or_world(s, fb_fields_value(&values, "body"), &frame, error);
  if (status) return status;
  fb_scenario_surface surface = {.name = row.name,
                                 .kind = fb_kinds[FB_SECTION_SURFACE][kind],
                                 .collider = fb_default_collider(),
                                 .color = row.color};
  surface.collider.kind = surface.kind->collider;
  surface.collider.frame = frame;
  memcpy(surface.collider.at, row.at, sizeof row.at);
  memcpy(surface.collider.size, row.size, sizeof row.size);
  status = read_axes(&values, &row, surface.collider.R, error);
  if (!status && row.material)
    status = fb_scenario_find_material(s, fb_fields_value(&values, "material"), &surface.material, error);
  if (!status && surface.kind->shape) status = surface.kind->shape(s, &values, &surface, error);
  if (status) return status;
  status = fb_collider_check(&surface.collider, error);
  if (status) fb_node_place_error(map, error);
  if (status) return status;
  if (!fb_grow(&s->surfaces, (size_t)s->nsurface, 1, &s->surface_room, sizeof *s->surfaces))
    return fb_scenario_no_memory(error);
  s->surfaces[s->nsurface++] = surface;
  return FB_OK;
}

fb_status fb_scenario_read_surfaces(fb_scenario* s, const fb_fields* values, fb_error* error) {
  return fb_scenario_read_list(s, values, "surfaces", "surfaces", "surface", read_surface, error);
}

static void put_surface(fb_json* json, const fb_scenario* s, const fb_scenario_surface* surface) {
  const fb_collider* c = &surface->collider;
  double quat[4];
  fb_rot_to_quat(c->R, quat);
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", surface->name);
  fb_json_put_string(json, "kind", fb_kind_name(surface->kind));
  if (c->frame != FB_WORLD) fb_json_put_string(json, "body", fb_frame_name(s->model, c->frame));
  fb_json_put_numbers(json, "at", c->at, 3);
  fb_json_put_numbers(json, "quat", quat, 4);
  if (surface->kind->nsize > 0) fb_json_put_numbers(json, "size", c->size, surface->kind->nsize);
  if (surface->kind->put_shape) surface->kind->put_shape(json, s, surface);
  if (surface->color) fb_json_put_string(json, "color", surface->color);
  fb_json_end_map(json);
}

void fb_scenario_print_surfaces(fb_json* json, const fb_scenario* s) {
  fb_json_begin_list(json);
  for (int i = 0; i < s->nsurface; i++) put_surface(json, s, &s->surfaces[i]);
  fb_json_end_list(json);
}
