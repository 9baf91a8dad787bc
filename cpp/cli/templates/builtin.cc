// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/builtin.h"

#include <map>

namespace kingpost {

std::vector<ProjectTemplate> BuiltinTemplates(TemplateKind kind) {
  std::map<std::string, TemplateFiles> by_name;
  for (const BuiltinFile& file : kind == TemplateKind::kPolicyPack ? BuiltinPolicyFiles() : BuiltinFiles()) {
    const size_t slash = file.path.find('/');
    by_name[file.path.substr(0, slash)].push_back({file.path.substr(slash + 1), file.content});
  }
  std::vector<ProjectTemplate> templates;
  for (auto& [name, files] : by_name) {
    Result<ProjectTemplate> read = ReadTemplate(name, std::move(files), kind);
    if (read.ok()) templates.push_back(std::move(*read));
  }
  return templates;
}

}  // namespace kingpost
