/* geom.c -- a <geom> of MJCF: its kind, sizes and pose; and the shape that shows it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/mjcf/reader.h"
#include "format/color.h"
#include "math/vector3.h"
#include "model/definition/name_index.h"

static const char* const TYPES[] = {"plane",    "hfield", "sphere", "capsule", "ellipsoid",
                                    "cylinder", "box",    "mesh",   "sdf",     NULL};
static const char* const BOOLS[] = {"false", "true", NULL};
static const int SIZES[] = {0, 0, 1, 2, 3, 2, 3, 0, 0};

/* --- reading --- */

/* From and to are the ends of the axis of a long geom; its z points from the second to the first, as in MuJoCo. */
static fb_status read_ends(fb_mjcf_reader* r, int node, fb_mjcf_geom* g, fb_pose* local, int* given) {
  double x[6], along[3];
  fb_status status = fb_mjcf_numbers(r, node, "geom", "fromto", 6, x, given);
  int is_long = g->type == FB_MJCF_CAPSULE || g->type == FB_MJCF_CYLINDER || g->type == FB_MJCF_BOX ||
                g->type == FB_MJCF_ELLIPSOID;
  if (!is_long) *given = 0;
  if (status || !*given) return status;
  for (int i = 0; i < 3; i++) {
    along[i] = x[i] - x[i + 3];
    local->p[i] = (x[i] + x[i + 3]) / 2;
  }
  double length = norm3(along);
  if (!(length > 1e-14))
    return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "the two points of fromto are the same");
  fb_mjcf_turn_z(along, local->R);
  int at = g->type == FB_MJCF_BOX || g->type == FB_MJCF_ELLIPSOID ? 2 : 1;
  if (at == 2) g->size[1] = g->size[0];
  g->size[at] = length / 2;
  return FB_OK;
}

static fb_status find_mesh(fb_mjcf_reader* r, int node, fb_mjcf_geom* g) {
  fb_mjcf_source s;
  const char* name = fb_mjcf_find(r, node, "geom", "mesh", &s);
  if (!name) {
    if (g->type != FB_MJCF_MESH) return FB_OK;
    return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "the geom is a mesh, but mesh=\"NAME\" is missing");
  }
  g->mesh = fb_names_find(r->meshes, r->nmesh, name);
  if (g->mesh >= 0) return FB_OK;
  char near[FB_SUGGESTION_SIZE];
  return fb_xml_fail(s.xml, s.element, r->error, FB_ERR_CONTENT, "there is no mesh '%.100s' in <asset>%s",
                     name, fb_names_suggestion(r->meshes, r->nmesh, name, NULL, near));
}

/* The sizes of a primitive that is fitted to a mesh, in the mesh's principal axes: those of the box of the same inertia, or
 * of its bounds. */
static void fit_size(const fb_mjcf_solid* mesh, int bounds, fb_mjcf_geom* g) {
  double *s = g->size, box[3];
  for (int i = 0; i < 3; i++) box[i] = bounds ? (mesh->high[i] - mesh->low[i]) / 2 : mesh->box[i];
  memcpy(s, box, sizeof box);
  if (g->type == FB_MJCF_SPHERE)
    s[0] = bounds ? fmax(fmax(box[0], box[1]), box[2]) : (box[0] + box[1] + box[2]) / 3;
  if (g->type != FB_MJCF_CAPSULE && g->type != FB_MJCF_CYLINDER) return;
  s[0] = bounds ? fmax(box[0], box[1]) : (box[0] + box[1]) / 2;
  s[1] = box[2];
  if (g->type == FB_MJCF_CAPSULE) s[1] -= bounds ? s[0] : s[0] / 2;
}

/* A pose as it is when it is written by a quaternion and read again: one whose largest number is 1. */
static void settle(fb_mjcf_geom* g, fb_pose* local) {
  double *q = g->mesh_q, largest = 0;
  fb_rot_to_quat(local->R, q);
  for (int i = 0; i < 4; i++) largest = fmax(largest, fabs(q[i]));
  for (int i = 0; i < 4; i++) q[i] /= largest;
  fb_rot_from_quat(q, local->R);
  memcpy(g->mesh_p, local->p, sizeof local->p);
}

