/* shape.c -- reads <visual> and <collision>: geometry, placement, material, and what <freebody>
 * adds (capsules, ellipsoids, colours of contact shapes, shapes that serve both uses). */
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/notes.h"
#include "format/urdf/reader.h"
#include "format/color.h"
#include "model/definition/name_index.h"
#include "text/path.h"

enum { COLOR_SIZE = 10 };

/* --- colours --- */

/* "#rrggbb", or "#rrggbbaa" when not opaque. */
static fb_status read_rgba(const fb_urdf_reader* r, int element, char color[COLOR_SIZE]) {
  const char* text;
  double rgba[4] = {0, 0, 0, 1};
  fb_status status = fb_xml_need_attribute(r->xml, element, "rgba", &text, r->error);
  int count = fb_xml_number_count(r->xml, element, "rgba") == 3 ? 3 : 4; /* without alpha: opaque */
  if (!status) status = fb_xml_numbers(r->xml, element, "rgba", count, rgba, r->error);
  if (status) return status;
  int changed = 0;
  for (int i = 0; i < 4; i++) changed |= rgba[i] < 0 || rgba[i] > 1; /* others move by 1/510 at most */
  if (changed)
    fb_io_note(r->options, "line %d: the colour rgba=\"%.60s\" is brought into the range from 0 to 1",
               fb_xml_place(r->xml, element).line, text);
  fb_color_print(rgba, color);
  return FB_OK;
}

/* The <material> that is meant by this one of a shape: itself, or the robot's, or another shape's of its name, with a colour;
 * FB_XML_NONE when there is none. */
static int find_material(const fb_urdf_reader* r, int material, const char* name) {
  if (fb_xml_child(r->xml, material, "color") != FB_XML_NONE || !name || !name[0]) return material;
  int shared = fb_names_find(r->materials, r->nmaterial, name);
  if (shared >= 0) return shared;
  shared = fb_names_find(r->visual_materials, r->nvisual_material, name);
  if (shared >= 0) return shared;
  return fb_xml_first(r->xml, material) != FB_XML_NONE ? material : FB_XML_NONE; /* one with a texture */
}

/* Errors that leave out a colour or a shape, and not the robot; xacro's expressions are for xacro. */
static int is_soft(fb_status status) {
  return status == FB_ERR_CONTENT || status == FB_ERR_NOT_FINITE;
}

/* The colour of a <material>. r->error is not NULL. */
static fb_status read_material(fb_urdf_reader* r, int shape, const char* link, char color[COLOR_SIZE]) {
  int child = fb_xml_child(r->xml, shape, "material");
  if (child == FB_XML_NONE) return FB_OK;
  const char* name = fb_xml_attribute(r->xml, child, "name");
  int material = find_material(r, child, name);
  if (material == FB_XML_NONE)
    return fb_urdf_add_slip(r, FB_SLIP_MATERIAL, child, "of '%.60s' (%.40s)", link, name);
  int rgba = fb_xml_child(r->xml, material, "color");
  fb_status status = rgba != FB_XML_NONE ? read_rgba(r, rgba, color) : FB_OK;
  if (is_soft(status))
    return fb_urdf_add_slip(r, FB_SLIP_MATERIAL, child, "of '%.60s' (%.90s)", link, r->error->text);
  if (name && name[0] && (!color[0] || strcmp(name, color + 1) != 0)) r->material_names++;
  return status;
}

/* --- meshes --- */

/* One factor for all axes, or three. */
static fb_status read_scale(const fb_urdf_reader* r, int element, double scale[3]) {
  int one = fb_xml_number_count(r->xml, element, "scale") == 1;
  scale[0] = scale[1] = scale[2] = 1;
  fb_status status = fb_xml_numbers(r->xml, element, "scale", one ? 1 : 3, scale, r->error);
  if (one) scale[1] = scale[2] = scale[0];
  return status;
}

