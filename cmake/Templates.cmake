# SPDX-License-Identifier: Apache-2.0
# What `kingpost new` makes projects from: the files below cpp/cli/templates/data, as one source file that holds their text.
set(templates_folder ${CMAKE_CURRENT_SOURCE_DIR}/cpp/cli/templates/data)
file(GLOB_RECURSE template_files CONFIGURE_DEPENDS RELATIVE ${templates_folder} ${templates_folder}/*)
list(SORT template_files)
set(template_texts "")
foreach(name IN LISTS template_files)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${templates_folder}/${name})
  file(READ ${templates_folder}/${name} text)
  string(APPEND template_texts "    {\"${name}\", R\"kp(${text})kp\"},\n")
endforeach()
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/builtin_templates.cc @ONLY CONTENT [[
#include "cli/templates/builtin.h"

namespace kingpost {

const std::vector<BuiltinFile>& BuiltinFiles() {
  static const std::vector<BuiltinFile> files = {
@template_texts@  };
  return files;
}

}  // namespace kingpost
]])
target_sources(kp_cli PRIVATE ${CMAKE_BINARY_DIR}/generated/builtin_templates.cc)
