/* lcp_peer.h -- another solver of linear complementarity problems, for bench_lcp: lcp_siconos.c, or lcp_no_peer.c. */
#ifndef FB_BENCH_LCP_PEER_H
#define FB_BENCH_LCP_PEER_H

typedef struct lcp_peer lcp_peer;

const char* lcp_peer_name(void); /* NULL: there is none, and nothing else may be called */
/* A problem made ready, so that only solving it is timed; M is row major. NULL when out of memory. */
lcp_peer* lcp_peer_open(int n, const double* M, const double* q);
void lcp_peer_solve(lcp_peer* peer, double* z, double* w);
void lcp_peer_close(lcp_peer* peer);

#endif
