/* columns.c -- the samples of a run as columns of the page: a line with the pyramid, a line for each block.
 *
 * The store keeps all signals of some samples together, the page all samples of a signal. So the store is read once
 * from its beginning to its end, every block of every column is packed, and a spool file keeps the pieces until their
 * column is written. Memory: a block of some hundred columns, 8 bytes for each piece, and the pyramid of one column,
 * which has two numbers for FB_PAGE_BUCKET samples. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/pool.h"
#include "picture/page/parts.h"
#include "text/files.h"

enum { MOST_AT_ONCE = 256 /* columns that are read together */, BUCKETS = FB_PAGE_BLOCK / FB_PAGE_BUCKET };

/* The least values of the buckets of one block, then the greatest. */
typedef struct piece_head {
  double least[BUCKETS], greatest[BUCKETS];
} piece_head;

typedef struct columns {
  fb_pool pool;
  fb_store* run;
  FILE* spool;
  long long nsample;
  int ncolumn; /* signals and time */
  long long nblock;
  long long*
      ends; /* [nblock][ncolumn] where a piece ends in the spool; the one before it ends where it begins */
  double* values;    /* [MOST_AT_ONCE][FB_PAGE_BLOCK] */
  int* signals;      /* [MOST_AT_ONCE] */
  double* pyramid;   /* [2 nbucket] */
  long long nbucket; /* 0: the run fits into one block */
  unsigned char *planes, *packed;
} columns;

static long long block_size(const columns* c, long long block) {
  long long left = c->nsample - block * FB_PAGE_BLOCK;
  return left < FB_PAGE_BLOCK ? left : FB_PAGE_BLOCK;
}

static fb_status fail_spool(const fb_page_out* out, fb_error* error) {
  return fb_file_fail(out->shown, error, FB_ERR_IO,
                      "cannot keep what is to be written in a file in between: %s", strerror(errno));
}

/* --- into the spool --- */

/* A file without a name, on the disk that the page is written to, which has to have the room anyway. */
static FILE* open_spool(const fb_page_out* out) {
  if (!out->beside) return tmpfile();
  size_t size = strlen(out->beside) + 8;
  char* name = malloc(size);
  if (!name) return NULL;
  snprintf(name, size, "%sXXXXXX", out->beside);
  int descriptor = mkstemp(name), unnamed = descriptor >= 0 && unlink(name) == 0;
  FILE* stream = unnamed ? fdopen(descriptor, "w+b") : NULL;
  if (descriptor >= 0 && !stream) {
    int reason = errno;
    if (!unnamed) unlink(name);
    close(descriptor);
    errno = reason;
  }
  free(name);
  return stream;
}

static void find_extremes(const double* x, long long count, piece_head* head) {
  for (long long b = 0; b * FB_PAGE_BUCKET < count; b++) {
    long long end = (b + 1) * FB_PAGE_BUCKET < count ? (b + 1) * FB_PAGE_BUCKET : count;
    double least = NAN, greatest = NAN; /* of a bucket that holds no number */
    for (long long i = b * FB_PAGE_BUCKET; i < end; i++) {
      if (!(x[i] >= least)) least = isnan(x[i]) ? least : x[i];
      if (!(x[i] <= greatest)) greatest = isnan(x[i]) ? greatest : x[i];
    }
    head->least[b] = least;
    head->greatest[b] = greatest;
  }
}

static fb_status spool_piece(columns* c, const fb_page_out* out, const double* x, long long count,
                             fb_error* error) {
  piece_head head = {0};
  size_t size;
  find_extremes(x, count, &head);
  fb_status status = fb_page_pack(x, (size_t)count, c->planes, c->packed, &size, error);
  if (status != FB_OK) return status;
  if (fwrite(&head, sizeof head, 1, c->spool) != 1 || fwrite(c->packed, 1, size, c->spool) != size)
    return fail_spool(out, error);
  return FB_OK;
}

static fb_status spool_block(columns* c, const fb_page_out* out, long long block, fb_error* error) {
  long long count = block_size(c, block);
  fb_status status = FB_OK;
  for (int from = 0; from < c->ncolumn && status == FB_OK; from += MOST_AT_ONCE) {
    int n = c->ncolumn - from < MOST_AT_ONCE ? c->ncolumn - from : MOST_AT_ONCE;
    for (int i = 0; i < n; i++) c->signals[i] = from + i - 1;
    status = fb_store_read_signals(c->run, c->signals, n, block * FB_PAGE_BLOCK, count, c->values, error);
    for (int i = 0; i < n && status == FB_OK; i++) {
      status = spool_piece(c, out, c->values + i * count, count, error);
      c->ends[block * c->ncolumn + from + i] = (long long)ftello(c->spool);
    }
  }
  return status;
}

