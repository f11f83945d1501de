# What libfreebody_io needs, found by pkg-config. Sets io_modules (pkg-config's names, which the installed package
# files repeat), io_needs (targets) and io_definitions.
find_package(PkgConfig REQUIRED)
set(io_modules libfyaml expat sqlite3)
set(io_definitions)
foreach(module ${io_modules})
  pkg_check_modules(FB_${module} REQUIRED IMPORTED_TARGET ${module})
endforeach()

# HDF5: Debian calls its serial library hdf5-serial; elsewhere it is hdf5, unless that is the one for MPI.
if(FB_HDF5)
  pkg_check_modules(FB_hdf5-serial QUIET IMPORTED_TARGET hdf5-serial)
  set(hdf5_module hdf5-serial)
  if(NOT FB_hdf5-serial_FOUND)
    pkg_check_modules(FB_hdf5 QUIET IMPORTED_TARGET hdf5)
    include(CheckSymbolExists)
    set(CMAKE_REQUIRED_INCLUDES ${FB_hdf5_INCLUDE_DIRS})
    check_symbol_exists(H5_HAVE_PARALLEL H5pubconf.h FB_HDF5_IS_PARALLEL)
    unset(CMAKE_REQUIRED_INCLUDES)
    set(hdf5_module hdf5)
  endif()
  if(FB_${hdf5_module}_FOUND AND NOT FB_HDF5_IS_PARALLEL)
    list(APPEND io_modules ${hdf5_module})
    list(APPEND io_definitions FB_HDF5)
  else()
    message(STATUS "HDF5 is not found (pkg-config: hdf5-serial or a serial hdf5; Debian: libhdf5-dev), so runs "
                   "are exported to CSV alone")
  endif()
endif()

list(TRANSFORM io_modules PREPEND "PkgConfig::FB_" OUTPUT_VARIABLE io_needs)
