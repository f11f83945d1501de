/* write.c -- writes a model as MJCF that MuJoCo loads, with the same accelerations (docs/mjcf.md).
 *
 * Bodies nest depth first, so MuJoCo's coordinates are in that order, and each qpos is the coordinate of Freebody. Contact
 * and dry friction are switched off by <flag>: a model has no contacts by itself, and friction is another law there. */
#include <stdlib.h>

#include <freebody/rotation.h>

#include "base/copy_text.h"
#include "format/mjcf/mjcf.h"
#include "format/mjcf/write/writer.h"
#include "format/notes.h"
#include "format/xml/xml.h"
#include "math/vector3.h"
#include "model/definition/name_index.h"
#include "model/pose.h"

/* --- attributes --- */

/* A chain of ten thousand bodies must not be ten thousand blanks wide. */
void fb_mjcf_begin(fb_text* text, int depth, const char* begin) {
  fb_text_add_repeat(text, ' ', 2 * (depth < 30 ? depth : 30));
  fb_text_add(text, begin);
}

void fb_mjcf_attribute(fb_mjcf_writer* w, fb_text* text, const char* name, const char* value) {
  fb_xml_add_attribute(text, name, value, &w->bad);
}

void fb_mjcf_number(fb_text* text, const char* name, double x) {
  fb_xml_add_numbers(text, name, &x, 1);
}

void fb_mjcf_add_pose(fb_text* text, const double at[3], const double R[9]) {
  double q[4];
  if (!is_zero3(at)) fb_xml_add_numbers(text, "pos", at, 3);
  if (is_identity3x3(R)) return;
  fb_rot_to_quat(R, q);
  fb_xml_add_numbers(text, "quat", q, 4);
}

/* --- bodies --- */

static void write_sites(fb_mjcf_writer* w, int id, int depth) {
  for (int i = 0; i < fb_model_def_nframe(w->def, id); i++) {
    const fb_frame_def* frame = fb_model_def_frame(w->def, id, i);
    fb_mjcf_begin(&w->text, depth, "<site");
    fb_mjcf_attribute(w, &w->text, "name", frame->name);
    fb_mjcf_add_pose(&w->text, frame->at, frame->R);
    fb_text_add(&w->text, "/>\n");
  }
}

static void open_body(fb_mjcf_writer* w, const char* name, const char* end, const fb_pose* pose, int depth) {
  char* whole = fb_join_texts(name, end, "");
  fb_mjcf_begin(&w->text, depth, "<body");
  if (whole) {
    fb_mjcf_attribute(w, &w->text, "name", whole);
  } else {
    w->text.failed = 1;
  }
  if (w->bad == whole) w->bad = name;
  free(whole);
  fb_mjcf_add_pose(&w->text, pose->p, pose->R);
  fb_text_add(&w->text, ">\n");
}

/* A carrier has the joint, and the body is fixed to it: for a ball that ends apart from its body's frame. */
static fb_status open_carried(fb_mjcf_writer* w, int id, int depth, fb_error* error) {
  static const double tiny[3] = {FB_MJCF_LEAST, FB_MJCF_LEAST, FB_MJCF_LEAST};
  const fb_body_def* body = fb_model_def_body(w->def, id);
  const fb_pose joint = fb_pose_of(body->joint.R, body->joint.at);
  const fb_pose child = fb_pose_of(body->joint.child_R, body->joint.child_at);
  open_body(w, body->name, ".joint", &joint, depth);
  fb_mjcf_begin(&w->text, depth + 1, "<inertial pos=\"0 0 0\"");
  fb_mjcf_number(&w->text, "mass", tiny[0]);
  fb_xml_add_numbers(&w->text, "diaginertia", tiny, 3);
  fb_text_add(&w->text, "/>\n");
  fb_status status = fb_mjcf_write_joint(w, id, depth + 1, error);
  open_body(w, body->name, "", &child, depth + 1);
  return status;
}

static fb_status open_plain(fb_mjcf_writer* w, int id, int depth, fb_error* error) {
  const fb_body_def* body = fb_model_def_body(w->def, id);
  fb_pose pose;
  fb_mjcf_body_pose(&body->joint, &pose);
  open_body(w, body->name, "", &pose, depth);
  return fb_mjcf_write_joint(w, id, depth + 1, error);
}

