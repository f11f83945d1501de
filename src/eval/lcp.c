/* lcp.c -- files of linear complementarity problems: {"problems": [{"id", "n", "M", "q"}, ..]}, solved one by one. */
#include <math.h>
#include <stdlib.h>

#include <freebody/eval.h>

#include "document/document.h"
#include "math/complementarity/lcp_wide.h"

typedef struct lcp {
  const fb_node *id, *M, *q;
  int n;
  double *M_numbers, *q_numbers, *z, *w, *work; /* of one block */
  int* basis;
} lcp;

/* The size says how long the lists must be, before anything is allocated by it. */
static fb_status check_size(const fb_node* node, const lcp* p, fb_error* error) {
  if (p->n < 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "`n` is %d; it is the number of unknowns, 0 or more",
                        p->n);
  if (fb_node_get_kind(p->q) != FB_NODE_LIST || fb_node_count(p->q) != p->n)
    return fb_node_fail(p->q, error, FB_ERR_CONTENT, "`q` must be a list of n = %d numbers", p->n);
  int whole = fb_node_get_kind(p->M) == FB_NODE_LIST && fb_node_count(p->M) == p->n;
  for (int i = 0; i < p->n && whole; i++)
    if (fb_node_count(fb_node_item(p->M, i)) != p->n)
      return fb_node_fail(fb_node_item(p->M, i), error, FB_ERR_CONTENT,
                          "a row of `M` must be a list of n = %d numbers", p->n);
  if (whole) return FB_OK;
  return fb_node_fail(p->M, error, FB_ERR_CONTENT,
                      "`M` must be a list of n = %d rows, each a list of %d numbers", p->n, p->n);
}

static fb_status find_parts(const fb_node* node, lcp* p, fb_error* error) {
  const fb_node* n = NULL;
  if (fb_node_get_kind(node) != FB_NODE_MAP)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "a problem is an object {\"id\": .., \"n\": .., \"M\": [[..], ..], \"q\": [..]}");
  fb_status status = fb_map_need(node, "id", &p->id, error);
  if (status == FB_OK) status = fb_map_need(node, "n", &n, error);
  if (status == FB_OK) status = fb_map_need(node, "M", &p->M, error);
  if (status == FB_OK) status = fb_map_need(node, "q", &p->q, error);
  if (status == FB_OK) status = fb_node_int(n, &p->n, error);
  if (status != FB_OK) return status;
  if (fb_node_get_kind(p->id) != FB_NODE_SCALAR)
    return fb_node_fail(p->id, error, FB_ERR_CONTENT, "`id` must be a number or a text");
  return check_size(node, p, error);
}

static fb_status make_room(lcp* p, fb_error* error) {
  size_t n = (size_t)p->n;
  p->M_numbers = calloc(n * n + 3 * n + fb_lcp_wide_work_size(p->n) + 1, sizeof(double));
  p->basis = calloc(fb_lcp_basis_size(p->n) + 1, sizeof(int));
  if (!p->M_numbers || !p->basis)
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for a problem of %d unknowns", p->n);
  p->q_numbers = p->M_numbers + n * n;
  p->z = p->q_numbers + n;
  p->w = p->z + n;
  p->work = p->w + n;
  return FB_OK;
}

/* The residual relative to max(1, |q|), as the status judges it. */
static double relative(const lcp* p, double residual) {
  double size = 1;
  for (int i = 0; i < p->n; i++) size = fmax(size, fabs(p->q_numbers[i]));
  return residual / size;
}

static void write_result(const lcp* p, fb_lcp_result result, fb_json* json) {
  static const double TOLERANCE = 1e-10;
  int found = result != FB_LCP_RAY;
  double residual = found ? fb_lcp_measure(p->n, p->M_numbers, p->q_numbers, p->z, p->w, NULL) : NAN;
  int solved = result == FB_LCP_SOLVED || relative(p, residual) <= TOLERANCE;
  fb_json_begin_map(json);
  fb_json_key(json, "id");
  fb_json_node(json, p->id);
  fb_json_put_string(json, "status", !found ? "ray" : solved ? "solution" : "inexact");
  const char* const keys[] = {"z", "w"};
  const double* const values[] = {p->z, p->w};
  for (int i = 0; i < 2; i++) {
    fb_json_key(json, keys[i]);
    if (found)
      fb_json_numbers(json, values[i], p->n);
    else
      fb_json_null(json);
  }
  fb_json_put_number(json, "residual", residual);
  fb_json_put_number(json, "rel_residual", relative(p, residual));
  fb_json_end_map(json);
}

static fb_status solve_problem(const fb_node* node, fb_json* json, fb_error* error) {
  lcp p = {0};
  fb_status status = find_parts(node, &p, error);
  if (status == FB_OK) status = make_room(&p, error);
  if (status == FB_OK) status = fb_node_matrix(p.M, p.n, p.n, p.M_numbers, error);
  if (status == FB_OK) status = fb_node_numbers(p.q, FB_Q_NONE, p.n, p.q_numbers, error);
  if (status == FB_OK) {
    fb_lcp_result result = fb_lcp_solve_wide(p.n, p.M_numbers, p.q_numbers, p.z, p.w, p.work, p.basis);
    write_result(&p, result, json);
  }
  free(p.M_numbers);
  free(p.basis);
  return status;
}

static fb_status solve_all(const fb_node* root, fb_json* json, fb_error* error) {
  const fb_node* list = NULL;
  if (fb_node_get_kind(root) != FB_NODE_MAP)
    return fb_node_fail(root, error, FB_ERR_CONTENT,
                        "a file of complementarity problems is an object {\"problems\": [..]}");
  fb_status status = fb_map_need(root, "problems", &list, error);
  if (status == FB_OK && fb_node_get_kind(list) != FB_NODE_LIST)
    status = fb_node_fail(
        list, error, FB_ERR_CONTENT,
        "`problems` must be a list of objects {\"id\": .., \"n\": .., \"M\": [[..], ..], \"q\": [..]}");
  fb_json_begin_map(json);
  fb_json_put_list(json, "problems");
  for (int i = 0; status == FB_OK && i < fb_node_count(list); i++)
    status = solve_problem(fb_node_item(list, i), json, error);
  fb_json_end_list(json);
  fb_json_end_map(json);
  return status;
}

fb_status fb_eval_lcp(const char* text, size_t text_size, const char* name, int indent, char** reply,
                      size_t* size, fb_error* error) {
  fb_doc* doc;
  *reply = NULL;
  fb_status status = fb_doc_parse(text, text_size, name, &doc, error);
  if (status != FB_OK) return status;
  fb_json* json = fb_json_new(indent);
  status = json ? solve_all(fb_doc_root(doc), json, error) : FB_OK;
  fb_doc_free(doc);
  if (status == FB_OK && json) *reply = fb_json_finish(json, size);
  if (status != FB_OK) fb_json_free(json);
  if (status == FB_OK && !*reply)
    status = fb_fail(error, FB_ERR_MEMORY, "out of memory for the solutions of %s", name);
  return status;
}
