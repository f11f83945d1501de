/* private_api.h -- functions of the core that libfreebody_io calls and no public header declares
 *
 * As shared libraries the two are separate files, and a name that the first hides cannot be linked by the second. Such names
 * are exported but promised to no one: they may change with any release, and both libraries are installed together. */
#ifndef FB_BASE_PRIVATE_API_H
#define FB_BASE_PRIVATE_API_H

#include <freebody/export.h>

#define FB_PRIVATE_API FB_API

#endif
