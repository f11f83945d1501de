/* params.c -- reads SpaceDyn's parameters from a document, in two layouts.
 *
 *              reference files       jsonencode(LP)
 *   J_type     ["R", "P", ...]       "RP..."
 *   c0 ce Qi   n lists of 3          3 lists of n
 *   cc         n x n x 3             3 x n x n
 *   inertia    n x 3 x 3             3 x 3n, side by side
 *
 * The nesting of inertia distinguishes them for every n, n = 1 and n = 3 too; J_type as one text says the
 * same. Vectors along n read alike in both. */
#include "format/spacedyn/params.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format/notes.h"

enum { MOST_JOINTS = INT_MAX / 64 }; /* sizes of arrays fit into an int */

typedef struct reader {
  const fb_node* map;
  const fb_io_options* options;
  fb_spacedyn_params* p;
  double* scratch; /* 9 n */
  int matlab;      /* the layout of jsonencode(LP) */
  fb_error* error;
} reader;

/* --- memory --- */

int fb_spacedyn_params_make(fb_spacedyn_params* p, int n) {
  size_t k = (size_t)n;
  memset(p, 0, sizeof *p);
  p->n = n;
  p->BB = fb_pool_take(&p->pool, 2 * k, sizeof *p->BB);
  p->type = fb_pool_take(&p->pool, k, 1);
  p->m = fb_pool_take(&p->pool, 22 * k, sizeof *p->m);
  if (p->pool.failed) return 0;
  p->SE = p->BB + k;
  p->inertia = p->m + k;
  p->c_own = p->inertia + 6 * k;
  p->c_from = p->c_own + 3 * k;
  p->ce = p->c_from + 3 * k;
  p->Qi = p->ce + 3 * k;
  p->Qe = p->Qi + 3 * k;
  return 1;
}

void fb_spacedyn_params_free(fb_spacedyn_params* p) {
  fb_pool_free(&p->pool);
  memset(p, 0, sizeof *p);
}

/* --- vectors --- */

/* A vector along the links; `node` may be nested in any way. */
static fb_status read_along(const reader* r, const fb_node* node, const char* what, double* out) {
  return fb_array_loose(node, what, r->p->n, out, r->error);
}

static fb_status read_integers(const reader* r, const fb_node* node, const char* what, int low, int high,
                               int* out) {
  double* x = r->scratch;
  fb_status status = read_along(r, node, what, x);
  for (int i = 0; i < r->p->n && !status; i++) {
    if (x[i] < low || x[i] > high || x[i] != floor(x[i]))
      status = fb_node_fail(node, r->error, FB_ERR_CONTENT,
                            "%s(%d) is %g, but must be a whole number from %d to %d", what, i + 1, x[i], low,
                            high);
    else
      out[i] = (int)x[i];
  }
  return status;
}

/* A 3-vector of each link. */
static fb_status read_vectors(const reader* r, const fb_node* node, const char* what, double* out) {
  int n = r->p->n, by_link[2] = {n, 3}, by_axis[2] = {3, n};
  if (!r->matlab) return fb_array_nested(node, what, by_link, 2, out, r->error);
  if (n <= 1) return fb_array_loose(node, what, 3 * n, out, r->error);
  double* columns = r->scratch;
  fb_status status = fb_array_nested(node, what, by_axis, 2, columns, r->error);
  for (int i = 0; i < n && !status; i++)
    for (int a = 0; a < 3; a++) out[3 * i + a] = columns[a * n + i];
  return status;
}

/* --- inertia --- */

static fb_status pack_inertia(const reader* r, const fb_node* node, const char* what, const double M[9],
                              double out[6]) {
  static const int pairs[3][2] = {{1, 3}, {2, 6}, {5, 7}};
  double largest = 0;
  for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(M[i]));
  for (int i = 0; i < 3; i++) {
    double upper = M[pairs[i][0]], lower = M[pairs[i][1]];
    if (fabs(upper - lower) > 1e-9 * largest)
      return fb_node_fail(node, r->error, FB_ERR_INERTIA,
                          "%s is not symmetric: element (%d,%d) is %.12g and (%d,%d) is %.12g", what,
                          pairs[i][0] / 3 + 1, pairs[i][0] % 3 + 1, upper, pairs[i][1] / 3 + 1,
                          pairs[i][1] % 3 + 1, lower);
    out[3 + i] = upper == lower ? upper : 0.5 * (upper + lower);
    out[i] = M[4 * i];
  }
  return FB_OK;
}

