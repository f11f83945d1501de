/* csv.c -- a run as CSV (RFC 4180 with line feeds): one line a sample, numbers in the fewest digits
 * that read back the same double, whatever the locale; times as fb_time_format has them. Numbers that are not finite are
 * nan, inf and -inf. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "run/export/formats.h"
#include "run/store/store.h"
#include "text/files.h"

enum { PIECE = 1024 }; /* samples read at a time */

/* A field, between quotes where it holds something that would end it. */
static void put_field(FILE* stream, const char* name, const char* unit) {
  int quoted = strpbrk(name, ",\"\r\n") != NULL || strpbrk(unit, ",\"\r\n") != NULL;
  if (quoted) fputc('"', stream);
  const char* const parts[] = {name, " [", unit, "]"};
  for (int i = 0; i < (unit[0] ? 4 : 1); i++)
    for (const char* c = parts[i]; *c; c++) {
      if (*c == '"') fputc('"', stream);
      fputc(*c, stream);
    }
  if (quoted) fputc('"', stream);
}

static void put_header(FILE* stream, const fb_store* run, const fb_store_part* part) {
  put_field(stream, "t", "s");
  for (int i = 0; i < part->nsignal; i++) {
    fb_store_signal s = fb_store_get_signal(run, part->signals[i]);
    fputc(',', stream);
    put_field(stream, s.name, s.unit);
  }
  fputc('\n', stream);
}

static fb_status fail_write(const char* shown, fb_error* error) {
  return fb_file_fail(shown, error, FB_ERR_IO, "cannot write the file: %s", strerror(errno));
}

static fb_status put_samples(fb_store* run, const fb_store_part* part, const int* columns, double* values,
                             FILE* stream, const char* shown, fb_error* error) {
  fb_status status = FB_OK;
  char time[32], number[32];
  for (long long done = 0; done < part->count && status == FB_OK; done += PIECE) {
    long long n = part->count - done < PIECE ? part->count - done : PIECE;
    status = fb_store_read_signals(run, columns, part->nsignal + 1, part->first + done, n, values, error);
    for (long long i = 0; i < n && status == FB_OK; i++) {
      fputs(fb_time_format(values[i], time), stream);
      for (int j = 1; j <= part->nsignal; j++) {
        fputc(',', stream);
        double x = values[j * n + i];
        fputs(isnan(x) ? "nan" : fb_number_format(x, number), stream);
      }
      fputc('\n', stream);
    }
    if (status == FB_OK && ferror(stream)) status = fail_write(shown, error);
  }
  return status;
}

fb_status fb_store_write_csv(fb_store* run, const fb_store_part* part, FILE* stream, const char* shown,
                             fb_error* error) {
  size_t width = (size_t)part->nsignal + 1;
  int* columns = malloc(width * sizeof *columns);
  double* values = malloc(width * PIECE * sizeof *values);
  fb_status status = columns && values ? FB_OK : fb_store_no_memory(error);
  if (status == FB_OK) {
    columns[0] = -1;
    if (part->nsignal > 0) memcpy(columns + 1, part->signals, (width - 1) * sizeof *columns);
    put_header(stream, run, part);
    status = put_samples(run, part, columns, values, stream, shown, error);
  }
  if (status == FB_OK && fflush(stream) != 0) status = fail_write(shown, error);
  free(columns);
  free(values);
  return status;
}
