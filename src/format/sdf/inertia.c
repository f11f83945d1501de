/* inertia.c -- mass and inertia of an SDF link: those that <inertial> gives, or, with auto="true", those of its collisions.
 *
 * Solids of density rho: of the collision, else of the <inertial>, else 1000 kg/m^3. A <mass> scales the sum. The volume of a
 * mesh is that of the signed pyramids over its triangles, as Gazebo's; a mesh stretched by k has, from second moments P,
 *   m' = k m,  h_i' = k k_i h_i,  P_ij' = k k_i k_j P_ij      k = |k_1 k_2 k_3|
 * Of a cone of radius r and length l, whose apex points to z, from the middle of its length:
 *   m = rho pi r^2 l / 3, centre of mass at -l/4, 3/80 m (4 r^2 + l^2) across, 3/10 m r^2 about z
 * What is computed from meshes is kept in the attribute freebody_inertia in a copy of the file that stands alone. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/support/text.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "format/mesh/mesh.h"
#include "format/mjcf/solid.h"
#include "format/sdf/reader.h"
#include "format/shape_volume.h"
#include "math/vector3.h"
#include "text/path.h"

/* A mesh file, read once. */
struct fb_sdf_solid {
  char* file;
  fb_spatial_inertia inertia; /* for a density of 1 */
};

/* --- meshes --- */

static fb_status integrate(const fb_sdf_reader* r, const fb_mesh* mesh, fb_spatial_inertia* out) {
  fb_mjcf_solid solid;
  double* x = malloc(3 * (size_t)mesh->nvertex * sizeof *x + 1);
  if (!x) return fb_sdf_no_memory(r);
  for (int i = 0; i < 3 * mesh->nvertex; i++) x[i] = (double)mesh->position[i];
  fb_mjcf_triangles seen = {mesh->ntriangle, mesh->nvertex, mesh->triangle, x};
  fb_mjcf_integrate(&seen, FB_MJCF_EXACT, &solid);
  free(x);
  *out = solid.inertia;
  return FB_OK;
}

static fb_status read_solid(fb_sdf_reader* r, int e, const char* file, fb_spatial_inertia* out) {
  char *text = NULL, *path = fb_path_beside(r->file, file);
  size_t size = 0;
  fb_mesh mesh = {0};
  fb_error why = {0};
  if (!path) return fb_sdf_no_memory(r);
  fb_status status = fb_file_read(path, &text, &size, &why);
  if (!status) status = fb_mesh_parse(text, size, path, &mesh, &why);
  free(text);
  free(path);
  if (status)
    return fb_xml_fail(r->xml, e, r->error, status,
                       "the mass of this collision needs its mesh (<inertial auto=\"true\">): %.300s",
                       why.text);
  status = integrate(r, &mesh, out);
  fb_mesh_free(&mesh);
  if (!status && !(out->mass > 0))
    status = fb_xml_fail(r->xml, e, r->error, FB_ERR_INERTIA,
                         "the mesh '%.200s' encloses no volume, from which its mass could be computed", file);
  return status;
}

static fb_status solid_of(fb_sdf_reader* r, int e, const char* file, fb_spatial_inertia* out) {
  for (size_t i = 0; i < r->nsolid; i++)
    if (strcmp(r->solids[i].file, file) == 0) {
      *out = r->solids[i].inertia;
      return FB_OK;
    }
  fb_status status = read_solid(r, e, file, out);
  if (status) return status;
  if (!fb_grow(&r->solids, r->nsolid, 1, &r->solid_room, sizeof *r->solids)) return fb_sdf_no_memory(r);
  char* name = fb_copy_text(file);
  if (!name) return fb_sdf_no_memory(r);
  r->solids[r->nsolid++] = (struct fb_sdf_solid){name, *out};
  return FB_OK;
}

void fb_sdf_forget_solids(fb_sdf_reader* r) {
  for (size_t i = 0; i < r->nsolid; i++) free(r->solids[i].file);
  free(r->solids);
}

static void stretch(const double k[3], fb_spatial_inertia* x) {
  static const int row[3] = {0, 0, 1}, column[3] = {1, 2, 2};
  double volume = fabs(k[0] * k[1] * k[2]), *I = x->moments, P[3];
  for (int i = 0; i < 3; i++) P[i] = volume * k[i] * k[i] * (I[(i + 1) % 3] + I[(i + 2) % 3] - I[i]) / 2;
  for (int i = 0; i < 3; i++) {
    I[i] = P[(i + 1) % 3] + P[(i + 2) % 3];
    I[3 + i] *= volume * k[row[i]] * k[column[i]];
    x->h[i] *= volume * k[i];
  }
  x->mass *= volume;
}

/* --- collisions --- */

static void scale(double by, fb_spatial_inertia* x) {
  x->mass *= by;
  for (int i = 0; i < 3; i++) x->h[i] *= by;
  for (int i = 0; i < 6; i++) x->moments[i] *= by;
}

