/* shape.c -- the shapes of a scene as glTF meshes. A geometry is made once for all shapes that differ in size
 * alone, which their nodes' scales carry, and distinguished by the few numbers that matter. */
#include <math.h>
#include <string.h>

#include "base/grow.h"
#include "picture/gltf/gltf.h"

/* --- geometries --- */

/* The key of the shape's geometry, and the scale that makes the shape of it; 0 when there is nothing to see. */
static int describe(const fb_scene_shape* shape, fb_gltf_geometry* g, double scale[3]) {
  const double* size = shape->size;
  *g = (fb_gltf_geometry){.kind = shape->kind, .mesh = -1, .position = -1, .normal = -1, .index = -1};
  double radius[3] = {size[0], size[0], size[0]};
  memcpy(scale, shape->kind == FB_SHAPE_SPHERE || shape->kind == FB_SHAPE_CAPSULE ? radius : size,
         3 * sizeof(double));
  if (shape->kind == FB_SHAPE_ELLIPSOID) g->kind = FB_SHAPE_SPHERE;
  if (shape->kind == FB_SHAPE_CYLINDER) {
    scale[1] = size[0];
    scale[2] = size[1];
  }
  if (shape->kind == FB_SHAPE_CAPSULE) g->length = size[0] != 0 ? fabs(size[1] / size[0]) : 0;
  if (shape->kind == FB_SHAPE_MESH) g->mesh = shape->mesh;
  /* glTF's importers dislike negative scales and those of 0. */
  double largest = 0;
  for (int i = 0; i < 3; i++) {
    if (scale[i] < 0 && shape->kind == FB_SHAPE_MESH) g->mirrored |= 1 << i;
    scale[i] = fabs(scale[i]);
    largest = fmax(largest, scale[i]);
  }
  for (int i = 0; i < 3; i++) scale[i] = fmax(scale[i], 1e-6 * largest);
  return largest > 0 && largest < FB_GLTF_FARTHEST && g->length < FB_GLTF_FARTHEST;
}

static void make(fb_gltf_surface* s, const fb_scene* scene, const fb_gltf_geometry* g) {
  if (g->kind == FB_SHAPE_BOX) fb_gltf_make_box(s);
  if (g->kind == FB_SHAPE_SPHERE) fb_gltf_make_sphere(s);
  if (g->kind == FB_SHAPE_CYLINDER) fb_gltf_make_cylinder(s);
  if (g->kind == FB_SHAPE_CAPSULE) fb_gltf_make_capsule(s, g->length);
  if (g->kind == FB_SHAPE_MESH && g->mesh >= 0) fb_gltf_make_mesh(s, &scene->meshes[g->mesh], g->mirrored);
}

static int store_vectors(fb_gltf* g, const float* numbers, size_t count) {
  int accessor = fb_gltf_add_accessor(g, FB_GLTF_VERTICES, 5126, 3, count);
  if (accessor < 0) return -1;
  unsigned char* at = fb_gltf_at(g, accessor);
  for (size_t i = 0; i < 3 * count; i++) fb_gltf_put_float(at + 4 * i, numbers[i]);
  return accessor;
}

static int store_indices(fb_gltf* g, const fb_gltf_surface* s) {
  int small = s->nvertex <= 65535; /* the greatest number of each kind has a meaning of its own */
  int accessor = fb_gltf_add_accessor(g, FB_GLTF_INDICES, small ? 5123 : 5125, 1, s->nindex);
  if (accessor < 0) return -1;
  unsigned char* at = fb_gltf_at(g, accessor);
  for (size_t i = 0; i < s->nindex; i++) {
    if (small)
      fb_gltf_put_u16(at + 2 * i, s->index[i]);
    else
      fb_gltf_put_u32(at + 4 * i, s->index[i]);
  }
  return accessor;
}

/* Makes the triangles; a geometry without any stays without accessors. 0 without memory. */
static int store(fb_gltf* g, fb_gltf_geometry* geometry) {
  fb_gltf_surface s = {0};
  make(&s, g->scene, geometry);
  int fits = !s.failed;
  if (fits && s.nindex > 0) {
    geometry->position = store_vectors(g, s.position, s.nvertex);
    geometry->normal = store_vectors(g, s.normal, s.nvertex);
    geometry->index = store_indices(g, &s);
    fits = geometry->position >= 0 && geometry->normal >= 0 && geometry->index >= 0;
    if (fits) fb_gltf_bound(g, geometry->position);
  }
  fb_gltf_free_surface(&s);
  return fits;
}

/* The geometry with the same key; -1 without memory. */
static int find_geometry(fb_gltf* g, const fb_gltf_geometry* wanted) {
  for (size_t i = 0; i < g->ngeometry; i++) {
    const fb_gltf_geometry* have = &g->geometries[i];
    if (have->kind == wanted->kind && have->mesh == wanted->mesh && have->mirrored == wanted->mirrored &&
        have->length == wanted->length)
      return (int)i;
  }
  if (!fb_grow(&g->geometries, g->ngeometry, 1, &g->geometry_room, sizeof *g->geometries)) return -1;
  g->geometries[g->ngeometry] = *wanted;
  return store(g, &g->geometries[g->ngeometry]) ? (int)g->ngeometry++ : -1;
}

/* --- materials and meshes --- */

static int find_material(fb_gltf* g, const fb_scene_shape* shape) {
  int two_sided = shape->kind == FB_SHAPE_MESH;
  for (size_t i = 0; i < g->nmaterial; i++)
    if (memcmp(g->materials[i].color, shape->color, sizeof shape->color) == 0 &&
        g->materials[i].two_sided == two_sided)
      return (int)i;
  if (!fb_grow(&g->materials, g->nmaterial, 1, &g->material_room, sizeof *g->materials)) return -1;
  fb_gltf_material* made = &g->materials[g->nmaterial];
  memcpy(made->color, shape->color, sizeof made->color);
  made->two_sided = two_sided;
  return (int)g->nmaterial++;
}

static int find_mesh(fb_gltf* g, int geometry, int material) {
  for (size_t i = 0; i < g->nmesh; i++)
    if (g->meshes[i].geometry == geometry && g->meshes[i].material == material) return (int)i;
  if (!fb_grow(&g->meshes, g->nmesh, 1, &g->mesh_room, sizeof *g->meshes)) return -1;
  g->meshes[g->nmesh] = (fb_gltf_mesh){geometry, material};
  return (int)g->nmesh++;
}

fb_status fb_gltf_add_shapes(fb_gltf* g, fb_error* error) {
  for (int i = 0; i < g->scene->nshape; i++) {
    const fb_scene_shape* shape = &g->scene->shapes[i];
    fb_gltf_geometry wanted;
    g->shapes[i].mesh = -1;
    if (!describe(shape, &wanted, g->shapes[i].scale)) continue;
    int geometry = find_geometry(g, &wanted);
    if (geometry < 0) return fb_gltf_no_memory(error);
    if (g->geometries[geometry].position < 0) continue;
    int material = find_material(g, shape);
    if (material >= 0) g->shapes[i].mesh = find_mesh(g, geometry, material);
    if (g->shapes[i].mesh < 0) return fb_gltf_no_memory(error);
  }
  return FB_OK;
}
