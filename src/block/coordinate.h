/* coordinate.h -- checks of the coordinate that a block drives, and where it is after a join or parting. */
#ifndef FB_BLOCK_COORDINATE_H
#define FB_BLOCK_COORDINATE_H

#include <freebody/model.h>
#include <freebody/status.h>

#include "base/private_api.h"

/* FB_OK when coordinate k exists; and when it is a plain angle or length. Errors name the block. */
FB_PRIVATE_API fb_status fb_coordinate_check(const fb_model* m, const char* block, int k, fb_error* error);
fb_status fb_coordinate_check_plain(const fb_model* m, const char* block, int k, fb_error* error);

/* The coordinate of `now` that continues coordinate k of `first`; -1 when its joint no longer exists. */
FB_PRIVATE_API int fb_coordinate_in(const fb_model* first, int k, const fb_model* now);
/* The note of a block whose joint, of coordinate k of `first`, no longer exists. Returns FB_OK. */
FB_PRIVATE_API fb_status fb_coordinate_note_removed(const fb_model* first, int k, fb_error* error);

#endif