static fb_status read_link_inertias(const reader* r, const fb_node* node) {
  int n = r->p->n, side_by_side[2] = {3, 3 * n}, square[2] = {3, 3};
  fb_status status = FB_OK;
  double* all = r->scratch;
  if (n > 0 && r->matlab) status = fb_array_nested(node, "inertia", side_by_side, 2, all, r->error);
  if (n > 0 && !r->matlab) status = fb_array_check(node, "inertia", n, r->error);
  for (int i = 0; i < n && !status; i++) {
    double M[9];
    char what[32];
    const fb_node* at = r->matlab ? node : fb_node_item(node, i);
    snprintf(what, sizeof what, "the inertia of link %d", i + 1);
    if (r->matlab)
      for (int k = 0; k < 9; k++) M[k] = all[k / 3 * 3 * n + 3 * i + k % 3];
    else
      status = fb_array_nested(at, "inertia", square, 2, M, r->error);
    if (!status) status = pack_inertia(r, at, what, M, r->p->inertia + 6 * i);
  }
  return status;
}

static fb_status read_masses(const reader* r) {
  const fb_node *m0, *inertia0, *m, *inertia;
  int square[2] = {3, 3};
  double M[9];
  fb_status status = fb_map_need(r->map, "m0", &m0, r->error);
  if (!status) status = fb_array_loose(m0, "m0", 1, &r->p->m0, r->error);
  if (!status) status = fb_map_need(r->map, "inertia0", &inertia0, r->error);
  if (!status) status = fb_array_nested(inertia0, "inertia0", square, 2, M, r->error);
  if (!status) status = pack_inertia(r, inertia0, "inertia0", M, r->p->inertia0);
  if (status || r->p->n == 0) return status;
  status = fb_map_need(r->map, "m", &m, r->error);
  if (!status) status = read_along(r, m, "m", r->p->m);
  if (!status) status = fb_map_need(r->map, "inertia", &inertia, r->error);
  return status ? status : read_link_inertias(r, inertia);
}

/* --- topology --- */

/* num_q, or the length of BB in files without it (num_q is a variable of its own in old scripts). */
static fb_status read_count(const fb_node* map, int* n, fb_error* error) {
  const fb_node *num_q = fb_map_get(map, "num_q"), *BB = fb_map_get(map, "BB");
  if (!num_q && !BB)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "neither num_q nor BB is here; a SpaceDyn model says how many joints it has");
  *n = BB ? fb_array_size(BB) : 0;
  if (!num_q) return FB_OK;
  double x;
  fb_status status = fb_array_loose(num_q, "num_q", 1, &x, error);
  if (status) return status;
  if (!(x >= 0 && x == floor(x)))
    return fb_node_fail(num_q, error, FB_ERR_CONTENT, "num_q is %g, but must be a whole number, 0 or more",
                        x);
  if (x > MOST_JOINTS)
    return fb_node_fail(num_q, error, FB_ERR_CONTENT, "num_q is %.10g, but at most %d joints are read", x,
                        (int)MOST_JOINTS);
  if ((int)x == *n) return FB_OK;
  return fb_node_fail(BB ? BB : num_q, error, FB_ERR_CONTENT, "num_q is %d, but BB has %d entr%s", (int)x, *n,
                      *n == 1 ? "y" : "ies");
}

static fb_status set_type(const reader* r, const fb_node* node, int i, char c) {
  if (c == 'r' || c == 'p') c = (char)(c - 'a' + 'A');
  r->p->type[i] = c;
  if (c == 'R' || c == 'P') return FB_OK;
  return fb_node_fail(node, r->error, FB_ERR_JOINT,
                      "J_type(%d) is neither 'R' (revolute) nor 'P' (prismatic)", i + 1);
}

static fb_status read_types(const reader* r, const fb_node* node) {
  int n = r->p->n, is_text = fb_node_get_kind(node) == FB_NODE_SCALAR;
  const char* text = fb_node_text(node);
  if (is_text && strlen(text) != (size_t)n)
    return fb_node_fail(node, r->error, FB_ERR_CONTENT,
                        "J_type needs %d letters, one for each joint, but is '%.64s'", n, text);
  fb_status status = is_text ? FB_OK : fb_array_check(node, "J_type", n, r->error);
  for (int i = 0; i < n && !status; i++) {
    const fb_node* item = is_text ? node : fb_node_item(node, i);
    const char* letter = is_text ? text + i : fb_node_text(item);
    int single = is_text || (letter[0] && !letter[1]);
    status = set_type(r, item, i, single ? letter[0] : '?');
  }
  return status;
}

