/* spacedyn.h -- SpaceDyn's model parameters as JSON: the layout of the reference files (outer list =
 * link) and of MATLAB's jsonencode(LP). */
#ifndef FB_FORMAT_SPACEDYN_SPACEDYN_H
#define FB_FORMAT_SPACEDYN_SPACEDYN_H

#include <freebody/io.h>
#include <freebody/support/json.h>
#include <freebody/model_def.h>

#include "document/document.h"

/* Reads a map holding num_q, BB, J_type, ... (either layout). Bodies: "base", "link1" ... "linkn" (ids 1,
 * 2 .. n+1); joints "joint1" ...; end-points as frames "end1" ... named by their link. */
fb_status fb_spacedyn_read(const fb_node* map, const fb_io_options* options, fb_model_def** def,
                           fb_error* error);

/* The model files of SpaceDyn's C++ library: whether a text is one, and the model in it, with the same names. */
int fb_spacedyn_def_is(const char* text, size_t size);
fb_status fb_spacedyn_def_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                               fb_model_def** def, fb_error* error);

/* Writes {format, version, name, model, cases} in the link-outermost layout; notes what is lost. FB_ERR_UNSUPPORTED
 * when the model is not one floating tree of revolute and prismatic joints. */
fb_status fb_spacedyn_write(const fb_model_def* def, const fb_io_options* options, fb_json* json,
                            fb_error* error);

#endif
