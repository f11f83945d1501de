/* mesh_names.c -- names of mesh files, from the folder of one model file to that of another. */
#include "format/plain.h"

#include <stdlib.h>
#include <string.h>

#include "text/path.h"

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was written");
}

static int has_relative_mesh(const fb_model_def* def) {
  for (int b = 1; b < fb_model_def_nbody(def); b++)
    for (int i = 0; i < fb_model_def_nshape(def, b); i++) {
      const fb_shape_def* shape = fb_model_def_shape(def, b, i);
      if (shape->file && fb_path_is_relative(shape->file)) return 1;
    }
  return 0;
}

/* The file `name` of folder `from`, as folder `to` names it; NULL when out of memory. */
static char* renamed(const char* name, const char* from, const char* to) {
  char* joined = fb_path_join(from, name, strlen(name));
  char* whole = joined ? fb_path_absolute(joined) : NULL;
  char* result = whole ? fb_path_from(to, whole) : NULL;
  free(joined);
  free(whole);
  return result;
}

static fb_status rename_all(fb_model_def* def, const char* from, const char* to, fb_error* error) {
  fb_status status = FB_OK;
  for (int b = 1; b < fb_model_def_nbody(def); b++)
    for (int i = 0; i < fb_model_def_nshape(def, b) && !status; i++) {
      const char* name = fb_model_def_shape(def, b, i)->file;
      if (!name || !fb_path_is_relative(name)) continue;
      char* other = renamed(name, from, to);
      status = other ? fb_model_def_set_mesh(def, b, i, other, error) : no_memory(error);
      free(other);
    }
  return status;
}

fb_status fb_mesh_names_move(const fb_model_def* def, const char* file, fb_model_def** moved,
                             fb_error* error) {
  *moved = NULL;
  if (!fb_model_def_source(def)[0] || strcmp(file, "-") == 0 || !has_relative_mesh(def)) return FB_OK;
  char *from = fb_path_folder(fb_model_def_source(def)), *to = fb_path_folder(file);
  fb_status status = from && to ? FB_OK : no_memory(error);
  /* A folder that is not there makes no file either; writing says so. */
  if (from && to && from[0] && to[0] && strcmp(from, to) != 0) {
    *moved = fb_model_def_copy(def);
    status = *moved ? rename_all(*moved, from, to, error) : no_memory(error);
  }
  free(from);
  free(to);
  if (!status) return FB_OK;
  fb_model_def_free(*moved);
  *moved = NULL;
  return status;
}
