/* scene.c -- the scene of a run or of a model: bodies with what is drawn of them, meshes read once each, and which signal
 * holds which coordinate. Costs O(n log n) in bodies, shapes and signals. */
#include "picture/scene/scene.h"

#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/signal.h>
#include <freebody/status.h>

#include "base/grow.h"
#include "format/color.h"
#include "format/notes.h"
#include "picture/scene/parts.h"
#include "math/sym3.h"
#include "model/model.h"
#include "model/definition/name_index.h"
#include "scenario/build/build.h"
#include "signal/signal_kind.h"
#include "text/path.h"

typedef struct work {
  fb_store* run;       /* NULL: a model alone */
  fb_io_options notes; /* receiver of notes */
  fb_scene* scene;
  size_t shape_room;
  fb_guess* guess;
  fb_name* files; /* names of mesh files, sorted, each once; id: in meshes, -1 where it cannot be drawn */
  int nfile;
} work;

static fb_status no_memory(fb_error* error) {
  fb_fail(error, FB_ERR_MEMORY, "out of memory while a robot was made ready to be drawn");
  return FB_ERR_MEMORY;
}

/* --- the model --- */

static fb_status parse_model(const char* text, fb_model** model, fb_error* error) {
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_JSON;
  fb_model_def* def = NULL;
  fb_status status = fb_model_def_parse(text, strlen(text), "model of the run", &options, &def, error);
  if (status == FB_OK) status = fb_model_build(def, NULL, model, error);
  fb_model_def_free(def);
  return status;
}

/* A run that somebody else's program wrote may have signals alone; they can still be plotted. */
static fb_status empty_model(fb_model** model, fb_error* error) {
  fb_model_def* def = fb_model_def_new();
  if (!def) return no_memory(error);
  fb_status status = fb_model_build(def, NULL, model, error);
  fb_model_def_free(def);
  return status;
}

static fb_status take_model(work* w, fb_error* error) {
  const char* text = fb_store_get_text(w->run, "model");
  if (text) return parse_model(text, &w->scene->model, error);
  fb_io_note(&w->notes, "the run keeps no model, so there is nothing to show in motion");
  return empty_model(&w->scene->model, error);
}

/* --- signals of coordinates --- */

static void match_coordinates(const fb_model* m, const fb_name* signals, int nsignal, int* q_signal) {
  for (int body = 1; body < fb_model_nbody(m); body++)
    for (int i = 0; i < fb_joint_nq(m, body); i++) {
      char name[FB_SIGNAL_NAME_SIZE];
      fb_signal_name(m, (fb_signal){FB_SIGNAL_Q, body, i}, name);
      q_signal[fb_joint_q_index(m, body) + i] = fb_names_find(signals, nsignal, name);
    }
}

static fb_status find_coordinates(work* w, fb_error* error) {
  int n = fb_store_nsignal(w->run), nq = fb_model_nq(w->scene->model);
  fb_name* names = malloc(((size_t)n + 1) * sizeof *names);
  w->scene->q_signal = malloc(((size_t)nq + 1) * sizeof(int));
  fb_status status = names && w->scene->q_signal ? FB_OK : no_memory(error);
  if (status == FB_OK) {
    for (int i = 0; i < n; i++) names[i] = (fb_name){fb_store_get_signal(w->run, i).name, i};
    fb_names_sort(names, n);
    match_coordinates(w->scene->model, names, n, w->scene->q_signal);
    int lost = 0;
    for (int i = 0; i < nq; i++) lost += w->scene->q_signal[i] < 0;
    if (lost > 0)
      fb_io_note(&w->notes,
                 "%d of the %d coordinates were not logged and are shown at rest; log q in the scenario to "
                 "see all of the motion",
                 lost, nq);
  }
  free(names);
  return status;
}

/* --- meshes --- */

static int is_visual(const fb_shape_def* shape) {
  return shape->use != FB_SHAPE_USE_CONTACT;
}

/* Bodies without visual shapes show those of contact. */
static int shows_contact(const fb_model_def* def, int body) {
  for (int i = 0; i < fb_model_def_nshape(def, body); i++)
    if (is_visual(fb_model_def_shape(def, body, i))) return 0;
  return 1;
}

