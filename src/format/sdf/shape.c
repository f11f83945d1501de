/* shape.c -- <visual> and <collision> of an SDF link. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/sdf/reader.h"
#include "text/path.h"

/* *file is the mesh's, to be freed; NULL when it cannot be shown. */
static fb_status read_mesh(fb_sdf_reader* r, int mesh, fb_shape_def* shape, char** file) {
  char address[1000];
  const char* uri = fb_sdf_text(r, mesh, "uri");
  int found = 1;
  *file = NULL;
  shape->kind = FB_SHAPE_MESH;
  shape->size[0] = shape->size[1] = shape->size[2] = 1;
  fb_status status = fb_sdf_numbers(r, mesh, "scale", 3, shape->size, NULL);
  if (status || !uri) return status;
  for (int i = 0; i < 3; i++)
    if (shape->size[i] == 0)
      return fb_xml_fail(r->xml, mesh, r->error, FB_ERR_CONTENT, "the scale of a mesh is zero");
  snprintf(address, sizeof address, "%s", uri);
  for (size_t n = strlen(address); n > 0 && strchr(" \n\t\r", address[n - 1]); n--) address[n - 1] = '\0';
  if (!fb_path_ends_with(address, ".stl") && !fb_path_ends_with(address, ".obj") &&
      !fb_path_ends_with(address, ".dae"))
    return FB_OK;
  status = fb_packages_resolve(&r->packages, address, file, &found, r->error);
  shape->file = *file;
  return status;
}

/* Returns 0 in *shown for what there is no shape for. */
static fb_status read_geometry(fb_sdf_reader* r, int geometry, fb_shape_def* s, char** file, int* shown) {
  int e = geometry == FB_XML_NONE ? FB_XML_NONE : fb_xml_first(r->xml, geometry), given = 0, two = 1;
  fb_status status = FB_OK;
  *shown = 0;
  if (e == FB_XML_NONE) return FB_OK;
  const char* kind = fb_xml_name(r->xml, e);
  if (strcmp(kind, "mesh") == 0) {
    status = read_mesh(r, e, s, file);
    *shown = *file != NULL;
    return status;
  }
  if (strcmp(kind, "box") == 0) {
    s->kind = FB_SHAPE_BOX;
    status = fb_sdf_numbers(r, e, "size", 3, s->size, &given);
  } else if (strcmp(kind, "ellipsoid") == 0) {
    s->kind = FB_SHAPE_ELLIPSOID;
    status = fb_sdf_numbers(r, e, "radii", 3, s->size, &given);
  } else if (strcmp(kind, "sphere") == 0) {
    s->kind = FB_SHAPE_SPHERE;
    status = fb_sdf_numbers(r, e, "radius", 1, s->size, &given);
  } else if (strcmp(kind, "cylinder") == 0 || strcmp(kind, "capsule") == 0) {
    s->kind = strcmp(kind, "cylinder") == 0 ? FB_SHAPE_CYLINDER : FB_SHAPE_CAPSULE;
    status = fb_sdf_numbers(r, e, "radius", 1, &s->size[0], &given);
    if (!status) status = fb_sdf_numbers(r, e, "length", 1, &s->size[1], &two);
  }
  *shown = given && two;
  for (int i = 0; i < (s->kind == FB_SHAPE_SPHERE                                 ? 1
                       : s->kind == FB_SHAPE_BOX || s->kind == FB_SHAPE_ELLIPSOID ? 3
                                                                                  : 2);
       i++)
    *shown &= s->size[i] > 0;
  return status;
}

static int to_byte(double x) {
  return (int)lround(255 * fmin(fmax(x, 0), 1)) & 0xff;
}

static fb_status read_color(fb_sdf_reader* r, int e, char color[10]) {
  int material = fb_xml_child(r->xml, e, "material"), given = 0;
  double x[4] = {0, 0, 0, 1};
  color[0] = '\0';
  if (material == FB_XML_NONE) return FB_OK;
  fb_status status = fb_sdf_numbers(r, material, "diffuse", 4, x, &given);
  if (status || !given) return FB_OK; /* a picture is not worth refusing a robot */
  int n = snprintf(color, 10, "#%02x%02x%02x", to_byte(x[0]), to_byte(x[1]), to_byte(x[2]));
  if (to_byte(x[3]) != 255) snprintf(color + n, 10 - (size_t)n, "%02x", to_byte(x[3]));
  return FB_OK;
}

static fb_status add_shape(fb_sdf_reader* r, int e, int id, fb_shape_use use) {
  char color[10], *file = NULL;
  fb_shape_def shape = fb_default_shape_def();
  fb_pose pose;
  const char* unused;
  int shown;
  fb_status status = read_geometry(r, fb_xml_child(r->xml, e, "geometry"), &shape, &file, &shown);
  if (!status && !shown) r->lost_meshes++;
  if (!status && shown) status = fb_sdf_pose(r, e, &pose, &unused);
  if (!status && shown) status = read_color(r, e, color);
  if (!status && shown) {
    const char* name = fb_xml_attribute(r->xml, e, "name");
    shape.name = name && *name ? name : NULL;
    shape.use = use;
    shape.color = color[0] ? color : NULL;
    memcpy(shape.at, pose.p, sizeof pose.p);
    memcpy(shape.R, pose.R, sizeof pose.R);
    shape.place = fb_xml_place(r->xml, e);
    status = fb_model_def_add_shape(r->def, id, &shape, r->error);
  }
  free(file);
  return status;
}

fb_status fb_sdf_add_shapes(fb_sdf_reader* r, int item, int id) {
  fb_status status = FB_OK;
  for (int e = fb_xml_first(r->xml, r->items[item].element); e != FB_XML_NONE && !status;
       e = fb_xml_next(r->xml, e)) {
    if (strcmp(fb_xml_name(r->xml, e), "visual") == 0) status = add_shape(r, e, id, FB_SHAPE_USE_VISUAL);
    if (strcmp(fb_xml_name(r->xml, e), "collision") == 0) status = add_shape(r, e, id, FB_SHAPE_USE_CONTACT);
  }
  return status;
}
