/* model_options.c -- how the models of a scenario are read: the keys base, inertia, mimic and packages, of the scenario and of each
 * of its models. The keys of a model take precedence over the options of the caller, and these over the keys of the scenario. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/read/read.h"
#include "text/path.h"

/* Keys whose values are words, and what the first word stands for. */
static fb_status read_words(const fb_fields* values, int of_part, fb_io_options* how, fb_error* error) {
  static const struct {
    const char* key;
    size_t offset; /* in fb_io_options */
    int first;
  } rows[] = {
      {"base", offsetof(fb_io_options, base), FB_BASE_FREE},
      {"inertia", offsetof(fb_io_options, inertia), FB_INERTIA_STRICT},
      {"mimic", offsetof(fb_io_options, mimic), FB_MIMIC_FREE},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int word = 0, *out = (int*)(void*)((char*)how + rows[i].offset);
    if (!fb_fields_value(values, rows[i].key)) continue;
    fb_status status = fb_fields_word(values, rows[i].key, &word, error);
    if (status) return status;
    if (of_part || *out == 0) *out = rows[i].first + word; /* 0: the caller does not say */
  }
  return FB_OK;
}

static int count_pairs(const char* const* pairs) {
  int count = 0;
  while (pairs && pairs[count]) count++;
  return count;
}

/* "name=folder" of one package, the folder from that of the scenario. */
static fb_status read_package(fb_scenario* s, const fb_node* map, int index, const char** pair,
                              fb_error* error) {
  const fb_node* node = fb_map_value(map, index);
  const char *name = fb_map_key(map, index), *folder;
  fb_status status = fb_node_string(node, &folder, error);
  if (status) return status;
  if (!name[0] || strpbrk(name, "=/") || !folder[0])
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "expected the name of a package and its folder, as my_robot: ../my_robot");
  char* place = fb_path_beside(s->folder_of, folder);
  if (!place || !fb_scenario_own(s, place, free)) return fb_scenario_no_memory(error);
  size_t size = strlen(name) + strlen(place) + 2;
  char* text = fb_scenario_alloc(s, size, 1);
  if (!text) return fb_scenario_no_memory(error);
  snprintf(text, size, "%s=%s", name, place);
  *pair = text;
  return FB_OK;
}

/* The first pair of a name counts, so those of a model come before the caller's, and those of the scenario behind. */
static fb_status read_packages(fb_scenario* s, const fb_fields* values, int of_part, fb_io_options* how,
                               fb_error* error) {
  const fb_node* map = fb_fields_value(values, "packages");
  if (!map) return FB_OK;
  fb_status status =
      fb_node_need_map(map, "a map of packages and their folders, as {my_robot: ../my_robot}", error);
  if (status) return status;
  int listed = fb_node_count(map), before = count_pairs(how->packages);
  const char** pairs = fb_scenario_alloc(s, (size_t)listed + (size_t)before + 1, sizeof *pairs);
  if (!pairs) return fb_scenario_no_memory(error);
  for (int i = 0; i < before; i++) pairs[of_part ? listed + i : i] = how->packages[i];
  for (int i = 0; i < listed && !status; i++)
    status = read_package(s, map, i, &pairs[of_part ? i : before + i], error);
  how->packages = pairs;
  return status;
}

fb_status fb_scenario_read_how(fb_scenario* s, const fb_fields* values, int of_part, fb_io_options* how,
                               fb_error* error) {
  if (how != &s->io) *how = s->io;
  fb_status status = read_words(values, of_part, how, error);
  return status ? status : read_packages(s, values, of_part, how, error);
}
