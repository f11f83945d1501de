/* args.h -- the command line of `freebody view`. */
#ifndef FB_APP_VIEW_ARGS_H
#define FB_APP_VIEW_ARGS_H

#include "run/export.h"
#include "view/view.h"

typedef enum cmd_view_kind { FB_VIEW_PAGE, FB_VIEW_GLTF, FB_VIEW_STILL, FB_VIEW_VIDEO } cmd_view_kind;

typedef struct cmd_view_args {
  const char* run;   /* a run's folder, or a model's file */
  const char** with; /* [nwith] other runs to compare with; to be freed */
  int nwith;
  const char* out; /* NULL: report.html in the run's folder, or MODEL.html here */
  cmd_view_kind kind;
  cmd_shot shot;       /* its file and page are filled in later */
  cmd_span span;       /* of a video */
  cmd_reading reading; /* of a model */
  int open;            /* show the page when it is written */
  int fps_given;       /* --fps */
  const char* only;    /* the last option given that is for pictures alone; or NULL */
} cmd_view_args;

extern const cmd_option cmd_view_options[];

/* ---- app/view/model_page.c ---- */

/* Whether a file is to be read as a model: a file, and not the database of a run. */
int cmd_view_is_model(const char* file);
/* Writes the page of the model that args->run names. *file is what was written, *own its name to be freed, or NULL. */
int cmd_view_model(const cmd_app* app, const cmd_view_args* args, const char** file, char** own);

/* ---- app/view/args.c ---- */

/* FB_EXIT_OK, or the exit code after a usage error has been printed. args->with is to be freed in either case. */
int cmd_view_read_args(cmd_app* app, int argc, char** argv, cmd_view_args* args);

#endif
