/* inputs.c -- the copies of what a run was made from, in the folder inputs/: made when it begins, and checked when it
 * is taken up again. The store has the CRC-32 of each, so that a script that was damaged or edited since does not lead a
 * resumed run elsewhere unnoticed. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/files.h>
#include <freebody/json.h>

#include "document/document.h"
#include "run/store/store.h"
#include "scenario/scenario.h"
#include "run/run.h"

fb_status cmd_job_copy_inputs(const cmd_job* job, fb_error* error) {
  char* inputs = cmd_job_path(job->folder, "inputs");
  fb_status status = FB_OK;
  if (mkdir(inputs, 0777) != 0 && errno != EEXIST) {
    status = fb_fail(error, FB_ERR_IO, "cannot make this folder: %s", strerror(errno));
    fb_error_set_place(error, inputs, NULL, (fb_place){0, 0});
  }
  if (status == FB_OK) status = fb_file_refuse_link(inputs, ", or choose another folder", error);
  if (status == FB_OK) status = fb_scenario_copy(job->scenario, inputs, error);
  free(inputs);
  return status;
}

static uint32_t sum_of(const fb_scenario* s, size_t index) {
  return fb_store_sum(s->inputs[index].text, s->inputs[index].size);
}

char* cmd_job_print_sums(const fb_scenario* s) {
  fb_json* json = fb_json_new(0);
  if (!json) cmd_out_of_memory();
  fb_json_begin_list(json);
  for (size_t i = 0; i < s->input_count; i++) fb_json_int(json, sum_of(s, i));
  fb_json_end_list(json);
  char* text = fb_json_finish(json, NULL);
  if (!text) cmd_out_of_memory();
  return text;
}

fb_status cmd_job_copy_changed(const char* place, fb_error* error) {
  fb_fail(
      error, FB_ERR_CONTENT,
      "what is here is not what the run was begun with; restore it, or begin a new run (--force, or another "
      "--output)");
  fb_error_set_place(error, place, NULL, (fb_place){0, 0});
  return FB_ERR_CONTENT;
}

fb_status cmd_job_check_inputs(const char* folder, const fb_scenario* s, const char* sums, fb_error* error) {
  fb_doc* doc = NULL;
  fb_status status = fb_doc_parse(sums, strlen(sums), "inputs of the run", &doc, error);
  if (status != FB_OK) return status;
  const fb_node* list = fb_doc_root(doc);
  if ((size_t)fb_node_count(list) != s->input_count) status = cmd_job_copy_changed(folder, error);
  for (size_t i = 0; status == FB_OK && i < s->input_count; i++) {
    char sum[16], name[4096];
    snprintf(sum, sizeof sum, "%u", (unsigned)sum_of(s, i));
    if (strcmp(fb_node_text(fb_node_item(list, (int)i)), sum) != 0)
      status = cmd_job_copy_changed(
          fb_scenario_copy_name(folder, (int)i, s->inputs[i].file, name, sizeof name), error);
  }
  fb_doc_free(doc);
  return status;
}