/* --- out of it --- */

/* Reads a piece: its extremes, and its packed bytes into c->packed. */
static fb_status recall(columns* c, const fb_page_out* out, long long piece, piece_head* head, size_t* size,
                        fb_error* error) {
  long long from = piece > 0 ? c->ends[piece - 1] : 0;
  if (fseeko(c->spool, (off_t)from, SEEK_SET) != 0 || fread(head, sizeof *head, 1, c->spool) != 1)
    return fail_spool(out, error);
  if (!size) return FB_OK;
  *size = (size_t)(c->ends[piece] - from) - sizeof *head;
  return fread(c->packed, 1, *size, c->spool) == *size ? FB_OK : fail_spool(out, error);
}

static fb_status put_pyramid(columns* c, const fb_page_out* out, int column, fb_error* error) {
  fb_status status = FB_OK;
  for (long long block = 0; block < c->nblock && status == FB_OK; block++) {
    piece_head head;
    status = recall(c, out, block * c->ncolumn + column, &head, NULL, error);
    if (status != FB_OK) break;
    size_t n = (size_t)(block_size(c, block) + FB_PAGE_BUCKET - 1) / FB_PAGE_BUCKET;
    memcpy(c->pyramid + block * BUCKETS, head.least, n * sizeof(double));
    memcpy(c->pyramid + c->nbucket + block * BUCKETS, head.greatest, n * sizeof(double));
  }
  size_t count = 2 * (size_t)c->nbucket, size;
  if (status == FB_OK) status = fb_page_pack(c->pyramid, count, c->planes, c->packed, &size, error);
  if (status == FB_OK) fb_page_put_base64(out, c->packed, size);
  return status;
}

static fb_status put_column(columns* c, const fb_page_out* out, int number, int column, fb_error* error) {
  char id[48];
  snprintf(id, sizeof id, "freebody-%d-%d", number, column);
  fb_page_begin(out, "text/plain", id);
  fb_status status = c->nbucket > 0 ? put_pyramid(c, out, column, error) : FB_OK;
  for (long long block = 0; block < c->nblock && status == FB_OK; block++) {
    piece_head head;
    size_t size = 0;
    fb_page_put(out, "\n", 1);
    status = recall(c, out, block * c->ncolumn + column, &head, &size, error);
    if (status == FB_OK) fb_page_put_base64(out, c->packed, size);
  }
  fb_page_end(out);
  return status == FB_OK ? fb_page_check(out, error) : status;
}

/* --- the whole --- */

static int prepare(columns* c, fb_store* run) {
  memset(c, 0, sizeof *c);
  c->run = run;
  c->nsample = fb_store_nsample(run);
  c->ncolumn = fb_store_nsignal(run) + 1;
  c->nblock = (c->nsample + FB_PAGE_BLOCK - 1) / FB_PAGE_BLOCK;
  if (c->nblock > 1) c->nbucket = (c->nsample + FB_PAGE_BUCKET - 1) / FB_PAGE_BUCKET;
  size_t most = 2 * (size_t)c->nbucket > FB_PAGE_BLOCK ? 2 * (size_t)c->nbucket : FB_PAGE_BLOCK;
  size_t at_once = c->ncolumn < MOST_AT_ONCE ? (size_t)c->ncolumn : MOST_AT_ONCE;
  c->ends = fb_pool_take(&c->pool, (size_t)c->nblock, (size_t)c->ncolumn * sizeof *c->ends);
  c->values = fb_pool_take(&c->pool, at_once, FB_PAGE_BLOCK * sizeof *c->values);
  c->signals = fb_pool_take(&c->pool, at_once, sizeof *c->signals);
  c->pyramid = fb_pool_take(&c->pool, 2 * (size_t)c->nbucket, sizeof *c->pyramid);
  c->planes = fb_pool_take(&c->pool, most, 8);
  c->packed = fb_pool_take(&c->pool, fb_page_packed_room(most), 1);
  return !c->pool.failed;
}

fb_status fb_page_put_columns(const fb_page_out* out, fb_store* run, int number, fb_error* error) {
  columns c;
  fb_status status = prepare(&c, run) ? FB_OK : fb_page_no_memory(error);
  if (status == FB_OK && !(c.spool = open_spool(out))) status = fail_spool(out, error);
  for (long long block = 0; block < c.nblock && status == FB_OK; block++)
    status = spool_block(&c, out, block, error);
  if (status == FB_OK && fflush(c.spool) != 0) status = fail_spool(out, error);
  for (int column = 0; column < c.ncolumn && status == FB_OK; column++)
    status = put_column(&c, out, number, column, error);
  if (c.spool) fclose(c.spool);
  fb_pool_free(&c.pool);
  return status;
}
