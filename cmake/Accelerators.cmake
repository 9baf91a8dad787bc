# SPDX-License-Identifier: Apache-2.0
# The files that make the SDKs quicker (python/kingpost/accelerate, node/accelerate) as texts in the command, so that it
# needs no file beside it. Included where they are to be built in, and run as a script (-P) that writes the source file.
if(CMAKE_SCRIPT_MODE_FILE)
  set(entries "")
  set(all "")
  foreach(file IN LISTS FILES)
    get_filename_component(name ${file} NAME)
    get_filename_component(folder ${file} DIRECTORY)
    if(folder MATCHES "/python/")
      set(path "kingpost_accelerate/${name}")
    else()
      set(path "node/${name}")
    endif()
    file(READ ${file} text)
    string(APPEND all "${path}\n${text}")
    string(APPEND entries "    {\"${path}\", R\"kpfile(${text})kpfile\"},\n")
  endforeach()
  string(SHA256 hash "${all}")
  file(WRITE ${OUTPUT} "// Written by cmake/Accelerators.cmake.
#include \"runtimes/accelerators.h\"

namespace kingpost {

const char kAcceleratorsHash[] = \"${hash}\";
const std::vector<AcceleratorFile>& AcceleratorFiles() {
  static const auto* files = new std::vector<AcceleratorFile>{
${entries}  };
  return *files;
}

}  // namespace kingpost
")
  return()
endif()

file(GLOB accelerators CONFIGURE_DEPENDS
  ${CMAKE_CURRENT_SOURCE_DIR}/python/kingpost/accelerate/*.py ${CMAKE_CURRENT_SOURCE_DIR}/node/accelerate/*.js)
set(accelerators_source ${CMAKE_BINARY_DIR}/generated/accelerator_files.cc)
add_custom_command(OUTPUT ${accelerators_source}
  COMMAND ${CMAKE_COMMAND} "-DFILES=${accelerators}" -DOUTPUT=${accelerators_source} -P ${CMAKE_CURRENT_LIST_FILE}
  DEPENDS ${accelerators} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "accelerators of the SDKs" VERBATIM)
target_sources(kp_runtimes PRIVATE ${accelerators_source})
