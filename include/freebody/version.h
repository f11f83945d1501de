/* version.h -- the version of the headers, and of the library at run time. */
#ifndef FREEBODY_VERSION_H
#define FREEBODY_VERSION_H

#include <freebody/export.h>

#define FB_VERSION_MAJOR 0
#define FB_VERSION_MINOR 1
#define FB_VERSION_PATCH 0
#define FB_VERSION_TEXT "0.1.0"

/* Of the binary interface: raised whenever something that a linked program relies on is removed or changed
 * (scripts/check-abi). The SOVERSION of the shared libraries. */
#define FB_ABI_VERSION 1

FB_BEGIN_DECLS

/* "0.1.0": the version of the library the program is linked with. */
FB_API const char* fb_version(void);

FB_END_DECLS

#endif
