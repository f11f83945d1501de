/* hdf5_file.h -- the file under an HDF5 export. */
#ifndef FB_RUN_EXPORT_HDF5_FILE_H
#define FB_RUN_EXPORT_HDF5_FILE_H

#include <hdf5.h>

/* Registers the driver, and makes `access` use it for the file of `descriptor`, which stays open, whatever name HDF5
 * is given; *reason becomes the errno of the first write that fails. Returns the driver, to be unregistered by H5FDunregister,
 * or a negative number. */
hid_t fb_store_hdf5_driver(hid_t access, int descriptor, int* reason);

#endif
