/* motion.c -- the motion of a run as keys of a glTF animation: samples of the run, thinned to so many a second, and
 * at each the pose of every body that moves in its parent's frame,
 *   p = R_wp^T (p_wb - p_wp),  R = R_wp^T R_wb.
 * A body whose joint was parted during the run has no coordinates from then on, but its pose in the world was logged.
 * Costs O(keys * bodies). What a player shows between keys is on the straight line, and on the shortest arc. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "base/grow.h"
#include "base/pool.h"
#include "base/copy_text.h"
#include "model/joint_kind.h"
#include "picture/gltf/gltf.h"

enum { CHUNK = 2048 /* samples read at a time */, POSE = 7 /* numbers */ };

typedef struct motion {
  fb_gltf* g;
  fb_store* run;
  const fb_model* m;
  fb_data* data;
  fb_pool pool;    /* all that follows but times and q */
  double interval; /* between keys, on the average at least [s] */
  int* pose_at;    /* [nbody] where a body's own pose is behind q, POSE numbers; -1: it has none */
  int npose;       /* bodies that have one */
  int* signals;    /* [1 + nq + POSE npose] to read: time, and the coordinates and poses that were logged */
  int* place;      /* [1 + nq + POSE npose] where each goes in q; -1: time */
  int nsignal;
  double* chunk;   /* [nsignal][CHUNK] */
  float* times;    /* of the keys */
  double* q;       /* [key][stride] coordinates; the own poses, NaN where the coordinates count */
  double* now;     /* [stride] */
  double* neutral; /* [nq] */
  size_t stride;   /* nq + POSE npose, or 1 where there are none */
  size_t nkey, time_room, q_room;
  double first, due; /* times of the run's first sample, and from which on the next key may be [s] */
} motion;

/* --- keys --- */

/* Of each body with a pose of its own, one counts: that, or its coordinates. */
static void choose_poses(motion* k) {
  for (int body = 1; body < fb_model_nbody(k->m) && k->npose > 0; body++) {
    int at = fb_joint_q_index(k->m, body), nq = fb_joint_nq(k->m, body);
    if (k->pose_at[body] < 0) continue;
    int parted = nq == 0 || isnan(k->now[at]);
    for (int i = 0; i < nq && parted; i++) k->now[at + i] = k->neutral[at + i];
    if (!parted) k->now[k->pose_at[body]] = NAN;
  }
}

static int has_pose(const motion* k, const double* q, int body) {
  return k->pose_at[body] >= 0 && !isnan(q[k->pose_at[body]]);
}

/* Whether the sample in `now` can be a key: finite, and late enough for time to continue in single precision. */
static int is_key(const motion* k, double t, int is_end) {
  int nq = fb_model_nq(k->m);
  for (int i = 0; i < nq; i++)
    if (!(fabs(k->now[i]) < FB_GLTF_FARTHEST)) return 0;
  float shown = (float)(t - fmin(k->first, 0));
  if (!isfinite(shown)) return 0;
  if (k->nkey == 0) return 1;
  return (is_end || t >= k->due) && shown > k->times[k->nkey - 1];
}

static int add_key(motion* k, double t) {
  size_t n = k->stride;
  if (!fb_grow(&k->times, k->nkey, 1, &k->time_room, sizeof *k->times) ||
      !fb_grow(&k->q, k->nkey * n, n, &k->q_room, sizeof *k->q))
    return 0;
  k->times[k->nkey] = (float)(t - fmin(k->first, 0));
  memcpy(k->q + k->nkey * n, k->now, n * sizeof *k->q);
  fb_normalise(k->m, k->q + k->nkey * n);
  k->nkey++;
  /* A sample that is late by its rounding is on time. */
  k->due = k->first + k->interval * (floor((t - k->first) / k->interval + 1e-6) + 1 - 1e-6);
  return 1;
}

