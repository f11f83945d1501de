# What `freebody run --live` needs: libwebsockets and threads. Sets live_needs, to link with, live_includes and
# live_definitions; all are empty where it is not found. libwebsockets is loaded when it is needed, and not linked with.
set(live_needs)
set(live_includes)
set(live_definitions)
if(FB_LIVE)
  find_package(Threads QUIET)
  pkg_check_modules(FB_libwebsockets QUIET IMPORTED_TARGET libwebsockets)
  if(FB_libwebsockets_FOUND AND Threads_FOUND)
    fb_shared_name(FB_libwebsockets live_file)
    set(live_needs Threads::Threads)
    set(live_includes ${FB_libwebsockets_INCLUDE_DIRS})
    set(live_definitions FB_LIVE CMD_LWS_FILE="${live_file}")
  else()
    message(STATUS "libwebsockets is not found (pkg-config: libwebsockets; Debian: libwebsockets-dev), so runs cannot be "
                   "watched live")
  endif()
endif()
