# SPDX-License-Identifier: Apache-2.0
# What every generated SDK has, the files of cpp/languages/sdkgen/shared, as texts in the command. The comment at the head
# of each, up to its first empty line, is the project's own and stays behind.
function(kp_sdk_text constant name)
  set(path ${CMAKE_CURRENT_SOURCE_DIR}/cpp/languages/sdkgen/shared/${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
  file(READ ${path} text)
  string(FIND "${text}" "\n\n" head_end)
  math(EXPR begin "${head_end} + 2")
  string(SUBSTRING "${text}" ${begin} -1 text)
  set(${constant} "const char ${constant}[] = R\"kp(${text})kp\";" PARENT_SCOPE)
endfunction()
kp_sdk_text(kPythonUtilities utilities.py)
kp_sdk_text(kNodeUtilities utilities.ts)
kp_sdk_text(kNodePostInstall postinstall.js)
file(CONFIGURE OUTPUT ${CMAKE_BINARY_DIR}/generated/sdk_texts.cc @ONLY CONTENT [[
#include "languages/sdkgen/text.h"

namespace kingpost::sdkgen {

@kPythonUtilities@
@kNodeUtilities@
@kNodePostInstall@

}  // namespace kingpost::sdkgen
]])
target_sources(kp_sdkgen PRIVATE ${CMAKE_BINARY_DIR}/generated/sdk_texts.cc)
