/* header.c -- the header of a run, or of a model alone, in the page: what viewer/src/format.ts calls RunHeader, as JSON in an element of
 * its own. Every "<" is written \u003c, so that no text of the run can end the element or begin another. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/support/json.h>
#include <freebody/signal.h>
#include <freebody/support/text.h>
#include <freebody/version.h>

#include "document/document.h"
#include "picture/page/parts.h"
#include "run/store/folder.h"
#include "signal/signal_kind.h"
#include "text/files.h"
#include "text/path.h"

/* The last part of the folder's name. */
static fb_status put_folder(fb_json* json, const fb_store* run, fb_error* error) {
  const char* end = strrchr(run->path, '/');
  const char* from = end;
  while (from && from > run->path && from[-1] != '/') from--;
  char* folder = end ? strndup(from, (size_t)(end - from)) : NULL;
  if (end && !folder) return fb_page_no_memory(error);
  fb_json_put_string(json, "folder", folder);
  free(folder);
  return FB_OK;
}

static fb_status put_texts(fb_json* json, fb_store* run, fb_error* error) {
  static const char* const keys[][2] = {
      {"name", "name"}, {"freebody", "version"},      {"status", "status"},
      {"file", "file"}, {"integrator", "integrator"}, {"scenario", "scenario"}};
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
    fb_json_put_string(json, keys[i][0], fb_store_get_text(run, keys[i][1]));
  const char* duration = fb_store_get_text(run, "duration");
  double seconds = 0;
  if (duration) fb_number_parse(duration, &seconds);
  fb_json_put_number(json, "duration", seconds);
  return put_folder(json, run, error);
}

/* --- texts that are JSON themselves --- */

/* Parses a text that must be of this kind; *doc is NULL when it is missing or is not. */
static fb_status parse(const char* text, fb_node_kind kind, fb_doc** doc, fb_error* error) {
  *doc = NULL;
  fb_status status = text ? fb_doc_parse(text, strlen(text), "", doc, error) : FB_OK;
  if (status == FB_ERR_MEMORY) return status;
  if (*doc && fb_node_get_kind(fb_doc_root(*doc)) != kind) {
    fb_doc_free(*doc);
    *doc = NULL;
  }
  return FB_OK;
}

static fb_status put_overrides(fb_json* json, fb_store* run, fb_error* error) {
  fb_doc* doc;
  fb_status status = parse(fb_store_get_text(run, "overrides"), FB_NODE_LIST, &doc, error);
  const fb_node* list = doc ? fb_doc_root(doc) : NULL;
  fb_json_put_list(json, "overrides");
  for (int i = 0; list && i < fb_node_count(list); i++)
    fb_json_string(json, fb_node_text(fb_node_item(list, i)));
  fb_json_end_list(json);
  fb_doc_free(doc);
  return status;
}

/* The page has surfaces as shapes and meshes (bodies.c). */
static void put_but_surfaces(fb_json* json, const fb_node* view) {
  fb_json_begin_map(json);
  for (int i = 0; i < fb_node_count(view); i++) {
    if (strcmp(fb_map_key(view, i), "surfaces") == 0) continue;
    fb_json_key(json, fb_map_key(view, i));
    fb_json_node(json, fb_map_value(view, i));
  }
  fb_json_end_map(json);
}

/* What the scene looks like; a run without it floats where there is no gravity. */
static fb_status put_view(fb_json* json, fb_store* run, fb_error* error) {
  static const double none[3] = {0, 0, 0};
  fb_doc* doc;
  fb_status status = parse(fb_store_get_text(run, "view"), FB_NODE_MAP, &doc, error);
  fb_json_key(json, "view");
  if (doc) {
    put_but_surfaces(json, fb_doc_root(doc));
  } else {
    fb_json_begin_map(json);
    fb_json_put_numbers(json, "gravity", none, 3);
    fb_json_end_map(json);
  }
  fb_doc_free(doc);
  return status;
}

/* summary.json beside run.db, where the run came to its end; *doc is NULL where it did not. A link is not followed: a page
 * that is passed on would hold what it points to. */
static fb_status read_summary(const char* path, fb_doc** doc, fb_error* error) {
  char* text = NULL;
  size_t size;
  *doc = NULL;
  if (!fb_store_exists(path)) return FB_OK;
  fb_status status = fb_file_refuse_link(path, "", error);
  if (status == FB_OK) status = fb_file_read(path, &text, &size, error);
  if (status == FB_OK) status = parse(text, FB_NODE_MAP, doc, error);
  free(text);
  if (status != FB_OK || *doc) return status;
  return fb_file_fail(path, error, FB_ERR_CONTENT,
                      "this is not a summary as 'freebody run' writes it; remove it");
}

static fb_status put_summary(fb_json* json, const fb_store* run, fb_error* error) {
  char* path = fb_path_beside(run->path, "summary.json");
  fb_doc* doc = NULL;
  if (!path) return fb_page_no_memory(error);
  fb_status status = read_summary(path, &doc, error);
  free(path);
  fb_json_key(json, "summary");
  if (doc)
    fb_json_node(json, fb_doc_root(doc));
  else
    fb_json_null(json);
  fb_doc_free(doc);
  return status;
}

/* --- lists --- */