static fb_status write_body(fb_mjcf_writer* w, int id, int depth, fb_error* error) {
  const fb_body_def* body = fb_model_def_body(w->def, id);
  int carried = fb_mjcf_needs_carrier(&body->joint);
  fb_status status = carried ? open_carried(w, id, depth, error) : open_plain(w, id, depth, error);
  depth += carried;
  if (!status) status = fb_mjcf_write_inertial(w, id, depth + 1, error);
  if (!status) status = fb_mjcf_write_shapes(w, id, depth + 1, error);
  if (!status) write_sites(w, id, depth + 1);
  return status;
}

static void close_body(fb_mjcf_writer* w, int id, int depth) {
  if (fb_mjcf_needs_carrier(&fb_model_def_body(w->def, id)->joint)) {
    fb_mjcf_begin(&w->text, depth + 1, "</body>\n");
  }
  fb_mjcf_begin(&w->text, depth, "</body>\n");
}

/* In the order of the forest; a body is closed when the next one is not below it. */
static fb_status write_bodies(fb_mjcf_writer* w, fb_error* error) {
  int depth = 2, open = 0;
  fb_status status = FB_OK;
  for (int i = 1; i < w->tree.nbody && !status; i++) {
    int id = w->tree.order[i];
    for (; open != w->tree.parent[id]; open = w->tree.parent[open]) {
      depth -= 1 + fb_mjcf_needs_carrier(&fb_model_def_body(w->def, open)->joint);
      close_body(w, open, depth);
    }
    status = write_body(w, id, depth, error);
    depth += 1 + fb_mjcf_needs_carrier(&fb_model_def_body(w->def, id)->joint);
    open = id;
  }
  for (; open != 0; open = w->tree.parent[open]) {
    depth -= 1 + fb_mjcf_needs_carrier(&fb_model_def_body(w->def, open)->joint);
    close_body(w, open, depth);
  }
  return status;
}

/* --- the file --- */

static void write_section(fb_mjcf_writer* w, const char* name, fb_text* inner) {
  w->text.failed |= inner->failed;
  if (!inner->size) return;
  fb_text_printf(&w->text, "  <%s>\n", name);
  fb_text_add_bytes(&w->text, inner->data, inner->size);
  fb_text_printf(&w->text, "  </%s>\n", name);
}

