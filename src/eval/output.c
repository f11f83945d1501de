/* output.c -- the outputs of an evaluation: choosing them by name, computing what they need, and
 * writing them in the order of the format's table. */
#include <stdio.h>
#include <string.h>

#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/support/words.h>

#include "eval/dynamics.h"
#include "eval/eval.h"

enum { NAME_SIZE = 48 };

/* Whether word[0 .. length) is `text`. */
static int same_word(const char* word, size_t length, const char* text) {
  return strlen(text) == length && strncmp(word, text, length) == 0;
}

/* "bodies.p", or "mass". */
static void full_name(const fb_eval_output* output, char name[NAME_SIZE]) {
  snprintf(name, NAME_SIZE, "%s%s%s", output->list ? output->list : "", output->list ? "." : "",
           output->name);
}

static fb_status unknown_name(const fb_eval_format* format, const char* word, size_t length,
                              fb_error* error) {
  char names[FB_EVAL_MAX_OUTPUTS][NAME_SIZE];
  const char* candidates[2 * FB_EVAL_MAX_OUTPUTS + 1];
  const char* whole[FB_EVAL_MAX_OUTPUTS + 1];
  char shown[NAME_SIZE], near[FB_SUGGESTION_SIZE], list[256];
  int n = 0, rows = 0, nwhole = 0;
  for (const fb_eval_output* o = format->outputs; o->name; o++, rows++) {
    full_name(o, names[rows]);
    candidates[n++] = names[rows];
    int first = !o->list || rows == 0 || format->outputs[rows - 1].list != o->list;
    if (o->list && first) candidates[n++] = o->list;
    if (first && o->when != FB_REQUEST) whole[nwhole++] = o->list ? o->list : o->name;
  }
  candidates[n] = whole[nwhole] = NULL;
  snprintf(shown, sizeof shown, "%.*s", (int)(length < NAME_SIZE ? length : NAME_SIZE - 1), word);
  if (*fb_suggestion(shown, candidates, near))
    return fb_fail(error, FB_ERR_NAME, "--only: there is no output '%s'%s", shown, near);
  return fb_fail(error, FB_ERR_NAME, "--only: there is no output '%s'; %s files have %s", shown, format->name,
                 fb_words_join(whole, "", list, sizeof list));
}

/* Marks what one name of --only means: a value, a whole list, or one member of a list. */
static int select_word(const fb_eval_format* format, const char* word, size_t length, char* wanted) {
  int found = 0;
  for (int i = 0; format->outputs[i].name; i++) {
    const fb_eval_output* o = &format->outputs[i];
    char name[NAME_SIZE];
    full_name(o, name);
    int whole_list = o->list && same_word(word, length, o->list) && o->when != FB_REQUEST;
    if (!whole_list && !same_word(word, length, name)) continue;
    wanted[i] = 1;
    found = 1;
  }
  return found;
}

fb_status fb_eval_select(const fb_eval_format* format, const char* only, char* wanted, fb_error* error) {
  memset(wanted, 0, FB_EVAL_MAX_OUTPUTS);
  for (int i = 0; !only && format->outputs[i].name; i++) wanted[i] = format->outputs[i].when == FB_PRINT;
  while (only) {
    only += strspn(only, " ");
    size_t length = strcspn(only, ",");
    size_t trimmed = length;
    while (trimmed && only[trimmed - 1] == ' ') trimmed--;
    if (!select_word(format, only, trimmed, wanted)) return unknown_name(format, only, trimmed, error);
    only = only[length] ? only + length + 1 : NULL;
  }
  /* An item that is printed at all says which one it is. */
  for (int i = 0; format->outputs[i].name; i++)
    for (int k = 0; format->outputs[i].when == FB_NAME && format->outputs[k].name; k++)
      if (wanted[k] && format->outputs[k].list == format->outputs[i].list) wanted[i] = 1;
  return FB_OK;
}

unsigned fb_eval_needs(const fb_eval_format* format, const char* wanted) {
  unsigned needs = 0;
  for (int i = 0; format->outputs[i].name; i++)
    if (wanted[i]) needs |= format->outputs[i].needs;
  return needs;
}

