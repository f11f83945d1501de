/* array.h -- arrays of numbers as nested lists, also with the singletons that jsonencode drops. */
#ifndef FB_FORMAT_SPACEDYN_ARRAY_H
#define FB_FORMAT_SPACEDYN_ARRAY_H

#include "document/document.h"

/* Numbers in all of them may be true and false, 1 and 0 (MATLAB's logical). */

/* Lists nested exactly as dims says (ndim at most 3), outermost first; `what` names it in messages. */
fb_status fb_array_nested(const fb_node* node, const char* what, const int* dims, int ndim, double* out,
                          fb_error* error);

/* `count` numbers in order, nested in any way or a bare number: where all dimensions but one are 1, every
 * nesting says the same. */
fb_status fb_array_loose(const fb_node* node, const char* what, int count, double* out, fb_error* error);

/* How many numbers stand in a node, nested in any way. */
int fb_array_size(const fb_node* node);

/* How deep the first items nest: 0 for a scalar, 2 for a matrix. */
int fb_array_depth(const fb_node* node);

/* The node must be a list of `count`. */
fb_status fb_array_check(const fb_node* node, const char* what, int count, fb_error* error);

#endif
