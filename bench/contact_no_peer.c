/* contact_no_peer.c -- bench_contact without MuJoCo: Freebody is timed alone. */
#include "contact_scene.h"

const contact_engine* contact_peer(void) {
  return NULL;
}
