/* print.c -- SpaceDyn's parameters as JSON, in the layout of the reference files. */
#include "format/spacedyn/params.h"

static void print_topology(const fb_spacedyn_params* p, fb_json* json) {
  fb_json_put_int(json, "num_q", p->n);
  fb_json_put_list(json, "BB");
  for (int i = 0; i < p->n; i++) fb_json_int(json, p->BB[i]);
  fb_json_end_list(json);
  fb_json_put_list(json, "SS");
  for (int i = 0; i < p->n; i++) {
    fb_json_begin_list(json);
    for (int j = 0; j < p->n; j++) fb_json_int(json, i == j ? -1 : p->BB[j] == i + 1);
    fb_json_end_list(json);
  }
  fb_json_end_list(json);
  fb_json_put_list(json, "S0");
  for (int i = 0; i < p->n; i++) fb_json_int(json, p->BB[i] == 0);
  fb_json_end_list(json);
  fb_json_put_list(json, "SE");
  for (int i = 0; i < p->n; i++) fb_json_int(json, p->SE[i]);
  fb_json_end_list(json);
  fb_json_put_list(json, "J_type");
  for (int i = 0; i < p->n; i++) fb_json_string(json, p->type[i] == 'P' ? "P" : "R");
  fb_json_end_list(json);
}

static void print_cc(const fb_spacedyn_params* p, fb_json* json) {
  static const double zero[3] = {0, 0, 0};
  fb_json_put_list(json, "cc");
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
  fb_json_put_number(json, "m0", p->m0);
  fb_json_key(json, "inertia0");
  print_inertia(json, p->inertia0);
  fb_json_put_numbers(json, "m", p->m, p->n);
  fb_json_put_list(json, "inertia");
  for (int i = 0; i < p->n; i++) print_inertia(json, p->inertia + 6 * i);
  fb_json_end_list(json);
}

void fb_spacedyn_print(const fb_spacedyn_params* p, const char* name, fb_json* json) {
  fb_json_begin_map(json);
  fb_json_put_string(json, "format", "spacedyn-reference");
  fb_json_put_int(json, "version", 1);
  fb_json_put_string(json, "name", name);
  fb_json_put_map(json, "model");
  print_topology(p, json);
  static const double zero[3] = {0, 0, 0};
  fb_json_put_list(json, "c0");
  for (int i = 0; i < p->n; i++) fb_json_numbers(json, p->BB[i] ? zero : p->c_from + 3 * i, 3);
  fb_json_end_list(json);
  print_cc(p, json);
  fb_json_put_matrix(json, "ce", p->ce, p->n, 3);
  print_masses(p, json);
  fb_json_put_matrix(json, "Qi", p->Qi, p->n, 3);
  fb_json_put_matrix(json, "Qe", p->Qe, p->n, 3);
  fb_json_put_numbers(json, "Gravity", p->gravity_w, 3);
  fb_json_end_map(json);
  fb_json_key(json, "cases"); /* none yet: an evaluation file needs the list */
  fb_json_begin_list(json);
  fb_json_end_list(json);
  fb_json_end_map(json);
}
