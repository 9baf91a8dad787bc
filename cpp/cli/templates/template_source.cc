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
#include "cli/exit_code.h"
#include "cli/templates/builtin.h"
#include "cli/templates/git_clone.h"
#include "cli/templates/temporary_folder.h"
#include "net/http_client.h"
#include "workspace/selection.h"

namespace kingpost {

namespace {

namespace fs = std::filesystem;
using Templates = std::vector<ProjectTemplate>;

constexpr char kManifest[] = "Pulumi.yaml";

std::string Or(const std::string& text, const std::string& otherwise) { return text.empty() ? otherwise : text; }

std::string NameOf(const fs::path& folder) {
  return folder.has_filename() ? folder.filename().string() : folder.parent_path().filename().string();
}

Status AddFrom(const fs::path& folder, Templates* templates) {
  Result<TemplateFiles> files = LoadTemplateFiles(folder.string());
  if (!files.ok()) return files.status();
  Result<ProjectTemplate> read = ReadTemplate(NameOf(folder), std::move(*files));
  if (!read.ok()) return read.status();
  templates->push_back(std::move(*read));
  return Status::Ok();
}

// ---- archives ----------------------------------------------------------------------------------

Result<TemplateFiles> FilesOfArchive(int fd, const std::string& name, ArchiveFormat format) {
  const auto reader = ArchiveReader::Open(fd, "'" + name + "'", format);
  if (!reader.ok()) return reader.status();
  TemplateFiles files;
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
    const Status status = (*reader)->Read([&file](std::string_view bytes) {
      file.content += bytes;
      return Status::Ok();
    });
    if (!status.ok()) return status;
    files.push_back(std::move(file));
  }
}

Result<Templates> TemplatesOfArchive(const std::string& uri) {
  const auto file = FetchUri(uri);
  if (!file.ok()) return file.status();
  const std::string name = PrintableUrl(uri);
  Result<TemplateFiles> files = FilesOfArchive(fileno(file->get()), name, FormatOfUri(uri));
  if (!files.ok()) return files.status();
  return TemplatesAmong(name, std::move(*files));
}

bool IsWebAddress(const std::string& text) { return text.starts_with("https://") || text.starts_with("http://"); }

// ---- repositories ------------------------------------------------------------------------------

Result<Templates> TemplatesOfRepository(Session& session, const GitAddress& address) {
  const Result<TemporaryFolder> clone = TemporaryFolder::Make();
  if (!clone.ok()) return clone.status();
  const Result<std::string> folder = CloneFolder(session, address, clone->path());
  if (!folder.ok()) return folder.status();
  return TemplatesInFolder(*folder);
}

std::string CommonFolder() { return Or(GetEnvironment("PULUMI_TEMPLATE_PATH"), PulumiHome() + "/templates"); }

// A folder that the user names and has filled may hold work of his own: it is taken as it is.
Status UpdateCommonFolder(Session& session) {
  std::error_code error;
  const std::string named = GetEnvironment("PULUMI_TEMPLATE_PATH");
  if (!named.empty() && fs::exists(named, error) && !fs::is_empty(named, error)) return Status::Ok();
  return CloneOrUpdate(session,
                       Or(GetEnvironment("PULUMI_TEMPLATE_GIT_REPOSITORY"), "https://github.com/pulumi/templates.git"),
                       Or(GetEnvironment("PULUMI_TEMPLATE_BRANCH"), "master"), CommonFolder());
}

Status NotFound(const std::string& named) {
  std::vector<std::string> names;
  for (const ProjectTemplate& known : KnownTemplates()) names.push_back(known.name);
  const std::string nearest = NearestName(named, names);
  return Fail(ExitCode::kFailed,
              "template '" + named + "' not found; " + (nearest.empty() ? "" : "did you mean '" + nearest + "'? ") +
                  QuotedCommand("new --list-templates") + " lists those at hand",
              Code::kNotFound);
}

Result<Templates> CommonTemplate(Session& session, const std::string& named, bool offline) {
  const Status updated = offline ? Status::Ok() : UpdateCommonFolder(session);
  std::error_code error;
  const fs::path folder = fs::path(CommonFolder()) / named;
  const bool is_name = named.find('/') == std::string::npos && named != "." && named != "..";
  if (is_name && fs::exists(folder / kManifest, error)) return TemplatesInFolder(folder.string());
  return NotFound(named);
}

std::optional<ProjectTemplate> Builtin(const std::string& named) {
  for (ProjectTemplate& known : BuiltinTemplates()) {
    if (known.name == named) return std::move(known);
  }
  return std::nullopt;
}

}  // namespace

