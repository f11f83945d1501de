/* mjcf.h -- MJCF, the format of MuJoCo: its rigid part, read and written. docs/mjcf.md says what is kept. */
#ifndef FB_FORMAT_MJCF_MJCF_H
#define FB_FORMAT_MJCF_MJCF_H

#include <freebody/io.h>
#include <freebody/model_def.h>

fb_status fb_mjcf_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                       fb_model_def** def, fb_error* error);
/* The same file with what it includes, and with masses that come from meshes, so that it gives the same model where the others
 * are not; NULL when it needs no others. */
fb_status fb_mjcf_whole(const char* text, size_t size, const char* name, char** whole, size_t* whole_size,
                        fb_error* error);
/* A scenario (YAML) that names the file as `model` and has what MJCF says beyond a model: docs/mjcf.md. */
fb_status fb_mjcf_scenario(const char* text, size_t size, const char* name, const char* model, int contacts,
                           const fb_io_options* options, char** scenario, size_t* scenario_size,
                           fb_error* error);
/* `folder` is where mesh files are named from, so that those that MuJoCo cannot load are left out; NULL: all are written. */
fb_status fb_mjcf_print(const fb_model_def* def, const char* folder, const fb_io_options* options,
                        char** text, size_t* size, fb_error* error);

#endif
