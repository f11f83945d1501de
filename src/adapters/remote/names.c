/* names.c -- names and units of a remote controller's signals and inputs: for its peer as lines of text, for the
 * simulation as outputs. */
#include <stdio.h>
#include <string.h>

#include <freebody/support/text.h>

#include "adapters/remote/remote.h"
#include "signal/signal_kind.h"

/* --- for the peer --- */

static void add_line(fb_text* out, const char* name, const char* unit, const char* axes) {
  fb_text_printf(out, "%s\t%s\t%s\n", name, unit, axes);
}

static void add_coordinate(fb_text* l, const fb_model* m, int k) {
  char name[FB_SIGNAL_NAME_SIZE];
  int body = fb_coordinate_body(m, k);
  fb_signal signal = {FB_SIGNAL_TAU, body, k - fb_joint_v_index(m, body)};
  add_line(l, fb_signal_name(m, signal, name), fb_signal_unit(m, signal), fb_signal_axes(m, signal));
}

static void add_frame(fb_text* l, const fb_model* m, int frame, const char* axes) {
  static const char* const what[] = {"force", "torque"};
  for (int i = 0; i < 6; i++) {
    char name[200];
    snprintf(name, sizeof name, "%s.%.150s.%c", what[i / 3], fb_frame_name(m, frame), "xyz"[i % 3]);
    add_line(l, name, i < 3 ? "N" : "N m", axes);
  }
}

char* fb_remote_names(const fb_remote* r) {
  const fb_remote_options* o = &r->options;
  fb_text l = {0};
  fb_text_add(&l, "");
  for (int i = 0; i < o->nsignal; i++)
    add_line(&l, o->signals[i].name, o->signals[i].unit ? o->signals[i].unit : "",
             o->signals[i].axes ? o->signals[i].axes : "");
  for (int i = 0; i < o->ncoordinate; i++) add_coordinate(&l, r->original, o->coordinates[i]);
  for (int i = 0; i < o->nframe; i++)
    add_frame(&l, r->original, o->frames[i],
              o->in_frame_axes ? fb_frame_name(r->original, o->frames[i]) : "world");
  for (int i = 0; i < o->nvalue; i++) add_line(&l, o->values[i], "1", "");
  return fb_text_take(&l, NULL);
}

/* --- for the simulation --- */

static fb_status add_port(fb_remote* r, const char* name, const char* unit, const char* axes, int count,
                          fb_error* error) {
  const char* kept = fb_pool_text(&r->pool, name);
  if (!kept) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a remote controller");
  for (int i = 0; i < r->nport; i++)
    if (strcmp(r->ports[i].name, name) == 0)
      return fb_fail(error, FB_ERR_NAME, "two inputs would have the signal '%.60s.%.60s'; rename one of them",
                     r->name, name);
  r->ports[r->nport++] = (fb_port){kept, unit, axes, count};
  return FB_OK;
}

/* How many of the coordinates from `from` on are of one joint, next to each other and of the same unit. */
static int group_of(const fb_remote* r, int from) {
  const int* k = r->options.coordinates;
  const fb_model* m = r->original;
  int body = fb_coordinate_body(m, k[from]), n = 1;
  const char* unit = fb_signal_unit(m, (fb_signal){FB_SIGNAL_TAU, body, k[from] - fb_joint_v_index(m, body)});
  while (from + n < r->options.ncoordinate && k[from + n] == k[from] + n &&
         fb_coordinate_body(m, k[from + n]) == body &&
         strcmp(unit, fb_signal_unit(
                          m, (fb_signal){FB_SIGNAL_TAU, body, k[from + n] - fb_joint_v_index(m, body)})) == 0)
    n++;
  return n;
}

static fb_status add_joints(fb_remote* r, fb_error* error) {
  const fb_model* m = r->original;
  fb_status status = FB_OK;
  for (int i = 0, n; i < r->options.ncoordinate && !status; i += n) {
    char name[200];
    int k = r->options.coordinates[i], body = fb_coordinate_body(m, k), at = k - fb_joint_v_index(m, body);
    fb_signal signal = {FB_SIGNAL_TAU, body, at};
    n = group_of(r, i);
    if (n == fb_joint_nv(m, body))
      snprintf(name, sizeof name, "%s", fb_joint_name(m, body));
    else
      snprintf(name, sizeof name, "%.180s_%d", fb_joint_name(m, body), at);
    status = add_port(r, name, fb_signal_unit(m, signal), "joint", n, error);
  }
  return status;
}

fb_status fb_remote_make_ports(fb_remote* r, fb_error* error) {
  const fb_remote_options* o = &r->options;
  size_t room = (size_t)o->ncoordinate + 2 * (size_t)o->nframe + (size_t)o->nvalue + 1;
  r->ports = fb_pool_take(&r->pool, room, sizeof *r->ports);
  if (!r->ports) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a remote controller");
  fb_status status = add_joints(r, error);
  for (int i = 0; i < 2 * o->nframe && !status; i++) {
    char name[200];
    const char* frame = fb_frame_name(r->original, o->frames[i / 2]);
    snprintf(name, sizeof name, "%.180s_%s", frame, i % 2 ? "torque" : "force");
    status = add_port(r, name, i % 2 ? "N m" : "N", o->in_frame_axes ? frame : "world", 3, error);
  }
  for (int i = 0; i < o->nvalue && !status; i++) status = add_port(r, o->values[i], "1", "", 1, error);
  return status ? status : add_port(r, "missed", "1", "", 1, error);
}
