/* eval.h -- evaluation files: a model and cases (states) in one file; the result is the same JSON with outputs added to
 * each case (libfreebody_io). docs/eval-format.md describes the two formats, freebody-eval and spacedyn-reference. */
#ifndef FREEBODY_EVAL_H
#define FREEBODY_EVAL_H

#include <stddef.h>

#include <freebody/export.h>
#include <freebody/io.h>
#include <freebody/model.h>
#include <freebody/status.h>

typedef struct fb_eval_options {
  /* names of outputs, separated by commas: "bodies.p,frames.J,mass"; NULL: all except the large ones */
  const char* only;
  int indent;       /* spaces per level; 0: one line */
  fb_io_options io; /* how models are read */
  int cookie_;      /* set by fb_default_eval_options */
} fb_eval_options;

FB_BEGIN_DECLS

FB_API fb_eval_options fb_default_eval_options(void);

/* Evaluates every case of a file ("-": standard input). *reply is zero-terminated JSON; free it with fb_free. It is
 * NULL when any case fails. options may be NULL. With `only` the reply omits the model. */
FB_API fb_status fb_eval_file(const char* file, const fb_eval_options* options, char** reply, size_t* size,
                              fb_error* error);
/* The same from memory; `name` is the file name used in messages, and models named in the text are searched relative to
 * its folder. */
FB_API fb_status fb_eval_memory(const char* text, size_t text_size, const char* name,
                                const fb_eval_options* options, char** reply, size_t* size, fb_error* error);

/* *found: the text is an evaluation file. Fails with FB_ERR_MEMORY only. */
FB_API fb_status fb_eval_detect(const char* text, size_t size, int* found, fb_error* error);
/* Reads an evaluation file and checks the inputs of all its cases without computing them. *model is its model, even
 * when a case is invalid, or NULL when there is none; free it with fb_model_free. io may be NULL. */
FB_API fb_status fb_eval_check(const char* text, size_t size, const char* name, const fb_io_options* io,
                               fb_model** model, int* ncase, fb_error* error);

/* Linear complementarity problems, w = M z + q with w >= 0, z >= 0, w . z = 0: reads {"problems": [{"id", "n", "M", "q"}]}
 * and gives {"problems": [{"id", "status", "z", "w", "residual", "rel_residual"}]}, where the status is "solution", "ray" or
 * "inexact" (docs/theory/complementarity.md). `name` is the file name used in messages; size may be NULL. */
FB_API fb_status fb_eval_lcp(const char* text, size_t text_size, const char* name, int indent, char** reply,
                             size_t* size, fb_error* error);

FB_END_DECLS

#endif
