/* attach.h -- putting one model on another, in its two steps. */
#ifndef FB_MODEL_ATTACH_H
#define FB_MODEL_ATTACH_H

#include <freebody/model_def.h>

#include "base/private_api.h"

/* Gives the bases of a part the joints that it will be attached by, where they are; doing it twice changes nothing. So
 * that a part can be checked alone as it will be. */
FB_PRIVATE_API fb_status fb_attach_joints(fb_model_def* part, const fb_attach_def* how, fb_error* error);

/* Where a body or frame called so is: the body, and its place there. Returns 0 when there is none. */
FB_PRIVATE_API int fb_attach_find(const fb_model_def* def, const char* name, int* body, double at[3],
                                  double R[9]);

#endif
