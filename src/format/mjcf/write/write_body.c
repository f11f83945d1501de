/* write_body.c -- <inertial> and <geom> of a body.
 *
 * The inertia is written by principal moments and axes: MuJoCo finds them itself otherwise, and refuses moments that miss
 * A + B >= C by rounding. Moving bodies must have mass and moments above 1e-15 there. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/rotation.h>

#include "format/color.h"
#include "format/mesh/mesh.h"
#include "format/mjcf/write/writer.h"
#include "format/xml/xml.h"
#include "math/sym3.h"
#include "math/vector3.h"
#include "text/path.h"

/* --- inertia --- */

/* The largest moment is brought down to the sum of the others where rounding alone is between them. */
static int settle(double I[3]) {
  int c = I[0] > I[1] ? 0 : 1;
  if (I[2] > I[c]) c = 2;
  double sum = I[(c + 1) % 3] + I[(c + 2) % 3];
  if (I[c] <= sum) return 1;
  if (I[c] > sum * (1 + 1e-8)) return 0;
  I[c] = sum;
  return 1;
}

/* A body that moves must have mass, unless what is fixed to it has: MuJoCo looks at the body with the joint. */
static int raise(double* x) {
  if (*x >= FB_MJCF_LEAST) return 0;
  *x = FB_MJCF_LEAST;
  return 1;
}

fb_status fb_mjcf_write_inertial(fb_mjcf_writer* w, int id, int depth, fb_error* error) {
  const fb_body_def* body = fb_model_def_body(w->def, id);
  int moves = fb_joint_type_nv(body->joint.type) > 0;
  double I[3], R[9], mass = body->mass;
  fb_sym3_axes(body->inertia, I, R);
  for (int i = 0; i < 3; i++)
    if (I[i] < 0 && I[i] > -1e-9 * fmax(I[0], fmax(I[1], I[2]))) I[i] = 0;
  if (!moves && mass == 0 && is_zero3(I)) return FB_OK;
  if (moves) w->raised += raise(&mass) | raise(&I[0]) | raise(&I[1]) | raise(&I[2]);
  if (mass < 0 || I[0] < 0 || I[1] < 0 || I[2] < 0 || !settle(I))
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "body '%s' has a mass or an inertia that no body can have, and MuJoCo refuses such; read "
                   "the model with --inertia repair",
                   body->name);
  fb_mjcf_begin(&w->text, depth, "<inertial");
  fb_xml_add_numbers(&w->text, "pos", body->com, 3);
  if (!is_identity3x3(R)) {
    double q[4];
    fb_rot_to_quat(R, q);
    fb_xml_add_numbers(&w->text, "quat", q, 4);
  }
  fb_mjcf_number(&w->text, "mass", mass);
  fb_xml_add_numbers(&w->text, "diaginertia", I, 3);
  fb_text_add(&w->text, "/>\n");
  return FB_OK;
}

/* --- meshes --- */

/* Whether the triangles enclose a volume that MuJoCo takes, about their mean point. */
static int has_volume(const fb_mesh* m, const double scale[3]) {
  double mean[3] = {0, 0, 0}, total = 0;
  for (int i = 0; i < m->nvertex; i++)
    for (int k = 0; k < 3; k++) mean[k] += (double)m->position[3 * i + k] / m->nvertex;
  for (int i = 0; i < m->ntriangle; i++) {
    double d[3][3], n[3];
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++)
        d[c][k] = scale[k] * ((double)m->position[3 * (size_t)m->triangle[3 * i + c] + (size_t)k] - mean[k]);
    cross3(d[1], d[2], n);
    total += fabs(dot3(d[0], n)) / 6;
  }
  return total > 1e-13;
}

