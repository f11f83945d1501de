/* hdf5_file.c -- a file driver for HDF5 whose writes never fail in HDF5's eyes.
 *
 * HDF5 cannot close a file that it cannot write: the file stays half open, and the library crashes when
 * the program ends (seen with 1.10.8 on a full disk). So this driver keeps the first failure to itself,
 * drops what is written after it, and the export looks at the reason before it lets the file take its
 * place.
 *
 * It writes to a file that is open already, as output.c made it, and opens none by name; HDF5, which opens a
 * new file twice to see whether it has it open, gets a copy of the descriptor each time. */
#ifdef FB_HDF5
#include "run/export/hdf5_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run/export/hdf5_library.h"

typedef struct driver_info {
  int descriptor;
  int* reason;
} driver_info;

typedef struct driver_file {
  H5FD_t base; /* first: HDF5's own */
  int descriptor;
  haddr_t eoa, eof; /* ends of what is in use, and of the file */
  int* reason;
} driver_file;

static H5FD_t* driver_open(const char* name, unsigned flags, hid_t access, haddr_t most) {
  (void)name;
  (void)flags;
  (void)most;
  const driver_info* info = (const driver_info*)fb_h5.Pget_driver_info(access);
  driver_file* file = info ? calloc(1, sizeof *file) : NULL;
  if (!file) return NULL;
  file->reason = info->reason;
  file->descriptor = fcntl(info->descriptor, F_DUPFD_CLOEXEC, 0);
  if (file->descriptor >= 0 && ftruncate(file->descriptor, 0) == 0) return &file->base;
  *file->reason = errno;
  if (file->descriptor >= 0) close(file->descriptor);
  free(file);
  return NULL;
}

static herr_t driver_close(H5FD_t* base) {
  driver_file* file = (driver_file*)base;
  if (close(file->descriptor) != 0 && !*file->reason) *file->reason = errno;
  free(file);
  return 0;
}

static int driver_compare(const H5FD_t* a, const H5FD_t* b) {
  int x = ((const driver_file*)a)->descriptor, y = ((const driver_file*)b)->descriptor;
  return (x > y) - (x < y);
}

static herr_t driver_query(const H5FD_t* base, unsigned long* flags) {
  (void)base;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t driver_eoa(const H5FD_t* base, H5FD_mem_t type) {
  (void)type;
  return ((const driver_file*)base)->eoa;
}

static herr_t driver_set_eoa(H5FD_t* base, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((driver_file*)base)->eoa = address;
  return 0;
}

static haddr_t driver_eof(const H5FD_t* base, H5FD_mem_t type) {
  (void)type;
  return ((const driver_file*)base)->eof;
}

static herr_t driver_read(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                          void* buffer) {
  (void)type;
  (void)transfer;
  driver_file* file = (driver_file*)base;
  char* bytes = (char*)buffer;
  while (size > 0) {
    ssize_t n = pread(file->descriptor, bytes, size, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return -1;
    if (n == 0) break;
    bytes += n;
    at += (haddr_t)n;
    size -= (size_t)n;
  }
  memset(bytes, 0, size); /* beyond the end there are zeros */
  return 0;
}

static herr_t driver_write(H5FD_t* base, H5FD_mem_t type, hid_t transfer, haddr_t at, size_t size,
                           const void* buffer) {
  (void)type;
  (void)transfer;
  driver_file* file = (driver_file*)base;
  const char* bytes = (const char*)buffer;
  if (at + size > file->eof) file->eof = at + size;
  while (size > 0 && !*file->reason) {
    ssize_t n = pwrite(file->descriptor, bytes, size, (off_t)at);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) *file->reason = errno;
    if (n < 0) break;
    bytes += n;
    at += (haddr_t)n;
    size -= (size_t)n;
  }
  return 0;
}

static herr_t driver_truncate(H5FD_t* base, hid_t transfer, hbool_t closing) {
  (void)transfer;
  (void)closing;
  driver_file* file = (driver_file*)base;
  if (file->eoa == file->eof) return 0;
  if (!*file->reason && ftruncate(file->descriptor, (off_t)file->eoa) != 0) *file->reason = errno;
  file->eof = file->eoa;
  return 0;
}

hid_t fb_store_hdf5_driver(hid_t access, int descriptor, int* reason) {
  static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 13, 2)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)600, /* above those that HDF5 keeps for itself */
#endif
    .name = "freebody",
    .maxaddr = (haddr_t)1 << 62,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(driver_info),
    .open = driver_open,
    .close = driver_close,
    .cmp = driver_compare,
    .query = driver_query,
    .get_eoa = driver_eoa,
    .set_eoa = driver_set_eoa,
    .get_eof = driver_eof,
    .read = driver_read,
    .write = driver_write,
    .truncate = driver_truncate,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
  };
  *reason = 0;
  const driver_info info = {descriptor, reason};
  hid_t id = fb_h5.FDregister(&driver);
  if (id >= 0 && fb_h5.Pset_driver(access, id, &info) < 0) {
    fb_h5.FDunregister(id);
    return -1;
  }
  return id;
}
#else
/* Without HDF5 there is nothing here; a file of C holds at least one declaration. */
typedef int fb_store_no_hdf5_file;
#endif
