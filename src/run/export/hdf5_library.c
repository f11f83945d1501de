/* hdf5_library.c -- the HDF5 library, by the name of the one whose headers this was built with. */
#ifdef FB_HDF5
#include "run/export/hdf5_library.h"

#include <freebody/support/library.h>

fb_hdf5 fb_h5;

fb_status fb_hdf5_load(fb_error* error) {
#define FB_HDF5_FUNCTION(name) "H5" #name,
#define FB_HDF5_HANDLE(name) "H5" #name "_g",
  static const char* const NAMES[] = {FB_HDF5_FUNCTIONS(FB_HDF5_FUNCTION) FB_HDF5_HANDLES(FB_HDF5_HANDLE)};
  return fb_library_load(FB_HDF5_FILE, NAMES, sizeof NAMES / sizeof *NAMES, &fb_h5, error);
}
#else
/* Without HDF5 there is nothing here; a file of C holds at least one declaration. */
typedef int fb_store_no_hdf5_library;
#endif
