# fb_fuzzer(NAME MAX_LEN n TIMEOUT s [SEEDS pattern...] [APP file...]): the program fuzz_NAME from NAME.c, its test, and
# two files that scripts/fuzz reads: fuzz/NAME.options for libFuzzer, and the list fuzz/NAME.seeds.
set(fuzzers)
set(fuzz_folder ${PROJECT_BINARY_DIR}/fuzz)
if("fuzzer-no-link" IN_LIST FB_SANITIZE)
  set(fuzz_engine ON)
  # The kernels branch on the model only, so that their paths lead libFuzzer nowhere, and cost most of its time.
  target_compile_options(freebody_kernel_plain PRIVATE -fno-sanitize=fuzzer-no-link)
endif()

add_library(fuzz_shared STATIC fuzz.c fuzz_model.c fuzz_sim.c fuzz_run.c fuzz_store.c)
target_include_directories(fuzz_shared PUBLIC ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/tests/rigs)
target_compile_definitions(fuzz_shared PUBLIC _POSIX_C_SOURCE=200809L FB_TEST_DATA="${PROJECT_SOURCE_DIR}/tests/data"
                                              FB_FUZZ_DATA="${CMAKE_CURRENT_SOURCE_DIR}"
                                              FB_SCENARIOS="${PROJECT_SOURCE_DIR}/scenarios")
target_link_libraries(fuzz_shared PUBLIC freebody_io_internal freebody_internal ${io_needs} m)

function(fb_fuzzer name)
  cmake_parse_arguments(arg "" "MAX_LEN;TIMEOUT" "SEEDS;APP" ${ARGN})
  list(TRANSFORM arg_APP REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/app/\\1.c")
  add_executable(fuzz_${name} ${name}.c ${arg_APP})
  target_include_directories(fuzz_${name} PRIVATE ${PROJECT_SOURCE_DIR}/app)
  target_link_libraries(fuzz_${name} PRIVATE fuzz_shared)
  if(fuzz_engine)
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  else()
    target_sources(fuzz_${name} PRIVATE fuzz_main.c)
  endif()

  file(GLOB seeds CONFIGURE_DEPENDS ${arg_SEEDS} seeds/${name}/*)
  list(JOIN seeds "," seed_list)
  file(CONFIGURE OUTPUT ${fuzz_folder}/${name}.seeds CONTENT "${seed_list}" @ONLY)
  set(options "-max_len=${arg_MAX_LEN} -timeout=${arg_TIMEOUT} -rss_limit_mb=2048 -malloc_limit_mb=512")
  file(CONFIGURE OUTPUT ${fuzz_folder}/${name}.options CONTENT "${options}\n" @ONLY)

  if(NOT fuzz_engine)
    add_test(NAME fuzz_${name} COMMAND fuzz_${name} ${seeds} ${CMAKE_CURRENT_SOURCE_DIR}/regressions/${name})
  endif()
  set(fuzzers ${fuzzers} fuzz_${name} PARENT_SCOPE)
endfunction()
