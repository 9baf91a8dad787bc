# SPDX-License-Identifier: Apache-2.0
# Outside libraries, each behind a target of ours. What ends in the command can be linked
# statically, because loading gRPC's seventy shared libraries costs more than the command's whole
# start; tests and the Python module link the shared ones (the static protobuf is not
# position-independent, and a process that also holds grpcio must not see our symbols).
#
# The choice is the final target's: kp_link_statically(target) sets the property that the generator
# expressions below read.
find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_program(PROTOC_PROGRAM protoc REQUIRED)
find_program(GRPC_CPP_PLUGIN_PROGRAM grpc_cpp_plugin REQUIRED)

define_property(TARGET PROPERTY KP_LINK_STATIC BRIEF_DOCS "Link outside libraries from their archives")

# kp_outside(<target> <pkg-config modules>... [WITHOUT <libraries>...]): the modules, from archives or shared libraries.
# WITHOUT names what an archive needs for members that we do not link.
function(kp_outside target)
  cmake_parse_arguments(arg "" "" "WITHOUT" ${ARGN})
  string(MAKE_C_IDENTIFIER "PC_${target}" prefix)
  pkg_check_modules(${prefix} REQUIRED ${arg_UNPARSED_ARGUMENTS})

  set(archives)
  foreach(flag IN LISTS ${prefix}_STATIC_LDFLAGS)
    if(NOT flag MATCHES "^-l(.+)$")
      continue()
    endif()
    set(name ${CMAKE_MATCH_1})
    if(name IN_LIST arg_WITHOUT)
      continue()
    endif()
    find_library(KP_ARCHIVE_${name} NAMES lib${name}.a HINTS ${${prefix}_STATIC_LIBRARY_DIRS})
    mark_as_advanced(KP_ARCHIVE_${name})
    if(name MATCHES "^(dl|rt|m|c|pthread|atomic)$" OR NOT KP_ARCHIVE_${name})
      list(APPEND archives ${name})
    else()
      list(APPEND archives ${KP_ARCHIVE_${name}})
    endif()
  endforeach()
  # Each archive needs those after it, so of repeated entries the last one counts.
  list(REVERSE archives)
  list(REMOVE_DUPLICATES archives)
  list(REVERSE archives)

  set(static $<BOOL:$<TARGET_PROPERTY:KP_LINK_STATIC>>)
  add_library(${target} INTERFACE)
  target_include_directories(${target} SYSTEM INTERFACE ${${prefix}_INCLUDE_DIRS})
  target_link_libraries(${target} INTERFACE
    "$<${static}:${archives}>" "$<$<NOT:${static}>:${${prefix}_LINK_LIBRARIES}>")
endfunction()

function(kp_link_statically target)
  if(KINGPOST_STATIC)
    set_target_properties(${target} PROPERTIES KP_LINK_STATIC ON)
    target_link_options(${target} PRIVATE -static-libstdc++ -static-libgcc -Wl,--gc-sections)
    target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/cmake/old_glibc.cc)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL x86_64)
      # Where an older glibc has what is in libc today.
      target_link_options(${target} PRIVATE -Wl,--no-as-needed -l:libpthread.so.0 -l:libdl.so.2 -Wl,--as-needed)
    endif()
  endif()
endfunction()

kp_outside(kp_grpc grpc++ protobuf)
kp_outside(kp_text libutf8proc)
kp_outside(kp_re2 re2)
kp_outside(kp_digests libcrypto)
kp_outside(kp_compression zlib libzstd)
kp_outside(kp_yaml_texts libfyaml)
kp_outside(kp_xml expat)
kp_outside(kp_archive libarchive zlib WITHOUT acl xml2 lz4)

# The command alone, which spends a sixth of its time in the C library's allocator otherwise. Sanitizers bring their own,
# and the Python module lives with its interpreter's.
kp_outside(kp_allocator jemalloc)

add_library(kp_json INTERFACE)
target_link_libraries(kp_json INTERFACE nlohmann_json::nlohmann_json)
add_library(kp_cli11 INTERFACE)
target_link_libraries(kp_cli11 INTERFACE CLI11::CLI11)
# Headers alone: libcurl is loaded when it is first needed (cpp/remote/http/curl_library.h).
find_path(KP_CURL_INCLUDE_DIR curl/curl.h REQUIRED)
add_library(kp_curl_headers INTERFACE)
target_include_directories(kp_curl_headers SYSTEM INTERFACE ${KP_CURL_INCLUDE_DIR})
target_link_libraries(kp_curl_headers INTERFACE ${CMAKE_DL_LIBS})

# The same of libpq (cpp/remote/blob/pq_library.h).
find_path(KP_PQ_INCLUDE_DIR libpq-fe.h PATH_SUFFIXES postgresql REQUIRED)
add_library(kp_pq_headers INTERFACE)
target_include_directories(kp_pq_headers SYSTEM INTERFACE ${KP_PQ_INCLUDE_DIR})
target_link_libraries(kp_pq_headers INTERFACE ${CMAKE_DL_LIBS})
