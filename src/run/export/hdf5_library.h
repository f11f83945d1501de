/* hdf5_library.h -- the HDF5 library, which is loaded when the first file is exported (freebody/support/library.h). */
#ifndef FB_RUN_EXPORT_HDF5_LIBRARY_H
#define FB_RUN_EXPORT_HDF5_LIBRARY_H

#include <hdf5.h>
#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif

#include <freebody/status.h>

/* clang-format off */
/* H5Aclose is fb_h5.Aclose, and so on. */
#define FB_HDF5_FUNCTIONS(F)                                                                                \
  F(open) F(Aclose) F(Acreate2) F(Awrite) F(Dclose) F(Dcreate2) F(Dget_space) F(Dwrite) F(Eget_auto2)       \
  F(Eset_auto2) F(Fclose) F(Fcreate) F(FDregister) F(FDunregister) F(Gclose) F(Gcreate2) F(Pclose) F(Pcopy) \
  F(Pcreate) F(Pget_driver_info) F(Pset_char_encoding) F(Pset_chunk) F(Pset_chunk_cache)                    \
  F(Pset_create_intermediate_group) F(Pset_deflate) F(Pset_driver) F(Pset_obj_track_times) F(Pset_shuffle)  \
  F(Sclose) F(Screate) F(Screate_simple) F(Sselect_hyperslab) F(Tclose) F(Tcopy) F(Tset_cset) F(Tset_size)  \
  F(Tset_strpad) F(Zfilter_avail)
/* Types and lists of properties, which have their values once fb_h5.open() has returned: H5T_C_S1 is *fb_h5.T_C_S1. */
#define FB_HDF5_HANDLES(F)                                                                                  \
  F(T_C_S1) F(T_IEEE_F64LE) F(T_NATIVE_DOUBLE) F(T_NATIVE_INT) F(T_STD_I32LE) F(P_CLS_DATASET_ACCESS_ID)    \
  F(P_CLS_DATASET_CREATE_ID) F(P_CLS_FILE_ACCESS_ID) F(P_CLS_FILE_CREATE_ID) F(P_CLS_GROUP_CREATE_ID)       \
  F(P_CLS_LINK_CREATE_ID)
/* clang-format on */

typedef struct fb_hdf5 {
#define FB_HDF5_FUNCTION(name) __typeof__(H5##name)* name;
#define FB_HDF5_HANDLE(name) const hid_t* name;
  FB_HDF5_FUNCTIONS(FB_HDF5_FUNCTION)
  FB_HDF5_HANDLES(FB_HDF5_HANDLE)
#undef FB_HDF5_FUNCTION
#undef FB_HDF5_HANDLE
} fb_hdf5;

extern fb_hdf5 fb_h5;

fb_status fb_hdf5_load(fb_error* error);

#endif
