/* asset.c -- <mesh> and <material> of <asset> by name, and where the file of a mesh is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy_text.h"
#include "format/mjcf/reader.h"
#include "model/definition/name_index.h"
#include "text/path.h"

/* A mesh without a name has that of its file, without folder and ending. NULL without memory or name. */
static const char* mesh_name(fb_mjcf_reader* r, int node) {
  fb_mjcf_source s;
  int is_new;
  const char *name = fb_mjcf_written(&r->tree, node, "name"),
             *file = fb_mjcf_find(r, node, "mesh", "file", &s);
  if (name && name[0]) return name;
  if (!file) return NULL;
  const char *slash = strrchr(file, '/'), *start = slash ? slash + 1 : file, *dot = strrchr(start, '.');
  char* stem = fb_copy_text(start);
  if (!stem) return NULL;
  if (dot && dot != start) stem[dot - start] = '\0';
  const char* kept = fb_name_set_add(&r->loops, stem, &is_new); /* any set keeps it until the end */
  free(stem);
  return kept;
}

static int is_in_asset(const fb_mjcf_reader* r, int node, const char* tag) {
  int parent = r->tree.nodes[node].parent;
  return parent > 0 && fb_mjcf_is(&r->tree, node, tag) && fb_mjcf_is(&r->tree, parent, "asset");
}

fb_status fb_mjcf_gather_assets(fb_mjcf_reader* r) {
  int nmesh = 0, nmaterial = 0, count = (int)r->tree.count;
  for (int i = 0; i < count; i++) {
    nmesh += is_in_asset(r, i, "mesh");
    nmaterial += is_in_asset(r, i, "material");
  }
  r->meshes = calloc((size_t)nmesh + 1, sizeof *r->meshes);
  r->materials = calloc((size_t)nmaterial + 1, sizeof *r->materials);
  if (!r->meshes || !r->materials) return fb_mjcf_no_memory(r);
  for (int i = 0; i < count; i++) {
    int mesh = is_in_asset(r, i, "mesh");
    if (!mesh && !is_in_asset(r, i, "material")) continue;
    const char* name = mesh ? mesh_name(r, i) : fb_mjcf_written(&r->tree, i, "name");
    if (!name || !name[0]) continue;
    if (mesh)
      r->meshes[r->nmesh++] = (fb_name){name, i};
    else
      r->materials[r->nmaterial++] = (fb_name){name, i};
  }
  fb_names_sort(r->meshes, r->nmesh);
  fb_names_sort(r->materials, r->nmaterial);
  return FB_OK;
}

static int is_there(const char* path) {
  FILE* file = path && path[0] ? fopen(path, "rb") : NULL;
  if (file) fclose(file);
  return file != NULL;
}

/* A mesh that an included file names is beside the main file, or else beside the one that names it. */
static fb_status find_beside(const fb_mjcf_reader* r, int asset, char** name) {
  const char* doc = r->tree.docs[r->tree.nodes[asset].doc].file;
  char *first = fb_path_beside(r->file, *name), *second = fb_path_beside(doc, *name);
  char *folder = fb_path_folder(r->file), *from = NULL, *path = NULL;
  fb_status status = first && second && folder ? FB_OK : fb_mjcf_no_memory(r);
  if (!status && !is_there(first) && is_there(second)) {
    path = fb_path_absolute(second);
    from = path ? fb_path_from(folder, path) : NULL;
    if (!from) status = fb_mjcf_no_memory(r);
  }
  if (from) {
    free(*name);
    *name = from;
  }
  if (status) {
    free(*name);
    *name = NULL;
  }
  free(first);
  free(second);
  free(folder);
  free(path);
  return status;
}

fb_status fb_mjcf_mesh_file(const fb_mjcf_reader* r, int asset, char** name, double scale[3]) {
  fb_mjcf_source s;
  const char* file = fb_mjcf_find(r, asset, "mesh", "file", &s);
  *name = NULL;
  scale[0] = scale[1] = scale[2] = 1;
  fb_status status = fb_mjcf_numbers(r, asset, "mesh", "scale", 3, scale, NULL);
  if (status || !file || !file[0]) return status;
  for (int i = 0; i < 3; i++)
    if (scale[i] == 0) return fb_mjcf_fail(r, asset, FB_ERR_CONTENT, "the scale of a mesh is zero");
  const char* slash = strrchr(file, '/');
  if (r->set.strip_path && slash) file = slash + 1;
  const char* folder = r->set.folder && file[0] != '/' ? r->set.folder : "";
  *name = fb_join_texts(folder, folder[0] && folder[strlen(folder) - 1] != '/' ? "/" : "", file);
  if (!*name) return fb_mjcf_no_memory(r);
  return r->tree.nodes[asset].doc > 0 ? find_beside(r, asset, name) : FB_OK;
}
