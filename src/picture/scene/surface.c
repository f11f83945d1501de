/* surface.c -- the surfaces of a run's contacts as they are drawn: shapes of the bodies that carry them, or of the world,
 * and planes. The run keeps them as JSON (docs/run-store.md), which may come from a stranger. */
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/notes.h"
#include "math/vector3.h"
#include "picture/scene/parts.h"

static const struct {
  const char* word;
  int plane;
  fb_shape_kind kind;
  int size; /* numbers */
} KINDS[] = {{"plane", 1, FB_SHAPE_BOX, 0},     {"heightfield", 0, FB_SHAPE_MESH, 0},
             {"sphere", 0, FB_SHAPE_SPHERE, 1}, {"ellipsoid", 0, FB_SHAPE_ELLIPSOID, 3},
             {"box", 0, FB_SHAPE_BOX, 3},       {"mesh", 0, FB_SHAPE_MESH, 3}};

static const double GREY[4] = {0.58, 0.57, 0.55, 1};

/* --- where it is --- */

/* From the axes of the frame that carries it to those of the frame's body. */
static void onto_body(const fb_frame_def* frame, fb_scene_shape* shape) {
  double R[9], R_frame_shape[9];
  fb_rot_from_quat(shape->quat, R_frame_shape);
  fb_rot_multiply(frame->R, R_frame_shape, R);
  fb_rot_to_quat(R, shape->quat);
  fb_rot_apply(frame->R, shape->at, shape->at);
  add_scaled3(shape->at, 1, frame->at);
}

static fb_status find_body(const fb_model* m, const fb_node* map, fb_scene_surface* surface,
                           fb_error* error) {
  const fb_node* node = fb_map_get(map, "body");
  if (!node) return FB_OK;
  const char* name = fb_node_text(node);
  int frame = fb_model_find_frame(m, name);
  if (frame < 0) return fb_node_fail(node, error, FB_ERR_NAME, "no body or frame '%.60s'", name);
  surface->body = fb_frame_body(m, frame);
  const fb_model_def* def = fb_model_definition(m);
  for (int i = 0; frame != surface->body && i < fb_model_def_nframe(def, surface->body); i++) {
    const fb_frame_def* f = fb_model_def_frame(def, surface->body, i);
    if (strcmp(f->name, name) == 0) onto_body(f, &surface->shape);
  }
  return FB_OK;
}

/* --- what it is --- */

static fb_status need_numbers(const fb_node* map, const char* key, int count, double* out, fb_error* error) {
  const fb_node* node;
  fb_status status = count ? fb_map_need(map, key, &node, error) : FB_OK;
  return status || !count ? status : fb_node_numbers(node, FB_Q_NONE, count, out, error);
}

/* NULL where it is missing. */
static const char* text_of(const fb_node* map, const char* key) {
  const fb_node* node = fb_map_get(map, key);
  return node ? fb_node_text(node) : NULL;
}

static fb_status find_kind(const fb_node* map, size_t* kind, fb_error* error) {
  const fb_node* node;
  fb_status status = fb_map_need(map, "kind", &node, error);
  if (status) return status;
  for (*kind = 0; *kind < sizeof KINDS / sizeof *KINDS; ++*kind)
    if (strcmp(KINDS[*kind].word, fb_node_text(node)) == 0) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_NAME, "surfaces of kind '%.40s' are not known", fb_node_text(node));
}

static fb_status read_surface(const fb_model* m, const fb_node* map, fb_scene_surface* surface,
                              fb_error* error) {
  fb_scene_shape* shape = &surface->shape;
  size_t kind;
  fb_status status = find_kind(map, &kind, error);
  if (!status) status = need_numbers(map, "size", KINDS[kind].size, shape->size, error);
  if (!status) status = need_numbers(map, "at", 3, shape->at, error);
  if (!status) status = need_numbers(map, "quat", 4, shape->quat, error);
  if (!status && !(fb_quat_normalise(shape->quat) > 0))
    status = fb_node_fail(map, error, FB_ERR_CONTENT, "its quaternion has no direction");
  if (status) return status;
  surface->plane = KINDS[kind].plane;
  shape->kind = KINDS[kind].kind;
  shape->mesh = -1;
  memcpy(shape->color, GREY, sizeof GREY);
  surface->coloured = text_of(map, "color") != NULL;
  fb_scene_read_color(text_of(map, "color"), shape->color);
  if (shape->kind == FB_SHAPE_MESH && KINDS[kind].size == 0) surface->rows = fb_map_get(map, "heights");
  if (shape->kind == FB_SHAPE_MESH && !surface->rows) surface->file = text_of(map, "mesh");
  if (surface->rows) {
    for (int i = 0; i < 3; i++) shape->size[i] = 1;
    status = need_numbers(map, "spacing", 2, surface->spacing, error);
  }
  return status ? status : find_body(m, map, surface, error);
}