Result<Templates> TemplatesInFolder(const std::string& folder) {
  Templates templates;
  std::error_code error;
  if (fs::exists(fs::path(folder) / kManifest, error)) {
    const Status added = AddFrom(folder, &templates);
    if (!added.ok()) return added;
    return templates;
  }
  std::set<fs::path> below;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (fs::exists(entry.path() / kManifest, error)) below.insert(entry.path());
  }
  for (const fs::path& path : below) {
    if (const Status added = AddFrom(path, &templates); !added.ok()) return added;
  }
  if (!templates.empty()) return templates;
  return Fail(ExitCode::kFailed,
              "there is no template in " + folder + ": neither it nor a folder in it has a Pulumi.yaml",
              Code::kNotFound);
}

Result<Templates> TemplatesAmong(const std::string& name, TemplateFiles files) {
  std::map<std::string, TemplateFiles> by_folder;
  for (TemplateFile& file : files) {
    const size_t slash = file.path.find('/');
    if (slash == std::string::npos) continue;
    by_folder[file.path.substr(0, slash)].push_back({file.path.substr(slash + 1), file.content, file.executable});
  }
  Templates templates;
  Result<ProjectTemplate> whole = ReadTemplate(name, std::move(files));
  if (whole.ok()) {
    templates.push_back(std::move(*whole));
    return templates;
  }
  if (whole.status().code() != Code::kNotFound) return whole.status();
  for (auto& [folder, part] : by_folder) {
    Result<ProjectTemplate> read = ReadTemplate(folder, std::move(part));
    if (read.ok()) templates.push_back(std::move(*read));
    if (!read.ok() && read.status().code() != Code::kNotFound) return read.status();
  }
  if (templates.empty()) return whole.status();
  return templates;
}

Result<Templates> FindTemplates(Session& session, const std::string& named, bool offline) {
  const std::optional<GitAddress> repository = ParseGitAddress(named);
  if (offline && (IsWebAddress(named) || repository)) {
    return Fail(ExitCode::kFailed, "cannot use " + PrintableUrl(named) + " offline");
  }
  if (IsWebAddress(named) && FormatOfUri(named) != ArchiveFormat::kNone) return TemplatesOfArchive(named);
  if (repository) return TemplatesOfRepository(session, *repository);
  if (std::optional<ProjectTemplate> builtin = Builtin(named)) return Templates{std::move(*builtin)};
  std::error_code error;
  if (fs::is_directory(named, error)) return TemplatesInFolder(named);
  if (fs::exists(named, error)) return TemplatesOfArchive("file://" + fs::absolute(named, error).string());
  return CommonTemplate(session, named, offline);
}

std::vector<ProjectTemplate> KnownTemplates() {
  Templates templates = BuiltinTemplates();
  std::error_code error;
  if (!fs::is_directory(CommonFolder(), error)) return templates;
  Result<Templates> common = TemplatesInFolder(CommonFolder());
  if (common.ok()) std::move(common->begin(), common->end(), std::back_inserter(templates));
  std::stable_sort(templates.begin(), templates.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  const auto same_name = [](const auto& a, const auto& b) { return a.name == b.name; };
  templates.erase(std::unique(templates.begin(), templates.end(), same_name), templates.end());
  return templates;
}

}  // namespace kingpost
