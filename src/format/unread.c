/* unread.c -- what stands in a file and is not read. See format/unread.h. */
#include "format/unread.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/notes.h"

fb_status fb_unread_add(fb_unread* unread, int where, const char* format, ...) {
  char what[sizeof unread->rows[0].what];
  va_list args;
  va_start(args, format);
  vsnprintf(what, sizeof what, format, args);
  va_end(args);
  int i = 0;
  while (i < unread->count && strcmp(unread->rows[i].what, what) != 0) i++;
  if (i == FB_UNREAD_MAX) {
    unread->others++;
    return FB_OK;
  }
  if (i == unread->count) {
    unread->count++;
    memcpy(unread->rows[i].what, what, sizeof what);
    unread->rows[i].where = where;
  }
  unread->rows[i].count++;
  return FB_OK;
}

void fb_unread_report(const fb_unread* unread, const fb_io_options* options, fb_unread_place place,
                      const void* reader) {
  for (int i = 0; i < unread->count; i++) {
    const char *what = unread->rows[i].what, *kind = "";
    if (strncmp(what, "lost: ", 6) == 0) kind = "lost: ";
    if (strncmp(what, "minor: ", 7) == 0) kind = "minor: ";
    int line = 0, count = unread->rows[i].count;
    const char* file = place(reader, unread->rows[i].where, &line);
    char times[40] = "";
    if (count > 1) snprintf(times, sizeof times, " (%d times)", count);
    fb_io_note(options, "%s%.300s%s%d: %s%s", kind, file ? file : "line", file ? ":" : " ", line,
               what + strlen(kind), times);
  }
  if (unread->others) fb_io_note(options, "lost: %d further things are not read", unread->others);
}

int fb_known_find(const fb_known_row* rows, int count, const char* tag) {
  for (int i = 0; i < count; i++)
    if (strcmp(rows[i].tag, tag) == 0) return i;
  return FB_NO_ROW;
}

static void check_attributes(fb_unread* unread, const fb_xml* xml, int e, const fb_known_row* row) {
  for (int i = 0; row->attributes && i < fb_xml_attribute_count(xml, e); i++) {
    const char* name = fb_xml_attribute_name(xml, e, i);
    char near[FB_SUGGESTION_SIZE];
    /* Namespaces are declared for elements that are reported themselves. */
    if (fb_is_listed(name, row->attributes) || strncmp(name, "xmlns", 5) == 0) continue;
    if (strcmp(name, "namespace") == 0)
      fb_unread_add(unread, e, "minor: namespace of <%s> is not read", row->tag);
    else
      fb_unread_add(unread, e, "lost: <%s> has no attribute '%.40s'%.50s", row->tag, name,
                    fb_suggest_listed(name, row->attributes, near));
  }
}

int fb_unread_walk(fb_unread* unread, const fb_xml* xml, const fb_known_row* rows, int count,
                   int (*enter)(void* reader, int element, const fb_known_row* above), void* reader) {
  int* row = malloc((size_t)fb_xml_count(xml) * sizeof *row);
  if (!row) return 0;
  for (int e = 0; e < fb_xml_count(xml); e++) {
    int above = e > 0 ? row[fb_xml_parent(xml, e)] : FB_NO_ROW;
    row[e] = e == 0               ? fb_known_find(rows, count, fb_xml_name(xml, 0))
             : above == FB_NO_ROW ? FB_NO_ROW
                                  : enter(reader, e, &rows[above]);
    if (row[e] != FB_NO_ROW) check_attributes(unread, xml, e, &rows[row[e]]);
  }
  free(row);
  return 1;
}

int fb_is_listed(const char* name, const char* list) {
  size_t n = strlen(name);
  for (const char* at = strstr(list, name); n && at; at = strstr(at + 1, name))
    if (at[-1] == ' ' && at[n] == ' ') return 1; /* lists begin with a space */
  return 0;
}

char* fb_suggest_listed(const char* name, const char* list, char near[FB_SUGGESTION_SIZE]) {
  enum { MOST = 40, ROOM = 700 };
  char copy[ROOM];
  const char* words[MOST + 1] = {NULL};
  int count = 0;
  snprintf(copy, sizeof copy, "%s", list);
  for (char* at = copy; *at && count < MOST;) {
    while (*at == ' ') *at++ = '\0';
    if (*at) words[count++] = at;
    while (*at && *at != ' ') at++;
  }
  return fb_suggestion(name, words, near);
}
