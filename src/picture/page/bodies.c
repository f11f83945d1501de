/* bodies.c -- the bodies of a scene as the page's header has them: joints, frames, shapes; and loops. */
#include <math.h>
#include <stdio.h>

#include <freebody/rotation.h>

#include "format/native/schema.h"
#include "picture/page/parts.h"
#include "math/vector3.h"
#include "model/joint_kind.h"

static const int SIZES[] = {3, 1, 3, 2, 2, 3}; /* how many numbers of a shape's size count */

static void put_rotation(fb_json* json, const double R[9]) {
  double quat[4];
  fb_rot_to_quat(R, quat);
  fb_json_put_numbers(json, "quat", quat, 4);
}

static void put_link(fb_json* json, const fb_joint_def* joint, fb_joint_link link) {
  double axis[3];
  fb_json_begin_map(json);
  fb_json_put_string(json, "kind", fb_link_rows[link.kind].name);
  if (fb_joint_link_axis(joint, link, axis)) fb_json_put_numbers(json, "axis", axis, 3);
  if (fb_link_rows[link.kind].pitches) fb_json_put_number(json, "pitch", joint->pitch);
  fb_json_end_map(json);
}

/* [lower, upper] of each velocity coordinate, null for none; nothing where there is no limit at all. */
static void put_limits(fb_json* json, const fb_joint_def* joint, int nv) {
  int limited = 0;
  for (int i = 0; i < nv; i++) limited |= isfinite(joint->lower[i]) || isfinite(joint->upper[i]);
  if (!limited) return;
  fb_json_put_list(json, "limits");
  for (int i = 0; i < nv; i++) fb_json_numbers(json, (const double[2]){joint->lower[i], joint->upper[i]}, 2);
  fb_json_end_list(json);
}

/* What a capture left: the place of the body frame, and which way the joint is written. */
static void put_ends(fb_json* json, const fb_joint_def* joint) {
  if (!is_zero3(joint->child_at) || !is_identity3x3(joint->child_R)) {
    fb_json_put_map(json, "child");
    fb_json_put_numbers(json, "at", joint->child_at, 3);
    put_rotation(json, joint->child_R);
    fb_json_end_map(json);
  }
  if (joint->reversed) fb_json_put_bool(json, "reversed", 1);
}

