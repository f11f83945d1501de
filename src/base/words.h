/* words.h -- lists of words in messages: the nearest to a mistyped one, and all of them. */
#ifndef FB_BASE_WORDS_H
#define FB_BASE_WORDS_H

#include <stddef.h>

#include <freebody/export.h>

/* The candidate nearest to `word` in edit distance, or NULL when none is near. NULL-ended list. */
FB_API const char* fb_nearest_word(const char* word, const char* const* candidates);

enum { FB_SUGGESTION_SIZE = 320 };

/* "; did you mean 'near'?", or "" when none is near. Returns buffer. */
FB_API char* fb_suggestion(const char* word, const char* const* candidates, char buffer[FB_SUGGESTION_SIZE]);
/* The same, but when none is near "; " with `otherwise` and all the candidates: "; its keys are a, b, c". */
FB_API char* fb_suggestion_or_list(const char* word, const char* const* candidates, const char* otherwise,
                                   char buffer[FB_SUGGESTION_SIZE]);

/* "a, b, c" of a NULL-ended list, each between `quote`s ("" for none); what does not fit ends in "...". Returns
 * buffer. */
FB_API char* fb_words_join(const char* const* words, const char* quote, char* buffer, size_t size);

#endif