static fb_status read_cone(fb_sdf_reader* r, int cone, fb_spatial_inertia* out) {
  const double pi = 3.14159265358979323846;
  double radius = 0, length = 0;
  fb_status status = fb_sdf_numbers(r, cone, "radius", 1, &radius, NULL);
  if (!status) status = fb_sdf_numbers(r, cone, "length", 1, &length, NULL);
  double m = pi * radius * radius * length / 3, com[3] = {0, 0, -length / 4};
  double across = 3 * m / 80 * (4 * radius * radius + length * length),
         I[6] = {across, across, 0.3 * m * radius * radius, 0, 0, 0};
  if (!status && radius > 0 && length > 0) fb_spatial_inertia_from_com(m, com, I, out);
  return status;
}

/* For a density of 1, in the frame of the collision. */
static fb_status read_volume(fb_sdf_reader* r, int collision, fb_spatial_inertia* out) {
  int geometry = fb_xml_child(r->xml, collision, "geometry"), shown = 0;
  int e = geometry == FB_XML_NONE ? FB_XML_NONE : fb_xml_first(r->xml, geometry);
  const char* kind = e == FB_XML_NONE ? "geometry" : fb_xml_name(r->xml, e);
  fb_shape_def shape = fb_default_shape_def();
  char* file = NULL;
  memset(out, 0, sizeof *out);
  fb_status status =
      strcmp(kind, "cone") == 0 ? read_cone(r, e, out) : fb_sdf_geometry(r, geometry, &shape, &file, &shown);
  if (!status && file && fb_xml_child(r->xml, e, "submesh") == FB_XML_NONE) {
    status = solid_of(r, e, file, out);
    stretch(shape.size, out);
  } else if (!status && strcmp(kind, "cone") != 0 && shown && !file) {
    out->mass = fb_shape_volume(&shape, out->moments);
  }
  free(file);
  if (status || out->mass > 0) return status;
  return fb_xml_fail(r->xml, collision, r->error, FB_ERR_UNSUPPORTED,
                     "<inertial auto=\"true\"> needs a solid of positive size; that of a <%.40s>%s is not "
                     "computed. Give <mass> and <inertia> instead",
                     kind, file ? " with <submesh>" : "");
}

static fb_status add_collision(fb_sdf_reader* r, int link, int e, double density, int* reported,
                               fb_spatial_inertia* sum) {
  fb_spatial_inertia local, placed;
  fb_pose pose;
  int given;
  fb_status status = fb_sdf_numbers(r, e, "density", 1, &density, &given);
  if (!status) status = read_volume(r, e, &local);
  if (!status) status = fb_sdf_pose_on(r, link, e, &pose);
  if (status) return status;
  if (!(density > 0))
    return fb_xml_fail(r->xml, e, r->error, FB_ERR_INERTIA, "the density of a collision is not positive");
  if (!given && !*reported) {
    fb_unread_add(&r->unread, e, "<collision> without <density> has 1000 kg/m^3, as SDF says");
    *reported = 1;
  }
  scale(density, &local);
  fb_spatial_inertia_to_parent(&pose, &local, &placed);
  fb_spatial_inertia_add(sum, &placed, sum);
  return FB_OK;
}

static fb_status from_collisions(fb_sdf_reader* r, int link, int inertial, fb_body_def* body) {
  double density = 1000, mass = 0;
  int mass_given, reported, count = 0;
  fb_spatial_inertia sum = {0};
  fb_status status = fb_sdf_numbers(r, inertial, "density", 1, &density, &reported);
  if (!status) status = fb_sdf_numbers(r, inertial, "mass", 1, &mass, &mass_given);
  if (status) return status;
  if (mass_given) reported = 1;
  for (int e = fb_xml_first(r->xml, r->items[link].element); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    if (strcmp(fb_xml_name(r->xml, e), "collision") != 0) continue;
    status = add_collision(r, link, e, density, &reported, &sum);
    if (status) return status;
    count++;
  }
  if (!count)
    return fb_xml_fail(r->xml, inertial, r->error, FB_ERR_CONTENT,
                       "<inertial auto=\"true\"> needs a <collision>, from which the mass is computed");
  if (mass_given) scale(mass / sum.mass, &sum);
  if (fb_xml_child(r->xml, inertial, "pose") != FB_XML_NONE ||
      fb_xml_child(r->xml, inertial, "inertia") != FB_XML_NONE)
    fb_unread_add(&r->unread, inertial,
                  "<pose> and <inertia> are not read where <inertial> has auto=\"true\"");
  fb_spatial_inertia_to_com(&sum, &body->mass, body->com, body->inertia);
  return FB_OK;
}

/* --- links --- */

static int is_auto(const fb_sdf_reader* r, int inertial) {
  const char* word = inertial == FB_XML_NONE ? NULL : fb_xml_attribute(r->xml, inertial, "auto");
  return word && (strcmp(word, "true") == 0 || strcmp(word, "1") == 0);
}

