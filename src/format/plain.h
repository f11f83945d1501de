/* plain.h -- a model whose joints all end at the frames of their bodies, for formats that know no other. */
#ifndef FB_FORMAT_PLAIN_H
#define FB_FORMAT_PLAIN_H

#include <freebody/io.h>
#include <freebody/model_def.h>

/* *plain is the same robot with the frames of bodies moved to their joints, so that no joint has a `child`; NULL when
 * none has one already. A note says how many were moved. `format` is what shall be written, for the message when a joint
 * is reversed or a loop ends at a body that would be moved. */
fb_status fb_model_def_plain(const fb_model_def* def, const char* format, const fb_io_options* options,
                             fb_model_def** plain, fb_error* error);

#endif
