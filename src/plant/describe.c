/* describe.c -- a plant as a folder: plant.json, which says how the scenario was read, and copies of its files.
 *
 *   {"plant": 1, "freebody": "0.1.0", "file": "arm.yaml", "set": [..], "duration": 10, "base": 0, "inertia": 0,
 *    "mimic": 0, "without_control": true, "outputs": [..]}
 *
 * Reading it gives the same plant on any machine. Its token is a checksum of all of it. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/support/json.h>
#include <freebody/status.h>
#include <freebody/version.h>

#include "base/checksum.h"
#include "document/document.h"
#include "plant/plant.h"
#include "text/files.h"

enum { VERSION = 1 };

/* --- writing --- */

static void put_list(fb_json* json, const char* key, const char* const* list) {
  fb_json_put_list(json, key);
  for (int i = 0; list && list[i]; i++) fb_json_string(json, list[i]);
  fb_json_end_list(json);
}

fb_status fb_plant_describe(fb_plant* p, fb_error* error) {
  const fb_scenario* s = p->scenario;
  const char* slash = strrchr(s->inputs[0].file, '/');
  fb_json* json = fb_json_new(2);
  if (!json) return fb_plant_no_memory(error);
  fb_json_begin_map(json);
  fb_json_put_int(json, "plant", VERSION);
  fb_json_put_string(json, "freebody", fb_version());
  fb_json_put_string(json, "file", slash ? slash + 1 : s->inputs[0].file);
  put_list(json, "set", s->reading.set);
  fb_json_put_number(json, "duration", s->duration);
  fb_json_put_int(json, "base", s->reading.base);
  fb_json_put_int(json, "inertia", s->reading.inertia);
  fb_json_put_int(json, "mimic", s->reading.mimic);
  fb_json_put_int(json, "without_control", s->reading.plant);
  if (p->outputs) put_list(json, "outputs", p->outputs);
  fb_json_end_map(json);
  p->description = fb_json_finish(json, &p->description_size);
  return p->description ? FB_OK : fb_plant_no_memory(error);
}

char* fb_plant_token(const fb_plant* p, char token[FB_PLANT_TOKEN_SIZE]) {
  uint64_t half[2];
  for (int k = 0; k < 2; k++) {
    half[k] = fb_checksum((uint64_t)(k + 1), p->description, p->description_size);
    for (size_t i = 0; i < p->scenario->input_count; i++)
      half[k] = fb_checksum(half[k] + 1, p->scenario->inputs[i].text, p->scenario->inputs[i].size);
  }
  snprintf(token, FB_PLANT_TOKEN_SIZE, "%016" PRIx64 "%016" PRIx64, half[0], half[1]);
  return token;
}

fb_status fb_plant_write(const fb_plant* p, const char* folder, fb_error* error) {
  char file[4096];
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return fb_file_fail(folder, error, FB_ERR_IO, "cannot make this folder: %s", strerror(errno));
  if (snprintf(file, sizeof file, "%s/plant.json", folder) >= (int)sizeof file)
    return fb_fail(error, FB_ERR_ARG, "the name of the folder is too long");
  fb_status status = fb_scenario_write(p->scenario, folder, error);
  return status ? status : fb_file_write_regular(file, p->description, p->description_size, error);
}

/* --- reading --- */

/* The texts of a list, NULL-ended; they live as long as the document. NULL without memory. */
static const char** read_list(const fb_node* list) {
  int count = list ? fb_node_count(list) : 0;
  const char** texts = calloc((size_t)count + 1, sizeof *texts);
  for (int i = 0; texts && i < count; i++) texts[i] = fb_node_text(fb_node_item(list, i));
  return texts;
}

static fb_status check_list(const fb_node* list, fb_error* error) {
  if (fb_node_get_kind(list) != FB_NODE_LIST)
    return fb_node_fail(list, error, FB_ERR_CONTENT, "this must be a list of texts");
  for (int i = 0; i < fb_node_count(list); i++)
    if (fb_node_get_kind(fb_node_item(list, i)) != FB_NODE_SCALAR)
      return fb_node_fail(fb_node_item(list, i), error, FB_ERR_CONTENT, "this must be a text");
  return FB_OK;
}