/* *skip is set for meshes that cannot be shown: a lost picture must not keep a robot from loading. */
static fb_status read_mesh(fb_urdf_reader* r, int element, fb_shape_def* shape, char** file, int* skip) {
  const char* address;
  fb_status status = fb_xml_need_attribute(r->xml, element, "filename", &address, r->error);
  if (!status) status = read_scale(r, element, shape->size);
  if (status) return status;
  shape->kind = FB_SHAPE_MESH;
  *skip = !fb_path_ends_with(address, ".stl") && !fb_path_ends_with(address, ".obj") &&
          !fb_path_ends_with(address, ".dae");
  if (*skip) return fb_urdf_add_slip(r, FB_SLIP_MESH_FORMAT, element, "'%.100s'", address);
  int found = 1;
  status = fb_packages_resolve(&r->packages, address, file, &found, r->error);
  if (!status && !found) {
    const char* name = strstr(address, "//") + 2;
    fb_urdf_add_slip(r, FB_SLIP_PACKAGE, element, "'%.*s'", (int)strcspn(name, "/"), name);
  }
  shape->file = *file;
  return status;
}

/* --- geometry --- */

/* Kinds that are given by a radius, a length, or both, or by three numbers. */
typedef struct kind_row {
  const char* name;
  fb_shape_kind kind;
  const char* attributes[2];
  int counts[2];
} kind_row;

static const kind_row KINDS[] = {
    {"box", FB_SHAPE_BOX, {"size", NULL}, {3, 0}},
    {"sphere", FB_SHAPE_SPHERE, {"radius", NULL}, {1, 0}},
    {"cylinder", FB_SHAPE_CYLINDER, {"radius", "length"}, {1, 1}},
    {"capsule", FB_SHAPE_CAPSULE, {"radius", "length"}, {1, 1}},
    {"ellipsoid", FB_SHAPE_ELLIPSOID, {"radii", NULL}, {3, 0}},
};
enum { NKIND = sizeof KINDS / sizeof KINDS[0] };

static const kind_row* find_kind(const char* name) {
  for (int i = 0; i < NKIND; i++)
    if (strcmp(KINDS[i].name, name) == 0) return &KINDS[i];
  return NULL;
}

static fb_status read_sizes(const fb_urdf_reader* r, int element, const kind_row* row, fb_shape_def* shape) {
  int at = 0;
  shape->kind = row->kind;
  for (int i = 0; i < 2 && row->attributes[i]; i++) {
    const char* text;
    fb_status status = fb_xml_need_attribute(r->xml, element, row->attributes[i], &text, r->error);
    if (!status)
      status =
          fb_xml_numbers(r->xml, element, row->attributes[i], row->counts[i], shape->size + at, r->error);
    if (status) return status;
    at += row->counts[i];
  }
  return FB_OK;
}

static fb_status read_geometry(fb_urdf_reader* r, int shape_element, fb_shape_def* shape, char** file,
                               int* skip) {
  int geometry;
  fb_status status = fb_xml_need_child(r->xml, shape_element, "geometry", &geometry, r->error);
  if (status) return status;
  int e = fb_xml_first(r->xml, geometry);
  if (e == FB_XML_NONE)
    return fb_xml_fail(r->xml, geometry, r->error, FB_ERR_CONTENT,
                       "<geometry> is empty; it needs a box, cylinder, sphere, capsule or mesh");
  const char* name = fb_xml_name(r->xml, e);
  if (strcmp(name, "mesh") == 0) return read_mesh(r, e, shape, file, skip);
  const kind_row* row = find_kind(name);
  if (row && row->kind != FB_SHAPE_ELLIPSOID) return read_sizes(r, e, row, shape);
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT,
                     "<%s> is not a geometry; it is one of box, cylinder, sphere, capsule, mesh", name);
}

/* --- <freebody> --- */

static fb_status read_use(const fb_urdf_reader* r, int e, int is_visual, fb_shape_def* shape, int* skip) {
  const char* use = fb_xml_attribute(r->xml, e, "use");
  if (!use) return FB_OK;
  if (strcmp(use, "both") != 0)
    return fb_xml_fail(
        r->xml, e, r->error, FB_ERR_CONTENT,
        "use=\"%s\" is not known; the one word here is \"both\": one shape to see and to touch", use);
  shape->use = FB_SHAPE_USE_BOTH;
  if (!is_visual) *skip = 1; /* the equal <visual> was read already */
  return FB_OK;
}

