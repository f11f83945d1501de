/* eval.h -- evaluation files: one model, many cases, and the outputs computed for each.
 *
 * Each format is one fb_eval_format: how its model and inputs are read, and its table of outputs. A new
 * output is a new row. */
#ifndef FB_EVAL_EVAL_H
#define FB_EVAL_EVAL_H

#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/eval.h>
#include <freebody/floating.h>
#include <freebody/io.h>
#include <freebody/support/json.h>
#include <freebody/model.h>

#include "base/pool.h"
#include "document/document.h"

/* What an output needs beyond positions. */
enum {
  FB_NEEDS_V = 1,    /* velocities: the input v */
  FB_NEEDS_VDOT = 2, /* accelerations: the input vdot, and v */
  FB_NEEDS_COM = 4,  /* fb_centre_of_mass */
  FB_NEEDS_TAU = 8   /* the input tau */
};

typedef struct fb_eval fb_eval;

/* When an output is printed. */
typedef enum fb_eval_when {
  FB_PRINT,   /* unless `only` leaves it out */
  FB_REQUEST, /* only when `only` names it itself */
  FB_LISTED,  /* only when `only` names it or its list */
  FB_NAME     /* with every item of its list, to tell which one it is */
} fb_eval_when;

typedef struct fb_eval_output {
  const char* list; /* the list of objects it stands in, or NULL: a value of its own */
  const char* name;
  unsigned needs;
  fb_eval_when when;
  void (*write)(fb_eval* eval, int item, int what,
                fb_json* json); /* item counts from 0; 0 outside of lists */
  int what;                     /* for a writer that serves several rows */
} fb_eval_output;

typedef struct fb_eval_format {
  const char* name;              /* the value of `format` */
  const char* const* keys;       /* of the file, NULL-ended */
  const fb_eval_output* outputs; /* rows of one list stand together; ends with a NULL name */
  int (*count)(const fb_eval* eval, const char* list); /* items of a list; -1: the list is left out */
  fb_status (*read_model)(const fb_node* root, const fb_io_options* options, fb_model_def** def,
                          fb_error* error); /* options may be NULL */
  /* Checks everything in a case's `inputs` and fills q, v, vdot; `needs` says which may not be missing. */
  fb_status (*read_inputs)(fb_eval* eval, const fb_node* inputs, unsigned needs, fb_error* error);
} fb_eval_format;

extern const fb_eval_format fb_eval_native, fb_eval_spacedyn;

struct fb_eval {
  const fb_eval_format* format;
  const fb_node* cases;
  fb_pool pool; /* the arrays of numbers below; it remembers that memory ran out while outputs were written */
  fb_model* model;
  fb_data* data;
  double *q, *v, *vdot, *tau; /* of the case at hand; q is the start of the block with all vectors below */
  int has_v, has_vdot, has_tau;
  fb_loads loads; /* gravity, and the wrenches of the case; springs and dampers, no friction */
  fb_wrench* wrenches;
  size_t wrench_room;
  unsigned char* prescribed; /* [nv] */
  unsigned char* actuated;   /* [nv] */
  int has_actuated;          /* the case says which joints are */
  fb_floating* floating;     /* made when first requested */
  fb_data* dynamics;         /* of dynamics.c, apart from data, whose motion stays as it is */
  double *H, *GJ;            /* of dynamics.c, made when first requested: nv x nv, 6 x nv */
  double *x, *y;             /* results of dynamics.c: nv */
  double* reactions;         /* [nbody][6], made when first requested */
  int has_reactions;         /* those of this case */
  double* loops;             /* [nloop][7] force, torque, effort, made when first requested */
  int has_loops;             /* those of this case */
  double* inverse_work;      /* of inverse dynamics with loops, made when first requested */
  double* J;                 /* 6 x nv: the Jacobian of frame J_of, or its rate */
  int J_of;                  /* -1: none yet in this case */
  int J_rate;                /* whether J holds the rate */
  int* path;                 /* scratch of nv: joints on a path */
  double* row;               /* scratch of 2 nv + 6 */
};

enum { FB_EVAL_MAX_OUTPUTS = 64 };

/* Whether the document says that it is an evaluation file. */
int fb_eval_is_document(const fb_doc* doc);
/* Reads and builds the model, checks the frame of the file. Close it whatever this returns. */
fb_status fb_eval_open(fb_eval* eval, const fb_doc* doc, const char* file, const fb_io_options* options,
                       fb_error* error);
void fb_eval_close(fb_eval* eval);
/* Checks a case and reads its inputs. */
fb_status fb_eval_read_case(fb_eval* eval, int index, unsigned needs, fb_error* error);

/* output.c: which outputs are wanted (one flag a row), what they need, and writing them. */
fb_status fb_eval_select(const fb_eval_format* format, const char* only, char* wanted, fb_error* error);
unsigned fb_eval_needs(const fb_eval_format* format, const char* wanted);
void fb_eval_compute(fb_eval* eval, unsigned needs);
void fb_eval_write(fb_eval* eval, const char* wanted, fb_json* json);
/* The Jacobian of a frame (or its rate), 6 x nv, kept until another is requested. */
const double* fb_eval_jacobian(fb_eval* eval, int frame, int rate);
/* One vector (or the rotation) of a frame, of data's motion. */
typedef enum fb_eval_quantity {
  FB_POSITION,
  FB_ROTATION,
  FB_VELOCITY,
  FB_TURNING, /* angular velocity */
  FB_ACCELERATION,
  FB_TURNING_RATE
} fb_eval_quantity;
void fb_eval_write_quantity(const fb_eval* eval, int frame, fb_eval_quantity what, fb_json* json);
/* [[..], ..]: columns from .. from + cols of rows first .. first + rows of a matrix of `stride` columns. */
void fb_eval_write_block(fb_json* json, const double* x, int stride, int first, int rows, int from, int cols);

/* input.c: one more wrench on the case. */
fb_status fb_eval_add_wrench(fb_eval* eval, int frame, const double force[3], const double torque[3],
                             fb_error* error);

/* input.c: a list of exactly `count` numbers, `what` saying in words what they are. Numbers of an input that
 * are too large to compute with are refused. */
fb_status fb_eval_numbers(const fb_node* inputs, const char* key, int count, const char* what, double* out,
                          fb_error* error);
/* The same from a node that is there, with units where the quantity has some. */
fb_status fb_eval_node_numbers(const fb_node* node, fb_quantity quantity, int count, double* out,
                               fb_error* error);

fb_status fb_eval_spacedyn_inputs(fb_eval* eval, const fb_node* inputs, unsigned needs, fb_error* error);

#endif
