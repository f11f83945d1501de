/* version.c -- the version of the library at run time. */
#include <freebody/version.h>

const char* fb_version(void) {
  return FB_VERSION_TEXT;
}
