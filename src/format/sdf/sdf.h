/* sdf.h -- SDF, the format of Gazebo: models, read. docs/interchange.md says what of it. */
#ifndef FB_FORMAT_SDF_SDF_H
#define FB_FORMAT_SDF_SDF_H

#include <freebody/io.h>
#include <freebody/model_def.h>

fb_status fb_sdf_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                      fb_model_def** def, fb_error* error);
/* The text of a file that needs no other, malloc'd: what it includes is in it. *whole is NULL when it includes nothing. */
fb_status fb_sdf_whole(const char* text, size_t size, const char* name, const fb_io_options* options,
                       char** whole, size_t* whole_size, fb_error* error);

#endif
