# The kernels: each src/kernel/instance_*.c compiled once per instruction-set level, with FB_ISA naming
# the level. src/kernel/instances.c picks at run time; FB_ISA_LEVELS=1 tells it that the levels are there.
# Sets fb_kernel_objects and fb_isa_definitions.
include(CheckCCompilerFlag)

file(GLOB kernel_instances CONFIGURE_DEPENDS src/kernel/instance_*.c)

# Zeros fold and square roots inline; checks for NaN and infinity live outside kernel files.
# Packing a few scalars of one robot into a vector costs more in shuffles and stalls than it saves.
set(kernel_flags -ffinite-math-only -fno-tree-slp-vectorize)
if(NOT FB_REPRODUCIBLE)
  list(APPEND kernel_flags -fno-signed-zeros)
endif()
# Short loops differ by a tenth with where they happen to lie.
foreach(flag -falign-functions=64 -falign-loops=32 -falign-jumps=32)
  string(MAKE_C_IDENTIFIER "FB_HAS_${flag}" has)
  check_c_compiler_flag(${flag} ${has})
  if(${has})
    list(APPEND kernel_flags ${flag})
  endif()
endforeach()
# Lane files alone: lane types never cross a translation unit, so the note on how they are passed does not
# concern us; and gcc takes a vector that is filled element by element for one used uninitialised. The
# scalar instance of the same text keeps both warnings.
set(lane_files ${kernel_instances})
list(FILTER lane_files INCLUDE REGEX "/instance_x[0-9]+\\.c$")
list(FILTER lane_files EXCLUDE REGEX "/instance_x1\\.c$")
check_c_compiler_flag(-Wpsabi FB_HAS_WPSABI)
check_c_compiler_flag(-Wmaybe-uninitialized FB_HAS_WMAYBE_UNINITIALIZED)
set(lane_flags $<$<BOOL:${FB_HAS_WPSABI}>:-Wno-psabi>
               $<$<BOOL:${FB_HAS_WMAYBE_UNINITIALIZED}>:-Wno-maybe-uninitialized>)
set_source_files_properties(${lane_files} PROPERTIES COMPILE_OPTIONS "${lane_flags}")

set(levels plain)
set(fb_isa_definitions)
if(FB_ISA_LEVELS AND CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  check_c_compiler_flag(-march=x86-64-v4 FB_HAS_X86_64_LEVELS)
  if(FB_HAS_X86_64_LEVELS)
    list(APPEND levels v2 v3 v4)
    set(fb_isa_definitions FB_ISA_LEVELS=1)
  endif()
endif()

set(fb_kernel_objects)
if(kernel_instances)
  foreach(level ${levels})
    add_library(freebody_kernel_${level} OBJECT ${kernel_instances})
    target_include_directories(freebody_kernel_${level} PRIVATE include src)
    target_compile_definitions(freebody_kernel_${level} PRIVATE FB_ISA=${level} ${fb_isa_definitions})
    target_compile_options(freebody_kernel_${level} PRIVATE ${kernel_flags} -Wc++-compat)
    if(NOT level STREQUAL "plain")
      target_compile_options(freebody_kernel_${level} PRIVATE -march=x86-64-${level})
    endif()
    list(APPEND fb_kernel_objects $<TARGET_OBJECTS:freebody_kernel_${level}>)
  endforeach()
endif()
