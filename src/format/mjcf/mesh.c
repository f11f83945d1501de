/* mesh.c -- the triangles of a <mesh>: those of its file, or vertices and faces that are written in the model. Without
 * faces, and with inertia="convex", they are those of the convex hull. Each asset is read once. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/rotation.h>

#include "contact/shape/quickhull.h"
#include "format/mesh/mesh.h"
#include "format/mjcf/reader.h"
#include "text/path.h"

static const char* const WAYS[] = {"legacy", "convex", "exact", "shell", NULL};

/* What is read of a mesh; the arrays belong to it. */
typedef struct triangles {
  int ntriangle, nvertex;
  unsigned* corner;
  double* x;
} triangles;

/* --- from a file --- */

/* Of an OBJ file MuJoCo reads the first group alone. */
static fb_status take_file(fb_mjcf_reader* r, int asset, const fb_mesh* mesh, triangles* t) {
  int count = mesh->nfirst;
  if (count < mesh->ntriangle)
    fb_unread_add(&r->unread, asset,
                  "the mass of a mesh is that of the first group of its file, as in MuJoCo");
  t->corner = malloc(3 * (size_t)count * sizeof *t->corner);
  t->x = calloc(3 * (size_t)mesh->nvertex, sizeof *t->x);
  if (!t->corner || !t->x) return fb_mjcf_no_memory(r);
  memcpy(t->corner, mesh->triangle, 3 * (size_t)count * sizeof *t->corner);
  for (int i = 0; i < 3 * mesh->nvertex; i++) t->x[i] = (double)mesh->position[i];
  t->ntriangle = count;
  t->nvertex = mesh->nvertex;
  return FB_OK;
}

static fb_status read_file(fb_mjcf_reader* r, int asset, const char* name, triangles* t) {
  char *text = NULL, *path = fb_path_beside(r->file, name);
  size_t size = 0;
  fb_mesh mesh = {0};
  fb_error reason = {0};
  if (!path) return fb_mjcf_no_memory(r);
  r->read_mesh = 1;
  fb_status status = fb_file_read(path, &text, &size, &reason);
  if (!status) status = fb_mesh_parse(text, size, path, &mesh, &reason);
  free(text);
  free(path);
  if (status == FB_ERR_MEMORY) return fb_mjcf_no_memory(r);
  if (status)
    return fb_unread_add(&r->unread, asset, "lost: the mass of geoms whose mesh cannot be read (%.70s)",
                         reason.text);
  status = take_file(r, asset, &mesh, t);
  fb_mesh_free(&mesh);
  return status;
}

/* --- from the model --- */

static fb_status read_faces(fb_mjcf_reader* r, int asset, triangles* t) {
  fb_mjcf_source s;
  if (!fb_mjcf_find(r, asset, "mesh", "face", &s)) return FB_OK;
  int count = fb_xml_number_count(s.xml, s.element, "face");
  double* face = malloc(((size_t)count + 1) * sizeof *face);
  t->corner = malloc(((size_t)count + 1) * sizeof *t->corner);
  fb_status status = face && t->corner ? fb_xml_numbers(s.xml, s.element, "face", count, face, r->error)
                                       : fb_mjcf_no_memory(r);
  if (!status && count % 3 != 0)
    status = fb_mjcf_fail(r, asset, FB_ERR_CONTENT, "face has %d numbers; they are three for each triangle",
                          count);
  for (int i = 0; i < count && !status; i++) {
    if (!(face[i] >= 0 && face[i] < t->nvertex))
      status = fb_mjcf_fail(r, asset, FB_ERR_CONTENT,
                            "face names vertex %g, and there are %d, counted from 0", face[i], t->nvertex);
    else
      t->corner[i] = (unsigned)face[i];
  }
  free(face);
  t->ntriangle = count / 3;
  return status;
}

