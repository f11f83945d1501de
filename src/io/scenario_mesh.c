/* scenario_mesh.c -- the mesh files that the shapes of a scene name: where they lie, and reading them.
 *
 * A model's shapes name files beside the model's own. In a scene of several models they are named as the scenario
 * would name them, so that one name is one file whatever the models call it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/scenario_inside.h"

enum { MOST_BYTES = 256 << 20 };

fb_status fb_scenario_place_mesh(fb_scenario* s, const fb_node* model, const char** file, fb_error* error) {
  if (!*file || fb_node_get_kind(model) != FB_NODE_SCALAR || strstr(*file, "://")) return FB_OK;
  char* placed = fb_scenario_beside(fb_node_text(model), *file);
  if (!placed || !fb_scenario_own(s, placed, free)) return fb_scenario_no_memory(error);
  *file = placed;
  return FB_OK;
}

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
  return fb_scenario_beside(source[0] ? source : s->inputs[0].file, name);
}

const char* fb_scenario_mesh_trouble(const char* path) {
  struct stat info;
  if (stat(path, &info) != 0) return "is not there";
  if (!S_ISREG(info.st_mode)) return "is no file";
  if (info.st_size > MOST_BYTES) return "is larger than 256 MiB";
  return access(path, R_OK) == 0 ? NULL : "may not be read";
}
