/* status.c -- texts and names of the status codes, from the one list in status.h; the way back of memory that calls
 * gave. */
#include <freebody/status.h>

#include <stdlib.h>

#define AS_TEXT(code, text) text,
#define AS_NAME(code, text) #code,

const char* fb_status_meaning(fb_status status) {
  static const char* const text[] = {FB_STATUS_LIST(AS_TEXT)};
  return (unsigned)status < FB_STATUS_COUNT ? text[status] : "unknown status";
}

const char* fb_status_name(fb_status status) {
  static const char* const name[] = {FB_STATUS_LIST(AS_NAME)};
  return (unsigned)status < FB_STATUS_COUNT ? name[status] : "unknown status";
}

/* Callers may have another C library than this one, and so another free. */
void fb_free(void* memory) {
  free(memory);
}
