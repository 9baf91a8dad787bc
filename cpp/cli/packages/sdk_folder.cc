// SPDX-License-Identifier: Apache-2.0
#include "cli/packages/sdk_folder.h"

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "cli/packages/yaml_sdk.h"
#include "cli/session/exit_code.h"
#include "languages/schema/bind.h"
#include "languages/schema/document.h"
#include "languages/sdkgen/sdk.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;

Result<sdkgen::Files> OverlayFiles(const std::string& overlays, const std::string& language) {
  sdkgen::Files files;
  if (overlays.empty()) return files;
  const fs::path root = fs::path(overlays) / language;
  std::error_code error;
  if (!fs::is_directory(root, error)) {
    return Fail(ExitCode::kFailed, "read overlay directory \"" + overlays + "\": there is no folder " + root.string());
  }
  for (const auto& entry : fs::recursive_directory_iterator(root, error)) {
    if (!entry.is_regular_file(error)) continue;
    auto content = ReadWholeFile(entry.path().string());
    if (!content.ok()) return content.status().Wrap("read overlay file");
    files[entry.path().lexically_relative(root).generic_string()] = std::move(*content);
  }
  return files;
}

// Names of modules and packages, which a schema chooses, become names of files.
bool LeadsOut(const fs::path& name) {
  const fs::path normal = name.lexically_normal();
  return normal.empty() || normal.is_absolute() || *normal.begin() == "..";
}

Status WriteFiles(const fs::path& folder, const sdkgen::Files& files) {
  for (const auto& [name, content] : files) {
    if (LeadsOut(name)) {
      return Fail(ExitCode::kFailed, "the schema is refused: its names of modules or packages would put the file '" +
                                         name + "' outside of the SDK's folder");
    }
  }
  for (const auto& [name, content] : files) {
    const fs::path path = folder / name;
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    std::ofstream file(path, std::ios::binary);
    file << content;
    file.close();
    if (!file) return Fail(ExitCode::kFailed, "cannot write " + path.string());
  }
  return Status::Ok();
}

Status EmptyFolder(const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) fs::create_directories(folder, error);
  return error ? Fail(ExitCode::kFailed, "cannot make the folder " + folder.string() + ": " + error.message())
               : Status::Ok();
}

// The new SDK takes the old one's place.
Status PutInPlace(const fs::path& fresh, const fs::path& folder) {
  std::error_code error;
  fs::remove_all(folder, error);
  if (!error) fs::rename(fresh, folder, error);
  return error ? Fail(ExitCode::kFailed, "cannot replace the folder " + folder.string() + ": " + error.message())
               : Status::Ok();
}

Status WriteForYaml(const SdkPlan& plan, const fs::path& folder, const sdkgen::Files& extra) {
  if (!extra.empty()) return Fail(ExitCode::kFailed, "overlays are not supported for YAML: leave out --overlays");
  const auto file = YamlSdk(*plan.package);
  return file.ok() ? WriteFiles(folder, {*file}) : file.status();
}

Status WriteByPlugin(Session& session, const Project& project, const SdkPlan& plan, const fs::path& folder,
                     sdkgen::Files extra) {
  auto client = PluginClient::Open(session, project);
  if (!client.ok()) return client.status();
  SdkRequest request;
  request.language = plan.language;
  request.folder = fs::absolute(folder).string();
  request.package = plan.package->name;
  request.schema = schema::DocumentText(*plan.document);
  request.extra_files = std::move(extra);
  request.local = plan.local;
  const auto messages = (*client)->GenerateSdk(std::move(request));
  if (!messages.ok()) return messages.status().Wrap("cannot generate an SDK for " + plan.language);
  bool failed = false;
  for (const auto& [error, text] : *messages) {
    failed = failed || error;
    session.Note((error ? "error: " : "warning: ") + text);
  }
  return failed ? Fail(ExitCode::kFailed, "generation failed") : Status::Ok();
}

}  // namespace

std::string RuntimeOfLanguage(const std::string& language) {
  if (language == "typescript" || language == "javascript") return "nodejs";
  return language == "csharp" || language == "c#" ? "dotnet" : language;
}

Status WriteSdk(Session& session, const Project& project, const SdkPlan& plan) {
  auto extra = OverlayFiles(plan.overlays, plan.language);
  if (!extra.ok()) return extra.status();
  // Beside it first: an SDK that cannot be made anew stays.
  const fs::path fresh = plan.folder + ".new";
  Status written = EmptyFolder(fresh);
  if (!written.ok()) return written;
  if (plan.language == "python" || plan.language == "nodejs") {
    const sdkgen::SdkOptions options{plan.local, std::move(*extra)};
    const auto files =
        plan.language == "python" ? sdkgen::PythonSdk(*plan.package, options) : sdkgen::NodeSdk(*plan.package, options);
    written = files.ok() ? WriteFiles(fresh, *files) : files.status();
  } else if (plan.language == "yaml") {
    written = WriteForYaml(plan, fresh, *extra);
  } else {
    written = WriteByPlugin(session, project, plan, fresh, std::move(*extra));
  }
  if (written.ok()) return PutInPlace(fresh, plan.folder);
  std::error_code error;
  fs::remove_all(fresh, error);
  return written;
}

Result<std::shared_ptr<const schema::Package>> BindDocument(Session& session, const LoadedDocument& loaded) {
  return schema::BindWhole(*loaded.document,
                           {.dangling_references = true, .lookup = LookupByPlugins(session, loaded.source.project)});
}

}  // namespace kingpost
