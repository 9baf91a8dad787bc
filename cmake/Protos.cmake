# SPDX-License-Identifier: Apache-2.0
# kp_proto: the C++ of proto/. Generated code is a large part of the project's compile time and none of its
# hot loops, hence -O1 (and -O0 for messages that are not sent for each resource), no debug information, and one
# translation unit for all service stubs.
file(GLOB_RECURSE KP_PROTOS CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR}/proto
  ${CMAKE_CURRENT_SOURCE_DIR}/proto/*.proto)
set(KP_PROTO_DIR ${CMAKE_CURRENT_SOURCE_DIR}/proto)
set(KP_VALUE_PROTO_DIR ${CMAKE_BINARY_DIR}/proto)
set(KP_GENERATED_DIR ${CMAKE_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${KP_GENERATED_DIR})

# Messages that carry property values hold them as the bytes that stand on the wire (cpp/wire/convert.h): the type of
# their Structs and Values is changed to one that is written the same, and has presence as messages have.
foreach(stem analyzer provider resource resource_status)
  set(path ${KP_PROTO_DIR}/pulumi/${stem}.proto)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  string(REGEX REPLACE "google\\.protobuf\\.(Struct|Value) " "optional bytes " text "${text}")
  string(REPLACE "import \"google/protobuf/struct.proto\";\n" "" text "${text}")
  file(CONFIGURE OUTPUT ${KP_VALUE_PROTO_DIR}/pulumi/${stem}.proto CONTENT "${text}" @ONLY)
endforeach()
# kp_proto_paths(<variable> <names>...): the files that protoc reads for them.
function(kp_proto_paths variable)
  set(paths)
  foreach(name IN LISTS ARGN)
    set(dir ${KP_PROTO_DIR})
    if(EXISTS ${KP_VALUE_PROTO_DIR}/${name})
      set(dir ${KP_VALUE_PROTO_DIR})
    endif()
    list(APPEND paths ${dir}/${name})
  endforeach()
  set(${variable} ${paths} PARENT_SCOPE)
endfunction()

set(messages)
set(services)
foreach(proto IN LISTS KP_PROTOS)
  string(REGEX REPLACE "\\.proto$" "" stem ${proto})
  set(outputs ${stem}.pb.cc ${stem}.pb.h)
  set(grpc_flags)
  file(STRINGS ${KP_PROTO_DIR}/${proto} has_service REGEX "^service ")
  if(has_service)
    list(APPEND outputs ${stem}.grpc.pb.cc ${stem}.grpc.pb.h)
    set(grpc_flags --grpc_out=${KP_GENERATED_DIR} --plugin=protoc-gen-grpc=${GRPC_CPP_PLUGIN_PROGRAM})
    list(APPEND services ${KP_GENERATED_DIR}/${stem}.grpc.pb.cc)
  endif()
  list(APPEND messages ${KP_GENERATED_DIR}/${stem}.pb.cc)
  list(TRANSFORM outputs PREPEND ${KP_GENERATED_DIR}/)

  file(STRINGS ${KP_PROTO_DIR}/${proto} imports REGEX "^import \"(pulumi|grpc)/")
  list(TRANSFORM imports REPLACE "^import \"(.*)\";$" "\\1")
  kp_proto_paths(needed ${proto} ${imports})
  add_custom_command(OUTPUT ${outputs}
    COMMAND ${PROTOC_PROGRAM} -I${KP_VALUE_PROTO_DIR} -I${KP_PROTO_DIR} --cpp_out=${KP_GENERATED_DIR} ${grpc_flags} ${proto}
    DEPENDS ${needed}
    COMMENT "protoc ${proto}" VERBATIM)
endforeach()

# kp_messages(<variable> <name> <files>...): one file that includes the generated <files>, which all have the same two
# static names. A build without batches compiles each alone.
function(kp_messages variable name)
  if(NOT KINGPOST_BATCHES)
    set(${variable} ${ARGN} PARENT_SCOPE)
    return()
  endif()
  set(text)
  set(number 0)
  foreach(file IN LISTS ARGN)
    math(EXPR number "${number} + 1")
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY ${KP_GENERATED_DIR})
    string(APPEND text "#define schemas schemas_${number}\n#define file_default_instances instances_${number}\n"
      "#include \"${file}\"\n#undef schemas\n#undef file_default_instances\n")
  endforeach()
  set(path ${CMAKE_BINARY_DIR}/batches/kp_proto/${name}.cc)
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
  set_source_files_properties(${path} PROPERTIES OBJECT_DEPENDS "${ARGN}")
  set(${variable} ${path} PARENT_SCOPE)
endfunction()

set(for_each_resource "/pulumi/(resource|provider|callback|alias|engine|events)\\.pb\\.cc$")
set(often ${messages})
set(seldom ${messages})
list(FILTER often INCLUDE REGEX ${for_each_resource})
list(FILTER seldom EXCLUDE REGEX ${for_each_resource})
kp_messages(often messages_often ${often})
kp_messages(seldom messages_seldom ${seldom})
set_source_files_properties(${seldom} PROPERTIES COMPILE_OPTIONS -O0)

add_library(kp_proto STATIC ${often} ${seldom} ${services})
set_source_files_properties(${often} ${seldom} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set_target_properties(kp_proto PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
target_compile_options(kp_proto PRIVATE -O1 -g0 -w)
kp_compile_roomily(kp_proto)
if(KINGPOST_SANITIZE)
  # As Debian's libprotobuf, of which this is the smaller half; our own use of it is checked in our own files.
  target_compile_options(kp_proto PRIVATE -fno-sanitize=all)
endif()
target_include_directories(kp_proto SYSTEM PUBLIC ${KP_GENERATED_DIR})
target_link_libraries(kp_proto PUBLIC kp_grpc)
# All of a program's files must read messages in the same way (cpp/wire/wire.h): the services get the header by force,
# and in every other file gRPC's headers stop the build unless that header came first.
set(KP_WIRE_HEADER ${CMAKE_CURRENT_SOURCE_DIR}/cpp/wire/wire.h)
target_compile_options(kp_proto PRIVATE "SHELL:-include \"${KP_WIRE_HEADER}\"")
target_include_directories(kp_proto PRIVATE ${CMAKE_CURRENT_SOURCE_DIR}/cpp)
target_compile_definitions(kp_proto PUBLIC
  GRPC_CUSTOM_ZEROCOPYOUTPUTSTREAM=::kingpost::wire::OutputStream
  GRPC_CUSTOM_ZEROCOPYINPUTSTREAM=::kingpost::wire::InputStream
  GRPC_CUSTOM_CODEDINPUTSTREAM=::kingpost::wire::CodedStream)
