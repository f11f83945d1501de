/* coordinate.h -- checks of the coordinate that a block drives. */
#ifndef FB_BLOCK_COORDINATE_H
#define FB_BLOCK_COORDINATE_H

#include <freebody/model.h>
#include <freebody/status.h>

/* FB_OK when coordinate k exists; and when it is a plain angle or length. Errors name the block. */
fb_status fb_coordinate_check(const fb_model* m, const char* block, int k, fb_error* error);
fb_status fb_coordinate_check_plain(const fb_model* m, const char* block, int k, fb_error* error);

#endif
