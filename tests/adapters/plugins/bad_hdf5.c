/* bad_hdf5.c -- an HDF5 that goes wrong in the middle of a file, as it does when memory runs out; preloaded. FB_BAD_HDF5:
 * crash, exit, or fail. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

int H5Dwrite(void);
int H5Fclose(void);

int H5Dwrite(void) {
  const char* way = getenv("FB_BAD_HDF5");
  if (way && strcmp(way, "crash") == 0) raise(SIGSEGV);
  if (way && strcmp(way, "exit") == 0) exit(0);
  return way && strcmp(way, "close") == 0 ? 0 : -1;
}

int H5Fclose(void) {
  return -1;
}
