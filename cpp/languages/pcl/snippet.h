// SPDX-License-Identifier: Apache-2.0
// A snippet, as the state keeps it: the text of one resource, which the engine registers beside the program's (row
// 3.50). Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "kingpost/provider_values.h"

namespace kingpost::pcl {

struct PackageDescriptor {
  std::string name;  // of the plugin
  std::string version, download_url;
  std::optional<Parameterization> parameterization;

  friend bool operator==(const PackageDescriptor&, const PackageDescriptor&) = default;
};

struct Snippet {
  std::string uuid, name, type, code;
  PackageDescriptor package;
  std::map<std::string, std::string> references;  // name in the code -> URN

  // How errors name it.
  std::string file() const { return "<snippet:" + name + ">"; }
};

// From the state's "snippets"; "" means none.
Result<std::vector<Snippet>> ParseSnippets(const std::string& json);
// The same without one of them; "" if it was the only one.
std::string WithoutSnippet(const std::string& json, const std::string& uuid);

}  // namespace kingpost::pcl
