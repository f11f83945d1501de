/* json_writer.h -- writes JSON into growing memory; numbers in the fewest digits that read back the
 * same double, the same in every locale. Not finite numbers become null. */
#ifndef FB_TEXT_JSON_WRITER_H
#define FB_TEXT_JSON_WRITER_H

#include <stddef.h>

#include "text/number.h"

typedef struct fb_json fb_json;

fb_json* fb_json_new(int indent); /* spaces a level; 0: one line. NULL when out of memory */
/* The same calls write YAML: block style for the outer levels, flow style inside, lines broken near column 100. */
fb_json* fb_json_new_yaml(void);
void fb_json_free(fb_json* json);
/* Takes the text out (malloc'd, ended with a zero) and frees json; NULL when memory ran out on the way. */
char* fb_json_finish(fb_json* json, size_t* size);

void fb_json_begin_map(fb_json* json);
void fb_json_end_map(fb_json* json);
void fb_json_begin_list(fb_json* json);
void fb_json_begin_flat_list(fb_json* json); /* on one line, whatever is around it */
void fb_json_end_list(fb_json* json);
void fb_json_key(fb_json* json, const char* key); /* before each value in a map */
void fb_json_number(fb_json* json, double x);
void fb_json_number_text(fb_json* json, const char* number); /* digits that are JSON already, as they are */
void fb_json_int(fb_json* json, long long x);
void fb_json_string(fb_json* json, const char* text); /* UTF-8; escaped as JSON asks */
void fb_json_bool(fb_json* json, int value);
void fb_json_null(fb_json* json);
void fb_json_numbers(fb_json* json, const double* x, int count);         /* [..] on one line */
void fb_json_matrix(fb_json* json, const double* x, int rows, int cols); /* [[..], ..] a row a line */
/* A key and its value in one. */
void fb_json_put_text(fb_json* json, const char* key, const char* text); /* NULL is "" */
void fb_json_put_int(fb_json* json, const char* key, long long x);
void fb_json_put_number(fb_json* json, const char* key, double x);
void fb_json_put_numbers(fb_json* json, const char* key, const double* x, int count);

#endif
