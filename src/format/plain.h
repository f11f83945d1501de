/* plain.h -- copies of a model for what is written: by joints that end at the frames of their bodies, for formats that know
 * no other, and with names of meshes for another folder. */
#ifndef FB_FORMAT_PLAIN_H
#define FB_FORMAT_PLAIN_H

#include <freebody/io.h>
#include <freebody/model_def.h>
#include <freebody/status.h>

/* *plain is the same robot with the frames of bodies moved to their joints, so that no joint has a `child`; NULL when
 * none has one already. A note says how many were moved. `format` is what shall be written, for the message when a joint
 * is reversed or a loop ends at a body that would be moved. */
fb_status fb_model_def_plain(const fb_model_def* def, const char* format, const fb_io_options* options,
                             fb_model_def** plain, fb_error* error);

/* A copy of the definition for another file: relative names of meshes lead from its folder to the same files. *moved is NULL
 * when no name changes. */
fb_status fb_mesh_names_move(const fb_model_def* def, const char* file, fb_model_def** moved,
                             fb_error* error);

#endif
