/* mark.h -- a text of a run whose writer has died. */
#ifndef FB_RUN_STORE_MARK_H
#define FB_RUN_STORE_MARK_H

#include <freebody/status.h>

/* Sets a text of the run in the folder and commits it; all that the run has committed stays as it is. FB_ERR_IO when
 * another process writes the run. */
fb_status fb_store_mark(const char* folder, const char* key, const char* text, fb_error* error);

#endif
