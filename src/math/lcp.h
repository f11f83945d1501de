/* lcp.h -- the linear complementarity problem; all of its interface is public. */
#ifndef FB_MATH_LCP_H
#define FB_MATH_LCP_H

#include <freebody/lcp.h>

#endif
