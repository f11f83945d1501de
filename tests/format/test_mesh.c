/* test_mesh.c -- meshes from STL and OBJ: what is read, and what is refused with which words. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/mesh/mesh.h"

enum { ROOM = 1 << 20 };

typedef struct mesh_case {
  const char* name;
  const char* text;
  int nvertex, ntriangle; /* when it is good */
  const char* error;      /* else part of the message */
} mesh_case;

#define FACET(a, b, c) \
  "facet normal 0 0 1\n outer loop\n vertex " a "\n vertex " b "\n vertex " c "\n endloop\nendfacet\n"
#define SQUARE FACET("0 0 0", "1 0 0", "1 1 0") FACET("0 0 0", "1 1 0", "0 1 0")

static const mesh_case TEXTS[] = {
    {"STL", "solid plate of steel\n" SQUARE "endsolid plate\n", 4, 2, NULL},
    {"STL, two solids",
     "solid a\n" FACET("0 0 0", "1 0 0", "0 1 0") "endsolid\nsolid b\n" SQUARE "endsolid b", 4, 3, NULL},
    {"STL on one line, in capitals",
     "SOLID x\nFACET NORMAL nan nan nan OUTER LOOP VERTEX 0 0 0 VERTEX 1.5E0 0 0 VERTEX 0 1 0 ENDLOOP "
     "ENDFACET",
     3, 1, NULL},
    {"STL, -0 is 0",
     "solid\n" FACET("0 0 0", "1 0 0", "0 1 0") FACET("-0 0 -0.0", "1 0 0", "0 0 1") "endsolid", 4, 2, NULL},
    {"STL, no area", "solid\n" FACET("0 0 0", "0 0 0", "0 1 0") SQUARE "endsolid", 4, 2, NULL},
    {"STL of nothing", "solid nothing\nendsolid nothing\n", 0, 0, "no triangles"},
    {"STL without area at all", "solid\n" FACET("0 0 0", "0 0 0", "0 1 0") "endsolid", 0, 0, "no triangles"},
    {"STL cut short", "solid\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0", 0, 0,
     "bad:5: the file ends"},
    {"STL cut in a normal", "solid\nfacet normal 0", 0, 0, "the file ends"},
    {"STL with four corners",
     "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 vertex 1 1 0\nvertex 0 1 0 endloop "
     "endfacet",
     0, 0, "bad:3: a facet with more than 3 vertices"},
    {"STL with two", "solid\nfacet normal 0 0 1 outer loop vertex 0 0 0 vertex 1 0 0 endloop endfacet", 0, 0,
     "a facet with 2 vertices"},
    {"STL, a word", "solid\n" FACET("0 0 zero", "1 0 0", "0 1 0"), 0, 0,
     "bad:4: a coordinate must be a number"},
    {"STL, NaN", "solid\n" FACET("0 0 nan", "1 0 0", "0 1 0"), 0, 0,
     "must be a number; 'nan' is not a number"},
    {"STL, too large", "solid\n" FACET("0 0 1e39", "1 0 0", "0 1 0"), 0, 0, "1e39 is too large"},
    {"STL, comma", "solid\n" FACET("0 0 1,5", "1 0 0", "0 1 0"), 0, 0, "'1,5' is not a number"},
    {"STL, unknown word", "solid\nfacett normal", 0, 0, "bad:2: 'facett' where"},
    {"STL, unknown word in a facet", "solid\nfacet normal 0 0 1\nouter lop", 0, 0, "bad:3: 'lop' in a facet"},

    {"OBJ", "# a comment\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 3, 1, NULL},
    {"OBJ, everything",
     "mtllib a.mtl\no plate\nv 0 0 0 1\nv 1 0 0 1\nv 1 1 0 1\nv 0 1 0 1\nvt 0 0\nvn 0 0 1\ng left\nusemtl "
     "steel\ns off\n"
     "f 1/1/1 2//1 3/1 4\nl 1 2\n",
     4, 2, NULL},
    {"OBJ, backwards", "v 9 9 9\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n", 3, 1, NULL},
    {"OBJ, a fan", "v 0 0 0\nv 1 0 0\nv 2 1 0\nv 1 2 0\nv 0 1 0\nf 1 2 3 4 5", 5, 3, NULL},
    {"OBJ, lines that go on", "v 0 0 0\nv 1 0 0\nv 0 \\\r\n 1 0\nf 1 2 \\\n3\n", 3, 1, NULL},
    {"OBJ, Windows", "v 0 0 0\r\nv 1 0 0\r\nv 0 1 0\r\nf 1 2 3\r\n", 3, 1, NULL},
    {"OBJ, equal vertices", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\nf 4 6 5", 4, 2,
     NULL},
    {"OBJ, a comment behind a face", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3 # the only one\n", 3, 1, NULL},
    {"OBJ, other statements that go on", "v 0 0 0 \\\n1\nv 1 0 0\nv 0 1 0\ncurv 0 1 \\\n1 2\nf 1 2 3\n", 3, 1,
     NULL},
    {"OBJ with the mark of UTF-8", "\xef\xbb\xbfo plate\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", 3, 1, NULL},
    {"text with a vertex and a face", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nroot:x:0:0:root\n", 0, 0,
     "bad:5: this line is no statement of OBJ"},
    {"passwd", "root:x:0:0:root:/root:/bin/sh\n", 0, 0, "bad:1: this line is no statement of OBJ"},
    {"OBJ of vertices alone", "v 0 0 0\nv 1 0 0\nv 0 1 0\n", 0, 0, "no triangles"},
    {"OBJ, index 0", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 0 1 2", 0, 0,
     "bad:4: a face with vertex 0, but there are 3"},
    {"OBJ, too far", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4", 0, 0, "a face with vertex 4, but there are 3"},
    {"OBJ, too far back", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -4 2 3", 0, 0, "a face with vertex -4"},
    {"OBJ, far beyond", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 99999999999999999999", 0, 0,
     "a face with vertex 999"},
    {"OBJ, far before", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -99999999999999999999", 0, 0,
     "a face with vertex -999"},
    {"OBJ, no number", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 x", 0, 0, "a corner of a face must be a number"},
    {"OBJ, half a number", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3.5", 0, 0,
     "a corner of a face must be a number"},
    {"OBJ, two corners", "v 0 0 0\nv 1 0 0\nf 1 2", 0, 0, "a face with 2 corners"},
    {"OBJ, two coordinates", "v 0 0\n", 0, 0, "bad:1: a vertex with 2 coordinates"},
    {"OBJ, NaN", "v 0 0 NaN\n", 0, 0, "'nan' is not a number"},

    {"nothing", "", 0, 0, "the mesh is empty"},
    {"blanks", " \n\n", 0, 0, "no triangles"},
    {"XML", "<?xml version=\"1.0\"?><COLLADA/>", 0, 0, "STL (binary or text), OBJ or COLLADA"},
    {"PLY", "ply\nformat ascii 1.0\n", 0, 0, "STL (binary or text), OBJ or COLLADA"},
};

static fb_status parse_alone(const void* data, size_t size, fb_mesh* mesh, fb_error* error) {
  /* Its own memory without a byte to spare, so that a sanitizer sees what is read beyond. */
  void* copy = malloc(size ? size : 1);
  assert_non_null(copy);
  if (size) memcpy(copy, data, size);
  memset(error, 0, sizeof *error);
  fb_status status = fb_mesh_parse(copy, size, "bad", mesh, error);
  free(copy);
  return status;
}

static void check_sound(const char* name, const fb_mesh* mesh) {
  for (int i = 0; i < 3 * mesh->nvertex; i++)
    if (!isfinite(mesh->position[i])) fail_msg("%s: vertex %d is not finite", name, i / 3);
  for (int i = 0; i < 3 * mesh->ntriangle; i++)
    if (mesh->triangle[i] >= (unsigned)mesh->nvertex)
      fail_msg("%s: triangle %d is out of range", name, i / 3);
}

static void check_refused(const char* name, fb_status status, const fb_error* error, const char* want) {
  char text[1200];
  fb_error_format(error, text, sizeof text);
  if (status != FB_ERR_CONTENT || !strstr(text, want))
    fail_msg("%s: %d '%s', expected '%s'", name, status, text, want);
}

static void texts_are_read_or_refused_with_their_line(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof TEXTS / sizeof TEXTS[0]; i++) {
    const mesh_case* c = &TEXTS[i];
    fb_mesh mesh;
    fb_error error;
    fb_status status = parse_alone(c->text, strlen(c->text), &mesh, &error);
    if (c->error) {
      check_refused(c->name, status, &error, c->error);
      assert_null(mesh.position);
      continue;
    }
    if (status) fail_msg("%s: %s", c->name, error.text);
    if (mesh.nvertex != c->nvertex || mesh.ntriangle != c->ntriangle)
      fail_msg("%s: %d vertices, %d triangles", c->name, mesh.nvertex, mesh.ntriangle);
    check_sound(c->name, &mesh);
    fb_mesh_free(&mesh);
  }
}

static void corners_keep_their_order(void** state) {
  (void)state;
  static const char text[] = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0.25\nf 2 3 4 1\n";
  static const unsigned want[6] = {0, 1, 2, 0, 2, 3};
  fb_mesh mesh;
  fb_error error;
  assert_int_equal(parse_alone(text, strlen(text), &mesh, &error), FB_OK);
  assert_memory_equal(mesh.triangle, want, sizeof want);
  assert_true(mesh.position[0] == 1 && mesh.position[4] == 1 && mesh.position[8] == 0.25f);
  fb_mesh_free(&mesh);
}

/* --- binary STL --- */

static void put_word(unsigned char* p, uint32_t word) {
  for (int i = 0; i < 4; i++) p[i] = (unsigned char)(word >> (8 * i));
}

static void put_float(unsigned char* p, float x) {
  uint32_t word;
  memcpy(&word, &x, sizeof word);
  put_word(p, word);
}

/* A strip of `count` triangles, each with two corners of the one before. */
static size_t strip(unsigned char* data, const char* header, uint32_t count) {
  memset(data, 0, 84 + 50 * (size_t)count);
  memcpy(data, header, strlen(header));
  put_word(data + 80, count);
  for (uint32_t t = 0; t < count; t++)
    for (uint32_t k = 0; k < 3; k++) {
      unsigned char* corner = data + 84 + 50 * (size_t)t + 12 + 12 * (size_t)k;
      put_float(corner, (float)((t + k) / 2));
      put_float(corner + 4, (float)((t + k) % 2));
    }
  return 84 + 50 * (size_t)count;
}

static void binary_stl_is_told_by_its_size(void** state) {
  (void)state;
  unsigned char* data = (unsigned char*)malloc(ROOM);
  assert_non_null(data);
  static const char* const headers[] = {"made by a program", "solid but binary"};
  for (int i = 0; i < 2; i++) {
    size_t size = strip(data, headers[i], 1000);
    fb_mesh mesh;
    fb_error error;
    if (parse_alone(data, size, &mesh, &error)) fail_msg("%s", error.text);
    assert_int_equal(mesh.ntriangle, 1000);
    assert_int_equal(mesh.nvertex, 1002);
    check_sound(headers[i], &mesh);
    fb_mesh_free(&mesh);
  }
  free(data);
}

static void damaged_binary_stl_is_refused(void** state) {
  (void)state;
  unsigned char* data = (unsigned char*)malloc(ROOM);
  assert_non_null(data);
  fb_mesh mesh;
  fb_error error;
  size_t size = strip(data, "x", 100);
  for (size_t cut = 0; cut < size; cut += cut < 100 ? 1 : 97)
    if (parse_alone(data, cut, &mesh, &error) != FB_ERR_CONTENT)
      fail_msg("%zu of %zu bytes were read", cut, size);
  check_refused("longer", parse_alone(data, size + 1, &mesh, &error), &error,
                "5084 bytes, and there are 5085");
  put_word(data + 80, 0xffffffff);
  check_refused("count", parse_alone(data, size, &mesh, &error), &error,
                "4294967295 triangles has 214748364834 bytes");
  static const float odd[] = {NAN, INFINITY, -INFINITY};
  for (int i = 0; i < 3; i++) {
    strip(data, "x", 100);
    put_float(data + 84 + 50 * 7 + 12 + 16, odd[i]);
    check_refused("odd number", parse_alone(data, size, &mesh, &error), &error,
                  "triangle 8 has a coordinate");
  }
  strip(data, "x", 0);
  check_refused("none", parse_alone(data, 84, &mesh, &error), &error, "no triangles");
  free(data);
}

/* Bytes of a good file changed here and there: refused or read, never worse. */
static void changed_bytes_do_no_harm(void** state) {
  (void)state;
  unsigned char* data = (unsigned char*)malloc(ROOM);
  assert_non_null(data);
  uint32_t random = 1;
  for (int i = 0; i < 3000; i++) {
    const char* text = TEXTS[i % 30].text;
    size_t size = i % 3 ? strlen(text) : strip(data, "x", 20);
    if (i % 3) memcpy(data, text, size);
    for (int k = 0; k < 3 && size; k++) {
      random = random * 1664525u + 1013904223u;
      data[(random >> 8) % size] = (unsigned char)(random >> 24);
    }
    fb_mesh mesh;
    fb_error error;
    if (parse_alone(data, size, &mesh, &error) == FB_OK) check_sound(text, &mesh);
    fb_mesh_free(&mesh);
  }
  free(data);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(texts_are_read_or_refused_with_their_line),
      cmocka_unit_test(corners_keep_their_order),
      cmocka_unit_test(binary_stl_is_told_by_its_size),
      cmocka_unit_test(damaged_binary_stl_is_refused),
      cmocka_unit_test(changed_bytes_do_no_harm),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
