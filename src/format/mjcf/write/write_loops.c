/* write_loops.c -- loops as <equality>: gears of joints, welds, and points that coincide at zero coordinates.
 *
 * MuJoCo's equalities are soft. A <connect> of 2.2.2 takes the point on the second body from the configuration at zero. */
#include <string.h>

#include <freebody/rotation.h>

#include "format/mjcf/write/writer.h"
#include "format/notes.h"
#include "format/xml/xml.h"
#include "math/vector3.h"

/* --- frames --- */

typedef struct place {
  int body;
  fb_pose pose;
} place;

/* The body and pose of a frame, a body or the world. Returns 0 for a name that is none. */
static int find_place(const fb_mjcf_writer* w, const char* name, place* out) {
  *out = (place){0, fb_pose_identity()};
  if (strcmp(name, "world") == 0) return 1;
  for (int b = 1; b < w->tree.nbody; b++) {
    out->body = b;
    if (strcmp(fb_model_def_body(w->def, b)->name, name) == 0) return 1;
    for (int i = 0; i < fb_model_def_nframe(w->def, b); i++) {
      const fb_frame_def* frame = fb_model_def_frame(w->def, b, i);
      if (strcmp(frame->name, name) != 0) continue;
      memcpy(out->pose.p, frame->at, sizeof frame->at);
      memcpy(out->pose.R, frame->R, sizeof frame->R);
      return 1;
    }
  }
  return 0;
}

/* Where the frame is in the world at zero coordinates. */
static void to_world(const fb_mjcf_writer* w, const place* at, fb_pose* out) {
  *out = at->pose;
  for (int b = at->body; b != 0; b = w->tree.parent[b]) {
    fb_pose pose;
    fb_mjcf_body_pose(&fb_model_def_body(w->def, b)->joint, &pose);
    fb_pose_multiply(&pose, out, out);
  }
}

static const char* body_name(const fb_mjcf_writer* w, int body) {
  return body ? fb_model_def_body(w->def, body)->name : "world";
}

static void open_equality(fb_mjcf_writer* w, const char* tag, const char* name) {
  fb_mjcf_begin(&w->equalities, 2, "<");
  fb_text_add(&w->equalities, tag);
  fb_mjcf_attribute(w, &w->equalities, "name", name);
}

static void add_bodies(fb_mjcf_writer* w, const place* a, const place* b) {
  fb_mjcf_attribute(w, &w->equalities, "body1", body_name(w, a->body));
  if (b->body) fb_mjcf_attribute(w, &w->equalities, "body2", body_name(w, b->body));
}

static int write_point(fb_mjcf_writer* w, const fb_loop_def* loop, const place* a, const place* b) {
  fb_pose in_a, in_b;
  double gap[3];
  to_world(w, a, &in_a);
  to_world(w, b, &in_b);
  for (int i = 0; i < 3; i++) gap[i] = in_a.p[i] - in_b.p[i];
  if (!(norm3(gap) <= 1e-9)) return 0;
  open_equality(w, "connect", loop->name);
  add_bodies(w, a, b);
  fb_xml_add_numbers(&w->equalities, "anchor", a->pose.p, 3);
  fb_text_add(&w->equalities, "/>\n");
  return 1;
}

static void write_weld(fb_mjcf_writer* w, const fb_loop_def* loop, const place* a, const place* b) {
  fb_pose back, rel;
  double x[7];
  fb_pose_inverse(&b->pose, &back);
  fb_pose_multiply(&a->pose, &back, &rel);
  memcpy(x, rel.p, sizeof rel.p);
  fb_rot_to_quat(rel.R, x + 3);
  open_equality(w, "weld", loop->name);
  add_bodies(w, a, b);
  fb_xml_add_numbers(&w->equalities, "relpose", x, 7);
  fb_text_add(&w->equalities, "/>\n");
}

/* --- gears --- */

static void add_coefficient(fb_mjcf_writer* w, const char* joint, double x) {
  fb_text_add(&w->tendons, "<joint");
  fb_mjcf_attribute(w, &w->tendons, "joint", joint);
  fb_mjcf_number(&w->tendons, "coef", x);
  fb_text_add(&w->tendons, "/>");
}

static void write_gear(fb_mjcf_writer* w, const fb_loop_def* loop) {
  double c[5] = {loop->offset, 0, 0, 0, 0};
  if (loop->njoint == 1) {
    c[1] = loop->ratios[0];
    open_equality(w, "joint", loop->name);
    fb_mjcf_attribute(w, &w->equalities, "joint1", loop->a);
    fb_mjcf_attribute(w, &w->equalities, "joint2", loop->joints[0]);
  } else {
    fb_mjcf_begin(&w->tendons, 2, "<fixed");
    fb_mjcf_attribute(w, &w->tendons, "name", loop->name);
    fb_text_add(&w->tendons, ">");
    add_coefficient(w, loop->a, 1);
    for (int i = 0; i < loop->njoint; i++) add_coefficient(w, loop->joints[i], -loop->ratios[i]);
    fb_text_add(&w->tendons, "</fixed>\n");
    open_equality(w, "tendon", loop->name);
    fb_mjcf_attribute(w, &w->equalities, "tendon1", loop->name);
  }
  fb_xml_add_numbers(&w->equalities, "polycoef", c, 5);
  fb_text_add(&w->equalities, "/>\n");
}

/* Whether a gear couples hinges and slides alone: a screw has another name for its turn. */
static int is_plain_gear(const fb_mjcf_writer* w, const fb_loop_def* loop) {
  for (int b = 1; b < w->tree.nbody; b++) {
    const fb_body_def* body = fb_model_def_body(w->def, b);
    const char* name = body->joint.name ? body->joint.name : body->name;
    if (body->joint.type != FB_JOINT_HELICAL) continue;
    if (strcmp(name, loop->a) == 0) return 0;
    for (int i = 0; i < loop->njoint; i++)
      if (strcmp(name, loop->joints[i]) == 0) return 0;
  }
  return 1;
}

static int write_loop(fb_mjcf_writer* w, const fb_loop_def* loop) {
  place a, b;
  if (loop->type == FB_LOOP_GEAR) {
    if (!is_plain_gear(w, loop)) return 0;
    write_gear(w, loop);
    return 1;
  }
  if (loop->type != FB_LOOP_WELD && loop->type != FB_LOOP_POINT) return 0;
  if (!find_place(w, loop->a, &a) || !find_place(w, loop->b, &b)) return 0;
  if (loop->type == FB_LOOP_POINT) return write_point(w, loop, &a, &b);
  write_weld(w, loop, &a, &b);
  return 1;
}

void fb_mjcf_write_loops(fb_mjcf_writer* w) {
  int written = 0;
  for (int i = 0; i < fb_model_def_nloop(w->def); i++) {
    const fb_loop_def* loop = fb_model_def_loop(w->def, i);
    if (write_loop(w, loop))
      written++;
    else
      fb_io_note(w->options, "lost: loop '%.60s' of type %s%s", loop->name, fb_loop_type_name(loop->type),
                 loop->type == FB_LOOP_POINT ? ", whose points are apart at zero coordinates" : "");
  }
  if (written)
    fb_io_note(w->options, "%d loop%s written as <equality>, which is soft in MuJoCo", written,
               written == 1 ? " is" : "s are");
}
