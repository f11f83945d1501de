/* error.h -- stands here until every include names <freebody/status.h> itself. */
#ifndef FB_BASE_ERROR_H
#define FB_BASE_ERROR_H

#include <freebody/status.h>

#endif