static void put_joint(fb_json* json, const fb_scene* scene, int body, const fb_joint_def* joint) {
  const fb_model* m = scene->model;
  const fb_joint_kind* kind = &fb_joint_kinds[joint->type];
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", fb_joint_name(m, body));
  fb_json_put_string(json, "type", fb_joint_type_name(joint->type));
  fb_json_put_numbers(json, "at", joint->at, 3);
  put_rotation(json, joint->R);
  fb_json_put_list(json, "links");
  for (int i = 0; i < kind->nlink; i++) put_link(json, joint, kind->chain[i]);
  fb_json_end_list(json);
  put_ends(json, joint);
  put_limits(json, joint, kind->nv);
  fb_json_put_list(json, "q");
  for (int i = 0; i < fb_joint_nq(m, body); i++)
    fb_json_int(json, scene->q_signal[fb_joint_q_index(m, body) + i]);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static const char* color_of(const fb_scene_shape* shape, char text[8]) {
  unsigned rgb[3];
  for (int i = 0; i < 3; i++) rgb[i] = (unsigned)lround(255 * shape->color[i]) & 255u;
  snprintf(text, 8, "#%02x%02x%02x", rgb[0], rgb[1], rgb[2]);
  return text;
}

static void put_shape(fb_json* json, const fb_scene_shape* shape) {
  char color[8];
  fb_json_begin_map(json);
  fb_json_put_string(json, "kind", fb_shape_kinds[shape->kind]);
  fb_json_put_numbers(json, "size", shape->size, SIZES[shape->kind]);
  fb_json_put_numbers(json, "at", shape->at, 3);
  fb_json_put_numbers(json, "quat", shape->quat, 4);
  fb_json_put_string(json, "color", color_of(shape, color));
  fb_json_put_number(json, "opacity", shape->color[3]);
  fb_json_put_bool(json, "guessed", shape->guessed);
  fb_json_put_int(json, "mesh", shape->mesh);
  fb_json_end_map(json);
}

static void put_frames(fb_json* json, const fb_model_def* def, int body) {
  fb_json_put_list(json, "frames");
  for (int i = 0; i < fb_model_def_nframe(def, body); i++) {
    const fb_frame_def* frame = fb_model_def_frame(def, body, i);
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", frame->name);
    fb_json_put_numbers(json, "at", frame->at, 3);
    put_rotation(json, frame->R);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_body(fb_json* json, const fb_scene* scene, int id) {
  const fb_model_def* def = fb_model_definition(scene->model);
  const fb_body_def* body = fb_model_def_body(def, id);
  const fb_scene_body* appearance = &scene->bodies[id];
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", body->name);
  fb_json_put_int(json, "parent", appearance->parent - 1); /* the page does not count the world */
  fb_json_key(json, "joint");
  put_joint(json, scene, id, &body->joint);
  fb_json_put_number(json, "mass", body->mass);
  fb_json_put_numbers(json, "com", body->com, 3);
  fb_json_put_map(json, "ellipsoid");
  fb_json_put_numbers(json, "at", appearance->ellipsoid_at, 3);
  fb_json_put_numbers(json, "quat", appearance->ellipsoid_quat, 4);
  fb_json_put_numbers(json, "radii", appearance->ellipsoid_radii, 3);
  fb_json_end_map(json);
  fb_json_put_list(json, "shapes");
  for (int i = 0; i < appearance->nshape; i++) put_shape(json, &scene->shapes[appearance->first_shape + i]);
  fb_json_end_list(json);
  put_frames(json, def, id);
  fb_json_end_map(json);
}

/* a and b are names of frames; those of a gear are joints, and b is a list. Pages of trees have no such list. */
static void put_loops(fb_json* json, const fb_model_def* def) {
  if (fb_model_def_nloop(def) == 0) return;
  fb_json_put_list(json, "loops");
  for (int i = 0; i < fb_model_def_nloop(def); i++) {
    const fb_loop_def* loop = fb_model_def_loop(def, i);
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", loop->name);
    fb_json_put_string(json, "type", fb_loop_type_name(loop->type));
    fb_json_put_string(json, "a", loop->a);
    if (loop->b) fb_json_put_string(json, "b", loop->b);
    if (!loop->b) fb_json_key(json, "b"), fb_json_begin_list(json);
    for (int k = 0; k < loop->njoint; k++) fb_json_string(json, loop->joints[k]);
    if (!loop->b) fb_json_end_list(json);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

/* What is fixed to the world, and planes: the other surfaces are shapes of their bodies. */
static void put_surfaces(fb_json* json, const fb_scene* scene) {
  if (scene->nsurface == 0) return;
  fb_json_put_list(json, "surfaces");
  for (int i = 0; i < scene->bodies[0].nshape; i++) put_shape(json, &scene->shapes[i]);
  for (int i = 0; i < scene->nsurface; i++) {
    const fb_scene_surface* surface = &scene->surfaces[i];
    char color[8];
    if (!surface->plane) continue;
    fb_json_begin_map(json);
    fb_json_put_string(json, "kind", "plane");
    fb_json_put_int(json, "body", surface->body - 1);
    fb_json_put_numbers(json, "at", surface->shape.at, 3);
    fb_json_put_numbers(json, "quat", surface->shape.quat, 4);
    if (surface->coloured) fb_json_put_string(json, "color", color_of(&surface->shape, color));
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

void fb_page_put_bodies(fb_json* json, const fb_scene* scene) {
  fb_json_put_list(json, "bodies");
  for (int i = 1; i < scene->nbody; i++) put_body(json, scene, i);
  fb_json_end_list(json);
  put_loops(json, fb_model_definition(scene->model));
  put_surfaces(json, scene);
}