static fb_status read_keys(motion* k, fb_error* error) {
  long long n = fb_store_nsample(k->run);
  for (long long begin = 0; begin < n; begin += CHUNK) {
    long long count = n - begin < CHUNK ? n - begin : CHUNK;
    fb_status status = fb_store_read_signals(k->run, k->signals, k->nsignal, begin, count, k->chunk, error);
    if (status != FB_OK) return status;
    if (begin == 0) k->first = k->chunk[0];
    for (long long i = 0; i < count; i++) {
      for (int s = 1; s < k->nsignal; s++) k->now[k->place[s]] = k->chunk[s * count + i];
      choose_poses(k);
      double t = k->chunk[i];
      if (is_key(k, t, begin + i + 1 == n) && !add_key(k, t)) return fb_gltf_no_memory(error);
    }
  }
  if (k->nkey == 0) { /* no sample, or none that is finite: as the model stands */
    fb_neutral(k->m, k->now);
    if (!add_key(k, 0)) return fb_gltf_no_memory(error);
  }
  return FB_OK;
}

/* --- channels --- */

/* Whether link i of a joint moves the body's origin: it slides, or a link after it slides along another axis. */
static int moves_origin(const fb_joint_kind* kind, int i) {
  for (int k = i; k < kind->nlink; k++) {
    const fb_link_row* link = &fb_link_rows[kind->chain[k].kind];
    if ((link->lengths || link->pitches) && (k == i || kind->chain[k].axis != kind->chain[i].axis)) return 1;
  }
  return 0;
}

static int changes(const motion* k, int coordinate) {
  size_t at = (size_t)coordinate;
  for (size_t i = 1; i < k->nkey; i++)
    if (k->q[i * k->stride + at] != k->q[at]) return 1;
  return 0;
}

/* What changes of a body's pose in its parent. */
static void find_changes(const motion* k, int body, int* moved, int* turned) {
  const fb_joint_kind* kind = &fb_joint_kinds[fb_joint_type_of(k->m, body)];
  int at = fb_joint_q_index(k->m, body);
  *moved = *turned = 0;
  for (size_t i = 0; i < k->nkey; i++) *moved = *turned |= has_pose(k, k->q + i * k->stride, body);
  for (int i = 0; i < kind->nlink; i++) {
    const fb_link_row* link = &fb_link_rows[kind->chain[i].kind];
    for (int j = 0; j < link->nq; j++) {
      if (!changes(k, at++)) continue;
      *moved |= j < link->lengths || (link->lengths == 0 && moves_origin(kind, i));
      *turned |= j >= link->lengths;
    }
  }
}

/* Accessors for what moves. 0 without memory. */
static int add_channels(motion* k) {
  fb_gltf* g = k->g;
  for (int body = 1; body < fb_model_nbody(k->m); body++) {
    int moved, turned;
    find_changes(k, body, &moved, &turned);
    if ((moved || turned) && g->times < 0) {
      g->times = fb_gltf_add_accessor(g, FB_GLTF_KEYS, 5126, 1, k->nkey);
      if (g->times < 0) return 0;
      unsigned char* at = fb_gltf_at(g, g->times);
      for (size_t i = 0; i < k->nkey; i++) fb_gltf_put_float(at + 4 * i, k->times[i]);
      fb_gltf_bound(g, g->times);
    }
    fb_gltf_channels* c = &g->channels[body];
    if (moved) c->translation = fb_gltf_add_accessor(g, FB_GLTF_KEYS, 5126, 3, k->nkey);
    if (turned) c->rotation = fb_gltf_add_accessor(g, FB_GLTF_KEYS, 5126, 4, k->nkey);
    if ((moved && c->translation < 0) || (turned && c->rotation < 0)) return 0;
  }
  return 1;
}

/* b as a sees it. */
static fb_pose seen_from(const fb_pose* a, const fb_pose* b) {
  double apart[3], back[9];
  fb_pose out;
  for (int i = 0; i < 3; i++) apart[i] = b->p[i] - a->p[i];
  fb_rot_apply_transpose(a->R, apart, out.p);
  fb_rot_transpose(a->R, back);
  fb_rot_multiply(back, b->R, out.R);
  return out;
}