/* MuJoCo loads binary STL and OBJ; 2.2.2 up to 200000 triangles. */
static int is_loadable(const fb_mjcf_writer* w, const fb_shape_def* s) {
  enum { MOST = 200000 };
  char *text = NULL, *path;
  size_t size = 0;
  fb_mesh mesh = {0};
  fb_error ignored;
  if (strstr(s->file, "://")) return 0; /* the address of a package that was not found */
  if (!fb_path_ends_with(s->file, ".stl") && !fb_path_ends_with(s->file, ".obj")) return 0;
  if (!w->folder) return 1;
  path = fb_path_is_relative(s->file) ? fb_path_join(w->folder, s->file, strlen(s->file)) : NULL;
  int ok = fb_file_read(path ? path : s->file, &text, &size, &ignored) == FB_OK;
  free(path);
  if (ok && fb_path_ends_with(s->file, ".stl") && size >= 5 && memcmp(text, "solid", 5) == 0)
    ok = memchr(text, 0, size) != NULL;
  if (ok) ok = fb_mesh_parse(text, size, s->file, &mesh, &ignored) == FB_OK;
  if (ok) ok = mesh.nvertex >= 4 && mesh.ntriangle <= MOST && has_volume(&mesh, s->size);
  fb_mesh_free(&mesh);
  free(text);
  return ok;
}

/* The asset of a mesh; its name is a number. */
static void add_mesh(fb_mjcf_writer* w, const fb_shape_def* s) {
  fb_text_printf(&w->meshes, "    <mesh name=\"mesh%d\"", ++w->nmesh);
  fb_mjcf_attribute(w, &w->meshes, "file", s->file);
  if (s->size[0] != 1 || s->size[1] != 1 || s->size[2] != 1)
    fb_xml_add_numbers(&w->meshes, "scale", s->size, 3);
  fb_text_add(&w->meshes, "/>\n");
}

/* --- geoms --- */

static void add_size(fb_mjcf_writer* w, const fb_shape_def* s) {
  static const char* const types[] = {"box", "sphere", "ellipsoid", "cylinder", "capsule", "mesh"};
  double x[3] = {s->size[0], s->size[1], s->size[2]};
  int count = s->kind == FB_SHAPE_SPHERE                                 ? 1
              : s->kind == FB_SHAPE_BOX || s->kind == FB_SHAPE_ELLIPSOID ? 3
                                                                         : 2;
  fb_mjcf_attribute(w, &w->text, "type", types[s->kind]);
  if (s->kind == FB_SHAPE_MESH) {
    fb_text_printf(&w->text, " mesh=\"mesh%d\"", w->nmesh);
    return;
  }
  for (int i = 0; i < 3 && s->kind == FB_SHAPE_BOX; i++) x[i] /= 2;
  if (s->kind == FB_SHAPE_CYLINDER || s->kind == FB_SHAPE_CAPSULE) x[1] /= 2;
  fb_xml_add_numbers(&w->text, "size", x, count);
}

static fb_status write_geom(fb_mjcf_writer* w, const fb_shape_def* s, int depth, fb_error* error) {
  double rgba[4];
  int is_new = 0;
  if (s->kind == FB_SHAPE_MESH) {
    if (!s->file || !is_loadable(w, s)) {
      w->meshes_lost++;
      return FB_OK;
    }
    add_mesh(w, s);
  }
  fb_mjcf_begin(&w->text, depth, "<geom");
  if (s->name && !fb_name_set_add(&w->geoms, s->name, &is_new))
    return fb_fail(error, FB_ERR_MEMORY, "out of memory while the MJCF was written");
  if (s->name && is_new) fb_mjcf_attribute(w, &w->text, "name", s->name);
  add_size(w, s);
  fb_mjcf_add_pose(&w->text, s->at, s->R);
  if (fb_color_parse(s->color, rgba)) {
    fb_xml_add_numbers(&w->text, "rgba", rgba, 4);
    w->colors += !fb_color_is_canonical(s->color);
  }
  w->colors += s->name && !is_new; /* a name that is there already is left out */
  /* Bits and groups from which the reader infers the use. */
  if (s->use == FB_SHAPE_USE_VISUAL) fb_text_add(&w->text, " contype=\"0\" conaffinity=\"0\" group=\"1\"");
  if (s->use == FB_SHAPE_USE_CONTACT) fb_text_add(&w->text, " group=\"3\"");
  fb_text_add(&w->text, "/>\n");
  return FB_OK;
}

fb_status fb_mjcf_write_shapes(fb_mjcf_writer* w, int id, int depth, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < fb_model_def_nshape(w->def, id) && !status; i++)
    status = write_geom(w, fb_model_def_shape(w->def, id, i), depth, error);
  return status;
}
