/* model_of_eval.h -- the model of a freebody-eval file. */
#ifndef FB_FORMAT_MODEL_OF_EVAL_H
#define FB_FORMAT_MODEL_OF_EVAL_H

#include <freebody/io.h>

#include "document/document.h"

/* The native model under `model`, or the model file of any format that `model` names, beside the evaluation
 * file. `gravity`, where it is given, becomes the definition's; otherwise it is the model file's own, or zero.
 * options may be NULL. */
fb_status fb_model_of_eval(const fb_node* root, const fb_io_options* options, fb_model_def** def,
                           fb_error* error);

/* Whether the evaluation file names a model file instead of holding the model. */
int fb_eval_names_model(const fb_node* root);

#endif
