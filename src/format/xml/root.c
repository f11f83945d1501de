/* root.c -- the name of the root element, to distinguish formats before they are read. */
#include <string.h>

#include "format/xml/xml.h"

static int is_at(const char* text, size_t size, size_t at, const char* word) {
  size_t n = strlen(word);
  return size - at >= n && memcmp(text + at, word, n) == 0;
}

/* Behind the next `end`; size when there is none. */
static size_t behind(const char* text, size_t size, size_t at, const char* end) {
  for (; at < size; at++)
    if (is_at(text, size, at, end)) return at + strlen(end);
  return size;
}

void fb_xml_root(const char* text, size_t size, char* name, size_t room) {
  size_t at = 0, n = 0;
  name[0] = '\0';
  while (at < size) {
    if (text[at] != '<')
      at++;
    else if (is_at(text, size, at, "<!--"))
      at = behind(text, size, at + 4, "-->");
    else if (is_at(text, size, at, "<?"))
      at = behind(text, size, at + 2, "?>");
    else if (is_at(text, size, at, "<!"))
      at = behind(text, size, at + 2, ">");
    else
      break;
  }
  for (at++; at < size && n + 1 < room && !strchr(" \t\r\n/>", text[at]); at++) name[n++] = text[at];
  name[n] = '\0';
}