static fb_status read_numbers(const fb_node* root, fb_scenario_options* options, fb_error* error) {
  const fb_node* node;
  const struct {
    const char* key;
    int most;
  } rows[] = {{"base", FB_BASE_FIXED},
              {"inertia", FB_INERTIA_KEEP},
              {"mimic", FB_MIMIC_COUPLED},
              {"without_control", 1}};
  int values[sizeof rows / sizeof *rows];
  fb_status status = fb_map_need(root, "duration", &node, error);
  if (!status) status = fb_node_number(node, FB_Q_NONE, &options->duration, error);
  if (!status && !(options->duration > 0))
    status = fb_node_fail(node, error, FB_ERR_CONTENT, "a plant lasts longer than 0 s");
  for (size_t i = 0; i < sizeof rows / sizeof *rows && !status; i++) {
    status = fb_map_need(root, rows[i].key, &node, error);
    if (!status) status = fb_node_int(node, &values[i], error);
    if (!status && (values[i] < 0 || values[i] > rows[i].most))
      status = fb_node_fail(node, error, FB_ERR_CONTENT, "%s is %d; it must be 0 to %d", rows[i].key,
                            values[i], rows[i].most);
  }
  if (status) return status;
  options->io.base = (fb_base)values[0];
  options->io.inertia = (fb_inertia_policy)values[1];
  options->io.mimic = (fb_mimic)values[2];
  options->plant = values[3];
  return FB_OK;
}

static fb_status check_version(const fb_node* root, fb_error* error) {
  const fb_node *plant, *freebody;
  int version = 0;
  fb_status status = fb_map_need(root, "plant", &plant, error);
  if (!status) status = fb_node_int(plant, &version, error);
  if (!status) status = fb_map_need(root, "freebody", &freebody, error);
  if (!status && version != VERSION)
    status = fb_node_fail(plant, error, FB_ERR_UNSUPPORTED,
                          "this plant has version %d; this Freebody reads version %d", version, VERSION);
  if (!status && strcmp(fb_node_text(freebody), fb_version()) != 0)
    status = fb_node_fail(freebody, error, FB_ERR_UNSUPPORTED,
                          "this plant was written by Freebody %.40s, and this is %s; write it again",
                          fb_node_text(freebody), fb_version());
  return status;
}

static fb_status open_described(const fb_node* root, const char* folder, fb_plant** plant, fb_error* error) {
  const fb_node *file = NULL, *set = NULL;
  fb_scenario_options options = fb_default_scenario_options();
  fb_scenario* s = NULL;
  fb_status status = check_version(root, error);
  if (!status) status = read_numbers(root, &options, error);
  if (!status) status = fb_map_need(root, "file", &file, error);
  if (!status) status = fb_map_need(root, "set", &set, error);
  const fb_node* outputs = status ? NULL : fb_map_get(root, "outputs");
  if (!status && !fb_node_text(file)[0])
    status = fb_node_fail(file, error, FB_ERR_CONTENT, "this must be the name of a file");
  if (!status) status = check_list(set, error);
  if (!status && outputs) status = check_list(outputs, error);
  if (status) return status;
  const char **sets = read_list(set), **signals = outputs ? read_list(outputs) : NULL;
  if (!sets || (outputs && !signals)) status = fb_plant_no_memory(error);
  options.set = sets;
  options.inputs = folder;
  if (!status) status = fb_scenario_read(fb_node_text(file), &options, &s, error);
  if (!status) status = fb_plant_make(s, signals, plant, error);
  free((void*)sets);
  free((void*)signals);
  return status;
}

fb_status fb_plant_open(const char* folder, fb_plant** plant, fb_error* error) {
  fb_error unused;
  char file[4096], *text = NULL;
  size_t size = 0;
  fb_doc* doc = NULL;
  *plant = NULL;
  if (!error) error = &unused;
  if (snprintf(file, sizeof file, "%s/plant.json", folder) >= (int)sizeof file)
    return fb_fail(error, FB_ERR_ARG, "the name of the folder is too long");
  fb_status status = fb_file_read(file, &text, &size, error);
  if (!status) status = fb_doc_parse(text, size, file, &doc, error);
  if (!status) status = open_described(fb_doc_root(doc), folder, plant, error);
  fb_doc_free(doc);
  free(text);
  return status;
}
