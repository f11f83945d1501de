/* run_hdf5.c -- a run as HDF5: /t and /signals/NAME, float64, each with its unit, axes and meaning as
 * attributes, and /events/t, name and text.
 *
 * Samples go in chunk by chunk, whole chunks only, so nothing waits in HDF5's own buffers. No times are
 * stored, so the same run gives the same bytes. */
#ifdef FB_HDF5
#include <hdf5.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/version.h>

#include "io/run_formats.h"
#include "io/run_hdf5_file.h"
#include "io/run_store.h"

enum { CHUNK = 4096 /* samples: 32 KiB a signal */, DEFLATE_LEVEL = 4 };

typedef struct writer {
  fb_run* run;
  const fb_run_part* part;
  hid_t file, group_list, dataset_list; /* lists of properties for what is made */
  hid_t* datasets;                      /* t, then the signals */
  int opened;
  int reason; /* errno of the first write that failed */
} writer;

static fb_status fail_write(const writer* w, const char* shown, fb_error* error) {
  return fb_run_fail_at(shown, error, FB_ERR_IO, "cannot write the file: %s",
                        w->reason ? strerror(w->reason) : "HDF5 refuses, or memory ran out");
}

/* --- attributes --- */

/* An attribute of UTF-8 text, of the text's own length. */
static int put_text(hid_t object, const char* name, const char* text) {
  size_t size = strlen(text);
  hid_t type = H5Tcopy(H5T_C_S1), space = H5Screate(H5S_SCALAR);
  int good = H5Tset_size(type, size ? size : 1) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
             H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0;
  hid_t attribute = good ? H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT) : H5I_INVALID_HID;
  good = attribute >= 0 && H5Awrite(attribute, type, text) >= 0;
  if (attribute >= 0) good = H5Aclose(attribute) >= 0 && good;
  H5Sclose(space);
  H5Tclose(type);
  return good;
}

static int put_int(hid_t object, const char* name, int value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t attribute = H5Acreate2(object, name, H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT);
  int good = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT, &value) >= 0;
  if (attribute >= 0) good = H5Aclose(attribute) >= 0 && good;
  H5Sclose(space);
  return good;
}

/* --- samples --- */

static int make_dataset(writer* w, const char* path, const fb_run_signal* s) {
  hsize_t size = (hsize_t)w->part->count, chunk = size < CHUNK ? size : CHUNK;
  hid_t space = H5Screate_simple(1, &size, NULL), list = H5Pcopy(w->dataset_list);
  hid_t links = H5Pcreate(H5P_LINK_CREATE), access = H5Pcreate(H5P_DATASET_ACCESS);
  H5Pset_create_intermediate_group(links, 1); /* a name with a slash in it */
  H5Pset_char_encoding(links, H5T_CSET_UTF8);
  H5Pset_chunk_cache(access, 1, 0, 1.0); /* whole chunks need no cache */
  if (size > 0) {
    H5Pset_chunk(list, 1, &chunk);
    if (H5Zfilter_avail(H5Z_FILTER_SHUFFLE) > 0) H5Pset_shuffle(list);
    if (H5Zfilter_avail(H5Z_FILTER_DEFLATE) > 0) H5Pset_deflate(list, DEFLATE_LEVEL);
  }
  hid_t dataset = H5Dcreate2(w->file, path, H5T_IEEE_F64LE, space, links, list, access);
  int good = dataset >= 0 && put_text(dataset, "unit", s->unit) && put_text(dataset, "axes", s->axes) &&
             put_text(dataset, "meaning", s->meaning);
  if (dataset >= 0) w->datasets[w->opened++] = dataset;
  H5Pclose(access);
  H5Pclose(links);
  H5Pclose(list);
  H5Sclose(space);
  return good;
}