static fb_status read_given(fb_sdf_reader* r, int link, int inertial, fb_body_def* body) {
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  double I[6] = {1, 1, 1, 0, 0, 0};
  int inertia = fb_xml_child(r->xml, inertial, "inertia");
  fb_pose pose;
  fb_status status = fb_sdf_pose_on(r, link, inertial, &pose);
  if (!status) status = fb_sdf_numbers(r, inertial, "mass", 1, &body->mass, NULL);
  for (int i = 0; i < 6 && !status && inertia != FB_XML_NONE; i++)
    status = fb_sdf_numbers(r, inertia, names[i], 1, &I[i], NULL);
  if (status) return status;
  memcpy(body->com, pose.p, sizeof pose.p);
  fb_spatial_inertia local = {0}, turned;
  memcpy(local.moments, I, sizeof I);
  memset(pose.p, 0, sizeof pose.p);
  fb_spatial_inertia_to_parent(&pose, &local, &turned);
  memcpy(body->inertia, is_identity3x3(pose.R) ? I : turned.moments, sizeof I);
  if (fb_xml_child(r->xml, inertial, "density") != FB_XML_NONE)
    fb_unread_add(&r->unread, inertial, "<density> of <inertial> has an effect with auto=\"true\" only");
  return FB_OK;
}

fb_status fb_sdf_read_inertial(fb_sdf_reader* r, int link, fb_body_def* body) {
  int e = r->items[link].element, inertial = fb_xml_child(r->xml, e, "inertial");
  double kept[10];
  body->mass = 1; /* SDF's own, for links that say nothing */
  memcpy(body->inertia, (const double[]){1, 1, 1, 0, 0, 0}, sizeof body->inertia);
  if (inertial == FB_XML_NONE)
    return fb_unread_add(&r->unread, e, "<link> without <inertial> has 1 kg and 1 kg m^2, as SDF says");
  if (!is_auto(r, inertial)) return read_given(r, link, inertial, body);
  if (!fb_xml_attribute(r->xml, inertial, "freebody_inertia"))
    return from_collisions(r, link, inertial, body);
  fb_status status = fb_xml_numbers(r->xml, inertial, "freebody_inertia", 10, kept, r->error);
  if (status) return status;
  body->mass = kept[0];
  memcpy(body->com, kept + 1, sizeof body->com);
  memcpy(body->inertia, kept + 4, sizeof body->inertia);
  return FB_OK;
}

/* --- a file that stands alone --- */

static int has_mesh(const fb_sdf_reader* r, int link) {
  for (int e = fb_xml_first(r->xml, link); e != FB_XML_NONE; e = fb_xml_next(r->xml, e)) {
    int geometry =
        strcmp(fb_xml_name(r->xml, e), "collision") == 0 ? fb_xml_child(r->xml, e, "geometry") : FB_XML_NONE;
    if (geometry != FB_XML_NONE && fb_xml_child(r->xml, geometry, "mesh") != FB_XML_NONE) return 1;
  }
  return 0;
}

static int keep(fb_xml* xml, int inertial, const fb_body_def* body) {
  char text[340] = "";
  double x[10] = {body->mass, body->com[0], body->com[1], body->com[2]};
  size_t used = 0;
  memcpy(x + 4, body->inertia, sizeof body->inertia);
  for (int i = 0; i < 10; i++) {
    fb_number_format(x[i], text + used);
    used += strlen(text + used);
    if (i < 9) text[used++] = ' ';
  }
  text[used] = '\0';
  return fb_xml_set_attribute(xml, inertial, "freebody_inertia", text);
}

/* Attributes are set when all inertias are computed, since that moves the names of the items. */
fb_status fb_sdf_keep_solids(fb_sdf_reader* r, int* count) {
  int* inertials = malloc((r->nitem + 1) * sizeof *inertials);
  fb_body_def* bodies = NULL;
  size_t nbody = 0, room = 0;
  fb_status status = FB_OK;
  *count = 0;
  if (!inertials) return fb_sdf_no_memory(r);
  for (size_t i = 0; i < r->nitem && !status; i++) {
    int e = r->items[i].element,
        inertial = r->items[i].kind == 'l' ? fb_xml_child(r->xml, e, "inertial") : FB_XML_NONE;
    if (!is_auto(r, inertial) || !has_mesh(r, e)) continue;
    fb_body_def body = fb_default_body_def();
    status = fb_sdf_read_inertial(r, (int)i, &body);
    if (!status && !fb_grow(&bodies, nbody, 1, &room, sizeof *bodies)) status = fb_sdf_no_memory(r);
    if (status || !bodies) break;
    inertials[nbody] = inertial;
    bodies[nbody++] = body;
  }
  for (size_t i = 0; bodies && i < nbody && !status; i++)
    if (!keep(r->xml, inertials[i], &bodies[i])) status = fb_sdf_no_memory(r);
  *count = (int)nbody;
  free(inertials);
  free(bodies);
  return status;
}
