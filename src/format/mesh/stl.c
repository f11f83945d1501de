/* stl.c -- STL.
 *
 * Binary: 80 bytes of anything, the number of triangles (uint32), then 50 bytes a triangle: normal and three corners
 * (float32 x y z each), two bytes more; all little-endian. Text: facet normal x y z, outer loop, vertex x y z three
 * times, endloop, endfacet. Normals are not read: the order of the corners says the same, and they are often wrong.
 * Binary files may begin with "solid" too, so they are recognised by size. */
#include <math.h>
#include <string.h>

#include "format/mesh/build.h"

enum { HEADER = 84, TRIANGLE = 50 };

static uint32_t little_endian(const unsigned char* p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* --- binary --- */

/* The bytes that the header promises; 0 without one. */
static uint64_t promised(const fb_mesh_build* b) {
  return b->size < HEADER ? 0 : HEADER + TRIANGLE * (uint64_t)little_endian(b->data + 80);
}

int fb_stl_is_binary(const fb_mesh_build* b) {
  return b->size >= HEADER && b->size == promised(b);
}

static fb_status read_corner(fb_mesh_build* b, const unsigned char* data, unsigned long number,
                             unsigned* index) {
  float p[3];
  for (int i = 0; i < 3; i++) {
    uint32_t bits = little_endian(data + 4 * i);
    memcpy(&p[i], &bits, sizeof bits);
    if (!isfinite(p[i])) return fb_mesh_fail(b, 0, "triangle %lu has a coordinate that is no number", number);
  }
  return fb_mesh_vertex(b, p, index);
}

fb_status fb_stl_read_binary(fb_mesh_build* b) {
  unsigned long count = little_endian(b->data + 80);
  if (b->size != promised(b))
    return fb_mesh_fail(b, 0,
                        "neither STL nor OBJ, or damaged: a binary STL with a header of %lu triangles has "
                        "%llu bytes, and there are %zu",
                        count, (unsigned long long)promised(b), b->size);
  if (count > FB_MESH_MOST)
    return fb_mesh_fail(b, 0, "%lu triangles; at most %d are read", count, (int)FB_MESH_MOST);
  fb_status status = FB_OK;
  for (unsigned long t = 0; t < count && status == FB_OK; t++) {
    const unsigned char* data = b->data + HEADER + (size_t)t * TRIANGLE + 12;
    unsigned corner[3] = {0, 0, 0};
    for (int i = 0; i < 3 && status == FB_OK; i++) status = read_corner(b, data + 12 * i, t + 1, &corner[i]);
    if (status == FB_OK) status = fb_mesh_triangle(b, corner[0], corner[1], corner[2]);
  }
  return status;
}

/* --- text --- */

static fb_status cut_short(const fb_mesh_build* b, const fb_mesh_words* w) {
  return fb_mesh_fail(b, w->line, "the file ends in the midst of a facet");
}

static fb_status read_vertex(fb_mesh_build* b, fb_mesh_words* w, unsigned* index) {
  float p[3] = {0, 0, 0};
  fb_status status = FB_OK;
  for (int i = 0; i < 3 && status == FB_OK; i++)
    status = fb_mesh_word(w) ? fb_mesh_coordinate(b, w, &p[i]) : cut_short(b, w);
  return status == FB_OK ? fb_mesh_vertex(b, p, index) : status;
}

/* From behind "facet" to "endfacet". */
static fb_status read_facet(fb_mesh_build* b, fb_mesh_words* w) {
  unsigned corner[3] = {0, 0, 0};
  int count = 0;
  while (fb_mesh_word(w)) {
    if (strcmp(w->word, "vertex") == 0) {
      if (count == 3)
        return fb_mesh_fail(b, w->line, "a facet with more than 3 vertices; STL has triangles alone");
      fb_status status = read_vertex(b, w, &corner[count++]);
      if (status != FB_OK) return status;
    } else if (strcmp(w->word, "normal") == 0) {
      for (int i = 0; i < 3; i++)
        if (!fb_mesh_word(w)) return cut_short(b, w);
    } else if (strcmp(w->word, "endfacet") == 0) {
      if (count == 3) return fb_mesh_triangle(b, corner[0], corner[1], corner[2]);
      return fb_mesh_fail(b, w->line, "a facet with %d vertices; it needs 3", count);
    } else if (strcmp(w->word, "outer") != 0 && strcmp(w->word, "loop") != 0 &&
               strcmp(w->word, "endloop") != 0) {
      return fb_mesh_fail(b, w->line, "'%.40s' in a facet of an STL file", w->word);
    }
  }
  return cut_short(b, w);
}

fb_status fb_stl_read_text(fb_mesh_build* b) {
  fb_mesh_words w = fb_mesh_words_start(b);
  fb_status status = FB_OK;
  while (status == FB_OK && fb_mesh_word(&w)) {
    if (strcmp(w.word, "facet") == 0)
      status = read_facet(b, &w);
    else if (strcmp(w.word, "solid") == 0 || strcmp(w.word, "endsolid") == 0)
      fb_mesh_next_line(&w); /* a name of any words */
    else
      status = fb_mesh_fail(b, w.line, "'%.40s' where an STL file has facet or endsolid", w.word);
  }
  return status;
}
