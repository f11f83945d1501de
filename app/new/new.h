/* new.h -- the files that `freebody new` writes. */
#ifndef FB_APP_NEW_NEW_H
#define FB_APP_NEW_NEW_H

typedef struct cmd_new_file {
  const char* name;
  const char* text;
} cmd_new_file;

/* A control law in C, and a scenario with a contact; each ends with a NULL name. The first file is the one to look at. */
extern const cmd_new_file cmd_new_plugin[], cmd_new_contact[];

#endif
