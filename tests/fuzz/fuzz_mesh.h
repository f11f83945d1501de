/* fuzz_mesh.h -- a mesh from a stranger: it is refused, or every triangle has three corners at finite places. */
#ifndef FB_TESTS_FUZZ_MESH_H
#define FB_TESTS_FUZZ_MESH_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "format/mesh/mesh.h"

static inline void fuzz_mesh(const uint8_t* data, size_t size) {
  fb_mesh mesh;
  fb_error error;
  /* Without a zero behind it: a mesh is bytes. */
  uint8_t* bytes = (uint8_t*)malloc(size ? size : 1);
  if (!bytes) fuzz_fail("out of memory");
  if (size > 0) memcpy(bytes, data, size);
  fb_status status = fb_mesh_parse(bytes, size, "input", &mesh, &error);
  free(bytes);
  if (!fuzz_ok(status, &error)) return;
  fuzz_accept();
  fuzz_check(mesh.ntriangle > 0 && mesh.nvertex > 2, "a mesh without triangles");
  for (int i = 0; i < 3 * mesh.nvertex; i++) fuzz_check(isfinite(mesh.position[i]), "a vertex is nowhere");
  for (int i = 0; i < 3 * mesh.ntriangle; i++)
    fuzz_check(mesh.triangle[i] < (unsigned)mesh.nvertex, "a triangle has corner %u of %d", mesh.triangle[i],
               mesh.nvertex);
  fb_mesh_free(&mesh);
}

#endif