/* A shape if it is drawn, else NULL. */
static const fb_shape_def* drawn_shape(const fb_model_def* def, int body, int contact, int index) {
  const fb_shape_def* shape = fb_model_def_shape(def, body, index);
  return contact || is_visual(shape) ? shape : NULL;
}

static int list_file(work* w, size_t* room, const char* name) {
  if (!fb_grow(&w->files, (size_t)w->nfile, 1, room, sizeof *w->files)) return 0;
  w->files[w->nfile++] = (fb_name){name, 0};
  return 1;
}

/* All mesh files that are drawn, sorted, each once. */
static fb_status list_files(work* w, fb_error* error) {
  const fb_model_def* def = fb_model_definition(w->scene->model);
  size_t room = 0;
  for (int i = 0; i < w->scene->nsurface; i++)
    if (w->scene->surfaces[i].file && !list_file(w, &room, w->scene->surfaces[i].file))
      return no_memory(error);
  for (int body = 1; body < w->scene->nbody; body++) {
    int contact = shows_contact(def, body);
    for (int i = 0; i < fb_model_def_nshape(def, body); i++) {
      const fb_shape_def* shape = drawn_shape(def, body, contact, i);
      if (!shape || shape->kind != FB_SHAPE_MESH) continue;
      if (!list_file(w, &room, shape->file)) return no_memory(error);
    }
  }
  fb_names_sort(w->files, w->nfile);
  int kept = 0;
  for (int i = 0; i < w->nfile; i++)
    if (kept == 0 || strcmp(w->files[kept - 1].text, w->files[i].text) != 0) w->files[kept++] = w->files[i];
  w->nfile = kept;
  return FB_OK;
}

/* Each leaves data NULL, and notes it, where there is no mesh of this name. */
static fb_status stored_mesh(work* w, const char* name, void** data, size_t* size, fb_error* error) {
  fb_status status = fb_store_read_mesh(w->run, name, data, size, error);
  if (status == FB_OK && !*data)
    fb_io_note(
        &w->notes,
        "the run does not contain the mesh '%.200s'; its bodies are drawn from what else is known of them",
        name);
  return status;
}

static fb_status mesh_of_model(work* w, const char* name, void** data, size_t* size, fb_error* error) {
  char *path = fb_path_beside(fb_model_def_source(fb_model_definition(w->scene->model)), name), *read = NULL;
  fb_error why;
  if (!path) return no_memory(error);
  fb_status status = fb_scenario_read_mesh(path, &read, size, &why);
  free(path);
  *data = read;
  if (status == FB_ERR_MEMORY) return no_memory(error);
  if (status != FB_OK)
    fb_io_note(&w->notes, "the mesh '%.200s' %.300s; its bodies are drawn from what else is known of them",
               name, why.text);
  return FB_OK;
}

/* One file into the next mesh. A damaged one is reported, and the rest is shown. */
static fb_status read_file(work* w, fb_name* file, fb_error* error) {
  void* data = NULL;
  size_t size = 0;
  fb_error bad;
  fb_status status = w->run ? stored_mesh(w, file->text, &data, &size, error)
                            : mesh_of_model(w, file->text, &data, &size, error);
  if (status != FB_OK) return status;
  file->id = -1;
  if (!data) return FB_OK;
  status = fb_mesh_parse(data, size, file->text, &w->scene->meshes[w->scene->nmesh], &bad);
  free(data);
  if (status == FB_OK) {
    file->id = w->scene->nmesh++;
    return FB_OK;
  }
  if (status == FB_ERR_MEMORY) return no_memory(error);
  char text[800];
  fb_io_note(&w->notes, "a mesh cannot be shown: %s", fb_error_format(&bad, text, sizeof text));
  return FB_OK;
}

