/* write_loops.c -- writes loops. A gear between two joints becomes <mimic>, which other readers understand; all others
 * are <loop> elements (format/urdf/loops.c). Where the names or the order of the loops are not those that the reader
 * gives to <mimic>, <loop mimic=""/> says them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "format/native/schema.h"
#include "format/notes.h"
#include "format/urdf/urdf.h"
#include "format/urdf/writer.h"
#include "model/definition/check.h"
#include "model/definition/name_index.h"

/* --- which gears become <mimic> --- */

static int is_plain_gear(const fb_loop_def* loop) {
  return loop->type == FB_LOOP_GEAR && loop->njoint == 1 && loop->a && loop->joints[0] &&
         loop->ratios[0] != 0 && fabs(loop->ratios[0]) <= FB_HUGE_NUMBER && isfinite(loop->offset);
}

/* The joint of `follower` follows that of `body` by this loop, unless it follows another already. */
static void choose(fb_urdf_writer* w, int loop, int follower, int body, int* follows) {
  if (follower < 1 || body < 1 || follower == body || follows[follower]) return;
  if (!fb_urdf_may_follow(fb_model_def_body(w->def, follower)->joint.type)) return;
  if (fb_joint_type_nv(fb_model_def_body(w->def, body)->joint.type) != 1) return;
  follows[follower] = body;
  w->mimic[follower] = loop + 1;
}

int fb_urdf_choose_mimics(fb_urdf_writer* w) {
  int count = w->tree.nbody;
  int* follows = calloc((size_t)count, sizeof *follows);
  char* state = calloc((size_t)count, 1);
  fb_name* joints = calloc((size_t)count, sizeof *joints);
  w->mimic = calloc((size_t)count, sizeof *w->mimic);
  int ok = follows && state && joints && w->mimic;
  for (int id = 1; id < count && ok; id++)
    joints[id - 1] = (fb_name){fb_def_joint_name(fb_model_def_body(w->def, id)), id};
  if (ok) fb_names_sort(joints, count - 1);
  for (int i = 0; i < fb_model_def_nloop(w->def) && ok; i++) {
    const fb_loop_def* loop = fb_model_def_loop(w->def, i);
    if (is_plain_gear(loop))
      choose(w, i, fb_names_find(joints, count - 1, loop->a),
             fb_names_find(joints, count - 1, loop->joints[0]), follows);
  }
  if (ok) fb_urdf_open_rings(follows, state, count, NULL, NULL);
  for (int id = 1; id < count && ok; id++)
    if (!follows[id]) w->mimic[id] = 0;
  free(follows);
  free(state);
  free(joints);
  return ok;
}

/* --- <mimic> --- */

void fb_urdf_write_mimic(fb_urdf_writer* w, int body) {
  if (!w->mimic[body]) return;
  const fb_loop_def* loop = fb_model_def_loop(w->def, w->mimic[body] - 1);
  fb_text_add(&w->text, "    <mimic");
  fb_urdf_add_attribute(w, "joint", loop->joints[0]);
  fb_urdf_add_numbers(w, "multiplier", loop->ratios, 1);
  fb_urdf_add_numbers(w, "offset", &loop->offset, 1);
  fb_text_add(&w->text, "/>\n");
}

/* --- <loop> --- */

/* The loops that <mimic> gives come first, in the order of the bodies and with the names of their joints. */
static int comes_back_alone(const fb_urdf_writer* w) {
  int next = 1;
  for (int id = 1; id < w->tree.nbody; id++) {
    if (!w->mimic[id]) continue;
    const fb_loop_def* loop = fb_model_def_loop(w->def, w->mimic[id] - 1);
    if (w->mimic[id] != next++ || !loop->name || strcmp(loop->name, loop->a) != 0) return 0;
  }
  return 1;
}

static int count_mimics(const fb_urdf_writer* w) {
  int count = 0;
  for (int id = 1; id < w->tree.nbody; id++) count += w->mimic[id] != 0;
  return count;
}

int fb_urdf_has_loops(const fb_urdf_writer* w) {
  return fb_model_def_nloop(w->def) > count_mimics(w) || !comes_back_alone(w);
}

static void write_gear(fb_urdf_writer* w, const fb_loop_def* loop) {
  if (loop->njoint == 1) {
    fb_urdf_add_attribute(w, "b", loop->joints[0]);
    fb_urdf_add_numbers(w, "ratio", loop->ratios, 1);
  }
  if (loop->offset != 0) fb_urdf_add_numbers(w, "offset", &loop->offset, 1);
  if (loop->njoint == 1) return;
  fb_text_add(&w->text, ">\n");
  for (int i = 0; i < loop->njoint; i++) {
    fb_text_add(&w->text, "      <b");
    fb_urdf_add_attribute(w, "joint", loop->joints[i]);
    fb_urdf_add_numbers(w, "ratio", &loop->ratios[i], 1);
    fb_text_add(&w->text, "/>\n");
  }
}

static void write_frames(fb_urdf_writer* w, const fb_loop_def* loop) {
  fb_loop_def usual = fb_default_loop_def(loop->type);
  fb_urdf_add_attribute(w, "b", loop->b ? loop->b : "");
  if (fb_loop_naxis(loop->type) > 0 && memcmp(loop->axis, usual.axis, sizeof usual.axis) != 0)
    fb_urdf_add_numbers(w, "axis", loop->axis, 3);
  if (fb_loop_naxis(loop->type) > 1 && memcmp(loop->axis2, usual.axis2, sizeof usual.axis2) != 0)
    fb_urdf_add_numbers(w, "axis2", loop->axis2, 3);
  if (loop->type == FB_LOOP_DISTANCE && !isnan(loop->length))
    fb_urdf_add_numbers(w, "length", &loop->length, 1);
}

static void write_loop(fb_urdf_writer* w, const fb_loop_def* loop) {
  fb_text_add(&w->text, "    <loop");
  fb_urdf_add_attribute(w, "name", loop->name ? loop->name : "");
  fb_urdf_add_attribute(w, "type", fb_loop_type_name(loop->type));
  fb_urdf_add_attribute(w, "a", loop->a ? loop->a : "");
  if (loop->type == FB_LOOP_GEAR)
    write_gear(w, loop);
  else
    write_frames(w, loop);
  fb_text_add(&w->text, loop->type == FB_LOOP_GEAR && loop->njoint != 1 ? "    </loop>\n" : "/>\n");
}

void fb_urdf_write_loops(fb_urdf_writer* w) {
  int count = fb_model_def_nloop(w->def), others = count - count_mimics(w), places = !comes_back_alone(w);
  char* is_mimic = calloc((size_t)count + 1, 1);
  if (!is_mimic) {
    w->text.failed = 1;
    return;
  }
  for (int id = 1; id < w->tree.nbody; id++) is_mimic[w->mimic[id]] = 1;
  for (int i = 0; i < count; i++) {
    const fb_loop_def* loop = fb_model_def_loop(w->def, i);
    if (!is_mimic[i + 1]) write_loop(w, loop);
    if (!is_mimic[i + 1] || !places) continue;
    fb_text_add(&w->text, "    <loop");
    fb_urdf_add_attribute(w, "name", loop->name ? loop->name : "");
    fb_urdf_add_attribute(w, "mimic", loop->a);
    fb_text_add(&w->text, "/>\n");
  }
  free(is_mimic);
  if (others)
    fb_io_note(w->options,
               "%d loop%s written as <loop> in a <freebody> element, which other readers will not see",
               others, others == 1 ? " is" : "s are");
}
