/* coordinate.h -- a coordinate of v: whose it is, and where it stands in q. For blocks, and for the reader of scenarios. */
#ifndef FB_BLOCK_COORDINATE_H
#define FB_BLOCK_COORDINATE_H

#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/status.h>

/* The body whose joint has coordinate k of v; 0 when there is none. O(bodies). */
FB_API int fb_coordinate_body(const fb_model* m, int k);
/* Where coordinate k stands in q; -1 when it has no place of its own there, as the rates of an attitude. */
FB_API int fb_coordinate_q_at(const fb_model* m, int k);
/* FB_OK when coordinate k exists; and when it is a plain angle or length. Errors name the block. */
fb_status fb_coordinate_check(const fb_model* m, const char* block, int k, fb_error* error);
fb_status fb_coordinate_check_plain(const fb_model* m, const char* block, int k, fb_error* error);

#endif
