/* info_spacedyn.c -- SpaceDyn's view of a model for `freebody info --spacedyn`: B, S0 and Se of its bodies, and
 * what keeps SpaceDyn from holding the model as it is. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>

#include "model/info.h"

static void add_reason(cmd_info_spacedyn* out, const char* format, ...) FB_PRINTF(2, 3);

static void add_reason(cmd_info_spacedyn* out, const char* format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(out->reasons[out->nreason++], sizeof out->reasons[0], format, args);
  va_end(args);
}

/* The links are the bodies but the bases, in file order; a link's number counts from 1. */
static void number_links(const fb_model* m, cmd_info_spacedyn* out) {
  int nbody = fb_model_nbody(m);
  int* number = cmd_take((size_t)nbody, sizeof(int));
  out->body = cmd_take(4 * (size_t)nbody, sizeof(int));
  out->B = out->body + nbody;
  out->S0 = out->B + nbody;
  out->Se = out->S0 + nbody;
  for (int b = 1; b < nbody; b++) {
    if (fb_body_parent(m, b) == FB_WORLD) continue;
    out->body[out->n++] = b;
    number[b] = out->n;
  }
  for (int i = 0; i < out->n; i++) {
    int b = out->body[i], parent = fb_body_parent(m, b);
    out->B[i] = number[parent];
    out->S0[i] = number[parent] == 0;
    out->Se[i] = fb_model_def_nframe(fb_model_definition(m), b) > 0;
  }
  free(number);
}

static void check_joints(const fb_model* m, cmd_info_spacedyn* out) {
  int fixed = 0, other = 0, late = 0;
  for (int i = 0; i < out->n; i++) {
    int b = out->body[i];
    fb_joint_type type = fb_joint_type_of(m, b);
    fixed += type == FB_JOINT_FIXED;
    late += out->B[i] > i + 1;
    if (type == FB_JOINT_FIXED || type == FB_JOINT_REVOLUTE || type == FB_JOINT_PRISMATIC) continue;
    if (!other++)
      add_reason(out, "joint '%.80s' is %s; SpaceDyn has revolute and prismatic joints only",
                 fb_joint_name(m, b), fb_joint_type_name(type));
  }
  if (fixed && out->nreason)
    add_reason(out, "%d bod%s on fixed joints, which SpaceDyn lacks", fixed,
               fixed == 1 ? "y hangs" : "ies hang");
  else if (fixed)
    add_reason(out,
               "%d bod%s on fixed joints, which SpaceDyn lacks; 'freebody convert' makes %s part of what "
               "carries %s, so it writes %d link%s instead of the %d here",
               fixed, fixed == 1 ? "y hangs" : "ies hang", fixed == 1 ? "it" : "them",
               fixed == 1 ? "it" : "them", out->n - fixed, out->n - fixed == 1 ? "" : "s", out->n);
  if (late)
    add_reason(out, "a body precedes its parent; 'freebody convert' renumbers the links, parents first");
}

void cmd_info_spacedyn_make(const fb_model* m, cmd_info_spacedyn* out) {
  memset(out, 0, sizeof *out);
  number_links(m, out);
  if (fb_model_ntree(m) != 1)
    add_reason(out,
               "it has %d trees; SpaceDyn supports one robot (B = 0 is the base of a link's own tree here)",
               fb_model_ntree(m));
  for (int b = 1; b < fb_model_nbody(m) && fb_model_ntree(m) == 1; b++)
    if (fb_body_parent(m, b) == FB_WORLD && !fb_body_floats(m, b))
      add_reason(out, "its base '%.80s' is on a %s joint; SpaceDyn's base floats", fb_body_name(m, b),
                 fb_joint_type_name(fb_joint_type_of(m, b)));
  check_joints(m, out);
  if (fb_model_nloop(m))
    add_reason(out, "it has %d loop%s; SpaceDyn's mechanisms are trees", fb_model_nloop(m),
               fb_model_nloop(m) == 1 ? "" : "s");
}

void cmd_info_spacedyn_free(cmd_info_spacedyn* s) {
  free(s->body);
  memset(s, 0, sizeof *s);
}

void cmd_info_print_spacedyn(const cmd_info* info, const cmd_info_spacedyn* s) {
  static const char* const headers[] = {"link", "body", "B", "S0", "Se"};
  for (int i = 0; i < s->nreason; i++)
    printf("  %s%s\n", i ? "and: " : "SpaceDyn cannot represent this model as it is: ",
           cmd_text_clean((char*)s->reasons[i]));
  cmd_table* table = cmd_table_new(5, headers);
  for (int i = 0; i < s->n; i++) {
    cmd_table_cells(table, "%d\t%s\t%d\t%d\t%d", i + 1, fb_body_name(info->model, s->body[i]), s->B[i],
                    s->S0[i], s->Se[i]);
  }
  cmd_table_end(table, stdout, info->app->color_out);
}

static void put_ints(fb_json* json, const char* key, const int* x, int count) {
  double* numbers = cmd_take((size_t)count, sizeof *numbers);
  for (int i = 0; i < count; i++) numbers[i] = x[i];
  fb_json_put_numbers(json, key, numbers, count);
  free(numbers);
}

void cmd_info_put_spacedyn(const cmd_info_spacedyn* s, fb_json* json) {
  fb_json_put_map(json, "spacedyn");
  fb_json_put_bool(json, "fits", s->nreason == 0);
  fb_json_put_list(json, "reasons");
  for (int i = 0; i < s->nreason; i++) fb_json_string(json, s->reasons[i]);
  fb_json_end_list(json);
  put_ints(json, "B", s->B, s->n);
  put_ints(json, "S0", s->S0, s->n);
  put_ints(json, "Se", s->Se, s->n);
  fb_json_end_map(json);
}
