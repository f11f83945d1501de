/* export.c -- exports a run, or a part of it, in the format of the file's extension. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include <freebody/support/files.h>

#include "run/export/formats.h"
#include "run/store/store.h"
#include "text/files.h"

typedef enum format { FORMAT_NONE, FORMAT_CSV, FORMAT_HDF5 } format;

static int ends_in(const char* file, const char* ending) {
  size_t n = strlen(file), m = strlen(ending);
  return n >= m && strcasecmp(file + n - m, ending) == 0;
}

static format format_of(const char* file) {
  if (strcmp(file, "-") == 0 || ends_in(file, ".csv")) return FORMAT_CSV;
  return ends_in(file, ".h5") || ends_in(file, ".hdf5") ? FORMAT_HDF5 : FORMAT_NONE;
}

fb_status fb_store_export_check(const char* file, fb_error* error) {
  format f = format_of(file);
  if (f == FORMAT_NONE)
    return fb_file_fail(
        file, error, FB_ERR_ARG,
        "the extension selects the format and must be .csv or .h5 ('-' is CSV on standard output)");
#ifndef FB_HDF5
  if (f == FORMAT_HDF5)
    return fb_file_fail(file, error, FB_ERR_UNSUPPORTED,
                        "this Freebody was built without HDF5; export to .csv, or install the serial "
                        "HDF5 library (Debian: libhdf5-dev) and build again");
#endif
  return FB_OK;
}

static fb_status write_csv_file(fb_store* run, const fb_output* output, const fb_store_part* part,
                                fb_error* error) {
  const char* shown = output->shown;
  FILE* stream = fb_output_stream(output);
  if (!stream) return fb_file_fail(shown, error, FB_ERR_IO, "cannot open the file: %s", strerror(errno));
  fb_status status = fb_store_write_csv(run, part, stream, shown, error);
  if (fclose(stream) != 0 && status == FB_OK)
    status = fb_file_fail(shown, error, FB_ERR_IO, "cannot write the file: %s", strerror(errno));
  return status;
}

static fb_status write_hdf5_file(fb_store* run, const fb_output* output, const fb_store_part* part,
                                 fb_error* error) {
#ifdef FB_HDF5
  return fb_store_write_hdf5(run, part, output->descriptor, output->shown, error);
#else
  (void)run;
  (void)part;
  return fb_store_export_check(output->shown, error);
#endif
}

/* HDF5 goes to and fro in its file. Asked before the file is opened, for a pipe would wait for its reader. */
static fb_status check_place(const char* file, fb_error* error) {
  struct stat info;
  if (format_of(file) != FORMAT_HDF5 || stat(file, &info) != 0 || S_ISREG(info.st_mode) ||
      S_ISDIR(info.st_mode))
    return FB_OK;
  return fb_file_fail(file, error, FB_ERR_ARG, "HDF5 needs an ordinary file; a device or pipe takes CSV");
}

fb_status fb_store_export_part(fb_store* run, const char* file, const fb_store_part* part, fb_error* error) {
  fb_status status = fb_store_export_check(file, error);
  if (status != FB_OK) return status;
  if (strcmp(file, "-") == 0) return fb_store_write_csv(run, part, stdout, "standard output", error);
  fb_output output;
  status = check_place(file, error);
  if (status == FB_OK) status = fb_output_open(file, &output, error);
  if (status != FB_OK) return status;
  status = format_of(file) == FORMAT_HDF5 ? write_hdf5_file(run, &output, part, error)
                                          : write_csv_file(run, &output, part, error);
  return fb_output_close(&output, status, error);
}

/* Each signal once: HDF5 knows them by name. */
static fb_status check_part(const fb_store* run, const int* signals, int count, fb_error* error) {
  if (count < 0) return fb_fail(error, FB_ERR_ARG, "an export of %d signals", count);
  char* seen = calloc((size_t)run->nsignal + 1, 1);
  if (!seen) return fb_store_no_memory(error);
  fb_status status = FB_OK;
  for (int i = 0; i < count && status == FB_OK; i++) {
    if (signals[i] < 0 || signals[i] >= run->nsignal)
      status = fb_file_fail(run->path, error, FB_ERR_ARG, "signal number %d of a run that has %d", signals[i],
                            run->nsignal);
    else if (seen[signals[i]]++)
      status = fb_file_fail(run->path, error, FB_ERR_ARG, "signal '%s' is named twice",
                            run->signals[signals[i]].name);
  }
  free(seen);
  return status;
}

fb_status fb_store_export(fb_store* run, const char* file, const int* signals, int count, fb_error* error) {
  int* all = NULL;
  if (!signals) {
    count = run->nsignal;
    all = malloc(((size_t)count + 1) * sizeof *all);
    if (!all) return fb_store_no_memory(error);
    for (int i = 0; i < count; i++) all[i] = i;
  }
  fb_store_part part = {signals ? signals : all, count, 0, fb_store_nsample(run), -INFINITY, INFINITY};
  fb_status status = check_part(run, part.signals, count, error);
  if (status == FB_OK) status = fb_store_export_part(run, file, &part, error);
  free(all);
  return status;
}
