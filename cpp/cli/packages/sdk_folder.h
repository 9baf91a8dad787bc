// SPDX-License-Identifier: Apache-2.0
// SDKs on the disk: written here for Python, Node.js and YAML, by the language's plugin for all others. Main thread.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "cli/packages/package_source.h"
#include "languages/schema/package.h"

namespace kingpost {

struct SdkPlan {
  std::shared_ptr<const schema::Package> package;
  std::shared_ptr<const nlohmann::ordered_json> document;  // for plugins of languages
  std::string language;                                    // "python", "nodejs", "yaml", "go", ...
  std::string folder;                                      // made anew
  std::string overlays;  // a folder with one of each language, whose files become part of the SDK; "" for none
  bool local = false;
};
Status WriteSdk(Session& session, const Project& project, const SdkPlan& plan);

// "typescript" -> "nodejs"; "csharp" -> "dotnet"
std::string RuntimeOfLanguage(const std::string& language);

// The package of a schema, with all that it refers to.
Result<std::shared_ptr<const schema::Package>> BindDocument(Session& session, const LoadedDocument& loaded);

}  // namespace kingpost