/* Sizes and pose of a primitive with a mesh, as MuJoCo fits it. Without the mesh it has no size. */
static fb_status fit(fb_mjcf_reader* r, int node, fb_mjcf_geom* g, fb_pose* local) {
  const fb_mjcf_solid* mesh;
  double by = 1;
  fb_status status = fb_mjcf_numbers(r, node, "geom", "fitscale", 1, &by, NULL);
  if (!status) status = fb_mjcf_mesh_solid(r, g->mesh, &mesh);
  if (status) return status;
  fb_pose axes = mesh->axes;
  g->fitted = 1;
  fit_size(mesh, r->set.fit_bounds, g);
  for (int i = 0; i < 3; i++) {
    g->size[i] *= by;
    for (int j = 0; j < 3 && r->set.fit_bounds; j++)
      axes.p[i] += axes.R[3 * i + j] * (mesh->low[j] + mesh->high[j]) / 2;
  }
  if (g->type == FB_MJCF_CAPSULE && !(g->size[1] > 0)) g->type = FB_MJCF_SPHERE; /* too short for an axis */
  fb_pose_multiply(local, &axes, local);
  settle(g, local);
  return FB_OK;
}

fb_status fb_mjcf_read_geom(fb_mjcf_reader* r, int node, fb_mjcf_geom* g) {
  fb_pose local = fb_pose_identity();
  int type = FB_MJCF_SPHERE, sizes = 0, ends = 0;
  *g = (fb_mjcf_geom){.mesh = FB_MJCF_NONE, .contype = 1, .conaffinity = 1};
  fb_status status = fb_mjcf_word(r, node, "geom", "type", TYPES, &type);
  g->type = (fb_mjcf_geom_type)type;
  if (!status) status = fb_mjcf_some(r, node, "geom", "size", 3, g->size, &sizes);
  if (!status) status = fb_mjcf_numbers(r, node, "geom", "group", 1, &g->group, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, "geom", "contype", 1, &g->contype, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, "geom", "conaffinity", 1, &g->conaffinity, NULL);
  if (!status) status = fb_mjcf_word(r, node, "geom", "shellinertia", BOOLS, &g->shell);
  if (!status) status = read_ends(r, node, g, &local, &ends);
  if (!status) status = find_mesh(r, node, g);
  if (!status && !ends) status = fb_mjcf_pose(r, node, "geom", &local);
  if (status) return status;
  if (g->mesh != FB_MJCF_NONE && SIZES[type] > 0) status = fit(r, node, g, &local);
  fb_pose_multiply(&r->pose[node], &local, &g->pose);
  if (status || g->fitted) return status;
  int needed = SIZES[type] - (ends ? (type == FB_MJCF_BOX || type == FB_MJCF_ELLIPSOID ? 2 : 1) : 0);
  for (int i = 0; i < SIZES[type] && g->mesh == FB_MJCF_NONE; i++)
    if (sizes < needed || !(g->size[i] > 0))
      return fb_mjcf_fail(r, node, FB_ERR_CONTENT,
                          "a %s needs %d positive number%s in size, but has %d or one that is not positive",
                          TYPES[type], needed, needed == 1 ? "" : "s", sizes);
  return FB_OK;
}

/* --- the shape --- */

/* The colour of a geom: its own, or that of its material. "" when it has none. */
static fb_status read_color(fb_mjcf_reader* r, int node, char color[10]) {
  double x[4] = {0, 0, 0, 1};
  int given = 0;
  fb_mjcf_source s;
  fb_status status = fb_mjcf_numbers(r, node, "geom", "rgba", 4, x, &given);
  const char* name = fb_mjcf_find(r, node, "geom", "material", &s);
  int material = name ? fb_names_find(r->materials, r->nmaterial, name) : -1;
  if (!status && !given && material >= 0)
    status = fb_mjcf_numbers(r, material, "material", "rgba", 4, x, &given);
  color[0] = '\0';
  if (status || !given) return status;
  fb_color_print(x, color);
  return FB_OK;
}

