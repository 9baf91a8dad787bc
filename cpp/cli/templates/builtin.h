// SPDX-License-Identifier: Apache-2.0
// The templates in the command itself: the files below data/ and policies/, which the build turns into text
// (cmake/Templates.cmake).
#pragma once

#include <string>
#include <vector>

#include "workspace/template.h"

namespace kingpost {

struct BuiltinFile {
  std::string path;  // with the template's name first: "python/__main__.py"
  std::string content;
};
const std::vector<BuiltinFile>& BuiltinFiles();
const std::vector<BuiltinFile>& BuiltinPolicyFiles();

// By name.
std::vector<ProjectTemplate> BuiltinTemplates(TemplateKind kind);

}  // namespace kingpost
