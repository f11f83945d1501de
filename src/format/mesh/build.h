/* build.h -- a mesh while it is read: what the readers of STL, OBJ and COLLADA share. */
#ifndef FB_FORMAT_MESH_BUILD_H
#define FB_FORMAT_MESH_BUILD_H

#include <stddef.h>
#include <stdint.h>

#include <freebody/status.h>

#include "format/mesh/mesh.h"

enum { FB_MESH_MOST = 50 * 1000 * 1000 /* triangles, and vertices */ };

typedef struct fb_mesh_build {
  const unsigned char* data;
  size_t size;
  const char* name; /* of the file, for messages */
  fb_error* error;
  float* position;
  unsigned* triangle;
  size_t nvertex, vertex_room, ntriangle, triangle_room;
  size_t nfirst;   /* triangles of the first group; 0: there is no second one */
  unsigned* slots; /* hash table: number of a vertex + 1; 0: free */
  size_t nslot;    /* a power of two */
} fb_mesh_build;

/* Fails about the file; line 0: about the whole of it. */
fb_status fb_mesh_fail(const fb_mesh_build* b, int line, const char* format, ...) FB_PRINTF(3, 4);
fb_status fb_mesh_no_memory(const fb_mesh_build* b);
/* The number of a vertex at this place, which is finite; an equal one that is there already is found. */
fb_status fb_mesh_vertex(fb_mesh_build* b, const float p[3], unsigned* index);
/* One with two equal corners has no area and is left out. */
fb_status fb_mesh_triangle(fb_mesh_build* b, unsigned i, unsigned j, unsigned k);

/* ---- format/mesh/text.c: words of a text file ---- */

enum { FB_MESH_WORD = 64 };

typedef struct fb_mesh_words {
  const unsigned char *at, *end;
  int line; /* of `at` */
  char word[FB_MESH_WORD];
} fb_mesh_words;

fb_mesh_words fb_mesh_words_start(const fb_mesh_build* b);
/* The next word into words->word, over line ends; 0 at the end of the text. Longer words are cut. */
int fb_mesh_word(fb_mesh_words* words);
/* The same on this line alone; a line that ends with a backslash continues. */
int fb_mesh_word_of_line(fb_mesh_words* words);
/* To the beginning of the next line; 0 at the end of the text. */
int fb_mesh_next_line(fb_mesh_words* words);
/* A coordinate as the last word has it. */
fb_status fb_mesh_coordinate(const fb_mesh_build* b, const fb_mesh_words* words, float* out);

/* ---- the formats ---- */

int fb_stl_is_binary(const fb_mesh_build* b);
fb_status fb_stl_read_binary(fb_mesh_build* b);
fb_status fb_stl_read_text(fb_mesh_build* b);
fb_status fb_obj_read(fb_mesh_build* b);
int fb_dae_is(const fb_mesh_build* b);
fb_status fb_dae_read(fb_mesh_build* b);

#endif
