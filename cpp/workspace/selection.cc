// SPDX-License-Identifier: Apache-2.0
// See selection.h.
#include "workspace/selection.h"

#include <filesystem>

#include "base/command_name.h"
#include "base/digest.h"
#include "base/disk/durable_file.h"
#include "base/json_access.h"
#include "base/os.h"

namespace kingpost {
namespace {

using Json = nlohmann::json;

Result<Json> ReadJsonFile(const std::string& path) {
  const Result<std::string> text = ReadWholeFile(path);
  if (!text.ok() && text.status().code() == Code::kNotFound) return Json::object();
  if (!text.ok()) return text.status();
  Json content = ParseJson(*text);
  if (!content.is_object()) {
    return Status(Code::kDataLoss, path + ": the file is not a JSON object; remove it and choose again");
  }
  return content;
}

Status WriteJsonFile(const std::string& path, const Json& content) {
  return WriteFileDurably(path, content.dump(4, ' ', false, Json::error_handler_t::replace));
}

std::string CredentialsFile() { return PulumiHome() + "/credentials.json"; }

std::string SelectionFileFor(const Project& project, const std::string& path) {
  return PulumiHome() + "/workspaces/" + project.name + "-" + Sha1Hex(path) + "-workspace.json";
}

// Where the choice stood while links were not followed.
std::string OldSelectionFile(const Project& project) { return SelectionFileFor(project, project.file); }

Result<Json> ReadSelection(const Project& project) {
  const std::string file = SelectionFile(project), old = OldSelectionFile(project);
  std::error_code error;
  return ReadJsonFile(std::filesystem::exists(file, error) ? file : old);
}

}  // namespace

std::string SelectionFile(const Project& project) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(project.file, error);
  return SelectionFileFor(project, error ? project.file : real.string());
}

Result<std::string> SelectedStack(const Project& project, const std::string& backend_url) {
  const std::string forced = GetEnvironment("PULUMI_STACK");
  if (!forced.empty()) return forced;
  const Result<Json> settings = ReadSelection(project);
  if (!settings.ok()) return settings.status();
  const std::string selected = TextOf(ObjectOf(*settings, "stacks"), backend_url);
  return selected.empty() ? TextOf(*settings, "stack") : selected;
}

Status SelectStack(const Project& project, const std::string& backend_url, const std::string& stack) {
  const std::string path = SelectionFile(project), old = OldSelectionFile(project);
  Result<Json> settings = ReadSelection(project);
  if (!settings.ok()) return settings.status();
  Json stacks = ObjectOf(*settings, "stacks");
  if (!stacks.is_object()) stacks = Json::object();
  if (stack.empty()) {
    stacks.erase(backend_url);
    settings->erase("stack");
  } else {
    stacks[backend_url] = stack;
  }
  if (stacks.empty()) {
    settings->erase("stacks");
  } else {
    (*settings)["stacks"] = std::move(stacks);
  }
  const Status saved = settings->empty() ? RemoveFile(path) : WriteJsonFile(path, *settings);
  return saved.ok() && old != path ? RemoveFile(old) : saved;
}

Result<std::string> ChosenBackend(const Project* project) {
  const std::string url = GetEnvironment("PULUMI_BACKEND_URL");
  if (!url.empty()) return url;
  if (project && !project->backend_url.empty()) return project->backend_url;
  const Result<std::string> current = LoggedInTo();
  if (!current.ok() || !current->empty()) return current;
  return Status(Code::kNotFound, "no backend is chosen; set PULUMI_BACKEND_URL=file://PATH, or run " +
                                     QuotedCommand("login file://PATH") + " (file://~ for the home folder)");
}

Result<std::string> AbsoluteChosenBackend(const Project& project) {
  constexpr std::string_view kFile = "file://";
  Result<std::string> url = ChosenBackend(&project);
  if (!url.ok() || project.backend_url != *url || !url->starts_with(kFile)) return url;
  const std::string path = url->substr(kFile.size());
  if (path.starts_with('/') || path.starts_with('~')) return url;
  return std::string(kFile) + (std::filesystem::path(project.folder()) / path).lexically_normal().string();
}

Status LogIn(const std::string& backend_url) {
  Result<Json> credentials = ReadJsonFile(CredentialsFile());
  if (!credentials.ok()) return credentials.status();
  (*credentials)["current"] = backend_url;
  for (const char* section : {"accessTokens", "accounts"}) {
    if (!(*credentials)[section].is_object()) (*credentials)[section] = Json::object();
  }
  (*credentials)["accessTokens"].emplace(backend_url, "");
  (*credentials)["accounts"].emplace(backend_url, Json{{"lastValidatedAt", "0001-01-01T00:00:00Z"}});
  return WriteJsonFile(CredentialsFile(), *credentials);
}

Result<std::string> LoggedInTo() {
  const Result<Json> credentials = ReadJsonFile(CredentialsFile());
  if (!credentials.ok()) return credentials.status();
  return TextOf(*credentials, "current");
}

Status LogOut(const std::string& backend_url) {
  Result<Json> credentials = ReadJsonFile(CredentialsFile());
  if (!credentials.ok()) return credentials.status();
  if (TextOf(*credentials, "current") == backend_url) credentials->erase("current");
  for (const char* section : {"accessTokens", "accounts"}) {
    if (credentials->contains(section) && (*credentials)[section].is_object()) {
      (*credentials)[section].erase(backend_url);
    }
  }
  return WriteJsonFile(CredentialsFile(), *credentials);
}

Status LogOutOfAll() { return RemoveFile(CredentialsFile()); }

}  // namespace kingpost