static fb_pose modelled(const motion* k, int body) {
  fb_pose x;
  fb_frame_pose(k->m, k->data, body, x.p, x.R);
  return x;
}

/* Where a body is at a key: what it stands on may have parted too. */
static fb_pose pose_in_world(const motion* k, const double* q, int body) {
  fb_pose x = modelled(k, body);
  int at = body;
  while (at > 0 && !has_pose(k, q, at)) at = fb_body_parent(k->m, at);
  if (at == FB_WORLD) return x;
  fb_pose base = modelled(k, at), rest = seen_from(&base, &x), logged;
  memcpy(logged.p, q + k->pose_at[at], sizeof logged.p);
  fb_rot_from_quat(q + k->pose_at[at] + 3, logged.R);
  fb_pose_multiply(&logged, &rest, &x);
  return x;
}

/* The pose of a body in its parent at a key: position, and quaternion w x y z. */
static void pose_in_parent(const motion* k, const double* q, int body, double pose[7]) {
  int parent = fb_body_parent(k->m, body), posed = has_pose(k, q, body);
  fb_pose a = posed ? pose_in_world(k, q, parent) : modelled(k, parent);
  fb_pose b = posed ? pose_in_world(k, q, body) : modelled(k, body), x = seen_from(&a, &b);
  memcpy(pose, x.p, sizeof x.p);
  fb_rot_to_quat(x.R, pose + 3);
}

/* Writes one key's quaternion, x y z w, with the sign that is nearer to the key before. Returns the cosine of half the
 * angle between the two. */
static double put_quaternion(unsigned char* at, int is_first, const double quat[4]) {
  const double xyzw[4] = {quat[1], quat[2], quat[3], quat[0]};
  double dot = 0;
  for (int i = 0; i < 4 && !is_first; i++) dot += xyzw[i] * (double)fb_gltf_get_float(at - 16 + 4 * i);
  for (int i = 0; i < 4; i++) fb_gltf_put_float(at + 4 * i, (float)(dot < 0 ? -xyzw[i] : xyzw[i]));
  return is_first ? 1 : fabs(dot);
}

static void note_fast(const motion* k, int body, size_t key, const fb_picture_options* options) {
  char text[400];
  snprintf(text, sizeof text,
           "'%.100s' turns by more than 150 degrees between two keys of the animation, from %.6g to %.6g s, "
           "and may seem to turn the other way; log more samples, or use more frames per second",
           fb_body_name(k->m, body), (double)k->times[key - 1], (double)k->times[key]);
  if (options->note) options->note(options->note_user, text);
}

/* Fills the channels key by key. */
static void fill(motion* k, const fb_picture_options* options) {
  static const double COS_75 = 0.2588;
  fb_gltf* g = k->g;
  int nbody = fb_model_nbody(k->m), reported = 0;
  for (size_t i = 0; i < k->nkey && (i == 0 || g->times >= 0); i++) {
    fb_kinematics(k->m, k->data, k->q + i * k->stride, NULL, NULL);
    for (int body = 1; body < nbody; body++) {
      const fb_gltf_channels* c = &g->channels[body];
      if (i > 0 && c->translation < 0 && c->rotation < 0) continue;
      double pose[7];
      pose_in_parent(k, k->q + i * k->stride, body, pose);
      if (i == 0) memcpy(g->rest[body], pose, sizeof pose);
      for (size_t n = 0; n < 3 && c->translation >= 0; n++)
        fb_gltf_put_float(fb_gltf_at(g, c->translation) + 4 * (3 * i + n), (float)pose[n]);
      if (c->rotation < 0) continue;
      double near = put_quaternion(fb_gltf_at(g, c->rotation) + 16 * i, i == 0, pose + 3);
      if (near < COS_75 && !reported++) note_fast(k, body, i, options);
    }
  }
}

