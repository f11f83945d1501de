/* hdf5.c -- a run as HDF5: /t and /signals/NAME, float64, each with its unit, axes and meaning as
 * attributes, and /events/t, name and text.
 *
 * Samples go in chunk by chunk, whole chunks only, so nothing waits in HDF5's own buffers. No times are
 * stored, so the same run gives the same bytes.
 *
 * HDF5 1.10 does not survive it when memory runs out: it may crash inside, or call exit. What it reports is
 * reported here, every call is checked, and none follows on one that failed but to close what is open; the
 * rest is for the command, which exports in a child process. */
#ifdef FB_HDF5
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/version.h>

#include "run/export/formats.h"
#include "run/export/hdf5_file.h"
#include "run/export/hdf5_library.h"
#include "run/store/store.h"
#include "text/files.h"

enum { CHUNK = 4096 /* samples: 32 KiB a signal */, DEFLATE_LEVEL = 4 };
static const unsigned TRUNCATE = 2; /* H5F_ACC_TRUNC, which as a macro calls the library by name */

typedef struct writer {
  fb_store* run;
  const fb_store_part* part;
  hid_t file, group_list, dataset_list; /* lists of properties for what is made */
  hid_t* datasets;                      /* t, then the signals */
  int opened;
  int reason;   /* errno of the first write that failed */
  int unclosed; /* HDF5 could not close the file, so it may still write to it */
} writer;

static fb_status fail_write(const writer* w, const char* shown, fb_error* error) {
  return fb_file_fail(shown, error, FB_ERR_IO, "cannot write the file: %s",
                      w->reason ? strerror(w->reason) : "HDF5 refuses, or memory ran out");
}

/* --- handles: each is there, or H5I_INVALID_HID and nothing is done with it --- */

static int end(hid_t handle, herr_t (*close)(hid_t handle)) {
  return handle >= 0 && close(handle) >= 0;
}

/* Texts of a length, in UTF-8 whatever they are marked as. */
static hid_t text_type(size_t size, H5T_cset_t set) {
  hid_t type = fb_h5.Tcopy(*fb_h5.T_C_S1);
  if (type < 0 || (fb_h5.Tset_size(type, size ? size : 1) >= 0 && fb_h5.Tset_cset(type, set) >= 0 &&
                   fb_h5.Tset_strpad(type, H5T_STR_NULLPAD) >= 0))
    return type;
  fb_h5.Tclose(type);
  return H5I_INVALID_HID;
}

/* A list of properties for something that is made, without the time at which it is. */
static hid_t timeless(hid_t kind) {
  hid_t list = kind < 0 ? H5I_INVALID_HID : fb_h5.Pcreate(kind);
  if (list < 0 || fb_h5.Pset_obj_track_times(list, 0) >= 0) return list;
  fb_h5.Pclose(list);
  return H5I_INVALID_HID;
}

/* --- attributes --- */

static int put_attribute(hid_t object, const char* name, hid_t stored, hid_t given, const void* value) {
  hid_t space = fb_h5.Screate(H5S_SCALAR), attribute = H5I_INVALID_HID;
  if (space >= 0) attribute = fb_h5.Acreate2(object, name, stored, space, H5P_DEFAULT, H5P_DEFAULT);
  int good = attribute >= 0 && fb_h5.Awrite(attribute, given, value) >= 0;
  good = end(attribute, fb_h5.Aclose) && good;
  return end(space, fb_h5.Sclose) && good;
}

/* An attribute of UTF-8 text, of the text's own length. */
static int put_text(hid_t object, const char* name, const char* text) {
  hid_t type = text_type(strlen(text), H5T_CSET_UTF8);
  int good = type >= 0 && put_attribute(object, name, type, type, text);
  return end(type, fb_h5.Tclose) && good;
}

static int put_int(hid_t object, const char* name, int value) {
  return put_attribute(object, name, *fb_h5.T_STD_I32LE, *fb_h5.T_NATIVE_INT, &value);
}

