/* json.h -- writing JSON, or YAML with the same calls, into memory (libfreebody_support).
 *
 * Numbers are written with the fewest digits that read back as the same double, independent of the locale; non-finite
 * numbers become null. A failed allocation is recorded, so one check at the end is enough: fb_json_finish returns
 * NULL, also after more than 80 levels of maps and lists. */
#ifndef FREEBODY_SUPPORT_JSON_H
#define FREEBODY_SUPPORT_JSON_H

#include <stddef.h>

#include <freebody/export.h>

typedef struct fb_json fb_json;

FB_BEGIN_DECLS

FB_API fb_json* fb_json_new(int indent); /* spaces per level; 0: one line. NULL when out of memory */
/* The same calls then write YAML: block style for the outer levels, flow style inside, lines broken near column 100. */
FB_API fb_json* fb_json_new_yaml(void);
FB_API void fb_json_free(fb_json* json); /* json may be NULL */
/* Frees json and returns its text (zero-terminated; free it with fb_free), or NULL when an allocation failed. size may
 * be NULL. */
FB_API char* fb_json_finish(fb_json* json, size_t* size);

FB_API void fb_json_begin_map(fb_json* json);
FB_API void fb_json_end_map(fb_json* json);
FB_API void fb_json_begin_list(fb_json* json);
FB_API void fb_json_begin_flat_list(fb_json* json); /* always on one line */
FB_API void fb_json_end_list(fb_json* json);
FB_API void fb_json_key(fb_json* json, const char* key); /* before each value in a map */

FB_API void fb_json_number(fb_json* json, double x);
FB_API void fb_json_number_text(fb_json* json,
                                const char* number); /* a number already written as JSON, copied as it is */
FB_API void fb_json_int(fb_json* json, long long x);
FB_API void fb_json_string(fb_json* json, const char* text); /* UTF-8; escaped as JSON requires */
FB_API void fb_json_bool(fb_json* json, int value);
FB_API void fb_json_null(fb_json* json);
FB_API void fb_json_numbers(fb_json* json, const double* x, int count); /* [..] on one line */
FB_API void fb_json_matrix(fb_json* json, const double* x, int rows,
                           int cols); /* [[..], ..], a line per row */

/* A key and its value in one call; a map or list is begun, and ends with fb_json_end_map or fb_json_end_list. */
FB_API void fb_json_put_map(fb_json* json, const char* key);
FB_API void fb_json_put_list(fb_json* json, const char* key);
FB_API void fb_json_put_flat_list(fb_json* json, const char* key);
FB_API void fb_json_put_bool(fb_json* json, const char* key, int value);
FB_API void fb_json_put_string(fb_json* json, const char* key, const char* text); /* NULL is "" */
FB_API void fb_json_put_int(fb_json* json, const char* key, long long x);
FB_API void fb_json_put_number(fb_json* json, const char* key, double x);
FB_API void fb_json_put_time(fb_json* json, const char* key, double t); /* as fb_time_format writes it */
FB_API void fb_json_put_numbers(fb_json* json, const char* key, const double* x, int count);
FB_API void fb_json_put_matrix(fb_json* json, const char* key, const double* x, int rows, int cols);

FB_END_DECLS

#endif
