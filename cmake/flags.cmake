# Language, warnings, sanitizers and the floating-point policy (docs/decisions.md).

set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo" FORCE)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wconversion)
if(FB_WERROR)
  add_compile_options(-Werror)
endif()

if(FB_SANITIZE)
  add_compile_definitions(FB_SANITIZED)
endif()
foreach(sanitizer ${FB_SANITIZE})
  add_compile_options(-fsanitize=${sanitizer} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${sanitizer})
endforeach()
if(FB_SANITIZE AND CMAKE_C_COMPILER_ID STREQUAL "GNU")
  # gcc's warnings that follow the flow of data are misled by its own instrumentation. Fences, of which TSan knows nothing,
  # order what other processes do.
  add_compile_options(-Wno-maybe-uninitialized -Wno-format-truncation -Wno-stringop-truncation
                      -Wno-stringop-overread -Wno-tsan)
endif()

# Nobody reads errno after a mathematical function, or the flags of floating-point exceptions: square roots are instructions,
# and choices between two numbers vectorise. No result changes.
add_compile_options(-fno-math-errno -fno-trapping-math)

# A shared library that lacks something fails here, not at its user's. Sanitizers bring theirs at run time.
if(NOT FB_SANITIZE AND CMAKE_SYSTEM_NAME STREQUAL "Linux")
  string(APPEND CMAKE_SHARED_LINKER_FLAGS " -Wl,--no-undefined")
endif()

# Contraction (fused multiply-add) is on by default and off in reproducible builds; compilers differ
# in what they do unasked. Reassociation (-ffast-math) is never on.
if(FB_REPRODUCIBLE)
  add_compile_definitions(FB_REPRODUCIBLE)
  add_compile_options(-ffp-contract=off)
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    # gcc 12 fuses pairs of products into fmaddsub when it vectorises straight code, contraction off or not.
    add_compile_options(-fno-tree-slp-vectorize)
  endif()
else()
  add_compile_options(-ffp-contract=fast)
endif()