/* --- the whole --- */

/* The signals of a body's pose in the world; 0 when one was not logged. */
static int find_pose(const motion* k, int body, int signals[POSE]) {
  static const char* const parts[POSE][2] = {{"p.", ".x"},    {"p.", ".y"},    {"p.", ".z"},
                                             {"quat.", ".w"}, {"quat.", ".x"}, {"quat.", ".y"},
                                             {"quat.", ".z"}};
  for (int i = 0; i < POSE; i++) {
    char* name = fb_join_texts(parts[i][0], fb_body_name(k->m, body), parts[i][1]);
    signals[i] = name ? fb_store_find(k->run, name) : -1;
    free(name);
    if (signals[i] < 0) return 0;
  }
  return 1;
}

/* Of a run that joins and parts trees: which bodies have poses of their own. 0 without memory. */
static int find_poses(motion* k) {
  int nbody = fb_model_nbody(k->m), nq = fb_model_nq(k->m), signals[POSE];
  int changes = fb_store_find(k->run, "epoch") >= 0;
  k->pose_at = fb_pool_take(&k->pool, (size_t)nbody, sizeof *k->pose_at);
  for (int body = 0; k->pose_at && body < nbody; body++)
    k->pose_at[body] = changes && body > 0 && find_pose(k, body, signals) ? nq + POSE * k->npose++ : -1;
  return k->pose_at != NULL;
}

static void add_poses(motion* k) {
  int signals[POSE];
  for (int body = 1; body < fb_model_nbody(k->m); body++) {
    if (k->pose_at[body] < 0 || !find_pose(k, body, signals)) continue;
    for (int i = 0; i < POSE; i++) {
      k->signals[k->nsignal] = signals[i];
      k->place[k->nsignal++] = k->pose_at[body] + i;
    }
  }
}

static int prepare(motion* k) {
  int nq = fb_model_nq(k->m);
  if (!find_poses(k)) return 0;
  size_t n = (size_t)nq + POSE * (size_t)k->npose + 1;
  k->data = fb_data_new(k->m);
  k->signals = fb_pool_take(&k->pool, n, sizeof *k->signals);
  k->place = fb_pool_take(&k->pool, n, sizeof *k->place);
  k->chunk = fb_pool_take(&k->pool, n, CHUNK * sizeof *k->chunk);
  k->now = fb_pool_take(&k->pool, n, sizeof *k->now);
  k->neutral = fb_pool_take(&k->pool, n, sizeof *k->neutral);
  k->stride = n > 1 ? n - 1 : 1;
  if (!k->data || k->pool.failed) return 0;
  fb_neutral(k->m, k->now);
  fb_neutral(k->m, k->neutral);
  k->signals[0] = k->place[0] = -1;
  k->nsignal = 1;
  for (int i = 0; i < nq; i++) {
    if (k->g->scene->q_signal[i] < 0) continue;
    k->signals[k->nsignal] = k->g->scene->q_signal[i];
    k->place[k->nsignal++] = i;
  }
  add_poses(k);
  return 1;
}

fb_status fb_gltf_add_motion(fb_gltf* g, fb_store* run, const fb_picture_options* options, fb_error* error) {
  double rate = options->frames_per_second > 0 ? options->frames_per_second : 60;
  motion k = {.g = g, .run = run, .m = g->scene->model, .interval = 1 / rate};
  fb_status status = FB_OK;
  if (!prepare(&k)) {
    fb_gltf_no_memory(error);
    status = FB_ERR_MEMORY;
  }
  if (status == FB_OK) status = read_keys(&k, error);
  if (status == FB_OK && !add_channels(&k)) status = fb_gltf_no_memory(error);
  if (status == FB_OK) fill(&k, options);
  fb_data_free(k.data);
  fb_pool_free(&k.pool);
  free(k.times);
  free(k.q);
  return status;
}
