/* model_io.c -- reading and writing models in any format: which format it is, and who reads it.
 *
 * A text that begins with '<' is XML: MJCF when its root is <mujoco>, SDF when it is <sdf>, otherwise URDF. The others
 * are YAML or JSON, recognised by their keys. Files are
 * written by name: .yaml, .yml, .json, .urdf, .xml (MJCF), .spacedyn.json. An evaluation file may hold its model or
 * name the file that does. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/io.h>
#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "base/cookie.h"
#include "base/copy_text.h"
#include "document/document.h"
#include "format/mjcf/mjcf.h"
#include "format/model_of_eval.h"
#include "format/native/native.h"
#include "format/notes.h"
#include "format/plain.h"
#include "format/sdf/sdf.h"
#include "format/spacedyn/spacedyn.h"
#include "format/urdf/urdf.h"
#include "format/xacro.h"
#include "format/xml/xml.h"
#include "math/vector3.h"
#include "model/definition/name_index.h"
#include "text/files.h"
#include "text/path.h"

fb_io_options fb_default_io_options(void) {
  return (fb_io_options){.format = FB_FORMAT_AUTO, .cookie_ = FB_COOKIE};
}

const char* fb_format_name(fb_format format) {
  static const char* const names[] = {"automatic",     "native YAML", "native JSON", "URDF",
                                      "SpaceDyn JSON", "MJCF",        "SDF",         "SpaceDyn .def"};
  return (unsigned)format < sizeof names / sizeof *names ? names[format] : "unknown format";
}

/* The caller's options or the defaults; NULL when the caller's were not made by fb_default_io_options. */
static const fb_io_options* options_or_default(const fb_io_options* given, fb_io_options* room,
                                               fb_error* error) {
  *room = fb_default_io_options();
  if (!given) return room;
  return fb_cookie_check(given->cookie_, "io_options", error) ? NULL : given;
}

/* --- reading --- */

/* Whether the first character that is no blank begins a map of JSON. */
static int starts_as_json(const char* text, size_t size) {
  size_t i = 0;
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) i = 3; /* byte order mark */
  while (i < size && strchr(" \t\r\n", text[i]) && text[i]) i++;
  return i < size && text[i] == '{';
}

static int is_spacedyn(const fb_node* map) {
  return fb_map_get(map, "num_q") || fb_map_get(map, "BB") || fb_map_get(map, "LP");
}

static int has_format(const fb_node* map, const char* format) {
  const fb_node* node = fb_map_get(map, "format");
  return node && strcmp(fb_node_text(node), format) == 0;
}

