/* document.h -- a YAML or JSON document as a tree of nodes, each with its line, column and path.
 *
 * Parsed by libyaml (YAML, and JSON, which is a part of it; duplicate keys and deep nesting refused), then copied
 * into flat arrays, so that everything below is O(1) and nothing recurses. Read only. */
#ifndef FB_DOCUMENT_DOCUMENT_H
#define FB_DOCUMENT_DOCUMENT_H

#include <stddef.h>

#include <freebody/status.h>
#include <freebody/support/json.h>

#include "text/units.h"

typedef struct fb_doc fb_doc;
typedef struct fb_node fb_node;

typedef enum fb_node_kind { FB_NODE_NULL, FB_NODE_SCALAR, FB_NODE_LIST, FB_NODE_MAP } fb_node_kind;

/* Lists and maps may stand this deep in each other; deeper is refused. */
enum { FB_DOC_MAX_DEPTH = 64 };

/* Texts may be this long, so that lines, columns and nodes fit in an int; longer ones are refused. */
enum { FB_DOC_MAX_SIZE = 1 << 30 };

/* `name` stands for the file in messages. On failure *doc is NULL. */
fb_status fb_doc_parse(const char* text, size_t size, const char* name, fb_doc** doc, fb_error* error);
void fb_doc_free(fb_doc* doc);
const fb_node* fb_doc_root(const fb_doc* doc);
/* Changes one value: "control.arm.kp=5", "gravity[2]=-1.6"; the value is YAML. Keys that are missing are made;
 * "integrator.step=null" takes a key away.
 * Messages about what was set name the file "--set". Pointers to nodes and texts do not outlive the call. */
fb_status fb_doc_set(fb_doc* doc, const char* assignment, fb_error* error);
/* The text or number that the path of an assignment leads into, so that nothing can be set below it; *rest is the
 * assignment from there on. NULL when there is none, or the assignment is wrong. */
const fb_node* fb_doc_set_blocked(const fb_doc* doc, const char* assignment, const char** rest);
/* Lets messages about it have no line: for a document that no one wrote. */
void fb_doc_forget_places(fb_doc* doc);

fb_node_kind fb_node_get_kind(const fb_node* node);
fb_place fb_node_place(const fb_node* node);
const char* fb_node_file(const fb_node* node); /* the name given to fb_doc_parse */
int fb_node_count(const fb_node* node);        /* items of a list, pairs of a map, else 0 */
const fb_node* fb_node_item(const fb_node* list, int index);
const char* fb_map_key(const fb_node* map, int index);
const fb_node* fb_map_value(const fb_node* map, int index);
fb_place fb_map_key_place(const fb_node* map, int index);
const fb_node* fb_map_get(const fb_node* map, const char* key); /* NULL when absent, or not a map */
const char* fb_node_text(const fb_node* scalar);                /* "" for other kinds */
int fb_node_is_quoted(const fb_node* scalar);

/* Gives an error that is set already the node's file, place and path. */
void fb_node_place_error(const fb_node* node, fb_error* error);

/* Fills error with the node's file, place and path, and returns status. */
fb_status fb_node_fail(const fb_node* node, fb_error* error, fb_status status, const char* format, ...)
    FB_PRINTF(4, 5);

/* The same at the index-th key of a map. */
fb_status fb_map_key_fail(const fb_node* map, int index, fb_error* error, fb_status status,
                          const char* format, ...) FB_PRINTF(5, 6);

/* What a scalar that is not quoted looks like. */
typedef enum fb_scalar_kind {
  FB_SCALAR_TEXT,
  FB_SCALAR_NUMBER,
  FB_SCALAR_NOT_FINITE,
  FB_SCALAR_BOOL
} fb_scalar_kind;
fb_scalar_kind fb_node_scalar_kind(const fb_node* scalar); /* FB_SCALAR_TEXT when quoted */

/* Says in words what a node is, for messages: "a list of 3", "the text 'abc'". Returns buffer. */
char* fb_node_describe(const fb_node* node, char buffer[80]);

/* The error that says what was expected, and what the node is: "expected text, but found a list of 3". */
fb_status fb_node_unexpected(const fb_node* node, fb_error* error, const char* format, ...) FB_PRINTF(3, 4);
/* An error unless the node is a list, or a map: "expected a list of what", "expected what". */
fb_status fb_node_need_list(const fb_node* node, const char* what, fb_error* error);
fb_status fb_node_need_map(const fb_node* node, const char* what, fb_error* error);

/* Typed reads; each says what was expected and what was found. Numbers are finite. */
fb_status fb_node_number(const fb_node* node, fb_quantity quantity, double* out, fb_error* error);
fb_status fb_node_numbers(const fb_node* node, fb_quantity quantity, int count, double* out, fb_error* error);
fb_status fb_node_matrix(const fb_node* node, int rows, int cols, double* out,
                         fb_error* error); /* list of rows */
/* A factor for all three axes, or three; none is zero. */
fb_status fb_node_scale(const fb_node* node, double scale[3], fb_error* error);
fb_status fb_node_int(const fb_node* node, int* out, fb_error* error);
fb_status fb_node_string(const fb_node* node, const char** out, fb_error* error);
fb_status fb_node_bool(const fb_node* node, int* out, fb_error* error);

/* Every key of the map must be among `known` (NULL-ended); otherwise an error that names the nearest. */
fb_status fb_map_check_keys(const fb_node* map, const char* const* known, fb_error* error);
/* The required value of a key, or an error that says it is missing. */
fb_status fb_map_need(const fb_node* map, const char* key, const fb_node** out, fb_error* error);

/* Writes the node and all below it. */
void fb_json_node(fb_json* json, const fb_node* node);

#endif
