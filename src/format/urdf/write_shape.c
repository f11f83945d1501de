/* write_shape.c -- writes <visual> and <collision>. Shapes that URDF lacks become the nearest that it
 * has (a capsule the cylinder, an ellipsoid the sphere around it), and <freebody> says what they are. */
#include <math.h>
#include <string.h>

#include "format/color.h"
#include "format/urdf/writer.h"

/* --- colours --- */

static void write_material(fb_urdf_writer* w, const fb_shape_def* shape) {
  double rgba[4];
  if (!fb_color_parse(shape->color, rgba)) return;
  fb_text_add(&w->text, "      <material");
  fb_urdf_add_attribute(w, "name", shape->color + 1);
  fb_text_add(&w->text, "><color");
  fb_urdf_add_numbers(w, "rgba", rgba, 4);
  fb_text_add(&w->text, "/></material>\n");
}

/* --- geometry --- */

static void add_radius_and_length(fb_urdf_writer* w, double radius, double length) {
  fb_urdf_add_numbers(w, "radius", &radius, 1);
  fb_urdf_add_numbers(w, "length", &length, 1);
}

static void write_geometry(fb_urdf_writer* w, const fb_shape_def* s) {
  fb_text_add(&w->text, "      <geometry><");
  if (s->kind == FB_SHAPE_BOX) {
    fb_text_add(&w->text, "box");
    fb_urdf_add_numbers(w, "size", s->size, 3);
  } else if (s->kind == FB_SHAPE_SPHERE || s->kind == FB_SHAPE_ELLIPSOID) {
    double radius = s->kind == FB_SHAPE_SPHERE ? s->size[0] : fmax(s->size[0], fmax(s->size[1], s->size[2]));
    fb_text_add(&w->text, "sphere");
    fb_urdf_add_numbers(w, "radius", &radius, 1);
  } else if (s->kind == FB_SHAPE_MESH) {
    fb_text_add(&w->text, "mesh");
    fb_urdf_add_attribute(w, "filename", s->file ? s->file : "");
    if (s->size[0] != 1 || s->size[1] != 1 || s->size[2] != 1) fb_urdf_add_numbers(w, "scale", s->size, 3);
  } else {
    fb_text_add(&w->text, "cylinder");
    add_radius_and_length(w, s->size[0],
                          s->kind == FB_SHAPE_CAPSULE ? s->size[1] + 2 * s->size[0] : s->size[1]);
  }
  fb_text_add(&w->text, "/></geometry>\n");
}

/* --- <freebody> --- */

static void write_extension(fb_urdf_writer* w, const fb_shape_def* s, int is_visual) {
  double rgba[4];
  int has_material = is_visual && fb_color_parse(s->color, rgba);
  int needs_color = s->color && !(has_material && fb_color_is_canonical(s->color));
  int rounded = s->kind == FB_SHAPE_CAPSULE || s->kind == FB_SHAPE_ELLIPSOID;
  if (s->use != FB_SHAPE_USE_BOTH && !needs_color && !rounded) return;
  fb_text_add(&w->text, "      <freebody");
  if (s->use == FB_SHAPE_USE_BOTH) fb_urdf_add_attribute(w, "use", "both");
  if (s->kind == FB_SHAPE_CAPSULE) {
    fb_urdf_add_attribute(w, "kind", "capsule");
    add_radius_and_length(w, s->size[0], s->size[1]);
  } else if (s->kind == FB_SHAPE_ELLIPSOID) {
    fb_urdf_add_attribute(w, "kind", "ellipsoid");
    fb_urdf_add_numbers(w, "radii", s->size, 3);
  }
  if (needs_color) fb_urdf_add_attribute(w, "color", s->color);
  fb_text_add(&w->text, "/>\n");
}

static void write_one(fb_urdf_writer* w, const fb_shape_def* shape, const char* element) {
  int is_visual = strcmp(element, "visual") == 0;
  fb_text_printf(&w->text, "    <%s", element);
  if (shape->name) fb_urdf_add_attribute(w, "name", shape->name);
  fb_text_add(&w->text, ">\n");
  fb_urdf_add_origin(w, 6, shape->at, shape->R);
  write_geometry(w, shape);
  if (is_visual) write_material(w, shape);
  write_extension(w, shape, is_visual);
  fb_text_printf(&w->text, "    </%s>\n", element);
}

void fb_urdf_write_shape(fb_urdf_writer* w, const fb_shape_def* shape) {
  if (shape->use != FB_SHAPE_USE_CONTACT) write_one(w, shape, "visual");
  if (shape->use != FB_SHAPE_USE_VISUAL) write_one(w, shape, "collision");
}
