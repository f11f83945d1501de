/* lcp_no_peer.c -- bench_lcp without another solver: Freebody is timed alone. */
#include <stddef.h>

#include "lcp_peer.h"

const char* lcp_peer_name(void) {
  return NULL;
}

lcp_peer* lcp_peer_open(int n, const double* M, const double* q) {
  (void)n, (void)M, (void)q;
  return NULL;
}

void lcp_peer_solve(lcp_peer* peer, double* z, double* w) {
  (void)peer, (void)z, (void)w;
}

void lcp_peer_close(lcp_peer* peer) {
  (void)peer;
}
