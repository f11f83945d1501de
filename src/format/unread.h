/* unread.h -- what stands in a file and is not read: counted by the words for it, and reported once each. */
#ifndef FB_FORMAT_UNREAD_H
#define FB_FORMAT_UNREAD_H

#include <freebody/io.h>
#include <freebody/support/words.h>

#include "format/xml/xml.h"

enum { FB_UNREAD_MAX = 100 };

typedef struct fb_unread {
  struct {
    char what[200];
    int count, where; /* the element of the first */
  } rows[FB_UNREAD_MAX];
  int count, others;
} fb_unread;

/* Counts one under the words that the note will have: "lost: ...", "minor: ..." or neither. FB_OK, as what is not read is no error. */
fb_status fb_unread_add(fb_unread* unread, int where, const char* format, ...) FB_PRINTF(3, 4);
/* The line of an element; its file, or NULL for the one that is read. */
typedef const char* (*fb_unread_place)(const void* reader, int where, int* line);
void fb_unread_report(const fb_unread* unread, const fb_io_options* options, fb_unread_place place,
                      const void* reader);

/* An element that a format has. Names between spaces. */
typedef struct fb_known_row {
  const char* tag;
  const char* attributes;                   /* NULL: any */
  const char *read, *lost, *minor, *silent; /* elements in it: read; not read, and what that means */
} fb_known_row;

enum { FB_NO_ROW = -1 };
int fb_known_find(const fb_known_row* rows, int count, const char* tag);
/* Looks through a document, parents before what is in them: counts attributes that the row of an element does not have, and
 * calls enter for what is in one that is read, which gives its row, or FB_NO_ROW after it was counted. 0 without memory. */
int fb_unread_walk(fb_unread* unread, const fb_xml* xml, const fb_known_row* rows, int count,
                   int (*enter)(void* reader, int element, const fb_known_row* above), void* reader);

/* Whether a name is in a list of names, each between spaces. */
int fb_is_listed(const char* name, const char* list);
/* The nearest of the names in such a list; "" or "; did you mean '...'?" */
char* fb_suggest_listed(const char* name, const char* list, char near[FB_SUGGESTION_SIZE]);

#endif
