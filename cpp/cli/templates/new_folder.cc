// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/new_folder.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "base/command_name.h"
#include "base/os.h"
#include "cli/session/exit_code.h"
#include "console/prompt/ask.h"

namespace kingpost {

namespace fs = std::filesystem;

Status EnterFolder(const std::string& folder) {
  if (folder.empty()) return Status::Ok();
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return Fail(ExitCode::kFailed, "creating the directory: " + folder + ": " + error.message());
  if (::chdir(folder.c_str()) == 0) return Status::Ok();
  return Fail(ExitCode::kFailed, "changing the working directory: " + folder + ": " + std::strerror(errno));
}

Status CheckEmpty(const std::string& path) {
  std::error_code error;
  const std::string folder = path.empty() ? CurrentFolder() : fs::weakly_canonical(path, error).string();
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const std::string name = entry.path().filename().string();
    if (name == ".git" || name == ".hg" || name == ".bzr") continue;
    return Fail(ExitCode::kFailed, folder +
                                       " is not empty; use --force to continue and overwrite existing files, or "
                                       "use --dir to specify an empty directory");
  }
  return Status::Ok();
}

Result<ProjectTemplate> ChooseOneTemplate(Session& session, const std::string& command, const std::string& source,
                                          bool asks, std::vector<ProjectTemplate> templates) {
  if (templates.size() == 1) return std::move(templates.front());
  if (!asks || !session.interactive()) {
    std::string names;
    for (const ProjectTemplate& found : templates) names += (names.empty() ? "" : ", ") + found.name;
    return Fail(ExitCode::kFailed, "template \"" + source + "\" is ambiguous, it matches: " + names +
                                       "; rerun without --yes to choose one interactively, or use a more specific name "
                                       "such as " +
                                       source + "/" + templates.front().name);
  }
  std::vector<MenuItem> items;
  for (const ProjectTemplate& found : templates) items.push_back({found.name, found.description});
  const std::optional<size_t> chosen = Choose(session.painter(), "Please choose a template:", std::move(items));
  if (!chosen)
    return Fail(ExitCode::kFailed, "no template selected; please use " + QuotedCommand(command) + " to select one");
  return std::move(templates[*chosen]);
}

Status WriteToCurrentFolder(const TemplateFiles& files, bool force) {
  const std::string folder = CurrentFolder();
  const std::vector<std::string> in_the_way = FindExistingFiles(files, folder);
  if (!force && !in_the_way.empty()) {
    std::string list;
    for (const std::string& path : in_the_way) list += "  overwrite   " + path + "\n";
    return Fail(ExitCode::kFailed, "creating this template will make changes to existing files:\n" + list +
                                       "\nrerun the command and pass --force to accept and create");
  }
  return WriteTemplateFiles(files, folder, force);
}

}  // namespace kingpost
