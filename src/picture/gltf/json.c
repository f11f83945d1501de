/* json.c -- the JSON part of a glTF file: nodes, meshes, materials, the animation, and where their numbers are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <freebody/support/json.h>
#include <freebody/rotation.h>
#include <freebody/version.h>

#include "picture/gltf/gltf.h"
#include "format/native/schema.h"

/* --- nodes --- */

/* Which nodes stand below which, and where nodes of shapes and frames begin. */
typedef struct tree {
  int *child, *sibling; /* [nbody] the first, and the next one; 0: none */
  int *shape, *frame;   /* [nbody] the first node of each kind */
  int next;             /* the node after all */
} tree;

static int nframe_of(const fb_gltf* g, int body) {
  return fb_model_def_nframe(fb_model_definition(g->scene->model), body);
}

static int nshape_of(const fb_gltf* g, int body) {
  const fb_scene_body* b = &g->scene->bodies[body];
  int n = 0;
  for (int i = 0; i < b->nshape; i++) n += g->shapes[b->first_shape + i].mesh >= 0;
  return n;
}

static int* plan_tree(const fb_gltf* g, tree* t) {
  int n = g->scene->nbody;
  int* memory = calloc(4 * (size_t)n, sizeof *memory);
  if (!memory) return NULL;
  *t = (tree){memory, memory + n, memory + 2 * n, memory + 3 * n, n};
  for (int i = n - 1; i > 0; i--) {
    int parent = g->scene->bodies[i].parent;
    t->sibling[i] = t->child[parent];
    t->child[parent] = i;
  }
  for (int i = 0; i < n; i++) {
    t->shape[i] = t->next;
    t->frame[i] = t->shape[i] + nshape_of(g, i);
    t->next = t->frame[i] + nframe_of(g, i);
  }
  return memory;
}

static void put_place(fb_json* json, const double at[3], const double quat[4]) {
  if (at[0] != 0 || at[1] != 0 || at[2] != 0) fb_json_put_numbers(json, "translation", at, 3);
  if (fabs(quat[0]) != 1) {
    const double xyzw[4] = {quat[1], quat[2], quat[3], quat[0]};
    fb_json_put_numbers(json, "rotation", xyzw, 4);
  }
}

static void put_body(fb_json* json, const fb_gltf* g, const tree* t, int body) {
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", fb_body_name(g->scene->model, body));
  put_place(json, g->rest[body], g->rest[body] + 3);
  int end = body + 1 < g->scene->nbody ? t->shape[body + 1] : t->next;
  if (t->child[body] || t->shape[body] < end) {
    fb_json_put_list(json, "children");
    for (int i = t->child[body]; i; i = t->sibling[i]) fb_json_int(json, i);
    for (int i = t->shape[body]; i < end; i++) fb_json_int(json, i);
    fb_json_end_list(json);
  }
  fb_json_end_map(json);
}

static void put_shape(fb_json* json, const fb_gltf* g, int body, int index) {
  const fb_scene_shape* shape = &g->scene->shapes[index];
  const char* kind = fb_shape_kinds[shape->kind];
  char name[256];
  /* Cut short, a name could end within a character. */
  int written = snprintf(name, sizeof name, "%s %s", fb_body_name(g->scene->model, body), kind);
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", written < (int)sizeof name ? name : kind);
  put_place(json, shape->at, shape->quat);
  const double* scale = g->shapes[index].scale;
  if (scale[0] != 1 || scale[1] != 1 || scale[2] != 1) fb_json_put_numbers(json, "scale", scale, 3);
  fb_json_put_int(json, "mesh", g->shapes[index].mesh);
  fb_json_end_map(json);
}

static void put_frame(fb_json* json, const fb_frame_def* frame) {
  double quat[4];
  fb_rot_to_quat(frame->R, quat);
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", frame->name);
  put_place(json, frame->at, quat);
  fb_json_end_map(json);
}

