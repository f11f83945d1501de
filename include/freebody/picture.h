/* picture.h -- a run to look at: the report page, and animations for other programs (libfreebody_io).
 *
 * The page is one HTML file that opens from disk in any browser, without a server or network: a template, built from
 * viewer/, with the run's data in it (docs/viewer.md has the format). */
#ifndef FREEBODY_PICTURE_H
#define FREEBODY_PICTURE_H

#include <freebody/export.h>
#include <freebody/io.h>
#include <freebody/store.h>
#include <freebody/status.h>

typedef struct fb_picture_options {
  const char* page_template; /* the file of the template; required for pages */
  fb_store* second;          /* another run to compare with, drawn as a ghost; or NULL */
  double frames_per_second;  /* of animations, in simulated time; 0: every sample, at most 60 a second */
  fb_note_fn note; /* what could not be shown as asked, a mesh that is missing for instance; or NULL */
  void* note_user;
  int cookie_; /* set by fb_default_picture_options */
} fb_picture_options;

FB_BEGIN_DECLS

FB_API fb_picture_options fb_default_picture_options(void);

/* Writes the page; file "-" is standard output. The same run gives the same bytes. Beside the file it needs as much
 * room again while it is written. Memory: some megabytes, and less than a byte for each sample. */
FB_API fb_status fb_page_write(fb_store* run, const char* file, const fb_picture_options* options,
                               fb_error* error);
/* The page of a run that goes on: all but the samples, which the page reads by WebSocket from `path` of the server that
 * it came from (docs/live.md). fb_free *text. */
FB_API fb_status fb_page_print_live(fb_store* run, const char* path, const fb_picture_options* options,
                                    char** text, size_t* size, fb_error* error);

/* Writes the robot in motion as binary glTF 2.0 (.glb): a node for each body with translation and rotation over time. */
FB_API fb_status fb_gltf_write(fb_store* run, const char* file, const fb_picture_options* options,
                               fb_error* error);

FB_END_DECLS

#endif
