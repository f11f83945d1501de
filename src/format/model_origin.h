/* model_origin.h -- what the readers found a text to be. */
#ifndef FB_FORMAT_MODEL_ORIGIN_H
#define FB_FORMAT_MODEL_ORIGIN_H

#include <freebody/io.h>

typedef struct fb_model_origin {
  fb_format format; /* of the model that was read */
  int eval;         /* it stands in an evaluation file, one with states */
  int named;        /* the evaluation file names the model's own file */
} fb_model_origin;

/* fb_model_def_parse, which also says what it found; origin may be NULL. */
fb_status fb_model_def_parse_origin(const char* text, size_t size, const char* name,
                                    const fb_io_options* options, fb_model_def** def, fb_model_origin* origin,
                                    fb_error* error);

/* "URDF", "evaluation file, native model". */
const char* fb_model_origin_words(const fb_model_origin* origin);

#endif
