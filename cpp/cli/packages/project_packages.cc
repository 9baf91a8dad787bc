// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/project_packages.h"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/json_access.h"
#include "cli/packages/local_plugins.h"
#include "cli/packages/sdk_folder.h"
#include "cli/packages/sdk_link.h"
#include "cli/session/exit_code.h"
#include "languages/schema/document.h"
#include "runtimes/script_runtimes.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

// An SDK of one project has the version of its package; in YAML it may have none.
Result<LoadedDocument> WithVersion(Result<LoadedDocument> loaded, const std::string& source,
                                   const std::string& language) {
  if (!loaded.ok()) return loaded.status().Wrap("failed to get schema");
  nlohmann::ordered_json document = *loaded->document;
  if (TextOf(document, "version").empty() && language != "yaml") {
    return Fail(ExitCode::kFailed,
                "failed to generate SDK: package version is required: the schema of " + source + " has none");
  }
  document["meta"]["supportPack"] = true;
  auto canonical = schema::Canonical(document);
  if (!canonical.ok()) return canonical.status();
  loaded->document = std::make_shared<const nlohmann::ordered_json>(std::move(*canonical));
  return loaded;
}

}  // namespace

SdkDestination SdkDestinationOf(const Project& project) {
  return {project.folder(), project.file, project.runtime, OptionTexts(*project.runtime_options), project};
}

Result<AddedPackage> AddSdk(Session& session, const SdkDestination& home, const PackageSource& source) {
  const auto loaded = WithVersion(LoadDocument(session, source, home.project), source.text, home.language);
  if (!loaded.ok()) return loaded.status();
  const auto package = BindDocument(session, *loaded);
  if (!package.ok()) return package.status().Wrap("failed to bind schema");
  const std::string name =
      (*package)->name_space.empty() ? (*package)->name : (*package)->name_space + "-" + (*package)->name;
  const fs::path sdks = fs::path(home.folder) / "sdks";
  const fs::path folder = sdks / name;
  const Status written =
      WriteSdk(session, home.project, {*package, loaded->document, home.language, folder.string(), "", true});
  if (!written.ok()) return written.Wrap("failed to generate SDK");
  session.Say("Successfully generated an SDK for the " + (*package)->name + " package at " + sdks.string() + "\n");
  auto instructions = LinkSdkFolder(session, home, **package, *loaded->document, "sdks/" + name);
  if (!instructions.ok()) return instructions.status();
  return AddedPackage{*package, loaded->source, std::move(*instructions)};
}

Status GenerateProjectPackages(Session& session, const Project& project) {
  const Status installed = InstallLocalPlugins(session, project);
  if (!installed.ok()) {
    return installed.Wrap("installing `packages` from " + fs::path(project.file).filename().string());
  }
  const SdkDestination home = SdkDestinationOf(project);
  for (const auto& [name, spec] : project.packages) {
    const auto added = AddSdk(session, home, {name, {}, "", ""});
    const bool by_plugin = home.language != "python" && home.language != "nodejs" && home.language != "yaml";
    if (!added.ok() && by_plugin && added.status().code() == Code::kNotFound) {
      session.Warn("package '" + name + "' of the project: its SDK stays as it is: " + added.status().message());
      continue;
    }
    if (!added.ok()) return added.status().Wrap("package '" + name + "' of the project");
    if (!added->instructions.empty()) session.Print(added->instructions + "\n");
  }
  return Status::Ok();
}

}  // namespace kingpost
