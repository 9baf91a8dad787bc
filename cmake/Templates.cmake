# SPDX-License-Identifier: Apache-2.0
# What `kingpost new` and `kingpost policy new` make projects and policy packs from: the files below
# cpp/cli/templates/data and policies, as one source file that holds their text.
function(kp_template_texts folder result)
  set(path ${CMAKE_CURRENT_SOURCE_DIR}/cpp/cli/templates/${folder})
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${path} ${path}/*)
  list(SORT files)
  set(texts "")
  foreach(name IN LISTS files)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path}/${name})
    file(READ ${path}/${name} text)
    string(APPEND texts "    {\"${name}\", R\"kp(${text})kp\"},\n")
  endforeach()
  set(${result} "${texts}" PARENT_SCOPE)
endfunction()
kp_template_texts(data project_texts)
kp_template_texts(policies policy_texts)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/builtin_templates.cc @ONLY CONTENT [[
#include "cli/templates/builtin.h"

namespace kingpost {

const std::vector<BuiltinFile>& BuiltinFiles() {
  static const std::vector<BuiltinFile> files = {
@project_texts@  };
  return files;
}

const std::vector<BuiltinFile>& BuiltinPolicyFiles() {
  static const std::vector<BuiltinFile> files = {
@policy_texts@  };
  return files;
}

}  // namespace kingpost
]])
target_sources(kp_cli PRIVATE ${CMAKE_BINARY_DIR}/generated/builtin_templates.cc)
