/* inputs.c -- the copies of what a run was made from, in the folder inputs/: made when it begins, and checked when it
 * is resumed. The store has the CRC-32 of each, so that a script that was damaged or edited since does not lead a
 * resumed run elsewhere unnoticed. */
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/support/files.h>
#include <freebody/support/json.h>

#include "document/document.h"
#include "run/job/job.h"
#include "run/store/folder.h"
#include "scenario/read/read.h"
#include "text/files.h"

fb_status fb_run_copy_inputs(const fb_run* run, fb_error* error) {
  char* inputs = fb_store_path(run->folder, "inputs");
  if (!inputs) return fb_store_no_memory(error);
  fb_status status = FB_OK;
  if (mkdir(inputs, 0777) != 0 && errno != EEXIST)
    status = fb_file_fail(inputs, error, FB_ERR_IO, "cannot make this folder: %s", strerror(errno));
  if (status == FB_OK) status = fb_file_refuse_link(inputs, ", or choose another folder", error);
  if (status == FB_OK) status = fb_scenario_write(run->scenario, inputs, error);
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
  return fb_file_fail(
      place, error, FB_ERR_CONTENT,
      "what is here is not what the run was begun with; restore it, or begin a new run in another folder");
}

/* --- before they are read --- */

/* The number of the copy that a file in inputs/ has in its name; -1 when it is none. */
static int number_of(const char* name) {
  char* end;
  long number = name[0] >= '0' && name[0] <= '9' ? strtol(name, &end, 10) : -1;
  return number >= 0 && number < INT_MAX && *end == '-' ? (int)number : -1;
}

/* What is found of one copy. */
typedef struct found_copy {
  int whole;   /* a file has its number and its sum */
  char* other; /* else one with its number; or NULL */
} found_copy;

static fb_status check_copy(const char* inputs, const char* name, const fb_node* sums, found_copy* found,
                            fb_error* error) {
  int number = number_of(name);
  if (number < 0 || number >= fb_node_count(sums) || found[number].whole) return FB_OK;
  char *path = fb_store_path(inputs, name), *text = NULL, sum[16];
  size_t size;
  fb_error unread; /* the reader of the scenario says why */
  if (!path) return fb_store_no_memory(error);
  if (fb_file_read_most(path, FB_MOST_BINARY, &text, &size, &unread) == FB_OK) {
    snprintf(sum, sizeof sum, "%u", (unsigned)fb_store_sum(text, size));
    found[number].whole = strcmp(fb_node_text(fb_node_item(sums, number)), sum) == 0;
    if (!found[number].other) found[number].other = path, path = NULL;
  }
  free(text);
  free(path);
  return FB_OK;
}

static fb_status check_copies(const char* inputs, const fb_node* sums, found_copy* found, fb_error* error) {
  DIR* folder = opendir(inputs);
  fb_status status = FB_OK;
  if (!folder) return FB_OK; /* likewise */
  for (struct dirent* entry; !status && (entry = readdir(folder));)
    status = check_copy(inputs, entry->d_name, sums, found, error);
  closedir(folder);
  return status;
}

fb_status fb_run_check_copies(const char* inputs, const char* sums, fb_error* error) {
  fb_doc* doc = NULL;
  fb_status status = fb_doc_parse(sums, strlen(sums), "inputs of the run", &doc, error);
  if (status != FB_OK) return status;
  const fb_node* list = fb_doc_root(doc);
  int count = fb_node_count(list);
  found_copy* found = calloc((size_t)count + 1, sizeof *found);
  status = found ? check_copies(inputs, list, found, error) : fb_store_no_memory(error);
  for (int i = 0; i < count && found; i++) {
    if (!status && !found[i].whole && found[i].other) status = fb_run_copy_changed(found[i].other, error);
    free(found[i].other);
  }
  free(found);
  fb_doc_free(doc);
  return status;
}

/* --- after --- */

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
