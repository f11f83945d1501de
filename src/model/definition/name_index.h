/* name_index.h -- names with the number of their owner, sorted for look-up: long lists are cheap. */
#ifndef FB_MODEL_NAME_INDEX_H
#define FB_MODEL_NAME_INDEX_H

#include <freebody/model_def.h>
#include <freebody/support/words.h>

#include "model/model.h"

FB_API void fb_names_sort(fb_name* names, int count); /* by text, then by id */
/* In a sorted list: the id of a name, the lowest where it stands twice; -1 when it is absent. */
FB_API int fb_names_find(const fb_name* names, int count, const char* text);
/* In a sorted list: where a name stands that is the same as the one before it; 0 when all differ. */
FB_API int fb_names_repeated(const fb_name* names, int count);

/* fb_suggestion_or_list of a word among names; `otherwise` NULL: fb_suggestion. */
FB_API char* fb_names_suggestion(const fb_name* names, int count, const char* word, const char* otherwise,
                                 char near[FB_SUGGESTION_SIZE]);

/* The name of a body's joint: its own, or else the body's. */
static inline const char* fb_def_joint_name(const fb_body_def* body) {
  return body->joint.name ? body->joint.name : body->name;
}

#endif