/* Helical joints hold by an equality that is as good as exact with the solver that works on forces. */
static void write_head(fb_mjcf_writer* w, fb_text* head) {
  double g[3];
  fb_model_def_gravity(w->def, g);
  fb_text_add(head, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mujoco");
  fb_mjcf_attribute(w, head, "model", fb_model_def_name(w->def));
  fb_text_add(head, ">\n  <compiler angle=\"radian\" inertiafromgeom=\"false\"/>\n  <option");
  fb_xml_add_numbers(head, "gravity", g, 3);
  if (w->stiff) fb_text_add(head, " solver=\"PGS\" iterations=\"2000\" tolerance=\"1e-30\"");
  fb_text_printf(head, ">\n    <flag contact=\"disable\"%s/>\n  </option>\n",
                 w->friction ? " frictionloss=\"disable\"" : "");
  fb_text_add(head, "  <custom>\n    <text name=\"freebody\" data=\"1\"/>\n  </custom>\n");
}

static fb_status write_file(fb_mjcf_writer* w, fb_error* error) {
  fb_text head = {0};
  fb_status status = write_bodies(w, error);
  if (!status) {
    fb_mjcf_write_loops(w);
    write_head(w, &head);
    if (w->meshes.size) {
      fb_text_add(&head, "  <asset>\n");
      fb_text_add_bytes(&head, w->meshes.data, w->meshes.size);
      fb_text_add(&head, "  </asset>\n");
    }
    fb_text_add(&head, "  <worldbody>\n");
    fb_text_add(&w->text, "  </worldbody>\n");
    write_section(w, "tendon", &w->tendons);
    write_section(w, "equality", &w->equalities);
    write_section(w, "actuator", &w->actuators);
    fb_text_add(&w->text, "</mujoco>\n");
    w->text.failed |= head.failed | w->meshes.failed;
    if (!w->text.failed) fb_text_insert(&w->text, 0, head.data);
  }
  free(head.data);
  return status;
}

/* TinyXML-2, with which Debian's MuJoCo reads, takes 100 elements in one another; body, joint and the two around all. */
enum { MUJOCO_DEEPEST = 96 };

static int depth_of(const fb_mjcf_writer* w) {
  int deepest = 0, depth = 0, last = 0;
  for (int i = 1; i < w->tree.nbody; i++) {
    int id = w->tree.order[i];
    for (; last != w->tree.parent[id]; last = w->tree.parent[last]) depth--;
    depth++;
    last = id;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

static void report_order(const fb_mjcf_writer* w) {
  int moved = 0, depth = depth_of(w);
  for (int i = 1; i < w->tree.nbody; i++) moved |= w->tree.order[i] != i;
  if (moved)
    fb_io_note(
        w->options,
        "bodies are written depth first, so MuJoCo's coordinates are in another order; match joints by name");
  if (depth > MUJOCO_DEEPEST)
    fb_io_note(w->options,
               "bodies nest %d deep, and Debian's MuJoCo reads no more than 100 elements in one another",
               depth);
}

static void report(const fb_mjcf_writer* w) {
  const fb_io_options* o = w->options;
  report_order(w);
  if (w->friction)
    fb_io_note(o,
               "friction is written as frictionloss and switched off by <flag frictionloss=\"disable\"/>: it "
               "is a constraint in MuJoCo, and friction * tanh(v / friction_speed) here");
  const struct {
    int count;
    const char *before, *one, *many, *after;
  } rows[] = {
      {w->friction_speeds, "lost: friction_speed of ", "joint", "joints", ""},
      {w->efforts, "lost: the largest effort of ", "joint", "joints", "; in MuJoCo actuators have it"},
      {w->speeds, "lost: the largest speed of ", "joint", "joints", ""},
      {w->limits, "lost: limits of ", "coordinate", "coordinates",
       " whose low end is not below the high one"},
      {w->fixed_names, w->fixed_names == 1 ? "the name of " : "the names of ", "fixed joint", "fixed joints",
       ", which MJCF does not have"},
      {w->meshes_lost, "lost: ", "mesh", "meshes",
       " that MuJoCo cannot load: missing, flat, of more than 200000 triangles, or neither binary STL nor "
       "OBJ"},
      {w->colors, "", "colour", "colours", " or shape names in another form"},
      {w->raised, "a mass or moment of inertia of 2e-15 for ", "moving body", "moving bodies",
       ", because MuJoCo refuses zero"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].count)
      fb_io_note(o, "%s%d %s%s", rows[i].before, rows[i].count,
                 rows[i].count == 1 ? rows[i].one : rows[i].many, rows[i].after);
}

static void forget(fb_mjcf_writer* w) {
  free(w->text.data);
  free(w->meshes.data);
  free(w->tendons.data);
  free(w->equalities.data);
  free(w->actuators.data);
  fb_name_set_free(&w->joints);
  fb_name_set_free(&w->geoms);
  fb_forest_free(&w->tree);
}

/* Joints keep their names; parts of joints get names that no joint has. */
static fb_status take_names(fb_mjcf_writer* w, fb_error* error) {
  int is_new;
  for (int b = 1; b < fb_model_def_nbody(w->def); b++)
    if (!fb_name_set_add(&w->joints, fb_def_joint_name(fb_model_def_body(w->def, b)), &is_new))
      return fb_fail(error, FB_ERR_MEMORY, "out of memory while the MJCF was written");
  return FB_OK;
}

fb_status fb_mjcf_print(const fb_model_def* def, const char* folder, const fb_io_options* options,
                        char** text, size_t* size, fb_error* error) {
  fb_mjcf_writer w = {.def = def, .options = options, .folder = folder};
  *text = NULL;
  *size = 0;
  fb_status status = fb_forest_make(def, &w.tree, error);
  if (status) return status;
  if (w.tree.nbody < 2)
    status = fb_fail(error, FB_ERR_UNSUPPORTED, "the model has no bodies; an MJCF needs one at least");
  if (!status) status = take_names(&w, error);
  if (!status) status = write_file(&w, error);
  if (!status && w.bad)
    status = fb_fail(error, FB_ERR_UNSUPPORTED,
                     "the name '%s' contains a control character, which XML cannot write. Rename it.", w.bad);
  if (!status) report(&w);
  if (!status) *text = fb_text_take(&w.text, size);
  if (!status && !*text) status = fb_fail(error, FB_ERR_MEMORY, "out of memory while the MJCF was written");
  forget(&w);
  return status;
}
