/* inputs.c -- the copies of what a run was made from, in the folder inputs/: made when it begins, and checked when it
 * is resumed. The store has the CRC-32 of each, so that a script that was damaged or edited since does not lead a
 * resumed run elsewhere unnoticed. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/files.h>
#include <freebody/json.h>

#include "document/document.h"
#include "run/job/job.h"
#include "run/store/store.h"
#include "scenario/scenario.h"

fb_status fb_run_copy_inputs(const fb_run* run, fb_error* error) {
  char* inputs = fb_store_path(run->folder, "inputs");
  if (!inputs) return fb_store_no_memory(error);
  fb_status status = FB_OK;
  if (mkdir(inputs, 0777) != 0 && errno != EEXIST)
    status = fb_store_fail_at(inputs, error, FB_ERR_IO, "cannot make this folder: %s", strerror(errno));
  if (status == FB_OK) status = fb_file_refuse_link(inputs, ", or choose another folder", error);
  if (status == FB_OK) status = fb_scenario_copy(run->scenario, inputs, error);
  free(inputs);
  return status;
}

static uint32_t sum_of(const fb_scenario* s, size_t index) {
  return fb_store_sum(s->inputs[index].text, s->inputs[index].size);
}

fb_status fb_run_print_sums(const fb_scenario* s, char** text, fb_error* error) {
  *text = NULL;
  fb_json* json = fb_json_new(0);
  if (!json) return fb_store_no_memory(error);
  fb_json_begin_list(json);
  for (size_t i = 0; i < s->input_count; i++) fb_json_int(json, sum_of(s, i));
  fb_json_end_list(json);
  *text = fb_json_finish(json, NULL);
  return *text ? FB_OK : fb_store_no_memory(error);
}

fb_status fb_run_copy_changed(const char* place, fb_error* error) {
  return fb_store_fail_at(place, error, FB_ERR_CONTENT,
                          "what is here is not what the run was begun with; restore it, or begin a new run "
                          "in another folder");
}

fb_status fb_run_check_inputs(const char* folder, const fb_scenario* s, const char* sums, fb_error* error) {
  fb_doc* doc = NULL;
  fb_status status = fb_doc_parse(sums, strlen(sums), "inputs of the run", &doc, error);
  if (status != FB_OK) return status;
  const fb_node* list = fb_doc_root(doc);
  if ((size_t)fb_node_count(list) != s->input_count) status = fb_run_copy_changed(folder, error);
  for (size_t i = 0; status == FB_OK && i < s->input_count; i++) {
    char sum[16], name[4096];
    snprintf(sum, sizeof sum, "%u", (unsigned)sum_of(s, i));
    if (strcmp(fb_node_text(fb_node_item(list, (int)i)), sum) != 0)
      status = fb_run_copy_changed(
          fb_scenario_copy_name(folder, (int)i, s->inputs[i].file, name, sizeof name), error);
  }
  fb_doc_free(doc);
  return status;
}
