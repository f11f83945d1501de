/* document.h -- a YAML or JSON document as a tree of nodes, each with its line, column and path.
 *
 * Parsed by libyaml (YAML, and JSON, which is a part of it; duplicate keys and deep nesting refused), then copied
 * into flat arrays, so that everything below is O(1) and nothing recurses. Read only. */
#ifndef FB_IO_DOCUMENT_H
#define FB_IO_DOCUMENT_H

#include <stddef.h>

#include <freebody/status.h>

#include "base/error.h"

typedef struct fb_doc fb_doc;
typedef struct fb_node fb_node;

typedef enum fb_node_kind { FB_NODE_NULL, FB_NODE_SCALAR, FB_NODE_LIST, FB_NODE_MAP } fb_node_kind;

/* What a number measures: decides the units its text may carry ("45 deg", "10 cm", "3 rpm"). */
typedef enum fb_quantity {
  FB_Q_NONE, /* plain numbers only */
  FB_Q_LENGTH,
  FB_Q_ANGLE,
  FB_Q_MASS,
  FB_Q_INERTIA,
  FB_Q_TIME,
  FB_Q_SPEED,
  FB_Q_RATE, /* angular velocity */
  FB_Q_FORCE,
  FB_Q_TORQUE,
  FB_Q_ACCELERATION,
  FB_Q_LENGTH_PER_ANGLE,
  FB_Q_STIFFNESS,         /* force per length */
  FB_Q_ANGULAR_STIFFNESS, /* torque per angle */
  FB_Q_DAMPING,           /* force per speed */
  FB_Q_ANGULAR_DAMPING,   /* torque per angular velocity */
  FB_Q_INTEGRAL_GAIN,     /* force per length and time */
  FB_Q_ANGULAR_INTEGRAL_GAIN,
  FB_Q_FREQUENCY,
  FB_Q_COUNT
} fb_quantity;

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
typedef enum fb_scalar_look {
  FB_LOOKS_TEXT,
  FB_LOOKS_NUMBER,
  FB_LOOKS_NOT_FINITE,
  FB_LOOKS_BOOL
} fb_scalar_look;
fb_scalar_look fb_node_look(const fb_node* scalar); /* FB_LOOKS_TEXT when quoted */

/* Says in words what a node is, for messages: "a list of 3", "the text 'abc'". Returns buffer. */
char* fb_node_describe(const fb_node* node, char buffer[80]);

/* "a length", and "m, km, cm, mm, um": for messages and documentation. "" for FB_Q_NONE. */
const char* fb_quantity_name(fb_quantity quantity);
char* fb_quantity_units(fb_quantity quantity, char* buffer, size_t size);
/* Applies the unit to a number; 0 when the quantity has no such unit. */
int fb_unit_apply(fb_quantity quantity, const char* unit, double* number);
/* The quantity that has this unit, or FB_Q_NONE. */
fb_quantity fb_unit_quantity(const char* unit);

/* Typed reads; each says what was expected and what was found. Numbers are finite. */
fb_status fb_node_number(const fb_node* node, fb_quantity quantity, double* out, fb_error* error);
fb_status fb_node_numbers(const fb_node* node, fb_quantity quantity, int count, double* out, fb_error* error);
fb_status fb_node_matrix(const fb_node* node, int rows, int cols, double* out,
                         fb_error* error); /* list of rows */
fb_status fb_node_int(const fb_node* node, int* out, fb_error* error);
fb_status fb_node_string(const fb_node* node, const char** out, fb_error* error);
fb_status fb_node_bool(const fb_node* node, int* out, fb_error* error);

/* The length of the UTF-8 character that text begins with, or 0 when it is not valid. It reads no further than the first
 * byte that is wrong. */
size_t fb_text_character(const char* text, size_t left);
/* The line and column after the first `size` bytes. */
fb_place fb_text_place(const char* text, size_t size);
/* Checks that text is UTF-8 without control characters, and says where it is not. */
fb_status fb_text_check(const char* text, size_t size, const char* name, fb_error* error);
/* Refuses, in UTF-8 text, the characters of fb_yaml_must_escape() and lines that begin with %TAG. */
fb_status fb_text_check_yaml(const char* text, size_t size, const char* name, fb_error* error);

/* Refuses a text with more than `most` open brackets, quoted ones counted too: a quick guard, before a parser
 * looks far ahead. */
fb_status fb_text_check_brackets(const char* text, size_t size, int most, const char* name, fb_error* error);

/* Every key of the map must be among `known` (NULL-ended); otherwise an error that names the nearest. */
fb_status fb_map_check_keys(const fb_node* map, const char* const* known, fb_error* error);
/* The required value of a key, or an error that says it is missing. */
fb_status fb_map_need(const fb_node* map, const char* key, const fb_node** out, fb_error* error);

/* The most bytes that are read: of models, scenarios and other texts; of meshes and plugins. */
enum { FB_MOST_TEXT = 64 << 20, FB_MOST_BINARY = 256 << 20 };

/* Reads a whole file ("-" standard input) of at most FB_MOST_TEXT bytes into malloc'd memory ended with a zero.
 * FB_ERR_IO for what is larger, and for what is not an ordinary file: a device, a pipe. */
fb_status fb_read_file(const char* file, char** text, size_t* size, fb_error* error);
/* The same of at most `most` bytes. */
fb_status fb_read_file_most(const char* file, size_t most, char** text, size_t* size, fb_error* error);
/* Writes beside the file and then puts the new one in its place: a failure leaves the old file as it was. "-" is
 * standard output. */
fb_status fb_write_file(const char* file, const char* text, size_t size, fb_error* error);
/* The same for a name inside a run folder that Freebody chose itself: a link is refused instead of followed. */
fb_status fb_write_own_file(const char* file, const char* text, size_t size, fb_error* error);

#endif