static fb_status read_extension(const fb_urdf_reader* r, int shape_element, int is_visual,
                                fb_shape_def* shape, int* skip) {
  static const char* const known[] = {"use", "kind", "color", "radius", "length", "radii", NULL};
  int e = fb_xml_child(r->xml, shape_element, "freebody");
  if (e == FB_XML_NONE) return FB_OK;
  fb_status status = fb_xml_check_attributes(r->xml, e, known, r->error);
  if (!status) status = read_use(r, e, is_visual, shape, skip);
  if (status) return status;
  const char* color = fb_xml_attribute(r->xml, e, "color");
  if (color) shape->color = color;
  const char* kind = fb_xml_attribute(r->xml, e, "kind");
  if (!kind) return FB_OK;
  const kind_row* row = find_kind(kind);
  if (row) return read_sizes(r, e, row, shape);
  return fb_xml_fail(r->xml, e, r->error, FB_ERR_CONTENT,
                     "kind=\"%s\" is not known; it is one of box, sphere, cylinder, capsule, ellipsoid",
                     kind);
}

/* --- shapes --- */

/* Sizes that count for a kind; a mesh may be mirrored, but not flattened. */
static int has_extent(const fb_shape_def* s) {
  int count = s->kind == FB_SHAPE_SPHERE                                    ? 1
              : s->kind == FB_SHAPE_CYLINDER || s->kind == FB_SHAPE_CAPSULE ? 2
                                                                            : 3;
  for (int i = 0; i < count; i++)
    if (s->kind == FB_SHAPE_MESH ? s->size[i] == 0 : !(s->size[i] > 0)) return 0;
  return 1;
}

/* What URDF has of a shape. Errors in it leave the shape out. */
static fb_status read_plain(fb_urdf_reader* r, int element, const char* link, fb_shape_def* shape,
                            char** file, char color[COLOR_SIZE], int* skip) {
  fb_error *error = r->error, why;
  r->error = &why;
  fb_status status = fb_urdf_read_origin(r, element, shape->at, shape->R);
  if (!status) status = read_geometry(r, element, shape, file, skip);
  if (!status) status = read_material(r, element, link, color);
  r->error = error;
  if (is_soft(status)) {
    fb_urdf_add_slip(r, FB_SLIP_BAD_SHAPE, element, "of '%.40s' (%.90s)", link, why.text);
    *skip = 1;
    return FB_OK;
  }
  if (status && error) *error = why;
  return status;
}

static fb_status add_shape(fb_urdf_reader* r, int element, int body, const double turn[9],
                           fb_shape_def* shape) {
  if (!has_extent(shape))
    return fb_urdf_add_slip(r, FB_SLIP_EMPTY_SHAPE, element, "of '%.60s'",
                            fb_model_def_body(r->def, body)->name);
  double turn_t[9];
  fb_rot_apply_transpose(turn, shape->at, shape->at);
  fb_rot_transpose(turn, turn_t);
  fb_rot_multiply(turn_t, shape->R, shape->R);
  return fb_model_def_add_shape(r->def, body, shape, r->error);
}

static fb_status read_shape(fb_urdf_reader* r, int element, int is_visual, int body, const double turn[9]) {
  char color[COLOR_SIZE] = "", *file = NULL;
  int skip = 0;
  fb_shape_def shape = fb_default_shape_def();
  const char* name = fb_xml_attribute(r->xml, element, "name");
  shape.name = name && name[0] ? name : NULL;
  shape.place = fb_xml_place(r->xml, element);
  shape.use = is_visual ? FB_SHAPE_USE_VISUAL : FB_SHAPE_USE_CONTACT;
  fb_status status =
      read_plain(r, element, fb_model_def_body(r->def, body)->name, &shape, &file, color, &skip);
  if (!status && color[0]) shape.color = color;
  if (!status) status = read_extension(r, element, is_visual, &shape, &skip);
  if (!status && !skip) status = add_shape(r, element, body, turn, &shape);
  free(file);
  return status;
}

fb_status fb_urdf_read_shapes(fb_urdf_reader* r, int link, int body, const double turn[9]) {
  for (int e = fb_xml_first(r->xml, link); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    int is_visual = strcmp(fb_xml_name(r->xml, e), "visual") == 0;
    if (!is_visual && strcmp(fb_xml_name(r->xml, e), "collision") != 0) continue;
    fb_status status = read_shape(r, e, is_visual, body, turn);
    if (status) return status;
  }
  return FB_OK;
}
