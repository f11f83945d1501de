/* mesh.c -- meshes from the bytes of a file: which format it is, and the joining of equal vertices.
 *
 * Vertices are found again by a hash table with linear probing. A search that a file makes long gives up, and the
 * vertex is repeated: reading takes linear time for any file. */
#include "format/mesh/mesh.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/mesh/build.h"
#include "text/files.h"

enum { MOST_PROBES = 64, FIRST_SLOTS = 1024 };

fb_status fb_mesh_fail(const fb_mesh_build* b, int line, const char* format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fb_fail(b->error, FB_ERR_CONTENT, "%s", text);
  fb_error_set_place(b->error, b->name, NULL, (fb_place){line, 0});
  return FB_ERR_CONTENT;
}

fb_status fb_mesh_no_memory(const fb_mesh_build* b) {
  return fb_file_fail(b->name, b->error, FB_ERR_MEMORY, "out of memory while a mesh of %zu bytes was read",
                      b->size);
}

/* --- vertices --- */

static size_t hash(const float p[3]) {
  uint32_t bits[3];
  memcpy(bits, p, sizeof bits);
  uint64_t h = 0;
  for (int i = 0; i < 3; i++) {
    h = (h ^ bits[i]) * UINT64_C(0x9e3779b97f4a7c15);
    h ^= h >> 29;
  }
  return (size_t)(h ^ (h >> 32));
}

/* The slot of an equal vertex, or a free one; nslot when the search gives up. */
static size_t find_slot(const fb_mesh_build* b, const float p[3]) {
  size_t mask = b->nslot - 1, at = hash(p) & mask;
  for (int i = 0; i < MOST_PROBES; i++, at = (at + 1) & mask) {
    if (b->slots[at] == 0) return at;
    if (memcmp(b->position + 3 * (size_t)(b->slots[at] - 1), p, 3 * sizeof *p) == 0) return at;
  }
  return b->nslot;
}

/* At most half full, so that searches are short. */
static int grow_slots(fb_mesh_build* b) {
  if (2 * (b->nvertex + 1) <= b->nslot) return 1;
  size_t nslot = b->nslot ? 2 * b->nslot : FIRST_SLOTS;
  unsigned* slots = calloc(nslot, sizeof *slots);
  if (!slots) return 0;
  free(b->slots);
  b->slots = slots;
  b->nslot = nslot;
  for (size_t i = 0; i < b->nvertex; i++) {
    size_t at = find_slot(b, b->position + 3 * i);
    if (at < nslot && slots[at] == 0) slots[at] = (unsigned)i + 1;
  }
  return 1;
}

fb_status fb_mesh_vertex(fb_mesh_build* b, const float p[3], unsigned* index) {
  float plain[3]; /* -0 is 0 */
  for (int i = 0; i < 3; i++) plain[i] = p[i] == 0 ? 0 : p[i];
  if (!grow_slots(b)) return fb_mesh_no_memory(b);
  size_t at = find_slot(b, plain);
  if (at < b->nslot && b->slots[at]) {
    *index = b->slots[at] - 1;
    return FB_OK;
  }
  if (b->nvertex >= FB_MESH_MOST) return fb_mesh_fail(b, 0, "more than %d vertices", (int)FB_MESH_MOST);
  if (!fb_grow(&b->position, 3 * b->nvertex, 3, &b->vertex_room, sizeof *b->position))
    return fb_mesh_no_memory(b);
  memcpy(b->position + 3 * b->nvertex, plain, sizeof plain);
  *index = (unsigned)b->nvertex++;
  if (at < b->nslot) b->slots[at] = *index + 1;
  return FB_OK;
}

fb_status fb_mesh_triangle(fb_mesh_build* b, unsigned i, unsigned j, unsigned k) {
  if (i == j || j == k || k == i) return FB_OK;
  if (b->ntriangle >= FB_MESH_MOST) return fb_mesh_fail(b, 0, "more than %d triangles", (int)FB_MESH_MOST);
  if (!fb_grow(&b->triangle, 3 * b->ntriangle, 3, &b->triangle_room, sizeof *b->triangle))
    return fb_mesh_no_memory(b);
  unsigned* t = b->triangle + 3 * b->ntriangle++;
  t[0] = i;
  t[1] = j;
  t[2] = k;
  return FB_OK;
}

/* --- the format --- */

static fb_status read_any(fb_mesh_build* b) {
  if (b->size == 0) return fb_mesh_fail(b, 0, "the mesh is empty");
  if (fb_stl_is_binary(b)) return fb_stl_read_binary(b);
  if (fb_dae_is(b)) return fb_dae_read(b);
  if (!memchr(b->data, 0, b->size < 4096 ? b->size : 4096)) {
    fb_mesh_words words = fb_mesh_words_start(b);
    int is_stl = fb_mesh_word(&words) && strcmp(words.word, "solid") == 0;
    return is_stl ? fb_stl_read_text(b) : fb_obj_read(b);
  }
  if (b->size >= 84) return fb_stl_read_binary(b); /* says in which way it is damaged */
  return fb_mesh_fail(b, 0, "%zu bytes are neither STL, OBJ nor COLLADA", b->size);
}

fb_status fb_mesh_parse(const void* data, size_t size, const char* name, fb_mesh* mesh, fb_error* error) {
  fb_mesh_build b = {0};
  memset(mesh, 0, sizeof *mesh);
  b.data = (const unsigned char*)data;
  b.size = size;
  b.name = name;
  b.error = error;
  fb_status status = read_any(&b);
  if (status == FB_OK && b.ntriangle == 0)
    status = fb_mesh_fail(&b, 0, "no triangles in it; meshes are STL (binary or text), OBJ or COLLADA");
  free(b.slots);
  if (status != FB_OK) {
    free(b.position);
    free(b.triangle);
    return status;
  }
  mesh->nvertex = (int)b.nvertex;
  mesh->ntriangle = (int)b.ntriangle;
  mesh->nfirst = (int)(b.nfirst ? b.nfirst : b.ntriangle);
  mesh->position = b.position;
  mesh->triangle = b.triangle;
  return FB_OK;
}

void fb_mesh_free(fb_mesh* mesh) {
  free(mesh->position);
  free(mesh->triangle);
  memset(mesh, 0, sizeof *mesh);
}