/* --- samples --- */

/* Chunks, compressed as far as this HDF5 can. */
static int set_chunks(hid_t list, hsize_t size) {
  hsize_t chunk = size < CHUNK ? size : CHUNK;
  if (size == 0) return 1;
  htri_t shuffle = fb_h5.Zfilter_avail(H5Z_FILTER_SHUFFLE), deflate = fb_h5.Zfilter_avail(H5Z_FILTER_DEFLATE);
  return shuffle >= 0 && deflate >= 0 && fb_h5.Pset_chunk(list, 1, &chunk) >= 0 &&
         (!shuffle || fb_h5.Pset_shuffle(list) >= 0) &&
         (!deflate || fb_h5.Pset_deflate(list, DEFLATE_LEVEL) >= 0);
}

/* A link may have a slash in its name. Whole chunks need no cache. */
static int set_lists(hid_t links, hid_t list, hid_t access, hsize_t size) {
  return links >= 0 && list >= 0 && access >= 0 && fb_h5.Pset_create_intermediate_group(links, 1) >= 0 &&
         fb_h5.Pset_char_encoding(links, H5T_CSET_UTF8) >= 0 &&
         fb_h5.Pset_chunk_cache(access, 1, 0, 1.0) >= 0 && set_chunks(list, size);
}

static int make_dataset(writer* w, const char* path, const fb_store_signal* s) {
  hsize_t size = (hsize_t)w->part->count;
  hid_t space = fb_h5.Screate_simple(1, &size, NULL), list = fb_h5.Pcopy(w->dataset_list);
  hid_t links = fb_h5.Pcreate(*fb_h5.P_CLS_LINK_CREATE_ID),
        access = fb_h5.Pcreate(*fb_h5.P_CLS_DATASET_ACCESS_ID);
  hid_t dataset = H5I_INVALID_HID;
  if (space >= 0 && set_lists(links, list, access, size))
    dataset = fb_h5.Dcreate2(w->file, path, *fb_h5.T_IEEE_F64LE, space, links, list, access);
  if (dataset >= 0) w->datasets[w->opened++] = dataset;
  int good = dataset >= 0 && put_text(dataset, "unit", s->unit) && put_text(dataset, "axes", s->axes) &&
             put_text(dataset, "meaning", s->meaning);
  good = end(access, fb_h5.Pclose) && good;
  good = end(links, fb_h5.Pclose) && good;
  good = end(list, fb_h5.Pclose) && good;
  return end(space, fb_h5.Sclose) && good;
}

static int make_datasets(writer* w) {
  const fb_store_signal time = {"t", "s", "", "time"};
  if (!make_dataset(w, "/t", &time)) return 0;
  hid_t group = fb_h5.Gcreate2(w->file, "/signals", H5P_DEFAULT, w->group_list, H5P_DEFAULT);
  int good = group >= 0 && fb_h5.Gclose(group) >= 0;
  for (int i = 0; good && i < w->part->nsignal; i++) {
    fb_store_signal s = fb_store_get_signal(w->run, w->part->signals[i]);
    size_t size = strlen(s.name) + 10;
    char* path = malloc(size);
    if (!path) return 0;
    snprintf(path, size, "/signals/%s", s.name);
    good = make_dataset(w, path, &s);
    free(path);
  }
  return good;
}

static int write_chunk(hid_t dataset, long long at, long long count, const double* values) {
  hsize_t start = (hsize_t)at, n = (hsize_t)count;
  hid_t memory = fb_h5.Screate_simple(1, &n, NULL), space = fb_h5.Dget_space(dataset);
  int good = memory >= 0 && space >= 0 &&
             fb_h5.Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &n, NULL) >= 0 &&
             fb_h5.Dwrite(dataset, *fb_h5.T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
  good = end(space, fb_h5.Sclose) && good;
  return end(memory, fb_h5.Sclose) && good;
}

