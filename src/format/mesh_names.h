/* mesh_names.h -- the mesh files of a model are named from the folder of its own file; a copy elsewhere names them anew. */
#ifndef FB_FORMAT_MESH_NAMES_H
#define FB_FORMAT_MESH_NAMES_H

#include <freebody/model_def.h>
#include <freebody/status.h>

/* A copy of the definition for another file: relative names of meshes lead from its folder to the same files. *moved is NULL
 * when no name changes. */
fb_status fb_mesh_names_move(const fb_model_def* def, const char* file, fb_model_def** moved,
                             fb_error* error);

#endif