/* The layout, from J_type and the nesting of inertia. */
static fb_status find_layout(reader* r, const fb_node* types) {
  const fb_node* inertia;
  if (r->p->n == 0) {
    r->matlab = 1; /* nothing to tell apart; this one also takes the empty forms of jsonencode */
    return FB_OK;
  }
  fb_status status = fb_map_need(r->map, "inertia", &inertia, r->error);
  if (status) return status;
  int is_text = fb_node_get_kind(types) == FB_NODE_SCALAR, depth = fb_array_depth(inertia);
  r->matlab = depth == 2;
  if (depth != 2 && depth != 3)
    return fb_node_fail(inertia, r->error, FB_ERR_CONTENT,
                        "inertia must be a list of 3x3 matrices, one for each link, or 3 rows of %d numbers "
                        "as jsonencode(LP) writes it",
                        3 * r->p->n);
  if (is_text && depth == 3)
    return fb_node_fail(
        inertia, r->error, FB_ERR_CONTENT,
        "J_type is one text, as jsonencode(LP) writes it, but inertia is nested three deep, as in a list by "
        "links. Write J_type as [\"R\", ...] or inertia as 3 rows of %d numbers.",
        3 * r->p->n);
  return FB_OK;
}

/* S(i,j) as BB has it. */
static int incidence(const fb_spacedyn_params* p, int i, int j) {
  return i == j ? -1 : p->BB[j] == i + 1;
}

static fb_status check_SS(const reader* r) {
  const fb_node* SS = fb_map_get(r->map, "SS");
  int n = r->p->n;
  if (!SS) return FB_OK;
  if (n <= 1 && fb_array_size(SS) != n)
    return fb_node_fail(SS, r->error, FB_ERR_CONTENT, "SS must be %d x %d", n, n);
  fb_status status = n > 1 ? fb_array_check(SS, "SS", n, r->error) : FB_OK;
  for (int i = 0; i < n && !status; i++) {
    const fb_node* row = n > 1 ? fb_node_item(SS, i) : SS;
    if (n > 1) status = fb_array_check(row, "SS", n, r->error);
    for (int j = 0; j < n && !status; j++) {
      const fb_node* item = n > 1 ? fb_node_item(row, j) : SS;
      double x;
      status = fb_array_loose(item, "SS", 1, &x, r->error);
      if (!status && x != incidence(r->p, i, j))
        status =
            fb_node_fail(item, r->error, FB_ERR_TREE,
                         "SS(%d,%d) is %g, but BB(%d) = %d makes it %d. Mend one of them, or leave SS out.",
                         i + 1, j + 1, x, j + 1, r->p->BB[j], incidence(r->p, i, j));
    }
  }
  return status;
}

static fb_status check_S0(const reader* r) {
  const fb_node* S0 = fb_map_get(r->map, "S0");
  if (!S0) return FB_OK;
  int* flags = malloc(((size_t)r->p->n + 1) * sizeof *flags);
  if (!flags) return fb_fail(r->error, FB_ERR_MEMORY, "out of memory while the model was read");
  fb_status status = read_integers(r, S0, "S0", 0, 1, flags);
  for (int i = 0; i < r->p->n && !status; i++)
    if (flags[i] != (r->p->BB[i] == 0))
      status = fb_node_fail(S0, r->error, FB_ERR_TREE,
                            "S0(%d) is %d, but BB(%d) = %d makes it %d. Mend one of them, or leave S0 out.",
                            i + 1, flags[i], i + 1, r->p->BB[i], r->p->BB[i] == 0);
  free(flags);
  return status;
}

/* SE, or, where end-points are given without it, one on each link that carries no other. */
static fb_status read_SE(const reader* r) {
  const fb_node* SE = fb_map_get(r->map, "SE");
  if (SE) return read_integers(r, SE, "SE", 0, 1, r->p->SE);
  if (!fb_map_get(r->map, "ce")) return FB_OK;
  for (int i = 0; i < r->p->n; i++) r->p->SE[i] = 1;
  for (int i = 0; i < r->p->n; i++)
    if (r->p->BB[i] > 0) r->p->SE[r->p->BB[i] - 1] = 0;
  return FB_OK;
}

static fb_status read_topology(reader* r) {
  const fb_node *BB, *types;
  if (r->p->n == 0) return find_layout(r, NULL);
  fb_status status = fb_map_need(r->map, "BB", &BB, r->error);
  if (!status) status = read_integers(r, BB, "BB", 0, r->p->n, r->p->BB);
  for (int i = 0; i < r->p->n && !status; i++)
    if (r->p->BB[i] == i + 1)
      status = fb_node_fail(BB, r->error, FB_ERR_TREE, "BB(%d) is %d: link %d would hang on itself", i + 1,
                            i + 1, i + 1);
  if (!status) status = fb_map_need(r->map, "J_type", &types, r->error);
  if (!status) status = find_layout(r, types);
  if (!status) status = read_types(r, types);
  if (!status) status = check_SS(r);
  if (!status) status = check_S0(r);
  return status ? status : read_SE(r);
}

