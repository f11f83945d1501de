/* gltf_rig.h -- runs made by hand, written as binary glTF and read back, for the tests of the writer. */
#ifndef FB_TESTS_GLTF_RIG_H
#define FB_TESTS_GLTF_RIG_H

#include "run_command.h"

#include <freebody/support/files.h>
#include <freebody/freebody.h>
#include <freebody/picture.h>

#include "document/document.h"
#include "signal/signal_kind.h"

/* --- runs to write --- */

typedef struct maker {
  fb_store* run;
  fb_model* model;
  double* values;
} maker;

static inline void expect_ok(fb_status status, const fb_error* error) {
  if (status) fail_msg("%s", error->text);
}

/* A run of a definition, which is freed, that logs all of its coordinates. */
static inline maker begin_run(const char* folder, fb_model_def* def, const char* name) {
  fb_error error;
  maker k;
  expect_ok(fb_model_build(def, NULL, &k.model, &error), &error);
  int nq = fb_model_nq(k.model);
  char(*names)[FB_SIGNAL_NAME_SIZE] = (char(*)[FB_SIGNAL_NAME_SIZE])calloc((size_t)nq + 1, sizeof *names);
  fb_store_signal* signals = (fb_store_signal*)calloc((size_t)nq + 1, sizeof *signals);
  k.values = (double*)calloc((size_t)nq + 1, sizeof *k.values);
  assert_true(names && signals && k.values);
  for (int body = 1, n = 0; body < fb_model_nbody(k.model); body++)
    for (int i = 0; i < fb_joint_nq(k.model, body); i++, n++) {
      fb_signal_name(k.model, (fb_signal){FB_SIGNAL_Q, body, i}, names[n]);
      signals[n] = (fb_store_signal){names[n], "1", "joint", "coordinate"};
    }
  expect_ok(fb_store_create(folder, signals, nq, 1, &k.run, &error), &error);
  char* text;
  size_t size;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_JSON;
  expect_ok(fb_model_def_print(def, &options, &text, &size, &error), &error);
  expect_ok(fb_store_set_text(k.run, "model", text, &error), &error);
  expect_ok(fb_store_set_text(k.run, "name", name, &error), &error);
  free(text);
  free(names);
  free(signals);
  fb_model_def_free(def);
  return k;
}

static inline void add_sample(maker* k, double t, const double* q) {
  fb_error error;
  expect_ok(fb_store_append(k->run, t, q, &error), &error);
}

static inline void end_run(maker* k) {
  fb_error error;
  expect_ok(fb_store_close(k->run, &error), &error);
  fb_model_free(k->model);
  free(k->values);
}

/* --- files to read --- */

typedef struct glb {
  unsigned char* data;
  size_t size;
  fb_doc* doc;
  const fb_node* root;
  const unsigned char* numbers; /* the binary chunk; NULL: none */
  size_t nnumber;
} glb;

static inline unsigned word(const unsigned char* at) {
  return at[0] | (unsigned)at[1] << 8 | (unsigned)at[2] << 16 | (unsigned)at[3] << 24;
}