int fb_mjcf_to_shape(const fb_mjcf_geom* g, fb_shape_def* shape) {
  static const struct {
    int is_shape;
    fb_shape_kind kind;
    double by[3]; /* 2 where a half length becomes a length */
  } rows[] = {[FB_MJCF_SPHERE] = {1, FB_SHAPE_SPHERE, {1, 0, 0}},
              [FB_MJCF_CAPSULE] = {1, FB_SHAPE_CAPSULE, {1, 2, 0}},
              [FB_MJCF_ELLIPSOID] = {1, FB_SHAPE_ELLIPSOID, {1, 1, 1}},
              [FB_MJCF_CYLINDER] = {1, FB_SHAPE_CYLINDER, {1, 2, 0}},
              [FB_MJCF_BOX] = {1, FB_SHAPE_BOX, {2, 2, 2}},
              [FB_MJCF_SDF] = {0, FB_SHAPE_MESH, {0, 0, 0}}};
  if (!rows[g->type].is_shape) return 0;
  shape->kind = rows[g->type].kind;
  for (int i = 0; i < 3; i++) shape->size[i] = rows[g->type].by[i] * g->size[i];
  return 1;
}

/* Meshes: the file at the geom's pose, moved by the asset's refpos and turned by its refquat. */
static fb_status to_mesh(fb_mjcf_reader* r, const fb_mjcf_geom* g, fb_pose* pose, fb_shape_def* shape,
                         char** file) {
  fb_pose ref = fb_pose_identity(), back;
  fb_status status = fb_mjcf_mesh_file(r, g->mesh, file, shape->size);
  if (!status) status = fb_mjcf_numbers(r, g->mesh, "mesh", "refpos", 3, ref.p, NULL);
  double q[4] = {1, 0, 0, 0};
  if (!status) status = fb_mjcf_numbers(r, g->mesh, "mesh", "refquat", 4, q, NULL);
  if (!status && !*file)
    fb_unread_add(&r->unread, g->mesh,
                  "lost: the shape of a mesh without a file; write its vertices as OBJ to see and touch it");
  if (status || !*file) return status;
  fb_quat_normalise(q);
  fb_rot_from_quat(q, ref.R);
  int even = shape->size[0] == shape->size[1] && shape->size[1] == shape->size[2];
  if (!even && !is_identity3x3(ref.R)) {
    fb_unread_add(&r->unread, g->mesh,
                  "lost: the picture of a mesh that is turned by refquat and scaled unevenly");
    free(*file);
    *file = NULL;
    return FB_OK;
  }
  fb_pose_inverse(&ref, &back);
  for (int i = 0; i < 3; i++) back.p[i] *= shape->size[i];
  fb_pose_multiply(&g->pose, &back, pose);
  shape->kind = FB_SHAPE_MESH;
  shape->file = *file;
  return FB_OK;
}

fb_status fb_mjcf_add_shape(fb_mjcf_reader* r, int node, const fb_mjcf_geom* g, int id) {
  char color[10], *file = NULL, *name = NULL;
  fb_shape_def shape = fb_default_shape_def();
  fb_pose pose = g->pose;
  /* Visual when nothing collides with it; contact when MuJoCo does not show it by default. */
  shape.use = g->group > 2 ? FB_SHAPE_USE_CONTACT : FB_SHAPE_USE_BOTH;
  if (g->contype == 0 && g->conaffinity == 0) shape.use = FB_SHAPE_USE_VISUAL;
  if (r->set.no_visual && shape.use == FB_SHAPE_USE_VISUAL) return FB_OK;
  if (g->fitted && !(g->size[0] > 0))
    return fb_unread_add(&r->unread, node, "lost: a geom that is fitted to a mesh without volume");
  fb_status status = FB_OK;
  int shown = fb_mjcf_to_shape(g, &shape);
  if (g->type == FB_MJCF_MESH) {
    status = to_mesh(r, g, &pose, &shape, &file);
    shown = file != NULL;
  } else if (!shown && !(r->scenario == 2 && g->type == FB_MJCF_PLANE)) {
    fb_unread_add(&r->unread, node, "lost: a geom of type %s", TYPES[g->type]);
  }
  if (!status && shown) status = read_color(r, node, color);
  if (!status && shown) status = fb_mjcf_name(r, node, &name);
  if (!status && shown) {
    shape.name = name;
    shape.color = color[0] ? color : NULL;
    memcpy(shape.at, pose.p, sizeof shape.at);
    memcpy(shape.R, pose.R, sizeof shape.R);
    shape.place = fb_xml_place(fb_mjcf_xml(&r->tree, node), r->tree.nodes[node].element);
    status = fb_model_def_add_shape(r->def, id, &shape, r->error);
  }
  free(file);
  free(name);
  return status;
}
