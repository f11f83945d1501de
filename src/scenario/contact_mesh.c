/* contact_mesh.c -- meshes that contacts use: read once each, and copied with the run's other inputs, so that a resumed
 * run touches the same triangles. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/mesh/mesh.h"
#include "scenario/scenario.h"

static void free_geometry(void* memory) {
  fb_geometry_free((fb_geometry*)memory);
}

int fb_scenario_own_geometry(fb_scenario* s, fb_geometry* geometry) {
  return fb_scenario_own(s, geometry, free_geometry);
}

static fb_status to_geometry(const fb_mesh* mesh, fb_geometry** geometry, fb_error* error) {
  size_t nvertex = (size_t)mesh->nvertex, ntriangle = (size_t)mesh->ntriangle;
  double* vertices = malloc((3 * nvertex + 1) * sizeof *vertices);
  int* triangles = malloc((3 * ntriangle + 1) * sizeof *triangles);
  fb_status status = vertices && triangles ? FB_OK : fb_scenario_no_memory(error);
  for (size_t i = 0; i < 3 * nvertex && !status; i++) vertices[i] = (double)mesh->position[i];
  for (size_t i = 0; i < 3 * ntriangle && !status; i++) triangles[i] = (int)mesh->triangle[i];
  if (!status)
    status = fb_geometry_mesh(mesh->nvertex, vertices, mesh->ntriangle, triangles, geometry, error);
  free(vertices);
  free(triangles);
  return status;
}

/* The geometry of the input, which the scenario owns. */
static fb_status read_geometry(fb_scenario* s, const fb_node* node, const fb_scenario_input* input,
                               fb_geometry** geometry, fb_error* error) {
  fb_mesh mesh;
  fb_error why;
  fb_status status = fb_mesh_parse(input->text, input->size, input->file, &mesh, &why);
  if (!status) {
    status = to_geometry(&mesh, geometry, &why);
    fb_mesh_free(&mesh);
  }
  if (status == FB_ERR_MEMORY) return fb_scenario_no_memory(error);
  if (status)
    return fb_node_fail(node, error, status, "the mesh '%.200s' cannot be used for contact: %s", input->file,
                        why.text);
  return fb_scenario_own_geometry(s, *geometry) ? FB_OK : fb_scenario_no_memory(error);
}

fb_status fb_scenario_contact_mesh(fb_scenario* s, const fb_node* node, const char* file, int* index,
                                   fb_error* error) {
  for (*index = 0; *index < s->nmesh; ++*index)
    if (strcmp(s->meshes[*index].file, file) == 0) return FB_OK;
  if (!fb_grow(&s->meshes, (size_t)s->nmesh, 1, &s->mesh_room, sizeof *s->meshes))
    return fb_scenario_no_memory(error);
  fb_scenario_mesh mesh = {.file = fb_scenario_text(s, file)};
  fb_status status = mesh.file ? fb_scenario_read_file(s, node, file, "mesh", &mesh.input, error)
                               : fb_scenario_no_memory(error);
  if (!status) status = read_geometry(s, node, &s->inputs[mesh.input], &mesh.geometry, error);
  if (!status) s->meshes[s->nmesh++] = mesh;
  return status;
}
