/* planned.c -- keys of what Freebody will have, but has not yet: a plain answer instead of a suggestion of another key.
 * A row goes when the key is there. */
#include "document/planned.h"

#include <stddef.h>
#include <string.h>

#define ORBIT "there is uniform gravity only; leave it out"
#define SENSOR "there are no models of sensors; log signals, or give a law `sample` with noise"

static const struct {
  const char *key, *text;
} PLANNED[] = {
    {"orbit", ORBIT},
    {"orbits", ORBIT},
    {"sensor", SENSOR},
    {"sensors", SENSOR},
};

const char* fb_planned_key(const char* key) {
  for (size_t i = 0; i < sizeof PLANNED / sizeof *PLANNED; i++)
    if (strcmp(PLANNED[i].key, key) == 0) return PLANNED[i].text;
  return NULL;
}
