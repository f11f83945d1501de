/* planned.c -- keys of what Freebody will have, but has not yet: a plain answer instead of a suggestion of another key.
 * A row goes when the key is there. */
#include "document/planned.h"

#include <stddef.h>
#include <string.h>

#define CONTACT "bodies do not touch one another; leave it out"
#define ORBIT "there is uniform gravity only; leave it out"
#define WHEEL "wheels do not roll on the ground; a wheel is a body with a revolute joint"
#define SENSOR "there are no models of sensors; log signals, or give a law `sample` with noise"

static const struct {
  const char *key, *text;
} PLANNED[] = {
    {"contact", CONTACT}, {"contacts", CONTACT}, {"surface", CONTACT}, {"surfaces", CONTACT},
    {"orbit", ORBIT},     {"orbits", ORBIT},     {"wheel", WHEEL},     {"wheels", WHEEL},
    {"sensor", SENSOR},   {"sensors", SENSOR},
};

const char* fb_planned_key(const char* key) {
  for (size_t i = 0; i < sizeof PLANNED / sizeof *PLANNED; i++)
    if (strcmp(PLANNED[i].key, key) == 0) return PLANNED[i].text;
  return NULL;
}
