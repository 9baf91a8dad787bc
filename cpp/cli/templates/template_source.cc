// SPDX-License-Identifier: Apache-2.0
#include "cli/templates/template_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "assets/archive_members.h"
#include "base/command_name.h"
#include "base/os.h"
#include "cli/session/exit_code.h"
#include "cli/templates/builtin.h"
#include "cli/templates/git_clone.h"
#include "cli/templates/temporary_folder.h"
#include "remote/http/http_client.h"
#include "workspace/selection.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;
using Templates = std::vector<ProjectTemplate>;

// Where those come from that are not in the command.
struct CommonTemplates {
  const char *folder, *path_variable, *repository_variable, *branch_variable, *repository, *list_command;
};
constexpr CommonTemplates kProjects = {"templates",
                                       "PULUMI_TEMPLATE_PATH",
                                       "PULUMI_TEMPLATE_GIT_REPOSITORY",
                                       "PULUMI_TEMPLATE_BRANCH",
                                       "https://github.com/pulumi/templates.git",
                                       "new --list-templates"};
constexpr CommonTemplates kPolicyPacks = {"templates-policy",
                                          "PULUMI_POLICY_TEMPLATE_PATH",
                                          "PULUMI_POLICY_TEMPLATE_GIT_REPOSITORY",
                                          "PULUMI_POLICY_TEMPLATE_BRANCH",
                                          "https://github.com/pulumi/templates-policy.git",
                                          "policy new --list-templates"};

const CommonTemplates& CommonOf(TemplateKind kind) {
  return kind == TemplateKind::kPolicyPack ? kPolicyPacks : kProjects;
}

std::string Or(const std::string& text, const std::string& otherwise) { return text.empty() ? otherwise : text; }

std::string NameOf(const fs::path& folder) {
  return folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
}

Status AddFrom(const fs::path& folder, TemplateKind kind, Templates* templates) {
  Result<TemplateFiles> files = LoadTemplateFiles(folder.string());
  if (!files.ok()) return files.status();
  Result<ProjectTemplate> read = ReadTemplate(NameOf(folder), std::move(*files), kind);
  if (!read.ok()) return read.status();
  templates->push_back(std::move(*read));
  return Status::Ok();
}

// ---- archives ----------------------------------------------------------------------------------

Result<TemplateFiles> FilesOfArchive(int fd, const std::string& name, ArchiveFormat format) {
  const auto reader = ArchiveReader::Open(fd, "'" + name + "'", format);
  if (!reader.ok()) return reader.status();
  TemplateFiles files;
  uint64_t size = 0;
  for (ArchiveEntry entry;;) {
    const Result<bool> more = (*reader)->Next(&entry);
    if (!more.ok()) return more.status();
    if (!*more) return files;
    if (entry.kind != ArchiveEntry::Kind::kFile) continue;
    const fs::path inside = fs::path(entry.name).lexically_normal();
    if (inside.empty() || inside.is_absolute() || *inside.begin() == "..") {
      return Fail(ExitCode::kFailed, "the archive " + name + " is refused: '" + entry.name + "' lies outside of it");
    }
    TemplateFile file{inside.string(), "", (entry.permissions & S_IXUSR) != 0};
    const Status status = (*reader)->Read([&](std::string_view bytes) {
      file.content += bytes;
      return CheckTemplateSize(size += bytes.size());
    });
    if (!status.ok()) return status;
    files.push_back(std::move(file));
  }
}

Result<Templates> TemplatesOfArchive(const std::string& uri, TemplateKind kind) {
  const auto file = FetchUri(uri);
  if (!file.ok()) return file.status();
  const std::string name = PrintableUrl(uri);
  Result<TemplateFiles> files = FilesOfArchive(fileno(file->get()), name, FormatOfUri(uri));
  if (!files.ok()) return files.status();
  return TemplatesAmong(name, std::move(*files), kind);
}

bool IsWebAddress(const std::string& text) { return text.starts_with("https://") || text.starts_with("http://"); }

// ---- repositories ------------------------------------------------------------------------------

Result<Templates> TemplatesOfRepository(Session& session, const GitAddress& address, TemplateKind kind) {
  const Result<TemporaryFolder> clone = TemporaryFolder::Make();
  if (!clone.ok()) return clone.status();
  const Result<std::string> folder = CloneFolder(session, address, clone->path());
  if (!folder.ok()) return folder.status();
  return TemplatesInFolder(*folder, kind);
}

std::string CommonFolder(TemplateKind kind) {
  const CommonTemplates& common = CommonOf(kind);
  return Or(GetEnvironment(common.path_variable), PulumiHome() + "/" + common.folder);
}

// A folder that the user names and has filled may hold work of his own: it is taken as it is.
Status UpdateCommonFolder(Session& session, TemplateKind kind) {
  std::error_code error;
  const CommonTemplates& common = CommonOf(kind);
  const std::string named = GetEnvironment(common.path_variable);
  if (!named.empty() && fs::exists(named, error) && !fs::is_empty(named, error)) return Status::Ok();
  return CloneOrUpdate(session, Or(GetEnvironment(common.repository_variable), common.repository),
                       Or(GetEnvironment(common.branch_variable), "master"), CommonFolder(kind));
}