fb_status fb_scene_read_surfaces(fb_scene* scene, const char* view, const fb_io_options* notes,
                                 fb_error* error) {
  fb_status status = view ? fb_doc_parse(view, strlen(view), "view", &scene->view, error) : FB_OK;
  if (status == FB_ERR_MEMORY) return status;
  const fb_node* list = scene->view ? fb_map_get(fb_doc_root(scene->view), "surfaces") : NULL;
  int count = list ? fb_node_count(list) : 0;
  scene->surfaces = calloc((size_t)count + 1, sizeof *scene->surfaces);
  if (!scene->surfaces) return fb_fail(error, FB_ERR_MEMORY, "out of memory for %d surfaces", count);
  for (int i = 0; i < count; i++) {
    fb_error why;
    fb_scene_surface* surface = &scene->surfaces[scene->nsurface];
    *surface = (fb_scene_surface){.body = 0};
    if (read_surface(scene->model, fb_node_item(list, i), surface, &why) == FB_OK)
      scene->nsurface++;
    else
      fb_io_note(notes, "surface %d of the contacts cannot be shown: %.300s", i + 1, why.text);
  }
  return FB_OK;
}

/* --- heights --- */

static void fill_triangles(int nx, int ny, unsigned* t) {
  for (int j = 0; j + 1 < ny; j++)
    for (int i = 0; i + 1 < nx; i++) {
      const unsigned at = (unsigned)(j * nx + i),
                     up = at + (unsigned)nx; /* as fb_geometry_new_heights has them */
      const unsigned corner[6] = {at, at + 1, up + 1, at, up + 1, up};
      memcpy(t, corner, sizeof corner);
      t += 6;
    }
}

/* A row of heights, as vertices. */
static fb_status fill_row(const fb_scene_surface* s, int j, int nx, double* heights, float* to,
                          fb_error* error) {
  fb_status status = fb_node_numbers(fb_node_item(s->rows, j), FB_Q_NONE, nx, heights, error);
  for (int i = 0; i < nx && !status; i++) {
    to[3 * i] = (float)(i * s->spacing[0]);
    to[3 * i + 1] = (float)(j * s->spacing[1]);
    to[3 * i + 2] = (float)heights[i];
  }
  return status;
}

fb_status fb_scene_mesh_heights(const fb_scene_surface* s, fb_mesh* mesh, fb_error* error) {
  int ny = fb_node_count(s->rows), nx = ny ? fb_node_count(fb_node_item(s->rows, 0)) : 0;
  if (nx < 2 || ny < 2 || nx > (1 << 28) / ny)
    return fb_fail(error, FB_ERR_CONTENT, "a height field of %d rows of %d heights", ny, nx);
  size_t count = (size_t)nx * (size_t)ny, ntriangle = 2 * (size_t)(nx - 1) * (size_t)(ny - 1);
  double* heights = malloc((size_t)nx * sizeof *heights);
  *mesh = (fb_mesh){.nvertex = (int)count,
                    .ntriangle = (int)ntriangle,
                    .nfirst = (int)ntriangle,
                    .position = malloc(3 * count * sizeof(float)),
                    .triangle = malloc(3 * ntriangle * sizeof(unsigned))};
  int fits = heights && mesh->position && mesh->triangle;
  fb_status status = fits ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory for a height field");
  for (int j = 0; fits && j < ny && !status; j++)
    status = fill_row(s, j, nx, heights, mesh->position + 3 * (size_t)j * (size_t)nx, error);
  if (fits && !status) fill_triangles(nx, ny, mesh->triangle);
  if (status) fb_mesh_free(mesh);
  free(heights);
  return status;
}