static inline float real(const unsigned char* at) {
  unsigned bits = word(at);
  float x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static char last_note[800];
static int nnote;

static inline void take_note(void* user, const char* text) {
  (void)user;
  nnote++;
  snprintf(last_note, sizeof last_note, "%s", text);
}

static inline fb_status write_to(const char* folder, const char* file, double rate, fb_error* error) {
  fb_store* run;
  expect_ok(fb_store_open(folder, &run, error), error);
  fb_picture_options options = fb_default_picture_options();
  options.frames_per_second = rate;
  options.note = take_note;
  nnote = 0;
  fb_status status = fb_store_write_gltf(run, file, &options, error);
  fb_error ignored;
  fb_store_close(run, &ignored);
  return status;
}

/* Writes the run and reads the file back, with its layout held against the specification. */
static inline glb write_glb(const char* folder, double rate) {
  fb_error error;
  expect_ok(write_to(folder, "run.glb", rate, &error), &error);
  glb g = {0};
  char* text;
  expect_ok(fb_file_read("run.glb", &text, &g.size, &error), &error);
  g.data = (unsigned char*)text;
  assert_true(g.size >= 20 && g.size % 4 == 0);
  assert_memory_equal(g.data, "glTF", 4);
  assert_int_equal(word(g.data + 4), 2);
  assert_int_equal(word(g.data + 8), g.size);
  size_t json = word(g.data + 12);
  assert_memory_equal(g.data + 16, "JSON", 4);
  assert_int_equal(json % 4, 0);
  assert_true(20 + json <= g.size);
  expect_ok(fb_doc_parse(text + 20, json, "run.glb", &g.doc, &error), &error);
  g.root = fb_doc_root(g.doc);
  if (20 + json < g.size) {
    assert_memory_equal(g.data + 24 + json, "BIN\0", 4);
    g.nnumber = word(g.data + 20 + json);
    assert_int_equal(28 + json + g.nnumber, g.size);
    g.numbers = g.data + 28 + json;
  }
  return g;
}

static inline void free_glb(glb* g) {
  fb_doc_free(g->doc);
  free(g->data);
}

static inline int number_in(const fb_node* map, const char* key, int otherwise) {
  const fb_node* node = fb_map_get(map, key);
  fb_error error;
  int x = otherwise;
  if (node) expect_ok(fb_node_int(node, &x, &error), &error);
  return x;
}

/* Where an accessor's numbers are; *count elements. */
static inline const unsigned char* accessor(const glb* g, int index, int* count) {
  const fb_node* a = fb_node_item(fb_map_get(g->root, "accessors"), index);
  assert_non_null(a);
  const fb_node* view = fb_node_item(fb_map_get(g->root, "bufferViews"), number_in(a, "bufferView", -1));
  assert_non_null(view);
  *count = number_in(a, "count", 0);
  int offset = number_in(a, "byteOffset", 0);
  assert_true(offset < number_in(view, "byteLength", 0));
  return g->numbers + number_in(view, "byteOffset", 0) + offset;
}

/* The accessor of a node's keys, times too; -1: it does not move so. */
static inline int keys_of(const glb* g, int node, const char* path, int* times) {
  const fb_node* animations = fb_map_get(g->root, "animations");
  if (!animations) return -1;
  const fb_node* animation = fb_node_item(animations, 0);
  const fb_node* channels = fb_map_get(animation, "channels");
  for (int i = 0; i < fb_node_count(channels); i++) {
    const fb_node* channel = fb_node_item(channels, i);
    const fb_node* target = fb_map_get(channel, "target");
    if (number_in(target, "node", -1) != node || strcmp(fb_node_text(fb_map_get(target, "path")), path) != 0)
      continue;
    const fb_node* sampler =
        fb_node_item(fb_map_get(animation, "samplers"), number_in(channel, "sampler", -1));
    *times = number_in(sampler, "input", -1);
    return number_in(sampler, "output", -1);
  }
  return -1;
}

/* A node's translation or rotation at a key, or as it stands. */
static inline void node_part(const glb* g, int node, const char* path, int key, int n, double* out) {
  int times, count, keys = keys_of(g, node, path, &times);
  fb_error error;
  const fb_node* at = fb_map_get(fb_node_item(fb_map_get(g->root, "nodes"), node), path);
  for (int i = 0; i < n; i++) out[i] = i == 3;
  if (at) expect_ok(fb_node_numbers(at, FB_Q_NONE, n, out, &error), &error);
  if (keys < 0 || key < 0) return;
  const unsigned char* data = accessor(g, keys, &count);
  assert_true(key < count);
  for (int i = 0; i < n; i++) out[i] = (double)real(data + 4 * (n * key + i));
}

/* The pose of a body in the world's node, composed along the chain of nodes. */
static inline void chain_pose(const glb* g, const fb_model* m, int body, int key, double p[3], double R[9]) {
  p[0] = p[1] = p[2] = 0;
  fb_rot_identity(R);
  for (int b = body; b > 0; b = fb_body_parent(m, b)) {
    double at[3], xyzw[4], turn[9];
    node_part(g, b, "translation", key, 3, at);
    node_part(g, b, "rotation", key, 4, xyzw);
    const double quat[4] = {xyzw[3], xyzw[0], xyzw[1], xyzw[2]};
    fb_rot_from_quat(quat, turn);
    fb_rot_multiply(turn, R, R);
    fb_rot_apply(turn, p, p);
    for (int i = 0; i < 3; i++) p[i] += at[i];
  }
}

#endif
