/* lcp_siconos.c -- Lemke's method of Siconos, lcp_lexicolemke, called directly; its matrices are column major. */
#include <stdlib.h>
#include <string.h>

#include <LCP_Solvers.h>
#include <LinearComplementarityProblem.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <lcp_cst.h>

#include "lcp_peer.h"

struct lcp_peer {
  LinearComplementarityProblem problem;
  SolverOptions* options;
};

const char* lcp_peer_name(void) {
  return "Siconos";
}

lcp_peer* lcp_peer_open(int n, const double* M, const double* q) {
  size_t size = (size_t)n;
  lcp_peer* peer = calloc(1, sizeof *peer);
  double *columns = malloc((size * size + 1) * sizeof *columns), *right = malloc((size + 1) * sizeof *right);
  if (!peer || !columns || !right) {
    free(peer);
    free(columns);
    free(right);
    return NULL;
  }
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j < size; j++) columns[j * size + i] = M[i * size + j];
  memcpy(right, q, size * sizeof *right);
  peer->problem.size = n;
  peer->problem.M = NM_create_from_data(NM_DENSE, n, n, columns); /* owns them from now on */
  peer->problem.q = right;
  peer->options = solver_options_create(SICONOS_LCP_LEMKE);
  return peer;
}

void lcp_peer_solve(lcp_peer* peer, double* z, double* w) {
  int info;
  lcp_lexicolemke(&peer->problem, z, w, &info, peer->options);
}

void lcp_peer_close(lcp_peer* peer) {
  NM_free(peer->problem.M);
  free(peer->problem.q);
  solver_options_delete(peer->options);
  free(peer->options);
  free(peer);
}