static void put_nodes(fb_json* json, const fb_gltf* g, const tree* t) {
  const fb_scene* scene = g->scene;
  fb_json_put_list(json, "nodes");
  for (int body = 0; body < scene->nbody; body++) put_body(json, g, t, body);
  for (int body = 0; body < scene->nbody; body++) {
    const fb_scene_body* b = &scene->bodies[body];
    for (int i = b->first_shape; i < b->first_shape + b->nshape; i++)
      if (g->shapes[i].mesh >= 0) put_shape(json, g, body, i);
    for (int i = 0; i < nframe_of(g, body); i++)
      put_frame(json, fb_model_def_frame(fb_model_definition(scene->model), body, i));
  }
  fb_json_end_list(json);
}

/* --- meshes and materials --- */

static void put_meshes(fb_json* json, const fb_gltf* g) {
  if (g->nmesh == 0) return;
  fb_json_put_list(json, "meshes");
  for (size_t i = 0; i < g->nmesh; i++) {
    const fb_gltf_geometry* geometry = &g->geometries[g->meshes[i].geometry];
    fb_json_begin_map(json);
    fb_json_put_list(json, "primitives");
    fb_json_begin_map(json);
    fb_json_put_map(json, "attributes");
    fb_json_put_int(json, "POSITION", geometry->position);
    fb_json_put_int(json, "NORMAL", geometry->normal);
    fb_json_end_map(json);
    fb_json_put_int(json, "indices", geometry->index);
    fb_json_put_int(json, "material", g->meshes[i].material);
    fb_json_end_map(json);
    fb_json_end_list(json);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

/* sRGB to linear light (IEC 61966-2-1); rounded, so that no library's last digit shows. */
static double linear(double x) {
  double y = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4);
  return round(1e6 * fmin(fmax(y, 0), 1)) / 1e6;
}

static void put_materials(fb_json* json, const fb_gltf* g) {
  if (g->nmaterial == 0) return;
  fb_json_put_list(json, "materials");
  for (size_t i = 0; i < g->nmaterial; i++) {
    const fb_gltf_material* m = &g->materials[i];
    double opacity = fmin(fmax(m->color[3], 0), 1);
    const double color[4] = {linear(m->color[0]), linear(m->color[1]), linear(m->color[2]), opacity};
    fb_json_begin_map(json);
    fb_json_put_map(json, "pbrMetallicRoughness");
    fb_json_put_numbers(json, "baseColorFactor", color, 4);
    fb_json_put_number(json, "metallicFactor", 0.1);
    fb_json_put_number(json, "roughnessFactor", 0.6);
    fb_json_end_map(json);
    if (opacity < 1) fb_json_put_string(json, "alphaMode", "BLEND");
    if (m->two_sided) fb_json_put_bool(json, "doubleSided", 1);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

/* --- the animation --- */

static void put_sampler(fb_json* json, const fb_gltf* g, int output) {
  if (output < 0) return;
  fb_json_begin_map(json);
  fb_json_put_int(json, "input", g->times);
  fb_json_put_string(json, "interpolation", "LINEAR");
  fb_json_put_int(json, "output", output);
  fb_json_end_map(json);
}

static void put_channel(fb_json* json, int body, const char* path, int output, int* sampler) {
  if (output < 0) return;
  fb_json_begin_map(json);
  fb_json_put_int(json, "sampler", (*sampler)++);
  fb_json_put_map(json, "target");
  fb_json_put_int(json, "node", body);
  fb_json_put_string(json, "path", path);
  fb_json_end_map(json);
  fb_json_end_map(json);
}

static void put_animation(fb_json* json, const fb_gltf* g, const char* name) {
  if (g->times < 0) return;
  int n = g->scene->nbody, sampler = 0;
  fb_json_put_list(json, "animations");
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", name);
  fb_json_put_list(json, "samplers");
  for (int i = 1; i < n; i++) {
    put_sampler(json, g, g->channels[i].translation);
    put_sampler(json, g, g->channels[i].rotation);
  }
  fb_json_end_list(json);
  fb_json_put_list(json, "channels");
  for (int i = 1; i < n; i++) {
    put_channel(json, i, "translation", g->channels[i].translation, &sampler);
    put_channel(json, i, "rotation", g->channels[i].rotation, &sampler);
  }
  fb_json_end_list(json);
  fb_json_end_map(json);
  fb_json_end_list(json);
}

/* --- numbers --- */

static void put_floats(fb_json* json, const char* key, const float* x, int count) {
  double wide[3] = {0, 0, 0};
  for (int i = 0; i < count; i++) wide[i] = (double)x[i];
  fb_json_put_numbers(json, key, wide, count);
}

static void put_accessors(fb_json* json, const fb_gltf* g, const int view[FB_GLTF_VIEWS]) {
  static const char* const types[] = {"", "SCALAR", "", "VEC3", "VEC4"};
  if (g->naccessor == 0) return;
  fb_json_put_list(json, "accessors");
  for (size_t i = 0; i < g->naccessor; i++) {
    const fb_gltf_accessor* a = &g->accessors[i];
    fb_json_begin_map(json);
    fb_json_put_int(json, "bufferView", view[a->view]);
    fb_json_put_int(json, "byteOffset", (long long)a->offset);
    fb_json_put_int(json, "componentType", a->component);
    fb_json_put_int(json, "count", (long long)a->count);
    fb_json_put_string(json, "type", types[a->width]);
    if (a->bounded) put_floats(json, "min", a->min, a->width);
    if (a->bounded) put_floats(json, "max", a->max, a->width);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

/* The parts that are not empty, and the numbers that they get. */
static void put_views(fb_json* json, const fb_gltf* g, int view[FB_GLTF_VIEWS]) {
  static const int target[FB_GLTF_VIEWS] = {34962, 34963, 0};
  long long offset = 0;
  int n = 0;
  for (int i = 0; i < FB_GLTF_VIEWS; i++) {
    long long size = (long long)g->views[i].size;
    if (size == 0) continue;
    if (n == 0) fb_json_key(json, "bufferViews");
    if (n == 0) fb_json_begin_list(json);
    view[i] = n++;
    fb_json_begin_map(json);
    fb_json_put_int(json, "buffer", 0);
    fb_json_put_int(json, "byteOffset", offset);
    fb_json_put_int(json, "byteLength", size);
    if (i == FB_GLTF_VERTICES) fb_json_put_int(json, "byteStride", 12);
    if (target[i]) fb_json_put_int(json, "target", target[i]);
    fb_json_end_map(json);
    offset += size;
  }
  if (n == 0) return;
  fb_json_end_list(json);
  fb_json_put_list(json, "buffers");
  fb_json_begin_map(json);
  fb_json_put_int(json, "byteLength", offset);
  fb_json_end_map(json);
  fb_json_end_list(json);
}

/* --- the whole --- */

static void put_head(fb_json* json, const fb_gltf* g, const char* name) {
  fb_json_put_map(json, "asset");
  fb_json_put_string(json, "version", "2.0");
  fb_json_key(json, "generator");
  char generator[64];
  snprintf(generator, sizeof generator, "Freebody %s", fb_version());
  fb_json_string(json, generator);
  fb_json_put_map(json, "extras");
  fb_json_put_string(json, "run", name);
  fb_json_put_string(json, "model", fb_model_name(g->scene->model));
  fb_json_end_map(json);
  fb_json_end_map(json);
  fb_json_put_int(json, "scene", 0);
  fb_json_put_list(json, "scenes");
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", name);
  fb_json_put_list(json, "nodes");
  fb_json_int(json, 0);
  fb_json_end_list(json);
  fb_json_end_map(json);
  fb_json_end_list(json);
}

char* fb_gltf_print(const fb_gltf* g, fb_store* run, size_t* size) {
  tree t;
  int* memory = plan_tree(g, &t);
  fb_json* json = memory ? fb_json_new(0) : NULL;
  if (!json) {
    free(memory);
    return NULL;
  }
  const char* name = fb_store_get_text(run, "name");
  if (!name || !name[0]) name = "run";
  int view[FB_GLTF_VIEWS] = {0, 0, 0};
  fb_json_begin_map(json);
  put_head(json, g, name);
  put_nodes(json, g, &t);
  put_meshes(json, g);
  put_materials(json, g);
  put_animation(json, g, name);
  put_views(json, g, view);
  put_accessors(json, g, view);
  fb_json_end_map(json);
  free(memory);
  return fb_json_finish(json, size);
}