static void put_signal(fb_json* json, fb_store_signal signal) {
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", signal.name);
  fb_json_put_string(json, "unit", signal.unit);
  fb_json_put_string(json, "axes", signal.axes);
  fb_json_put_string(json, "meaning", signal.meaning);
  fb_json_end_map(json);
}

static void put_events(fb_json* json, const fb_store* run) {
  fb_json_put_list(json, "events");
  for (int i = 0; run && i < fb_store_nevent(run); i++) {
    fb_store_event event = fb_store_get_event(run, i);
    fb_json_begin_map(json);
    fb_json_put_number(json, "t", event.t);
    fb_json_put_string(json, "name", event.name);
    fb_json_put_string(json, "text", event.text);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

/* Of a model alone: its coordinates in the order of q, which sliders set. */
static void put_coordinates(fb_json* json, const fb_model* model) {
  fb_json_put_list(json, "signals");
  for (int body = 1; body < fb_model_nbody(model); body++)
    for (int i = 0; i < fb_joint_nq(model, body); i++) {
      char name[FB_SIGNAL_NAME_SIZE];
      fb_signal signal = {FB_SIGNAL_Q, body, i};
      put_signal(json, (fb_store_signal){fb_signal_name(model, signal, name), fb_signal_unit(model, signal),
                                         fb_signal_axes(model, signal), fb_signal_meaning(signal)});
    }
  fb_json_end_list(json);
}

/* What a page without a run says instead. */
static void put_unsaid(fb_json* json, const fb_model* model) {
  static const char* const none[] = {"folder", "status", "integrator", "scenario"};
  static const double nothing[3] = {0, 0, 0};
  fb_json_put_string(json, "mode", "pose");
  fb_json_put_string(json, "name", fb_model_name(model));
  fb_json_put_string(json, "freebody", fb_version());
  fb_json_put_string(json, "file", fb_model_def_source(fb_model_definition(model)));
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) fb_json_put_string(json, none[i], "");
  fb_json_put_number(json, "duration", 0);
  fb_json_put_list(json, "overrides");
  fb_json_end_list(json);
  fb_json_key(json, "summary");
  fb_json_null(json);
  fb_json_put_map(json, "view");
  fb_json_put_numbers(json, "gravity", nothing, 3);
  fb_json_put_string(json, "background", "plain");
  fb_json_end_map(json);
}

/* The texts of the run, and what is read from them. */
static fb_status put_said(fb_json* json, fb_store* run, fb_error* error) {
  fb_status status = put_texts(json, run, error);
  if (status == FB_OK) status = put_overrides(json, run, error);
  if (status == FB_OK) status = put_summary(json, run, error);
  if (status == FB_OK) status = put_view(json, run, error);
  return status;
}

static fb_status put_all(fb_json* json, fb_store* run, const fb_scene* scene, const char* const* notes,
                         int nnote, const char* live, fb_error* error) {
  fb_json_begin_map(json);
  fb_json_put_string(json, "format", "freebody-page");
  fb_json_put_int(json, "version", 1);
  fb_json_put_string(json, "model", fb_model_name(scene->model));
  fb_status status = FB_OK;
  if (run)
    status = put_said(json, run, error);
  else
    put_unsaid(json, scene->model);
  if (status != FB_OK) return status;
  fb_page_put_bodies(json, scene);
  if (run) {
    fb_json_put_list(json, "signals");
    for (int i = 0; i < fb_store_nsignal(run); i++) put_signal(json, fb_store_get_signal(run, i));
    fb_json_end_list(json);
  } else {
    put_coordinates(json, scene->model);
  }
  put_events(json, run);
  fb_json_put_list(json, "notes");
  for (int i = 0; i < nnote; i++) fb_json_string(json, notes[i]);
  fb_json_end_list(json);
  fb_json_put_int(json, "samples", live || !run ? 0 : fb_store_nsample(run));
  fb_json_put_int(json, "block", FB_PAGE_BLOCK);
  fb_json_put_int(json, "bucket", FB_PAGE_BUCKET);
  if (live) {
    fb_json_put_map(json, "live");
    fb_json_put_string(json, "path", live);
    fb_json_end_map(json);
  }
  fb_json_end_map(json);
  return FB_OK;
}

fb_status fb_page_put_header(const fb_page_out* out, fb_store* run, int number, const fb_scene* scene,
                             const char* const* notes, int nnote, const char* live, fb_error* error) {
  fb_json* json = fb_json_new(0);
  if (!json) return fb_page_no_memory(error);
  fb_status status = put_all(json, run, scene, notes, nnote, live, error);
  if (status != FB_OK) {
    fb_json_free(json);
    return status;
  }
  char* text = fb_json_finish(json, NULL);
  if (!text) return fb_page_no_memory(error);
  char id[48];
  snprintf(id, sizeof id, "freebody-%d", number);
  fb_page_begin(out, "application/json", id);
  for (const char *from = text, *less; *from; from = less) {
    less = from + strcspn(from, "<");
    fb_page_put(out, from, (size_t)(less - from));
    if (*less == '<') {
      fb_page_put(out, "\\u003c", 6);
      less++;
    }
  }
  fb_page_end(out);
  free(text);
  return FB_OK;
}
