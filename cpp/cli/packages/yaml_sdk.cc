// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/yaml_sdk.h"

#include "cli/session/exit_code.h"
#include "workspace/yaml_writer.h"

namespace kingpost {

namespace {

constexpr int kIndent = 4;

std::string Entry(const std::string& key, const std::string& value, int indent) {
  return value.empty() ? "" : YamlEntry(key, value, indent);
}

}  // namespace

Result<std::pair<std::string, std::string>> YamlSdk(const schema::Package& package) {
  const auto& base = package.base;
  if (base && package.version.empty()) {
    return Fail(ExitCode::kFailed, std::string(base->extension ? "extension" : "parameterized") +
                                       " package must have a version: the schema of " + package.name + " has none");
  }
  std::string text = "packageDeclarationVersion: 1\n";
  text += Entry("name", base ? base->name : package.name, 0);
  text += Entry("version", base ? base->version : package.version, 0);
  text += Entry("downloadUrl", package.download_url, 0);
  if (base) {
    text += base->extension ? "extension:\n" : "parameterization:\n";
    text += Entry("name", package.name, kIndent) + Entry("version", package.version, kIndent);
    text += YamlEntry("value", base->parameter, kIndent);
  }
  const std::string version = package.version.empty() ? "" : "-" + package.version;
  return std::pair(package.name + version + ".yaml", text);
}

}  // namespace kingpost