static int make_datasets(writer* w) {
  const fb_run_signal time = {"t", "s", "", "time"};
  if (!make_dataset(w, "/t", &time)) return 0;
  hid_t group = H5Gcreate2(w->file, "/signals", H5P_DEFAULT, w->group_list, H5P_DEFAULT);
  int good = group >= 0 && H5Gclose(group) >= 0;
  for (int i = 0; good && i < w->part->nsignal; i++) {
    fb_run_signal s = fb_run_signal_at(w->run, w->part->signals[i]);
    size_t size = strlen(s.name) + 10;
    char* path = (char*)malloc(size);
    if (!path) return 0;
    snprintf(path, size, "/signals/%s", s.name);
    good = make_dataset(w, path, &s);
    free(path);
  }
  return good;
}

static int write_chunk(hid_t dataset, long long at, long long count, const double* values) {
  hsize_t start = (hsize_t)at, n = (hsize_t)count;
  hid_t memory = H5Screate_simple(1, &n, NULL), space = H5Dget_space(dataset);
  int good = H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &n, NULL) >= 0 &&
             H5Dwrite(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
  H5Sclose(space);
  H5Sclose(memory);
  return good;
}

static fb_status write_samples(writer* w, const char* shown, fb_error* error) {
  const fb_run_part* part = w->part;
  size_t width = (size_t)part->nsignal + 1;
  int* columns = (int*)malloc(width * sizeof *columns);
  double* values = (double*)malloc(width * CHUNK * sizeof *values);
  fb_status status = columns && values ? FB_OK : fb_run_no_memory(error);
  if (status == FB_OK) {
    columns[0] = -1;
    if (part->nsignal > 0) memcpy(columns + 1, part->signals, (width - 1) * sizeof *columns);
  }
  for (long long done = 0; done < part->count && status == FB_OK; done += CHUNK) {
    long long n = part->count - done < CHUNK ? part->count - done : CHUNK;
    status = fb_run_read_many(w->run, columns, (int)width, part->first + done, n, values, error);
    for (size_t i = 0; i < width && status == FB_OK; i++)
      if (!write_chunk(w->datasets[i], done, n, values + (long long)i * n) || w->reason)
        status = fail_write(w, shown, error);
  }
  free(values);
  free(columns);
  return status;
}

/* --- events --- */

typedef struct chosen_events {
  hsize_t count;
  size_t first; /* number of the first */
} chosen_events;

/* Events are in order of time, so those of a span stand together. */
static chosen_events choose_events(const writer* w) {
  chosen_events chosen = {0, 0};
  for (int i = 0; i < fb_run_nevent(w->run); i++) {
    double t = fb_run_event_at(w->run, i).t;
    if (t < w->part->from || t > w->part->to) continue;
    if (chosen.count++ == 0) chosen.first = (size_t)i;
  }
  return chosen;
}

