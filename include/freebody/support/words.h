/* words.h -- names in messages: suggestions for mistyped names, and lists of names. */
#ifndef FREEBODY_SUPPORT_WORDS_H
#define FREEBODY_SUPPORT_WORDS_H

#include <stddef.h>

#include <freebody/export.h>

/* Buffer size for a suggestion. */
enum { FB_SUGGESTION_SIZE = 320 };

FB_BEGIN_DECLS

/* The candidate nearest to `word` in edit distance, or NULL when none is near. The list ends with NULL. */
FB_API const char* fb_nearest_word(const char* word, const char* const* candidates);
/* "; did you mean 'near'?", or "" when none is near. Returns buffer. */
FB_API char* fb_suggestion(const char* word, const char* const* candidates, char buffer[FB_SUGGESTION_SIZE]);
/* The same, but when none is near "; " with `otherwise` and all the candidates: "; its keys are a, b, c". */
FB_API char* fb_suggestion_or_list(const char* word, const char* const* candidates, const char* otherwise,
                                   char buffer[FB_SUGGESTION_SIZE]);
/* "a, b, c" of a list that ends with NULL, each between `quote`s ("" for none); a list that does not fit ends in
 * "...". Returns buffer. */
FB_API char* fb_words_join(const char* const* words, const char* quote, char* buffer, size_t size);

FB_END_DECLS

#endif
