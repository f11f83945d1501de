/* api_run.c -- freebody.Run: making a run into a folder, and reading one */
#include "api.h"

#include <stdio.h>
#include <stdlib.h>

/* --- making --- */

static void release_job(void* object) {
  api_job* o = object;
  fb_run_free(o->run);
  fb_scenario_free(o->scenario);
  free(o);
}

/* The last of too many says so. */
void api_keep_note(void* user, const char* text) {
  api_notes* o = user;
  int more = o->count == API_NOTES;
  if (!more) o->count++;
  snprintf(o->text[o->count - 1], API_TEXT, "%s",
           more ? "there was more to remark, which is left out" : text);
}

static const char* note_at(const void* notes, int i) {
  return ((const api_notes*)notes)->text[i];
}

mxArray* api_hand_out(api_notes* notes) {
  mxArray* list = api_list(notes->count, note_at, notes);
  notes->count = 0;
  return list;
}

/* handle = (file, folder, settings, duration, replace) */
static void begin(mx_call* c) {
  const char *file = mx_text(c, 0, "the scenario's file name"), *folder = mx_text(c, 1, "the folder");
  fb_scenario_options options = fb_default_scenario_options();
  fb_run_options how = fb_default_run_options();
  options.set = api_texts(c, 2);
  if (c->nrhs > 3 && !mxIsEmpty(c->prhs[3])) options.duration = mx_scalar(c, 3, "the duration");
  how.replace = c->nrhs > 4 && mx_scalar(c, 4, "replace") != 0;
  fb_error error;
  api_job* o = calloc(1, sizeof *o);
  if (!o) mx_fail(c, "FB_ERR_MEMORY", "out of memory");
  how.note = api_keep_note;
  how.user = &o->notes;
  fb_status status = fb_scenario_read(file, &options, &o->scenario, &error);
  if (!status) status = fb_run_create(o->scenario, folder, &how, &o->run, &error);
  if (status) {
    release_job(o);
    mx_refuse(c, &error);
  }
  c->plhs[0] = api_keep(c, API_JOB, o, release_job);
}

/* [over, t] = (handle): goes on for a tenth of a second at most, so that Ctrl-C is heard between calls. */
static void advance(mx_call* c) {
  api_job* o = api_get(c, API_JOB);
  fb_error error;
  mx_check(c, fb_run_until(o->run, fb_scenario_duration(o->scenario), 0.1, &error), &error);
  mx_give(c, "over", mxCreateLogicalScalar(fb_run_state_of(o->run) != FB_RUN_RUNNING));
  mx_give(c, "t", mxCreateDoubleScalar(fb_run_time(o->run)));
}

/* [notes, doubt] = (handle): what the run has remarked, and why its motion should not be trusted, or '' */
static void doubt(mx_call* c) {
  api_job* o = api_get(c, API_JOB);
  fb_run_summary summary;
  fb_run_summarise(o->run, &summary);
  mx_give(c, "notes", api_hand_out(&o->notes));
  mx_give(c, "doubt", mxCreateString(summary.warning));
}

static void finish(mx_call* c) {
  api_job* o = api_get(c, API_JOB);
  fb_error error;
  mx_check(c, fb_run_finish(o->run, &error), &error);
  c->plhs[0] = mxCreateString(fb_run_state_name(fb_run_state_of(o->run)));
}

/* --- reading --- */

static void release_store(void* object) {
  fb_store_close(object, NULL);
}

static void open_folder(mx_call* c) {
  fb_store* store;
  fb_error error;
  mx_check(c, fb_store_open(mx_text(c, 0, "the folder"), &store, &error), &error);
  c->plhs[0] = api_keep(c, API_RUN, store, release_store);
}

static const char* name_at(const void* store, int i) {
  return fb_store_get_signal(store, i).name;
}
static const char* unit_at(const void* store, int i) {
  return fb_store_get_signal(store, i).unit;
}
static const char* event_at(const void* store, int i) {
  return fb_store_get_event(store, i).name;
}
static const char* text_at(const void* store, int i) {
  return fb_store_get_event(store, i).text;
}

static void info(mx_call* c) {
  static const char* NAMES[] = {"names",   "units",       "samples",    "status",
                                "event_t", "event_names", "event_texts"};
  fb_store* store = api_get(c, API_RUN);
  int signals = fb_store_nsignal(store), events = fb_store_nevent(store);
  const char* status = fb_store_get_text(store, "status");
  mxArray *out = mxCreateStructMatrix(1, 1, 7, NAMES), *t = mx_matrix((size_t)events, 1, NULL);
  for (int i = 0; i < events; i++) mxGetPr(t)[i] = fb_store_get_event(store, i).t;
  api_set(out, "names", api_list(signals, name_at, store));
  api_set(out, "units", api_list(signals, unit_at, store));
  api_set(out, "samples", mxCreateDoubleScalar((double)fb_store_nsample(store)));
  api_set(out, "status", mxCreateString(status ? status : ""));
  api_set(out, "event_t", t);
  api_set(out, "event_names", api_list(events, event_at, store));
  api_set(out, "event_texts", api_list(events, text_at, store));
  c->plhs[0] = out;
}

/* [values, names] = (handle, name): samples in rows, a column for each signal that the name stands for; '' is time. */
static void read_signals(mx_call* c) {
  fb_store* store = api_get(c, API_RUN);
  const char* name = mx_text(c, 1, "the signal");
  int* signals = mxCalloc((size_t)fb_store_nsignal(store) + 1, sizeof *signals);
  int count = 0;
  fb_error error;
  if (name[0])
    mx_check(c, fb_store_select(store, name, signals, &count, &error), &error);
  else
    signals[count++] = -1;
  size_t samples = (size_t)fb_store_nsample(store);
  mxArray* values = mx_matrix(samples, (size_t)count, NULL);
  mx_check(c, fb_store_read_signals(store, signals, count, 0, (long long)samples, mxGetPr(values), &error),
           &error);
  mxArray* names = mxCreateCellMatrix(1, (mwSize)count);
  for (int i = 0; i < count; i++)
    mxSetCell(names, (mwIndex)i,
              mxCreateString(signals[i] < 0 ? "t" : fb_store_get_signal(store, signals[i]).name));
  mx_give(c, "values", values);
  mx_give(c, "names", names);
}

static void export_run(mx_call* c) {
  fb_store* store = api_get(c, API_RUN);
  fb_error error;
  mx_check(c, fb_store_export(store, mx_text(c, 1, "the file name"), NULL, 0, &error), &error);
}

const mx_function API_RUN_FUNCTIONS[] = {
    {"Run.begin", begin},       {"Run.advance", advance}, {"Run.finish", finish},
    {"Run.open", open_folder},  {"Run.info", info},       {"Run.read", read_signals},
    {"Run.export", export_run}, {"Run.doubt", doubt},     {NULL, NULL}};
