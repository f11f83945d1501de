/* page.h -- the report page with its data in it; viewer/src/format.ts says the same in TypeScript. */
#ifndef FB_PICTURE_PAGE_PAGE_H
#define FB_PICTURE_PAGE_PAGE_H

#include <stddef.h>

#include <freebody/picture.h>

enum {
  FB_PAGE_BLOCK = 4096, /* samples a block: unpacked when one of them is looked at */
  FB_PAGE_BUCKET = 64   /* samples a bucket of the pyramid, from which curves are drawn */
};

/* FB_ERR_ARG for options that did not come from fb_default_picture_options. */
fb_status fb_picture_options_check(const fb_picture_options* options, fb_error* error);

#endif