/* Numbers are kept in single precision, as in MuJoCo. */
static fb_status read_inline(fb_mjcf_reader* r, int asset, triangles* t) {
  fb_mjcf_source s;
  if (!fb_mjcf_find(r, asset, "mesh", "vertex", &s)) {
    const char* builtin = fb_mjcf_find(r, asset, "mesh", "builtin", &s);
    if (builtin)
      fb_unread_add(&r->unread, asset,
                    "lost: the mass of geoms whose mesh is made by MuJoCo (builtin=\"%.40s\")", builtin);
    else
      fb_unread_add(&r->unread, asset, "lost: the mass of geoms whose mesh has neither a file nor vertices");
    return FB_OK;
  }
  int count = fb_xml_number_count(s.xml, s.element, "vertex");
  if (count % 3 != 0 || count < 12)
    return fb_mjcf_fail(r, asset, FB_ERR_CONTENT,
                        "vertex has %d numbers; they are three for each of at least 4 points", count);
  t->x = calloc((size_t)count, sizeof *t->x);
  if (!t->x) return fb_mjcf_no_memory(r);
  fb_status status = fb_xml_numbers(s.xml, s.element, "vertex", count, t->x, r->error);
  if (status) return status;
  for (int i = 0; i < count; i++) t->x[i] = (double)(float)t->x[i];
  t->nvertex = count / 3;
  return read_faces(r, asset, t);
}

/* --- both --- */

/* From the file's frame to the geom's: x = scale R_ref^T (v - p_ref). A mirror image has its triangles turned round. */
static fb_status place(fb_mjcf_reader* r, int asset, const double scale[3], triangles* t) {
  double p[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0}, R[9];
  fb_status status = fb_mjcf_numbers(r, asset, "mesh", "refpos", 3, p, NULL);
  if (!status) status = fb_mjcf_numbers(r, asset, "mesh", "refquat", 4, q, NULL);
  fb_quat_normalise(q);
  fb_rot_from_quat(q, R);
  for (int i = 0; i < t->nvertex; i++) {
    double* v = t->x + 3 * (size_t)i;
    for (int j = 0; j < 3; j++) v[j] -= p[j];
    fb_rot_apply_transpose(R, v, v);
    for (int j = 0; j < 3; j++) v[j] *= scale[j];
  }
  for (int i = 0; i < t->ntriangle && scale[0] * scale[1] * scale[2] < 0; i++) {
    unsigned *c = t->corner + 3 * (size_t)i, kept = c[1];
    c[1] = c[2];
    c[2] = kept;
  }
  return status;
}

static fb_status take_hull(fb_mjcf_reader* r, triangles* t) {
  int count = 0, *hull = NULL;
  if (fb_quickhull(t->nvertex, t->x, &count, &hull) == 2) return fb_mjcf_no_memory(r);
  free(t->corner);
  t->corner = malloc(3 * (size_t)count * sizeof *t->corner + 1);
  for (int i = 0; i < 3 * count && t->corner; i++) t->corner[i] = (unsigned)hull[i];
  t->ntriangle = count;
  free(hull);
  return t->corner ? FB_OK : fb_mjcf_no_memory(r);
}

static fb_status integrate(fb_mjcf_reader* r, int asset, triangles* t, fb_mjcf_solid* out) {
  double scale[3];
  char* name;
  int rule = FB_MJCF_LEGACY;
  fb_status status = fb_mjcf_word(r, asset, "mesh", "inertia", WAYS, &rule);
  if (r->set.exact_meshes && rule == FB_MJCF_LEGACY) rule = FB_MJCF_EXACT;
  if (!status) status = fb_mjcf_mesh_file(r, asset, &name, scale);
  if (status) return status;
  status = name && strcmp(name, "-") != 0 ? read_file(r, asset, name, t) : read_inline(r, asset, t);
  free(name);
  if (status || t->nvertex == 0) return status;
  status = place(r, asset, scale, t);
  if (!status && (rule == FB_MJCF_CONVEX || t->ntriangle == 0)) status = take_hull(r, t);
  if (status) return status;
  fb_mjcf_triangles seen = {t->ntriangle, t->nvertex, t->corner, t->x};
  fb_mjcf_integrate(&seen, (fb_mjcf_mass_rule)rule, out);
  if (!(out->inertia.mass > 0))
    fb_unread_add(&r->unread, asset, "lost: the mass of geoms whose mesh has no volume");
  return FB_OK;
}

fb_status fb_mjcf_mesh_solid(fb_mjcf_reader* r, int asset, const fb_mjcf_solid** out) {
  triangles t = {0};
  *out = r->solids[asset];
  if (*out) return FB_OK;
  fb_mjcf_solid* made = calloc(1, sizeof *made);
  if (!made) return fb_mjcf_no_memory(r);
  fb_status status = integrate(r, asset, &t, made);
  *out = r->solids[asset] = made;
  free(t.corner);
  free(t.x);
  return status;
}
