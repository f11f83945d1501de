/* spacedyn.h -- the inputs of a case of the spacedyn-reference format. */
#ifndef FB_APP_EVAL_SPACEDYN_H
#define FB_APP_EVAL_SPACEDYN_H

#include "eval/eval.h"

fb_status cmd_spacedyn_read_inputs(cmd_eval* eval, const fb_node* inputs, unsigned needs, fb_error* error);

#endif
