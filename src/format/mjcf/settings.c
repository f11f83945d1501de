/* settings.c -- <compiler> and <option> of MJCF. Both may stand in the file several times; the last word counts. */
#include <string.h>

#include "format/mjcf/reader.h"

static const char* const BOOLS[] = {"false", "true", NULL};
static const double DEGREE = 0.017453292519943295;

static fb_status read_bool(fb_mjcf_reader* r, int node, const char* attribute, int* out) {
  return fb_mjcf_word(r, node, NULL, attribute, BOOLS, out);
}

static fb_status read_eulerseq(fb_mjcf_reader* r, int node) {
  const char* text = fb_mjcf_written(&r->tree, node, "eulerseq");
  if (!text) return FB_OK;
  if (strlen(text) != 3 || strspn(text, "xyzXYZ") != 3)
    return fb_mjcf_fail(r, node, FB_ERR_CONTENT,
                        "eulerseq is '%.60s'; it is three letters of x, y, z, X, Y, Z", text);
  memcpy(r->set.eulerseq, text, 4);
  return FB_OK;
}

static fb_status read_compiler(fb_mjcf_reader* r, int node) {
  static const char *const angles[] = {"radian", "degree", NULL},
                           *const autos[] = {"false", "true", "auto", NULL},
                           *const places[] = {"local", "global", NULL};
  fb_mjcf_settings* s = &r->set;
  int degree = s->angle != 1, place = 0;
  fb_status status = fb_mjcf_word(r, node, NULL, "angle", angles, &degree);
  s->angle = degree ? DEGREE : 1;
  if (!status) status = fb_mjcf_word(r, node, NULL, "coordinate", places, &place);
  if (!status && place)
    return fb_mjcf_fail(r, node, FB_ERR_UNSUPPORTED,
                        "coordinate=\"global\" is not read, nor by MuJoCo since 2.3.4. Load the file in an "
                        "earlier one and save it: it is written in local coordinates.");
  if (!status) status = fb_mjcf_word(r, node, NULL, "inertiafromgeom", autos, &s->from_geoms);
  if (!status) status = read_eulerseq(r, node);
  const char* folders[] = {fb_mjcf_written(&r->tree, node, "assetdir"),
                           fb_mjcf_written(&r->tree, node, "meshdir")};
  for (int i = 0; i < 2; i++)
    if (folders[i]) s->folder = folders[i];
  if (!status) status = read_bool(r, node, "autolimits", &s->autolimits);
  if (!status) status = read_bool(r, node, "balanceinertia", &s->balance);
  if (!status) status = read_bool(r, node, "exactmeshinertia", &s->exact_meshes);
  if (!status) status = read_bool(r, node, "strippath", &s->strip_path);
  if (!status) status = read_bool(r, node, "discardvisual", &s->no_visual);
  if (!status) status = read_bool(r, node, "fitaabb", &s->fit_bounds);
  if (!status) status = read_bool(r, node, "alignfree", &s->align_free);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "boundmass", 1, &s->least_mass, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "boundinertia", 1, &s->least_inertia, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "settotalmass", 1, &s->total_mass, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "inertiagrouprange", 2, s->groups, NULL);
  return status;
}

static fb_status read_flag(fb_mjcf_reader* r, int node) {
  static const char* const words[] = {"enable", "disable", NULL};
  int gravity = 0;
  fb_mjcf_settings* s = &r->set;
  fb_status status = fb_mjcf_word(r, node, NULL, "gravity", words, &gravity);
  if (!status) status = fb_mjcf_word(r, node, NULL, "frictionloss", words, &s->no_friction);
  if (!status) status = fb_mjcf_word(r, node, NULL, "limit", words, &s->no_limits);
  if (!status) status = fb_mjcf_word(r, node, NULL, "passive", words, &s->no_springs);
  if (!status) status = fb_mjcf_word(r, node, NULL, "contact", words, &s->no_contact);
  if (gravity) memset(s->gravity_w, 0, sizeof s->gravity_w);
  return status;
}

static fb_status read_option(fb_mjcf_reader* r, int node) {
  double air[2] = {0, 0};
  fb_status status = fb_mjcf_numbers(r, node, NULL, "gravity", 3, r->set.gravity_w, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "density", 1, &air[0], NULL);
  if (!status) status = fb_mjcf_numbers(r, node, NULL, "viscosity", 1, &air[1], NULL);
  if (air[0] != 0 || air[1] != 0)
    fb_unread_add(&r->unread, node, "lost: the forces of the medium (density and viscosity of <option>)");
  return status;
}

/* The mark that the writer leaves: flags in such a file say how MuJoCo is to be compared with, not what the model is. */
static void find_mark(fb_mjcf_reader* r, int custom) {
  for (int e = r->tree.nodes[custom].first; e != FB_MJCF_NONE; e = r->tree.nodes[e].next) {
    const char* name = fb_mjcf_written(&r->tree, e, "name");
    if (fb_mjcf_is(&r->tree, e, "text") && name && strcmp(name, "freebody") == 0) r->ours = 1;
  }
}

fb_status fb_mjcf_read_settings(fb_mjcf_reader* r) {
  fb_mjcf_settings* s = &r->set;
  fb_status status = FB_OK;
  *s = (fb_mjcf_settings){.angle = DEGREE,
                          .eulerseq = "xyz",
                          .autolimits = 1,
                          .from_geoms = 2,
                          .groups = {0, 5},
                          .total_mass = -1,
                          .gravity_w = {0, 0, -9.81}};
  for (int e = r->tree.nodes[0].first; e != FB_MJCF_NONE && !status; e = r->tree.nodes[e].next) {
    if (fb_mjcf_is(&r->tree, e, "compiler")) status = read_compiler(r, e);
    if (fb_mjcf_is(&r->tree, e, "option")) status = read_option(r, e);
    if (fb_mjcf_is(&r->tree, e, "custom")) find_mark(r, e);
  }
  for (int e = r->tree.nodes[0].first; e != FB_MJCF_NONE && !status; e = r->tree.nodes[e].next)
    for (int f = fb_mjcf_is(&r->tree, e, "option") ? r->tree.nodes[e].first : FB_MJCF_NONE;
         f != FB_MJCF_NONE && !status; f = r->tree.nodes[f].next)
      if (fb_mjcf_is(&r->tree, f, "flag")) status = read_flag(r, f);
  if (r->ours) s->no_friction = s->no_limits = 0;
  return status;
}