static int has_scenario_key(const fb_node* map) {
  static const char* const keys[] = {"model",  "models", "start",      "motions",  "modes", "control",
                                     "forces", "events", "integrator", "duration", "log",   "checkpoint"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (fb_map_get(map, keys[i])) return 1;
  return 0;
}

static fb_status unknown_format(const fb_node* root, fb_error* error) {
  if (fb_node_get_kind(root) != FB_NODE_MAP)
    return fb_node_unexpected(root, error, "expected a model, which is a map of keys and values");
  if (fb_map_get(root, "scenario"))
    return fb_node_fail(root, error, FB_ERR_UNSUPPORTED,
                        "this is a scenario, and here a model is expected; name the model's own file");
  const fb_node* format = fb_map_get(root, "format");
  if (format)
    return fb_node_fail(format, error, FB_ERR_UNSUPPORTED,
                        "the format '%.60s' is not known; known are freebody-eval and spacedyn-reference",
                        fb_node_text(format));
  if (fb_map_get(root, "bodies"))
    return fb_node_fail(
        root, error, FB_ERR_UNSUPPORTED,
        "this looks like a native model, but has no key 'freebody'; begin it with freebody: 1");
  if (has_scenario_key(root))
    return fb_node_fail(root, error, FB_ERR_UNSUPPORTED,
                        "this looks like a scenario, but has no key 'scenario'; begin it with scenario: 1");
  return fb_node_fail(root, error, FB_ERR_UNSUPPORTED,
                      "this is neither a scenario, which has the key 'scenario: 1', nor one of the model "
                      "formats: the native one has 'freebody: 1', SpaceDyn JSON has 'num_q' or 'BB', URDF is "
                      "XML with <robot>, MJCF with <mujoco>, SDF with <sdf>");
}

typedef fb_status (*read_fn)(const char* text, size_t size, const char* name, const fb_io_options* options,
                             fb_model_def** def, fb_error* error);

/* Formats that are not YAML. */
static const struct {
  fb_format format;
  const char* root; /* element of XML; NULL: any other */
  read_fn read;
} READERS[] = {{FB_FORMAT_MJCF, "mujoco", fb_mjcf_read},
               {FB_FORMAT_SDF, "sdf", fb_sdf_read},
               {FB_FORMAT_SDF, "gazebo", fb_sdf_read}, /* its root before 1.3 */
               {FB_FORMAT_URDF, NULL, fb_urdf_read},
               {FB_FORMAT_SPACEDYN_DEF, "", fb_spacedyn_def_read}};
enum { NREADER = sizeof READERS / sizeof READERS[0] };

/* The reader of a text that is no YAML, by its beginning unless the caller says which; NULL when it is YAML. */
static read_fn reader_of_text(const char* text, size_t size, fb_format wanted, fb_format* found) {
  char root[16] = "";
  int xml = wanted == FB_FORMAT_AUTO && fb_xml_starts(text, size);
  if (wanted == FB_FORMAT_AUTO && fb_spacedyn_def_is(text, size)) wanted = FB_FORMAT_SPACEDYN_DEF;
  if (xml) fb_xml_root(text, size, root, sizeof root);
  for (int i = 0; i < NREADER; i++) {
    int by_root = xml && (!READERS[i].root || strcmp(READERS[i].root, root) == 0);
    if (wanted != READERS[i].format && !by_root) continue;
    *found = READERS[i].format;
    return READERS[i].read;
  }
  return NULL;
}

/* Which reader a map is for; *origin says what it is. */
static fb_status read_map(const fb_node* root, const fb_io_options* options, fb_model_def** def,
                          fb_model_origin* origin, fb_error* error) {
  int native = options->format == FB_FORMAT_YAML || options->format == FB_FORMAT_JSON;
  if (has_format(root, "freebody-eval")) {
    origin->eval = 1;
    origin->named = fb_eval_names_model(root);
    return fb_model_of_eval(root, options, def, error);
  }
  if (has_format(root, "spacedyn-reference")) {
    const fb_node *model, *cases = fb_map_get(root, "cases");
    origin->format = FB_FORMAT_SPACEDYN;
    origin->eval = cases && fb_node_count(cases) > 0; /* a written model has the format, but no cases */
    fb_status status = fb_map_need(root, "model", &model, error);
    return status ? status : fb_spacedyn_read(root, options, def, error);
  }
  if (native || fb_map_get(root, "freebody")) return fb_native_read(root, options, def, error);
  origin->format = FB_FORMAT_SPACEDYN;
  if (options->format == FB_FORMAT_SPACEDYN || is_spacedyn(root))
    return fb_spacedyn_read(root, options, def, error);
  return unknown_format(root, error);
}

fb_status fb_model_def_parse_origin(const char* text, size_t size, const char* name,
                                    const fb_io_options* given, fb_model_def** def, fb_model_origin* origin,
                                    fb_error* error) {
  fb_io_options room;
  fb_model_origin unused;
  *def = NULL;
  if (!origin) origin = &unused;
  *origin = (fb_model_origin){.format = starts_as_json(text, size) ? FB_FORMAT_JSON : FB_FORMAT_YAML};
  const fb_io_options* options = options_or_default(given, &room, error);
  if (!options) return FB_ERR_ARG;
  if (!name) name = "";
  read_fn read = reader_of_text(text, size, options->format, &origin->format);
  if (read) {
    fb_status status = read(text, size, name, options, def, error);
    if (!status) fb_complain_bodies(*def, options);
    return status;
  }
  fb_doc* doc;
  fb_status status = fb_doc_parse(text, size, name, &doc, error);
  if (status) return status;
  status = read_map(fb_doc_root(doc), options, def, origin, error);
  if (!status) fb_complain_bodies(*def, options);
  fb_doc_free(doc);
  return status;
}

const char* fb_model_origin_name(const fb_model_origin* origin) {
  if (!origin->eval) return fb_format_name(origin->format);
  if (origin->named) return "evaluation file, model in another file";
  return origin->format == FB_FORMAT_SPACEDYN ? "evaluation file, SpaceDyn model"
                                              : "evaluation file, native model";
}

fb_status fb_model_def_parse(const char* text, size_t size, const char* name, const fb_io_options* options,
                             fb_model_def** def, fb_error* error) {
  return fb_model_def_parse_origin(text, size, name, options, def, NULL, error);
}

fb_status fb_model_file_read(const char* file, const fb_io_options* given, char** text, size_t* size,
                             fb_error* error) {
  fb_io_options room;
  *text = NULL;
  const fb_io_options* options = options_or_default(given, &room, error);
  if (!options) return FB_ERR_ARG;
  fb_status status = fb_file_read(file, text, size, error);
  if (status) return status;
  status = fb_xacro_expand(file, options, text, size, error);
  if (!status) return FB_OK;
  free(*text);
  *text = NULL;
  return status;
}

fb_status fb_model_def_read(const char* file, const fb_io_options* options, fb_model_def** def,
                            fb_error* error) {
  char* text;
  size_t size;
  *def = NULL;
  fb_status status = fb_model_file_read(file, options, &text, &size, error);
  if (status) return status;
  const char* name = strcmp(file, "-") == 0 ? "standard input" : file;
  status = fb_model_def_parse(text, size, name, options, def, error);
  free(text);
  return status;
}

fb_status fb_model_load(const char* file, fb_model** model, fb_error* error) {
  fb_model_def* def;
  *model = NULL;
  fb_status status = fb_model_def_read(file, NULL, &def, error);
  if (status) return status;
  status = fb_model_build(def, NULL, model, error);
  fb_model_def_free(def);
  return status;
}

/* --- writing --- */

static void note_gravity(const fb_model_def* def, const fb_io_options* options) {
  double g[3];
  char x[32], y[32], z[32];
  fb_model_def_gravity(def, g);
  if (is_zero3(g)) return;
  fb_io_note(options, "lost: gravity [%s, %s, %s] m/s^2; the native format has no key for it",
             fb_number_format(g[0], x), fb_number_format(g[1], y), fb_number_format(g[2], z));
}

/* All formats but URDF are written by an fb_json, of JSON or of YAML. */
static fb_status print_map(const fb_model_def* def, const fb_io_options* options, char** text, size_t* size,
                           fb_error* error) {
  fb_status status = FB_OK;
  fb_json* json = options->format == FB_FORMAT_YAML ? fb_json_new_yaml() : fb_json_new(1);
  if (json && options->format == FB_FORMAT_SPACEDYN) {
    fb_note_kept_inertia(def, options);
    fb_model_def* plain;
    status = fb_model_def_plain(def, "SpaceDyn", options, &plain, error);
    if (!status) status = fb_spacedyn_write(plain ? plain : def, options, json, error);
    fb_model_def_free(plain);
  } else if (json) {
    note_gravity(def, options);
    fb_native_write(def, json);
  }
  if (status) {
    fb_json_free(json);
    return status;
  }
  if (json) *text = fb_json_finish(json, size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory while the model was written");
}

static fb_status check_not_reversed(const fb_model_def* def, fb_error* error) {
  for (int b = 1; b < fb_model_def_nbody(def); b++)
    if (fb_model_def_body(def, b)->joint.reversed)
      return fb_fail(error, FB_ERR_UNSUPPORTED,
                     "joint '%s' was left by a join: it is reversed, for which MJCF has no words; write the "
                     "native format (.yaml), or part the join first",
                     fb_def_joint_name(fb_model_def_body(def, b)));
  return FB_OK;
}

static fb_status print_urdf(const fb_model_def* def, const fb_io_options* options, char** text, size_t* size,
                            fb_error* error) {
  fb_model_def* plain;
  fb_note_kept_inertia(def, options);
  fb_status status = fb_model_def_plain(def, "URDF", options, &plain, error);
  if (!status) status = fb_urdf_print(plain ? plain : def, options, text, size, error);
  fb_model_def_free(plain);
  return status;
}

/* `folder` is where mesh files are named from; NULL when that is not known. */
static fb_status print_in(const fb_model_def* def, const char* folder, const fb_io_options* given,
                          char** text, size_t* size, fb_error* error) {
  fb_io_options room;
  size_t unused;
  *text = NULL;
  if (!size) size = &unused;
  const fb_io_options* options = options_or_default(given, &room, error);
  if (!options) return FB_ERR_ARG;
  switch (options->format) {
    case FB_FORMAT_URDF:
      return print_urdf(def, options, text, size, error);
    case FB_FORMAT_MJCF:
      if (check_not_reversed(def, error)) return FB_ERR_UNSUPPORTED;
      return fb_mjcf_print(def, folder, options, text, size, error);
    case FB_FORMAT_YAML:
    case FB_FORMAT_JSON:
    case FB_FORMAT_SPACEDYN:
      return print_map(def, options, text, size, error);
    default:
      return fb_fail(error, FB_ERR_ARG, "say which format to write: YAML, JSON, URDF, MJCF or SpaceDyn JSON");
  }
}

fb_status fb_model_def_print(const fb_model_def* def, const fb_io_options* given, char** text, size_t* size,
                             fb_error* error) {
  return print_in(def, NULL, given, text, size, error);
}

static fb_format format_of_name(const char* file) {
  static const struct {
    const char* end;
    fb_format format;
  } ends[] = {{".spacedyn.json", FB_FORMAT_SPACEDYN},
              {".yaml", FB_FORMAT_YAML},
              {".yml", FB_FORMAT_YAML},
              {".json", FB_FORMAT_JSON},
              {".urdf", FB_FORMAT_URDF},
              {".xml", FB_FORMAT_MJCF}};
  for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
    if (fb_path_ends_with(file, ends[i].end)) return ends[i].format;
  return FB_FORMAT_AUTO;
}

fb_status fb_model_def_write(const fb_model_def* def, const char* file, const fb_io_options* given,
                             fb_error* error) {
  fb_io_options room;
  const fb_io_options* options = options_or_default(given, &room, error);
  if (!options) return FB_ERR_ARG;
  room = *options;
  if (room.format == FB_FORMAT_AUTO) room.format = format_of_name(file);
  if (room.format == FB_FORMAT_AUTO)
    return fb_file_fail(
        file, error, FB_ERR_ARG,
        "the file name does not say which format to write; end it with .yaml, .json, .urdf, .xml (MJCF) "
        "or .spacedyn.json");
  char *text = NULL, *folder = strcmp(file, "-") == 0 ? NULL : fb_path_folder(file);
  size_t size;
  fb_model_def* moved;
  fb_status status = fb_mesh_names_move(def, file, &moved, error);
  if (!status) status = print_in(moved ? moved : def, folder, &room, &text, &size, error);
  if (!status) status = fb_file_write(file, text, size, error);
  fb_model_def_free(moved);
  free(folder);
  free(text);
  return status;
}

/* --- scenarios --- */

/* How a scenario names the model's file: from its own folder, or from the root where there is nothing in common. */
static char* name_from(const char* file, const char* out) {
  char *folder = strcmp(out, "-") == 0 ? NULL : fb_path_folder(out), *path = fb_path_absolute(file),
       *name = NULL;
  if (path && folder && folder[0]) name = fb_path_from(folder, path);
  if (!name && path) name = fb_copy_text(strcmp(out, "-") == 0 ? file : path);
  free(folder);
  free(path);
  return name;
}

fb_status fb_model_file_print_scenario(const char* file, const char* out, int contacts,
                                       const fb_io_options* given, char** text, size_t* size,
                                       fb_error* error) {
  fb_io_options room;
  const fb_io_options* options = options_or_default(given, &room, error);
  char *source = NULL, root[16] = "";
  size_t source_size = 0, unused;
  *text = NULL;
  if (!options) return FB_ERR_ARG;
  fb_status status = fb_file_read(file, &source, &source_size, error);
  if (status) return status;
  fb_xml_root(source, source_size, root, sizeof root);
  if (!fb_xml_starts(source, source_size) || strcmp(root, "mujoco") != 0 || strcmp(file, "-") == 0)
    status = fb_file_fail(
        file, error, FB_ERR_UNSUPPORTED,
        "a scenario is written from a file of MJCF alone; `freebody new` makes one for other models");
  char* model = status ? NULL : name_from(file, out);
  if (!status && !model) status = fb_fail(error, FB_ERR_MEMORY, "out of memory for the scenario");
  if (!status)
    status = fb_mjcf_scenario(source, source_size, file, model, contacts, options, text,
                              size ? size : &unused, error);
  free(model);
  free(source);
  return status;
}