/* The mesh of a surface, if it has one. */
static fb_status mesh_surface(work* w, fb_scene_surface* surface, fb_error* error) {
  fb_scene* scene = w->scene;
  fb_error why;
  if (surface->file) surface->shape.mesh = fb_names_find(w->files, w->nfile, surface->file);
  if (!surface->rows) return FB_OK;
  fb_status status = fb_scene_mesh_heights(surface, &scene->meshes[scene->nmesh], &why);
  if (status == FB_ERR_MEMORY) return no_memory(error);
  if (status == FB_OK) surface->shape.mesh = scene->nmesh++;
  if (status != FB_OK) fb_io_note(&w->notes, "a height field cannot be shown: %.300s", why.text);
  return FB_OK;
}

static fb_status read_meshes(work* w, fb_error* error) {
  fb_scene* scene = w->scene;
  fb_status status = list_files(w, error);
  if (status != FB_OK) return status;
  scene->meshes = calloc((size_t)w->nfile + (size_t)scene->nsurface + 1, sizeof *scene->meshes);
  if (!scene->meshes) return no_memory(error);
  for (int i = 0; i < w->nfile && status == FB_OK; i++) status = read_file(w, &w->files[i], error);
  for (int i = 0; i < scene->nsurface && status == FB_OK; i++)
    status = mesh_surface(w, &scene->surfaces[i], error);
  return status;
}

/* --- shapes --- */

fb_scene_shape* fb_scene_add(fb_scene* scene, size_t* room, fb_shape_kind kind, const double color[4]) {
  if (!fb_grow(&scene->shapes, (size_t)scene->nshape, 1, room, sizeof *scene->shapes)) return NULL;
  fb_scene_shape* shape = &scene->shapes[scene->nshape++];
  memset(shape, 0, sizeof *shape);
  shape->kind = kind;
  shape->quat[0] = 1;
  shape->mesh = -1;
  memcpy(shape->color, color, sizeof shape->color);
  return shape;
}

void fb_scene_read_color(const char* text, double color[4]) {
  double read[4];
  if (fb_color_parse(text, read)) memcpy(color, read, sizeof read);
}

static fb_status add_shape(work* w, int body, const fb_shape_def* shape, fb_error* error) {
  int mesh = -1;
  if (shape->kind == FB_SHAPE_MESH) {
    mesh = fb_names_find(w->files, w->nfile, shape->file);
    if (mesh < 0) return FB_OK; /* told already */
  }
  double color[4];
  fb_scene_body_color(w->scene->model, body, color);
  fb_scene_read_color(shape->color, color);
  fb_scene_shape* out = fb_scene_add(w->scene, &w->shape_room, shape->kind, color);
  if (!out) return no_memory(error);
  memcpy(out->size, shape->size, sizeof out->size);
  memcpy(out->at, shape->at, sizeof out->at);
  fb_rot_to_quat(shape->R, out->quat);
  out->mesh = mesh;
  return FB_OK;
}

/* The surfaces that a body carries, with what can be drawn of them. */
static fb_status add_surfaces(work* w, int body, fb_error* error) {
  fb_scene* scene = w->scene;
  for (int i = 0; i < scene->nsurface; i++) {
    const fb_scene_surface* surface = &scene->surfaces[i];
    if (surface->body != body || surface->plane) continue;
    if (surface->shape.kind == FB_SHAPE_MESH && surface->shape.mesh < 0) continue;
    fb_scene_shape* out = fb_scene_add(scene, &w->shape_room, surface->shape.kind, surface->shape.color);
    if (!out) return no_memory(error);
    *out = surface->shape;
  }
  scene->bodies[body].nshape = scene->nshape - scene->bodies[body].first_shape;
  return FB_OK;
}

static fb_status add_shapes(work* w, int body, fb_error* error) {
  fb_scene* scene = w->scene;
  const fb_model_def* def = fb_model_definition(scene->model);
  scene->bodies[body].first_shape = scene->nshape;
  int contact = shows_contact(def, body);
  fb_status status = FB_OK;
  for (int i = 0; i < fb_model_def_nshape(def, body) && status == FB_OK; i++) {
    const fb_shape_def* shape = drawn_shape(def, body, contact, i);
    if (shape) status = add_shape(w, body, shape, error);
  }
  if (status == FB_OK && scene->nshape == scene->bodies[body].first_shape)
    if (fb_guess_body(w->guess, scene, &w->shape_room, body) != FB_OK) status = no_memory(error);
  return status == FB_OK ? add_surfaces(w, body, error) : status;
}

