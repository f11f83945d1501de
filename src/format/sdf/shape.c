/* shape.c -- <visual> and <collision> of an SDF link. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/sdf/reader.h"
#include "format/color.h"
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

fb_status fb_sdf_geometry(fb_sdf_reader* r, int geometry, fb_shape_def* s, char** file, int* shown) {
  int e = geometry == FB_XML_NONE ? FB_XML_NONE : fb_xml_first(r->xml, geometry), given = 0, two = 1;
  fb_status status = FB_OK;
  *shown = 0;
  *file = NULL;
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

static fb_status read_color(fb_sdf_reader* r, int e, char color[10]) {
  int material = fb_xml_child(r->xml, e, "material"), given = 0;
  double x[4] = {0, 0, 0, 1};
  color[0] = '\0';
  if (material == FB_XML_NONE) return FB_OK;
  fb_status status = fb_sdf_numbers(r, material, "diffuse", 4, x, &given);
  if (status || !given) return FB_OK; /* a picture is no reason to refuse a robot */
  fb_color_print(x, color);
  return FB_OK;
}

static void report_lost(fb_sdf_reader* r, int e) {
  int geometry = fb_xml_child(r->xml, e, "geometry"),
      shape = geometry == FB_XML_NONE ? FB_XML_NONE : fb_xml_first(r->xml, geometry);
  const char* kind = shape == FB_XML_NONE ? "" : fb_xml_name(r->xml, shape);
  if (strcmp(kind, "mesh") == 0)
    fb_unread_add(&r->unread, e, "lost: the mesh of <%.20s> is not STL, OBJ or COLLADA",
                  fb_xml_name(r->xml, e));
  else if (*kind && strcmp(kind, "empty") != 0)
    fb_unread_add(&r->unread, e, "lost: the shape <%.40s> of <%.20s> is not read, or has no size", kind,
                  fb_xml_name(r->xml, e));
}

static fb_status add_shape(fb_sdf_reader* r, int link, int e, fb_shape_use use) {
  char color[10], *file = NULL;
  fb_shape_def shape = fb_default_shape_def();
  fb_pose pose;
  int shown;
  fb_status status = fb_sdf_geometry(r, fb_xml_child(r->xml, e, "geometry"), &shape, &file, &shown);
  if (!status && !shown) report_lost(r, e);
  if (!status && shown) status = fb_sdf_pose_on(r, link, e, &pose);
  if (!status && shown) status = read_color(r, e, color);
  if (!status && shown) {
    const char* name = fb_xml_attribute(r->xml, e, "name");
    shape.name = name && *name ? name : NULL;
    shape.use = use;
    shape.color = color[0] ? color : NULL;
    memcpy(shape.at, pose.p, sizeof pose.p);
    memcpy(shape.R, pose.R, sizeof pose.R);
    shape.place = fb_xml_place(r->xml, e);
    status = fb_model_def_add_shape(r->def, r->items[link].body, &shape, r->error);
  }
  free(file);
  return status;
}

fb_status fb_sdf_add_shapes(fb_sdf_reader* r, int link) {
  fb_status status = FB_OK;
  for (int e = fb_xml_first(r->xml, r->items[link].element); e != FB_XML_NONE && !status;
       e = fb_xml_next(r->xml, e)) {
    if (strcmp(fb_xml_name(r->xml, e), "visual") == 0) status = add_shape(r, link, e, FB_SHAPE_USE_VISUAL);
    if (strcmp(fb_xml_name(r->xml, e), "collision") == 0)
      status = add_shape(r, link, e, FB_SHAPE_USE_CONTACT);
  }
  return status;
}
