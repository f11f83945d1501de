/* print.c -- SpaceDyn's parameters as JSON, in the layout of the reference files. */
#include "format/spacedyn/print.h"

static void print_topology(const fb_spacedyn_params* p, fb_json* json) {
  fb_json_key(json, "num_q");
  fb_json_int(json, p->n);
  fb_json_key(json, "BB");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) fb_json_int(json, p->BB[i]);
  fb_json_end_list(json);
  fb_json_key(json, "SS");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) {
    fb_json_begin_list(json);
    for (int j = 0; j < p->n; j++) fb_json_int(json, i == j ? -1 : p->BB[j] == i + 1);
    fb_json_end_list(json);
  }
  fb_json_end_list(json);
  fb_json_key(json, "S0");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) fb_json_int(json, p->BB[i] == 0);
  fb_json_end_list(json);
  fb_json_key(json, "SE");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) fb_json_int(json, p->SE[i]);
  fb_json_end_list(json);
  fb_json_key(json, "J_type");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) fb_json_string(json, p->type[i] == 'P' ? "P" : "R");
  fb_json_end_list(json);
}

/* A 3-vector of each link. */
static void print_vectors(fb_json* json, const char* key, const double* x, int n) {
  fb_json_key(json, key);
  fb_json_matrix(json, x, n, 3);
}

static void print_c0(const fb_spacedyn_params* p, fb_json* json) {
  static const double zero[3] = {0, 0, 0};
  fb_json_key(json, "c0");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) fb_json_numbers(json, p->BB[i] ? zero : p->c_from + 3 * i, 3);
  fb_json_end_list(json);
}

static void print_cc(const fb_spacedyn_params* p, fb_json* json) {
  static const double zero[3] = {0, 0, 0};
  fb_json_key(json, "cc");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) {
    fb_json_begin_list(json);
    for (int j = 0; j < p->n; j++)
      fb_json_numbers(json, i == j ? p->c_own + 3 * i : p->BB[j] == i + 1 ? p->c_from + 3 * j : zero, 3);
    fb_json_end_list(json);
  }
  fb_json_end_list(json);
}

static void print_inertia(fb_json* json, const double I[6]) {
  const double M[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  fb_json_matrix(json, M, 3, 3);
}

static void print_masses(const fb_spacedyn_params* p, fb_json* json) {
  fb_json_key(json, "m0");
  fb_json_number(json, p->m0);
  fb_json_key(json, "inertia0");
  print_inertia(json, p->inertia0);
  fb_json_key(json, "m");
  fb_json_numbers(json, p->m, p->n);
  fb_json_key(json, "inertia");
  fb_json_begin_list(json);
  for (int i = 0; i < p->n; i++) print_inertia(json, p->inertia + 6 * i);
  fb_json_end_list(json);
}

void fb_spacedyn_print(const fb_spacedyn_params* p, const char* name, fb_json* json) {
  fb_json_begin_map(json);
  fb_json_key(json, "format");
  fb_json_string(json, "spacedyn-reference");
  fb_json_key(json, "version");
  fb_json_int(json, 1);
  fb_json_key(json, "name");
  fb_json_string(json, name);
  fb_json_key(json, "model");
  fb_json_begin_map(json);
  print_topology(p, json);
  print_c0(p, json);
  print_cc(p, json);
  print_vectors(json, "ce", p->ce, p->n);
  print_masses(p, json);
  print_vectors(json, "Qi", p->Qi, p->n);
  print_vectors(json, "Qe", p->Qe, p->n);
  fb_json_key(json, "Gravity");
  fb_json_numbers(json, p->gravity_w, 3);
  fb_json_end_map(json);
  fb_json_key(json, "cases"); /* none yet: an evaluation file needs the list */
  fb_json_begin_list(json);
  fb_json_end_list(json);
  fb_json_end_map(json);
}
