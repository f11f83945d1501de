/* mesh.c -- the mesh files that the shapes of a scene name: where they lie, and reading them. A model may name
 * any file, and an untrusted one a file that is no mesh: only files that the reader of meshes accepts as a whole are used.
 *
 * A model's shapes name files beside the model's own. In a scene of several models they are named as the scenario
 * would name them, so that one name is one file whatever the models call it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "format/mesh/mesh.h"
#include "scenario/build/build.h"
#include "text/files.h"
#include "text/path.h"

/* Whether an earlier shape has named the same file. */
static int was_named(const fb_model_def* def, int body, int index, const char* file) {
  for (int b = 1; b <= body; b++)
    for (int i = 0; i < (b < body ? fb_model_def_nshape(def, b) : index); i++) {
      const fb_shape_def* shape = fb_model_def_shape(def, b, i);
      if (shape->kind == FB_SHAPE_MESH && strcmp(shape->file, file) == 0) return 1;
    }
  return 0;
}

const char* fb_scenario_next_mesh(const fb_scenario* s, int* body, int* index) {
  const fb_model_def* def = fb_model_definition(s->model);
  for (++*index; *body < fb_model_def_nbody(def); ++*body, *index = 0)
    for (; *index < fb_model_def_nshape(def, *body); ++*index) {
      const fb_shape_def* shape = fb_model_def_shape(def, *body, *index);
      if (shape->kind == FB_SHAPE_MESH && !was_named(def, *body, *index, shape->file)) return shape->file;
    }
  return NULL;
}

char* fb_scenario_mesh_path(const fb_scenario* s, const char* name) {
  const char* source = fb_model_def_source(fb_model_definition(s->model));
  return fb_path_beside(source[0] ? source : s->inputs[0].file, name);
}

/* Errors of the disk are reported by reading. */
const char* fb_scenario_mesh_trouble(const char* path) {
  struct stat info;
  if (stat(path, &info) != 0) {
    if (errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG || errno == ELOOP) return "is not there";
    return errno == EACCES ? "may not be read" : NULL;
  }
  if (!S_ISREG(info.st_mode)) return "is no file";
  if (info.st_size > FB_MOST_BINARY) return "is larger than 256 MiB";
  return access(path, R_OK) != 0 && errno == EACCES ? "may not be read" : NULL;
}

static fb_status parse_and_forget(const char* data, size_t size, const char* path, fb_error* error) {
  fb_mesh mesh;
  fb_status status = fb_mesh_parse(data, size, path, &mesh, error);
  if (status == FB_OK) fb_mesh_free(&mesh);
  return status;
}

fb_status fb_scenario_read_mesh(const char* path, char** data, size_t* size, fb_error* error) {
  *data = NULL;
  *size = 0;
  if (strcmp(path, "-") == 0) path = "./-"; /* a file of that name, and not standard input */
  const char* trouble = fb_scenario_mesh_trouble(path);
  if (trouble) return fb_fail(error, FB_ERR_CONTENT, "%s", trouble);
  fb_error bad;
  fb_status status = fb_file_read_most(path, FB_MOST_BINARY, data, size, &bad);
  if (status == FB_ERR_IO) return fb_fail(error, status, "cannot be read (%s)", bad.text);
  if (status == FB_OK) status = parse_and_forget(*data, *size, path, &bad);
  if (status == FB_OK) return FB_OK;
  free(*data);
  *data = NULL;
  if (status == FB_ERR_MEMORY) return fb_fail(error, status, "was not read, because memory ran out");
  if (bad.place.line > 0)
    return fb_fail(error, FB_ERR_CONTENT, "is not a mesh (line %d: %s)", bad.place.line, bad.text);
  return fb_fail(error, FB_ERR_CONTENT, "is not a mesh (%s)", bad.text);
}
