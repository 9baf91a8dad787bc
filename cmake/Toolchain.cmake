# SPDX-License-Identifier: Apache-2.0
# Language level, warnings, optimisation, and the helpers that make a rebuild quick.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)  # everything may end up in the Python module
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")

# kp_compile_roomily(<target>): GCC collects its garbage whenever it has taken 256 MiB, which takes a tenth of the time of
# a large batch; where there is memory enough, it begins later.
cmake_host_system_information(RESULT memory_mib QUERY TOTAL_PHYSICAL_MEMORY)
function(kp_compile_roomily target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND memory_mib GREATER 7000)
    target_compile_options(${target} BEFORE PRIVATE "SHELL:--param ggc-min-heapsize=500000")
  endif()
endfunction()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # With paths relative to this folder, a fresh clone and a second build folder share the cache.
  cmake_path(IS_PREFIX CMAKE_SOURCE_DIR ${CMAKE_BINARY_DIR} NORMALIZE build_in_source)
  if(build_in_source)
    set(ccache_base ${CMAKE_SOURCE_DIR})
  else()
    set(ccache_base ${CMAKE_BINARY_DIR})
  endif()
  set(launcher ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${ccache_base} CCACHE_NOHASHDIR=1 ${CCACHE_PROGRAM})
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
endif()
find_program(MOLD_PROGRAM mold)
if(MOLD_PROGRAM)
  add_link_options(-fuse-ld=mold)
endif()

if(KINGPOST_FUZZ)
  # The libraries report where they have been; the fuzzers themselves add libFuzzer's main function.
  set(fuzz_sanitizers address,undefined)
  # (`function` cannot be had in coroutines of Clang 14.)
  add_compile_options(-fsanitize=fuzzer-no-link,${fuzz_sanitizers} -fno-sanitize=null,alignment,object-size,vptr,function)
  add_compile_options(-fno-sanitize-recover=all -O1 -g1)
  add_link_options(-fsanitize=${fuzz_sanitizers})
endif()
# kp_sanitizer_options(<target>): a program of ours says itself what its sanitizers do.
function(kp_sanitizer_options target)
  if(NOT KINGPOST_SANITIZE)
    return()
  endif()
  file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/reports)
  set(file ${PROJECT_SOURCE_DIR}/cmake/sanitizer_options.cc)
  target_sources(${target} PRIVATE ${file})
  set_source_files_properties(${file} TARGET_DIRECTORY ${target} PROPERTIES COMPILE_DEFINITIONS
    "KINGPOST_REPORTS=\"${CMAKE_BINARY_DIR}/reports\";KINGPOST_TSAN_SUPPRESSIONS=\"${PROJECT_SOURCE_DIR}/cmake/tsan.supp\"")
endfunction()

if(KINGPOST_SANITIZE)
  add_compile_options(-fsanitize=${KINGPOST_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${KINGPOST_SANITIZE})
  add_compile_options(-Wno-maybe-uninitialized)  # GCC 12 sees it in instrumented standard headers where it is not
  if(KINGPOST_SANITIZE MATCHES "address")
    # Checks are calls: slower to run, but a third quicker to compile, and compiling takes most of the time.
    add_compile_options("SHELL:--param asan-instrumentation-with-call-threshold=0")
  endif()
  if(KINGPOST_SANITIZE MATCHES "undefined")
    # These check every access; in coroutines they triple the time to compile, and AddressSanitizer sees most of it.
    add_compile_options(-fno-sanitize=null,alignment,object-size,vptr)
  endif()
  if(KINGPOST_SANITIZE STREQUAL "thread")
    # With this macro protobuf's headers add members that Debian's libprotobuf was built without.
    add_compile_options(-U__SANITIZE_THREAD__ -DKINGPOST_THREAD_SANITIZER)
  endif()
endif()
