/* params.h -- SpaceDyn's model parameters in memory, whatever layout they came in.
 *
 * Links count from 1 in SpaceDyn and from 0 here; BB contains SpaceDyn's numbers (0 is the base). Only the
 * vectors that a tree uses are kept of cc: to its own joint, and from the parent to it. */
#ifndef FB_FORMAT_SPACEDYN_PARAMS_H
#define FB_FORMAT_SPACEDYN_PARAMS_H

#include <freebody/io.h>
#include <freebody/support/json.h>

#include "base/pool.h"
#include "document/document.h"

typedef struct fb_spacedyn_params {
  fb_pool pool;        /* the arrays */
  int n;               /* num_q */
  int* BB;             /* link below, 1 .. n, or 0 */
  int* SE;             /* 1: has an end-point */
  char* type;          /* 'R' or 'P' */
  double m0;           /* [kg] */
  double inertia0[6];  /* xx yy zz xy xz yz about the centroid [kg m^2] */
  double gravity_w[3]; /* [m/s^2] */
  double* m;           /* n */
  double* inertia;     /* 6 n */
  double* c_own;       /* 3 n: cc(:,i,i), centroid i to joint i */
  double* c_from;      /* 3 n: cc(:,BB(i),i), or c0(:,i) on the base: centroid of the parent to joint i */
  double* ce;          /* 3 n */
  double* Qi;          /* 3 n, euler_xyz */
  double* Qe;          /* 3 n */
} fb_spacedyn_params;

/* Zeroed arrays for n links; 0 when out of memory. */
int fb_spacedyn_params_make(fb_spacedyn_params* p, int n);
void fb_spacedyn_params_free(fb_spacedyn_params* p);

/* A definition from them, with bodies, joints and end-points; name may be NULL. */
fb_status fb_spacedyn_to_def(const fb_spacedyn_params* p, fb_place place, const char* file, const char* name,
                             fb_model_def** def, fb_error* error);

/* Reads and checks the map in either layout. The arrays are the caller's to free, on failure too. */
fb_status fb_spacedyn_params_read(const fb_node* map, const fb_io_options* options, fb_spacedyn_params* p,
                                  fb_error* error);

/* {format, version, name, model, cases}, cases empty. */
void fb_spacedyn_print(const fb_spacedyn_params* p, const char* name, fb_json* json);

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
