/* picture.h -- visualising runs and models: the report page, and animations for other programs (libfreebody_io).
 *
 * The page is a single HTML file that opens from disk in any browser, without a server or network: a template, built
 * from viewer/, with the run's data embedded (docs/viewer.md describes the format). */
#ifndef FREEBODY_PICTURE_H
#define FREEBODY_PICTURE_H

#include <freebody/export.h>
#include <freebody/io.h>
#include <freebody/model.h>
#include <freebody/store.h>
#include <freebody/status.h>

typedef struct fb_picture_options {
  const char* page_template; /* the template file; required for pages */
  fb_store* const* others;   /* more runs to compare with, each drawn as a ghost; or NULL */
  int nother;
  double frames_per_second; /* of animations, in simulated time; 0: every sample, at most 60 per second */
  fb_note_fn note;          /* receives what could not be shown, for example a missing mesh; or NULL */
  void* note_user;
  int cookie_; /* set by fb_default_picture_options */
} fb_picture_options;

FB_BEGIN_DECLS

FB_API fb_picture_options fb_default_picture_options(void);

/* Writes the page; file "-" is standard output. The same run gives the same bytes. While it is written it needs
 * temporary disk space of the size of the file. Memory: some megabytes, plus less than one byte per sample. */
FB_API fb_status fb_store_write_page(fb_store* run, const char* file, const fb_picture_options* options,
                                     fb_error* error);
/* The page of a model without a run: its joints are moved by sliders. Meshes are read from the model's folder; one that
 * is missing is noted, and its body drawn from its inertia. */
FB_API fb_status fb_model_write_page(const fb_model* model, const char* file,
                                     const fb_picture_options* options, fb_error* error);
/* The page of a run in progress: everything except the samples, which the page reads by WebSocket from `path` on the
 * server that it was loaded from (docs/live.md). Free *text with fb_free. */
FB_API fb_status fb_store_print_live_page(fb_store* run, const char* path, const fb_picture_options* options,
                                          char** text, size_t* size, fb_error* error);

/* Writes an animation as binary glTF 2.0 (.glb): one node per body, with translation and rotation over time. */
FB_API fb_status fb_store_write_gltf(fb_store* run, const char* file, const fb_picture_options* options,
                                     fb_error* error);

FB_END_DECLS

#endif