/* --- link vectors --- */

/* Keeps cc(a,i,j) where the tree uses it; 1 when it is a number that nothing uses. */
static int keep_cc(fb_spacedyn_params* p, int i, int j, int a, double x) {
  if (i == j)
    p->c_own[3 * i + a] = x;
  else if (p->BB[j] == i + 1)
    p->c_from[3 * j + a] = x;
  else
    return x != 0;
  return 0;
}

static fb_status read_cc(const reader* r) {
  fb_spacedyn_params* p = r->p;
  int n = p->n, stray = 0, outer = r->matlab ? 3 : n, inner = r->matlab ? n : 3;
  const fb_node* cc;
  fb_status status = fb_map_need(r->map, "cc", &cc, r->error);
  if (status) return status;
  if (r->matlab && n == 1) return fb_array_loose(cc, "cc", 3, p->c_own, r->error);
  double* row = r->scratch;
  status = fb_array_check(cc, "cc", outer, r->error);
  for (int i = 0; i < outer && !status; i++) {
    const fb_node* plane = fb_node_item(cc, i);
    status = fb_array_check(plane, "cc", n, r->error);
    for (int j = 0; j < n && !status; j++) {
      status = fb_array_nested(fb_node_item(plane, j), "cc", &inner, 1, row, r->error);
      for (int k = 0; k < inner && !status; k++)
        stray += r->matlab ? keep_cc(p, j, k, i, row[k]) : keep_cc(p, i, j, k, row[k]);
    }
  }
  if (!status && stray)
    fb_io_note(r->options,
               "lost: cc contains %d numbers between links that BB does not connect; they are ignored",
               stray);
  return status;
}

static fb_status read_c0(const reader* r) {
  const fb_node* c0;
  int n = r->p->n;
  fb_status status = fb_map_need(r->map, "c0", &c0, r->error);
  if (status) return status;
  double* x = r->scratch + 3 * (size_t)n; /* behind what read_vectors needs */
  status = read_vectors(r, c0, "c0", x);
  for (int i = 0; i < n && !status; i++)
    if (r->p->BB[i] == 0) memcpy(r->p->c_from + 3 * i, x + 3 * i, 3 * sizeof *x);
  return status;
}

static fb_status read_geometry(const reader* r) {
  const fb_node *Qi, *ce = fb_map_get(r->map, "ce"), *Qe = fb_map_get(r->map, "Qe");
  int ends = 0;
  for (int i = 0; i < r->p->n; i++) ends += r->p->SE[i];
  if (r->p->n == 0) return FB_OK;
  fb_status status = read_c0(r);
  if (!status) status = read_cc(r);
  if (!status) status = fb_map_need(r->map, "Qi", &Qi, r->error);
  if (!status) status = read_vectors(r, Qi, "Qi", r->p->Qi);
  if (!status && ends && !ce) status = fb_map_need(r->map, "ce", &ce, r->error);
  if (!status && ce) status = read_vectors(r, ce, "ce", r->p->ce);
  if (!status && Qe) status = read_vectors(r, Qe, "Qe", r->p->Qe);
  return status;
}

/* --- the whole --- */

/* LP is a struct of the user's own, so other fields are not errors; but they are reported. */
static const char* const KEYS[] = {"num_q",   "BB", "SS",   "S0",       "SE",      "J_type",
                                   "c0",      "cc", "ce",   "m0",       "m",       "Qi",
                                   "inertia", "Qe", "name", "inertia0", "Gravity", NULL};

fb_status fb_spacedyn_params_read(const fb_node* map, const fb_io_options* options, fb_spacedyn_params* p,
                                  fb_error* error) {
  int n = 0;
  reader r = {.map = map, .options = options, .p = p, .error = error};
  memset(p, 0, sizeof *p);
  fb_status status = read_count(map, &n, error);
  if (status) return status;
  if (!fb_spacedyn_params_make(p, n) || !(r.scratch = malloc((9 * (size_t)n + 1) * sizeof *r.scratch)))
    return fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was read");
  status = read_topology(&r);
  if (!status) status = read_masses(&r);
  if (!status) status = read_geometry(&r);
  const fb_node* gravity = fb_map_get(map, "Gravity");
  if (!status && gravity) status = fb_array_loose(gravity, "Gravity", 3, p->gravity_w, error);
  free(r.scratch);
  if (!status) fb_note_unread_keys(map, KEYS, options);
  return status;
}
