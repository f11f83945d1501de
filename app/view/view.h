/* view.h -- what the files of `freebody view` share, and `freebody run --live` with them. */
#ifndef FB_APP_VIEW_VIEW_H
#define FB_APP_VIEW_VIEW_H

#include <freebody/picture.h>

#include "command.h"
#include "run/export.h"

/* The file of the page's template: the environment's FREEBODY_VIEWER, else ../share/freebody/viewer.html seen from the
 * folder of the command. free() it; NULL when there is none, after saying what is missing and what to do. */
char* cmd_view_template(const cmd_app* app);

/* Prints a note of a reader or of the page's writer. */
void cmd_view_note(void* user, const char* text);

/* Pictures of a run through its page in a browser without a window. */
typedef struct cmd_shot {
  const char* page;   /* the page's file */
  const char* file;   /* what to write */
  int width, height;  /* pixels */
  double from, to;    /* of a video; of a still both are its time [s] */
  double fps, speed;  /* of a video: frames a second, simulated seconds a second */
  const char* camera; /* fit, iso, x, y, z; or NULL */
  double zoom;        /* times closer than what fits; 0: as it fits */
  const char* follow; /* a body or frame; or NULL */
  const char* hide;   /* overlays not to show, separated by commas; or NULL */
  const char* show;   /* and to show */
  int whole_page;     /* a still of the page with plots and all, and not of the 3-D view alone */
  int dark;           /* 1: dark, 0: light, -1: as the page does by itself */
  int quiet;          /* no progress */
} cmd_shot;

/* Each returns an exit code, after saying what is wrong. They give up when cmd_interrupt_requested(); SIGPIPE must be ignored
 * and SIGCHLD not. */
int cmd_view_still(const cmd_app* app, const cmd_shot* shot);
int cmd_view_video(const cmd_app* app, const cmd_shot* shot);

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
} cmd_view_args;

extern const cmd_option cmd_view_options[];

/* ---- app/view/model_page.c ---- */

/* Whether a file is to be read as a model: a file, and not the database of a run. */
int cmd_view_is_model(const char* file);
/* Writes the page of the model that args->run names. *file is what was written, *own its name to be freed, or NULL. */
int cmd_view_model(const cmd_app* app, const cmd_view_args* args, const char** file, char** made);

/* ---- app/view/args.c ---- */

/* FB_EXIT_OK, or the exit code after a usage error has been printed. args->with is to be freed in either case. */
int cmd_view_read_args(cmd_app* app, int argc, char** argv, cmd_view_args* args);

#endif