static void add_ellipsoid(const fb_body_def* def, fb_scene_body* body) {
  double moments[3], R[9];
  fb_sym3_axes(def->inertia, moments, R);
  fb_equal_ellipsoid(def->mass, moments, body->ellipsoid_radii);
  memcpy(body->ellipsoid_at, def->com, sizeof body->ellipsoid_at);
  fb_rot_to_quat(R, body->ellipsoid_quat);
}

static fb_status fill_bodies(work* w, fb_error* error) {
  fb_scene* scene = w->scene;
  scene->bodies = calloc((size_t)scene->nbody, sizeof *scene->bodies);
  w->guess = fb_guess_new(scene->model);
  if (!scene->bodies || !w->guess) return no_memory(error);
  scene->bodies[0].parent = -1;
  scene->bodies[0].ellipsoid_quat[0] = 1;
  fb_status status = add_surfaces(w, 0, error);
  for (int i = 1; i < scene->nbody && status == FB_OK; i++) {
    scene->bodies[i].parent = fb_body_parent(scene->model, i);
    add_ellipsoid(fb_model_def_body(fb_model_definition(scene->model), i), &scene->bodies[i]);
    status = add_shapes(w, i, error);
  }
  return status;
}

/* --- the whole --- */

/* From the model that the scene has and its signals; frees the scene when that fails. */
static fb_status fill(work* w, fb_status status, fb_scene** scene, fb_error* error) {
  if (status == FB_OK) status = read_meshes(w, error);
  if (status == FB_OK) status = fill_bodies(w, error);
  fb_guess_free(w->guess);
  free(w->files);
  if (status == FB_OK)
    *scene = w->scene;
  else
    fb_scene_free(w->scene);
  return status;
}

static fb_status begin(work* w, fb_store* run, fb_note_fn note, void* note_user, fb_scene** scene,
                       fb_error* error) {
  *w = (work){.run = run, .notes = fb_default_io_options()};
  w->notes.note = note;
  w->notes.note_user = note_user;
  *scene = NULL;
  w->scene = calloc(1, sizeof *w->scene);
  return w->scene ? FB_OK : no_memory(error);
}

fb_status fb_scene_of_run(fb_store* run, fb_note_fn note, void* note_user, fb_scene** scene,
                          fb_error* error) {
  work w;
  fb_status status = begin(&w, run, note, note_user, scene, error);
  if (status != FB_OK) return status;
  status = take_model(&w, error);
  if (status == FB_OK) w.scene->nbody = fb_model_nbody(w.scene->model);
  if (status == FB_OK) status = find_coordinates(&w, error);
  if (status == FB_OK)
    status = fb_scene_read_surfaces(w.scene, fb_store_get_text(run, "view"), &w.notes, error);
  return fill(&w, status, scene, error);
}

fb_status fb_scene_of_model(const fb_model* model, fb_note_fn note, void* note_user, fb_scene** scene,
                            fb_error* error) {
  work w;
  fb_status status = begin(&w, NULL, note, note_user, scene, error);
  if (status != FB_OK) return status;
  status = fb_model_build(fb_model_definition(model), NULL, &w.scene->model, error);
  if (status == FB_OK) {
    w.scene->nbody = fb_model_nbody(w.scene->model);
    size_t nq = (size_t)fb_model_nq(w.scene->model);
    w.scene->q_signal = malloc((nq + 1) * sizeof(int));
    if (!w.scene->q_signal) status = no_memory(error);
    for (size_t i = 0; status == FB_OK && i < nq; i++) w.scene->q_signal[i] = (int)i;
  }
  return fill(&w, status, scene, error);
}

void fb_scene_free(fb_scene* scene) {
  if (!scene) return;
  for (int i = 0; i < scene->nmesh; i++) fb_mesh_free(&scene->meshes[i]);
  free(scene->meshes);
  free(scene->surfaces);
  fb_doc_free(scene->view);
  free(scene->bodies);
  free(scene->shapes);
  free(scene->q_signal);
  fb_model_free(scene->model);
  free(scene);
}