void fb_eval_compute(fb_eval* eval, unsigned needs) {
  int use_vdot = eval->has_vdot && (needs & FB_NEEDS_VDOT);
  int use_v = eval->has_v && (use_vdot || (needs & FB_NEEDS_V));
  fb_kinematics(eval->model, eval->data, eval->q, use_v ? eval->v : NULL, use_vdot ? eval->vdot : NULL);
  if (needs & FB_NEEDS_COM) fb_centre_of_mass(eval->model, eval->data);
  eval->J_of = -1;
  eval->has_reactions = eval->has_loops = 0;
  fb_eval_measure_loops(eval);
}

const double* fb_eval_jacobian(fb_eval* eval, int frame, int rate) {
  if (eval->J_of != frame || eval->J_rate != rate) {
    if (rate)
      fb_frame_jacobian_rate(eval->model, eval->data, frame, eval->J);
    else
      fb_frame_jacobian(eval->model, eval->data, frame, eval->J);
    eval->J_of = frame;
    eval->J_rate = rate;
  }
  return eval->J;
}

void fb_eval_write_quantity(const fb_eval* e, int frame, fb_eval_quantity what, fb_json* json) {
  double x[3] = {0, 0, 0}, R[9];
  switch (what) {
    case FB_POSITION:
      fb_frame_pose(e->model, e->data, frame, x, NULL);
      break;
    case FB_ROTATION:
      fb_frame_pose(e->model, e->data, frame, NULL, R);
      fb_json_matrix(json, R, 3, 3);
      return;
    case FB_VELOCITY:
      fb_frame_velocity(e->model, e->data, frame, x, NULL);
      break;
    case FB_TURNING:
      fb_frame_velocity(e->model, e->data, frame, NULL, x);
      break;
    case FB_ACCELERATION:
      fb_frame_acceleration(e->model, e->data, frame, x, NULL);
      break;
    case FB_TURNING_RATE:
      fb_frame_acceleration(e->model, e->data, frame, NULL, x);
      break;
  }
  fb_json_numbers(json, x, 3);
}

void fb_eval_write_block(fb_json* json, const double* x, int stride, int first, int rows, int from,
                         int cols) {
  fb_json_begin_list(json);
  for (int r = first; r < first + rows; r++)
    fb_json_numbers(json, x + (size_t)r * (size_t)stride + (size_t)from, cols);
  fb_json_end_list(json);
}

/* Whether a row is to be written: wanted, and the inputs it needs were given. */
static int is_ready(const fb_eval* eval, const fb_eval_output* output, int wanted) {
  if (!wanted) return 0;
  if ((output->needs & (FB_NEEDS_V | FB_NEEDS_VDOT)) && !eval->has_v) return 0;
  if ((output->needs & FB_NEEDS_TAU) && !eval->has_tau) return 0;
  return !(output->needs & FB_NEEDS_VDOT) || eval->has_vdot;
}

/* Writes the rows first .. end of one list, as a list of objects. */
static void write_list(fb_eval* eval, const char* wanted, int first, int end, fb_json* json) {
  const fb_eval_output* outputs = eval->format->outputs;
  int any = 0;
  for (int i = first; i < end; i++) any |= wanted[i];
  if (!any) return;
  int count = eval->format->count(eval, outputs[first].list);
  if (count < 0) return; /* the model has nothing of this kind */
  fb_json_put_list(json, outputs[first].list);
  for (int item = 0; item < count; item++) {
    fb_json_begin_map(json);
    for (int i = first; i < end; i++) {
      if (!is_ready(eval, &outputs[i], wanted[i])) continue;
      fb_json_key(json, outputs[i].name);
      outputs[i].write(eval, item, outputs[i].what, json);
    }
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

void fb_eval_write(fb_eval* eval, const char* wanted, fb_json* json) {
  const fb_eval_output* outputs = eval->format->outputs;
  fb_json_begin_map(json);
  for (int i = 0, end; outputs[i].name; i = end) {
    end = i + 1;
    if (outputs[i].list) {
      while (outputs[end].name && outputs[end].list == outputs[i].list) end++;
      write_list(eval, wanted, i, end, json);
    } else if (is_ready(eval, &outputs[i], wanted[i])) {
      fb_json_key(json, outputs[i].name);
      outputs[i].write(eval, 0, outputs[i].what, json);
    }
  }
  fb_json_end_map(json);
}
