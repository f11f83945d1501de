/* write.c -- writes one tree as URDF, with <freebody> elements for what URDF lacks (docs/urdf.md), so
 * that reading the file again gives the same definition and other readers still understand it. */
#include <stdlib.h>

#include <freebody/rotation.h>
#include <freebody/support/text.h>
#include <freebody/support/words.h>

#include "format/urdf/urdf.h"
#include "format/urdf/writer.h"
#include "format/xml/xml.h"
#include "math/vector3.h"

/* --- attributes --- */

void fb_urdf_add_attribute(fb_urdf_writer* w, const char* name, const char* value) {
  fb_xml_add_attribute(&w->text, name, value, &w->bad);
}

void fb_urdf_add_numbers(fb_urdf_writer* w, const char* name, const double* x, int count) {
  fb_xml_add_numbers(&w->text, name, x, count);
}

int fb_urdf_is_identity(const double at[3], const double R[9]) {
  return is_zero3(at) && is_identity3x3(R);
}

/* xyz="" rpy="" where they are not zero. */
static void add_pose(fb_urdf_writer* w, const double at[3], const double R[9]) {
  if (!is_zero3(at)) fb_urdf_add_numbers(w, "xyz", at, 3);
  if (is_identity3x3(R)) return;
  double rpy[3];
  fb_rot_to_rpy(R, rpy);
  fb_urdf_add_numbers(w, "rpy", rpy, 3);
}

void fb_urdf_add_origin(fb_urdf_writer* w, int indent, const double at[3], const double R[9]) {
  if (fb_urdf_is_identity(at, R)) return;
  fb_text_add_repeat(&w->text, ' ', indent);
  fb_text_add(&w->text, "<origin");
  add_pose(w, at, R);
  fb_text_add(&w->text, "/>\n");
}

/* --- links --- */

static void write_inertial(fb_urdf_writer* w, const fb_body_def* body) {
  static const char* const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
  double unturned[9];
  if (body->mass == 0 && is_zero3(body->com) && is_zero3(body->inertia) && is_zero3(body->inertia + 3))
    return;
  fb_rot_identity(unturned);
  fb_text_add(&w->text, "    <inertial>\n");
  fb_urdf_add_origin(w, 6, body->com, unturned);
  fb_text_add(&w->text, "      <mass");
  fb_urdf_add_numbers(w, "value", &body->mass, 1);
  fb_text_add(&w->text, "/>\n      <inertia");
  for (int i = 0; i < 6; i++) fb_urdf_add_numbers(w, names[i], &body->inertia[i], 1);
  fb_text_add(&w->text, "/>\n    </inertial>\n");
}

static void write_frames(fb_urdf_writer* w, int body) {
  int count = fb_model_def_nframe(w->def, body);
  if (count == 0) return;
  fb_text_add(&w->text, "    <freebody>\n");
  for (int i = 0; i < count; i++) {
    const fb_frame_def* frame = fb_model_def_frame(w->def, body, i);
    fb_text_add(&w->text, "      <frame");
    fb_urdf_add_attribute(w, "name", frame->name);
    add_pose(w, frame->at, frame->R);
    fb_text_add(&w->text, "/>\n");
  }
  fb_text_add(&w->text, "    </freebody>\n");
}

static void write_link(fb_urdf_writer* w, int id) {
  const fb_body_def* body = fb_model_def_body(w->def, id);
  fb_text_add(&w->text, "  <link");
  fb_urdf_add_attribute(w, "name", body->name);
  fb_text_add(&w->text, ">\n");
  write_inertial(w, body);
  for (int i = 0; i < fb_model_def_nshape(w->def, id); i++)
    fb_urdf_write_shape(w, fb_model_def_shape(w->def, id, i));
  write_frames(w, id);
  fb_text_add(&w->text, "  </link>\n");
}

/* --- the robot --- */

/* Several robots in one scene are beyond URDF; several things bolted to the world are one tree. */
static fb_status check_trees(const fb_urdf_writer* w, fb_error* error) {
  enum { SHOWN = 8 };
  const char* roots[SHOWN + 1] = {NULL};
  char names[300];
  int floating = 0, count = 0;
  if (w->tree.ntree == 0)
    return fb_fail(error, FB_ERR_UNSUPPORTED, "the model has no bodies; a URDF needs one at least");
  for (int id = w->tree.first[0]; id; id = w->tree.next[id]) {
    const fb_body_def* body = fb_model_def_body(w->def, id);
    floating |= body->joint.type == FB_JOINT_FREE;
    if (count < SHOWN) roots[count] = body->name;
    count++;
  }
  if (w->tree.ntree == 1 || !floating) return FB_OK;
  return fb_fail(error, FB_ERR_UNSUPPORTED,
                 "a URDF contains one tree, but this model has %d: %s%s. Write them to a file each, or use "
                 "the native format.",
                 w->tree.ntree, fb_words_join(roots, "'", names, sizeof names), count > SHOWN ? ", ..." : "");
}

static int is_depth_first(const fb_urdf_writer* w) {
  for (int i = 0; i < w->tree.nbody; i++)
    if (w->tree.order[i] != i) return 0;
  return 1;
}

static void write_robot_extension(fb_urdf_writer* w) {
  double gravity_w[3];
  fb_model_def_gravity(w->def, gravity_w);
  int depth_first = is_depth_first(w), loops = fb_urdf_has_loops(w);
  if (is_zero3(gravity_w) && depth_first && !loops) return;
  fb_text_add(&w->text, "  <freebody");
  if (!is_zero3(gravity_w)) fb_urdf_add_numbers(w, "gravity", gravity_w, 3);
  if (!depth_first) fb_urdf_add_attribute(w, "order", "links");
  fb_text_add(&w->text, loops ? ">\n" : "/>\n");
  if (!loops) return;
  fb_urdf_write_loops(w);
  fb_text_add(&w->text, "  </freebody>\n");
}

static void write_robot(fb_urdf_writer* w) {
  int world = w->tree.ntree > 1 || !fb_urdf_is_plain_root(fb_model_def_body(w->def, w->tree.first[0]));
  fb_text_add(&w->text, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot");
  fb_urdf_add_attribute(w, "name", fb_model_def_name(w->def));
  fb_text_add(&w->text, ">\n");
  write_robot_extension(w);
  if (world) fb_text_add(&w->text, "  <link name=\"world\"/>\n");
  for (int id = 1; id < w->tree.nbody; id++) {
    write_link(w, id);
    if (world || w->tree.parent[id] != 0) fb_urdf_write_joint(w, id);
  }
  fb_text_add(&w->text, "</robot>\n");
}

fb_status fb_urdf_print(const fb_model_def* def, const fb_io_options* options, char** text, size_t* size,
                        fb_error* error) {
  fb_urdf_writer w = {.def = def, .options = options};
  *text = NULL;
  *size = 0;
  fb_status status = fb_forest_make(def, &w.tree, error);
  if (status) return status;
  status = check_trees(&w, error);
  if (!status && !fb_urdf_choose_mimics(&w))
    status = fb_fail(error, FB_ERR_MEMORY, "out of memory while the URDF was written");
  if (!status) write_robot(&w);
  free(w.mimic);
  fb_forest_free(&w.tree);
  if (status) return status;
  char* result = fb_text_take(&w.text, size);
  if (!result) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the URDF was written");
  if (w.bad) {
    free(result);
    *size = 0;
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "the name '%s' contains a control character, which XML cannot write. Rename it.", w.bad);
  }
  *text = result;
  return FB_OK;
}
