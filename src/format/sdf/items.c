/* items.c -- the models, links, joints and frames of an SDF file, and how they are found by name.
 *
 * A name is known in the model, or the world, that its item is in: from outside, the names of the models are put before it,
 * "arm::hand"; those of a merged model are those of the model that it is merged into. Each item has such a key as it is seen from the world; its name in the definition is the same, but for
 * that of the only model. */
#include <stdlib.h>
#include <string.h>

#include "base/copy_text.h"
#include "base/fnv.h"
#include "base/grow.h"
#include "format/notes.h"
#include "format/sdf/reader.h"

enum { MOST = 1000000, DEEPEST = 100 }; /* of models in models, whose names are as long */

static int is_tag(const fb_sdf_reader* r, int element, const char* tag) {
  return strcmp(fb_xml_name(r->xml, element), tag) == 0;
}

/* The model whose names those in `model` are among: itself, or what it was merged into. */
static int scope_of(const fb_sdf_reader* r, int model) {
  while (model >= 0 && r->items[model].is_merged) model = r->items[model].model;
  return model;
}

/* The key, from which the name is; the name of the only model is not in the others. */
static fb_status name_item(fb_sdf_reader* r, fb_sdf_item* it) {
  int scope = scope_of(r, it->model);
  const char* around = scope >= 0 ? r->items[scope].key : "";
  it->key = fb_join_texts(around, *around ? "::" : "", it->given);
  if (!it->key) return fb_sdf_no_memory(r);
  it->name = it->key;
  if (r->alone && it->model >= 0) it->name += r->skip;
  if (r->alone && it->model < 0 && it->kind == 'm') {
    r->skip = strlen(it->key) + 2;
    it->name = "";
  }
  if (it->kind != 'l' || strcmp(it->name, "world") != 0) return FB_OK;
  it->name = "world_link";
  fb_io_note(r->options, "line %d: link 'world' has the name 'world_link' now; 'world' is the world itself",
             fb_xml_place(r->xml, it->element).line);
  return FB_OK;
}

/* A model moves with its first link; where it has none, with the first model in it. What is in a merged model is in that around it
 * too. */
static void report_models(fb_sdf_reader* r, int item) {
  const fb_sdf_item* it = &r->items[item];
  int model = it->model;
  if ((it->kind != 'l' && it->kind != 'm') || it->is_merged) return;
  while (model >= 0) {
    int* first = &r->items[model].first;
    if (*first < 0 || (it->kind == 'l' && r->items[*first].kind == 'm')) *first = item;
    model = r->items[model].is_merged ? r->items[model].model : -1;
  }
}

static fb_status add_item(fb_sdf_reader* r, int element, int model) {
  fb_sdf_item it = {.element = element,
                    .kind = *fb_xml_name(r->xml, element),
                    .model = model,
                    .version = r->version,
                    .first = -1,
                    .link = FB_SDF_NOT_KNOWN,
                    .joint = -1};
  fb_status status = fb_xml_need_attribute(r->xml, element, "name", &it.given, r->error);
  if (status) return status;
  if (r->nitem >= MOST)
    return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT, "there are more than %d links and frames",
                       (int)MOST);
  it.depth = it.kind == 'm' && model >= 0 ? r->items[model].depth + 1 : 0;
  if (it.depth > DEEPEST)
    return fb_xml_fail(r->xml, element, r->error, FB_ERR_CONTENT,
                       "models are in one another more than %d deep", (int)DEEPEST);
  if (!fb_grow(&r->items, r->nitem, 1, &r->item_room, sizeof *r->items)) return fb_sdf_no_memory(r);
  it.is_merged = it.kind == 'm' && model >= 0 && fb_xml_attribute(r->xml, element, "freebody_merged");
  status = name_item(r, &it);
  if (status) return status;
  if (it.kind == 'm') {
    const char* version = fb_xml_attribute(r->xml, element, "freebody_version");
    if (model >= 0) it.version = r->items[model].version;
    if (version) fb_sdf_version(version, &it.version);
    it.is_static =
        (model >= 0 && r->items[model].is_static) || (!it.is_merged && fb_sdf_is_true(r, element, "static"));
    r->model_item[element] = (int)r->nitem;
  }
  r->items[r->nitem] = it;
  report_models(r, (int)r->nitem++);
  return FB_OK;
}

static size_t slot_of(const fb_sdf_reader* r, const char* key) {
  size_t i = fb_fnv_slot(key, r->nslot);
  while (r->slots[i] && strcmp(r->items[r->slots[i] - 1].key, key) != 0) i = (i + 1) & (r->nslot - 1);
  return i;
}

/* By key, the first of each; but joints come last, since before 1.7 one could have the name of a link. */
static fb_status index_names(fb_sdf_reader* r) {
  for (r->nslot = 64; r->nslot < 2 * r->nitem; r->nslot *= 2) continue;
  r->slots = calloc(r->nslot, sizeof *r->slots);
  if (!r->slots) return fb_sdf_no_memory(r);
  for (int joints = 0; joints < 2; joints++)
    for (size_t i = 0; i < r->nitem; i++) {
      size_t slot = slot_of(r, r->items[i].key);
      if ((r->items[i].kind == 'j') == joints && !r->slots[slot]) r->slots[slot] = (int)i + 1;
    }
  return FB_OK;
}

/* The file itself, or a <world> in it. */
static int is_world(const fb_sdf_reader* r, int element) {
  return element == 0 || (is_tag(r, element, "world") && fb_xml_parent(r->xml, element) == 0);
}

/* Elements come in the order of the file, so models come before what is in them. */
static fb_status gather_items(fb_sdf_reader* r) {
  int models = 0;
  for (int e = 1; e < fb_xml_count(r->xml); e++)
    models += is_tag(r, e, "model") && is_world(r, fb_xml_parent(r->xml, e));
  r->alone = models == 1;
  fb_status status = FB_OK;
  for (int e = 1; e < fb_xml_count(r->xml) && !status; e++) {
    int parent = fb_xml_parent(r->xml, e), model = r->model_item[parent], inside = model >= 0;
    if (!inside && !is_world(r, parent)) continue;
    if (is_tag(r, e, "model") || (inside && is_tag(r, e, "link")) || is_tag(r, e, "joint") ||
        is_tag(r, e, "frame"))
      status = add_item(r, e, model);
  }
  return status;
}

fb_status fb_sdf_gather(fb_sdf_reader* r) {
  size_t count = (size_t)fb_xml_count(r->xml);
  r->model_item = malloc(count * sizeof *r->model_item);
  if (!r->model_item) return fb_sdf_no_memory(r);
  for (size_t e = 0; e < count; e++) r->model_item[e] = -1;
  fb_status status = gather_items(r);
  return status ? status : index_names(r);
}

/* --- looking up --- */

int fb_sdf_find(const fb_sdf_reader* r, int model, const char* name) {
  static const char key_end[] =
      "::__model__"; /* the frame of a model itself; flattened files have frames of that name */
  if (strcmp(name, key_end + 2) == 0) return model;
  int scope = scope_of(r, model);
  char* key = scope >= 0 ? fb_join_texts(r->items[scope].key, "::", name) : fb_copy_text(name);
  size_t length = key ? strlen(key) : 0, tail = sizeof key_end - 1;
  int found = key ? r->slots[slot_of(r, key)] - 1 : -1;
  if (found < 0 && length > tail && strcmp(key + length - tail, key_end) == 0) {
    key[length - tail] = '\0';
    found = r->slots[slot_of(r, key)] - 1;
    if (found >= 0 && r->items[found].kind != 'm') found = -1;
  }
  free(key);
  return found;
}
