/* view.h -- what the files of `freebody view` share, and `freebody run --live` with them. */
#ifndef FB_APP_VIEW_VIEW_H
#define FB_APP_VIEW_VIEW_H

#include <freebody/picture.h>

#include "command.h"

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

/* Each returns an exit code, after saying what is wrong. They give up when cmd_interrupt_asked(); SIGPIPE must be ignored
 * and SIGCHLD not. */
int cmd_view_still(const cmd_app* app, const cmd_shot* shot);
int cmd_view_video(const cmd_app* app, const cmd_shot* shot);

#endif
