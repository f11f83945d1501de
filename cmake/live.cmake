# What `freebody run --live` needs: libwebsockets and threads. Sets live_needs, to link with, and live_definitions; both
# are empty where it is not found.
set(live_needs)
set(live_definitions)
if(FB_LIVE)
  find_package(Threads QUIET)
  pkg_check_modules(FB_libwebsockets QUIET IMPORTED_TARGET libwebsockets)
  if(FB_libwebsockets_FOUND AND Threads_FOUND)
    set(live_needs PkgConfig::FB_libwebsockets Threads::Threads)
    set(live_definitions FB_LIVE)
  else()
    message(STATUS "libwebsockets is not found (pkg-config: libwebsockets; Debian: libwebsockets-dev), so runs cannot be "
                   "watched live")
  endif()
endif()
