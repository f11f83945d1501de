/* path.h -- names of files: absolute, beside another file, and from one folder to another. All results are the caller's to
 * free. */
#ifndef FB_TEXT_PATH_H
#define FB_TEXT_PATH_H

#include <stddef.h>

#include <freebody/export.h>

/* "folder/name", the first `length` bytes of name; NULL when out of memory. */
FB_API char* fb_path_join(const char* folder, const char* name, size_t length);
/* The path from the root, without ".", ".." and doubled slashes; links are not followed. NULL when out of memory or when
 * there is no working directory. */
FB_API char* fb_path_absolute(const char* path);
/* The folder that a file is in, from the root, links followed; "" when there is no such folder, NULL when out of memory. */
FB_API char* fb_path_folder(const char* file);
/* How a file is named from a folder, both given by fb_path_absolute or fb_path_folder: relative when they have at least one
 * folder below the root in common, otherwise as it is. NULL when out of memory. */
FB_API char* fb_path_from(const char* folder, const char* file);
/* The file that `name` names in the folder of `file`, unless it begins at the root; links and dots stay as they are. NULL when
 * out of memory. */
FB_API char* fb_path_beside(const char* file, const char* name);
/* Whether a name ends so, capitals or not; `end` is in small letters: ".stl". */
FB_API int fb_path_ends_with(const char* path, const char* end);
/* Whether a mesh of a model is named relative to the model's file: not from the root, and no address. */
FB_API int fb_path_is_relative(const char* path);

#endif
