/* planned.h -- keys of what Freebody will have, but has not yet. */
#ifndef FB_DOCUMENT_PLANNED_H
#define FB_DOCUMENT_PLANNED_H

/* What the key is for and what to do until then, as the end of a sentence; NULL for any other key. */
const char* fb_planned_key(const char* key);

#endif
