/* words.h -- stands here until every include names <freebody/words.h> itself. */
#ifndef FB_BASE_WORDS_H
#define FB_BASE_WORDS_H

#include <freebody/words.h>

#endif
