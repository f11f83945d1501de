/* mesh.c -- meshes that contacts use: read once each, and copied with the run's other inputs, so that a resumed
 * run uses the same triangles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/mesh/mesh.h"
#include "scenario/kinds/surface/surface.h"
#include "scenario/read/read.h"

static void free_geometry(void* memory) {
  fb_geometry_free((fb_geometry*)memory);
}

int fb_scenario_own_geometry(fb_scenario* s, fb_geometry* geometry) {
  return fb_scenario_own(s, geometry, free_geometry);
}

/* A mirrored mesh is turned inside out, so the corners of its triangles change places. */
static fb_status to_geometry(const fb_mesh* mesh, unsigned mirrored, fb_geometry** geometry,
                             fb_error* error) {
  size_t nvertex = (size_t)mesh->nvertex, ntriangle = (size_t)mesh->ntriangle;
  double* vertices = malloc((3 * nvertex + 1) * sizeof *vertices);
  int* triangles = malloc((3 * ntriangle + 1) * sizeof *triangles);
  fb_status status;
  int inside_out = ((mirrored >> 2) ^ (mirrored >> 1) ^ mirrored) & 1;
  for (size_t i = 0; i < 3 * nvertex && vertices; i++)
    vertices[i] = (mirrored >> i % 3) & 1 ? -(double)mesh->position[i] : (double)mesh->position[i];
  for (size_t i = 0; i < 3 * ntriangle && triangles; i++)
    triangles[i] = (int)mesh->triangle[inside_out && i % 3 > 0 ? i + (i % 3 == 1) - (i % 3 == 2) : i];
  if (vertices && triangles)
    status = fb_geometry_new_mesh(mesh->nvertex, vertices, mesh->ntriangle, triangles, geometry, error);
  else
    status = fb_scenario_no_memory(error);
  free(vertices);
  free(triangles);
  return status;
}

/* The geometry of the input, which the scenario owns. */
static fb_status read_geometry(fb_scenario* s, const fb_node* node, fb_scenario_mesh* to, fb_error* error) {
  const fb_scenario_input* input = &s->inputs[to->input];
  fb_mesh mesh;
  fb_error why;
  fb_status status = fb_mesh_parse(input->text, input->size, input->file, &mesh, &why);
  if (!status) {
    status = to_geometry(&mesh, to->mirrored, &to->geometry, &why);
    fb_mesh_free(&mesh);
  }
  if (status == FB_ERR_MEMORY) return fb_scenario_no_memory(error);
  if (status)
    return fb_node_fail(node, error, status, "the mesh '%.200s' cannot be used for contact: %s", input->file,
                        why.text);
  return fb_scenario_own_geometry(s, to->geometry) ? FB_OK : fb_scenario_no_memory(error);
}

/* The input of a mesh of this file; -1 when it was not read yet. */
static int find_input(const fb_scenario* s, const char* file) {
  for (int i = 0; i < s->nmesh; i++)
    if (strcmp(s->meshes[i].file, file) == 0) return s->meshes[i].input;
  return -1;
}

fb_status fb_scenario_contact_mesh(fb_scenario* s, const fb_node* node, const char* file, double scale[3],
                                   int* index, fb_error* error) {
  fb_scenario_mesh mesh = {.input = find_input(s, file)};
  fb_status status = FB_OK;
  for (unsigned i = 0; i < 3; i++) {
    mesh.mirrored |= (unsigned)(scale[i] < 0) << i;
    scale[i] = fabs(scale[i]);
  }
  for (*index = 0; *index < s->nmesh; ++*index)
    if (s->meshes[*index].mirrored == mesh.mirrored && strcmp(s->meshes[*index].file, file) == 0)
      return FB_OK;
  mesh.file = fb_scenario_copy_text(s, file);
  if (!mesh.file || !fb_grow(&s->meshes, (size_t)s->nmesh, 1, &s->mesh_room, sizeof *s->meshes))
    return fb_scenario_no_memory(error);
  if (mesh.input < 0) status = fb_scenario_read_file(s, node, file, "mesh", &mesh.input, error);
  if (!status) status = read_geometry(s, node, &mesh, error);
  if (!status) s->meshes[s->nmesh++] = mesh;
  return status;
}
