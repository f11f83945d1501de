/* surface.c -- the surfaces of a scenario: ground, walls and rocks that contacts name. They become colliders, and are
 * written for the run store, so that pictures draw what the contacts use. */
#include <stdlib.h>
#include <string.h>

#include <freebody/json.h>
#include <freebody/rotation.h>

#include "base/grow.h"
#include "math/axis.h"
#include "scenario/scenario.h"
#include "text/path.h"

/* In the order of fb_surface_kind. */
static const fb_collider_kind COLLIDERS[] = {FB_COLLIDER_PLANE,  FB_COLLIDER_HEIGHTFIELD,
                                             FB_COLLIDER_SPHERE, FB_COLLIDER_ELLIPSOID,
                                             FB_COLLIDER_BOX,    FB_COLLIDER_MESH};

int fb_scenario_find_surface(const fb_scenario* s, const char* name) {
  for (int i = 0; i < s->nsurface; i++)
    if (strcmp(s->surfaces[i].name, name) == 0) return i;
  return -1;
}

/* --- reading --- */

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

static fb_status read_mesh(fb_scenario* s, const fb_fields* values, const char* file,
                           fb_scenario_surface* surface, fb_error* error) {
  const fb_node *node = fb_fields_value(values, "file"), *scale = fb_fields_value(values, "scale");
  fb_collider* c = &surface->collider;
  c->size[0] = c->size[1] = c->size[2] = 1;
  fb_status status = scale ? fb_node_scale(scale, c->size, error) : FB_OK;
  if (status) return status;
  char* path = fb_path_beside(s->folder_of, file);
  surface->stored = fb_scenario_print(s, "surface:%.200s", surface->name);
  status = path && surface->stored ? fb_scenario_contact_mesh(s, node, path, c->size, &surface->mesh, error)
                                   : fb_scenario_no_memory(error);
  free(path);
  if (!status) c->geometry = s->meshes[surface->mesh].geometry;
  return status;
}

static fb_status read_surface(fb_scenario* s, const fb_node* map, fb_error* error) {
  fb_fields values;
  fb_surface_row row = {.name = NULL};
  int kind = 0, frame = FB_WORLD;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_SURFACE, &values, error);
  if (!status) status = fb_fields_word(&values, "kind", &kind, error);
  if (!status) status = fb_fields_read(&values, kind, &row, error);
  if (!status) status = check_name(s, fb_fields_value(&values, "name"), row.name, error);
  if (!status && row.body)
    status = fb_scenario_frame_or_world(s, fb_fields_value(&values, "body"), &frame, error);
  if (status) return status;
  fb_scenario_surface surface = {
      .name = row.name, .kind = (fb_surface_kind)kind, .collider = fb_default_collider(), .color = row.color};
  surface.collider.kind = COLLIDERS[kind];
  surface.collider.frame = frame;
  memcpy(surface.collider.at, row.at, sizeof row.at);
  memcpy(surface.collider.size, row.size, sizeof row.size);
  status = read_axes(&values, &row, surface.collider.R, error);
  if (!status && row.material)
    status = fb_scenario_find_material(s, fb_fields_value(&values, "material"), &surface.material, error);
  if (!status && kind == FB_SURFACE_MESH) status = read_mesh(s, &values, row.file, &surface, error);
  if (!status && kind == FB_SURFACE_HEIGHTFIELD)
    status = fb_scenario_read_heights(s, &values, &surface, error);
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
  const fb_node* list = fb_fields_value(values, "surfaces");
  if (!list) return FB_OK;
  fb_status status = fb_scenario_need_list(list, "surfaces", error);
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    status = fb_scenario_go_on(s, read_surface(s, fb_node_item(list, i), error), error);
  return status ? status : fb_scenario_check_names(list, NULL, "surface", error);
}

/* --- for the store --- */

static void put_surface(fb_json* json, const fb_scenario* s, const fb_scenario_surface* surface) {
  const fb_collider* c = &surface->collider;
  double quat[4], size[3];
  fb_rot_to_quat(c->R, quat);
  fb_json_begin_map(json);
  fb_json_put_text(json, "name", surface->name);
  fb_json_put_text(json, "kind", fb_surface_words[surface->kind]);
  if (c->frame != FB_WORLD) fb_json_put_text(json, "body", fb_frame_name(s->model, c->frame));
  fb_json_put_numbers(json, "at", c->at, 3);
  fb_json_put_numbers(json, "quat", quat, 4);
  if (surface->kind == FB_SURFACE_HEIGHTFIELD) {
    fb_json_put_numbers(json, "spacing", surface->spacing, 2);
    fb_json_key(json, "heights");
    fb_json_matrix(json, surface->heights, surface->ny, surface->nx);
  } else if (surface->kind != FB_SURFACE_PLANE) {
    unsigned mirrored = surface->kind == FB_SURFACE_MESH ? s->meshes[surface->mesh].mirrored : 0;
    for (int i = 0; i < 3; i++) size[i] = (mirrored >> i) & 1 ? -c->size[i] : c->size[i];
    fb_json_put_numbers(json, "size", size, surface->kind == FB_SURFACE_SPHERE ? 1 : 3);
  }
  if (surface->kind == FB_SURFACE_MESH) fb_json_put_text(json, "mesh", surface->stored);
  if (surface->color) fb_json_put_text(json, "color", surface->color);
  fb_json_end_map(json);
}

void fb_scenario_print_surfaces(fb_json* json, const fb_scenario* s) {
  fb_json_begin_list(json);
  for (int i = 0; i < s->nsurface; i++) put_surface(json, s, &s->surfaces[i]);
  fb_json_end_list(json);
}
