/* library.h -- functions of a shared library that is loaded when it is first needed, not with the program. */
#ifndef FREEBODY_SUPPORT_LIBRARY_H
#define FREEBODY_SUPPORT_LIBRARY_H

#include <freebody/export.h>
#include <freebody/status.h>

FB_BEGIN_DECLS

/* Loads `file`, a name that the system's loader finds, and writes the address of each of the `count` names to `table`, an
 * array of pointers or a struct of nothing else. The library stays loaded. A library that was loaded before the program, as by
 * LD_PRELOAD, comes first. */
FB_API fb_status fb_library_load(const char* file, const char* const* names, int count, void* table,
                                 fb_error* error);
/* What the loader said of its last failure, and FB_ERR_MEMORY or FB_ERR_IO for it. */
FB_API const char* fb_library_error(fb_status* status);

FB_END_DECLS

#endif
