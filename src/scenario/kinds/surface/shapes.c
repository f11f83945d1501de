/* shapes.c -- the kinds of surfaces that a few numbers describe, and meshes. */
#include <stdlib.h>

#include <freebody/support/json.h>

#include "scenario/kinds/kinds.h"
#include "scenario/kinds/surface/surface.h"
#include "text/path.h"

static fb_status shape_mesh(fb_scenario* s, const fb_fields* values, fb_scenario_surface* surface,
                            fb_error* error) {
  const fb_node *node = fb_fields_value(values, "file"), *scale = fb_fields_value(values, "scale");
  const char* file = NULL;
  fb_collider* c = &surface->collider;
  c->size[0] = c->size[1] = c->size[2] = 1;
  fb_status status = fb_fields_get(values, "file", &file, error);
  if (!status && scale) status = fb_node_scale(scale, c->size, error);
  if (status) return status;
  char* path = fb_path_beside(s->folder_of, file);
  surface->stored = fb_scenario_print(s, "surface:%.200s", surface->name);
  status = path && surface->stored ? fb_scenario_contact_mesh(s, node, path, c->size, &surface->mesh, error)
                                   : fb_scenario_no_memory(error);
  free(path);
  if (!status) c->geometry = s->meshes[surface->mesh].geometry;
  return status;
}

/* For the store. */
static void put_mesh(fb_json* json, const fb_scenario* s, const fb_scenario_surface* surface) {
  unsigned mirrored = s->meshes[surface->mesh].mirrored;
  double size[3];
  for (int i = 0; i < 3; i++)
    size[i] = (mirrored >> i) & 1 ? -surface->collider.size[i] : surface->collider.size[i];
  fb_json_put_numbers(json, "size", size, 3);
  fb_json_put_string(json, "mesh", surface->stored);
}

#define SHAPE(code, count, text, list) \
  { .schema = {.help = text, .keys = list}, .collider = code, .nsize = count }

const fb_kind fb_kind_surface_plane = SHAPE(FB_COLLIDER_PLANE, 0, "without end", "");
const fb_kind fb_kind_surface_sphere = SHAPE(FB_COLLIDER_SPHERE, 1, NULL, "radius!");
const fb_kind fb_kind_surface_ellipsoid = SHAPE(FB_COLLIDER_ELLIPSOID, 3, NULL, "radii!");
const fb_kind fb_kind_surface_box = SHAPE(FB_COLLIDER_BOX, 3, NULL, "size!");
const fb_kind fb_kind_surface_mesh = {.schema = {.help = "triangles of a file", .keys = "file! scale"},
                                      .collider = FB_COLLIDER_MESH,
                                      .shape = shape_mesh,
                                      .put_shape = put_mesh};
