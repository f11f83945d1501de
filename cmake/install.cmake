# What `make install` lays down: headers, libraries, the command, its page, and the files by which
# pkg-config and find_package find them. The installed tree may be moved.
include(CMakePackageConfigHelpers)

install(TARGETS freebody EXPORT freebody-core-targets)
if(FB_IO)
  install(TARGETS freebody_io freebody_support EXPORT freebody-io-targets)
  install(TARGETS freebody_command RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(FILES viewer/dist/viewer.html DESTINATION ${CMAKE_INSTALL_DATADIR}/freebody OPTIONAL)
  install(FILES docs/freebody.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endif()
install(DIRECTORY include/freebody DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/freebody)
install(EXPORT freebody-core-targets NAMESPACE freebody:: DESTINATION ${config_dir})
if(FB_IO)
  install(EXPORT freebody-io-targets NAMESPACE freebody:: DESTINATION ${config_dir})
endif()
configure_package_config_file(cmake/freebody-config.cmake.in freebody-config.cmake
                              INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(freebody-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/freebody-config.cmake ${PROJECT_BINARY_DIR}/freebody-config-version.cmake
        DESTINATION ${config_dir})

# pkg-config: `freebody` is everything, `freebody-core` the core alone. A static libfreebody_io needs its
# own dependencies on the link line, a shared one brings them along.
set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH FB_PC_TO_PREFIX /${pc_dir} /)
string(REGEX REPLACE "/$" "" FB_PC_TO_PREFIX "${FB_PC_TO_PREFIX}")
set(FB_PC_LIBS)
set(FB_PC_REQUIRES freebody-core)
set(FB_PC_REQUIRES_PRIVATE)
if(FB_IO)
  set(FB_PC_LIBS "-L\${libdir} -lfreebody_io -lfreebody_support")
  list(JOIN io_modules ", " needed)
  if(BUILD_SHARED_LIBS)
    set(FB_PC_REQUIRES_PRIVATE "${needed}")
  else()
    set(FB_PC_REQUIRES "freebody-core, ${needed}")
    list(JOIN io_libraries " " flags)
    string(APPEND FB_PC_LIBS " ${flags}")
  endif()
endif()
foreach(pc freebody freebody-core)
  configure_file(cmake/${pc}.pc.in ${pc}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${pc}.pc DESTINATION ${pc_dir})
endforeach()
