// SPDX-License-Identifier: Apache-2.0
// The packages of a project or a plugin: an SDK of each in sdks/, which the program is linked to. Main thread.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "cli/packages/package_source.h"
#include "cli/session/session.h"
#include "languages/schema/package.h"

namespace kingpost {

// The place that gets an SDK: a project, a plugin in source form, or a folder whose language is named.
struct SdkDestination {
  std::string folder;
  std::string file;  // Pulumi.yaml or PulumiPlugin.yaml; "" of a folder
  std::string language;
  std::map<std::string, std::string> options;  // of the runtime
  Project project;                             // an empty one of a folder
};

SdkDestination SdkDestinationOf(const Project& project);

struct AddedPackage {
  std::shared_ptr<const schema::Package> package;
  FoundSource source;
  std::string instructions;  // how it is imported
};
// Makes the SDK and links it, which installs nothing.
Result<AddedPackage> AddSdk(Session& session, const SdkDestination& home, const PackageSource& source);

// Makes the SDKs of all that the project's `packages` name, and links them; not installed yet. Those of them that are
// plugins in source form here are installed first. The project may be a plugin's.
Status GenerateProjectPackages(Session& session, const Project& project);

}  // namespace kingpost