Status NotFound(const std::string& named, TemplateKind kind) {
  std::vector<std::string> names;
  for (const ProjectTemplate& known : KnownTemplates(kind)) names.push_back(known.name);
  const std::string nearest = NearestName(named, names);
  return Fail(ExitCode::kFailed,
              "template '" + named + "' not found; " + (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
                  QuotedCommand(CommonOf(kind).list_command) + " lists those at hand",
              Code::kNotFound);
}

Result<Templates> CommonTemplate(Session& session, const std::string& named, bool offline, TemplateKind kind) {
  const Status updated = offline ? Status::Ok() : UpdateCommonFolder(session, kind);
  std::error_code error;
  const fs::path folder = fs::path(CommonFolder(kind)) / named;
  const bool is_name = named.find('/') == std::string::npos && named != "." && named != "..";
  if (is_name && fs::exists(folder / ManifestOf(kind), error)) return TemplatesInFolder(folder.string(), kind);
  return NotFound(named, kind);
}

std::optional<ProjectTemplate> Builtin(const std::string& named, TemplateKind kind) {
  for (ProjectTemplate& known : BuiltinTemplates(kind)) {
    if (known.name == named) return std::move(known);
  }
  return std::nullopt;
}

}  // namespace

Result<Templates> TemplatesInFolder(const std::string& folder, TemplateKind kind) {
  Templates templates;
  std::error_code error;
  if (fs::exists(fs::path(folder) / ManifestOf(kind), error)) {
    const Status added = AddFrom(folder, kind, &templates);
    if (!added.ok()) return added;
    return templates;
  }
  std::set<fs::path> below;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (fs::exists(entry.path() / ManifestOf(kind), error)) below.insert(entry.path());
  }
  for (const fs::path& path : below) {
    if (const Status added = AddFrom(path, kind, &templates); !added.ok()) return added;
  }
  if (!templates.empty()) return templates;
  return Fail(ExitCode::kFailed,
              "there is no template in " + folder + ": neither it nor a folder in it has a " + ManifestOf(kind),
              Code::kNotFound);
}

Result<Templates> TemplatesAmong(const std::string& name, TemplateFiles files, TemplateKind kind) {
  std::map<std::string, TemplateFiles> by_folder;
  for (TemplateFile& file : files) {
    const size_t slash = file.path.find('/');
    if (slash == std::string::npos) continue;
    by_folder[file.path.substr(0, slash)].push_back({file.path.substr(slash + 1), file.content, file.executable});
  }
  Templates templates;
  Result<ProjectTemplate> whole = ReadTemplate(name, std::move(files), kind);
  if (whole.ok()) {
    templates.push_back(std::move(*whole));
    return templates;
  }
  if (whole.status().code() != Code::kNotFound) return whole.status();
  for (auto& [folder, part] : by_folder) {
    Result<ProjectTemplate> read = ReadTemplate(folder, std::move(part), kind);
    if (read.ok()) templates.push_back(std::move(*read));
    if (!read.ok() && read.status().code() != Code::kNotFound) return read.status();
  }
  if (templates.empty()) return whole.status();
  return templates;
}

Result<Templates> FindTemplates(Session& session, const std::string& named, bool offline, TemplateKind kind) {
  const std::optional<GitAddress> repository = ParseGitAddress(named);
  if (offline && (IsWebAddress(named) || repository)) {
    return Fail(ExitCode::kFailed, "cannot use " + PrintableUrl(named) + " offline");
  }
  if (IsWebAddress(named) && FormatOfUri(named) != ArchiveFormat::kNone) return TemplatesOfArchive(named, kind);
  if (repository) return TemplatesOfRepository(session, *repository, kind);
  if (std::optional<ProjectTemplate> builtin = Builtin(named, kind)) return Templates{std::move(*builtin)};
  std::error_code error;
  if (fs::is_directory(named, error)) return TemplatesInFolder(named, kind);
  if (fs::exists(named, error)) return TemplatesOfArchive("file://" + fs::absolute(named, error).string(), kind);
  return CommonTemplate(session, named, offline, kind);
}

std::vector<ProjectTemplate> KnownTemplates(TemplateKind kind) {
  Templates templates = BuiltinTemplates(kind);
  std::error_code error;
  if (!fs::is_directory(CommonFolder(kind), error)) return templates;
  Result<Templates> common = TemplatesInFolder(CommonFolder(kind), kind);
  if (common.ok()) std::move(common->begin(), common->end(), std::back_inserter(templates));
  std::stable_sort(templates.begin(), templates.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
  templates.erase(std::unique(templates.begin(), templates.end(), same_name), templates.end());
  return templates;
}

std::string TemplateListing(TemplateKind kind) {
  const Templates templates = KnownTemplates(kind);
  size_t width = 0;
  for (const ProjectTemplate& known : templates) width = std::max(width, known.name.size());
  std::string text = "\nAvailable Templates:\n";
  for (const ProjectTemplate& known : templates) {
    text += "  " + known.name + std::string(width - known.name.size() + 4, ' ') + known.description + "\n";
  }
  return text;
}

}  // namespace kingpost
