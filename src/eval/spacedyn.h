/* spacedyn.h -- the inputs of a case of the spacedyn-reference format. */
#ifndef FB_EVAL_SPACEDYN_H
#define FB_EVAL_SPACEDYN_H

#include "eval/eval.h"

fb_status fb_eval_spacedyn_inputs(fb_eval* eval, const fb_node* inputs, unsigned needs, fb_error* error);

#endif