static int write_event_data(writer* w, const char* path, hid_t type, hsize_t count, const void* data) {
  hid_t space = H5Screate_simple(1, &count, NULL);
  hid_t dataset = H5Dcreate2(w->file, path, type, space, H5P_DEFAULT, w->dataset_list, H5P_DEFAULT);
  int good =
      dataset >= 0 && (count == 0 || H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  if (good && type == H5T_NATIVE_DOUBLE) good = put_text(dataset, "unit", "s");
  if (dataset >= 0) good = H5Dclose(dataset) >= 0 && good;
  H5Sclose(space);
  return good;
}

/* Texts of one length, the longest one's, filled up with zeros. */
static int write_event_texts(writer* w, const char* path, chosen_events chosen, int names) {
  size_t size = 1, n = (size_t)chosen.count;
  for (size_t i = 0; i < n; i++) {
    fb_run_event e = fb_run_event_at(w->run, (int)(chosen.first + i));
    size_t length = strlen(names ? e.name : e.text);
    if (length > size) size = length;
  }
  char* data = (char*)calloc(n + 1, size);
  if (!data) return 0;
  for (size_t i = 0; i < n; i++) {
    fb_run_event e = fb_run_event_at(w->run, (int)(chosen.first + i));
    const char* text = names ? e.name : e.text;
    for (size_t k = 0; text[k]; k++) data[i * size + k] = text[k];
  }
  hid_t type = H5Tcopy(H5T_C_S1);
  int good = H5Tset_size(type, size) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
             H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 && write_event_data(w, path, type, chosen.count, data);
  H5Tclose(type);
  free(data);
  return good;
}

static int write_events(writer* w) {
  chosen_events chosen = choose_events(w);
  hid_t group = H5Gcreate2(w->file, "/events", H5P_DEFAULT, w->group_list, H5P_DEFAULT);
  double* times = (double*)malloc(((size_t)chosen.count + 1) * sizeof *times);
  int good = group >= 0 && times;
  for (size_t i = 0; good && i < (size_t)chosen.count; i++)
    times[i] = fb_run_event_at(w->run, (int)(chosen.first + i)).t;
  good = good && write_event_data(w, "/events/t", H5T_NATIVE_DOUBLE, chosen.count, times) &&
         write_event_texts(w, "/events/name", chosen, 1) && write_event_texts(w, "/events/text", chosen, 0);
  if (group >= 0) H5Gclose(group);
  free(times);
  return good;
}

/* --- the file --- */

static fb_status write_all(writer* w, const char* shown, fb_error* error) {
  const char* name = fb_run_text(w->run, "name");
  int good = put_text(w->file, "format", "freebody-run") && put_int(w->file, "version", FB_RUN_VERSION) &&
             put_text(w->file, "freebody", fb_version()) && put_text(w->file, "name", name ? name : "") &&
             make_datasets(w) && write_events(w);
  if (!good) return fail_write(w, shown, error);
  return write_samples(w, shown, error);
}

static void close_all(writer* w) {
  for (int i = 0; i < w->opened; i++) H5Dclose(w->datasets[i]);
  if (w->file >= 0) H5Fclose(w->file);
}

static fb_status write_file(writer* w, int descriptor, const char* shown, fb_error* error) {
  hid_t access = H5Pcreate(H5P_FILE_ACCESS), creation = H5Pcreate(H5P_FILE_CREATE);
  hid_t driver = fb_run_hdf5_driver(access, descriptor, &w->reason);
  w->group_list = H5Pcreate(H5P_GROUP_CREATE);
  w->dataset_list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(creation, 0);
  H5Pset_obj_track_times(w->group_list, 0);
  H5Pset_obj_track_times(w->dataset_list, 0);
  w->file = driver < 0 ? H5I_INVALID_HID : H5Fcreate(shown, H5F_ACC_TRUNC, creation, access);
  fb_status status = w->file < 0 ? fail_write(w, shown, error) : write_all(w, shown, error);
  close_all(w);
  if (status == FB_OK && w->reason) status = fail_write(w, shown, error);
  H5Pclose(w->dataset_list);
  H5Pclose(w->group_list);
  H5Pclose(creation);
  H5Pclose(access);
  if (driver >= 0) H5FDunregister(driver);
  return status;
}

fb_status fb_run_write_hdf5(fb_run* run, const fb_run_part* part, int descriptor, const char* shown,
                            fb_error* error) {
  writer w;
  memset(&w, 0, sizeof w);
  w.run = run;
  w.part = part;
  w.datasets = (hid_t*)calloc((size_t)part->nsignal + 1, sizeof *w.datasets);
  if (!w.datasets) return fb_run_no_memory(error);
  /* HDF5 prints its errors unless told otherwise; the caller's wish is put back. */
  H5E_auto2_t print;
  void* print_data;
  H5Eget_auto2(H5E_DEFAULT, &print, &print_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  fb_status status = write_file(&w, descriptor, shown, error);
  H5Eset_auto2(H5E_DEFAULT, print, print_data);
  free(w.datasets);
  return status;
}
#else
/* Without HDF5 run_export.c says so; a file of C holds at least one declaration. */
typedef int fb_run_no_hdf5;
#endif
