/* mesh.h -- triangles read from mesh files: STL (binary and text), OBJ and COLLADA. */
#ifndef FB_FORMAT_MESH_MESH_H
#define FB_FORMAT_MESH_MESH_H

#include <stddef.h>

#include <freebody/status.h>

typedef struct fb_mesh {
  int nvertex, ntriangle;
  int nfirst;         /* triangles before the second group of an OBJ file; of other files all */
  float* position;    /* [nvertex][3], in the file's units; of COLLADA, which says them, in metres */
  unsigned* triangle; /* [ntriangle][3] indices of vertices, counter-clockwise seen from outside */
} fb_mesh;

/* Reads a mesh from memory, in a format recognised by content; `name` is the file name in messages. Equal vertices are
 * joined. A file that is damaged, empty or of another format: FB_ERR_CONTENT that says so. */
fb_status fb_mesh_parse(const void* data, size_t size, const char* name, fb_mesh* mesh, fb_error* error);
void fb_mesh_free(fb_mesh* mesh);

#endif