static fb_status write_samples(writer* w, const char* shown, fb_error* error) {
  const fb_store_part* part = w->part;
  size_t width = (size_t)part->nsignal + 1;
  int* columns = malloc(width * sizeof *columns);
  double* values = malloc(width * CHUNK * sizeof *values);
  fb_status status = columns && values ? FB_OK : fb_store_no_memory(error);
  if (status == FB_OK) {
    columns[0] = -1;
    if (part->nsignal > 0) memcpy(columns + 1, part->signals, (width - 1) * sizeof *columns);
  }
  for (long long done = 0; done < part->count && status == FB_OK; done += CHUNK) {
    long long n = part->count - done < CHUNK ? part->count - done : CHUNK;
    status = fb_store_read_signals(w->run, columns, (int)width, part->first + done, n, values, error);
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
  for (int i = 0; i < fb_store_nevent(w->run); i++) {
    double t = fb_store_get_event(w->run, i).t;
    if (t < w->part->from || t > w->part->to) continue;
    if (chosen.count++ == 0) chosen.first = (size_t)i;
  }
  return chosen;
}

static int write_event_data(writer* w, const char* path, hid_t type, hsize_t count, const void* data) {
  hid_t space = fb_h5.Screate_simple(1, &count, NULL), dataset = H5I_INVALID_HID;
  if (space >= 0)
    dataset = fb_h5.Dcreate2(w->file, path, type, space, H5P_DEFAULT, w->dataset_list, H5P_DEFAULT);
  int good =
      dataset >= 0 && (count == 0 || fb_h5.Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  if (good && type == *fb_h5.T_NATIVE_DOUBLE)
    good = put_text(dataset, "unit", "s");
  else if (good)
    good = put_text(dataset, "encoding", "UTF-8");
  good = end(dataset, fb_h5.Dclose) && good;
  return end(space, fb_h5.Sclose) && good;
}

/* Texts of one length, the longest one's, filled up with zeros. Octave reads nothing that is marked as UTF-8 and gives up the
 * whole file there, so an attribute says it instead. */
static int write_event_texts(writer* w, const char* path, chosen_events chosen, int names) {
  size_t size = 1, n = (size_t)chosen.count;
  for (size_t i = 0; i < n; i++) {
    fb_store_event e = fb_store_get_event(w->run, (int)(chosen.first + i));
    size_t length = strlen(names ? e.name : e.text);
    if (length > size) size = length;
  }
  char* data = calloc(n + 1, size);
  if (!data) return 0;
  for (size_t i = 0; i < n; i++) {
    fb_store_event e = fb_store_get_event(w->run, (int)(chosen.first + i));
    const char* text = names ? e.name : e.text;
    for (size_t k = 0; text[k]; k++) data[i * size + k] = text[k];
  }
  hid_t type = text_type(size, H5T_CSET_ASCII);
  int good = type >= 0 && write_event_data(w, path, type, chosen.count, data);
  good = end(type, fb_h5.Tclose) && good;
  free(data);
  return good;
}

static int write_events(writer* w) {
  chosen_events chosen = choose_events(w);
  hid_t group = fb_h5.Gcreate2(w->file, "/events", H5P_DEFAULT, w->group_list, H5P_DEFAULT);
  double* times = malloc(((size_t)chosen.count + 1) * sizeof *times);
  int good = group >= 0 && times;
  for (size_t i = 0; good && i < (size_t)chosen.count; i++)
    times[i] = fb_store_get_event(w->run, (int)(chosen.first + i)).t;
  good = good && write_event_data(w, "/events/t", *fb_h5.T_NATIVE_DOUBLE, chosen.count, times) &&
         write_event_texts(w, "/events/name", chosen, 1) && write_event_texts(w, "/events/text", chosen, 0);
  good = end(group, fb_h5.Gclose) && good;
  free(times);
  return good;
}

/* --- the file --- */

static fb_status write_all(writer* w, const char* shown, fb_error* error) {
  const char* name = fb_store_get_text(w->run, "name");
  int good = put_text(w->file, "format", "freebody-run") && put_int(w->file, "version", FB_STORE_VERSION) &&
             put_text(w->file, "freebody", fb_version()) && put_text(w->file, "name", name ? name : "") &&
             make_datasets(w) && write_events(w);
  if (!good) return fail_write(w, shown, error);
  return write_samples(w, shown, error);
}

static int close_all(writer* w) {
  int good = 1;
  for (int i = 0; i < w->opened; i++) good = end(w->datasets[i], fb_h5.Dclose) && good;
  w->unclosed = w->file >= 0 && fb_h5.Fclose(w->file) < 0;
  return good && !w->unclosed;
}

static fb_status write_file(writer* w, int descriptor, const char* shown, fb_error* error) {
  hid_t access = fb_h5.Pcreate(*fb_h5.P_CLS_FILE_ACCESS_ID), creation = timeless(*fb_h5.P_CLS_FILE_CREATE_ID);
  hid_t driver = access < 0 ? H5I_INVALID_HID : fb_store_hdf5_driver(access, descriptor, &w->reason);
  w->group_list = timeless(*fb_h5.P_CLS_GROUP_CREATE_ID);
  w->dataset_list = timeless(*fb_h5.P_CLS_DATASET_CREATE_ID);
  w->file = H5I_INVALID_HID;
  if (driver >= 0 && creation >= 0 && w->group_list >= 0 && w->dataset_list >= 0)
    w->file = fb_h5.Fcreate(shown, TRUNCATE, creation, access);
  fb_status status = w->file < 0 ? fail_write(w, shown, error) : write_all(w, shown, error);
  int closed = close_all(w);
  if (status == FB_OK && (w->reason || !closed)) status = fail_write(w, shown, error);
  end(w->dataset_list, fb_h5.Pclose);
  end(w->group_list, fb_h5.Pclose);
  end(creation, fb_h5.Pclose);
  end(access, fb_h5.Pclose);
  if (driver >= 0) fb_h5.FDunregister(driver);
  return status;
}

/* One that could not start is in pieces, and not asked again in this process. */
static int start_hdf5(void) {
  static atomic_int broken;
  if (atomic_load(&broken) || fb_h5.open() < 0) atomic_store(&broken, 1);
  return !atomic_load(&broken);
}

static fb_status write_quietly(writer* w, int descriptor, const char* shown, fb_error* error) {
  /* HDF5 prints its errors by default; the caller's setting is restored. */
  H5E_auto2_t print;
  void* print_data;
  fb_status status = fb_hdf5_load(error);
  if (status) return status;
  if (!start_hdf5() || fb_h5.Eget_auto2(H5E_DEFAULT, &print, &print_data) < 0 ||
      fb_h5.Eset_auto2(H5E_DEFAULT, NULL, NULL) < 0)
    return fb_file_fail(shown, error, FB_ERR_MEMORY, "the HDF5 library cannot start: out of memory");
  status = write_file(w, descriptor, shown, error);
  fb_h5.Eset_auto2(H5E_DEFAULT, print, print_data);
  return status;
}

fb_status fb_store_write_hdf5(fb_store* run, const fb_store_part* part, int descriptor, const char* shown,
                              fb_error* error) {
  writer* w = calloc(1, sizeof *w);
  if (w) w->datasets = calloc((size_t)part->nsignal + 1, sizeof *w->datasets);
  if (!w || !w->datasets) {
    free(w);
    return fb_store_no_memory(error);
  }
  w->run = run;
  w->part = part;
  fb_status status = write_quietly(w, descriptor, shown, error);
  free(w->datasets);
  if (!w->unclosed)
    free(w); /* otherwise w->reason is filled when HDF5 closes the file at the program's end */
  return status;
}
#else
/* Without HDF5 run/export/export.c says so; a file of C holds at least one declaration. */
typedef int fb_store_no_hdf5;
#endif
