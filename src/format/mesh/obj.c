/* obj.c -- Wavefront OBJ: vertices (v x y z) and faces (f a b c ..., each a, a/t, a//n or a/t/n, counted from 1,
 * negative ones back from the last vertex). Faces of more corners become fans. All other statements of the format are
 * passed over; a line that begins with none of them is refused, so that another text file, which the reader of a mesh
 * was pointed to by a stranger's model, is not taken for an OBJ because some line of it looks like a vertex. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/mesh/build.h"
#include "format/unread.h"

/* Vertices as the file has them; they go into the mesh when a face uses them. */
typedef struct obj {
  fb_mesh_build* build;
  fb_mesh_words words;
  float* position;
  unsigned* joined; /* number in the mesh + 1; 0: not used yet */
  size_t count, position_room, joined_room;
} obj;

static fb_status read_vertex(obj* o) {
  fb_mesh_build* b = o->build;
  float p[3] = {0, 0, 0};
  for (int i = 0; i < 3; i++) {
    if (!fb_mesh_word_of_line(&o->words))
      return fb_mesh_fail(b, o->words.line, "a vertex with %d coordinates; it needs 3", i);
    fb_status status = fb_mesh_coordinate(b, &o->words, &p[i]);
    if (status != FB_OK) return status;
  }
  if (o->count >= FB_MESH_MOST)
    return fb_mesh_fail(b, o->words.line, "more than %d vertices", (int)FB_MESH_MOST);
  if (!fb_grow(&o->position, 3 * o->count, 3, &o->position_room, sizeof *o->position) ||
      !fb_grow(&o->joined, o->count, 1, &o->joined_room, sizeof *o->joined))
    return fb_mesh_no_memory(b);
  memcpy(o->position + 3 * o->count, p, sizeof p);
  o->joined[o->count++] = 0;
  return FB_OK;
}

/* A corner of a face as the last word has it. */
static fb_status read_corner(obj* o, unsigned* index) {
  const char* word = o->words.word;
  char* end;
  long number = strtol(word, &end, 10);
  if (end == word || (*end && *end != '/'))
    return fb_mesh_fail(o->build, o->words.line,
                        "a corner of a face must be a number; '%.40s' is not a number", word);
  long count = (long)o->count, at = number > 0 ? number - 1 : count + number;
  if (number == 0 || number < -count || at >= count)
    return fb_mesh_fail(o->build, o->words.line, "a face with vertex %.20s, but there are %ld so far", word,
                        count);
  if (!o->joined[at]) {
    fb_status status = fb_mesh_vertex(o->build, o->position + 3 * at, index);
    if (status != FB_OK) return status;
    o->joined[at] = *index + 1;
  }
  *index = o->joined[at] - 1;
  return FB_OK;
}

static fb_status read_face(obj* o) {
  unsigned first = 0, last = 0, corner = 0;
  int count = 0;
  for (; fb_mesh_word_of_line(&o->words); count++) {
    if (o->words.word[0] == '#') break; /* a comment */
    fb_status status = read_corner(o, &corner);
    if (status == FB_OK && count >= 2) status = fb_mesh_triangle(o->build, first, last, corner);
    if (status != FB_OK) return status;
    if (count == 0) first = corner;
    last = corner;
  }
  if (count >= 3) return FB_OK;
  return fb_mesh_fail(o->build, o->words.line, "a face with %d corners; it needs 3", count);
}

/* The statements that are passed over: those of the format (Wavefront, appendix B1), with the superseded ones. */
static const char PASSED_OVER[] =
    " vt vn vp p l fo g o s mg mtllib usemtl maplib usemap cstype deg bmat step curv curv2 surf parm trim "
    "hole scrv "
    "sp end con bevel c_interp d_interp lod ctech stech call csh bsp bzp cdc cdp res shadow_obj trace_obj ";

static fb_status read_statement(obj* o) {
  const char* word = o->words.word;
  fb_status status = FB_OK;
  if (word[0] == '#') return FB_OK; /* a comment ends with its line, whatever it ends with */
  if (strcmp(word, "v") == 0)
    status = read_vertex(o);
  else if (strcmp(word, "f") == 0)
    status = read_face(o);
  else if ((strcmp(word, "o") == 0 || strcmp(word, "g") == 0) && !o->build->nfirst)
    o->build->nfirst = o->build->ntriangle;
  else if (!fb_is_listed(word, PASSED_OVER))
    return fb_mesh_fail(o->build, o->words.line,
                        "this line is no statement of OBJ; meshes are STL (binary or text), OBJ or COLLADA");
  /* The rest of the line, and of those that continue with it. */
  while (status == FB_OK && fb_mesh_word_of_line(&o->words)) {
  }
  return status;
}

fb_status fb_obj_read(fb_mesh_build* b) {
  static const unsigned char mark[3] = {0xef, 0xbb, 0xbf}; /* of UTF-8, which some editors put first */
  obj o = {0};
  o.build = b;
  o.words = fb_mesh_words_start(b);
  if (b->size >= sizeof mark && memcmp(b->data, mark, sizeof mark) == 0) o.words.at += sizeof mark;
  fb_status status = FB_OK;
  do {
    if (fb_mesh_word_of_line(&o.words)) status = read_statement(&o);
  } while (status == FB_OK && fb_mesh_next_line(&o.words));
  free(o.position);
  free(o.joined);
  return status;
}
